//! The evaluators by name.

use std::fmt;
use std::str::FromStr;

/// Which evaluator a search uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EvaluatorKind {
    /// [`PatternEvaluator`](super::PatternEvaluator).
    #[default]
    Patterns,
    /// [`ShapeEvaluator`](super::ShapeEvaluator).
    Shapes,
    /// [`TupleEvaluator`](super::TupleEvaluator).
    Tuples,
}

impl EvaluatorKind {
    /// All kinds, the usual one first.
    pub const ALL: [EvaluatorKind; 3] =
        [EvaluatorKind::Patterns, EvaluatorKind::Shapes, EvaluatorKind::Tuples];

    /// Returns the name: `patterns`, `shapes` or `tuples`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EvaluatorKind::Patterns => "patterns",
            EvaluatorKind::Shapes => "shapes",
            EvaluatorKind::Tuples => "tuples",
        }
    }
}

impl fmt::Display for EvaluatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluatorNameError;

impl fmt::Display for EvaluatorNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the evaluators are")?;
        for (i, kind) in EvaluatorKind::ALL.into_iter().enumerate() {
            write!(f, "{} {kind}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for EvaluatorNameError {}

impl FromStr for EvaluatorKind {
    type Err = EvaluatorNameError;

    /// Reads a name as [`EvaluatorKind::name`] gives it, in letters of either case.
    fn from_str(name: &str) -> Result<EvaluatorKind, EvaluatorNameError> {
        let named = |kind: &EvaluatorKind| kind.name().eq_ignore_ascii_case(name);
        EvaluatorKind::ALL.into_iter().find(named).ok_or(EvaluatorNameError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_evaluator_and_others_to_a_list_of_them() {
        for kind in EvaluatorKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.name().to_uppercase().parse(), Ok(kind));
        }
        assert_eq!("".parse::<EvaluatorKind>(), Err(EvaluatorNameError));
        assert_eq!(EvaluatorNameError.to_string(), "the evaluators are patterns, shapes, tuples");
    }
}

//! The kinds of evaluators, and their construction.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Evaluator;
use super::baselines::{ShapeEvaluator, TupleEvaluator};
use super::classical::{ClassicalEvaluator, ClassicalTables, Weights};
use crate::rules::Rule;

/// The evaluator of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EvaluatorKind {
    /// [`ClassicalEvaluator`].
    #[default]
    Patterns,
    /// [`ShapeEvaluator`].
    Shapes,
    /// [`TupleEvaluator`].
    Tuples,
}

impl EvaluatorKind {
    /// All kinds, the default first.
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

/// Makes an evaluator of a kind for a rule.
type EvaluatorMaker = dyn Fn(EvaluatorKind, Rule) -> Box<dyn Evaluator> + Send + Sync;

/// A factory of evaluators: the built-in ones, with custom weights where given, or custom ones.
/// Cheap to clone.
#[derive(Clone, Default)]
pub struct Evaluators {
    /// The tables of rules with custom weights.
    tables: [Option<Arc<ClassicalTables>>; Rule::ALL.len()],
    maker: Option<Arc<EvaluatorMaker>>,
}

impl Evaluators {
    /// Returns the built-in evaluators.
    #[must_use]
    pub fn shipped() -> Evaluators {
        Evaluators::default()
    }

    /// Returns a factory that calls `maker` for every kind.
    #[must_use]
    pub fn made_by(
        maker: impl Fn(EvaluatorKind, Rule) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Evaluators {
        Evaluators { maker: Some(Arc::new(maker)), ..Evaluators::default() }
    }

    /// Uses these weights for positions of their rule.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.tables[weights.rule() as usize] = Some(Arc::new(ClassicalTables::new(weights)));
    }

    /// Returns an evaluator of this kind for a rule, without a position yet.
    #[must_use]
    pub fn make(&self, kind: EvaluatorKind, rule: Rule) -> Box<dyn Evaluator> {
        if let Some(maker) = &self.maker {
            return maker(kind, rule);
        }
        let tables = match &self.tables[rule as usize] {
            Some(tables) => Arc::clone(tables),
            None => ClassicalTables::shipped(rule),
        };
        match kind {
            EvaluatorKind::Patterns => Box::new(ClassicalEvaluator::new(tables)),
            EvaluatorKind::Shapes => Box::new(ShapeEvaluator::new(tables)),
            EvaluatorKind::Tuples => Box::new(TupleEvaluator::new(tables)),
        }
    }
}

impl fmt::Debug for Evaluators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.tables.iter().map(|t| t.as_ref().map(|t| t.crc()));
        f.debug_struct("Evaluators")
            .field("weights", &weights.collect::<Vec<_>>())
            .field("own", &self.maker.is_none())
            .finish()
    }
}

impl fmt::Display for EvaluatorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An unknown evaluator name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the evaluators are {}", EvaluatorKind::ALL.map(EvaluatorKind::name).join(", "))]
pub struct EvaluatorNameError;

impl FromStr for EvaluatorKind {
    type Err = EvaluatorNameError;

    /// Parses a name as returned by [`EvaluatorKind::name`], ignoring case.
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

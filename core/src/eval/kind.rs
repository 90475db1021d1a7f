//! The kinds of evaluators, and their construction.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Evaluator;
use super::baselines::{ShapeEvaluator, TupleEvaluator};
use super::classical::{ClassicalEvaluator, ClassicalTables, Weights};
use super::network::{Network, NetworkEvaluator};
use crate::rules::Rule;

/// The evaluator of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EvaluatorKind {
    /// [`ClassicalEvaluator`].
    Patterns,
    /// [`ShapeEvaluator`].
    Shapes,
    /// [`TupleEvaluator`].
    Tuples,
    /// [`NetworkEvaluator`]; the same as [`Patterns`] where [`Evaluators`] have no network.
    ///
    /// [`Patterns`]: EvaluatorKind::Patterns
    #[default]
    Network,
}

impl EvaluatorKind {
    /// All kinds, the default first.
    pub const ALL: [EvaluatorKind; 4] = [
        EvaluatorKind::Network,
        EvaluatorKind::Patterns,
        EvaluatorKind::Shapes,
        EvaluatorKind::Tuples,
    ];

    /// Returns the name: `patterns`, `shapes`, `tuples` or `network`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EvaluatorKind::Patterns => "patterns",
            EvaluatorKind::Shapes => "shapes",
            EvaluatorKind::Tuples => "tuples",
            EvaluatorKind::Network => "network",
        }
    }

    /// Returns the names of all kinds, with commas between them.
    #[must_use]
    pub fn names() -> String {
        EvaluatorKind::ALL.map(EvaluatorKind::name).join(", ")
    }
}

/// Makes an evaluator of a kind for a rule.
type EvaluatorMaker = dyn Fn(EvaluatorKind, Rule) -> Box<dyn Evaluator> + Send + Sync;

/// A factory of evaluators: the built-in ones, with custom weights and networks where given, or
/// custom ones. Cheap to clone.
#[derive(Clone, Default)]
pub struct Evaluators {
    /// The tables of rules with custom weights.
    tables: [Option<Arc<ClassicalTables>>; Rule::ALL.len()],
    networks: [NetworkChoice; Rule::ALL.len()],
    maker: Option<Arc<EvaluatorMaker>>,
}

/// The network for a rule.
#[derive(Clone, Default, Debug)]
enum NetworkChoice {
    /// The built-in one, unless there are custom weights, to which its corrections would not fit.
    #[default]
    Shipped,
    /// None.
    Without,
    /// A custom one.
    Custom(Arc<Network>),
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

    /// Uses these weights for positions of their rule, without the built-in network, which was made
    /// for the built-in weights.
    pub fn set_weights(&mut self, weights: &Weights) {
        self.tables[weights.rule() as usize] = Some(Arc::new(ClassicalTables::new(weights)));
    }

    /// Uses this network for positions of its rule, in evaluators of [`EvaluatorKind::Network`].
    pub fn set_network(&mut self, network: Arc<Network>) {
        let rule = network.rule();
        self.networks[rule as usize] = NetworkChoice::Custom(network);
    }

    /// Uses no network for any rule.
    pub fn drop_networks(&mut self) {
        self.networks.fill(NetworkChoice::Without);
    }

    /// Returns the network for a rule, if there is one.
    #[must_use]
    pub fn network(&self, rule: Rule) -> Option<Arc<Network>> {
        match &self.networks[rule as usize] {
            NetworkChoice::Shipped if self.tables[rule as usize].is_none() => {
                Some(Network::shipped(rule))
            }
            NetworkChoice::Shipped | NetworkChoice::Without => None,
            NetworkChoice::Custom(network) => Some(Arc::clone(network)),
        }
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
            EvaluatorKind::Network => match self.network(rule) {
                Some(network) => Box::new(NetworkEvaluator::new(network, tables)),
                None => Box::new(ClassicalEvaluator::new(tables)),
            },
        }
    }
}

impl fmt::Debug for Evaluators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.tables.iter().map(|t| t.as_ref().map(|t| t.crc()));
        f.debug_struct("Evaluators")
            .field("weights", &weights.collect::<Vec<_>>())
            .field("networks", &self.networks)
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
#[error("the evaluators are {}", EvaluatorKind::names())]
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
    use super::super::network::Parameters;
    use super::*;

    #[test]
    fn names_lead_back_to_their_evaluator_and_others_to_a_list_of_them() {
        for kind in EvaluatorKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.name().to_uppercase().parse(), Ok(kind));
        }
        assert_eq!("".parse::<EvaluatorKind>(), Err(EvaluatorNameError));
        let named = EvaluatorNameError.to_string();
        assert!(named.starts_with("the evaluators are network, patterns, "), "{named}");
    }

    #[test]
    fn a_network_corrects_the_tables_that_it_was_made_for() {
        let with_network = |evaluators: &Evaluators, rule| {
            let identity = |kind| evaluators.make(kind, rule).identity();
            identity(EvaluatorKind::Network) != identity(EvaluatorKind::Patterns)
        };
        for rule in Rule::ALL {
            let mut evaluators = Evaluators::shipped();
            assert!(with_network(&evaluators, rule), "{rule}");
            evaluators.set_weights(&Weights::hand_tuned(rule));
            for other in Rule::ALL {
                assert_eq!(with_network(&evaluators, other), other != rule, "{rule} {other}");
            }
            let parameters = Parameters::random(rule, 1);
            evaluators.set_network(Arc::new(Network::new(&parameters).unwrap()));
            assert!(with_network(&evaluators, rule), "{rule}");
            evaluators.drop_networks();
            for other in Rule::ALL {
                assert!(!with_network(&evaluators, other), "{rule} {other}");
            }
        }
    }
}

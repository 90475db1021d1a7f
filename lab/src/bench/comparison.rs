//! The cost of the network: nodes per second with and without it, in positions as searches in games
//! meet them.

use std::io;
use std::iter::Sum;
use std::time::{Duration, Instant};

use super::positions::GAMES;
use super::signature::search_all;
use super::{BenchOptions, per_second};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{BoundedSearch, Options};

/// The nodes of each search.
pub const NODES: u64 = 20_000;
/// The size of the table of every search, in bytes.
const HASH_BYTES: usize = 4 << 20;
/// The stones after which the first position of a game is taken, as many as an opening has.
const FIRST: usize = 4;
/// The moves from one position of a game to the next.
const STEP: usize = 6;
/// The standard deviations on either side that hold 95 % of a normal distribution.
const DEVIATIONS: f64 = 1.96;

/// The nodes that were searched and the time they took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchSpeed {
    /// The nodes.
    pub nodes: u64,
    /// The time.
    pub elapsed: Duration,
}

impl SearchSpeed {
    /// Returns the nodes per second.
    #[must_use]
    pub fn nodes_per_second(self) -> f64 {
        per_second(self.nodes, self.elapsed)
    }
}

impl Sum for SearchSpeed {
    fn sum<I: Iterator<Item = SearchSpeed>>(speeds: I) -> SearchSpeed {
        speeds.fold(SearchSpeed::default(), |sum, speed| SearchSpeed {
            nodes: sum.nodes + speed.nodes,
            elapsed: sum.elapsed + speed.elapsed,
        })
    }
}

/// The two searches of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionSpeeds {
    /// The search with the network.
    pub network: SearchSpeed,
    /// The search with the tables alone.
    pub tables: SearchSpeed,
}

/// The searches of the positions of one rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleComparison {
    /// The rule.
    pub rule: Rule,
    /// The searches of each position.
    pub positions: Vec<PositionSpeeds>,
}

impl RuleComparison {
    /// Returns all searches with the network together.
    #[must_use]
    pub fn network(&self) -> SearchSpeed {
        self.positions.iter().map(|position| position.network).sum()
    }

    /// Returns all searches with the tables alone together.
    #[must_use]
    pub fn tables(&self) -> SearchSpeed {
        self.positions.iter().map(|position| position.tables).sum()
    }

    /// Returns the nodes per second with the network as a part of those without.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        ratio(&self.positions)
    }

    /// Returns half the width of the interval in which the ratio is with 95 %, from how much it changes
    /// when a position is left out (the jackknife); `None` of fewer than two positions.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let count = self.positions.len();
        if count < 2 {
            return None;
        }
        let without = |i: usize| ratio(self.positions[..i].iter().chain(&self.positions[i + 1..]));
        let ratios: Vec<f64> = (0..count).map(without).collect();
        let mean = ratios.iter().sum::<f64>() / count as f64;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        Some(DEVIATIONS * (squares * (count - 1) as f64 / count as f64).sqrt())
    }
}

fn ratio<'a>(positions: impl IntoIterator<Item = &'a PositionSpeeds> + Clone) -> f64 {
    let speed = |of: fn(&PositionSpeeds) -> SearchSpeed| {
        positions.clone().into_iter().map(of).sum::<SearchSpeed>().nodes_per_second()
    };
    speed(|position| position.network) / speed(|position| position.tables)
}

/// The [signatures](super::BenchResult::signature) of the two searches that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignaturePair {
    /// The signature with the network.
    pub network: u64,
    /// The signature with the tables alone.
    pub tables: u64,
}

/// Searches with the network beside searches without, by rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The options.
    pub options: BenchOptions,
    /// The rules that were compared.
    pub rules: Vec<RuleComparison>,
    /// The signatures, over these rules; `None` with more than one thread.
    pub signatures: Option<SignaturePair>,
}

/// Searches positions of whole games, from openings to their last moves, with the network and with
/// the tables alone in turn, so that both meet the same state of the machine.
///
/// # Errors
///
/// Returns an error if memory for a table cannot be had.
pub fn compare(options: &BenchOptions, evaluators: &Evaluators) -> io::Result<Comparison> {
    let wanted = |rule: &Rule| options.rule.is_none_or(|only| only == *rule);
    let rules = Rule::ALL.into_iter().filter(wanted);
    let rules = rules.map(|rule| compare_rule(rule, options, evaluators));
    let rules = rules.collect::<io::Result<_>>()?;
    let signature = |kind| -> io::Result<u64> {
        Ok(search_all(options, kind, evaluators)?.iter().map(|searched| searched.nodes).sum())
    };
    let signatures = if options.threads <= 1 {
        let network = signature(EvaluatorKind::Network)?;
        Some(SignaturePair { network, tables: signature(EvaluatorKind::Patterns)? })
    } else {
        None
    };
    Ok(Comparison { options: *options, rules, signatures })
}

fn compare_rule(
    rule: Rule,
    options: &BenchOptions,
    evaluators: &Evaluators,
) -> io::Result<RuleComparison> {
    let search = |kind| {
        let evaluator = evaluators.make(kind, rule);
        BoundedSearch::new(evaluator, HASH_BYTES).map_err(io::Error::other)
    };
    let mut searches = [search(EvaluatorKind::Network)?, search(EvaluatorKind::Patterns)?];
    let of_search =
        Options { threads: options.threads.max(1), params: options.params, ..Options::default() };
    let mut positions = Vec::new();
    for (number, position) in positions_of(rule).iter().enumerate() {
        let mut speeds = [SearchSpeed::default(); 2];
        // The order alternates from position to position.
        for i in [number % 2, 1 - number % 2] {
            searches[i].forget();
            let start = Instant::now();
            let found = searches[i].search(position, None, Some(NODES), of_search);
            let elapsed = start.elapsed();
            speeds[i] = SearchSpeed { nodes: found.map_or(0, |found| found.nodes), elapsed };
        }
        let [network, tables] = speeds;
        positions.push(PositionSpeeds { network, tables });
    }
    Ok(RuleComparison { rule, positions })
}

/// Returns positions of the games of a rule.
fn positions_of(rule: Rule) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in GAMES.iter().filter(|game| game.rule == rule) {
        let mut position = Position::new(rule, game.size());
        for (played, point) in game.moves().into_iter().enumerate() {
            if played >= FIRST && (played - FIRST).is_multiple_of(STEP) {
                positions.push(position.clone());
            }
            position.play_unchecked(point);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(nodes: &[[u64; 2]]) -> Comparison {
        let speed = |nodes| SearchSpeed { nodes, elapsed: Duration::from_millis(500) };
        let position = |&nodes: &[u64; 2]| {
            let [network, tables] = nodes.map(speed);
            PositionSpeeds { network, tables }
        };
        let positions = nodes.iter().map(position).collect();
        let rules = vec![RuleComparison { rule: Rule::Caro, positions }];
        let signatures = Some(SignaturePair { network: 12, tables: 34 });
        Comparison { options: BenchOptions::default(), rules, signatures }
    }

    #[test]
    fn positions_come_from_all_parts_of_all_games() {
        for rule in Rule::ALL {
            let positions = positions_of(rule);
            let played: Vec<usize> = positions.iter().map(Position::played).collect();
            let games = GAMES.iter().filter(|game| game.rule == rule).count();
            assert_eq!(played.iter().filter(|&&n| n == FIRST).count(), games);
            assert!(played.iter().any(|&n| n > 40), "{rule}: {played:?}");
            assert!(positions.iter().all(|position| position.empty_cells() > 0));
        }
    }

    #[test]
    fn every_rule_is_searched_with_and_without_the_network() {
        let rule = Some(Rule::Caro);
        let options = BenchOptions { rule, depth: 3, ..BenchOptions::default() };
        let evaluators = Evaluators::shipped();
        let found = compare(&options, &evaluators).unwrap();
        let [compared] = &found.rules[..] else { panic!("{found:?}") };
        assert_eq!(compared.rule, Rule::Caro);
        assert_eq!(compared.positions.len(), positions_of(Rule::Caro).len());
        // Searches of won positions end early; two that search alike would be the same evaluator.
        let (network, tables) = (compared.network().nodes, compared.tables().nodes);
        let most = NODES * compared.positions.len() as u64;
        assert!(network > most / 4 && tables > most / 4);
        assert!(network != tables);
        let signatures = found.signatures.unwrap();
        let usual = super::super::run(&BenchOptions { rounds: 1, ..options }, &evaluators).unwrap();
        assert_eq!(Some(signatures.network), usual.signature);
        assert!(signatures.network != signatures.tables);
    }

    #[test]
    fn the_ratio_is_that_of_nodes_per_second() {
        let comparison = compared(&[[600, 1000]]);
        assert!((comparison.rules[0].ratio() - 0.6).abs() < 1e-9);
        assert_eq!(comparison.rules[0].error(), None);
    }

    #[test]
    fn the_error_of_a_ratio_comes_from_how_positions_differ() {
        let error = |nodes: &[[u64; 2]]| compared(nodes).rules[0].error().unwrap();
        assert!(error(&[[500, 1000]; 4]) < 1e-9);
        // The ratios without one of these are 0.6 and 0.5, 0.05 from their mean.
        let expected = 1.96 * (2.0 * 0.05_f64.powi(2) / 2.0).sqrt();
        assert!((error(&[[500, 1000], [600, 1000]]) - expected).abs() < 1e-9);
        assert!(error(&[[500, 1000], [600, 1000]].repeat(8)) < expected / 3.0);
    }
}

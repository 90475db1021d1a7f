//! The cost of the network: nodes per second with and without it, in positions as searches in games
//! meet them.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::positions::GAMES;
use super::render::{number, object, seconds, string};
use super::{BenchOptions, per_second};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{BoundedSearch, Options};

/// The nodes of each search.
const NODES: u64 = 20_000;
/// The size of the table of every search, in bytes.
const HASH_BYTES: usize = 4 << 20;
/// The stones after which the first position of a game is taken, as many as an opening has.
const FIRST: usize = 4;
/// The moves from one position of a game to the next.
const STEP: usize = 6;

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

/// The searches of the positions of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleComparison {
    /// The rule.
    pub rule: Rule,
    /// The number of positions.
    pub positions: usize,
    /// The searches with the network.
    pub network: SearchSpeed,
    /// The searches with the tables alone.
    pub tables: SearchSpeed,
}

impl RuleComparison {
    /// Returns the nodes per second with the network as a part of those without.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.network.nodes_per_second() / self.tables.nodes_per_second()
    }
}

/// Searches with the network beside searches without, by rule.
///
/// Displays as a table for people; [`Comparison::to_json`] is for programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The rules that were compared.
    pub rules: Vec<RuleComparison>,
}

impl Comparison {
    /// Returns the comparison as one JSON object on one line, without a line end. Times are in
    /// seconds.
    #[must_use]
    pub fn to_json(&self) -> String {
        let speed = |speed: SearchSpeed| {
            object([
                ("nodes", speed.nodes.to_string()),
                ("seconds", seconds(speed.elapsed)),
                ("nodes_per_second", number(speed.nodes_per_second())),
            ])
        };
        let rules = self.rules.iter().map(|compared| {
            object([
                ("rule", string(compared.rule.name())),
                ("positions", compared.positions.to_string()),
                ("network", speed(compared.network)),
                ("tables", speed(compared.tables)),
                ("ratio", format!("{:.4}", compared.ratio())),
            ])
        });
        let rules: Vec<String> = rules.collect();
        object([
            ("version", string(env!("CARGO_PKG_VERSION"))),
            ("nodes_per_search", NODES.to_string()),
            ("rules", format!("[{}]", rules.join(","))),
        ])
    }
}

impl fmt::Display for Comparison {
    /// Writes a table; every line ends with a newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Nodes per second, {NODES} nodes a position")?;
        writeln!(
            f,
            "{:<12}{:>10}{:>14}{:>12}{:>8}",
            "rule", "positions", "with network", "without", "ratio"
        )?;
        for compared in &self.rules {
            let RuleComparison { rule, positions, network, tables } = compared;
            let (network, tables) = (network.nodes_per_second(), tables.nodes_per_second());
            let ratio = compared.ratio();
            writeln!(f, "{rule:<12}{positions:>10}{network:>14.0}{tables:>12.0}{ratio:>8.3}")?;
        }
        Ok(())
    }
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
    Ok(Comparison { rules: rules.collect::<io::Result<_>>()? })
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
    let mut speeds = [SearchSpeed::default(); 2];
    let mut positions = 0;
    for position in positions_of(rule) {
        // The order alternates from position to position.
        for i in [positions % 2, 1 - positions % 2] {
            searches[i].forget();
            let start = Instant::now();
            let found = searches[i].search(&position, None, Some(NODES), of_search);
            speeds[i].elapsed += start.elapsed();
            speeds[i].nodes += found.map_or(0, |found| found.nodes);
        }
        positions += 1;
    }
    let [network, tables] = speeds;
    Ok(RuleComparison { rule, positions, network, tables })
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

    fn compared(nodes: [u64; 2]) -> RuleComparison {
        let speed = |nodes| SearchSpeed { nodes, elapsed: Duration::from_millis(500) };
        let [network, tables] = nodes.map(speed);
        RuleComparison { rule: Rule::Caro, positions: 7, network, tables }
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
        let options = BenchOptions { rule: Some(Rule::Caro), ..BenchOptions::default() };
        let found = compare(&options, &Evaluators::shipped()).unwrap().rules;
        let [RuleComparison { rule: Rule::Caro, positions, network, tables }] = found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(positions, positions_of(Rule::Caro).len());
        // Searches of won positions end early; two that search alike would be the same evaluator.
        let most = NODES * positions as u64;
        assert!(network.nodes > most / 4 && tables.nodes > most / 4);
        assert!(network.nodes != tables.nodes);
    }

    #[test]
    fn the_ratio_is_that_of_nodes_per_second() {
        let comparison = Comparison { rules: vec![compared([600, 1000])] };
        assert!((comparison.rules[0].ratio() - 0.6).abs() < 1e-9);
        let line = "caro                 7          1200        2000   0.600\n";
        assert!(comparison.to_string().ends_with(line), "{comparison}");
        let json = comparison.to_json();
        let network =
            "\"network\":{\"nodes\":600,\"seconds\":0.500000,\"nodes_per_second\":1200.0}";
        assert!(json.contains(network), "{json}");
        assert!(json.contains("\"ratio\":0.6000}]}"), "{json}");
    }
}

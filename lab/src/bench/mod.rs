//! Benchmarks: the speed of the hot path, and a signature that changes whenever the search does.
//!
//! [`run`] plays whole games forward and back on a
//! [`Position`](tengen_core::position::Position), searches fixed positions to a fixed depth with a fresh
//! table each, and builds the pattern tables. With one thread the searched nodes are the same on
//! every machine. Their sum is the signature, which shows whether a change affects the search.
//! [`compare`] measures the cost of the network.

pub mod comparison;
pub mod positions;
mod render;
pub mod signature;
pub mod speed;

use std::io;
use std::time::Duration;

pub use comparison::{Comparison, compare};
pub use signature::{DEFAULT_DEPTH, HASH_BYTES, NODE_CAP, Searched};
pub use speed::{Built, DEFAULT_ROUNDS, PlayedMoves};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::rules::Rule;
use tengen_core::search::{Params, search_counts};

/// The options of a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchOptions {
    /// The number of search threads, at least 1. With more than one there is no signature.
    pub threads: usize,
    /// The only rule whose games and positions are used; `None` for all.
    pub rule: Option<Rule>,
    /// The depth of every search, in plies.
    pub depth: u32,
    /// The number of times that every game is played forward and back.
    pub rounds: u32,
    /// The search parameters.
    pub params: Params,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        BenchOptions {
            threads: 1,
            rule: None,
            depth: DEFAULT_DEPTH,
            rounds: DEFAULT_ROUNDS,
            params: Params::DEFAULT,
        }
    }
}

/// The result of a benchmark.
///
/// Displays as tables for people; [`BenchResult::to_json`] is for programs.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchResult {
    /// The options of the benchmark.
    pub options: BenchOptions,
    /// The times to build the pattern tables of each rule.
    pub tables: Vec<Built>,
    /// The moves played and taken back under each rule.
    pub played: Vec<PlayedMoves>,
    /// The searches, one for each position.
    pub searched: Vec<Searched>,
    /// Moves played and taken back per second, over all rules.
    pub place_undo_per_second: f64,
    /// The nodes of all searches.
    pub nodes: u64,
    /// Nodes per second, over all searches.
    pub nodes_per_second: f64,
    /// The nodes of all searches if one thread searched: the same on every run and every machine
    /// for equal options. With the default parameters it identifies a version of the search.
    pub signature: Option<u64>,
    /// What all searches of the process have done, in words, with how often; in builds with the feature
    /// `stats` only.
    pub counts: Vec<(&'static str, u64)>,
}

/// Runs a benchmark with these evaluators.
///
/// # Errors
///
/// Returns an error if memory for a table or a search thread cannot be had.
pub fn run(options: &BenchOptions, evaluators: &Evaluators) -> io::Result<BenchResult> {
    let wanted = |rule: Rule| options.rule.is_none_or(|only| only == rule);
    let rules: Vec<Rule> = Rule::ALL.into_iter().filter(|&rule| wanted(rule)).collect();
    let tables = rules.iter().map(|&rule| speed::build_tables(rule)).collect();
    let played: Vec<PlayedMoves> =
        rules.iter().map(|&rule| speed::play(rule, options.rounds)).collect();
    let searched = signature::search_all(options, EvaluatorKind::default(), evaluators)?;

    let pairs = played.iter().map(|p| p.pairs).sum();
    let playing = played.iter().map(|p| p.elapsed).sum();
    let nodes = searched.iter().map(|s| s.nodes).sum();
    let searching = searched.iter().map(|s| s.elapsed).sum();
    Ok(BenchResult {
        options: *options,
        tables,
        place_undo_per_second: per_second(pairs, playing),
        nodes,
        nodes_per_second: per_second(nodes, searching),
        signature: (options.threads <= 1).then_some(nodes),
        played,
        searched,
        counts: search_counts(),
    })
}

/// Returns a rate per second; finite even if no time passed.
fn per_second(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shallow(threads: usize, rule: Option<Rule>) -> BenchResult {
        let options = BenchOptions { threads, rule, depth: 3, rounds: 1, ..Default::default() };
        run(&options, &Evaluators::shipped()).unwrap()
    }

    #[test]
    fn the_signature_is_the_same_on_every_run() {
        let (first, second) = (shallow(1, None), shallow(1, None));
        assert_eq!(first.signature, Some(first.nodes));
        assert_eq!(first.signature, second.signature);
        assert!(first.nodes > 0 && first.nodes_per_second > 0.0);
        assert!(first.place_undo_per_second > 0.0);
    }

    #[test]
    fn other_parameters_have_another_signature() {
        let mut options = BenchOptions { depth: 5, rounds: 1, ..BenchOptions::default() };
        options.rule = Some(Rule::Standard);
        let usual = run(&options, &Evaluators::shipped()).unwrap().signature;
        options.params.set("lmp_base", 40).unwrap();
        let other = run(&options, &Evaluators::shipped()).unwrap().signature;
        assert!(usual.is_some() && usual != other);
    }

    #[test]
    fn several_threads_have_no_signature() {
        assert_eq!(shallow(2, Some(Rule::Caro)).signature, None);
    }

    #[test]
    fn one_rule_alone_is_a_part_of_all() {
        let all = shallow(1, None);
        let parts: u64 = Rule::ALL.map(|rule| shallow(1, Some(rule)).nodes).iter().sum();
        assert_eq!(all.nodes, parts);
        assert_eq!(all.played.len(), Rule::ALL.len());
        assert_eq!(all.tables.len(), Rule::ALL.len());
    }
}

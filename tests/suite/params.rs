//! The numbers of the search at the ends of their bounds.

use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::rules::Rule;
use tengen_core::search::{BoundedSearch, Options, Params};
use tengen_lab::bench::positions::{BenchPosition, POSITIONS};

/// The size of the table of each search, in bytes.
const HASH_BYTES: usize = 1 << 20;
/// The depth of each search, in plies.
const DEPTH: u32 = 8;
/// Keeps a search that prunes nothing from taking for ever.
const MOST_NODES: u64 = 20_000;

/// Returns what a search of one position with other numbers finds, as far as it tells that they are
/// used: the move, the depth and the nodes.
fn search(record: BenchPosition, params: Params) -> (String, u32, u64) {
    let position = record.position();
    let evaluator = Evaluators::shipped().make(EvaluatorKind::default(), record.rule);
    let options = Options { params, ..Options::default() };
    let mut search = BoundedSearch::new(evaluator, HASH_BYTES).unwrap();
    let result = search.search(&position, Some(DEPTH), Some(MOST_NODES), options).unwrap();
    (result.best.to_string(), result.depth, result.nodes)
}

/// Returns three positions of each rule, of different stages of the game.
fn records() -> impl Iterator<Item = BenchPosition> {
    Rule::ALL.into_iter().enumerate().flat_map(|(i, rule)| {
        let of_rule: Vec<_> = POSITIONS.iter().filter(|record| record.rule == rule).collect();
        (i..i + 3).map(move |j| *of_rule[j % of_rule.len()])
    })
}

#[test]
fn every_number_changes_the_search() {
    let usual: Vec<_> = records().map(|record| search(record, Params::DEFAULT)).collect();
    let mut idle = Vec::new();
    for param in Params::ALL {
        let changes = |value| {
            let mut params = Params::DEFAULT;
            params.set(param.name, value).unwrap();
            records().zip(&usual).any(|(record, usual)| search(record, params) != *usual)
        };
        if !changes(param.min) && !changes(param.max) {
            idle.push(param.name);
        }
    }
    assert!(idle.is_empty(), "without effect: {idle:?}");
}

#[test]
fn all_numbers_may_be_at_their_bounds_together() {
    for largest in [false, true] {
        let mut params = Params::DEFAULT;
        for param in Params::ALL {
            params.set(param.name, if largest { param.max } else { param.min }).unwrap();
        }
        for record in records() {
            let (_, depth, nodes) = search(record, params);
            assert!(depth > 0 && nodes > 0);
        }
    }
}

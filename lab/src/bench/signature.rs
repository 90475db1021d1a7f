//! Searches of fixed positions, whose total nodes are the signature of the search.

use std::io;
use std::time::{Duration, Instant};

use super::BenchOptions;
use super::positions::{BenchPosition, POSITIONS};
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators};
use tengen_core::search::{BoundedSearch, Options, STACK_BYTES, SearchResult};
use tengen_core::sys::turns::on_stack;
use tengen_core::types::{Point, Score};

/// The default depth of every search, in plies.
pub const DEFAULT_DEPTH: u32 = 12;
/// The size of the table of every search, in bytes.
pub const HASH_BYTES: usize = 16 << 20;
/// The node limit of a search, so that no position takes forever at any depth or after any change.
pub const NODE_CAP: u64 = 5_000_000;

/// The search of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The position.
    pub record: BenchPosition,
    /// The nodes searched by all threads.
    pub nodes: u64,
    /// The time.
    pub elapsed: Duration,
    /// The move found.
    pub best: Point,
    /// Its score.
    pub score: Score,
    /// The depth reached: less than requested if a win or loss was found exactly, or at
    /// [`NODE_CAP`].
    pub depth: u32,
}

/// Searches all positions of the rules selected by `options`, one after the other, with one kind of evaluation.
///
/// # Errors
///
/// Returns an error if memory for a table or a thread to search on cannot be had.
pub fn search_all(
    options: &BenchOptions,
    kind: EvaluatorKind,
    evaluators: &Evaluators,
) -> io::Result<Vec<Searched>> {
    let records = POSITIONS
        .iter()
        .filter(|record| options.rule.is_none_or(|only| only == record.rule))
        .copied();
    // The first search thread is the caller's, whose stack may be too small.
    let evaluator = |rule| evaluators.make(kind, rule);
    let work = || records.map(|record| search(record, options, evaluator(record.rule))).collect();
    on_stack(STACK_BYTES, work)?
}

/// Searches one position with a fresh table and no history.
///
/// # Errors
///
/// Returns an error if memory for the table cannot be had.
fn search(
    record: BenchPosition,
    options: &BenchOptions,
    evaluator: Box<dyn Evaluator>,
) -> io::Result<Searched> {
    let position = record.position();
    let mut search = BoundedSearch::new(evaluator, HASH_BYTES).map_err(io::Error::other)?;
    let of_search =
        Options { threads: options.threads.max(1), params: options.params, ..Options::default() };
    let start = Instant::now();
    let result = search.search(&position, Some(options.depth), Some(NODE_CAP), of_search);
    let elapsed = start.elapsed();
    let SearchResult { best, score, depth, nodes, .. } =
        result.ok_or_else(|| io::Error::other("a position of the bench has no empty cell"))?;
    Ok(Searched { record, nodes, elapsed, best, score, depth })
}

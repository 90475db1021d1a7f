//! Lazy SMP: threads that search the same position and meet in the transposition table.

use super::history::Histories;
use super::report::Report;
use super::root::Found;
use super::worker::{NodeCounter, Shared, Worker};
use super::{Control, StopFlag, Table};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::types::{Point, Score};

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play.
    pub best: Point,
    /// Its score for the side to move.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// The principal variation, from `best` on.
    pub line: Vec<Point>,
    /// The nodes searched by all threads.
    pub nodes: u64,
}

/// The memory of the threads that outlives a search.
#[derive(Debug, Default)]
pub struct Pool {
    histories: Vec<Histories>,
}

/// How a search is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The number of nodes after which the search stops.
    pub max_nodes: Option<u64>,
    /// Whether to answer at once where the threats on the board leave no choice.
    pub answer_at_once: bool,
}

impl Pool {
    /// Returns a pool that remembers nothing.
    #[must_use]
    pub fn new() -> Pool {
        Pool::default()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.histories.clear();
    }

    /// Returns an estimate of the memory that one thread needs, in bytes.
    #[must_use]
    pub const fn bytes_per_thread() -> u64 {
        2 << 20
    }

    /// Searches a position until `control` stops it; every finished iteration is reported.
    ///
    /// Returns `None` if there is no empty cell.
    pub fn search<E: Evaluator + Clone>(
        &mut self,
        position: &Position,
        evaluator: &E,
        table: &Table,
        control: &Control,
        options: Options,
        mut report: impl FnMut(Report),
    ) -> Option<SearchResult> {
        if position.empty_cells() == 0 {
            return None;
        }
        table.new_search();
        let threads = options.threads.max(1);
        self.histories.resize_with(threads.max(self.histories.len()), Histories::new);
        let counters: Vec<NodeCounter> = (0..threads).map(|_| NodeCounter::default()).collect();
        let finished = StopFlag::new();
        let shared = Shared { table, control, nodes: &counters, finished: &finished };
        let limit = options.max_nodes.unwrap_or(u64::MAX).max(1);

        let (main_histories, others) = self.histories.split_at_mut(1);
        let mut main = Worker::new(0, position, evaluator.clone(), &shared, &mut main_histories[0]);
        main.node_limit = limit;
        main.set_root_moves();
        if options.answer_at_once
            && let Some(found) = main.obvious_move()
        {
            return Some(result(found, main.nodes));
        }

        let mut all = Vec::new();
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others[..threads - 1]
                .iter_mut()
                .enumerate()
                .map(|(i, histories)| {
                    let shared = &shared;
                    let evaluator = evaluator.clone();
                    let root_moves = main.root_moves.clone();
                    let helper = move || {
                        let mut worker = Worker::new(i + 1, position, evaluator, shared, histories);
                        worker.node_limit = limit;
                        worker.root_moves = root_moves;
                        let found = worker.deepen(&mut |_| {});
                        (found, worker.nodes)
                    };
                    std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, helper)
                })
                .collect();
            let found = main.deepen(&mut report);
            finished.request();
            all.push((found, main.nodes));
            // A thread that could not be started is one less that helps.
            for helper in helpers.into_iter().flatten() {
                if let Ok(result) = helper.join() {
                    all.push(result);
                }
            }
        });
        let nodes = all.iter().map(|(_, nodes)| nodes).sum();
        vote(all.into_iter().map(|(found, _)| found)).map(|found| result(found, nodes))
    }
}

/// The stack of a search thread; a node takes about three kilobytes.
pub const STACK_BYTES: usize = 4 << 20;

/// Chooses among what the threads found: the main thread's, unless another finished a deeper
/// iteration with a better score, or proved a shorter win.
fn vote(mut all: impl Iterator<Item = Found>) -> Option<Found> {
    let main = all.next()?;
    Some(all.fold(main, |best, other| {
        let deeper = other.depth > best.depth && !best.score.is_win();
        let wins = other.score.is_win() && other.score > best.score;
        if other.depth > 0 && (wins || deeper && other.score >= best.score) { other } else { best }
    }))
}

fn result(found: Found, nodes: u64) -> SearchResult {
    SearchResult {
        best: found.best,
        score: found.score,
        depth: found.depth,
        line: found.line,
        nodes,
    }
}

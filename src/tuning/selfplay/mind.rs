//! What is needed of a search, and the search.

use std::time::Instant;

use crate::eval::{Evaluator, PatternEvaluator};
use crate::position::Position;
use crate::search::time::{Reserve, TimeManager};
use crate::search::{Blocks, ClockSettings, Control, Limits, Options, Pool, Problem, Table};
use crate::sys::memory::AllocError;
use crate::types::Point;

use crate::tuning::game::ScoredMove;

/// The transposition table of a thread, in bytes: room for the nodes of a whole game, and small
/// enough to be cleared before each without anybody noticing. It bears on what a search finds, so
/// another size is another [`PROCEDURE`](super::PROCEDURE).
const TABLE_BYTES: usize = 1 << 20;

/// Chooses moves.
///
/// The answer depends on the question and on those asked since [`Mind::forget`], on nothing else.
pub trait Mind {
    /// Forgets everything that bears on answers.
    fn forget(&mut self);

    /// Returns the best move for the side to move after a search of `nodes` nodes, with its score;
    /// `without` is left out unless it is the only one. `None` if the board is full.
    fn think(
        &mut self,
        position: &Position,
        nodes: u64,
        without: Option<Point>,
    ) -> Option<ScoredMove>;
}

/// The search that the engine plays with, on one thread.
#[derive(Debug)]
pub struct SearchMind {
    pool: Pool,
    table: Table,
}

impl SearchMind {
    /// Makes a mind with a transposition table of its own.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new() -> Result<SearchMind, AllocError> {
        Ok(SearchMind { pool: Pool::new(), table: Table::new(TABLE_BYTES)? })
    }
}

impl Mind for SearchMind {
    fn forget(&mut self) {
        self.pool.clear();
        self.table.clear(1);
    }

    fn think(
        &mut self,
        position: &Position,
        nodes: u64,
        without: Option<Point>,
    ) -> Option<ScoredMove> {
        let control = control(position, nodes);
        let blocks = without.map(|point| Blocks::new(position.size(), &[point], &[]));
        let options =
            Options { max_nodes: Some(nodes), blocks: blocks.as_ref(), ..Options::default() };
        let problem = Problem {
            position,
            evaluator: &PatternEvaluator,
            table: &self.table,
            control: &control,
            options,
        };
        let found = self.pool.search(&problem, |_| {})?;
        // Before the first iteration is finished the search knows of no score.
        let score = if found.depth > 0 { found.score } else { PatternEvaluator.evaluate(position) };
        Some(ScoredMove { point: found.best, score })
    }
}

/// Returns a control that leaves everything to the node limit.
pub(in crate::tuning) fn control(position: &Position, nodes: u64) -> Control {
    let limits = Limits {
        clock: ClockSettings::default(),
        start: Instant::now(),
        max_depth: None,
        max_nodes: Some(nodes),
        infinite: true,
    };
    let reserve = Reserve::default();
    let manager = TimeManager::new(&limits, position.played(), position.empty_cells(), &reserve);
    Control::new(&limits, manager)
}

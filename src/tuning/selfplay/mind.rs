//! What is needed of a search, and the search.

use std::sync::Mutex;
use std::time::Instant;

use super::sample::{Sample, SamplingEvaluator};
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

/// Chooses moves, and judges positions.
///
/// The answer depends on the question and on those of the same kind asked since [`Mind::forget`], on
/// nothing else: what is judged has no influence on what is thought, nor has the sample.
pub trait Mind {
    /// Forgets everything that bears on answers.
    fn forget(&mut self);

    /// Returns the best move for the side to move after a search of `nodes` nodes, with its score;
    /// `without` is left out unless it is the only one. `None` if the board is full. The positions
    /// after `position` that the search evaluates are offered to the sample.
    fn think(
        &mut self,
        position: &Position,
        nodes: u64,
        without: Option<Point>,
        sample: &mut Sample,
    ) -> Option<ScoredMove>;

    /// Returns the best move in a position that no game has come to, after a search of `nodes` nodes,
    /// with its score. `None` if the board is full.
    fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove>;
}

/// The search that the engine plays with, on one thread, once for the moves and once for what is
/// judged.
#[derive(Debug)]
pub struct SearchMind {
    player: Searcher,
    judge: Searcher,
}

impl SearchMind {
    /// Makes a mind with transposition tables of its own.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new() -> Result<SearchMind, AllocError> {
        Ok(SearchMind { player: Searcher::new()?, judge: Searcher::new()? })
    }
}

impl Mind for SearchMind {
    fn forget(&mut self) {
        self.player.forget();
        self.judge.forget();
    }

    fn think(
        &mut self,
        position: &Position,
        nodes: u64,
        without: Option<Point>,
        sample: &mut Sample,
    ) -> Option<ScoredMove> {
        if sample.wants_nothing() {
            return self.player.search(position, &PatternEvaluator, nodes, without);
        }
        let sample = Mutex::new(sample);
        let evaluator = SamplingEvaluator::new(position, &sample);
        self.player.search(position, &evaluator, nodes, without)
    }

    fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove> {
        self.judge.search(position, &PatternEvaluator, nodes, None)
    }
}

/// What a search remembers.
#[derive(Debug)]
struct Searcher {
    pool: Pool,
    table: Table,
    /// Nothing was searched since the last time that everything was forgotten.
    is_fresh: bool,
}

impl Searcher {
    fn new() -> Result<Searcher, AllocError> {
        Ok(Searcher { pool: Pool::new(), table: Table::new(TABLE_BYTES)?, is_fresh: true })
    }

    fn forget(&mut self) {
        // Most openings are rejected before there is anything to judge.
        if !self.is_fresh {
            self.pool.clear();
            self.table.clear(1);
            self.is_fresh = true;
        }
    }

    fn search<E: Evaluator + Clone>(
        &mut self,
        position: &Position,
        evaluator: &E,
        nodes: u64,
        without: Option<Point>,
    ) -> Option<ScoredMove> {
        self.is_fresh = false;
        let control = control(position, nodes);
        let blocks = without.map(|point| Blocks::new(position.size(), &[point], &[]));
        let options =
            Options { max_nodes: Some(nodes), blocks: blocks.as_ref(), ..Options::default() };
        let problem =
            Problem { position, evaluator, table: &self.table, control: &control, options };
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

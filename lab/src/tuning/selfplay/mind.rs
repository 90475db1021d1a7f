//! The interface that self-play needs of a search, and the search itself.

use super::sample::{Sample, SamplingEvaluator};
use tengen_core::eval::{Evaluator, Window};
use tengen_core::position::Position;
use tengen_core::search::{Blocks, BoundedSearch, Options};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::Point;

use crate::tuning::game::ScoredMove;

/// The transposition table of a thread, in bytes: room for the nodes of a whole game, and small
/// enough to be cleared before each without anybody noticing. It bears on what a search finds, so
/// another size is another [`PROCEDURE`](super::PROCEDURE).
const TABLE_BYTES: usize = 1 << 20;
/// The largest table of a [`LeafJudge`], in bytes.
const MOST_TABLE_BYTES: u64 = 1 << 28;

/// Chooses moves, and judges positions.
///
/// The answer depends on the question and on those of the same kind asked since [`Mind::forget`],
/// on nothing else: what is judged has no influence on what is thought, nor has the sample.
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

    /// Returns the best move in a position that no game has come to, after a search of `nodes`
    /// nodes, with its score. `None` if the board is full.
    fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove>;
}

/// The nodes that share a kilobyte of the table of a [`LeafJudge`] of its own.
const NODES_PER_KIB: u64 = 32;

/// A search that judges positions that no game has come to.
#[derive(Debug)]
pub struct LeafJudge(BoundedSearch);

impl LeafJudge {
    /// Makes a judge with a clone of an evaluator and a table with room for a search of `nodes` nodes; no
    /// smaller than that of self-play.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(evaluator: &dyn Evaluator, nodes: u64) -> Result<LeafJudge, AllocError> {
        let wanted = (nodes / NODES_PER_KIB) << 10;
        let bytes = (TABLE_BYTES as u64).max(wanted.min(MOST_TABLE_BYTES).next_power_of_two());
        LeafJudge::with_table(evaluator, bytes as usize)
    }

    fn with_table(evaluator: &dyn Evaluator, bytes: usize) -> Result<LeafJudge, AllocError> {
        Ok(LeafJudge(BoundedSearch::new(evaluator.fresh(), bytes)?))
    }

    /// Forgets everything that bears on answers.
    pub fn forget(&mut self) {
        self.0.forget();
    }

    /// Returns the best move in a position after a search of `nodes` nodes, with its score. `None` if the
    /// board is full.
    pub fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove> {
        search(&mut self.0, position, nodes, None)
    }
}

/// The search that the engine plays with, on one thread, once for the moves and once for what is
/// judged.
#[derive(Debug)]
pub struct SearchMind {
    player: BoundedSearch<SamplingEvaluator>,
    judge: LeafJudge,
}

impl SearchMind {
    /// Makes a mind that judges positions by clones of an evaluator, with transposition tables of
    /// its own.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(evaluator: &dyn Evaluator) -> Result<SearchMind, AllocError> {
        let sampling = SamplingEvaluator::new(evaluator.fresh());
        Ok(SearchMind {
            player: BoundedSearch::new(sampling, TABLE_BYTES)?,
            judge: LeafJudge::with_table(evaluator, TABLE_BYTES)?,
        })
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
            return search(&mut self.player, position, nodes, without);
        }
        // The evaluator owns the sample while it is offered to.
        self.player.evaluator().lend(std::mem::replace(sample, Sample::nothing()));
        let found = search(&mut self.player, position, nodes, without);
        if let Some(lent) = self.player.evaluator().take_back() {
            *sample = lent;
        }
        found
    }

    fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove> {
        self.judge.judge(position, nodes)
    }
}

fn search<E: Evaluator + Clone>(
    searcher: &mut BoundedSearch<E>,
    position: &Position,
    nodes: u64,
    without: Option<Point>,
) -> Option<ScoredMove> {
    let blocks = without.map(|point| Blocks::new(position.size(), &[point], &[]));
    let options = Options { blocks: blocks.as_ref(), ..Options::default() };
    let found = searcher.search(position, None, Some(nodes), options)?;
    let score = if found.depth > 0 {
        found.score
    } else {
        // Before the first iteration is finished the search knows of no score.
        let evaluator = searcher.evaluator();
        evaluator.reset(position);
        evaluator.evaluate(position, Window::FULL)
    };
    Some(ScoredMove { point: found.best, score })
}

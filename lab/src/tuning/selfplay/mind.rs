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

/// The search that the engine plays with, on one thread, once for the moves and once for what is
/// judged.
#[derive(Debug)]
pub struct SearchMind {
    player: BoundedSearch<SamplingEvaluator>,
    judge: BoundedSearch,
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
            judge: BoundedSearch::new(evaluator.fresh(), TABLE_BYTES)?,
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
        search(&mut self.judge, position, nodes, None)
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

//! The shape scores of all cells, both colours and four directions combined.

use super::Evaluator;
use crate::patterns::PointClass;
use crate::patterns::info::EVAL_PARTS;
use crate::position::Position;
use crate::types::{Color, Score};

/// The evaluation that search uses: sums kept by the pattern tracker, and the initiative.
///
/// The sum is averaged over the last two moves, which takes out the swing between having just
/// moved and being about to (an idea of Rapfi's classical evaluation). All numbers are
/// [`Weights`](crate::patterns::Weights).
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternEvaluator;

impl Evaluator for PatternEvaluator {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let tracker = position.tracker();
        let (now, before) = tracker.evals();
        let us = position.to_move();
        let cells = match us {
            Color::Black => (now + before) / (2 * EVAL_PARTS),
            Color::White => -(now + before) / (2 * EVAL_PARTS),
        };
        let ours = strongest(position, us);
        let theirs = strongest(position, !us);
        Score::eval(cells + tracker.tables().initiative(us, ours, theirs))
    }
}

#[inline]
fn strongest(position: &Position, color: Color) -> PointClass {
    position.counts(color).strongest()
}

//! The shape scores of all cells, both colours and four directions combined.

use super::Evaluator;
use crate::patterns::PointClass;
use crate::position::Position;
use crate::types::{Color, Score};

/// What the initiative is worth on top of the cells, by the strongest class that the side to
/// move can play; the threats of the other side count against it.
mod initiative {
    /// Per [`PointClass`](super::PointClass) from `Two` to `OpenFour`: mine to play now.
    pub(super) const OURS: [i32; 14] = [0, 0, 4, 4, 20, 25, 30, 46, 70, 70, 86, 167, 300, 600];
    /// The same: the opponent's to play next.
    pub(super) const THEIRS: [i32; 14] =
        [-20, -20, -20, -20, -15, 0, 0, 19, 22, 58, 68, 80, 150, 300];
}

/// The evaluation that search uses: sums kept by the pattern tracker.
///
/// The sum is averaged over the last two moves, which takes out the swing between having just
/// moved and being about to (an idea of Rapfi's classical evaluation).
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternEvaluator;

impl Evaluator for PatternEvaluator {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let (now, before) = position.tracker().evals();
        let us = position.to_move();
        let cells = match us {
            Color::Black => (now + before) / 2,
            Color::White => -(now + before) / 2,
        };
        let ours = strongest(position, us);
        let theirs = strongest(position, !us);
        Score::eval(cells + initiative::OURS[ours.index()] - initiative::THEIRS[theirs.index()])
    }
}

#[inline]
fn strongest(position: &Position, color: Color) -> PointClass {
    position.counts(color).strongest()
}

//! Position to score, from the side to move.
//!
//! Level 5. Pure: no clock, no cache, no global. An [`Evaluator`] may keep state of its own in
//! step with the moves of a search, which is how an evaluation that is costly from scratch stays
//! cheap; those that read the pattern state of the position have none.
//!
//! [`PatternEvaluator`] is the one to play with. [`ShapeEvaluator`] and [`TupleEvaluator`] are the
//! ideas of earlier programs, kept to compare with and to learn from; [`greedy`] chooses moves
//! without any of them.

pub mod greedy;
mod kind;
mod patterns;
mod shapes;
#[cfg(test)]
mod testing;
mod tuples;

pub use kind::{EvaluatorKind, EvaluatorNameError};
pub use patterns::PatternEvaluator;
pub use shapes::ShapeEvaluator;
pub use tuples::TupleEvaluator;

use crate::position::Position;
use crate::types::{Color, Point, Score};

/// Judges positions without looking ahead.
pub trait Evaluator: Send {
    /// Starts from a position, dropping any state kept for another.
    fn reset(&mut self, position: &Position) {
        let _ = position;
    }

    /// Is told of a stone that `position` has just been given.
    #[inline]
    fn placed(&mut self, position: &Position, point: Point, color: Color) {
        let _ = (position, point, color);
    }

    /// Is told of a stone that `position` has just lost; the exact inverse of
    /// [`Evaluator::placed`].
    #[inline]
    fn removed(&mut self, position: &Position, point: Point, color: Color) {
        let _ = (position, point, color);
    }

    /// Returns the score for the side to move; never a proven win or loss.
    fn evaluate(&self, position: &Position) -> Score;
}

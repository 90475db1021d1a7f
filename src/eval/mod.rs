//! Positions to scores and moves to an order, from the side to move.
//!
//! Level 5. Pure: no clock, no cache, no global state. An [`Evaluator`] is told of every stone that a
//! search places and takes back, and does its work when it is asked for a score; so an evaluation
//! that is costly from scratch stays cheap, and costs nothing in nodes that need no score.
//!
//! [`Evaluators`] is the one place where an [`EvaluatorKind`] becomes an evaluator; everything else
//! uses the trait. [`classical`] is the evaluation to play with, [`baselines`] are the ideas of
//! earlier programs, kept to compare with and to learn from.

pub mod baselines;
pub mod classical;
mod kind;
#[cfg(test)]
mod testing;
mod win_model;

pub use kind::{EvaluatorKind, EvaluatorNameError, Evaluators};
pub use win_model::{WinDrawLoss, WinModel};

use std::fmt;

use crate::position::Position;
use crate::types::{Color, Ply, Point, PointSet, Score};

/// The scores between which the exact value of a position matters to whoever asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Scores up to this one are all as bad.
    pub alpha: Score,
    /// Scores from this one on are all as good.
    pub beta: Score,
}

impl Window {
    /// The window within which every score matters.
    pub const FULL: Window = Window { alpha: Score::loss_in(Ply(0)), beta: Score::win_in(Ply(0)) };
}

/// A move and how promising it is; higher is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderedMove {
    /// The cell.
    pub point: Point,
    /// How promising a stone of the side to move is there, in the units of move ordering.
    pub order: i32,
}

/// Judges positions and moves without looking ahead.
///
/// An evaluator follows one position: [`reset`](Evaluator::reset) gives it the position, and
/// [`push`](Evaluator::push) and [`pop`](Evaluator::pop) tell of each stone after that, in step with
/// the position that the other calls are given. It may put off all work until a score or an order is
/// asked for. Stones that are placed and removed between two calls without its knowledge do no harm.
pub trait Evaluator: Send + fmt::Debug {
    /// Starts from a position and drops the state of any other.
    fn reset(&mut self, position: &Position);

    /// Notes a stone that the position has just been given.
    fn push(&mut self, point: Point, color: Color);

    /// Notes that the position has lost the last stone that was pushed.
    fn pop(&mut self);

    /// Returns the score for the side to move; never a proven win or loss.
    ///
    /// Where the score is certain to lie outside the window, a cheap one on the same side of it will do.
    fn evaluate(&mut self, position: &Position, window: Window) -> Score;

    /// Adds the cells of a set of empty ones to `moves`, in the order of the set, each with how
    /// promising it is for the side to move.
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>);

    /// Returns the model of what its scores promise.
    fn win_model(&self) -> WinModel;

    /// Returns a number that tells it from evaluators that judge positions otherwise; the same on every
    /// machine.
    fn identity(&self) -> u32;

    /// Returns an evaluator of the same kind for another thread, with no position yet; what is only
    /// read may be shared.
    fn fresh(&self) -> Box<dyn Evaluator>;
}

impl Clone for Box<dyn Evaluator> {
    fn clone(&self) -> Box<dyn Evaluator> {
        self.fresh()
    }
}

impl Evaluator for Box<dyn Evaluator> {
    fn reset(&mut self, position: &Position) {
        (**self).reset(position);
    }

    #[inline]
    fn push(&mut self, point: Point, color: Color) {
        (**self).push(point, color);
    }

    #[inline]
    fn pop(&mut self) {
        (**self).pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        (**self).evaluate(position, window)
    }

    #[inline]
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        (**self).order(position, set, moves);
    }

    fn win_model(&self) -> WinModel {
        (**self).win_model()
    }

    fn identity(&self) -> u32 {
        (**self).identity()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        (**self).fresh()
    }
}

//! Evaluation: scores of positions and the order of moves, from the view of the side to move.
//!
//! Pure: no clock, no cache, no global state. An [`Evaluator`] is notified of every stone
//! that a search places and removes, and does its work only when a score is requested. So an
//! evaluation that is costly from scratch stays cheap, and costs nothing in nodes that need no
//! score.
//!
//! [`Evaluators`] is the only place where an [`EvaluatorKind`] becomes an evaluator; everything
//! else uses the trait. [`classical`] is the evaluation used in play, and [`network`](mod@network)
//! a learned correction of it; [`baselines`] are evaluations of earlier programs, kept for
//! comparison.

pub mod baselines;
pub mod classical;
mod kind;
pub mod network;
#[cfg(test)]
mod testing;
mod win_model;

pub use kind::{EvaluatorKind, EvaluatorNameError, Evaluators};
pub use win_model::{WinDrawLoss, WinModel};

use std::fmt;

use crate::position::Position;
use crate::types::{Color, Ply, Point, PointSet, Score};

/// The range of scores in which the exact value of a position matters to the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The lower bound: scores up to this one are equally bad.
    pub alpha: Score,
    /// The upper bound: scores from this one on are equally good.
    pub beta: Score,
}

impl Window {
    /// The window of all scores.
    pub const FULL: Window = Window { alpha: Score::loss_in(Ply(0)), beta: Score::win_in(Ply(0)) };
}

/// A move with its ordering score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderedMove {
    /// The cell.
    pub point: Point,
    /// The ordering score of a stone of the side to move there; higher is better.
    pub order: i32,
}

/// An evaluator of positions and moves without search.
///
/// An evaluator follows one position: [`reset`](Evaluator::reset) sets the position, and
/// [`push`](Evaluator::push) and [`pop`](Evaluator::pop) report every stone after that, in step
/// with the position passed to the other calls. It may defer all work until a score or an order is
/// requested. Stones that are placed and removed between two calls without its knowledge do no
/// harm.
///
/// ```
/// use tengen_core::eval::{EvaluatorKind, Evaluators, Window};
/// use tengen_core::position::Position;
/// use tengen_core::rules::Rule;
/// use tengen_core::types::{Color, Size};
///
/// let size = Size::square(15)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// let mut evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, Rule::Freestyle);
/// evaluator.reset(&position);
/// position.play(size.center())?;
/// evaluator.push(size.center(), Color::Black);
/// let score = evaluator.evaluate(&position, Window::FULL);
/// assert!(!score.is_decisive());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator: Send + fmt::Debug {
    /// Sets the position and drops all earlier state.
    fn reset(&mut self, position: &Position);

    /// Records a stone that was just placed in the position.
    fn push(&mut self, point: Point, color: Color);

    /// Records that the last pushed stone was removed from the position.
    fn pop(&mut self);

    /// Returns the score for the side to move; never a proven win or loss.
    ///
    /// If a score that is cheaper to compute is outside the window, it is enough.
    fn evaluate(&mut self, position: &Position, window: Window) -> Score;

    /// Returns whether the score for this window is the exact one, and not a cheaper one outside of it.
    fn is_exact(&mut self, position: &Position, window: Window) -> bool {
        let _ = (position, window);
        true
    }

    /// Adds a set of empty cells to `moves`, in the order of the set, each with its ordering score
    /// for the side to move.
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>);

    /// Returns the win model of the scores that a search of the position finds.
    fn win_model(&mut self, position: &Position) -> WinModel;

    /// Returns a number that distinguishes it from evaluators with other scores; the same on every
    /// machine.
    fn identity(&self) -> u32;

    /// Returns an evaluator of the same kind for another thread, without a position yet; read-only
    /// data may be shared.
    fn fresh(&self) -> Box<dyn Evaluator>;

    /// Returns the evaluator itself, without the box around it: a search calls it for every node.
    fn unboxed(&mut self) -> &mut dyn Evaluator
    where
        Self: Sized,
    {
        self
    }
}

// A search has no type parameter for its evaluator, since generic code would be compiled again in every
// package that uses it, without the optimisation that the core has. So an evaluator is boxed, and the box
// itself is an evaluator that can be cloned, by `fresh`. What a thread calls at every node is the evaluator
// `unboxed`: one call through a table, not two.

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

    fn is_exact(&mut self, position: &Position, window: Window) -> bool {
        (**self).is_exact(position, window)
    }

    #[inline]
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        (**self).order(position, set, moves);
    }

    fn win_model(&mut self, position: &Position) -> WinModel {
        (**self).win_model(position)
    }

    fn identity(&self) -> u32 {
        (**self).identity()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        (**self).fresh()
    }

    fn unboxed(&mut self) -> &mut dyn Evaluator {
        &mut **self
    }
}

//! The classical evaluation: the values of the shapes of all cells, for both colours and all four
//! directions.
//!
//! The evaluation without a network, and the fallback of one. As in Rapfi's classical evaluation
//! (dhbloo/rapfi, `eval/eval.h`), each set of four shapes that an empty cell can have has a value
//! for its colour, and the strongest classes of the two sides determine the value of the tempo.
//! [`Weights`] are the parameters, [`ClassicalTables`] the lookup tables made of them, and
//! [`ClassicalEvaluator`] keeps the sum over the cells.

pub mod file;
pub mod hand_tuned;
mod tables;
pub mod weights;

pub use file::WeightsError;
pub use tables::ClassicalTables;
pub use weights::{FamilyWeights, Provenance, Weights};

use std::sync::Arc;

use super::{Evaluator, OrderedMove, WinModel, Window};
use crate::patterns::Tracker;
use crate::position::Position;
use crate::types::{Color, Point, PointSet, Score};
use weights::CELL_SCALE;

/// The evaluation by sums over cells and the tempo.
///
/// The sum is averaged over the last two stones, which removes the swing between having just moved
/// and being about to move (an idea of Rapfi's classical evaluation). It is updated on demand, from
/// the changes that the pattern tracker logged for each stone.
#[derive(Clone, Debug)]
pub struct ClassicalEvaluator {
    tables: Arc<ClassicalTables>,
    /// The number of stones on the tracker that the first of `sums` belongs to.
    first: usize,
    /// The number of stones on the tracker now.
    depth: usize,
    /// The sum over all empty cells, black's minus white's, in parts of a unit ([`CELL_SCALE`]):
    /// after `first` stones, after one more, and so on, as far as requested.
    sums: Vec<i32>,
}

impl ClassicalEvaluator {
    /// Returns an evaluator with these tables, without a position.
    #[must_use]
    pub const fn new(tables: Arc<ClassicalTables>) -> ClassicalEvaluator {
        ClassicalEvaluator { tables, first: 0, depth: 0, sums: Vec::new() }
    }

    /// Returns the sum over all empty cells.
    fn sum_of_cells(&self, position: &Position) -> i32 {
        let tracker = position.tracker();
        let cells = tracker.empties().iter();
        cells.map(|p| self.tables.cell(Color::ALL.map(|color| tracker.info(p, color)))).sum()
    }

    /// Returns the change of the sum by stone number `depth`.
    #[inline]
    fn difference(&self, tracker: &Tracker, depth: usize) -> i32 {
        let changes = tracker.changes(depth);
        let changed: i32 = changes
            .cells()
            .map(|(before, after)| self.tables.cell(after) - self.tables.cell(before))
            .sum();
        changed - self.tables.cell(changes.stone())
    }

    /// Returns the sum now and one stone earlier.
    #[inline]
    fn last_sums(&mut self, tracker: &Tracker) -> (i32, i32) {
        debug_assert_eq!(tracker.depth(), self.depth, "the evaluator is out of step");
        let mut next = self.first + self.sums.len();
        while next <= self.depth {
            let sum = self.sums[self.sums.len() - 1] + self.difference(tracker, next);
            self.sums.push(sum);
            next += 1;
        }
        let last = self.depth - self.first;
        (self.sums[last], self.sums[last.saturating_sub(1)])
    }
}

impl Evaluator for ClassicalEvaluator {
    fn reset(&mut self, position: &Position) {
        let tracker = position.tracker();
        self.depth = tracker.depth();
        self.first = self.depth.saturating_sub(1);
        let now = self.sum_of_cells(position);
        self.sums.clear();
        if self.depth > 0 {
            self.sums.push(now - self.difference(tracker, self.depth));
        }
        self.sums.push(now);
    }

    #[inline]
    fn push(&mut self, _point: Point, _color: Color) {
        self.depth += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.depth -= 1;
        self.sums.truncate(self.depth + 1 - self.first);
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, _window: Window) -> Score {
        let (now, before) = self.last_sums(position.tracker());
        let us = position.to_move();
        let cells = (now + before) / (2 * CELL_SCALE);
        let cells = if us == Color::Black { cells } else { -cells };
        let strongest = |color| position.counts(color).strongest();
        Score::eval(cells + self.tables.tempo(us, strongest(us), strongest(!us)))
    }

    #[inline]
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.tables.order(position, set, moves);
    }

    fn win_model(&mut self, _: &Position) -> WinModel {
        self.tables.win_model()
    }

    fn identity(&self) -> u32 {
        self.tables.crc()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(ClassicalEvaluator::new(Arc::clone(&self.tables)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing;
    use crate::rules::Rule;

    fn evaluator(rule: Rule) -> ClassicalEvaluator {
        ClassicalEvaluator::new(ClassicalTables::shipped(rule))
    }

    #[test]
    fn the_sum_kept_equals_the_one_counted_on_every_walk() {
        testing::walk(evaluator, |evaluator, position| {
            let mut fresh = evaluator.clone();
            fresh.reset(position);
            fresh.evaluate(position, Window::FULL) == evaluator.evaluate(position, Window::FULL)
                && *evaluator.sums.last().unwrap() == evaluator.sum_of_cells(position)
        });
    }

    #[test]
    fn the_evaluation_is_the_same_from_all_sides_and_for_either_colour() {
        testing::symmetric(&evaluator(Rule::Freestyle));
    }

    #[test]
    fn stones_that_need_no_score_are_added_up_later() {
        let mut position =
            testing::position(&[".....", ".....", ".....", ".....", "....."], Color::Black);
        let mut evaluator = evaluator(Rule::Freestyle);
        evaluator.reset(&position);
        for point in position.size().points().take(9) {
            evaluator.push(point, position.to_move());
            position.play_unchecked(point);
        }
        assert_eq!(evaluator.sums.len(), 1, "nothing was asked for");
        let score = evaluator.evaluate(&position, Window::FULL);
        assert_eq!(evaluator.sums.len(), 10);
        evaluator.reset(&position);
        assert_eq!(evaluator.evaluate(&position, Window::FULL), score);
    }

    #[test]
    fn moves_are_ordered_by_the_shapes_of_both_sides() {
        let rows = [".......", ".......", "..XXX..", "...O...", "...O...", ".......", "......."];
        let position = testing::position(&rows, Color::White);
        let mut moves = Vec::new();
        let set = position.tracker().near();
        evaluator(Rule::Freestyle).order(&position, set, &mut moves);
        assert_eq!(moves.iter().map(|m| m.point).collect::<PointSet>(), set);
        let best = moves.iter().max_by_key(|m| m.order).unwrap();
        assert_eq!(best.point.y(), 2, "the open three is stopped on its line");
    }
}

//! The points that renju forbids to black: suspected by the tables, confirmed by looking ahead.

use super::Position;
use crate::patterns::{PointClass, Shape};
use crate::rules::Rule;
use crate::types::{Cell, Color, Dir, Point};

/// The largest distance from a three to the stone that turns it into a straight four.
const REACH: i32 = 3;

impl Position {
    /// Returns whether `color` may not play on an empty cell.
    ///
    /// The tables know fives, overlines and fours exactly; only whether threes are real needs
    /// looking ahead (a three is real if it can become a straight four by a stone that is itself
    /// not forbidden).
    #[inline]
    pub fn is_forbidden(&mut self, point: Point, color: Color) -> bool {
        self.rule == Rule::Renju
            && color == Color::Black
            && self.class(point, Color::Black) == PointClass::Forbidden
            && self.confirm_forbidden(point)
    }

    /// Returns whether the side to move may play on a point.
    #[inline]
    pub fn is_legal(&mut self, point: Point) -> bool {
        self.size().contains(point)
            && self.board.is_empty(point)
            && !self.is_forbidden(point, self.to_move)
    }

    /// Returns the number of open threes that a stone of `color` on an empty cell makes, whoever is
    /// to move. Black's in renju count only if they are real: if a stone that is not forbidden
    /// makes them straight fours.
    #[must_use]
    pub fn open_threes(&mut self, point: Point, color: Color) -> usize {
        let shapes = self.tracker.shapes(point, color);
        let is_open = |dir: &Dir| Shape::in_code(shapes, *dir).is_open_three();
        let open = Dir::ALL.into_iter().filter(is_open);
        if self.rule != Rule::Renju || color == Color::White {
            return open.count();
        }
        let to_move = std::mem::replace(&mut self.to_move, color);
        self.play_unchecked(point);
        let real = open.filter(|&dir| self.is_real_three(point, dir)).count();
        self.undo();
        self.to_move = to_move;
        real
    }

    /// Decides whether a point of class [`PointClass::Forbidden`] is really forbidden.
    #[cold]
    fn confirm_forbidden(&mut self, point: Point) -> bool {
        let shapes = Dir::ALL.map(|dir| self.shape(point, dir));
        let fours: usize = shapes
            .iter()
            .map(|shape| match shape {
                Shape::Four | Shape::OpenFour => 1,
                Shape::DoubleFour => 2,
                _ => 0,
            })
            .sum();
        if fours > 1 || shapes.contains(&Shape::Overline) {
            return true;
        }

        let to_move = std::mem::replace(&mut self.to_move, Color::Black);
        self.play_unchecked(point);
        let mut real = 0;
        let mut open = shapes.iter().filter(|s| s.is_open_three()).count();
        for dir in Dir::ALL {
            if real + open < 2 {
                break;
            }
            if shapes[dir.index()].is_open_three() {
                open -= 1;
                real += usize::from(self.is_real_three(point, dir));
                if real > 1 {
                    break;
                }
            }
        }
        self.undo();
        self.to_move = to_move;
        real > 1
    }

    /// Returns whether black's three through the stone on `point` can become a straight four by
    /// a legal stone that does not win at once.
    fn is_real_three(&mut self, point: Point, dir: Dir) -> bool {
        for sense in [-1, 1] {
            // Only a stone on the first empty cell on either side can make the three a straight
            // four.
            let Some(cell) = (1..=REACH)
                .map_while(|steps| point.offset(dir, sense * steps))
                .find(|&p| self.board.cell(p) != Cell::Stone(Color::Black))
            else {
                continue;
            };
            if self.board.is_empty(cell)
                && self.shape(cell, dir) == Shape::OpenFour
                && self.class(cell, Color::Black) != PointClass::Five
                && !self.is_forbidden(cell, Color::Black)
            {
                return true;
            }
        }
        false
    }

    /// Returns black's shape on an empty cell in one direction.
    fn shape(&self, point: Point, dir: Dir) -> Shape {
        let shapes = self.tracker.shapes(point, Color::Black);
        Shape::in_code(shapes, dir)
    }
}

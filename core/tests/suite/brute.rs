//! Full-width search by the plain rules: slow, without a pattern, and right.
//!
//! Nothing here comes from the library but the board, the rule and what renju forbids; winning
//! rows are counted anew, cell by cell.

#![allow(dead_code, reason = "tests of several packages share it, and none needs all")]

use tengen_core::board::Board;
use tengen_core::rules::{Rule, violation};
use tengen_core::types::{Cell, Color, Point};

/// The room around the board, so that a run never leaves the array.
const BORDER: usize = 1;
const STRIDE: usize = 32;
const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, STRIDE as isize - 1];

const EMPTY: u8 = 2;
const WALL: u8 = 3;

/// A board on which wins are found by trying every move.
#[derive(Clone)]
pub(crate) struct Brute {
    rule: Rule,
    /// 0 and 1 are stones of black and white.
    cells: [u8; STRIDE * STRIDE],
    /// Kept in step only where it is asked what is forbidden.
    board: Board,
    points: Vec<(usize, Point)>,
    /// The refutations found last, by the number of plies, tried first.
    killers: [usize; 16],
}

fn index(point: Point) -> usize {
    (usize::from(point.y()) + BORDER) * STRIDE + usize::from(point.x()) + BORDER
}

impl Brute {
    /// Returns the stones of a board under a rule; every empty cell is a move.
    pub(crate) fn new(rule: Rule, board: &Board) -> Brute {
        let mut cells = [WALL; STRIDE * STRIDE];
        for point in board.size().points() {
            cells[index(point)] = match board.cell(point) {
                Cell::Stone(color) => color as u8,
                Cell::Empty => EMPTY,
                Cell::Wall => WALL,
            };
        }
        let points = board.empties().iter().map(|p| (index(p), p)).collect();
        Brute { rule, cells, board: board.clone(), points, killers: [0; 16] }
    }

    /// Leaves only some cells to play on: those within `distance` of a stone.
    pub(crate) fn only_near(mut self, distance: u8) -> Brute {
        let stones: Vec<Point> = self
            .board
            .size()
            .points()
            .filter(|&p| matches!(self.board.cell(p), Cell::Stone(_)))
            .collect();
        self.points.retain(|(_, p)| stones.iter().any(|s| s.distance(*p) <= distance));
        self
    }

    /// Places a stone, forbidden or not.
    pub(crate) fn place(&mut self, point: Point, color: Color) {
        self.cells[index(point)] = color as u8;
        if self.rule == Rule::Renju {
            self.board.place(point, color);
        }
    }

    /// Takes a stone back.
    pub(crate) fn remove(&mut self, point: Point, color: Color) {
        self.cells[index(point)] = EMPTY;
        if self.rule == Rule::Renju {
            self.board.remove(point, color);
        }
    }

    /// Returns whether a stone of `color` on a cell, empty or its own, makes a winning row.
    fn wins_on(&self, cell: usize, color: Color) -> bool {
        let own = color as u8;
        STEPS.into_iter().any(|step| {
            let mut ends = [0; 2];
            let mut length = 1;
            for (end, sense) in ends.iter_mut().zip([1, -1]) {
                let mut at = cell.wrapping_add_signed(sense * step);
                while self.cells[at] == own {
                    length += 1;
                    at = at.wrapping_add_signed(sense * step);
                }
                *end = self.cells[at];
            }
            let enclosed = ends == [!color as u8; 2];
            match (self.rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => length >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
                (Rule::Caro, _) => length >= 6 || length == 5 && !enclosed,
                (Rule::CaroExact, _) => length == 5 && !enclosed,
            }
        })
    }

    /// Returns whether a stone of `color` on an empty cell wins.
    pub(crate) fn wins_at(&self, point: Point, color: Color) -> bool {
        self.cells[index(point)] == EMPTY && self.wins_on(index(point), color)
    }

    /// Returns whether `color` can win with its next stone.
    pub(crate) fn has_five(&self, color: Color) -> bool {
        self.points.iter().any(|&(i, _)| self.cells[i] == EMPTY && self.wins_on(i, color))
    }

    /// Returns whether `color` may play on a cell.
    pub(crate) fn is_legal(&self, point: Point, color: Color) -> bool {
        self.cells[index(point)] == EMPTY
            && (self.rule != Rule::Renju
                || color == Color::White
                || violation(&self.board, point).is_none())
    }

    /// Returns the moves of `color` that are not loss by themselves.
    pub(crate) fn legal_moves(&self, color: Color) -> Vec<Point> {
        self.points.iter().map(|&(_, p)| p).filter(|&p| self.is_legal(p, color)).collect()
    }

    /// Returns whether `color`, to move, wins with its stone number `(plies + 1) / 2` from now at
    /// the latest, whatever the other side does.
    pub(crate) fn wins_within(&mut self, color: Color, plies: usize) -> bool {
        if self.has_five(color) {
            return true;
        }
        if plies < 3 {
            return false;
        }
        for k in 0..=self.points.len() {
            let Some((cell, point)) = self.ordered(k, plies) else { continue };
            if self.cells[cell] != EMPTY {
                continue;
            }
            self.cells[cell] = color as u8;
            // A stone of the other side never makes a winning cell, so there must be one before.
            let promising = plies > 3 || self.has_five(color);
            self.cells[cell] = EMPTY;
            if !promising || !self.is_legal(point, color) {
                continue;
            }
            self.place(point, color);
            let wins = self.loses_within(!color, plies - 1);
            self.remove(point, color);
            if wins {
                self.killers[plies] = cell;
                return true;
            }
        }
        false
    }

    /// Returns whether `color`, to move, loses within so many plies whatever it does. A side with
    /// forbidden moves only has lost.
    pub(crate) fn loses_within(&mut self, color: Color, plies: usize) -> bool {
        if self.has_five(color) || self.points.iter().all(|&(i, _)| self.cells[i] != EMPTY) {
            return false;
        }
        for k in 0..=self.points.len() {
            let Some((cell, point)) = self.ordered(k, plies) else { continue };
            if self.cells[cell] != EMPTY || !self.is_legal(point, color) {
                continue;
            }
            self.place(point, color);
            let loses = self.wins_within(!color, plies - 1);
            self.remove(point, color);
            if !loses {
                self.killers[plies] = cell;
                return false;
            }
        }
        true
    }

    /// Returns move number `k` of a node, the last refutation first and then all others.
    fn ordered(&self, k: usize, plies: usize) -> Option<(usize, Point)> {
        let killer = self.killers[plies];
        match k.checked_sub(1) {
            None => self.points.iter().copied().find(|&(i, _)| i == killer),
            Some(k) => Some(self.points[k]).filter(|&(i, _)| i != killer),
        }
    }
}

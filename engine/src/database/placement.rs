//! Positions without an order of moves.

use thiserror::Error;

use super::key::{Images, MappedKey};
use tengen_core::board::Board;
use tengen_core::rules::{Outcome, Rule, outcome_after};
use tengen_core::types::{Cell, Color, Point, Size};

/// A position as a database knows it: rule, stones and the side to move, whatever the order in which
/// the stones were placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    rule: Rule,
    board: Board,
    to_move: Color,
}

/// The reason why a position cannot be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// A cell belongs to neither player, as in a continuous game.
    #[error("positions with neutral stones have no place in a database")]
    Wall,
    /// A move is off the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A move is on a stone.
    #[error("{0} is occupied")]
    Occupied(Point),
}

impl Placement {
    /// Returns the position of a board.
    ///
    /// # Errors
    ///
    /// Returns an error if there are neutral stones on the board.
    pub fn new(rule: Rule, board: Board, to_move: Color) -> Result<Placement, PlacementError> {
        let cells = board.empty_cells() + board.stones(Color::Black) + board.stones(Color::White);
        if cells != board.size().area() {
            return Err(PlacementError::Wall);
        }
        Ok(Placement::checked(rule, board, to_move))
    }

    /// Returns the empty board, black to move.
    #[must_use]
    pub fn empty(rule: Rule, size: Size) -> Placement {
        Placement::checked(rule, Board::new(size), Color::Black)
    }

    /// Returns the position of a board known to have no neutral stones.
    pub(super) fn checked(rule: Rule, board: Board, to_move: Color) -> Placement {
        Placement { rule, board, to_move }
    }

    /// Returns the position after moves of alternate colours, black first.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is off the board or on a stone.
    pub fn of_moves(rule: Rule, size: Size, moves: &[Point]) -> Result<Placement, PlacementError> {
        let mut placement = Placement::empty(rule, size);
        moves.iter().try_for_each(|&point| placement.play(point))?;
        Ok(placement)
    }

    /// Plays a move of the side to move, whatever the rule says of it.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if it is off the board or on a stone.
    pub fn play(&mut self, point: Point) -> Result<(), PlacementError> {
        if !self.size().contains(point) {
            return Err(PlacementError::OffBoard(point));
        }
        if !self.board.is_empty(point) {
            return Err(PlacementError::Occupied(point));
        }
        self.board.place(point, self.to_move);
        self.to_move = !self.to_move;
        Ok(())
    }

    /// Returns the position with the turn passed.
    #[must_use]
    pub fn passed(mut self) -> Placement {
        self.pass();
        self
    }

    /// Passes the turn.
    pub(super) fn pass(&mut self) {
        self.to_move = !self.to_move;
    }

    /// Takes the last move back.
    pub(super) fn take_back(&mut self, point: Point) {
        self.to_move = !self.to_move;
        self.board.remove(point, self.to_move);
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[must_use]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the number of stones.
    #[must_use]
    pub fn stones(&self) -> usize {
        self.board.stones(Color::Black) + self.board.stones(Color::White)
    }

    /// Returns the positions from which the other side can have come here, each with its move, one that
    /// renju forbids as well.
    pub fn parents(&self) -> impl Iterator<Item = (Point, Placement)> {
        let is_last = |point: &Point| self.board.cell(*point) == Cell::Stone(!self.to_move);
        self.size().points().filter(is_last).map(|point| {
            let mut board = self.board.clone();
            board.remove(point, !self.to_move);
            (point, Placement::checked(self.rule, board, !self.to_move))
        })
    }

    /// Returns the key, and the symmetry from this board to the frame of the key.
    #[must_use]
    pub fn key(&self) -> MappedKey {
        self.images().key()
    }

    /// Returns what comes of a move of the side to move on an empty cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not empty.
    #[must_use]
    pub fn outcome_of(&self, point: Point) -> Outcome {
        let mut board = self.board.clone();
        board.place(point, self.to_move);
        outcome_after(&board, point, self.rule)
    }

    /// Returns whether renju forbids the side to move a move on an empty cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not empty.
    #[must_use]
    pub fn forbids(&self, point: Point) -> bool {
        // Nobody else has forbidden moves, and looking at the lines takes time.
        self.rule == Rule::Renju
            && self.to_move == Color::Black
            && matches!(self.outcome_of(point), Outcome::Forbidden(..))
    }

    pub(super) fn images(&self) -> Images {
        let mut images = Images::new(self.rule, self.size(), self.to_move);
        for point in self.size().points() {
            if let Cell::Stone(color) = self.board.cell(point) {
                images.toggle(point, color, true);
            }
        }
        images
    }
}

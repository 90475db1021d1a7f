//! Positions: board, rule and pattern state, updated together.

mod legal;

use thiserror::Error;

use crate::board::{Board, side_key};
use crate::patterns::{ClassCounts, PatternTables, PointClass, Shape, Tracker};
use crate::rules::Rule;
use crate::types::{Color, Dir, Key, Point, PointSet, Size};

/// A position of a game: the stones, the side to move and the patterns of all lines.
///
/// Moves are taken back in reverse order; undo is exact.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::patterns::PointClass;
/// use tengen_core::position::Position;
/// use tengen_core::rules::Rule;
/// use tengen_core::types::{Color, Size};
///
/// let size = Size::square(15)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// for point in parse_moves("f8a1g8a3h8a5", size)? {
///     position.play(point)?;
/// }
/// // Black makes an open four on either side of its three.
/// assert_eq!(position.to_move(), Color::Black);
/// assert_eq!(position.counts(Color::Black).of(PointClass::OpenFour), 2);
/// position.undo();
/// assert_eq!(position.to_move(), Color::White);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rule: Rule,
    board: Board,
    tracker: Tracker,
    to_move: Color,
    moves: Vec<Option<Point>>,
}

/// An error in playing a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The point is off the board.
    #[error("{0} is off the board")]
    OffBoard(Point),
    /// The point is occupied, perhaps by a neutral stone.
    #[error("{0} is occupied")]
    Occupied(Point),
}

impl Position {
    /// Returns the empty board with black to move.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> Position {
        Position::from_board(rule, Board::new(size), Color::Black)
    }

    /// Returns the position of any board.
    #[must_use]
    pub fn from_board(rule: Rule, board: Board, to_move: Color) -> Position {
        let tracker = Tracker::new(PatternTables::get(rule), &board);
        let moves = Vec::with_capacity(board.size().area());
        Position { rule, board, tracker, to_move, moves }
    }

    /// Plays a move for the side to move. Moves that renju forbids can be played; the referee
    /// decides whether they lose.
    ///
    /// # Errors
    ///
    /// Returns [`PositionError`], and changes nothing, if the point is off the board or occupied.
    pub fn play(&mut self, point: Point) -> Result<(), PositionError> {
        if !self.size().contains(point) {
            Err(PositionError::OffBoard(point))
        } else if !self.board.is_empty(point) {
            Err(PositionError::Occupied(point))
        } else {
            self.play_unchecked(point);
            Ok(())
        }
    }

    /// Plays a move on a point known to be empty.
    pub fn play_unchecked(&mut self, point: Point) {
        self.board.place(point, self.to_move);
        self.tracker.placed(&self.board, point);
        self.moves.push(Some(point));
        self.to_move = !self.to_move;
    }

    /// Passes the turn. No rule allows this, but threat analysis needs it.
    #[inline]
    pub fn pass(&mut self) {
        self.moves.push(None);
        self.to_move = !self.to_move;
    }

    /// Takes back the last move or pass.
    ///
    /// # Panics
    ///
    /// Panics if nothing was played since the position was created.
    pub fn undo(&mut self) {
        let last = self.moves.pop().expect("a move to take back");
        self.to_move = !self.to_move;
        if let Some(point) = last {
            self.board.remove(point, self.to_move);
            self.tracker.removed(point);
        }
    }

    /// Returns the rule.
    #[inline]
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the size of the board.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns the board.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the pattern state.
    #[inline]
    #[must_use]
    pub const fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    /// Returns the side to move.
    #[inline]
    #[must_use]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the key of the stones and the side to move.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.board.key() ^ side_key(self.to_move)
    }

    /// Returns the key after a move of the side to move, without playing the move.
    #[inline]
    #[must_use]
    pub fn key_after(&self, point: Point) -> Key {
        self.board.key() ^ side_key(!self.to_move) ^ crate::board::stone_key(point, self.to_move)
    }

    /// Returns the number of moves and passes played since the position was created.
    #[inline]
    #[must_use]
    pub fn played(&self) -> usize {
        self.moves.len()
    }

    /// Returns the move played `ago` moves before the last one (0 is the last one itself), or
    /// `None` if there is none or it was a pass.
    #[inline]
    #[must_use]
    pub fn last_move(&self, ago: usize) -> Option<Point> {
        let index = self.moves.len().checked_sub(ago + 1)?;
        self.moves[index]
    }

    /// Returns the number of empty cells.
    #[inline]
    #[must_use]
    pub fn empty_cells(&self) -> usize {
        self.board.empty_cells()
    }

    /// Returns the class of an empty cell for `color`.
    #[inline]
    #[must_use]
    pub fn class(&self, point: Point, color: Color) -> PointClass {
        self.tracker.info(point, color).class()
    }

    /// Returns the number of cells of each class for a colour.
    #[inline]
    #[must_use]
    pub const fn counts(&self, color: Color) -> ClassCounts {
        self.tracker.counts(color)
    }

    /// Returns the cells of exactly this class, which must be [`PointClass::Four`] or stronger.
    #[inline]
    pub fn cells_of(&self, color: Color, class: PointClass) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(class >= PointClass::Four);
        let fours: PointSet = *self.tracker.fours(color);
        fours.iter().filter(move |&p| self.class(p, color) == class)
    }

    /// Returns the first cell of exactly this class, which must be [`PointClass::Four`] or
    /// stronger.
    #[inline]
    #[must_use]
    pub fn first_of(&self, color: Color, class: PointClass) -> Option<Point> {
        self.cells_of(color, class).next()
    }

    /// Returns whether a stone on an empty cell makes a four in any direction, whatever else it
    /// makes.
    #[must_use]
    pub fn makes_four(&self, point: Point, color: Color) -> bool {
        let shapes = self.tracker.shapes(point, color);
        Dir::ALL
            .into_iter()
            .any(|dir| (Shape::Four..=Shape::OpenFour).contains(&Shape::in_code(shapes, dir)))
    }

    /// Checks that all incrementally updated state equals a fresh computation.
    ///
    /// # Panics
    ///
    /// Panics if anything differs.
    pub fn validate(&self) {
        self.board.validate();
        self.tracker.validate(&self.board);
    }
}

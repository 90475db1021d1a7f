//! Rows of cells: games and positions.

use std::fmt;

use thiserror::Error;

use super::{CoordError, parse_cell};
use crate::board::Board;
use crate::types::{ByColor, Cell, Color, Point, PointSet, Size};

/// The reason why a text is not a row of cells.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MovesError {
    /// A part of the text is not a cell of the board.
    #[error("{text:?} is {error}")]
    Cell {
        /// The part.
        text: String,
        /// The fault in it.
        error: CoordError,
    },
    /// A cell occurs twice.
    #[error("{0} occurs twice")]
    Repeated(Point),
    /// The black stones are not divided from the white ones by a single `/`.
    #[error("black and white stones need one / between them")]
    Divider,
}

/// Reads cells written one after the other without anything between them, such as `l1k5i5l3`.
///
/// # Errors
///
/// Returns an error if the text is spelt otherwise, if a cell is not on a board of size `size`,
/// or if one occurs twice.
///
/// ```
/// use tengen_core::notation::{Moves, parse_moves};
/// use tengen_core::types::Size;
///
/// let moves = parse_moves("l1k5i5", Size::square(15)?)?;
/// assert_eq!(moves.len(), 3);
/// assert_eq!(Moves(&moves).to_string(), "l1k5i5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_moves(text: &str, size: Size) -> Result<Vec<Point>, MovesError> {
    let mut moves = Vec::new();
    let mut seen = PointSet::EMPTY;
    append_moves(text, size, &mut seen, &mut moves)?;
    Ok(moves)
}

fn append_moves(
    mut text: &str,
    size: Size,
    seen: &mut PointSet,
    moves: &mut Vec<Point>,
) -> Result<(), MovesError> {
    while let Some(first) = text.chars().next() {
        // A cell ends where the next one begins: at the next character that is not a digit.
        let rest = &text[first.len_utf8()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (cell, rest) = text.split_at(first.len_utf8() + digits);
        let point = parse_cell(cell, size)
            .map_err(|error| MovesError::Cell { text: cell.to_owned(), error })?;
        if !seen.insert(point) {
            return Err(MovesError::Repeated(point));
        }
        moves.push(point);
        text = rest;
    }
    Ok(())
}

/// Displays cells one after the other: the inverse of [`parse_moves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves<'a>(pub &'a [Point]);

impl fmt::Display for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|point| fmt::Display::fmt(point, f))
    }
}

/// The stones of a position without their order, written `<black>/<white>`.
///
/// Read from a text or a board, no cell occurs twice.
///
/// ```
/// use tengen_core::notation::Stones;
/// use tengen_core::types::{Color, Size};
///
/// let size = Size::square(15)?;
/// let stones = Stones::parse("h8i9/h9", size)?;
/// let board = stones.board(size).unwrap();
/// assert_eq!((board.stones(Color::Black), board.stones(Color::White)), (2, 1));
/// assert_eq!(Stones::of_board(&board), stones);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stones(pub ByColor<Vec<Point>>);

impl Stones {
    /// Reads a text such as `h8i9/h9`; either part may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is spelt otherwise, if a cell is not on a board of size
    /// `size`, or if one occurs twice.
    pub fn parse(text: &str, size: Size) -> Result<Stones, MovesError> {
        let (black, white) = text.split_once('/').ok_or(MovesError::Divider)?;
        if white.contains('/') {
            return Err(MovesError::Divider);
        }
        let mut stones = Stones::default();
        let mut seen = PointSet::EMPTY;
        append_moves(black, size, &mut seen, &mut stones.0[Color::Black])?;
        append_moves(white, size, &mut seen, &mut stones.0[Color::White])?;
        Ok(stones)
    }

    /// Returns the stones of a board, row by row. Neutral stones are left out.
    #[must_use]
    pub fn of_board(board: &Board) -> Stones {
        Stones(ByColor::from_fn(|color| {
            board.size().points().filter(|&p| board.cell(p) == Cell::Stone(color)).collect()
        }))
    }

    /// Returns a board with these stones, or `None` if they don't fit: off the board or on the
    /// same cell.
    #[must_use]
    pub fn board(&self, size: Size) -> Option<Board> {
        let mut board = Board::new(size);
        for color in Color::ALL {
            for &point in &self.0[color] {
                if !size.contains(point) || !board.is_empty(point) {
                    return None;
                }
                board.place(point, color);
            }
        }
        Some(board)
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Moves(&self.0[Color::Black]), Moves(&self.0[Color::White]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Size {
        Size::square(15).unwrap()
    }

    fn bad_cell(text: &str, error: CoordError) -> MovesError {
        MovesError::Cell { text: text.to_owned(), error }
    }

    #[test]
    fn a_row_of_cells_is_read_in_order_and_written_back() {
        let moves = parse_moves("l1k15i5a10", size()).unwrap();
        let xy: Vec<(u8, u8)> = moves.iter().map(|p| (p.x(), p.y())).collect();
        assert_eq!(xy, [(11, 0), (10, 14), (8, 4), (0, 9)]);
        assert_eq!(Moves(&moves).to_string(), "l1k15i5a10");
        assert_eq!(parse_moves("", size()), Ok(vec![]));
    }

    #[test]
    fn the_part_that_is_wrong_is_named() {
        let syntax = CoordError::Syntax;
        let off = CoordError::OffBoard;
        assert_eq!(parse_moves("h8i", size()), Err(bad_cell("i", syntax)));
        assert_eq!(parse_moves("h8 i9", size()), Err(bad_cell(" ", syntax)));
        assert_eq!(parse_moves("8h", size()), Err(bad_cell("8", syntax)));
        assert_eq!(parse_moves("h8é9", size()), Err(bad_cell("é9", syntax)));
        assert_eq!(parse_moves("h16", size()), Err(bad_cell("h16", off)));
        assert_eq!(parse_moves("h8p1", size()), Err(bad_cell("p1", off)));
        let h8 = size().center();
        assert_eq!(parse_moves("h8i9h8", size()), Err(MovesError::Repeated(h8)));
    }

    #[test]
    fn either_colour_may_have_no_stones() {
        for text in ["/", "h8/", "/h8", "h8i9/a1"] {
            let stones = Stones::parse(text, size()).unwrap();
            assert_eq!(stones.to_string(), text);
            let board = stones.board(size()).unwrap();
            for color in Color::ALL {
                assert_eq!(board.stones(color), stones.0[color].len());
            }
        }
    }

    #[test]
    fn stones_need_one_divider_and_different_cells() {
        assert_eq!(Stones::parse("h8", size()), Err(MovesError::Divider));
        assert_eq!(Stones::parse("h8//", size()), Err(MovesError::Divider));
        let h8 = size().center();
        assert_eq!(Stones::parse("h8/h8", size()), Err(MovesError::Repeated(h8)));
        let twice = Stones(ByColor([vec![h8], vec![h8]]));
        assert!(twice.board(size()).is_none());
        let far = Stones(ByColor([vec![h8], vec![]]));
        assert!(far.board(Size::square(7).unwrap()).is_none());
    }
}

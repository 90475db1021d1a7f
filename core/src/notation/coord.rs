//! Single cells.

use std::fmt;

use thiserror::Error;

use crate::types::{Point, Size};

/// The reason why a text is not a cell of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CoordError {
    /// The text is not spelt like a cell.
    #[error("not a cell")]
    Syntax,
    /// The text names a cell that the board does not have.
    #[error("not on the board")]
    OffBoard,
}

/// Reads a letter and a number such as `h8`, the letter in either case.
///
/// # Errors
///
/// Returns an error if the text is spelt otherwise, which includes numbers with leading zeros, or
/// if the cell is not on a board of size `size`.
///
/// ```
/// use tengen_core::notation::{Xy, parse_cell, parse_xy};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let point = parse_cell("H8", size)?;
/// assert_eq!(Xy(point).to_string(), "7,7");
/// assert_eq!(parse_xy("7,7", size)?, point);
/// assert!(parse_cell("p1", size).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_cell(text: &str, size: Size) -> Result<Point, CoordError> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic).ok_or(CoordError::Syntax)?;
    let x = i64::from(u32::from(letter.to_ascii_lowercase()) - u32::from('a'));
    let row = chars.as_str();
    if row.len() > 1 && row.starts_with('0') {
        return Err(CoordError::Syntax);
    }
    size.point(x, parse_digits(row)?.saturating_sub(1)).ok_or(CoordError::OffBoard)
}

/// Reads two numbers such as `7,8`, column first, counted from 0. Blanks around the numbers and
/// a minus sign are understood, since managers have sent both.
///
/// # Errors
///
/// Returns an error if the text is spelt otherwise or if the cell is not on a board of size
/// `size`.
pub fn parse_xy(text: &str, size: Size) -> Result<Point, CoordError> {
    let (x, y) = text.split_once(',').ok_or(CoordError::Syntax)?;
    let (x, y) = (parse_number(x.trim())?, parse_number(y.trim())?);
    size.point(x, y).ok_or(CoordError::OffBoard)
}

fn parse_number(text: &str) -> Result<i64, CoordError> {
    match text.strip_prefix('-') {
        Some(digits) => parse_digits(digits).map(|n| -n),
        None => parse_digits(text),
    }
}

/// Reads an unsigned number; one that is too large for any board stays too large.
fn parse_digits(text: &str) -> Result<i64, CoordError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(CoordError::Syntax);
    }
    Ok(text.parse().unwrap_or(i64::MAX))
}

/// Displays a point as the protocol writes it, `x,y`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xy(pub Point);

impl fmt::Display for Xy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0.x(), self.0.y())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Size {
        Size::new(15, 12).unwrap()
    }

    #[test]
    fn the_two_spellings_name_the_same_cell() {
        let point = size().point(7, 9);
        assert_eq!(parse_cell("h10", size()).ok(), point);
        assert_eq!(parse_cell("H10", size()).ok(), point);
        assert_eq!(parse_xy("7,9", size()).ok(), point);
        assert_eq!(parse_xy(" 7 , 9 ", size()).ok(), point);
        assert_eq!(Xy(point.unwrap()).to_string(), "7,9");
    }

    #[test]
    fn cells_beyond_the_edge_are_off_the_board() {
        for text in ["p1", "a13", "a0", "z1", "a99999999999999999999999"] {
            assert_eq!(parse_cell(text, size()), Err(CoordError::OffBoard), "{text}");
        }
        for text in [
            "15,0",
            "0,12",
            "-1,0",
            "0,-1",
            "0,99999999999999999999999",
            "-99999999999999999999999,0",
        ] {
            assert_eq!(parse_xy(text, size()), Err(CoordError::OffBoard), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_no_cells() {
        for text in
            ["", "h", "8", "8h", "h08", "h-1", "h+1", "h 8", " h8", "h8 ", "hh8", "é8", "h８"]
        {
            assert_eq!(parse_cell(text, size()), Err(CoordError::Syntax), "{text:?}");
        }
        for text in ["", ",", "7", "7,", ",7", "7,8,9", "+7,8", "7;8", "7 8", "--7,8", "-,8", "a,b"]
        {
            assert_eq!(parse_xy(text, size()), Err(CoordError::Syntax), "{text:?}");
        }
    }
}

//! Openings as lines of text.

use std::fmt;
use std::str::FromStr;

use super::options::OptionNameError;
use crate::notation::{Moves, MovesError, parse_moves};
use crate::types::{Point, PointSet, Size};

/// How an opening is written on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Letter and number of each stone, rows counted from 1 at the top: `h8i9h9`. What
    /// c-gomoku-cli calls `pos`.
    Pos,
    /// Column and row of each stone as distances from the cell in the middle: `0,0, 1,1, 0,1`.
    /// What Gomocup's managers read, and c-gomoku-cli calls `offset`.
    Offset,
}

impl Format {
    /// Both formats.
    pub const ALL: [Format; 2] = [Format::Pos, Format::Offset];

    /// Returns the name: `pos` or `offset`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Pos => "pos",
            Format::Offset => "offset",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = OptionNameError;

    /// Reads a name as [`Format::name`] gives it.
    fn from_str(name: &str) -> Result<Format, OptionNameError> {
        let named = |format: &Format| format.name() == name;
        Format::ALL.into_iter().find(named).ok_or(OptionNameError("pos or offset"))
    }
}

/// Why a line is no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineError {
    /// It is no row of cells.
    Moves(MovesError),
    /// It is no row of pairs of numbers.
    Pairs,
    /// A pair of numbers is not a cell of the board.
    OffBoard(i64, i64),
    /// A cell occurs twice.
    Repeated(Point),
    /// It has no stones.
    Empty,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Moves(error) => error.fmt(f),
            LineError::Pairs => write!(f, "not a row of pairs of numbers"),
            LineError::OffBoard(dx, dy) => write!(f, "{dx},{dy} is not on the board"),
            LineError::Repeated(point) => write!(f, "{point} occurs twice"),
            LineError::Empty => write!(f, "there are no stones"),
        }
    }
}

impl std::error::Error for LineError {}

/// Writes an opening as a line without its end.
#[must_use]
pub fn format_line(stones: &[Point], size: Size, format: Format) -> String {
    match format {
        Format::Pos => Moves(stones).to_string(),
        Format::Offset => {
            let center = size.center();
            let pair = |point: &Point| {
                let dx = i16::from(point.x()) - i16::from(center.x());
                let dy = i16::from(point.y()) - i16::from(center.y());
                format!("{dx},{dy}")
            };
            stones.iter().map(pair).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Reads a line without its end: the inverse of [`format_line`].
///
/// # Errors
///
/// Returns an error if the line is spelt otherwise, if it has no stones, if one of them is not on
/// the board, or if two stand on the same cell.
pub fn parse_line(text: &str, size: Size, format: Format) -> Result<Vec<Point>, LineError> {
    if text.trim().is_empty() {
        return Err(LineError::Empty);
    }
    match format {
        Format::Pos => parse_moves(text.trim(), size).map_err(LineError::Moves),
        Format::Offset => parse_offsets(text, size),
    }
}

fn parse_offsets(text: &str, size: Size) -> Result<Vec<Point>, LineError> {
    let numbers: Vec<i64> = text
        .split(',')
        .map(|part| part.trim().parse::<i16>().map(i64::from))
        .collect::<Result<_, _>>()
        .map_err(|_| LineError::Pairs)?;
    let center = size.center();
    let mut seen = PointSet::EMPTY;
    let mut stones = Vec::new();
    for pair in numbers.chunks(2) {
        let &[dx, dy] = pair else { return Err(LineError::Pairs) };
        let point = size
            .point(i64::from(center.x()) + dx, i64::from(center.y()) + dy)
            .ok_or(LineError::OffBoard(dx, dy))?;
        if !seen.insert(point) {
            return Err(LineError::Repeated(point));
        }
        stones.push(point);
    }
    Ok(stones)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::CoordError;
    use crate::rng::SplitMix64;

    #[test]
    fn examples_of_both_formats_are_read_and_written() {
        let size = Size::square(20).unwrap();
        // From the opening files of c-gomoku-cli.
        let offset = "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5";
        let stones = parse_line(offset, size, Format::Offset).unwrap();
        assert_eq!((stones[0].x(), stones[0].y()), (18, 7));
        assert_eq!((stones[5].x(), stones[5].y()), (9, 5));
        assert_eq!(format_line(&stones, size, Format::Offset), offset);
        let pos = "k10j10i9j9m7";
        let stones = parse_line(pos, size, Format::Pos).unwrap();
        assert_eq!((stones[4].x(), stones[4].y()), (12, 6));
        assert_eq!(format_line(&stones, size, Format::Pos), pos);
        assert_eq!(format_line(&stones, size, Format::Offset), "0,-1, -1,-1, -2,-2, -1,-2, 2,-4");
    }

    #[test]
    fn what_is_written_is_read_back_on_every_board() {
        let mut rng = SplitMix64::new(3);
        for size in [(5, 5), (15, 15), (22, 22), (7, 20)].map(|(w, h)| Size::new(w, h).unwrap()) {
            for format in Format::ALL {
                let mut points: Vec<Point> = size.points().collect();
                for _ in 0..50 {
                    let len = points.len();
                    points.swap(rng.below(len), rng.below(len));
                    let stones = &points[..1 + rng.below(9)];
                    let line = format_line(stones, size, format);
                    assert_eq!(parse_line(&line, size, format).as_deref(), Ok(stones), "{line}");
                }
            }
        }
    }

    #[test]
    fn other_lines_are_no_openings() {
        let size = Size::square(15).unwrap();
        let offset = |text: &str| parse_line(text, size, Format::Offset).unwrap_err();
        for text in ["1", "1,2,3", "1,2,", ",1,2", "1;2", "a,b", "1,2, x", "1,99999999999", "1 2"] {
            assert_eq!(offset(text), LineError::Pairs, "{text}");
        }
        assert_eq!(offset("0,8"), LineError::OffBoard(0, 8));
        assert_eq!(offset("0,0, 1,1, 0,0"), LineError::Repeated(size.center()));
        let pos = |text: &str| parse_line(text, size, Format::Pos).unwrap_err();
        assert_eq!(pos("h8h8"), LineError::Moves(MovesError::Repeated(size.center())));
        let error = CoordError::OffBoard;
        assert_eq!(
            pos("h8p1"),
            LineError::Moves(MovesError::Cell { text: "p1".to_owned(), error })
        );
        assert!(matches!(pos("0,0, 1,1"), LineError::Moves(MovesError::Cell { .. })));
        for format in Format::ALL {
            assert_eq!(parse_line("", size, format), Err(LineError::Empty));
            assert_eq!(parse_line(" \t", size, format), Err(LineError::Empty));
        }
    }

    #[test]
    fn formats_are_known_by_name() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("sgf".parse::<Format>().is_err());
    }
}

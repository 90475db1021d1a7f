//! Openings as lines of text.

use std::fmt;
use std::str::FromStr;

use super::options::OptionNameError;
use tengen_core::notation::Moves;
use tengen_core::types::{Point, Size};
use tengen_files::records::{RecordError, format_offset, parse_offset, parse_pos};

/// The form of an opening on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    /// Letter and number of each stone, rows counted from 1 at the top: `h8i9h9`. What
    /// c-gomoku-cli calls `pos`.
    Pos,
    /// Column and row of each stone as distances from the cell in the middle: `0,0, 1,1, 0,1`.
    /// The form that Gomocup's managers read and that c-gomoku-cli calls `offset`.
    Offset,
}

impl OpeningFormat {
    /// Both formats.
    pub const ALL: [OpeningFormat; 2] = [OpeningFormat::Pos, OpeningFormat::Offset];

    /// Returns the name: `pos` or `offset`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpeningFormat::Pos => "pos",
            OpeningFormat::Offset => "offset",
        }
    }
}

impl fmt::Display for OpeningFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OpeningFormat {
    type Err = OptionNameError;

    /// Reads a name as [`OpeningFormat::name`] gives it.
    fn from_str(name: &str) -> Result<OpeningFormat, OptionNameError> {
        let named = |format: &OpeningFormat| format.name() == name;
        OpeningFormat::ALL.into_iter().find(named).ok_or(OptionNameError("pos or offset"))
    }
}

/// Writes an opening as a line without its end.
#[must_use]
pub fn format_line(stones: &[Point], size: Size, format: OpeningFormat) -> String {
    match format {
        OpeningFormat::Pos => Moves(stones).to_string(),
        OpeningFormat::Offset => format_offset(stones, size),
    }
}

/// Reads a line without its end: the inverse of [`format_line`].
///
/// # Errors
///
/// Returns an error, without a file name, if the line is spelt otherwise, if it has no stones, if
/// one of them is not on the board, or if two stand on the same cell.
pub fn parse_line(
    text: &str,
    size: Size,
    format: OpeningFormat,
) -> Result<Vec<Point>, RecordError> {
    match format {
        OpeningFormat::Pos => parse_pos(text, size),
        OpeningFormat::Offset => parse_offset(text, size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rng::SplitMix64;

    #[test]
    fn examples_of_both_formats_are_read_and_written() {
        let size = Size::square(20).unwrap();
        // From the opening files of c-gomoku-cli.
        let offset = "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5";
        let stones = parse_line(offset, size, OpeningFormat::Offset).unwrap();
        assert_eq!((stones[0].x(), stones[0].y()), (18, 7));
        assert_eq!((stones[5].x(), stones[5].y()), (9, 5));
        assert_eq!(format_line(&stones, size, OpeningFormat::Offset), offset);
        let pos = "k10j10i9j9m7";
        let stones = parse_line(pos, size, OpeningFormat::Pos).unwrap();
        assert_eq!((stones[4].x(), stones[4].y()), (12, 6));
        assert_eq!(format_line(&stones, size, OpeningFormat::Pos), pos);
        assert_eq!(
            format_line(&stones, size, OpeningFormat::Offset),
            "0,-1, -1,-1, -2,-2, -1,-2, 2,-4"
        );
    }

    #[test]
    fn what_is_written_is_read_back_on_every_board() {
        let mut rng = SplitMix64::new(3);
        for size in [(5, 5), (15, 15), (22, 22), (7, 20)].map(|(w, h)| Size::new(w, h).unwrap()) {
            for format in OpeningFormat::ALL {
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
    fn formats_are_known_by_name() {
        for format in OpeningFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("sgf".parse::<OpeningFormat>().is_err());
    }
}

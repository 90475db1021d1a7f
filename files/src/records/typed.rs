//! Moves as people type and paste them: `h8i9`, `h8 i9`, `1.h8 2.i9`, `H8, I9`, an address.

use super::RecordError;
use super::format::on_fitting;
use super::source::SourceText;
use tengen_core::notation::{CoordError, Origin, parse_cell};
use tengen_core::types::{Point, PointSet, Size};

/// The expectation where there is no cell.
const CELL: &str = "a cell such as h8";

/// Reads the moves of a game as people write them, and the size of the board.
///
/// Cells are a letter in either case and a number. Between them there may be nothing, blanks,
/// commas, full stops, semicolons, single hyphens, parentheses and brackets; before them numbers of moves with
/// a full stop, a parenthesis or a blank, if they are right: either each move has one, or each
/// pair. Of an address such as `https://gomocalc.com/#/h8i9` the part after the last `/` counts.
///
/// Without a size the board is the smallest of 15, 20 and 22 cells that holds all moves.
///
/// # Errors
///
/// Returns the first place at which something else is needed, without a file name.
pub fn read_typed(
    text: &str,
    size: Option<Size>,
    origin: Origin,
) -> Result<(Size, Vec<Point>), RecordError> {
    let source = SourceText::new(text);
    let start = text.len() - text.trim_start().len();
    let is_address = ["https://", "http://"].iter().any(|s| text[start..].starts_with(s));
    let start = if is_address { text.rfind('/').map_or(start, |slash| slash + 1) } else { start };
    on_fitting(size, |size| {
        let points = read_moves(source, start, size)?;
        Ok((size, points.into_iter().map(|point| origin.turn(point, size)).collect()))
    })
}

/// Reads moves as people write them, from a place of a text on.
pub(super) fn read_moves(
    source: SourceText<'_>,
    at: usize,
    size: Size,
) -> Result<Vec<Point>, RecordError> {
    let (points, seen) = (Vec::new(), PointSet::EMPTY);
    TypedMoves { source, at, size, points, seen, by_move: true, by_pair: true }.read()
}

/// A reader of typed moves.
struct TypedMoves<'a> {
    source: SourceText<'a>,
    at: usize,
    size: Size,
    points: Vec<Point>,
    seen: PointSet,
    /// True if the numbers so far can be those of moves.
    by_move: bool,
    /// True if the numbers so far can be those of pairs of moves.
    by_pair: bool,
}

impl<'a> TypedMoves<'a> {
    fn rest(&self) -> &'a str {
        &self.source.text[self.at..]
    }

    fn digits(&self, from: usize) -> usize {
        self.rest()[from..].bytes().take_while(u8::is_ascii_digit).count()
    }

    fn read(mut self) -> Result<Vec<Point>, RecordError> {
        while let Some(next) = self.rest().chars().next() {
            match next {
                // Two hyphens are a pass elsewhere.
                '-' if self.rest().starts_with("--") => return Err(self.expected(CELL)),
                ' ' | '\t' | '\r' | '\n' | ',' | '.' | ';' | '-' | '(' | ')' | '[' | ']' => {
                    self.at += 1
                }
                '0'..='9' => self.number()?,
                _ => self.cell(next)?,
            }
        }
        if self.points.is_empty() { Err(self.expected(CELL)) } else { Ok(self.points) }
    }

    /// Reads the number of a move and what divides it from the move.
    fn number(&mut self) -> Result<(), RecordError> {
        let digits = self.digits(0);
        let number = self.rest()[..digits].parse::<usize>().unwrap_or(usize::MAX);
        let after = &self.rest()[digits..];
        let cell = after.trim_start_matches(['.', ')', ':', ' ', '\t', '\r', '\n']);
        let is_divided = cell.len() < after.len();
        if !is_divided || !cell.starts_with(|c: char| c.is_ascii_alphabetic() || c == '(') {
            return Err(self.expected(CELL));
        }
        let next = self.points.len() + 1;
        let by_move = self.by_move && number == next;
        let by_pair = self.by_pair && next % 2 == 1 && number == next.div_ceil(2);
        if !by_move && !by_pair {
            return Err(match (self.by_move, next % 2) {
                (false, 0) => self.expected(CELL),
                (false, _) => self.expected_number(next.div_ceil(2)),
                (true, _) => self.expected_number(next),
            });
        }
        (self.by_move, self.by_pair) = (by_move, by_pair);
        self.at = self.source.text.len() - cell.len();
        Ok(())
    }

    fn cell(&mut self, first: char) -> Result<(), RecordError> {
        let len = first.len_utf8() + self.digits(first.len_utf8());
        let point = parse_cell(&self.rest()[..len], self.size).map_err(|error| match error {
            CoordError::Syntax => self.expected(CELL),
            CoordError::OffBoard => self.expected(&format!("a cell of a {} board", self.size)),
        })?;
        if !self.seen.insert(point) {
            return Err(self.expected("an empty cell"));
        }
        self.points.push(point);
        self.at += len;
        Ok(())
    }

    fn expected_number(&self, number: usize) -> RecordError {
        self.expected(&format!("a cell, or the number {number}"))
    }

    fn expected(&self, what: &str) -> RecordError {
        self.source.error(self.at, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::notation::Moves;

    #[test]
    fn what_people_paste_is_the_same_game() {
        for text in [
            "h8i9h10",
            "h8 i9 h10",
            "H8 I9 H10",
            "H8,I9,H10",
            "h8, i9; h10",
            " h8-i9-h10\n",
            "1.h8 2.i9 3.h10",
            "1. h8 2. i9 3. h10",
            "1) h8\n2) i9\n3) h10\n",
            "1 h8\r\n2 i9\r\n3 h10\r\n",
            "1. h8 i9 2. h10",
            "h8 i9 h10.",
            "(h8) (i9) (h10)",
            "[H8][I9][H10]",
            "1.(h8) 2.(i9) 3.(h10)",
            "https://gomocalc.com/#/h8i9h10",
        ] {
            let (size, points) = read_typed(text, None, Origin::Top).expect(text);
            assert_eq!((size, Moves(&points).to_string().as_str()), (Size::DEFAULT, "h8i9h10"));
        }
    }

    #[test]
    fn rows_may_be_counted_from_the_bottom_of_whatever_board_it_is() {
        let text = |text, size, origin| {
            let (size, points) = read_typed(text, size, origin).unwrap();
            (size.height(), Moves(&points).to_string())
        };
        assert_eq!(text("h8 i9", None, Origin::Bottom), (15, "h8i7".to_owned()));
        assert_eq!(text("p1 a20", None, Origin::Bottom), (20, "p20a1".to_owned()));
        let size = Size::new(15, 10).ok();
        assert_eq!(text("a1b10", size, Origin::Bottom), (10, "a10b1".to_owned()));
    }

    #[test]
    fn what_could_mean_several_things_is_an_error_with_its_place() {
        for (text, column, expected) in [
            ("", 1, CELL),
            ("  ", 3, CELL),
            ("7,7", 1, CELL),
            ("h8 7,7", 4, CELL),
            ("h8 -- i9", 4, CELL),
            ("h8/i9", 3, CELL),
            ("h 8", 1, CELL),
            ("8h", 1, CELL),
            ("h8 é9", 4, CELL),
            ("h08", 1, CELL),
            ("B[hh]", 1, CELL),
            ("1.h8 3.i9", 6, "a cell, or the number 2"),
            ("2.h8", 1, "a cell, or the number 1"),
            ("1.h8 i9 2.h10 4.j8", 15, CELL),
            ("1.h8 i9 2.h10 j8 4.j9", 18, "a cell, or the number 3"),
            ("1.h8 2.i9 2.h10", 11, "a cell, or the number 3"),
            ("1. h8 2.", 7, CELL),
            ("h8 z1", 4, "a cell of a 22x22 board"),
            ("h8 H8", 4, "an empty cell"),
            ("https://example.org/", 21, CELL),
        ] {
            let error = read_typed(text, None, Origin::Top).expect_err(text);
            assert_eq!(crate::records::source::text_place(&error), (1, column), "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }
}

//! c-gomoku-cli's `pos`: a game or an opening a line, as a row of cells such as `h8i9h9`, rows
//! counted from the top. Empty lines are skipped.

use super::source::SourceText;
use super::typed::read_moves;
use super::warning::Warnings;
use super::{Record, RecordError};
use tengen_core::notation::{CoordError, Moves, parse_cell};
use tengen_core::types::{Point, PointSet, Size};

/// The expectation where there is no cell.
const CELL: &str = "a cell such as h8";

/// Reads a line. Cells with blanks, numbers of moves and the like between them are read as well.
pub(super) fn read(
    source: SourceText<'_>,
    size: Size,
    warnings: &mut Warnings,
) -> Result<Record, RecordError> {
    let text = source.text.trim();
    let start = source.text.len() - source.text.trim_start().len();
    let points = parse_cells(source, start, text, size).or_else(|error| {
        if !text.contains(|c: char| c.is_whitespace() || ".,;()[]-".contains(c)) {
            return Err(error);
        }
        let points = read_moves(source, start, size)?;
        warnings.add(error.place, "more than cells: read as typed moves");
        Ok(points)
    })?;
    Ok(Record::of_points(size, &points))
}

/// Reads a line of `pos` without its end: at least one cell, all of them different.
///
/// # Errors
///
/// Returns the first place at which something else is needed, without a file name.
pub fn parse_pos(line: &str, size: Size) -> Result<Vec<Point>, RecordError> {
    let source = SourceText::new(line);
    let start = line.len() - line.trim_start().len();
    if start == line.len() {
        return Err(source.error(start, CELL));
    }
    parse_cells(source, start, line.trim(), size)
}

/// Reads a row of different cells that begins at the place `start`.
pub(super) fn parse_cells(
    source: SourceText<'_>,
    start: usize,
    mut text: &str,
    size: Size,
) -> Result<Vec<Point>, RecordError> {
    let mut at = start;
    let mut points = Vec::new();
    let mut seen = PointSet::EMPTY;
    while let Some(first) = text.chars().next() {
        let rest = &text[first.len_utf8()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (cell, rest) = text.split_at(first.len_utf8() + digits);
        let point = parse_cell(cell, size).map_err(|error| match error {
            CoordError::Syntax => source.error(at, CELL),
            CoordError::OffBoard => source.error(at, format!("a cell of a {size} board")),
        })?;
        if !seen.insert(point) {
            return Err(source.error(at, "an empty cell"));
        }
        points.push(point);
        at += cell.len();
        text = rest;
    }
    Ok(points)
}

/// Writes a game that has moves.
pub(super) fn write(record: &Record) -> String {
    let points: Vec<Point> = record.points().collect();
    format!("{}\n", Moves(&points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known};

    #[test]
    fn lines_are_read_and_written_back_byte_by_byte() {
        // From the opening files of c-gomoku-cli.
        let text = "d3e5f6d7\nk10j10i9j9m7\n";
        let size = Size::square(20).unwrap();
        let known = Known { size: Some(size), ..Known::default() };
        let read = |text: &str| crate::records::read(text.as_bytes(), Format::Pos, known).unwrap();
        let records = read(text);
        assert_eq!(records.iter().map(write).collect::<String>(), text);
        assert_eq!(records[0].points().next(), size.point(3, 2));
        assert_eq!(read(&text.replace('\n', "\r\n\r\n")), records);
    }

    fn read_all(text: &str) -> Result<Vec<Record>, RecordError> {
        crate::records::read(
            text.as_bytes(),
            Format::Pos,
            Known { size: Some(Size::DEFAULT), ..Known::default() },
        )
    }

    #[test]
    fn blanks_and_numbers_of_moves_are_told_and_no_hindrance() {
        let game = read_all("h8i9h10i8").unwrap();
        for (text, place) in [
            (include_str!("../../../tests/data/faults/18-numbered.pos"), "1:1"),
            (include_str!("../../../tests/data/faults/18-spaced.pos"), "1:3"),
        ] {
            let mut warnings = Warnings::default();
            let record = read(SourceText::new(text), Size::DEFAULT, &mut warnings);
            assert_eq!(record.as_ref(), Ok(&game[0]), "{text}");
            let [warning] = &warnings.take()[..] else { panic!("{text}") };
            assert_eq!(
                warning.to_string(),
                format!("{place}: warning: more than cells: read as typed moves")
            );
        }
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("h8\n  i9j\n", (2, 5), "a cell such as h8"),
            ("h8 i9x\n", (1, 6), "a cell such as h8"),
            ("1. h8 3. i9\n", (1, 7), "a cell, or the number 2"),
            ("h8--", (1, 3), "a cell such as h8"),
            ("a01", (1, 1), "a cell such as h8"),
            ("a0", (1, 1), "a cell of a 15x15 board"),
            ("h8p1", (1, 3), "a cell of a 15x15 board"),
            ("h8i9h8", (1, 5), "an empty cell"),
            ("h8é9", (1, 3), "a cell such as h8"),
        ] {
            let error = read_all(text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }

    #[test]
    fn a_single_line_has_cells() {
        let parse = |line| parse_pos(line, Size::DEFAULT);
        assert_eq!(parse(" h8 "), Ok(vec![Size::DEFAULT.center()]));
        for (line, expected) in [
            ("", "1:1: expected a cell such as h8"),
            (" \t", "1:3: expected a cell such as h8"),
            ("0,0, 1,1", "1:1: expected a cell such as h8"),
            ("h8\ni9", "1:3: expected a cell such as h8"),
            (" h8h8", "1:4: expected an empty cell"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), expected, "{line:?}");
        }
    }
}

//! c-gomoku-cli's `pos`: a game or an opening a line, as a row of cells such as `h8i9h9`, rows
//! counted from the top. Empty lines are skipped.

use super::source::SourceText;
use super::{Record, RecordError};
use crate::notation::{CoordError, Moves, parse_cell};
use crate::types::{Point, PointSet, Size};

/// The expectation where there is no cell.
const CELL: &str = "a cell such as h8";

/// Reads the games of a file.
pub(super) fn read(source: SourceText<'_>, size: Size) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    for line in source.lines().filter(|line| !line.is_blank()) {
        let points = parse_cells(source, line.indented(), line.text.trim(), size)?;
        records.push(Record::of_points(size, &points));
    }
    Ok(records)
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

    #[test]
    fn lines_are_read_and_written_back_byte_by_byte() {
        // From the opening files of c-gomoku-cli.
        let text = "d3e5f6d7\nk10j10i9j9m7\n";
        let size = Size::square(20).unwrap();
        let records = read(SourceText::new(text), size).unwrap();
        assert_eq!(records.iter().map(write).collect::<String>(), text);
        assert_eq!(records[0].points().next(), size.point(3, 2));
        let windows = read(SourceText::new(&text.replace('\n', "\r\n\r\n")), size).unwrap();
        assert_eq!(windows, records);
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("h8\n  i9j\n", (2, 5), "a cell such as h8"),
            ("h8 i9\n", (1, 3), "a cell such as h8"),
            ("h8--", (1, 3), "a cell such as h8"),
            ("a01", (1, 1), "a cell such as h8"),
            ("a0", (1, 1), "a cell of a 15x15 board"),
            ("h8p1", (1, 3), "a cell of a 15x15 board"),
            ("h8i9h8", (1, 5), "an empty cell"),
            ("h8é9", (1, 3), "a cell such as h8"),
        ] {
            let error = read(SourceText::new(text), Size::DEFAULT).unwrap_err();
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

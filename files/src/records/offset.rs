//! Gomocup's `openings.txt`: a game or an opening a line, as distances of column and row from the
//! cell in the middle: `0,0, 1,1, 0,1`. Empty lines are skipped.

use super::source::{SourceLine, SourceText};
use super::{Record, RecordError};
use tengen_core::types::{Point, PointSet, Size};

/// Reads a line.
pub(super) fn read(source: SourceText<'_>, size: Size) -> Result<Record, RecordError> {
    let text = source.text.trim_end_matches(['\r', '\n']);
    let points = parse_line(source, SourceLine { start: 0, text }, size)?;
    Ok(Record::of_points(size, &points))
}

/// Reads a line of `offset` without its end: at least one cell, all of them different.
///
/// # Errors
///
/// Returns the first place at which something else is needed, without a file name.
pub fn parse_offset(line: &str, size: Size) -> Result<Vec<Point>, RecordError> {
    parse_line(SourceText::new(line), SourceLine { start: 0, text: line }, size)
}

fn parse_line(
    source: SourceText<'_>,
    line: SourceLine<'_>,
    size: Size,
) -> Result<Vec<Point>, RecordError> {
    let mut at = line.start;
    let mut numbers = line.text.split(',').map(|part| {
        let start = at + part.len() - part.trim_start().len();
        at += part.len() + 1;
        let number = part.trim().parse::<i16>().map(i64::from);
        number.map(|n| (start, n)).map_err(|_| source.error(start, "a number such as -3"))
    });
    let center = size.center();
    let mut points = Vec::new();
    let mut seen = PointSet::EMPTY;
    while let Some(column) = numbers.next() {
        let (start, dx) = column?;
        let Some(row) = numbers.next() else {
            let end = line.start + line.text.trim_end().len();
            return Err(source.error(end, "another number, for the row"));
        };
        let (_, dy) = row?;
        let point = size
            .point(i64::from(center.x()) + dx, i64::from(center.y()) + dy)
            .ok_or_else(|| source.error(start, format!("a cell of a {size} board")))?;
        if !seen.insert(point) {
            return Err(source.error(start, "an empty cell"));
        }
        points.push(point);
    }
    Ok(points)
}

/// Writes a game that has moves.
pub(super) fn write(record: &Record) -> String {
    let points: Vec<Point> = record.points().collect();
    format!("{}\n", format_offset(&points, record.size))
}

/// Writes cells as a line of `offset` without its end: the inverse of [`parse_offset`].
#[must_use]
pub fn format_offset(points: &[Point], size: Size) -> String {
    let center = size.center();
    let pair = |point: &Point| {
        let dx = i16::from(point.x()) - i16::from(center.x());
        let dy = i16::from(point.y()) - i16::from(center.y());
        format!("{dx},{dy}")
    };
    points.iter().map(pair).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known};

    #[test]
    fn lines_are_read_and_written_back_byte_by_byte() {
        // From the opening files of c-gomoku-cli, which have CR LF and none at the end.
        let text = "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5\r\n6,6, 4,6, 6,4, 4,4, 6,2, 4,2";
        let size = Size::square(20).unwrap();
        let read = |text: &str, size| {
            let known = Known { size: Some(size), ..Known::default() };
            crate::records::read(text.as_bytes(), Format::Offset, known)
        };
        let records = read(text, size).unwrap();
        let written: String = records.iter().map(write).collect();
        assert_eq!(written, text.replace('\r', "") + "\n");
        assert_eq!(records[0].points().next(), size.point(18, 7));
        let spaced = read("\t0 , 0,1,\t0, 1,3 \n\n", Size::DEFAULT).unwrap();
        assert_eq!(write(&spaced[0]), "0,0, 1,0, 1,3\n");
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("0,0\n 1,x\n", (2, 4), "a number such as -3"),
            ("0,0,\n", (1, 5), "a number such as -3"),
            ("0,0, 1 \n", (1, 7), "another number, for the row"),
            ("0,0, 8,0\n", (1, 6), "a cell of a 15x15 board"),
            ("0,0, 99999,0\n", (1, 6), "a number such as -3"),
            ("1,0, 0,0, 1,0\n", (1, 11), "an empty cell"),
        ] {
            let known = Known { size: Some(Size::DEFAULT), ..Known::default() };
            let error = crate::records::read(text.as_bytes(), Format::Offset, known).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }

    #[test]
    fn a_single_line_has_pairs_of_numbers() {
        let parse = |line| parse_offset(line, Size::DEFAULT);
        assert_eq!(parse(" 0, 0 "), Ok(vec![Size::DEFAULT.center()]));
        for line in ["", " \t", "a,b", ",1,2", "1;2", "1 2", "h8", "0,0\n1,1", "1,99999999999"] {
            assert_eq!(parse(line).unwrap_err().expected, "a number such as -3", "{line:?}");
        }
        for line in ["1", "1,2,3"] {
            let expected = "another number, for the row";
            assert_eq!(parse(line).unwrap_err().expected, expected, "{line:?}");
        }
        assert_eq!(parse("0,8").unwrap_err().to_string(), "1:1: expected a cell of a 15x15 board");
        assert_eq!(parse("0,0, 0,0").unwrap_err().to_string(), "1:6: expected an empty cell");
    }
}

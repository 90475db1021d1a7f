//! Cells as the protocol writes them, one a line: column and row, both counted from 0, rows from the top,
//! as in `7,7`. An empty line ends a game.

use super::format::on_fitting;
use super::source::SourceText;
use super::{Record, RecordError};
use tengen_core::notation::{CoordError, parse_xy};
use tengen_core::types::{Point, PointSet, Size};

/// The expectation where there is no cell.
const CELL: &str = "a cell such as 7,7";

/// Reads the lines of a game. Without a size, its board is the smallest of the usual ones that holds it.
pub(super) fn read(source: SourceText<'_>, known: Option<Size>) -> Result<Record, RecordError> {
    on_fitting(known, |size| read_on(source, size))
}

fn read_on(source: SourceText<'_>, size: Size) -> Result<Record, RecordError> {
    let mut points = Vec::new();
    let mut seen = PointSet::EMPTY;
    for line in source.lines().filter(|line| !line.is_blank()) {
        let point = parse_xy(line.text, size).map_err(|error| match error {
            CoordError::Syntax => source.error(line.indented(), CELL),
            CoordError::OffBoard => {
                source.error(line.indented(), format!("a cell of a {size} board"))
            }
        })?;
        if !seen.insert(point) {
            return Err(source.error(line.indented(), "an empty cell"));
        }
        points.push(point);
    }
    Ok(Record::of_points(size, &points))
}

/// Returns whether a text that may go on consists of cells, more than one.
pub(super) fn is_likely(text: &str) -> bool {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = || whole.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_cell = |line: &str| parse_xy(line, Size::LARGEST).is_ok();
    let all = if text.ends_with('\n') { lines().count() } else { lines().count() + 1 };
    all > 1 && lines().all(is_cell)
}

/// Writes a game that has moves.
pub(super) fn write(record: &Record) -> String {
    let cell = |point: Point| format!("{},{}\n", point.x(), point.y());
    record.points().map(cell).chain(["\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known};

    fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
        crate::records::read(text.as_bytes(), Format::Xy, Known::default())
    }

    #[test]
    fn games_are_read_and_written_back_byte_by_byte() {
        let text = "7,7\n8,8\n\n19,0\n\n";
        let records = parse(text).unwrap();
        assert_eq!(records.iter().map(write).collect::<String>(), text);
        assert_eq!(
            records[0],
            Record::of_points(Size::DEFAULT, &[7, 8].map(|n| Size::DEFAULT.point(n, n).unwrap()))
        );
        assert_eq!(records[1].size.width(), 20);
        assert_eq!(parse(&text.replace('\n', " \r\n")), Ok(records));
    }

    #[test]
    fn lines_of_cells_are_no_distances() {
        assert!(is_likely(include_str!("../../../tests/data/faults/24-xy-lines.txt")));
        for (text, is) in [
            ("7,7\n8,8", true),
            ("7,7\n", false),
            ("7,7", false),
            ("7,7\n-1,2\n", false),
            ("7,7\n8,8, 9,9\n", false),
            ("7,7\n\n22,0\n", false),
        ] {
            assert_eq!(is_likely(text), is, "{text:?}");
        }
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("7,7\n x\n", (2, 2), CELL),
            ("7,7\n22,0\n", (2, 1), "a cell of a 22x22 board"),
            ("7,7\n7,7\n", (2, 1), "an empty cell"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }
}

//! Text with places in it.

use std::borrow::Cow;

use super::{RecordError, RecordPlace};

/// Bytes as text: lossy where they are not UTF-8, and without a byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// A text that is being read. Places are distances from its beginning in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText<'a> {
    pub(super) text: &'a str,
}

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLine<'a> {
    /// The place of its first character.
    pub(super) start: usize,
    pub(super) text: &'a str,
}

impl SourceLine<'_> {
    pub(super) fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns the place of the first character that is not blank, or of the end.
    pub(super) fn indented(self) -> usize {
        self.start + self.text.len() - self.text.trim_start().len()
    }
}

impl<'a> SourceText<'a> {
    pub(super) fn new(text: &'a str) -> SourceText<'a> {
        SourceText { text }
    }

    /// Returns the lines, which end with LF or CR LF.
    pub(super) fn lines(self) -> impl Iterator<Item = SourceLine<'a>> {
        let mut start = 0;
        self.text.split_inclusive('\n').map(move |line| {
            let at = start;
            start += line.len();
            let text = line.strip_suffix('\n').unwrap_or(line);
            SourceLine { start: at, text: text.strip_suffix('\r').unwrap_or(text) }
        })
    }

    /// Returns the error that something else was expected at a place.
    pub(super) fn error(self, at: usize, expected: impl Into<String>) -> RecordError {
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at));
        let before = &self.text[..at.unwrap_or(0)];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        RecordError {
            file: None,
            place: RecordPlace::Text {
                line: before.bytes().filter(|&b| b == b'\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
            },
            expected: expected.into(),
        }
    }
}

/// Returns line and column of an error in a text.
#[cfg(test)]
pub(super) fn text_place(error: &RecordError) -> (usize, usize) {
    match error.place {
        RecordPlace::Text { line, column } => (line, column),
        RecordPlace::Byte(_) => panic!("{error}"),
    }
}

/// Makes one line of a text: line breaks become blanks.
pub(super) fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_or_cr_lf() {
        let lines: Vec<(usize, &str)> =
            SourceText::new("a\r\nb\n\nc").lines().map(|line| (line.start, line.text)).collect();
        assert_eq!(lines, [(0, "a"), (3, "b"), (5, ""), (6, "c")]);
        assert_eq!(SourceText::new("").lines().count(), 0);
    }

    #[test]
    fn places_are_told_as_line_and_column_in_characters() {
        let source = SourceText::new("ab\né€x");
        let place = |at| text_place(&source.error(at, ""));
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (2, 1));
        assert_eq!(place(8), (2, 3));
        assert_eq!(place(4), (2, 1), "inside a character is at it");
        assert_eq!(place(99), (2, 4));
    }

    #[test]
    fn bytes_that_are_no_text_become_a_mark() {
        assert_eq!(decode(b"\xef\xbb\xbfa\xffb"), "a\u{fffd}b");
    }
}

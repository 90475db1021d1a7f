//! Text with places in it.

use std::cell::Cell;

use super::{RecordError, RecordPlace};

/// Where a text begins in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TextStart {
    /// The line, counted from 1.
    pub(super) line: usize,
    /// The column in characters, counted from 1.
    pub(super) column: usize,
}

impl TextStart {
    /// The beginning of the file.
    pub(super) const FILE: TextStart = TextStart { line: 1, column: 1 };

    /// Returns the place.
    pub(super) const fn place(self) -> RecordPlace {
        RecordPlace::Text { line: self.line, column: self.column }
    }

    /// Returns where the text after these bytes begins. Bytes that go on with a character of UTF-8 are
    /// no character of their own.
    pub(super) fn after(self, bytes: &[u8]) -> TextStart {
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        let line_start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let characters = bytes[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let column = if lines == 0 { self.column } else { 1 };
        TextStart { line: self.line + lines, column: column + characters }
    }

    /// Returns the place of the byte with this number, counted from 0, of a text that begins here.
    pub(super) fn place_in_bytes(self, bytes: &[u8], at: usize) -> RecordPlace {
        self.after(&bytes[..at.min(bytes.len())]).place()
    }
}

/// The last place of a text that was asked for, in bytes and as people count it. Places are asked for in
/// their order as a rule, and counting from here keeps a text full of faults from taking time with its
/// square.
pub(super) type LastPlace = Cell<(usize, TextStart)>;

/// A text that is being read. Places are distances from its beginning in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceText<'a> {
    pub(super) text: &'a str,
    /// Where it begins in its file.
    start: TextStart,
    last: Option<&'a LastPlace>,
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
    /// Returns the text of a whole file.
    pub(super) const fn new(text: &'a str) -> SourceText<'a> {
        SourceText { text, start: TextStart::FILE, last: None }
    }

    /// Returns a text that begins somewhere in its file, such as one of many games.
    pub(super) const fn within(text: &'a str, start: TextStart) -> SourceText<'a> {
        SourceText { text, start, last: None }
    }

    /// Remembers places there.
    pub(super) const fn with_last(self, last: &'a LastPlace) -> SourceText<'a> {
        SourceText { last: Some(last), ..self }
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

    /// Returns a place as people count it.
    pub(super) fn place(self, at: usize) -> RecordPlace {
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at));
        let at = at.unwrap_or(0);
        let last = self.last.map(Cell::get).filter(|&(last, _)| last <= at);
        let (from, start) = last.unwrap_or((0, self.start));
        let place = start.after(&self.text.as_bytes()[from..at]);
        if let Some(last) = self.last {
            last.set((at, place));
        }
        place.place()
    }

    /// Returns the error that something else was expected at a place.
    pub(super) fn error(self, at: usize, expected: impl Into<String>) -> RecordError {
        RecordError { file: None, place: self.place(at), expected: expected.into() }
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
        let last = LastPlace::new((0, TextStart::FILE));
        let remembering = source.with_last(&last);
        for at in [3, 8, 0, 4, 99, 8] {
            assert_eq!(text_place(&remembering.error(at, "")), place(at), "{at}");
        }
        let later = SourceText::within("ab\né€x", TextStart { line: 7, column: 4 });
        let place = |at| text_place(&later.error(at, ""));
        assert_eq!((place(1), place(8)), ((7, 5), (8, 3)));
    }
}

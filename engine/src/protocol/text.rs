//! Words, numbers and entries of a line.

/// Returns the first word of `text` and what follows it, without the blanks around either.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = trim(text);
    match text.find(is_blank) {
        Some(end) => (&text[..end], trim(&text[end..])),
        None => (text, ""),
    }
}

/// Returns `text` without leading and trailing blanks.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// Returns the integer that `text` begins with, if a word ends there.
pub(super) fn leading_integer(text: &str) -> Option<i64> {
    let mut cursor = Cursor::new(text);
    let value = cursor.integer()?;
    cursor.at_word_end().then_some(value)
}

/// One `x,y` or `x,y,c` of a block, as spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockEntry {
    /// The first number.
    pub(super) x: i64,
    /// The second number.
    pub(super) y: i64,
    /// The third number, if there is one.
    pub(super) field: Option<i64>,
}

/// A place in a line, from which numbers are read.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Returns a cursor at the beginning of `text`.
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text }
    }

    /// Returns what has not been read yet.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    fn at_word_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with(is_blank)
    }

    /// Reads up to the next blank and returns it; empty at the end of the line.
    pub(super) fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let end = self.rest.find(is_blank).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Reads a decimal integer after blanks; one that does not fit becomes the nearest that does.
    pub(super) fn integer(&mut self) -> Option<i64> {
        self.skip_blanks();
        let unsigned = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return None;
        }
        let negative = self.rest.starts_with('-');
        let magnitude = unsigned[..digits].bytes().fold(0_i64, |value, digit| {
            value.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
        });
        self.rest = &unsigned[digits..];
        Some(if negative { -magnitude } else { magnitude })
    }

    /// Reads up to `most` integers with blanks between them.
    pub(super) fn integers(&mut self, most: usize) -> Vec<i64> {
        let mut numbers = Vec::new();
        while numbers.len() < most
            && let Some(number) = self.integer()
        {
            numbers.push(number);
        }
        numbers
    }

    /// Reads a comma with any blanks around it.
    fn comma(&mut self) -> bool {
        match self.rest.trim_start_matches(is_blank).strip_prefix(',') {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads `x,y`; whatever is separated from it by a blank or a comma may follow.
    pub(super) fn pair(&mut self) -> Option<(i64, i64)> {
        let x = self.integer()?;
        if !self.comma() {
            return None;
        }
        let y = self.integer()?;
        (self.at_word_end() || self.rest.starts_with(',')).then_some((x, y))
    }

    /// Reads `x,y` or `x,y,c`; further fields are skipped.
    pub(super) fn entry(&mut self) -> Option<BlockEntry> {
        let (x, y) = self.pair()?;
        let mut entry = BlockEntry { x, y, field: None };
        if self.comma() {
            entry.field = Some(self.integer()?);
        }
        while self.comma() {
            self.integer()?;
        }
        self.at_word_end().then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_commas_do_not_matter() {
        for text in ["7,8,2", " 7 , 8 ,2 ", "7,\t8, 2", "7,8,2,9"] {
            let entry = Cursor::new(text).entry();
            assert_eq!(entry, Some(BlockEntry { x: 7, y: 8, field: Some(2) }), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for text in ["", "7", "7;7", "a,b", "7,", "7,7,", "7,7,x", "7,7x", "7 7", ",7", "--7,7"] {
            assert_eq!(Cursor::new(text).entry(), None, "{text:?}");
        }
    }

    #[test]
    fn entries_on_one_line_are_read_one_by_one() {
        let mut cursor = Cursor::new("7,7,2 8, 8 DONE");
        assert_eq!(cursor.entry().map(|e| e.field), Some(Some(2)));
        assert_eq!(cursor.entry().map(|e| e.x), Some(8));
        assert_eq!(cursor.word(), "DONE");
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(leading_integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(leading_integer("-99999999999999999999"), Some(-i64::MAX));
        assert_eq!(leading_integer("500 ms"), Some(500));
        assert_eq!(leading_integer("1.5"), None);
    }
}

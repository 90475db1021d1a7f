//! The lines between the header of a block and its `DONE`.

use thiserror::Error;

use super::command::BlockKind;
use super::database::DatabaseBlock;
use super::text::{BlockEntry, Cursor, leading_integer, split_word};
use tengen_core::types::MAX_POINTS;

/// A block that is being read.
#[derive(Clone, Debug)]
pub(super) struct PartialBlock {
    kind: BlockKind,
    entries: Vec<BlockEntry>,
    error: Option<BlockError>,
    /// True while a quoted text is open, in the blocks that can hold one.
    quoted: bool,
    /// The number behind the header, where it has one.
    argument: Option<i64>,
    /// The numbers behind the header of a command about a database.
    numbers: Vec<i64>,
    /// The text behind the header or in quotation marks.
    text: String,
}

/// The longest text that a block may hold, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// A block that can't be carried out, reported once at its `DONE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum BlockError {
    /// The entry of this number, counted from 1, is not spelled as numbers around commas.
    #[error("stone {0} of the block is not understood")]
    Syntax(usize),
    /// There are more entries than cells on the largest board.
    #[error("the block has more stones than any board has cells")]
    TooMany,
    /// The text has more than [`MAX_TEXT`] bytes.
    #[error("the text is longer than {MAX_TEXT} bytes")]
    LongText,
}

impl PartialBlock {
    /// Opens a block; what is left of the header's line still has to be fed.
    pub(super) fn new(kind: BlockKind) -> PartialBlock {
        PartialBlock {
            kind,
            entries: Vec::new(),
            error: None,
            quoted: false,
            argument: None,
            numbers: Vec::new(),
            text: String::new(),
        }
    }

    /// Returns which block this is.
    pub(super) fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Returns whether a quoted text is open.
    pub(super) fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Returns the number behind the header.
    pub(super) fn argument(&self) -> Option<i64> {
        self.argument
    }

    /// Returns the numbers behind the header of a command about a database.
    pub(super) fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// Returns the text behind the header or in quotation marks.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the entries, or why they can't be used.
    pub(super) fn entries(&self) -> Result<&[BlockEntry], BlockError> {
        self.error.map_or(Ok(&self.entries), Err)
    }

    /// Takes what follows the header on its line; returns whether the block is complete.
    pub(super) fn feed_header(&mut self, rest: &str) -> bool {
        match self.kind {
            BlockKind::Database(command) => self.feed_database_header(command, rest),
            BlockKind::YxSoosorvStep(4 | 5) => {
                let (number, rest) = split_word(rest);
                self.argument = leading_integer(number);
                self.feed(rest)
            }
            _ => self.feed(rest),
        }
    }

    /// Takes one line or a part of it; returns whether the block is complete. What follows `DONE`
    /// on its line is dropped.
    pub(super) fn feed(&mut self, text: &str) -> bool {
        match self.kind {
            BlockKind::Database(DatabaseBlock::EditText) => {
                if self.quoted {
                    self.add_text('\n');
                }
                self.feed_quoted(text)
            }
            _ => self.read(text),
        }
    }

    fn feed_database_header(&mut self, command: DatabaseBlock, rest: &str) -> bool {
        let mut cursor = Cursor::new(rest);
        match command {
            // The older board ends no line between an empty label and what follows it.
            DatabaseBlock::EditLabel if rest.trim().eq_ignore_ascii_case("done") => return true,
            // A text follows, which may hold any word.
            DatabaseBlock::EditLabel => {
                rest.clone_into(&mut self.text);
                return false;
            }
            DatabaseBlock::EditText => {
                if rest.starts_with('"') {
                    return self.feed_quoted(rest);
                }
                // A text of one word needs no quotation marks.
                let (word, _) = split_word(rest);
                let is_text = !word.eq_ignore_ascii_case("done") && cursor.clone().pair().is_none();
                if is_text {
                    cursor.word().clone_into(&mut self.text);
                }
            }
            DatabaseBlock::EditValue => self.numbers = cursor.integers(4),
            DatabaseBlock::DeleteAll => {
                let (word, _) = split_word(rest);
                let is_filter = word.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !word.eq_ignore_ascii_case("done");
                if is_filter {
                    cursor.word().clone_into(&mut self.text);
                    let ahead = cursor.clone().pair();
                    self.numbers = if ahead.is_some() { Vec::new() } else { cursor.integers(1) };
                }
            }
            _ => {}
        }
        self.read(cursor.rest())
    }

    fn read(&mut self, text: &str) -> bool {
        let mut cursor = Cursor::new(text);
        loop {
            let (word, _) = split_word(cursor.rest());
            if word.is_empty() {
                return false;
            }
            if word.eq_ignore_ascii_case("done") {
                return true;
            }
            let mut ahead = cursor.clone();
            if let Some(entry) = ahead.entry() {
                cursor = ahead;
                self.push(entry);
            } else {
                let number = self.entries.len() + 1;
                self.error.get_or_insert(BlockError::Syntax(number));
                cursor.word();
            }
        }
    }

    fn push(&mut self, entry: BlockEntry) {
        if self.entries.len() < MAX_POINTS {
            self.entries.push(entry);
        } else {
            self.error.get_or_insert(BlockError::TooMany);
        }
    }

    /// Takes a line with a text in quotation marks, which may span lines; a backslash takes the
    /// meaning from the character after it. Entries may follow right behind the text.
    fn feed_quoted(&mut self, line: &str) -> bool {
        let mut outside = String::new();
        let mut chars = line.trim_end_matches('\r').chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => self.quoted = !self.quoted,
                '\\' if self.quoted => {
                    if let Some(next) = chars.next() {
                        self.add_text(next);
                    }
                }
                c if self.quoted => self.add_text(c),
                c => outside.push(c),
            }
        }
        self.read(&outside)
    }

    fn add_text(&mut self, c: char) {
        if self.text.len() + c.len_utf8() <= MAX_TEXT {
            self.text.push(c);
        } else {
            self.error.get_or_insert(BlockError::LongText);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_may_stand_on_one_line_or_on_many() {
        for lines in [&["7,7,2 8, 8 ,1 DONE 9"][..], &["7,7,2", "", " 8,8,1 ", "done"]] {
            let mut block = PartialBlock::new(BlockKind::Board);
            let done: Vec<bool> = lines.iter().map(|line| block.feed(line)).collect();
            assert_eq!(done.last(), Some(&true));
            assert_eq!(done.iter().filter(|&&done| done).count(), 1);
            assert_eq!(block.entries().map(<[BlockEntry]>::len), Ok(2));
        }
    }

    #[test]
    fn the_first_error_is_kept_and_does_not_hide_the_end() {
        let mut block = PartialBlock::new(BlockKind::Board);
        assert!(!block.feed("7,7,2"));
        assert!(!block.feed("foo"));
        assert!(block.feed("8,8,x DONE"));
        assert_eq!(block.entries(), Err(BlockError::Syntax(2)));
    }

    #[test]
    fn endless_blocks_take_bounded_memory() {
        let mut block = PartialBlock::new(BlockKind::Board);
        for _ in 0..10_000 {
            block.feed("7,7,1");
        }
        assert_eq!(block.entries(), Err(BlockError::TooMany));
        assert_eq!(block.entries.len(), MAX_POINTS);
    }

    #[test]
    fn quoted_text_does_not_end_a_block() {
        let mut block = PartialBlock::new(BlockKind::Database(DatabaseBlock::EditText));
        assert!(!block.feed_header("\"a \\\"b\\\" done"));
        assert!(!block.feed("done"));
        assert!(!block.feed("c\"7,7"));
        assert!(!block.feed("8,8"));
        assert!(block.feed("done"));
    }
}

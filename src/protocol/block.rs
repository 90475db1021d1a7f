//! The lines between the header of a block and its `DONE`.

use thiserror::Error;

use super::command::BlockKind;
use super::text::{BlockEntry, Cursor, leading_integer, split_word};
use crate::types::MAX_POINTS;

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
}

/// A block that can't be carried out, reported once at its `DONE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum BlockError {
    /// The entry of this number, counted from 1, is not spelled as numbers around commas.
    #[error("stone {0} of the block is not understood")]
    Syntax(usize),
    /// There are more entries than cells on the largest board.
    #[error("the block has more stones than any board has cells")]
    TooMany,
}

impl PartialBlock {
    /// Opens a block; what is left of the header's line still has to be fed.
    pub(super) fn new(kind: BlockKind) -> PartialBlock {
        PartialBlock { kind, entries: Vec::new(), error: None, quoted: false, argument: None }
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

    /// Returns the entries, or why they can't be used.
    pub(super) fn entries(&self) -> Result<&[BlockEntry], BlockError> {
        self.error.map_or(Ok(&self.entries), Err)
    }

    /// Takes what follows the header on its line; returns whether the block is complete.
    pub(super) fn feed_header(&mut self, rest: &str) -> bool {
        match self.kind {
            // A label follows, which may hold any word.
            BlockKind::Skipped("yxeditlabeldatabase") => false,
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
            BlockKind::Skipped("yxedittextdatabase") => {
                let outside = self.without_quotes(text);
                skip(&outside)
            }
            BlockKind::Skipped(_) => skip(text),
            _ => self.read(text),
        }
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

    /// Returns what stands outside quotation marks, which may span lines; a backslash takes the
    /// meaning from the character after it.
    fn without_quotes(&mut self, text: &str) -> String {
        let mut outside = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => self.quoted = !self.quoted,
                '\\' => drop(chars.next()),
                c if !self.quoted => outside.push(c),
                _ => {}
            }
        }
        outside
    }
}

fn skip(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    loop {
        match cursor.word() {
            "" => return false,
            word if word.eq_ignore_ascii_case("done") => return true,
            _ => {}
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
        let mut block = PartialBlock::new(BlockKind::Skipped("yxedittextdatabase"));
        assert!(!block.feed_header("\"a \\\"b\\\" done"));
        assert!(!block.feed("done"));
        assert!(!block.feed("c\"7,7"));
        assert!(!block.feed("8,8"));
        assert!(block.feed("done"));
    }
}

//! Lines of input, and what they belong to.

use std::time::Instant;

use super::block::PartialBlock;
use super::command::Command;
use super::database::DatabaseFile;
use crate::engine::FileAction;

/// One line of input, parsed when it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLine {
    /// The line as a command.
    pub command: Command,
    /// The line as text, for those that are part of something else; bytes that are not UTF-8 are
    /// replaced.
    pub text: String,
    /// The moment at which the line was complete.
    pub at: Instant,
}

impl InputLine {
    /// Parses a line that was complete at `at`, with or without its line end.
    #[must_use]
    pub fn new(bytes: &[u8], at: Instant) -> InputLine {
        let text = String::from_utf8_lossy(bytes).into_owned();
        InputLine { command: Command::parse(bytes), text, at }
    }
}

/// The meaning of the next line.
#[derive(Default)]
pub(super) enum Reading {
    /// A command.
    #[default]
    Commands,
    /// A part of a block.
    Block(PartialBlock),
    /// The path of a file for the database.
    DatabasePath(DatabaseFile),
    /// The path of a file for the transposition table.
    HashPath(FileAction),
}

impl Reading {
    /// Returns whether the next line is the inside of a quoted text, whatever it says.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Reading::Block(block) if block.is_quoted())
    }
}

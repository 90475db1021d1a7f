//! What can go wrong with records.

use std::fmt;
use std::path::{Path, PathBuf};

use super::Format;
use crate::rules::PlayError;

/// A place in a text where something else was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What should be there.
    pub expected: String,
}

impl RecordError {
    /// Adds the name of the file that the text came from.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> RecordError {
        self.file = Some(path.to_owned());
        self
    }
}

impl fmt::Display for RecordError {
    /// Writes file, line and column as compilers do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
        }
        write!(f, "{}:{}: expected {}", self.line, self.column, self.expected)
    }
}

impl std::error::Error for RecordError {}

/// Why a format cannot hold a game at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The moves of the record are no game: off the board or on an occupied cell.
    Moves(PlayError),
    /// The opening of the record is longer than the game.
    Opening,
    /// The format knows colors only by their order, and this game has others.
    Colors(Format),
    /// The format has no way to write a game without moves.
    Empty(Format),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Moves(error) => error.fmt(f),
            WriteError::Opening => write!(f, "the opening is longer than the game"),
            WriteError::Colors(format) => {
                write!(f, "{format} cannot hold games in which a player moves twice")
            }
            WriteError::Empty(format) => write!(f, "{format} cannot hold games without moves"),
        }
    }
}

impl std::error::Error for WriteError {}

//! Errors of readers and writers.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{CodePage, Format, MOST_MOVES};
use crate::printable;
use tengen_core::rules::PlayError;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum RecordPlace {
    /// Of a text.
    #[error("{line}:{column}")]
    Text {
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
    },
    /// The number of a byte, counted from 0.
    #[error("byte {0}")]
    Byte(u64),
}

impl RecordPlace {
    /// Returns the column in characters, counted from 1, if this is a place of a text.
    #[must_use]
    pub const fn column(self) -> Option<usize> {
        match self {
            RecordPlace::Text { column, .. } => Some(column),
            RecordPlace::Byte(_) => None,
        }
    }
}

/// A place where something else was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{place}: expected {expected}", FilePrefix(file, *place))]
pub struct RecordError {
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
    /// The place.
    pub place: RecordPlace,
    /// The thing that should be there.
    pub expected: String,
}

impl RecordError {
    /// Moves the place to another line of the text, counted from 1.
    #[must_use]
    pub fn in_line(mut self, number: usize) -> RecordError {
        if let RecordPlace::Text { line, .. } = &mut self.place {
            *line = number;
        }
        self
    }

    /// Adds the name of the file that the text came from.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> RecordError {
        self.file = Some(path.to_owned());
        self
    }
}

/// The shown length of a message that may quote a file, in characters.
const MOST_OF_MESSAGE: usize = 120;

/// Returns a message, which may quote the file, as one that fits on a line and leaves the terminal
/// alone.
pub fn brief(message: &str) -> String {
    printable::brief(message, MOST_OF_MESSAGE)
}

/// The beginning of a message, as compilers write it.
pub(super) struct FilePrefix<'a>(pub(super) &'a Option<PathBuf>, pub(super) RecordPlace);

impl fmt::Display for FilePrefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = match self.1 {
            RecordPlace::Text { .. } => ":",
            RecordPlace::Byte(_) => ": ",
        };
        self.0.as_ref().map_or(Ok(()), |file| write!(f, "{}{colon}", file.display()))
    }
}

/// The reason why a format cannot hold a game at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// The moves of the record are not a game: off the board or on an occupied cell.
    #[error("{0}")]
    Moves(PlayError),
    /// A game has more than [`MOST_MOVES`](super::MOST_MOVES) moves.
    #[error("the game has more than {MOST_MOVES} moves")]
    TooManyMoves,
    /// The opening of the record is longer than the game.
    #[error("the opening is longer than the game")]
    Opening,
    /// The format knows colours only by their order, and this game has others.
    #[error("{0} cannot hold games in which a player moves twice or passes, or white begins")]
    Colors(Format),
    /// The format knows nothing but moves, and this game has stones that were set up later on.
    #[error("{0} cannot hold games in which the position is changed")]
    SetUp(Format),
    /// The format has no way to write a game without moves.
    #[error("{0} cannot hold games without moves")]
    Empty(Format),
    /// The format is made for one size of the board.
    #[error("{0} holds only games on boards of 15x15")]
    Size(Format),
    /// There is no writer of the format.
    #[error("{0} can be read, but not written")]
    OnlyRead(Format),
    /// The format is not text.
    #[error("{0} is not text")]
    Binary(Format),
    /// The encoding that was asked for lacks letters of a text.
    #[error("{0} lacks letters of a text of the game; utf-8 has all")]
    Letters(CodePage),
    /// The format counts in 32 bits, and that is too few.
    #[error("{0} cannot hold games of 4 GiB")]
    TooLong(Format),
}

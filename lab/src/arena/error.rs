//! The errors of a match.

use std::io;
use std::path::PathBuf;

use tengen_files::records::WriteError;
use tengen_files::resume::{Differences, FileError};

/// The reason why a journal can't be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file failed, is in use, or has a line that is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is something else.
    #[error(
        "{} is not the journal of a match: its first line does not begin with {}",
        .0.display(),
        super::journal::BEGINNING
    )]
    NotAJournal(PathBuf),
    /// The journal is of another match, or of another part of it.
    #[error("{} is of another match: {differences}", .path.display())]
    Different {
        /// The journal.
        path: PathBuf,
        /// The differences.
        differences: Differences,
    },
    /// Two journals have different games of one number.
    #[error("game {game} is not the same in {} and {}", .paths[0].display(), .paths[1].display())]
    Conflict {
        /// The number of the game, counted from 1.
        game: u64,
        /// The journals.
        paths: [PathBuf; 2],
    },
    /// A game is none that a file could hold.
    #[error("game {game} can't be written")]
    Unwritable {
        /// The number of the game, counted from 1.
        game: u64,
        /// The fault found in it.
        #[source]
        error: WriteError,
    },
    /// There is nothing to join.
    #[error("there is no journal to join")]
    Nothing,
    /// A file is in the way that holds something else.
    #[error("{} exists and holds something else: move it away or name another", .0.display())]
    Exists(PathBuf),
}

/// The reason why a match can't go on. What was finished before is in its journal.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A contestant has no program that the system would run, or did not answer before its first game of this run,
    /// so it probably can't play any other.
    #[error("{name} has not been able to start: {detail}")]
    Start {
        /// The name of the contestant.
        name: String,
        /// A sentence about what happened.
        detail: String,
    },
    /// The match can't be played as asked.
    #[error("{0}")]
    Impossible(&'static str),
    /// A finished game is none of the match; its number, counted from 1.
    #[error("the finished game {0} is not one of this match")]
    Foreign(u64),
    /// A thread could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// A thread died; its last words.
    #[error("a thread of the match died: {0}")]
    Died(String),
}

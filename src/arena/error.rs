//! What can go wrong with a match.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::info::Difference;
use crate::records::WriteError;

/// Why a journal can't be used.
#[derive(Debug)]
pub enum JournalError {
    /// A file failed.
    Io {
        /// What was tried, as in `read match.jsonl`.
        action: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The path leads to something that lines can't be added to.
    NotAFile(PathBuf),
    /// Somebody else has the journal open for writing.
    Locked(PathBuf),
    /// The file is something else.
    NotAJournal(PathBuf),
    /// The journal is of another match, or of another part of it.
    Different {
        /// The journal.
        path: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// A line is wrong.
    BadLine {
        /// The journal.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// What is wrong with it.
        fault: String,
    },
    /// Two journals have different games of one number.
    Conflict {
        /// The number of the game, counted from 1.
        game: u64,
        /// The journals.
        paths: [PathBuf; 2],
    },
    /// The journal was changed by somebody else while it was open.
    Changed(PathBuf),
    /// A game is none that a file could hold.
    Unwritable {
        /// The number of the game, counted from 1.
        game: u64,
        /// What is wrong with it.
        error: WriteError,
    },
    /// There is nothing to join.
    Nothing,
    /// A file is in the way that holds something else.
    Exists(PathBuf),
}

impl JournalError {
    pub(super) fn io(verb: &str, path: &Path, error: io::Error) -> JournalError {
        JournalError::Io { action: format!("{verb} {}", path.display()), error }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io { action, .. } => write!(f, "cannot {action}"),
            JournalError::NotAFile(path) => write!(f, "{} is no regular file", path.display()),
            JournalError::Locked(path) => {
                write!(f, "{}: another run is writing to it", path.display())
            }
            JournalError::NotAJournal(path) => write!(
                f,
                "{} is not the journal of a match: its first line does not begin with {}",
                path.display(),
                super::journal::BEGINNING
            ),
            JournalError::Different { path, differences } => {
                write!(f, "{} is of another match: ", path.display())?;
                for (i, difference) in differences.iter().enumerate() {
                    write!(f, "{}{difference}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            JournalError::BadLine { path, line, fault } => {
                write!(f, "{}:{line}: {fault}", path.display())
            }
            JournalError::Conflict { game, paths: [a, b] } => {
                write!(f, "game {game} is not the same in {} and {}", a.display(), b.display())
            }
            JournalError::Changed(path) => {
                write!(f, "{} was changed by somebody else in the meantime", path.display())
            }
            JournalError::Unwritable { game, .. } => write!(f, "game {game} can't be written"),
            JournalError::Exists(path) => write!(
                f,
                "{} exists and holds something else: move it away or name another",
                path.display()
            ),
            JournalError::Nothing => write!(f, "there is no journal to join"),
        }
    }
}

impl Error for JournalError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            JournalError::Io { error, .. } => Some(error),
            JournalError::Unwritable { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Why a match can't go on. What was finished before is in its journal.
#[derive(Debug)]
pub enum ArenaError {
    /// The journal failed.
    Journal(JournalError),
    /// A contestant could not be started for its first game of this run, so it probably can't be
    /// for any other.
    Start {
        /// The name of the contestant.
        name: String,
        /// A sentence about what happened.
        detail: String,
    },
    /// The match can't be played as asked.
    Impossible(&'static str),
    /// A finished game is none of the match; its number, counted from 1.
    Foreign(u64),
    /// A thread could not be started.
    Thread(io::Error),
    /// A thread died; its last words.
    Died(String),
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArenaError::Journal(error) => error.fmt(f),
            ArenaError::Start { name, detail } => {
                write!(f, "{name} has not been able to start: {detail}")
            }
            ArenaError::Impossible(why) => f.write_str(why),
            ArenaError::Foreign(game) => {
                write!(f, "the finished game {game} is not one of this match")
            }
            ArenaError::Thread(_) => write!(f, "cannot start a thread"),
            ArenaError::Died(words) => write!(f, "a thread of the match died: {words}"),
        }
    }
}

impl Error for ArenaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // What the journal says is said already; only what is behind it is new.
            ArenaError::Journal(error) => error.source(),
            ArenaError::Thread(error) => Some(error),
            _ => None,
        }
    }
}

impl From<JournalError> for ArenaError {
    fn from(error: JournalError) -> ArenaError {
        ArenaError::Journal(error)
    }
}

//! What can go wrong with games.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::corpus::HeaderFault;
use super::selfplay::OptionsError;
use crate::openings::Difference;
use crate::rules::Rule;

/// Why games could not be played, kept or read.
#[derive(Debug)]
pub enum GamesError {
    /// The options contradict each other or the board.
    Options(OptionsError),
    /// A file failed.
    Io {
        /// What was tried, as in `read black.games`.
        action: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is no regular one, so nothing can be added to it.
    NotAFile(PathBuf),
    /// The file is no corpus, or not one that this version reads.
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with its beginning.
        fault: HeaderFault,
    },
    /// The corpus was begun with other options.
    Different {
        /// The file.
        path: PathBuf,
        /// The options that differ.
        differences: Vec<Difference>,
    },
    /// A game in the middle of the file is not what was written.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        game: u64,
        /// Where its record begins, in bytes.
        offset: u64,
    },
    /// There are no files to read games from.
    NoFiles,
    /// The games are of another rule than those of the first file.
    OtherRule {
        /// The file.
        path: PathBuf,
        /// Its rule.
        rule: Rule,
        /// The rule of the first file.
        wanted: Rule,
    },
    /// A game has a move that can't be played.
    Unplayable {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        game: u64,
    },
    /// The last game of the corpus would be another one now, so that no more can be added.
    OtherEngine {
        /// The number of the game, counted from 1.
        game: u64,
    },
    /// The corpus was changed while games were being added to it.
    Changed(PathBuf),
    /// No opening could be found.
    Exhausted {
        /// The number of the game, counted from 1.
        game: u64,
        /// How often it was tried.
        attempts: u32,
    },
    /// A thread could not be started.
    Thread(io::Error),
    /// No thread is left that could play.
    Died,
}

impl GamesError {
    /// Wraps an error of the system; `action` is what was tried.
    pub fn io(action: impl Into<String>, error: io::Error) -> GamesError {
        GamesError::Io { action: action.into(), error }
    }
}

impl fmt::Display for GamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GamesError::Options(error) => error.fmt(f),
            GamesError::Io { action, .. } => write!(f, "cannot {action}"),
            GamesError::NotAFile(path) => write!(f, "{} is no regular file", path.display()),
            GamesError::Header { path, fault } => write!(f, "{}: {fault}", path.display()),
            GamesError::Different { path, differences } => {
                write!(f, "{} was begun with other options: ", path.display())?;
                for (i, difference) in differences.iter().enumerate() {
                    write!(f, "{}{difference}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            GamesError::Damaged { path, game, offset } => write!(
                f,
                "{}: game {game}, from byte {offset} on, is damaged, and whole games may follow it",
                path.display()
            ),
            GamesError::NoFiles => write!(f, "there are no files of games"),
            GamesError::OtherRule { path, rule, wanted } => {
                write!(f, "{} is of {rule}, those before of {wanted}", path.display())
            }
            GamesError::Unplayable { path, game } => {
                write!(f, "{}: game {game} has a move that cannot be played", path.display())
            }
            GamesError::OtherEngine { game } => write!(
                f,
                "game {game} was played by another version of the engine: begin a new file"
            ),
            GamesError::Changed(path) => {
                write!(f, "{} was changed by somebody else in the meantime", path.display())
            }
            GamesError::Exhausted { game, attempts } => write!(
                f,
                "no opening for game {game} in {attempts} attempts: a larger window may help"
            ),
            GamesError::Thread(_) => write!(f, "cannot start a thread"),
            GamesError::Died => write!(f, "no thread is left to play"),
        }
    }
}

impl std::error::Error for GamesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GamesError::Io { error, .. } | GamesError::Thread(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OptionsError> for GamesError {
    fn from(error: OptionsError) -> GamesError {
        GamesError::Options(error)
    }
}

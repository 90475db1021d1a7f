//! The errors of games.

use std::path::PathBuf;

use super::corpus::HeaderFault;
use super::selfplay::SelfPlayOptionsError;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::resume::{Differences, FileError};
use tengen_files::work::ThreadError;

/// The reason why games could not be played, kept or read.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The options contradict each other or the board.
    #[error(transparent)]
    Options(#[from] SelfPlayOptionsError),
    /// A file failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a corpus, or not one that this version reads.
    #[error("{}: {fault}", .path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The fault found at its beginning.
        fault: HeaderFault,
    },
    /// The corpus was begun with other options.
    #[error("{} was begun with other options: {differences}", .path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The options that differ.
        differences: Differences,
    },
    /// A game in the middle of the file is not what was written.
    #[error(
        "{}: game {game}, from byte {offset} on, is damaged, and whole games may follow it",
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        game: u64,
        /// The offset of its record, in bytes.
        offset: u64,
    },
    /// There are no files to read games from.
    #[error("there are no files of games")]
    NoFiles,
    /// The games are of another rule than those of the first file.
    #[error("{} is of {rule}, those before of {wanted}", .path.display())]
    OtherRule {
        /// The file.
        path: PathBuf,
        /// Its rule.
        rule: Rule,
        /// The rule of the first file.
        wanted: Rule,
    },
    /// The games are of another board than those of the first file.
    #[error("{} is of {size}, those before of {wanted}", .path.display())]
    OtherSize {
        /// The file.
        path: PathBuf,
        /// Its board.
        size: Size,
        /// The board of the first file.
        wanted: Size,
    },
    /// A game has a move that can't be played.
    #[error("{}: game {game} has a move that cannot be played", .path.display())]
    Unplayable {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        game: u64,
    },
    /// The last game of the corpus would be another one now, so that no more can be added.
    #[error("game {game} was played by another version of the engine: begin a new file")]
    OtherEngine {
        /// The number of the game, counted from 1.
        game: u64,
    },
    /// No opening could be found.
    #[error("no opening for game {game} in {attempts} attempts: a larger window may help")]
    Exhausted {
        /// The number of the game, counted from 1.
        game: u64,
        /// The number of attempts.
        attempts: u32,
    },
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// There is no mind.
    #[error("no thread is left to play")]
    NoMind,
}

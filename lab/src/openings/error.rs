//! The errors of openings.

use std::io;
use std::path::PathBuf;

use super::generate::OpeningFlaw;
use super::options::OpeningOptionsError;
use tengen_files::records::RecordError;
use tengen_files::resume::{Differences, FileError};
use tengen_files::work::ThreadError;

/// The reason why openings could not be made or kept.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The options contradict each other or the board.
    #[error(transparent)]
    Options(#[from] OpeningOptionsError),
    /// A file failed, or a line of it is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The openings can't be written to where they go, if that is not a file.
    #[error("cannot write the openings")]
    Output(#[source] io::Error),
    /// The output has lines but the file that says how they were made is missing.
    #[error(
        "{} has lines already, but there is no {} to say how they were made: move the file away or \
         name another",
        .path.display(),
        .state.display()
    )]
    Foreign {
        /// The output.
        path: PathBuf,
        /// The file that is missing.
        state: PathBuf,
    },
    /// The output was begun with other options.
    #[error("{} was begun with other options: {differences}", .path.display())]
    Different {
        /// The output.
        path: PathBuf,
        /// The options that differ.
        differences: Differences,
    },
    /// The file that says how the output was made can't be understood.
    #[error("{}: {fault}", .path.display())]
    BadState {
        /// The file.
        path: PathBuf,
        /// The fault found in it.
        fault: String,
    },
    /// A line of the output is not an opening; the error names the file too.
    #[error(transparent)]
    BadLine(RecordError),
    /// A line of the output is an opening that would not have been made.
    #[error("{}:{line}: {fault}", .path.display())]
    BadOpening {
        /// The output.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// The fault found in it.
        fault: OpeningFlaw,
    },
    /// Two lines of the output are the same opening.
    #[error("{}:{}: the same opening as in line {}", .path.display(), .lines.1, .lines.0)]
    Repeated {
        /// The output.
        path: PathBuf,
        /// The numbers of the lines, counted from 1.
        lines: (u64, u64),
    },
    /// No balanced opening could be found.
    #[error(
        "no balanced opening number {number} in {attempts} attempts: a larger window, box or number \
         of stones may help"
    )]
    Exhausted {
        /// The number of the opening, counted from 1.
        number: u64,
        /// The number of attempts.
        attempts: u32,
    },
    /// The run was asked to stop. What was made before is kept.
    #[error("stopped")]
    Stopped,
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// There is no searcher.
    #[error("no thread is left to search")]
    NoSearcher,
}

//! The errors of files.

use std::io;
use std::path::{Path, PathBuf};

use super::sums::BadSum;

/// The reason why a file can't be read, written or resumed.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused something.
    #[error("cannot {action}")]
    Io {
        /// The action that was tried, as in `read match.jsonl`.
        action: String,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The path leads to something that is not a file on a disk.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// Another program has the file open for writing.
    #[error("{}: another run is writing to it", .0.display())]
    Locked(PathBuf),
    /// Another program changed the file while it was open.
    #[error("{} was changed by another program meanwhile", .0.display())]
    Changed(PathBuf),
    /// A line is wrong.
    #[error("{}:{line}: {fault}", .path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// The fault found in it.
        fault: String,
    },
    /// A line is not what was written.
    #[error("{}:{line}: {error}", .path.display())]
    BadSum {
        /// The file.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// The fault.
        error: BadSum,
    },
}

impl FileError {
    /// Wraps an error of the system, met when something was done to a file.
    pub fn io(verb: &str, path: &Path, error: io::Error) -> FileError {
        FileError::Io { action: format!("{verb} {}", path.display()), error }
    }
}

//! What can go wrong.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::generate::Fault;
use super::options::OptionsError;
use crate::records::RecordError;

/// An option that a file of openings was begun with and that is another now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The name of the option.
    pub name: &'static str,
    /// The value that the file was begun with.
    pub begun: String,
    /// The value now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (now {})", self.name, self.begun, self.now)
    }
}

/// Why openings could not be made or kept.
#[derive(Debug)]
pub enum OpeningsError {
    /// The options contradict each other or the board.
    Options(OptionsError),
    /// A file or stream failed.
    Io {
        /// What was tried, as in `read openings.txt`.
        action: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The output exists and is not something that lines can be added to.
    NotAFile(PathBuf),
    /// The output has lines but the file that says how they were made is missing.
    Foreign {
        /// The output.
        path: PathBuf,
        /// The file that is missing.
        state: PathBuf,
    },
    /// The output was begun with other options.
    Different {
        /// The output.
        path: PathBuf,
        /// The options that differ.
        differences: Vec<Difference>,
    },
    /// The file that says how the output was made can't be understood.
    BadState {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// A line of the output is no opening; the error tells the file too.
    BadLine(RecordError),
    /// A line of the output is an opening that would not have been made.
    BadOpening {
        /// The output.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: Fault,
    },
    /// Two lines of the output are the same opening.
    Repeated {
        /// The output.
        path: PathBuf,
        /// The numbers of the lines, counted from 1.
        lines: (usize, usize),
    },
    /// The output was changed while openings were being added to it.
    Changed(PathBuf),
    /// No balanced opening could be found.
    Exhausted {
        /// The number of the opening, counted from 1.
        number: u64,
        /// How often it was tried.
        attempts: u32,
    },
    /// A thread could not be started.
    Thread(io::Error),
    /// No thread is left that could search.
    Died,
}

impl OpeningsError {
    /// Wraps an error of the system; `action` is what was tried.
    pub fn io(action: impl Into<String>, error: io::Error) -> OpeningsError {
        OpeningsError::Io { action: action.into(), error }
    }
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsError::Options(error) => error.fmt(f),
            OpeningsError::Io { action, .. } => write!(f, "cannot {action}"),
            OpeningsError::NotAFile(path) => {
                write!(f, "{} is no regular file", path.display())
            }
            OpeningsError::Foreign { path, state } => write!(
                f,
                "{} has lines already, but there is no {} to say how they were made: move the \
                 file away or name another",
                path.display(),
                state.display()
            ),
            OpeningsError::Different { path, differences } => {
                write!(f, "{} was begun with other options: ", path.display())?;
                for (i, difference) in differences.iter().enumerate() {
                    write!(f, "{}{difference}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            OpeningsError::BadState { path, fault } => write!(f, "{}: {fault}", path.display()),
            OpeningsError::BadLine(error) => error.fmt(f),
            OpeningsError::BadOpening { path, line, fault } => {
                write!(f, "{}:{line}: {fault}", path.display())
            }
            OpeningsError::Repeated { path, lines: (first, second) } => {
                write!(f, "{}:{second}: the same opening as in line {first}", path.display())
            }
            OpeningsError::Changed(path) => {
                write!(f, "{} was changed by somebody else in the meantime", path.display())
            }
            OpeningsError::Exhausted { number, attempts } => write!(
                f,
                "no balanced opening number {number} in {attempts} attempts: a larger window, \
                 box or number of stones may help"
            ),
            OpeningsError::Thread(_) => write!(f, "cannot start a thread"),
            OpeningsError::Died => write!(f, "no thread is left to search"),
        }
    }
}

impl std::error::Error for OpeningsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OpeningsError::Io { error, .. } | OpeningsError::Thread(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OptionsError> for OpeningsError {
    fn from(error: OptionsError) -> OpeningsError {
        OpeningsError::Options(error)
    }
}

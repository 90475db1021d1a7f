//! Why a table is not loaded.

use std::fmt;
use std::io;

use crate::sys::memory::AllocError;

/// The reason why a table could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The input cannot be opened or read.
    Io(io::Error),
    /// The input is something else: it does not begin as a table does.
    Foreign {
        /// What it begins with; zero where it has ended.
        found: [u8; 8],
    },
    /// The input is of another version of the format.
    Version {
        /// The version that can be read.
        expected: u32,
        /// That of the input.
        found: u32,
    },
    /// The table was made under other circumstances.
    Identity {
        /// The identity asked for.
        expected: u64,
        /// That of the table.
        found: u64,
    },
    /// The table needs more memory than is allowed.
    TooLarge {
        /// The bytes that it needs.
        needed: u128,
        /// The bytes that it may have.
        allowed: usize,
    },
    /// The memory is allowed but cannot be had.
    Memory(AllocError),
    /// The input ends too early.
    Truncated {
        /// The number of bytes that the input has at least if it is whole.
        expected: u64,
        /// The number of bytes that it has.
        found: u64,
    },
    /// Something follows the table in its file.
    TooLong {
        /// The number of bytes up to the end of the table.
        expected: u64,
        /// The number of bytes of the file.
        found: u64,
    },
    /// The input was damaged.
    Checksum {
        /// Where the checksum is.
        offset: u64,
        /// What it must be for what stands before it.
        expected: u32,
        /// What it is.
        found: u32,
    },
    /// The input was damaged, or written by something that does not know the format.
    Malformed {
        /// Where the fault is.
        offset: u64,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(error) => error.fmt(f),
            LoadError::Foreign { found } => write!(
                f,
                "not a saved table: begins with \"{}\" instead of \"{}\"",
                found.escape_ascii(),
                super::MAGIC.escape_ascii()
            ),
            LoadError::Version { expected, found } => {
                write!(f, "format version {found} instead of {expected}")
            }
            LoadError::Identity { expected, found } => write!(
                f,
                "saved under other circumstances (version, rule, board size or evaluator): \
                 identity {found:016x} instead of {expected:016x}"
            ),
            LoadError::TooLarge { needed, allowed } => write!(
                f,
                "the table needs {needed} bytes of memory ({} MiB), but only {allowed} are allowed",
                needed.div_ceil(1 << 20)
            ),
            LoadError::Memory(error) => error.fmt(f),
            LoadError::Truncated { expected, found } => {
                write!(f, "ends too early: has {found} bytes instead of at least {expected}")
            }
            LoadError::TooLong { expected, found } => {
                write!(f, "goes on after the table: has {found} bytes instead of {expected}")
            }
            LoadError::Checksum { offset, expected, found } => write!(
                f,
                "damaged: checksum {found:08x} instead of {expected:08x} at byte {offset}"
            ),
            LoadError::Malformed { offset, expected, found } => {
                write!(f, "damaged: expected {expected} at byte {offset}, found {found}")
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Their texts are given as this error's own, so what they come from is next.
            LoadError::Io(error) => error.source(),
            LoadError::Memory(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        LoadError::Io(error)
    }
}

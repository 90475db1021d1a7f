//! The errors of loading a table.

use std::io;

use crate::sys::memory::AllocError;

/// An error in loading a table.
#[derive(Debug, thiserror::Error)]
pub enum TableLoadError {
    /// The input cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input is not a table, judging by its first bytes.
    #[error(
        "not a saved table: begins with \"{}\" instead of \"{}\"",
        .found.escape_ascii(),
        super::MAGIC.escape_ascii()
    )]
    Foreign {
        /// The first bytes of the input; zero after its end.
        found: [u8; 8],
    },
    /// The input has another format version.
    #[error("format version {found} instead of {expected}")]
    Version {
        /// The supported version.
        expected: u32,
        /// The version of the input.
        found: u32,
    },
    /// The table has another identity.
    #[error(
        "saved under other circumstances (version, rule, board size or evaluator): \
         identity {found:016x} instead of {expected:016x}"
    )]
    Identity {
        /// The requested identity.
        expected: u64,
        /// The identity of the table.
        found: u64,
    },
    /// The table needs more memory than is allowed.
    #[error(
        "the table needs {needed} bytes of memory ({} MiB), but only {allowed} are allowed",
        .needed.div_ceil(1 << 20)
    )]
    TooLarge {
        /// The number of bytes needed.
        needed: u128,
        /// The number of bytes allowed.
        allowed: usize,
    },
    /// The memory is allowed but cannot be allocated.
    #[error(transparent)]
    Memory(AllocError),
    /// The input ends too early.
    #[error("ends too early: has {found} bytes instead of at least {expected}")]
    Truncated {
        /// The least number of bytes that a whole input would have.
        expected: u64,
        /// The number of bytes of the input.
        found: u64,
    },
    /// Something follows the table in its file.
    #[error("continues after the table: {found} bytes instead of {expected}")]
    TooLong {
        /// The number of bytes up to the end of the table.
        expected: u64,
        /// The number of bytes of the file.
        found: u64,
    },
    /// The input is damaged.
    #[error("damaged: checksum {found:08x} instead of {expected:08x} at byte {offset}")]
    Checksum {
        /// The offset of the checksum.
        offset: u64,
        /// The checksum of the bytes before it.
        expected: u32,
        /// The checksum in the input.
        found: u32,
    },
    /// The input is damaged or was written by a program that does not follow the format.
    #[error("damaged: expected {expected} at byte {offset}, found {found}")]
    Malformed {
        /// The offset of the fault.
        offset: u64,
        /// The value expected there.
        expected: &'static str,
        /// The value in the input.
        found: u64,
    },
}

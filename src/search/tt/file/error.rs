//! The errors of loading a table.

use std::io;

use crate::sys::memory::AllocError;

/// The reason why a table could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum TableLoadError {
    /// The input cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input is something else than a table, by its first bytes.
    #[error(
        "not a saved table: begins with \"{}\" instead of \"{}\"",
        .found.escape_ascii(),
        super::MAGIC.escape_ascii()
    )]
    Foreign {
        /// Its first bytes; zero after its end.
        found: [u8; 8],
    },
    /// The input is of another version of the format.
    #[error("format version {found} instead of {expected}")]
    Version {
        /// The version that can be read.
        expected: u32,
        /// That of the input.
        found: u32,
    },
    /// The table was made under other circumstances.
    #[error(
        "saved under other circumstances (version, rule, board size or evaluator): \
         identity {found:016x} instead of {expected:016x}"
    )]
    Identity {
        /// The identity asked for.
        expected: u64,
        /// That of the table.
        found: u64,
    },
    /// The table needs more memory than is allowed.
    #[error(
        "the table needs {needed} bytes of memory ({} MiB), but only {allowed} are allowed",
        .needed.div_ceil(1 << 20)
    )]
    TooLarge {
        /// The bytes that it needs.
        needed: u128,
        /// The bytes that it may have.
        allowed: usize,
    },
    /// The memory is allowed but cannot be had.
    #[error(transparent)]
    Memory(AllocError),
    /// The input ends too early.
    #[error("ends too early: has {found} bytes instead of at least {expected}")]
    Truncated {
        /// The number of bytes that the input has at least if it is whole.
        expected: u64,
        /// The number of bytes that it has.
        found: u64,
    },
    /// Something follows the table in its file.
    #[error("goes on after the table: has {found} bytes instead of {expected}")]
    TooLong {
        /// The number of bytes up to the end of the table.
        expected: u64,
        /// The number of bytes of the file.
        found: u64,
    },
    /// The input was damaged.
    #[error("damaged: checksum {found:08x} instead of {expected:08x} at byte {offset}")]
    Checksum {
        /// Where the checksum is.
        offset: u64,
        /// The checksum of the bytes before it.
        expected: u32,
        /// The checksum in the input.
        found: u32,
    },
    /// The input was damaged, or written by something that does not know the format.
    #[error("damaged: expected {expected} at byte {offset}, found {found}")]
    Malformed {
        /// Where the fault is.
        offset: u64,
        /// The value that belongs there.
        expected: &'static str,
        /// The value in the input.
        found: u64,
    },
}

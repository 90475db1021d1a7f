//! Errors of libraries.

use std::io;

use thiserror::Error;

use crate::records::{RecordError, RecordPlace};

/// The reason why a library can't be read.
#[derive(Debug, Error)]
pub enum LibError {
    /// The source of the bytes fails.
    #[error("cannot read the library")]
    Io(#[from] io::Error),
    /// Something else was expected.
    #[error("byte {at}: expected {expected}")]
    Expected {
        /// The number of the byte, counted from 0.
        at: u64,
        /// The thing that should be there.
        expected: &'static str,
    },
}

impl From<LibError> for RecordError {
    /// Makes an error without a file name.
    fn from(error: LibError) -> RecordError {
        let (at, expected) = match error {
            LibError::Expected { at, expected } => (at, expected.to_owned()),
            LibError::Io(error) => (0, format!("a file that can be read ({error})")),
        };
        RecordError { file: None, place: RecordPlace::Byte(at), expected }
    }
}

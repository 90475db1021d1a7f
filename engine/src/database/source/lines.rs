//! Texts with a fact on each line.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use super::SourceError;
use tengen_files::records::{BYTE_ORDER_MARK, brief};

/// The longest line that is read, in bytes.
const MOST_LINE: u64 = 64 << 20;

/// The lines of a text but for those that are blank, read one at a time.
#[derive(Debug)]
pub(super) struct SourceLines<R> {
    path: PathBuf,
    input: R,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<R: BufRead> SourceLines<R> {
    /// Returns the lines of a text; errors name it `path`.
    pub(super) fn new(path: &Path, input: R) -> SourceLines<R> {
        SourceLines { path: path.to_owned(), input, line: Vec::new(), number: 0, bytes: 0 }
    }

    /// Returns the next line with its end, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the text can't be read, or if the line is longer than 64 MiB.
    pub(super) fn next_line(&mut self) -> Result<Option<&[u8]>, SourceError> {
        loop {
            self.line.clear();
            let mut part = self.input.by_ref().take(MOST_LINE);
            let read = part.read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| SourceError::Io { path: self.path.clone(), error })?;
            if read == 0 {
                return Ok(None);
            }
            self.bytes += read as u64;
            self.number += 1;
            if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
            }
            if read as u64 == MOST_LINE && self.line.last() != Some(&b'\n') {
                return Err(self.fault("the line is too long"));
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(&self.line));
            }
        }
    }

    /// Returns an error about the line that was read last, which may quote it.
    pub(super) fn fault(&self, fault: impl AsRef<str>) -> SourceError {
        let fault = brief(fault.as_ref());
        SourceError::Line { path: self.path.clone(), line: self.number, fault }
    }

    /// Returns the number of the line that was read last, counted from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Returns how many bytes were read.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }
}

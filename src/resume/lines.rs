//! Reading a file that grows by lines.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use super::FileError;

/// The longest line that is read, in bytes: far beyond any that is written.
const LONGEST_LINE: usize = 16 << 20;

/// The lines of a file that have an end. What follows the last of them is torn: the part of a line
/// that an interrupted run left.
#[derive(Debug)]
pub struct WholeLines<'a> {
    path: &'a Path,
    reader: BufReader<&'a File>,
    bytes: Vec<u8>,
    number: u64,
    whole: u64,
}

impl<'a> WholeLines<'a> {
    /// Begins to read an open file from its start; `path` is for messages.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn new(path: &'a Path, mut file: &'a File) -> Result<WholeLines<'a>, FileError> {
        file.rewind().map_err(|error| FileError::io("read", path, error))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        Ok(WholeLines { path, reader, bytes: Vec::new(), number: 0, whole: 0 })
    }

    /// Returns the next line without its end.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read, or if the line is too long or not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<&str>, FileError> {
        self.bytes.clear();
        let len = (&mut self.reader)
            .take(LONGEST_LINE as u64)
            .read_until(b'\n', &mut self.bytes)
            .map_err(|error| FileError::io("read", self.path, error))?;
        if len == LONGEST_LINE {
            self.number += 1;
            return Err(self.bad("the line is too long"));
        }
        if !self.bytes.ends_with(b"\n") {
            return Ok(None);
        }
        self.number += 1;
        let Ok(text) = str::from_utf8(&self.bytes) else {
            return Err(self.bad("the line is not UTF-8"));
        };
        self.whole += len as u64;
        // An editor may have ended it otherwise.
        let text = &text[..len - 1];
        Ok(Some(text.strip_suffix('\r').unwrap_or(text)))
    }

    /// Returns the number of the line read last, counted from 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the bytes of the lines read so far, with their ends.
    #[must_use]
    pub const fn whole(&self) -> u64 {
        self.whole
    }

    /// Returns what is torn, once there are no more lines.
    #[must_use]
    pub fn torn(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns an error of the line read last.
    pub fn bad(&self, fault: impl Into<String>) -> FileError {
        FileError::BadLine { path: self.path.to_owned(), line: self.number, fault: fault.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn lines_end_with_the_last_one_that_is_whole() {
        let file = file(b"one\r\n\ntwo\ntor");
        let mut lines = WholeLines::new(Path::new("some"), &file).unwrap();
        for (number, text, whole) in [(1, "one", 5), (2, "", 6), (3, "two", 10)] {
            assert_eq!(lines.next_line().unwrap(), Some(text));
            assert_eq!((lines.number(), lines.whole()), (number, whole));
        }
        assert_eq!(lines.next_line().unwrap(), None);
        assert_eq!((lines.number(), lines.whole(), lines.torn()), (3, 10, &b"tor"[..]));
    }

    #[test]
    fn damage_is_an_error_with_its_place() {
        let long = [b"x\n".to_vec(), vec![b'y'; LONGEST_LINE + 1]].concat();
        let cases: [(&[u8], &str); 2] = [
            (b"x\n\xff\nz\n", "some:2: the line is not UTF-8"),
            (&long, "some:2: the line is too long"),
        ];
        for (bytes, message) in cases {
            let file = file(bytes);
            let mut lines = WholeLines::new(Path::new("some"), &file).unwrap();
            assert_eq!(lines.next_line().unwrap(), Some("x"));
            assert_eq!(lines.next_line().unwrap_err().to_string(), message);
        }
    }
}

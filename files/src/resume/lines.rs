//! Reading a file that grows by lines.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use super::FileError;
use super::sums::{BadSum, without_sum};

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
    /// True if the lines have checksums, once that is known.
    is_summed: Option<bool>,
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
        let (bytes, is_summed) = (Vec::new(), None);
        Ok(WholeLines { path, reader, bytes, number: 0, whole: 0, is_summed })
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

    /// Returns the next line without its end and its checksum.
    ///
    /// If the first line has a checksum, all have to: a file of an earlier version has none there, and
    /// may have some in lines that were added later.
    ///
    /// # Errors
    ///
    /// Returns an error as [`WholeLines::next_line`] does, and if a checksum is missing or does not fit.
    pub fn next_summed(&mut self) -> Result<Option<String>, FileError> {
        let before = self.whole;
        let line = self.checked_line();
        if line.is_err() {
            // What is added behind a damaged line is lost to the next reader.
            self.whole = before;
        }
        line
    }

    /// Reads the next line and looks at its checksum.
    fn checked_line(&mut self) -> Result<Option<String>, FileError> {
        let Some(text) = self.next_line()? else {
            // All but the last byte of a line that was torn may be there, and nothing else in its place.
            let len = self.bytes.len().saturating_sub(1);
            let is_whole = str::from_utf8(&self.bytes[..len])
                .is_ok_and(|text| matches!(without_sum(text), Ok(Some(_))));
            self.number += u64::from(is_whole);
            return if is_whole {
                Err(self.bad("damaged: the end of the line is something else"))
            } else {
                Ok(None)
            };
        };
        let (line, unsummed) = match without_sum(text) {
            Ok(Some(line)) => (line, false),
            Ok(None) => (text.to_owned(), true),
            Err(error) => return Err(self.bad_sum(error)),
        };
        match self.is_summed {
            Some(true) if unsummed => Err(self.bad("damaged: the checksum is missing")),
            Some(_) => Ok(Some(line)),
            None => {
                self.is_summed = Some(!unsummed);
                Ok(Some(line))
            }
        }
    }

    fn bad_sum(&self, error: BadSum) -> FileError {
        FileError::BadSum { path: self.path.to_owned(), line: self.number, error }
    }

    /// Returns the number of the line read last, counted from 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the bytes of the lines read so far, with their ends; a line that is an error is none.
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
    use super::super::sums::with_sum;
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

    /// Reads all lines with their checksums.
    fn summed(bytes: &[u8]) -> Result<Vec<String>, String> {
        let file = file(bytes);
        let mut lines = WholeLines::new(Path::new("some"), &file).unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next_summed().map_err(|error| error.to_string())? {
            read.push(line);
        }
        Ok(read)
    }

    #[test]
    fn lines_have_checksums_if_the_first_one_has() {
        let [one, two] = ["{\"a\":1}", "{\"b\":2}"].map(|line| with_sum(line) + "\n");
        let both = Ok(vec!["{\"a\":1}".to_owned(), "{\"b\":2}".to_owned()]);
        assert_eq!(summed([&one[..], &two].concat().as_bytes()), both);
        assert_eq!(summed(["{\"a\":1}\n", &two].concat().as_bytes()), both);
        assert_eq!(summed(b"{\"a\":1}\n{\"b\":2}\n"), both);
        let missing = summed([&one, "{\"b\":2}\n"].concat().as_bytes());
        assert_eq!(missing, Err("some:2: damaged: the checksum is missing".to_owned()));
    }

    #[test]
    fn what_is_whole_ends_before_a_damaged_line() {
        let one = with_sum("{\"a\":1}") + "\n";
        let misfit = with_sum("{\"b\":2}").replace('2', "3") + "\n";
        for damaged in [&misfit[..], "{\"b\":2}\n", "\u{7f}\n"] {
            let file = file([&one, damaged, &one].concat().as_bytes());
            let mut lines = WholeLines::new(Path::new("some"), &file).unwrap();
            assert!(lines.next_summed().unwrap().is_some());
            lines.next_summed().unwrap_err();
            assert_eq!((lines.number(), lines.whole()), (2, one.len() as u64), "{damaged}");
        }
    }

    #[test]
    fn every_flipped_bit_is_found_in_its_line_and_every_torn_end_is_left_out() {
        let lines = ["{\"a\":1}", "ahead: 7", "{\"b\":[2,3]}"].map(|line| with_sum(line) + "\n");
        let whole = lines.concat().into_bytes();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let line = 1 + whole[..bit / 8].iter().filter(|&&byte| byte == b'\n').count();
            // A damaged checksum of the first line is missing there; what it says is for others to judge.
            if line > 1 || summed(&bytes).is_err() {
                let error = summed(&bytes).unwrap_err();
                assert!(error.starts_with(&format!("some:{line}: ")), "{bit} {error}");
            }
        }
        let before = lines[..2].concat().len();
        for len in before..whole.len() {
            assert_eq!(summed(&whole[..len]).unwrap().len(), 2, "{len}");
        }
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

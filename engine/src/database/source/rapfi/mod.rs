//! Databases of Rapfi, and of Yixin before it (`.db`), and the text that both write of them.
//!
//! All numbers are little-endian. The content, which may be compressed as an LZ4 frame, is a count of
//! 32 bits and that many records:
//!
//! | bytes | what |
//! | --- | --- |
//! | 2 | the length of the key; 0 is not a record, and nothing follows |
//! | 3 | the rule (freestyle, standard, renju), width, height |
//! | 2 each | x and y of the black stones, then of the white ones; `FF FF` is a pass |
//! | 2 | the length of the value, whose parts may be missing from the end |
//! | 1 | the label |
//! | 2 | the value for the side to move |
//! | 2 | four times the depth, and the bound |
//! | … | board texts and a comment |
//!
//! Of an even number of places half are black and black is to move, of an odd one the larger half.
//! A record of a board of 0×0 says that the texts after it are UTF-8; those of older files are of
//! whatever encoding their writer had.

mod content;
mod remarks;
#[cfg(test)]
mod tests;
mod text;

use std::io::Read;
use std::path::PathBuf;

pub use text::{TEXT_HEADER, TextFacts, is_rapfi_text, to_rapfi_text};

use super::{Fact, FactSource, SourceError};
use crate::database::{BoardFacts, Placement};
use content::{Content, MAGIC};
use remarks::split_remarks;
use tengen_core::board::Board;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Size};
use tengen_files::records::CodePage;

/// The rules by their numbers.
const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];
/// The bytes of a key before the first stone.
const KEY_HEAD: usize = 3;
/// Both bytes of a pass.
const PASS: u8 = 0xff;
/// The bytes of a value before the texts.
const VALUE_HEAD: usize = 5;
/// The text of the record that names the encoding.
const CHARSET: &[u8] = b"charset=\"UTF-8\"";

/// Returns whether a file that begins like this can only be a database of Rapfi. A kilobyte is enough.
#[must_use]
pub fn is_rapfi(start: &[u8]) -> bool {
    if start.starts_with(&MAGIC) {
        return true;
    }
    let Some((&[a, b, c, d], rest)) = start.split_first_chunk::<4>() else { return false };
    match (u32::from_le_bytes([a, b, c, d]), rest.split_first_chunk::<2>()) {
        (0, _) => rest.is_empty(),
        (_, Some((&len, rest))) => {
            let key = rest.get(..usize::from(u16::from_le_bytes(len)));
            key.is_some_and(|key| placement(key).is_ok() || is_about_file(key))
        }
        (_, None) => false,
    }
}

/// Returns whether a key is of no board, so that the record is about the file.
fn is_about_file(key: &[u8]) -> bool {
    matches!(key, [_, 0, 0, ..])
}

/// Returns the position of a key.
fn placement(key: &[u8]) -> Result<Placement, String> {
    let &[rule, width, height, ref cells @ ..] = key else {
        return Err(format!("{KEY_HEAD} bytes of a key were expected"));
    };
    let rule = RULES.get(usize::from(rule)).ok_or_else(|| format!("there is no rule {rule}"))?;
    let size = Size::new(width.into(), height.into());
    let size = size.map_err(|_| format!("there is no board of {width}x{height}"))?;
    let places = cells.len() / 2;
    let (mut board, mut passes) = (Board::new(size), 0);
    for (number, cell) in cells.chunks_exact(2).enumerate() {
        let color = if number < places.div_ceil(2) { Color::Black } else { Color::White };
        let (x, y) = (cell[0], cell[1]);
        if (x, y) == (PASS, PASS) {
            passes += 1;
            continue;
        }
        let point = size.point(x.into(), y.into()).filter(|&point| board.is_empty(point));
        let point = point.ok_or_else(|| format!("no stone can be at {x},{y}"))?;
        board.place(point, color);
    }
    if passes > 1 {
        return Err("there are two passes".to_owned());
    }
    let to_move = Color::to_move_after(places);
    Placement::new(*rule, board, to_move).map_err(|error| error.to_string())
}

/// The positions of a database, in the order of the file. One record at a time is in memory.
#[derive(Debug)]
pub struct RapfiFacts<R: Read> {
    path: PathBuf,
    content: Content<R>,
    page: Option<CodePage>,
    /// True if the file has said that the texts are UTF-8.
    is_utf_8: bool,
    /// The number of records.
    records: u32,
    /// The number of those that were read.
    done: u32,
    has_ended: bool,
}

impl<R: Read> RapfiFacts<R> {
    /// Returns the positions of a database. Texts of which the file does not say that they are UTF-8, and
    /// those that are not, are of the encoding `page`. Errors name it `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if not even the number of records can be read.
    pub fn new(
        path: PathBuf,
        source: R,
        page: Option<CodePage>,
    ) -> Result<RapfiFacts<R>, SourceError> {
        let content = match Content::new(source) {
            Ok(content) => content,
            Err(error) => return Err(SourceError::Io { path, error }),
        };
        let mut facts = RapfiFacts {
            path,
            content,
            page,
            is_utf_8: false,
            records: 0,
            done: 0,
            has_ended: false,
        };
        let mut count = [0; 4];
        count.copy_from_slice(&facts.bytes(4, "the number of records")?);
        facts.records = u32::from_le_bytes(count);
        Ok(facts)
    }

    /// Reads bytes, of which the end of the content must not cut off any.
    fn bytes(&mut self, len: usize, what: &str) -> Result<Vec<u8>, SourceError> {
        let at = self.content.at();
        let bytes = self.content.take_bytes(len).map_err(|error| self.failed(error))?;
        if bytes.len() < len {
            let fault = format!("the file ends inside of {what}");
            return Err(self.fault(at + bytes.len() as u64, fault));
        }
        Ok(bytes)
    }

    /// Reads a length and as many bytes.
    fn block(&mut self, what: &str) -> Result<Vec<u8>, SourceError> {
        let len = self.bytes(2, what)?;
        self.bytes(usize::from(u16::from_le_bytes([len[0], len[1]])), what)
    }

    fn failed(&self, error: std::io::Error) -> SourceError {
        match content::damage(&error) {
            Some(fault) => self.fault(self.content.at(), fault),
            None => SourceError::Io { path: self.path.clone(), error },
        }
    }

    fn fault(&self, at: u64, fault: impl Into<String>) -> SourceError {
        SourceError::Byte { path: self.path.clone(), at, fault: fault.into() }
    }

    /// Reads the next record that is one of a position.
    fn record(&mut self) -> Result<Option<Fact>, SourceError> {
        while self.done < self.records {
            self.done += 1;
            let what = format!("record {} of {}", self.done, self.records);
            let at = self.content.at();
            let key = self.block(&what)?;
            if key.is_empty() {
                continue;
            }
            let value_at = self.content.at() + 2;
            let value = self.block(&what)?;
            if is_about_file(&key) {
                self.is_utf_8 |=
                    value.get(VALUE_HEAD..).is_some_and(|text| text.starts_with(CHARSET));
                continue;
            }
            let wrong = |fault| self.fault(at, format!("{what}: {fault}"));
            let placement = placement(&key).map_err(wrong)?;
            let mut entry = facts_of(&value).entry();
            if let Some(text) = value.get(VALUE_HEAD..).filter(|text| !text.is_empty()) {
                let text = self.decode(text, value_at + VALUE_HEAD as u64)?;
                (entry.board_texts, entry.text) = split_remarks(&text, placement.size());
            }
            return Ok(Some(Fact { placement, entry, is_new_game: false }));
        }
        let at = self.content.at();
        match self.content.end().map_err(|error| self.failed(error))? {
            Some(fault) => Err(self.fault(at, fault)),
            None => Ok(None),
        }
    }

    /// Returns a text, which begins at byte `at`. Old programs left NUL behind.
    fn decode(&self, bytes: &[u8], at: u64) -> Result<String, SourceError> {
        let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
        let page = match (std::str::from_utf8(&bytes), self.page) {
            (Ok(_), None) => CodePage::UTF_8,
            (Ok(_), Some(_)) if self.is_utf_8 => CodePage::UTF_8,
            (_, Some(page)) => page,
            (Err(_), None) => {
                let fault = "the text is not UTF-8: its encoding has to be named, such as gbk";
                return Err(self.fault(at, fault));
            }
        };
        page.try_decode(&bytes).map_err(|_| self.fault(at, format!("the text is not {page}")))
    }
}

/// Returns the numbers of a value.
fn facts_of(value: &[u8]) -> BoardFacts {
    let word = |at: usize| {
        let bytes = value.get(at..at + 2).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, i16::from_le_bytes)
    };
    let depth_and_bound = word(3);
    BoardFacts {
        label: value.first().map_or(0, |&label| i32::from(label as i8)),
        value: word(1).into(),
        depth: depth_and_bound >> 2,
        bound: (depth_and_bound & 3) as u8,
        shown: String::new(),
    }
}

impl<R: Read> FactSource for RapfiFacts<R> {
    /// Returns the next position; after an error there is nothing more.
    fn next_fact(&mut self) -> Result<Option<Fact>, SourceError> {
        if self.has_ended {
            return Ok(None);
        }
        let fact = self.record();
        self.has_ended = !matches!(fact, Ok(Some(_)));
        fact
    }

    fn bytes_read(&self) -> u64 {
        self.content.source_bytes()
    }
}

//! Where knowledge comes from: files that are read into a database.
//!
//! A source yields [`Fact`]s, one after the other. A new kind of file is a new one of the
//! modules here, and a line where the command line chooses among them.

mod games;
mod json;
mod lines;
mod rapfi;
mod renlib;

use std::collections::BTreeMap;
use std::path::PathBuf;

use thiserror::Error;

pub use games::facts_of_record;
pub use json::{JsonFacts, is_json, to_json};
pub use rapfi::{RapfiFacts, TEXT_HEADER, TextFacts, is_rapfi, is_rapfi_text, to_rapfi_text};
pub use renlib::LibFacts;

use super::{DatabaseError, Placement, PositionDatabase, PositionEntry, PositionKey};
use tengen_files::records::{LibError, RecordError};

/// A fact of a source about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The position.
    pub placement: Placement,
    /// The knowledge; cells are those of the board of the position.
    pub entry: PositionEntry,
    /// True if visits and games are others than those that are counted in the database already, and are
    /// added to them.
    pub is_new_game: bool,
}

/// A source of facts.
pub trait FactSource {
    /// Returns the next fact, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the source can't be read or parsed. Earlier facts remain valid.
    fn next_fact(&mut self) -> Result<Option<Fact>, SourceError>;

    /// Returns how many bytes of the source have been read.
    fn bytes_read(&self) -> u64;
}

/// An error in reading a source.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The system refused something.
    #[error("cannot read {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: std::io::Error,
    },
    /// A game record is wrong.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A library of RenLib is wrong.
    #[error("{}: {error}", .path.display())]
    Library {
        /// The file.
        path: PathBuf,
        /// The fault, with its place.
        error: LibError,
    },
    /// A place of a file of bytes is wrong.
    #[error("{}: byte {at} of the content: {fault}", .path.display())]
    Byte {
        /// The file.
        path: PathBuf,
        /// The byte offset in the decompressed data.
        at: u64,
        /// The fault found there.
        fault: String,
    },
    /// A line is wrong.
    #[error("{}:{line}: {fault}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: u64,
        /// The fault found in it.
        fault: String,
    },
}

/// The number of positions after which what was gathered is saved.
const MOST_GATHERED: usize = 200_000;
/// The bytes of texts after which what was gathered is saved.
const MOST_TEXT: usize = 64 << 20;

/// Entries that were read and are not saved yet, in the order of the database, so that each of its pages is written
/// once.
#[derive(Debug, Default)]
pub struct Gathered {
    entries: BTreeMap<PositionKey, (PositionEntry, bool)>,
    text: usize,
}

impl Gathered {
    /// Adds a fact.
    pub fn add(&mut self, fact: Fact) {
        let mapped = fact.placement.key();
        let entry = mapped.stored(fact.entry);
        self.text += entry.text.len();
        match self.entries.get_mut(&mapped.key) {
            Some((known, sums)) if *sums && fact.is_new_game => known.add(&entry),
            Some((known, sums)) => {
                *sums |= fact.is_new_game;
                known.merge(&entry);
            }
            None => {
                self.entries.insert(mapped.key, (entry, fact.is_new_game));
            }
        }
    }

    /// Returns whether it is time to save what was gathered.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() >= MOST_GATHERED || self.text >= MOST_TEXT
    }

    /// Saves what was gathered, and returns how many positions of the database are new or have changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the database can't be written; then nothing of it is saved.
    pub fn save(&mut self, database: &PositionDatabase) -> Result<u64, DatabaseError> {
        if self.entries.is_empty() {
            return Ok(0);
        }
        let changed = database.write(|writer| {
            let mut changed = 0;
            for (key, (entry, sums)) in &self.entries {
                changed += u64::from(writer.merge_stored(key, entry, *sums)?);
            }
            Ok(changed)
        })?;
        *self = Gathered::default();
        Ok(changed)
    }
}

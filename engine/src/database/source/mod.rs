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
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use thiserror::Error;

pub use games::facts_of_record;
pub use json::{JsonFacts, is_json, to_json};
pub use rapfi::{RapfiFacts, TEXT_HEADER, TextFacts, is_rapfi, is_rapfi_text, to_rapfi_text};
pub use renlib::LibFacts;

use super::{DatabaseError, GameCounts, Placement, PositionDatabase, PositionEntry, PositionKey};
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

    /// Returns the names of what was lost so far, each once.
    fn left_out(&self) -> &[&'static str] {
        &[]
    }
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
    positions: BTreeMap<PositionKey, GatheredPosition>,
    text: usize,
}

/// What was read of a position, in the frame of its key.
#[derive(Debug)]
struct GatheredPosition {
    /// All but the counts of new games.
    entry: PositionEntry,
    /// The visits of new games.
    visits: u64,
    /// The new games.
    games: GameCounts,
}

impl Gathered {
    /// Adds a fact.
    pub fn add(&mut self, fact: Fact) {
        let mapped = fact.placement.key();
        let mut entry = mapped.stored(fact.entry);
        self.text += entry.text.len() + entry.board_texts.values().map(String::len).sum::<usize>();
        // What others have counted is not added up, whatever came before it.
        let (visits, games) = match fact.is_new_game {
            true => (std::mem::take(&mut entry.visits), std::mem::take(&mut entry.games)),
            false => (0, GameCounts::default()),
        };
        match self.positions.entry(mapped.key) {
            Entry::Vacant(place) => {
                place.insert(GatheredPosition { entry, visits, games });
            }
            Entry::Occupied(mut known) => {
                let entry = known.key().beside(&known.get().entry, &entry);
                let known = known.get_mut();
                known.entry.merge(&entry);
                known.visits = known.visits.saturating_add(visits);
                known.games = known.games.plus(games);
            }
        }
    }

    /// Returns whether it is time to save what was gathered.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.positions.len() >= MOST_GATHERED || self.text >= MOST_TEXT
    }

    /// Saves what was gathered, and returns how many positions of the database are new or have changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the database can't be written; then nothing of it is saved.
    pub fn save(&mut self, database: &PositionDatabase) -> Result<u64, DatabaseError> {
        if self.positions.is_empty() {
            return Ok(0);
        }
        let changed = database.write(|writer| {
            let mut changed = 0;
            for (key, GatheredPosition { entry, visits, games }) in &self.positions {
                changed += u64::from(writer.merge_seen(key, entry, *visits, *games)?);
            }
            Ok(changed)
        })?;
        *self = Gathered::default();
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::database::store::tests::{new_database, placement};
    use tengen_core::notation::parse_cell;
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;

    fn counted(visits: u64, black: u64, is_new_game: bool) -> Fact {
        let placement = placement(Rule::Freestyle, Size::DEFAULT, "h8");
        let games = GameCounts { black, ..GameCounts::default() };
        let entry = PositionEntry { visits, games, ..PositionEntry::default() };
        Fact { placement, entry, is_new_game }
    }

    #[test]
    fn games_are_added_up_and_exports_are_not_in_whatever_order() {
        let facts = [
            counted(100, 40, false),
            counted(1, 1, true),
            counted(1, 0, true),
            counted(90, 30, false),
        ];
        for order in [[0, 1, 2, 3], [1, 0, 3, 2], [1, 2, 3, 0], [3, 0, 2, 1]] {
            let folder = TempDir::with_prefix("tengen-gathered-").unwrap();
            let database = new_database(&folder);
            for round in 1..=2 {
                let mut gathered = Gathered::default();
                order.iter().for_each(|&i| gathered.add(facts[i].clone()));
                assert_eq!(gathered.save(&database).unwrap(), 1, "one position");
                let entry = database.get(&facts[0].placement).unwrap().unwrap();
                let expected = (100 + 2 * round, 40 + round);
                assert_eq!((entry.visits, entry.games.black), expected, "{order:?}");
            }
        }
    }

    #[test]
    fn texts_of_mirrored_cells_that_come_one_by_one_are_all_kept() {
        let placement = placement(Rule::Freestyle, Size::DEFAULT, "h8i7");
        let fact = |(cell, text): (&str, &str)| {
            let cell = parse_cell(cell, Size::DEFAULT).unwrap();
            let board_texts = [(cell, text.to_owned())].into();
            let entry = PositionEntry { board_texts, ..PositionEntry::default() };
            Fact { placement: placement.clone(), entry, is_new_game: false }
        };
        let texts = [("f12", "A"), ("d10", "B"), ("f12", "A")];
        // At once, and each after the one before was saved.
        for every in [3, 1] {
            let folder = TempDir::with_prefix("tengen-gathered-").unwrap();
            let database = new_database(&folder);
            for some in texts.chunks(every) {
                let mut gathered = Gathered::default();
                some.iter().for_each(|&text| gathered.add(fact(text)));
                gathered.save(&database).unwrap();
            }
            let entry = database.get(&placement).unwrap().unwrap();
            let mut kept: Vec<String> = entry.board_texts.into_values().collect();
            kept.sort_unstable();
            assert_eq!(kept, ["A", "B"]);
        }
    }
}

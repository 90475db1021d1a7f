//! A database as it was at one moment.

use std::fmt;
use std::ops::Bound::{Excluded, Included, Unbounded};

use redb::ReadableTableMetadata;

use super::guard::{Context, Held};
use super::lookup::known_moves;
use super::{DatabaseError, KeyGroup, Placement, PositionEntry, PositionKey};
use tengen_core::types::Point;

/// A position that one move leads to, and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    /// The move.
    pub point: Point,
    /// The entry of the position after it, for the same board: its side to move is the other one.
    pub entry: PositionEntry,
}

/// A database as it was at one moment.
pub struct DatabaseReader {
    table: Held<redb::ReadOnlyTable<&'static [u8], &'static [u8]>>,
    file: Context,
}

impl fmt::Debug for DatabaseReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseReader").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl DatabaseReader {
    pub(super) fn new(
        table: Held<redb::ReadOnlyTable<&'static [u8], &'static [u8]>>,
        file: Context,
    ) -> DatabaseReader {
        DatabaseReader { table, file }
    }

    /// Returns the number of positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        self.file.ask(|| self.table.len())
    }

    /// Returns whether there are no positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn is_empty(&self) -> Result<bool, DatabaseError> {
        Ok(self.len()? == 0)
    }

    /// Returns the entry of a position, for its board.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn get(&self, placement: &Placement) -> Result<Option<PositionEntry>, DatabaseError> {
        let mapped = placement.key();
        Ok(self.stored(&mapped.key)?.map(|entry| mapped.seen(entry)))
    }

    /// Returns the entry of a key as it is stored.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn stored(&self, key: &PositionKey) -> Result<Option<PositionEntry>, DatabaseError> {
        let read = |bytes: redb::AccessGuard<'_, &[u8]>| self.file.entry(key, bytes.value());
        self.file.ask(|| self.table.get(key.as_bytes()).map(|found| found.map(read)))?.transpose()
    }

    /// Returns whether there is an entry of a key.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn contains(&self, key: &PositionKey) -> Result<bool, DatabaseError> {
        self.file.ask(|| self.table.get(key.as_bytes()).map(|found| found.is_some()))
    }

    /// Returns the moves of the side to move that lead to positions with an entry, by cell. Moves that
    /// are the same by the symmetry of the position are all there, and so are those that renju forbids.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn moves(&self, placement: &Placement) -> Result<Vec<KnownMove>, DatabaseError> {
        known_moves(self, placement)
    }

    /// Returns all positions in the order of their keys, or those of one group.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read; the iterator does so at the first position that
    /// can't be, and ends.
    pub fn scan(
        &self,
        group: Option<KeyGroup>,
    ) -> Result<impl Iterator<Item = Result<Stored, DatabaseError>> + use<>, DatabaseError> {
        let (start, end) = group.map_or(([0; 5], [u8::MAX; 5]), |g| (g.prefix(), g.end()));
        let range = (Included(start.as_slice()), Excluded(end.as_slice()));
        let found = self.file.hold(|| self.table.range_owned::<&[u8]>(range))?;
        let file = self.file.clone();
        let mut found = Some(found);
        let mut last: Option<PositionKey> = None;
        Ok(std::iter::from_fn(move || {
            let range = found.as_mut()?;
            let mut read = |key: &[u8], entry: &[u8]| {
                let key = file.key(key)?;
                // Pages that refer to each other in a circle would go on for ever.
                if last.as_ref().is_some_and(|last| *last >= key) {
                    return Err(file.contradiction("keys are not in order"));
                }
                last = Some(key.clone());
                let entry = file.entry(&key, entry)?;
                Ok(Stored { key, entry })
            };
            let next = file.ask(|| {
                let next = range.next().transpose()?;
                Ok::<_, redb::Error>(next.map(|(key, entry)| read(key.value(), entry.value())))
            });
            let stored = next.unwrap_or_else(|error| Some(Err(error)));
            if !matches!(stored, Some(Ok(_))) {
                found = None;
            }
            stored
        }))
    }

    /// Returns the groups of positions that there are, in order.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn groups(&self) -> Result<Vec<KeyGroup>, DatabaseError> {
        let mut groups = Vec::new();
        let mut from: Vec<u8> = Vec::new();
        loop {
            let range = (Included(from.as_slice()), Unbounded);
            let next = self.file.ask(|| {
                let next = self.table.range::<&[u8]>(range)?.next().transpose()?;
                Ok::<_, redb::Error>(next.map(|(key, _)| self.file.key(key.value())))
            })?;
            let Some(key) = next.transpose()? else { return Ok(groups) };
            if key.as_bytes() < from.as_slice() {
                return Err(self.file.contradiction("keys are not in order"));
            }
            groups.push(key.group());
            from = key.group().end().to_vec();
        }
    }
}

/// A position as it is stored: the cells of the entry are in the frame of the key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The key.
    pub key: PositionKey,
    /// The entry.
    pub entry: PositionEntry,
}

//! A database that is being changed.

use std::fmt;

use redb::ReadableTable;

use super::guard::{Context, Held};
use super::{DatabaseError, GameCounts, Placement, PositionEntry, PositionKey, code};

/// A database that is being changed.
pub struct DatabaseWriter<'t> {
    table: Held<redb::Table<'t, &'static [u8], &'static [u8]>>,
    file: &'t Context,
}

impl fmt::Debug for DatabaseWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseWriter").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl<'t> DatabaseWriter<'t> {
    pub(super) fn new(
        table: Held<redb::Table<'t, &'static [u8], &'static [u8]>>,
        file: &'t Context,
    ) -> DatabaseWriter<'t> {
        DatabaseWriter { table, file }
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

    /// Puts an entry in the place of the one that the position has, if it has one. The cells are those
    /// of its board.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    ///
    /// # Panics
    ///
    /// Panics if a cell of the entry is not on the board.
    pub fn put(
        &mut self,
        placement: &Placement,
        entry: PositionEntry,
    ) -> Result<(), DatabaseError> {
        let mapped = placement.key();
        let entry = mapped.stored(entry);
        self.put_stored(&mapped.key, &entry)
    }

    /// Puts an entry whose cells are in the frame of a key in the place of the one that is there.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn put_stored(
        &mut self,
        key: &PositionKey,
        entry: &PositionEntry,
    ) -> Result<(), DatabaseError> {
        let bytes = code::encode(entry, key.size());
        self.file.ask(|| self.table.insert(key.as_bytes(), bytes.as_slice()).map(drop))
    }

    /// Adds what an entry, whose cells are in the frame of a key, knows of a position, and returns
    /// whether that changed anything: by [`PositionEntry::merge`], but a text on a cell that has another
    /// one goes to a free cell that is the same by the symmetry of the position.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or written.
    pub fn merge_stored(
        &mut self,
        key: &PositionKey,
        entry: &PositionEntry,
    ) -> Result<bool, DatabaseError> {
        self.merge_seen(key, entry, 0, GameCounts::default())
    }

    /// Adds what an entry knows as [`DatabaseWriter::merge_stored`] does, and to the counts of the position
    /// the visits and games of new games.
    pub(super) fn merge_seen(
        &mut self,
        key: &PositionKey,
        entry: &PositionEntry,
        visits: u64,
        games: GameCounts,
    ) -> Result<bool, DatabaseError> {
        let own = self.stored(key)?;
        let mut both = match &own {
            None => entry.clone(),
            Some(own) => {
                let mut both = own.clone();
                both.merge(&key.beside(own, entry));
                both
            }
        };
        both.visits = both.visits.saturating_add(visits);
        both.games = both.games.plus(games);
        let changed = own.is_none_or(|own| own != both);
        if changed {
            self.put_stored(key, &both)?;
        }
        Ok(changed)
    }

    /// Removes the entry of a position, and returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn remove(&mut self, placement: &Placement) -> Result<bool, DatabaseError> {
        self.remove_stored(&placement.key().key)
    }

    /// Removes the entry of a key, and returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn remove_stored(&mut self, key: &PositionKey) -> Result<bool, DatabaseError> {
        self.file.ask(|| self.table.remove(key.as_bytes()).map(|removed| removed.is_some()))
    }
}

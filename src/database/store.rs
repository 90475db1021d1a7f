//! The database: positions and what is known of them, in one file.

use std::fmt;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::path::{Path, PathBuf};

use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::blocks::{BlockFile, Damage};
use super::lookup::known_moves;
use super::{DatabaseError, KeyGroup, Placement, PositionEntry, PositionKey, code};
use crate::resume::FileError;
use crate::types::Point;

/// The entries by their keys.
pub(super) const POSITIONS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("positions");
/// Facts about the file by their names, as numbers of eight bytes, the lowest first. All tables have the
/// same types: others would make the program a good deal larger.
const FACTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("facts");
/// The name of the version of keys and entries.
const FORMAT: &[u8] = b"format";
/// The version of keys and entries.
const FORMAT_VERSION: u64 = 1;

/// The memory in which the store keeps pages, in bytes, unless somebody asks for more or less.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// What a file is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Only to be read, which several programs can do at a time. The file is not changed.
    Read,
    /// To be read and written, by one program at a time.
    Write,
    /// As [`Access::Write`]; the file is made if it is not there.
    Create,
}

/// A database of positions in a file.
///
/// Whatever was written is saved when [`PositionDatabase::write`] returns, and the file is consistent at
/// every moment, even if the process is killed.
pub struct PositionDatabase {
    store: redb::Database,
    file: Context,
    access: Access,
}

/// What errors need to know of the file.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) path: PathBuf,
    damage: Damage,
}

impl Context {
    /// Makes one of our errors of one of the store.
    pub(super) fn error(&self, error: impl Into<redb::Error>) -> DatabaseError {
        let path = self.path.clone();
        if let Some(place) = self.damage.place() {
            return DatabaseError::Damaged { path, place };
        }
        match error.into() {
            redb::Error::Io(error) => FileError::io("use", &path, error).into(),
            error => DatabaseError::Store { path, message: error.to_string() },
        }
    }

    pub(super) fn key(&self, bytes: &[u8]) -> Result<PositionKey, DatabaseError> {
        PositionKey::from_bytes(bytes).map_err(|error| DatabaseError::BadKey {
            path: self.path.clone(),
            key: bytes.to_vec(),
            error,
        })
    }

    fn entry(&self, key: &PositionKey, bytes: &[u8]) -> Result<PositionEntry, DatabaseError> {
        code::decode(bytes, key.size()).map_err(|error| DatabaseError::BadEntry {
            path: self.path.clone(),
            key: key.clone(),
            error,
        })
    }
}

impl fmt::Debug for PositionDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionDatabase").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl PositionDatabase {
    /// Opens a database, with [`DEFAULT_CACHE`] bytes of memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be opened, is in use, damaged or something else.
    pub fn open(path: &Path, access: Access) -> Result<PositionDatabase, DatabaseError> {
        PositionDatabase::open_with(path, access, DEFAULT_CACHE)
    }

    /// Opens a database, with so many bytes of memory for pages of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be opened, is in use, damaged or something else.
    pub fn open_with(
        path: &Path,
        access: Access,
        cache: usize,
    ) -> Result<PositionDatabase, DatabaseError> {
        let blocks = BlockFile::open(path, access)?;
        let file = Context { path: path.to_owned(), damage: blocks.damage() };
        let opened = redb::Builder::new().set_cache_size(cache).create_with_backend(blocks);
        let store = opened.map_err(|error| file.error(error))?;
        let database = PositionDatabase { store, file, access };
        match database.format()? {
            Some(FORMAT_VERSION) => {}
            Some(version) => {
                let version = u32::try_from(version).unwrap_or(u32::MAX);
                return Err(DatabaseError::Version { path: path.to_owned(), version });
            }
            None => database.begin(|transaction| {
                let failed = |error| database.file.error(error);
                transaction.open_table(POSITIONS).map_err(failed)?;
                let mut facts = transaction.open_table(FACTS).map_err(failed)?;
                let said = facts.insert(FORMAT, FORMAT_VERSION.to_le_bytes().as_slice());
                said.map_err(|error| database.file.error(error))?;
                Ok(())
            })?,
        }
        Ok(database)
    }

    /// Returns the version of keys and entries, or `None` in a file that is new.
    fn format(&self) -> Result<Option<u64>, DatabaseError> {
        let transaction = self.store.begin_read().map_err(|error| self.file.error(error))?;
        let facts = match transaction.open_table(FACTS) {
            Ok(facts) => facts,
            Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
            Err(error) => return Err(self.file.error(error)),
        };
        let version = facts.get(FORMAT).map_err(|error| self.file.error(error))?;
        // Bytes of another length are of no version that is known.
        let number = |bytes: &[u8]| bytes.try_into().map_or(u64::MAX, u64::from_le_bytes);
        Ok(version.map(|version| number(version.value())))
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Returns what the file was opened for.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.access
    }

    /// Returns the database as it is now. Later changes don't show in what is returned; while it lives,
    /// the room of what they replace can't be used again.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn read(&self) -> Result<DatabaseReader, DatabaseError> {
        let transaction = self.store.begin_read().map_err(|error| self.file.error(error))?;
        let table = transaction.open_table(POSITIONS).map_err(|error| self.file.error(error))?;
        Ok(DatabaseReader { table, file: self.file.clone() })
    }

    /// Returns the entry of a position, for its board.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn get(&self, placement: &Placement) -> Result<Option<PositionEntry>, DatabaseError> {
        self.read()?.get(placement)
    }

    /// Changes the database: all that `change` does is saved when the call returns, or if that is an
    /// error, nothing of it. One caller at a time; others wait.
    ///
    /// # Errors
    ///
    /// Returns the error of `change`, or one if the file can't be written or was opened for reading.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&mut DatabaseWriter<'_>) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.check_writable()?;
        self.begin(|transaction| {
            let table =
                transaction.open_table(POSITIONS).map_err(|error| self.file.error(error))?;
            change(&mut DatabaseWriter { table, file: &self.file })
        })
    }

    /// Checks that the file was not opened for reading.
    pub(super) fn check_writable(&self) -> Result<(), DatabaseError> {
        match self.access {
            Access::Read => Err(DatabaseError::ReadOnly(self.file.path.clone())),
            Access::Write | Access::Create => Ok(()),
        }
    }

    /// Runs a transaction of the store.
    pub(super) fn begin<T>(
        &self,
        change: impl FnOnce(&redb::WriteTransaction) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let mut transaction = self.store.begin_write().map_err(|error| self.file.error(error))?;
        // With it a file is open again at once after a crash, however large it is, and what was saved
        // never depends on checksums alone.
        transaction.set_quick_repair(true);
        match change(&transaction) {
            Ok(value) => {
                transaction.commit().map_err(|error| self.file.error(error))?;
                Ok(value)
            }
            Err(error) => {
                // The first error is the one to be told.
                let _ = transaction.abort();
                Err(error)
            }
        }
    }

    pub(super) fn file(&self) -> &Context {
        &self.file
    }

    /// Gives the room of what was removed or replaced back to the system, and returns how many bytes
    /// the file has become shorter. It may need to be called when nothing else uses the database.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written or was opened for reading.
    pub fn compact(&mut self) -> Result<u64, DatabaseError> {
        self.check_writable()?;
        let before = self.file_bytes()?;
        self.store.compact().map_err(|error| self.file.error(error))?;
        Ok(before.saturating_sub(self.file_bytes()?))
    }

    /// Reads the whole file and compares all checksums, those of the blocks and those of the store.
    ///
    /// # Errors
    ///
    /// Returns an error if something is damaged or can't be read.
    pub fn check_pages(&mut self) -> Result<(), DatabaseError> {
        match self.store.check_integrity() {
            Ok(true) => Ok(()),
            Ok(false) => Err(DatabaseError::Store {
                path: self.file.path.clone(),
                message: "its pages were not in order, and have been repaired".to_owned(),
            }),
            Err(error) => Err(self.file.error(error)),
        }
    }

    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn file_bytes(&self) -> Result<u64, DatabaseError> {
        let metadata = std::fs::metadata(&self.file.path);
        Ok(metadata.map_err(|error| FileError::io("read", &self.file.path, error))?.len())
    }
}

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
    table: redb::ReadOnlyTable<&'static [u8], &'static [u8]>,
    file: Context,
}

impl fmt::Debug for DatabaseReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseReader").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl DatabaseReader {
    /// Returns the number of positions.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn len(&self) -> Result<u64, DatabaseError> {
        self.table.len().map_err(|error| self.file.error(error))
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
        let found = self.table.get(key.as_bytes()).map_err(|error| self.file.error(error))?;
        found.map(|bytes| self.file.entry(key, bytes.value())).transpose()
    }

    /// Returns whether there is an entry of a key.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn contains(&self, key: &PositionKey) -> Result<bool, DatabaseError> {
        let found = self.table.get(key.as_bytes()).map_err(|error| self.file.error(error))?;
        Ok(found.is_some())
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
        let found = self.table.range_owned::<&[u8]>(range);
        let found = found.map_err(|error| self.file.error(error))?;
        let file = self.file.clone();
        let mut found = Some(found);
        Ok(std::iter::from_fn(move || {
            let next = found.as_mut()?.next()?;
            let stored = next.map_err(|error| file.error(error)).and_then(|(key, entry)| {
                let key = file.key(key.value())?;
                let entry = file.entry(&key, entry.value())?;
                Ok(Stored { key, entry })
            });
            if stored.is_err() {
                found = None;
            }
            Some(stored)
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
            let mut found =
                self.table.range::<&[u8]>(range).map_err(|error| self.file.error(error))?;
            let Some(next) = found.next() else { return Ok(groups) };
            let (key, _) = next.map_err(|error| self.file.error(error))?;
            let group = self.file.key(key.value())?.group();
            groups.push(group);
            from = group.end().to_vec();
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

/// A database that is being changed.
pub struct DatabaseWriter<'t> {
    table: redb::Table<'t, &'static [u8], &'static [u8]>,
    file: &'t Context,
}

impl fmt::Debug for DatabaseWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseWriter").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl<'t> DatabaseWriter<'t> {
    pub(super) fn new(
        table: redb::Table<'t, &'static [u8], &'static [u8]>,
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
        let found = self.table.get(key.as_bytes()).map_err(|error| self.file.error(error))?;
        found.map(|bytes| self.file.entry(key, bytes.value())).transpose()
    }

    /// Returns whether there is an entry of a key.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn contains(&self, key: &PositionKey) -> Result<bool, DatabaseError> {
        let found = self.table.get(key.as_bytes()).map_err(|error| self.file.error(error))?;
        Ok(found.is_some())
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
        let put = self.table.insert(key.as_bytes(), bytes.as_slice());
        put.map_err(|error| self.file.error(error))?;
        Ok(())
    }

    /// Adds what an entry, whose cells are in the frame of a key, knows of a position, and returns
    /// whether that changed anything: by [`PositionEntry::merge`], or if `sums` by
    /// [`PositionEntry::add`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or written.
    pub fn merge_stored(
        &mut self,
        key: &PositionKey,
        entry: &PositionEntry,
        sums: bool,
    ) -> Result<bool, DatabaseError> {
        let Some(own) = self.stored(key)? else {
            self.put_stored(key, entry)?;
            return Ok(true);
        };
        let mut both = own.clone();
        if sums {
            both.add(entry);
        } else {
            both.merge(entry);
        }
        let changed = both != own;
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
        let removed = self.table.remove(key.as_bytes()).map_err(|error| self.file.error(error))?;
        Ok(removed.is_some())
    }
}

#[cfg(test)]
pub(super) mod tests;

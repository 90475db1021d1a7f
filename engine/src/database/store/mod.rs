//! The database: positions and what is known of them, in one file.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use redb::{ReadableDatabase, TableDefinition};

use super::blocks::{BLOCK, BlockFile};
use super::guard::{Context, Held};
use super::{DatabaseError, DatabaseReader, DatabaseWriter, Placement, PositionEntry};
use tengen_files::resume::FileError;

/// The entries by their keys.
pub(super) const POSITIONS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("positions");
/// Facts about the file by their names, as numbers of eight bytes, the lowest first. All tables have the
/// same types: others would make the program a good deal larger.
const FACTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("facts");
/// The name of the version of keys and entries.
const FORMAT: &[u8] = b"format";
/// The version of keys and entries.
const FORMAT_VERSION: u64 = 1;

/// The memory in which the store keeps pages, in bytes, by default.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// The memory of a check, in bytes: it reads every page once.
const CHECK_CACHE: usize = 1 << 20;
/// The longest content of a file all of which is checked before anything is written to it, in bytes: that
/// takes 1.5 ms for each megabyte in use, so files that are larger are opened without.
///
/// The store gives the room of pages back that it does not need any more, and if those that a larger
/// file names are not its own, it can panic while it is cleaning up after a panic, which ends the
/// program. To read a file it never gives anything back.
const CHECKED_BYTES: u64 = 64 << 20;
/// The most writes of each block during compaction.
const ROUNDS: u64 = 64;

/// The purpose of opening a file.
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
    store: Store,
    file: Context,
    access: Access,
    /// The file besides that of the store.
    blocks: BlockFile,
    /// Whose turn it is to write: nobody waits in a store that can't go on.
    turn: Mutex<()>,
}

/// The store of a file.
enum Store {
    /// One that only reads: it needs a file that was closed in order.
    Reads(Held<redb::ReadOnlyDatabase>),
    /// One that writes, or believes to.
    Writes(Held<redb::Database>),
}

impl Store {
    fn begin_read(&self) -> Result<redb::ReadTransaction, redb::TransactionError> {
        match self {
            Store::Reads(store) => store.begin_read(),
            Store::Writes(store) => store.begin_read(),
        }
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
        let store = open_store(&file, &blocks, access, cache)?;
        let database = PositionDatabase { store, file, access, blocks, turn: Mutex::default() };
        match database.format()? {
            Some(FORMAT_VERSION) => {}
            Some(version) => {
                let version = u32::try_from(version).unwrap_or(u32::MAX);
                return Err(DatabaseError::Version { path: path.to_owned(), version });
            }
            // The file was just created, in order and empty.
            None if matches!(database.store, Store::Reads(_)) => {
                return Err(DatabaseError::Foreign(path.to_owned()));
            }
            None => database.begin(|transaction| {
                database.file.hold(|| transaction.open_table(POSITIONS))?;
                let mut facts = database.file.hold(|| transaction.open_table(FACTS))?;
                let version = FORMAT_VERSION.to_le_bytes();
                database.file.ask(|| facts.insert(FORMAT, version.as_slice()).map(drop))
            })?,
        }
        Ok(database)
    }

    /// Returns the version of keys and entries, or `None` in a file that is new.
    fn format(&self) -> Result<Option<u64>, DatabaseError> {
        let transaction = self.file.hold(|| self.store.begin_read())?;
        let facts = self.file.ask(|| match transaction.open_table(FACTS) {
            Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
            facts => facts.map(Some),
        })?;
        let Some(facts) = facts else { return Ok(None) };
        // Bytes of another length are of no version that is known.
        let number = |bytes: &[u8]| bytes.try_into().map_or(u64::MAX, u64::from_le_bytes);
        self.file.ask(|| Ok::<_, redb::Error>(facts.get(FORMAT)?.map(|v| number(v.value()))))
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
        let transaction = self.file.hold(|| self.store.begin_read())?;
        let table = self.file.hold(|| transaction.open_table(POSITIONS))?;
        Ok(DatabaseReader::new(table, self.file.clone()))
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
            let table = self.file.hold(|| transaction.open_table(POSITIONS))?;
            change(&mut DatabaseWriter::new(table, &self.file))
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
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let Store::Writes(store) = &self.store else {
            return Err(DatabaseError::ReadOnly(self.file.path.clone()));
        };
        let mut transaction = self.file.hold(|| store.begin_write())?;
        // With it a file is open again at once after a crash, however large it is, and what was saved
        // never depends on checksums alone.
        transaction.set_quick_repair(true);
        match change(&transaction) {
            Ok(value) => {
                self.file.ask(|| transaction.take().commit())?;
                Ok(value)
            }
            Err(error) => {
                // The first error is the one to report.
                let _ = self.file.ask(|| transaction.take().abort());
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
        self.check_pages()?;
        let blocks = self.blocks.again();
        let Store::Writes(store) = &mut self.store else { return Ok(0) };
        // Each round moves pages to the front, and there is one more as long as one was moved.
        blocks.set_budget(Some(ROUNDS * before / BLOCK as u64 + ROUNDS));
        let compacted = self.file.ask(|| store.compact());
        blocks.set_budget(None);
        compacted?;
        Ok(before.saturating_sub(self.file_bytes()?))
    }

    /// Reads the whole file and compares all checksums, those of the blocks and those of the store.
    ///
    /// # Errors
    ///
    /// Returns an error if something is damaged or can't be read.
    pub fn check_pages(&mut self) -> Result<(), DatabaseError> {
        let file = &self.file;
        let is_sound = match &mut self.store {
            Store::Writes(store) => file.ask(|| store.check_integrity())?,
            Store::Reads(_) => {
                let blocks = self.blocks.again();
                let mut store = file.hold(|| builder(CHECK_CACHE).create_with_backend(blocks))?;
                file.ask(|| store.check_integrity())?
            }
        };
        if is_sound {
            return Ok(());
        }
        let repaired = if self.access == Access::Read { "" } else { ", and have been repaired" };
        Err(DatabaseError::Store {
            path: self.file.path.clone(),
            message: format!("its pages were not in order{repaired}"),
        })
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

impl Drop for PositionDatabase {
    fn drop(&mut self) {
        match &mut self.store {
            Store::Reads(store) => store.end(),
            Store::Writes(store) => store.end(),
        }
        if self.file.damage.contradiction().is_some() {
            // The remains of the store keep the file open.
            self.blocks.let_go();
        }
    }
}

fn builder(cache: usize) -> redb::Builder {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(cache);
    builder
}

/// Has the store open a file.
fn open_store(
    file: &Context,
    blocks: &BlockFile,
    access: Access,
    cache: usize,
) -> Result<Store, DatabaseError> {
    let mut builder = builder(cache);
    if access == Access::Read && blocks.content_len() > 0 {
        let read = file.hold(|| match builder.open_read_only_with_backend(blocks.again()) {
            Err(redb::DatabaseError::RepairAborted) => Ok(None),
            opened => opened.map(Some),
        });
        if let Some(store) = read?.opened() {
            return Ok(Store::Reads(store));
        }
    }
    // A file that is only to be read comes here if it was not closed in order, which is seldom.
    let is_checked = access == Access::Read || blocks.content_len() <= CHECKED_BYTES;
    builder.set_check_integrity_on_open(is_checked);
    Ok(Store::Writes(file.hold(|| builder.create_with_backend(blocks.again()))?))
}

#[cfg(test)]
pub(super) mod tests;

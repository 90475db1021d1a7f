//! The file: blocks with checksums, on which the store keeps its pages.
//!
//! The store checks its pages only after a crash, and trusts them otherwise. So every block carries a
//! checksum that is looked at whenever it is read: what reaches the store is what it wrote, or an error
//! with the place. Bytes that somebody has changed together with their checksums are the affair of
//! [`super::guard`].
//!
//! | from byte | bytes | what |
//! | --: | --: | --- |
//! | 0 | 16 | `tengen positions` |
//! | 16 | 4 | the version of this layout, 1 |
//! | 20 | 4 | the size of a block, 4096 |
//! | 24 | 8 | the length of the content, a multiple of the size of a block |
//! | 32 | 1 | 1 once the store has made its head |
//! | 508 | 4 | checksum of the 508 bytes before |
//! | 512 | 320 | the beginning of block 0 of the content: the head of the store |
//! | 1020 | 4 | checksum of the 508 bytes before |
//! | 4096 | 4100 each | blocks 1, 2, … of the content, each followed by its checksum |
//!
//! All numbers are little-endian; what is not named is 0. A checksum is the CRC-32 (as in zip and
//! Ethernet); that of a block is of its number, as 8 bytes, and its content, so that a block in the wrong
//! place is noticed. Either head lies within one sector of a disk, so it is written as a whole or not
//! at all. A block that was being written when the program was killed is not in use yet: the store never
//! overwrites what its last finished transaction needs.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crc32fast::Hasher;

use super::{Access, DatabaseError};
use tengen_core::sys::lock::{try_lock, try_lock_shared};
use tengen_core::sys::place::{read_at, write_at};
use tengen_files::resume::FileError;

const MAGIC: [u8; 16] = *b"tengen positions";
const VERSION: u32 = 1;
pub(super) const BLOCK: usize = 4096;
const SUM: usize = 4;
/// A block with its checksum.
const STORED_BLOCK: usize = BLOCK + SUM;
const SECTOR: usize = 512;
/// The content bytes of a sector.
const SECTOR_CONTENT: usize = SECTOR - SUM;
/// The number of attempts to take a lock.
const LOCK_ATTEMPTS: u32 = 5;
/// The pause between two attempts.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// A fault of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Damage(Arc<Faults>);

#[derive(Debug, Default)]
struct Faults {
    place: OnceLock<u64>,
    contradiction: OnceLock<String>,
}

impl Damage {
    /// Returns the first place in the file, in bytes, whose checksum does not fit, if there is one.
    pub(super) fn place(&self) -> Option<u64> {
        self.0.place.get().copied()
    }

    /// Returns what the store said when it could not go on with pages whose checksums fit, if it
    /// did. From then on nothing is written.
    pub(super) fn contradiction(&self) -> Option<&str> {
        self.0.contradiction.get().map(String::as_str)
    }

    /// Notes that the store can't go on.
    pub(super) fn contradict(&self, fault: String) {
        // The first one explains those that follow.
        let _ = self.0.contradiction.set(fault);
    }

    fn at(&self, place: u64) -> io::Error {
        // As above.
        let _ = self.0.place.set(place);
        io::Error::new(ErrorKind::InvalidData, format!("byte {place} of the file is damaged"))
    }

    /// Returns an error if the store can't go on: what it would write is worth nothing.
    fn check(&self) -> io::Result<()> {
        let refuse = |_: &str| Err(io::Error::other("nothing more is written to this file"));
        self.contradiction().map_or(Ok(()), refuse)
    }
}

/// A file of blocks.
#[derive(Debug)]
pub(super) struct BlockFile {
    file: Arc<File>,
    damage: Damage,
    head: Mutex<BlocksHeader>,
    /// Writes to a file that is opened read-only: they stay in memory. The store puts its own affairs
    /// in order when it opens and closes a file, even one that it was not asked to change.
    unwritten: Option<Mutex<HashMap<u64, Box<[u8]>>>>,
    /// The number of blocks that may still be written.
    budget: Arc<AtomicU64>,
}

/// The header, before the blocks.
#[derive(Clone, Debug)]
struct BlocksHeader {
    /// The length of the content.
    len: u64,
    /// True if the store has made its head.
    is_made: bool,
    /// The beginning of block 0.
    first: [u8; SECTOR_CONTENT],
}

impl BlockFile {
    /// Opens a file, or makes it, and keeps others from writing to it, or from using it at all if it
    /// is going to be written.
    pub(super) fn open(path: &Path, access: Access) -> Result<BlockFile, DatabaseError> {
        let failed = |error| FileError::io("open", path, error);
        match std::fs::metadata(path) {
            // Opening a pipe would wait for its other end.
            Ok(metadata) if !metadata.is_file() => {
                return Err(FileError::NotAFile(path.to_owned()).into());
            }
            Err(error) if error.kind() != ErrorKind::NotFound || access != Access::Create => {
                return Err(failed(error).into());
            }
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.read(true).write(access != Access::Read).create(access == Access::Create);
        let file = options.open(path).map_err(failed)?;
        lock(&file, path, access)?;
        let damage = Damage::default();
        let len = file.metadata().map_err(failed)?.len();
        let reading = |error| FileError::io("read", path, error);
        let head = if len == 0 && access == Access::Create {
            let head = BlocksHeader::NEW;
            let writing = |error| FileError::io("write", path, error);
            file.set_len(BLOCK as u64).map_err(writing)?;
            write_at(&file, &head.sector(), 0).map_err(writing)?;
            file.sync_all().map_err(writing)?;
            head
        } else {
            BlocksHeader::read(&file, len, path, &damage)?
        };
        let needed = stored_len(head.len);
        let len = file.metadata().map_err(reading)?.len();
        if len < needed {
            return Err(DatabaseError::Truncated { path: path.to_owned(), len, needed });
        }
        if len > needed && access != Access::Read {
            // A run was killed when it had just made the file longer, or was about to make it shorter.
            file.set_len(needed).map_err(|error| FileError::io("write", path, error))?;
        }
        let unwritten = (access == Access::Read).then(Mutex::default);
        let budget = Arc::new(AtomicU64::new(u64::MAX));
        Ok(BlockFile { file: Arc::new(file), damage, head: Mutex::new(head), unwritten, budget })
    }

    /// Returns another view of the same open file as it is now. Two of them must not be written to.
    pub(super) fn again(&self) -> BlockFile {
        BlockFile {
            file: Arc::clone(&self.file),
            damage: self.damage.clone(),
            head: Mutex::new(self.head().clone()),
            unwritten: self.unwritten.as_ref().map(|_| Mutex::default()),
            budget: Arc::clone(&self.budget),
        }
    }

    /// Lets others have the file although it stays open.
    pub(super) fn let_go(&self) {
        // Some network file systems know no locks.
        let _ = self.file.unlock();
    }

    /// Returns the length of the content in bytes.
    pub(super) fn content_len(&self) -> u64 {
        self.head().len
    }

    /// Sets how many blocks may be written from now on, or lifts the limit.
    pub(super) fn set_budget(&self, blocks: Option<u64>) {
        self.budget.store(blocks.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Takes blocks that are to be written off the budget.
    fn spend(&self, blocks: u64) -> io::Result<()> {
        let spent = self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |budget| {
            if budget == u64::MAX { Some(budget) } else { budget.checked_sub(blocks) }
        });
        spent.map(drop).map_err(|_| {
            self.damage.contradict("it can be rearranged without end".to_owned());
            io::Error::other("nothing more is written to this file")
        })
    }

    /// Returns where the file will say that it is damaged.
    pub(super) fn damage(&self) -> Damage {
        self.damage.clone()
    }

    fn head(&self) -> MutexGuard<'_, BlocksHeader> {
        // A poisoned lock is harmless: the header is consistent at every step.
        self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_blocks(&self, first: u64, out: &mut [u8]) -> io::Result<()> {
        let mut stored = vec![0; out.len() / BLOCK * STORED_BLOCK];
        read_at(&self.file, &mut stored, stored_offset(first))?;
        let pairs = out.chunks_exact_mut(BLOCK).zip(stored.chunks_exact(STORED_BLOCK));
        for (number, (block, stored)) in (first..).zip(pairs) {
            let (content, sum) = stored.split_at(BLOCK);
            if block_sum(number, content).to_le_bytes() != *sum {
                return Err(self.damage.at(stored_offset(number)));
            }
            block.copy_from_slice(content);
        }
        Ok(())
    }

    fn write_blocks(&self, first: u64, data: &[u8]) -> io::Result<()> {
        let mut stored = Vec::with_capacity(data.len() / BLOCK * STORED_BLOCK);
        for (number, block) in (first..).zip(data.chunks_exact(BLOCK)) {
            stored.extend_from_slice(block);
            stored.extend_from_slice(&block_sum(number, block).to_le_bytes());
        }
        write_at(&self.file, &stored, stored_offset(first))
    }
}

impl redb::StorageBackend for BlockFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.head().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let head = self.head();
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > head.len) {
            return Err(self.damage.at(stored_len(head.len)));
        }
        if let Some(part) = in_first(offset, out.len()) {
            out.copy_from_slice(&head.first[part]);
            return Ok(());
        }
        drop(head);
        let Some(first) = whole_blocks(offset, out.len()) else { return Err(not_whole()) };
        let Some(unwritten) = &self.unwritten else { return self.read_blocks(first, out) };
        let kept: Vec<Option<Box<[u8]>>> = {
            let unwritten = unwritten.lock().unwrap_or_else(PoisonError::into_inner);
            let numbers = first..first + (out.len() / BLOCK) as u64;
            numbers.map(|number| unwritten.get(&number).cloned()).collect()
        };
        if kept.iter().all(Option::is_none) {
            return self.read_blocks(first, out);
        }
        for ((number, block), kept) in (first..).zip(out.chunks_exact_mut(BLOCK)).zip(kept) {
            match kept {
                Some(content) => block.copy_from_slice(&content),
                None => self.read_blocks(number, block)?,
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.damage.check()?;
        if !len.is_multiple_of(BLOCK as u64) {
            return Err(not_whole());
        }
        let mut head = self.head();
        let old = std::mem::replace(&mut head.len, len);
        if self.unwritten.is_some() {
            return Ok(());
        }
        // The header never counts more than there is.
        if len > old {
            self.file.set_len(stored_len(len))?;
            self.file.sync_all()?;
        }
        write_at(&self.file, &head.sector(), 0)?;
        if len < old {
            self.file.sync_data()?;
            self.file.set_len(stored_len(len))?;
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.unwritten.is_some() { Ok(()) } else { self.file.sync_data() }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.damage.check()?;
        if let Some(part) = in_first(offset, data.len()) {
            let mut head = self.head();
            head.first[part].copy_from_slice(data);
            if self.unwritten.is_some() {
                return Ok(());
            }
            write_at(&self.file, &summed(&head.first), SECTOR as u64)?;
            if !head.is_made && head.first.starts_with(STORE_MAGIC) {
                head.is_made = true;
                write_at(&self.file, &head.sector(), 0)?;
            }
            return Ok(());
        }
        let Some(first) = whole_blocks(offset, data.len()) else { return Err(not_whole()) };
        self.spend((data.len() / BLOCK) as u64)?;
        let Some(unwritten) = &self.unwritten else { return self.write_blocks(first, data) };
        let mut unwritten = unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        unwritten.extend((first..).zip(data.chunks_exact(BLOCK).map(Box::from)));
        Ok(())
    }
}

impl BlocksHeader {
    /// The head of a file that has just been made.
    const NEW: BlocksHeader = BlocksHeader { len: 0, is_made: false, first: [0; SECTOR_CONTENT] };

    /// Reads the head of a file of `len` bytes.
    fn read(
        file: &File,
        len: u64,
        path: &Path,
        damage: &Damage,
    ) -> Result<BlocksHeader, DatabaseError> {
        let failed = |error| FileError::io("read", path, error);
        let mut start = vec![0; len.min(2 * SECTOR as u64) as usize];
        read_at(file, &mut start, 0).map_err(failed)?;
        let foreign = || DatabaseError::Foreign(path.to_owned());
        let damaged = |place: u64| {
            let _ = damage.at(place);
            DatabaseError::Damaged { path: path.to_owned(), place }
        };
        if start.len() < MAGIC.len() || start[..MAGIC.len()] != MAGIC {
            return Err(foreign());
        }
        if len < BLOCK as u64 {
            let needed = BLOCK as u64;
            return Err(DatabaseError::Truncated { path: path.to_owned(), len, needed });
        }
        let (sector, first) = start.split_at(SECTOR);
        let number =
            |at: usize| sector[at..at + 4].iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        if !is_summed(sector) {
            return Err(damaged(0));
        }
        if number(16) != VERSION {
            return Err(DatabaseError::Version { path: path.to_owned(), version: number(16) });
        }
        let content = u64::from(number(24)) | u64::from(number(28)) << 32;
        if number(20) != BLOCK as u32 || !content.is_multiple_of(BLOCK as u64) {
            return Err(damaged(16));
        }
        if sector[32] == 0 {
            // The run that made the file was killed before there was anything in it.
            return Ok(BlocksHeader::NEW);
        }
        let mut head = BlocksHeader { len: content, is_made: true, first: [0; SECTOR_CONTENT] };
        head.first.copy_from_slice(&first[..SECTOR_CONTENT]);
        if is_summed(first) && head.first.starts_with(STORE_MAGIC) {
            Ok(head)
        } else {
            Err(damaged(SECTOR as u64))
        }
    }

    /// Returns the first sector of the file.
    fn sector(&self) -> [u8; SECTOR] {
        let mut content = [0; SECTOR_CONTENT];
        content[..16].copy_from_slice(&MAGIC);
        content[16..20].copy_from_slice(&VERSION.to_le_bytes());
        content[20..24].copy_from_slice(&(BLOCK as u32).to_le_bytes());
        content[24..32].copy_from_slice(&self.len.to_le_bytes());
        content[32] = self.is_made.into();
        summed(&content)
    }
}

/// The letters with which the head of a store begins once it is complete.
const STORE_MAGIC: &[u8] = b"redb";

/// Takes the lock that goes with the access.
fn lock(file: &File, path: &Path, access: Access) -> Result<(), DatabaseError> {
    for _ in 0..LOCK_ATTEMPTS {
        let taken = match access {
            Access::Read => try_lock_shared(file),
            Access::Write | Access::Create => try_lock(file),
        };
        match taken {
            Ok(()) => return Ok(()),
            // Some network file systems know no locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => {
                return Err(FileError::io("lock", path, error).into());
            }
            // A child of a run that was killed may hold the lock until it becomes another program.
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
        }
    }
    let path: PathBuf = path.to_owned();
    Err(if access == Access::Read {
        DatabaseError::Written(path)
    } else {
        DatabaseError::InUse(path)
    })
}

/// Returns the part of the first sector's content that is meant, if it lies in block 0.
fn in_first(offset: u64, len: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(len)?;
    (end <= SECTOR_CONTENT).then_some(start..end)
}

/// Returns the number of the first of some whole blocks, without block 0.
fn whole_blocks(offset: u64, len: usize) -> Option<u64> {
    let block = BLOCK as u64;
    let is_whole = offset.is_multiple_of(block) && len.is_multiple_of(BLOCK);
    (is_whole && offset >= block).then_some(offset / block)
}

fn not_whole() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "the store asked for a part of a block")
}

fn stored_offset(number: u64) -> u64 {
    BLOCK as u64 + (number - 1) * STORED_BLOCK as u64
}

/// Returns the length of a file with a content of `len` bytes.
fn stored_len(len: u64) -> u64 {
    stored_offset((len / BLOCK as u64).max(1))
}

fn block_sum(number: u64, content: &[u8]) -> u32 {
    let mut sum = Hasher::new();
    sum.update(&number.to_le_bytes());
    sum.update(content);
    sum.finalize()
}

/// Returns a sector with its checksum.
fn summed(content: &[u8; SECTOR_CONTENT]) -> [u8; SECTOR] {
    let mut sector = [0; SECTOR];
    sector[..SECTOR_CONTENT].copy_from_slice(content);
    sector[SECTOR_CONTENT..].copy_from_slice(&crc32fast::hash(content).to_le_bytes());
    sector
}

fn is_summed(sector: &[u8]) -> bool {
    let (content, sum) = sector.split_at(SECTOR_CONTENT);
    crc32fast::hash(content).to_le_bytes() == *sum
}

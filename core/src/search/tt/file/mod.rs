//! Saving and loading of tables.
//!
//! # Format
//!
//! All numbers are little-endian on every machine. A file consists of a header of 40 bytes, then
//! one block for every 16384 buckets, the last one for the remainder, and nothing after it.
//!
//! | header, from byte | bytes | what |
//! | --: | --: | --- |
//! | 0 | 8 | the letters `TENGENTT` |
//! | 8 | 4 | the version of the format, 1 |
//! | 12 | 4 | the generation of the table, below 64 |
//! | 16 | 8 | the identity: a number given by the caller for what the entries depend on |
//! | 24 | 8 | the number of buckets |
//! | 32 | 4 | 0 |
//! | 36 | 4 | checksum |
//!
//! | block | bytes | what |
//! | --- | --: | --- |
//! | length | 4 | the number of bytes of the codes |
//! | codes | | the buckets in order |
//! | checksum | 4 | |
//!
//! A code starts with one byte. 1 to 31 is a bucket with entries: bit `i` is set if slot `i` is
//! used, and 12 bytes follow for each used slot, in order: first the data word (8), then the check
//! word (4). 128 to 255 are 1 to 128 empty buckets. Other bytes do not occur.
//!
//! A checksum is the CRC-32 (as in zip and Ethernet) of everything before it in the file except
//! other checksums, so it also proves that the blocks belong to this header and are in order.
//!
//! The words of an entry are those in memory, as `Packed` describes them. The check word is the low
//! half of the key combined with both halves of the data word; the high bits of the key follow from
//! the bucket: `key * buckets >> 64`. So a table is loaded with the number of buckets that it was
//! saved with. Any change of this needs a new version of the format.
//!
//! # Why not a general compressor
//!
//! Only empty slots can be saved: a full bucket takes 61 bytes of its 64, an empty one, in a long
//! run, a sixteenth of a bit. The rest is mostly keys and scores, close to noise: on files of real
//! searches lz4 gains 4 percent, zstd at level 1 gains 14 percent, in several times the time.
//! Run-length coding of empty buckets alone would not suffice: keys are spread at random, so in a
//! table that is a tenth full two buckets in five hold something, usually one entry.

mod code;
mod error;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use crc32fast::Hasher;

use self::code::{MOST_BUCKET_BYTES, decode, encode};
pub use self::error::TableLoadError;
use super::entry::{GENERATIONS, Packed};
use super::table::{Bucket, TranspositionTable};
use crate::sys::files::replace_file;

/// The magic bytes at the start of every file.
const MAGIC: [u8; 8] = *b"TENGENTT";

/// The version of the format.
const VERSION: u32 = 1;

/// The size of the header without its checksum, in bytes.
const HEADER_BYTES: usize = 36;

/// The number of buckets of a block: 1 MiB of memory.
const BLOCK_BUCKETS: usize = 1 << 14;

/// The size of a length or a checksum, in bytes.
const WORD_BYTES: usize = 4;

impl TranspositionTable {
    /// Writes the table to `out` and returns the number of bytes.
    ///
    /// `identity` stands for everything that the entries depend on: the version of the engine, the
    /// rule, the board size, the evaluator. Reading requires the same number, so it must not change
    /// from run to run, as hashes of the standard library may.
    ///
    /// Searches may run at the same time: each entry is then saved as it was at some moment. An
    /// entry that is being written may be lost.
    ///
    /// Writes up to a MiB at a time, so `out` needs no buffer of its own.
    ///
    /// # Errors
    ///
    /// Returns the first error of `out`.
    pub fn write_to(&self, out: &mut impl Write, identity: u64) -> io::Result<u64> {
        let mut sum = Hasher::new();
        let mut written = 0;
        let mut put = |bytes: &mut Vec<u8>| {
            sum.update(bytes);
            bytes.extend_from_slice(&sum.clone().finalize().to_le_bytes());
            written += bytes.len() as u64;
            out.write_all(bytes)
        };
        let mut bytes = Vec::with_capacity(HEADER_BYTES + WORD_BYTES);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&u32::from(self.generation()).to_le_bytes());
        bytes.extend_from_slice(&identity.to_le_bytes());
        bytes.extend_from_slice(&(self.buckets.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        put(&mut bytes)?;
        for block in self.buckets.chunks(BLOCK_BUCKETS) {
            bytes.clear();
            bytes.extend_from_slice(&[0; WORD_BYTES]);
            encode(block, &mut bytes);
            let length = (bytes.len() - WORD_BYTES) as u32;
            bytes[..WORD_BYTES].copy_from_slice(&length.to_le_bytes());
            put(&mut bytes)?;
        }
        out.flush()?;
        Ok(written)
    }

    /// Reads a table that [`TranspositionTable::write_to`] wrote, and nothing after it.
    ///
    /// The table takes as much memory as when it was saved, and is refused if that is more than
    /// `max_bytes`. Nothing else is allocated but a buffer of at most 1 MiB. Large pages are
    /// requested, since a table worth loading is for long use.
    ///
    /// Reads up to a MiB at a time, so `input` needs no buffer of its own.
    ///
    /// # Errors
    ///
    /// Returns [`TableLoadError`] if `input` fails or ends too early, is not such a table, is
    /// damaged or has another identity, or if the table needs too much memory.
    pub fn read_from(
        input: &mut impl Read,
        identity: u64,
        max_bytes: usize,
    ) -> Result<TranspositionTable, TableLoadError> {
        TranspositionTable::read(&mut TableReader::new(input), identity, max_bytes)
    }

    /// Saves the table to a file, replacing an old one, and returns the number of bytes.
    ///
    /// The file appears under its name once it is complete and on disk; until then it has a
    /// temporary name in the same folder. After an error the temporary file is removed and the old
    /// file is unchanged. Otherwise like [`TranspositionTable::write_to`].
    ///
    /// # Errors
    ///
    /// Returns the error of the operating system, or an error if `path` is not a file but, for
    /// example, a folder or a device.
    pub fn save(&self, path: &Path, identity: u64) -> io::Result<u64> {
        replace_file(path, |file| self.write_to(file, identity))
    }

    /// Loads a table from a file that [`TranspositionTable::save`] wrote.
    ///
    /// Like [`TranspositionTable::read_from`], but nothing may follow the table.
    ///
    /// # Errors
    ///
    /// As for [`TranspositionTable::read_from`].
    pub fn load(
        path: &Path,
        identity: u64,
        max_bytes: usize,
    ) -> Result<TranspositionTable, TableLoadError> {
        let (mut file, len) = open(path)?;
        let mut source = TableReader::new(&mut file);
        let table = TranspositionTable::read(&mut source, identity, max_bytes)?;
        source.end(len)?;
        Ok(table)
    }

    /// Reads the whole file and returns the memory that [`TranspositionTable::load`] would need, in
    /// bytes.
    ///
    /// For callers that have no memory for two tables and must drop the old one before loading.
    ///
    /// # Errors
    ///
    /// Those of [`TranspositionTable::load`], except for a lack of memory.
    pub fn check(path: &Path, identity: u64, max_bytes: usize) -> Result<usize, TableLoadError> {
        let (mut file, len) = open(path)?;
        let mut source = TableReader::new(&mut file);
        let header = source.header(identity, max_bytes)?;
        source.blocks(header.buckets, |_, _, _, _| ())?;
        source.end(len)?;
        Ok(header.buckets * size_of::<Bucket>())
    }

    fn read<R: Read>(
        source: &mut TableReader<'_, R>,
        identity: u64,
        max_bytes: usize,
    ) -> Result<TranspositionTable, TableLoadError> {
        let header = source.header(identity, max_bytes)?;
        let bytes = header.buckets * size_of::<Bucket>();
        let table = TranspositionTable::new(bytes).map_err(TableLoadError::Memory)?;
        table.prefer_large_pages();
        table.generation.store(header.generation, Ordering::Relaxed);
        source.blocks(header.buckets, |bucket, slot, data, check| {
            table.buckets[bucket].restore(slot, data, check);
        })?;
        Ok(table)
    }
}

/// Opens a file and returns it with its length.
fn open(path: &Path) -> io::Result<(File, u64)> {
    // Checked before opening, because opening a pipe waits for its other end.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    Ok((File::open(path)?, metadata.len()))
}

/// The fields of the header that differ from file to file.
struct TableHeader {
    generation: u8,
    /// The number of buckets, which fit into the allowed memory.
    buckets: usize,
}

/// An input with the checksum of the bytes read so far.
struct TableReader<'a, R> {
    input: &'a mut R,
    /// The number of bytes read.
    offset: u64,
    /// The checksum of the bytes read.
    sum: Hasher,
}

impl<'a, R: Read> TableReader<'a, R> {
    fn new(input: &'a mut R) -> TableReader<'a, R> {
        TableReader { input, offset: 0, sum: Hasher::new() }
    }

    /// Reads until `bytes` is full or the input ends, and returns the number of bytes read.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < bytes.len() {
            match self.input.read(&mut bytes[done..]) {
                Ok(0) => break,
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += done as u64;
        Ok(done)
    }

    /// Fills `bytes`, or fails if the input ends too early.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TableLoadError> {
        let expected = self.offset + bytes.len() as u64;
        if self.read(bytes)? < bytes.len() {
            return Err(TableLoadError::Truncated { expected, found: self.offset });
        }
        Ok(())
    }

    /// Compares a stored checksum with that of everything before it, which ends with `bytes`.
    fn verify(&mut self, bytes: &[u8], found: [u8; WORD_BYTES]) -> Result<(), TableLoadError> {
        self.sum.update(bytes);
        let expected = self.sum.clone().finalize();
        let found = u32::from_le_bytes(found);
        if found != expected {
            let offset = self.offset - WORD_BYTES as u64;
            return Err(TableLoadError::Checksum { offset, expected, found });
        }
        Ok(())
    }

    fn header(&mut self, identity: u64, max_bytes: usize) -> Result<TableHeader, TableLoadError> {
        let mut bytes = [0; HEADER_BYTES + WORD_BYTES];
        let read = self.read(&mut bytes)?;
        // An input that is not a table at all is reported as such, not as too short.
        let (magic, rest) = split::<8>(&bytes);
        if !MAGIC.starts_with(&magic[..read.min(magic.len())]) {
            return Err(TableLoadError::Foreign { found: magic });
        }
        if read < bytes.len() {
            let expected = bytes.len() as u64;
            return Err(TableLoadError::Truncated { expected, found: self.offset });
        }
        let (version, rest) = split::<4>(rest);
        let version = u32::from_le_bytes(version);
        if version != VERSION {
            return Err(TableLoadError::Version { expected: VERSION, found: version });
        }
        let (generation, rest) = split::<4>(rest);
        let (its_identity, rest) = split::<8>(rest);
        let (buckets, rest) = split::<8>(rest);
        let (zero, rest) = split::<4>(rest);
        let (sum, _) = split::<WORD_BYTES>(rest);
        self.verify(&bytes[..HEADER_BYTES], sum)?;
        let found = u64::from_le_bytes(its_identity);
        if found != identity {
            return Err(TableLoadError::Identity { expected: identity, found });
        }
        let generation = u32::from_le_bytes(generation);
        if generation >= u32::from(GENERATIONS) {
            let (expected, found) = ("a generation below 64", generation.into());
            return Err(TableLoadError::Malformed { offset: 12, expected, found });
        }
        if zero != [0; 4] {
            let (expected, found) = ("0", u32::from_le_bytes(zero).into());
            return Err(TableLoadError::Malformed { offset: 32, expected, found });
        }
        let buckets = u64::from_le_bytes(buckets);
        let needed = u128::from(buckets) * size_of::<Bucket>() as u128;
        if needed > max_bytes as u128 {
            return Err(TableLoadError::TooLarge { needed, allowed: max_bytes });
        }
        Ok(TableHeader { generation: generation as u8, buckets: buckets as usize })
    }

    /// Reads all blocks and calls `put` with the bucket, the slot, the data word and the check word
    /// of every entry.
    fn blocks(
        &mut self,
        buckets: usize,
        mut put: impl FnMut(usize, usize, Packed, u32),
    ) -> Result<(), TableLoadError> {
        let most = |buckets: usize| buckets * MOST_BUCKET_BYTES;
        let mut block = vec![0; most(buckets.min(BLOCK_BUCKETS)) + 2 * WORD_BYTES];
        let mut first = 0;
        while first < buckets {
            let count = (buckets - first).min(BLOCK_BUCKETS);
            let start = self.offset;
            let (head, rest) = block.split_at_mut(WORD_BYTES);
            self.fill(head)?;
            let length = u32::from_le_bytes(split::<WORD_BYTES>(head).0) as usize;
            if length > most(count) {
                let expected = "the length of at most 61 bytes for each bucket";
                let found = length as u64;
                return Err(TableLoadError::Malformed { offset: start, expected, found });
            }
            self.fill(&mut rest[..length + WORD_BYTES])?;
            let (bytes, sum) =
                block[..WORD_BYTES + length + WORD_BYTES].split_at(WORD_BYTES + length);
            self.verify(bytes, split::<WORD_BYTES>(sum).0)?;
            decode(&bytes[WORD_BYTES..], count, |bucket, slot, data, check| {
                put(first + bucket, slot, data, check);
            })
            .map_err(|fault| TableLoadError::Malformed {
                offset: start + (WORD_BYTES + fault.at) as u64,
                expected: fault.expected,
                found: fault.found,
            })?;
            first += count;
        }
        Ok(())
    }

    /// Checks that the input ends here; `len` is the file length at the time of opening.
    fn end(&mut self, len: u64) -> Result<(), TableLoadError> {
        let expected = self.offset;
        match self.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(TableLoadError::TooLong { expected, found: len.max(self.offset) }),
        }
    }
}

/// Splits off the first bytes; the caller guarantees that they exist.
fn split<const N: usize>(bytes: &[u8]) -> ([u8; N], &[u8]) {
    let (first, rest) = bytes.split_first_chunk().expect("the caller has counted");
    (*first, rest)
}

//! Reading a corpus from its beginning to its end.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::format::{
    HEADER_BYTES, HeaderFault, MAX_GAME_BYTES, decode_game, decode_header, is_torn,
};
use super::store::SYNC_BYTES;
use crate::tuning::error::GamesError;
use crate::tuning::game::SelfPlayGame;
use crate::tuning::selfplay::SelfPlayOptions;
use tengen_files::resume::FileError;

/// The bytes read at a time.
const CHUNK: usize = 1 << 20;
/// The most bytes that an interrupted run can leave broken.
const MOST_TORN: u64 = SYNC_BYTES + MAX_GAME_BYTES as u64;

/// The games of a corpus, in their order.
///
/// The iterator ends before what an interrupted run left broken; see [`CorpusReader::torn`]. Games
/// added after the file was opened are not seen.
#[derive(Debug)]
pub struct CorpusReader {
    path: PathBuf,
    file: File,
    options: SelfPlayOptions,
    /// The length of the file when it was opened.
    len: u64,
    /// The bytes read of the file and not yet handed on, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// The offset of the next game.
    offset: u64,
    games: u64,
    crc: crc32fast::Hasher,
    is_over: bool,
}

impl CorpusReader {
    /// Opens a corpus.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or does not begin as a corpus does.
    pub fn open(path: &Path) -> Result<CorpusReader, GamesError> {
        let failed = |error| FileError::io("read", path, error);
        let metadata = path.metadata().map_err(failed)?;
        // Opening a pipe would wait for its other end.
        if !metadata.is_file() {
            return Err(FileError::NotAFile(path.to_owned()).into());
        }
        CorpusReader::of(path, File::open(path).map_err(failed)?)
    }

    /// Begins to read a corpus that is open.
    pub(super) fn of(path: &Path, mut file: File) -> Result<CorpusReader, GamesError> {
        let failed = |error| FileError::io("read", path, error);
        let len = file.metadata().map_err(failed)?.len();
        file.rewind().map_err(failed)?;
        let mut header = Vec::with_capacity(HEADER_BYTES);
        (&file).take(HEADER_BYTES as u64).read_to_end(&mut header).map_err(failed)?;
        let bad = |fault: HeaderFault| GamesError::Header { path: path.to_owned(), fault };
        let (options, len_of_header) = decode_header(&header).map_err(bad)?;
        file.seek(SeekFrom::Start(len_of_header as u64)).map_err(failed)?;
        let mut crc = crc32fast::Hasher::new();
        crc.update(&header[..len_of_header - size_of::<u32>()]);
        Ok(CorpusReader {
            path: path.to_owned(),
            file,
            options,
            len,
            buffer: Vec::new(),
            start: 0,
            offset: len_of_header as u64,
            games: 0,
            crc,
            is_over: false,
        })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the games were made with.
    #[must_use]
    pub const fn options(&self) -> &SelfPlayOptions {
        &self.options
    }

    /// Returns the number of games read so far.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the CRC-32 of the header and the games read so far, without their own checksums: with those it
    /// would be that of all files whose games are as long.
    #[must_use]
    pub fn crc(&self) -> u32 {
        self.crc.clone().finalize()
    }

    /// Returns the bytes of the header and the games read so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes that are not read yet; after the last game, what is broken.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.len.saturating_sub(self.offset)
    }

    /// Reads until there is a whole record, if the file has one.
    fn fill(&mut self) -> Result<(), GamesError> {
        let ready = self.buffer.len() - self.start;
        let rest = self.len.saturating_sub(self.offset + ready as u64).min(CHUNK as u64);
        if ready >= MAX_GAME_BYTES || rest == 0 {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let mut input = (&self.file).take(rest);
        input
            .read_to_end(&mut self.buffer)
            .map_err(|error| FileError::io("read", &self.path, error))?;
        Ok(())
    }

    fn read(&mut self) -> Result<Option<SelfPlayGame>, GamesError> {
        self.fill()?;
        let bytes = &self.buffer[self.start..];
        if let Some((game, len)) = decode_game(bytes, self.options.size) {
            self.crc.update(&bytes[..len - size_of::<u32>()]);
            self.start += len;
            self.offset += len as u64;
            self.games += 1;
            return Ok(Some(game));
        }
        if self.torn() > MOST_TORN || !is_torn(bytes, self.options.size) {
            let (path, game, offset) = (self.path.clone(), self.games + 1, self.offset);
            return Err(GamesError::Damaged { path, game, offset });
        }
        Ok(None)
    }
}

impl Iterator for CorpusReader {
    type Item = Result<SelfPlayGame, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.read().transpose();
        self.is_over = !matches!(read, Some(Ok(_)));
        read
    }
}

//! Adding games to a corpus, new or begun by an earlier run.

use std::io::{Read, Seek};
use std::path::Path;

use super::format::{encode_game, encode_header};
use super::reader::CorpusReader;
use crate::tuning::error::GamesError;
use crate::tuning::game::SelfPlayGame;
use crate::tuning::selfplay::{EarlierGames, SelfPlayOptions};
use tengen_files::resume::{AppendLog, Differences, FileError, LockedFile};

/// The bytes after which the file is brought to the disk at once: some hundred games.
pub const SYNC_BYTES: u64 = 1 << 18;

/// A corpus that games are added to.
#[derive(Debug)]
pub struct CorpusStore {
    log: AppendLog,
    /// The bytes that may not be on the disk yet.
    unsynced: u64,
    record: Vec<u8>,
}

impl CorpusStore {
    /// Opens a corpus, new or begun by an earlier run with the same options, and returns what that
    /// run played. What it left broken at the end is cut off. Nobody else can write to it in the
    /// meantime.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the file is in use, is not a corpus, was begun with
    /// other options or is damaged.
    pub fn open(
        path: &Path,
        options: &SelfPlayOptions,
    ) -> Result<(CorpusStore, EarlierGames), GamesError> {
        options.check()?;
        let file = LockedFile::open(path)?;
        let header = encode_header(options);
        let mut begun = EarlierGames::default();
        let whole = if is_part_of(path, &file, &header)? {
            // Nothing, or a header that was torn.
            0
        } else {
            let failed = |error| FileError::io("read", path, error);
            let mut reader = CorpusReader::of(path, file.file().try_clone().map_err(failed)?)?;
            let differences = Differences::between(reader.options().fields(), options.fields());
            if !differences.is_empty() {
                return Err(GamesError::Different { path: path.to_owned(), differences });
            }
            for game in &mut reader {
                let game = game?;
                begun.counts.add(&game);
                begun.last = Some(game);
            }
            reader.offset()
        };
        let mut log = file.resume(whole, &header)?;
        // Leftovers of a killed run may not be on the disk yet, and how much of a file
        // can be torn is counted from here.
        log.sync()?;
        Ok((CorpusStore { log, unsynced: 0, record: Vec::new() }, begun))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// Returns an error if it can't be written, or if another program changed the file.
    pub fn append(&mut self, played: &SelfPlayGame) -> Result<(), GamesError> {
        self.record.clear();
        encode_game(played, &mut self.record);
        self.log.append(&self.record)?;
        // The size of a torn tail must not depend on the speed of the machine.
        self.unsynced += self.record.len() as u64;
        if self.unsynced >= SYNC_BYTES {
            self.sync()?;
        }
        Ok(())
    }

    /// Brings all games to the disk.
    ///
    /// # Errors
    ///
    /// Returns the system's error.
    pub fn sync(&mut self) -> Result<(), GamesError> {
        self.unsynced = 0;
        Ok(self.log.sync()?)
    }
}

/// Returns whether a file is shorter than the header and begins as it does.
fn is_part_of(path: &Path, file: &LockedFile, header: &[u8]) -> Result<bool, FileError> {
    let mut bytes = Vec::new();
    let mut file = file.file();
    file.rewind()
        .and_then(|()| file.take(header.len() as u64).read_to_end(&mut bytes))
        .map_err(|error| FileError::io("read", path, error))?;
    Ok(bytes.len() < header.len() && header.starts_with(&bytes))
}

#[cfg(test)]
mod tests;

//! Adding games to a corpus, new or begun by an earlier run.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::format::{HEADER_BYTES, encode_game, encode_header};
use super::reader::CorpusReader;
use crate::openings::Difference;
use crate::tuning::error::GamesError;
use crate::tuning::game::PlayedGame;
use crate::tuning::selfplay::{Begun, SelfPlayOptions};

/// After how many bytes the file is brought to the disk: some hundred games.
pub const SYNC_BYTES: u64 = 1 << 18;

/// A corpus that games are added to.
#[derive(Debug)]
pub struct CorpusStore {
    path: PathBuf,
    file: File,
    /// The length that the file has if nobody else writes to it.
    len: u64,
    /// The bytes that may not be on the disk yet.
    unsynced: u64,
    record: Vec<u8>,
}

impl CorpusStore {
    /// Opens a corpus, new or begun by an earlier run with the same options, and returns what that
    /// run played. What it left broken at the end is cut off.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the file is no corpus, was begun with other options
    /// or is damaged.
    pub fn open(
        path: &Path,
        options: &SelfPlayOptions,
    ) -> Result<(CorpusStore, Begun), GamesError> {
        options.check()?;
        let failed = |error| GamesError::io(format!("write {}", path.display()), error);
        let mut begun = Begun::default();
        let len = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(GamesError::NotAFile(path.to_owned()));
            }
            // Somebody made sure that it can be written to.
            Ok(metadata) if metadata.len() > 0 => {
                let mut reader = CorpusReader::open(path)?;
                let differences = differences(options, reader.options());
                if !differences.is_empty() {
                    let path = path.to_owned();
                    return Err(GamesError::Different { path, differences });
                }
                for game in &mut reader {
                    let game = game?;
                    begun.counts.add(&game);
                    begun.last = Some(game);
                }
                reader.offset()
            }
            Ok(_) => create(path, options).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(path, options).map_err(failed)?
            }
            Err(error) => return Err(failed(error)),
        };
        let mut file = File::options().write(true).open(path).map_err(failed)?;
        file.set_len(len).map_err(failed)?;
        // What a run that was killed has left is not on the disk yet, and how much of a file can be
        // torn is counted from here.
        file.sync_data().map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let record = Vec::new();
        let store = CorpusStore { path: path.to_owned(), file, len, unsynced: 0, record };
        Ok((store, begun))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// Returns an error if it can't be written, or if somebody else changed the file.
    pub fn append(&mut self, played: &PlayedGame) -> Result<(), GamesError> {
        let failed = |error| GamesError::io(format!("write {}", self.path.display()), error);
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(GamesError::Changed(self.path.clone()));
        }
        self.record.clear();
        encode_game(played, &mut self.record);
        self.file.write_all(&self.record).map_err(failed)?;
        self.len += self.record.len() as u64;
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
        self.file
            .sync_data()
            .map_err(|error| GamesError::io(format!("write {}", self.path.display()), error))
    }
}

/// Makes a corpus without games, as a whole or not at all; returns its length.
fn create(path: &Path, options: &SelfPlayOptions) -> io::Result<u64> {
    let mut name = path.file_name().map(OsString::from).ok_or(io::ErrorKind::InvalidInput)?;
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let written = File::create(&new)
        .and_then(|mut file| {
            file.write_all(&encode_header(options))?;
            file.sync_data()
        })
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // The reason why it failed is worth more than why it could not be removed.
        let _ = fs::remove_file(&new);
    }
    written.map(|()| HEADER_BYTES as u64)
}

/// Returns the options that are not those of a header.
fn differences(options: &SelfPlayOptions, begun: &SelfPlayOptions) -> Vec<Difference> {
    let pairs = begun.fields().into_iter().zip(options.fields());
    pairs
        .filter(|((_, begun), (_, now))| begun != now)
        .map(|((name, begun), (_, now))| Difference { name, begun, now })
        .collect()
}

#[cfg(test)]
mod tests;

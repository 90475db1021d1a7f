//! The moves of games that are not finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{is_file, line, with_suffix};
use crate::arena::{JournalError, MatchInfo, Unfinished};

/// As much of the file is read: far more than the moves of one game.
const MOST_BYTES: u64 = 64 << 20;

/// The file by the side of a journal in which every line says how far a game is played.
#[derive(Debug)]
pub(super) struct Running {
    path: PathBuf,
    file: File,
    info: MatchInfo,
}

impl Running {
    /// Opens the file that belongs to a journal, and returns what is known of each game. If the
    /// journal is new, that is nothing.
    pub(super) fn open(
        journal: &Path,
        info: &MatchInfo,
        is_new: bool,
    ) -> Result<(Running, Vec<Unfinished>), JournalError> {
        let path = with_suffix(journal, ".running");
        match is_file(&path) {
            Err(JournalError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
        let failed = |error| JournalError::io("open", &path, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).append(cfg!(unix));
        let mut file = options.open(&path).map_err(failed)?;
        let mut bytes = Vec::new();
        if is_new {
            file.set_len(0).map_err(failed)?;
        } else {
            (&mut file).take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
            if !bytes.is_empty() && !bytes.ends_with(b"\n") {
                // What is added must not become a part of a torn line.
                write_at_end(&mut file, b"\n").map_err(failed)?;
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut games: Vec<Unfinished> = Vec::new();
        for game in text.lines().filter_map(|text| line::read_running(text, info)) {
            games.retain(|older| older.game != game.game);
            games.push(game);
        }
        Ok((Running { path, file, info: info.clone() }, games))
    }

    /// Returns another handle of the file.
    pub(super) fn handle(&self) -> Result<File, JournalError> {
        self.file.try_clone().map_err(|error| JournalError::io("open", &self.path, error))
    }

    /// Adds how far a game is played.
    pub(super) fn note(&mut self, game: &Unfinished) -> Result<(), JournalError> {
        let line = line::write_running(game, &self.info)
            .map_err(|error| JournalError::Unwritable { game: game.game + 1, error })?;
        write_at_end(&mut self.file, line.as_bytes())
            .map_err(|error| JournalError::io("write", &self.path, error))
    }

    /// Forgets all games.
    pub(super) fn clear(&mut self) -> Result<(), JournalError> {
        self.file.set_len(0).map_err(|error| JournalError::io("write", &self.path, error))
    }

    /// Removes the file.
    pub(super) fn remove(self) -> Result<(), JournalError> {
        let Running { path, file, .. } = self;
        drop(file);
        fs::remove_file(&path).map_err(|error| JournalError::io("remove", &path, error))
    }
}

fn write_at_end(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::End(0))?;
    file.write_all(bytes)
}

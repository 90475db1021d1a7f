//! The moves of games that are not finished.

use std::path::Path;

use super::line;
use crate::arena::{JournalError, MatchInfo, Unfinished};
use tengen_files::resume::{AppendLog, FileError, LockedFile, WholeLines, with_suffix};

/// The file by the side of a journal in which every line says how far a game is played.
#[derive(Debug)]
pub(super) struct Running {
    log: AppendLog,
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
        let file = LockedFile::open(&path)?;
        let mut games: Vec<Unfinished> = Vec::new();
        let mut lines = WholeLines::new(&path, file.file())?;
        while let Some(text) = understood(lines.next_summed())? {
            if let Some(game) = line::read_running(&text, info) {
                games.retain(|older| older.game != game.game);
                games.push(game);
            }
        }
        if is_new {
            games.clear();
        }
        let whole = if is_new { 0 } else { lines.whole() };
        Ok((Running { log: file.resume(whole, b"")?, info: info.clone() }, games))
    }

    /// Adds how far a game is played.
    pub(super) fn note(&mut self, game: &Unfinished) -> Result<(), JournalError> {
        let line = line::write_running(game, &self.info)
            .map_err(|error| JournalError::Unwritable { game: game.game + 1, error })?;
        Ok(self.log.append(line.as_bytes())?)
    }

    /// Forgets all games.
    pub(super) fn clear(&mut self) -> Result<(), JournalError> {
        Ok(self.log.clear()?)
    }

    /// Removes the file.
    pub(super) fn remove(self) -> Result<(), JournalError> {
        Ok(self.log.remove()?)
    }
}

/// Ends the lines before a damaged one: it and all after it are dropped.
fn understood(line: Result<Option<String>, FileError>) -> Result<Option<String>, FileError> {
    match line {
        Err(FileError::BadLine { .. } | FileError::BadSum { .. }) => Ok(None),
        other => other,
    }
}

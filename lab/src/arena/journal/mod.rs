//! Files that keep the games of a match.
//!
//! The first line of a journal says which match it is of; every other line is a game: its record
//! as `tengen convert` reads it, with one more field, `match`, that holds the rest, and a checksum. The
//! part of a line that an interrupted run leaves is dropped.
//!
//! Next to a journal whose match is the best of some single games, another file with `.running`
//! added to its name keeps the moves of the game that is being played. It is a help and no more:
//! what can't be understood of it is passed over.

mod line;
mod running;
mod scan;

use std::fs::File;
use std::path::Path;

use self::running::Running;
use self::scan::{Scanned, scan, scan_head};
use super::{JournalError, MatchInfo, Pairing, PlayedGame, Shard, Unfinished};
use tengen_files::resume::with_sum;
use tengen_files::resume::{AppendLog, Difference, FileError, LockedFile, WholeLines};

pub(super) use self::line::BEGINNING;
pub(super) use self::scan::JournalPart;

/// A file to which the games of a match are added as they are finished.
///
/// It is locked meanwhile. Whatever is added has reached the system when the call
/// returns, and the disk about a second later, or when this is dropped.
#[derive(Debug)]
pub struct Journal {
    log: AppendLog,
    dropped: u64,
    running: Option<Running>,
}

impl Journal {
    /// Opens the journal of a match or of a part of it, new or begun by an earlier run, and returns
    /// the games that are finished, in the order in which they were, and those that are not. The
    /// journal of the same match with fewer rounds becomes one of this match.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the journal is in use, of something else, or
    /// damaged in another way than by a last line without an end.
    pub fn open(
        path: &Path,
        info: &MatchInfo,
        shard: Option<Shard>,
    ) -> Result<(Journal, Vec<PlayedGame>, Vec<Unfinished>), JournalError> {
        let file = LockedFile::open(path)?;
        let head = line::write_head(info, shard);
        let Scanned { part, whole, torn } = scan(path, file.file())?;
        let games = match part {
            Some(part) => {
                part.check(path, info, shard)?;
                if part.info.rounds < info.rounds {
                    // The lock is on the file that is replaced.
                    change_head(path, file, &head)?;
                    return Journal::open(path, info, shard);
                }
                part.games
            }
            None if head.as_bytes().starts_with(&torn) => Vec::new(),
            None => return Err(JournalError::NotAJournal(path.to_owned())),
        };
        let best_of = matches!(info.pairing, Pairing::BestOf { .. });
        let (running, unfinished) = if best_of {
            // A file of running games beside a new journal belongs to another match.
            let (running, unfinished) = Running::open(path, info, whole == 0)?;
            let is_new = |game: &Unfinished| games.iter().all(|old| old.fixture.game != game.game);
            (Some(running), unfinished.into_iter().filter(is_new).collect())
        } else {
            (None, Vec::new())
        };
        let dropped = if whole == 0 { 0 } else { torn.len() as u64 };
        let log = file.resume(whole, head.as_bytes())?;
        Ok((Journal { log, dropped, running }, games, unfinished))
    }

    /// Returns the match of a journal and the games in it, in the order in which they were
    /// finished.
    ///
    /// # Errors
    ///
    /// Returns an error if this is not a journal, or one that is damaged in another way than by a last
    /// line without an end.
    pub fn read(path: &Path) -> Result<(MatchInfo, Vec<PlayedGame>), JournalError> {
        let part = Journal::read_open(path, &open_to_read(path)?)?;
        Ok((part.info, part.games))
    }

    /// Returns the match of a journal without reading its games; `None` if it has not begun.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or is not a journal.
    pub fn read_match(path: &Path) -> Result<Option<MatchInfo>, JournalError> {
        scan_head(path, &open_to_read(path)?)
    }

    /// Returns what is in a journal that is open.
    pub(super) fn read_open(path: &Path, file: &File) -> Result<JournalPart, JournalError> {
        scan(path, file)?.part.ok_or_else(|| JournalError::NotAJournal(path.to_owned()))
    }

    /// Returns how many bytes at the end of the file were a part of a line and dropped when it was
    /// opened.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Adds a finished game.
    ///
    /// # Errors
    ///
    /// Returns an error if the game can't be kept; the file holds what it held before then.
    pub fn add(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        self.log.append(line_of(game)?.as_bytes())?;
        if let Some(running) = &mut self.running {
            // The game is kept, and readers of the journal skip duplicates.
            let _ = running.clear();
        }
        Ok(())
    }

    /// Notes how far a game is played, if the match is one whose games go on after an interruption.
    ///
    /// # Errors
    ///
    /// Returns an error if that can't be written.
    pub fn note(&mut self, game: &Unfinished) -> Result<(), JournalError> {
        self.running.as_mut().map_or(Ok(()), |running| running.note(game))
    }

    /// Brings everything to the disk, and closes the journal.
    ///
    /// `complete` says that the match is over, so that nothing will go on.
    ///
    /// # Errors
    ///
    /// Returns an error if something may not have reached the disk.
    pub fn close(self, complete: bool) -> Result<(), JournalError> {
        let Journal { log, running, .. } = self;
        log.close()?;
        match running {
            Some(running) if complete => running.remove(),
            _ => Ok(()),
        }
    }
}

fn open_to_read(path: &Path) -> Result<File, FileError> {
    let failed = |error| FileError::io("read", path, error);
    // Opening a pipe would wait for its other end.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(FileError::NotAFile(path.to_owned()));
    }
    File::open(path).map_err(failed)
}

/// Returns the text of a whole journal.
pub(super) fn text_of(info: &MatchInfo, games: &[PlayedGame]) -> Result<String, JournalError> {
    let mut text = line::write_head(info, None);
    for game in games {
        text.push_str(&line_of(game)?);
    }
    Ok(text)
}

/// Writes a journal anew with another first line, without what is behind its whole lines. All get
/// checksums.
fn change_head(path: &Path, old: LockedFile, head: &str) -> Result<(), JournalError> {
    let mut lines = WholeLines::new(path, old.file())?;
    let mut text = head.to_owned();
    let mut is_head = true;
    while let Some(line) = lines.next_summed()? {
        if !is_head {
            text += &with_sum(&line);
            text.push('\n');
        }
        is_head = false;
    }
    Ok(old.replace(text.as_bytes())?)
}

fn line_of(game: &PlayedGame) -> Result<String, JournalError> {
    let number = game.fixture.game + 1;
    line::write_game(game).map_err(|error| JournalError::Unwritable { game: number, error })
}

impl JournalPart {
    /// Checks that this is the part of the match that is to be played, with no more rounds.
    fn check(
        &self,
        path: &Path,
        info: &MatchInfo,
        shard: Option<Shard>,
    ) -> Result<(), JournalError> {
        let mut differences = self.info.differences(info);
        if self.shard != shard {
            let name = |shard: Option<Shard>| {
                shard.map_or_else(String::new, |s| format!("{}/{}", s.index + 1, s.count))
            };
            differences.0.push(Difference {
                name: "shard".to_owned(),
                begun: name(self.shard),
                now: name(shard),
            });
        }
        let may_differ = |name: &str| name == "rounds" && self.info.rounds < info.rounds;
        differences.0.retain(|difference| !may_differ(&difference.name));
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::Different { path: path.to_owned(), differences })
    }
}

#[cfg(test)]
mod tests;

//! Journals that become one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::journal::{JournalPart, text_of};
use super::{Journal, JournalError, MatchInfo, PlayedGame};
use tengen_files::resume::{Differences, FileError, LockedFile, replace_file};

/// The games of several journals of one match together.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    /// The match.
    pub info: MatchInfo,
    /// The games in the order of their numbers.
    pub games: Vec<PlayedGame>,
}

/// Joins journals of one match: of its parts, of several hosts, or copies of the same.
///
/// # Errors
///
/// Returns an error if one of them can't be read, if they are not of the same match, or if two have
/// different games of the same number.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, JournalError> {
    let mut found: Option<MatchInfo> = None;
    let mut games: BTreeMap<u64, (PlayedGame, &PathBuf)> = BTreeMap::new();
    for path in paths {
        let (info, more) = Journal::read(path)?;
        let differences =
            found.as_ref().map_or_else(Differences::default, |found| info.differences(found));
        if !differences.is_empty() {
            return Err(JournalError::Different { path: path.clone(), differences });
        }
        found.get_or_insert(info);
        for game in more {
            let number = game.fixture.game;
            match games.get(&number) {
                None => {
                    games.insert(number, (game, path));
                }
                Some((other, _)) if *other == game => {}
                Some((_, other)) => {
                    let paths = [(*other).clone(), path.clone()];
                    return Err(JournalError::Conflict { game: number + 1, paths });
                }
            }
        }
    }
    let info = found.ok_or(JournalError::Nothing)?;
    Ok(Merged { info, games: games.into_values().map(|(game, _)| game).collect() })
}

impl Merged {
    /// Writes everything to one journal, which a run of the whole match can go on with.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves everything as it was, if that can't be done, or if there is a
    /// file already that holds something else than a part of it.
    pub fn write(&self, path: &Path) -> Result<(), JournalError> {
        let text = text_of(&self.info, &self.games)?;
        match path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                replace_file(path, |file| file.write_all(text.as_bytes()))
                    .map_err(|error| FileError::io("write", path, error))?;
            }
            _ => {
                let old = LockedFile::open(path)?;
                self.check_old(path, old.file())?;
                old.replace(text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Checks that nothing is lost when this takes the place of a file.
    fn check_old(&self, path: &Path, old: &File) -> Result<(), JournalError> {
        let exists = || JournalError::Exists(path.to_owned());
        let JournalPart { info, games, .. } = match Journal::read_open(path, old) {
            Ok(old) => old,
            Err(error @ JournalError::File(FileError::Io { .. })) => return Err(error),
            Err(_) => return Err(exists()),
        };
        let is_kept = |game: &PlayedGame| {
            let place = self.games.binary_search_by_key(&game.fixture.game, |g| g.fixture.game);
            place.is_ok_and(|place| self.games[place] == *game)
        };
        let loses_nothing = info == self.info && games.iter().all(is_kept);
        if loses_nothing { Ok(()) } else { Err(exists()) }
    }
}

#[cfg(test)]
mod tests;

//! Reading a journal line by line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::line::{BEGINNING, read_game, read_head};
use crate::arena::{JournalError, MatchInfo, PlayedGame, Shard};
use tengen_files::resume::{FileError, WholeLines};

/// The content of a journal.
#[derive(Debug)]
pub(in crate::arena) struct JournalPart {
    pub(in crate::arena) info: MatchInfo,
    pub(in crate::arena) shard: Option<Shard>,
    /// The games in the order of the lines, each once.
    pub(in crate::arena) games: Vec<PlayedGame>,
}

/// The content of a file.
pub(super) struct Scanned {
    /// The journal, if there is a whole line.
    pub(super) part: Option<JournalPart>,
    /// The length of the whole lines.
    pub(super) whole: u64,
    /// The bytes behind them.
    pub(super) torn: Vec<u8>,
}

/// Reads a file that should be a journal.
pub(super) fn scan(path: &Path, file: &File) -> Result<Scanned, JournalError> {
    if !begins_well(file).map_err(|error| FileError::io("read", path, error))? {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let mut lines = WholeLines::new(path, file)?;
    let mut part: Option<JournalPart> = None;
    // Where each game is: among the games, and in which line.
    let mut places: HashMap<u64, (usize, u64)> = HashMap::new();
    while let Some(text) = lines.next_summed()? {
        let Some(JournalPart { info, shard, games }) = &mut part else {
            let (info, shard) = read_head(&text).map_err(|fault| lines.bad(fault))?;
            part = Some(JournalPart { info, shard, games: Vec::new() });
            continue;
        };
        let game = read_game(&text, info, *shard).map_err(|fault| lines.bad(fault))?;
        match places.get(&game.fixture.game) {
            None => {
                places.insert(game.fixture.game, (games.len(), lines.number()));
                games.push(game);
            }
            Some(&(place, _)) if games[place] == game => {}
            Some((_, first)) => {
                let fault = format!("another game with the number of that in line {first}");
                return Err(lines.bad(fault).into());
            }
        }
    }
    Ok(Scanned { part, whole: lines.whole(), torn: lines.torn().to_owned() })
}

/// Returns the match that a file is of, if it has a whole line.
pub(super) fn scan_head(path: &Path, file: &File) -> Result<Option<MatchInfo>, JournalError> {
    if !begins_well(file).map_err(|error| FileError::io("read", path, error))? {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let mut lines = WholeLines::new(path, file)?;
    let Some(text) = lines.next_summed()? else { return Ok(None) };
    let head = read_head(&text).map_err(|fault| lines.bad(fault))?;
    Ok(Some(head.0))
}

/// Returns whether a file begins as a journal does, as far as it goes.
fn begins_well(mut file: &File) -> std::io::Result<bool> {
    let mut start = Vec::new();
    file.rewind()?;
    file.take(BEGINNING.len() as u64).read_to_end(&mut start)?;
    Ok(BEGINNING.as_bytes().starts_with(&start))
}

//! Reading a journal line by line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::line::{BEGINNING, read_game, read_head};
use crate::arena::{JournalError, MatchInfo, PlayedGame, Shard};

/// The longest line that is read, in bytes: far beyond any that is written.
const LONGEST_LINE: usize = 16 << 20;

/// What is in a journal.
#[derive(Debug)]
pub(in crate::arena) struct Part {
    pub(in crate::arena) info: MatchInfo,
    pub(in crate::arena) shard: Option<Shard>,
    /// The games in the order of the lines, each once.
    pub(in crate::arena) games: Vec<PlayedGame>,
}

/// What is in a file.
pub(super) enum Content {
    /// A journal, with the length of its whole lines and of what is behind them.
    Games { part: Part, whole: u64, torn: u64 },
    /// Something without a line end.
    NoLine(Vec<u8>),
}

/// Reads a file that should be a journal.
pub(super) fn scan(path: &Path, file: &File) -> Result<Content, JournalError> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut bytes = Vec::new();
    let mut number = 0;
    let bad = |line: u64, fault: String| {
        Err(JournalError::BadLine { path: path.to_owned(), line, fault })
    };
    let mut part: Option<Part> = None;
    let mut whole = 0;
    // Where each game is: among the games, and in which line.
    let mut places: HashMap<u64, (usize, u64)> = HashMap::new();
    loop {
        bytes.clear();
        let len = (&mut reader)
            .take(LONGEST_LINE as u64)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| JournalError::io("read", path, error))?;
        number += 1;
        if part.is_none() && len > 0 && !bytes.starts_with(BEGINNING.as_bytes()) {
            // A head that was torn is shorter than its beginning, and has no end.
            if bytes.len() >= BEGINNING.len() || bytes.ends_with(b"\n") {
                return Err(JournalError::NotAJournal(path.to_owned()));
            }
        }
        if len == LONGEST_LINE {
            return bad(number, "the line is too long".to_owned());
        }
        if !bytes.ends_with(b"\n") {
            return Ok(match part {
                Some(part) => Content::Games { part, whole, torn: len as u64 },
                None => Content::NoLine(bytes),
            });
        }
        let Ok(text) = str::from_utf8(&bytes) else {
            return bad(number, "the line is not UTF-8".to_owned());
        };
        whole += len as u64;
        let Some(Part { info, shard, games }) = &mut part else {
            match read_head(text) {
                Ok((info, shard)) => part = Some(Part { info, shard, games: Vec::new() }),
                Err(fault) => return bad(number, fault),
            }
            continue;
        };
        let game = match read_game(text, info, *shard) {
            Ok(game) => game,
            Err(fault) => return bad(number, fault),
        };
        match places.get(&game.fixture.game) {
            None => {
                places.insert(game.fixture.game, (games.len(), number));
                games.push(game);
            }
            Some(&(place, _)) if games[place] == game => {}
            Some((_, first)) => {
                let fault = format!("another game with the number of that in line {first}");
                return bad(number, fault);
            }
        }
    }
}

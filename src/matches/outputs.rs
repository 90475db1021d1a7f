//! The files that a match leaves.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use crate::common::files::{check_apart, check_file, check_folder, numbered, write_whole};
use crate::matches::args::OutputArgs;
use tengen_files::records::{Format, Record, write};
use tengen_lab::arena::{MatchInfo, PlayedGame, Summary, report};

/// The games up to which the numbers of psq files are equally wide. They don't depend on the match, which may be made
/// longer.
const PSQ_GAMES: usize = 99_999;

/// Writes every file that is asked for; records are written in the order of their numbers.
///
/// All of them are tried; the first error is returned. Without a game none that is there is touched: it may be of an earlier match.
pub(super) fn write_all(
    args: &OutputArgs,
    info: &MatchInfo,
    summary: &Summary,
    games: &[PlayedGame],
) -> anyhow::Result<()> {
    let ordered = in_order(games);
    let one_file = |path: &Option<PathBuf>, format| match path {
        Some(path) if !games.is_empty() || !path.exists() => {
            write_whole(path, &text_of(&ordered, format)?)
        }
        _ => Ok(()),
    };
    let results = [
        one_file(&args.sgf, Format::Sgf),
        one_file(&args.pgn, Format::Pgn),
        args.psq.as_ref().map_or(Ok(()), |path| write_psq(path, &ordered)),
        args.html
            .as_ref()
            .filter(|path| !games.is_empty() || !path.exists())
            .map_or(Ok(()), |path| write_whole(path, report::html(info, summary, games))),
    ];
    results.into_iter().collect()
}

/// The files of games while the match is played: each game is added when it ends.
///
/// Errors are left to [`write_all`], which writes everything again in the order of the games.
pub(super) struct GameFiles {
    psq: Option<PathBuf>,
    files: Mutex<Vec<GrowingFile>>,
}

/// A file that gets longer by whole games.
struct GrowingFile {
    path: PathBuf,
    format: Format,
    /// The file and its length, once a game is in it; until then there may be an older one.
    open: Option<(File, u64)>,
    /// The games that are not in it yet.
    waiting: String,
}

impl GameFiles {
    /// Begins with the files of a match of which some games are finished.
    pub(super) fn new(args: &OutputArgs, finished: &[PlayedGame]) -> anyhow::Result<GameFiles> {
        let named = [(&args.sgf, Format::Sgf), (&args.pgn, Format::Pgn)];
        // What is sent to a pipe or a device can't be put in order at the end.
        let is_file = |path: &Path| fs::metadata(path).map_or(true, |it| it.is_file());
        let growing = named.into_iter().filter_map(|(path, format)| {
            let path = path.clone().filter(|path| is_file(path))?;
            Some(GrowingFile { path, format, open: None, waiting: String::new() })
        });
        let mut files: Vec<GrowingFile> = growing.collect();
        let finished = in_order(finished);
        for file in files.iter_mut().filter(|_| !finished.is_empty()) {
            file.add(&finished)?;
        }
        Ok(GameFiles { psq: args.psq.clone(), files: Mutex::new(files) })
    }

    /// Adds a finished game.
    pub(super) fn add(&self, game: &PlayedGame) {
        for file in self.files.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            let _ = file.add(&[game]);
        }
        if let Some(path) = &self.psq {
            let _ = write_psq(path, &[game]);
        }
    }
}

impl GrowingFile {
    /// Adds games. What can't be written now is written with the next one.
    fn add(&mut self, games: &[&PlayedGame]) -> anyhow::Result<()> {
        self.waiting += &text_of(games, self.format)?;
        match &mut self.open {
            None => {
                write_whole(&self.path, &self.waiting)?;
                let mut file = OpenOptions::new().write(true).open(&self.path)?;
                let length = file.seek(SeekFrom::End(0))?;
                self.open = Some((file, length));
            }
            Some((file, length)) => {
                if let Err(error) = file.write_all(self.waiting.as_bytes()) {
                    // No half of a game stays.
                    file.set_len(*length)?;
                    file.seek(SeekFrom::Start(*length))?;
                    return Err(error.into());
                }
                *length += self.waiting.len() as u64;
            }
        }
        self.waiting.clear();
        Ok(())
    }
}

/// Checks that the files can be written, so that a match is not played for nothing, and that they replace none of
/// others.
pub(super) fn check<'a>(
    args: &'a OutputArgs,
    others: impl IntoIterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    let files = [&args.sgf, &args.pgn, &args.html].into_iter().flatten();
    let others: Vec<_> = others.into_iter().collect();
    // Files of games have names that others may have.
    let base = args.psq.as_deref().map(psq_base).unwrap_or_default();
    let names = others.iter().filter_map(|other| other.file_name());
    let names = names.filter(|name| is_of_game(&base, Path::new(name)));
    let of_games: Vec<_> = names.map(|name| base.with_file_name(name)).collect();
    check_apart(files.clone().chain(&args.psq), others.clone())?;
    check_apart(&of_games, others)?;
    files.map(PathBuf::as_path).try_for_each(check_file)?;
    match &args.psq {
        Some(path) if is_psq(path) => check_file(path),
        Some(path) => {
            fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
            check_folder(path, path)
        }
        None => Ok(()),
    }
}

/// Returns games in the order of their numbers.
fn in_order(games: &[PlayedGame]) -> Vec<&PlayedGame> {
    let mut ordered: Vec<&PlayedGame> = games.iter().collect();
    ordered.sort_by_key(|game| game.fixture.game);
    ordered
}

fn text_of(games: &[&PlayedGame], format: Format) -> anyhow::Result<String> {
    let text = |&game: &&PlayedGame| {
        let number = number(game);
        // The exact end, which the reasons of records can't express.
        let record = Record { comment: game.detail.clone(), ..game.record.clone() };
        write(&record, format, number)
            .with_context(|| format!("cannot write game {number} as {format}"))
    };
    games.iter().map(text).collect()
}

/// Writes each game to a file with its number.
fn write_psq(path: &Path, games: &[&PlayedGame]) -> anyhow::Result<()> {
    if !is_psq(path) {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
    }
    for &game in games {
        let text = text_of(&[game], Format::Psq)?;
        write_whole(&numbered(&psq_base(path), number(game), PSQ_GAMES), &text)?;
    }
    Ok(())
}

/// Returns what the names of the files of games are made from.
fn psq_base(path: &Path) -> PathBuf {
    if is_psq(path) { path.to_owned() } else { path.join("game.psq") }
}

/// Returns whether a name may be that of a game, made from `base`.
fn is_of_game(base: &Path, name: &Path) -> bool {
    let [base_stem, stem] = [base, name].map(|path| path.file_stem().and_then(OsStr::to_str));
    let end = stem.zip(base_stem).and_then(|(stem, base)| stem.strip_prefix(base));
    end.is_some_and(|end| end.starts_with('-')) && base.extension() == name.extension()
}

/// Returns whether a path is meant for files and not for a directory of them.
fn is_psq(path: &Path) -> bool {
    Format::of_path(path) == Some(Format::Psq) && !path.is_dir()
}

/// Returns the number of a game, from 1.
fn number(game: &PlayedGame) -> usize {
    usize::try_from(game.fixture.game).unwrap_or(usize::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_lab::arena::testing::{Place, Sample};

    #[test]
    fn what_could_not_be_written_follows_with_the_next_game() {
        let place = Place::new();
        let path = place.file("m.sgf");
        let games = [0, 1, 2, 3].map(|number| Sample::new(number, 0, [0, 1], false).game());
        let waiting = String::new();
        let mut file = GrowingFile { path: path.clone(), format: Format::Sgf, open: None, waiting };
        file.add(&[&games[0]]).unwrap();
        let (handle, length) = file.open.take().unwrap();
        // Nothing can be written through this one.
        file.open = Some((File::open(&path).unwrap(), length));
        assert!(file.add(&[&games[1]]).is_err() && file.add(&[&games[2]]).is_err());
        file.open = Some((handle, length));
        file.add(&[&games[3]]).unwrap();
        let all: Vec<&PlayedGame> = games.iter().collect();
        assert_eq!(fs::read_to_string(&path).unwrap(), text_of(&all, Format::Sgf).unwrap());
    }
}

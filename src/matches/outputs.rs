//! The files that a match leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::common::files::{check_file, check_folder, numbered, write_whole};
use crate::matches::args::OutputArgs;
use tengen_files::records::{Format, Record, write};
use tengen_lab::arena::{MatchInfo, PlayedGame, Summary, report};

/// Writes every file that is asked for; records are written in the order of their numbers.
///
/// All of them are tried; the first error is returned.
pub(super) fn write_all(
    args: &OutputArgs,
    info: &MatchInfo,
    summary: &Summary,
    games: &[PlayedGame],
) -> anyhow::Result<()> {
    let mut ordered: Vec<&PlayedGame> = games.iter().collect();
    ordered.sort_by_key(|game| game.fixture.game);
    let one_file = |path: &Option<PathBuf>, format| match path {
        Some(path) => write_whole(path, &text_of(&ordered, format)?),
        None => Ok(()),
    };
    let results = [
        one_file(&args.sgf, Format::Sgf),
        one_file(&args.pgn, Format::Pgn),
        args.psq.as_ref().map_or(Ok(()), |path| write_psq(path, summary.scheduled, &ordered)),
        args.html
            .as_ref()
            .map_or(Ok(()), |path| write_whole(path, report::html(info, summary, games))),
    ];
    results.into_iter().collect()
}

/// Checks that the files can be written, so that a match is not played for nothing.
pub(super) fn check(args: &OutputArgs) -> anyhow::Result<()> {
    let files = [&args.sgf, &args.pgn, &args.html].into_iter().flatten();
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
fn write_psq(path: &Path, scheduled: u64, games: &[&PlayedGame]) -> anyhow::Result<()> {
    let path = if is_psq(path) {
        path.to_owned()
    } else {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        path.join("game.psq")
    };
    // The names of the files are the same however far the match has come.
    let last = usize::try_from(scheduled).unwrap_or(usize::MAX);
    for &game in games {
        let text = text_of(&[game], Format::Psq)?;
        write_whole(&numbered(&path, number(game), last), &text)?;
    }
    Ok(())
}

/// Returns whether a path is meant for files and not for a directory of them.
fn is_psq(path: &Path) -> bool {
    Format::of_path(path) == Some(Format::Psq) && !path.is_dir()
}

/// Returns the number of a game, from 1.
fn number(game: &PlayedGame) -> usize {
    usize::try_from(game.fixture.game).unwrap_or(usize::MAX).saturating_add(1)
}

//! Files of games, for the subcommands that read and write them.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::args::RecordSource;
use super::words::{counted, note, usual_origin};
use crate::notation::Origin;
use crate::play::CasualGame;
use crate::records::{Format, Known, Record, RecordError, read, read_library, read_typed};
use crate::resume::replace_file;
use crate::rules::Rule;
use crate::types::Size;

/// The name that stands for standard input or output.
pub(super) const STREAM: &str = "-";

/// Reads the games of a file or of standard input, and returns them with their format. `origin` is
/// the edge from which rows of cells (pos) count; other formats say it themselves.
pub(super) fn load(
    path: &Path,
    how: &RecordSource,
    origin: Origin,
) -> anyhow::Result<(Vec<Record>, Format)> {
    let bytes = read_bytes(path)?;
    let format = how.from.or_else(|| Format::of_path(path)).or_else(|| Format::detect(&bytes));
    let Some(format) = format else {
        bail!("cannot tell the format of {}: name it with --from", path.display());
    };
    let known = Known { size: how.size, rule: how.rule, page: how.encoding };
    let in_file = |error: RecordError| error.in_file(named(path));
    if format == Format::Lib {
        let game = read_library(&bytes, known).map_err(in_file)?;
        if !game.left_out.is_empty() {
            let names = game.left_out.join(", ");
            note(format_args!("Left out of {}: {names}", named(path).display()));
        }
        return Ok((vec![game.record], format));
    }
    let mut records = read(&bytes, format, known).map_err(in_file)?;
    if records.is_empty() {
        bail!("there are no games in {}", path.display());
    }
    if format == Format::Pos && origin == Origin::Bottom {
        records.iter_mut().for_each(Record::flip_rows);
    }
    Ok((records, format))
}

/// Returns the game of this number, from 1, of a file. The rule is `how`'s, or the `usual` one, where
/// the file does not tell it.
pub(super) fn game_of_file(
    path: &Path,
    number: usize,
    how: &RecordSource,
    usual: Rule,
    origin: Origin,
) -> anyhow::Result<CasualGame> {
    let (records, _) = load(path, how, origin)?;
    let count = records.len();
    let Some(record) = number.checked_sub(1).and_then(|i| records.into_iter().nth(i)) else {
        let games = counted(count as u64, "game");
        bail!("{} has {games} and no game {number}", named(path).display());
    };
    CasualGame::from_record(record, &[], how.rule.unwrap_or(usual))
        .with_context(|| format!("cannot play {}", named(path).display()))
}

/// Returns the game of typed moves; without any, an empty board. The rule is `how`'s, or the `usual`
/// one.
pub(super) fn game_of_moves(
    moves: Option<&str>,
    how: &RecordSource,
    usual: Rule,
    origin: Option<Origin>,
) -> anyhow::Result<CasualGame> {
    let rule = how.rule.unwrap_or(usual);
    let Some(moves) = moves else {
        return Ok(CasualGame::new(how.size.unwrap_or(Size::DEFAULT), rule));
    };
    let origin = origin.unwrap_or_else(|| usual_origin(Some(rule), None));
    let (size, points) = read_typed(moves, how.size, origin).context("--moves")?;
    let record = Record::of_points(size, &points);
    CasualGame::from_record(record, &[], rule).context("cannot play --moves")
}

/// Reads a file or standard input.
pub(super) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new(STREAM) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns the name of a file for messages.
pub(super) fn named(path: &Path) -> &Path {
    if path == Path::new(STREAM) { Path::new("standard input") } else { path }
}

/// Writes a file as a whole or not at all.
pub(super) fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    // A device or a pipe can't be replaced.
    let written = if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let opened = OpenOptions::new().write(true).open(path);
        opened.and_then(|mut file| file.write_all(content.as_ref()))
    } else {
        replace_file(path, |file| file.write_all(content.as_ref()))
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Checks that a file can be made or replaced.
pub(super) fn check_file(path: &Path) -> anyhow::Result<()> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        // A pipe or a device is written to and not replaced.
        return Ok(());
    }
    // The file that a link leads to is replaced where it is.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let is_there = folder.is_dir() && !path.is_dir();
    anyhow::ensure!(is_there, "cannot write {}: there is no such place for a file", path.display());
    check_folder(folder, path)
}

/// Checks that a file can be made in a directory, by making one; an error names `path`.
pub(super) fn check_folder(folder: &Path, path: &Path) -> anyhow::Result<()> {
    let probe = tempfile::Builder::new().prefix(".tengen-").tempfile_in(folder);
    probe.map_err(|error| {
        // The name of the probe means nothing to anybody.
        let error = error.raw_os_error().map_or(error, io::Error::from_raw_os_error);
        anyhow::Error::new(error).context(format!("cannot write {}", path.display()))
    })?;
    Ok(())
}

/// Returns the name of the file for one of several games: `games.psq` becomes `games-01.psq`.
pub(super) fn numbered(path: &Path, number: usize, count: usize) -> PathBuf {
    let width = count.to_string().len();
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number:0width$}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_wide_as_the_last_one() {
        let name = |path: &str, count| numbered(Path::new(path), 7, count).display().to_string();
        assert_eq!(name("games.psq", 9), "games-7.psq");
        assert_eq!(name("a.b.psq", 120), "a.b-007.psq");
        assert_eq!(name("games", 10), "games-07");
    }
}

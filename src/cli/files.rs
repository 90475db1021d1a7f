//! Files of games, for the subcommands that read and write them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::args::RecordSource;
use crate::notation::Origin;
use crate::records::{Format, Known, Record, read};

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
    let known = Known { size: how.size, rule: how.rule };
    let mut records = read(&bytes, format, known).map_err(|error| error.in_file(named(path)))?;
    if records.is_empty() {
        bail!("there are no games in {}", path.display());
    }
    if format == Format::Pos && origin == Origin::Bottom {
        records.iter_mut().for_each(Record::flip_rows);
    }
    Ok((records, format))
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

/// Returns what a file is called in messages.
pub(super) fn named(path: &Path) -> &Path {
    if path == Path::new(STREAM) { Path::new("standard input") } else { path }
}

/// Writes a file as a whole or not at all.
pub(super) fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let action = || format!("cannot write {}", path.display());
    // A device or a pipe cannot be replaced; a link stays one.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let mut file = OpenOptions::new().write(true).open(path).with_context(action)?;
        return file.write_all(content.as_ref()).with_context(action);
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&path).with_context(action)?;
    let written = File::create_new(&beside)
        .and_then(|mut file| file.write_all(content.as_ref()))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The reason why it failed is worth more than why it could not be removed.
        let _ = fs::remove_file(&beside);
    }
    written.with_context(action)
}

/// Returns a name next to a file that nobody else uses.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut new = OsString::from(".");
    new.push(name);
    new.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(new))
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

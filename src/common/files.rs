//! Files of games, for the subcommands that read and write them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};

use super::options::RecordSource;
use super::words::{note, note_error, usual_origin};
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::places::{place_of, taken_twice};
use tengen_files::records::{
    Format, GameStream, Known, ReadError, ReadGame, Record, fitting_size, read_typed,
};
use tengen_files::resume::replace_file;
use tengen_files::words::counted;
pub(crate) use tengen_files::words::numbered;
use tengen_people::play::CasualGame;

/// The name that stands for standard input or output.
pub(crate) const STREAM: &str = "-";

/// The bytes that tell a format.
const BEGINNING: u64 = 1024;

/// A file or standard input, of which only the beginning is known.
pub(crate) struct SourceFile {
    name: PathBuf,
    path: PathBuf,
    /// The first bytes, enough to tell a format.
    pub(crate) beginning: Vec<u8>,
    /// All bytes, those of the beginning first.
    pub(crate) bytes: Box<dyn Read>,
}

impl SourceFile {
    /// Opens a file and reads its beginning.
    pub(crate) fn open(path: &Path) -> anyhow::Result<SourceFile> {
        let cannot = || format!("cannot read {}", named(path).display());
        let mut source: Box<dyn Read> = if path == Path::new(STREAM) {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).with_context(cannot)?)
        };
        let mut beginning = Vec::new();
        source.by_ref().take(BEGINNING).read_to_end(&mut beginning).with_context(cannot)?;
        let bytes = Box::new(Cursor::new(beginning.clone()).chain(source));
        Ok(SourceFile { name: named(path).to_owned(), path: path.to_owned(), beginning, bytes })
    }

    /// Returns the format: the one that was asked for, that of the extension, or the one that begins so.
    pub(crate) fn format(&self, how: &RecordSource) -> anyhow::Result<Format> {
        let by_name = how.reading.from.or_else(|| Format::of_path(&self.path));
        by_name.or_else(|| Format::detect(&self.beginning)).with_context(|| {
            format!("cannot tell the format of {}: name it with --from", self.name.display())
        })
    }
}

/// The games of a file or of standard input, one at a time.
///
/// Warnings about a game go to standard error. A game that can't be read is named there, and
/// those after it are read all the same.
pub(crate) struct GameFile {
    name: PathBuf,
    format: Format,
    games: GameStream<'static>,
    flips: bool,
    strict: bool,
    /// The number of games so far.
    count: usize,
    refused: usize,
}

impl GameFile {
    /// Opens a file. `origin` is the edge from which rows of cells (pos) count; other formats say it
    /// themselves.
    pub(crate) fn open(
        path: &Path,
        how: &RecordSource,
        origin: Origin,
    ) -> anyhow::Result<GameFile> {
        GameFile::new(SourceFile::open(path)?, how, origin)
    }

    /// Begins with a file that is open.
    pub(crate) fn new(
        source: SourceFile,
        how: &RecordSource,
        origin: Origin,
    ) -> anyhow::Result<GameFile> {
        let format = source.format(how)?;
        let SourceFile { name, mut bytes, .. } = source;
        let cannot = || format!("cannot read {}", name.display());
        let mut known = Known { size: how.size, rule: how.rule, page: how.reading.encoding };
        if !format.tells_size() && known.size.is_none() {
            // All games have to be seen before one can be read.
            let mut copy = spooled(&name, &mut bytes)?;
            known.size = Some(fitting_size(&mut copy, format).with_context(cannot)?);
            copy.rewind()?;
            bytes = Box::new(copy);
        }
        let games = GameStream::new(bytes, format, known).with_context(cannot)?;
        let flips = format == Format::Pos && origin == Origin::Bottom;
        let (strict, count, refused) = (how.reading.strict, 0, 0);
        Ok(GameFile { name, format, games, flips, strict, count, refused })
    }

    /// Returns the format.
    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    /// Returns the number of games so far.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of games so far that could not be used.
    pub(crate) const fn refused(&self) -> usize {
        self.refused
    }

    /// Returns the number of bytes that have been read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.games.bytes_read()
    }

    /// Reads the next game, and returns it with its number, counted from 1, and with what is to be said
    /// about it.
    fn read(&mut self) -> anyhow::Result<Option<(usize, anyhow::Result<ReadGame>)>> {
        let Some(game) = self.games.next() else { return Ok(None) };
        self.count += 1;
        let suffix = if self.format.holds_many() {
            format!(" (game {})", self.count)
        } else {
            String::new()
        };
        let game = match game {
            Err(ReadError::Io(error)) => {
                return Err(error).with_context(|| format!("cannot read {}", self.name.display()));
            }
            Err(ReadError::Record(error)) => Err(anyhow!("{}{suffix}", error.in_file(&self.name))),
            Ok(mut game) => {
                if self.flips {
                    game.record.flip_rows();
                }
                let warnings = game.warnings.drain(..);
                game.warnings = warnings.map(|warning| warning.in_file(&self.name)).collect();
                match game.warnings.first().filter(|_| self.strict) {
                    Some(warning) => Err(anyhow!("{}{suffix}", warning.as_error())),
                    None => Ok(game),
                }
            }
        };
        Ok(Some((self.count, game)))
    }

    /// Returns the next game that can be read, and its number, counted from 1 over all of the file.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<(usize, Record)>> {
        while let Some((number, game)) = self.read()? {
            match game {
                Ok(game) => {
                    game.warnings.iter().for_each(note);
                    return Ok(Some((number, game.record)));
                }
                Err(error) => self.refuse(&error),
            }
        }
        if self.count == 0 {
            // Once is enough.
            self.count = 1;
            let error = anyhow!("there are no games in {}", self.name.display());
            self.refuse(&error);
        }
        Ok(None)
    }

    /// Names a game that can't be used.
    pub(crate) fn refuse(&mut self, error: &anyhow::Error) {
        self.refused += 1;
        note_error(error);
    }

    /// Returns the context of an error about the game with a number.
    pub(crate) fn place(&self, number: usize) -> String {
        format!("{}, game {number}", self.name.display())
    }

    /// Returns the game with a number, counted from 1, and how many there are. Only that one needs to be
    /// right.
    pub(crate) fn nth(mut self, wanted: usize) -> anyhow::Result<(Record, usize)> {
        let mut found = None;
        while let Some((number, game)) = self.read()? {
            if number == wanted {
                found = Some(game?);
            }
        }
        let Some(game) = found else {
            let (name, games) = (self.name.display(), counted(self.count as u64, "game"));
            ensure!(self.count > 0, "there are no games in {name}");
            bail!("there is no game {wanted}: {name} has {games}");
        };
        game.warnings.iter().for_each(note);
        Ok((game.record, self.count))
    }
}

/// Returns a temporary file of all bytes of a source, which a pipe shows only once.
pub(crate) fn spooled(name: &Path, bytes: &mut dyn Read) -> anyhow::Result<File> {
    let mut copy = tempfile::tempfile().context("cannot make a temporary file")?;
    io::copy(bytes, &mut copy).with_context(|| format!("cannot read {}", name.display()))?;
    copy.rewind()?;
    Ok(copy)
}

/// Returns the exit code of a command that could not use so many games.
pub(crate) const fn code(refused: usize) -> ExitCode {
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks that files can be read, before anything is made of the first of them.
pub(crate) fn check_sources(paths: &[PathBuf]) -> anyhow::Result<()> {
    // Who writes to a pipe must not see it closed before it is read.
    let can_be_opened_again = |path: &&PathBuf| path.is_file() || !path.exists();
    let files = paths.iter().filter(|path| path.as_path() != Path::new(STREAM));
    for path in files.filter(can_be_opened_again) {
        File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(())
}

/// Returns the game of this number, from 1, of a file, and the format of the file. The rule is `how`'s, or the `usual` one, where
/// the file does not tell it.
pub(crate) fn game_of_file(
    path: &Path,
    number: usize,
    how: &RecordSource,
    usual: Rule,
    origin: Origin,
) -> anyhow::Result<(CasualGame, Format)> {
    let file = GameFile::open(path, how, origin)?;
    let format = file.format();
    let (record, _) = file.nth(number)?;
    CasualGame::from_record(record, &[], how.rule.unwrap_or(usual))
        .map(|game| (game, format))
        .with_context(|| format!("cannot play {}", named(path).display()))
}

/// Returns the game of typed moves; without any, an empty board. The rule is `how`'s, or the `usual`
/// one.
pub(crate) fn game_of_moves(
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
pub(crate) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new(STREAM) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns the name of a file for messages.
pub(crate) fn named(path: &Path) -> &Path {
    if path == Path::new(STREAM) { Path::new("standard input") } else { path }
}

/// Writes a file as a whole or not at all.
pub(crate) fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_whole_from(path, &mut content.as_ref())
}

/// Writes what a reader gives to a file, as a whole or not at all.
pub(crate) fn write_whole_from(path: &Path, content: &mut dyn Read) -> anyhow::Result<()> {
    write_by(path, |file| io::copy(content, file).map(drop))
}

/// Lets `write` make a file, as a whole or not at all.
pub(crate) fn write_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    // A device or a pipe can't be replaced.
    let written = if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        OpenOptions::new().write(true).open(path).and_then(|mut file| write(&mut file))
    } else {
        replace_file(path, |file| write(file))
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Checks that a file can be made or replaced.
pub(crate) fn check_file(path: &Path) -> anyhow::Result<()> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        // A pipe or a device is written to and not replaced.
        return Ok(());
    }
    let (target, name) = (place_of(path), path.display());
    let folder = target.parent().unwrap_or(&target);
    ensure!(path != Path::new(STREAM), "cannot write to standard output: name a file");
    ensure!(!path.is_dir(), "cannot write {name}: it is a directory");
    ensure!(folder.is_dir(), "cannot write {name}: its directory does not exist");
    check_folder(folder, path)
}

/// Checks that what is written takes the place of nothing else: that the outputs are other files than each
/// other, and than what is read or kept.
pub(crate) fn check_apart<'a, P: AsRef<Path> + ?Sized + 'a, Q: AsRef<Path> + ?Sized + 'a>(
    outputs: impl IntoIterator<Item = &'a P>,
    others: impl IntoIterator<Item = &'a Q>,
) -> anyhow::Result<()> {
    let outputs = outputs.into_iter().map(AsRef::as_ref).filter(|path| *path != Path::new(STREAM));
    if let Some(path) = taken_twice(outputs, others.into_iter().map(AsRef::as_ref)) {
        bail!("cannot write {}: the same file has another use", path.display());
    }
    Ok(())
}

/// Checks that a file can be made in a directory, by making one; an error names `path`.
pub(crate) fn check_folder(folder: &Path, path: &Path) -> anyhow::Result<()> {
    let probe = tempfile::Builder::new().prefix(".tengen-").tempfile_in(folder);
    probe.map_err(|error| {
        // The name of the probe means nothing to anybody.
        let error = error.raw_os_error().map_or(error.kind().into(), io::Error::from_raw_os_error);
        anyhow::Error::new(error).context(format!("cannot write {}", path.display()))
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_other_files_whatever_they_are_called() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("old"), "").unwrap();
        let refused = |outputs: &[&str], others: &[&str]| {
            let paths = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
            check_apart(&paths(outputs), &paths(others)).is_err()
        };
        assert!(!refused(&["new", "sub/new", "sub/old"], &["old"]));
        assert!(refused(&["new", "sub/../new"], &[]));
        assert!(refused(&["new", "sub/../old"], &["other", "old"]));
        // What is read may be named twice.
        assert!(!refused(&["new"], &["old", "old"]));
        // Where there is nothing, only the same names are the same.
        assert!(refused(&["none/new", "none/new"], &[]));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("old"), path("link")).unwrap();
            assert!(refused(&["link"], &["old"]));
            let device = PathBuf::from("/dev/null");
            assert!(check_apart([&device, &device], [&device]).is_ok());
        }
        let stream = PathBuf::from(STREAM);
        assert!(check_apart([&stream], [&stream]).is_ok());
    }
}

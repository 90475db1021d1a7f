//! Files that keep the games of a match.
//!
//! The first line of a journal says which match it is of; every other line is a game: its record
//! as `tengen convert` reads it, with one more field, `match`, that holds the rest. Lines are added
//! by single writes, so a run that is killed leaves whole lines; if the system goes down, or the
//! process in the middle of a write, the part of a line without an end is dropped.
//!
//! Next to a journal whose match is the best of some single games, another file with `.running`
//! added to its name keeps the moves of the game that is being played. It is a help and no more:
//! what can't be understood of it is passed over.

mod line;
mod running;
mod scan;
mod sync;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use self::running::Running;
use self::scan::{Content, scan};
use self::sync::Syncer;
use super::{Difference, JournalError, MatchInfo, Pairing, PlayedGame, Shard, Unfinished};

pub(super) use self::line::BEGINNING;
pub(super) use self::scan::Part;

/// A file to which the games of a match are added as they are finished.
///
/// Nobody else can open it in the meantime. What is added has reached the system when the call
/// returns, and the disk about a second later, or when this is dropped.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The length that the file has if nobody else writes to it.
    len: u64,
    dropped: u64,
    running: Option<Running>,
    syncer: Syncer,
}

impl Journal {
    /// Opens the journal of a match or of a part of it, new or begun by an earlier run, and returns
    /// the games that are finished, in the order in which they were, and those that are not.
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
        let mut file = open_locked(path)?;
        let head = line::write_head(info, shard);
        let content = scan(path, &file)?;
        let (games, old_len, whole) = match content {
            Content::Games { part, whole, torn } => {
                part.check(path, info, shard)?;
                (part.games, whole + torn, whole)
            }
            Content::NoLine(start) if head.as_bytes().starts_with(&start) => {
                (Vec::new(), start.len() as u64, 0)
            }
            Content::NoLine(_) => return Err(JournalError::NotAJournal(path.to_owned())),
        };
        let best_of = matches!(info.pairing, Pairing::BestOf { .. });
        let (running, unfinished) = if best_of {
            // What runs by the side of a new journal is of another match.
            let (running, unfinished) = Running::open(path, info, whole == 0)?;
            let is_new = |game: &Unfinished| games.iter().all(|old| old.fixture.game != game.game);
            (Some(running), unfinished.into_iter().filter(is_new).collect())
        } else {
            (None, Vec::new())
        };

        // From here on the file is changed.
        let failed = |error| JournalError::io("write", path, error);
        let mut len = whole;
        if whole < old_len {
            file.set_len(whole).map_err(failed)?;
        }
        if whole == 0 {
            file.seek(SeekFrom::Start(0))
                .and_then(|_| file.write_all(head.as_bytes()))
                .map_err(failed)?;
            len = head.len() as u64;
        }
        if len != old_len {
            file.sync_all().map_err(failed)?;
            sync_folder(path);
        }
        let dropped = if whole == 0 { 0 } else { old_len - whole };
        let mut kept = vec![file.try_clone().map_err(failed)?];
        if let Some(running) = &running {
            kept.push(running.handle()?);
        }
        let syncer = Syncer::start(kept).map_err(failed)?;
        let path = path.to_owned();
        Ok((Journal { path, file, len, dropped, running, syncer }, games, unfinished))
    }

    /// Returns the match of a journal and the games in it, in the order in which they were finished.
    ///
    /// # Errors
    ///
    /// Returns an error if this is no journal, or one that is damaged in another way than by a last
    /// line without an end.
    pub fn read(path: &Path) -> Result<(MatchInfo, Vec<PlayedGame>), JournalError> {
        Journal::read_part(path).map(|part| (part.info, part.games))
    }

    /// Returns what is in a journal.
    pub(super) fn read_part(path: &Path) -> Result<Part, JournalError> {
        is_file(path)?;
        let file = File::open(path).map_err(|error| JournalError::io("read", path, error))?;
        Journal::read_open(path, &file)
    }

    /// Returns what is in a journal that is open.
    pub(super) fn read_open(path: &Path, file: &File) -> Result<Part, JournalError> {
        match scan(path, file)? {
            Content::Games { part, .. } => Ok(part),
            Content::NoLine(_) => Err(JournalError::NotAJournal(path.to_owned())),
        }
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
        let line = line::write_game(game)
            .map_err(|error| JournalError::Unwritable { game: game.fixture.game + 1, error })?;
        let failed = |error| JournalError::io("write", &self.path, error);
        self.syncer.fault().map_or(Ok(()), Err).map_err(failed)?;
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(JournalError::Changed(self.path.clone()));
        }
        if let Err(error) = write_at_end(&mut self.file, self.len, line.as_bytes()) {
            // A full disk takes a part of the line. If that can't be cut off either, the next run
            // will.
            let _ = self.file.set_len(self.len);
            return Err(failed(error));
        }
        self.len += line.len() as u64;
        self.syncer.changed();
        if let Some(running) = &mut self.running {
            // The game is kept, and whoever opens the journal passes over what is kept twice.
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
        let Some(running) = &mut self.running else { return Ok(()) };
        running.note(game)?;
        self.syncer.changed();
        Ok(())
    }

    /// Brings everything to the disk, and closes the journal.
    ///
    /// `complete` says that the match is over, so that nothing will go on.
    ///
    /// # Errors
    ///
    /// Returns an error if something may not have reached the disk.
    pub fn close(mut self, complete: bool) -> Result<(), JournalError> {
        let failed = |error| JournalError::io("write", &self.path, error);
        self.syncer.stop().map_err(failed)?;
        match self.running.take() {
            Some(running) if complete => running.remove(),
            _ => Ok(()),
        }
    }
}

/// Writes a whole journal in place of whatever is there, or leaves that untouched.
pub(super) fn write_new(
    path: &Path,
    info: &MatchInfo,
    games: &[PlayedGame],
) -> Result<(), JournalError> {
    let new = with_suffix(path, ".new");
    let write = || -> Result<(), JournalError> {
        let failed = |error| JournalError::io("write", &new, error);
        let mut file = io::BufWriter::new(File::create(&new).map_err(failed)?);
        file.write_all(line::write_head(info, None).as_bytes()).map_err(failed)?;
        for game in games {
            let line = line::write_game(game)
                .map_err(|error| JournalError::Unwritable { game: game.fixture.game + 1, error })?;
            file.write_all(line.as_bytes()).map_err(failed)?;
        }
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        fs::rename(&new, path).map_err(|error| JournalError::io("write", path, error))
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    sync_folder(path);
    written
}

/// Opens a file to be read and written, or makes it, and keeps others from doing the same.
pub(super) fn open_locked(path: &Path) -> Result<File, JournalError> {
    match is_file(path) {
        Err(JournalError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
        other => other?,
    }
    let failed = |error| JournalError::io("open", path, error);
    let mut options = OpenOptions::new();
    // Windows does not let a file be cut that is open for more lines only.
    options.read(true).write(true).create(true).append(cfg!(unix));
    // A child of a run that was killed may hold the lock until it becomes another program.
    for _ in 0..LOCK_ATTEMPTS {
        let file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            // Whoever held the lock may have put another file into the place of this one.
            Ok(()) if !is_at(&file, path) => {}
            Ok(()) => return Ok(file),
            // Some network file systems know no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(20)),
        }
    }
    Err(JournalError::Locked(path.to_owned()))
}

/// Returns whether an open file is still the one at a path, as far as the system can tell.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let (open, there) = (file.metadata().map(identity), fs::metadata(path).map(identity));
        open.is_ok_and(|open| there.is_ok_and(|there| open == there))
    }
    // The standard library knows no identity of files elsewhere.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// How often a lock is tried.
const LOCK_ATTEMPTS: u32 = 5;

fn is_file(path: &Path) -> Result<(), JournalError> {
    let metadata = fs::metadata(path).map_err(|error| JournalError::io("read", path, error))?;
    // Opening a pipe would wait for its other end.
    if metadata.is_file() { Ok(()) } else { Err(JournalError::NotAFile(path.to_owned())) }
}

fn write_at_end(file: &mut File, len: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(len))?;
    file.write_all(bytes)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Brings the name of a new file to the disk, where the system can do that.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

impl Part {
    /// Checks that this is the part of the match that is to be played.
    fn check(
        &self,
        path: &Path,
        info: &MatchInfo,
        shard: Option<Shard>,
    ) -> Result<(), JournalError> {
        let mut differences = self.info.differences(info);
        if self.shard != shard {
            let name = |shard: Option<Shard>| {
                shard.map_or_else(|| "none".to_owned(), |s| format!("{}/{}", s.index + 1, s.count))
            };
            differences.push(Difference {
                name: "shard".to_owned(),
                begun: name(self.shard),
                now: name(shard),
            });
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(JournalError::Different { path: path.to_owned(), differences })
    }
}

#[cfg(test)]
mod tests;

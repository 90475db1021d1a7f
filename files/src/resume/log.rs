//! Files that grow by whole records.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::FileError;
use super::sync::Syncer;
use tengen_core::sys::files::{replace_held_file, sync_folder};
use tengen_core::sys::lock::try_lock;

/// The number of attempts to take a lock.
const LOCK_ATTEMPTS: u32 = 5;
/// The pause between two attempts.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// A file locked against other writers, to be examined before anything is added.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
}

impl LockedFile {
    /// Opens a file, or makes an empty one, and keeps others from doing the same.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a regular file, can't be opened, or is in use.
    pub fn open(path: &Path) -> Result<LockedFile, FileError> {
        match fs::metadata(path) {
            // Opening a pipe would wait for its other end.
            Ok(metadata) if !metadata.is_file() => {
                return Err(FileError::NotAFile(path.to_owned()));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(FileError::io("read", path, error));
            }
            _ => {}
        }
        let failed = |error| FileError::io("open", path, error);
        let mut options = OpenOptions::new();
        // Windows does not let a file be cut that is open for appending only.
        options.read(true).write(true).create(true).append(cfg!(unix));
        // A child of a run that was killed may hold the lock until it becomes another program.
        for _ in 0..LOCK_ATTEMPTS {
            let file = options.open(path).map_err(failed)?;
            match try_lock(&file) {
                // The holder of the lock may have replaced this file.
                Ok(()) if !is_at(&file, path) => {}
                Ok(()) => return Ok(LockedFile { path: path.to_owned(), file }),
                // Some network file systems know no locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(LockedFile { path: path.to_owned(), file });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            }
        }
        Err(FileError::Locked(path.to_owned()))
    }

    /// Returns the file, to be read.
    #[must_use]
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Puts a whole file with this content in the place of this one, or leaves it as it is. The lock is lost.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn replace(self, content: &[u8]) -> Result<(), FileError> {
        let LockedFile { path, file } = self;
        replace_held_file(&path, file, |new| new.write_all(content))
            .map_err(|error| FileError::io("write", &path, error))
    }

    /// Cuts off whatever follows the first `whole` bytes, the part of a record that an interrupted
    /// run left. A file of which nothing remains begins anew with `head`. Either has reached the
    /// disk when the call returns.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn resume(self, whole: u64, head: &[u8]) -> Result<AppendLog, FileError> {
        let LockedFile { path, mut file } = self;
        let mut begin = || -> io::Result<(u64, Syncer)> {
            let mut len = file.metadata()?.len();
            if whole == 0 {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(head)?;
                file.sync_all()?;
                sync_folder(&path);
                len = head.len() as u64;
            } else if whole < len {
                file.set_len(whole)?;
                file.sync_all()?;
                len = whole;
            }
            Ok((len, Syncer::start(file.try_clone()?)?))
        };
        let (len, syncer) = begin().map_err(|error| FileError::io("write", &path, error))?;
        Ok(AppendLog { path, file, len, syncer })
    }
}

/// A file to which records are added, each as a whole or not at all.
///
/// It is locked meanwhile. Whatever is added has reached the system when the call
/// returns, and the disk about a second later, or when this is dropped.
#[derive(Debug)]
pub struct AppendLog {
    path: PathBuf,
    file: File,
    /// The length of the file if no other program writes to it.
    len: u64,
    syncer: Syncer,
}

impl AppendLog {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses it, or did not bring an earlier record to the disk,
    /// or if another program has changed the file. The file holds what it held before then.
    pub fn append(&mut self, record: &[u8]) -> Result<(), FileError> {
        let failed = |error| FileError::io("write", &self.path, error);
        self.syncer.fault().map_or(Ok(()), Err).map_err(failed)?;
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(FileError::Changed(self.path.clone()));
        }
        let place = SeekFrom::Start(self.len);
        if let Err(error) = self.file.seek(place).and_then(|_| self.file.write_all(record)) {
            // A full disk takes a part of the record. If that can't be cut off either, the next run
            // will.
            let _ = self.file.set_len(self.len);
            return Err(failed(error));
        }
        self.len += record.len() as u64;
        self.syncer.changed();
        Ok(())
    }

    /// Forgets all records.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn clear(&mut self) -> Result<(), FileError> {
        self.file.set_len(0).map_err(|error| FileError::io("write", &self.path, error))?;
        self.len = 0;
        self.syncer.changed();
        Ok(())
    }

    /// Brings everything to the disk now.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn sync(&mut self) -> Result<(), FileError> {
        let synced = self.syncer.fault().map_or_else(|| self.file.sync_data(), Err);
        synced.map_err(|error| FileError::io("write", &self.path, error))
    }

    /// Brings everything to the disk, and closes the file.
    ///
    /// # Errors
    ///
    /// Returns an error if something may not have reached the disk.
    pub fn close(mut self) -> Result<(), FileError> {
        self.syncer.stop().map_err(|error| FileError::io("write", &self.path, error))
    }

    /// Removes the file.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn remove(self) -> Result<(), FileError> {
        let AppendLog { path, file, syncer, .. } = self;
        drop((syncer, file));
        fs::remove_file(&path).map_err(|error| FileError::io("remove", &path, error))
    }
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

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_log_holds_what_was_whole_and_what_was_added() {
        let folder = TempDir::with_prefix("tengen-log-").unwrap();
        let path = folder.path().join("log");
        let mut log = LockedFile::open(&path).unwrap().resume(0, b"head\n").unwrap();
        log.append(b"one\n").unwrap();
        log.append(b"to").unwrap();
        drop(log);
        let mut log = LockedFile::open(&path).unwrap().resume(9, b"head\n").unwrap();
        log.append(b"two\n").unwrap();
        log.sync().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"head\none\ntwo\n");
        log.clear().unwrap();
        log.append(b"three\n").unwrap();
        log.close().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three\n");
        LockedFile::open(&path).unwrap().resume(6, b"").unwrap().remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn others_are_kept_out_and_noticed() {
        let folder = TempDir::with_prefix("tengen-log-").unwrap();
        let path = folder.path().join("log");
        let mut log = LockedFile::open(&path).unwrap().resume(0, b"").unwrap();
        let second = LockedFile::open(&path).unwrap_err();
        assert!(matches!(second, FileError::Locked(_)), "{second}");
        log.append(b"mine\n").unwrap();
        fs::write(&path, b"theirs").unwrap();
        assert!(matches!(log.append(b"mine\n"), Err(FileError::Changed(_))));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        drop(log);
        LockedFile::open(&path).unwrap();
    }

    #[test]
    fn paths_that_lead_nowhere_are_errors() {
        let folder = TempDir::with_prefix("tengen-log-").unwrap();
        let message = |path: &Path| LockedFile::open(path).unwrap_err().to_string();
        assert!(message(folder.path()).ends_with("is not a regular file"));
        assert!(message(&folder.path().join("no/log")).starts_with("cannot open "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let full = Path::new("/dev/full");
        // It is a device, so it has to be opened by hand.
        let file = OpenOptions::new().write(true).open(full).unwrap();
        let syncer = Syncer::start(file.try_clone().unwrap()).unwrap();
        let mut log = AppendLog { path: full.to_owned(), file, len: 0, syncer };
        let error = log.append(b"record").unwrap_err();
        assert_eq!(error.to_string(), "cannot write /dev/full");
        assert_eq!(log.len, 0);
    }
}

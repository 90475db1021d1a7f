//! Files that are complete or not there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Lets `write` fill a new file and puts it in the place of `path` when it is complete and on the
/// disk. After an error an old file is as it was, and no other remains.
///
/// A link is followed: what it leads to is replaced.
pub(super) fn replace_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    let target = target_of(path)?;
    // On an error the file is closed before its name is removed, as some systems demand.
    let (temporary, mut file) = Temporary::beside(&target)?;
    let value = write(&mut file)?;
    file.sync_all()?;
    drop(file);
    temporary.rename(&target)?;
    Ok(value)
}

/// Returns the path without links if something is there.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error),
    }
}

/// The name of a file that is removed unless it gets another.
struct Temporary {
    /// Absent if the file has another name.
    path: Option<PathBuf>,
}

impl Temporary {
    /// Makes a file in the folder of `target`, on the same disk, so that it can be renamed.
    fn beside(target: &Path) -> io::Result<(Temporary, File)> {
        /// How many files a killed process of the same number may have left here.
        const TRIES: usize = 100;
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if target.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"));
        }
        let mut result = Err(io::ErrorKind::AlreadyExists.into());
        for _ in 0..TRIES {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = target.with_file_name(format!(".tengen-{}-{number}.tmp", process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok((Temporary { path: Some(path) }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    result = Err(error);
                }
                Err(error) => return Err(error),
            }
        }
        result
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, target)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // The error that led here is the one to report.
            let _ = fs::remove_file(path);
        }
    }
}

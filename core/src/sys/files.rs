//! Files that are there as a whole or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

use super::lock::try_lock;

/// The number of attempts to put a file in the place of another.
const PUT_ATTEMPTS: u32 = 10;
/// The pause between two attempts.
const PUT_PAUSE: Duration = Duration::from_millis(20);

/// Lets `write` fill a new file and puts it in the place of `path` once it is complete and on the
/// disk. It has the permissions of any new file. A link is followed: what it leads to is replaced.
///
/// # Errors
///
/// Returns the error of `write` or of the system, or an error if the old file is locked. An old file is as it was then, and nothing else
/// remains.
pub fn replace_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    ensure_free(path)?;
    replace_by(path, |name| File::create_new(name), write, || ensure_free(path))
}

/// Does what [`replace_file`] does where the old file is open as `held`, which is closed: Windows replaces no
/// file that is open.
///
/// # Errors
///
/// Returns the error of `write` or of the system, as [`replace_file`] does.
pub fn replace_held_file<T>(
    path: &Path,
    held: File,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    let mut held = Some(held);
    // Elsewhere a lock on it holds until nobody can open it any more.
    let close = || {
        held = held.take().filter(|_| !cfg!(windows));
        Ok(())
    };
    replace_by(path, |name| File::create_new(name), write, close)
}

/// Does what [`replace_file`] does, with a file that only its owner can read, where the system knows
/// owners.
///
/// # Errors
///
/// Returns the error of `write` or of the system, as [`replace_file`] does.
pub fn replace_private_file<T>(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    ensure_free(path)?;
    replace_by(path, |name| options.open(name), write, || ensure_free(path))
}

/// Returns an error if somebody has locked the file at a path, as whoever works in it does: an open database, a book, the
/// journal of a match. All that is written to it later would be lost.
fn ensure_free(path: &Path) -> io::Result<()> {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    // Some systems lock for oneself only what can be written.
    let opened = OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path));
    let Ok(file) = opened else { return Ok(()) };
    for _ in 0..PUT_ATTEMPTS {
        // Another look such as this one lasts for a moment. Not all file systems know locks.
        if !matches!(try_lock(&file), Err(TryLockError::WouldBlock)) {
            return Ok(());
        }
        thread::sleep(PUT_PAUSE);
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, "the file is in use"))
}

/// Returns what a path leads to: the end of a chain of symbolic links, even if nothing is there.
#[must_use]
pub fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // More links than any system follows.
    for _ in 0..64 {
        let Ok(next) = fs::read_link(&path) else { break };
        path.pop();
        path.push(next);
    }
    path
}

/// `close` is called when the new file is complete; an error of it leaves the old one.
fn replace_by<T>(
    path: &Path,
    create: impl Fn(&Path) -> io::Result<File>,
    write: impl FnOnce(&mut File) -> io::Result<T>,
    close: impl FnOnce() -> io::Result<()>,
) -> io::Result<T> {
    let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
    let target = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::canonicalize(path)?,
        Ok(_) => return Err(invalid("not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => followed(path),
        Err(error) => return Err(error),
    };
    if target.file_name().is_none() {
        return Err(invalid("not the name of a file"));
    }
    // In the same folder, so that it can be renamed; removed when it is dropped.
    let mut temporary = tempfile::Builder::new()
        .prefix(".tengen-")
        .suffix(".tmp")
        .make_in(folder(&target), create)?;
    let value = write(temporary.as_file_mut())?;
    temporary.as_file().sync_all()?;
    close()?;
    put(temporary, &target)?;
    sync_folder(&target);
    Ok(value)
}

/// Puts a complete file in the place of another.
fn put(mut temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    let mut attempts = 0;
    while let Err(error) = temporary.persist(target) {
        attempts += 1;
        // On Windows virus scanners and indexes open new files for a moment.
        if !cfg!(windows)
            || error.error.kind() != io::ErrorKind::PermissionDenied
            || attempts == PUT_ATTEMPTS
        {
            return Err(error.error);
        }
        temporary = error.file;
        thread::sleep(PUT_PAUSE);
    }
    Ok(())
}

/// Returns a path with letters added to its name.
#[must_use]
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Brings the name of a new file to the disk, where the system can do that.
pub fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder(path)) {
        // The file is complete and in its place; there is nothing to take back.
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::TempDir;

    use super::*;

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_old_file_outlives_a_write_that_fails() {
        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let path = folder.path().join("file");
        assert_eq!(replace_file(&path, |file| file.write_all(b"old").map(|()| 7)).unwrap(), 7);
        let error = replace_file(&path, |file| {
            file.write_all(b"a beginning")?;
            assert_eq!(names(&folder).len(), 2);
            Err::<(), _>(io::Error::other("the disk is full"))
        });
        assert_eq!(error.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // A new name does not come to be either.
        let _ = replace_file(&folder.path().join("new"), |_| Err::<(), _>(io::Error::other("")));
        assert_eq!(names(&folder), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_made_if_it_is_not_there() {
        use std::os::unix::fs::symlink;

        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("second", at("first")).unwrap();
        symlink(at("file"), at("second")).unwrap();
        for text in [b"new", b"old"] {
            replace_file(&at("first"), |file| file.write_all(text)).unwrap();
            assert_eq!(fs::read(at("file")).unwrap(), text);
        }
        assert_eq!(fs::read_link(at("first")).unwrap(), Path::new("second"));
        assert_eq!(names(&folder), ["file", "first", "second"]);
        symlink("round", at("round")).unwrap();
        assert!(replace_file(&at("round"), |file| file.write_all(b"new")).is_err());
    }

    #[test]
    fn a_file_in_which_somebody_works_is_not_replaced() {
        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let held = File::options().read(true).write(true).open(&path).unwrap();
        try_lock(&held).unwrap();
        let errors = [
            replace_file(&path, |file| file.write_all(b"new")).unwrap_err(),
            replace_private_file(&path, |file| file.write_all(b"new")).unwrap_err(),
        ];
        assert_eq!(errors.map(|error| error.kind()), [io::ErrorKind::ResourceBusy; 2]);
        assert_eq!(
            (fs::read(&path).unwrap(), names(&folder)),
            (b"old".to_vec(), vec!["file".to_owned()])
        );
        drop(held);
        replace_file(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_file_that_is_held_is_replaced() {
        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let open = || File::options().read(true).write(true).open(&path).unwrap();
        replace_held_file(&path, open(), |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let failed = replace_held_file(&path, open(), |_| Err::<(), _>(io::Error::other("")));
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn what_is_not_a_file_is_not_replaced() {
        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        for path in ["", "..", "inner", "missing/file", "inner/.."] {
            let error = replace_file(&folder.path().join(path), |_| Ok(())).unwrap_err();
            // The name of the temporary file means nothing to the user.
            assert!(!error.to_string().contains(".tmp"), "{error}");
        }
        assert!(replace_file(Path::new(""), |_| Ok(())).is_err());
        assert_eq!(names(&folder), ["inner"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_private_file_is_its_owners_alone_even_where_another_was() {
        use std::os::unix::fs::PermissionsExt;

        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "for all").unwrap();
        replace_private_file(&path, |file| file.write_all(b"a secret")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a secret");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    #[cfg(unix)]
    fn links_stay_links_and_permissions_are_those_of_new_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = TempDir::with_prefix("tengen-replace-").unwrap();
        let [target, link, usual] =
            ["target", "link", "usual"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        fs::write(&usual, "").unwrap();
        symlink("target", &link).unwrap();
        replace_file(&link, |file| file.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"new");
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&target), mode(&usual));
        assert!(replace_file(Path::new("/dev/null"), |_| Ok(())).is_err());
    }
}

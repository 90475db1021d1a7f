//! The folder of games that pages may read and write.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tengen_core::sys::files::replace_file;

/// The longest file that is read or written, in bytes.
pub const MOST_BYTES: usize = 16 << 20;
/// The most files that are listed.
const MOST_LISTED: usize = 2000;
/// The longest name, in bytes.
const LONGEST_NAME: usize = 200;
/// Names that mean devices to Windows, whatever follows a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A folder, all of whose files are open to those who have the key: those right in it, no other folders, no
/// links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFolder {
    root: PathBuf,
}

/// A file of the folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedFile {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// Why a file of the folder is not read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The name is none of a file in the folder.
    #[error(
        "{0:?} is no name of a file in the folder: no folders, no signs that some system forbids"
    )]
    Name(String),
    /// There is no such file, or it is a folder, a link or something else.
    #[error("there is no file {0:?}")]
    Missing(String),
    /// There is such a file already.
    #[error("there is a file {0:?} already")]
    Exists(String),
    /// It is too long.
    #[error("the file has more than {} MiB", MOST_BYTES >> 20)]
    Long,
    /// The system refuses something.
    #[error("the system refuses it: {0}")]
    System(io::Error),
}

impl GameFolder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, such as that there is no such folder.
    pub fn open(path: &Path) -> io::Result<GameFolder> {
        let root = fs::canonicalize(path)?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(GameFolder { root })
    }

    /// Returns the place of a file, which may not be there yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is none that every system takes for a file in a folder, or if what is there is
    /// no file: a link may lead elsewhere.
    pub fn place(&self, name: &str) -> Result<PathBuf, FolderError> {
        if !is_plain_name(name) {
            return Err(FolderError::Name(name.to_owned()));
        }
        let path = self.root.join(name);
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_file() => Ok(path),
            Ok(_) => Err(FolderError::Missing(name.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path),
            Err(error) => Err(FolderError::System(error)),
        }
    }

    /// Returns the files, in the order of their names.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn list(&self) -> Result<Vec<ListedFile>, FolderError> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(FolderError::System)? {
            let entry = entry.map_err(FolderError::System)?;
            let (Ok(name), Ok(data)) = (entry.file_name().into_string(), entry.metadata()) else {
                continue;
            };
            // The data of an entry are those of a link itself.
            if data.is_file() && is_plain_name(&name) {
                files.push(ListedFile { name, bytes: data.len() });
            }
            if files.len() == MOST_LISTED {
                break;
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Returns what a file holds.
    ///
    /// # Errors
    ///
    /// Returns why it is not read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FolderError> {
        let file = fs::File::open(self.place(name)?).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FolderError::Missing(name.to_owned()),
            _ => FolderError::System(error),
        })?;
        let mut content = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        file.take(most).read_to_end(&mut content).map_err(FolderError::System)?;
        if content.len() > MOST_BYTES { Err(FolderError::Long) } else { Ok(content) }
    }

    /// Writes a file, as a whole or not at all; with `new` none that is there already.
    ///
    /// # Errors
    ///
    /// Returns why it is not written.
    pub fn write(&self, name: &str, content: &[u8], new: bool) -> Result<(), FolderError> {
        let path = self.place(name)?;
        if content.len() > MOST_BYTES {
            return Err(FolderError::Long);
        }
        if new && path.exists() {
            return Err(FolderError::Exists(name.to_owned()));
        }
        replace_file(&path, |file| file.write_all(content)).map_err(FolderError::System)
    }
}

/// Returns whether a name is that of a file in a folder on every system, and hides nothing.
fn is_plain_name(name: &str) -> bool {
    let is_sign = |c: char| !c.is_control() && !"/\\:*?\"<>|".contains(c);
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| {
        let number = stem.strip_prefix(port).map(|rest| rest.chars().collect::<Vec<_>>());
        number.is_some_and(|signs| matches!(signs[..], ['0'..='9' | '¹' | '²' | '³']))
    });
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(is_sign)
        && !name.starts_with(['.', ' '])
        && !name.ends_with(['.', ' '])
        && !DEVICES.contains(&stem.as_str())
        && !is_port
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files_in_one_folder_on_every_system() {
        let long = "x".repeat(LONGEST_NAME + 1);
        for name in [
            "", ".", "..", "../a", "a/b", "a\\b", "/a", "C:", "C:a", "a:b", ".hidden", " a", "a ",
            "a.", "con", "CON.sgf", "nul .sgf", "com1", "Lpt9.txt", "com¹", "a\0b", "a\nb", "a*",
            &long,
        ] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        for name in
            ["game.sgf", "Partie 1.psq", "対局.sgf", "a..b", "common.sgf", "com10.sgf", "console"]
        {
            assert!(is_plain_name(name), "{name:?}");
        }
    }

    #[test]
    fn files_are_kept_whole_and_nothing_else_is_touched() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("games");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::write(place.path().join("secret"), "secret").unwrap();
        assert!(GameFolder::open(&root.join("none")).is_err());
        assert!(GameFolder::open(&place.path().join("secret")).is_err());
        let folder = GameFolder::open(&root).unwrap();
        assert_eq!(folder.list().unwrap(), []);
        folder.write("a.sgf", b"one", true).unwrap();
        assert!(matches!(folder.write("a.sgf", b"two", true), Err(FolderError::Exists(_))));
        folder.write("a.sgf", b"three", false).unwrap();
        assert_eq!(folder.read("a.sgf").unwrap(), b"three");
        let too_long = vec![0; MOST_BYTES + 1];
        assert!(matches!(folder.write("a.sgf", &too_long, false), Err(FolderError::Long)));
        fs::write(root.join("long"), too_long).unwrap();
        assert!(matches!(folder.read("long"), Err(FolderError::Long)));
        for name in ["../secret", "inner", "none"] {
            assert!(folder.read(name).is_err(), "{name}");
        }
        assert!(folder.write("inner", b"x", false).is_err());
        let names: Vec<String> = folder.list().unwrap().into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["a.sgf", "long"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("games");
        fs::create_dir_all(&root).unwrap();
        let secret = place.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        std::os::unix::fs::symlink(&secret, root.join("link")).unwrap();
        std::os::unix::fs::symlink(place.path().join("new"), root.join("loose")).unwrap();
        let folder = GameFolder::open(&root).unwrap();
        for name in ["link", "loose"] {
            assert!(
                folder.read(name).is_err() && folder.write(name, b"x", false).is_err(),
                "{name}"
            );
        }
        assert_eq!(folder.list().unwrap(), []);
        assert_eq!(fs::read(&secret).unwrap(), b"secret");
        assert!(!place.path().join("new").exists());
    }
}

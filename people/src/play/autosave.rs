//! The file of a session.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::SavedGame;
use super::saved::SavedGameError;
use tengen_files::resume::{FileError, LockedFile, replace_private_file, with_suffix};

/// The beginning of every saved game.
const FIRST: &[u8] = b"{\"tengen_play\":";
/// The most bytes of a saved game: more than the longest game with long comments has.
const MOST_BYTES: u64 = 16 << 20;

/// The reason why a saved game cannot be read or written.
#[derive(Debug, Error)]
pub enum AutosaveError {
    /// A system error, or another program plays.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file holds something else.
    #[error("{}: {fault}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: SavedGameError,
    },
    /// The file is another one than that of a session.
    #[error("{} is not a saved game: it is not replaced", .0.display())]
    Foreign(PathBuf),
    /// The file is too large to be a saved game.
    #[error("{} is too large for a saved game", .0.display())]
    TooLarge(PathBuf),
}

/// The file of a session, locked against other writers.
///
/// It is replaced as a whole. When a game begins that is not the one in the file, that one is kept
/// in a file with `.old` added to the name, until the next such time. A game on a network has its
/// room with it, in lines after its own; therefore only the owner can read these files.
#[derive(Debug)]
pub struct Autosave {
    path: PathBuf,
    /// The number of the game in the file, if it is one of this session.
    written: Option<u64>,
    /// True if the file holds the game as it was read, with a room that is lost when it is written.
    has_room: bool,
    /// Why the last writing failed and of how many moves, if it did.
    fault: Option<(String, usize)>,
    _lock: LockedFile,
}

impl Autosave {
    /// Takes a file for a session, and makes its folder. Nothing is written yet.
    ///
    /// # Errors
    ///
    /// Returns an error if another session has the file, if the folder cannot be made or written to, or if
    /// there is something else than a file.
    pub fn open(path: &Path) -> Result<Autosave, AutosaveError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| FileError::io("make", folder, error))?;
        }
        // Not the file itself: it is replaced.
        let lock = LockedFile::open(&with_suffix(path, ".lock"))?;
        Ok(Autosave {
            path: path.to_owned(),
            written: None,
            has_room: false,
            fault: None,
            _lock: lock,
        })
    }

    /// Checks that nothing but a game is replaced, perhaps a damaged one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file holds something else, or cannot be read.
    pub fn check(&self) -> Result<(), AutosaveError> {
        let failed = |error| FileError::io("read", &self.path, error);
        let mut beginning = Vec::new();
        if is_there(&self.path)? {
            let file = fs::File::open(&self.path).map_err(failed)?;
            file.take(FIRST.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
        }
        let is_game = FIRST.starts_with(&beginning);
        if is_game { Ok(()) } else { Err(AutosaveError::Foreign(self.path.clone())) }
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the game in the file, if there is one, to go on with it. What a room had with it is left
    /// out; the file is then kept as that of another game is.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or holds something else.
    pub fn read(&mut self) -> Result<Option<SavedGame>, AutosaveError> {
        let Some((saved, room)) = self.read_with_room()? else { return Ok(None) };
        self.has_room = !room.is_empty();
        if self.has_room {
            self.written = None;
        }
        Ok(Some(saved))
    }

    /// Reads the game in the file, if there is one, and what the room had with it; that is empty if
    /// it was in none.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or does not begin with a game.
    pub fn read_with_room(&mut self) -> Result<Option<(SavedGame, String)>, AutosaveError> {
        let read = look(&self.path)?;
        self.written = read.as_ref().map(|(saved, _)| saved.number).or(self.written);
        Ok(read)
    }

    /// Returns the game in the file, if there is one that can be read and was in no room, without going
    /// on with it: it is kept when another game is written.
    #[must_use]
    pub fn last(&self) -> Option<SavedGame> {
        let (saved, room) = look(&self.path).ok()??;
        room.is_empty().then_some(saved)
    }

    /// Writes a game to the file with the lines of its room, if there are any. Returns what is to be said if it is not
    /// written: nothing if that was said of as many moves before. The next change is a new try.
    pub fn keep(&mut self, saved: &SavedGame, room: &str) -> Option<String> {
        let fault = self.write(saved, room).err().map(|error| {
            let cause = std::error::Error::source(&error);
            let why = cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
            (why, saved.game.moves().len())
        });
        let before = std::mem::replace(&mut self.fault, fault);
        let (why, _) = self.fault.as_ref().filter(|_| before != self.fault)?;
        Some(format!("Error: the game was not saved: {why}.\n"))
    }

    /// Returns the path of the file if a game was written, or read with a room, and if the last writing did not fail.
    #[must_use]
    pub fn kept_in(&self) -> Option<&Path> {
        let is_there = self.written.is_some() || self.has_room;
        (is_there && self.fault.is_none()).then_some(&self.path)
    }

    /// Writes a game to the file with the lines of its room: as a whole or not at all.
    fn write(&mut self, saved: &SavedGame, room: &str) -> Result<(), AutosaveError> {
        let text = saved.to_text() + room;
        if text.len() as u64 > MOST_BYTES {
            return Err(AutosaveError::TooLarge(self.path.clone()));
        }
        let failed = |error| FileError::io("write", &self.path, error);
        if self.written != Some(saved.number) {
            self.keep_old().map_err(failed)?;
        }
        replace_private_file(&self.path, |file| file.write_all(text.as_bytes())).map_err(failed)?;
        (self.written, self.has_room) = (Some(saved.number), false);
        Ok(())
    }

    /// Copies the game in the file, if there is one, beside it.
    fn keep_old(&self) -> io::Result<()> {
        let mut old = match fs::File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let kept = with_suffix(&self.path, ".old");
        replace_private_file(&kept, |file| io::copy(&mut old, file)).map(drop)
    }
}

/// Returns the game in the file of a session, if there is one, which may be another's that goes on.
///
/// # Errors
///
/// Returns an error if the file cannot be read or does not begin with a game.
pub fn saved_game(path: &Path) -> Result<Option<SavedGame>, AutosaveError> {
    Ok(look(path)?.map(|(saved, _)| saved))
}

/// Reads the game in a file, if there is one, and what the room had with it.
fn look(path: &Path) -> Result<Option<(SavedGame, String)>, AutosaveError> {
    if !is_there(path)? {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|error| FileError::io("read", path, error))?;
    let content = |fault| AutosaveError::Content { path: path.to_owned(), fault };
    let (game, room) = text.split_once('\n').unwrap_or((&text, ""));
    let saved = SavedGame::from_text(game).map_err(content)?;
    Ok(Some((saved, room.to_owned())))
}

/// Returns whether there is a file that can hold a game.
fn is_there(path: &Path) -> Result<bool, AutosaveError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(FileError::io("read", path, error).into()),
        Ok(metadata) if !metadata.is_file() => Err(FileError::NotAFile(path.to_owned()).into()),
        Ok(metadata) if metadata.len() > MOST_BYTES => {
            Err(AutosaveError::TooLarge(path.to_owned()))
        }
        Ok(_) => Ok(true),
    }
}

/// Returns the file of a session where no other is named, by the convention of the platform; `None`
/// if the user has no place for such files.
#[must_use]
pub fn state_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name);
    state_folder(set).map(|folder| folder.join("tengen").join("play.json"))
}

/// Returns the folder for the state of programs, from the variables of the environment.
fn state_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        let home = || folder("HOME").map(|home| home.join(".local").join("state"));
        folder("XDG_STATE_HOME").or_else(home)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::play::{CasualGame, ClockControl, Controller, PlayTerms, ThinkingLimits};
    use tengen_core::rules::Rule;
    use tengen_core::types::{ByColor, Cell, Color, Size};
    use tengen_engine::engine::{Level, Skill};
    use tengen_files::records::Move;
    use tengen_files::resume::testing::{check_flips, without_sums};

    fn saved(number: u64, stones: i64) -> SavedGame {
        let size = Size::new(20, 15).unwrap();
        let mut game = CasualGame::new(size, Rule::Renju);
        game.set_cell(size.point(19, 14).unwrap(), Cell::Wall).unwrap();
        for x in 0..stones {
            let m = Move::new(size.point(2 * x, x % 3).unwrap(), game.to_move());
            let mut m = m.with_time(Some(7));
            m.set_comment("a\nb".to_owned());
            game.play(m).unwrap();
        }
        if stones > 2 {
            game.take_back(2).unwrap();
        }
        let sides = ByColor([Controller::Person, Controller::Engine]);
        let clock = ClockControl {
            game: Some(std::time::Duration::from_millis(1234)),
            ..ClockControl::default()
        };
        let terms = PlayTerms {
            sides,
            skills: ByColor([Skill::default(), Skill { level: Level::LEAST, seed: Some(8) }]),
            clock,
            thinking: ThinkingLimits::default(),
        };
        let (programs, opening) = (Vec::new(), None);
        SavedGame { number, terms, programs, opening, game, timed_from: 1, is_waiting: true }
    }

    #[test]
    fn a_game_comes_back_as_it_was_saved() {
        for stones in [1, 2, 3, 6] {
            let saved = saved(3, stones);
            assert_eq!(SavedGame::from_text(&saved.to_text()), Ok(saved));
        }
        let mut other = saved(1, 1);
        other.game.set_to_move(Color::Black);
        other.timed_from = 0;
        assert_eq!(SavedGame::from_text(&other.to_text()), Ok(other));
    }

    #[test]
    fn a_game_that_was_saved_before_there_were_levels_has_the_full_one() {
        let saved = saved(1, 3);
        let skills = r#""skills":[{"level":10,"seed":null},{"level":1,"seed":8}],"#;
        let text = without_sums(&saved.to_text());
        assert!(text.contains(skills), "{text}");
        let old = SavedGame::from_text(&text.replace(skills, "")).unwrap();
        assert_eq!(old.terms.skills, ByColor::default());
    }

    #[test]
    fn a_text_that_is_no_saved_game_is_refused() {
        let text = without_sums(&saved(1, 6).to_text());
        assert!(SavedGame::from_text(&text).is_ok());
        for (old, new) in [
            ("\"tengen_play\":1", "\"tengen_play\":2"),
            ("\"number\":1", "\"number\":18446744073709551615"),
            ("\"shown\":4", "\"shown\":7"),
            ("\"timed_from\":1", "\"timed_from\":9"),
            ("\"walls\":\"t15\"", "\"walls\":\"t16\""),
            ("\"walls\":\"t15\"", "\"walls\":\"a1\""),
            ("\"person\"", "\"dog\""),
            ("\"level\":1,", "\"level\":0,"),
            ("\"tengen\":1", "\"tengen\":7"),
            ("}}", "}"),
        ] {
            assert!(text.contains(old), "{text}");
            assert!(SavedGame::from_text(&text.replacen(old, new, 1)).is_err(), "{new}");
        }
        assert!(SavedGame::from_text("").is_err());
    }

    #[test]
    fn a_flipped_bit_is_told() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let path = folder.path().join("play.json");
        let mut autosave = Autosave::open(&path).unwrap();
        autosave.write(&saved(1, 6), "").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let autosave = std::cell::RefCell::new(autosave);
        check_flips(&text, |bytes| {
            let mut autosave = autosave.borrow_mut();
            fs::write(autosave.path(), bytes).unwrap();
            autosave.read().err().map(|error| error.to_string())
        });
    }

    #[test]
    fn a_game_of_a_room_that_was_only_read_is_kept_with_its_room() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let path = folder.path().join("play.json");
        let mut host = Autosave::open(&path).unwrap();
        assert_eq!(host.kept_in(), None);
        host.write(&saved(1, 6), "room\n").unwrap();
        drop(host);
        let mut reader = Autosave::open(&path).unwrap();
        assert_eq!(reader.read().unwrap(), Some(saved(1, 6)));
        assert_eq!(reader.kept_in(), Some(&*path));
        assert!(fs::read_to_string(&path).unwrap().ends_with("room\n"));
        // A move more makes it a game without a room; the room is kept beside.
        assert_eq!(reader.keep(&saved(1, 7), ""), None);
        assert_eq!(reader.kept_in(), Some(&*path));
        assert!(fs::read_to_string(with_suffix(&path, ".old")).unwrap().ends_with("room\n"));
    }

    #[test]
    fn the_game_before_is_kept_beside_and_nobody_else_can_write() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let path = folder.path().join("a").join("play.json");
        let mut first = Autosave::open(&path).unwrap();
        assert!(matches!(Autosave::open(&path), Err(AutosaveError::File(FileError::Locked(_)))));
        assert!(first.read().unwrap().is_none());
        for stones in [1, 2] {
            first.write(&saved(1, stones), "").unwrap();
        }
        let old = with_suffix(&path, ".old");
        assert!(!old.exists(), "it is the same game");
        drop(first);
        // A session that goes on replaces the file, another one keeps it.
        let looked = Autosave::open(&path).unwrap();
        assert_eq!((looked.last(), looked.written), (Some(saved(1, 2)), None));
        drop(looked);
        let mut second = Autosave::open(&path).unwrap();
        assert_eq!(second.read().unwrap(), Some(saved(1, 2)));
        second.write(&saved(1, 3), "").unwrap();
        assert!(!old.exists());
        drop(second);
        let mut third = Autosave::open(&path).unwrap();
        third.write(&saved(1, 1), "").unwrap();
        let kept = fs::read_to_string(&old).unwrap();
        assert_eq!(SavedGame::from_text(&kept), Ok(saved(1, 3)));
        third.write(&saved(2, 1), "").unwrap();
        let kept = fs::read_to_string(&old).unwrap();
        assert_eq!(SavedGame::from_text(&kept), Ok(saved(1, 1)));
    }

    #[test]
    fn a_room_is_read_with_its_game_and_kept_when_the_game_goes_on_without_it() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let path = folder.path().join("play.json");
        let mut host = Autosave::open(&path).unwrap();
        host.write(&saved(2, 1), "a room\n").unwrap();
        let whole = fs::read(&path).unwrap();
        drop(host);
        let mut again = Autosave::open(&path).unwrap();
        assert_eq!(again.read_with_room().unwrap(), Some((saved(2, 1), "a room\n".to_owned())));
        again.write(&saved(2, 1), "a room\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        let old = with_suffix(&path, ".old");
        assert!(!old.exists(), "it is the same game");
        drop(again);
        let mut alone = Autosave::open(&path).unwrap();
        assert_eq!(alone.read().unwrap(), Some(saved(2, 1)));
        alone.write(&saved(2, 2), "").unwrap();
        assert_eq!(fs::read(&old).unwrap(), whole);
        assert_eq!(fs::read_to_string(&path).unwrap(), saved(2, 2).to_text());
        #[cfg(unix)]
        for path in [&path, &old] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_game_that_could_not_be_read_again_is_not_written() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let mut autosave = Autosave::open(&folder.path().join("play.json")).unwrap();
        assert_eq!(autosave.keep(&saved(1, 1), ""), None);
        let mut long = saved(2, 1);
        long.game.header_mut().comment = "a".repeat(MOST_BYTES as usize);
        let told = autosave.keep(&long, "").unwrap();
        assert!(told.starts_with("Error: the game was not saved: "), "{told}");
        assert!(told.ends_with("play.json is too large for a saved game.\n"), "{told}");
        assert_eq!((autosave.read().unwrap(), autosave.kept_in()), (Some(saved(1, 1)), None));
    }

    #[test]
    fn files_that_are_no_games_are_told() {
        let folder = TempDir::with_prefix("tengen-autosave-").unwrap();
        let path = folder.path().join("play.json");
        fs::write(&path, "hello").unwrap();
        let error = Autosave::open(&path).unwrap().read().unwrap_err().to_string();
        assert!(error.contains("play.json: no saved game of this version: "), "{error}");
        fs::File::create(&path).and_then(|file| file.set_len(MOST_BYTES + 1)).unwrap();
        let error = Autosave::open(&path).unwrap().read().unwrap_err().to_string();
        assert!(error.ends_with("play.json is too large for a saved game"), "{error}");
        fs::create_dir(folder.path().join("b")).unwrap();
        let error = Autosave::open(&folder.path().join("b")).unwrap().read().unwrap_err();
        assert!(error.to_string().ends_with("is not a regular file"), "{error}");
    }

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_folder_is_where_the_platform_wants_it() {
        let with = |set: &[(&str, &str)]| {
            let find = |name: &str| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            };
            state_folder(find).map(|path| path.display().to_string())
        };
        assert_eq!(with(&[("HOME", "/h")]).as_deref(), Some("/h/.local/state"));
        let both = [("HOME", "/h"), ("XDG_STATE_HOME", "/s")];
        assert_eq!(with(&both).as_deref(), Some("/s"));
        // The convention has relative paths ignored.
        let relative = [("HOME", "/h"), ("XDG_STATE_HOME", "s")];
        assert_eq!(with(&relative).as_deref(), Some("/h/.local/state"));
        assert_eq!(with(&[]), None);
    }
}

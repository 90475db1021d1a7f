//! What a page may say to an engine.
//!
//! A page has the key, and yet it is no player at the keyboard: on a network it belongs to a guest. It may use
//! as much of the machine as the server allows, and no files but those in its folder.

use std::path::PathBuf;
use std::sync::Arc;

use crate::folder::GameFolder;
use tengen_engine::protocol::{Command, DatabaseFile, Info};

/// The words that may name a file, beside those about databases: of tengen, and of other engines.
const FILES: [&str; 5] = ["YXHASHDUMP", "YXHASHLOAD", "LOADMODEL", "EXPORTMODEL", "RELOADCONFIG"];
/// The word of settings.
const SETTING: &str = "INFO";
/// The keys of settings that are bounded, or name a file.
const BOUNDED: [&str; 5] = ["THREAD_NUM", "MAX_MEMORY", "HASH_SIZE", "FOLDER", "BOOK"];

/// The most that an engine may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineLimits {
    /// Search threads.
    pub threads: usize,
    /// Memory, in bytes.
    pub memory: u64,
}

/// The decision about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Passage {
    /// The engine receives these lines, if any.
    Lines(Vec<String>),
    /// It does not, for this reason.
    Refused(String),
}

/// Looks at the lines to an engine in their order.
#[derive(Debug)]
pub(super) struct LineGuard {
    limits: EngineLimits,
    folder: Option<Arc<GameFolder>>,
    /// The keys of settings that are not for the page to change.
    fixed: Vec<String>,
    /// A word whose file is on the next line.
    waiting: Option<String>,
    /// True if the last word was [`SETTING`]: an engine that reads word after word takes the next one for a key.
    follows_setting: bool,
}

impl LineGuard {
    /// Returns the guard of an engine that hears some lines first: their limits hold as well, and their settings stay.
    pub(super) fn new(
        mut limits: EngineLimits,
        folder: Option<Arc<GameFolder>>,
        first: &[String],
    ) -> LineGuard {
        let mut fixed = Vec::new();
        for line in first {
            match Command::parse(line.as_bytes()) {
                Command::Info(Info::ThreadNum(n)) => {
                    limits.threads = limits.threads.min(usize::try_from(n).unwrap_or(0).max(1));
                }
                Command::Info(Info::MaxMemory(bytes)) => {
                    limits.memory = limits.memory.min(memory_of(bytes));
                }
                _ => fixed.extend(line.split_ascii_whitespace().nth(1).map(str::to_owned)),
            }
        }
        LineGuard { limits, folder, fixed, waiting: None, follows_setting: false }
    }

    /// Decides about the next line.
    pub(super) fn pass(&mut self, line: &str) -> Passage {
        if line.contains(['\n', '\r', '\0']) {
            return Passage::Refused("a message is one line".to_owned());
        }
        if let Some(word) = self.waiting.take() {
            return match self.place(line) {
                Ok(path) => Passage::Lines(vec![word, path]),
                Err(why) => Passage::Refused(why),
            };
        }
        let command = Command::parse(line.as_bytes());
        let upper = line.to_ascii_uppercase();
        let hides_setting = hides_setting(&upper, &command, self.follows_setting);
        let words = upper.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if !words.is_empty() {
            self.follows_setting = words.ends_with(SETTING);
        }
        let passed = match command {
            Command::HashFile { path: None, .. } | Command::DatabaseFile { path: None, .. } => {
                self.waiting = Some(line.to_owned());
                return Passage::Lines(Vec::new());
            }
            Command::HashFile { path: Some(path), .. }
            | Command::DatabaseFile { path: Some(path), .. } => {
                let (word, _) =
                    line.trim_start().split_once(char::is_whitespace).unwrap_or((line, ""));
                self.place(&path).map(|path| format!("{word} {path}"))
            }
            _ if hides_file(line) => Err("there is a word for files in the line".to_owned()),
            _ if hides_setting => Err(format!("there is {SETTING} in the line")),
            Command::Info(info) => match self.setting(line, info) {
                Some(passed) => passed,
                None => return Passage::Lines(Vec::new()),
            },
            _ => Ok(line.to_owned()),
        };
        match passed {
            Ok(line) => Passage::Lines(vec![line]),
            Err(why) => Passage::Refused(why),
        }
    }

    /// Forgets what has begun: the engine is another one.
    pub(super) fn reset(&mut self) {
        self.waiting = None;
        self.follows_setting = false;
    }

    /// Returns what is passed on of a setting, if anything.
    fn setting(&self, line: &str, info: Info) -> Option<Result<String, String>> {
        let threads = i64::try_from(self.limits.threads).unwrap_or(i64::MAX);
        let memory = self.limits.memory;
        let mut words = line.split_ascii_whitespace().skip(1);
        // Some engines would take the next line for what lacks.
        let (key, _value) = words.next().zip(words.next())?;
        if self.fixed.iter().any(|fixed| fixed.eq_ignore_ascii_case(key)) {
            return None;
        }
        Some(match info {
            Info::ThreadNum(n) => Ok(format!("INFO thread_num {}", n.clamp(1, threads))),
            Info::MaxMemory(bytes) => {
                Ok(format!("INFO max_memory {}", memory_of(bytes).min(memory)))
            }
            Info::HashSize(kib) => {
                Ok(format!("INFO hash_size {}", kib.max(0).unsigned_abs().min(memory / 1024)))
            }
            // Engines keep there what they learn.
            Info::Folder(_) => return None,
            Info::Book(path) if !path.is_empty() => {
                self.place(&path).map(|path| format!("INFO book {path}"))
            }
            Info::Book(_) => Ok("INFO book off".to_owned()),
            // Others know a key by its beginning, and read a number up to where it ends.
            _ if BOUNDED.iter().any(|word| line.to_ascii_uppercase().contains(word)) => {
                return None;
            }
            _ => Ok(line.to_owned()),
        })
    }

    /// Returns the path of a file of the folder.
    fn place(&self, name: &str) -> Result<String, String> {
        let Some(folder) = &self.folder else {
            return Err("no files: tengen web was started without --files".to_owned());
        };
        let is_setting = |word: &str| word.eq_ignore_ascii_case(SETTING);
        if hides_file(name) || name.split_whitespace().any(is_setting) {
            return Err("there is a word of the protocol in the name".to_owned());
        }
        let path: PathBuf = folder.place(name.trim()).map_err(|error| error.to_string())?;
        path.into_os_string()
            .into_string()
            .map_err(|_| "the folder has a name that is no text".to_owned())
    }
}

/// Returns what `max_memory` means: as much as one likes if it is not positive.
fn memory_of(bytes: i64) -> u64 {
    if bytes > 0 { bytes.unsigned_abs() } else { u64::MAX }
}

/// Returns whether an engine may find a word for files in a line, wherever it stands: some read word after word,
/// and take what is behind one command for the next.
fn hides_file(line: &str) -> bool {
    let line = line.to_ascii_uppercase();
    let has = |word: &str| line.contains(word);
    DatabaseFile::ALL.iter().any(|file| has(file.word())) || FILES.iter().any(|word| has(word))
}

/// Returns whether an engine may find a bounded setting in a line in capitals that is none, or beside the one that it
/// is. The word alone may be in the text of a position.
fn hides_setting(line: &str, command: &Command, follows_setting: bool) -> bool {
    let own = usize::from(matches!(command, Command::Info(_)));
    let is_bounded = |rest: &str| {
        let key = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        BOUNDED.iter().any(|bounded| key.starts_with(bounded))
    };
    let mut others = line.match_indices(SETTING).skip(own);
    follows_setting && is_bounded(line)
        || others.any(|(at, word)| is_bounded(&line[at + word.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: EngineLimits = EngineLimits { threads: 4, memory: 1 << 30 };

    fn passed(guard: &mut LineGuard, line: &str) -> Vec<String> {
        match guard.pass(line) {
            Passage::Lines(lines) => lines,
            Passage::Refused(why) => vec![format!("refused: {why}")],
        }
    }

    #[test]
    fn what_is_no_matter_of_files_or_size_passes_as_it_is() {
        let mut guard = LineGuard::new(LIMITS, None, &[]);
        for line in [
            "START 15",
            "INFO timeout_turn 5000",
            "INFO book off",
            "INFO style wild",
            "YXSHOWINFO",
            "YXEDITLABELDATABASE 7,7 info",
            "YXEDITTEXTDATABASE \"more information: info of 1912\"",
            "YXBOARD",
            "7,7,1",
            "DONE",
            "nonsense",
            "",
            "é",
        ] {
            assert_eq!(passed(&mut guard, line), [line]);
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let mut guard = LineGuard::new(LIMITS, None, &[]);
        for (line, expected) in [
            ("INFO thread_num 256", "INFO thread_num 4"),
            ("info THREAD_NUM 0", "INFO thread_num 1"),
            ("INFO thread_num 3", "INFO thread_num 3"),
            ("info Max_Memory 83886080", "INFO max_memory 83886080"),
            ("INFO max_memory 0", "INFO max_memory 1073741824"),
            ("INFO max_memory 99999999999999999999", "INFO max_memory 1073741824"),
            ("  info max_memory -5", "INFO max_memory 1073741824"),
            ("INFO hash_size 99999999", "INFO hash_size 1048576"),
            ("INFO hash_size -1", "INFO hash_size 0"),
            ("INFO thread_num 64 x", "INFO thread_num 4"),
        ] {
            assert_eq!(passed(&mut guard, line), [expected], "{line}");
        }
    }

    #[test]
    fn what_another_engine_may_take_for_a_size_does_not_pass() {
        let mut guard = LineGuard::new(LIMITS, None, &[]);
        for line in [
            "INFO folder /tmp",
            "INFO folder/tmp x",
            "INFO thread_num 64,",
            "INFO thread_num64 x",
            "INFO max_memory 0x0",
            "INFO x\u{b}hash_size 99999999",
            // The next line would be the value, or the key.
            "INFO thread_num",
            "INFO book",
            "INFO folder",
            "info ",
        ] {
            assert_eq!(passed(&mut guard, line), [""; 0], "{line}");
        }
        for line in [
            "START 15 INFO thread_num 64",
            "INFO rule 0 INFO thread_num 64",
            "é INFO thread_num 64",
            "\u{b}INFO thread_num 64",
            "INFO\u{b}thread_num 64",
            "INFOthread_num 64",
            "YXSHOWINFO INFO thread_num 64",
            "é INFO folder /tmp",
            "é START 15 INFO book /etc/passwd",
        ] {
            assert_eq!(passed(&mut guard, line), ["refused: there is INFO in the line"], "{line}");
        }
        for line in ["START 15 INFO", "START 15 TEXT INFO", "INFO rule 0 INFO", "START 15\u{b}INFO"]
        {
            assert_eq!(passed(&mut guard, line), [line]);
            assert_eq!(passed(&mut guard, ""), [""]);
            let refused = ["refused: there is INFO in the line"];
            assert_eq!(passed(&mut guard, "thread_num 64"), refused, "{line}");
            assert_eq!(passed(&mut guard, "thread_num 64"), ["thread_num 64"]);
        }
    }

    #[test]
    fn settings_of_the_engine_bound_those_of_the_page() {
        let first = ["INFO thread_num 2", "INFO max_memory 1000000", "INFO Strength 50"];
        let first = first.map(str::to_owned);
        let mut guard = LineGuard::new(LIMITS, None, &first);
        assert_eq!(passed(&mut guard, "INFO thread_num 3"), ["INFO thread_num 2"]);
        assert_eq!(passed(&mut guard, "INFO thread_num 1"), ["INFO thread_num 1"]);
        assert_eq!(passed(&mut guard, "INFO max_memory 0"), ["INFO max_memory 1000000"]);
        assert_eq!(passed(&mut guard, "info strength 100"), [""; 0]);
        assert_eq!(passed(&mut guard, "INFO pondering 0"), ["INFO pondering 0"]);
        // Those of the server hold as well.
        let first = ["INFO thread_num 9", "INFO max_memory 0"].map(str::to_owned);
        let mut guard = LineGuard::new(LIMITS, None, &first);
        assert_eq!(passed(&mut guard, "INFO thread_num 8"), ["INFO thread_num 4"]);
        assert_eq!(passed(&mut guard, "INFO max_memory 0"), ["INFO max_memory 1073741824"]);
    }

    #[test]
    fn files_are_those_of_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(place.path()).unwrap();
        let folder = Arc::new(GameFolder::open(place.path()).unwrap());
        let mut guard = LineGuard::new(LIMITS, Some(folder), &[]);
        let path = root.join("games.db").display().to_string();
        assert_eq!(passed(&mut guard, "yxsetdatabase games.db"), [format!("yxsetdatabase {path}")]);
        let info = root.join("my info.db").display().to_string();
        assert_eq!(
            passed(&mut guard, "YXSETDATABASE my info.db"),
            [format!("YXSETDATABASE {info}")]
        );
        assert_eq!(passed(&mut guard, "YXHASHDUMP"), [""; 0]);
        assert_eq!(passed(&mut guard, "games.db"), ["YXHASHDUMP", &path]);
        assert_eq!(passed(&mut guard, "INFO book games.db"), [format!("INFO book {path}")]);
        for line in [
            "YXSETDATABASE ../games.db",
            "YXDBTOTXTALL /etc/passwd",
            "\tyxhashload\t/etc/passwd",
            "INFO book /etc/passwd",
            "LoadModel /etc/passwd",
            "YXSETDATABASE a INFO thread_num 64.db",
            "YXSETDATABASE a LOADMODEL b.db",
            "START 15\nYXHASHDUMP x",
            "START 15 YXSETDATABASE",
            "TURN 7,7yxsetdatabase",
            "INFO rule 0 YXDBTOTXTALL",
            "YXBOARD DONE yxhashload",
            "BEGIN loadmodel x",
            "START 15 INFO folder /tmp",
            "yxedittextdatabase \"see yxdbtolib\"",
            "START 15\0",
        ] {
            assert!(passed(&mut guard, line)[0].starts_with("refused: "), "{line}");
        }
        assert_eq!(passed(&mut guard, "yxtxttodb"), [""; 0]);
        assert!(passed(&mut guard, "../x")[0].starts_with("refused: "));
        assert_eq!(passed(&mut guard, "7,7"), ["7,7"], "the word is forgotten");
        let mut guard = LineGuard::new(LIMITS, None, &[]);
        assert!(passed(&mut guard, "YXSETDATABASE games.db")[0].starts_with("refused: no files"));
    }
}

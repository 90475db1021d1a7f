//! The words of `--engine` and `--each`, and what they mean.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::options::OptionError;
use crate::common::options::parse_time;
use crate::matches::args::EngineWords;
use tengen_core::eval::EvaluatorKind;
use tengen_engine::engine::{Level, LevelError};
use tengen_lab::arena::{Allowance, Contestant, ContestantKind};
use tengen_lab::process::EngineCommand;

/// The default margin after which an answer is late.
const MARGIN: Duration = Duration::from_millis(100);

/// The name of the player that looks no move ahead.
const GREEDY: &str = "greedy";

/// The key of a player's level.
const STRENGTH: &str = "strength";

/// The prefix of words that are sent as they are.
const PLAIN: &str = "info:";

/// The keys that mean something to the match.
const KEYS: [&str; 13] = [
    "cmd", "builtin", "name", "dir", "tc", "turn", "margin", "nodes", "depth", "threads", "memory",
    "restart", "level",
];

/// Protocol names of settings that have other keys here.
const TOLD_OTHERWISE: [(&str, &str); 9] = [
    ("timeout_turn", "it is set by turn="),
    ("timeout_match", "it is set by tc="),
    ("time_left", "it is set by tc="),
    ("max_node", "it is set by nodes="),
    ("max_depth", "it is set by depth="),
    ("thread_num", "it is set by threads="),
    ("max_memory", "it is set by memory="),
    ("rule", "it is set by --rule"),
    ("game_type", "it is always sent"),
];

/// Returns the contestants: the engines of the words, then the programs found in a folder.
pub(super) fn contestants(
    words: &EngineWords,
    found: &[PathBuf],
) -> Result<Vec<Contestant>, OptionError> {
    let each = EngineEntry::read("--each", &words.each)?;
    if each.name.is_some() {
        return Err(OptionError::new("--each name=: every engine needs a name of its own"));
    }
    let mut entries = Vec::new();
    for words in &words.engines {
        let own = EngineEntry::read("--engine", words)?;
        own.check_own()?;
        entries.push(own.over(&each));
    }
    for program in found {
        let command = EngineCommand::new(program, &[]);
        let who = Some((ContestantKind::Process(command), name_of_program(program)));
        entries.push(EngineEntry { title: program.display().to_string(), who, ..each.clone() });
    }
    let entries: Vec<EngineEntry> =
        entries.into_iter().map(EngineEntry::with_level).collect::<Result<_, _>>()?;
    let names = names(&entries)?;
    entries.into_iter().zip(names).map(|(entry, name)| entry.contestant(name)).collect()
}

/// The settings of one engine, or of all.
#[derive(Clone, Debug, Default)]
struct EngineEntry {
    /// Its name in error messages.
    title: String,
    /// The engine and its default name.
    who: Option<(ContestantKind, String)>,
    name: Option<String>,
    dir: Option<PathBuf>,
    /// The time for a game and the increment.
    clock: Option<(Duration, Duration)>,
    turn: Option<Duration>,
    margin: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    threads: Option<u32>,
    memory: Option<u64>,
    restart: Option<bool>,
    level: Option<Level>,
    options: Vec<(String, String)>,
}

impl EngineEntry {
    /// Reads the words after an option.
    fn read(option: &str, words: &[String]) -> Result<EngineEntry, OptionError> {
        let title = words.first().map_or(String::new(), |word| format!("{option} {word}"));
        let mut entry = EngineEntry { title, ..EngineEntry::default() };
        let mut seen = HashSet::new();
        for word in words {
            let fault = |message: String| OptionError::new(format!("{option} {word}: {message}"));
            let Some((key, value)) = word.split_once('=') else {
                return Err(fault("it is not KEY=VALUE, such as cmd=./rapfi".to_owned()));
            };
            if key == "cmd" || key == "builtin" {
                if !seen.insert("cmd or builtin") {
                    return Err(fault("one of cmd= and builtin= says who plays".to_owned()));
                }
            } else if !seen.insert(key) {
                return Err(fault(format!("{key}= is there twice")));
            }
            entry.set(key, value).map_err(fault)?;
        }
        Ok(entry)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => {
                let command = EngineCommand::parse(value).ok_or("it names no program")?;
                let name = name_of_program(command.program());
                self.who = Some((ContestantKind::Process(command), name));
            }
            "builtin" => {
                let kind = if value == GREEDY {
                    ContestantKind::Greedy
                } else {
                    let unknown = "the players are patterns, shapes, tuples, greedy";
                    ContestantKind::Evaluator(EvaluatorKind::from_str(value).or(Err(unknown))?)
                };
                self.who = Some((kind, value.to_ascii_lowercase()));
            }
            "name" => self.name = Some(checked_name(value)?),
            "dir" => {
                let dir = std::path::absolute(value).map_err(|error| error.to_string())?;
                self.dir = Some(dir);
            }
            "tc" => {
                let (game, increment) = value.split_once('+').unwrap_or((value, "0"));
                self.clock = Some((positive_time(game)?, parse_time(increment)?));
            }
            "turn" => self.turn = Some(positive_time(value)?),
            "margin" => self.margin = Some(parse_time(value)?),
            "nodes" => self.nodes = Some(positive(value)?),
            "depth" => self.depth = Some(positive(value)?),
            "threads" => self.threads = Some(positive(value)?),
            "memory" => {
                let bytes = positive::<u64>(value)?.checked_mul(1 << 20);
                self.memory = Some(bytes.ok_or("that is more than there can be")?);
            }
            "level" => {
                let level: Level = value.parse().map_err(|error: LevelError| error.to_string())?;
                self.level = Some(level);
            }
            "restart" => {
                self.restart = Some(match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err("it is on or off".to_owned()),
                });
            }
            _ => self.options.push(option(key, value)?),
        }
        Ok(())
    }

    /// Checks what contradicts itself within the words of one engine.
    fn check_own(&self) -> Result<(), OptionError> {
        let Some((kind, name)) = &self.who else { return Ok(()) };
        let searches = self.nodes.is_some() || self.depth.is_some() || self.threads.is_some();
        match kind {
            ContestantKind::Process(_) => Ok(()),
            _ if self.dir.is_some() => {
                Err(self.fault(&format!("dir= is for programs, and {name} is none")))
            }
            ContestantKind::Greedy if searches => {
                Err(self.fault("greedy does not search: no nodes=, depth= or threads="))
            }
            ContestantKind::Greedy | ContestantKind::Evaluator(_) => Ok(()),
        }
    }

    /// Returns the entry with what it leaves open taken from another one.
    fn over(self, other: &EngineEntry) -> EngineEntry {
        let mut options = other.options.clone();
        for (key, value) in self.options {
            match options.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => options.push((key, value)),
            }
        }
        EngineEntry {
            title: self.title,
            who: self.who.or_else(|| other.who.clone()),
            name: self.name,
            dir: self.dir.or_else(|| other.dir.clone()),
            clock: self.clock.or(other.clock),
            turn: self.turn.or(other.turn),
            margin: self.margin.or(other.margin),
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
            threads: self.threads.or(other.threads),
            memory: self.memory.or(other.memory),
            restart: self.restart.or(other.restart),
            level: self.level.or(other.level),
            options,
        }
    }

    /// Adds what a level stands for: the player of this process if no other is named, and the
    /// strength that players are sent.
    fn with_level(mut self) -> Result<EngineEntry, OptionError> {
        let Some(level) = self.level else { return Ok(self) };
        let name = format!("level {level}");
        match &mut self.who {
            None => self.who = Some((ContestantKind::Evaluator(EvaluatorKind::default()), name)),
            Some((ContestantKind::Greedy, _)) => {
                return Err(self.fault("greedy has no levels: it is the first of them"));
            }
            Some((_, plain)) => *plain += &format!(" {name}"),
        }
        if self.options.iter().any(|(key, _)| key == STRENGTH) {
            return Err(self.fault("level= and strength= say the same"));
        }
        self.options.push((STRENGTH.to_owned(), level.strength().to_string()));
        Ok(self)
    }

    fn contestant(self, name: String) -> Result<Contestant, OptionError> {
        let Some((kind, _)) = self.who.clone() else {
            return Err(self.fault("cmd= or builtin= is missing: who plays?"));
        };
        let timed = self.clock.is_some() || self.turn.is_some();
        let limited = timed || self.nodes.is_some() || self.depth.is_some();
        let limits_itself = match kind {
            ContestantKind::Greedy => true,
            ContestantKind::Evaluator(_) => self.level.is_some_and(|level| !level.is_full()),
            ContestantKind::Process(_) => false,
        };
        if !limited && !limits_itself {
            return Err(self.fault(
                "there is no limit: give tc= (time for a game), turn= (time for a move), nodes= \
                 or depth=, or one for all engines with --each",
            ));
        }
        let allowance = Allowance {
            game: self.clock.map(|(game, _)| game),
            increment: self.clock.map_or(Duration::ZERO, |(_, increment)| increment),
            turn: self.turn,
            margin: self.margin.unwrap_or(MARGIN),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            memory: self.memory,
        };
        let is_process = matches!(kind, ContestantKind::Process(_));
        let dir = self.dir.filter(|_| is_process);
        Ok(Contestant {
            name,
            allowance,
            options: self.options,
            restart: self.restart.unwrap_or(false),
            kind: match kind {
                ContestantKind::Process(command) => {
                    ContestantKind::Process(command.with_absolute_paths(dir.as_deref()))
                }
                kind => kind,
            },
            dir,
        })
    }

    fn fault(&self, message: &str) -> OptionError {
        OptionError::new(format!("{}: {message}", self.title))
    }
}

/// Returns a name for each entry: the given one, or that of the program, made unique.
fn names(entries: &[EngineEntry]) -> Result<Vec<String>, OptionError> {
    let mut taken = HashSet::new();
    for name in entries.iter().filter_map(|entry| entry.name.as_deref()) {
        if !taken.insert(name.to_owned()) {
            return Err(OptionError::new(format!(
                "--engine name={name}: two engines are so named"
            )));
        }
    }
    let name = |entry: &EngineEntry| {
        if let Some(name) = &entry.name {
            return name.clone();
        }
        let plain = entry.who.as_ref().map_or("?", |(_, name)| name.as_str());
        unique_name(plain, &mut taken)
    };
    Ok(entries.iter().map(name).collect())
}

/// Returns a name, with a number if it is taken, and takes it.
pub(super) fn unique_name(plain: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    let mut names = std::iter::once(plain.to_owned()).chain(numbered);
    // The numbers have no end, so there is a free one.
    names.find(|name| taken.insert(name.clone())).unwrap_or_default()
}

/// Returns the value of a word about the contestant with this place, its own or that of all.
pub(super) fn word_of<'a>(words: &'a EngineWords, place: usize, key: &str) -> Option<&'a str> {
    let own = words.engines.get(place).into_iter().flatten();
    let values = own.chain(&words.each).filter_map(|word| word.split_once('='));
    values.into_iter().find_map(|(known, value)| (known == key).then_some(value))
}

/// Returns what a program is called: its file without the extension, and without what managers
/// want in front of it.
pub(super) fn name_of_program(program: &Path) -> String {
    let stem = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy();
    let name = stem.strip_prefix("pbrain-").filter(|rest| !rest.is_empty()).unwrap_or(&stem);
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

fn checked_name(name: &str) -> Result<String, String> {
    if name.trim().is_empty() {
        return Err("the name is empty".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Err("control characters are not part of a name".to_owned());
    }
    Ok(name.trim().to_owned())
}

/// Reads what is to be sent as `INFO key value`.
fn option(key: &str, value: &str) -> Result<(String, String), String> {
    let plain = key.strip_prefix(PLAIN);
    let name = plain.unwrap_or(key);
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("the key is not a word".to_owned());
    }
    if value.contains(|c: char| c.is_control()) {
        return Err("the value is not one line".to_owned());
    }
    if plain.is_none() {
        if let Some((_, how)) = TOLD_OTHERWISE.iter().find(|(told, _)| *told == name) {
            return Err(how.to_string());
        }
        if let Some(meant) = KEYS.into_iter().find(|known| is_near(name, known)) {
            return Err(format!(
                "did you mean {meant}=? To send it as it is, write {PLAIN}{name}={value}"
            ));
        }
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn positive<T: FromStr + PartialOrd + Default>(text: &str) -> Result<T, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && *number > T::default());
    number.ok_or_else(|| "it is not a number from 1".to_owned())
}

fn positive_time(text: &str) -> Result<Duration, String> {
    match parse_time(text)? {
        time if time.is_zero() => Err("the time is 0".to_owned()),
        time => Ok(time),
    }
}

/// Returns whether a word is probably a slip of the pen.
fn is_near(word: &str, known: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let allowed = match known.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    // A short word near a short one may well be another word.
    strsim::osa_distance(&word, known) <= allowed.min(word.len().saturating_sub(2))
}

#[cfg(test)]
mod tests;

//! The words that describe an engine of a match, as they are typed and as journals keep them:
//! `cmd=./rapfi tc=60+0.5 memory=350`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::{Allowance, Contestant, ContestantKind, GameTime};
use crate::process::{EngineCommand, quoted};
use tengen_core::eval::EvaluatorKind;
use tengen_engine::engine::{Level, LevelError};
use tengen_files::words::{parse_time, seconds};

/// The default margin after which an answer is late.
const MARGIN: Duration = Duration::from_millis(100);

/// The name of the player that looks no move ahead.
const GREEDY: &str = "greedy";

/// The key that tells a player its level.
const STRENGTH: &str = "strength";

/// The prefix of words that are sent as they are.
const PLAIN: &str = "info:";

/// The bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The keys that mean something to the match.
const KEYS: [&str; 13] = [
    "cmd", "builtin", "name", "dir", "tc", "turn", "margin", "nodes", "depth", "threads", "memory",
    "restart", "level",
];

/// Protocol names of settings that have other keys here.
const TOLD_OTHERWISE: [(&str, &str); 11] = [
    ("timeout_turn", "it is set by turn="),
    ("timeout_match", "it is set by tc="),
    ("time_left", "it is set by tc="),
    ("max_node", "it is set by nodes="),
    ("max_depth", "it is set by depth="),
    ("thread_num", "it is set by threads="),
    ("max_memory", "it is set by memory="),
    ("rule", "it is set by --rule"),
    ("game_type", "it is always sent"),
    ("tolerance", "it is set by margin="),
    ("maxmemory", "it is set by memory=, in MiB"),
];

/// What the words of an engine say. What is not said is `None`.
///
/// [`Display`](fmt::Display) writes words that [`FromStr`] reads back as the same, as long as times are
/// whole milliseconds and all paths are text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineWords {
    /// The program or evaluator: `cmd=COMMAND` or `builtin=NAME`.
    pub kind: Option<ContestantKind>,
    /// The name in tables and records.
    pub name: Option<String>,
    /// The directory in which a program is started.
    pub dir: Option<PathBuf>,
    /// The time for a game.
    pub clock: Option<GameTime>,
    /// The time for a move.
    pub turn: Option<Duration>,
    /// The delay with which an answer is not late.
    pub margin: Option<Duration>,
    /// The nodes for a move.
    pub nodes: Option<u64>,
    /// The depth of a search, in plies.
    pub depth: Option<u32>,
    /// The number of threads.
    pub threads: Option<u32>,
    /// The memory in bytes; words are in MiB.
    pub memory: Option<u64>,
    /// True if a program is started anew for each game.
    pub restart: Option<bool>,
    /// The level of a player of this program or another.
    pub level: Option<Level>,
    /// What is sent as `INFO key value`.
    pub options: Vec<(String, String)>,
}

/// Why words do not describe an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{word}: {message}")]
pub struct EngineWordError {
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub message: String,
}

impl EngineWords {
    /// Reads words, each `KEY=VALUE`. Relative directories are meant from the current one.
    ///
    /// # Errors
    ///
    /// Returns the first word that makes no sense.
    pub fn read(words: &[String]) -> Result<EngineWords, EngineWordError> {
        let mut read = EngineWords::default();
        let mut seen = HashSet::new();
        for word in words {
            let fault = |message: String| EngineWordError { word: word.clone(), message };
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
            read.set(key, value).map_err(fault)?;
            // The same key can be written in two ways.
            if let Some(((last, _), before)) = read.options.split_last()
                && before.iter().any(|(key, _)| key == last)
            {
                return Err(fault(format!("{last} is sent twice")));
            }
        }
        Ok(read)
    }

    /// Returns the words of a contestant: those that make it again.
    #[must_use]
    pub fn of(contestant: &Contestant) -> EngineWords {
        let Allowance { game, turn, margin, nodes, depth, threads, memory } = contestant.allowance;
        EngineWords {
            kind: Some(contestant.kind.clone()),
            name: Some(contestant.name.clone()),
            dir: contestant.dir.clone(),
            clock: game,
            turn,
            margin: Some(margin),
            nodes,
            depth,
            threads,
            memory,
            restart: contestant.restart.then_some(true),
            level: None,
            options: contestant.options.clone(),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => {
                let command = EngineCommand::parse(value).ok_or("it names no program")?;
                self.kind = Some(ContestantKind::Process(command));
            }
            "builtin" if value == GREEDY => self.kind = Some(ContestantKind::Greedy),
            "builtin" => {
                let kind = EvaluatorKind::from_str(value)
                    .map_err(|_| format!("the players are {}, {GREEDY}", EvaluatorKind::names()))?;
                self.kind = Some(ContestantKind::Evaluator(kind));
            }
            "name" => self.name = Some(checked_name(value)?),
            "dir" => {
                let dir = std::path::absolute(value).map_err(|error| error.to_string())?;
                self.dir = Some(dir);
            }
            "tc" => self.clock = Some(value.parse()?),
            "turn" => self.turn = Some(positive_time(value)?),
            "margin" => self.margin = Some(parse_time(value)?),
            "nodes" => self.nodes = Some(positive(value)?),
            "depth" => self.depth = Some(positive(value)?),
            "threads" => self.threads = Some(positive(value)?),
            "memory" => self.memory = Some(bytes(value)?),
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

    /// Returns the words as keys and values.
    fn words(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        let mut words = Vec::new();
        let mut word = |key: &'static str, value: Option<String>| {
            words.extend(value.map(|value| (Cow::from(key), Cow::from(value))));
        };
        match &self.kind {
            None => {}
            Some(ContestantKind::Process(command)) => word("cmd", Some(command.to_string())),
            Some(ContestantKind::Evaluator(kind)) => word("builtin", Some(kind.to_string())),
            Some(ContestantKind::Greedy) => word("builtin", Some(GREEDY.to_owned())),
        }
        let on = |restart: bool| if restart { "on" } else { "off" }.to_owned();
        word("name", self.name.clone());
        word("dir", self.dir.as_ref().map(|dir| dir.display().to_string()));
        word("tc", self.clock.map(|clock| clock.to_string()));
        word("turn", self.turn.map(seconds));
        word("margin", self.margin.map(seconds));
        word("nodes", self.nodes.map(|nodes| nodes.to_string()));
        word("depth", self.depth.map(|depth| depth.to_string()));
        word("threads", self.threads.map(|threads| threads.to_string()));
        word("memory", self.memory.map(mebibytes));
        word("restart", self.restart.map(on));
        word("level", self.level.map(|level| level.to_string()));
        for (key, value) in &self.options {
            let is_plain = option(key, value).is_ok_and(|(read, _)| read == *key);
            let prefix = if is_plain { "" } else { PLAIN };
            words.push((format!("{prefix}{key}").into(), value.as_str().into()));
        }
        words
    }

    /// Checks what contradicts itself within the words of one engine.
    ///
    /// # Errors
    ///
    /// Returns what makes no sense.
    pub fn check(&self) -> Result<(), String> {
        let searches = self.nodes.is_some() || self.depth.is_some() || self.threads.is_some();
        match &self.kind {
            None | Some(ContestantKind::Process(_)) => Ok(()),
            Some(_) if self.dir.is_some() => {
                let name = self.plain_name().unwrap_or_default();
                Err(format!("dir= is for programs, and {name} is none"))
            }
            Some(ContestantKind::Greedy) if searches => {
                Err("greedy does not search: no nodes=, depth= or threads=".to_owned())
            }
            Some(ContestantKind::Greedy) => self.options.first().map_or(Ok(()), |(key, value)| {
                Err(format!("{key}={value} means nothing to greedy"))
            }),
            Some(ContestantKind::Evaluator(_)) => Ok(()),
        }
    }

    /// Returns the words with what they leave open taken from others, but for the name.
    #[must_use]
    pub fn over(self, others: &EngineWords) -> EngineWords {
        let mut options = others.options.clone();
        for (key, value) in self.options {
            match options.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => options.push((key, value)),
            }
        }
        EngineWords {
            kind: self.kind.or_else(|| others.kind.clone()),
            name: self.name,
            dir: self.dir.or_else(|| others.dir.clone()),
            clock: self.clock.or(others.clock),
            turn: self.turn.or(others.turn),
            margin: self.margin.or(others.margin),
            nodes: self.nodes.or(others.nodes),
            depth: self.depth.or(others.depth),
            threads: self.threads.or(others.threads),
            memory: self.memory.or(others.memory),
            restart: self.restart.or(others.restart),
            level: self.level.or(others.level),
            options,
        }
    }

    /// Returns what the engine is called where it has no name: by its program or evaluator, and by its
    /// level; `None` if nothing says who plays.
    #[must_use]
    pub fn plain_name(&self) -> Option<String> {
        let level = self.level.map(|level| format!("level {level}"));
        let kind = self.kind.as_ref().map(|kind| match kind {
            ContestantKind::Process(command) => name_of_program(command.program()),
            ContestantKind::Evaluator(kind) => kind.to_string(),
            ContestantKind::Greedy => GREEDY.to_owned(),
        });
        match (kind, level) {
            (Some(kind), Some(level)) => Some(format!("{kind} {level}")),
            (kind, level) => kind.or(level),
        }
    }

    /// Returns the contestant with this name, whatever name the words have. Of a level alone it is the
    /// player of this program.
    ///
    /// # Errors
    ///
    /// Returns what is missing or contradicts itself.
    pub fn contestant(self, name: String) -> Result<Contestant, String> {
        let mut options = self.options;
        if let Some(level) = self.level {
            if self.kind == Some(ContestantKind::Greedy) {
                return Err("greedy has no levels: it is the first of them".to_owned());
            }
            if options.iter().any(|(key, _)| key == STRENGTH) {
                return Err("level= and strength= say the same".to_owned());
            }
            options.push((STRENGTH.to_owned(), level.strength().to_string()));
        }
        let of_level = self.level.map(|_| ContestantKind::Evaluator(EvaluatorKind::default()));
        let Some(kind) = self.kind.or(of_level) else {
            return Err("cmd= or builtin= is missing: who plays?".to_owned());
        };
        let timed = self.clock.is_some() || self.turn.is_some();
        let limited = timed || self.nodes.is_some() || self.depth.is_some();
        let limits_itself = match kind {
            ContestantKind::Greedy => true,
            ContestantKind::Evaluator(_) => self.level.is_some_and(|level| !level.is_full()),
            ContestantKind::Process(_) => false,
        };
        if !limited && !limits_itself {
            let missing = "there is no limit: give tc= (time for a game), turn= (time for a move), \
                           nodes= or depth=, or one for all engines with --each";
            return Err(missing.to_owned());
        }
        let (kind, dir) = match kind {
            ContestantKind::Process(command) => {
                let command = command.with_absolute_paths(self.dir.as_deref());
                (ContestantKind::Process(command), self.dir)
            }
            kind => (kind, None),
        };
        let allowance = Allowance {
            game: self.clock,
            turn: self.turn,
            margin: self.margin.unwrap_or(MARGIN),
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            memory: self.memory,
        };
        let restart = self.restart.unwrap_or(false);
        Ok(Contestant { name, kind, dir, allowance, options, restart })
    }
}

impl fmt::Display for EngineWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.words().into_iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            let value = if value.is_empty() { value } else { quoted(&value).into_owned().into() };
            write!(f, "{blank}{key}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for GameTime {
    type Err = String;

    /// Parses `[MOVES/]TIME[+INCREMENT]`, as in `40/60+0.5`.
    fn from_str(text: &str) -> Result<GameTime, String> {
        let (clock, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (moves, time) = match clock.split_once('/') {
            Some((moves, time)) => (Some(moves), time),
            None => (None, clock),
        };
        let (time, increment) = (positive_time(time)?, parse_time(increment)?);
        let period = moves.map(|moves| {
            let how = format!("it is MOVES/TIME; {} s for each move are turn=", seconds(time));
            positive(moves).map_err(|_| how + &seconds(time))
        });
        Ok(GameTime { period: period.transpose()?, time, increment })
    }
}

impl fmt::Display for GameTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.period.map_or(Ok(()), |moves| write!(f, "{moves}/"))?;
        f.write_str(&seconds(self.time))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", seconds(self.increment)) }
    }
}

/// Returns what a program is called: its file without the extension, and without what managers
/// want in front of it. What follows a dot and begins with a digit is part of a version.
fn name_of_program(program: &Path) -> String {
    let first = program.extension().and_then(|extension| extension.as_encoded_bytes().first());
    let stem = program.file_stem().filter(|_| !first.is_some_and(u8::is_ascii_digit));
    let file = stem.or(program.file_name()).unwrap_or(program.as_os_str()).to_string_lossy();
    let name = file.strip_prefix("pbrain-").filter(|rest| !rest.is_empty()).unwrap_or(&file);
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
    if name.is_empty()
        || name.contains(|c: char| "'\"".contains(c) || c.is_whitespace() || c.is_control())
    {
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

/// Reads a number of MiB, or of bytes if it ends with `B`.
fn bytes(text: &str) -> Result<u64, String> {
    if let Some(bytes) = text.strip_suffix('B') {
        return positive(bytes);
    }
    let bytes = positive::<u64>(text)?.checked_mul(MIB);
    bytes.ok_or_else(|| "that is more than there can be".to_owned())
}

/// Returns a number of MiB, or of bytes if it is not a whole one.
fn mebibytes(bytes: u64) -> String {
    if bytes.is_multiple_of(MIB) { (bytes / MIB).to_string() } else { format!("{bytes}B") }
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

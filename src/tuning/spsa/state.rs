//! How far a run has come, in memory and in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::settings::SavedCoordinate;
use super::{Coordinate, Perturbed, Schedule, Settings};
use crate::search::Params;

/// What tells a state file from other JSON.
const TITLE: &str = "tengen tune search";
/// The version of the format.
const VERSION: u32 = 1;
/// The largest file that is read, in bytes: far beyond any that was written.
const MOST_BYTES: u64 = 1 << 20;
/// The most games that a side can win more than lose in a pair.
const MOST_WON: i32 = 2;

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The present value of every coordinate of the settings, within its bounds.
    pub values: Vec<f64>,
    /// The pairs played.
    pub done: u64,
    /// Pairs by how many games the side of [`Perturbed::plus`] won more than it lost: from -2 to 2.
    pub outcomes: [u64; 5],
}

impl State {
    /// Returns the state before the first pair.
    #[must_use]
    pub fn new(settings: &Settings) -> State {
        let values = settings.coordinates.iter().map(|c| f64::from(c.start)).collect();
        State { values, done: 0, outcomes: [0; 5] }
    }

    /// Takes in a pair: the values follow the side that won, by the rate for each game and unit.
    pub(super) fn follow(&mut self, pair: &Perturbed, rate: f64, won: i32) {
        let won = won.clamp(-MOST_WON, MOST_WON);
        self.outcomes[(won + MOST_WON) as usize] += 1;
        self.done += 1;
        let sides = pair.plus.iter().zip(&pair.minus);
        for (value, (&plus, &minus)) in self.values.iter_mut().zip(sides) {
            // What was really played counts, after rounding and bounds: values that were the same
            // on both sides have earned nothing.
            *value += rate * f64::from(won) * f64::from(plus - minus) / 2.0;
        }
    }

    /// Takes the values back to their bounds.
    pub(super) fn keep_to_bounds(&mut self, coordinates: &[Coordinate]) {
        for (value, Coordinate { param, .. }) in self.values.iter_mut().zip(coordinates) {
            *value = value.clamp(f64::from(param.min), f64::from(param.max));
        }
    }

    /// Returns the parameters with the present values, rounded.
    #[must_use]
    pub fn params(&self, settings: &Settings) -> Params {
        let rounded: Vec<i32> = self.values.iter().map(|value| value.round() as i32).collect();
        settings.params(&rounded)
    }

    /// Writes the state to a file, as a whole or not at all. `conditions` is what else decides the
    /// outcome of a run, by name.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn save(
        &self,
        path: &Path,
        settings: &Settings,
        conditions: &BTreeMap<String, String>,
    ) -> Result<(), StateError> {
        let failed = |error| StateError::Write { path: path.to_owned(), error };
        let saved = Saved::new(self, settings, conditions);
        let mut text = serde_json::to_vec_pretty(&saved).map_err(|e| failed(e.into()))?;
        text.push(b'\n');
        let mut beside = OsString::from(path);
        beside.push(".new");
        File::create(&beside)
            .and_then(|mut file| file.write_all(&text).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&beside, path))
            .map_err(failed)
    }

    /// Reads the state that an earlier run of the same settings and conditions left in a file, or
    /// returns `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Returns why the file is of no use for this run.
    pub fn load(
        path: &Path,
        settings: &Settings,
        conditions: &BTreeMap<String, String>,
    ) -> Result<Option<State>, StateError> {
        let mut text = Vec::new();
        match File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::Read { path: path.to_owned(), error }),
        }
        let bad = |fault: String| StateError::Bad { path: path.to_owned(), fault };
        if text.len() as u64 > MOST_BYTES {
            return Err(bad("it is too long".to_owned()));
        }
        let saved: Saved = serde_json::from_slice(&text).map_err(|e| bad(e.to_string()))?;
        let differences = saved.differences(settings, conditions).map_err(bad)?;
        if !differences.is_empty() {
            return Err(StateError::Different { path: path.to_owned(), differences });
        }
        saved.state().map(Some).map_err(bad)
    }
}

/// Why a state file cannot be read or written.
#[derive(Debug)]
pub enum StateError {
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is no state of a run.
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// The file is of a run with other settings or under other conditions.
    Different {
        /// The file.
        path: PathBuf,
        /// What is different, with what it was and what it is now.
        differences: Vec<String>,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Read { path, .. } => write!(f, "cannot read {}", path.display()),
            StateError::Write { path, .. } => write!(f, "cannot write {}", path.display()),
            StateError::Bad { path, fault } => {
                write!(f, "{} is no state of a search for parameters: {fault}", path.display())
            }
            StateError::Different { path, differences } => {
                let differences = differences.join("; ");
                write!(f, "{} was begun with other settings: {differences}", path.display())
            }
        }
    }
}

impl std::error::Error for StateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StateError::Read { error, .. } | StateError::Write { error, .. } => Some(error),
            StateError::Bad { .. } | StateError::Different { .. } => None,
        }
    }
}

/// The contents of a state file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    version: u32,
    conditions: BTreeMap<String, String>,
    /// The parameters that are not as usual and are not improved, as `NAME=VALUE`.
    fixed: Vec<String>,
    seed: u64,
    pairs: u64,
    batch: u64,
    schedule: Schedule,
    done: u64,
    outcomes: [u64; 5],
    parameters: Vec<SavedCoordinate>,
}

impl Saved {
    fn new(state: &State, settings: &Settings, conditions: &BTreeMap<String, String>) -> Saved {
        let is_fixed = |name: &str| !settings.coordinates.iter().any(|c| c.param.name == name);
        let fixed = settings.start.changed().filter(|a| is_fixed(a.param().name));
        let parameters = settings.coordinates.iter().zip(&state.values).map(|(c, value)| {
            let (name, value) = (c.param.name.to_owned(), value.to_string());
            SavedCoordinate { name, start: c.start, c_end: c.c_end, value }
        });
        Saved {
            format: TITLE.to_owned(),
            version: VERSION,
            conditions: conditions.clone(),
            fixed: fixed.map(|assignment| assignment.to_string()).collect(),
            seed: settings.seed,
            pairs: settings.pairs,
            batch: settings.batch,
            schedule: settings.schedule,
            done: state.done,
            outcomes: state.outcomes,
            parameters: parameters.collect(),
        }
    }

    /// Returns what is different in a run of these settings and conditions, or what is wrong with
    /// the file.
    fn differences(
        &self,
        settings: &Settings,
        conditions: &BTreeMap<String, String>,
    ) -> Result<Vec<String>, String> {
        if self.format != TITLE || self.version != VERSION {
            return Err(format!("it is a {:?} of version {}", self.format, self.version));
        }
        let now = Saved::new(&State::new(settings), settings, conditions);
        let mut all = Vec::new();
        let mut compare = |name: &str, was: String, is: String| {
            if was != is {
                let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
                all.push(format!("{name}: {} then, {} now", or_none(was), or_none(is)));
            }
        };
        let names = self.conditions.keys().chain(now.conditions.keys());
        for name in names.collect::<BTreeSet<_>>() {
            let of = |saved: &Saved| saved.conditions.get(name).cloned().unwrap_or_default();
            compare(name, of(self), of(&now));
        }
        let list = |saved: &Saved| {
            let of = |c: &SavedCoordinate| format!("{}={} (from {})", c.name, c.c_end, c.start);
            saved.parameters.iter().map(of).collect::<Vec<_>>().join(" ")
        };
        compare("parameters", list(self), list(&now));
        compare("fixed parameters", self.fixed.join(" "), now.fixed.join(" "));
        compare("seed", self.seed.to_string(), now.seed.to_string());
        compare("pairs", self.pairs.to_string(), now.pairs.to_string());
        compare("batch", self.batch.to_string(), now.batch.to_string());
        compare("schedule", format!("{:?}", self.schedule), format!("{:?}", now.schedule));
        Ok(all)
    }

    /// Returns the state, or what is wrong with it.
    fn state(&self) -> Result<State, String> {
        let value = |saved: &SavedCoordinate| {
            let Coordinate { param, .. } = saved.read().map_err(|error| error.to_string())?;
            let bounds = f64::from(param.min)..=f64::from(param.max);
            let value = saved.value.parse().ok().filter(|value| bounds.contains(value));
            value.ok_or_else(|| format!("{} is no value of {}", saved.value, param.name))
        };
        let values = self.parameters.iter().map(value).collect::<Result<Vec<f64>, String>>()?;
        // Sums of whole numbers below 2^40, unless somebody else wrote them.
        let counted = self.outcomes.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n));
        if counted != Some(self.done) || self.done > self.pairs {
            return Err("the numbers of pairs do not fit together".to_owned());
        }
        Ok(State { values, done: self.done, outcomes: self.outcomes })
    }
}

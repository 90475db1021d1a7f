//! The state of a run, in memory and in a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::settings::SavedCoordinate;
use super::{Coordinate, GainSchedule, Perturbed, SpsaSettings};
use tengen_core::search::Params;
use tengen_files::resume::{Differences, FileError, replace_file, strip_sum, with_sum};

/// The field of a state file that other JSON has not.
const TITLE: &str = "tengen tune search";
/// The version of the format.
const VERSION: u32 = 1;
/// The largest file that is read, in bytes: far beyond any that was written.
const MOST_BYTES: u64 = 1 << 20;
/// The most games that a side can win more than lose in a pair.
const MOST_WON: i32 = 2;

/// The state of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct SpsaState {
    /// The present value of every coordinate of the settings, within its bounds.
    pub values: Vec<f64>,
    /// The pairs played.
    pub done: u64,
    /// Pairs by how many games the side of [`Perturbed::plus`] won more than it lost: from -2 to 2.
    pub outcomes: [u64; 5],
}

impl SpsaState {
    /// Returns the state before the first pair.
    #[must_use]
    pub fn new(settings: &SpsaSettings) -> SpsaState {
        let values = settings.coordinates.iter().map(|c| f64::from(c.start)).collect();
        SpsaState { values, done: 0, outcomes: [0; 5] }
    }

    /// Takes in a pair: the values follow the side that won, by the rate for each game and unit.
    pub(super) fn follow(&mut self, pair: &Perturbed, rate: f64, won: i32) {
        let won = won.clamp(-MOST_WON, MOST_WON);
        self.outcomes[(won + MOST_WON) as usize] += 1;
        self.done += 1;
        let sides = pair.plus.iter().zip(&pair.minus);
        for (value, (&plus, &minus)) in self.values.iter_mut().zip(sides) {
            // The values actually played count, after rounding and bounds: values that were the same
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
    pub fn params(&self, settings: &SpsaSettings) -> Params {
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
        settings: &SpsaSettings,
        conditions: &BTreeMap<String, String>,
    ) -> Result<(), StateError> {
        let saved = Saved::new(self, settings, conditions);
        replace_file(path, |file| {
            let text = with_sum(&serde_json::to_string_pretty(&saved)?) + "\n";
            file.write_all(text.as_bytes())
        })
        .map_err(|error| FileError::io("write", path, error).into())
    }

    /// Reads the state that an earlier run of the same settings and conditions left in a file, or
    /// returns `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file does not fit this run.
    pub fn load(
        path: &Path,
        settings: &SpsaSettings,
        conditions: &BTreeMap<String, String>,
    ) -> Result<Option<SpsaState>, StateError> {
        let mut bytes = Vec::new();
        match File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FileError::io("read", path, error).into()),
        }
        let bad = |fault: String| StateError::Bad { path: path.to_owned(), fault };
        if bytes.len() as u64 > MOST_BYTES {
            return Err(bad("it is too long".to_owned()));
        }
        let text = str::from_utf8(&bytes).map_err(|e| bad(e.to_string()))?;
        // A checksum whose name is damaged is a field that nobody knows.
        let text = strip_sum(text).map_err(|e| bad(e.to_string()))?;
        let saved: Saved = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
        if saved.format != TITLE || saved.version != VERSION {
            return Err(bad(format!("it is a {:?} of version {}", saved.format, saved.version)));
        }
        let now = Saved::new(&SpsaState::new(settings), settings, conditions);
        let differences = Differences::between(saved.options(), now.options());
        if !differences.is_empty() {
            return Err(StateError::Different { path: path.to_owned(), differences });
        }
        saved.state().map(Some).map_err(bad)
    }
}

/// The reason why a state file can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a state of a run.
    #[error("{} is not a state of a search for parameters: {fault}", .path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// The fault found in it.
        fault: String,
    },
    /// The file is of a run with other settings or under other conditions.
    #[error("{} was begun with other settings: {differences}", .path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The settings and conditions that differ.
        differences: Differences,
    },
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
    schedule: GainSchedule,
    done: u64,
    outcomes: [u64; 5],
    parameters: Vec<SavedCoordinate>,
}

impl Saved {
    fn new(
        state: &SpsaState,
        settings: &SpsaSettings,
        conditions: &BTreeMap<String, String>,
    ) -> Saved {
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

    /// Returns everything that a run must agree in, by name.
    fn options(&self) -> impl Iterator<Item = (&str, String)> {
        let of = |c: &SavedCoordinate| format!("{}={} (from {})", c.name, c.c_end, c.start);
        let conditions = self.conditions.iter().map(|(name, value)| (&name[..], value.clone()));
        conditions.chain([
            ("parameters", self.parameters.iter().map(of).collect::<Vec<_>>().join(" ")),
            ("fixed parameters", self.fixed.join(" ")),
            ("seed", self.seed.to_string()),
            ("pairs", self.pairs.to_string()),
            ("batch", self.batch.to_string()),
            ("schedule", format!("{:?}", self.schedule)),
        ])
    }

    /// Returns the state, or what is wrong with it.
    fn state(&self) -> Result<SpsaState, String> {
        let value = |saved: &SavedCoordinate| {
            let Coordinate { param, .. } = saved.read().map_err(|error| error.to_string())?;
            let bounds = f64::from(param.min)..=f64::from(param.max);
            let value = saved.value.parse().ok().filter(|value| bounds.contains(value));
            value.ok_or_else(|| format!("{} is not a value of {}", saved.value, param.name))
        };
        let values = self.parameters.iter().map(value).collect::<Result<Vec<f64>, String>>()?;
        // Sums of whole numbers below 2^40, unless somebody else wrote them.
        let counted = self.outcomes.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n));
        if counted != Some(self.done) || self.done > self.pairs {
            return Err("the numbers of pairs do not fit together".to_owned());
        }
        Ok(SpsaState { values, done: self.done, outcomes: self.outcomes })
    }
}

//! The settings of a run.

use serde::{Deserialize, Serialize};

use super::GainSchedule;
use tengen_core::search::Params;
use tengen_core::search::params::{Assignment, Param, ParamError};

/// The usual perturbation at the end, as a part of the range of a parameter.
const USUAL_PART: f64 = 1.0 / 20.0;
/// The most pairs of a run: as many as can be counted and never as many as can be played.
const MOST_PAIRS: u64 = 1 << 40;
/// The most pairs of a batch, whose outcomes are kept until it is over.
const MOST_OF_BATCH: u64 = 1 << 20;

/// A parameter to improve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Coordinate {
    /// The parameter.
    pub param: &'static Param,
    /// The value to begin with, within the bounds.
    pub start: i32,
    /// The perturbation in the last pair, up and down alike, in its own units; above 0.
    pub c_end: f64,
}

impl Coordinate {
    /// Returns the coordinate of a parameter with the usual perturbation: a twentieth of its range.
    #[must_use]
    pub fn new(param: &'static Param, start: &Params) -> Coordinate {
        let start = start.get(param.name).unwrap_or(param.default);
        Coordinate { param, start, c_end: f64::from(param.max - param.min) * USUAL_PART }
    }
}

/// The error of unusable settings.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SettingsError {
    /// There is nothing to improve.
    #[error("there is no parameter to improve")]
    NoParameters,
    /// A parameter is named twice.
    #[error("{0} is there twice")]
    Twice(&'static str),
    /// The perturbation of this parameter at the end is not a number above 0 and up to its range.
    #[error("{1} is not a perturbation of {0}: above 0 and up to its range")]
    Perturbation(&'static str, f64),
    /// A number of pairs, in all or of a batch, is 0 or too large.
    #[error("{0} is not a number of pairs")]
    Pairs(u64),
    /// A number of the schedule is not finite or not of the range it must have.
    #[error("{1} is not a valid {0}")]
    GainSchedule(&'static str, f64),
}

/// The parameters to improve, and the course of the run.
#[derive(Clone, PartialEq, Debug)]
pub struct SpsaSettings {
    /// The parameters.
    pub coordinates: Vec<Coordinate>,
    /// The values of all parameters at the beginning; those that are not improved keep them.
    pub start: Params,
    /// The number of pairs played in all.
    pub pairs: u64,
    /// The number of pairs played from the same values; more threads than this have nothing to do.
    pub batch: u64,
    /// The schedule by which the gains shrink.
    pub schedule: GainSchedule,
    /// Begins the random numbers.
    pub seed: u64,
}

impl SpsaSettings {
    /// Checks that a run can be made.
    ///
    /// # Errors
    ///
    /// Returns what is wrong.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.coordinates.is_empty() {
            return Err(SettingsError::NoParameters);
        }
        for (i, Coordinate { param, c_end, .. }) in self.coordinates.iter().enumerate() {
            if self.coordinates[..i].iter().any(|other| other.param.name == param.name) {
                return Err(SettingsError::Twice(param.name));
            }
            if !(*c_end > 0.0 && *c_end <= f64::from(param.max - param.min)) {
                return Err(SettingsError::Perturbation(param.name, *c_end));
            }
        }
        if let Some(number) = [(self.pairs, MOST_PAIRS), (self.batch, MOST_OF_BATCH)]
            .into_iter()
            .find_map(|(number, most)| (!(1..most).contains(&number)).then_some(number))
        {
            return Err(SettingsError::Pairs(number));
        }
        let GainSchedule { alpha, gamma, delay, r_end } = self.schedule;
        let powers = [("alpha", alpha), ("gamma", gamma), ("delay", delay), ("r_end", r_end)];
        // NaN is in no range.
        match powers.into_iter().find(|(_, value)| !(0.0..=10.0).contains(value)) {
            Some((name, value)) => Err(SettingsError::GainSchedule(name, value)),
            None => Ok(()),
        }
    }

    /// Returns the parameters with the values of one side.
    #[must_use]
    pub fn params(&self, values: &[i32]) -> Params {
        let mut params = self.start;
        for (coordinate, &value) in self.coordinates.iter().zip(values) {
            // A value out of bounds leaves the parameter as it was.
            let _ = params.set(coordinate.param.name, value);
        }
        params
    }
}

/// A parameter as a state file has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SavedCoordinate {
    pub(super) name: String,
    pub(super) start: i32,
    pub(super) c_end: f64,
    /// The present value, as text: other readers of JSON may change the last digit of a number.
    pub(super) value: String,
}

impl SavedCoordinate {
    /// Returns the parameter, if this engine has it with such a value.
    pub(super) fn read(&self) -> Result<Coordinate, ParamError> {
        let param = Param::find(&self.name)?;
        let start = Assignment::new(param, self.start)?.value();
        Ok(Coordinate { param, start, c_end: self.c_end })
    }
}

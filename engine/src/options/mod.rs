//! The options of the engine on a command line, and the process that they make.

mod evaluation;

pub use evaluation::{
    EvaluationFileError, WITHOUT_NETWORK, evaluators_of_files, load_weights, use_network,
};

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use crossbeam_channel::Receiver;

use crate::engine::{Engine, Event, Level, LevelError, Skill};
use crate::protocol::{Coordinates, Scholar, SessionTerms, stdio};
use tengen_core::search::Params;
use tengen_core::search::params::{Assignment, ParamError};
use tengen_core::sys::memory::{AllocError, Reserve, share_one_heap};

/// The line for a person in front of a program that waits for a game manager.
pub const WAITING: &str = "tengen waits for a game manager: type START 15 and BEGIN to see a move, END to \
                           leave, or run tengen --help for its commands";

/// The address space of the threads that run from the beginning, and of what they allocate then.
const START_BYTES: usize = 4 << 20;

/// The options of the engine.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct EngineOptions {
    /// The order of the two numbers of a cell in messages: that which the manager seems to use if it
    /// is not given.
    pub coordinates: Option<Coordinates>,
    /// The highest level of play.
    pub skill: Skill,
    /// Parameters of the search with other values.
    pub params: Vec<Assignment>,
    /// Files of weights, at most one for each rule.
    pub weights: Vec<PathBuf>,
    /// Files of networks, at most one for each rule, or [`WITHOUT_NETWORK`] alone.
    pub networks: Vec<PathBuf>,
    /// The database that is open from the beginning.
    pub database: Option<PathBuf>,
    /// The book that games are opened from.
    pub book: Option<PathBuf>,
}

/// An invalid option of the engine.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EngineOptionError {
    /// A parameter of the search.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The level.
    #[error("--level: {0}")]
    Level(#[from] LevelError),
    /// The seed.
    #[error("--seed: it is not a number from 0 to 18446744073709551615")]
    Seed,
}

/// The reason why an engine does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is less memory than even a small search takes.
    #[error("there is too little memory to start: {0}")]
    Memory(AllocError),
    /// The evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] EvaluationFileError),
}

/// An engine that has all that it needs and waits for its manager.
#[derive(Debug)]
pub struct ReadyEngine {
    engine: Engine,
    events: Receiver<Event>,
    terms: SessionTerms,
}

impl EngineOptions {
    /// The names of the options.
    pub const NAMES: [&str; 8] = [
        "--coordinates",
        "--level",
        "--seed",
        "--param",
        "--weights",
        "--network",
        "--database",
        "--book",
    ];

    /// Returns the options among the arguments of a process, the first of which is its name. Managers
    /// start engines with options of their own, such as `--force-utf8`: all others are ignored.
    ///
    /// # Errors
    ///
    /// Returns the fault of a number: an engine that plays on with other numbers than it was given
    /// would spoil the match that was to try them.
    pub fn among(args: impl Iterator<Item = OsString>) -> Result<EngineOptions, EngineOptionError> {
        let args: Vec<OsString> = args.collect();
        let [coordinates, level, seed, params, weights, networks, database, book] =
            Self::NAMES.map(|name| values(&args, name));
        let text = |values: &[OsString]| values.first().map(|v| v.to_string_lossy().into_owned());
        let paths = |values: Vec<OsString>| values.into_iter().map(PathBuf::from);
        let level = text(&level).map_or(Ok(Level::FULL), |level| level.parse())?;
        let seed = text(&seed).map(|seed| seed.parse().map_err(|_| EngineOptionError::Seed));
        let params = params.iter().map(|value| value.to_string_lossy().parse());
        Ok(EngineOptions {
            coordinates: text(&coordinates).and_then(|text| Coordinates::parse(&text)),
            skill: Skill { level, seed: seed.transpose()? },
            params: params.collect::<Result<_, _>>()?,
            weights: paths(weights).collect(),
            networks: paths(networks).collect(),
            database: paths(database).next_back(),
            book: paths(book).next_back(),
        })
    }

    /// Returns the parameters of the search.
    #[must_use]
    pub fn search_params(&self) -> Params {
        self.params.iter().copied().collect()
    }

    /// Makes the engine of a process. Allocators of the system are configured to waste no address space.
    ///
    /// # Errors
    ///
    /// Returns why there is none: nothing has been said to a manager then.
    pub fn start(self) -> Result<ReadyEngine, StartError> {
        share_one_heap();
        drop(Reserve::new(START_BYTES).map_err(StartError::Memory)?);
        let evaluators = evaluators_of_files(&self.weights, &self.networks)?;
        let (engine, events) = Engine::with(self.search_params(), evaluators);
        let EngineOptions { coordinates, skill, database, book, .. } = self;
        Ok(ReadyEngine {
            engine,
            events,
            terms: SessionTerms { coordinates, skill, database, book, ..SessionTerms::default() },
        })
    }
}

impl ReadyEngine {
    /// Speaks the protocol on standard input and output until the manager ends it. A `scholar` does studies.
    #[must_use]
    pub fn run(self, scholar: Option<Box<dyn Scholar>>) -> ExitCode {
        stdio::run(self.engine, self.events, self.terms, scholar)
    }
}

/// Returns the values of an option among the arguments, given as the next argument or after `=`. A
/// value that is missing is empty.
fn values(args: &[OsString], option: &str) -> Vec<OsString> {
    let mut args = args.iter().skip(1);
    let mut values = Vec::new();
    while let Some(arg) = args.next() {
        let Some(rest) = arg.to_str().and_then(|text| text.strip_prefix(option)) else { continue };
        if rest.is_empty() {
            values.push(args.next().cloned().unwrap_or_default());
        } else if let Some(value) = rest.strip_prefix('=') {
            values.push(value.into());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(line: &str) -> Result<EngineOptions, EngineOptionError> {
        EngineOptions::among(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_coordinates_of_the_protocol_are_found_among_other_options() {
        let coordinates = |line: &str| among(line).unwrap().coordinates;
        let yx = "pbrain --force-utf8 --coordinates yx";
        assert_eq!(coordinates(yx), Some(Coordinates::RowColumn));
        assert_eq!(coordinates("pbrain --coordinates=yx"), Some(Coordinates::RowColumn));
        assert_eq!(coordinates("pbrain --coordinates XY --more"), Some(Coordinates::ColumnRow));
        for line in ["pbrain", "pbrain --coordinates", "pbrain --coordinates zz", "pbrain yx"] {
            assert_eq!(coordinates(line), None, "{line}");
        }
    }

    #[test]
    fn the_level_and_the_seed_are_found_among_others() {
        let skill = |line: &str| among(line).map(|options| options.skill);
        assert_eq!(skill("pbrain --levels 3"), Ok(Skill::default()));
        let level = Level::new(3).unwrap();
        assert_eq!(skill("pbrain --level 3"), Ok(Skill::of(level)));
        let line = "pbrain --x --seed=7 --level=3";
        assert_eq!(skill(line), Ok(Skill { level, seed: Some(7) }));
        for line in ["pbrain --level", "pbrain --level 0", "pbrain --level=11"] {
            assert_eq!(skill(line), Err(EngineOptionError::Level(LevelError)), "{line}");
        }
        for line in ["pbrain --seed", "pbrain --seed -1", "pbrain --seed=x"] {
            assert_eq!(skill(line), Err(EngineOptionError::Seed), "{line}");
        }
    }

    #[test]
    fn the_files_of_weights_and_networks_are_found_among_others() {
        let found = |line: &str| among(line).unwrap().weights;
        let both = ["a", "b"].map(PathBuf::from);
        assert_eq!(found("pbrain --weights a --coordinates yx --weights=b --x"), both);
        assert_eq!(found("pbrain --weights"), [PathBuf::new()]);
        for line in ["pbrain", "pbrain weights a", "pbrain --weight a", "--weights a"] {
            assert!(found(line).is_empty(), "{line}");
        }
        let options = among("pbrain --network a --weights c --network=b").unwrap();
        assert_eq!(options.networks, both);
        assert_eq!(options.weights, [PathBuf::from("c")]);
    }

    #[test]
    fn parameters_of_the_protocol_are_found_among_other_options() {
        let params = |line: &str| among(line).map(|options| options.search_params());
        assert_eq!(params("pbrain --force-utf8 -x --params"), Ok(Params::DEFAULT));
        let line = "pbrain --param aspiration=30 --force-utf8 --param=razor_base=7";
        let changed: Vec<_> = params(line).unwrap().changed().map(|a| a.to_string()).collect();
        assert_eq!(changed, ["razor_base=7", "aspiration=30"]);
        for line in ["pbrain --param", "pbrain --param x=1", "pbrain --param=aspiration=0"] {
            assert!(params(line).is_err(), "{line}");
        }
    }
}

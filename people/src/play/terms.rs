//! The terms of a game, agreed before it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ClockControl, ThinkingLimits};
use tengen_core::types::ByColor;
use tengen_engine::engine::Skill;

/// The player of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Controller {
    /// A person.
    Person,
    /// The engine.
    Engine,
}

impl Controller {
    /// Returns the name: `person` or `engine`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Controller::Person => "person",
            Controller::Engine => "engine",
        }
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Controller {
    type Err = &'static str;

    /// Reads a name as [`Controller::name`] gives it.
    fn from_str(name: &str) -> Result<Controller, &'static str> {
        let all = [Controller::Person, Controller::Engine];
        let named = all.into_iter().find(|controller| controller.name() == name);
        named.ok_or("a side is played by a person or by the engine")
    }
}

/// The terms of a game, agreed before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayTerms {
    /// The players.
    pub sides: ByColor<Controller>,
    /// The level of the engine on each side that it plays. Its hints are always at full strength.
    pub skills: ByColor<Skill>,
    /// The clocks.
    pub clock: ClockControl,
    /// The limits of the engine where there is no clock.
    pub thinking: ThinkingLimits,
}

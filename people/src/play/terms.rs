//! The terms of a game, agreed before it.

use std::fmt;

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
    /// The program with this number among those of the session, from 0.
    Program(u8),
}

impl Controller {
    /// Returns the name: `person`, `engine` or `program`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Controller::Person => "person",
            Controller::Engine => "engine",
            Controller::Program(_) => "program",
        }
    }

    /// Returns the number of the program, if it is one.
    #[must_use]
    pub const fn program(self) -> Option<usize> {
        match self {
            Controller::Program(number) => Some(number as usize),
            Controller::Person | Controller::Engine => None,
        }
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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

impl PlayTerms {
    /// Lets each player, with the level, have the other side.
    pub const fn exchange(&mut self) {
        self.sides.0.swap(0, 1);
        self.skills.0.swap(0, 1);
    }
}

//! Levels of play below the full strength: players who overlook things, as people do.
//!
//! [`Level::FULL`] is the engine as it is. The first level is the
//! [greedy player](tengen_core::eval::baselines::greedy). Those between search, but a position that they
//! only [imagine](attention): the cells that they overlook are missing in it, as if nobody could
//! play there. So an open three that is overlooked is a closed one to them, and no part of the
//! search has to know that there are levels. They search [few nodes](LevelTraits), and their
//! evaluation [errs](noise).

mod attention;
mod noise;
mod weak;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use tengen_core::rng::SplitMix64;
use tengen_core::search::Limits;
use tengen_core::types::Point;

pub(super) use weak::LevelAdviser;

/// A level of play, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

/// The parameters of a level below the full one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LevelTraits {
    /// The nodes that it searches for a move: 1 to 40,000, so that no move takes half a second.
    nodes: u64,
    /// The depth to which it searches, in plies, at least 1.
    depth: u32,
    /// The largest error of its evaluation, in units of the score; 0 for none.
    noise: i32,
    /// The chance that it overlooks a threat that is far from the last moves and quiet, in thousandths, 0
    /// to 1000; see [`attention`] for nearer and louder ones.
    blindness: u32,
}

const fn traits(nodes: u64, depth: u32, noise: i32, blindness: u32) -> LevelTraits {
    LevelTraits { nodes, depth, noise, blindness }
}

/// The levels from the first on; [`Level::FULL`] has no traits. The first one searches only where
/// an opening rule lets it choose.
///
/// The numbers are measured, not derived: docs/lab/levels.md has the ratings.
const TRAITS: [LevelTraits; Level::FULL.0 as usize - 1] = [
    traits(500, 1, 0, 0),
    traits(500, 1, 300, 140),
    traits(500, 2, 210, 120),
    traits(800, 3, 105, 58),
    traits(1_100, 6, 60, 26),
    traits(2_200, 8, 36, 11),
    traits(3_300, 11, 28, 5),
    traits(6_000, 16, 20, 3),
    traits(14_000, 40, 10, 0),
];

impl Level {
    /// The weakest level.
    pub const LEAST: Level = Level(1);
    /// The engine as it is.
    pub const FULL: Level = Level(10);

    /// The `strength` of the full level, in percent.
    const FULL_STRENGTH: i64 = 100;

    /// Returns the level with this number, if it is from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if Level::LEAST.0 <= number && number <= Level::FULL.0 { Some(Level(number)) } else { None }
    }

    /// Returns the number, from 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the level of a strength in percent: the full one from 100 on, and nine equal parts
    /// below that.
    #[must_use]
    pub fn from_strength(percent: i64) -> Level {
        let parts = i64::from(Level::FULL.0 - 1);
        let below = percent.clamp(0, Level::FULL_STRENGTH) * parts / Level::FULL_STRENGTH;
        u8::try_from(below).map_or(Level::FULL, |below| Level(Level::LEAST.0 + below))
    }

    /// Returns the least strength in percent that means this level.
    #[must_use]
    pub fn strength(self) -> u32 {
        let parts = u32::from(Level::FULL.0 - 1);
        (u32::from(self.0 - 1) * 100).div_ceil(parts)
    }

    /// Returns whether this is the engine as it is.
    #[must_use]
    pub fn is_full(self) -> bool {
        self == Level::FULL
    }

    /// Returns the traits, if this is not the full level.
    pub(super) fn traits(self) -> Option<&'static LevelTraits> {
        TRAITS.get(usize::from(self.0) - 1)
    }

    /// Returns the nodes that it searches for a move; `None` is any number.
    #[must_use]
    pub(super) fn nodes(self) -> Option<u64> {
        self.traits().map(|traits| traits.nodes)
    }

    /// Returns the limits with the depth that the level searches.
    #[must_use]
    pub(super) fn within(self, limits: Limits) -> Limits {
        let own = self.traits().map(|traits| traits.depth);
        Limits { max_depth: own.into_iter().chain(limits.max_depth).min(), ..limits }
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number or text that is not a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the levels are 1 to 10")]
pub struct LevelError;

impl TryFrom<u8> for Level {
    type Error = LevelError;

    fn try_from(number: u8) -> Result<Level, LevelError> {
        Level::new(number).ok_or(LevelError)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits).and_then(Level::new).ok_or(LevelError)
    }
}

/// A level, and where its chances come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Skill {
    /// The level.
    pub level: Level,
    /// The seed: with the same one, the same moves are answered by the same move. Without one, the
    /// system provides chance, unless the search is limited by nodes or depth.
    #[serde(default)]
    pub seed: Option<u64>,
}

impl Skill {
    /// Returns a level that takes its chances from the system.
    #[must_use]
    pub const fn of(level: Level) -> Skill {
        Skill { level, seed: None }
    }
}

/// Returns the random numbers for a move that follow from a seed and the moves before it.
#[must_use]
pub fn chances(seed: u64, moves: impl IntoIterator<Item = Point>) -> SplitMix64 {
    let mix = |seed, point: Point| SplitMix64::new(seed ^ point.index() as u64).next_u64();
    SplitMix64::new(moves.into_iter().fold(seed, mix))
}

#[cfg(test)]
mod tests;

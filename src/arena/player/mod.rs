//! Contestants that are ready to answer.

mod internal;
mod lines;
mod link;
mod process;
mod said;
#[cfg(test)]
mod script;
mod thought;

pub use internal::InternalPlayer;
pub use process::ProcessPlayer;
#[cfg(test)]
pub use script::{Call, Log, Scripted};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Contestant, ContestantKind, Fault};
use crate::rules::Rule;
use crate::types::{Point, Size};

/// What a player must know before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTerms {
    /// The size of the board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
}

/// What a player is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'a> {
    /// The stones on the board in playing order, colors alternating, black first. The player to
    /// answer owns the color that comes next, unless the opening is being made.
    pub moves: &'a [Point],
    /// Whether the answer is a part of a swap2 opening (`SWAP2BOARD`).
    pub swap2: bool,
    /// What is left of the time for the game, if that is limited (`INFO time_left`).
    pub time_left: Option<Duration>,
    /// How long the answer may take: the least of what is left for the game and the limit of a
    /// turn, if there is one. The margin is not counted.
    pub limit: Option<Duration>,
}

/// What a player answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The answer itself.
    pub choice: Choice,
    /// The time from the question to the answer, which may be more than allowed.
    pub elapsed: Duration,
    /// What the player said of its search, as far as it was understood.
    pub thought: Thought,
}

impl Answer {
    /// Returns an answer that took no time and about which nothing was said.
    #[must_use]
    pub fn at_once(choice: Choice) -> Answer {
        Answer { choice, elapsed: Duration::ZERO, thought: Thought::default() }
    }
}

/// An answer as such. Points are on the board; nothing else of them is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move.
    Move(Point),
    /// Stones of a swap2 opening.
    Stones(Vec<Point>),
    /// The colors are exchanged.
    Swap,
}

/// What a player said of its search, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The score in its own units; a forced win is above, a forced loss below all others.
    pub score: Option<i32>,
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The player did something that loses the game.
    Fault(Fault),
    /// The game is not wanted any more: the flag was set.
    Abandoned,
}

/// A contestant that is ready to answer. It can be asked again after any trouble: whatever state
/// it was left in, [`Player::begin`] makes it ready for a new game.
pub trait Player: Send {
    /// Makes ready for a game, and forgets any earlier one. Not a part of the player's time.
    ///
    /// # Errors
    ///
    /// Returns why the player can't play.
    fn begin(&mut self, terms: &GameTerms, abandon: &AtomicBool) -> Result<(), Trouble>;

    /// Asks for an answer. The moves continue those of the last question of the game, if there was
    /// one.
    ///
    /// # Errors
    ///
    /// Returns why there is none. A late answer is not an error; no answer for long after the limit
    /// is.
    fn answer(&mut self, question: &Question<'_>, abandon: &AtomicBool) -> Result<Answer, Trouble>;

    /// Returns the most memory that the player was seen to use since it was started, in bytes;
    /// `None` where that can't be told, as in this process.
    fn memory(&mut self) -> Option<u64>;
}

/// Returns a player for a contestant. Nothing is started before its first game.
#[must_use]
pub fn seat(contestant: &Contestant) -> Box<dyn Player> {
    match &contestant.kind {
        ContestantKind::Process(_) => Box::new(ProcessPlayer::new(contestant)),
        ContestantKind::Evaluator(_) | ContestantKind::Greedy => {
            Box::new(InternalPlayer::new(contestant))
        }
    }
}

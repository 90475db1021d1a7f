//! Contestants that are ready to answer.

mod about;
mod internal;
mod link;
mod oddity;
mod process;
#[cfg(test)]
mod script;
mod transcript;

pub use crate::process::SearchInfo;
pub use about::own_name;
pub use internal::InternalPlayer;
pub use oddity::PlayerOddity;
pub use process::ProcessPlayer;
#[cfg(test)]
pub use script::{Call, Log, Scripted};
pub use transcript::{GameTranscript, Speaker, TranscriptLine};

use std::time::Duration;

use super::{Contestant, ContestantKind, PlayerFault};
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_files::work::Stop;

/// The terms of a game, which a player must know before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTerms {
    /// The size of the board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
}

/// A question to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'a> {
    /// The stones on the board in playing order, colours alternating, black first. The player to
    /// answer owns the colour that comes next, unless the opening is being made.
    pub moves: &'a [Point],
    /// True if the answer is a part of a swap2 opening (`SWAP2BOARD`).
    pub swap2: bool,
    /// The time left for the game, if that is limited (`INFO time_left`).
    pub time_left: Option<Duration>,
    /// The time that the answer may take: the least of what is left for the game and the limit of a
    /// turn, if there is one. The margin is not counted.
    pub limit: Option<Duration>,
    /// The longest silence of a player without such a limit; `None` is unlimited.
    pub silence: Option<Duration>,
}

/// The answer of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerAnswer {
    /// The answer itself.
    pub choice: PlayerChoice,
    /// The time from the question to the answer, which may be more than allowed.
    pub elapsed: Duration,
    /// The search information of the player, as far as it was understood.
    pub info: SearchInfo,
}

impl PlayerAnswer {
    /// Returns an answer that took no time and about which nothing was said.
    #[must_use]
    pub fn at_once(choice: PlayerChoice) -> PlayerAnswer {
        PlayerAnswer { choice, elapsed: Duration::ZERO, info: SearchInfo::default() }
    }
}

/// An answer as such. Points are on the board; nothing else of them is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerChoice {
    /// A move.
    Move(Point),
    /// Stones of a swap2 opening.
    Stones(Vec<Point>),
    /// The colours are exchanged.
    Swap,
}

/// An error instead of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerError {
    /// The player did something that loses the game.
    Fault(PlayerFault),
    /// The game is not wanted any more: the flag was set.
    Abandoned,
    /// The system runs no program for the player, as when there is none or memory is short: no game is lost by that.
    System(String),
}

/// A contestant that is ready to answer. It can be asked again after any trouble: whatever state
/// it was left in, [`Player::begin`] makes it ready for a new game.
pub trait Player: Send {
    /// Makes ready for a game, and forgets any earlier one. Not a part of the player's time.
    ///
    /// # Errors
    ///
    /// Returns why the player can't play.
    fn begin(&mut self, terms: &GameTerms, abandon: &Stop) -> Result<(), PlayerError>;

    /// Asks for an answer. The moves continue those of the last question of the game, if there was
    /// one.
    ///
    /// # Errors
    ///
    /// Returns why there is none. A late answer is not an error; no answer for long after the limit
    /// is.
    fn answer(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError>;

    /// Returns the most memory that the player was seen to use since it was started, in bytes;
    /// `None` where that is not known, as in this process.
    fn memory(&mut self) -> Option<u64>;

    /// Returns what was written both ways since the game began, and forgets it. A player in this
    /// process has no such conversation.
    fn take_transcript(&mut self) -> GameTranscript {
        GameTranscript::default()
    }

    /// Returns what was taken from the player although other managers don't take it, and forgets
    /// it. A player in this process does nothing odd.
    fn take_oddities(&mut self) -> Vec<PlayerOddity> {
        Vec::new()
    }
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

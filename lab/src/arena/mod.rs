//! The arena: matches between engines.
//!
//! A [`MatchSpec`] says who plays whom, from which openings and under which clocks; from
//! it alone a [`Schedule`] derives every game of the match, so that a run that was killed, or a
//! part of a match on another machine, needs to know nothing but which games are finished. A
//! [`Player`] is one contestant ready to answer: a child process that speaks the protocol, or an
//! evaluator of ours in this process. [`play_game`] is the referee: it
//! asks the players in turn, keeps their clocks and judges by the plain rules. [`run_match`]
//! plays many games at the same time and hands each [`PlayedGame`] to a [`Journal`], which
//! loses none. A [`Summary`] says what came of them; [`report`] shows it as text, JSON or HTML.

mod adjudicate;
mod clock;
mod control;
mod engine_words;
mod error;
mod event;
mod game;
mod info;
mod journal;
mod merge;
mod played;
pub mod player;
pub mod report;
mod runner;
mod schedule;
mod spec;
mod summary;
mod tally;
mod termination;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod unfinished;

pub use adjudicate::Adjudicated;
pub use clock::GameClock;
pub use control::MatchControl;
pub use engine_words::{EngineWordError, EngineWords};
pub use error::{ArenaError, JournalError};
pub use event::{MatchEvent, Observer};
pub use game::play_game;
pub use info::{MatchInfo, PlayerInfo};
pub use journal::Journal;
pub use merge::{Merged, merge};
pub use played::{PlayedGame, Usage};
pub use player::{Player, PlayerError};
pub use runner::{RunOptions, run_match};
pub use schedule::{Fixture, Schedule};
pub use spec::{
    Adjudication, Allowance, Contestant, ContestantKind, DrawRule, GameTime, MatchSpec,
    OpeningOrder, Pairing, ResignRule, Shard,
};
pub use summary::{
    EndCount, HeadToHead, Interval, LengthBin, Lengths, PairCounts, PlayerRating, PlayerSummary,
    RatingModel, Results, Summary, Test,
};
pub use tally::Tally;
pub use termination::{EndKind, PlayerFault, Termination};
pub use unfinished::Unfinished;

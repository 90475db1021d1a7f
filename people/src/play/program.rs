//! Programs that play a side, behind a port.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ClockControl;
use tengen_core::search::time::TimeControl;
use tengen_engine::engine::{Answer, Setup};
use tengen_files::records::MoverSearch;

/// A program as people and files know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramName {
    /// The name in sentences and records.
    pub name: String,
    /// The words that start it, as they are typed.
    pub words: String,
}

/// A program that is ready to be asked, with its name.
#[derive(Debug)]
pub struct SeatedProgram {
    /// The name.
    pub name: ProgramName,
    /// The program itself.
    pub program: Box<dyn PlayProgram>,
}

/// A program that plays a side: another process, or whatever else answers. Every call returns at once;
/// [`ProgramEvent`]s arrive elsewhere, for [`PlaySession::program_event`](super::PlaySession::program_event).
pub trait PlayProgram: fmt::Debug {
    /// Asks a question, after the last one has ended.
    fn ask(&mut self, question: ProgramQuestion);

    /// Gives the question up: it ends soon, with anything.
    fn stop(&mut self);

    /// Begins anew before the next question: another game, or the same after something went wrong.
    fn new_game(&mut self);

    /// Returns the delay beyond the time allowed with which an answer is not late.
    fn margin(&self) -> Duration;
}

/// A question to a program. [`ProgramNews::Begun`] may follow, and exactly one other piece of news.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramQuestion {
    /// The number of the question.
    pub id: u64,
    /// The position.
    pub setup: Setup,
    /// What is asked: a move, or a choice of swap2.
    pub ask: ProgramAsk,
    /// The time control of the game.
    pub control: ClockControl,
    /// The time that is left on the program's clock, or without clocks the one that a move may take.
    pub time: TimeControl,
    /// The time after which the game is lost; nothing without clocks.
    pub limit: Option<Duration>,
}

/// What is asked of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramAsk {
    /// The next move.
    Move,
    /// The next choice of swap2.
    Swap2,
    /// A choice of another opening, which the protocol has no words for.
    OtherOpening,
}

/// Something that a program says to a question, or that is to be said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramEvent {
    /// The number of the question.
    pub id: u64,
    /// The news.
    pub news: ProgramNews,
}

/// The news of a question.
#[derive(Clone, PartialEq, Debug)]
pub enum ProgramNews {
    /// The program was made ready and thinks now: its clock runs from here on.
    Begun,
    /// It has answered. What is known of its search comes with it, and a remark if it took longer than
    /// it was given, which goes on after its name: `answered after 7203 ms of 2000`.
    Answered(Answer, MoverSearch, Option<String>),
    /// It has not, for a reason that goes on after its name: `crashed: signal 11`.
    Failed(String),
}

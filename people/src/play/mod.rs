//! A game that people play, without a terminal.
//!
//! The same model serves whatever shows it: lines of text, a screen, a network.
//!
//! * A [`CasualGame`] is the position and the way to it: moves, what was taken back, stones and
//!   blocked cells that were set up, and the end. It is a [`Record`](tengen_files::records::Record) that
//!   can be played on, so files of every format lead to it and back.
//! * A [`SideClock`] follows from the [`ClockControl`] and the times of a side's moves alone. So a
//!   move that is taken back gives its time back, and nothing but the record needs to be saved.
//! * A [`PlaySession`] adds who plays, the engine behind [`Thinker`](tengen_engine::engine::Thinker), and
//!   the time of an injected [`Clock`](tengen_core::sys::clock::Clock). It takes actions of people and
//!   events of the engine, and returns [`PlayNotice`]s. It has no input, output or threads.
//! * A [`PlayProgram`] is another program at the table, behind a port: sessions ask it for the moves of its
//!   side and bear whatever becomes of that.
//! * A [`Coach`] looks for forced wins beside the game, shows them as a [`ShownWin`], and warns of
//!   moves that give one away. It reviews games, which a [`Debrief`] walks through. A [`ThreatMap`]
//!   has the threats of a position.
//! * A [`PlayedOpening`] is what comes before the game by rules such as swap2: choices of both
//!   players, which a session asks for one by one.
//! * A [`SavedGame`] is all of a session that outlives the process, and [`Autosave`] the file of
//!   it.
//! * A [`LiveAnalysis`] shows the best moves of a position without an end, while people step through
//!   a game.
//!
//! One job of the engine runs at a time. Whatever changes the position while it runs makes the
//! session stop it and drop its answer:
//!
//! ```text
//!            begin             answer
//!     Idle ─────────> Working ─────────> Idle, with a notice
//!                        │ the position changes
//!                        v      answer, dropped
//!                     Draining ────────> Idle, or Working if there is more to do
//! ```
//!
//! The engine moves whenever it is its turn, unless it *waits*: after moves were taken back or put
//! forward again, after a change of the position, and after it was stopped.

mod autosave;
mod clock;
mod coach;
mod debrief;
mod fault;
mod game;
mod live;
mod notice;
mod opening;
mod opening_job;
mod program;
mod proofs;
mod reviews;
mod saved;
#[cfg(any(test, feature = "testing"))]
pub mod scripted;
mod session;
mod shown_win;
mod terms;
#[cfg(test)]
mod tests;
mod thinking;
mod threat_map;
mod turn;

pub use autosave::{Autosave, AutosaveError, saved_game, state_file};
pub use clock::{Byoyomi, ClockControl, SideClock};
pub use coach::{Coach, CoachAnswer, CoachVerdict};
pub use debrief::Debrief;
pub use fault::PlayFault;
pub use game::{CasualGame, EndOfGame};
pub use live::{LiveAnalysis, LiveLimits, LiveMove};
pub use notice::{Hint, Judgement, PlayNotice};
pub use opening::{AskedInOpening, PlayedOpening, parse_choice};
pub use program::{
    PlayProgram, ProgramAsk, ProgramEvent, ProgramName, ProgramNews, ProgramQuestion, SeatedProgram,
};
pub use proofs::ProvenWin;
pub use saved::SavedGame;
pub use session::{PlaySession, ReachedPosition};
pub use shown_win::ShownWin;
pub use terms::{Controller, PlayTerms};
pub use thinking::{LEAST_STONES_FOR_DRAW, ThinkingLimits, accepts_draw};
pub use threat_map::ThreatMap;

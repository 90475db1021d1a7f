//! The Gomocup/Piskvork text protocol and the parts of the Yixin-Board dialect that a game needs.
//!
//! [`Command`] and [`Reply`] are pure and total in both directions; [`Session`] is the
//! state machine between them and a [`Thinker`](crate::engine::Thinker), without input, output,
//! threads or a clock of its own; [`stdio`] is the loop that gives it all of these.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod answer;
mod answering;
mod arrival;
mod block;
mod blocked;
mod board;
mod clock;
mod command;
mod commands;
mod database;
mod detail;
mod dialect;
mod dialogue;
mod engine_port;
mod game;
mod info;
mod input;
mod options;
mod pondering;
mod question;
mod readiness;
mod reply;
mod reporter;
mod rescue;
mod session;
pub mod stdio;
mod study;
mod text;
mod work;

#[cfg(test)]
mod scripted;
#[cfg(test)]
mod tests;

/// The name by which the engine introduces itself.
pub const NAME: &str = "tengen";

pub use clock::UNLIMITED;
pub use command::{BlockKind, Command, Coords, MAX_INPUT_LINE};
pub use database::{
    DatabaseBlock, DatabaseEdit, DatabaseFile, DatabaseReply, DatabaseRequest, DatabaseWorker,
};
pub use info::{Coordinates, Info};
pub use input::InputLine;
pub use reply::{Introduction, Labels, MAX_OUTPUT_LINE, Reply, search_line};
pub use session::{GRACE, Session, SessionTerms};
pub use stdio::run;
pub use study::{Scholar, StudyReply, StudyRequest, StudyTopic};

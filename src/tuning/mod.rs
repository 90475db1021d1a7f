//! Learning from games: the games that the engine plays against itself, and what is fitted to them.
//!
//! Level 10. [`selfplay`] plays games whose every move is a function of the [`SelfPlayOptions`] and
//! the number of the game; a [`corpus`] is a file of them that an interrupted run goes on with.

pub mod corpus;
mod counts;
mod error;
mod game;
pub mod selfplay;

pub use counts::Counts;
pub use error::GamesError;
pub use game::{Ending, GameResult, PlayedGame, ScoredMove, TrainingGame};
pub use selfplay::{OptionsError, SelfPlayOptions};

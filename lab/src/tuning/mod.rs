//! Learning from games: the games that the engine plays against itself, and what is fitted to them.
//!
//! [`selfplay`] plays games whose every move is a function of the [`SelfPlayOptions`] and
//! the number of the game; a [`corpus`] is a file of them that an interrupted run resumes,
//! and [`relabel`] judges their positions again.
//! [`features`] takes samples of games, and [`fit`] makes
//! [`Weights`](tengen_core::eval::classical::Weights) of them; [`samples`] writes what the trainer of a
//! network reads, and [`losses`] measures a network on it. A [`plan`] says which of that is done, in
//! which order, for all rules. [`spsa`] improves the parameters of the search.

mod calibrate;
pub mod corpus;
mod counts;
mod error;
pub mod features;
pub mod fit;
mod game;
pub mod losses;
pub mod plan;
pub mod relabel;
pub mod samples;
pub mod selfplay;
mod sources;
pub mod spsa;

pub use counts::CorpusCounts;
pub use error::GamesError;
pub use features::{SampleSet, UnplayableGame};
pub use game::{Ending, Leaf, MOST_PATH, ScoredMove, SelfPlayGame, TrainingGame, TrainingResult};
pub use selfplay::{SelfPlayOptions, SelfPlayOptionsError};
pub use sources::{Sources, provenance};

//! The parameters of the search, improved by games against itself.
//!
//! Simultaneous perturbation stochastic approximation (Spall 1998, "Implementation of the
//! Simultaneous Perturbation Algorithm for Stochastic Optimization") moves every parameter at once
//! a step up or down at random, lets the two opposite choices play each other, and follows the
//! winner a little. Two games tell nearly nothing about one parameter, but thousands of pairs tell
//! as much about each of fifty as about one. The gains are given as fishtest, the testing framework
//! of Stockfish, has them: by what they shall be at the end; see [`Gains`].
//!
//! [`run`] knows nothing of games: what it asks is a [`Duel`], of which [`games::PairPlayer`] is
//! the real one. Pairs are played in batches from the same values; a batch is the same whatever the
//! number of threads, so a run is a function of its [`SpsaSettings`] and of the engine alone, and a
//! [`SpsaState`] that is saved after each batch goes on as if it had never been interrupted.

mod gains;
pub mod games;
mod perturb;
mod run;
mod settings;
mod state;

#[cfg(test)]
mod tests;

pub use gains::{GainSchedule, Gains};
pub use perturb::{Perturbed, perturb};
pub use run::{Duel, RunError, run};
pub use settings::{Coordinate, SettingsError, SpsaSettings};
pub use state::{SpsaState, StateError};

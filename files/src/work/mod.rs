//! Long work: its end, its progress, and its threads.
//!
//! Long work may take a [`Stop`], which it polls, and a function that receives its [`Progress`]. The results of many
//! threads come [in the order of their numbers](run_in_order), or [as they are done](run_as_done) where they
//! decide what is done next.

mod as_done;
mod in_order;

pub use as_done::{JobSource, run_as_done};
pub use in_order::{Delivery, InOrder, NumberedWork, USUAL_STACK, run_in_order, run_parts};
pub use tengen_core::sys::stop::Stop;

use std::io;

/// How far work is, in its own units.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// What is done, by earlier runs too.
    pub done: u64,
    /// What this run has done of it; more where results wait for their turn.
    pub by_this_run: u64,
}

/// The system refuses a thread.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread")]
pub struct ThreadError(#[source] pub io::Error);

#[cfg(test)]
mod tests;

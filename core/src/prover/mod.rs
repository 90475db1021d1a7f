//! Forced wins: found, proved, written down and checked.
//!
//! A [`Prover`] looks for wins by continuous fours (VCF) and by continuous threats (VCT)
//! with df-pn search. A win comes with a [`Certificate`], which has an answer to every legal reply.
//! [`verify`] checks it by the plain rules alone.

mod build;
mod certificate;
mod moves;
mod order;
mod search;
mod solver;
mod table;
mod verify;

/// The stack of a thread that proves, in bytes: the prover is recursive to the length of a game. What is not
/// used costs nothing.
pub const STACK_BYTES: usize = 64 << 20;

pub use certificate::{Attack, Certificate};
pub use solver::{Horizon, Prover, ProverLimits, ProverVerdict};
pub use verify::{
    CheckError, CheckLimits, Checked, Flaw, FlawKind, usual_most_positions, verify, verify_within,
};

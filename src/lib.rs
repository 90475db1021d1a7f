//! tengen: a Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`. The lower
//! ones are those of the package `tengen-core`, under the same names.

pub mod arena;
pub mod bench;
pub mod certificates;
pub mod cli;
pub mod conformance;
pub mod database;
pub mod engine;
pub mod explain;
pub mod growth;
pub mod openings;
pub mod page;
pub mod play;
pub mod printable;
pub mod process;
pub mod protocol;
pub mod records;
pub mod resume;
pub mod review;
pub mod room;
pub mod stats;
pub mod tuning;

#[doc(inline)]
pub use tengen_core::{
    board, eval, notation, patterns, position, prover, rng, rules, search, simd, sys, threats,
    types,
};

//! tengen: a Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod arena;
pub mod bench;
pub mod board;
pub mod certificates;
pub mod cli;
pub mod conformance;
pub mod database;
pub mod engine;
pub mod eval;
pub mod explain;
pub mod growth;
pub mod notation;
pub mod openings;
pub mod page;
pub mod patterns;
pub mod play;
pub mod position;
pub mod process;
pub mod protocol;
pub mod prover;
pub mod records;
pub mod resume;
pub mod review;
pub mod rng;
pub mod room;
pub mod rules;
pub mod search;
pub mod simd;
pub mod stats;
pub mod sys;
pub mod threats;
pub mod tuning;
pub mod types;

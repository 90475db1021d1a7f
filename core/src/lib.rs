//! The core of tengen: the board, the rules, and whatever finds a move on it.
//!
//! All that takes time in a game is here and is compiled for speed; the package `tengen`, which stands
//! on it, is compiled for size. Generic code is compiled where it is used, so whatever a search or a
//! prover spends its time in has no type parameters beyond this package.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod board;
pub mod eval;
pub mod notation;
pub mod patterns;
pub mod position;
pub mod prover;
pub mod rng;
pub mod rules;
pub mod search;
pub mod simd;
pub mod sys;
pub mod threats;
pub mod types;

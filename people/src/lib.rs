//! tengen for people: games against it and against each other, reviews, and words for what happens.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod code;
pub mod explain;
pub mod play;
pub mod review;
#[cfg(feature = "lan")]
pub mod room;
pub mod study;

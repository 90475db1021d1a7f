//! The laboratory of tengen: all that measures engines or makes them stronger.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod arena;
pub mod bench;
pub mod conformance;
pub mod growth;
pub mod openings;
pub mod process;
pub mod stats;
pub mod tuning;

//! Everything asked of the operating system and the processor.
//!
//! Outside the transposition table the only `unsafe` of the program is here, behind safe
//! functions that work on every platform: where a service does not exist they do without.

pub mod clock;
#[cfg(windows)]
pub mod console;
pub mod crew;
pub mod fault;
pub mod files;
pub mod group;
pub mod input;
pub mod lock;
pub mod memory;
pub mod panics;
pub mod place;
pub mod prefetch;
pub mod processors;
pub mod signal;
pub mod stop;
pub mod terminal;
pub mod turns;

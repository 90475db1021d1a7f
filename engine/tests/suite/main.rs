//! The tests of the engine and of its program, in one executable.
//!
//! Tests run side by side in one process. What changes the process, such as a limit of memory, is tested
//! with a process of its own: that of the program.

mod asked;
mod bounded;
#[path = "../../../core/tests/suite/brute.rs"]
mod brute;
mod child;
#[path = "../../../core/tests/suite/common.rs"]
mod common;
#[path = "../../../tests/suite/place.rs"]
mod place;

mod analysis;
mod evaluator;
mod faults;
mod forbid;
mod levels;
mod memory;
mod pondering;
mod protocol;
mod readiness;
mod scripts;
mod seed;
mod soak;
mod stop;
mod tactics;

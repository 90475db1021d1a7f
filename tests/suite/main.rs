//! The tests of the whole library and of its programs, in one executable: linking one for each file
//! took most of the time of `cargo test`.
//!
//! Tests run side by side in one process. What changes the process, such as the weights in use or a
//! limit of memory, is tested with a process of its own: that of a program under test.

mod asked;
mod book;
mod bounded;
mod brute;
mod child;
mod common;
mod fuzz;
mod games;
mod growth;
mod place;

mod analyse;
mod analysis;
mod architecture;
#[cfg(unix)]
mod arena_resume;
mod cli;
mod convert;
#[cfg(unix)]
mod database;
mod database_cli;
mod database_protocol;
mod determinism;
mod evaluator;
#[cfg(unix)]
mod examples;
mod faults;
mod flipped_bits;
mod forbid;
mod foreign_files;
mod fuzz_certificates;
mod fuzz_databases;
mod fuzz_records;
mod hostile;
mod incremental;
mod levels;
mod made_up_databases;
mod matches;
mod memory;
mod network;
mod notation;
mod openings;
mod params;
mod patterns;
mod play;
mod play_openings;
mod pondering;
mod protocol;
mod prover;
mod readiness;
mod records;
mod renju;
mod room;
mod rules;
mod scripts;
mod seed;
mod sgf_games;
mod soak;
mod solve;
mod stop;
mod tactics;
mod terminal;
mod transposition;
mod tune;

/// Counts what a thread holds, for the tests which bound it.
#[global_allocator]
static ALLOCATOR: fuzz::memory::Counting = fuzz::memory::Counting;

//! The tests of the whole library and of its programs, in one executable: linking one for each file
//! took most of the time of `cargo test`.
//!
//! Tests run side by side in one process. What changes the process, such as the weights in use or a
//! limit of memory, is tested with a process of its own: that of a program under test.

mod book;
#[path = "../../engine/tests/suite/child.rs"]
mod child;
#[path = "../../core/tests/suite/common.rs"]
mod common;
mod fuzz;
mod games;
mod growth;
mod place;
mod sources;

mod analyse;
mod architecture;
#[cfg(unix)]
mod arena_resume;
mod budgets;
mod cli;
mod convert;
#[cfg(unix)]
mod database;
mod database_cli;
mod database_protocol;
mod determinism;
#[cfg(unix)]
mod examples;
mod faults;
mod foreign_files;
mod fuzz_certificates;
mod fuzz_databases;
mod fuzz_records;
mod hostile;
mod made_up_databases;
mod matches;
mod openings;
mod params;
mod play;
mod play_openings;
mod play_programs;
mod records;
#[cfg(feature = "lan")]
mod room;
mod scripts;
mod sgf_games;
mod snapshots;
mod solve;
mod terminal;
mod tune;
#[cfg(feature = "web")]
mod web;

/// Counts what a thread holds, for the tests which bound it.
#[global_allocator]
static ALLOCATOR: fuzz::memory::Counting = fuzz::memory::Counting;

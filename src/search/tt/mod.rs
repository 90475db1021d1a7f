//! The transposition table: what is known about positions met before, shared by all threads.
//!
//! The race is stated and made legal: every shared word is an atomic accessed with relaxed
//! ordering, a probe gives a copy, and an entry whose two words were written by different threads
//! fails its check and is taken for absent. A hit is a hint: its key is compared in 32 bits
//! only, so the caller checks that the move is legal. A table can be saved to a file and loaded
//! again, also while searches use it.

mod entry;
mod file;
mod table;

pub use entry::{Bound, TtEntry};
pub use file::TableLoadError;
pub use table::TranspositionTable;

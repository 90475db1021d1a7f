//! The transposition table: results of earlier searches, shared by all threads.
//!
//! Races are deliberate and well-defined: every shared word is an atomic accessed with relaxed
//! ordering, a probe returns a copy, and an entry whose two words were written by different threads
//! fails its check and counts as absent. An entry is only a hint: its key is compared in 32 bits,
//! so the caller must check that the move is legal. A table can be saved to a file and loaded
//! again, even while searches use it.

mod entry;
mod file;
mod table;

pub use entry::TtEntry;
pub use file::TableLoadError;
pub use table::TranspositionTable;

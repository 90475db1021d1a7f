//! The engine of tengen: the search with its book and database, and the Gomocup/Piskvork protocol.
//!
//! It knows no terminal, no network and no command line beyond the few options of an engine. The modules
//! form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod database;
pub mod engine;
pub mod kit;
pub mod machine;
pub mod options;
pub mod protocol;

//! Engines behind a page: child processes that speak the protocol, each in a session of its own.
//!
//! A session outlives the connection of its page, so that a page that is reloaded finds its engine and what
//! that has said meanwhile. An engine that ends is started again. Each session has a thread that keeps its
//! process; what waits in either direction is bounded.

mod guard;
mod keeper;
mod outbox;
mod session;

pub use guard::EngineLimits;
pub use session::{Attached, MOST_SESSIONS, PageDelivery, Said, SessionFault, Sessions};

use std::path::PathBuf;

use tengen_lab::process::EngineCommand;

/// An engine that pages can choose.
#[derive(Clone, Debug)]
pub struct WebEngine {
    /// Its name.
    pub name: String,
    /// The command that starts it.
    pub command: EngineCommand,
    /// The directory in which it is started; `None` is one of its own.
    pub dir: Option<PathBuf>,
    /// Lines that it receives first.
    pub first: Vec<String>,
    /// True if it plays at the levels of tengen.
    pub levels: bool,
}

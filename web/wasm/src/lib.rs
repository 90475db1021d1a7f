//! The engine and its protocol for a worker of a web page, on the thread of that worker; a search has others to help
//! where the target is one with threads.
//!
//! The worker calls `tengen_begin` once, and `tengen_run` whenever a line has come or the time that it returned is
//! over. Lines are fetched from the worker with `take`, also while a search runs, so that `STOP` ends it; what the
//! engine says is handed to `say`. `web/page/engine-worker.js` is the other side.

#![cfg(target_family = "wasm")]

mod desk;
mod host;

use std::time::Instant;

use desk::Desk;

/// The value of `tengen_run` when nothing will happen before the next line.
const NOTHING: i32 = -1;
/// The value of `tengen_run` after `END`.
const OVER: i32 = -2;

/// Begins the conversation.
#[unsafe(no_mangle)]
pub extern "C" fn tengen_begin() {
    Desk::begin();
}

/// Does all that is to be done. Returns the milliseconds after which to call this again if no line has come, or
/// [`NOTHING`], or [`OVER`].
#[unsafe(no_mangle)]
pub extern "C" fn tengen_run() -> i32 {
    match Desk::run() {
        desk::Pause::Over => OVER,
        desk::Pause::UntilLine => NOTHING,
        desk::Pause::Until(moment) => {
            let left = moment.saturating_duration_since(Instant::now());
            // A timer that comes too early finds nothing to do.
            i32::try_from(left.as_millis().saturating_add(1)).unwrap_or(i32::MAX)
        }
    }
}

//! Turns of a program that has one thread for everything but the helpers of a search, as in a browser.
//!
//! Elsewhere a search is told of its end by other threads. Where there is one thread, the search itself lets the rest
//! of the program have a turn as often as it looks at its limits. Its helpers do not: the turns are of the thread that
//! has set them.

use std::io;
use std::time::Duration;

/// Lets the rest of the program have a turn where it has no thread of its own.
#[inline(always)]
pub fn give_way() {
    #[cfg(target_family = "wasm")]
    alone::give_way(Duration::ZERO);
}

/// Waits for this time at most: others may have a turn meanwhile.
pub fn pause(time: Duration) {
    #[cfg(target_family = "wasm")]
    alone::give_way(time);
    #[cfg(not(target_family = "wasm"))]
    std::thread::sleep(time);
}

/// Does some work on a stack of this number of bytes, that of another thread. Where there is one thread, its own stack has to
/// be large enough.
///
/// # Errors
///
/// Returns the error of the system if no thread can be started.
///
/// # Panics
///
/// Panics if the work does.
pub fn on_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    #[cfg(target_family = "wasm")]
    {
        let _ = bytes;
        Ok(work())
    }
    #[cfg(not(target_family = "wasm"))]
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(target_family = "wasm")]
pub use alone::set_others;

#[cfg(target_family = "wasm")]
mod alone {
    use std::cell::Cell;
    use std::time::Duration;

    /// What the rest of the program does with a turn, and for how long it may wait for something to do.
    type Others = fn(Duration);

    thread_local! {
        static OTHERS: Cell<Option<Others>> = const { Cell::new(None) };
    }

    /// Calls `others` at each turn of the rest of the program, from within whatever runs, with the time that it may wait for
    /// something to do. It has to return soon after that.
    pub fn set_others(others: Others) {
        OTHERS.set(Some(others));
    }

    pub(super) fn give_way(wait: Duration) {
        // A turn has no turns within it.
        if let Some(others) = OTHERS.take() {
            others(wait);
            OTHERS.set(Some(others));
        }
    }
}

//! Turns of a program that has one thread for everything, as in a browser.
//!
//! Elsewhere a search is told of its end by other threads. Where there is one thread, the search itself lets the rest
//! of the program have a turn as often as it looks at its limits.

use std::time::Duration;

/// Lets the rest of the program have a turn where this thread is the only one.
#[inline(always)]
pub fn give_way() {
    #[cfg(target_family = "wasm")]
    alone::give_way();
}

/// Waits for this time at most: others may have a turn meanwhile.
pub fn pause(time: Duration) {
    #[cfg(target_family = "wasm")]
    {
        let _ = time;
        alone::give_way();
    }
    #[cfg(not(target_family = "wasm"))]
    std::thread::sleep(time);
}

#[cfg(target_family = "wasm")]
pub use alone::set_others;

#[cfg(target_family = "wasm")]
mod alone {
    use std::cell::Cell;

    thread_local! {
        static OTHERS: Cell<Option<fn()>> = const { Cell::new(None) };
    }

    /// Calls `others` at each turn of the rest of the program, from within whatever runs. It has to return soon.
    pub fn set_others(others: fn()) {
        OTHERS.set(Some(others));
    }

    pub(super) fn give_way() {
        // A turn has no turns within it.
        if let Some(others) = OTHERS.take() {
            others();
            OTHERS.set(Some(others));
        }
    }
}

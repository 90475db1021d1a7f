//! What is undone before the message of a panic is shown.

use std::panic;
use std::sync::Once;

/// Has `restore` called at every panic, before its message: a panic ends the process at once, and the
/// message is to be seen. Does so once for each `once`.
pub(super) fn before_panics(once: &'static Once, restore: fn()) {
    once.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            usual(info);
        }));
    });
}

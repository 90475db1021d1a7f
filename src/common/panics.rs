//! Cleanup before the message of a panic is shown.

use std::panic;
use std::sync::Once;

use tengen_core::sys::panics::is_caught;

/// Has `restore` called at every panic that nobody catches, before its message: it may end the process, and
/// the message is to be seen. Does so once for each `once`.
pub(crate) fn before_panics(once: &'static Once, restore: fn()) {
    once.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_caught() {
                restore();
            }
            usual(info);
        }));
    });
}

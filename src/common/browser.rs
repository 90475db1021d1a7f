//! The browser of the person at the terminal.

use std::ffi::OsStr;

use super::words::note;

/// Opens an address or a file in the browser, without waiting for it. Where there is none, says so, and that
/// the person can open `what` otherwise.
pub(crate) fn open_in_browser(target: impl AsRef<OsStr>, what: &str) {
    if let Err(error) = open::that_detached(target) {
        note(format_args!("No browser can be opened ({error}): open {what} yourself."));
    }
}

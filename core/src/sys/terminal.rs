//! The terminal behind standard input.

use std::io;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

/// The settings of the terminal before [`key_by_key`], if that is in force.
#[cfg(unix)]
static BEFORE: Mutex<Option<libc::termios>> = Mutex::new(None);

/// Makes the terminal give keys one by one and without showing them, until [`as_before`]. Ctrl-C
/// stays what it is, and so does everything about output.
///
/// # Errors
///
/// Returns the system's error if standard input is not a terminal.
#[cfg(unix)]
pub fn key_by_key() -> io::Result<()> {
    let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: all zeros are a value of this plain C structure.
    let mut state: libc::termios = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a structure of the right type that outlives the call.
    if unsafe { libc::tcgetattr(libc::STDIN_FILENO, &raw mut state) } != 0 {
        return Err(io::Error::last_os_error());
    }
    if before.is_none() {
        *before = Some(state);
    }
    state.c_lflag &= !(libc::ICANON | libc::ECHO);
    state.c_cc[libc::VMIN] = 1;
    state.c_cc[libc::VTIME] = 0;
    set(&state)
}

/// Undoes what [`key_by_key`] did. Without it, does nothing.
#[cfg(unix)]
pub fn as_before() {
    let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(state) = before.take() {
        // If the terminal is gone, there is nothing to be restored.
        let _ = set(&state);
    }
}

#[cfg(unix)]
fn set(state: &libc::termios) -> io::Result<()> {
    // SAFETY: the pointer is to an initialised structure of the right type; it is only read.
    if unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSADRAIN, state) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Returns whether this process may read from the terminal: a job in the background that tries is
/// stopped by the system.
#[cfg(unix)]
#[must_use]
pub fn is_foreground() -> bool {
    // SAFETY: both calls take and return numbers alone.
    unsafe { libc::tcgetpgrp(libc::STDIN_FILENO) == libc::getpgrp() }
}

/// Makes the terminal give keys one by one.
///
/// # Errors
///
/// Always returns [`io::ErrorKind::Unsupported`]: this is the way of another system.
#[cfg(not(unix))]
pub fn key_by_key() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Does nothing: nothing was changed.
#[cfg(not(unix))]
pub fn as_before() {}

/// Returns that this process may read from the terminal.
#[cfg(not(unix))]
#[must_use]
pub fn is_foreground() -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_changed_is_not_restored() {
        assert!(BEFORE.lock().unwrap().is_none());
        as_before();
        assert!(BEFORE.lock().unwrap().is_none());
    }
}

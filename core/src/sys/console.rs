//! What the console asks of a program. Only on Windows: elsewhere these are signals.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};

/// Something that a console asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConsoleRequest {
    /// Somebody has typed Ctrl-C or Ctrl-Break.
    Interrupt,
    /// Its window is closed, somebody logs off or the system is shut down: the program has some seconds to end.
    Close,
}

/// What is done on a request.
struct Watcher {
    request: ConsoleRequest,
    flag: Arc<AtomicBool>,
    exit_code: Option<i32>,
}

static WATCHERS: Mutex<Vec<Watcher>> = Mutex::new(Vec::new());

/// Sets a flag at each such request from now on. With an `exit_code`, a request that finds the flag set ends the program
/// with that.
///
/// # Errors
///
/// Returns the system's error.
pub fn watch(
    request: ConsoleRequest,
    flag: Arc<AtomicBool>,
    exit_code: Option<i32>,
) -> io::Result<()> {
    let mut watchers = WATCHERS.lock().unwrap_or_else(PoisonError::into_inner);
    if watchers.is_empty() {
        // SAFETY: the handler is a function of the type that is asked for, and may be called at any time, by any thread.
        if unsafe { SetConsoleCtrlHandler(Some(handle), 1) } == 0 {
            return Err(io::Error::last_os_error());
        }
    }
    watchers.push(Watcher { request, flag, exit_code });
    Ok(())
}

/// Does what is done on an event, in a thread that the system starts for it; returns 0 if that is nothing.
extern "system" fn handle(event: u32) -> i32 {
    let request = match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => ConsoleRequest::Interrupt,
        _ => ConsoleRequest::Close,
    };
    let mut is_watched = false;
    for watcher in WATCHERS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        if watcher.request == request {
            is_watched = true;
            if watcher.flag.swap(true, Ordering::SeqCst)
                && let Some(code) = watcher.exit_code
            {
                std::process::exit(code);
            }
        }
    }
    if is_watched && request == ConsoleRequest::Close {
        // The system ends the program when this returns, or after some seconds if it has not ended by itself.
        loop {
            thread::park();
        }
    }
    i32::from(is_watched)
}

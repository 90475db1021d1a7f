//! Ctrl-C, and the wish of the system that the program ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;

use tengen_files::work::Stop;

/// The interval at which signals and clocks are looked at.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// The exit code of a program that SIGINT ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// The wish that the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndWish {
    /// Somebody's, by Ctrl-C.
    Interrupt,
    /// That of the system, or of whoever closes the window.
    Terminate,
}

impl EndWish {
    /// Both.
    pub(crate) const ALL: [EndWish; 2] = [EndWish::Interrupt, EndWish::Terminate];

    /// Sets a flag each time from now on.
    pub(crate) fn sets(self, flag: &Arc<AtomicBool>) -> io::Result<()> {
        system::set(self, flag)
    }

    /// Sets a flag from now on. A wish that finds it set, because we hang, ends the program.
    fn sets_or_ends(self, flag: &Arc<AtomicBool>) -> io::Result<()> {
        system::set_or_end(self, flag)
    }
}

#[cfg(not(windows))]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag::{register, register_conditional_shutdown};

    use super::{EndWish, INTERRUPTED};

    pub(super) fn set(wish: EndWish, flag: &Arc<AtomicBool>) -> io::Result<()> {
        register(signal(wish), Arc::clone(flag)).map(drop)
    }

    pub(super) fn set_or_end(wish: EndWish, flag: &Arc<AtomicBool>) -> io::Result<()> {
        // In this order: the flag that a signal sets is not one that it finds.
        register_conditional_shutdown(signal(wish), INTERRUPTED.into(), Arc::clone(flag))?;
        set(wish, flag)
    }

    fn signal(wish: EndWish) -> i32 {
        match wish {
            EndWish::Interrupt => SIGINT,
            EndWish::Terminate => SIGTERM,
        }
    }
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::{EndWish, INTERRUPTED};
    use tengen_core::sys::console::{ConsoleRequest, watch};

    pub(super) fn set(wish: EndWish, flag: &Arc<AtomicBool>) -> io::Result<()> {
        watch(request(wish), Arc::clone(flag), None)
    }

    pub(super) fn set_or_end(wish: EndWish, flag: &Arc<AtomicBool>) -> io::Result<()> {
        watch(request(wish), Arc::clone(flag), Some(INTERRUPTED.into()))
    }

    fn request(wish: EndWish) -> ConsoleRequest {
        match wish {
            EndWish::Interrupt => ConsoleRequest::Interrupt,
            EndWish::Terminate => ConsoleRequest::Close,
        }
    }
}

/// The signals that have come, each as a flag; a second one while the flag is set ends the program.
pub(crate) struct Interrupts {
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) terminate: Arc<AtomicBool>,
}

impl Interrupts {
    /// Begins to watch for them.
    pub(crate) fn watch() -> io::Result<Interrupts> {
        let interrupts = Interrupts { interrupt: Arc::default(), terminate: Arc::default() };
        EndWish::Interrupt.sets_or_ends(&interrupts.interrupt)?;
        EndWish::Terminate.sets_or_ends(&interrupts.terminate)?;
        Ok(interrupts)
    }

    /// Returns whether any has come, once.
    pub(crate) fn take_any(&self) -> bool {
        let terminate = self.terminate.swap(false, Ordering::SeqCst);
        self.interrupt.swap(false, Ordering::SeqCst) || terminate
    }
}

/// Returns a flag that either signal sets; the second one ends the program.
pub(crate) fn stop_on_signals() -> anyhow::Result<Stop> {
    let flag = Arc::default();
    let mut wishes = EndWish::ALL.into_iter();
    wishes.try_for_each(|wish| wish.sets_or_ends(&flag)).context("cannot watch for Ctrl-C")?;
    Ok(Stop::from(flag))
}

//! Ctrl-C, and the wish of the system that the program ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

/// The interval at which signals and clocks are looked at.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// The exit code of a program that SIGINT ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// The signals that have come, each as a flag; a second one while the flag is set ends the program.
pub(crate) struct Interrupts {
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) terminate: Arc<AtomicBool>,
}

impl Interrupts {
    /// Begins to watch for them.
    pub(crate) fn watch() -> io::Result<Interrupts> {
        let [interrupt, terminate] = [SIGINT, SIGTERM].map(|signal| {
            let flag = Arc::new(AtomicBool::new(false));
            // In this order: a signal that finds the flag set, because we hang, ends the program.
            register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&flag))?;
            register(signal, Arc::clone(&flag))?;
            io::Result::Ok(flag)
        });
        Ok(Interrupts { interrupt: interrupt?, terminate: terminate? })
    }

    /// Returns whether any has come, once.
    pub(crate) fn take_any(&self) -> bool {
        let terminate = self.terminate.swap(false, Ordering::SeqCst);
        self.interrupt.swap(false, Ordering::SeqCst) || terminate
    }
}

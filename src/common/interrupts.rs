//! Ctrl-C, and the wish of the system that the program ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use tengen_files::work::Stop;

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
        let interrupts = Interrupts { interrupt: Arc::default(), terminate: Arc::default() };
        watch(SIGINT, &interrupts.interrupt)?;
        watch(SIGTERM, &interrupts.terminate)?;
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
    watch(SIGINT, &flag).and_then(|()| watch(SIGTERM, &flag)).context("cannot watch for Ctrl-C")?;
    Ok(Stop::from(flag))
}

fn watch(signal: i32, flag: &Arc<AtomicBool>) -> io::Result<()> {
    // In this order: a signal that finds the flag set, because we hang, ends the program.
    register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(flag))?;
    register(signal, Arc::clone(flag)).map(drop)
}

//! Signals and keys: what people do to a running match.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, TryRecvError};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;

use super::show::Show;
use super::terminal::{KeyCommand, Terminal, restore};
use crate::cli::interrupts::{BEAT, INTERRUPTED};

/// The signals that have come.
#[derive(Debug)]
pub(super) struct Signals {
    end: Arc<AtomicBool>,
    #[cfg(unix)]
    pause: Arc<AtomicBool>,
    #[cfg(unix)]
    stop: Arc<AtomicBool>,
    #[cfg(unix)]
    go_on: Arc<AtomicBool>,
}

impl Signals {
    /// Takes the signals from now on.
    pub(super) fn new() -> io::Result<Signals> {
        let flag = |signals: &[i32]| {
            let flag = Arc::new(AtomicBool::new(false));
            signals.iter().try_for_each(|&signal| register(signal, Arc::clone(&flag)).map(drop))?;
            io::Result::Ok(flag)
        };
        Ok(Signals {
            end: flag(&[SIGINT, SIGTERM])?,
            #[cfg(unix)]
            pause: flag(&[signal_hook::consts::SIGUSR1])?,
            #[cfg(unix)]
            stop: flag(&[signal_hook::consts::SIGTSTP])?,
            #[cfg(unix)]
            go_on: flag(&[signal_hook::consts::SIGCONT])?,
        })
    }
}

/// Does what signals and keys ask for, and keeps what is shown fresh, until `done` is closed.
///
/// An error of the terminal is returned only at the end: until then signals are obeyed.
pub(super) fn steer(
    show: &Show<'_>,
    signals: &Signals,
    terminal: &mut Terminal,
    done: &Receiver<()>,
) -> io::Result<()> {
    let came = |flag: &AtomicBool| flag.swap(false, Ordering::SeqCst);
    let mut ends = 0;
    let mut drawn: Option<Instant> = None;
    let mut shown: io::Result<()> = Ok(());
    while done.try_recv() != Err(TryRecvError::Disconnected) {
        let key = terminal.key(BEAT);
        if came(&signals.end) || key == Some(KeyCommand::End) {
            ends += 1;
            match ends {
                1 => show.finish(),
                2 => show.abandon(),
                _ => {
                    restore();
                    std::process::exit(INTERRUPTED.into());
                }
            }
        }
        if key == Some(KeyCommand::Next) {
            show.next_game();
        }
        #[cfg(unix)]
        let is_pause = came(&signals.pause);
        #[cfg(not(unix))]
        let is_pause = false;
        if is_pause || key == Some(KeyCommand::Pause) {
            show.toggle_pause();
        }
        #[cfg(unix)]
        {
            if came(&signals.stop) {
                let suspended = terminal.suspend();
                let stopped =
                    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
                signals.go_on.store(false, Ordering::SeqCst);
                shown = shown.and(stopped).and(terminal.resume(suspended));
            }
            if came(&signals.go_on) {
                // Whoever stopped us may have changed the terminal.
                let suspended = terminal.suspend();
                shown = shown.and(terminal.resume(suspended));
            }
        }
        let is_due = drawn.is_none_or(|drawn| drawn.elapsed() >= show.rhythm());
        if shown.is_ok() && (is_due || key.is_some()) {
            shown = show.tick(terminal);
            drawn = Some(Instant::now());
        }
    }
    shown
}

//! Signals and keys: what people do to a running match.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, TryRecvError};
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;

use super::show::Show;
use crate::common::interrupts::{BEAT, INTERRUPTED};
use crate::screen::terminal::{ScreenTerminal, restore};
use tengen_files::work::Stop;

/// The signals that have come.
#[derive(Debug)]
pub(super) struct Signals {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
    /// Set by either of them for good.
    end: Stop,
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
        let end = Arc::default();
        for signal in [SIGINT, SIGTERM] {
            register(signal, Arc::clone(&end))?;
        }
        let flag = |signal: i32| {
            let flag = Arc::new(AtomicBool::new(false));
            register(signal, Arc::clone(&flag))?;
            io::Result::Ok(flag)
        };
        Ok(Signals {
            interrupt: flag(SIGINT)?,
            terminate: flag(SIGTERM)?,
            end: end.into(),
            #[cfg(unix)]
            pause: flag(signal_hook::consts::SIGUSR1)?,
            #[cfg(unix)]
            stop: flag(signal_hook::consts::SIGTSTP)?,
            #[cfg(unix)]
            go_on: flag(signal_hook::consts::SIGCONT)?,
        })
    }

    /// Returns the flag that those set which end the match.
    pub(super) const fn end(&self) -> &Stop {
        &self.end
    }
}

/// What a key asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KeyCommand {
    /// Pause or go on.
    Pause,
    /// End, as Ctrl-C does.
    End,
    /// Show another game.
    Next,
}

impl KeyCommand {
    /// Returns what an event of the terminal asks for, if anything.
    fn of(event: &Event) -> Option<KeyCommand> {
        let key = event.as_key_event().filter(|key| key.kind != KeyEventKind::Release)?;
        match key.code {
            // Where this is a key and not a signal.
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                Some(KeyCommand::End)
            }
            KeyCode::Char('p' | 'P' | ' ') => Some(KeyCommand::Pause),
            KeyCode::Char('q' | 'Q') => Some(KeyCommand::End),
            KeyCode::Tab => Some(KeyCommand::Next),
            _ => None,
        }
    }
}

/// How the match is to be stopped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum MatchEnding {
    /// Not at all.
    GoOn,
    /// After the running games.
    Finish,
    /// The running games are broken off.
    Abandon,
    /// The program ends as it is.
    Exit,
}

impl MatchEnding {
    /// Returns what one more wish of a person for the end means.
    const fn further(self) -> MatchEnding {
        match self {
            MatchEnding::GoOn => MatchEnding::Finish,
            MatchEnding::Finish => MatchEnding::Abandon,
            MatchEnding::Abandon | MatchEnding::Exit => MatchEnding::Exit,
        }
    }

    /// Returns what the order of the system to end means: it waits for no game.
    const fn ordered(self) -> MatchEnding {
        match self {
            MatchEnding::GoOn | MatchEnding::Finish => MatchEnding::Abandon,
            MatchEnding::Abandon | MatchEnding::Exit => MatchEnding::Exit,
        }
    }
}

/// Does what signals and keys ask for, and keeps what is shown fresh, until `done` is closed.
///
/// An error of the terminal is returned only at the end: until then signals are obeyed.
pub(super) fn steer(
    show: &Show<'_>,
    signals: &Signals,
    terminal: &mut ScreenTerminal,
    done: &Receiver<()>,
) -> io::Result<()> {
    let came = |flag: &AtomicBool| flag.swap(false, Ordering::SeqCst);
    let mut ending = MatchEnding::GoOn;
    let mut drawn: Option<Instant> = None;
    let mut shown: io::Result<()> = Ok(());
    while done.try_recv() != Err(TryRecvError::Disconnected) {
        let event = terminal.event(BEAT);
        let key = event.as_ref().and_then(KeyCommand::of);
        let is_resized = matches!(event, Some(Event::Resize(..)));
        let before = ending;
        if came(&signals.interrupt) || key == Some(KeyCommand::End) {
            ending = ending.further();
        }
        if came(&signals.terminate) {
            ending = ending.ordered();
        }
        match ending {
            same if same == before => {}
            MatchEnding::GoOn => {}
            MatchEnding::Finish => show.finish(),
            MatchEnding::Abandon => show.abandon(),
            MatchEnding::Exit => {
                restore();
                std::process::exit(INTERRUPTED.into());
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
                shown = shown.and(terminal.suspend());
                signals.go_on.store(false, Ordering::SeqCst);
            }
            if came(&signals.go_on) {
                // The shell may have changed the terminal.
                shown = shown.and(terminal.retake());
            }
            // A job comes to the foreground without a signal.
            shown = shown.and(terminal.take_missing());
        }
        let is_due = drawn.is_none_or(|drawn| drawn.elapsed() >= show.rhythm());
        if shown.is_ok() && (is_due || is_resized || key.is_some()) {
            shown = show.tick(terminal);
            drawn = Some(Instant::now());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_end_a_match_step_by_step_and_the_system_at_once() {
        let (first, second) = (MatchEnding::GoOn.further(), MatchEnding::GoOn.further().further());
        assert_eq!(
            (first, second, second.further()),
            (MatchEnding::Finish, MatchEnding::Abandon, MatchEnding::Exit)
        );
        assert_eq!(MatchEnding::GoOn.ordered(), MatchEnding::Abandon);
        assert_eq!(first.ordered(), MatchEnding::Abandon);
        assert_eq!(MatchEnding::Abandon.ordered(), MatchEnding::Exit);
    }
}

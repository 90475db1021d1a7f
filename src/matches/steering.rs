//! Signals and keys: what people do to a running match.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, TryRecvError};
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

use super::show::Show;
use crate::common::interrupts::{BEAT, EndWish, INTERRUPTED, stop_on_signals};
use crate::screen::terminal::{ScreenTerminal, restore};
use tengen_files::work::Stop;
use tengen_lab::arena::MatchControl;

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
        for wish in EndWish::ALL {
            wish.sets(&end)?;
        }
        let ending = |wish: EndWish| {
            let flag = Arc::default();
            wish.sets(&flag).map(|()| flag)
        };
        #[cfg(unix)]
        let flag = |signal: i32| {
            let flag = Arc::default();
            signal_hook::flag::register(signal, Arc::clone(&flag)).map(|_| flag)
        };
        Ok(Signals {
            interrupt: ending(EndWish::Interrupt)?,
            terminate: ending(EndWish::Terminate)?,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MatchEnding {
    /// After the running games.
    Finish,
    /// The running games are broken off.
    Abandon,
    /// The program ends as it is.
    Exit,
}

impl MatchEnding {
    /// Returns what one more wish for the end means after the `last` one. An order of the system waits for no
    /// game.
    fn of(control: &MatchControl, last: Option<MatchEnding>, is_order: bool) -> MatchEnding {
        match last {
            Some(MatchEnding::Abandon | MatchEnding::Exit) => MatchEnding::Exit,
            _ if is_order || control.is_finishing() => MatchEnding::Abandon,
            _ => MatchEnding::Finish,
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
    let mut last = None;
    let mut drawn: Option<Instant> = None;
    let mut shown: io::Result<()> = Ok(());
    while done.try_recv() != Err(TryRecvError::Disconnected) {
        let event = terminal.event(BEAT);
        let key = event.as_ref().and_then(KeyCommand::of);
        let is_resized = matches!(event, Some(Event::Resize(..)));
        let is_wished = came(&signals.interrupt) || key == Some(KeyCommand::End);
        for (is_asked, is_order) in [(is_wished, false), (came(&signals.terminate), true)] {
            if !is_asked {
                continue;
            }
            let ending = MatchEnding::of(show.control(), last, is_order);
            last = Some(ending);
            match ending {
                MatchEnding::Finish => show.finish(),
                MatchEnding::Abandon => show.abandon(),
                MatchEnding::Exit => {
                    restore();
                    std::process::exit(INTERRUPTED.into());
                }
            }
        }
        if key == Some(KeyCommand::Next) {
            show.next_game();
        }
        if key == Some(KeyCommand::Pause) {
            show.toggle_pause();
        }
        #[cfg(unix)]
        {
            if came(&signals.pause) {
                show.toggle_pause();
            }
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
    // What is left to print may have no reader either: the second wish from now on ends the program.
    stop_on_signals().map_err(io::Error::other)?;
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_end_a_match_step_by_step_and_the_system_at_once() {
        let control = MatchControl::default();
        assert_eq!(MatchEnding::of(&control, None, true), MatchEnding::Abandon);
        assert_eq!(MatchEnding::of(&control, None, false), MatchEnding::Finish);
        control.finish();
        let second = MatchEnding::of(&control, Some(MatchEnding::Finish), false);
        assert_eq!(second, MatchEnding::Abandon);
        control.abandon();
        for is_order in [false, true] {
            assert_eq!(MatchEnding::of(&control, Some(second), is_order), MatchEnding::Exit);
        }
    }

    #[test]
    fn a_match_that_ends_by_itself_is_broken_off_by_the_first_wish() {
        let control = MatchControl::default();
        control.finish();
        assert_eq!(MatchEnding::of(&control, None, false), MatchEnding::Abandon);
        // Its report is not lost by a wish that comes as it ends.
        control.decide();
        assert_eq!(MatchEnding::of(&control, None, false), MatchEnding::Abandon);
    }
}

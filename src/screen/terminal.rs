//! The terminal: its keys, its mouse, a screen of our own, and the way back.
//!
//! All are states of the terminal and not of this process, so they are undone whatever happens: when
//! [`ScreenTerminal`] is dropped, and before the message of a panic is shown.

use std::io::{self, IsTerminal, Stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::{Frame, Terminal};

use crate::common::panics::before_panics;
use tengen_core::sys::signal::suspend_self;
use tengen_core::sys::terminal::{as_before, is_foreground, key_by_key};

/// The most events that wait.
const MOST_EVENTS: usize = 256;

/// The parts of the terminal that are ours: the sum of those below.
static TAKEN: AtomicU8 = AtomicU8::new(0);
/// The keys come one by one, but Ctrl-C and Ctrl-Z stay signals.
const KEYS: u8 = 1;
/// Everything that is typed comes as it is.
const RAW: u8 = 2;
/// There is a screen of our own, without a cursor.
const SCREEN: u8 = 4;
/// Clicks and pasted text come as such.
const MOUSE: u8 = 8;

/// How much of the terminal a command takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// Single keys. What is printed is printed as ever. Where standard input is no terminal or this is a
    /// job in the background, nothing is taken.
    Keys,
    /// Single keys as above and the screen, for a process that works on in the background.
    Watch,
    /// The screen and everything that people type, click and paste.
    Whole,
}

/// The terminal while something of it is ours.
pub(crate) struct ScreenTerminal {
    claim: Claim,
    /// What draws on the screen while it is ours.
    screen: Option<Terminal<CrosstermBackend<Stdout>>>,
}

impl ScreenTerminal {
    /// Takes the terminal.
    ///
    /// # Errors
    ///
    /// Returns the system's error if there is no terminal.
    pub(crate) fn take(claim: Claim) -> io::Result<ScreenTerminal> {
        static ONCE: Once = Once::new();
        before_panics(&ONCE, restore);
        let mut terminal = ScreenTerminal { claim, screen: None };
        // Dropped after an error, it gives back what was taken before.
        terminal.retake()?;
        Ok(terminal)
    }

    /// Draws the screen anew, if it is ours.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the terminal is gone.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if let Some(screen) = &mut self.screen {
            screen.draw(draw)?;
        }
        Ok(())
    }

    /// Returns what is typed within a time. Without keys, waits for as long.
    pub(crate) fn event(&self, wait: Duration) -> Option<Event> {
        // A job in the background must not read.
        if !has(KEYS | RAW) || !is_foreground() {
            thread::sleep(wait);
            return None;
        }
        if event::poll(wait).unwrap_or(false) { event::read().ok() } else { None }
    }

    /// Takes what is not ours yet because the process was in the background.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the terminal is gone.
    #[cfg(unix)]
    pub(crate) fn take_missing(&mut self) -> io::Result<()> {
        if TAKEN.load(Ordering::SeqCst) == 0 && is_ours() { self.retake() } else { Ok(()) }
    }

    /// Takes the terminal again, after somebody may have changed it.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the terminal is gone.
    pub(crate) fn retake(&mut self) -> io::Result<()> {
        restore();
        take(self.claim)?;
        // Made anew, as `clear` would ask the terminal for the place of its cursor, and the answer go to
        // whoever reads the keys.
        let screen = || Terminal::new(CrosstermBackend::new(io::stdout()));
        self.screen = if has(SCREEN) { Some(screen()?) } else { None };
        Ok(())
    }

    /// Gives the terminal back, suspends the process, and takes the terminal again when it goes on. On
    /// systems that suspend no programs, does nothing.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the terminal is gone.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        if cfg!(unix) {
            restore();
            suspend_self()?;
            self.retake()?;
        }
        Ok(())
    }
}

impl Drop for ScreenTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Returns whether a screen can be drawn on standard output.
pub(crate) fn can_draw() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns the columns and rows of the terminal.
///
/// # Errors
///
/// Returns the system's error if there is none.
pub(crate) fn size() -> io::Result<(u16, u16)> {
    ratatui::crossterm::terminal::size()
}

/// Starts to read the terminal; the channel is closed when it is gone.
pub(crate) fn input() -> Receiver<Event> {
    let (sender, events) = bounded(MOST_EVENTS);
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    events
}

/// Returns whether any of these parts is ours.
fn has(parts: u8) -> bool {
    TAKEN.load(Ordering::SeqCst) & parts != 0
}

/// Returns whether no other process has the terminal behind standard input.
fn is_ours() -> bool {
    !io::stdin().is_terminal() || is_foreground()
}

fn take(claim: Claim) -> io::Result<()> {
    // A part counts as taken before it is: what went wrong half-way is undone as well.
    let mark = |part: u8| TAKEN.fetch_or(part, Ordering::SeqCst);
    if claim == Claim::Whole {
        mark(RAW);
        enable_raw_mode()?;
    } else if !is_ours() {
        // The system stops a job in the background that sets the terminal.
        return Ok(());
    } else if io::stdin().is_terminal() {
        // Without keys there are signals still, so a failure is no error.
        let (part, taken) =
            if cfg!(windows) { (RAW, enable_raw_mode()) } else { (KEYS, key_by_key()) };
        if taken.is_ok() {
            mark(part);
        }
    }
    if claim != Claim::Keys {
        mark(SCREEN);
        execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), cursor::Hide)?;
    }
    if claim == Claim::Whole {
        mark(MOUSE);
        execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)?;
    }
    Ok(())
}

/// Gives the terminal back as it was. Does nothing if nothing was taken.
pub(crate) fn restore() {
    let taken = TAKEN.swap(0, Ordering::SeqCst);
    // If the terminal is gone, there is nothing to be restored.
    if taken & MOUSE != 0 {
        let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
    }
    if taken & SCREEN != 0 {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
    }
    if taken & RAW != 0 {
        let _ = disable_raw_mode();
    }
    // In the background the settings are those of another process.
    if taken & KEYS != 0 && is_foreground() {
        as_before();
    }
}

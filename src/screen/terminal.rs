//! The terminal: raw keys, the mouse and a screen of its own, and the way back.
//!
//! All are states of the terminal and not of this process, so they are undone whatever happens: when
//! [`ScreenTerminal`] is dropped, and before the message of a panic is shown.

use std::io::{self, Stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use crate::common::panics::before_panics;

/// The most events that wait.
const MOST_EVENTS: usize = 256;

/// True if the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the game is on the screen.
pub(crate) struct ScreenTerminal {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl ScreenTerminal {
    /// Takes the terminal.
    ///
    /// # Errors
    ///
    /// Returns the system's error if there is no terminal.
    pub(crate) fn take() -> io::Result<ScreenTerminal> {
        static ONCE: Once = Once::new();
        before_panics(&ONCE, restore);
        let taken = take();
        // Whatever was acquired before the error is released.
        let given = taken.inspect_err(|_| restore());
        given?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        Ok(ScreenTerminal { terminal: terminal.inspect_err(|_| restore())? })
    }

    /// Gives the terminal back, suspends the process, and takes the terminal again when it goes on.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the terminal is gone.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        use tengen_core::sys::signal::{Signal, send};
        restore();
        send(std::process::id(), Signal::Stop)?;
        take()?;
        self.terminal.clear()
    }

    /// Does nothing: this system suspends no programs.
    #[cfg(not(unix))]
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for ScreenTerminal {
    fn drop(&mut self) {
        restore();
    }
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

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste,
        cursor::Hide
    )
}

/// Gives the terminal back as it was. Does nothing if it was not taken.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // If the terminal is gone, there is nothing to be restored.
        let _ = execute!(
            io::stdout(),
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}

//! The terminal: keys one by one, a screen of its own, and the way back.
//!
//! Both are states of the terminal and not of this process, so they are undone whatever happens:
//! when [`Terminal`] is dropped, and before the message of a panic is shown.

use std::io::{self, IsTerminal, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::{
    Attribute, Print, ResetColor, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue};

use super::draw::{Ink, ScreenLine};
use crate::common::panics::before_panics;
use tengen_core::sys::terminal;

/// True if the alternate screen is on.
static SCREEN: AtomicBool = AtomicBool::new(false);
/// True if keys come one by one.
static KEYS: AtomicBool = AtomicBool::new(false);

/// The colours of a board of wood, of the 256 that every terminal has.
mod paint {
    use crossterm::style::Color;

    pub(super) const WOOD: Color = Color::AnsiValue(180);
    pub(super) const LINES: Color = Color::AnsiValue(137);
    pub(super) const BLACK: Color = Color::AnsiValue(16);
    pub(super) const WHITE: Color = Color::AnsiValue(231);
    pub(super) const MARK: Color = Color::AnsiValue(160);
    pub(super) const ALERT: Color = Color::AnsiValue(208);
}

/// The command of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyCommand {
    /// Pause or go on.
    Pause,
    /// End, as Ctrl-C does.
    End,
    /// Show another game.
    Next,
}

/// The terminal as long as the match runs.
#[derive(Debug)]
pub(super) struct Terminal {
    /// The size of the screen when it was drawn last.
    size: (u16, u16),
}

impl Terminal {
    /// Takes the keys if standard input is a terminal, and the screen if that is wanted.
    pub(super) fn new(with_screen: bool) -> io::Result<Terminal> {
        static ONCE: Once = Once::new();
        before_panics(&ONCE, restore);
        let terminal = Terminal { size: (0, 0) };
        if io::stdin().is_terminal() {
            take_keys();
        }
        if with_screen {
            take_screen()?;
        }
        Ok(terminal)
    }

    /// Returns the key that is pressed within a time. Without keys, waits for as long.
    pub(super) fn key(&self, wait: Duration) -> Option<KeyCommand> {
        // A job in the background must not read.
        if !KEYS.load(Ordering::SeqCst) || !terminal::is_foreground() {
            std::thread::sleep(wait);
            return None;
        }
        if !event::poll(wait).unwrap_or(false) {
            return None;
        }
        let Ok(Event::Key(key)) = event::read() else { return None };
        if key.kind == KeyEventKind::Release {
            return None;
        }
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

    /// Returns the columns and rows of the screen.
    pub(super) fn size() -> (usize, usize) {
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        (columns.into(), rows.into())
    }

    /// Draws the whole screen, if it is ours.
    pub(super) fn draw(&mut self, lines: &[ScreenLine]) -> io::Result<()> {
        if !SCREEN.load(Ordering::SeqCst) {
            return Ok(());
        }
        let size = crossterm::terminal::size().unwrap_or((80, 24));
        let mut out = io::BufWriter::new(io::stdout().lock());
        queue!(out, BeginSynchronizedUpdate)?;
        if std::mem::replace(&mut self.size, size) != size {
            queue!(out, Clear(ClearType::All))?;
        }
        for (row, line) in (0..).zip(lines) {
            queue!(out, cursor::MoveTo(0, row))?;
            for span in line {
                set_ink(&mut out, span.ink)?;
                queue!(out, Print(&span.text))?;
            }
            queue!(out, ResetColor, SetAttribute(Attribute::Reset))?;
            queue!(out, Clear(ClearType::UntilNewLine))?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()
    }

    /// Gives the terminal back while the process is stopped; [`Terminal::resume`] takes it again.
    #[cfg(unix)]
    pub(super) fn suspend(&self) -> Suspended {
        let suspended = Suspended { screen: SCREEN.load(Ordering::SeqCst) };
        restore();
        suspended
    }

    /// Takes the terminal again.
    #[cfg(unix)]
    pub(super) fn resume(&mut self, suspended: Suspended) -> io::Result<()> {
        self.size = (0, 0);
        if io::stdin().is_terminal() {
            take_keys();
        }
        if suspended.screen { take_screen() } else { Ok(()) }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// The state of the terminal to take up again.
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspended {
    screen: bool,
}

/// Returns whether a screen can be drawn on standard output.
pub(super) fn can_draw() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Gives the terminal back as it was. Does nothing if nothing was taken.
pub(super) fn restore() {
    if SCREEN.swap(false, Ordering::SeqCst) {
        // If the terminal is gone, there is nothing to be restored.
        let _ = execute!(io::stdout(), ResetColor, cursor::Show, LeaveAlternateScreen);
    }
    if KEYS.swap(false, Ordering::SeqCst) {
        if cfg!(windows) {
            let _ = crossterm::terminal::disable_raw_mode();
        }
        terminal::as_before();
    }
}

fn take_screen() -> io::Result<()> {
    SCREEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, Clear(ClearType::All))
}

/// Without keys the match can be steered by signals still, so a failure is not an error.
fn take_keys() {
    if !terminal::is_foreground() {
        return;
    }
    let taken =
        if cfg!(windows) { crossterm::terminal::enable_raw_mode() } else { terminal::key_by_key() };
    KEYS.store(taken.is_ok(), Ordering::SeqCst);
}

fn set_ink(out: &mut impl Write, ink: Ink) -> io::Result<()> {
    queue!(out, ResetColor, SetAttribute(Attribute::Reset))?;
    let on_wood = match ink {
        Ink::Plain => return Ok(()),
        Ink::Faint => return queue!(out, SetAttribute(Attribute::Dim)),
        Ink::Strong => return queue!(out, SetAttribute(Attribute::Bold)),
        Ink::Alert => return queue!(out, SetForegroundColor(paint::ALERT)),
        Ink::Board => paint::LINES,
        Ink::Black => paint::BLACK,
        Ink::White => paint::WHITE,
        Ink::Mark => paint::MARK,
    };
    queue!(out, SetBackgroundColor(paint::WOOD), SetForegroundColor(on_wood))
}

//! The loop between the terminal, the engine and the screen.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, select};
use ratatui::crossterm::event::Event as TerminalEvent;
use ratatui::layout::Rect;

use super::{Screen, ScreenEvent};
use crate::common::interrupts::{BEAT, Interrupts};
use crate::common::words::printable_path;
use crate::play::TableEvent;
use crate::play::table::PlayTable;
use crate::screen::Look;
use crate::screen::terminal::{Claim, ScreenTerminal, input, size};
use tengen_core::sys::clock::SystemClock;
use tengen_engine::engine::Engine;
use tengen_lab::process::quoted;
use tengen_people::play::{CoachAnswer, state_file};

/// Plays on the whole screen until the end.
///
/// # Errors
///
/// Returns an error if the terminal cannot be had or is gone; the game is saved then.
pub(in crate::play) fn run(
    table: PlayTable<Engine, SystemClock>,
    look: Look,
    events: &Receiver<TableEvent>,
    advice: &Receiver<CoachAnswer>,
    signals: &Interrupts,
    is_welcoming: bool,
) -> anyhow::Result<ExitCode> {
    let mut terminal = ScreenTerminal::take(Claim::Whole).context("cannot use the terminal")?;
    let (width, height) = size().context("cannot use the terminal")?;
    let mut screen = Screen::new(table, look, Rect::new(0, 0, width, height), is_welcoming);
    let ended = serve(&mut screen, &mut terminal, &input(), events, advice, signals);
    drop(terminal);
    let game = screen.table().session().game();
    let goes_on = ended.is_ok() && game.end().is_none() && !game.is_untouched();
    if goes_on && let Some(path) = screen.table_mut().kept_in() {
        let file = match state_file() {
            Some(usual) if usual == path => String::new(),
            _ => format!(" --autosave {}", quoted(&printable_path(path))),
        };
        writeln!(std::io::stdout(), "The game is saved: tengen play --resume{file} goes on")?;
    }
    screen.table_mut().dismiss_programs();
    // Dropping the engine would end its threads one by one; the process ends at once.
    std::mem::forget(screen);
    ended
}

fn serve(
    screen: &mut Screen<Engine, SystemClock>,
    terminal: &mut ScreenTerminal,
    input: &Receiver<TerminalEvent>,
    events: &Receiver<TableEvent>,
    advice: &Receiver<CoachAnswer>,
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut is_changed = true;
    loop {
        if screen.is_over() || signals.terminate.load(Ordering::SeqCst) {
            return Ok(ExitCode::SUCCESS);
        }
        if screen.takes_suspension() {
            terminal.suspend()?;
            is_changed = true;
        }
        if is_changed {
            terminal.draw(|frame| screen.draw(frame))?;
        }
        let wait =
            screen.table().session().deadline().map_or(BEAT, |deadline| {
                deadline.saturating_duration_since(Instant::now()).min(BEAT)
            });
        let mut next = select! {
            recv(input) -> event => match event {
                Ok(event) => ScreenEvent::Terminal(event),
                Err(_) => bail!("the terminal is gone"),
            },
            recv(events) -> event => match event {
                Ok(event) => ScreenEvent::Table(event),
                Err(_) => bail!("the engine is gone"),
            },
            recv(advice) -> answer => match answer {
                Ok(answer) => ScreenEvent::Advice(answer),
                Err(_) => bail!("the coach is gone"),
            },
            default(wait) => ScreenEvent::Tick,
        };
        is_changed = screen.has_clock() || !matches!(next, ScreenEvent::Tick);
        if signals.interrupt.swap(false, Ordering::SeqCst) {
            is_changed = true;
            screen.update(ScreenEvent::Interrupt);
        }
        // Everything that is there already is drawn at once.
        loop {
            screen.update(next);
            let more = input.try_recv().map(ScreenEvent::Terminal);
            let more = more.or_else(|_| events.try_recv().map(ScreenEvent::Table));
            match more {
                Ok(event) if !screen.is_over() => next = event,
                _ => break,
            }
        }
    }
}

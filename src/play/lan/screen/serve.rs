//! The loop between the terminal, the room and the screen.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, never, select};
use ratatui::crossterm::event::Event as TerminalEvent;
use ratatui::layout::Rect;

use super::{RoomScreen, RoomScreenEvent};
use crate::common::interrupts::{BEAT, Interrupts};
use crate::play::lan::RoomSide;
use crate::screen::Look;
use crate::screen::terminal::{Claim, ScreenTerminal, input, size};

/// Plays in a room on the whole screen until the player leaves.
///
/// # Errors
///
/// Returns an error if the terminal cannot be had or is gone, or if nobody lets this player in.
pub(in crate::play::lan) fn run<S: RoomSide>(
    side: &mut S,
    look: Look,
    events: &Receiver<S::Event>,
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut terminal = ScreenTerminal::take(Claim::Whole).context("cannot use the terminal")?;
    let (width, height) = size().context("cannot use the terminal")?;
    let mut screen = RoomScreen::new(side, look, Rect::new(0, 0, width, height));
    serve(&mut screen, &mut terminal, &input(), events, signals)
}

fn serve<S: RoomSide>(
    screen: &mut RoomScreen<'_, S>,
    terminal: &mut ScreenTerminal,
    input: &Receiver<TerminalEvent>,
    events: &Receiver<S::Event>,
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut events = events.clone();
    loop {
        if screen.has_left() || signals.terminate.load(Ordering::SeqCst) {
            return Ok(ExitCode::SUCCESS);
        }
        if screen.takes_suspension() {
            terminal.suspend()?;
        }
        // Clocks run; where nothing has changed, nothing is written.
        terminal.draw(|frame| screen.draw(frame))?;
        let next = select! {
            recv(input) -> event => match event {
                Ok(event) => RoomScreenEvent::Terminal(event),
                Err(_) => bail!("the terminal is gone"),
            },
            recv(events) -> event => match event {
                Ok(event) => RoomScreenEvent::Room(event),
                Err(_) => {
                    // The room is closed, and what was played stays to be seen.
                    events = never();
                    RoomScreenEvent::Tick
                }
            },
            default(BEAT) => RoomScreenEvent::Tick,
        };
        screen.update(next)?;
        if signals.interrupt.swap(false, Ordering::SeqCst) {
            screen.update(RoomScreenEvent::Interrupt)?;
        }
    }
}

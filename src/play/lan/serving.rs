//! The loop of either side of a room.

use std::collections::VecDeque;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::bail;
use crossbeam_channel::{Receiver, never, select};

use crate::common::interrupts::{BEAT, INTERRUPTED, Interrupts};
use crate::play::{MOST_LINES, MOST_TYPED};
use tengen_files::printable::printable_lines;

/// One of the players of a room, with what is typed and what comes over the network.
pub(super) trait RoomSide {
    /// Events from the network.
    type Event;

    /// Returns what was not said yet, to be added to and taken.
    fn told(&mut self) -> &mut String;

    /// Returns whether the player has left.
    fn is_over(&self) -> bool;

    /// Returns whether a line that has waited can be obeyed now.
    fn takes(&self, line: &str) -> bool;

    /// Does what a line says.
    fn obey(&mut self, line: &str);

    /// Looks at a line that has just been typed, and returns it if it has to wait. `waits` tells whether
    /// others do already.
    fn typed(&mut self, line: String, waits: bool) -> Option<String>;

    /// Returns whether the program may end with its input when no line waits any more.
    fn may_end(&self) -> bool;

    /// Takes what has come over the network.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to go on with.
    fn event(&mut self, event: Self::Event) -> anyhow::Result<()>;

    /// Does what is due; called every [`BEAT`] at least.
    fn beat(&mut self);
}

/// Serves a player until the end.
pub(super) fn serve<S: RoomSide>(
    side: &mut S,
    out: &mut impl Write,
    lines: &Receiver<Vec<u8>>,
    events: &Receiver<S::Event>,
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut lines = lines.clone();
    let mut waiting: VecDeque<String> = VecDeque::new();
    let mut is_closing = false;
    loop {
        out.write_all(printable_lines(&std::mem::take(side.told())).as_bytes())?;
        out.flush()?;
        if side.is_over() || signals.terminate.load(Ordering::SeqCst) {
            return Ok(ExitCode::SUCCESS);
        }
        if signals.interrupt.load(Ordering::SeqCst) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if waiting.front().is_some_and(|line| side.takes(line))
            && let Some(line) = waiting.pop_front()
        {
            side.obey(&line);
            continue;
        }
        if is_closing && waiting.is_empty() && side.may_end() {
            return Ok(ExitCode::SUCCESS);
        }
        let more = if waiting.len() < MOST_LINES { lines.clone() } else { never() };
        select! {
            recv(more) -> line => match line {
                Ok(line) if line.len() > MOST_TYPED => {
                    *side.told() += "Error: the line is too long.\n";
                }
                Ok(line) => {
                    let line = String::from_utf8_lossy(&line).into_owned();
                    waiting.extend(side.typed(line, !waiting.is_empty()));
                }
                Err(_) => {
                    lines = never();
                    is_closing = true;
                }
            },
            recv(events) -> event => match event {
                Ok(event) => side.event(event)?,
                Err(_) => bail!("the room is gone"),
            },
            default(BEAT) => {}
        }
        side.beat();
    }
}

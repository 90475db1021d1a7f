//! The loop of a game by typed lines, with the engine or in a room.

use std::collections::VecDeque;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::bail;
use crossbeam_channel::{Receiver, never, select};

use super::{MOST_LINES, MOST_TYPED};
use crate::common::interrupts::{BEAT, INTERRUPTED, Interrupts};
use tengen_files::printable::printable_lines;
use tengen_people::play::CoachAnswer;

/// A player at the terminal, with what is typed and what comes of the other player: the engine, or a person
/// in a room.
pub(super) trait TypingPlayer {
    /// Events of the other player.
    type Event;

    /// The error when no more events can come.
    const GONE: &'static str = "the room is gone";

    /// Returns what was not said yet, to be added to and taken.
    fn told(&mut self) -> &mut String;

    /// Saves what has changed, before it is said.
    fn save_changes(&mut self) {}

    /// Returns whether the player has left.
    fn is_over(&self) -> bool;

    /// Takes an interrupt; returns whether the program goes on.
    fn interrupted(&mut self) -> bool {
        false
    }

    /// Returns whether a line that has waited can be obeyed now.
    fn takes(&self, line: &str) -> bool;

    /// Does what a line says.
    fn obey(&mut self, line: &str);

    /// Looks at a line that has just been typed, and returns it if it has to wait. `waits` tells whether
    /// others do already.
    fn typed(&mut self, line: String, waits: bool) -> Option<String>;

    /// Takes note of the end of the input.
    fn input_ended(&mut self) {}

    /// Returns whether the program may end with its input when no line waits any more.
    fn may_end(&self) -> bool;

    /// Takes an event.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to go on with.
    fn event(&mut self, event: Self::Event) -> anyhow::Result<()>;

    /// Takes an answer of the coach.
    fn advice(&mut self, _answer: CoachAnswer) {}

    /// Returns the time until something is due.
    fn patience(&self) -> Duration {
        BEAT
    }

    /// Does what is due; called every [`BEAT`] at least.
    fn beat(&mut self);
}

/// Serves a player until the end. Nothing comes of `advice` where there is no coach.
pub(super) fn serve<S: TypingPlayer>(
    side: &mut S,
    out: &mut impl Write,
    lines: &Receiver<Vec<u8>>,
    (events, advice): (&Receiver<S::Event>, &Receiver<CoachAnswer>),
    signals: &Interrupts,
) -> anyhow::Result<ExitCode> {
    let mut lines = lines.clone();
    let mut waiting: VecDeque<String> = VecDeque::new();
    let mut is_closing = false;
    loop {
        side.save_changes();
        out.write_all(printable_lines(&std::mem::take(side.told())).as_bytes())?;
        out.flush()?;
        if side.is_over() || signals.terminate.load(Ordering::SeqCst) {
            return Ok(ExitCode::SUCCESS);
        }
        if signals.interrupt.swap(false, Ordering::SeqCst) {
            if !side.interrupted() {
                return Ok(ExitCode::from(INTERRUPTED));
            }
            continue;
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
                    side.input_ended();
                }
            },
            recv(events) -> event => match event {
                Ok(event) => side.event(event)?,
                Err(_) => bail!(S::GONE),
            },
            recv(advice) -> answer => match answer {
                Ok(answer) => side.advice(answer),
                Err(_) => bail!("the coach is gone"),
            },
            default(side.patience().min(BEAT)) => {}
        }
        side.beat();
    }
}

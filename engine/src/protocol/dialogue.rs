//! Which lines wait for the owed answer, and which are meant for the search that runs.
//!
//! Lines that were there when a question was asked are a script: each is carried out when the answers to
//! the questions before it are given, and it may be that nobody waits for these answers. Lines that come
//! later are written by somebody who knows that the engine thinks. They change the search, or end it.

use std::time::Instant;

use super::command::{BlockKind, Command};
use super::input::{InputLine, Reading};
use super::phase::Phase;
use super::question::{AnswerStyle, OwedAnswer};
use super::session::Session;
use crate::engine::Thinker;

impl Command {
    /// Returns whether this can only be carried out when no answer is owed.
    fn needs_answer(&self) -> bool {
        self.ends_thinking() || *self == Command::End
    }

    fn is_stop(&self) -> bool {
        matches!(self, Command::Stop | Command::YxStop)
    }
}

impl<T: Thinker> Session<T> {
    /// Obeys a line at once as far as it is meant for the search that runs, even if others wait before
    /// it; returns whether it is done with.
    pub(super) fn obey_at_once(&mut self, line: &InputLine, now: Instant) -> bool {
        let is_meant = self.phase.question().is_some_and(|question| !question.was_there(line.at));
        if !is_meant || !self.is_command(line) {
            return false;
        }
        match &line.command {
            Command::End => {
                self.end();
                true
            }
            Command::Info(info) if info.is_clock() => {
                self.info(info, now);
                true
            }
            command => {
                if self.ends_search(command) {
                    self.stop_thinking(now);
                }
                // It is a part of the conversation still: a STOP ends all that was asked before it.
                false
            }
        }
    }

    /// Returns whether a line that arrives now is a command and not a part of what came before it. What
    /// waits is taken for complete.
    fn is_command(&self, line: &InputLine) -> bool {
        if !self.waiting.is_empty() {
            return true;
        }
        match &self.reading {
            Reading::Commands => true,
            Reading::Block(block) => !block.is_quoted() && line.command.interrupts_blocks(),
            Reading::DatabasePath(_) | Reading::HashPath(_) => line.command == Command::End,
        }
    }

    /// Returns whether a command that comes during the search ends it. A Yixin Board sends a new position
    /// right behind a step of an opening and does not want the step cut off.
    fn ends_search(&self, command: &Command) -> bool {
        let is_step =
            |question: &OwedAnswer| question.style == AnswerStyle::Messages && question.is_finite();
        match command {
            Command::Start { .. } | Command::Block { kind: BlockKind::YxBoard, .. } => {
                !self.phase.question().is_some_and(is_step)
            }
            command => command.is_stop() || command.ends_thinking(),
        }
    }

    /// Returns whether the next line has to wait for the owed answer.
    pub(super) fn must_wait(&self, line: &InputLine) -> bool {
        let Some(question) = self.phase.question() else { return false };
        match &line.command {
            Command::End => !self.reading.is_text(),
            _ if !matches!(self.reading, Reading::Commands) => false,
            command if command.is_stop() => false,
            command if command.needs_answer() => true,
            // A board asks its database right behind a move, and shows the answer while it waits.
            _ => question.was_there(line.at) && question.is_finite() && !self.options.shows_info(),
        }
    }

    /// Returns whether the search has to end because of what is known of the lines behind its question: a
    /// `STOP` before the next question, or, where the search has no limit, that something waits for it.
    pub(super) fn script_ends_search(&self) -> bool {
        let before_next = |line: &&InputLine| !line.command.needs_answer();
        self.phase.question().is_some_and(|question| {
            let waits = self.closed || !self.waiting.is_empty();
            let mut behind = self.waiting.iter().take_while(before_next);
            waits && !question.is_finite() || behind.any(|line| line.command.is_stop())
        })
    }

    /// Goes on with the script behind a question whose answer is given: its clocks begin now.
    pub(super) fn go_on_with_script(&mut self, question: &OwedAnswer, now: Instant) {
        for line in self.waiting.iter_mut().filter(|line| question.was_there(line.at)) {
            line.at = now;
        }
    }

    /// Ends the conversation without another word.
    pub(super) fn end(&mut self) {
        self.thinker.stop();
        self.waiting.clear();
        self.phase = Phase::Ended;
    }
}

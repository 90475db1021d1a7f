//! The dialogue of a session: what is owed, the lines that wait, and the replies to write.
//!
//! Lines that were there when a question was asked are a script: each is carried out when the answers to
//! the questions before it are given, and it may be that nobody waits for these answers. Lines that come
//! later are written by somebody who knows that the engine thinks. They change the search, or end it.

use std::collections::VecDeque;
use std::mem;
use std::time::Instant;

use super::command::{BlockKind, Command};
use super::info::Info;
use super::input::{InputLine, Reading};
use super::question::{AnswerStyle, OwedAnswer, was_there};
use super::reply::Reply;
use super::study::OwedStudy;
use super::work::SessionWork;
use crate::engine::JobSlot;

impl Command {
    /// Returns whether this can only be carried out when no answer is owed.
    fn needs_answer(&self) -> bool {
        self.ends_thinking() || *self == Command::End
    }

    fn is_stop(&self) -> bool {
        matches!(self, Command::Stop | Command::YxStop)
    }
}

/// The debt to the manager, and the lines in both directions.
#[derive(Default)]
pub(super) struct Dialogue {
    /// The work of the engine, of which one is the answer that is owed.
    slot: JobSlot<SessionWork>,
    /// The study that is owed; then no answer of the engine is.
    study: Option<OwedStudy>,
    /// True if `END` was received: nothing more is written.
    has_ended: bool,
    /// The meaning of the next line.
    reading: Reading,
    /// The lines that wait for the owed answer, and those behind them.
    waiting: VecDeque<InputLine>,
    /// True if the input has ended.
    closed: bool,
    replies: Vec<Reply>,
}

/// What is owed to the manager, as far as the lines behind it are concerned.
#[derive(Clone, Copy)]
struct Debt {
    asked: Instant,
    /// True if the work for it ends by itself.
    is_finite: bool,
}

impl Debt {
    fn was_there(self, at: Instant) -> bool {
        was_there(self.asked, at)
    }
}

/// A state of a dialogue to go back to.
#[derive(Clone)]
pub(super) struct KeptDialogue {
    slot: JobSlot<SessionWork>,
    study: Option<OwedStudy>,
    has_ended: bool,
    reading: Reading,
    replies: usize,
}

impl Dialogue {
    /// Returns the work of the engine.
    pub(super) fn slot(&self) -> &JobSlot<SessionWork> {
        &self.slot
    }

    /// Returns the work of the engine.
    pub(super) fn slot_mut(&mut self) -> &mut JobSlot<SessionWork> {
        &mut self.slot
    }

    /// Returns whether `END` was received.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns whether nothing is owed, no line waits and the engine is free, so that it may be asked
    /// something of its own.
    pub(super) fn is_free(&self) -> bool {
        let goes_on = !self.has_ended && !self.closed;
        goes_on && self.slot.is_idle() && self.study.is_none() && self.waiting.is_empty()
    }

    /// Returns whether nothing more will be said: after `END`, or at the end of the input when nothing is
    /// owed.
    pub(super) fn is_over(&self) -> bool {
        let done = self.has_ended || self.closed && !self.is_owed();
        done && self.waiting.is_empty()
    }

    /// Notes the end of the input.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    /// Ends the dialogue without another word.
    pub(super) fn end(&mut self) {
        self.waiting.clear();
        self.slot = JobSlot::Idle;
        self.study = None;
        self.has_ended = true;
    }

    /// Adds a reply.
    pub(super) fn reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    /// Adds replies.
    pub(super) fn reply_all(&mut self, replies: impl IntoIterator<Item = Reply>) {
        self.replies.extend(replies);
    }

    /// Returns the replies to write.
    pub(super) fn take_replies(&mut self) -> Vec<Reply> {
        mem::take(&mut self.replies)
    }

    /// Adds a line, to be carried out after those that wait.
    pub(super) fn push(&mut self, line: InputLine) {
        self.waiting.push_back(line);
    }

    /// Returns the first line that waits.
    pub(super) fn first_line(&self) -> Option<&InputLine> {
        self.waiting.front()
    }

    /// Takes the first line that waits.
    pub(super) fn take_line(&mut self) -> Option<InputLine> {
        self.waiting.pop_front()
    }

    /// Returns whether the next line is a command, and not a part of the one before it.
    pub(super) fn reads_commands(&self) -> bool {
        matches!(self.reading, Reading::Commands)
    }

    /// Returns whether a line is the end of the dialogue, and not a part of a text.
    pub(super) fn is_end(&self, line: &InputLine) -> bool {
        line.command == Command::End && !self.reading.takes(&line.command)
    }

    /// Reads the next line as a part of this.
    pub(super) fn read(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// Takes what a line with this command is a part of, unless it is a command by itself.
    pub(super) fn continued_by(&mut self, command: &Command) -> Option<Reading> {
        self.reading.takes(command).then(|| self.take_reading())
    }

    /// Takes what the next line is a part of; that after it is a command again.
    pub(super) fn take_reading(&mut self) -> Reading {
        mem::take(&mut self.reading)
    }

    /// Returns whether a line is meant for the search or the study that runs, even if others wait before it.
    pub(super) fn is_for_search(&self, line: &InputLine) -> bool {
        self.debt().is_some_and(|debt| !debt.was_there(line.at)) && self.is_command(line)
    }

    /// Returns whether a line that arrives now is a command and not a part of what came before it. What
    /// waits is taken for complete.
    fn is_command(&self, line: &InputLine) -> bool {
        !self.waiting.is_empty() || !self.reading.takes(&line.command)
    }

    /// Returns whether a command that comes during the search ends it. A Yixin Board sends a new position
    /// right behind a step of an opening and does not want the step cut off.
    pub(super) fn ends_search(&self, command: &Command) -> bool {
        let is_step =
            |question: &OwedAnswer| question.style == AnswerStyle::Messages && question.is_finite();
        match command {
            Command::Start { .. } | Command::Block { kind: BlockKind::YxBoard, .. } => {
                !self.slot.question().is_some_and(is_step)
            }
            command => command.is_stop() || command.ends_thinking(),
        }
    }

    /// Returns whether the next line has to wait for the owed answer; `is_board` says whether the manager is
    /// a board that asks its database right behind a move, and shows the answer while it waits.
    pub(super) fn must_wait(&self, line: &InputLine, is_board: bool) -> bool {
        let Some(debt) = self.debt() else { return false };
        match &line.command {
            Command::End => !self.reading.takes(&line.command),
            _ if !self.reads_commands() => false,
            command if command.is_stop() => false,
            command if command.needs_answer() => true,
            _ => debt.was_there(line.at) && debt.is_finite && !is_board,
        }
    }

    /// Returns whether the search has to end because of what is known of the lines behind its question: a
    /// `STOP` before the next question, or, where the search has no limit, that something waits for it.
    pub(super) fn script_ends_search(&self) -> bool {
        let before_next = |line: &&InputLine| !line.command.needs_answer();
        self.debt().is_some_and(|debt| {
            let waits = self.closed || !self.waiting.is_empty();
            let mut behind = self.waiting.iter().take_while(before_next);
            waits && !debt.is_finite || behind.any(|line| line.command.is_stop())
        })
    }

    /// Drops the lines that wait with an earlier value of a key: the last one that was sent holds.
    pub(super) fn drop_earlier(&mut self, info: &Info) {
        let key = mem::discriminant(info);
        self.waiting.retain(|line| {
            !matches!(&line.command, Command::Info(other) if mem::discriminant(other) == key)
        });
    }

    /// Goes on with the script behind a question that was asked at `asked` and whose answer is given: its clocks
    /// begin now.
    pub(super) fn go_on_with_script(&mut self, asked: Instant, now: Instant) {
        for line in self.waiting.iter_mut().filter(|line| was_there(asked, line.at)) {
            line.at = now;
        }
    }

    /// Returns what is owed.
    fn debt(&self) -> Option<Debt> {
        let of_question =
            |question: &OwedAnswer| Debt { asked: question.asked, is_finite: question.is_finite() };
        let of_study = |study: &OwedStudy| Debt { asked: study.asked, is_finite: study.is_finite };
        self.slot.question().map(of_question).or_else(|| self.study.as_ref().map(of_study))
    }

    /// Returns whether an answer of the engine or a study is owed.
    pub(super) fn is_owed(&self) -> bool {
        self.slot.is_owed() || self.study.is_some()
    }

    /// Owes a study.
    pub(super) fn begin_study(&mut self, study: OwedStudy) {
        self.study = Some(study);
    }

    /// Asks for the end of the study that is owed, if one is.
    pub(super) fn stop_study(&self) {
        if let Some(study) = &self.study {
            study.stop.request();
        }
    }

    /// Goes on after a study.
    pub(super) fn finish_study(&mut self, now: Instant) {
        if let Some(study) = self.study.take() {
            self.go_on_with_script(study.asked, now);
        }
    }

    /// Returns the state without the lines that wait.
    pub(super) fn keep(&self) -> KeptDialogue {
        KeptDialogue {
            slot: self.slot.clone(),
            study: self.study.clone(),
            has_ended: self.has_ended,
            reading: self.reading.clone(),
            replies: self.replies.len(),
        }
    }

    /// Goes back to a state; lines that wait stay.
    pub(super) fn put_back(&mut self, kept: KeptDialogue) {
        self.slot = kept.slot;
        self.study = kept.study;
        self.has_ended = kept.has_ended;
        self.reading = kept.reading;
        self.replies.truncate(kept.replies);
    }
}

//! Questions to the engine, and answers to the manager.

use std::time::Instant;

use super::answer::{SpelledAnswer, board_is_full};
use super::game::SessionGame;
use super::phase::Phase;
use super::question::{Inquiry, OwedAnswer};
use super::reporter::Reporter;
use super::session::{GRACE, Session};
use crate::engine::{Answer, Thinker};
use tengen_core::sys::fault::{self, Place};

impl<T: Thinker> Session<T> {
    /// Asks the engine about a position, or goes on with the search for it that was begun on the
    /// opponent's time.
    pub(super) fn ask(&mut self, game: SessionGame, inquiry: Inquiry, at: Instant) {
        if game.is_full() {
            self.reply(board_is_full());
            return;
        }
        fault::pass(Place::Session);
        let (job, used) = self.job(&game, inquiry, at);
        let Inquiry { analysis, style, .. } = inquiry;
        let reporter = Reporter::new();
        let asked = self.now;
        let question = OwedAnswer { job, asked, game, analysis, style, used, reporter };
        let question = Box::new(question);
        match self.dialogue.leave_phase() {
            Phase::Idle => self.start_search(question, None),
            Phase::Draining { late } => {
                self.dialogue.enter(Phase::Queued { question, late, deadline: None });
            }
            Phase::Pondering(pondering) => self.end_pondering(*pondering, question),
            // An answer is owed, so the command would have waited.
            other => self.dialogue.enter(other),
        }
    }

    /// Gives a job to the engine, which is free, and asks at once for its answer if there is a
    /// deadline for it.
    fn start_search(&mut self, question: Box<OwedAnswer>, deadline: Option<Instant>) {
        self.engine.think(question.job.clone(), self.options.settings());
        self.dialogue.enter(match deadline {
            None => Phase::Thinking(question),
            Some(deadline) => {
                self.engine.stop();
                Phase::Stopping { question, deadline }
            }
        });
    }

    /// Asks for the answer that is owed, if there is one.
    pub(super) fn stop_thinking(&mut self, now: Instant) {
        let phase = match self.dialogue.leave_phase() {
            Phase::Thinking(question) => {
                self.engine.stop();
                Phase::Stopping { question, deadline: now + GRACE }
            }
            Phase::Queued { question, late, deadline: None } => {
                Phase::Queued { question, late, deadline: Some(now + GRACE) }
            }
            other => other,
        };
        self.dialogue.enter(phase);
    }

    /// Gives the answer that is owed when its deadline has passed.
    pub(super) fn answer_for_engine(&mut self, now: Instant) {
        match self.dialogue.leave_phase() {
            // A busy machine may let a session run that sleeps, and not a search that has run all the time.
            Phase::Thinking(question) if !question.reporter.knows_a_move() => {
                self.engine.stop();
                self.dialogue.enter(Phase::Stopping { question, deadline: now + GRACE });
            }
            Phase::Thinking(question) => {
                self.engine.stop();
                self.dialogue.enter(Phase::Draining { late: question.job.id });
                self.give_answer(*question, None, now);
            }
            Phase::Stopping { question, .. } => {
                self.dialogue.enter(Phase::Draining { late: question.job.id });
                self.give_answer(*question, None, now);
            }
            Phase::Queued { question, late, .. } => {
                self.dialogue.enter(Phase::Draining { late });
                self.give_answer(*question, None, now);
            }
            other => self.dialogue.enter(other),
        }
    }

    /// Takes an answer of the engine.
    pub(super) fn take_answer(&mut self, id: u64, answer: Answer, now: Instant) {
        match self.dialogue.leave_phase() {
            Phase::Thinking(question) | Phase::Stopping { question, .. }
                if question.job.id == id =>
            {
                self.give_answer(*question, Some(answer), now);
            }
            Phase::Pondering(pondering) if pondering.job.id == id => {}
            Phase::Draining { late } if late == id => {}
            Phase::Queued { question, late, deadline } if late == id => {
                self.start_search(question, deadline);
            }
            other => self.dialogue.enter(other),
        }
    }

    /// Prints the owed answer and makes the move on the board.
    fn give_answer(&mut self, mut question: OwedAnswer, answer: Option<Answer>, now: Instant) {
        fault::pass(Place::Session);
        let detail = self.detail();
        self.dialogue.reply_all(question.reporter.flush(detail));
        let SpelledAnswer { replies, played } = question.spell(answer);
        self.board.play(&played);
        self.board.charge(now.saturating_duration_since(question.job.limits.start));
        self.dialogue.go_on_with_script(&question, now);
        replies.into_iter().for_each(|reply| self.reply(reply));
        self.start_pondering(&question, &played, now);
    }
}

//! Questions to the engine, and answers to the manager.

use std::time::Instant;

use super::answer::{SpelledAnswer, board_is_full};
use super::game::SessionGame;
use super::question::{Inquiry, OwedAnswer};
use super::reporter::Reporter;
use super::session::{GRACE, Session};
use super::work::SessionWork;
use crate::engine::{Answer, JobEnd, Thinker};
use tengen_core::sys::fault::{self, Place};

impl<T: Thinker> Session<T> {
    /// Asks the engine about a position, or goes on with the search for it that was begun on the
    /// opponent's time.
    pub(super) fn ask(&mut self, game: SessionGame, inquiry: Inquiry, at: Instant) {
        if game.is_full() {
            self.reply(board_is_full());
            return;
        }
        if self.dialogue.slot().is_owed() {
            // The command should have waited.
            return;
        }
        fault::pass(Place::Session);
        let (job, used) = self.job(&game, inquiry, at);
        let Inquiry { analysis, style, .. } = inquiry;
        let reporter = Reporter::new();
        let (asked, deadline) = (self.now, None);
        let question = OwedAnswer { job, asked, deadline, game, analysis, style, used, reporter };
        if let Some(question) = self.end_pondering(Box::new(question)) {
            let work = self.dialogue.slot_mut().put_next(SessionWork::Owed(question));
            work.into_iter().for_each(|work| self.begin_search(work));
        }
    }

    /// Gives the engine, which is free, a job, and asks at once for its answer if there is a deadline for it.
    pub(super) fn begin_search(&mut self, work: SessionWork) {
        let job = work.job();
        let (id, settings, setup) = (job.id, self.options.settings(), &job.setup);
        self.engine.informed(settings, setup.rule, setup.size).think(job.clone());
        if matches!(&work, SessionWork::Owed(question) if question.deadline.is_some()) {
            self.engine.thinker.stop();
        }
        self.dialogue.slot_mut().begin(id, work);
    }

    /// Asks for the answer that is owed, and ends a study, if there is one.
    pub(super) fn stop_thinking(&mut self, now: Instant) {
        self.dialogue.stop_study();
        let slot = self.dialogue.slot_mut();
        let is_working = slot.is_working();
        let question = slot.question_mut().filter(|question| question.deadline.is_none());
        if let Some(question) = question {
            question.deadline = Some(now + GRACE);
            if is_working {
                self.engine.thinker.stop();
            }
        }
    }

    /// Gives the answer that is owed when its deadline has passed.
    pub(super) fn answer_for_engine(&mut self, now: Instant) {
        let Some(question) = self.dialogue.slot().question() else { return };
        if question.deadline.is_none() {
            // A busy machine may let a session run that sleeps, and not a search that has run all the time.
            let may_answer_soon = !question.reporter.knows_a_move();
            self.stop_thinking(now);
            if may_answer_soon {
                return;
            }
        }
        if let Some(SessionWork::Owed(question)) = self.dialogue.slot_mut().drop_work() {
            self.give_answer(*question, None, now);
        }
    }

    /// Takes an answer of the engine.
    pub(super) fn take_answer(&mut self, id: u64, answer: Answer, now: Instant) {
        match self.dialogue.slot_mut().finish(id) {
            Some(JobEnd::Answered(SessionWork::Owed(question))) => {
                self.give_answer(*question, Some(answer), now);
            }
            Some(JobEnd::Late(Some(next))) => self.begin_search(next),
            _ => {}
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
        self.dialogue.go_on_with_script(question.asked, now);
        replies.into_iter().for_each(|reply| self.reply(reply));
        self.start_pondering(&question, &played, now);
    }
}

//! Thinking on the opponent's time.
//!
//! After its own move the engine searches the position after the reply that it expects, without a
//! limit. If that reply comes, the search goes on under the limits of the move; if another comes,
//! it is stopped and its answer is dropped. Any command that changes the position ends it.

use std::time::Instant;

use super::clock::is_timed;
use super::command::{BlockKind, Command};
use super::info::Info;
use super::question::{Inquiry, OwedAnswer};
use super::session::Session;
use super::work::{Pondering, SessionWork};
use crate::engine::{Job, Task, Thinker};
use tengen_core::search::Limits;
use tengen_core::types::Point;

impl Command {
    /// Returns whether this makes a search on the opponent's time useless, whatever the position.
    pub(super) fn ends_pondering(&self) -> bool {
        match self {
            // The engine writes or reads a file after the search.
            Command::Stop | Command::YxStop | Command::YxHashClear | Command::HashFile { .. } => {
                true
            }
            Command::Info(Info::Pondering(value)) => *value == 0,
            // The reply that is expected may be among these.
            Command::Turn(_) | Command::Block { kind: BlockKind::Board, .. } => false,
            command => command.ends_thinking(),
        }
    }
}

impl<T: Thinker> Session<T> {
    /// Begins to ponder after a move was printed, if it is wanted and the engine is free.
    pub(super) fn start_pondering(
        &mut self,
        question: &OwedAnswer,
        played: &[Point],
        now: Instant,
    ) {
        // A level below the full one has no use for more time, nor has a move without a clock.
        let wanted = self.options.pondering()
            && self.has_clock()
            && question.job.task == Task::Move
            && self.options.skill().level.is_full();
        let is_free = self.dialogue.is_free() && self.board.blocked().is_empty();
        if !is_free || !wanted || question.analysis {
            return;
        }
        let (&[played], &[best, expected, ..]) = (played, question.reporter.best()) else { return };
        let rule = self.options.rule();
        let Some(mut game) = self.board.game().filter(|_| best == played).cloned() else { return };
        if !game.is_playable(rule, expected) {
            return;
        }
        game.play(expected);
        if game.is_full() {
            return;
        }
        let Inquiry { task, lines, .. } = Inquiry::play(Task::Move);
        let scope = self.options.scope(lines);
        let (setup, skill) = (game.setup(rule), self.options.skill());
        let (id, limits) = (self.engine.next_id(), Limits::none(now));
        // A book, or a database that knows the move, answers as it does in the game: the question asks anew.
        let job = Job { id, setup, task, analysis: false, limits, scope, skill };
        self.begin_search(SessionWork::Pondering(Box::new(Pondering { job, report: None })));
    }

    /// Stops pondering, if the engine ponders, without a word.
    pub(super) fn stop_pondering(&mut self) {
        if let Some(SessionWork::Pondering(_)) = self.dialogue.slot().work() {
            self.engine.thinker.stop();
            self.dialogue.slot_mut().drop_work();
        }
    }

    /// Ends pondering, if the engine ponders, with a question: the search goes on if it is the one that the
    /// question needs, but for its limits. Otherwise the question is returned.
    pub(super) fn end_pondering(
        &mut self,
        mut question: Box<OwedAnswer>,
    ) -> Option<Box<OwedAnswer>> {
        let work = self.dialogue.slot_mut().work_mut();
        let Some(work) = work else { return Some(question) };
        let SessionWork::Pondering(pondering) = work else { return Some(question) };
        let (pondered, asked) = (&pondering.job, &mut question.job);
        let same = pondered.setup == asked.setup
            && pondered.scope == asked.scope
            && pondered.skill == asked.skill
            && pondered.task == asked.task;
        // Without a clock the search would not know when it is asked to end.
        if same && is_timed(&asked.limits) && self.engine.is_up_to_date(self.options.settings()) {
            asked.id = pondered.id;
            self.engine.thinker.set_limits(asked.limits);
            if let Some(report) = pondering.report.take() {
                question.reporter.keep(report);
            }
            *work = SessionWork::Owed(question);
            None
        } else {
            self.stop_pondering();
            Some(question)
        }
    }
}

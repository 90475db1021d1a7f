//! Thinking on the opponent's time.
//!
//! After its own move the engine searches the position after the reply that it expects, without a
//! limit. If that reply comes, the search goes on under the limits of the move; if another comes,
//! it is stopped and nobody hears of it. Any command that changes the position ends it.

use std::time::{Duration, Instant};

use super::clock::is_timed;
use super::command::{BlockKind, Command};
use super::game::Game;
use super::info::Info;
use super::session::Session;
use super::thinking::Thinking;
use crate::engine::{Answer, EventKind, Job, Task, Thinker};
use crate::search::{ClockSettings, Limits, Report};
use crate::types::Point;

/// A search that nobody has asked for yet.
pub(super) struct Pondering {
    /// The number of the job.
    pub(super) id: u64,
    job: Job,
    report: Option<Report>,
    answer: Option<Answer>,
}

impl Pondering {
    /// Takes what the engine says of it, for when it is asked for.
    pub(super) fn take(&mut self, event: EventKind) {
        match event {
            EventKind::Report(report) => self.report = Some(report),
            EventKind::Done(answer) => self.answer = Some(answer),
            EventKind::Mark(_) | EventKind::File(_) => {}
        }
    }
}

impl<T: Thinker> Session<T> {
    /// Begins to ponder after a move was printed.
    pub(super) fn start_pondering(&mut self, thinking: &Thinking, played: &[Point], now: Instant) {
        let busy = self.closing || self.late.is_some() || !self.waiting.is_empty();
        let wanted = self.options.pondering() && thinking.task == Task::Move;
        if busy || !wanted || thinking.analysis || !self.blocked.is_empty() {
            return;
        }
        let (&[played], &[best, expected, ..]) = (played, thinking.best()) else { return };
        let rule = self.options.rule();
        let Some(mut game) = self.game.clone().filter(|_| best == played) else { return };
        if !game.is_playable(rule, expected) {
            return;
        }
        game.play(expected);
        if game.is_full() {
            return;
        }
        let clock = ClockSettings { timeout_turn: Some(-1), ..ClockSettings::default() };
        let limits = Limits { clock, start: now, max_depth: None, max_nodes: None, infinite: true };
        self.last_id += 1;
        let job = Job {
            id: self.last_id,
            setup: game.setup(rule),
            task: Task::Move,
            limits,
            scope: self.options.scope(1),
        };
        self.tell_settings(job.setup.rule, job.setup.size);
        self.thinker.think(job.clone());
        self.pondering = Some(Pondering { id: job.id, job, report: None, answer: None });
    }

    /// Ends pondering if a command makes it useless.
    pub(super) fn ponder_on(&mut self, command: &Command) {
        let move_comes =
            matches!(command, Command::Turn(_) | Command::Block { kind: BlockKind::Board, .. });
        let ends = match command {
            // A file is written or read when the engine has finished.
            Command::Stop | Command::YxStop | Command::YxHashClear | Command::HashFile { .. } => {
                true
            }
            Command::Info(Info::Pondering(value)) => *value == 0,
            command => command.ends_thinking() && !move_comes,
        };
        if ends {
            self.stop_pondering();
        }
    }

    /// Ends pondering, if there is any, without a word.
    pub(super) fn stop_pondering(&mut self) {
        let Some(pondering) = self.pondering.take() else { return };
        if pondering.answer.is_none() {
            self.thinker.stop();
            self.late = Some(pondering.id);
        }
    }

    /// Makes the search that is being pondered the one for `job`, if it is the same but for its
    /// limits; returns the job if it is not.
    pub(super) fn go_on_pondering(&mut self, job: Job, game: &Game, used: Duration) -> Option<Job> {
        let known = self.told.map(|told| told.0) == Some(self.options.settings()) && !self.forget;
        let fits = self.pondering.as_ref().is_some_and(|pondering| {
            let same = pondering.job.setup == job.setup && pondering.job.scope == job.scope;
            same && pondering.job.task == job.task && pondering.answer.is_none()
        });
        // Without a clock the search would not know when it is asked to end.
        if !known || !fits || !is_timed(&job.limits) {
            self.stop_pondering();
            return Some(job);
        }
        let pondering = self.pondering.take()?;
        let limits = job.limits;
        let mut thinking =
            Thinking::new(Job { id: pondering.id, ..job }, game.clone(), used, false);
        thinking.held = None;
        if let Some(report) = pondering.report {
            thinking.remember(report);
        }
        self.thinking = Some(thinking);
        self.thinker.set_limits(limits);
        None
    }
}

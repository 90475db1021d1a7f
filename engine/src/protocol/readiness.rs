//! Getting ready: what a search needs is made while nobody waits for it.

use std::time::{Duration, Instant};

use super::game::SessionGame;
use super::phase::Phase;
use super::question::Inquiry;
use super::session::Session;
use crate::engine::{Job, Thinker};

/// The silence after which a manager is taken to wait for somebody else. What it says of a game comes in one
/// burst, and a question right behind that makes itself what it needs.
pub(super) const QUIET: Duration = Duration::from_millis(10);

impl<T: Thinker> Session<T> {
    /// Waits for silence from now on, if the engine may be asked something next.
    pub(super) fn await_quiet(&mut self, now: Instant) {
        let is_free = matches!(self.phase, Phase::Idle) && self.waiting.is_empty();
        let may_ask = is_free && self.game.is_some() && !self.closed;
        self.quiet_at = may_ask.then(|| now + QUIET);
    }

    /// Has the engine get ready for a question about the game.
    pub(super) fn get_ready(&mut self, now: Instant) {
        self.quiet_at = None;
        let Some(game) = self.game.clone().filter(|game| !game.is_full()) else { return };
        let (job, _) = self.job(&game, Inquiry::play(self.options.task()), now);
        self.send_settings(job.setup.rule, job.setup.size);
        self.thinker.get_ready(job);
    }

    /// Notes whether the next game is of another rule or size than what the engine has learnt. It forgets
    /// that then, whether or not it has the time to get ready before the next command.
    pub(super) fn note_other_game(&mut self) {
        let Some(size) = self.game.as_ref().map(SessionGame::size) else { return };
        let now = (self.options.rule(), size);
        self.forget |= self.sent.is_some_and(|sent| (sent.1, sent.2) != now);
    }

    /// Returns the job that an inquiry received at `at` is for the engine, and the time of the match used
    /// before.
    pub(super) fn job(
        &mut self,
        game: &SessionGame,
        inquiry: Inquiry,
        at: Instant,
    ) -> (Job, Duration) {
        let used = self.clock.used_before(at);
        let mut scope = self.options.scope(inquiry.lines);
        scope.book = !inquiry.analysis;
        self.blocked.apply(&mut scope);
        let setup = game.setup(self.options.rule());
        let limits = self.options.limits(at, used, inquiry.analysis);
        let skill = self.options.skill();
        let analysis = inquiry.analysis && self.options.analyses();
        let (id, task) = (self.next_id(), inquiry.task);
        (Job { id, setup, task, analysis, limits, scope, skill }, used)
    }
}

//! Getting ready: what a search needs is made while nobody waits for it.

use std::time::{Duration, Instant};

use super::clock::UsedTime;
use super::game::SessionGame;
use super::question::Inquiry;
use super::session::Session;
use crate::engine::{Job, Task, Thinker};

/// The silence after which a manager is taken to wait for somebody else. What it says of a game comes in one
/// burst, and a question right behind that makes itself what it needs.
pub(super) const QUIET: Duration = Duration::from_millis(10);

impl<T: Thinker> Session<T> {
    /// Waits for silence from now on, if the engine may be asked something next.
    pub(super) fn await_quiet(&mut self, now: Instant) {
        let may_ask = self.dialogue.is_free() && self.board.game().is_some();
        self.quiet_at = may_ask.then(|| now + QUIET);
    }

    /// Has the engine get ready for a question about the game.
    pub(super) fn get_ready(&mut self, now: Instant) {
        self.quiet_at = None;
        let Some(game) = self.board.game().filter(|game| !game.is_full()).cloned() else { return };
        let (job, _) = self.job(&game, Inquiry::play(self.options.task()), now);
        let (settings, rule, size) = (self.options.settings(), job.setup.rule, job.setup.size);
        self.engine.informed(settings, rule, size).get_ready(job);
    }

    /// Notes the rule and the size of the next game.
    pub(super) fn note_other_game(&mut self) {
        if let Some(size) = self.board.size() {
            self.engine.note_game(self.options.rule(), size);
        }
    }

    /// Returns the job that an inquiry received at `at` is for the engine, and what was used of the match
    /// before.
    pub(super) fn job(
        &mut self,
        game: &SessionGame,
        inquiry: Inquiry,
        at: Instant,
    ) -> (Job, UsedTime) {
        let used = self.board.used_before(at);
        let mut scope = self.options.scope(inquiry.lines);
        scope.book = !inquiry.analysis;
        self.board.blocked().apply(&mut scope);
        let setup = game.setup(self.options.rule());
        let limits = self.options.limits(at, used, inquiry.analysis);
        let skill = self.options.skill();
        let analysis = inquiry.analysis && self.options.analyses();
        // After its opening, a swap1 game is one like any other.
        let task = match inquiry.task {
            Task::Swap1 if game.stones() > 1 => Task::Move,
            task => task,
        };
        let id = self.engine.next_id();
        (Job { id, setup, task, analysis, limits, scope, skill }, used)
    }
}

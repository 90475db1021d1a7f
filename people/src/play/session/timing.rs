//! The time of a session.

use std::time::{Duration, Instant};

use super::PlaySession;
use crate::play::{Controller, PlayNotice, SideClock};
use tengen_core::sys::clock::Clock;
use tengen_core::types::Color;
use tengen_engine::engine::Thinker;
use tengen_files::records::{GameResult, Reason};

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Stops the clock of the side to move until [`PlaySession::start`], at this time of the turn,
    /// of which choices that were made in it are not part.
    pub const fn stand_at(&mut self, time: Duration) {
        self.turn.stand_at(time);
    }

    /// Returns the clock of a side at the beginning of the turn.
    #[must_use]
    pub fn side_clock(&self, color: Color) -> SideClock {
        let timed = self.game.moves().iter().skip(self.timed_from);
        let times = timed.filter(|m| m.color == color).map(|m| m.time().unwrap_or_default());
        let times = self.turns_of_opening(color).into_iter().chain(times);
        SideClock::after(self.terms.clock, times.map(Duration::from_millis))
    }

    /// Returns how long the turn has taken until now; nothing if the clock does not run.
    #[must_use]
    pub fn turn_time(&self) -> Duration {
        self.watched().saturating_add(self.earlier_in_turn())
    }

    /// Returns how long the turn has taken since the last choice that was made in it; nothing if no
    /// time is limited.
    #[must_use]
    pub fn watched(&self) -> Duration {
        if self.clock_runs() { self.turn.time(self.clock.now()) } else { Duration::ZERO }
    }

    /// Returns the moment at which the side to move runs out of time.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let limit = self.side_clock(self.mover()).limit().filter(|_| self.clock_runs())?;
        let limit = limit.saturating_add(self.margin());
        self.turn.moment(limit.saturating_sub(self.earlier_in_turn()))
    }

    /// Ends the game if the side to move has run out of time.
    pub fn tick(&mut self) -> Vec<PlayNotice> {
        if self.deadline().is_none_or(|deadline| self.clock.now() < deadline) {
            return Vec::new();
        }
        self.interrupt();
        let loser = self.mover();
        self.game.finish(GameResult::Win(!loser), Reason::Time);
        self.proceed(Vec::new())
    }

    pub(super) fn begin_turn(&mut self) {
        self.turn.begin(self.clock.now());
        self.offer = None;
    }

    /// Returns the time of the turn so far, in milliseconds.
    pub(super) fn used(&self) -> u64 {
        let used = self.turn.time(self.clock.now());
        u64::try_from(used.as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the time that a move or a choice takes from the clock of the side to move, in milliseconds: nothing
    /// where a person makes it for an engine or a program, whose clock stands.
    pub(super) fn charged(&self, by: Controller) -> u64 {
        let stands = by == Controller::Person && self.terms.sides[self.mover()] != by;
        if stands { 0 } else { self.used() }
    }

    /// Returns whether the clock of the side to move runs: not while an engine waits, or a program is made
    /// ready.
    fn clock_runs(&self) -> bool {
        self.terms.clock.is_limited()
            && self.game.end().is_none()
            && (self.terms.sides[self.mover()] == Controller::Person || self.is_moving())
            && self.work.work().is_none_or(|work| work.is_begun)
    }
}

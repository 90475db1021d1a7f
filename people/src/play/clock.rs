//! The clock of a side.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use tengen_core::search::time::TimeControl;

/// The time control of a game; the same for both sides. Without any limit there is no clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClockControl {
    /// The most time for each move.
    pub turn: Option<Duration>,
    /// The time for all moves.
    pub game: Option<Duration>,
    /// The time that is added to the time for all moves after each move.
    pub increment: Duration,
    /// The supplement after the time for all moves.
    pub byoyomi: Option<Byoyomi>,
}

/// Periods for the moves after the time for all moves: a move that takes less than a period costs
/// nothing, and any other costs all the periods that it fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Byoyomi {
    /// The number of periods, at least 1.
    pub periods: u32,
    /// The length of each, above 0.
    pub length: Duration,
}

impl ClockControl {
    /// Returns whether any time is limited.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.byoyomi.is_some()
    }
}

/// The clock of a side between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideClock {
    control: ClockControl,
    /// The remaining time for all moves, if that is limited.
    left: Option<Duration>,
    /// The periods that are left.
    periods: u32,
}

impl SideClock {
    /// Returns the clock before the first move.
    #[must_use]
    pub fn new(control: ClockControl) -> SideClock {
        // With periods alone, the time before them is over from the start.
        let left = control.game.or(control.byoyomi.map(|_| Duration::ZERO));
        let periods = control.byoyomi.map_or(0, |byoyomi| byoyomi.periods);
        SideClock { control, left, periods }
    }

    /// Returns the clock after moves that took these times. One that ran out stays so.
    #[must_use]
    pub fn after(control: ClockControl, times: impl Iterator<Item = Duration>) -> SideClock {
        let mut clock = SideClock::new(control);
        for used in times {
            clock.charge(used);
        }
        clock
    }

    /// Returns what is left of the time for all moves, if that is limited.
    #[must_use]
    pub const fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Returns the number of byo-yomi periods that are left.
    #[must_use]
    pub const fn periods(&self) -> u32 {
        self.periods
    }

    /// Returns the time after which the clock runs out in the next move; `None` is never.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        let reserve = self.byoyomi().saturating_mul(self.periods);
        let of_game = self.left.map(|left| left.saturating_add(reserve));
        [of_game, self.control.turn].into_iter().flatten().min()
    }

    /// Returns the time that runs after this time of the next move, and the number of the periods after it: what is
    /// left of the time for all moves, then of one period after the other, and never more than the move may
    /// still take. `None` without a clock.
    #[must_use]
    pub fn running(&self, used: Duration) -> Option<(Duration, u32)> {
        let rest = self.limit()?.saturating_sub(used);
        let Some(left) = self.left else { return Some((rest, 0)) };
        let Some(over) = used.checked_sub(left) else {
            return Some((rest.min(left - used), self.periods));
        };
        let length = self.byoyomi().as_nanos().max(1);
        let spent = u32::try_from(over.as_nanos() / length).unwrap_or(u32::MAX);
        let after = self.periods.saturating_sub(spent).saturating_sub(1);
        let reserve = self.byoyomi().saturating_mul(self.periods).saturating_sub(over);
        Some((rest.min(reserve.saturating_sub(self.byoyomi().saturating_mul(after))), after))
    }

    /// Takes the time of a move, and returns whether the move was in time.
    pub fn charge(&mut self, used: Duration) -> bool {
        if self.limit().is_some_and(|limit| used >= limit) {
            (self.left, self.periods) = (self.left.map(|_| Duration::ZERO), 0);
            return false;
        }
        let Some(left) = self.left else { return true };
        let (left, over) = (left.saturating_sub(used), used.saturating_sub(left));
        if let Some(spent) = over.as_nanos().checked_div(self.byoyomi().as_nanos()) {
            let spent = u32::try_from(spent).unwrap_or(u32::MAX);
            self.periods = self.periods.saturating_sub(spent);
        }
        self.left = Some(left.saturating_add(self.control.increment));
        true
    }

    /// Returns the clock as a search takes it; a limited one.
    #[must_use]
    pub fn for_search(&self) -> TimeControl {
        let ClockControl { turn, increment, byoyomi, .. } = self.control;
        match (self.left, byoyomi) {
            // Only the periods remain: each move may take almost one, and saves nothing.
            (Some(Duration::ZERO), Some(Byoyomi { length, .. })) => {
                TimeControl::of_turn(turn.map_or(length, |turn| turn.min(length)))
            }
            (left, byoyomi) => {
                let length = byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.length);
                let left = left.map(|left| left.saturating_add(length));
                TimeControl { turn, left, increment }
            }
        }
    }

    fn byoyomi(&self) -> Duration {
        self.control.byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn control(turn: Option<u64>, game: Option<u64>, increment: u64) -> ClockControl {
        ClockControl {
            turn: turn.map(s),
            game: game.map(s),
            increment: s(increment),
            byoyomi: None,
        }
    }

    #[test]
    fn without_limits_nobody_is_late() {
        let mut clock = SideClock::new(ClockControl::default());
        assert_eq!(clock.limit(), None);
        assert!(clock.charge(Duration::MAX) && clock.charge(Duration::MAX));
        assert!(!ClockControl::default().is_limited());
    }

    #[test]
    fn the_time_of_a_game_is_spent_and_grows_by_the_increment() {
        let mut clock = SideClock::new(control(None, Some(60), 2));
        assert!(clock.charge(s(10)));
        assert_eq!(clock.left(), Some(s(52)));
        assert_eq!(clock.limit(), Some(s(52)));
        assert!(!clock.charge(s(52)), "all of it is too much");
        assert_eq!(clock.left(), Some(s(0)));
        assert!(!clock.charge(s(0)), "a clock that ran out stays so");
    }

    #[test]
    fn the_time_of_a_move_is_the_same_for_each() {
        let mut clock = SideClock::new(control(Some(5), None, 0));
        for _ in 0..100 {
            assert!(clock.charge(s(4)));
        }
        assert!(!clock.charge(s(5)));
        let mut both = SideClock::new(control(Some(5), Some(6), 0));
        assert_eq!(both.limit(), Some(s(5)));
        assert!(both.charge(s(4)));
        assert_eq!(both.limit(), Some(s(2)));
    }

    #[test]
    fn byoyomi_costs_the_periods_that_a_move_fills() {
        let byoyomi = Some(Byoyomi { periods: 3, length: s(10) });
        let control = ClockControl { game: Some(s(60)), byoyomi, ..ClockControl::default() };
        let mut clock = SideClock::new(control);
        assert_eq!(clock.limit(), Some(s(90)));
        assert!(clock.charge(s(65)), "5 seconds into the first period");
        assert_eq!((clock.left(), clock.periods()), (Some(s(0)), 3));
        assert!(clock.charge(s(9)) && clock.charge(s(9)));
        assert_eq!(clock.periods(), 3, "moves within a period are free");
        assert!(clock.charge(s(10)));
        assert_eq!((clock.periods(), clock.limit()), (2, Some(s(20))));
        assert!(clock.charge(s(19)));
        assert_eq!(clock.periods(), 1);
        assert!(!clock.charge(s(10)));
        let alone = ClockControl { game: None, ..control };
        assert_eq!(SideClock::new(alone).limit(), Some(s(30)));
    }

    #[test]
    fn one_period_runs_after_the_other() {
        let byoyomi = Some(Byoyomi { periods: 3, length: s(10) });
        let control = ClockControl { game: Some(s(60)), byoyomi, ..ClockControl::default() };
        let mut clock = SideClock::new(control);
        let run = |clock: &SideClock, used| clock.running(s(used)).unwrap();
        assert_eq!(run(&clock, 0), (s(60), 3));
        assert_eq!(run(&clock, 59), (s(1), 3));
        assert_eq!([60, 61, 69].map(|used| run(&clock, used)), [10, 9, 1].map(|left| (s(left), 2)));
        assert_eq!([run(&clock, 70), run(&clock, 80)], [(s(10), 1), (s(10), 0)]);
        assert_eq!([run(&clock, 89), run(&clock, 95)], [(s(1), 0), (s(0), 0)]);
        assert!(clock.charge(s(75)));
        assert_eq!([run(&clock, 0), run(&clock, 12)], [(s(10), 1), (s(8), 0)]);
        assert!(!clock.charge(s(20)));
        assert_eq!(run(&clock, 0), (s(0), 0), "a clock that ran out stays so");

        let turn = SideClock::new(ClockControl { turn: Some(s(5)), ..control });
        assert_eq!([run(&turn, 0), run(&turn, 4)], [(s(5), 3), (s(1), 3)]);
        let alone = SideClock::new(ClockControl { game: None, ..control });
        assert_eq!(run(&alone, 1), (s(9), 2));
        let game = SideClock::new(self::control(None, Some(60), 2));
        assert_eq!([run(&game, 59), run(&game, 61)], [(s(1), 0), (s(0), 0)]);
        assert_eq!(SideClock::new(ClockControl::default()).running(s(1)), None);
    }

    #[test]
    fn a_clock_follows_from_the_times_of_the_moves() {
        let control = control(None, Some(60), 1);
        let mut clock = SideClock::new(control);
        let times = [s(3), s(20), s(7)];
        for (i, &used) in times.iter().enumerate() {
            assert_eq!(SideClock::after(control, times[..i].iter().copied()), clock);
            assert!(clock.charge(used));
        }
        assert_eq!(SideClock::after(control, times.into_iter()), clock);
    }

    #[test]
    fn a_search_is_told_what_it_may_take() {
        let clock = |control| SideClock::new(control).for_search();
        let turn = clock(control(Some(5), None, 0));
        assert_eq!(turn, TimeControl::of_turn(s(5)));
        let game = clock(control(None, Some(60), 2));
        assert_eq!((game.turn, game.left, game.increment), (None, Some(s(60)), s(2)));
        let byoyomi = Some(Byoyomi { periods: 3, length: s(10) });
        let main = ClockControl { game: Some(s(60)), byoyomi, ..ClockControl::default() };
        assert_eq!(clock(main).left, Some(s(70)));
        let mut spent = SideClock::new(main);
        assert!(spent.charge(s(61)));
        assert_eq!(spent.for_search(), TimeControl::of_turn(s(10)));
    }
}

//! The move overhead: time reserved for everything between the end of a search and the manager's
//! clock.

use std::time::Duration;

use super::time_control::TimeControl;

/// The part of every limit that is left unused, learnt from the delays of answers, and the lag of a
/// move on the game clock beyond its search, learnt from that clock.
///
/// One value lives as long as the process and is passed to every
/// [`TimeManager`](super::TimeManager).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveOverhead {
    current: Duration,
    /// The value to which the move overhead returns while answers are in time.
    usual: Duration,
    /// The expected lag of a move: its cost on the game clock beyond its search.
    lag: Duration,
    /// The expected next reading of the game clock, if the last move had no lag.
    expected: Option<Duration>,
}

impl MoveOverhead {
    /// The initial move overhead.
    pub const INITIAL: Duration = Duration::from_millis(30);
    /// The smallest move overhead.
    pub const LEAST: Duration = Duration::from_millis(10);
    /// The largest move overhead.
    pub const MOST: Duration = Duration::from_millis(200);
    /// The smallest lag.
    pub const LEAST_LAG: Duration = Duration::from_millis(5);

    /// Returns a move overhead with this initial value, clamped to the bounds.
    #[must_use]
    pub fn new(initial: Duration) -> MoveOverhead {
        let usual = initial.clamp(MoveOverhead::LEAST, MoveOverhead::MOST);
        MoveOverhead { current: usual, usual, lag: usual / 2, expected: None }
    }

    /// Returns the move overhead, from [`MoveOverhead::LEAST`] to [`MoveOverhead::MOST`].
    #[must_use]
    pub const fn get(&self) -> Duration {
        self.current
    }

    /// Returns the move overhead for one limit: at most a quarter of it.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Duration {
        self.current.min(limit / 4)
    }

    /// Returns the expected lag of each future move on the game clock, from
    /// [`MoveOverhead::LEAST_LAG`] up to the move overhead itself; initially half of the move
    /// overhead.
    #[must_use]
    pub fn lag(&self) -> Duration {
        self.lag.min(self.current)
    }

    /// Learns from one answer: the deadline of its search and the time when it was finished, both
    /// measured from the arrival of the command.
    ///
    /// A late answer raises the move overhead to twice its delay at once; answers in time let it
    /// return slowly.
    pub fn observe(&mut self, due: Option<Duration>, finished: Duration) {
        let Some(due) = due else { return };
        let delay = finished.saturating_sub(due);
        let wanted = delay.saturating_mul(2).min(MoveOverhead::MOST);
        if wanted > self.current {
            self.current = wanted;
        } else {
            self.current -= (self.current.saturating_sub(self.usual.max(wanted))) / 16;
        }
    }

    /// Learns the lag from one answer: the clock before it, and the time it took from the arrival
    /// of the command.
    ///
    /// A clock that shows less than expected after the previous answer raises the lag to three
    /// times the difference at once; while the clock is as expected, the lag falls slowly to the
    /// least. A clock that shows more, or less by more than [`MoveOverhead::MOST`], was reset and
    /// is ignored; so is a search without a clock.
    pub fn observe_clock(&mut self, time: &TimeControl, took: Duration) {
        let Some(left) = time.left else { return };
        if let Some(expected) = self.expected
            && let Some(lost) = expected.checked_sub(left)
            && lost <= MoveOverhead::MOST
        {
            let wanted = lost.saturating_mul(3).clamp(MoveOverhead::LEAST_LAG, MoveOverhead::MOST);
            self.lag = wanted.max(self.lag - self.lag.saturating_sub(wanted) / 4);
        }
        let rest = left.checked_sub(took);
        self.expected = rest.map(|rest| rest.saturating_add(time.increment));
    }
}

impl Default for MoveOverhead {
    fn default() -> MoveOverhead {
        MoveOverhead::new(MoveOverhead::INITIAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn late_answers_raise_the_reserve_up_to_its_bound() {
        let mut move_overhead = MoveOverhead::default();
        assert_eq!(move_overhead.get(), ms(30));
        move_overhead.observe(Some(ms(970)), ms(980));
        assert_eq!(move_overhead.get(), ms(30));
        move_overhead.observe(Some(ms(970)), ms(1010));
        assert_eq!(move_overhead.get(), ms(80));
        move_overhead.observe(Some(ms(970)), ms(9000));
        assert_eq!(move_overhead.get(), ms(200));
        move_overhead.observe(Some(ms(970)), Duration::MAX);
        assert_eq!(move_overhead.get(), ms(200));
    }

    #[test]
    fn answers_in_time_let_the_reserve_return_slowly() {
        let mut move_overhead = MoveOverhead::default();
        move_overhead.observe(Some(ms(100)), ms(180));
        assert_eq!(move_overhead.get(), ms(160));
        move_overhead.observe(Some(ms(100)), ms(50));
        assert!(move_overhead.get() > ms(150) && move_overhead.get() < ms(160));
        for _ in 0..1000 {
            move_overhead.observe(Some(ms(100)), ms(50));
        }
        assert!(move_overhead.get() >= ms(30) && move_overhead.get() < ms(31));
        let before = move_overhead;
        move_overhead.observe(None, ms(100_000));
        assert_eq!(move_overhead, before);
    }

    #[test]
    fn a_small_limit_loses_at_most_a_quarter() {
        let move_overhead = MoveOverhead::default();
        assert_eq!(move_overhead.within(ms(1000)), ms(30));
        assert_eq!(move_overhead.within(ms(100)), ms(25));
        assert_eq!(move_overhead.within(ms(4)), ms(1));
        assert_eq!(move_overhead.within(Duration::ZERO), Duration::ZERO);
    }

    fn clock(left: Duration, increment: Duration) -> TimeControl {
        TimeControl { left: Some(left), increment, ..TimeControl::default() }
    }

    /// Returns the lag learnt from moves of 100 ms, each with this `lag` on the clock.
    fn learnt(move_overhead: &mut MoveOverhead, moves: u64, lag: u64, increment: u64) -> Duration {
        let mut left = 20_000;
        for _ in 0..moves {
            move_overhead.observe_clock(&clock(ms(left), ms(increment)), ms(100));
            left = left + increment - 100 - lag;
        }
        move_overhead.lag()
    }

    #[test]
    fn the_lag_is_learnt_from_the_game_clock() {
        for increment in [0, 50] {
            let mut move_overhead = MoveOverhead::default();
            assert_eq!(learnt(&mut move_overhead, 1, 3, increment), ms(15));
            assert!(learnt(&mut move_overhead, 3, 3, increment) < ms(13));
            let lag = learnt(&mut move_overhead, 40, 3, increment);
            assert!(lag >= ms(9) && lag < ms(10), "{lag:?}");
            let lag = learnt(&mut move_overhead, 40, 0, increment);
            assert!(lag >= ms(5) && lag < ms(6), "{lag:?}");
            assert_eq!(learnt(&mut move_overhead, 2, 8, increment), ms(24));
        }
    }

    #[test]
    fn the_lag_is_never_more_than_the_reserve() {
        let mut move_overhead = MoveOverhead::default();
        assert_eq!(learnt(&mut move_overhead, 20, 90, 0), ms(30));
        move_overhead.observe(Some(ms(970)), ms(1010));
        assert_eq!(move_overhead.lag(), ms(80));
    }

    #[test]
    fn a_clock_that_is_set_anew_or_absent_teaches_nothing() {
        let mut move_overhead = MoveOverhead::default();
        let lag = learnt(&mut move_overhead, 10, 0, 0);
        move_overhead.observe_clock(&clock(ms(60_000), ms(0)), ms(100));
        assert_eq!(move_overhead.lag(), lag);
        move_overhead.observe_clock(&clock(ms(10_000), ms(0)), ms(100));
        assert_eq!(move_overhead.lag(), lag);
        move_overhead.observe_clock(&TimeControl::default(), ms(100));
        move_overhead.observe_clock(&clock(ms(100), ms(0)), Duration::MAX);
        move_overhead.observe_clock(&clock(ms(0), ms(0)), ms(0));
        assert_eq!(move_overhead.lag(), lag);
    }

    #[test]
    fn a_search_without_a_clock_does_not_come_between_two_with_one() {
        let mut move_overhead = MoveOverhead::default();
        move_overhead.observe_clock(&clock(ms(20_000), ms(0)), ms(100));
        move_overhead.observe_clock(&TimeControl::default(), ms(5000));
        move_overhead.observe_clock(&clock(ms(19_892), ms(0)), ms(100));
        assert_eq!(move_overhead.lag(), ms(24));
    }

    #[test]
    fn a_chosen_start_is_kept_within_the_bounds() {
        assert_eq!(MoveOverhead::new(ms(0)).get(), ms(10));
        assert_eq!(MoveOverhead::new(ms(100)).get(), ms(100));
        assert_eq!(MoveOverhead::new(ms(5000)).get(), ms(200));
    }
}

//! The time set aside for everything between the end of a search and the manager's clock.

use std::time::Duration;

use super::allowance::Allowance;

/// The part of every limit that is left unused, learnt from how late answers were, and what a move
/// costs on the game clock beyond its search, learnt from that clock.
///
/// Lives as long as the process and is handed to every [`TimeManager`](super::TimeManager).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reserve {
    current: Duration,
    /// What the reserve returns to while answers are in time.
    usual: Duration,
    /// What a move is taken to cost beyond its search.
    lag: Duration,
    /// What the game clock will show next if the last move cost nothing beyond its search.
    expected: Option<Duration>,
}

impl Reserve {
    /// The reserve to begin with.
    pub const INITIAL: Duration = Duration::from_millis(30);
    /// The smallest reserve.
    pub const LEAST: Duration = Duration::from_millis(10);
    /// The largest reserve.
    pub const MOST: Duration = Duration::from_millis(200);
    /// The least that a move is taken to cost beyond its search.
    pub const LEAST_LAG: Duration = Duration::from_millis(5);

    /// Returns a reserve that begins at `initial`, clamped to the bounds.
    #[must_use]
    pub fn new(initial: Duration) -> Reserve {
        let usual = initial.clamp(Reserve::LEAST, Reserve::MOST);
        Reserve { current: usual, usual, lag: usual / 2, expected: None }
    }

    /// Returns the reserve, from [`Reserve::LEAST`] to [`Reserve::MOST`].
    #[must_use]
    pub const fn get(&self) -> Duration {
        self.current
    }

    /// Returns the reserve for one limit: never more than a quarter of it.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Duration {
        self.current.min(limit / 4)
    }

    /// Returns what each move to come is taken to cost on the game clock beyond its search, from
    /// [`Reserve::LEAST_LAG`] up to the reserve itself; half of the reserve to begin with.
    #[must_use]
    pub fn lag(&self) -> Duration {
        self.lag.min(self.current)
    }

    /// Learns from one answer: when its search had to end at the latest and when it was finished, both
    /// since the command arrived.
    ///
    /// An answer after that raises the reserve to twice the delay at once; answers in
    /// time let it return slowly.
    pub fn observe(&mut self, due: Option<Duration>, finished: Duration) {
        let Some(due) = due else { return };
        let delay = finished.saturating_sub(due);
        let wanted = delay.saturating_mul(2).min(Reserve::MOST);
        if wanted > self.current {
            self.current = wanted;
        } else {
            self.current -= (self.current.saturating_sub(self.usual.max(wanted))) / 16;
        }
    }

    /// Learns from one answer what it cost on the game clock beyond its search: the clock before it,
    /// and how long it took since the command arrived.
    ///
    /// A clock that shows less than it should after the answer before raises what a move is taken to
    /// cost to three times the difference at once; while it shows what it should, that returns slowly
    /// to the least. A clock that shows more, or less by more than [`Reserve::MOST`], was set anew,
    /// which tells nothing; so does a search without a clock.
    pub fn observe_clock(&mut self, allowance: &Allowance, took: Duration) {
        let Some(left) = allowance.left else { return };
        if let Some(expected) = self.expected
            && let Some(lost) = expected.checked_sub(left)
            && lost <= Reserve::MOST
        {
            let wanted = lost.saturating_mul(3).clamp(Reserve::LEAST_LAG, Reserve::MOST);
            self.lag = wanted.max(self.lag - self.lag.saturating_sub(wanted) / 4);
        }
        let rest = left.checked_sub(took);
        self.expected = rest.map(|rest| rest.saturating_add(allowance.increment));
    }
}

impl Default for Reserve {
    fn default() -> Reserve {
        Reserve::new(Reserve::INITIAL)
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
        let mut reserve = Reserve::default();
        assert_eq!(reserve.get(), ms(30));
        reserve.observe(Some(ms(970)), ms(980));
        assert_eq!(reserve.get(), ms(30));
        reserve.observe(Some(ms(970)), ms(1010));
        assert_eq!(reserve.get(), ms(80));
        reserve.observe(Some(ms(970)), ms(9000));
        assert_eq!(reserve.get(), ms(200));
        reserve.observe(Some(ms(970)), Duration::MAX);
        assert_eq!(reserve.get(), ms(200));
    }

    #[test]
    fn answers_in_time_let_the_reserve_return_slowly() {
        let mut reserve = Reserve::default();
        reserve.observe(Some(ms(100)), ms(180));
        assert_eq!(reserve.get(), ms(160));
        reserve.observe(Some(ms(100)), ms(50));
        assert!(reserve.get() > ms(150) && reserve.get() < ms(160));
        for _ in 0..1000 {
            reserve.observe(Some(ms(100)), ms(50));
        }
        assert!(reserve.get() >= ms(30) && reserve.get() < ms(31));
        let before = reserve;
        reserve.observe(None, ms(100_000));
        assert_eq!(reserve, before);
    }

    #[test]
    fn a_small_limit_loses_at_most_a_quarter() {
        let reserve = Reserve::default();
        assert_eq!(reserve.within(ms(1000)), ms(30));
        assert_eq!(reserve.within(ms(100)), ms(25));
        assert_eq!(reserve.within(ms(4)), ms(1));
        assert_eq!(reserve.within(Duration::ZERO), Duration::ZERO);
    }

    fn clock(left: Duration, increment: Duration) -> Allowance {
        Allowance { left: Some(left), increment, ..Allowance::default() }
    }

    /// Returns the lag learnt from moves of 100 ms, each of which cost `lag` more on the clock.
    fn learnt(reserve: &mut Reserve, moves: u64, lag: u64, increment: u64) -> Duration {
        let mut left = 20_000;
        for _ in 0..moves {
            reserve.observe_clock(&clock(ms(left), ms(increment)), ms(100));
            left = left + increment - 100 - lag;
        }
        reserve.lag()
    }

    #[test]
    fn the_lag_is_learnt_from_the_game_clock() {
        for increment in [0, 50] {
            let mut reserve = Reserve::default();
            assert_eq!(learnt(&mut reserve, 1, 3, increment), ms(15));
            assert!(learnt(&mut reserve, 3, 3, increment) < ms(13));
            let lag = learnt(&mut reserve, 40, 3, increment);
            assert!(lag >= ms(9) && lag < ms(10), "{lag:?}");
            let lag = learnt(&mut reserve, 40, 0, increment);
            assert!(lag >= ms(5) && lag < ms(6), "{lag:?}");
            assert_eq!(learnt(&mut reserve, 2, 8, increment), ms(24));
        }
    }

    #[test]
    fn the_lag_is_never_more_than_the_reserve() {
        let mut reserve = Reserve::default();
        assert_eq!(learnt(&mut reserve, 20, 90, 0), ms(30));
        reserve.observe(Some(ms(970)), ms(1010));
        assert_eq!(reserve.lag(), ms(80));
    }

    #[test]
    fn a_clock_that_is_set_anew_or_absent_teaches_nothing() {
        let mut reserve = Reserve::default();
        let lag = learnt(&mut reserve, 10, 0, 0);
        reserve.observe_clock(&clock(ms(60_000), ms(0)), ms(100));
        assert_eq!(reserve.lag(), lag);
        reserve.observe_clock(&clock(ms(10_000), ms(0)), ms(100));
        assert_eq!(reserve.lag(), lag);
        reserve.observe_clock(&Allowance::default(), ms(100));
        reserve.observe_clock(&clock(ms(100), ms(0)), Duration::MAX);
        reserve.observe_clock(&clock(ms(0), ms(0)), ms(0));
        assert_eq!(reserve.lag(), lag);
    }

    #[test]
    fn a_search_without_a_clock_does_not_come_between_two_with_one() {
        let mut reserve = Reserve::default();
        reserve.observe_clock(&clock(ms(20_000), ms(0)), ms(100));
        reserve.observe_clock(&Allowance::default(), ms(5000));
        reserve.observe_clock(&clock(ms(19_892), ms(0)), ms(100));
        assert_eq!(reserve.lag(), ms(24));
    }

    #[test]
    fn a_chosen_start_is_kept_within_the_bounds() {
        assert_eq!(Reserve::new(ms(0)).get(), ms(10));
        assert_eq!(Reserve::new(ms(100)).get(), ms(100));
        assert_eq!(Reserve::new(ms(5000)).get(), ms(200));
    }
}

//! The time set aside for everything between the end of a search and the manager's clock.

use std::time::Duration;

/// The part of every limit that is left unused, learnt from how late answers were.
///
/// Lives as long as the process and is handed to every [`TimeManager`](super::TimeManager).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reserve {
    current: Duration,
    /// What the reserve returns to while answers are in time.
    usual: Duration,
}

impl Reserve {
    /// The reserve to begin with.
    pub const INITIAL: Duration = Duration::from_millis(30);
    /// The smallest reserve.
    pub const LEAST: Duration = Duration::from_millis(10);
    /// The largest reserve.
    pub const MOST: Duration = Duration::from_millis(200);

    /// Returns a reserve that begins at `initial`, clamped to the bounds.
    #[must_use]
    pub fn new(initial: Duration) -> Reserve {
        let usual = initial.clamp(Reserve::LEAST, Reserve::MOST);
        Reserve { current: usual, usual }
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

    /// Learns from one answer: the hard limit of its search and when it was finished, both since
    /// the command arrived.
    ///
    /// An answer after the hard limit raises the reserve to twice the delay at once; answers in
    /// time let it return slowly.
    pub fn observe(&mut self, hard: Option<Duration>, finished: Duration) {
        let Some(hard) = hard else { return };
        let delay = finished.saturating_sub(hard);
        let wanted = delay.saturating_mul(2).min(Reserve::MOST);
        if wanted > self.current {
            self.current = wanted;
        } else {
            self.current -= (self.current.saturating_sub(self.usual.max(wanted))) / 16;
        }
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

    #[test]
    fn a_chosen_start_is_kept_within_the_bounds() {
        assert_eq!(Reserve::new(ms(0)).get(), ms(10));
        assert_eq!(Reserve::new(ms(100)).get(), ms(100));
        assert_eq!(Reserve::new(ms(5000)).get(), ms(200));
    }
}

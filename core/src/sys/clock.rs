//! The monotonic clock, behind a trait so that tests can own time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A source of monotonic time.
pub trait Clock: Send + Sync {
    /// Returns the present moment, never earlier than one returned before.
    fn now(&self) -> Instant;
}

/// The clock of the operating system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// A clock that stands still until it is advanced.
#[derive(Debug)]
pub struct ManualClock {
    origin: Instant,
    nanos: AtomicU64,
}

impl ManualClock {
    /// Returns a clock that stands at `origin`.
    #[must_use]
    pub const fn new(origin: Instant) -> ManualClock {
        ManualClock { origin, nanos: AtomicU64::new(0) }
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let nanos = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        self.origin + Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    #[inline]
    fn now(&self) -> Instant {
        (**self).now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let origin = Instant::now();
        let clock = ManualClock::new(origin);
        assert_eq!(clock.now(), origin);
        clock.advance(Duration::from_millis(3));
        clock.advance(Duration::from_nanos(7));
        assert_eq!(clock.now() - origin, Duration::new(0, 3_000_007));
    }

    #[test]
    fn the_system_clock_never_goes_back() {
        let first = SystemClock.now();
        assert!(SystemClock.now() >= first);
    }
}

//! A request to end some work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::turns;

/// A flag that asks work to end. Its clones are the same flag.
///
/// The work polls it. Once set, it stays set, and a thread that sees it set also sees everything that happened
/// before.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// The moment from which it counts as set.
    deadline: Option<Instant>,
    /// The flag of the whole work that this is a part of.
    whole: Option<Arc<Stop>>,
}

impl Stop {
    /// Returns a flag that is not set.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Returns a flag for a part of the work: it is set with this one, or alone.
    #[must_use]
    pub fn part(&self) -> Stop {
        Stop { flag: Arc::default(), deadline: None, whole: Some(Arc::new(self.clone())) }
    }

    /// Returns a flag for a part of the work with a time limit: it is also set once this time has passed
    /// from now on. Each look at it reads the clock, unless the time is [`Duration::MAX`], which has no end.
    #[must_use]
    pub fn part_within(&self, time: Duration) -> Stop {
        // A time without an end overflows.
        Stop { deadline: Instant::now().checked_add(time), ..self.part() }
    }

    /// Asks the work to end.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Release);
    }

    /// Returns whether the work is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        turns::give_way();
        self.flag.load(Ordering::Acquire)
            || self.whole.as_deref().is_some_and(Stop::is_set)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns a guard that asks the work to end when it is dropped, also by a panic.
    #[must_use]
    pub fn request_on_drop(&self) -> RequestOnDrop {
        RequestOnDrop(self.clone())
    }
}

/// A flag that something else sets, such as a signal.
impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop { flag, ..Stop::default() }
    }
}

/// Asks work to end when it is dropped.
#[derive(Debug)]
pub struct RequestOnDrop(Stop);

impl Drop for RequestOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_one_flag_and_a_part_is_not_the_whole() {
        let whole = Stop::new();
        let (part, other) = (whole.part(), whole.part());
        let part_of_part = part.part();
        let set = || [&whole, &part, &other, &part_of_part].map(Stop::is_set);
        assert_eq!(set(), [false; 4]);
        part.clone().request();
        assert_eq!(set(), [false, true, false, true]);
        whole.clone().request();
        assert_eq!(set(), [true; 4]);
    }

    #[test]
    fn time_is_up_for_a_part_alone() {
        let whole = Stop::new();
        let part = whole.part_within(Duration::ZERO);
        assert!(part.is_set() && part.part().is_set() && !whole.is_set());
        for endless in [Duration::from_secs(1 << 40), Duration::MAX] {
            assert!(!whole.part_within(endless).is_set());
        }
    }

    #[test]
    fn a_guard_sets_the_flag_also_by_a_panic() {
        let stop = Stop::new();
        let guarded = std::panic::catch_unwind(|| {
            let _guard = stop.request_on_drop();
            assert!(stop.is_set(), "not before it is dropped");
        });
        assert!(guarded.is_err() && stop.is_set());
    }

    #[test]
    fn what_sets_the_flag_of_another_is_seen() {
        let flag = Arc::new(AtomicBool::new(false));
        let part = Stop::from(Arc::clone(&flag)).part();
        assert!(!part.is_set());
        flag.store(true, Ordering::Relaxed);
        assert!(part.is_set());
    }
}

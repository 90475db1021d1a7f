//! The duration of a turn.

use std::time::{Duration, Instant};

/// A watch that shows how long a turn has taken, and that can be stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnWatch {
    /// The time before it was stopped last.
    before: Duration,
    /// The moment at which it began to run; nothing as long as it stands.
    since: Option<Instant>,
}

impl TurnWatch {
    /// Returns one that runs from now on.
    pub(super) const fn new(now: Instant) -> TurnWatch {
        TurnWatch { before: Duration::ZERO, since: Some(now) }
    }

    /// Returns the time of the turn until now.
    pub(super) fn time(&self, now: Instant) -> Duration {
        let running =
            self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.before.saturating_add(running)
    }

    /// Returns the moment at which the turn has taken this time; nothing if the watch stands.
    pub(super) fn moment(&self, time: Duration) -> Option<Instant> {
        self.since?.checked_add(time.saturating_sub(self.before))
    }

    /// Begins another turn. A watch that stands goes on standing.
    pub(super) fn begin(&mut self, now: Instant) {
        *self = TurnWatch { before: Duration::ZERO, since: self.since.map(|_| now) };
    }

    /// Runs on from now, whatever it did before: the time since it last began to run does not count.
    pub(super) const fn run(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// Stands, after the turn has taken this time.
    pub(super) const fn stand_at(&mut self, time: Duration) {
        *self = TurnWatch { before: time, since: None };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_watch_that_stands_counts_nothing() {
        let start = Instant::now();
        let mut watch = TurnWatch::new(start);
        assert_eq!(watch.time(start + s(3)), s(3));
        assert_eq!(watch.moment(s(5)), Some(start + s(5)));
        watch.stand_at(s(3));
        assert_eq!((watch.time(start + s(9)), watch.moment(s(5))), (s(3), None));
        watch.run(start + s(10));
        assert_eq!(watch.time(start + s(11)), s(4));
        assert_eq!(watch.moment(s(5)), Some(start + s(12)));
        assert_eq!(watch.moment(s(1)), Some(start + s(10)), "it is over already");
        watch.begin(start + s(20));
        assert_eq!(watch.time(start + s(21)), s(1));
        watch.stand_at(s(7));
        watch.begin(start + s(30));
        assert_eq!(watch.time(start + s(40)), s(0), "it stands");
    }
}

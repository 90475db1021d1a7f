//! The choice of the next game, and of the worker that plays it.

use std::collections::{HashSet, VecDeque};

use crate::arena::{Fixture, Schedule, Shard};

/// The games of a match that are not started.
///
/// A worker gets both games of a pair if it can, so that it need not start other players in
/// between; for that, a few games may be begun out of their order.
#[derive(Debug)]
pub(super) struct Queue {
    schedule: Schedule,
    shard: Option<Shard>,
    done: HashSet<u64>,
    /// The number of games of the schedule that were looked at.
    seen: u64,
    /// Games that were looked at and passed over.
    ahead: VecDeque<Fixture>,
    /// The pair of which each worker had a game last.
    pairs: Vec<Option<u64>>,
}

impl Queue {
    /// Returns the games that are not done, for a number of workers.
    pub(super) fn new(
        schedule: Schedule,
        shard: Option<Shard>,
        done: HashSet<u64>,
        workers: usize,
    ) -> Queue {
        let pairs = vec![None; workers];
        Queue { schedule, shard, done, seen: 0, ahead: VecDeque::new(), pairs }
    }

    /// Hands out a game.
    pub(super) fn next(&mut self, worker: usize) -> Option<Fixture> {
        let own = self.pairs[worker].take();
        let second = self.ahead.iter().position(|fixture| Some(fixture.pair) == own);
        let fixture = match second {
            Some(place) => self.ahead.remove(place),
            None => self.of_new_pair().or_else(|| self.ahead.pop_front()),
        }?;
        self.pairs[worker] = Some(fixture.pair);
        Some(fixture)
    }

    /// Takes the next game of a pair of which no other worker had a game last.
    ///
    /// Only second games of such pairs are passed over, so there are never more of them than
    /// workers.
    fn of_new_pair(&mut self) -> Option<Fixture> {
        let free = |fixture: &Fixture| !self.pairs.contains(&Some(fixture.pair));
        if let Some(place) = self.ahead.iter().position(free) {
            return self.ahead.remove(place);
        }
        while self.seen < self.schedule.games_in(self.shard) {
            let fixture = self.schedule.fixture_in(self.shard, self.seen);
            self.seen += 1;
            if self.done.contains(&fixture.game) {
                continue;
            }
            if !self.pairs.contains(&Some(fixture.pair)) {
                return Some(fixture);
            }
            self.ahead.push_back(fixture);
        }
        None
    }
}

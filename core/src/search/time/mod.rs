//! Time management: the time for one move.
//!
//! Pure: times are passed in. A [`TimeManager`] is made once per search from the [`Limits`] and
//! decides a [`Budget`]: the optimum time, which the move should take, and the maximum time, at
//! which the search is stopped in any case. After every iteration it decides whether to start
//! another.

mod overhead;
#[cfg(test)]
mod tests;
mod time_control;
mod tuning;

use std::time::{Duration, Instant};

use super::limits::Limits;
use crate::types::{Point, Score};

pub use overhead::MoveOverhead;
pub use time_control::TimeControl;
pub use tuning::TimeParams;

/// The maximum time of a move that is to be played as fast as possible.
const FASTEST: Duration = Duration::from_millis(5);

/// The time budget of one search, measured from the arrival of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// The time that the move should take, before the course of the search is known; `None` means
    /// unlimited, and then `maximum` is unlimited too.
    pub optimum: Option<Duration>,
    /// The time at which the search is stopped.
    pub maximum: Option<Duration>,
}

/// A finished iteration, as the input of the decision whether to start another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    /// The time since the command arrived.
    pub elapsed: Duration,
    /// The time taken by this iteration alone.
    pub duration: Duration,
    /// The completed depth, in plies.
    pub depth: u32,
    /// The score of the best move.
    pub score: Score,
    /// The score of the iteration before, if there was one.
    pub previous_score: Option<Score>,
    /// The stability of the best move.
    pub stability: Stability,
    /// The expected ratio of the next iteration's duration to this one's.
    pub growth: f64,
}

/// The stability of the best move over the iterations of one search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Stability {
    best: Option<Point>,
    unchanged: u32,
    changes: f64,
}

impl Stability {
    /// Records the best move of an iteration and whether it differs from that of the previous one.
    pub fn note(&mut self, best: Point, changed: bool) {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        self.changes = self.changes / 2.0 + f64::from(u8::from(changed));
    }

    /// Returns the number of iterations in a row that confirmed the best move.
    #[must_use]
    pub const fn unchanged(&self) -> u32 {
        self.unchanged
    }
}

/// Decides how long one search may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeManager {
    start: Instant,
    time: TimeControl,
    budget: Budget,
    /// True if unused time is available for later moves.
    saves: bool,
    params: TimeParams,
}

impl TimeManager {
    /// Decides the budget of a search from a position with `stones` on the board and `empties`
    /// empty cells.
    #[must_use]
    pub fn new(
        limits: &Limits,
        stones: usize,
        empties: usize,
        move_overhead: &MoveOverhead,
    ) -> TimeManager {
        TimeManager::with_params(limits, stones, empties, move_overhead, TimeParams::DEFAULT)
    }

    /// Like [`TimeManager::new`], with other parameters than the defaults.
    #[must_use]
    pub fn with_params(
        limits: &Limits,
        stones: usize,
        empties: usize,
        move_overhead: &MoveOverhead,
        params: TimeParams,
    ) -> TimeManager {
        let &Limits { time, start, .. } = limits;
        let (budget, saves) = params.budget(&time, stones, empties, move_overhead);
        TimeManager { start, time, budget, saves, params }
    }

    /// Returns the moment from which all times are measured.
    #[must_use]
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// Returns the time control of the limits.
    #[must_use]
    pub const fn time_control(&self) -> TimeControl {
        self.time
    }

    /// Returns the budget.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }

    /// Returns whether to stop after a finished iteration.
    ///
    /// If saved time is available for later moves, the search stops earlier the more stable its
    /// result is, and starts no iteration that is unlikely to get far. Otherwise it uses nine
    /// tenths of the maximum time.
    #[must_use]
    pub fn should_stop_after_iteration(&self, iteration: &Iteration) -> bool {
        let Budget { optimum: Some(optimum), maximum: Some(maximum) } = self.budget else {
            return false;
        };
        let params = &self.params;
        if !self.saves {
            return iteration.elapsed >= optimum;
        }
        let growth = iteration.growth.clamp(params.growth_least, params.growth_most);
        let expected_end = iteration.elapsed.saturating_add(scaled(iteration.duration, growth));
        if expected_end > scaled(maximum, params.overrun) {
            return true;
        }
        let falling = iteration.previous_score.map_or(1.0, |previous| {
            let lost = f64::from(previous.raw() - iteration.score.raw());
            (params.falling_slope * lost + params.falling_base)
                .clamp(params.falling_least, params.falling_most)
        });
        let stability = &iteration.stability;
        let reduction = 1.0 / (1.0 + params.stability_step * f64::from(stability.unchanged));
        let instability = 1.0 + params.instability_weight * stability.changes;
        let wanted = scaled(optimum, falling * reduction * instability);
        let depth = f64::from(iteration.depth).powf(params.depth_power);
        let latest = scaled(maximum, 1.0 / (params.depth_base + params.depth_slope * depth));
        iteration.elapsed >= wanted.min(latest)
    }
}

impl TimeParams {
    /// Returns the budget of one move, and whether unused time is available for later moves.
    fn budget(
        &self,
        time: &TimeControl,
        stones: usize,
        empties: usize,
        move_overhead: &MoveOverhead,
    ) -> (Budget, bool) {
        let decided = |optimum, maximum| Budget { optimum: Some(optimum), maximum: Some(maximum) };
        if time.is_fastest() {
            return (decided(Duration::ZERO, FASTEST), false);
        }
        let moves = empties.max(1) as f64;
        let increment = scaled(time.increment, self.increment_share);
        // What a move adds and does not spend pays for its overhead.
        let lag = move_overhead.lag().saturating_sub(time.increment.saturating_sub(increment));
        let usable = time.left.map(|left| self.usable(left, lag, moves, move_overhead.get()));
        let share = |left: Duration, moves_to_go: f64| {
            let share = scaled(left, 1.0 / moves.min(moves_to_go)).saturating_add(increment);
            share.min(scaled(left, self.single_move_share))
        };
        let of_game = usable.map(|left| share(left, self.maximum_moves));
        let Some(whole) = [time.turn, of_game].into_iter().flatten().min() else {
            return (Budget::default(), false);
        };
        let maximum = whole - move_overhead.within(whole);
        let most = scaled(maximum, self.optimum_share);
        let Some(left) = usable else { return (decided(most, maximum), false) };
        let ample = time.turn.is_some_and(|turn| scaled(turn, moves.min(self.ample_moves)) < left);
        if ample {
            return (decided(most, maximum), false);
        }
        let important = scaled(maximum, self.importance(stones) / self.turn_divisor);
        (decided(most.min(share(left, self.optimum_moves)).min(important), maximum), true)
    }

    /// Returns the time left minus the lag of this and the following moves and a reserve for mishaps.
    fn usable(&self, left: Duration, lag: Duration, moves: f64, reserve: Duration) -> Duration {
        // The opponent takes every second empty cell.
        let own = (moves / 2.0).ceil().min(self.overhead_moves);
        let mishap = scaled(reserve, self.mishap_reserves).min(scaled(left, 0.5));
        left.saturating_sub(scaled(lag, own) + mishap).max(scaled(left, self.usable_least))
    }

    /// Returns the importance of the move after `stones` stones: higher at first, lower in the end.
    fn importance(&self, stones: usize) -> f64 {
        let stones = stones as f64;
        let late = (stones - self.importance_center) / self.importance_width;
        (1.0 + late.exp()).powf(-self.importance_power)
            + self.opening_bonus * (-self.opening_decay * stones).exp()
    }
}

/// Returns `duration` times a factor, saturating; NaN counts as 0.
fn scaled(duration: Duration, factor: f64) -> Duration {
    let seconds = duration.as_secs_f64() * factor;
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

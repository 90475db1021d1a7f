//! The clock of a match, as far as the manager leaves it to the engine.

use std::time::{Duration, Instant};

use tengen_core::search::time::{TimeControl, UNLIMITED, resolve};
use tengen_core::search::{ClockSettings, Limits};

/// The longest time before the first move that can be the engine's own start-up. What goes
/// beyond it is the thinking of an opponent or the typing of a person.
const MAX_START_UP: Duration = Duration::from_secs(2);

/// The time used of a match whose manager sets a limit but never sends what is left.
///
/// The time of a match runs from the creation of the process, so the first move is charged with
/// the start-up. Once `time_left` has been received it alone counts.
#[derive(Clone, Debug)]
pub(super) struct MatchClock {
    started: Option<Instant>,
    used: Duration,
}

impl MatchClock {
    /// Returns the clock of a process that was created at `started`.
    pub(super) fn new(started: Instant) -> MatchClock {
        MatchClock { started: Some(started), used: Duration::ZERO }
    }

    /// Begins another match.
    pub(super) fn restart(&mut self) {
        self.used = Duration::ZERO;
    }

    /// Returns what was used before a move that is asked for at `now`.
    pub(super) fn used_before(&mut self, now: Instant) -> Duration {
        if let Some(started) = self.started.take() {
            self.used += now.saturating_duration_since(started).min(MAX_START_UP);
        }
        self.used
    }

    /// Charges the match with a move.
    pub(super) fn charge(&mut self, spent: Duration) {
        self.used += spent;
    }
}

/// Returns the clock with what is left of the match filled in, if the match has a limit and the
/// manager doesn't send it.
pub(super) fn with_time_left(clock: ClockSettings, used: Duration) -> ClockSettings {
    match clock.timeout_match {
        Some(limit) if (1..UNLIMITED).contains(&limit) && clock.time_left.is_none() => {
            let used = i64::try_from(used.as_millis()).unwrap_or(i64::MAX);
            ClockSettings { time_left: Some(limit.saturating_sub(used)), ..clock }
        }
        _ => clock,
    }
}

/// Returns whether a search with these limits is ended by the clock, whatever else may end it, and
/// by nothing else.
pub(super) fn is_timed(limits: &Limits) -> bool {
    let allowance = resolve(limits);
    let clock = allowance.turn.is_some() || allowance.left.is_some() || allowance.fastest;
    clock && limits.max_depth.is_none() && limits.max_nodes.is_none()
}

/// Returns the moment from which the answer to a search with these limits is late, if the clock says so.
pub(super) fn due(limits: &Limits) -> Option<Instant> {
    let TimeControl { turn, left, fastest, .. } = resolve(limits);
    let limit = turn.into_iter().chain(left).min().filter(|_| !fastest)?;
    limits.start.checked_add(limit)
}

/// Returns whether a search with these limits ends by itself.
pub(super) fn is_finite(limits: &Limits) -> bool {
    let allowance = resolve(limits);
    limits.max_depth.is_some()
        || limits.max_nodes.is_some()
        || allowance.turn.is_some()
        || allowance.left.is_some()
        || allowance.fastest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn: i64, game: i64, left: Option<i64>) -> ClockSettings {
        ClockSettings {
            timeout_turn: Some(turn),
            timeout_match: Some(game),
            time_left: left,
            increment: None,
        }
    }

    #[test]
    fn the_first_move_is_charged_with_the_start_up_only() {
        let start = Instant::now();
        let mut quick = MatchClock::new(start);
        assert_eq!(quick.used_before(start + Duration::from_millis(300)).as_millis(), 300);
        quick.charge(Duration::from_millis(1000));
        assert_eq!(quick.used_before(start + Duration::from_secs(60)).as_millis(), 1300);
        let mut slow = MatchClock::new(start);
        assert_eq!(slow.used_before(start + Duration::from_secs(600)), MAX_START_UP);
    }

    #[test]
    fn what_is_left_is_filled_in_only_where_the_manager_is_silent() {
        let used = Duration::from_millis(400);
        let left = |clock| with_time_left(clock, used).time_left;
        assert_eq!(left(clock(1000, 60_000, None)), Some(59_600));
        assert_eq!(left(clock(1000, 60_000, Some(5))), Some(5));
        assert_eq!(left(clock(1000, 0, None)), None);
        assert_eq!(left(clock(1000, UNLIMITED, None)), None);
        assert_eq!(left(ClockSettings::default()), None);
    }

    #[test]
    fn searches_without_limits_are_not_finite() {
        let limits = |clock, infinite| Limits {
            clock,
            start: Instant::now(),
            max_depth: None,
            max_nodes: None,
            infinite,
        };
        assert!(!is_finite(&limits(clock(-1, -1, Some(1)), true)));
        assert!(!is_finite(&limits(clock(-1, 0, None), false)));
        assert!(!is_finite(&limits(clock(0, 0, None), true)));
        let endless = with_time_left(clock(-1, UNLIMITED, None), Duration::from_millis(400));
        assert!(!is_finite(&limits(endless, false)));
        assert!(is_finite(&limits(clock(0, 0, None), false)));
        assert!(is_finite(&limits(ClockSettings::default(), false)));
        assert!(is_finite(&limits(clock(-1, 60_000, None), false)));
        let nodes = Limits { max_nodes: Some(5), ..limits(clock(-1, -1, None), true) };
        assert!(is_finite(&nodes));
    }
}

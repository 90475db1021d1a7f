//! The clock: what the time keys of managers mean together, and the time of a match that the manager
//! leaves to the engine.

use std::time::{Duration, Instant};

use tengen_core::search::Limits;
use tengen_core::search::time::TimeControl;

/// The value that managers send for "unlimited", in milliseconds.
pub const UNLIMITED: i64 = 2_147_483_647;

/// The turn limit if no limit is given.
const DEFAULT_TURN: Duration = Duration::from_secs(5);

/// Yixin-Board sends this pair of `timeout_turn` and `timeout_match` as a stand-in for "no clock".
const NO_CLOCK: (Option<i64>, Option<i64>) = (Some(2_000_000), Some(100_000_000));

/// The time keys of a manager, in milliseconds and as received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ClockSettings {
    /// `INFO timeout_turn`: the limit of one move. 0 asks for the fastest possible move; a negative
    /// value means no limit.
    pub(super) timeout_turn: Option<i64>,
    /// `INFO timeout_match`: the limit of a whole game; 0 or less means unlimited.
    pub(super) timeout_match: Option<i64>,
    /// `INFO time_left`: the time left for the game; 2147483647 means unlimited.
    pub(super) time_left: Option<i64>,
    /// `INFO time_increment`: the time added to the game clock for each move. Managers that send
    /// `time_left` have already added it.
    pub(super) increment: Option<i64>,
}

impl ClockSettings {
    /// Returns the clock with what is left of the match filled in, if the match has a limit and the
    /// manager doesn't send it.
    pub(super) fn with_time_left(self, used: UsedTime) -> ClockSettings {
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match self.timeout_match {
            Some(limit) if (1..UNLIMITED).contains(&limit) && self.time_left.is_none() => {
                let added = self.increment().saturating_mul(used.moves);
                let left = limit.saturating_add(millis(added)).saturating_sub(millis(used.time));
                ClockSettings { time_left: Some(left.min(UNLIMITED - 1)), ..self }
            }
            _ => self,
        }
    }

    /// Returns whether the manager has said that a move has no limit, or is to be played at once.
    pub(super) fn has_no_turn(&self) -> bool {
        self.timeout_turn.is_some_and(|turn| turn <= 0)
    }

    /// Returns the time control that these amount to.
    ///
    /// * A positive turn limit is a limit, a negative one means no limit, and 0 asks for the fastest
    ///   move, except in an `analysis` without any other clock, where it means no limit.
    /// * The time left is authoritative. The match limit stands in for it if it was never sent, and it
    ///   is ignored if the match explicitly has no limit. A game clock that has run out asks for the
    ///   fastest move.
    /// * If the turn limit was never sent, the time left is used, or else 5 seconds, unless the search
    ///   `is_bounded` by nodes or depth.
    pub(super) fn control(&self, is_bounded: bool, analysis: bool) -> TimeControl {
        if (self.timeout_turn, self.timeout_match) == NO_CLOCK {
            return TimeControl::UNLIMITED;
        }
        let left = self.left();
        let turn = match self.timeout_turn {
            Some(0) => (!analysis || left.is_some()).then_some(Duration::ZERO),
            Some(turn) => finite(turn),
            None => (left.is_none() && !is_bounded).then_some(DEFAULT_TURN),
        };
        TimeControl { turn, left, increment: self.increment() }
    }

    /// Returns the time that a move adds to the game clock.
    fn increment(&self) -> Duration {
        self.increment.and_then(finite).unwrap_or_default()
    }

    /// Returns the time left on the game clock, if there is one.
    fn left(&self) -> Option<Duration> {
        let untimed = self.timeout_match.is_some_and(|limit| limit <= 0);
        match self.time_left {
            _ if untimed => None,
            Some(left) if left <= 0 => Some(Duration::ZERO),
            Some(left) => finite(left),
            None => self.timeout_match.and_then(finite),
        }
    }
}

/// Returns a positive number of milliseconds that does not mean "unlimited".
fn finite(millis: i64) -> Option<Duration> {
    let millis = u64::try_from(millis).ok()?;
    (millis > 0 && millis < UNLIMITED as u64).then(|| Duration::from_millis(millis))
}

/// The longest time before the first move that can be the engine's own start-up. What goes
/// beyond it is the thinking of an opponent or the typing of a person.
const MAX_START_UP: Duration = Duration::from_secs(2);

/// What was used of a match before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct UsedTime {
    time: Duration,
    /// The moves that took it, after each of which the increment was added.
    moves: u32,
}

/// The time used of a match whose manager sets a limit but never sends what is left.
///
/// The time of a match runs from the creation of the process, so the first move is charged with
/// the start-up. Once `time_left` has been received it alone counts.
#[derive(Clone, Debug)]
pub(super) struct MatchClock {
    started: Option<Instant>,
    used: UsedTime,
}

impl MatchClock {
    /// Returns the clock of a process that was created at `started`.
    pub(super) fn new(started: Instant) -> MatchClock {
        MatchClock { started: Some(started), used: UsedTime::default() }
    }

    /// Begins another match.
    pub(super) fn restart(&mut self) {
        self.used = UsedTime::default();
    }

    /// Returns what was used before a move that is asked for at `now`.
    pub(super) fn used_before(&mut self, now: Instant) -> UsedTime {
        if let Some(started) = self.started.take() {
            self.used.time += now.saturating_duration_since(started).min(MAX_START_UP);
        }
        self.used
    }

    /// Charges the match with a move.
    pub(super) fn charge(&mut self, spent: Duration) {
        self.used.time += spent;
        self.used.moves += 1;
    }
}

/// Returns whether a search with these limits is ended by the clock, whatever else may end it, and
/// by nothing else.
pub(super) fn is_timed(limits: &Limits) -> bool {
    limits.time.is_limited() && !limits.is_bounded()
}

/// Returns the moment from which the answer to a search with these limits is late, if the clock says so.
pub(super) fn due(limits: &Limits) -> Option<Instant> {
    let TimeControl { turn, left, .. } = limits.time;
    let limit = turn.into_iter().chain(left).min().filter(|_| !limits.time.is_fastest())?;
    limits.start.checked_add(limit)
}

/// Returns whether a search with these limits ends by itself.
pub(super) fn is_finite(limits: &Limits) -> bool {
    limits.time.is_limited() || limits.is_bounded()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn: Option<i64>, game: Option<i64>, left: Option<i64>) -> ClockSettings {
        ClockSettings { timeout_turn: turn, timeout_match: game, time_left: left, increment: None }
    }

    fn used(millis: u64, moves: u32) -> UsedTime {
        UsedTime { time: Duration::from_millis(millis), moves }
    }

    /// Resolves turn, match and time left, without other limits.
    fn resolved(turn: Option<i64>, game: Option<i64>, left: Option<i64>) -> TimeControl {
        clock(turn, game, left).control(false, false)
    }

    fn timed(turn: Option<u64>, left: Option<u64>) -> TimeControl {
        TimeControl {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..TimeControl::UNLIMITED
        }
    }

    #[test]
    fn the_first_move_is_charged_with_the_start_up_only() {
        let start = Instant::now();
        let mut quick = MatchClock::new(start);
        assert_eq!(quick.used_before(start + Duration::from_millis(300)), used(300, 0));
        quick.charge(Duration::from_millis(1000));
        assert_eq!(quick.used_before(start + Duration::from_secs(60)), used(1300, 1));
        let mut slow = MatchClock::new(start);
        assert_eq!(slow.used_before(start + Duration::from_secs(600)).time, MAX_START_UP);
    }

    #[test]
    fn what_is_left_is_filled_in_only_where_the_manager_is_silent() {
        let left =
            |game, left| clock(Some(1000), game, left).with_time_left(used(400, 3)).time_left;
        assert_eq!(left(Some(60_000), None), Some(59_600));
        assert_eq!(left(Some(60_000), Some(5)), Some(5));
        assert_eq!(left(Some(0), None), None);
        assert_eq!(left(Some(UNLIMITED), None), None);
        assert_eq!(left(None, None), None);
    }

    #[test]
    fn every_move_adds_the_increment_to_what_is_filled_in() {
        let left = |increment, used| {
            let clock = ClockSettings { increment, ..clock(None, Some(60_000), None) };
            clock.with_time_left(used).time_left
        };
        assert_eq!(left(Some(500), used(0, 0)), Some(60_000));
        assert_eq!(left(Some(500), used(400, 3)), Some(61_100));
        assert_eq!(left(Some(-500), used(400, 3)), Some(59_600));
        assert_eq!(left(Some(UNLIMITED - 1), used(400, u32::MAX)), Some(UNLIMITED - 1));
    }

    #[test]
    fn searches_without_limits_are_not_finite() {
        let start = Instant::now();
        let limits = |clock: ClockSettings, analysis| Limits {
            time: clock.control(false, analysis),
            ..Limits::none(start)
        };
        assert!(!is_finite(&limits(clock(Some(-1), Some(-1), Some(1)), true)));
        assert!(!is_finite(&limits(clock(Some(-1), Some(0), None), false)));
        assert!(!is_finite(&limits(clock(Some(0), Some(0), None), true)));
        let endless = clock(Some(-1), Some(UNLIMITED), None).with_time_left(used(400, 1));
        assert!(!is_finite(&limits(endless, false)));
        assert!(is_finite(&limits(clock(Some(0), Some(0), None), false)));
        assert!(is_finite(&limits(ClockSettings::default(), false)));
        assert!(is_finite(&limits(clock(Some(-1), Some(60_000), None), false)));
        let nodes = Limits { max_nodes: Some(5), ..Limits::none(start) };
        assert!(is_finite(&nodes) && !is_timed(&nodes));
    }

    #[test]
    fn an_untold_turn_limit_is_the_time_left_or_five_seconds() {
        assert_eq!(resolved(None, None, None), timed(Some(5000), None));
        assert_eq!(resolved(None, None, Some(2_147_483_647)), timed(Some(5000), None));
        assert_eq!(resolved(None, Some(0), Some(5)), timed(Some(5000), None));
        assert_eq!(resolved(None, None, Some(90_000)), timed(None, Some(90_000)));
        assert_eq!(resolved(None, Some(180_000), None), timed(None, Some(180_000)));
        // An analysis that nobody has said to be without limits is no longer.
        assert_eq!(clock(None, None, None).control(false, true), timed(Some(5000), None));
    }

    #[test]
    fn a_node_or_depth_limit_stands_alone_without_a_clock() {
        assert_eq!(clock(None, None, None).control(true, false), TimeControl::UNLIMITED);
        assert_eq!(clock(None, None, Some(900)).control(true, false), timed(None, Some(900)));
    }

    #[test]
    fn a_turn_limit_of_zero_is_as_fast_as_possible() {
        assert!(resolved(Some(0), None, None).is_fastest());
        assert!(resolved(Some(0), Some(0), None).is_fastest());
        assert!(resolved(Some(0), Some(60_000), Some(40_000)).is_fastest());
        assert!(clock(Some(0), None, None).control(true, false).is_fastest());
    }

    #[test]
    fn a_turn_limit_of_zero_is_none_in_an_analysis_without_clocks() {
        let analysis = |turn, game, left| clock(turn, game, left).control(false, true);
        assert_eq!(analysis(Some(0), Some(0), None), timed(None, None));
        assert_eq!(analysis(Some(0), None, Some(2_147_483_647)), timed(None, None));
        assert_eq!(analysis(Some(0), Some(-1), Some(1)), timed(None, None));
        assert!(analysis(Some(0), Some(60_000), None).is_fastest());
        assert!(analysis(Some(0), None, Some(60_000)).is_fastest());
        assert_eq!(analysis(Some(7000), None, None), timed(Some(7000), None));
    }

    #[test]
    fn a_negative_turn_limit_is_none() {
        assert_eq!(resolved(Some(-1), None, None), timed(None, None));
        assert_eq!(resolved(Some(-1), Some(9000), Some(800)), timed(None, Some(800)));
    }

    #[test]
    fn the_time_left_wins_over_the_match_limit() {
        assert_eq!(resolved(Some(1000), Some(180_000), Some(4000)), timed(Some(1000), Some(4000)));
        assert_eq!(resolved(Some(1000), Some(3000), Some(4000)), timed(Some(1000), Some(4000)));
        assert_eq!(resolved(Some(1000), Some(180_000), None), timed(Some(1000), Some(180_000)));
    }

    #[test]
    fn the_time_left_of_an_untimed_match_is_ignored() {
        for untimed in [0, -1] {
            for left in [-5, 0, 1, 60_000, 2_147_483_647] {
                let time = resolved(Some(1000), Some(untimed), Some(left));
                assert_eq!(time, timed(Some(1000), None), "{untimed} {left}");
            }
        }
    }

    #[test]
    fn a_game_clock_that_ran_out_asks_for_the_fastest_move() {
        for left in [0, -1, -5000] {
            let time = resolved(Some(1000), Some(180_000), Some(left));
            assert!(time.is_fastest() && time.left == Some(Duration::ZERO), "{left}");
            assert!(resolved(None, None, Some(left)).is_fastest(), "{left}");
        }
        assert!(!resolved(Some(1000), Some(180_000), Some(1)).is_fastest());
    }

    #[test]
    fn the_pair_of_yixin_board_is_no_clock() {
        let left = Some(99_000_000);
        assert_eq!(resolved(Some(2_000_000), Some(100_000_000), left), timed(None, None));
        assert_eq!(
            resolved(Some(2_000_001), Some(100_000_000), None),
            timed(Some(2_000_001), Some(100_000_000))
        );
    }

    #[test]
    fn extreme_numbers_are_harmless() {
        for n in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            let clock = ClockSettings { increment: Some(n), ..clock(Some(n), Some(n), Some(n)) };
            assert_eq!(clock.control(false, false), timed(None, None));
        }
    }
}

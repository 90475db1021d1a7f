//! The time control of one move, from the clock settings of a manager.

use std::time::Duration;

use super::super::limits::{ClockSettings, Limits};

/// The turn limit if no limit is given, in milliseconds.
const DEFAULT_TURN: u64 = 5000;

/// The value that managers send for "unlimited", in milliseconds.
pub const UNLIMITED: i64 = 2_147_483_647;

/// Yixin-Board sends this pair of `timeout_turn` and `timeout_match` as a stand-in for "no clock".
const NO_CLOCK: (Option<i64>, Option<i64>) = (Some(2_000_000), Some(100_000_000));

/// The time control of one move, with all special values resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// The limit of this move.
    pub turn: Option<Duration>,
    /// The time left for this and all later moves.
    pub left: Option<Duration>,
    /// The time that every move adds to the time left.
    pub increment: Duration,
    /// Whether to play as fast as possible, regardless of the other limits.
    pub fastest: bool,
}

/// Returns the time control that the limits amount to.
///
/// * A positive turn limit is a limit, a negative one means no limit, and 0 asks for the fastest
///   move, except in an analysis ([`Limits::infinite`]) without any other clock, where it means no
///   limit.
/// * The time left is authoritative. The match limit stands in for it if it was never sent, and it
///   is ignored if the match explicitly has no limit. A game clock that has run out asks for the
///   fastest move.
/// * If the turn limit was never sent, the time left is used, or else a limit on nodes or depth, or
///   else 5 seconds.
#[must_use]
pub fn resolve(limits: &Limits) -> TimeControl {
    let clock = &limits.clock;
    if (clock.timeout_turn, clock.timeout_match) == NO_CLOCK {
        return TimeControl::default();
    }
    let left = time_left(clock);
    let (turn, turn_fastest) = match clock.timeout_turn {
        Some(0) => (None, !(limits.infinite && left.is_none())),
        Some(turn) => (finite(turn), false),
        None => {
            let bounded =
                left.is_some() || limits.max_nodes.is_some() || limits.max_depth.is_some();
            let default = Duration::from_millis(DEFAULT_TURN);
            ((!bounded && !limits.infinite).then_some(default), false)
        }
    };
    TimeControl {
        turn,
        left,
        increment: clock.increment.and_then(finite).unwrap_or_default(),
        fastest: turn_fastest || left == Some(Duration::ZERO),
    }
}

/// Returns the time left on the game clock, if there is one.
fn time_left(clock: &ClockSettings) -> Option<Duration> {
    let untimed = clock.timeout_match.is_some_and(|limit| limit <= 0);
    match clock.time_left {
        _ if untimed => None,
        Some(left) if left <= 0 => Some(Duration::ZERO),
        Some(left) => finite(left),
        None => clock.timeout_match.and_then(finite),
    }
}

/// Returns a positive number of milliseconds that does not mean "unlimited".
fn finite(millis: i64) -> Option<Duration> {
    let millis = u64::try_from(millis).ok()?;
    (millis > 0 && millis < UNLIMITED as u64).then(|| Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Resolves turn, match and time left, without other limits.
    fn resolved(turn: Option<i64>, whole: Option<i64>, left: Option<i64>) -> TimeControl {
        resolve(&limits(turn, whole, left))
    }

    fn limits(turn: Option<i64>, whole: Option<i64>, left: Option<i64>) -> Limits {
        let clock = ClockSettings {
            timeout_turn: turn,
            timeout_match: whole,
            time_left: left,
            increment: None,
        };
        let start = Instant::now();
        Limits { clock, start, max_depth: None, max_nodes: None, infinite: false }
    }

    fn timed(turn: Option<u64>, left: Option<u64>) -> TimeControl {
        TimeControl {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..TimeControl::default()
        }
    }

    #[test]
    fn an_untold_turn_limit_is_the_time_left_or_five_seconds() {
        assert_eq!(resolved(None, None, None), timed(Some(5000), None));
        assert_eq!(resolved(None, None, Some(2_147_483_647)), timed(Some(5000), None));
        assert_eq!(resolved(None, Some(0), Some(5)), timed(Some(5000), None));
        assert_eq!(resolved(None, None, Some(90_000)), timed(None, Some(90_000)));
        assert_eq!(resolved(None, Some(180_000), None), timed(None, Some(180_000)));
    }

    #[test]
    fn a_node_or_depth_limit_stands_alone_without_a_clock() {
        let base = limits(None, None, None);
        let unlimited = timed(None, None);
        assert_eq!(resolve(&Limits { max_nodes: Some(1), ..base }), unlimited);
        assert_eq!(resolve(&Limits { max_depth: Some(1), ..base }), unlimited);
        assert_eq!(resolve(&Limits { infinite: true, ..base }), unlimited);
        let clocked = limits(None, None, Some(900));
        assert_eq!(resolve(&Limits { max_nodes: Some(1), ..clocked }), timed(None, Some(900)));
    }

    #[test]
    fn a_turn_limit_of_zero_is_as_fast_as_possible() {
        assert!(resolved(Some(0), None, None).fastest);
        assert!(resolved(Some(0), Some(0), None).fastest);
        assert!(resolved(Some(0), Some(60_000), Some(40_000)).fastest);
        assert!(resolve(&Limits { max_nodes: Some(9), ..limits(Some(0), None, None) }).fastest);
    }

    #[test]
    fn a_turn_limit_of_zero_is_none_in_an_analysis_without_clocks() {
        let analysis =
            |turn, whole, left| resolve(&Limits { infinite: true, ..limits(turn, whole, left) });
        assert_eq!(analysis(Some(0), Some(0), None), timed(None, None));
        assert_eq!(analysis(Some(0), None, Some(2_147_483_647)), timed(None, None));
        assert_eq!(analysis(Some(0), Some(-1), Some(1)), timed(None, None));
        assert!(analysis(Some(0), Some(60_000), None).fastest);
        assert!(analysis(Some(0), None, Some(60_000)).fastest);
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
                let allowance = resolved(Some(1000), Some(untimed), Some(left));
                assert_eq!(allowance, timed(Some(1000), None), "{untimed} {left}");
            }
        }
    }

    #[test]
    fn a_game_clock_that_ran_out_asks_for_the_fastest_move() {
        for left in [0, -1, -5000] {
            let allowance = resolved(Some(1000), Some(180_000), Some(left));
            assert!(allowance.fastest && allowance.left == Some(Duration::ZERO), "{left}");
            assert!(resolved(None, None, Some(left)).fastest, "{left}");
        }
        assert!(!resolved(Some(1000), Some(180_000), Some(1)).fastest);
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
            let clock = ClockSettings {
                timeout_turn: Some(n),
                timeout_match: Some(n),
                time_left: Some(n),
                increment: Some(n),
            };
            let allowance = resolve(&Limits { clock, ..limits(None, None, None) });
            assert_eq!(allowance, timed(None, None));
        }
    }
}

//! Requests to the engine.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::SideClock;
use tengen_core::eval::WinDrawLoss;
use tengen_core::search::time::TimeControl;
use tengen_core::search::{Limits, Report};
use tengen_core::types::Color;

/// The number of stones on the board before which the engine accepts no draw: earlier than that,
/// its score says little.
pub const LEAST_STONES_FOR_DRAW: usize = 20;

/// The points that the engine must not expect more of, to accept a draw: those of a draw.
const MOST_POINTS: f64 = 0.5;

/// The effort of the engine where there is no clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThinkingLimits {
    /// The time for a move, a hint or the answer to an offer.
    pub time: Duration,
    /// The number of nodes, which then counts instead of the time and of any clock.
    pub nodes: Option<u64>,
}

impl Default for ThinkingLimits {
    /// Returns two seconds.
    fn default() -> ThinkingLimits {
        ThinkingLimits { time: Duration::from_secs(2), nodes: None }
    }
}

impl ThinkingLimits {
    /// Returns the limits of a search that starts now: those of the clock, if there is one.
    pub(super) fn search(&self, clock: Option<&SideClock>, start: Instant) -> Limits {
        let own = || TimeControl::of_turn(self.time);
        let time = match self.nodes {
            Some(_) => TimeControl::UNLIMITED,
            None => clock.map_or_else(own, SideClock::for_search),
        };
        Limits { time, max_nodes: self.nodes, ..Limits::none(start) }
    }
}

/// The question to the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThinkingTask {
    /// A move, to be played.
    Move,
    /// A choice in the opening, to be made.
    Choice,
    /// The choice in the opening.
    Advice,
    /// A hint.
    Hint,
    /// True if it accepts a draw, with this side.
    Draw(Color),
}

/// The work of the engine or of a program.
#[derive(Clone, Debug)]
pub(super) struct EngineWork {
    pub(super) task: ThinkingTask,
    /// Who is at it: the engine, or the program with this number.
    pub(super) by: Option<usize>,
    /// False while a program is made ready for it.
    pub(super) is_begun: bool,
    /// The last report.
    pub(super) report: Option<Report>,
}

impl EngineWork {
    /// Returns work that is the engine's as far as it is known.
    pub(super) const fn new(task: ThinkingTask) -> EngineWork {
        EngineWork { task, by: None, is_begun: true, report: None }
    }
}

/// Returns whether the engine accepts a draw: from the twentieth stone on, if it expects no more
/// from the game than from a draw.
///
/// `chances` are the engine's own; without any, it knows too little to accept.
#[must_use]
pub fn accepts_draw(stones: usize, chances: Option<WinDrawLoss>) -> bool {
    stones >= LEAST_STONES_FOR_DRAW
        && chances.is_some_and(|chances| chances.points() <= MOST_POINTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_accepted_late_and_without_an_advantage() {
        let chances = |win: f64| Some(WinDrawLoss { win, draw: 0.0, loss: 1.0 - win });
        assert!(accepts_draw(LEAST_STONES_FOR_DRAW, chances(0.5)));
        assert!(accepts_draw(LEAST_STONES_FOR_DRAW, chances(0.1)));
        assert!(!accepts_draw(LEAST_STONES_FOR_DRAW, chances(0.51)));
        assert!(!accepts_draw(LEAST_STONES_FOR_DRAW - 1, chances(0.1)));
        assert!(!accepts_draw(LEAST_STONES_FOR_DRAW, None));
    }

    #[test]
    fn nodes_count_before_clocks_and_clocks_before_the_usual_time() {
        let start = Instant::now();
        let usual = ThinkingLimits::default();
        let of_turn = |seconds| TimeControl::of_turn(Duration::from_secs(seconds));
        assert_eq!(usual.search(None, start).time, of_turn(2));
        let control =
            crate::play::ClockControl { turn: Some(Duration::from_secs(7)), ..Default::default() };
        let clock = SideClock::new(control);
        assert_eq!(usual.search(Some(&clock), start).time, of_turn(7));
        let nodes = ThinkingLimits { nodes: Some(9), ..usual }.search(Some(&clock), start);
        assert_eq!((nodes.time, nodes.max_nodes), (TimeControl::UNLIMITED, Some(9)));
    }
}

//! The limits of a search.

use std::time::Instant;

/// The clock settings of a manager, in milliseconds and as received; see [`resolve`](super::time)
/// for their combined meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockSettings {
    /// `INFO timeout_turn`: the limit of one move. 0 asks for the fastest possible move; a negative
    /// value means no limit.
    pub timeout_turn: Option<i64>,
    /// `INFO timeout_match`: the limit of a whole game; 0 or less means unlimited.
    pub timeout_match: Option<i64>,
    /// `INFO time_left`: the time left for the game; 2147483647 means unlimited.
    pub time_left: Option<i64>,
    /// `INFO time_increment`: the time added to the game clock for each move. Managers that send
    /// `time_left` have already added it.
    pub increment: Option<i64>,
}

/// The external limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The clock.
    pub clock: ClockSettings,
    /// The arrival of the command that started the search; all times are measured from here.
    pub start: Instant,
    /// The deepest iteration, in plies.
    pub max_depth: Option<u32>,
    /// The number of nodes after which the search stops.
    pub max_nodes: Option<u64>,
    /// Whether an absent or zero clock means "until stopped" (analysis) instead of "at once".
    pub infinite: bool,
}

//! What the caller allows a search to use.

use std::time::Instant;

/// The clock as a manager describes it, all in milliseconds and as received: see
/// [`resolve`](super::time) for what the numbers mean together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockSettings {
    /// `INFO timeout_turn`: the limit of one move. 0 asks for the fastest possible move, negative
    /// for none.
    pub timeout_turn: Option<i64>,
    /// `INFO timeout_match`: the limit of a whole game; not positive is unlimited.
    pub timeout_match: Option<i64>,
    /// `INFO time_left`: what is left of the game; 2147483647 is unlimited.
    pub time_left: Option<i64>,
    /// `INFO time_increment`: what each move adds to the game clock. Managers that send
    /// `time_left` have added it already.
    pub increment: Option<i64>,
}

/// Everything that ends a search other than its own decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The clock.
    pub clock: ClockSettings,
    /// When the command that asked for the search arrived; all times count from here.
    pub start: Instant,
    /// The deepest iteration, in plies.
    pub max_depth: Option<u32>,
    /// The number of nodes after which the search stops.
    pub max_nodes: Option<u64>,
    /// Whether an absent or zero clock means "until stopped" (analysis) instead of "at once".
    pub infinite: bool,
}

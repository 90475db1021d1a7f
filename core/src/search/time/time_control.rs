//! The time control of one move.

use std::time::Duration;

/// The time for one move.
///
/// A turn limit or a time left of zero asks for the fastest possible move, whatever the other is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// The limit of this move.
    pub turn: Option<Duration>,
    /// The time left for this and all later moves.
    pub left: Option<Duration>,
    /// The time that every move adds to the time left.
    pub increment: Duration,
}

impl TimeControl {
    /// No limit.
    pub const UNLIMITED: TimeControl =
        TimeControl { turn: None, left: None, increment: Duration::ZERO };

    /// Returns the control of a move that may take this time.
    #[must_use]
    pub const fn of_turn(turn: Duration) -> TimeControl {
        TimeControl { turn: Some(turn), ..TimeControl::UNLIMITED }
    }

    /// Returns whether there is any limit.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.turn.is_some() || self.left.is_some()
    }

    /// Returns whether to play as fast as possible.
    #[must_use]
    pub fn is_fastest(&self) -> bool {
        self.turn == Some(Duration::ZERO) || self.left == Some(Duration::ZERO)
    }
}

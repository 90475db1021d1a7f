//! The limits of a search.

use std::time::Instant;

use super::time::TimeControl;

/// The external limits of a search.
///
/// ```
/// use std::time::{Duration, Instant};
/// use tengen_core::search::Limits;
/// use tengen_core::search::time::TimeControl;
///
/// let limits = Limits { max_nodes: Some(10_000), ..Limits::none(Instant::now()) };
/// assert!(limits.is_bounded());
/// let second = Limits { time: TimeControl::of_turn(Duration::from_secs(1)), ..limits };
/// assert_eq!(second.time.turn, Some(Duration::from_secs(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The time for the move.
    pub time: TimeControl,
    /// The arrival of the command that started the search; all times are measured from here.
    pub start: Instant,
    /// The deepest iteration, in plies.
    pub max_depth: Option<u32>,
    /// The number of nodes after which the search stops; one thread stops exactly there.
    pub max_nodes: Option<u64>,
}

impl Limits {
    /// Returns the limits of a search that goes on until it is stopped.
    #[must_use]
    pub const fn none(start: Instant) -> Limits {
        Limits { time: TimeControl::UNLIMITED, start, max_depth: None, max_nodes: None }
    }

    /// Returns whether depth or nodes are limited.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.max_depth.is_some() || self.max_nodes.is_some()
    }
}

//! What a search tells about itself.

use std::time::Duration;

use crate::types::{Point, Score};

/// One finished iteration; plain data, printed by others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The completed depth, in plies.
    pub depth: u32,
    /// The length of the longest line looked at, in plies.
    pub seldepth: u32,
    /// The place of this line among the best, counted from 1.
    pub multipv: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The nodes searched so far by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The principal variation, at least one legal move.
    pub pv: Vec<Point>,
}

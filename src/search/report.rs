//! What a search tells about itself.

use std::time::Duration;

use crate::eval::WinModel;
use crate::types::{Point, Score};

/// How far a search has come; plain data, printed by others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The nodes searched so far by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The best lines, best first, at least one: as many as were asked for, or as there are moves.
    pub lines: Vec<Variation>,
    /// The chances that the scores promise.
    pub win_model: WinModel,
}

/// One line of play with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The completed depth, in plies.
    pub depth: u32,
    /// The length of the longest line looked at, in plies.
    pub seldepth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The principal variation, at least one legal move.
    pub pv: Vec<Point>,
}

/// What happens to the moves at the root while they are searched, for those who draw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// An iteration begins: no move has been searched at its depth.
    Refresh,
    /// The search of a move begins.
    Searching(Point),
    /// The search of a move is done.
    Searched(Point),
    /// A move is the best so far.
    Best(Point),
    /// A move loses.
    Lost(Point),
}

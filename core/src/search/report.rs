//! Progress reports of a search.

use std::time::Duration;

use crate::eval::WinModel;
use crate::types::{Point, Score};

/// The progress of a search, as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The nodes searched so far by all threads.
    pub nodes: u64,
    /// The time since the command arrived.
    pub elapsed: Duration,
    /// The best lines, best first: as many as were asked for, or as there are moves, but at least
    /// one.
    pub lines: Vec<Variation>,
    /// The model that turns the scores into winning chances.
    pub win_model: WinModel,
}

/// A line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The completed depth, in plies.
    pub depth: u32,
    /// The length of the longest line searched, in plies.
    pub seldepth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The principal variation, at least one legal move.
    pub pv: Vec<Point>,
}

/// An event at a root move during the search, for display.
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

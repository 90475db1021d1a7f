//! History heuristics: statistics of the moves that caused cuts.

use crate::types::{ByColor, Color, Depth, MAX_POINTS, Point};

/// The largest value of a history counter.
const LIMIT: i32 = 10_692;

/// A table of counters by colour and point for the moves that caused cuts.
#[derive(Clone, Debug)]
struct Counters(Box<[[i16; MAX_POINTS]; 2]>);

impl Counters {
    fn new() -> Counters {
        Counters(Box::new([[0; MAX_POINTS]; 2]))
    }

    #[inline]
    fn get(&self, color: Color, point: Point) -> i32 {
        self.0[color.index()][point.index()].into()
    }

    /// Adds a bonus to a counter; the nearer the counter is to the limit, the less it moves
    /// ("gravity").
    #[inline]
    fn add(&mut self, color: Color, point: Point, bonus: i32) {
        let counter = &mut self.0[color.index()][point.index()];
        let value = i32::from(*counter);
        *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

/// The move statistics of a worker, apart from the transposition table.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    quiet: Counters,
    threat: Counters,
    counter: ByColor<Vec<Option<Point>>>,
}

/// The last moves of both sides.
#[derive(Clone, Copy)]
pub(super) struct LastMoves {
    /// The opponent's last move.
    pub(super) theirs: Option<Point>,
    /// The last move of the side to move.
    pub(super) ours: Option<Point>,
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiet: Counters::new(),
            threat: Counters::new(),
            counter: ByColor([vec![None; MAX_POINTS], vec![None; MAX_POINTS]]),
        }
    }

    /// Returns the history score of a move; positive is good.
    #[inline]
    pub(super) fn score(&self, color: Color, point: Point, threat: bool) -> i32 {
        let own = if threat { &self.threat } else { &self.quiet };
        own.get(color, point)
    }

    /// Returns the move that last refuted the opponent's last move.
    #[inline]
    pub(super) fn counter(&self, color: Color, last: LastMoves) -> Option<Point> {
        self.counter[color][last.theirs?.index()]
    }

    /// Updates the statistics after `best` caused a cut and the moves in `tried` did not.
    pub(super) fn update(
        &mut self,
        color: Color,
        (best, best_is_threat): (Point, bool),
        tried: &[(Point, bool)],
        depth: Depth,
        last: LastMoves,
    ) {
        let plies = depth.whole().clamp(0, 20);
        let bonus = (25 * plies * plies + 105 * plies - 157).clamp(0, 8000);
        self.add(color, best, best_is_threat, bonus);
        for &(point, threat) in tried {
            self.add(color, point, threat, -bonus);
        }
        if let Some(theirs) = last.theirs {
            self.counter[color][theirs.index()] = Some(best);
        }
    }

    fn add(&mut self, color: Color, point: Point, threat: bool, bonus: i32) {
        let own = if threat { &mut self.threat } else { &mut self.quiet };
        own.add(color, point, bonus);
    }
}

//! What worked before.

use crate::types::{ByColor, Color, Depth, MAX_POINTS, Point};

/// The largest value of a history counter.
const LIMIT: i32 = 10_692;

/// A table of counters by colour and point that remember which moves caused cuts.
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

    /// Moves a counter towards the limit by a bonus, the less the nearer it is ("gravity").
    #[inline]
    fn add(&mut self, color: Color, point: Point, bonus: i32) {
        let counter = &mut self.0[color.index()][point.index()];
        let value = i32::from(*counter);
        *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

/// The number of differences between the indices of two points.
const OFFSETS: usize = 2 * MAX_POINTS;

/// All that a worker remembers of moves beyond the table.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    quiet: Counters,
    threat: Counters,
    /// By the offset from the opponent's last move and from the own last move: shapes repeat
    /// anywhere on the board, so what matters is where a move lies from the last ones.
    follow: Box<[[i16; OFFSETS]; 2]>,
    counter: ByColor<Vec<Option<Point>>>,
}

/// The moves before the one in question.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The opponent's last move.
    pub(super) theirs: Option<Point>,
    /// The own last move.
    pub(super) ours: Option<Point>,
}

/// Returns the number of an offset. Near offsets, which matter, have one each; some far ones on
/// opposite sides share one.
#[inline]
fn offset(from: Point, to: Point) -> usize {
    (MAX_POINTS + to.index() - from.index()) % OFFSETS
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiet: Counters::new(),
            threat: Counters::new(),
            follow: Box::new([[0; OFFSETS]; 2]),
            counter: ByColor([vec![None; MAX_POINTS], vec![None; MAX_POINTS]]),
        }
    }

    /// Returns how well a move did, positive for good.
    #[inline]
    pub(super) fn score(&self, color: Color, point: Point, threat: bool, context: Context) -> i32 {
        let own = if threat { &self.threat } else { &self.quiet };
        own.get(color, point) + self.follow_score(point, context)
    }

    #[inline]
    fn follow_score(&self, point: Point, context: Context) -> i32 {
        let mut sum = 0;
        for (table, last) in self.follow.iter().zip([context.theirs, context.ours]) {
            if let Some(last) = last {
                sum += i32::from(table[offset(last, point)]);
            }
        }
        sum
    }

    /// Returns the move that refuted the opponent's last move before.
    #[inline]
    pub(super) fn counter(&self, color: Color, context: Context) -> Option<Point> {
        self.counter[color][context.theirs?.index()]
    }

    /// Remembers that `best` caused a cut after `tried` did not.
    pub(super) fn update(
        &mut self,
        color: Color,
        (best, best_is_threat): (Point, bool),
        tried: &[(Point, bool)],
        depth: Depth,
        context: Context,
    ) {
        let plies = depth.whole().clamp(0, 20);
        let bonus = (25 * plies * plies + 105 * plies - 60).clamp(0, 4000);
        self.add(color, best, best_is_threat, bonus, context);
        for &(point, threat) in tried {
            self.add(color, point, threat, -bonus, context);
        }
        if let Some(theirs) = context.theirs {
            self.counter[color][theirs.index()] = Some(best);
        }
    }

    fn add(&mut self, color: Color, point: Point, threat: bool, bonus: i32, context: Context) {
        let own = if threat { &mut self.threat } else { &mut self.quiet };
        own.add(color, point, bonus);
        for (table, last) in self.follow.iter_mut().zip([context.theirs, context.ours]) {
            if let Some(last) = last {
                let counter = &mut table[offset(last, point)];
                let value = i32::from(*counter);
                let bonus = bonus / 2;
                *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
            }
        }
    }
}

//! A stand-in for the search: quick, aimless, and always the same for the same question.

use super::mind::Mind;
use super::sample::Sample;
use crate::tuning::game::ScoredMove;
use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Point, Score};

/// A mind whose moves are drawn from the position.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptedMind {
    /// Scores are up to this far from `bias`.
    pub(super) spread: i32,
    /// The middle of its scores.
    pub(super) bias: i32,
    /// The drop of the score without the best move.
    pub(super) gap: i32,
    /// The number of times that it was asked.
    pub(super) asked: u64,
    /// The number of positions that it judged.
    pub(super) judged: u64,
    /// Panics when asked this often.
    pub(super) dies_after: Option<u64>,
}

impl Mind for ScriptedMind {
    fn forget(&mut self) {}

    fn think(
        &mut self,
        position: &Position,
        nodes: u64,
        without: Option<Point>,
        sample: &mut Sample,
    ) -> Option<ScoredMove> {
        assert!(self.dies_after.is_none_or(|limit| self.asked < limit), "as asked for");
        self.asked += 1;
        if !sample.wants_nothing() {
            wander(position, sample);
        }
        let mut rng = SplitMix64::new(position.key().0 ^ nodes);
        let drawn = self.bias + rng.below(2 * self.spread as usize + 1) as i32 - self.spread;
        let gap = if without.is_some() { self.gap } else { 0 };
        let empty: Vec<Point> =
            position.board().empties().iter().filter(|&point| Some(point) != without).collect();
        let point = (!empty.is_empty()).then(|| empty[rng.below(empty.len())])?;
        Some(ScoredMove { point, score: Score::eval(drawn - gap) })
    }

    fn judge(&mut self, position: &Position, nodes: u64) -> Option<ScoredMove> {
        self.judged += 1;
        let mut rng = SplitMix64::new(position.key().0 ^ !nodes);
        let empty: Vec<Point> = position.board().empties().iter().collect();
        let point = (!empty.is_empty()).then(|| empty[rng.below(empty.len())])?;
        Some(ScoredMove { point, score: Score::eval(rng.below(4001) as i32 - 2000) })
    }
}

/// Offers the positions along a line of random moves, and where it began.
fn wander(position: &Position, sample: &mut Sample) {
    let (root, mut there) = (position.played(), position.clone());
    let mut rng = SplitMix64::new(!position.key().0);
    for _ in 0..4 {
        sample.offer(&there, root);
        let is_quiet = |&point: &Point| there.class(point, there.to_move()) < PointClass::Five;
        let quiet: Vec<Point> = there.board().empties().iter().filter(is_quiet).collect();
        if quiet.is_empty() {
            return;
        }
        there.play_unchecked(quiet[rng.below(quiet.len())]);
    }
}

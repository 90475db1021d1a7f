//! What is kept of the positions that a search evaluates.

use std::sync::{Mutex, PoisonError};

use crate::eval::{Evaluator, PatternEvaluator};
use crate::position::Position;
use crate::rng::SplitMix64;
use crate::tuning::game::MOST_PATH;
use crate::types::{Point, Score};

/// A uniform sample of what it is offered, without knowing how much that will be: algorithm R of
/// Waterman, as Vitter (1985) has it.
#[derive(Debug)]
pub struct Sample {
    room: usize,
    rng: SplitMix64,
    /// What was offered since the sample was taken last.
    offered: usize,
    /// The moves from the root to each position that is kept.
    paths: Vec<Vec<Point>>,
}

impl Sample {
    /// Returns an empty sample with room for so many positions, chosen by these random numbers.
    #[must_use]
    pub const fn new(room: u8, rng: SplitMix64) -> Sample {
        Sample { room: room as usize, rng, offered: 0, paths: Vec::new() }
    }

    /// Returns whether nothing is kept, whatever is offered.
    #[must_use]
    pub const fn wants_nothing(&self) -> bool {
        self.room == 0
    }

    /// Offers a position that arose from one in which so many moves had been played. That one itself
    /// and what is too far from it don't count.
    pub fn offer(&mut self, position: &Position, root: usize) {
        let depth = position.played() - root;
        if !(1..=MOST_PATH).contains(&depth) {
            return;
        }
        self.offered += 1;
        if self.paths.len() < self.room {
            self.paths.push(path(position, depth));
        } else {
            let place = self.rng.below(self.offered);
            if let Some(kept) = self.paths.get_mut(place) {
                *kept = path(position, depth);
            }
        }
    }

    /// Takes out the moves to the positions that were kept, and begins anew.
    #[must_use]
    pub fn take(&mut self) -> Vec<Vec<Point>> {
        self.offered = 0;
        std::mem::take(&mut self.paths)
    }
}

/// Returns the last moves that led to a position.
fn path(position: &Position, depth: usize) -> Vec<Point> {
    let back = (0..depth).rev();
    back.map(|ago| position.last_move(ago).expect("no search passes")).collect()
}

/// The evaluator to play with, which offers what it evaluates to a sample.
#[derive(Clone, Debug)]
pub(super) struct SamplingEvaluator<'a> {
    /// The moves played before the search.
    root: usize,
    /// Every thread of a search has a clone of its evaluator.
    sample: &'a Mutex<&'a mut Sample>,
}

impl<'a> SamplingEvaluator<'a> {
    /// Returns an evaluator for a search of a position.
    pub(super) fn new(root: &Position, sample: &'a Mutex<&'a mut Sample>) -> SamplingEvaluator<'a> {
        SamplingEvaluator { root: root.played(), sample }
    }
}

impl Evaluator for SamplingEvaluator<'_> {
    fn evaluate(&self, position: &Position) -> Score {
        self.sample.lock().unwrap_or_else(PoisonError::into_inner).offer(position, self.root);
        PatternEvaluator.evaluate(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;
    use crate::types::Size;

    /// Returns the position after the first points of the board, in their order.
    fn after(moves: usize) -> Position {
        let size = Size::square(15).unwrap();
        let mut position = Position::new(Rule::Freestyle, size);
        size.points().take(moves).for_each(|point| position.play_unchecked(point));
        position
    }

    #[test]
    fn every_position_is_kept_equally_often() {
        let positions: Vec<Position> = (5..25).map(after).collect();
        let mut sample = Sample::new(3, SplitMix64::new(1));
        let mut kept = [0; 20];
        for _ in 0..4000 {
            positions.iter().for_each(|position| sample.offer(position, 4));
            let paths = sample.take();
            assert_eq!(paths.len(), 3);
            paths.iter().for_each(|path| kept[path.len() - 1] += 1);
        }
        // 600 are expected; these are five standard deviations.
        assert!(kept.iter().all(|n| (487..713).contains(n)), "{kept:?}");
        assert!(sample.take().is_empty());
    }

    #[test]
    fn a_path_leads_from_the_root_to_the_position() {
        let mut sample = Sample::new(1, SplitMix64::new(1));
        sample.offer(&after(9), 6);
        let points: Vec<Point> = Size::square(15).unwrap().points().skip(6).take(3).collect();
        assert_eq!(sample.take(), [points]);
    }

    #[test]
    fn the_root_and_what_is_far_from_it_are_not_kept() {
        let mut sample = Sample::new(2, SplitMix64::new(1));
        for moves in [4, 4 + MOST_PATH + 1, 4 + MOST_PATH] {
            sample.offer(&after(moves), 4);
        }
        let paths = sample.take();
        assert_eq!(paths.iter().map(Vec::len).collect::<Vec<_>>(), [MOST_PATH]);
    }

    #[test]
    fn without_room_nothing_is_kept() {
        let mut sample = Sample::new(0, SplitMix64::new(1));
        sample.offer(&after(5), 4);
        assert!(sample.wants_nothing() && sample.take().is_empty());
    }

    #[test]
    fn what_a_search_evaluates_is_offered_and_judged_as_usual() {
        let position = after(5);
        let mut sample = Sample::new(1, SplitMix64::new(1));
        let shared = Mutex::new(&mut sample);
        let evaluator = SamplingEvaluator::new(&after(4), &shared);
        assert_eq!(evaluator.clone().evaluate(&position), PatternEvaluator.evaluate(&position));
        assert_eq!(sample.take(), [vec![position.last_move(0).unwrap()]]);
    }
}

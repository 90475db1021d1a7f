//! A sample of the positions that a search evaluates.

use crate::tuning::game::MOST_PATH;
use tengen_core::eval::{Evaluator, OrderedMove, WinModel, Window};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Color, Point, PointSet, Score};

/// A uniform sample of what it is offered, without knowing how much that will be: algorithm R of
/// Waterman, as Vitter (1985) has it.
#[derive(Debug)]
pub struct Sample {
    room: usize,
    rng: SplitMix64,
    /// Whether positions don't count whose score need not be exact.
    only_exact: bool,
    /// The number of positions offered since the sample was last taken.
    offered: usize,
    /// The moves from the root to each position that is kept.
    paths: Vec<Vec<Point>>,
}

impl Sample {
    /// Returns an empty sample with room for `room` positions, chosen by these random numbers.
    #[must_use]
    pub const fn new(room: u8, rng: SplitMix64) -> Sample {
        Sample { room: room as usize, rng, only_exact: false, offered: 0, paths: Vec::new() }
    }

    /// Returns the sample of those positions alone whose exact score a search wants: elsewhere a
    /// network is not asked, and has nothing to learn.
    #[must_use]
    pub fn only_exact(self) -> Sample {
        Sample { only_exact: true, ..self }
    }

    /// Returns a sample that keeps nothing.
    #[must_use]
    pub const fn nothing() -> Sample {
        Sample::new(0, SplitMix64::new(0))
    }

    /// Returns whether nothing is kept, whatever is offered.
    #[must_use]
    pub const fn wants_nothing(&self) -> bool {
        self.room == 0
    }

    /// Offers a position that arose from one in which `root` moves had been played. That one itself
    /// and positions too far from it don't count.
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

/// An evaluator that offers what it evaluates to a sample, while it has one.
#[derive(Debug)]
pub(super) struct SamplingEvaluator {
    evaluator: Box<dyn Evaluator>,
    /// The number of moves played before the search.
    root: usize,
    sample: Option<Sample>,
}

impl SamplingEvaluator {
    /// Wraps an evaluator.
    pub(super) const fn new(evaluator: Box<dyn Evaluator>) -> SamplingEvaluator {
        SamplingEvaluator { evaluator, root: 0, sample: None }
    }

    /// Offers what is evaluated to a sample from now on.
    pub(super) fn lend(&mut self, sample: Sample) {
        self.sample = Some(sample);
    }

    /// Takes the sample back.
    pub(super) fn take_back(&mut self) -> Option<Sample> {
        self.sample.take()
    }
}

impl Clone for SamplingEvaluator {
    /// Returns an evaluator without a sample, which there is but one of.
    fn clone(&self) -> SamplingEvaluator {
        SamplingEvaluator::new(self.evaluator.clone())
    }
}

impl Evaluator for SamplingEvaluator {
    fn reset(&mut self, position: &Position) {
        self.root = position.played();
        self.evaluator.reset(position);
    }

    fn push(&mut self, point: Point, color: Color) {
        self.evaluator.push(point, color);
    }

    fn pop(&mut self) {
        self.evaluator.pop();
    }

    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        if let Some(sample) = &mut self.sample
            && (!sample.only_exact || self.evaluator.is_exact(position, window))
        {
            sample.offer(position, self.root);
        }
        self.evaluator.evaluate(position, window)
    }

    fn is_exact(&mut self, position: &Position, window: Window) -> bool {
        self.evaluator.is_exact(position, window)
    }

    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.evaluator.order(position, set, moves);
    }

    fn win_model(&mut self, position: &Position) -> WinModel {
        self.evaluator.win_model(position)
    }

    fn identity(&self) -> u32 {
        self.evaluator.identity()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::eval::{EvaluatorKind, Evaluators};
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;

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
        let evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, Rule::Freestyle);
        let mut sampling = SamplingEvaluator::new(evaluator.clone());
        let root = after(4);
        sampling.reset(&root);
        sampling.lend(Sample::new(1, SplitMix64::new(1)));
        sampling.push(position.last_move(0).unwrap(), root.to_move());
        let judged = sampling.evaluate(&position, Window::FULL);
        let mut evaluator = evaluator;
        evaluator.reset(&position);
        assert_eq!(judged, evaluator.evaluate(&position, Window::FULL));
        let paths = sampling.take_back().unwrap().take();
        assert_eq!(paths, [vec![position.last_move(0).unwrap()]]);
    }

    #[test]
    fn positions_outside_the_window_are_offered_only_where_all_are_wanted() {
        let position = after(5);
        let evaluators = Evaluators::shipped();
        let mut tables = evaluators.make(EvaluatorKind::Patterns, Rule::Freestyle);
        tables.reset(&position);
        let score = tables.evaluate(&position, Window::FULL);
        let mut sampling =
            SamplingEvaluator::new(evaluators.make(EvaluatorKind::Network, Rule::Freestyle));
        let mut kept = |sample: Sample, alpha: i32| {
            sampling.reset(&after(4));
            sampling.lend(sample);
            sampling.push(position.last_move(0).unwrap(), Color::Black);
            let window = Window { alpha: score + alpha, beta: score + alpha };
            sampling.evaluate(&position, window);
            sampling.take_back().unwrap().take().len()
        };
        let sample = || Sample::new(1, SplitMix64::new(1));
        assert_eq!([kept(sample(), 0), kept(sample(), 1), kept(sample(), -1)], [1; 3]);
        let exact = || sample().only_exact();
        assert_eq!([kept(exact(), 0), kept(exact(), 1), kept(exact(), -1)], [1, 0, 0]);
    }
}

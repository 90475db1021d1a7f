//! Fits of a single number: the scales of the odds of winning, and the temperature of choices.

use super::features::{Block, SamplePart};
use super::fit::{order_loss, softplus};
use tengen_core::eval::classical::weights::{MAX_WIN_SCALE, MIN_WIN_SCALE};
use tengen_core::types::Score;

/// The bounds of the temperature, in units of move ordering.
const TEMPERATURES: (f64, f64) = (8.0, 16_384.0);

/// The precision to which a number is found, as a share of it.
const PRECISION: f64 = 0.002;

/// The counts of the results of each score.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ScoreHistogram {
    /// By score from the smallest on: the number of positions, and the sum of their points, 1 for a win.
    counts: Vec<(u64, f64)>,
}

/// The largest score that is no proof.
const MOST: i32 = Score::DECISIVE.raw();

impl Default for ScoreHistogram {
    fn default() -> ScoreHistogram {
        ScoreHistogram { counts: vec![(0, 0.0); 2 * MOST as usize + 1] }
    }
}

impl ScoreHistogram {
    /// Counts the positions of a part that have a result.
    pub(super) fn of(blocks: &[Block], part: SamplePart) -> ScoreHistogram {
        let mut histogram = ScoreHistogram::default();
        for (position, _) in blocks.iter().flat_map(|block| block.part(part).positions()) {
            if let Some(halves) = position.halves {
                histogram.add(position.score.into(), f64::from(halves) / 2.0);
            }
        }
        histogram
    }

    /// Counts a position with a score that is no proof, and its points.
    pub(super) fn add(&mut self, score: i32, points: f64) {
        let (number, sum) = &mut self.counts[(score + MOST) as usize];
        *number += 1;
        *sum += points;
    }

    /// Counts the positions of another one as well.
    pub(super) fn add_all(&mut self, other: &ScoreHistogram) {
        for ((number, sum), (more, points)) in self.counts.iter_mut().zip(&other.counts) {
            *number += more;
            *sum += points;
        }
    }

    /// Returns whether nothing was counted.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.iter().all(|&(number, _)| number == 0)
    }

    /// Returns the logistic loss of an average position if the odds of winning grow by a factor of
    /// e with every `scale` units.
    pub(super) fn loss(&self, scale: f64) -> f64 {
        let (mut loss, mut total) = (0.0, 0.0);
        for (&(number, points), score) in self.counts.iter().zip(-MOST..) {
            if number > 0 {
                let odds = f64::from(score) / scale;
                loss += number as f64 * softplus(odds) - points * odds;
                total += number as f64;
            }
        }
        if total > 0.0 { loss / total } else { 0.0 }
    }

    /// Returns the scale with the smallest loss, within the bounds of
    /// [`Weights::set_win_scale`](tengen_core::eval::classical::Weights::set_win_scale).
    pub(super) fn scale(&self) -> f64 {
        least(MIN_WIN_SCALE.into(), MAX_WIN_SCALE.into(), |scale| self.loss(scale))
    }
}

/// Returns the temperature at which the tables of move ordering best foretell the moves that were
/// chosen.
pub(super) fn temperature(blocks: &[Block], threads: usize, tables: &[f64]) -> f64 {
    let (low, high) = TEMPERATURES;
    least(low, high, |t| order_loss(blocks, SamplePart::Train, threads, tables, t).mean())
}

/// Returns where between two positive numbers a function with a single minimum is smallest, by
/// golden section of the logarithm.
pub(super) fn least(low: f64, high: f64, function: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (libm::log(low), libm::log(high));
    let at = |x: f64| function(libm::exp(x));
    let mut left = high - GOLDEN * (high - low);
    let mut right = low + GOLDEN * (high - low);
    let (mut at_left, mut at_right) = (at(left), at(right));
    while high - low > PRECISION {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = at(right);
        }
    }
    libm::exp((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::fit::logistic;
    use crate::tuning::fit::testing::games;
    use crate::tuning::{Leaf, SampleSet, ScoredMove, TrainingGame};
    use tengen_core::position::Position;
    use tengen_core::rules::Rule;
    use tengen_core::types::{Point, Size};

    #[test]
    fn the_smallest_value_is_found_inside_and_at_the_ends() {
        for wanted in [1.0, 37.0, 900.0] {
            let found = least(1.0, 900.0, |x| (x - wanted) * (x - wanted));
            assert!((found / wanted - 1.0).abs() < 2.0 * PRECISION, "{found} for {wanted}");
        }
    }

    fn after(rule: Rule, size: Size, moves: &[Point]) -> Position {
        let mut position = Position::new(rule, size);
        moves.iter().for_each(|&point| position.play(point).unwrap());
        position
    }

    #[test]
    fn positions_without_a_result_do_not_count() {
        let (rule, size) = (Rule::Freestyle, Size::square(15).unwrap());
        let counts = |games: Vec<TrainingGame>| {
            let mut set = SampleSet::new(rule);
            set.add(size, games, 1, &mut |_| {}).unwrap();
            (ScoreHistogram::of(&set.blocks, SamplePart::Train), set.positions())
        };
        let plain = games(rule, size, 11, 40);
        let mut leafy = plain.clone();
        for game in &mut leafy {
            // A score that there is no place for among those that are counted.
            let near = after(rule, size, &game.opening).tracker().near();
            let path = vec![near.first().unwrap()];
            let point = near.iter().last().unwrap();
            let judged = ScoredMove { point, score: Score::WIN };
            game.leaves.push(Leaf { after: 0, path, judged });
        }
        let ((plain, positions), (leafy, more)) = (counts(plain), counts(leafy));
        assert!(more > positions, "the test needs leaves");
        assert_eq!(leafy.counts, plain.counts);
    }

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        for scale in [60.0, 300.0, 1500.0] {
            let mut counts = ScoreHistogram::default().counts;
            for score in -2000..=2000 {
                let halves = 2.0 * 1000.0 * logistic(f64::from(score) / scale);
                counts[(score + MOST) as usize] = (1000, halves.round() / 2.0);
            }
            let found = ScoreHistogram { counts }.scale();
            assert!((found / scale - 1.0).abs() < 0.01, "{found} for {scale}");
        }
    }
}

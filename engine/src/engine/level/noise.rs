//! An evaluation that errs.

use tengen_core::eval::{Evaluator, OrderedMove, WinModel, Window};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Color, Point, PointSet, Score};

/// An evaluator whose scores are wrong, of each position always by the same amount. Among moves
/// that are nearly equal, a search with it chooses as if by chance.
#[derive(Debug)]
pub(super) struct NoisyEvaluator {
    inner: Box<dyn Evaluator>,
    /// The largest error, in units of the score.
    noise: i32,
    /// Another one makes other errors.
    salt: u64,
}

impl NoisyEvaluator {
    pub(super) fn new(inner: Box<dyn Evaluator>, noise: i32, salt: u64) -> NoisyEvaluator {
        NoisyEvaluator { inner, noise, salt }
    }

    /// Returns the error in a position: large ones are rarer than small ones.
    fn error(&self, position: &Position) -> i32 {
        let bits = SplitMix64::new(position.key().0 ^ self.salt).next_u64();
        let [a, b] = [bits & 0xffff, bits >> 48].map(|part| part as i64);
        // The difference of two equal chances, between -1 and 1 in parts of 2^16.
        (((a - b) * i64::from(self.noise)) >> 16) as i32
    }
}

impl Evaluator for NoisyEvaluator {
    fn reset(&mut self, position: &Position) {
        self.inner.reset(position);
    }

    fn push(&mut self, point: Point, color: Color) {
        self.inner.push(point, color);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        let wide = Window { alpha: window.alpha - self.noise, beta: window.beta + self.noise };
        let score = self.inner.evaluate(position, wide);
        Score::eval(score.raw() + self.error(position))
    }

    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.inner.order(position, set, moves);
    }

    fn win_model(&mut self, position: &Position) -> WinModel {
        self.inner.win_model(position)
    }

    fn identity(&self) -> u32 {
        let text = format!("{:08x} {} {:x}", self.inner.identity(), self.noise, self.salt);
        crc32fast::hash(text.as_bytes())
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(NoisyEvaluator::new(self.inner.fresh(), self.noise, self.salt))
    }
}

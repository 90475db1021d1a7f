//! Games made by known weights, for tests.

use super::losses::logistic;
use crate::tuning::{ScoredMove, TrainingGame, TrainingResult};
use tengen_core::eval::classical::Weights;
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove, Window};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Point, Score, Size};

/// The evaluation, in units, that the odds of the games grow with by a factor of e.
pub(in crate::tuning) const EVAL_SCALE: f64 = 200.0;

/// Returns a number from 0 to 1.
fn uniform(rng: &mut SplitMix64) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns random stones near each other after which nothing is decided or threatened.
pub(in crate::tuning) fn opening(rule: Rule, size: Size, rng: &mut SplitMix64) -> Vec<Point> {
    loop {
        let stones = 4 + rng.below(12);
        let mut position = Position::new(rule, size);
        let mut points = vec![size.center()];
        position.play_unchecked(size.center());
        while points.len() < stones {
            let near: Vec<Point> = position.tracker().near().iter().collect();
            let point = near[rng.below(near.len())];
            points.push(point);
            position.play_unchecked(point);
        }
        if full_threat_check(&mut position) == ThreatCheck::Open(Replies::All) {
            return points;
        }
    }
}

/// Returns games of one move each, whose results and moves are drawn at random as these weights and
/// this temperature say.
pub(in crate::tuning) fn games_of(
    weights: &Weights,
    size: Size,
    temperature: f64,
    seed: u64,
    count: usize,
) -> Vec<TrainingGame> {
    let mut rng = SplitMix64::new(seed);
    let rule = weights.rule();
    let mut evaluators = Evaluators::shipped();
    evaluators.set_weights(weights);
    let mut evaluator = evaluators.make(EvaluatorKind::Patterns, rule);
    let mut one = || {
        let opening = opening(rule, size, &mut rng);
        let mut position = Position::new(rule, size);
        opening.iter().for_each(|&point| position.play(point).unwrap());
        let us = position.to_move();
        evaluator.reset(&position);
        let eval = evaluator.evaluate(&position, Window::FULL);
        let wins = uniform(&mut rng) < logistic(f64::from(eval.raw()) / EVAL_SCALE);
        let result = if wins == (us == Color::Black) {
            TrainingResult::Black
        } else {
            TrainingResult::White
        };
        let near = position.tracker().near();
        let mut legal = Vec::new();
        evaluator.order(&position, near, &mut legal);
        legal.retain(|m| !position.is_forbidden(m.point, us));
        let weight = |m: &OrderedMove| libm::exp(f64::from(m.order) / temperature);
        let mut rest = uniform(&mut rng) * legal.iter().map(weight).sum::<f64>();
        let chosen = legal.iter().find(|m| {
            rest -= weight(m);
            rest <= 0.0
        });
        let point = chosen.unwrap_or(&legal[0]).point;
        let moves = vec![ScoredMove { point, score: Score::eval(eval.raw()) }];
        TrainingGame { opening, moves, leaves: Vec::new(), result }
    };
    (0..count).map(|_| one()).collect()
}

/// Returns games of one move each that the hand-tuned weights choose.
pub(in crate::tuning) fn games(
    rule: Rule,
    size: Size,
    seed: u64,
    count: usize,
) -> Vec<TrainingGame> {
    games_of(&Weights::hand_tuned(rule), size, 400.0, seed, count)
}

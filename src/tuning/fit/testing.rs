//! Games made by known weights, for tests.

use super::losses::logistic;
use crate::board::Board;
use crate::eval::{Evaluator, PatternEvaluator};
use crate::patterns::{PatternTables, Weights};
use crate::position::Position;
use crate::rng::SplitMix64;
use crate::rules::Rule;
use crate::threats::{Replies, Situation, analyse};
use crate::tuning::{GameResult, ScoredMove, TrainingGame};
use crate::types::{Color, Point, Score, Size};

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
        if analyse(&mut position) == Situation::Open(Replies::All) {
            return points;
        }
    }
}

/// Returns games of one move each, whose results and moves are drawn by lot as these weights and
/// this temperature say.
pub(in crate::tuning) fn games_of(
    tables: &'static PatternTables,
    size: Size,
    temperature: f64,
    seed: u64,
    count: usize,
) -> Vec<TrainingGame> {
    let mut rng = SplitMix64::new(seed);
    let mut one = || {
        let opening = opening(tables.rule(), size, &mut rng);
        let mut position = Position::with_tables(tables, Board::new(size), Color::Black);
        opening.iter().for_each(|&point| position.play(point).unwrap());
        let us = position.to_move();
        let eval = PatternEvaluator.evaluate(&position);
        let wins = uniform(&mut rng) < logistic(f64::from(eval.raw()) / EVAL_SCALE);
        let result =
            if wins == (us == Color::Black) { GameResult::Black } else { GameResult::White };
        let near = position.tracker().near();
        let legal: Vec<Point> = near.iter().filter(|&p| !position.is_forbidden(p, us)).collect();
        let weight =
            |&p: &Point| libm::exp(f64::from(position.tracker().order(p, us)) / temperature);
        let mut rest = uniform(&mut rng) * legal.iter().map(weight).sum::<f64>();
        let chosen = legal.iter().find(|p| {
            rest -= weight(p);
            rest <= 0.0
        });
        let point = *chosen.unwrap_or(&legal[0]);
        let moves = vec![ScoredMove { point, score: Score::eval(eval.raw()) }];
        TrainingGame { opening, moves, leaves: Vec::new(), result }
    };
    (0..count).map(|_| one()).collect()
}

/// Returns games of one move each that the hand-set weights make.
pub(in crate::tuning) fn games(
    rule: Rule,
    size: Size,
    seed: u64,
    count: usize,
) -> Vec<TrainingGame> {
    let tables = PatternTables::get(rule).reweighted(&Weights::prior(rule));
    games_of(tables, size, 400.0, seed, count)
}

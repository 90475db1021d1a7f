//! The fit as a whole.

use super::testing::{EVAL_SCALE, games, games_of};
use super::*;
use crate::tuning::{Leaf, ScoredMove, TrainingGame, TrainingResult};
use tengen_core::patterns::{Family, Shape};
use tengen_core::rules::Rule;
use tengen_core::types::{Score, Size};

fn samples(rule: Rule, games: Vec<TrainingGame>, threads: usize) -> SampleSet {
    let mut set = SampleSet::new(rule);
    set.add(Size::square(15).unwrap(), games, threads, &mut |_| {}).unwrap();
    set
}

fn size() -> Size {
    Size::square(15).unwrap()
}

/// Checks a gradient against differences of the loss, along the directions of single parameters and
/// of all at once.
fn check_gradient(regression: &Regression, loss: impl Fn(Vec<f64>) -> Sum) {
    let mut rng = tengen_core::rng::SplitMix64::new(9);
    let mut number = || rng.below(2001) as f64 / 1000.0 - 1.0;
    let dimension = regression.shared.parameters();
    let at: Vec<f64> = (0..dimension).map(|_| number()).collect();
    let (_, gradient) = regression.objective(&at, &loss);
    let mut directions: Vec<Vec<f64>> = vec![(0..dimension).map(|_| number()).collect()];
    let steepest = |skip: usize| {
        let mut order: Vec<usize> = (0..dimension).collect();
        order.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
        order[skip]
    };
    for skip in [0, 1, 5, 20, 60] {
        let mut direction = vec![0.0; dimension];
        direction[steepest(skip)] = 1.0;
        directions.push(direction);
    }
    for direction in directions {
        let step = 1e-5;
        let value = |sign: f64| {
            let there: Vec<f64> =
                at.iter().zip(&direction).map(|(a, d)| a + sign * step * d).collect();
            regression.objective(&there, &loss).0
        };
        let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
        let measured = (value(1.0) - value(-1.0)) / (2.0 * step);
        assert!((slope - measured).abs() <= 1e-5 * slope.abs().max(1.0), "{slope} {measured}");
    }
}

#[test]
fn the_gradient_of_the_evaluation_is_that_of_its_loss() {
    let options = FitOptions::default();
    for rule in [Rule::Freestyle, Rule::Renju] {
        let set = samples(rule, games(rule, size(), 5, 96), 1);
        let target = FitTarget { score_share: 0.3, win_scale: 250.0 };
        let (regression, cells) = evaluation_regression(rule, &options);
        check_gradient(&regression, |values| {
            let tables = EvaluationTables { values, cells, scale: 200.0 };
            evaluation_loss(&set.blocks, SamplePart::Train, 1, &tables, target)
        });
    }
}

#[test]
fn the_gradient_of_the_order_is_that_of_its_loss() {
    let options = FitOptions::default();
    for rule in [Rule::Freestyle, Rule::Renju] {
        let set = samples(rule, games(rule, size(), 6, 96), 1);
        let regression = order_regression(rule, &options);
        check_gradient(&regression, |tables| {
            order_loss(&set.blocks, SamplePart::Train, 1, &tables, 300.0)
        });
    }
}

#[test]
fn the_fit_is_the_same_bit_for_bit_with_any_number_of_threads() {
    let rule = Rule::Renju;
    let games = games(rule, size(), 7, 300);
    let run = |threads| {
        let set = samples(rule, games.clone(), threads);
        let options = FitOptions { threads, iterations: 6, ..FitOptions::default() };
        fit(&set, Provenance::default(), &options, &mut |_| {})
    };
    let one = run(1);
    assert_eq!(one, run(3));
    let mut prior = Weights::hand_tuned(rule);
    prior.provenance = one.weights.provenance;
    prior.set_win_scale(one.weights.win_scale().into());
    assert_ne!(one.weights, prior);
}

#[test]
fn nothing_to_learn_from_leaves_the_prior() {
    let set = SampleSet::new(Rule::Caro);
    let fitted = fit(&set, Provenance::default(), &FitOptions::default(), &mut |_| {});
    assert_eq!(fitted.weights, Weights::hand_tuned(Rule::Caro));
    assert_eq!(fitted.report.evaluation.after.train, 0.0);
}

/// Returns the mean difference of the values that two tables give a shape beside three dead lines.
fn distance(a: &Weights, b: &Weights, of: impl Fn(&FamilyWeights, PatternSet) -> i32) -> f64 {
    let shapes = [Shape::BlockedTwo, Shape::OpenTwo, Shape::OpenTwoFree, Shape::BlockedThree];
    let difference = |&shape: &Shape| {
        let set = PatternSet::of([shape, Shape::Dead, Shape::Dead, Shape::Dead]);
        f64::from((of(a.of(Color::Black), set) - of(b.of(Color::Black), set)).abs())
    };
    shapes.iter().map(difference).sum::<f64>() / shapes.len() as f64
}

#[test]
fn weights_that_made_the_games_are_found_again() {
    let rule = Rule::Freestyle;
    let mut truth = Weights::hand_tuned(rule);
    let family = truth.of_mut(Color::Black);
    for set in PatternSet::all() {
        let count = |shape: Shape| set.shapes().iter().filter(|&&s| s == shape).count() as f64;
        let class = PointClass::combine(Family::of(rule, Color::Black), set.shapes());
        // Twos are worth more and blocked threes less than by the hand-tuned weights, both ways.
        let change = 3.0 * (count(Shape::OpenTwo) + count(Shape::OpenTwoFree))
            - 5.0 * count(Shape::BlockedThree)
            + if class == PointClass::Two { 2.0 } else { 0.0 };
        let cell = f64::from(family.cell(set));
        family.set_cell(set, cell + 4.0 * change);
        let own = f64::from(family.order_own(set));
        family.set_order_own(set, own + 100.0 * change);
    }
    let temperature = 250.0;
    let set = samples(rule, games_of(&truth, size(), temperature, 8, 4000), 2);
    let options = FitOptions {
        threads: 2,
        eval_scale: EVAL_SCALE,
        score_share: 0.0,
        position_weight: 1.0,
        choice_weight: 1.0,
        iterations: 40,
        ..FitOptions::default()
    };
    let mut steps = Vec::new();
    let fitted = fit(&set, Provenance::default(), &options, &mut |step| steps.push(step));
    let prior = Weights::hand_tuned(rule);
    let (cells, own) = (FamilyWeights::cell, FamilyWeights::order_own);
    let far = |of: fn(&FamilyWeights, PatternSet) -> i32| {
        (distance(&prior, &truth, of), distance(&fitted.weights, &truth, of))
    };
    let report = fitted.report;
    let text = format!("{report}\n{:?} {:?}", far(cells), far(own));
    assert!(far(cells).1 < 0.5 * far(cells).0, "{text}");
    assert!(far(own).1 < 0.5 * far(own).0, "{text}");
    for Improvement { before, after } in [report.evaluation, report.order] {
        assert!(after.train < before.train && after.held_out < before.held_out, "{text}");
    }
    // The scores are those of the evaluation.
    let scale = f64::from(fitted.weights.win_scale());
    assert!((scale / EVAL_SCALE - 1.0).abs() < 0.2, "{scale}");
    assert!(steps.iter().any(|step| matches!(step, FitStep::Order { iteration: 3, .. })));
}

#[test]
fn the_target_of_a_leaf_is_its_score_alone() {
    let rule = Rule::Freestyle;
    let mut games = games(rule, size(), 10, 64);
    for game in &mut games {
        game.result = TrainingResult::Black;
    }
    let with_leaves: Vec<TrainingGame> = games
        .iter()
        .map(|game| {
            // The moves of the games become leaves: what follows them is never looked at.
            let judged = ScoredMove { score: Score::eval(350), ..game.moves[0] };
            let (&last, opening) = game.opening.split_last().unwrap();
            let leaf = Leaf { after: 0, path: vec![last], judged };
            let moves = vec![ScoredMove { point: last, score: -Score::DECISIVE }];
            let (opening, leaves) = (opening.to_vec(), vec![leaf]);
            TrainingGame { opening, moves, leaves, result: game.result }
        })
        .collect();
    let set = samples(rule, with_leaves, 1);
    // Whatever there is on the board, the odds are a half.
    let mut tables = evaluation_tables(&Weights::hand_tuned(rule), 200.0);
    let cells = tables.cells;
    tables.values[..cells].fill(0.0);
    tables.values[cells..].fill(100.0);
    let wanted = logistic(350.0 / 250.0);
    let expected = softplus(0.5) - wanted * 0.5;
    for score_share in [0.0, 0.5, 1.0] {
        let target = FitTarget { score_share, win_scale: 250.0 };
        let loss = evaluation_loss(&set.blocks, SamplePart::Train, 1, &tables, target);
        assert!(loss.count > 30, "the test needs leaves");
        assert!((loss.mean() - expected).abs() < 1e-12, "{} {expected}", loss.mean());
    }
    // Nothing is known of results, so the scale stays as it was.
    assert!(ScoreHistogram::of(&set.blocks, SamplePart::Train).is_empty());
}

use super::*;
use crate::tuning::Leaf;
use crate::tuning::fit::testing::{games, opening};
use tengen_core::eval::classical::Weights;
use tengen_core::eval::classical::weights::CELL_SCALE;
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, Window};
use tengen_core::rng::SplitMix64;
use tengen_core::threats::Replies;

/// Returns the sum that the tracker keeps, in parts of a unit, twice the average, for the side
/// to move.
fn doubled_sum(weights: &Weights, cells: &[CellCount]) -> i32 {
    let value = |cell: &CellCount| {
        let family = usize::from(cell.index) / PatternSet::COUNT;
        let set = PatternSet::from_index(usize::from(cell.index) % PatternSet::COUNT);
        // Families that are not shared are in the order of the colours.
        weights.of(Color::ALL[family]).cell(set) * i32::from(cell.count)
    };
    cells.iter().map(value).sum()
}

fn evaluator(rule: Rule) -> Box<dyn Evaluator> {
    Evaluators::shipped().make(EvaluatorKind::Patterns, rule)
}

/// Returns the samples of a game on the usual board.
fn samples_of(rule: Rule, game: &TrainingGame) -> Samples {
    let mut samples = Samples::default();
    Extractor::new(rule).game(Size::square(15).unwrap(), game, &mut samples).unwrap();
    samples
}

#[test]
fn samples_hold_what_the_evaluation_is_made_of() {
    for rule in Rule::ALL {
        let weights = Weights::shipped(rule);
        let size = Size::square(15).unwrap();
        let mut rng = SplitMix64::new(1);
        for _ in 0..40 {
            let opening = opening(rule, size, &mut rng);
            let mut position = Position::new(rule, size);
            opening.iter().for_each(|&point| position.play(point).unwrap());
            let point = position.tracker().near().first().unwrap();
            let played = ScoredMove { point, score: Score::ZERO };
            let result = TrainingResult::White;
            let game = TrainingGame { opening, moves: vec![played], leaves: vec![], result };
            let samples = samples_of(rule, &game);

            let (sample, cells) = samples.positions().next().expect("an open position");
            let us = position.to_move();
            let sum = doubled_sum(&weights, cells);
            let pair = usize::from(sample.pair) % PAIRS;
            let classes = [pair / PointClass::COUNT, pair % PointClass::COUNT];
            let [ours, theirs] = classes.map(PointClass::from_index);
            let rest = weights.of(us).tempo(ours, theirs);
            let mut evaluator = evaluator(rule);
            evaluator.reset(&position);
            let score = evaluator.evaluate(&position, Window::FULL).raw();
            assert_eq!(sum / (2 * CELL_SCALE) + rest, score, "{rule}");
            assert_eq!(sample.halves, Some(if us == Color::White { 2 } else { 0 }));
            assert_eq!(usize::from(sample.pair) / PAIRS, Family::index_of(rule, us));
        }
    }
}

#[test]
fn candidates_are_the_legal_cells_near_a_stone_with_the_chosen_one_first() {
    let (rule, size) = (Rule::Renju, Size::square(15).unwrap());
    let game = &games(rule, size, 1, 5)[0];
    let mut samples = Samples::default();
    Extractor::new(rule).game(size, game, &mut samples).unwrap();
    let candidates = samples.choices().next().expect("a choice");

    let mut position = Position::new(rule, size);
    game.opening.iter().for_each(|&point| position.play(point).unwrap());
    let near = position.tracker().near();
    let us = position.to_move();
    let legal = near.iter().filter(|&p| !position.is_forbidden(p, us)).count();
    assert_eq!(candidates.len(), legal);
    let weights = Weights::shipped(rule);
    let order = |c: &ChoiceCandidate| {
        let of = |index: u16| {
            let color = Color::ALL[usize::from(index) / PatternSet::COUNT];
            let set = PatternSet::from_index(usize::from(index) % PatternSet::COUNT);
            (weights.of(color).order_own(set), weights.of(color).order_their(set))
        };
        of(c.own).0 + of(c.their).1
    };
    let chosen = game.moves[0].point;
    let mut moves = Vec::new();
    evaluator(rule).order(&position, near, &mut moves);
    moves.retain(|m| !position.is_forbidden(m.point, us));
    let chosen = moves.iter().find(|m| m.point == chosen).unwrap();
    assert_eq!(order(&candidates[0]), chosen.order);
    let sum: i32 = moves.iter().map(|m| m.order).sum();
    assert_eq!(candidates.iter().map(order).sum::<i32>(), sum);
}

#[test]
fn every_sixteenth_game_is_held_out() {
    let size = Size::square(15).unwrap();
    let mut set = SampleSet::new(Rule::Freestyle);
    set.add(size, games(Rule::Freestyle, size, 3, 100), 2, &mut |_| {}).unwrap();
    assert_eq!(set.games(), 100);
    assert_eq!(set.positions_of(SamplePart::HeldOut), 7);
    assert_eq!(set.positions(), 100);
}

#[test]
fn games_that_cannot_be_played_are_named() {
    let size = Size::square(15).unwrap();
    let mut games = games(Rule::Standard, size, 4, 70);
    games[66].moves[0].point = games[66].opening[0];
    let mut set = SampleSet::new(Rule::Standard);
    let error = set.add(size, games, 1, &mut |_| {}).unwrap_err();
    assert_eq!(error, UnplayableGame { game: 66 });
}

/// Returns a game of one move, with a leaf a few moves from its opening.
fn game_with_leaf(rule: Rule, size: Size, rng: &mut SplitMix64, score: Score) -> TrainingGame {
    loop {
        let opening = opening(rule, size, rng);
        let mut position = Position::new(rule, size);
        opening.iter().for_each(|&point| position.play(point).unwrap());
        let near = position.tracker().near();
        let point = near.first().unwrap();
        let cells: Vec<Point> = near.iter().collect();
        let first = rng.below(cells.len() - 3);
        let path = cells[first..first + 1 + rng.below(3)].to_vec();
        path.iter().for_each(|&point| position.play(point).unwrap());
        if full_threat_check(&mut position) != ThreatCheck::Open(Replies::All) {
            continue;
        }
        let us = position.to_move();
        let near = position.tracker().near();
        let answer = near.iter().find(|&point| !position.is_forbidden(point, us)).unwrap();
        let leaf = Leaf { after: 0, path, judged: ScoredMove { point: answer, score } };
        let moves = vec![ScoredMove { point, score: Score::ZERO }];
        return TrainingGame { opening, moves, leaves: vec![leaf], result: TrainingResult::White };
    }
}

#[test]
fn a_leaf_is_sampled_as_if_the_game_had_come_to_it_but_has_no_result() {
    let size = Size::square(15).unwrap();
    let mut rng = SplitMix64::new(2);
    for rule in Rule::ALL {
        for _ in 0..20 {
            let game = game_with_leaf(rule, size, &mut rng, Score::eval(70));
            let samples = samples_of(rule, &game);
            let without = samples_of(rule, &TrainingGame { leaves: vec![], ..game.clone() });
            // The leaf is the last of the game: what follows its path.
            let opening = [&game.opening[..], &game.leaves[0].path].concat();
            let moves = vec![game.leaves[0].judged];
            let there =
                TrainingGame { opening, moves, leaves: vec![], result: TrainingResult::Draw };
            let alone = samples_of(rule, &there);

            let positions: Vec<_> = samples.positions().collect();
            let [first, leaf] = positions[..] else { panic!("the game's and the leaf's") };
            assert_eq!(first, without.positions().next().unwrap());
            let (expected, cells) = alone.positions().next().unwrap();
            assert_eq!((leaf.0.pair, leaf.0.score, leaf.1), (expected.pair, 70, cells));
            assert_eq!((leaf.0.halves, expected.halves), (None, Some(1)));
            let choices: Vec<_> = samples.choices().collect();
            assert_eq!(choices.last(), alone.choices().collect::<Vec<_>>().last());
            assert_eq!(choices.len(), without.choices().count() + 1);
        }
    }
}

#[test]
fn a_proven_leaf_is_a_position_and_a_choice_unless_it_is_lost() {
    let (rule, size) = (Rule::Freestyle, Size::square(15).unwrap());
    for (raw, choices) in [(30_000, 1), (29_000, 1), (-29_000, 0), (-29_998, 0)] {
        let score = Score::from_raw(raw);
        let mut game = game_with_leaf(rule, size, &mut SplitMix64::new(3), score);
        // Of the game itself nothing is taken but for its choice.
        game.moves[0].score = -Score::DECISIVE;
        let samples = samples_of(rule, &game);
        let scores: Vec<i16> = samples.positions().map(|(position, _)| position.score).collect();
        assert_eq!(scores, [raw as i16]);
        assert_eq!(samples.choices().count(), choices);
    }
}

#[test]
fn leaves_that_cannot_be_played_are_named() {
    let size = Size::square(15).unwrap();
    let rule = Rule::Freestyle;
    let good = game_with_leaf(rule, size, &mut SplitMix64::new(4), Score::ZERO);
    let add = |game: TrainingGame| SampleSet::new(rule).add(size, [game], 1, &mut |_| {});
    assert_eq!(add(good.clone()), Ok(()));
    let with = |leaf: Leaf| TrainingGame { leaves: vec![leaf], ..good.clone() };
    let leaf = &good.leaves[0];
    let late = Leaf { after: 1, ..leaf.clone() };
    let twice = Leaf { path: vec![leaf.path[0], leaf.path[0]], ..leaf.clone() };
    let occupied = Leaf { path: vec![good.opening[0]], ..leaf.clone() };
    let nowhere = Leaf { path: vec![], ..leaf.clone() };
    for bad in [late, twice, occupied, nowhere] {
        assert_eq!(add(with(bad)), Err(UnplayableGame { game: 0 }));
    }
}

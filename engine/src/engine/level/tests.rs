use super::attention::overlooked;
use super::noise::NoisyEvaluator;
use super::*;
use tengen_core::board::Board;
use tengen_core::eval::{Evaluator as _, EvaluatorKind, Evaluators, Window};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Score, Size};

/// The levels that search.
fn searching() -> impl Iterator<Item = Level> {
    (2..10).filter_map(Level::new)
}

/// Returns the position after black's stones and white's, with the last stone of each played last
/// and black to move.
fn position(black: &[(i64, i64)], white: &[(i64, i64)]) -> Position {
    let size = Size::DEFAULT;
    let stones = |cells: &[(i64, i64)]| -> Vec<Point> {
        cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect()
    };
    let (black, white) = (stones(black), stones(white));
    let mut board = Board::new(size);
    for (stones, color) in [(&black, Color::Black), (&white, Color::White)] {
        for &point in &stones[..stones.len() - 1] {
            board.place(point, color);
        }
    }
    let mut position = Position::from_board(Rule::Freestyle, board, Color::Black);
    position.play_unchecked(black[black.len() - 1]);
    position.play_unchecked(white[white.len() - 1]);
    position
}

/// Returns how often one of these cells is overlooked at a level, of 1000 times.
fn overlooked_at(level: Level, position: &Position, cells: &[(i64, i64)]) -> usize {
    let blindness = level.traits().map_or(0, |traits| traits.blindness);
    let cells: Vec<Point> =
        cells.iter().map(|&(x, y)| position.size().point(x, y).unwrap()).collect();
    (0..1000)
        .filter(|&seed| {
            let unseen = overlooked(position, blindness, &mut SplitMix64::new(seed));
            cells.iter().any(|&cell| unseen.contains(cell))
        })
        .count()
}

#[test]
fn the_traits_are_within_their_bounds_and_each_level_sees_more_than_the_one_below() {
    for traits in TRAITS {
        assert!((1..=40_000).contains(&traits.nodes) && traits.depth >= 1, "{traits:?}");
        assert!((0..1_000).contains(&traits.noise) && traits.blindness <= 1_000, "{traits:?}");
    }
    // The first one does not search.
    for pair in TRAITS[1..].windows(2) {
        assert!(pair[0].nodes <= pair[1].nodes && pair[0].depth <= pair[1].depth, "{pair:?}");
        assert!(pair[0].noise >= pair[1].noise, "{pair:?}");
        assert!(pair[0].blindness >= pair[1].blindness, "{pair:?}");
    }
    assert_eq!(Level::FULL.traits(), None);
}

#[test]
fn strength_means_levels_and_levels_have_a_strength() {
    let level = |percent| Level::from_strength(percent).number();
    for (percent, expected) in [
        (i64::MIN, 1),
        (0, 1),
        (11, 1),
        (12, 2),
        (33, 3),
        (50, 5),
        (88, 8),
        (89, 9),
        (99, 9),
        (100, 10),
        (i64::MAX, 10),
    ] {
        assert_eq!(level(percent), expected, "{percent}");
    }
    assert!((0..=100).map(level).is_sorted());
    for level in (1..=10).filter_map(Level::new) {
        let percent = i64::from(level.strength());
        assert_eq!(Level::from_strength(percent), level);
        assert!(Level::from_strength(percent - 1) < level || level == Level::LEAST);
    }
}

#[test]
fn levels_are_read_and_kept_as_numbers() {
    for number in 1..=10 {
        let level = Level::new(number).unwrap();
        assert_eq!(level.to_string().parse(), Ok(level));
        let skill = Skill { level, seed: Some(u64::MAX) };
        let text = serde_json::to_string(&skill).unwrap();
        assert_eq!(serde_json::from_str::<Skill>(&text).unwrap(), skill);
    }
    for text in ["", "0", "11", "+3", "-1", "3.5", " 3", "256", "ten"] {
        assert_eq!(text.parse::<Level>(), Err(LevelError), "{text:?}");
    }
    assert!(serde_json::from_str::<Level>("0").is_err());
    assert!(serde_json::from_str::<Level>("11").is_err());
}

#[test]
fn the_full_level_has_no_limits_of_its_own() {
    let (nodes, depth) = (Some(7), Some(99));
    let unlimited = Limits::none(std::time::Instant::now());
    let limits = Limits { max_depth: depth, max_nodes: nodes, ..unlimited };
    assert_eq!(Level::FULL.within(limits), limits);
    assert_eq!(Level::FULL.nodes(), None);
    for level in searching() {
        assert!(level.within(limits).max_depth < depth);
        let shallow = Limits { max_depth: Some(1), ..limits };
        assert_eq!(level.within(shallow), shallow);
    }
}

#[test]
fn what_is_far_or_quiet_is_overlooked_more_often_and_less_at_each_level() {
    // White has made the second end of a row of four closed; or has played elsewhere since.
    let four = [(3, 7), (4, 7), (5, 7)];
    let near = position(&[(2, 7), (9, 9)], &[four[0], four[1], four[2], (6, 7)]);
    let far = position(&[(2, 7), (12, 12)], &[four[0], four[1], four[2], (6, 7), (12, 2)]);
    // An open three, as an old story.
    let three = position(&[(12, 12), (11, 12)], &[(3, 7), (4, 7), (5, 7), (12, 2)]);
    let rates = |position: &Position, cells: &[(i64, i64)]| -> Vec<usize> {
        searching().map(|level| overlooked_at(level, position, cells)).collect()
    };
    let near = rates(&near, &[(7, 7)]);
    let far = rates(&far, &[(7, 7)]);
    let three = rates(&three, &[(2, 7), (6, 7)]);
    for ((near, far), three) in near.iter().zip(&far).zip(&three) {
        assert!(near <= far && far <= three, "{near} {far} {three}");
    }
    // Every level sees a four that was just made.
    assert!(near.iter().all(|&near| near <= 20), "{near:?}");
    assert!(three[0] >= 100 && three[0] > 2 * far[0] && far[0] > near[0], "{far:?} {three:?}");
    for rates in [far, three] {
        // Different draws, so there is some play between neighbours.
        assert!(rates.windows(2).all(|pair| pair[0] + 20 >= pair[1]), "{rates:?}");
        assert!(rates[7] <= 10, "{rates:?}");
    }
}

#[test]
fn diagonals_and_gaps_hide_threats() {
    let away = (12, 2);
    let black = [(12, 12), (13, 8)];
    let row = position(&black, &[(3, 7), (4, 7), (5, 7), away]);
    let diagonal = position(&black, &[(3, 6), (4, 7), (5, 8), away]);
    let split = position(&black, &[(3, 7), (4, 7), (6, 7), away]);
    let level = Level::new(3).unwrap();
    let row = overlooked_at(level, &row, &[(6, 7)]);
    assert!(row < overlooked_at(level, &diagonal, &[(6, 9)]));
    assert!(row < overlooked_at(level, &split, &[(2, 7)]));
}

#[test]
fn without_last_moves_things_are_overlooked_but_not_as_much_as_far_from_them() {
    let (black, white) = ([(12, 1), (1, 13), (14, 14)], [(2, 2), (3, 2), (4, 2), (0, 14)]);
    let with = position(&black, &white);
    let without = Position::from_board(Rule::Freestyle, with.board().clone(), with.to_move());
    let [far, unseen] = [with, without]
        .map(|position| overlooked_at(Level::new(2).unwrap(), &position, &[(1, 2), (5, 2)]));
    assert!(0 < unseen && unseen < far, "{far} and {unseen} of 1000");
}

#[test]
fn nobody_overlooks_where_he_makes_five() {
    let position =
        position(&[(3, 3), (4, 4), (6, 6), (7, 7), (14, 0)], &[(14, 14), (0, 14), (13, 13)]);
    for blindness in [500, 1000, 100_000] {
        for seed in 0..300 {
            let unseen = overlooked(&position, blindness, &mut SplitMix64::new(seed));
            assert!(!unseen.contains(position.size().point(5, 5).unwrap()));
        }
    }
}

#[test]
fn errors_of_an_evaluation_are_bounded_and_always_the_same() {
    let position = position(&[(7, 7), (8, 8)], &[(7, 8), (6, 8)]);
    let make = || Evaluators::shipped().make(EvaluatorKind::Patterns, Rule::Freestyle);
    let mut plain = make();
    plain.reset(&position);
    let right = plain.evaluate(&position, Window::FULL);
    let noise = 80;
    let mut errors: Vec<i32> = Vec::new();
    for salt in 0..400 {
        let mut noisy = NoisyEvaluator::new(make(), noise, salt);
        noisy.reset(&position);
        let score = noisy.evaluate(&position, Window::FULL);
        assert_eq!(score, noisy.evaluate(&position, Window::FULL));
        // A score outside the window stays outside.
        let low = Window { alpha: score - 2, beta: score - 1 };
        let high = Window { alpha: score + 1, beta: score + 2 };
        assert!(noisy.evaluate(&position, low) >= low.beta);
        assert!(noisy.evaluate(&position, high) <= high.alpha);
        errors.push(score.raw() - right.raw());
    }
    assert!(errors.iter().all(|error| error.abs() <= noise));
    let mean = errors.iter().sum::<i32>() / 400;
    assert!(mean.abs() <= noise / 8, "{mean}");
    assert!(errors.iter().any(|e| *e > noise / 2) && errors.iter().any(|e| *e < -noise / 2));
    let mut without = NoisyEvaluator::new(make(), 0, 1);
    without.reset(&position);
    assert_eq!(without.evaluate(&position, Window::FULL), right);
    assert!(Score::eval(right.raw()) == right);
}

#[test]
fn the_document_has_the_numbers_of_the_table() {
    let document = include_str!("../../../../docs/guide/levels.md");
    for (number, traits) in (1..).zip(TRAITS).skip(1) {
        let row = document.lines().find(|line| line.starts_with(&format!("| {number} | ")));
        let fields: Vec<&str> = row.unwrap().split('|').map(str::trim).collect();
        assert_eq!(fields[2].replace(',', ""), traits.nodes.to_string(), "level {number}");
        assert_eq!(fields[3], traits.depth.to_string(), "level {number}");
        assert_eq!(fields[4], traits.noise.to_string(), "level {number}");
        let percent = fields[5].trim_end_matches(" %").parse().unwrap_or(0.0);
        assert_eq!((percent * 10.0_f64).round() as u32, traits.blindness, "level {number}");
    }
}

//! Elo and its errors against published values, and what must hold for all counts.

use proptest::prelude::*;

use super::*;
use PlayerResult::{Draw, Loss, Win};

/// True if `value` is `expected` to the two decimals that were published.
fn close(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 0.006
}

/// Losses, draws, wins; normalised Elo, its error, LOS in percent.
type TrinomialCase = ([u64; 3], f64, f64, f64);

/// Pairs; normalised Elo, its error, Elo, its error, LOS in percent.
type PentanomialCase = ([u64; 5], f64, f64, f64, f64, f64);

#[test]
fn games_give_the_values_of_fastchess() {
    // app/tests/elo_test.cpp of Disservin/fastchess (74deac2), "EloWDL 1" to "3".
    let cases: [TrinomialCase; 3] = [
        ([89, 123, 76], -20.76, 40.13, 15.53),
        ([96, 111, 136], 49.77, 36.77, 99.60),
        ([356, 0, 34], -508.44, 34.48, 0.0),
    ];
    for ([losses, draws, wins], value, error, los) in cases {
        let counts = Trinomial::new(losses, draws, wins);
        let nelo = counts.nelo().unwrap();
        assert!(close(nelo.value, value) && close(nelo.error(), error), "{counts:?} {nelo:?}");
        assert!(close(counts.los().unwrap() * 100.0, los), "{counts:?}");
    }
    let elo = Trinomial::new(96, 111, 136).elo().unwrap();
    assert!(close(elo.value, 40.70) && close(elo.error(), 30.43), "{elo:?}");
}

#[test]
fn pairs_give_the_values_of_fastchess() {
    // The same file, "EloPentanomial 1" to "3"; its pairs with a win each and with two draws are
    // one count here.
    let cases: [PentanomialCase; 3] = [
        ([34, 54, 31 + 32, 64, 75], 57.94, 28.28, 55.58, 27.65, 100.0),
        ([332, 433, 457 + 41, 333, 334], -9.17, 10.96, -8.64, 10.33, 5.05),
        ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
    ];
    for (pairs, nelo, nelo_error, elo, elo_error, los) in cases {
        let counts = Pentanomial::new(pairs);
        let (found, found_nelo) = (counts.elo().unwrap(), counts.nelo().unwrap());
        assert!(close(found_nelo.value, nelo), "{counts:?} {found_nelo:?}");
        assert!(close(found_nelo.error(), nelo_error), "{counts:?} {found_nelo:?}");
        assert!(close(found.value, elo) && close(found.error(), elo_error), "{counts:?} {found:?}");
        assert!(close(counts.los().unwrap() * 100.0, los), "{counts:?}");
    }
}

#[test]
fn elo_is_that_of_fishtest() {
    // Computed with get_elo of server/fishtest/stats/stat_util.py of official-stockfish/fishtest
    // (b8eecff); the first two counts are from the examples at the end of that file.
    let pairs = [
        ([39, 2226, 31451, 2412, 40], 0.902_981_048, 0.662_531_486, 0.996_222_097_3),
        ([10789, 19328, 33806, 19402, 10543], -0.773_577_335, 1.277_579_895, 0.117_658_858_0),
        ([2, 3, 5, 4, 1], -11.585_478_37, 101.695_230_76, 0.409_116_101_2),
        ([3, 5, 14, 6, 2], -5.791_129_34, 63.885_081_62, 0.428_693_284_4),
    ];
    let check = |elo: Estimate, los: f64, expected: (f64, f64, f64)| {
        assert!((elo.value - expected.0).abs() < 1e-7, "{elo:?}");
        assert!((elo.error() - expected.1).abs() < 1e-7, "{elo:?}");
        assert!((los - expected.2).abs() < 1e-9, "{los}");
    };
    for (counts, value, error, los) in pairs {
        let counts = Pentanomial::new(counts);
        check(counts.elo().unwrap(), counts.los().unwrap(), (value, error, los));
    }
    let games = Trinomial::new(591, 2163, 716);
    let expected = (12.521_109_05, 7.092_605_28, 0.999_733_452_6);
    check(games.elo().unwrap(), games.los().unwrap(), expected);
}

#[test]
fn games_and_pairs_are_counted_where_they_belong() {
    let mut pairs = Pentanomial::default();
    pairs.add_pair(Win, Loss);
    pairs.add_pair(Draw, Draw);
    pairs.add_pair(Loss, Draw);
    pairs.add_pair(Win, Win);
    pairs.add_pair(Draw, Win);
    pairs.add_pair(Loss, Loss);
    assert_eq!(pairs.counts(), [1, 1, 2, 1, 1]);
    assert_eq!((pairs.samples(), pairs.games()), (6, 12));
    assert_eq!(pairs.pair_draw_ratio(), Some(1.0 / 3.0));
    assert_eq!(pairs.pairs_ratio(), Some(1.0));

    let mut games = Trinomial::default();
    for result in [Win, Win, Draw, Loss, Win] {
        games.add_game(result);
    }
    assert_eq!((games.losses(), games.draws(), games.wins()), (1, 1, 3));
    assert_eq!((games.samples(), games.games()), (5, 5));
    assert_eq!(games.points(), 3.5);
    assert_eq!(games.draw_ratio(), Some(0.2));
    assert_eq!(games.score(), Some(0.7));
}

#[test]
fn the_reverse_of_a_result_is_that_of_the_other_player() {
    for result in [Loss, Draw, Win] {
        assert_eq!(result.half_points() + result.reversed().half_points(), 2);
    }
}

#[test]
fn nothing_counted_says_nothing() {
    let pairs = Pentanomial::default();
    assert_eq!((pairs.score(), pairs.variance(), pairs.los()), (None, None, None));
    assert_eq!((pairs.elo(), pairs.nelo()), (None, None));
    assert_eq!((pairs.pair_draw_ratio(), pairs.pairs_ratio()), (None, None));
    assert_eq!(Trinomial::default().draw_ratio(), None);
}

#[test]
fn winning_everything_has_a_lower_bound() {
    let elo = Pentanomial::new([0, 0, 0, 0, 10]).elo().unwrap();
    assert_eq!((elo.value, elo.upper, elo.error()), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
    // 0.6915 is the lower end of Clopper and Pearson's interval of 10 in 10.
    assert!((elo.lower - elo_of_score(0.691_502_9)).abs() < 1e-4, "{elo:?}");
    let lost = Pentanomial::new([10, 0, 0, 0, 0]).elo().unwrap();
    assert_eq!((lost.value, lost.lower), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    assert!((lost.upper + elo.lower).abs() < 1e-9);
    assert_eq!(Pentanomial::new([0, 0, 0, 0, 10]).los(), Some(1.0));
    assert_eq!(Pentanomial::new([10, 0, 0, 0, 0]).los(), Some(0.0));
}

#[test]
fn pairs_that_are_all_level_leave_much_unknown() {
    let error = |pairs| {
        let pairs = Pentanomial::new([0, 0, pairs, 0, 0]);
        let elo = pairs.elo().unwrap();
        assert!(elo.value.abs() < 1e-9 && (elo.lower + elo.upper).abs() < 1e-9, "{elo:?}");
        assert_eq!((pairs.nelo(), pairs.los()), (None, Some(0.5)));
        elo.error()
    };
    // The ends are those of a score of 0.975 more losses or wins in 1, 0.3363 in 9, 0.0362 in 100.
    let near = |error: f64, expected: f64| assert!((error - expected).abs() < 0.1, "{error}");
    near(error(1), elo_of_score(0.9875));
    near(error(9), elo_of_score(0.5 + 0.336_267 / 2.0));
    near(error(100), elo_of_score(0.5 + 0.036_217 / 2.0));
}

#[test]
fn counts_too_large_for_their_type_stay_at_its_end() {
    let most = Trinomial::new(u64::MAX, 1, u64::MAX) + Trinomial::new(1, 0, 0);
    assert_eq!(most.counts(), [u64::MAX, 1, u64::MAX]);
    assert_eq!((most.samples(), most.games()), (u64::MAX, u64::MAX));
    assert!((most.score().unwrap() - 0.5).abs() < 1e-12);
}

fn any_pairs() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform5(0_u64..1000).prop_map(Pentanomial::new)
}

proptest! {
    #[test]
    fn changing_sides_negates_elo(pairs in any_pairs()) {
        prop_assume!(!pairs.is_empty());
        let (elo, other) = (pairs.elo().unwrap(), pairs.reversed().elo().unwrap());
        let opposite = |a: f64, b: f64| a == -b || (a + b).abs() < 1e-8;
        prop_assert!(opposite(elo.value, other.value), "{:?} {:?}", elo, other);
        prop_assert!(opposite(elo.lower, other.upper) && opposite(elo.upper, other.lower));
        prop_assert!((pairs.los().unwrap() + pairs.reversed().los().unwrap() - 1.0).abs() < 1e-9);
        if let (Some(nelo), Some(other)) = (pairs.nelo(), pairs.reversed().nelo()) {
            prop_assert!(opposite(nelo.value, other.value));
        }
    }

    #[test]
    fn a_hundred_times_the_games_have_a_tenth_of_the_error(pairs in any_pairs()) {
        prop_assume!(pairs.variance().is_some_and(|variance| variance > 0.0));
        let many = Pentanomial::new(pairs.counts().map(|count| count * 100));
        let (few, more) = (pairs.nelo().unwrap(), many.nelo().unwrap());
        prop_assert!((few.value - more.value).abs() < 1e-6);
        prop_assert!((few.error() / more.error() - 10.0).abs() < 1e-6);
        // In logistic Elo the scale is bent, so look at the score.
        let (few, more) = (pairs.elo().unwrap(), many.elo().unwrap());
        prop_assume!(few.error().is_finite());
        let width = |e: Estimate| {
            super::super::score_of_elo(e.upper) - super::super::score_of_elo(e.lower)
        };
        prop_assert!((width(few) / width(more) - 10.0).abs() < 1e-5);
    }

    #[test]
    fn counting_in_parts_changes_nothing(one in any_pairs(), other in any_pairs()) {
        let sum: Pentanomial = [one, other].into_iter().sum();
        prop_assert_eq!(sum, one + other);
        prop_assert_eq!(sum.samples(), one.samples() + other.samples());
    }
}

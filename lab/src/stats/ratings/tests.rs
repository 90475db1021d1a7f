//! Ratings against those of BayesElo, and what must hold for all tables.

use proptest::prelude::*;

use super::super::counts::{PlayerResult, Trinomial};
use super::super::elo::score_of_elo;
use super::*;

/// First player, second player, and the first player's wins, draws and losses.
type Games = (usize, usize, [u64; 3]);

/// Four players; the last one wins little, and nothing as the second against the first.
const FOUR: [Games; 9] = [
    (0, 1, [6, 2, 2]),
    (1, 0, [5, 1, 4]),
    (0, 2, [8, 1, 1]),
    (2, 0, [3, 2, 5]),
    (1, 2, [5, 3, 2]),
    (2, 1, [4, 2, 4]),
    (0, 3, [10, 0, 0]),
    (3, 0, [1, 0, 9]),
    (2, 3, [6, 1, 3]),
];

/// Three players whose games are seldom drawn and often won by the first move.
const THREE: [Games; 6] = [
    (0, 1, [70, 4, 26]),
    (1, 0, [61, 6, 33]),
    (0, 2, [80, 2, 18]),
    (2, 0, [48, 5, 47]),
    (1, 2, [66, 3, 31]),
    (2, 1, [55, 4, 41]),
];

fn table(players: usize, games: &[Games]) -> CrossTable {
    let mut table = CrossTable::new(players);
    for &(first, second, [wins, draws, losses]) in games {
        table.add_games(first, second, Trinomial::new(losses, draws, wins));
    }
    table
}

fn fixed(first_move: f64, draw_elo: f64, prior: f64) -> RatingOptions {
    RatingOptions {
        prior,
        first_move: Parameter::Fixed(first_move),
        draw_elo: Parameter::Fixed(draw_elo),
        anchor: Anchor::Mean(0.0),
    }
}

/// Holds unscaled ratings and standard deviations against expected ones.
fn assert_ratings(found: &Ratings, elos: &[f64], deviations: &[f64]) {
    assert_eq!(found.players.len(), elos.len());
    for ((rating, elo), deviation) in found.players.iter().zip(elos).zip(deviations) {
        assert!((rating.elo / found.scale - elo).abs() < 1e-4, "{rating:?}, not {elo}");
        let error = Z95 * deviation * found.scale;
        assert!((rating.error - error).abs() < 1e-4, "{rating:?}, not {error}");
    }
}

// The values of the next three tests were computed with BayesElo itself (ddugovic/BayesianElo,
// b2e6869): its class CBradleyTerry, run until changes are below 1e-14 and asked for
// `velo`, `mCovariance` and `mLOS` in full precision. BayesElo keeps virtual draws in single
// precision.

#[test]
fn ratings_with_given_parameters_are_those_of_bayeselo() {
    let found = rate(&table(4, &FOUR), &fixed(32.8, 97.3, 2.0)).unwrap();
    let elos = [165.216_759_8, 68.601_252_2, -20.546_677_7, -213.271_334_3];
    assert_ratings(&found, &elos, &[36.463_316_3, 43.128_304_1, 37.495_504_6, 59.362_225_6]);
    assert!((found.scale - 0.925_496_591).abs() < 1e-9);
    for (other, los) in [(1, 0.947_745_554), (2, 0.999_366_529), (3, 0.999_998_479)] {
        assert!((found.los(0, other).unwrap() - los).abs() < 1e-6);
    }

    let found = rate(&table(4, &FOUR), &fixed(0.0, 20.0, 0.5)).unwrap();
    let elos = [148.249_263_0, 66.509_920_2, -8.506_920_7, -206.252_262_4];
    assert_ratings(&found, &elos, &[38.089_489_1, 43.536_649_1, 37.971_123_9, 63.724_616_7]);

    let found = rate(&table(3, &THREE), &fixed(50.0, 20.0, 2.0)).unwrap();
    let elos = [46.788_407_1, 3.188_801_2, -49.977_208_3];
    assert_ratings(&found, &elos, &[11.612_449_6, 11.492_993_9, 11.678_737_8]);
    assert!((found.los(0, 1).unwrap() - 0.985_624_064).abs() < 1e-6);
}

#[test]
fn ratings_and_parameters_found_together_are_those_of_bayeselo() {
    // With hardly a prior: BayesElo's virtual draws raise its draw Elo.
    let options = RatingOptions { prior: 1e-5, ..RatingOptions::default() };
    for (games, players, first_move, draw_elo, elos) in [
        (
            &FOUR[..],
            4,
            66.660_608_6,
            64.402_900_8,
            &[169.264_160_1, 69.572_323_4, -22.458_564_7, -216.377_918_8][..],
        ),
        (&THREE, 3, 115.578_123_2, 15.986_255_8, &[51.050_852_4, 3.360_655_0, -54.411_507_4]),
    ] {
        let found = rate(&table(players, games), &options).unwrap();
        assert!((found.first_move.value - first_move).abs() < 1e-3, "{:?}", found.first_move);
        assert!((found.draw_elo.value - draw_elo).abs() < 1e-3, "{:?}", found.draw_elo);
        for (rating, elo) in found.players.iter().zip(elos) {
            assert!((rating.elo / found.scale - elo).abs() < 1e-3, "{rating:?}, not {elo}");
        }
    }
}

#[test]
fn who_wins_everything_has_the_rating_of_bayeselo() {
    let games = [(0, 1, [5, 0, 0]), (1, 0, [0, 0, 5])];
    let found = rate(&table(2, &games), &fixed(32.8, 97.3, 2.0)).unwrap();
    assert_ratings(&found, &[195.641_188_8, -195.641_188_8], &[66.820_755_3; 2]);
    assert!((found.los(0, 1).unwrap() - 0.998_293_430).abs() < 1e-6);
}

#[test]
fn errors_with_fitted_parameters_are_those_of_the_whole_curvature() {
    // BayesElo takes fitted parameters for known ones. These are from an independent program: the
    // same likelihood and prior, maximised by scipy.optimize (BFGS, then Nelder-Mead), and the
    // inverse of its Hessian by finite differences.
    let found = rate(&table(4, &FOUR), &RatingOptions::default()).unwrap();
    for (rating, deviation) in
        found.players.iter().zip([36.606_604, 42.797_917, 38.080_373, 59.852_394])
    {
        let error = rating.error / Z95 / found.scale;
        assert!((error - deviation).abs() < 1e-3, "{error}, not {deviation}");
    }
    assert!((found.first_move.value - 61.066_396).abs() < 1e-4);
    assert!((found.draw_elo.value - 55.787_764).abs() < 1e-4);
    assert!((found.first_move.error() / Z95 - 37.998_758).abs() < 1e-3);
    assert!((found.draw_elo.error() / Z95 - 15.248_566).abs() < 1e-3);
    // One parameter fitted, the other given.
    let options = RatingOptions { draw_elo: Parameter::Fixed(97.3), ..RatingOptions::default() };
    let found = rate(&table(4, &FOUR), &options).unwrap();
    assert!((found.first_move.value - 68.728_426).abs() < 1e-4);
    assert!((found.first_move.error() / Z95 - 38.474_470).abs() < 1e-3);
    assert_eq!(found.draw_elo.error(), 0.0);
}

#[test]
fn two_players_without_draws_differ_by_the_elo_of_their_score() {
    // No draws, no advantage and hardly a prior: plain logistic Elo, and its error.
    let games = [(0, 1, [400, 0, 200]), (1, 0, [200, 0, 400])];
    let found = rate(&table(2, &games), &fixed(0.0, 0.0, 1e-9)).unwrap();
    let difference = found.difference(0, 1).unwrap();
    let elo = Trinomial::new(400, 0, 800).elo().unwrap();
    assert!((difference.value - elo.value).abs() < 1e-6);
    assert!((difference.error() - elo.error()).abs() < 0.1, "{difference:?} {elo:?}");
    assert_eq!(found.scale, 1.0);
}

#[test]
fn an_anchor_moves_all_ratings_of_its_component() {
    let mut games = FOUR.to_vec();
    games.push((4, 5, [3, 1, 1]));
    let table = table(6, &games);
    let free = rate(&table, &RatingOptions::default()).unwrap();
    let anchor = Anchor::Player { player: 1, elo: 2000.0 };
    let found = rate(&table, &RatingOptions { anchor, ..RatingOptions::default() }).unwrap();
    assert_eq!((found.players[1].elo, found.players[1].error), (2000.0, 0.0));
    for player in [0, 2, 3] {
        let difference = free.difference(player, 1).unwrap();
        let rating = found.players[player];
        assert!((rating.elo - 2000.0 - difference.value).abs() < 1e-9);
        assert!((rating.error - difference.error()).abs() < 1e-9);
    }
    assert_eq!(found.players[4], free.players[4]);

    let anchor = Anchor::Mean(1500.0);
    let found = rate(&table, &RatingOptions { anchor, ..RatingOptions::default() }).unwrap();
    let mean: f64 = found.players[..4].iter().map(|rating| rating.elo).sum::<f64>() / 4.0;
    assert!((mean - 1500.0).abs() < 1e-9);
    assert!((found.players[4].elo + found.players[5].elo - 3000.0).abs() < 1e-9);
}

#[test]
fn components_are_rated_apart() {
    let mut games = THREE.to_vec();
    games.push((3, 4, [9, 0, 1]));
    let found = rate(&table(6, &games), &fixed(50.0, 20.0, 2.0)).unwrap();
    let alone = rate(&table(3, &THREE), &fixed(50.0, 20.0, 2.0)).unwrap();
    for (rating, other) in found.players.iter().zip(&alone.players) {
        assert!((rating.elo - other.elo).abs() < 1e-9 && (rating.error - other.error).abs() < 1e-9);
    }
    let components: Vec<usize> = found.players.iter().map(|rating| rating.component).collect();
    assert_eq!(components, [0, 0, 0, 1, 1, 2]);
    assert_eq!((found.difference(0, 3), found.los(0, 3)), (None, None));
    assert_eq!((found.difference(0, 6), found.los(6, 0)), (None, None));
    assert!(found.los(3, 4).unwrap() > 0.9);
    // Nothing is known of who did not play.
    assert_eq!((found.players[5].elo, found.players[5].error), (0.0, f64::INFINITY));
}

#[test]
fn tables_that_say_little_still_have_ratings() {
    assert!(rate(&CrossTable::new(0), &RatingOptions::default()).unwrap().players.is_empty());
    let found = rate(&CrossTable::new(2), &RatingOptions::default()).unwrap();
    assert_eq!(found.players[0].error, f64::INFINITY);
    assert_eq!((found.first_move.value, found.draw_elo.value), (0.0, 0.0));

    // Only draws: all are equal. θ = 11 is the maximum of (θ² - 1)^20 / (1 + θ)^44.
    let found = rate(&table(2, &[(0, 1, [0, 20, 0])]), &RatingOptions::default()).unwrap();
    assert!(found.players[0].elo.abs() < 1e-9);
    assert!((found.draw_elo.value - 400.0 * 11_f64.log10()).abs() < 1e-6);

    // Every game won by the first move, or by one player; one game in all.
    for games in [
        &[(0, 1, [1000, 0, 0]), (1, 0, [1000, 0, 0])][..],
        &[(0, 1, [1_000_000, 0, 0]), (1, 0, [0, 0, 1_000_000])],
        &[(0, 1, [1, 0, 0])],
    ] {
        let found = rate(&table(2, games), &RatingOptions::default()).unwrap();
        assert!(found.players.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
        assert!(found.first_move.error().is_finite() && found.draw_elo.error().is_finite());
    }
}

#[test]
fn the_score_of_the_first_move_is_that_between_equals() {
    // Two equals, 60 % for the first move, and hardly a prior.
    let games = [(0, 1, [550, 100, 350]), (1, 0, [550, 100, 350])];
    let options = RatingOptions { prior: 1e-6, ..RatingOptions::default() };
    let found = rate(&table(2, &games), &options).unwrap();
    let (advantage, draw) = (found.first_move.value, found.draw_elo.value);
    let score =
        f64::midpoint(score_of_elo(advantage - draw), 1.0 - score_of_elo(-advantage - draw));
    assert!((score - 0.6).abs() < 1e-6, "{score}");
    assert!(found.players[0].elo.abs() < 1e-6);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let table = table(3, &THREE);
    let refused = |options: RatingOptions| rate(&table, &options).err();
    for prior in [0.0, -1.0, f64::INFINITY] {
        let options = RatingOptions { prior, ..RatingOptions::default() };
        assert_eq!(refused(options), Some(RatingError::Prior(prior)));
    }
    assert_eq!(refused(fixed(0.0, -1.0, 2.0)), Some(RatingError::Parameter(-1.0)));
    assert_eq!(refused(fixed(1e9, 1.0, 2.0)), Some(RatingError::Parameter(1e9)));
    for anchor in [Anchor::Player { player: 3, elo: 0.0 }, Anchor::Mean(f64::NAN)] {
        let options = RatingOptions { anchor, ..RatingOptions::default() };
        assert_eq!(refused(options), Some(RatingError::Anchor));
    }
}

fn any_table() -> impl Strategy<Value = CrossTable> {
    let game = (0_usize..5, 1_usize..5, 0_usize..3);
    prop::collection::vec(game, 1..60).prop_map(|games| {
        let mut table = CrossTable::new(5);
        for (first, step, result) in games {
            let result = [PlayerResult::Loss, PlayerResult::Draw, PlayerResult::Win][result];
            table.add_game(first, (first + step) % 5, result);
        }
        table
    })
}

/// The table in which every result is the opposite.
fn opposite(table: &CrossTable, factor: u64) -> CrossTable {
    let mut other = CrossTable::new(table.players());
    for (first, second) in (0..25).map(|n| (n / 5, n % 5)).filter(|(i, j)| i != j) {
        let [losses, draws, wins] =
            table.as_first(first, second).reversed().counts().map(|count| count * factor);
        other.add_games(first, second, Trinomial::new(losses, draws, wins));
    }
    other
}

proptest! {
    #[test]
    fn opposite_results_negate_ratings_and_the_first_move(table in any_table()) {
        let found = rate(&table, &RatingOptions::default()).unwrap();
        let other = rate(&opposite(&table, 1), &RatingOptions::default()).unwrap();
        for (one, two) in found.players.iter().zip(&other.players) {
            prop_assert!((one.elo + two.elo).abs() < 1e-5, "{:?} {:?}", one, two);
            prop_assert!(one.error == two.error || (one.error - two.error).abs() < 1e-5);
        }
        prop_assert!((found.first_move.value + other.first_move.value).abs() < 1e-5);
        prop_assert!((found.draw_elo.value - other.draw_elo.value).abs() < 1e-5);
    }

    #[test]
    fn a_hundred_times_everything_has_a_tenth_of_the_error(table in any_table()) {
        let found = rate(&table, &RatingOptions::default()).unwrap();
        // The prior has to grow with the games.
        let options = RatingOptions { prior: 200.0, ..RatingOptions::default() };
        let more = rate(&opposite(&opposite(&table, 100), 1), &options).unwrap();
        for (one, two) in found.players.iter().zip(&more.players) {
            prop_assert!((one.elo - two.elo).abs() < 1e-4, "{:?} {:?}", one, two);
            if one.error.is_finite() && one.error > 0.0 {
                prop_assert!((one.error / two.error - 10.0).abs() < 1e-4);
            }
        }
    }
}

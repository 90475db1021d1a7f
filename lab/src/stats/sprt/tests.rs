//! The test against the numbers of fishtest and fastchess, and against its own promises.

use proptest::prelude::*;

use super::super::counts::{Pentanomial, Trinomial, moments};
use super::*;
use EloModel::{Logistic, Normalized};
use tengen_core::rng::SplitMix64;

fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(SprtOptions { model, elo0, elo1, alpha: 0.05, beta: 0.05 }).unwrap()
}

/// True if the ratio is the published one, as close as its authors ask: 1 %.
fn close(llr: f64, expected: f64) -> bool {
    (llr - expected).abs() < 0.01 * expected.abs().max(0.6)
}

#[test]
fn pairs_give_the_ratios_of_fastchess() {
    // app/tests/sprt_test.cpp of Disservin/fastchess (74deac2); its pairs with a win each and with
    // two draws are one count here.
    let cases = [
        (Normalized, 0.0, 2.0, [365, 16618, 36029 + 200, 16974, 390], 2.25),
        (Normalized, -1.75, 0.25, [127, 4883, 10311 + 401, 5150, 104], 3.01),
        (Normalized, 0.0, 5.0, [0, 0, 0, 0, 5550], 111.82),
        (Logistic, 0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (Logistic, 0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ];
    for (model, elo0, elo1, pairs, expected) in cases {
        let llr = sprt(model, elo0, elo1).llr(&Pentanomial::new(pairs));
        assert!(close(llr, expected), "{pairs:?}: {llr}, not {expected}");
    }
}

#[test]
fn games_give_the_ratios_of_fastchess() {
    // The same file; wins, losses, draws in its order.
    let cases = [
        (Normalized, 0.0, 2.0, (36433, 36027, 68692), 0.92),
        (Normalized, -1.75, 0.25, (10871, 10650, 20431), 2.30),
        (Normalized, 0.0, 10.0, (4250, 0, 0), 120.56),
        (Logistic, 0.5, 2.5, (21404, 21184, 40708), -1.57),
        (Logistic, 0.0, 2.0, (57433, 57030, 106_593), -2.59),
    ];
    for (model, elo0, elo1, (wins, losses, draws), expected) in cases {
        let llr = sprt(model, elo0, elo1).llr(&Trinomial::new(losses, draws, wins));
        assert!(close(llr, expected), "{wins} {losses} {draws}: {llr}, not {expected}");
    }
}

#[test]
fn the_ratios_are_those_of_fishtest() {
    // The first two counts are the examples at the end of server/fishtest/stats/stat_util.py of
    // official-stockfish/fishtest (b8eecff); the others were put into LLR_logistic and
    // LLR_normalized of LLRcalc.py, which is exact as this is. Small and one-sided ones among them
    // have scores that never occurred.
    let pairs: [([u64; 5], [f64; 4], f64, f64); 9] = [
        (
            [39, 2226, 31451, 2412, 40],
            [0.2, 0.9, 0.764, 3.439],
            2.162_542_580_048,
            2.162_940_869_585,
        ),
        (
            [10789, 19328, 33806, 19402, 10543],
            [-3., 1., -3., 1.],
            2.131_067_811_794,
            0.300_869_785_484,
        ),
        ([1187, 7410, 13475, 7378, 1164], [-3., 1., -3., 1.], 2.861_527_180_595, 0.600_266_073_485),
        ([2, 3, 5, 4, 1], [0., 10., 0., 10.], -0.066_011_013_884, -0.048_749_637_554),
        ([3, 5, 14, 6, 2], [-5., 5., -5., 5.], -0.055_961_252_655, -0.040_116_724_149),
        ([0, 2, 40, 9, 1], [0., 30., 0., 30.], 2.947_665_298_210, 1.581_248_055_625),
        ([0, 0, 0, 0, 10], [0., 50., 0., 50.], 1.336_164_862_350, 1.818_531_253_769),
        ([12, 0, 3, 0, 25], [0., 20., 0., 20.], 0.738_021_669_668, 0.967_414_713_212),
        ([0, 0, 7, 0, 0], [0., 5., 0., 5.], -0.096_300_502_355, -0.001_779_112_973),
    ];
    for (counts, [elo0, elo1, nelo0, nelo1], logistic, normalized) in pairs {
        let counts = Pentanomial::new(counts);
        let llr = sprt(Logistic, elo0, elo1).llr(&counts);
        assert!((llr - logistic).abs() < 1e-7, "{counts:?}: {llr}, not {logistic}");
        let llr = sprt(Normalized, nelo0, nelo1).llr(&counts);
        assert!((llr - normalized).abs() < 1e-7, "{counts:?}: {llr}, not {normalized}");
    }
    let games: [([u64; 3], [f64; 2], f64, f64); 4] = [
        ([13624, 34333, 13543], [-3., 1.], 2.502_100_426_648, 0.634_792_342_103),
        ([5026, 15699, 5019], [0., 5.], -7.088_346_352_570, -2.827_070_073_656),
        ([20, 0, 31], [0., 40.], 0.929_181_650_845, 0.927_870_984_201),
        ([591, 2163, 716], [0., 6.], 4.361_801_249_289, 3.000_625_847_741),
    ];
    for ([losses, draws, wins], [elo0, elo1], logistic, normalized) in games {
        let counts = Trinomial::new(losses, draws, wins);
        let llr = sprt(Logistic, elo0, elo1).llr(&counts);
        assert!((llr - logistic).abs() < 1e-7, "{counts:?}: {llr}, not {logistic}");
        let llr = sprt(Normalized, elo0, elo1).llr(&counts);
        assert!((llr - normalized).abs() < 1e-7, "{counts:?}: {llr}, not {normalized}");
    }
}

#[test]
fn the_bounds_are_walds() {
    // ±2.944 for 5 % each, as fishtest prints them.
    let (lower, upper) = sprt(Logistic, 0.0, 5.0).bounds();
    assert!((lower + 2.944_438_979_166_440_3).abs() < 1e-12);
    assert!((upper - 2.944_438_979_166_440_3).abs() < 1e-12);
    let options = SprtOptions { model: Logistic, elo0: 0.0, elo1: 5.0, alpha: 0.01, beta: 0.1 };
    let (lower, upper) = Sprt::new(options).unwrap().bounds();
    assert!((lower - (0.1_f64 / 0.99).ln()).abs() < 1e-12 && (upper - 90_f64.ln()).abs() < 1e-12);
}

#[test]
fn the_verdict_changes_at_the_bounds() {
    let test = sprt(Logistic, 0.0, 10.0);
    let verdict = |pairs| test.status(&Pentanomial::new(pairs)).verdict;
    assert_eq!(verdict([0; 5]), SprtVerdict::Continue);
    assert_eq!(test.status(&Pentanomial::default()).llr, 0.0);
    assert_eq!(verdict([30, 100, 300, 110, 35]), SprtVerdict::Continue);
    assert_eq!(verdict([300, 1000, 3000, 1500, 350]), SprtVerdict::AcceptH1);
    assert_eq!(verdict([300, 1000, 3000, 1000, 300]), SprtVerdict::AcceptH0);
    let status = test.status(&Pentanomial::new([300, 1000, 3000, 1000, 300]));
    assert!(status.llr <= status.lower && status.fraction() <= -1.0);
    let status = test.status(&Pentanomial::new([300, 1000, 3000, 1500, 350]));
    assert!(status.llr >= status.upper && status.fraction() >= 1.0);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let with = |elo0, elo1, alpha, beta| {
        Sprt::new(SprtOptions { model: Normalized, elo0, elo1, alpha, beta })
    };
    for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 5.0), (0.0, 1000.1), (-1e9, 0.0)] {
        assert!(matches!(with(elo0, elo1, 0.05, 0.05), Err(SprtError::Bounds { .. })));
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.0), (0.5, 0.5), (f64::NAN, 0.1), (0.1, 1.0)] {
        assert!(matches!(with(0.0, 5.0, alpha, beta), Err(SprtError::Errors { .. })));
    }
    assert!(with(-1000.0, 1000.0, 0.5, 0.49).is_ok());
}

#[test]
fn any_bounds_give_a_finite_ratio() {
    let counts =
        [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [5, 4, 3, 2, 1], [0, 0, 0, 0, 9999]];
    for pairs in counts.map(Pentanomial::new) {
        for (elo0, elo1) in [(-1000.0, 1000.0), (999.0, 1000.0), (-1000.0, -999.0), (0.0, 400.0)] {
            for model in [Logistic, Normalized] {
                let llr = sprt(model, elo0, elo1).llr(&pairs);
                assert!(llr.is_finite(), "{pairs:?} {model:?} {elo0} {elo1}: {llr}");
            }
        }
    }
}

/// What became of many tests.
#[derive(Default)]
struct Simulated {
    accepted_h0: usize,
    accepted_h1: usize,
    /// The games of all of them.
    games: u64,
}

impl Simulated {
    /// Checks that the tests had the expected number of games, or a little more: the last pair leads beyond a bound, which
    /// Wald neglects. With bounds as wide apart as here that is up to a sixth of so short a test.
    fn had_games(&self, expected: f64) {
        let mean = self.games as f64 / (self.accepted_h0 + self.accepted_h1) as f64;
        assert!((0.97..1.2).contains(&(mean / expected)), "{mean} games, {expected} expected");
    }
}

/// Plays many tests with pairs drawn from a distribution.
fn simulate(test: &Sprt, shares: &[f64; 5], runs: usize, rng: &mut SplitMix64) -> Simulated {
    let mut simulated = Simulated::default();
    for _ in 0..runs {
        let mut counts = [0_u64; 5];
        let verdict = loop {
            let mut point = rng.next_u64() as f64 / u64::MAX as f64;
            let drawn = shares.iter().position(|share| {
                point -= share;
                point < 0.0
            });
            counts[drawn.unwrap_or(4)] += 1;
            let pairs = Pentanomial::new(counts);
            assert!(pairs.samples() < 100_000, "a test that does not end");
            let verdict = test.status(&pairs).verdict;
            if verdict != SprtVerdict::Continue {
                simulated.games += pairs.games();
                break verdict;
            }
        };
        match verdict {
            SprtVerdict::AcceptH1 => simulated.accepted_h1 += 1,
            _ => simulated.accepted_h0 += 1,
        }
    }
    simulated
}

/// Holds the error rates and the lengths of a test against what it promises.
fn error_rates_and_lengths_are_kept(
    test: &Sprt,
    at: impl Fn(f64) -> [f64; 5],
    runs: usize,
    seed: u64,
) {
    let SprtOptions { elo0, elo1, alpha, beta, .. } = *test.options();
    let mut rng = SplitMix64::new(seed);
    // Three standard deviations of the number of errors above the number allowed.
    let allowed = |rate: f64| {
        let runs = runs as f64;
        runs * rate + 3.0 * (runs * rate * (1.0 - rate)).sqrt()
    };
    let expected = test.expected(moments(&at(f64::midpoint(elo0, elo1))).1);
    let simulated = simulate(test, &at(elo0), runs, &mut rng);
    let wrong = simulated.accepted_h1;
    assert!((wrong as f64) < allowed(alpha), "H1 accepted at elo0: {wrong} of {runs}");
    simulated.had_games(expected.at_elo0);
    let simulated = simulate(test, &at(elo1), runs, &mut rng);
    let wrong = simulated.accepted_h0;
    assert!((wrong as f64) < allowed(beta), "H0 accepted at elo1: {wrong} of {runs}");
    simulated.had_games(expected.at_elo1);
    // Half way a test with α = β is a toss-up.
    let simulated = simulate(test, &at(f64::midpoint(elo0, elo1)), runs, &mut rng);
    assert_eq!(simulated.accepted_h0 + simulated.accepted_h1, runs);
    let share = simulated.accepted_h1 as f64 / runs as f64;
    assert!((0.4..0.6).contains(&share), "H1 accepted half way: {share}");
    simulated.had_games(expected.at_middle);
}

/// Pairs as short games of equal engines give them: often a win each, sometimes a draw.
const USUAL: [f64; 5] = [0.08, 0.06, 0.70, 0.07, 0.09];

#[test]
fn logistic_tests_err_as_seldom_and_last_as_long_as_promised() {
    let at = |elo: f64| {
        let shares = with_mean(&USUAL, score_of_elo(elo)).unwrap();
        assert!((moments(&shares).0 - score_of_elo(elo)).abs() < 1e-12);
        shares
    };
    error_rates_and_lengths_are_kept(&sprt(Logistic, 0.0, 30.0), at, 3000, 11);
}

#[test]
fn normalized_tests_err_as_seldom_and_last_as_long_as_promised() {
    let at = |nelo: f64| {
        let shares = with_t_value(&USUAL, t_of_sample(nelo, 2)).unwrap();
        let (mean, variance) = moments(&shares);
        let found = super::super::nelo_of_score(mean, 2.0 * variance);
        assert!((found - nelo).abs() < 1e-6);
        shares
    };
    error_rates_and_lengths_are_kept(&sprt(Normalized, 0.0, 60.0), at, 2000, 12);
}

#[test]
fn unequal_errors_change_the_expected_length() {
    let test = |alpha, beta| {
        let options = SprtOptions { model: Normalized, elo0: 0.0, elo1: 60.0, alpha, beta };
        Sprt::new(options).unwrap()
    };
    let expected = test(0.01, 0.2).expected_games();
    let at = |nelo: f64| with_t_value(&USUAL, t_of_sample(nelo, 2)).unwrap();
    let mut rng = SplitMix64::new(13);
    simulate(&test(0.01, 0.2), &at(0.0), 1500, &mut rng).had_games(expected.at_elo0);
    simulate(&test(0.01, 0.2), &at(60.0), 1500, &mut rng).had_games(expected.at_elo1);
    // It is a matter of the errors that are allowed and of the bounds, and quadratic in these.
    let usual = test(0.05, 0.05).expected_games();
    assert!(usual.at_elo0 > expected.at_elo0 && usual.at_elo1 < expected.at_elo1);
    let closer = sprt(Normalized, 10.0, 40.0).expected_games();
    assert!((closer.at_middle / usual.at_middle - 4.0).abs() < 1e-9);
}

#[test]
fn the_expected_length_of_a_logistic_test_is_that_of_independent_games_without_draws() {
    // 10 Elo are 0.01439 of a point, 0.0407 standard deviations of a pair; 2 · 0.9 · 2 ln 19 and 2 (ln 19)² over the
    // square of that.
    let expected = sprt(Logistic, 0.0, 10.0).expected_games();
    assert!((expected.at_elo0 / 6401.0 - 1.0).abs() < 0.001, "{expected:?}");
    assert!((expected.at_middle / 10_471.0 - 1.0).abs() < 0.001, "{expected:?}");
    assert!((expected.at_elo0 - expected.at_elo1).abs() < 1.0);
}

proptest! {
    #[test]
    fn changing_sides_and_bounds_negates_the_ratio(
        pairs in prop::array::uniform5(0_u64..200),
        elo0 in -100.0..100.0_f64,
        width in 1.0..50.0_f64,
        normalized: bool,
    ) {
        let pairs = Pentanomial::new(pairs);
        let model = if normalized { Normalized } else { Logistic };
        let llr = sprt(model, elo0, elo0 + width).llr(&pairs);
        let other = sprt(model, -elo0 - width, -elo0).llr(&pairs.reversed());
        prop_assert!((llr + other).abs() < 1e-6 * llr.abs().max(1.0), "{} {}", llr, other);
    }

    #[test]
    fn for_many_pairs_and_close_bounds_the_ratio_is_the_approximate_one(
        pairs in prop::array::uniform5(1000_u64..5000),
    ) {
        let pairs = Pentanomial::new(pairs);
        let (mean, variance) = (pairs.score().unwrap(), pairs.variance().unwrap());
        // Van den Bergh, "GSPRT approximation": (s1 - s0)(2s - s0 - s1) / (2 var) per sample.
        let centre = super::super::elo_of_score(mean);
        let (s0, s1) = (score_of_elo(centre), score_of_elo(centre + 7.0));
        let samples = pairs.samples() as f64;
        let approximate = samples * (s1 - s0) * (2.0 * mean - s0 - s1) / variance / 2.0;
        let exact = sprt(Logistic, centre, centre + 7.0).llr(&pairs);
        prop_assert!((exact / approximate - 1.0).abs() < 0.1, "{} {}", exact, approximate);
        // That of normalised Elo holds close to equality: far from it the shape counts.
        let level = pairs + pairs.reversed();
        let exact = sprt(Normalized, 0.0, 7.0).llr(&level);
        let approximate = approximate_llr(&level, 0.0, 7.0);
        prop_assert!((exact / approximate - 1.0).abs() < 0.1, "{} {}", exact, approximate);
    }
}

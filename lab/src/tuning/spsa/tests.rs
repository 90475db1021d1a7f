//! A run whose games are replaced by chance with known odds.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use tengen_core::rng::SplitMix64;
use tengen_core::search::Params;
use tengen_core::search::params::Param;
use tengen_files::resume::strip_sum;
use tengen_files::work::{Progress, Stop};

/// The number of values improved in the tests.
const COORDINATES: usize = 6;
/// The loss of being off by the whole range of a parameter, in Elo.
const CURVATURE: f64 = 400.0;

/// The best values, as parts of the range: on different sides of the start.
const BEST: [f64; COORDINATES] = [0.2, 0.8, 0.35, 0.65, 0.9, 0.5];

/// Two games by a toss: a side is the better the nearer its values are to the best.
#[derive(Clone)]
struct Toss {
    seed: u64,
    /// The number of pairs that it played.
    asked: u64,
}

impl Toss {
    fn many(number: usize) -> Vec<Toss> {
        vec![Toss { seed: 7, asked: 0 }; number]
    }

    /// Returns by how many Elo the values are worse than the best.
    fn loss(values: impl Iterator<Item = f64>) -> f64 {
        coordinates()
            .iter()
            .zip(BEST)
            .zip(values)
            .map(|((Coordinate { param, .. }, best), value)| {
                let range = f64::from(param.max - param.min);
                let off = (value - f64::from(param.min)) / range - best;
                CURVATURE * off * off
            })
            .sum()
    }

    fn loss_of(params: &Params) -> f64 {
        let value = |c: &Coordinate| f64::from(params.get(c.param.name).unwrap());
        Toss::loss(coordinates().iter().map(value))
    }
}

impl Duel for Toss {
    fn play(&mut self, plus: &Params, minus: &Params, pair: u64) -> i32 {
        self.asked += 1;
        let mut rng = SplitMix64::new(self.seed ^ SplitMix64::new(pair).next_u64());
        let elo = Toss::loss_of(minus) - Toss::loss_of(plus);
        let wins = 1.0 / (1.0 + libm::pow(10.0, -elo / 400.0));
        let mut game = || if (rng.next_u64() as f64) < wins * u64::MAX as f64 { 1 } else { -1 };
        game() + game()
    }
}

/// Runs until a number of batches is over, and checks the bounds; returns the states after the batches too.
fn run_batches(
    settings: &SpsaSettings,
    state: SpsaState,
    duels: &mut [Toss],
    most: usize,
) -> (Result<SpsaState, RunError>, Vec<SpsaState>) {
    let (stop, mut states, mut told) = (Stop::new(), Vec::new(), state.done);
    let mut keep = |state: &SpsaState| {
        for (value, Coordinate { param, .. }) in state.values.iter().zip(coordinates()) {
            assert!((f64::from(param.min)..=f64::from(param.max)).contains(value), "{state:?}");
        }
        states.push(state.clone());
        if states.len() == most {
            stop.request();
        }
        Ok(())
    };
    let mut progress = |Progress { done, .. }: Progress| {
        told += 1;
        assert_eq!(done, told);
    };
    let end = run(settings, state, duels, &stop, &mut progress, &mut keep);
    (end, states)
}

/// As [`run_batches`], to the end.
fn run_all(
    settings: &SpsaSettings,
    state: SpsaState,
    duels: &mut [Toss],
) -> Result<SpsaState, RunError> {
    run_batches(settings, state, duels, usize::MAX).0
}

/// Returns parameters with wide ranges, from the middle of them.
fn coordinates() -> Vec<Coordinate> {
    let wide = Params::ALL.iter().filter(|param| param.max - param.min >= 128);
    let coordinate = |param: &'static Param| Coordinate {
        start: i32::midpoint(param.min, param.max),
        ..Coordinate::new(param, &Params::DEFAULT)
    };
    wide.take(COORDINATES).map(coordinate).collect()
}

fn settings(pairs: u64) -> SpsaSettings {
    SpsaSettings {
        coordinates: coordinates(),
        start: Params::DEFAULT,
        pairs,
        batch: 16,
        schedule: GainSchedule::default(),
        seed: 3,
    }
}

fn conditions() -> BTreeMap<String, String> {
    BTreeMap::from([("rule".to_owned(), "renju".to_owned())])
}

#[test]
fn values_come_near_to_the_best_ones() {
    let settings = settings(40_000);
    let begin = SpsaState::new(&settings);
    let end = run_all(&settings, begin.clone(), &mut Toss::many(2)).unwrap();
    let [before, after] = [&begin, &end].map(|state| Toss::loss(state.values.iter().copied()));
    assert!(after < before / 8.0, "{before} before, {after} after: {end:?}");
    assert_eq!(end.outcomes.iter().sum::<u64>(), 40_000);
}

#[test]
fn a_run_is_the_same_with_any_number_of_threads() {
    let settings = settings(500);
    let play = |threads| {
        let mut duels = Toss::many(threads);
        let state = SpsaState::new(&settings);
        let (end, states) = run_batches(&settings, state, &mut duels, usize::MAX);
        assert_eq!(duels.iter().map(|duel| duel.asked).sum::<u64>(), 500);
        (end.unwrap(), states)
    };
    let one = play(1);
    assert_eq!(one, play(3));
    // The last batch is what is left of 500 after 31 of 16.
    assert_eq!((one.1.len(), one.0.done), (32, 500));
}

#[test]
fn an_interrupted_run_goes_on_as_if_it_had_not_been() {
    let (settings, conditions) = (settings(500), conditions());
    let whole = run_all(&settings, SpsaState::new(&settings), &mut Toss::many(1));
    let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
    let file = dir.path().join("interrupted.json");
    assert_eq!(SpsaState::load(&file, &settings, &conditions).unwrap(), None);
    let mut stretches = 0;
    loop {
        let state = SpsaState::load(&file, &settings, &conditions).unwrap();
        let state = state.unwrap_or_else(|| SpsaState::new(&settings));
        if state.done == settings.pairs {
            assert_eq!(state, whole.unwrap());
            break;
        }
        let state = run_batches(&settings, state, &mut Toss::many(2), 5).0.unwrap();
        state.save(&file, &settings, &conditions).unwrap();
        stretches += 1;
    }
    assert_eq!(stretches, 7);
}

/// The usual perturbations of some have seventeen digits, and must be read as they were written.
#[test]
fn a_run_over_all_parameters_goes_on() {
    let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
    let file = dir.path().join("all.json");
    let coordinate = |param| Coordinate::new(param, &Params::DEFAULT);
    let mut settings = settings(100);
    settings.coordinates = Params::ALL.iter().map(coordinate).collect();
    settings.schedule.r_end = 0.1 + 0.2;
    let state = SpsaState::new(&settings);
    state.save(&file, &settings, &conditions()).unwrap();
    assert_eq!(SpsaState::load(&file, &settings, &conditions()).unwrap(), Some(state));
}

#[test]
fn a_run_that_is_over_plays_nothing() {
    let settings = settings(16);
    let end = run_all(&settings, SpsaState::new(&settings), &mut Toss::many(1));
    let mut duels = Toss::many(1);
    let again = run_all(&settings, end.unwrap(), &mut duels).unwrap();
    assert_eq!((again.done, duels[0].asked), (16, 0));
}

#[test]
fn strong_noise_does_not_drive_values_out_of_bounds() {
    let mut settings = settings(2000);
    settings.schedule.r_end = 5.0;
    // `run_batches` checks.
    run_all(&settings, SpsaState::new(&settings), &mut Toss::many(1)).unwrap();
}

#[test]
fn useless_settings_are_refused() {
    let error = |change: fn(&mut SpsaSettings)| {
        let mut settings = settings(10);
        change(&mut settings);
        let state = SpsaState::new(&settings);
        run_all(&settings, state, &mut Toss::many(1)).unwrap_err().to_string()
    };
    assert_eq!(error(|s| s.coordinates.clear()), "there is no parameter to improve");
    assert_eq!(error(|s| s.coordinates[1] = s.coordinates[0]), "razor_depth is there twice");
    for bad in [0.0, -1.0, f64::NAN, 1e9] {
        let mut settings = settings(10);
        settings.coordinates[0].c_end = bad;
        assert!(matches!(settings.check(), Err(SettingsError::Perturbation("razor_depth", _))));
    }
    assert_eq!(error(|s| s.pairs = 0), "0 is not a number of pairs");
    assert_eq!(error(|s| s.batch = 0), "0 is not a number of pairs");
    assert_eq!(error(|s| s.batch = 1 << 30), "1073741824 is not a number of pairs");
    assert_eq!(error(|s| s.schedule.r_end = f64::NAN), "NaN is not a valid r_end");
    let settings = settings(10);
    let nobody: &mut [Toss] = &mut [];
    let result = run_all(&settings, SpsaState::new(&settings), nobody);
    assert!(matches!(result, Err(RunError::NoDuel)));
}

#[test]
fn a_state_of_another_run_is_refused() {
    let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
    let file = dir.path().join("other.json");
    let begun = settings(500);
    SpsaState::new(&begun).save(&file, &begun, &conditions()).unwrap();
    let refused = |settings: &SpsaSettings, conditions: &BTreeMap<String, String>| {
        SpsaState::load(&file, settings, conditions).unwrap_err().to_string()
    };
    let changed = |change: fn(&mut SpsaSettings)| {
        let mut settings = begun.clone();
        change(&mut settings);
        refused(&settings, &conditions())
    };
    assert!(changed(|s| s.pairs = 600).ends_with("settings: pairs 500 (now 600)"));
    assert!(changed(|s| s.seed = 4).ends_with("settings: seed 3 (now 4)"));
    assert!(changed(|s| s.batch = 8).ends_with("settings: batch 16 (now 8)"));
    assert!(changed(|s| s.schedule.r_end = 0.1).contains("settings: schedule "));
    assert!(changed(|s| s.coordinates[0].c_end = 0.5).contains("razor_depth=0.5 (from 160)"));
    let fixed = changed(|s| s.start.set("aspiration", 30).unwrap());
    assert!(fixed.ends_with("settings: fixed parameters none (now aspiration=30)"), "{fixed}");
    let other = BTreeMap::from([("rule".to_owned(), "caro".to_owned())]);
    assert!(refused(&begun, &other).ends_with("settings: rule renju (now caro)"));
    assert!(SpsaState::load(&file, &begun, &conditions()).unwrap().is_some());
}

/// Returns a state as a version that knew no checksums would have written it.
fn unsummed(text: &str) -> String {
    strip_sum(text).unwrap().into_owned() + "\n"
}

#[test]
fn a_flipped_bit_is_told() {
    let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
    let file = dir.path().join("flipped.json");
    let begun = settings(500);
    SpsaState::new(&begun).save(&file, &begun, &conditions()).unwrap();
    let good = fs::read(&file).unwrap();
    for bit in 0..8 * good.len() {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, &bytes).unwrap();
        let loaded = SpsaState::load(&file, &begun, &conditions());
        assert!(matches!(loaded, Err(StateError::Bad { .. })), "{bit}: {loaded:?}");
    }
}

#[test]
fn files_that_are_no_states_are_refused() {
    let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
    let file = dir.path().join("broken.json");
    let begun = settings(500);
    SpsaState::new(&begun).save(&file, &begun, &conditions()).unwrap();
    let good = unsummed(&fs::read_to_string(&file).unwrap());
    let load = |text: &str| {
        fs::write(&file, text).unwrap();
        SpsaState::load(&file, &begun, &conditions())
    };
    assert!(load(&good).unwrap().is_some());
    for length in 0..good.len() - 2 {
        assert!(matches!(load(&good[..length]), Err(StateError::Bad { .. })), "{length}");
    }
    for (part, instead) in [
        ("\"done\": 0", "\"done\": 1"),
        ("\"done\": 0", "\"done\": -1"),
        ("\"value\": \"160\"", "\"value\": \"321\""),
        ("\"value\": \"160\"", "\"value\": \"1e999\""),
        ("\"value\": \"160\"", "\"value\": \"NaN\""),
        ("\"format\"", "\"form\""),
        ("tengen tune search", "tengen tune games"),
        ("\"version\": 1", "\"version\": 2"),
    ] {
        assert!(good.contains(part), "{part} in {good}");
        let text = good.replacen(part, instead, 1);
        assert!(matches!(load(&text), Err(StateError::Bad { .. })), "{instead}");
    }
}

proptest! {
    #[test]
    fn states_are_read_as_they_were_written(parts in prop::array::uniform6(0.0..=1.0_f64), done in 0..500_u64) {
        let settings = settings(500);
        let value = |(c, part): (&Coordinate, f64)| {
            let (min, max) = (f64::from(c.param.min), f64::from(c.param.max));
            (min + part * (max - min)).clamp(min, max)
        };
        let values = settings.coordinates.iter().zip(parts).map(value).collect();
        let state = SpsaState { values, done, outcomes: [done / 2, 0, done - done / 2, 0, 0] };
        let dir = TempDir::with_prefix("tengen-spsa-").unwrap();
        let file = dir.path().join("round-trip.json");
        state.save(&file, &settings, &conditions()).unwrap();
        prop_assert_eq!(SpsaState::load(&file, &settings, &conditions()).unwrap(), Some(state));
    }
}

#[test]
fn a_batch_that_is_broken_off_does_not_count() {
    let (settings, stop) = (settings(500), Stop::new());
    let mut progress = |now: Progress| {
        if now.done == 20 {
            stop.request();
        }
    };
    let mut states = Vec::new();
    let mut keep = |state: &SpsaState| {
        states.push(state.clone());
        Ok(())
    };
    let begin = SpsaState::new(&settings);
    let mut duels = Toss::many(1);
    let end = run(&settings, begin, &mut duels, &stop, &mut progress, &mut keep).unwrap();
    assert_eq!((end.done, states), (16, vec![end]));
}

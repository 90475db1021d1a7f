//! Batches of pairs on many threads.

use std::collections::BTreeMap;

use super::{Gains, SettingsError, SpsaSettings, SpsaState, StateError, perturb};
use tengen_core::search::{Params, STACK_BYTES};
use tengen_files::work::{
    Delivery, InOrder, NumberedWork, Progress, Stop, ThreadError, run_in_order,
};

/// Decides which of two choices of parameters is better.
pub trait Duel: Send {
    /// Plays a pair of games between two choices, each of which begins one, and returns how many
    /// the first won more than it lost: from -2 to 2.
    ///
    /// The answer depends on the arguments alone, not on earlier questions.
    fn play(&mut self, plus: &Params, minus: &Params, pair: u64) -> i32;
}

/// The reason why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The settings are invalid.
    #[error(transparent)]
    SpsaSettings(#[from] SettingsError),
    /// There is no thread to play on.
    #[error("there is no thread to play on")]
    NoDuel,
    /// The system refuses a thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// A state could not be kept.
    #[error(transparent)]
    SpsaState(#[from] StateError),
}

/// Plays the pairs that are missing, with a thread for each of `duels`, and returns the state after
/// them or, once `stop` is set, after the last whole batch. `progress` receives the number of pairs played, and
/// `keep` the state after each batch.
///
/// # Errors
///
/// Returns why not all could be played. States already passed to `keep` remain valid.
///
/// # Panics
///
/// Panics if a duel does.
pub fn run<D: Duel>(
    settings: &SpsaSettings,
    mut state: SpsaState,
    duels: &mut [D],
    stop: &Stop,
    progress: &mut dyn FnMut(Progress),
    keep: &mut dyn FnMut(&SpsaState) -> Result<(), StateError>,
) -> Result<SpsaState, RunError> {
    settings.check()?;
    if duels.is_empty() {
        return Err(RunError::NoDuel);
    }
    let mut so_far = Progress { done: state.done, by_this_run: 0 };
    let mut played = || {
        so_far.done += 1;
        so_far.by_this_run += 1;
        progress(so_far);
    };
    while state.done < settings.pairs && !stop.is_set() {
        let batch = settings.batch.min(settings.pairs - state.done);
        let gains = settings.schedule.gains(state.done, settings.pairs);
        let outcomes = play_batch(settings, &state, gains, batch, duels, stop, &mut played)?;
        if outcomes.len() as u64 != batch {
            break;
        }
        let before = SpsaState::clone(&state);
        for (pair, won) in (before.done..).zip(outcomes) {
            let coordinates = &settings.coordinates;
            let both = perturb(coordinates, &before.values, gains, settings.seed, pair);
            state.follow(&both, gains.rate, won);
        }
        state.keep_to_bounds(&settings.coordinates);
        keep(&state)?;
    }
    Ok(state)
}

/// Plays the next pairs, all from the same values, and returns how they ended, in order: fewer if `stop` is
/// set.
fn play_batch<D: Duel>(
    settings: &SpsaSettings,
    state: &SpsaState,
    gains: Gains,
    batch: u64,
    duels: &mut [D],
    stop: &Stop,
    played: &mut dyn FnMut(),
) -> Result<Vec<i32>, RunError> {
    let range = state.done..state.done + batch;
    let numbers = NumberedWork { range, ahead: batch, stack_bytes: STACK_BYTES };
    let work = |duel: &mut &mut D, pair: u64, _: u32, _: &Stop| {
        let both = perturb(&settings.coordinates, &state.values, gains, settings.seed, pair);
        let [plus, minus] = [&both.plus, &both.minus].map(|side| settings.params(side));
        duel.play(&plus, &minus, pair)
    };
    let mut outcomes = Outcomes { all: Vec::new(), played };
    let (duels, known) = (duels.iter_mut().collect(), BTreeMap::new());
    run_in_order(numbers, duels, known, stop, work, &mut outcomes)?;
    Ok(outcomes.all)
}

/// The outcomes of the pairs of a batch.
struct Outcomes<'a> {
    all: Vec<i32>,
    played: &'a mut dyn FnMut(),
}

impl InOrder<i32> for Outcomes<'_> {
    type Error = RunError;

    fn arrived(&mut self, _: u64, _: &i32, _: bool) -> Result<(), RunError> {
        (self.played)();
        Ok(())
    }

    fn deliver(&mut self, _: u64, won: i32) -> Result<Delivery, RunError> {
        self.all.push(won);
        Ok(Delivery::Taken)
    }
}

//! Batches of pairs on many threads.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::{Gains, SettingsError, SpsaSettings, SpsaState, StateError, perturb};
use tengen_core::search::{Params, STACK_BYTES};
use tengen_files::resume::{Delivery, InOrder, Numbers, ThreadError, run_in_order};

/// Decides which of two choices of parameters is better.
pub trait Duel: Send {
    /// Plays a pair of games between two choices, each of which begins one, and returns how many
    /// the first won more than it lost: from -2 to 2.
    ///
    /// The answer depends on the arguments alone, not on earlier questions.
    fn play(&mut self, plus: &Params, minus: &Params, pair: u64) -> i32;
}

/// Observes a run.
pub trait Watch {
    /// Takes note of a pair that was played. Pairs of a batch end in any order.
    fn played(&mut self) {}

    /// Takes note of the state after a batch, and returns whether to go on.
    ///
    /// # Errors
    ///
    /// Returns why the state could not be kept; the run ends with the same error.
    fn advanced(&mut self, state: &SpsaState) -> Result<bool, StateError>;
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
/// them, or after the batch at which `watch` has seen enough.
///
/// # Errors
///
/// Returns why not all could be played. States already passed to `watch` remain valid.
///
/// # Panics
///
/// Panics if a duel does.
pub fn run<D: Duel>(
    settings: &SpsaSettings,
    mut state: SpsaState,
    duels: &mut [D],
    watch: &mut impl Watch,
) -> Result<SpsaState, RunError> {
    settings.check()?;
    if duels.is_empty() {
        return Err(RunError::NoDuel);
    }
    while state.done < settings.pairs {
        let batch = settings.batch.min(settings.pairs - state.done);
        let gains = settings.schedule.gains(state.done, settings.pairs);
        let outcomes = play_batch(settings, &state, gains, batch, duels, watch)?;
        let before = SpsaState::clone(&state);
        for (pair, won) in (before.done..).zip(outcomes) {
            let coordinates = &settings.coordinates;
            let both = perturb(coordinates, &before.values, gains, settings.seed, pair);
            state.follow(&both, gains.rate, won);
        }
        state.keep_to_bounds(&settings.coordinates);
        if !watch.advanced(&state)? {
            break;
        }
    }
    Ok(state)
}

/// Plays the next pairs, all from the same values, and returns how they ended, in order.
fn play_batch<D: Duel>(
    settings: &SpsaSettings,
    state: &SpsaState,
    gains: Gains,
    batch: u64,
    duels: &mut [D],
    watch: &mut impl Watch,
) -> Result<Vec<i32>, RunError> {
    let range = state.done..state.done + batch;
    let numbers = Numbers { range, ahead: batch, stack_bytes: STACK_BYTES };
    let work = |duel: &mut &mut D, pair: u64, _: u32| {
        let both = perturb(&settings.coordinates, &state.values, gains, settings.seed, pair);
        let [plus, minus] = [&both.plus, &both.minus].map(|side| settings.params(side));
        duel.play(&plus, &minus, pair)
    };
    let mut outcomes = Outcomes { all: Vec::new(), watch };
    let (duels, known, stop) = (duels.iter_mut().collect(), BTreeMap::new(), AtomicBool::default());
    run_in_order(numbers, duels, known, &stop, work, &mut outcomes)?;
    Ok(outcomes.all)
}

/// The outcomes of the pairs of a batch.
struct Outcomes<'a, W> {
    all: Vec<i32>,
    watch: &'a mut W,
}

impl<W: Watch> InOrder<i32> for Outcomes<'_, W> {
    type Error = RunError;

    fn arrived(&mut self, _: u64, _: &i32, _: bool) -> Result<(), RunError> {
        self.watch.played();
        Ok(())
    }

    fn deliver(&mut self, _: u64, won: i32) -> Result<Delivery, RunError> {
        self.all.push(won);
        Ok(Delivery::Taken)
    }
}

//! Batches of pairs on many threads.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crossbeam_channel::unbounded;

use super::{Gains, Settings, SettingsError, State, StateError, perturb};
use crate::search::{Params, STACK_BYTES};

/// Tells which of two choices of parameters is better.
pub trait Duel: Send {
    /// Plays a pair of games between two choices, each of which begins one, and returns how many the
    /// first won more than it lost: from -2 to 2.
    ///
    /// The answer depends on the arguments alone, not on earlier questions.
    fn play(&mut self, plus: &Params, minus: &Params, pair: u64) -> i32;
}

/// Somebody who looks on.
pub trait Watch {
    /// Takes note of a pair that was played. Pairs of a batch end in any order.
    fn played(&mut self) {}

    /// Takes note of the state after a batch, and returns whether to go on.
    ///
    /// # Errors
    ///
    /// Returns why the state could not be kept; the run ends with the same error.
    fn advanced(&mut self, state: &State) -> Result<bool, StateError>;
}

/// Why a run ended early.
#[derive(Debug)]
pub enum RunError {
    /// The settings are of no use.
    Settings(SettingsError),
    /// There is nobody to play.
    NoDuel,
    /// The system refuses a thread.
    Thread(io::Error),
    /// A state could not be kept.
    State(StateError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Settings(error) => error.fmt(f),
            RunError::NoDuel => write!(f, "there is no thread to play on"),
            RunError::Thread(_) => write!(f, "cannot start a thread"),
            RunError::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Settings(_) | RunError::NoDuel => None,
            RunError::Thread(error) => Some(error),
            RunError::State(error) => std::error::Error::source(error),
        }
    }
}

/// Plays the pairs that are missing, with a thread for each of `duels`, and returns the state after
/// them, or after the batch at which `watch` has seen enough.
///
/// # Errors
///
/// Returns why not all could be played. States that `watch` was told of are good nevertheless.
///
/// # Panics
///
/// Panics if a duel does.
pub fn run<D: Duel>(
    settings: &Settings,
    mut state: State,
    duels: &mut [D],
    watch: &mut impl Watch,
) -> Result<State, RunError> {
    settings.check().map_err(RunError::Settings)?;
    if duels.is_empty() {
        return Err(RunError::NoDuel);
    }
    while state.done < settings.pairs {
        let batch = settings.batch.min(settings.pairs - state.done);
        let gains = settings.schedule.gains(state.done, settings.pairs);
        let outcomes = play_batch(settings, &state, gains, batch, duels, watch)?;
        let before = State::clone(&state);
        for (pair, won) in (before.done..).zip(outcomes) {
            let coordinates = &settings.coordinates;
            let both = perturb(coordinates, &before.values, gains, settings.seed, pair);
            state.follow(&both, gains.rate, won);
        }
        state.keep_to_bounds(&settings.coordinates);
        if !watch.advanced(&state).map_err(RunError::State)? {
            break;
        }
    }
    Ok(state)
}

/// Plays the next pairs, all from the same values, and returns how they ended, in order.
fn play_batch<D: Duel>(
    settings: &Settings,
    state: &State,
    gains: Gains,
    batch: u64,
    duels: &mut [D],
    watch: &mut impl Watch,
) -> Result<Vec<i32>, RunError> {
    let (first, end) = (state.done, state.done + batch);
    let next = AtomicU64::new(first);
    let mut outcomes = vec![0; batch as usize];
    thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        for duel in duels {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= end {
                        return;
                    }
                    let coordinates = &settings.coordinates;
                    let both = perturb(coordinates, &state.values, gains, settings.seed, pair);
                    let [plus, minus] = [&both.plus, &both.minus].map(|side| settings.params(side));
                    if sender.send((pair, duel.play(&plus, &minus, pair))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .map_err(RunError::Thread)?;
        }
        drop(sender);
        for (pair, won) in receiver {
            outcomes[(pair - first) as usize] = won;
            watch.played();
        }
        Ok(outcomes)
    })
}

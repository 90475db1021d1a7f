//! Many games: threads that play them, and the order in which they are handed on.

use std::collections::BTreeMap;

use super::mind::Mind;
use super::options::SelfPlayOptions;
use super::play::{MOST_ATTEMPTS, play};
use crate::tuning::counts::CorpusCounts;
use crate::tuning::error::GamesError;
use crate::tuning::game::SelfPlayGame;
use tengen_core::position::Position;
use tengen_core::search::STACK_BYTES;
use tengen_files::work::{Delivery, NumberedWork, Progress, Stop, run_in_order};

/// The number of games for each thread that may be begun before it is their turn: some take several
/// times as long as others.
const AHEAD: u64 = 32;

/// The games of an earlier run.
#[derive(Clone, Default, Debug)]
pub struct EarlierGames {
    /// The counts of the games, which are those from index 0 on.
    pub counts: CorpusCounts,
    /// The last of them.
    pub last: Option<SelfPlayGame>,
}

/// Plays the games that are missing to `number`, with a thread for each mind, and hands them in
/// order to `sink`. `progress` receives the number of games handed on, with the counts of all, which are
/// also returned. `start` is the empty board that the options name, with the pattern tables to play with.
///
/// # Errors
///
/// Returns why not all could be played: the options, an earlier game that would be another one now,
/// an opening that could not be found, an error of `sink`, or of the threads. The games before have
/// been handed on.
///
/// # Panics
///
/// Panics if a mind does.
pub fn run<M: Mind + Send>(
    options: &SelfPlayOptions,
    start: &Position,
    number: u64,
    begun: &EarlierGames,
    mut minds: Vec<M>,
    sink: &mut dyn FnMut(&SelfPlayGame) -> Result<(), GamesError>,
    progress: &mut dyn FnMut(Progress, &CorpusCounts),
) -> Result<CorpusCounts, GamesError> {
    options.check()?;
    let mind = minds.first_mut().ok_or(GamesError::NoMind)?;
    let done = begun.counts.games;
    if let Some(last) = &begun.last {
        let again = play(options, start, done - 1, mind, &Stop::new());
        if again.as_ref() != Some(last) {
            return Err(GamesError::OtherEngine { game: done });
        }
    }
    let work =
        |mind: &mut M, index: u64, _: u32, stop: &Stop| play(options, start, index, mind, stop);
    let mut counts = begun.counts;
    let mut tell = |counts: &CorpusCounts| {
        progress(Progress { done: counts.games, by_this_run: counts.games - done }, counts);
    };
    tell(&counts);
    let ahead = AHEAD * minds.len() as u64;
    let numbers = NumberedWork { range: done..number, ahead, stack_bytes: STACK_BYTES };
    let mut deliver = |index: u64, played: Option<SelfPlayGame>| -> Result<Delivery, GamesError> {
        // Without a game no opening was found for it.
        let (game, attempts) = (index + 1, MOST_ATTEMPTS);
        let played = played.ok_or(GamesError::Exhausted { game, attempts })?;
        sink(&played)?;
        counts.add(&played);
        tell(&counts);
        Ok(Delivery::Taken)
    };
    run_in_order(numbers, minds, BTreeMap::new(), &Stop::new(), work, &mut deliver)?;
    Ok(counts)
}

#[cfg(test)]
mod tests;

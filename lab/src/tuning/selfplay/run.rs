//! Many games: threads that play them, and the order in which they are handed on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::mind::Mind;
use super::options::SelfPlayOptions;
use super::play::{MOST_ATTEMPTS, play};
use crate::tuning::counts::CorpusCounts;
use crate::tuning::error::GamesError;
use crate::tuning::game::SelfPlayGame;
use tengen_core::position::Position;
use tengen_core::search::STACK_BYTES;
use tengen_files::resume::{Delivery, InOrder, Numbers, run_in_order};

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

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SelfPlayProgress {
    /// The games handed on, those of earlier runs included.
    pub counts: CorpusCounts,
    /// The games handed on by this run.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
}

/// Plays the games that are missing to `number`, with a thread for each mind, and hands them in
/// order to `sink`. `observe` is called for every game handed on. `start` is the empty board that
/// the options name, with the pattern tables to play with.
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
    observe: &mut dyn FnMut(&SelfPlayProgress),
) -> Result<SelfPlayProgress, GamesError> {
    options.check()?;
    let mind = minds.first_mut().ok_or(GamesError::NoMind)?;
    let progress = SelfPlayProgress { counts: begun.counts, ..SelfPlayProgress::default() };
    let done = begun.counts.games;
    if let Some(last) = &begun.last {
        let again = play(options, start, done - 1, mind, &|| false);
        if again.as_ref() != Some(last) {
            return Err(GamesError::OtherEngine { game: done });
        }
    }
    let stop = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed);
    let work = |mind: &mut M, index: u64, _: u32| play(options, start, index, mind, &is_over);
    observe(&progress);
    let ahead = AHEAD * minds.len() as u64;
    let numbers = Numbers { range: done..number, ahead, stack_bytes: STACK_BYTES };
    let mut counter = Counter { progress, sink, observe };
    run_in_order(numbers, minds, BTreeMap::new(), &stop, work, &mut counter)?;
    Ok(counter.progress)
}

/// Counts games on their way.
struct Counter<'a> {
    progress: SelfPlayProgress,
    sink: &'a mut dyn FnMut(&SelfPlayGame) -> Result<(), GamesError>,
    observe: &'a mut dyn FnMut(&SelfPlayProgress),
}

impl InOrder<Option<SelfPlayGame>> for Counter<'_> {
    type Error = GamesError;

    /// Takes a game, or `None` if no opening was found for it.
    fn deliver(
        &mut self,
        index: u64,
        played: Option<SelfPlayGame>,
    ) -> Result<Delivery, GamesError> {
        let (game, attempts) = (index + 1, MOST_ATTEMPTS);
        let played = played.ok_or(GamesError::Exhausted { game, attempts })?;
        (self.sink)(&played)?;
        self.progress.counts.add(&played);
        self.progress.games += 1;
        self.progress.moves += played.game.moves.len() as u64;
        (self.observe)(&self.progress);
        Ok(Delivery::Taken)
    }
}

#[cfg(test)]
mod tests;

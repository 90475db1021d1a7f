//! Many games on many threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::assess::{AssessedGame, Assessment, Assessor, ReviewTask};
use super::backward::assess_game;
use super::journal::{ReviewError, ReviewJournal};
use tengen_core::prover::STACK_BYTES;
use tengen_files::work::{Delivery, InOrder, NumberedWork, Progress, Stop, run_in_order};

/// The number of games that may wait for one before them. Waiting games are small.
const AHEAD: u64 = 4096;

/// Takes games that were assessed with their indices, in their order; the last ones of an interrupted run
/// may not be complete. An error ends the run.
pub type ReviewSink<'a> = &'a mut dyn FnMut(usize, AssessedGame) -> Result<(), ReviewError>;

/// Assesses games with a thread for each of `assessors`, and hands them to `sink` in their order.
///
/// `known` are games of an earlier run; finished games are added to `journal` at once. When `stop`
/// is set, no further game is begun, and those that are begun end with the positions they have.
/// `progress` receives the number of positions after each, from many threads.
///
/// # Errors
///
/// Returns the error of the journal or the sink, or that of the system if it refuses a thread.
///
/// # Panics
///
/// Panics if there is no assessor.
pub fn run<A: Assessor + Send>(
    tasks: &[ReviewTask],
    assessors: Vec<A>,
    known: BTreeMap<u64, AssessedGame>,
    journal: Option<&mut ReviewJournal>,
    stop: &Stop,
    sink: ReviewSink<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), ReviewError> {
    let earlier = known.values().map(|game| game.positions.len() as u64).sum::<u64>();
    let by_this_run = AtomicU64::new(0);
    let work = |assessor: &mut A, index: u64, _: u32, stop: &Stop| {
        let mut done = |_: &Assessment| {
            let by_this_run = by_this_run.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress { done: earlier + by_this_run, by_this_run });
        };
        assess_game(&tasks[index as usize], assessor, stop, &mut done)
    };
    let numbers =
        NumberedWork { range: 0..tasks.len() as u64, ahead: AHEAD, stack_bytes: STACK_BYTES };
    run_in_order(numbers, assessors, known, stop, work, &mut Ordered { journal, sink })
}

/// Journals games when they arrive, and hands them on when it is their turn.
struct Ordered<'a> {
    journal: Option<&'a mut ReviewJournal>,
    sink: ReviewSink<'a>,
}

impl InOrder<AssessedGame> for Ordered<'_> {
    type Error = ReviewError;

    fn arrived(&mut self, index: u64, game: &AssessedGame, _: bool) -> Result<(), ReviewError> {
        match &mut self.journal {
            Some(journal) if game.is_complete() => journal.append(index, game),
            _ => Ok(()),
        }
    }

    fn deliver(&mut self, index: u64, game: AssessedGame) -> Result<Delivery, ReviewError> {
        (self.sink)(index as usize, game)?;
        Ok(Delivery::Taken)
    }
}

#[cfg(test)]
mod tests;

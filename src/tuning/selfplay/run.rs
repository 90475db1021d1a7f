//! Many games: threads that play them, and the order in which they are handed on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::mind::Mind;
use super::options::SelfPlayOptions;
use super::play::{MOST_ATTEMPTS, play};
use crate::position::Position;
use crate::search::STACK_BYTES;
use crate::tuning::counts::Counts;
use crate::tuning::error::GamesError;
use crate::tuning::game::PlayedGame;

/// How many games may be begun before it is their turn, for each thread: some take several times as
/// long as others.
const AHEAD: u64 = 32;

/// What has been played before, by an earlier run.
#[derive(Clone, Default, Debug)]
pub struct Begun {
    /// Numbers of the games, which are those from index 0 on.
    pub counts: Counts,
    /// The last of them.
    pub last: Option<PlayedGame>,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// The games handed on, those of earlier runs included.
    pub counts: Counts,
    /// The games handed on by this run.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
}

/// Plays the games that are missing to `number`, with a thread for each mind, and hands them in order
/// to `sink`. `observe` is told of every game handed on. `start` is the empty board that the options
/// tell of, with the pattern tables to play with.
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
    begun: &Begun,
    mut minds: Vec<M>,
    sink: &mut dyn FnMut(&PlayedGame) -> Result<(), GamesError>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Progress, GamesError> {
    options.check()?;
    let mind = minds.first_mut().ok_or(GamesError::Died)?;
    let progress = Progress { counts: begun.counts, ..Progress::default() };
    if let Some(last) = &begun.last {
        let game = begun.counts.games;
        let again = play(options, start, game - 1, mind, &|| false);
        if again.as_ref() != Some(last) {
            return Err(GamesError::OtherEngine { game });
        }
    }
    let stop = AtomicBool::new(false);
    let (jobs, inbox) = unbounded();
    let (outbox, results) = unbounded();
    let ahead = AHEAD * minds.len() as u64;
    thread::scope(|scope| {
        for mind in minds {
            let worker = Worker { options, start, stop: &stop, inbox: inbox.clone(), mind };
            let outbox = outbox.clone();
            let started = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker.work(outbox));
            if let Err(error) = started {
                stop.store(true, Ordering::Relaxed);
                return Err(GamesError::Thread(error));
            }
        }
        drop(outbox);
        let next = progress.counts.games;
        let mut order =
            Order { number, ahead, next, progress, waiting: BTreeMap::new(), jobs: &jobs };
        let result = order.fill(&results, sink, observe);
        stop.store(true, Ordering::Relaxed);
        // Without this the threads would wait for more.
        drop(jobs);
        result
    })
}

/// What came of a game.
#[derive(Debug)]
enum Done {
    Played(u64, PlayedGame),
    /// No opening was found, or the run is over.
    Failed(u64),
    /// The thread panicked.
    Died,
}

struct Worker<'a, M> {
    options: &'a SelfPlayOptions,
    start: &'a Position,
    stop: &'a AtomicBool,
    inbox: Receiver<u64>,
    mind: M,
}

impl<M: Mind> Worker<'_, M> {
    fn work(mut self, outbox: Sender<Done>) {
        let outbox = Outbox(outbox);
        for index in self.inbox {
            let stop = || self.stop.load(Ordering::Relaxed);
            let played = play(self.options, self.start, index, &mut self.mind, &stop);
            let done = played.map_or(Done::Failed(index), |played| Done::Played(index, played));
            if outbox.0.send(done).is_err() {
                return;
            }
        }
    }
}

/// The sending end of a thread, which tells if the thread dies: the others would be waited for in
/// vain.
struct Outbox(Sender<Done>);

impl Drop for Outbox {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Done::Died);
        }
    }
}

/// Puts games into order.
struct Order<'a> {
    /// The number of games wanted.
    number: u64,
    /// How many may be begun before it is their turn.
    ahead: u64,
    /// The first index that no thread has been given.
    next: u64,
    progress: Progress,
    /// What waits for its turn; `None` could not be played.
    waiting: BTreeMap<u64, Option<PlayedGame>>,
    jobs: &'a Sender<u64>,
}

impl Order<'_> {
    /// Gives games to the threads and hands on what they play until all is done.
    fn fill(
        &mut self,
        results: &Receiver<Done>,
        sink: &mut dyn FnMut(&PlayedGame) -> Result<(), GamesError>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Progress, GamesError> {
        observe(&self.progress);
        while self.done() < self.number {
            while self.next < self.number.min(self.done() + self.ahead) {
                let _ = self.jobs.send(self.next);
                self.next += 1;
            }
            let (index, played) = match results.recv() {
                Ok(Done::Played(index, played)) => (index, Some(played)),
                Ok(Done::Failed(index)) => (index, None),
                Ok(Done::Died) | Err(_) => return Err(GamesError::Died),
            };
            self.waiting.insert(index, played);
            while let Some(played) = self.waiting.remove(&self.done()) {
                let game = self.done() + 1;
                let exhausted = GamesError::Exhausted { game, attempts: MOST_ATTEMPTS };
                let played = played.ok_or(exhausted)?;
                sink(&played)?;
                self.progress.counts.add(&played);
                self.progress.games += 1;
                self.progress.moves += played.game.moves.len() as u64;
                observe(&self.progress);
            }
        }
        Ok(self.progress)
    }

    /// Returns the number of games handed on, which is the index of the next.
    fn done(&self) -> u64 {
        self.progress.counts.games
    }
}

#[cfg(test)]
mod tests;

//! Playing a whole match, many games at the same time.

mod queue;

use std::collections::{HashMap, HashSet};
use std::mem::{self, Discriminant};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use self::queue::Queue;
use super::player::PlayerOddity;
use super::{
    ArenaError, EndKind, Fixture, Journal, MatchControl, MatchEvent, MatchInfo, MatchSpec,
    Observer, Pairing, PlayedGame, Player, Schedule, Shard, Tally, Unfinished, play_game, player,
};
use crate::stats::PlayerResult;
use tengen_core::sys::panics;

/// Options of a run; none of them changes which games the match consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// The number of games played at the same time, at least 1. The games of [`Pairing::BestOf`]
    /// are always played one after the other.
    pub concurrency: usize,
    /// The part of the match to be played.
    pub shard: Option<Shard>,
    /// A pause before every question, for spectators. No clock runs.
    pub slow: Duration,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { concurrency: 1, shard: None, slow: Duration::ZERO }
    }
}

/// Plays the games of a match, or of a part of it, that are not finished, and adds them to those that are as
/// they end.
///
/// It ends early when the match is decided, that is, when a test has its verdict or the best of
/// some games is found: games that still run are broken off then, and [`MatchControl::is_decided`]
/// is set. It also ends when the control says so.
///
/// A game is in the journal before the observer hears that it is finished.
///
/// # Errors
///
/// Returns an error if the match can't be played as asked, if a contestant can't be started for
/// its first game, or if the journal fails. Games that are finished by then are added and in the journal;
/// those that run are broken off.
pub fn run_match(
    spec: &MatchSpec,
    options: &RunOptions,
    journal: Option<Journal>,
    finished: &mut Vec<PlayedGame>,
    unfinished: Vec<Unfinished>,
    control: &MatchControl,
    observer: &dyn Observer,
) -> Result<(), ArenaError> {
    let seat = |contestant: usize| player::seat(&spec.contestants[contestant]);
    Runner::new(spec, options, journal, finished, unfinished, control, observer)?.run(&seat)
}

/// Makes a contestant ready, given its place among all.
type SeatOne<'a> = &'a (dyn Fn(usize) -> Box<dyn Player> + Sync);

/// A match that is being played.
struct Runner<'a> {
    spec: &'a MatchSpec,
    slow: Duration,
    is_best_of: bool,
    workers: usize,
    /// The number of games, finished or not.
    all: u64,
    unfinished: Vec<Unfinished>,
    /// The contestants that have been asked for a move in this run.
    started: Vec<AtomicBool>,
    control: &'a MatchControl,
    observer: &'a dyn Observer,
    state: Mutex<RunnerState<'a>>,
}

/// The state that the workers share.
struct RunnerState<'a> {
    queue: Queue,
    games: &'a mut Vec<PlayedGame>,
    tally: Tally,
    journal: Option<Journal>,
    error: Option<ArenaError>,
    /// The oddities of contestants already reported, by their kinds.
    told: HashSet<(usize, Discriminant<PlayerOddity>)>,
}

impl<'a> Runner<'a> {
    fn new(
        spec: &'a MatchSpec,
        options: &RunOptions,
        journal: Option<Journal>,
        finished: &'a mut Vec<PlayedGame>,
        unfinished: Vec<Unfinished>,
        control: &'a MatchControl,
        observer: &'a dyn Observer,
    ) -> Result<Runner<'a>, ArenaError> {
        let is_best_of = matches!(spec.pairing, Pairing::BestOf { .. });
        check(spec, options.shard, is_best_of)?;
        let schedule = Schedule::new(spec);
        let mut tally = Tally::new(&MatchInfo::of(spec));
        let mut done = HashSet::new();
        for game in finished.iter() {
            let Fixture { game: number, pair, .. } = game.fixture;
            let is_ours = number < schedule.games()
                && schedule.fixture(number) == game.fixture
                && options.shard.is_none_or(|shard| shard.contains(pair));
            if !is_ours || !done.insert(number) {
                return Err(ArenaError::Foreign(number.saturating_add(1)));
            }
            tally.add(game);
        }
        let all = schedule.games_in(options.shard);
        let missing = all - done.len() as u64;
        let most = if is_best_of { 1 } else { options.concurrency.max(1) };
        let workers = most.min(usize::try_from(missing).unwrap_or(usize::MAX));
        let queue = Queue::new(schedule, options.shard, done, workers);
        Ok(Runner {
            spec,
            slow: options.slow,
            is_best_of,
            workers,
            all,
            unfinished,
            started: spec.contestants.iter().map(|_| AtomicBool::new(false)).collect(),
            control,
            observer,
            state: Mutex::new(RunnerState {
                queue,
                games: finished,
                tally,
                journal,
                error: None,
                told: HashSet::new(),
            }),
        })
    }

    fn run(self, seat: SeatOne<'_>) -> Result<(), ArenaError> {
        if self.state().tally.is_decided() {
            self.control.decide();
        }
        let runner = &self;
        thread::scope(|scope| {
            for worker in 0..runner.workers {
                let work = move || runner.work(worker, seat);
                let named = thread::Builder::new().name(format!("game {worker}"));
                if let Err(error) = named.spawn_scoped(scope, work) {
                    runner.fail(ArenaError::Thread(error));
                    break;
                }
            }
        });
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_complete = state.games.len() as u64 == self.all || state.tally.is_decided();
        let closed = state.journal.map_or(Ok(()), |journal| journal.close(is_complete));
        state.error.map_or_else(|| closed.map_err(ArenaError::Journal), Err)
    }

    /// Plays games until there are no more.
    fn work(&self, worker: usize, seat: SeatOne<'_>) {
        let played = panics::catch(|| {
            self.observer.enter(worker);
            let mut players = HashMap::new();
            while let Some(fixture) = self.next(worker) {
                self.play(&fixture, &mut players, seat);
            }
        });
        if let Err(panic) = played {
            self.fail(ArenaError::Died(panic.to_string()));
        }
    }

    /// Takes the next game, or `None` if no more are to be played.
    fn next(&self, worker: usize) -> Option<Fixture> {
        self.control.wait_while_paused();
        let mut state = self.state();
        if self.control.is_finishing() || state.tally.is_decided() || state.error.is_some() {
            return None;
        }
        state.queue.next(worker)
    }

    /// Plays a game, and counts it if it comes to its end.
    fn play(
        &self,
        fixture: &Fixture,
        players: &mut HashMap<usize, Box<dyn Player>>,
        seat: SeatOne<'_>,
    ) {
        // Others are not needed any more, and may take memory or processor time.
        players.retain(|contestant, _| fixture.seats.contains(contestant));
        let [mut first, mut second] =
            fixture.seats.map(|c| players.remove(&c).unwrap_or_else(|| seat(c)));
        let resume = self.unfinished.iter().find(|game| game.game == fixture.game);
        let watcher = GameObserver { runner: self };
        let both: [&mut dyn Player; 2] = [&mut *first, &mut *second];
        let played = play_game(self.spec, fixture, resume, both, self.control, &watcher);
        let transcripts = [first.take_transcript(), second.take_transcript()];
        if let Some(game) = &played
            && transcripts.iter().any(|transcript| !transcript.is_empty())
        {
            let transcripts = &transcripts;
            self.observer.notice(MatchEvent::Transcribed { game, transcripts });
        }
        self.tell_oddities(fixture.seats[0], first.take_oddities());
        self.tell_oddities(fixture.seats[1], second.take_oddities());
        // A faulty engine is restarted: what it holds on to, such as memory, goes with
        // it.
        let guilty = played.as_ref().filter(|game| game.end.is_fault()).and_then(loser);
        for (seat, player) in [first, second].into_iter().enumerate() {
            if guilty != Some(seat) {
                players.insert(fixture.seats[seat], player);
            }
        }
        match played {
            Some(game) if self.count(&game) => self.observer.notice(MatchEvent::Finished(&game)),
            _ => self.observer.notice(MatchEvent::Abandoned(fixture)),
        }
    }

    /// Tells of what a contestant did and was borne, if that is the first of its kind.
    fn tell_oddities(&self, contestant: usize, oddities: Vec<PlayerOddity>) {
        for oddity in &oddities {
            let is_new = self.state().told.insert((contestant, mem::discriminant(oddity)));
            if is_new {
                self.observer.notice(MatchEvent::Borne { contestant, oddity });
            }
        }
    }

    /// Keeps a game and counts it, and returns whether it counts.
    fn count(&self, game: &PlayedGame) -> bool {
        let mut state = self.state();
        // Of games that end while others are broken off, none counts: the verdict stays that of
        // the games that led to it.
        if state.error.is_some() || state.tally.is_decided() {
            return false;
        }
        if let Some(error) = self.start_failure(game) {
            drop(state);
            self.fail(error);
            return false;
        }
        if let Some(Err(error)) = state.journal.as_mut().map(|journal| journal.add(game)) {
            drop(state);
            self.fail(error.into());
            return false;
        }
        state.tally.add(game);
        state.games.push(game.clone());
        if state.tally.is_decided() {
            self.control.decide();
        }
        true
    }

    /// Returns the error if the game was lost by an engine that has never started in this run.
    fn start_failure(&self, game: &PlayedGame) -> Option<ArenaError> {
        if game.end != EndKind::Start {
            return None;
        }
        let contestant = game.player(loser(game)?);
        let is_known = self.started[contestant].load(Ordering::SeqCst);
        let name = &self.spec.contestants[contestant].name;
        // The error says who it is, and that it could not start.
        let known = format!("{name} could not start: ");
        let detail = game.detail.strip_prefix(&known).unwrap_or(&game.detail);
        (!is_known).then(|| ArenaError::Start { name: name.clone(), detail: detail.to_owned() })
    }

    /// Ends the match with an error, if there was none before.
    fn fail(&self, error: ArenaError) {
        self.state().error.get_or_insert(error);
        self.control.abandon();
    }

    fn state(&self) -> MutexGuard<'_, RunnerState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as was asked for, unless the game is not wanted any more.
    fn wait(&self) {
        let end = Instant::now() + self.slow;
        while !self.control.is_abandoned() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}

/// Returns the seat that lost.
fn loser(game: &PlayedGame) -> Option<usize> {
    (0..2).find(|&seat| game.result(seat) == Some(PlayerResult::Loss))
}

/// Checks what does not go together.
fn check(spec: &MatchSpec, shard: Option<Shard>, is_best_of: bool) -> Result<(), ArenaError> {
    let impossible = |why| Err(ArenaError::Impossible(why));
    if spec.contestants.len() < 2 {
        return impossible("a match needs two contestants");
    }
    if is_best_of && spec.contestants.len() > 2 {
        return impossible("the best of some games is found between two contestants");
    }
    if let Pairing::BestOf { first } = &spec.pairing
        && first.iter().any(|&contestant| contestant > 1)
    {
        return impossible("only the contestants 0 and 1 can move first");
    }
    if spec.sprt.is_some() && (is_best_of || spec.contestants.len() > 2) {
        return impossible("a sequential test is one of two contestants who play pairs of games");
    }
    match shard {
        Some(Shard { index, count }) if index >= count => impossible("there is no such shard"),
        Some(_) if is_best_of => {
            impossible("the best of some games can't be found in shards: each depends on the last")
        }
        Some(_) if spec.sprt.is_some() => {
            impossible("a sequential test can't be made in shards: it looks at all games")
        }
        _ => Ok(()),
    }
}

/// Stands between the referee and the observer of the match.
struct GameObserver<'a, 'b> {
    runner: &'a Runner<'b>,
}

impl Observer for GameObserver<'_, '_> {
    fn notice(&self, event: MatchEvent<'_>) {
        let runner = self.runner;
        match event {
            // These are reported when the game is kept, or is not.
            MatchEvent::Borne { .. }
            | MatchEvent::Transcribed { .. }
            | MatchEvent::Finished(_)
            | MatchEvent::Abandoned(_) => return,
            // A match that is decided needs nobody any more.
            MatchEvent::Unable(..) if runner.state().tally.is_decided() => return,
            MatchEvent::Unable(contestant, why) => {
                let name = runner.spec.contestants[contestant].name.clone();
                return runner.fail(ArenaError::Start { name, detail: why.to_owned() });
            }
            MatchEvent::Asked { fixture, seat, .. } => {
                runner.started[fixture.seats[seat]].store(true, Ordering::SeqCst);
            }
            MatchEvent::Moved { so_far, .. } if runner.is_best_of => {
                let noted = runner.state().journal.as_mut().map(|journal| journal.note(so_far));
                if let Some(Err(error)) = noted {
                    runner.fail(error.into());
                }
            }
            MatchEvent::Begun { .. } | MatchEvent::Moved { .. } => {}
        }
        runner.observer.notice(event);
        if matches!(event, MatchEvent::Begun { .. } | MatchEvent::Moved { .. }) {
            runner.wait();
        }
    }
}

#[cfg(test)]
mod tests;

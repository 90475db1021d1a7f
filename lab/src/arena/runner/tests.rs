//! Whole matches between players whose moves are known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::arena::player::{
    GameTerms, PlayerAnswer, PlayerChoice, PlayerError, Question, Scripted,
};
use crate::arena::testing::{self, Place};
use crate::arena::{JournalError, OpeningOrder, PlayerFault};
use crate::stats::{EloModel, SprtOptions};
use tengen_core::rules::{Game, Outcome};
use tengen_core::types::{Color, Point};
use tengen_files::resume::FileError;
use tengen_files::work::Stop;

/// Plays a match with players of one's own making, and returns all of its games.
fn play(
    spec: &MatchSpec,
    options: &RunOptions,
    journal: Option<Journal>,
    mut games: Vec<PlayedGame>,
    unfinished: Vec<Unfinished>,
    (control, observer): (&MatchControl, &dyn Observer),
    seat: SeatOne<'_>,
) -> Result<Vec<PlayedGame>, ArenaError> {
    Runner::new(spec, options, journal, &mut games, unfinished, control, observer)?.run(seat)?;
    Ok(games)
}

/// Plays a match from its beginning, and returns its games in order.
fn games(spec: &MatchSpec, concurrency: usize, seat: SeatOne<'_>) -> Vec<PlayedGame> {
    let options = RunOptions { concurrency, ..RunOptions::default() };
    let watched = (&MatchControl::default(), &() as &dyn Observer);
    let mut games = play(spec, &options, None, Vec::new(), Vec::new(), watched, seat).unwrap();
    games.sort_by_key(|game| game.fixture.game);
    games
}

/// On the board of nine columns, the first stones of a player who always takes the first empty
/// cell make no run before it moves a diagonal together: somebody wins in the end.
fn simple(_: usize) -> Box<dyn Player> {
    Box::new(Scripted::first_empty())
}

/// Returns a match of this many rounds of pairs between two.
fn pairs(rounds: u64) -> MatchSpec {
    let openings = testing::spec(2).size.points().step_by(5).take(6);
    MatchSpec {
        rounds,
        openings: openings.map(|point| vec![point]).collect(),
        order: OpeningOrder::Shuffled(3),
        symmetries: true,
        ..testing::spec(2)
    }
}

fn best_of(rounds: u64) -> MatchSpec {
    MatchSpec { pairing: Pairing::BestOf { first: vec![0, 1, 1] }, rounds, ..testing::spec(2) }
}

/// Returns the games without what depends on the time at which they are played.
fn timeless(games: &[PlayedGame]) -> Vec<PlayedGame> {
    let mut games = games.to_vec();
    games.sort_by_key(|game| game.fixture.game);
    games.iter_mut().for_each(|game| game.record.date.clear());
    games
}

/// Writes down what it hears.
#[derive(Default)]
struct EventList(Mutex<Vec<(&'static str, u64)>>);

impl Observer for EventList {
    fn notice(&self, event: MatchEvent<'_>) {
        let (what, fixture) = match event {
            MatchEvent::Borne { .. } | MatchEvent::Unable(..) => return,
            MatchEvent::Begun { fixture, .. } => ("begun", fixture),
            MatchEvent::Asked { fixture, .. } => ("asked", fixture),
            MatchEvent::Moved { fixture, .. } => ("moved", fixture),
            MatchEvent::Transcribed { game, .. } => ("transcribed", &game.fixture),
            MatchEvent::Finished(game) => ("finished", &game.fixture),
            MatchEvent::Abandoned(fixture) => ("abandoned", fixture),
        };
        self.0.lock().unwrap().push((what, fixture.game));
    }

    fn enter(&self, worker: usize) {
        self.0.lock().unwrap().push(("entered", worker as u64));
    }
}

impl EventList {
    fn count(&self, what: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|(heard, _)| *heard == what).count()
    }
}

#[test]
fn every_game_is_played_once_however_many_play_at_a_time() {
    for spec in [
        pairs(10),
        MatchSpec { rounds: 2, ..testing::spec(4) },
        MatchSpec { pairing: Pairing::Gauntlet, rounds: 3, ..testing::spec(3) },
    ] {
        let schedule = Schedule::new(&spec);
        let one = games(&spec, 1, &simple);
        let fixtures: Vec<Fixture> = (0..schedule.games()).map(|g| schedule.fixture(g)).collect();
        assert!(one.iter().map(|game| game.fixture).eq(fixtures));
        for game in &one {
            let points: Vec<Point> = game.record.points().collect();
            let replayed = Game::from_moves(spec.size, spec.rule, &points).unwrap();
            assert_ne!(replayed.outcome(), Outcome::Ongoing);
        }
        for concurrency in [2, 3, 16, 1000] {
            assert_eq!(timeless(&games(&spec, concurrency, &simple)), timeless(&one));
        }
    }
}

#[test]
fn shards_play_the_match_together() {
    let spec = pairs(7);
    let mut all = Vec::new();
    for index in 0..3 {
        let shard = Some(Shard { index, count: 3 });
        let options = RunOptions { shard, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &() as &dyn Observer);
        all.extend(play(&spec, &options, None, Vec::new(), Vec::new(), watched, &simple).unwrap());
    }
    assert_eq!(timeless(&all), timeless(&games(&spec, 1, &simple)));
}

#[test]
fn a_match_goes_on_where_it_was_left() {
    let spec = pairs(6);
    let whole = games(&spec, 1, &simple);
    for concurrency in [1, 3] {
        let finished: Vec<PlayedGame> =
            [5, 0, 11, 6].into_iter().map(|number: usize| whole[number].clone()).collect();
        let heard = EventList::default();
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &heard as &dyn Observer);
        let all =
            play(&spec, &options, None, finished.clone(), Vec::new(), watched, &simple).unwrap();
        assert_eq!(all[..4], finished);
        assert_eq!(timeless(&all), timeless(&whole));
        assert_eq!((heard.count("finished"), heard.count("begun")), (8, 8));
        assert_eq!(heard.count("entered"), concurrency);
        assert_eq!(heard.0.lock().unwrap()[0].0, "entered");
    }
}

#[test]
fn games_of_something_else_are_refused() {
    let spec = pairs(3);
    let whole = games(&spec, 1, &simple);
    let refused = |games: Vec<PlayedGame>, shard| {
        let options = RunOptions { shard, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &() as &dyn Observer);
        match play(&spec, &options, None, games, Vec::new(), watched, &simple) {
            Err(ArenaError::Foreign(game)) => game,
            other => panic!("{other:?}"),
        }
    };
    let mut other = whole[2].clone();
    other.fixture.opening = Some(5);
    assert_eq!(refused(vec![whole[0].clone(), other], None), 3);
    let mut beyond = whole[0].clone();
    beyond.fixture.game = u64::MAX;
    assert_eq!(refused(vec![beyond], None), u64::MAX);
    assert_eq!(refused(vec![whole[1].clone(), whole[1].clone()], None), 2);
    assert_eq!(refused(vec![whole[2].clone()], Some(Shard { index: 0, count: 2 })), 3);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let sprt = Some(SPRT);
    let shard = |index, count| Some(Shard { index, count });
    for (spec, shard, what) in [
        (testing::spec(1), None, "two contestants"),
        (MatchSpec { contestants: testing::spec(3).contestants, ..best_of(3) }, None, "best of"),
        (
            MatchSpec { pairing: Pairing::BestOf { first: vec![2] }, ..best_of(3) },
            None,
            "move first",
        ),
        (MatchSpec { sprt, ..testing::spec(3) }, None, "sequential test"),
        (MatchSpec { sprt, ..best_of(3) }, None, "sequential test"),
        (best_of(3), shard(0, 2), "shards"),
        (MatchSpec { sprt, ..pairs(3) }, shard(0, 2), "shards"),
        (pairs(3), shard(2, 2), "no such shard"),
    ] {
        let options = RunOptions { shard, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &() as &dyn Observer);
        let error = play(&spec, &options, None, Vec::new(), Vec::new(), watched, &simple);
        let error = error.unwrap_err();
        assert!(matches!(error, ArenaError::Impossible(_)));
        assert!(error.to_string().contains(what), "{error}");
    }
}

/// A player that always wins against [`loser`]: it plays a row, and the loser far away.
fn winner() -> Scripted {
    Scripted::from_fn(|question| {
        let row = testing::spec(2).size.points().skip(36);
        Ok(PlayerAnswer::at_once(PlayerChoice::Move(free(row, question))))
    })
}

fn loser() -> Scripted {
    Scripted::from_fn(|question| {
        let spread = testing::spec(2).size.points().step_by(2);
        let elsewhere = spread.filter(|point| point.y() != 4 && point.y() != 5);
        Ok(PlayerAnswer::at_once(PlayerChoice::Move(free(elsewhere, question))))
    })
}

fn free(mut points: impl Iterator<Item = Point>, question: &Question<'_>) -> Point {
    points.find(|point| !question.moves.contains(point)).expect("an empty cell")
}

fn unequal(contestant: usize) -> Box<dyn Player> {
    Box::new(if contestant == 0 { winner() } else { loser() })
}

const SPRT: SprtOptions =
    SprtOptions { model: EloModel::Logistic, elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };

#[test]
fn the_best_of_some_games_ends_when_it_is_found() {
    for concurrency in [1, 4] {
        let spec = best_of(7);
        let played = games(&spec, concurrency, &unequal);
        assert_eq!(played.len(), 4);
        for (number, game) in (0..).zip(&played) {
            assert_eq!(game.fixture.game, number);
            let seat = game.fixture.seats.iter().position(|&c| c == 0).unwrap();
            assert_eq!(game.result(seat), Some(PlayerResult::Win));
        }
        // Nothing more is played when it goes on.
        let control = MatchControl::default();
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&control, &() as &dyn Observer);
        let again =
            play(&spec, &options, None, played.clone(), Vec::new(), watched, &unequal).unwrap();
        assert_eq!(again, played);
        assert!(control.is_decided());
    }
}

#[test]
fn a_test_that_has_its_verdict_ends_the_match() {
    let spec = MatchSpec { sprt: Some(SPRT), rounds: 1_000_000, ..testing::spec(2) };
    for concurrency in [1, 3] {
        let heard = EventList::default();
        let control = MatchControl::default();
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&control, &heard as &dyn Observer);
        let played =
            play(&spec, &options, None, Vec::new(), Vec::new(), watched, &unequal).unwrap();
        assert!(control.is_decided());
        assert!((4..1000).contains(&played.len()), "{}", played.len());
        assert_eq!(heard.count("finished"), played.len());
        assert_eq!(heard.count("begun"), played.len() + heard.count("abandoned"));
        let mut tally = Tally::new(&MatchInfo::of(&spec));
        for (i, game) in played.iter().enumerate() {
            assert!(!tally.is_decided(), "game {i} of {} came too late", played.len());
            tally.add(game);
        }
        assert!(tally.is_decided());
    }
}

/// A player that is slow in one game: the test would wait for it.
struct Sleeper(Scripted);

impl Player for Sleeper {
    fn begin(&mut self, terms: &GameTerms, abandon: &Stop) -> Result<(), PlayerError> {
        self.0.begin(terms, abandon)
    }

    fn answer(&mut self, _: &Question<'_>, abandon: &Stop) -> Result<PlayerAnswer, PlayerError> {
        while !abandon.is_set() {
            thread::sleep(Duration::from_millis(1));
        }
        Err(PlayerError::Abandoned)
    }

    fn memory(&mut self) -> Option<u64> {
        None
    }
}

#[test]
fn games_that_run_are_broken_off_when_the_match_is_decided() {
    let spec = MatchSpec { sprt: Some(SPRT), rounds: 1_000_000, ..testing::spec(2) };
    // The first player that is made sleeps in every game; there are enough others.
    let is_first = AtomicBool::new(true);
    let seat = |contestant: usize| -> Box<dyn Player> {
        if is_first.swap(false, Ordering::SeqCst) {
            return Box::new(Sleeper(Scripted::first_empty()));
        }
        unequal(contestant)
    };
    let heard = EventList::default();
    let options = RunOptions { concurrency: 2, ..RunOptions::default() };
    let watched = (&MatchControl::default(), &heard as &dyn Observer);
    play(&spec, &options, None, Vec::new(), Vec::new(), watched, &seat).unwrap();
    assert!(heard.count("abandoned") >= 1);
}

#[test]
fn a_journal_has_every_game_before_it_is_told() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let spec = pairs(5);
    let (journal, finished, unfinished) =
        Journal::open(&path, &MatchInfo::of(&spec), None).unwrap();
    struct GameReader(std::path::PathBuf);
    impl Observer for GameReader {
        fn notice(&self, event: MatchEvent<'_>) {
            if let MatchEvent::Finished(game) = event {
                assert!(Journal::read(&self.0).unwrap().1.contains(game));
            }
        }
    }
    let reader = GameReader(path.clone());
    let options = RunOptions { concurrency: 3, ..RunOptions::default() };
    let watched = (&MatchControl::default(), &reader as &dyn Observer);
    let all = play(&spec, &options, Some(journal), finished, unfinished, watched, &simple).unwrap();
    assert_eq!(all.len(), 10);
    assert_eq!(Journal::read(&path).unwrap().1, all);
}

#[test]
fn a_journal_that_fails_ends_the_match_and_keeps_what_it_has() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let spec = pairs(5);
    let (journal, mut games, unfinished) =
        Journal::open(&path, &MatchInfo::of(&spec), None).unwrap();
    struct Meddler(std::path::PathBuf);
    impl Observer for Meddler {
        fn notice(&self, event: MatchEvent<'_>) {
            if matches!(event, MatchEvent::Finished(game) if game.fixture.game == 3) {
                let mut bytes = std::fs::read(&self.0).unwrap();
                bytes.push(b'x');
                std::fs::write(&self.0, bytes).unwrap();
            }
        }
    }
    let meddler = Meddler(path.clone());
    let control = MatchControl::default();
    let options = RunOptions::default();
    let runner =
        Runner::new(&spec, &options, Some(journal), &mut games, unfinished, &control, &meddler);
    let error = runner.unwrap().run(&simple);
    assert!(
        matches!(error, Err(ArenaError::Journal(JournalError::File(FileError::Changed(_))))),
        "{error:?}"
    );
    assert_eq!((games.len(), &games), (4, &Journal::read(&path).unwrap().1));
}

#[test]
fn a_game_broken_off_goes_on_from_its_moves() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let spec = best_of(5);
    let info = MatchInfo::of(&spec);
    let whole = games(&spec, 1, &simple);
    // The second game is broken off after ten moves.
    struct Breaker<'a>(&'a MatchControl);
    impl Observer for Breaker<'_> {
        fn notice(&self, event: MatchEvent<'_>) {
            if matches!(event, MatchEvent::Moved { fixture, moves, .. }
                if fixture.game == 1 && moves.len() == 10)
            {
                self.0.abandon();
            }
        }
    }
    let options = RunOptions::default();
    let control = MatchControl::default();
    let breaker = Breaker(&control);
    let (journal, finished, unfinished) = Journal::open(&path, &info, None).unwrap();
    let watched = (&control, &breaker as &dyn Observer);
    let played =
        play(&spec, &options, Some(journal), finished, unfinished, watched, &simple).unwrap();
    assert_eq!(timeless(&played), timeless(&whole[..1]));
    assert!(!control.is_decided());

    let (journal, finished, unfinished) = Journal::open(&path, &info, None).unwrap();
    assert_eq!(finished, played);
    assert_eq!(unfinished.len(), 1);
    assert_eq!((unfinished[0].game, unfinished[0].moves.len()), (1, 10));
    #[derive(Default)]
    struct StoneCounts(Mutex<BTreeMap<u64, usize>>);
    impl Observer for StoneCounts {
        fn notice(&self, event: MatchEvent<'_>) {
            if let MatchEvent::Begun { fixture, moves, .. } = event {
                self.0.lock().unwrap().insert(fixture.game, moves.len());
            }
        }
    }
    let stones = StoneCounts::default();
    let watched = (&MatchControl::default(), &stones as &dyn Observer);
    let all = play(&spec, &options, Some(journal), finished, unfinished, watched, &simple).unwrap();
    assert_eq!(timeless(&all), timeless(&whole));
    let stones = stones.0.lock().unwrap();
    assert_eq!((stones[&1], stones[&2]), (10, 0));
    assert!(!place.file("match.jsonl.running").exists(), "the match is over");
}

#[test]
fn a_match_that_is_to_finish_plays_its_games_to_their_end() {
    struct Finisher<'a>(&'a MatchControl, EventList);
    impl Observer for Finisher<'_> {
        fn notice(&self, event: MatchEvent<'_>) {
            if matches!(event, MatchEvent::Moved { fixture, .. } if fixture.game == 4) {
                self.0.finish();
            }
            self.1.notice(event);
        }
    }
    for concurrency in [1, 2] {
        let spec = pairs(50);
        let control = MatchControl::default();
        let finisher = Finisher(&control, EventList::default());
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&control, &finisher as &dyn Observer);
        let played = play(&spec, &options, None, Vec::new(), Vec::new(), watched, &simple).unwrap();
        assert!(played.iter().any(|game| game.fixture.game == 4));
        assert!(played.len() < 100);
        assert_eq!(finisher.1.count("begun"), played.len());
        assert_eq!(finisher.1.count("abandoned"), 0);
    }
}

#[test]
fn players_are_kept_for_the_games_that_they_play() {
    let made = Mutex::new(BTreeMap::new());
    let seat = |contestant: usize| -> Box<dyn Player> {
        *made.lock().unwrap().entry(contestant).or_insert(0) += 1;
        simple(contestant)
    };
    games(&pairs(10), 1, &seat);
    assert_eq!(*made.lock().unwrap(), BTreeMap::from([(0, 1), (1, 1)]));
    made.lock().unwrap().clear();
    games(&pairs(10), 2, &seat);
    assert!(made.lock().unwrap().values().all(|&count| count <= 2));
    // Somebody who is needed no more is let go: the encounters are 0-1, 0-2, 1-2.
    made.lock().unwrap().clear();
    games(&testing::spec(3), 1, &seat);
    assert_eq!(*made.lock().unwrap(), BTreeMap::from([(0, 1), (1, 2), (2, 1)]));
}

fn cannot_start() -> Result<(), PlayerError> {
    Err(PlayerError::Fault(PlayerFault::Start("no such file".to_owned())))
}

#[test]
fn somebody_who_never_started_ends_the_match() {
    for (concurrency, culprit) in [(1, 0), (1, 1), (4, 1)] {
        let place = Place::new();
        let path = place.file("match.jsonl");
        let spec = pairs(100);
        let seat = |contestant: usize| -> Box<dyn Player> {
            if contestant == culprit {
                return Box::new(
                    Scripted::first_empty()
                        .beginning_with((0..200).map(|_| cannot_start()).collect()),
                );
            }
            simple(contestant)
        };
        let (journal, _, _) = Journal::open(&path, &MatchInfo::of(&spec), None).unwrap();
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &() as &dyn Observer);
        let error = play(&spec, &options, Some(journal), Vec::new(), Vec::new(), watched, &seat);
        let error = error.unwrap_err();
        let ArenaError::Start { name, detail } = &error else { panic!("{error}") };
        assert_eq!(*name, format!("player {culprit}"));
        assert!(detail.contains("no such file"), "{detail}");
        assert_eq!(Journal::read(&path).unwrap().1, [], "such a game does not count");
    }
}

#[test]
fn somebody_who_has_started_before_only_loses_the_game() {
    let spec = pairs(3);
    let seat = |contestant: usize| -> Box<dyn Player> {
        if contestant == 1 {
            // A new one after each failure.
            let begins = vec![Ok(()), cannot_start()];
            return Box::new(Scripted::first_empty().beginning_with(begins));
        }
        simple(contestant)
    };
    let played = games(&spec, 1, &seat);
    let failed: Vec<u64> = played
        .iter()
        .filter(|game| game.end == EndKind::Start)
        .map(|game| {
            let seat = game.fixture.seats.iter().position(|&c| c == 1).unwrap();
            assert_eq!(game.result(seat), Some(PlayerResult::Loss));
            game.fixture.game
        })
        .collect();
    assert_eq!(failed, [1, 3, 5]);
    assert_eq!(played.len(), 6);
}

#[test]
fn nobody_loses_a_game_for_which_the_system_runs_no_program() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let spec = pairs(3);
    let short = || Err(PlayerError::System("it: too many open files".to_owned()));
    let seat = |contestant: usize| -> Box<dyn Player> {
        let begins = if contestant == 1 { vec![Ok(()), Ok(()), short()] } else { Vec::new() };
        Box::new(Scripted::first_empty().beginning_with(begins))
    };
    let (journal, _, _) = Journal::open(&path, &MatchInfo::of(&spec), None).unwrap();
    let watched = (&MatchControl::default(), &() as &dyn Observer);
    let options = RunOptions { concurrency: 1, ..RunOptions::default() };
    let error = play(&spec, &options, Some(journal), Vec::new(), Vec::new(), watched, &seat);
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "player 1 has not been able to start: it: too many open files");
    assert_eq!(Journal::read(&path).unwrap().1.len(), 2, "the third game is still to be played");
}

#[test]
fn a_worker_that_dies_is_an_error() {
    let spec = pairs(20);
    let count = Arc::new(Mutex::new(0));
    let seat = |contestant: usize| -> Box<dyn Player> {
        if contestant == 0 {
            return simple(contestant);
        }
        let count = Arc::clone(&count);
        Box::new(Scripted::from_fn(move |question| {
            let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
            *count += 1;
            assert!(*count < 60, "a bug on purpose");
            let points = testing::spec(2).size.points();
            Ok(PlayerAnswer::at_once(PlayerChoice::Move(free(points, question))))
        }))
    };
    for concurrency in [1, 3] {
        *count.lock().unwrap_or_else(PoisonError::into_inner) = 0;
        let options = RunOptions { concurrency, ..RunOptions::default() };
        let watched = (&MatchControl::default(), &() as &dyn Observer);
        let error = play(&spec, &options, None, Vec::new(), Vec::new(), watched, &seat);
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with("a thread of the match died: a bug on purpose (tests.rs:"),
            "{error}"
        );
    }
}

#[test]
fn a_slow_match_waits_but_nobody_is_charged_for_it() {
    let mut spec = best_of(1);
    spec.size = tengen_core::types::Size::square(5).unwrap();
    let options = RunOptions { slow: Duration::from_millis(20), ..RunOptions::default() };
    let watched = (&MatchControl::default(), &() as &dyn Observer);
    let start = Instant::now();
    let played = play(&spec, &options, None, Vec::new(), Vec::new(), watched, &simple).unwrap();
    let moves = played[0].record.moves.len() as u32;
    assert!(start.elapsed() >= options.slow * moves);
    assert!(played[0].usage.iter().all(|usage| usage.time < options.slow));
    assert_eq!(played[0].color(played[0].black_seat), Color::Black);
}

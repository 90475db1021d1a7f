//! Tests of the referee, with players whose answers are known.

use std::sync::{Arc, Mutex};
use std::thread;

use super::*;
use crate::arena::player::{Call, Scripted, SearchInfo};
use crate::arena::{
    Adjudication, Allowance, ContestantKind, DrawRule, EndKind, OpeningOrder, Pairing, ResignRule,
};
use tengen_core::board::Symmetry;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, Swap2Error, Violation};
use tengen_core::types::Size;
use tengen_files::records::{GameResult, Reason};

mod faults;
mod openings;
mod resume;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn contestant(name: &str) -> Contestant {
    Contestant {
        name: name.to_owned(),
        kind: ContestantKind::Greedy,
        dir: None,
        allowance: Allowance {
            game: None,
            turn: Some(ms(1000)),
            margin: ms(100),
            nodes: None,
            depth: None,
            threads: None,
            memory: None,
        },
        options: Vec::new(),
        restart: false,
    }
}

/// Returns a match between Carol, Bob and Ann of which the tests play single games.
fn spec(size: Size, rule: Rule) -> MatchSpec {
    MatchSpec {
        event: "a match".to_owned(),
        rule,
        size,
        contestants: ["Carol", "Bob", "Ann"].map(contestant).to_vec(),
        pairing: Pairing::RoundRobin,
        rounds: 1,
        openings: Vec::new(),
        order: OpeningOrder::Sequential,
        first_opening: 0,
        symmetries: false,
        swap2: false,
        silence: Some(MatchSpec::SILENCE),
        adjudication: Adjudication::default(),
        sprt: None,
    }
}

/// Returns a game in which Ann has the first seat and Bob the second.
fn fixture() -> Fixture {
    Fixture {
        game: 6,
        pair: 3,
        round: 2,
        seats: [2, 1],
        opening: None,
        symmetry: Symmetry::Identity,
    }
}

fn plain() -> MatchSpec {
    spec(Size::DEFAULT, Rule::Freestyle)
}

fn point(x: i64, y: i64) -> Point {
    Size::DEFAULT.point(x, y).unwrap()
}

/// An observer that records events.
#[derive(Default)]
struct EventNotes {
    /// The kinds of the events and the seats.
    words: Mutex<Vec<String>>,
    /// The game as it began or went on.
    begun: Mutex<Option<Unfinished>>,
    states: Mutex<Vec<Unfinished>>,
}

impl EventNotes {
    fn words(&self) -> Vec<String> {
        self.words.lock().unwrap().clone()
    }

    /// Returns the seats that were asked.
    fn asked(&self) -> String {
        let words = self.words();
        words.iter().filter_map(|word| word.strip_prefix("asked ")).collect()
    }
}

impl Observer for EventNotes {
    fn notice(&self, event: MatchEvent<'_>) {
        let word = match event {
            MatchEvent::Begun { moves, so_far, .. } => {
                *self.begun.lock().unwrap() = Some(so_far.clone());
                format!("begun {}", moves.len())
            }
            MatchEvent::Asked { seat, .. } => format!("asked {seat}"),
            MatchEvent::Moved { seat, moves, so_far, .. } => {
                assert!(so_far.moves.iter().filter_map(Move::point).eq(moves.iter().copied()));
                self.states.lock().unwrap().push(so_far.clone());
                format!("moved {seat} {}", moves.len())
            }
            MatchEvent::Borne { .. } => "borne".to_owned(),
            MatchEvent::Unable(_, why) => format!("unable: {why}"),
            MatchEvent::Transcribed { .. } => "transcribed".to_owned(),
            MatchEvent::Finished(game) => format!("finished {}", game.end.name()),
            MatchEvent::Abandoned(_) => "abandoned".to_owned(),
        };
        self.words.lock().unwrap().push(word);
    }
}

fn play(spec: &MatchSpec, mut first: Scripted, mut second: Scripted) -> PlayedGame {
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    play_game(spec, &fixture(), None, players, &MatchControl::default(), &()).unwrap()
}

/// Returns answers that are moves at the given cells.
fn moves(cells: &[(i64, i64)]) -> Scripted {
    Scripted::from_moves(&cells.iter().map(|&(x, y)| point(x, y)).collect::<Vec<_>>())
}

fn answer(choice: PlayerChoice, elapsed: u64) -> Result<PlayerAnswer, PlayerError> {
    Ok(PlayerAnswer { elapsed: ms(elapsed), ..PlayerAnswer::at_once(choice) })
}

/// Returns a player that moves anywhere, thinks as long as it may or not at all, and says anything;
/// the same position of the same game gives the same answer.
fn random_player(size: Size, seed: u64) -> Scripted {
    Scripted::from_fn(move |question| {
        let mut rng = SplitMix64::new(seed ^ (question.moves.len() as u64) << 32);
        let empty: Vec<Point> =
            size.points().filter(|point| !question.moves.contains(point)).collect();
        let mut stone = || empty[rng.below(empty.len())];
        let choice = match (question.swap2, question.moves.len()) {
            (false, _) => PlayerChoice::Move(stone()),
            (true, 0) => {
                PlayerChoice::Stones(size.points().skip(seed as usize % 20).take(3).collect())
            }
            (true, _) if seed.is_multiple_of(3) => PlayerChoice::Swap,
            (true, 3) if seed % 3 == 1 => PlayerChoice::Stones(empty[..2].to_vec()),
            (true, _) => PlayerChoice::Stones(vec![stone()]),
        };
        let longest = question.limit.map_or(5, |limit| limit.as_millis() as usize + 1);
        let elapsed = if choice == PlayerChoice::Swap { 0 } else { rng.below(longest.min(50)) };
        let info = SearchInfo {
            score: (rng.below(4) > 0).then(|| rng.below(200) as i32 - 100),
            depth: (rng.below(4) > 0).then(|| rng.below(20) as u32),
            nodes: (rng.below(4) > 0).then(|| rng.next_u64()),
        };
        Ok(PlayerAnswer { choice, elapsed: ms(elapsed as u64), info })
    })
}

fn sizes() -> [Size; 5] {
    [(5, 5), (7, 6), (15, 15), (20, 15), (22, 22)].map(|(w, h)| Size::new(w, h).unwrap())
}

#[test]
fn random_games_end_as_the_plain_rules_say() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..240 {
        let rule = Rule::ALL[seed as usize % 5];
        // Large boards take long.
        let size = sizes()[[0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1][seed as usize % 16]];
        let spec = spec(size, rule);
        let played = play(&spec, random_player(size, seed), random_player(size, !seed));
        let record = &played.record;
        let points: Vec<Point> = record.points().collect();
        let game = Game::from_moves(size, rule, &points).unwrap();
        let wanted = Record::of_game(&game);
        assert!(game.outcome().is_over());
        assert_eq!((record.result, &record.reason), (wanted.result, &wanted.reason));
        let mut judged = record.clone();
        (judged.result, judged.reason) = (None, None);
        judged.judge();
        assert_eq!(judged, *record);
        assert_eq!(played.end.reason(), wanted.reason.unwrap());
        assert_eq!(record.rule, Some(rule));
        assert!(record.alternates());
        assert_eq!(record.players.0, ["Ann", "Bob"]);
        let [ann, bob] = played.usage;
        assert_eq!((ann.moves + bob.moves) as usize, points.len());
        assert!(ann.moves == bob.moves || ann.moves == bob.moves + 1);
        let time: u64 = record.moves.iter().filter_map(Move::time).sum();
        assert_eq!(ann.time + bob.time, ms(time));
        *seen.entry(played.end).or_insert(0) += 1;
    }
    let count = |end| seen.get(&end).copied().unwrap_or(0);
    assert!(count(EndKind::Five) > 40 && count(EndKind::Draw) > 40, "{seen:?}");
    assert!(count(EndKind::Forbidden(Violation::DoubleThree)) > 0, "{seen:?}");
    assert!(seen.keys().all(|end| !end.is_fault()), "{seen:?}");
}

#[test]
fn a_record_tells_everything_about_its_game() {
    let info = SearchInfo { score: Some(-7), depth: Some(12), nodes: Some(1 << 40) };
    let win: Vec<Point> = (3..8).map(|x| point(x, 0)).collect();
    let first = win.iter().map(|&p| {
        Ok(PlayerAnswer {
            choice: PlayerChoice::Move(p),
            elapsed: Duration::from_micros(7900),
            info,
        })
    });
    let second = moves(&[(3, 2), (4, 2), (5, 2), (6, 2)]).using_memory(5 << 20);
    let played = play(&plain(), Scripted::from_answers(first.collect()), second);
    assert_eq!((played.end, played.black_seat, played.fixture), (EndKind::Five, 0, fixture()));
    assert_eq!(played.detail, "Ann made 5 in a row from d1 to h1");
    let record = played.record;
    assert_eq!((record.event.as_str(), record.round.as_str()), ("a match", "3.7"));
    assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
    assert_eq!((record.reason, record.opening), (Some(Reason::Five), 0));
    assert_eq!(record.moves.len(), 9);
    let last = &record.moves[8];
    assert_eq!((last.point(), last.color, last.time()), (Some(point(7, 0)), Color::Black, Some(7)));
    assert_eq!((last.score(), last.depth(), last.nodes()), (Some(-7), Some(12), Some(1 << 40)));
    let other = &record.moves[7];
    assert_eq!((other.time(), other.score(), other.depth()), (Some(0), None, None));
    let shape: String =
        record.date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00 00:00:00");
    let ann = Usage {
        memory: None,
        time: Duration::from_micros(5 * 7900),
        slowest: Duration::from_micros(7900),
        moves: 5,
    };
    let bob = Usage { memory: Some(5 << 20), moves: 4, ..Usage::default() };
    assert_eq!(played.usage, [ann, bob]);
}

#[test]
fn observers_are_told_in_order() {
    let watcher = EventNotes::default();
    let mut first = moves(&[(0, 0), (1, 0)]);
    let mut second = moves(&[(0, 1)]);
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    play_game(&plain(), &fixture(), None, players, &MatchControl::default(), &watcher).unwrap();
    let words = ["begun 0", "asked 0", "moved 0 1", "asked 1", "moved 1 2", "asked 0", "moved 0 3"];
    assert_eq!(watcher.words(), [&words[..], &["asked 1", "finished exit"]].concat());
}

#[test]
fn games_are_adjudicated_by_the_scores_of_the_players() {
    let scored = |y, score| {
        let answers = (0..7).map(|x| {
            let info = SearchInfo { score: Some(score), ..SearchInfo::default() };
            Ok(PlayerAnswer { info, ..PlayerAnswer::at_once(PlayerChoice::Move(point(2 * x, y))) })
        });
        Scripted::from_answers(answers.collect())
    };
    let mut spec = plain();
    spec.adjudication.draw_after = Some(5);
    let played = play(&spec, scored(0, 0), scored(2, 0));
    assert_eq!((played.end, played.record.moves.len()), (EndKind::DrawAfter, 5));
    assert_eq!(played.record.result, Some(GameResult::Draw));
    assert_eq!(played.detail, "5 moves were played");

    spec.adjudication.draw = Some(DrawRule { score: 5, moves: 2, from: 0 });
    let played = play(&spec, scored(0, 5), scored(2, -5));
    assert_eq!((played.end, played.record.moves.len()), (EndKind::DrawAdjudicated, 4));
    assert_eq!(played.record.reason, Some(Reason::Adjudication));
    assert_eq!(played.detail, "both players reported scores within 5 for 2 moves");

    spec.adjudication.resign = Some(ResignRule { score: 300, moves: 2, both: true });
    let played = play(&spec, scored(0, 301), scored(2, -300));
    assert_eq!((played.end, played.record.moves.len()), (EndKind::WinAdjudicated, 4));
    assert_eq!(played.record.result, Some(GameResult::Win(Color::Black)));
    assert_eq!(
        played.detail,
        "Bob reported scores of at most -300 for 2 moves and Ann of at least 300"
    );
    let played = play(&spec, scored(0, -9000), scored(2, 9000));
    assert_eq!(played.record.result, Some(GameResult::Win(Color::White)));
}

#[test]
fn the_rules_come_before_adjudication() {
    let mut spec = plain();
    spec.adjudication.draw_after = Some(9);
    let line = |y| moves(&[(3, y), (4, y), (5, y), (6, y), (7, y)]);
    assert_eq!(play(&spec, line(0), line(1)).end, EndKind::Five);
}

#[test]
fn nobody_is_asked_during_a_pause() {
    let control = MatchControl::default();
    control.pause(true);
    let (mut first, mut second) = (moves(&[(0, 0)]), moves(&[]));
    let log = first.log();
    let spec = plain();
    let played = thread::scope(|scope| {
        let control = &control;
        let spec = &spec;
        let game = scope.spawn(move || {
            let players: [&mut dyn Player; 2] = [&mut first, &mut second];
            play_game(spec, &fixture(), None, players, control, &())
        });
        thread::sleep(ms(150));
        assert!(!game.is_finished());
        assert!(log.calls().iter().all(|call| matches!(call, Call::Begin(_))));
        control.pause(false);
        game.join().unwrap().unwrap()
    });
    assert_eq!(played.end, EndKind::Exit);
    assert_eq!(log.calls().len(), 2);
    assert!(played.usage[0].time < ms(100), "the pause is nobody's time");
}

#[test]
fn games_are_broken_off_at_any_moment() {
    let spec = plain();
    let abandoned = |mut first: Scripted, mut second: Scripted, control: &MatchControl| {
        let watcher = EventNotes::default();
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        assert!(play_game(&spec, &fixture(), None, players, control, &watcher).is_none());
        assert_eq!(watcher.words().last().map(String::as_str), Some("abandoned"));
        watcher.words().len()
    };
    let quits = || vec![Err(PlayerError::Abandoned)];
    let control = MatchControl::default();
    let beginning = || Scripted::first_empty().beginning_with(quits());
    assert_eq!(abandoned(beginning(), moves(&[]), &control), 2);
    assert_eq!(abandoned(moves(&[]), beginning(), &control), 2);
    assert_eq!(
        abandoned(
            moves(&[(0, 0)]),
            Scripted::from_answers(vec![Err(PlayerError::Abandoned)]),
            &control
        ),
        5
    );
    thread::scope(|scope| {
        let control = &control;
        scope.spawn(move || {
            thread::sleep(ms(50));
            control.abandon();
        });
        let slow = Scripted::first_empty().delayed(Duration::from_secs(600));
        assert_eq!(abandoned(slow, moves(&[]), control), 3);
    });
    // Also in a pause.
    control.pause(true);
    assert_eq!(abandoned(moves(&[(0, 0)]), moves(&[]), &control), 2);
}

#[test]
fn players_are_asked_about_the_whole_board_under_the_terms_of_the_match() {
    let spec = spec(Size::new(20, 15).unwrap(), Rule::Caro);
    let (first, second) = (moves(&[(0, 0), (1, 0)]), moves(&[(0, 1)]));
    let logs = [first.log(), second.log()];
    play(&spec, first, second);
    let terms = GameTerms { size: spec.size, rule: spec.rule };
    assert!(logs.iter().all(|log| log.calls()[0] == Call::Begin(terms)));
    let lengths = |i: usize| -> Vec<usize> {
        let calls = logs[i].calls();
        let length = |call: &Call| match call {
            Call::PlayerAnswer { moves, swap2: false, .. } => Some(moves.len()),
            _ => None,
        };
        calls.iter().filter_map(length).collect()
    };
    assert_eq!((lengths(0), lengths(1)), (vec![0, 2], vec![1, 3]));
}

#[test]
fn many_games_can_be_played_at_the_same_time() {
    let spec = Arc::new(plain());
    let threads: Vec<_> = (0..4)
        .map(|seed| {
            let spec = Arc::clone(&spec);
            thread::spawn(move || {
                let player = |seed| random_player(Size::DEFAULT, seed);
                play(&spec, player(seed), player(!seed))
            })
        })
        .collect();
    let games: Vec<PlayedGame> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    for (seed, game) in games.iter().enumerate() {
        let player = |seed| random_player(Size::DEFAULT, seed);
        let again = play(&spec, player(seed as u64), player(!(seed as u64)));
        assert_eq!(again.record.moves, game.record.moves);
    }
}

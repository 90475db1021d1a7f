//! Wins that are shown, and warnings.

use crossbeam_channel::Receiver;

use crate::explain::{Threat, WinMeans};
use crate::play::{
    CasualGame, Coach, CoachAnswer, CoachVerdict, Debrief, PlayFault, ProvenWin, ShownWin,
    ThreatMap,
};
use crate::review::{Effort, ReviewTask};
use tengen_core::notation::parse_moves;
use tengen_core::prover::Prover;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{PlayError, Rule, Violation};
use tengen_core::threats::{Replies, ThreatCheck};
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{GameResult, Record};
use tengen_files::work::Stop;

const FREESTYLE: &str = include_str!("../../../../tests/data/forced-wins-freestyle15.tsv");
const RENJU: &str = include_str!("../../../../tests/data/forced-wins-renju15.tsv");

/// Returns the games of a file that are won in at most `plies` plies.
fn won_games(text: &str, rule: Rule, plies: usize) -> Vec<CasualGame> {
    let game = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let within = fields[4].parse::<usize>().is_ok_and(|n| n <= plies);
        within.then(|| game_of(fields[3], rule))
    };
    text.lines().skip(1).filter_map(game).collect()
}

fn game_of(moves: &str, rule: Rule) -> CasualGame {
    let points = parse_moves(moves, Size::DEFAULT).unwrap();
    CasualGame::from_record(Record::of_points(Size::DEFAULT, &points), &[], rule).unwrap()
}

fn point(cell: &str) -> Point {
    parse_moves(cell, Size::DEFAULT).unwrap()[0]
}

/// Returns a reply of which the attack has to know, or any that can be played.
fn defence(shown: &ShownWin, rng: &mut SplitMix64) -> Point {
    let cells: Vec<Point> = shown.game().board().empties().iter().collect();
    let critical = shown.critical();
    let pool = if rng.below(2) == 0 && !critical.is_empty() { &critical } else { &cells };
    pool[rng.below(pool.len())]
}

#[test]
fn a_win_that_is_shown_beats_every_defence() {
    let mut rng = SplitMix64::new(21);
    let mut prover = Prover::new(4 << 20);
    let freestyle = won_games(FREESTYLE, Rule::Freestyle, 15).into_iter().take(10);
    let games: Vec<_> =
        freestyle.chain(won_games(RENJU, Rule::Renju, 15).into_iter().take(10)).collect();
    assert_eq!(games.len(), 20);
    let mut tried = 0;
    for game in games {
        let attacker = game.to_move();
        let win = ProvenWin::find(&mut prover, &mut game.position(), 200_000, &Stop::new());
        let win = win.unwrap_or_else(|| panic!("no win for {attacker}{:?}", game.board()));
        for _ in 0..100 {
            let mut shown = ShownWin::new(game.clone(), win.attack.clone()).unwrap();
            let mut left = shown.plies_left();
            while shown.end().is_none() {
                let reply = defence(&shown, &mut rng);
                match shown.defend(reply) {
                    // Black may not play there, and has others.
                    Err(PlayFault::Forbidden(..)) => continue,
                    other => assert!(other.is_ok(), "{other:?}"),
                }
                assert!(shown.plies_left() < left, "it comes nearer");
                left = shown.plies_left();
            }
            assert_eq!(shown.end().unwrap().result, GameResult::Win(attacker));
            tried += 1;
        }
    }
    assert_eq!(tried, 2000);
}

#[test]
fn another_defence_can_be_tried_and_nothing_after_the_end() {
    // Black's three is open, and it is black's turn: an open four.
    let game = game_of("h8a1h9c1h10e1", Rule::Freestyle);
    let mut prover = Prover::new(1 << 20);
    let win = ProvenWin::find(&mut prover, &mut game.position(), 10_000, &Stop::new()).unwrap();
    assert_eq!((win.ahead.means, win.ahead.plies), (WinMeans::Fours, 3));
    let mut shown = ShownWin::new(game, win.attack).unwrap();
    assert_eq!((shown.attacker(), shown.plies_left()), (Color::Black, 2));
    assert_eq!(shown.take_back(), Err(PlayFault::TakeBack(0)));
    let start = shown.clone();
    let first = shown.game().moves().last().unwrap().point().unwrap();
    let occupied = PlayFault::Move(PlayError::Occupied(first));
    assert_eq!(shown.defend(first), Err(occupied));
    for reply in start.critical().into_iter().chain([point("o15")]) {
        assert!(shown.defend(reply).unwrap().is_some());
        assert_eq!(shown.end().unwrap().result, GameResult::Win(Color::Black));
        let over = PlayFault::Move(PlayError::GameOver);
        assert_eq!(shown.defend(point("a15")), Err(over));
        shown.take_back().unwrap();
        assert_eq!((shown.game().moves(), shown.end()), (start.game().moves(), None));
    }
}

#[test]
fn a_coach_shows_a_win_or_says_that_there_is_none() {
    let (mut coach, answers) = Coach::start(false, Effort::Nodes(300));
    let game = game_of("h8a1h9c1h10e1", Rule::Freestyle);
    coach.look_for_win(&game);
    assert!(coach.is_busy());
    match coach.answer(answers.recv().unwrap(), &game) {
        Some(CoachVerdict::Win(shown, ahead)) => {
            assert_eq!((shown.attacker(), ahead.plies), (Color::Black, 3));
        }
        other => panic!("{other:?}"),
    }
    assert!(!coach.is_busy());
    let quiet = game_of("h8", Rule::Freestyle);
    coach.look_for_win(&quiet);
    let verdict = coach.answer(answers.recv().unwrap(), &quiet);
    assert_eq!(verdict, Some(CoachVerdict::NoWin(Color::White)));
}

#[test]
fn a_coach_warns_of_a_move_once_and_of_no_other() {
    // White has an open three; black has to answer.
    let game = game_of("a1h8c1h9e1h10", Rule::Freestyle);
    let (mut coach, answers) = Coach::start(true, Effort::Nodes(300));
    let idle = point("o15");
    assert!(coach.checks_move(&game, idle));
    assert_eq!(coach.checks(), Some(idle));
    match coach.answer(answers.recv().unwrap(), &game) {
        Some(CoachVerdict::Loses(cell, Color::White, ahead)) => {
            assert_eq!((cell, ahead.means, ahead.plies), (idle, WinMeans::Fours, 3));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(coach.warned(&game), Some(idle));
    assert!(!coach.checks_move(&game, idle), "it is meant");
    assert!(!coach.checks_move(&game, point("h8")), "it cannot be played");
    let answer = point("h11");
    assert!(coach.checks_move(&game, answer));
    let verdict = coach.answer(answers.recv().unwrap(), &game);
    assert_eq!(verdict, Some(CoachVerdict::Safe(answer)));
    // Nobody is warned where everything loses, nor where nobody wants it.
    let lost = game_of("a1h8c1h9e1h10g1h11", Rule::Freestyle);
    assert!(!coach.checks_move(&lost, idle));
    coach.is_teaching = false;
    assert!(!coach.checks_move(&game, idle));
}

#[test]
fn a_coach_warns_of_a_move_that_throws_a_win_away() {
    // Black's three is open, and it is black's turn.
    let game = game_of("h8a1h9c1h10e1", Rule::Freestyle);
    let (mut coach, answers) = Coach::start(true, Effort::Nodes(300));
    for (cell, is_safe) in [
        ("o15", false), // quiet
        ("h11", true),  // the open four
        ("h7", true),   // the other one
        ("h12", false), // a four that its only answer breaks up
    ] {
        let cell = point(cell);
        assert!(coach.checks_move(&game, cell), "{cell}");
        match coach.answer(answers.recv().unwrap(), &game) {
            Some(CoachVerdict::Safe(_)) => assert!(is_safe, "{cell}"),
            Some(CoachVerdict::Drops(_, Color::Black, ahead)) => {
                assert!(!is_safe, "{cell}");
                assert_eq!((ahead.means, ahead.plies), (WinMeans::Fours, 3));
                assert_eq!(coach.warned(&game), Some(cell));
            }
            other => panic!("{cell}: {other:?}"),
        }
    }
}

#[test]
fn an_answer_that_is_not_wanted_any_more_is_dropped() {
    let (mut coach, answers) = Coach::start(true, Effort::Nodes(300));
    let game = game_of("h8a1h9c1h10e1", Rule::Freestyle);
    coach.look_for_win(&game);
    assert!(coach.forget() && !coach.forget());
    assert_eq!(coach.answer(answers.recv().unwrap(), &game), None);
    coach.look_for_win(&game);
    let other = game_of("h8", Rule::Freestyle);
    assert_eq!(coach.answer(answers.recv().unwrap(), &other), None, "another position");
    assert!(!coach.is_busy());
}

/// Takes answers until one is more than progress.
fn verdict(
    coach: &mut Coach,
    answers: &Receiver<CoachAnswer>,
    game: &CasualGame,
) -> Option<CoachVerdict> {
    while coach.is_busy() {
        if let Some(verdict) = coach.answer(answers.recv().unwrap(), game) {
            return Some(verdict);
        }
    }
    None
}

#[test]
fn a_game_is_reviewed_and_walked_through_fault_by_fault() {
    // Black leaves an open three alone.
    let game = game_of("h8a1h9c1h10e1a15g1h11i1h12", Rule::Freestyle);
    assert!(game.end().is_some());
    let (mut coach, answers) = Coach::start(false, Effort::Nodes(300));
    coach.review(&game, ReviewTask::of_record(&game.record(), 0).unwrap());
    assert_eq!(coach.reviewed(), Some((0, 12)));
    assert_eq!(coach.answer(answers.recv().unwrap(), &game), None);
    assert_eq!(coach.reviewed(), Some((1, 12)));
    let review = match verdict(&mut coach, &answers, &game) {
        Some(CoachVerdict::Reviewed(Some(review))) => review,
        other => panic!("{other:?}"),
    };
    assert_eq!((coach.reviewed(), review.moves.len()), (None, 11));
    let mut debrief = Debrief::new(game.clone(), *review).expect("there are blunders");
    let (_, count) = debrief.place();
    let mut plies = Vec::new();
    for i in 1..=count + 1 {
        let current = debrief.current();
        assert!(current.has_better());
        assert_eq!(debrief.game().moves().len() + 1, current.ply);
        assert_eq!(debrief.place().0, i.min(count));
        plies.push(current.ply);
        debrief.step(true);
    }
    assert!(plies.contains(&7), "{plies:?}");
    assert!(plies.windows(2).all(|pair| pair[0] <= pair[1]));
    for _ in 0..=count {
        debrief.step(false);
    }
    assert_eq!((debrief.place(), debrief.whole()), ((1, count), &game));
}

#[test]
fn a_game_without_faults_is_not_walked_through() {
    let game = game_of("h8", Rule::Freestyle);
    let (mut coach, answers) = Coach::start(false, Effort::Nodes(300));
    coach.review(&game, ReviewTask::of_record(&game.record(), 0).unwrap());
    match verdict(&mut coach, &answers, &game) {
        Some(CoachVerdict::Reviewed(Some(review))) => {
            assert_eq!(Debrief::new(game.clone(), *review), None);
        }
        other => panic!("{other:?}"),
    }
    coach.review(&game, ReviewTask::of_record(&game.record(), 0).unwrap());
    assert!(coach.forget());
    assert_eq!(verdict(&mut coach, &answers, &game), None);
}

#[test]
fn a_map_tells_what_is_threatened_and_what_is_left() {
    let game = game_of("a1h8c1h9e1h10", Rule::Freestyle);
    let map = ThreatMap::of(&game).unwrap();
    assert_eq!(map.made_by(Color::White, point("h11")), Some(Threat::OpenFour));
    assert_eq!(map.made_by(Color::Black, point("h11")), None);
    let answers = map.answers().expect("a three has to be answered");
    assert!(matches!(map.check, ThreatCheck::Open(Replies::StopFour(_))));
    assert!(answers.contains(point("h7")) && answers.contains(point("h11")));
    assert!(!answers.contains(point("o15")));
    // Black's stone at h8 would make two threes.
    let renju = game_of("g8a1i8a3h7a5h9a7", Rule::Renju);
    let map = ThreatMap::of(&renju).unwrap();
    assert_eq!(map.why_forbidden(point("h8")), Some(Violation::DoubleThree));
    assert_eq!(map.made_by(Color::Black, point("h8")), None);
    assert_eq!(map.why_forbidden(point("h10")), None);
    let over = game_of("h8a1h9c1h10e1h11g1h12", Rule::Freestyle);
    assert_eq!(ThreatMap::of(&over), None);
}

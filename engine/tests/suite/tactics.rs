//! Claims about threats, compared with exhaustive search.

use crate::asked::{Asked, nodes, setup};
use crate::bounded::{Bound, Bounded};
use crate::brute::Brute;
use crate::common::forced_wins;
use tengen_core::board::Board;
use tengen_core::eval::EvaluatorKind;
use tengen_core::notation::{Stones, parse_moves};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, find_winner, winning_run};
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::{Cell, Color, Dir, Point, PointSet, Score, ScoreKind, Size};
use tengen_engine::engine::Settings;

/// Returns a board with stones in lines: a few stretches of five or six cells with some stones
/// of one colour each, and some noise. No edge is longer than `longest`.
fn crowded_lines(rng: &mut SplitMix64, longest: usize) -> Board {
    let edge = |rng: &mut SplitMix64| 6 + rng.below(longest - 5) as i64;
    let size = Size::new(edge(rng), edge(rng)).unwrap();
    let mut board = Board::new(size);
    let points: Vec<Point> = size.points().collect();
    if rng.below(8) == 0 {
        board.place_wall(points[rng.below(points.len())]);
    }
    for _ in 0..2 + rng.below(5) {
        let color = Color::ALL[rng.below(2)];
        let (start, dir) = (points[rng.below(points.len())], Dir::ALL[rng.below(4)]);
        let length = 5 + rng.below(2) as i32;
        let density = 2 + rng.below(3);
        for steps in 0..length {
            let point = start.offset(dir, steps).filter(|&p| size.contains(p));
            if let Some(point) = point
                && rng.below(5) < density
                && board.is_empty(point)
            {
                board.place(point, color);
            }
        }
    }
    for _ in 0..rng.below(16) {
        let point = points[rng.below(points.len())];
        if board.is_empty(point) {
            board.place(point, Color::ALL[rng.below(2)]);
        }
    }
    board
}

/// Returns what is wrong with what is said of a position, if anything.
fn fault(brute: &mut Brute, us: Color, situation: ThreatCheck) -> Option<String> {
    match situation {
        ThreatCheck::Win(plies) => {
            let plies = usize::from(plies);
            if !brute.wins_within(us, plies) {
                return Some("there is no such win".into());
            }
            (plies > 1 && brute.wins_within(us, plies - 2)).then(|| "a shorter win exists".into())
        }
        ThreatCheck::Loss(plies) => {
            let plies = usize::from(plies);
            if !brute.loses_within(us, plies) {
                let saves = |b: &mut Brute, p| {
                    b.place(p, us);
                    let lost = b.wins_within(!us, plies - 1);
                    b.remove(p, us);
                    !lost
                };
                let moves = brute.legal_moves(us);
                let good: Vec<Point> = moves.into_iter().filter(|&p| saves(brute, p)).collect();
                return Some(format!("it is not lost, for example {good:?}"));
            }
            (plies > 2 && brute.loses_within(us, plies - 2)).then(|| "it is lost sooner".into())
        }
        ThreatCheck::Open(replies) => {
            let plies = match replies {
                Replies::All => {
                    let five = Color::ALL.into_iter().any(|color| brute.has_five(color));
                    return five.then(|| "a five is overlooked".into());
                }
                Replies::Forced(_) | Replies::StopFive(_) => 1,
                Replies::StopFour(_) => 3,
                Replies::StopFourThree(_) => 5,
            };
            let set = replies.set().unwrap_or(PointSet::EMPTY);
            if set.is_empty() {
                return Some("no reply is left".into());
            }
            let moves = brute.legal_moves(us);
            if let Some(point) = set.iter().find(|p| !moves.contains(p)) {
                return Some(format!("{point} is not legal"));
            }
            let left_out = moves.into_iter().filter(|&p| !set.contains(p));
            let saving: Vec<Point> = left_out
                .filter(|&point| {
                    brute.place(point, us);
                    let lost = brute.wins_within(!us, plies);
                    brute.remove(point, us);
                    !lost
                })
                .collect();
            (!saving.is_empty()).then(|| format!("{saving:?} left out but not lost"))
        }
    }
}

/// Returns a number for each kind of claim.
fn kind(situation: ThreatCheck) -> usize {
    match situation {
        ThreatCheck::Win(1) => 0,
        ThreatCheck::Win(3) => 1,
        ThreatCheck::Win(_) => 2,
        ThreatCheck::Loss(2) => 3,
        ThreatCheck::Loss(_) => 4,
        ThreatCheck::Open(Replies::All) => 5,
        ThreatCheck::Open(Replies::Forced(_)) => 6,
        ThreatCheck::Open(Replies::StopFive(_)) => 7,
        ThreatCheck::Open(Replies::StopFour(_)) => 8,
        ThreatCheck::Open(Replies::StopFourThree(_)) => 9,
    }
}

const KINDS: usize = 10;

/// Judges `full_threat_check` on random positions. Of each kind at most `most` are looked at for each rule.
fn judge(
    seed: u64,
    longest: usize,
    positions: usize,
    most: usize,
) -> ([[usize; KINDS]; 5], Vec<String>) {
    let mut rng = SplitMix64::new(seed);
    let mut seen = [[0; KINDS]; 5];
    let mut faults = Vec::new();
    for _ in 0..positions {
        let rule = Rule::ALL[rng.below(5)];
        let us = Color::ALL[rng.below(2)];
        let board = crowded_lines(&mut rng, longest);
        if find_winner(&board, rule).is_some() || board.empty_cells() < 8 {
            continue;
        }
        let mut position = Position::from_board(rule, board.clone(), us);
        let situation = full_threat_check(&mut position);
        let count = &mut seen[rule as usize][kind(situation)];
        if *count == most {
            continue;
        }
        *count += 1;
        if let Some(fault) = fault(&mut Brute::new(rule, &board), us, situation) {
            let set: Vec<Point> = match situation {
                ThreatCheck::Open(replies) => {
                    replies.set().iter().flat_map(PointSet::iter).collect()
                }
                _ => Vec::new(),
            };
            let stones = Stones::of_board(&board);
            let name = format!("{situation:?}");
            let name = name.split("(PointSet").next().unwrap_or_default();
            faults
                .push(format!("{rule}, {us} to move: {name} {set:?}: {fault}\n{stones}{board:?}"));
        }
    }
    (seen, faults)
}

#[test]
fn what_the_threats_decide_is_confirmed_by_trying_every_move() {
    let (seen, faults) = judge(7, 8, 20_000, 60);
    assert!(faults.is_empty(), "{}: {}", faults.len(), faults.join("\n"));
    for rule in Rule::ALL {
        let caro = matches!(rule, Rule::Caro | Rule::CaroExact);
        for (kind, &n) in seen[rule as usize].iter().enumerate() {
            // Only caro leaves a choice of answers to a five; it alone claims nothing of fours
            // with threes.
            let never = if caro { [2, 9].contains(&kind) } else { kind == 7 };
            assert!(n >= 10 || never, "{rule}: kind {kind} was seen {n} times");
        }
    }
}

#[test]
#[ignore = "takes minutes; run after changes to the threats"]
fn what_the_threats_decide_is_confirmed_on_many_positions() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed = variable("SEED").unwrap_or(1);
    let positions = variable("POSITIONS").unwrap_or(200_000);
    let longest = variable("LONGEST").unwrap_or(8);
    let (seen, faults) = judge(seed, longest as usize, positions as usize, usize::MAX);
    for rule in Rule::ALL {
        println!("{rule}: {:?}", seen[rule as usize]);
    }
    assert!(faults.is_empty(), "{}: {}", faults.len(), faults.join("\n"));
}

#[test]
fn the_search_by_brute_force_knows_the_winning_rows_of_the_rules() {
    let mut rng = SplitMix64::new(3);
    let mut wins = 0;
    for _ in 0..2_000 {
        let rule = Rule::ALL[rng.below(5)];
        let board = crowded_lines(&mut rng, 8);
        let brute = Brute::new(rule, &board);
        for point in board.size().points() {
            for color in Color::ALL {
                let expected = board.cell(point) == Cell::Empty
                    && winning_run(&board, point, color, rule).is_some();
                assert_eq!(brute.wins_at(point, color), expected, "{rule} {point}{board:?}");
                wins += usize::from(expected);
            }
        }
    }
    assert!(wins > 500, "{wins}");
}

/// Asks the engine for the forced wins of the data files: of each file every `stride`-th, under a
/// limit of nodes. Returns how many there were and how many of them were proven, by rule and size.
fn solve(stride: usize, limit: u64) -> Vec<(String, usize, usize)> {
    let mut asked = Asked::new(Settings { max_memory: Some(64 << 20), ..Settings::default() });
    let mut rates: Vec<(String, usize, usize)> = Vec::new();
    for (i, case) in forced_wins().iter().enumerate() {
        let name = format!("{} {}", case.rule, case.size);
        if rates.last().is_none_or(|(last, _, _)| *last != name) {
            rates.push((name, 0, 0));
        } else if i % stride != 0 {
            continue;
        }
        let mut board = Board::new(case.size);
        for (number, &point) in case.moves.iter().enumerate() {
            board.place(point, Color::to_move_after(number));
        }
        let us = Color::to_move_after(case.moves.len());
        asked.new_game();
        let said = asked.ask(setup(case.rule, &board, us), nodes(limit, true));
        if let Some(rate) = rates.last_mut() {
            rate.1 += 1;
            rate.2 += usize::from(said.score().is_some_and(Score::is_win));
        }
    }
    for (name, all, solved) in &rates {
        println!("{name}: {solved} of {all} forced wins proven within {limit} nodes");
    }
    rates
}

#[test]
fn most_forced_wins_are_proven_with_few_nodes() {
    for (name, all, solved) in solve(10, 30_000) {
        assert!(all >= 5 && 3 * solved >= all, "{name}: {solved} of {all}");
    }
}

#[test]
#[ignore = "takes minutes; shows what a change to the search is worth"]
fn nearly_all_forced_wins_are_proven_with_many_nodes() {
    for (name, all, solved) in solve(1, 1_000_000) {
        assert!(10 * solved >= 8 * all, "{name}: {solved} of {all}");
    }
}

/// Positions in which wins were once reported that took longer when they were played out.
const CLAIMS: [(Rule, i64, &str); 7] = [
    (Rule::Standard, 12, "d7j7g9g10d6h10d8d9f10h9i8j8d5d4f1"),
    (Rule::Caro, 15, "e9i11h5i9f8e6g7h6f7g10"),
    (Rule::Freestyle, 15, "j6h10e9f11g7g10"),
    (Rule::CaroExact, 20, "l13h9j13m13n12i8k14j7g10j12"),
    (Rule::Standard, 15, "f8g7k5h11i6h8f6f7h7b7"),
    (Rule::Renju, 12, "g7i10d4h8g6i7e12"),
    (Rule::Freestyle, 12, "h6j9i6e8j7k8"),
];

/// Plays a game on from a position, and returns the score that was reported before each move with
/// what becomes of its length when every defence is tried.
fn claims(rule: Rule, size: Size, moves: &[Point], limit: u64) -> Vec<(Score, Bounded)> {
    // The positions are those of searches with the tables.
    let evaluator = EvaluatorKind::Patterns;
    let settings = Settings { max_memory: Some(64 << 20), evaluator, ..Settings::default() };
    let mut asked = Asked::new(settings);
    let mut board = Board::new(size);
    let mut position = Position::new(rule, size);
    for (number, &point) in moves.iter().enumerate() {
        board.place(point, Color::to_move_after(number));
        position.play_unchecked(point);
    }
    let mut claims = Vec::new();
    for number in moves.len()..moves.len() + 40 {
        let us = Color::to_move_after(number);
        let said = asked.ask(setup(rule, &board, us), nodes(limit, true));
        let score = said.score().unwrap_or_default();
        let mut bound = Bound::new(3_000_000, 1);
        let found = match score.kind() {
            ScoreKind::Win(plies) => bound.wins(&mut position, plies.into()),
            ScoreKind::Loss(plies) => bound.loses(&mut position, plies.into()),
            ScoreKind::Value(_) => Bounded::Proven,
        };
        claims.push((score, found));
        if winning_run(&board, said.point, us, rule).is_some() {
            break;
        }
        board.place(said.point, us);
        position.play_unchecked(said.point);
    }
    claims
}

#[test]
fn a_win_takes_no_longer_than_was_reported() {
    let mut wins = 0;
    for (rule, edge, cells) in CLAIMS {
        let size = Size::square(edge).unwrap();
        let moves = parse_moves(cells, size).unwrap();
        let claims = claims(rule, size, &moves, 5_000);
        let told: Vec<String> =
            claims.iter().map(|(score, found)| format!("{score} {found:?}")).collect();
        let told = format!("{rule} {edge} {cells}: {}", told.join(", "));
        println!("{told}");
        for (i, (score, found)) in claims.iter().enumerate() {
            assert_eq!(*found, Bounded::Proven, "{told}");
            if let ScoreKind::Win(plies) = score.kind() {
                wins += 1;
                let rest = claims.len() - i;
                assert!(rest <= plies.into(), "{rest} plies played for {score} in {told}");
            }
        }
    }
    assert!(wins > 40, "{wins}");
}

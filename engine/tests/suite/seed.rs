//! Mistakes of earlier programs, tested with the real engine.
//!
//! The author of 基于博弈树的五子棋 AI 算法及其 C++ 实现 lists the faults of his program: it answers an open
//! three one cell too far away, it does not see a double three coming, and without any variety
//! the same line loses for ever.

use crate::asked::{Asked, clock, nodes, setup};
use crate::brute::Brute;
use tengen_core::board::Board;
use tengen_core::eval::EvaluatorKind;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, find_winner};
use tengen_core::types::{Color, Dir, Point, Size};
use tengen_engine::engine::Settings;

/// The node limit of one answer.
const NODES: u64 = 10_000;

/// Returns a point of a board at random.
fn somewhere(rng: &mut SplitMix64, size: Size) -> Point {
    let points: Vec<Point> = size.points().collect();
    points[rng.below(points.len())]
}

/// An open three of the opponent, its five cells with the touching ends, and who must answer.
struct OpenThree {
    board: Board,
    row: [Point; 5],
    us: Color,
}

/// Lays an open three with one more empty cell at least on one side, so that it is one under
/// every rule, and as many stones of the other side so that the turn is right. These stand near,
/// but not on the line.
fn open_three(rng: &mut SplitMix64, size: Size, dir: Dir, them: Color) -> Option<OpenThree> {
    let start = somewhere(rng, size);
    let at = |steps| start.offset(dir, steps).filter(|&p| size.contains(p));
    let row = [at(0)?, at(1)?, at(2)?, at(3)?, at(4)?];
    // The cells beyond the ends, either of which may be the edge, but not both.
    let beyond = [at(-1), at(5)];
    if beyond == [None; 2] {
        return None;
    }
    let mut board = Board::new(size);
    for point in &row[1..4] {
        board.place(*point, them);
    }
    let ours = if them == Color::Black { 2 } else { 3 };
    let mut left = ours;
    for _ in 0..100 {
        let point = somewhere(rng, size);
        let on_line = (-6..12).any(|steps| at(steps) == Some(point));
        if left > 0 && board.is_empty(point) && !on_line && point.distance(row[2]) <= 4 {
            board.place(point, !them);
            left -= 1;
        }
    }
    (left == 0).then_some(OpenThree { board, row, us: !them })
}

/// Returns whether a stone of `color` on `point` makes a four.
fn makes_four(brute: &mut Brute, point: Point, color: Color) -> bool {
    brute.place(point, color);
    let four = brute.has_five(color);
    brute.remove(point, color);
    four
}

/// Returns whether a stone one or two cells further away from the middle of a row of three than its
/// end holds the game: one away if the other end is at the edge, since no four has two ends then. In
/// caro it can enclose a five, and two away if the other end is at the edge.
fn holds_from_afar(brute: &mut Brute, point: Point, middle: Point, us: Color) -> bool {
    brute.place(point, us);
    let lost = brute.wins_within(!us, 5);
    brute.remove(point, us);
    !lost && matches!(point.distance(middle), 3 | 4)
}

#[test]
fn an_open_three_is_answered_where_that_stops_it_or_by_a_four() {
    let mut rng = SplitMix64::new(21);
    let mut asked = Asked::new(Settings { max_memory: Some(64 << 20), ..Settings::default() });
    let mut near_edge = 0;
    for size in [15, 20].map(|edge| Size::square(edge).unwrap()) {
        for rule in Rule::ALL {
            for dir in Dir::ALL {
                for them in Color::ALL {
                    for _ in 0..3 {
                        let three = loop {
                            match open_three(&mut rng, size, dir, them) {
                                Some(three) => break three,
                                None => continue,
                            }
                        };
                        let OpenThree { board, row, us } = &three;
                        near_edge += usize::from(row.iter().any(|&p| size.edge_distance(p) == 0));
                        let said = asked.ask(setup(rule, board, *us), nodes(NODES, false));
                        let touches = said.point == row[0] || said.point == row[4];
                        let mut brute = Brute::new(rule, board).only_near(3);
                        let good = touches
                            || makes_four(&mut brute, said.point, *us)
                            || holds_from_afar(&mut brute, said.point, row[2], *us);
                        assert!(good, "{rule}, {us} plays {}{board:?}", said.point);
                    }
                }
            }
        }
    }
    assert!(near_edge >= 20, "only {near_edge} near the edge");
}

/// Two lines of two stones of the opponent's that cross in an empty cell, and who must answer.
fn crossing_twos(rng: &mut SplitMix64, size: Size, them: Color) -> Option<Board> {
    const TWOS: [[i32; 2]; 5] = [[-1, 1], [1, 2], [-2, -1], [1, 3], [-1, 2]];
    let corner = somewhere(rng, size);
    let first = rng.below(4);
    let second = (first + 1 + rng.below(3)) % 4;
    let mut board = Board::new(size);
    for dir in [first, second].map(|i| Dir::ALL[i]) {
        for steps in TWOS[rng.below(TWOS.len())] {
            let point = corner.offset(dir, steps).filter(|&p| size.contains(p))?;
            board.place(point, them);
        }
    }
    let mut left = if them == Color::Black { 3 } else { 4 };
    for _ in 0..100 {
        let point = somewhere(rng, size);
        if left > 0 && board.is_empty(point) && point != corner && point.distance(corner) <= 3 {
            board.place(point, !them);
            left -= 1;
        }
    }
    (left == 0).then_some(board)
}

#[test]
fn a_double_three_is_seen_coming() {
    let mut rng = SplitMix64::new(22);
    let mut asked = Asked::new(Settings { max_memory: Some(64 << 20), ..Settings::default() });
    let size = Size::square(15).unwrap();
    for rule in Rule::ALL {
        let mut prevented = 0;
        while prevented < 6 {
            // In renju it is black that is not allowed to make two threes.
            let them = if rule == Rule::Renju { Color::White } else { Color::ALL[rng.below(2)] };
            let us = !them;
            let Some(board) = crossing_twos(&mut rng, size, them) else { continue };
            let mut brute = Brute::new(rule, &board).only_near(2);
            // A double three and nothing faster, on a board where nobody is winning already.
            if find_winner(&board, rule).is_some()
                || brute.wins_within(them, 3)
                || !brute.wins_within(them, 5)
                || brute.wins_within(us, 5)
            {
                continue;
            }
            let mut is_saved_by = |point: Point| {
                brute.place(point, us);
                let saved = !brute.wins_within(them, 5);
                brute.remove(point, us);
                saved
            };
            let said = asked.ask(setup(rule, &board, us), nodes(NODES, false));
            if is_saved_by(said.point) {
                prevented += 1;
                continue;
            }
            let better = board.empties().iter().find(|&point| is_saved_by(point));
            assert_eq!(better, None, "{rule}, {us} plays {}{board:?}", said.point);
        }
    }
}

#[test]
fn games_from_the_empty_board_are_not_all_the_same() {
    let size = Size::square(15).unwrap();
    let mut asked = Asked::new(Settings { max_memory: Some(64 << 20), ..Settings::default() });
    let mut games: Vec<Vec<Point>> = Vec::new();
    for _ in 0..8 {
        asked.new_game();
        let mut moves = Vec::new();
        let mut board = Board::new(size);
        for number in 0..4 {
            let color = Color::to_move_after(number);
            let said = asked.ask(setup(Rule::Freestyle, &board, color), clock(20));
            board.place(said.point, color);
            moves.push(said.point);
        }
        if !games.contains(&moves) {
            games.push(moves);
        }
    }
    // Eight games of eight second moves alone: that they are all alike happens once in millions.
    assert!(games.len() > 1, "always {:?}", games[0]);
}

#[test]
fn a_node_limit_makes_games_repeat() {
    let size = Size::square(15).unwrap();
    let board = {
        let mut board = Board::new(size);
        for (i, (x, y)) in [(7, 7), (8, 8), (7, 9), (9, 7)].into_iter().enumerate() {
            board.place(size.point(x, y).unwrap(), Color::to_move_after(i));
        }
        board
    };
    for evaluator in EvaluatorKind::ALL {
        let settings = Settings { max_memory: Some(64 << 20), evaluator, ..Settings::default() };
        let mut asked = Asked::new(settings);
        let first = asked.ask(setup(Rule::Standard, &board, Color::Black), nodes(NODES, false));
        asked.new_game();
        let again = asked.ask(setup(Rule::Standard, &board, Color::Black), nodes(NODES, false));
        assert_eq!((first.point, first.score()), (again.point, again.score()), "{evaluator}");
    }
}

#[test]
fn every_evaluator_can_be_chosen_and_makes_a_difference() {
    let mut rng = SplitMix64::new(23);
    let size = Size::square(15).unwrap();
    let mut asked = Asked::new(Settings::default());
    let mut differ = 0;
    for _ in 0..6 {
        let mut board = Board::new(size);
        for number in 0..8 {
            let free: Vec<Point> = size
                .points()
                .filter(|&p| board.is_empty(p) && p.distance(size.center()) <= 3)
                .collect();
            board.place(free[rng.below(free.len())], Color::to_move_after(number));
        }
        let scores = EvaluatorKind::ALL.map(|evaluator| {
            let settings =
                Settings { max_memory: Some(64 << 20), evaluator, ..Settings::default() };
            asked.set_settings(settings);
            let said = asked.ask(setup(Rule::Freestyle, &board, Color::Black), nodes(2_000, true));
            assert!(board.is_empty(said.point), "{evaluator} plays {}{board:?}", said.point);
            said.score()
        });
        differ += usize::from(scores.windows(2).all(|pair| pair[0] != pair[1]));
    }
    assert!(differ > 2, "the evaluators differ in {differ} positions of 6");
}

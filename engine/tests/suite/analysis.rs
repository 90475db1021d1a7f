//! Several lines, moves left out, and balance: what analysts ask of the engine.

use std::collections::BTreeSet;

use crate::asked::{Asked, Effort, depth, nodes, setup};
use crate::brute::Brute;
use tempfile::TempDir;
use tengen_core::board::{Board, Symmetry};
use tengen_core::eval::EvaluatorKind;
use tengen_core::notation::parse_cell;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, find_winner, violation};
use tengen_core::search::{BalanceStones, BalanceTask, Report};
use tengen_core::types::{Color, Point, Score, Size};
use tengen_engine::engine::{Answer, FileAction, OpeningStep, Scope, Settings, Setup, Task};

fn lines(lines: usize) -> Scope {
    Scope { lines, ..Scope::default() }
}

/// Returns a position from cells such as `h8`, played by black and white in turn.
fn played(rule: Rule, cells: &str) -> Setup {
    let size = Size::DEFAULT;
    let points = cells.split(' ').map(|cell| parse_cell(cell, size).unwrap());
    let stones: Vec<(Point, Color)> =
        points.enumerate().map(|(i, point)| (point, Color::ALL[i % 2])).collect();
    let to_move = Color::ALL[stones.len() % 2];
    Setup { size, rule, stones, walls: Vec::new(), to_move }
}

fn cell(text: &str) -> Point {
    parse_cell(text, Size::DEFAULT).unwrap()
}

fn the_move(answer: &Answer) -> Point {
    match answer {
        Answer::Moves(points) if points.len() == 1 => points[0],
        other => panic!("no move but {other:?}"),
    }
}

/// Returns a board with some stones near its middle and nobody's five.
fn scattered(rng: &mut SplitMix64, rule: Rule, stones: usize) -> Option<Board> {
    let size = Size::square(9).unwrap();
    let mut board = Board::new(size);
    for i in 0..stones {
        let point = size.point(2 + rng.below(5) as i64, 2 + rng.below(5) as i64)?;
        if board.is_empty(point) {
            board.place(point, Color::ALL[i % 2]);
        }
    }
    (find_winner(&board, rule).is_none()).then_some(board)
}

fn first_moves(report: &Report) -> Vec<Point> {
    report.lines.iter().map(|line| line.pv[0]).collect()
}

#[test]
fn the_lines_are_the_best_moves_in_order() {
    let mut asked = Asked::new(Settings::default());
    let mut rng = SplitMix64::new(3);
    for rule in Rule::ALL {
        for _ in 0..4 {
            let Some(board) = scattered(&mut rng, rule, 10) else { continue };
            let setup = setup(rule, &board, Color::Black);
            asked.new_game();
            let (answer, report) = asked.ask_for(setup, depth(6), Task::Move, lines(5));
            let report = report.unwrap();
            assert_eq!(report.lines.len(), 5);
            assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score), "{report:?}");
            assert!(report.lines.iter().all(|line| line.depth == report.lines[0].depth));
            let firsts = first_moves(&report);
            assert_eq!(the_move(&answer), firsts[0]);
            for (i, first) in firsts.iter().enumerate() {
                assert!(board.is_empty(*first) && !firsts[..i].contains(first), "{firsts:?}");
            }
        }
    }
}

/// Wherever the search is cut off, also where the best move of the last iteration has just lost its
/// place to another.
#[test]
fn the_last_report_names_the_move_that_is_played() {
    let mut asked = Asked::new(Settings::default());
    let mut rng = SplitMix64::new(5);
    let mut told = 0;
    for limit in 0..200 {
        let rule = Rule::ALL[limit as usize % 5];
        let Some(board) = scattered(&mut rng, rule, 6) else { continue };
        let setup = setup(rule, &board, Color::Black);
        asked.new_game();
        let said = asked.ask(setup, nodes(500 + 37 * limit, false));
        if let Some(report) = said.report {
            told += 1;
            assert_eq!(report.lines[0].pv[0], said.point, "{report:?}");
        }
    }
    assert!(told > 100, "{told} reports");
}

/// A search that is stopped while the best line gets less good does not know what the others are worth beside it.
#[test]
fn the_lines_of_a_depth_do_not_get_worse_when_the_next_one_is_cut_off() {
    let mut asked = Asked::new(Settings::default());
    let mut rng = SplitMix64::new(9);
    let mut compared = 0;
    for rule in Rule::ALL {
        let board = scattered(&mut rng, rule, 6).expect("few stones");
        let setup = setup(rule, &board, Color::Black);
        let mut told = |effort: Effort| {
            asked.new_game();
            asked.ask_for(setup.clone(), effort, Task::Move, lines(2)).1
        };
        let whole: Vec<Option<Report>> = (0..12).map(|plies| told(depth(plies.max(1)))).collect();
        for limit in 0..80 {
            let Some(report) = told(nodes(300 + 61 * limit, true)) else { continue };
            let [first, second] = &report.lines[..] else { continue };
            let Some(Some(whole)) = whole.get(first.depth as usize) else { continue };
            if first.depth == second.depth && !first.score.is_decisive() {
                compared += 1;
                assert!(first.score >= whole.lines[0].score, "{limit}: {report:?}, {whole:?}");
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// The keys of positions know neither the rule nor the size.
#[test]
fn nothing_is_kept_of_a_game_of_another_rule_or_size() {
    let told = |asked: &mut Asked, rule: Rule, size: Size| {
        let stones = played(rule, "h8 i9 g9 i7 i8");
        let setup = Setup { size, ..stones };
        let (_, report) = asked.ask_for(setup, depth(8), Task::Move, lines(1));
        let report = report.unwrap();
        (report.nodes, report.lines[0].score, report.lines[0].pv.clone())
    };
    let games = [
        (Rule::Freestyle, Size::DEFAULT),
        (Rule::Renju, Size::DEFAULT),
        (Rule::Freestyle, Size::DEFAULT),
        (Rule::Freestyle, Size::square(20).unwrap()),
    ];
    let mut asked = Asked::new(Settings::default());
    for (rule, size) in games {
        let alone = told(&mut Asked::new(Settings::default()), rule, size);
        assert_eq!(told(&mut asked, rule, size), alone, "{rule} {size}");
    }
}

/// Every move is judged, and what is said to lose or to win at once does.
#[test]
fn the_moves_that_lose_are_told_from_those_that_do_not() {
    let mut asked = Asked::new(Settings::default());
    let mut rng = SplitMix64::new(11);
    let (mut lost, mut held) = (0, 0);
    for round in 0..60 {
        let rule = Rule::ALL[round % 5];
        let Some(board) = scattered(&mut rng, rule, 13) else { continue };
        let setup = setup(rule, &board, Color::White);
        let brute = Brute::new(rule, &board);
        if brute.has_five(Color::White) || !brute.has_five(Color::Black) && round % 3 > 0 {
            continue;
        }
        let (_, report) = asked.ask_for(setup, depth(4), Task::Defend, Scope::default());
        let report = report.unwrap();
        let legal = brute.legal_moves(Color::White);
        let mut told = first_moves(&report);
        told.sort_unstable();
        assert_eq!(told, legal, "every legal move is judged");
        for line in &report.lines {
            let point = line.pv[0];
            let mut after = brute.clone();
            after.place(point, Color::White);
            let loses = after.wins_within(Color::Black, 3);
            if loses {
                lost += 1;
                assert!(line.score.is_loss(), "{rule}: {point} is {}\n{board:?}", line.score);
            } else if !line.score.is_decisive() {
                held += 1;
            }
        }
    }
    assert!(lost > 100 && held > 100, "{lost} lost, {held} held");
}

/// Nobody may pass, so black must play on the last point, and there six in a row are forbidden.
#[test]
fn black_loses_with_nothing_but_a_forbidden_point_left() {
    let rows = ["XXOOOX.", "OOOXOOX", "XXOOXXO", "XXX.XXO", "XXOOXXO", "OOXXOOX", "OXOOXXO"];
    let mut board = Board::new(Size::square(7).unwrap());
    for (point, cell) in board.size().points().zip(rows.concat().chars()) {
        match cell {
            'X' => board.place(point, Color::Black),
            'O' => board.place(point, Color::White),
            _ => {}
        }
    }
    let [harmless, forbidden] = [(6, 0), (3, 3)].map(|(x, y)| board.size().point(x, y).unwrap());
    assert!(violation(&board, forbidden).is_some() && violation(&board, harmless).is_none());
    let mut asked = Asked::new(Settings::default());
    for (rule, win) in [(Rule::Renju, true), (Rule::Standard, false)] {
        let (answer, report) =
            asked.ask_for(setup(rule, &board, Color::White), depth(4), Task::Move, lines(2));
        let best = &report.unwrap().lines[0];
        assert_eq!(best.score.is_win(), win, "{rule}: {}", best.score);
        assert!(!win || the_move(&answer) == harmless);
    }
}

#[test]
fn blocked_moves_are_not_played_while_there_is_another() {
    let mut asked = Asked::new(Settings::default());
    // Black completes a five at one end or the other.
    let four = played(Rule::Freestyle, "g8 a1 h8 c1 i8 e1 j8 g1");
    let mut blocked = Vec::new();
    for _ in 0..2 {
        let scope = Scope { blocked: blocked.clone(), ..Scope::default() };
        let (answer, _) = asked.ask_for(four.clone(), nodes(5000, false), Task::Move, scope);
        assert!([cell("f8"), cell("k8")].contains(&the_move(&answer)));
        blocked.push(the_move(&answer));
    }
    assert_ne!(blocked[0], blocked[1], "the other end");
    let free: Vec<Point> = Size::DEFAULT
        .points()
        .filter(|p| four.stones.iter().all(|(stone, _)| stone != p))
        .collect();
    let scope = Scope { blocked: free[1..].to_vec(), ..Scope::default() };
    let (answer, _) = asked.ask_for(four.clone(), nodes(5000, false), Task::Move, scope);
    assert_eq!(the_move(&answer), free[0], "the only move that is left");
    let scope = Scope { blocked: free, ..Scope::default() };
    let (answer, _) = asked.ask_for(four, nodes(5000, false), Task::Move, scope);
    assert!([cell("f8"), cell("k8")].contains(&the_move(&answer)), "no list that blocks all");
}

#[test]
fn a_blocked_path_leaves_a_move_out_deep_in_the_tree() {
    let mut asked = Asked::new(Settings::default());
    // Black can make a four with one end closed: white must answer at k8, and then has nothing to
    // fear that so few nodes would show.
    let moves = "g8 f8 h8 h9 i8 h7";
    let setup = played(Rule::Freestyle, moves);
    let ask = |asked: &mut Asked, paths: Vec<Vec<Point>>| {
        let scope = Scope { blocked_paths: paths, ..Scope::default() };
        asked.ask_for(setup.clone(), nodes(2000, false), Task::Move, scope).1.unwrap()
    };
    let free = ask(&mut asked, Vec::new());
    assert!(!free.lines[0].score.is_win(), "{free:?}");
    // Without white's only answers to the two fours each of them wins.
    let path =
        |last: &str| -> Vec<Point> { format!("{moves} {last}").split(' ').map(cell).collect() };
    let without = ask(&mut asked, vec![path("j8 k8")]);
    assert_eq!(without.lines[0].pv[0], cell("j8"));
    assert!(without.lines[0].score.is_win(), "{without:?}");
    // The path is blocked for the present move as well, and forgotten with the list.
    let here = ask(&mut asked, vec![path("j8 k8"), path("j8")]);
    assert_ne!(here.lines[0].pv[0], cell("j8"));
    let again = ask(&mut asked, Vec::new());
    assert!(!again.lines[0].score.is_win(), "{again:?}");
}

#[test]
fn symmetric_moves_count_as_one_if_that_is_wanted() {
    let mut asked = Asked::new(Settings::default());
    let center = played(Rule::Freestyle, "h8");
    for merge_symmetric in [true, false] {
        let scope = Scope { merge_symmetric, ..lines(Size::DEFAULT.area()) };
        let (_, report) = asked.ask_for(center.clone(), depth(2), Task::Move, scope);
        let firsts = first_moves(&report.unwrap());
        let images: BTreeSet<Point> =
            Symmetry::ALL.iter().map(|s| s.map(Size::DEFAULT, firsts[0])).collect();
        assert!(images.len() > 1, "{firsts:?}");
        let equal = firsts.iter().filter(|&p| images.contains(p)).count();
        assert_eq!(equal, if merge_symmetric { 1 } else { images.len() }, "{firsts:?}");
    }
}

#[test]
fn as_many_fifth_stones_are_offered_as_were_asked_for() {
    let mut asked = Asked::new(Settings::default());
    // The axis of the stones is that of the board, or another one.
    for (stones, axis) in [("h8 h9 h10 h7", "h1"), ("e8 e9 e10 e7", "e1")] {
        let setup = played(Rule::Renju, stones);
        for most in [1, 100, 20_000] {
            let task = Task::Opening(OpeningStep::Fifths { fifths: 6 });
            asked.new_game();
            let (answer, _) =
                asked.ask_for(setup.clone(), nodes(most, false), task, Scope::default());
            let Answer::Moves(offered) = answer else { panic!("no stones but {answer:?}") };
            let from_axis = |p: &Point| p.x().abs_diff(cell(axis).x());
            let classes: BTreeSet<(u8, u8)> =
                offered.iter().map(|p| (from_axis(p), p.y())).collect();
            assert_eq!((offered.len(), classes.len()), (6, 6), "{offered:?} of {most} nodes");
            assert!(offered.iter().all(|p| setup.stones.iter().all(|(stone, _)| stone != p)));
        }
    }
}

#[test]
fn balance_finds_what_comes_nearest_to_the_bias() {
    let mut asked = Asked::new(Settings::default());
    let setup = played(Rule::Freestyle, "h8 i9 g7");
    let ask = |asked: &mut Asked, stones, bias| {
        let task = Task::Balance(BalanceTask { stones, bias });
        asked.new_game();
        let (answer, report) = asked.ask_for(setup.clone(), depth(5), task, Scope::default());
        let Answer::Moves(moves) = answer else { panic!("no moves but {answer:?}") };
        (moves, report.unwrap().lines[0].score.raw())
    };
    let mut before = i32::MIN;
    for bias in [-250, -200, -150] {
        let (moves, score) = ask(&mut asked, BalanceStones::One, bias);
        assert_eq!(moves.len(), 1);
        assert!((score - bias).abs() < 150, "{score} for {bias}");
        assert!(score > before, "{score} after {before}");
        before = score;
    }
    for bias in [-60, 0, 60] {
        let (moves, score) = ask(&mut asked, BalanceStones::Two, bias);
        assert_eq!(moves.len(), 2);
        assert!((score - bias).abs() <= 5, "{score} for {bias}");
    }
}

#[test]
fn nothing_is_found_where_there_are_too_few_cells() {
    let mut asked = Asked::new(Settings::default());
    let size = Size::square(5).unwrap();
    // A board without five in a row and with one empty cell.
    let rows = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxoo."];
    let mut board = Board::new(size);
    for (y, row) in (0..).zip(rows) {
        for (x, c) in (0..).zip(row.chars()).filter(|&(_, c)| c != '.') {
            let color = if c == 'x' { Color::Black } else { Color::White };
            board.place(size.point(x, y).unwrap(), color);
        }
    }
    let setup = setup(Rule::Freestyle, &board, Color::Black);
    let task = |stones| Task::Balance(BalanceTask { stones, bias: 0 });
    let two = asked.ask_for(setup.clone(), depth(2), task(BalanceStones::Two), Scope::default());
    assert_eq!(two.0, Answer::NoMove);
    let one = asked.ask_for(setup, depth(2), task(BalanceStones::One), Scope::default());
    assert_eq!(one.0, Answer::Moves(vec![size.point(4, 4).unwrap()]));
}

#[test]
fn a_table_that_was_saved_and_loaded_repeats_the_first_iterations_at_once() {
    let dir = TempDir::with_prefix("tengen-analysis-").unwrap();
    let folder = dir.path();
    let path = folder.join("table.bin");
    let setup = played(Rule::Freestyle, "h8 i9 g7 i7 h6 h9");
    let nodes_to = |asked: &mut Asked, plies| {
        let scope = Scope::default();
        asked.ask_for(setup.clone(), depth(plies), Task::Move, scope).1.unwrap().nodes
    };
    // A small table, of which a short search uses a part that is seen.
    let small = || Asked::new(Settings { max_memory: Some(16 << 20), ..Settings::default() });
    let mut first = small();
    let fresh = nodes_to(&mut small(), 9);
    nodes_to(&mut first, 12);
    let used = first.table_usage();
    assert!(used.permille > 0 && used.bytes > 0, "{used:?}");
    // A size for later searches gives up nothing that is saved now.
    first.set(Settings {
        max_memory: Some(16 << 20),
        hash_size: Some(1 << 20),
        ..Settings::default()
    });
    assert!(first.table_file(FileAction::Save, &path).is_ok());

    let mut second = small();
    let told = second.table_file(FileAction::Load, &path);
    assert!(told.as_ref().is_ok_and(|text| text.contains("loaded")), "{told:?}");
    assert_eq!(second.table_usage(), used);
    let warm = nodes_to(&mut second, 9);
    assert!(warm < fresh * 3 / 4, "{warm} nodes instead of {fresh}");

    let mut other =
        Asked::new(Settings { evaluator: EvaluatorKind::Shapes, ..Settings::default() });
    assert!(other.table_file(FileAction::Load, &path).is_err(), "another evaluation");
    std::fs::write(&path, "no table").unwrap();
    assert!(other.table_file(FileAction::Load, &path).is_err());
    assert!(other.table_file(FileAction::Load, &folder.join("absent")).is_err());
    assert!(other.table_file(FileAction::Save, &folder.join("absent/table.bin")).is_err());
}

#[test]
fn a_blocked_point_gives_way_before_a_forbidden_one_is_played() {
    // Black would make six at f3.
    let setup = played(Rule::Renju, "c3 m13 d3 m11 e3 k13 g3 k11 h3 l8");
    let forbidden = cell("f3");
    assert!(violation(&board_of(&setup), forbidden).is_some());
    let stones: Vec<Point> = setup.stones.iter().map(|&(point, _)| point).collect();
    let asked_to_leave = |free: &[&str]| {
        let open: Vec<Point> = free.iter().map(|text| cell(text)).collect();
        let blocked = setup.size.points().filter(|p| !stones.contains(p) && !open.contains(p));
        let scope = Scope { blocked: blocked.collect(), ..Scope::default() };
        let mut asked = Asked::new(Settings::default());
        the_move(&asked.ask_for(setup.clone(), nodes(500, false), Task::Move, scope).0)
    };
    // Wherever else a point is left, near the stones or not, that is played.
    assert_eq!(asked_to_leave(&["f3", "a15"]), cell("a15"));
    assert_eq!(asked_to_leave(&["f3", "f4"]), cell("f4"));
    let answer = asked_to_leave(&["f3"]);
    assert!(answer != forbidden && !stones.contains(&answer), "{answer}");
}

/// Returns the board of a set-up.
fn board_of(setup: &Setup) -> Board {
    let mut board = Board::new(setup.size);
    setup.stones.iter().for_each(|&(point, color)| board.place(point, color));
    board
}

#[test]
fn a_balance_that_is_cut_off_in_its_first_depth_is_the_best_that_was_weighed() {
    let task = Task::Balance(BalanceTask { stones: BalanceStones::Two, bias: 0 });
    let setup = played(Rule::Freestyle, "h8 i7 j8 j6");
    let mut asked = Asked::new(Settings::default());
    let (answer, _) = asked.ask_for(setup.clone(), nodes(8000, false), task, Scope::default());
    let Answer::Moves(moves) = answer else { panic!("no moves but {answer:?}") };
    let mut then = setup;
    let colors = [then.to_move, !then.to_move];
    then.stones.extend(moves.iter().copied().zip(colors));
    let said = asked.ask(then, nodes(20_000, false));
    let score = said.score().expect("there are several moves").raw();
    assert!(score.abs() < 250, "{score} after {moves:?}");
}

#[test]
fn a_search_that_is_cut_off_proves_no_loss() {
    // White has a long win here; the move that a shallow search prefers loses.
    let at = |cells: &str| -> Vec<Point> {
        let number = |text: &str| text.parse::<i64>().expect("a number");
        let point = |cell: &str| {
            let (x, y) = cell.split_once(',').expect("two numbers");
            Size::DEFAULT.point(number(x), number(y)).expect("on the board")
        };
        cells.split(' ').map(point).collect()
    };
    let black = at("9,7 6,5 4,11 8,5 10,6 6,9 7,7 4,6 10,5");
    let white = at("6,10 4,10 9,6 3,8 9,3 8,9 8,7 6,7");
    let mut stones: Vec<(Point, Color)> = black.into_iter().map(|p| (p, Color::Black)).collect();
    stones.extend(white.into_iter().map(|p| (p, Color::White)));
    let setup = Setup {
        size: Size::DEFAULT,
        rule: Rule::Freestyle,
        stones,
        walls: Vec::new(),
        to_move: Color::White,
    };
    let mut asked = Asked::new(Settings::default());
    for most in 1..400 {
        asked.new_game();
        let said = asked.ask(setup.clone(), nodes(most, false));
        let score = said.score();
        assert!(
            score.is_none_or(|score| score > Score::eval(-15_000)),
            "{score:?} of {most} nodes"
        );
    }
    let score = asked.ask(setup, nodes(80_000, false)).score().expect("there are several moves");
    assert!(score.is_decisive() && score > Score::ZERO, "{score:?}");
}

//! Positions: moves, what was taken back, set-up positions, files.

use super::super::scripted::points;
use crate::play::{CasualGame, PlayFault};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, PlayError, Rule, Violation, violation};
use tengen_core::types::{Cell, Color, Point, Size};
use tengen_files::records::{
    Arrangement, Format, GameResult, Known, MOST_MOVES, Move, Reason, Record, read, write_file,
};

fn play(game: &mut CasualGame, point: Point) -> Result<(), PlayFault> {
    let color = game.to_move();
    game.play(Move::new(point, color))
}

fn played(rule: Rule, cells: &str) -> CasualGame {
    let mut game = CasualGame::new(Size::DEFAULT, rule);
    points(cells).into_iter().for_each(|point| play(&mut game, point).expect("a move"));
    game
}

/// A game as two lists of cells: those on the board, and those taken back.
#[derive(Default)]
struct Oracle {
    moves: Vec<Point>,
    undone: Vec<Point>,
}

impl Oracle {
    /// Returns the game of the list by the plain rules.
    fn game(&self, size: Size, rule: Rule) -> Game {
        Game::from_moves(size, rule, &self.moves).expect("moves of a game")
    }

    fn check(&self, game: &CasualGame) {
        let plain = self.game(game.size(), game.rule());
        assert_eq!(game.board(), plain.board());
        assert_eq!(game.to_move(), plain.to_move());
        let cells: Vec<Point> = game.moves().iter().filter_map(Move::point).collect();
        assert_eq!(cells, self.moves);
        let undone: Vec<Point> = game.undone().iter().filter_map(Move::point).collect();
        assert_eq!(undone, self.undone);
        let result = game.end().map(|end| end.result);
        assert_eq!(
            result,
            match plain.outcome() {
                Outcome::Ongoing => None,
                Outcome::Draw => Some(GameResult::Draw),
                outcome => outcome.winner().map(GameResult::Win),
            }
        );
    }
}

#[test]
fn random_walks_agree_with_a_list_of_moves() {
    for (seed, rule) in (0..).zip(Rule::ALL.into_iter().cycle().take(40)) {
        let mut rng = SplitMix64::new(seed);
        let size = Size::new(7, 6).unwrap();
        let cells: Vec<Point> = size.points().collect();
        let mut random = |below: usize| (rng.next_u64() % below as u64) as usize;
        let (mut game, mut oracle) = (CasualGame::new(size, rule), Oracle::default());
        for _ in 0..300 {
            match random(10) {
                0 => {
                    let count = random(5) + 1;
                    let done = game.take_back(count);
                    if count <= oracle.moves.len() {
                        done.expect("that many");
                        let kept = oracle.moves.len() - count;
                        oracle.undone.extend(oracle.moves.drain(kept..).rev());
                    } else {
                        assert_eq!(done, Err(PlayFault::TakeBack(oracle.moves.len())));
                    }
                }
                1 => {
                    let count = random(5) + 1;
                    let done = game.redo(count);
                    if count <= oracle.undone.len() {
                        done.expect("that many");
                        let kept = oracle.undone.len() - count;
                        oracle.moves.extend(oracle.undone.drain(kept..).rev());
                    } else {
                        assert_eq!(done, Err(PlayFault::Redo(oracle.undone.len())));
                    }
                }
                _ => {
                    let point = cells[random(cells.len())];
                    let plain = oracle.game(size, rule);
                    let is_forbidden = rule == Rule::Renju
                        && plain.to_move() == Color::Black
                        && violation(plain.board(), point).is_some();
                    let done = play(&mut game, point);
                    if plain.outcome().is_over() {
                        assert_eq!(done, Err(PlayFault::Move(PlayError::GameOver)));
                    } else if oracle.moves.contains(&point) {
                        assert_eq!(done, Err(PlayFault::Move(PlayError::Occupied(point))));
                    } else if is_forbidden && done.is_err() {
                        assert!(matches!(done, Err(PlayFault::Forbidden(at, _)) if at == point));
                    } else {
                        done.expect("a move");
                        oracle.moves.push(point);
                        oracle.undone.clear();
                    }
                }
            }
            oracle.check(&game);
        }
    }
}

#[test]
fn forbidden_points_are_refused_with_the_reason() {
    let mut game = played(Rule::Renju, "h6a1h7a15i8o1j8o15");
    let center = Size::DEFAULT.center();
    let three = Violation::DoubleThree;
    assert_eq!(game.forbidden(), [(center, three)]);
    let before = game.clone();
    let fault = play(&mut game, center).unwrap_err();
    assert_eq!(fault, PlayFault::Forbidden(center, three));
    assert_eq!(fault.to_string(), "h8 is forbidden to black: it makes two threes");
    assert_eq!(game, before);
    game.set_to_move(Color::White);
    assert!(game.forbidden().is_empty());
    assert_eq!(play(&mut game, center), Ok(()), "white may");
    let mut free = played(Rule::Standard, "h6a1h7a15i8o1j8o15");
    assert_eq!(play(&mut free, center), Ok(()));
}

#[test]
fn black_loses_where_only_forbidden_cells_are_left() {
    // A row of six cells with five black stones, two on either side: the last cell makes six.
    let size = Size::new(6, 5).unwrap();
    let mut game = CasualGame::new(size, Rule::Renju);
    let gap = size.point(2, 0).unwrap();
    for point in size.points().filter(|&point| point != gap) {
        let cell = if point.y() == 0 { Cell::Stone(Color::Black) } else { Cell::Wall };
        game.set_cell(point, cell).unwrap();
    }
    game.set_to_move(Color::Black);
    assert_eq!(game.forbidden(), [(gap, Violation::Overline)]);
    play(&mut game, gap).expect("there is no other cell");
    let end = game.end().expect("an end");
    assert_eq!(end.result, GameResult::Win(Color::White));
    assert_eq!(end.reason, Some(Reason::Forbidden(Violation::Overline)));
}

#[test]
fn a_set_up_position_is_the_beginning_of_a_game() {
    let mut game = played(Rule::Freestyle, "h8i9j10");
    game.take_back(1).unwrap();
    let at = |x, y| Size::DEFAULT.point(x, y).unwrap();
    game.set_cell(at(0, 0), Cell::Stone(Color::Black)).unwrap();
    assert!(game.undone().is_empty());
    assert_eq!((game.set_up_stones(), game.moves().len()), (3, 0));
    assert_eq!(game.to_move(), Color::White);
    game.set_cell(at(1, 0), Cell::Wall).unwrap();
    assert_eq!(play(&mut game, at(1, 0)), Err(PlayFault::Blocked(at(1, 0))));
    play(&mut game, at(5, 5)).unwrap();
    assert_eq!(game.take_back(2), Err(PlayFault::TakeBack(1)));
    game.take_back(1).unwrap();
    // A stone may take the place of another, and a cell be emptied.
    game.set_cell(at(0, 0), Cell::Stone(Color::White)).unwrap();
    assert_eq!(game.board().stones(Color::White), 2);
    game.set_cell(at(0, 0), Cell::Empty).unwrap();
    game.set_cell(at(1, 0), Cell::Empty).unwrap();
    assert!(game.walls().is_empty());
    assert_eq!((game.set_up_stones(), game.moves().len()), (2, 0));
    let outside = Size::LARGEST.point(20, 20).unwrap();
    let off = PlayFault::Move(PlayError::OffBoard(outside));
    assert_eq!(game.set_cell(outside, Cell::Empty), Err(off));
}

#[test]
fn a_set_up_position_may_be_the_end() {
    let mut game = played(Rule::Standard, "h8");
    for x in 0..5 {
        let point = Size::DEFAULT.point(x, 0).unwrap();
        game.set_cell(point, Cell::Stone(Color::White)).unwrap();
    }
    let end = game.end().expect("five in a row");
    assert_eq!(end.result, GameResult::Win(Color::White));
    assert_eq!(end.run.map(|run| run.len), Some(5));
    game.set_cell(Size::DEFAULT.point(0, 0).unwrap(), Cell::Empty).unwrap();
    assert_eq!(game.end(), None);
}

#[test]
fn files_show_the_side_to_move_of_a_set_up_position_where_they_can() {
    let mut game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
    for (i, &point) in points("a1b1c1d1").iter().enumerate() {
        let color = if i < 3 { Color::Black } else { Color::White };
        game.set_cell(point, Cell::Stone(color)).unwrap();
    }
    for color in Color::ALL {
        game.set_to_move(color);
        assert_eq!(game.record().to_move(), color);
        assert_eq!(game.unrecorded(), [""; 0]);
    }
    let mut alone = played(Rule::Freestyle, "h8");
    alone.set_to_move(Color::Black);
    alone.set_cell(points("a1")[0], Cell::Wall).unwrap();
    alone.set_to_move(Color::Black);
    assert_eq!(alone.unrecorded(), ["the blocked cells"]);
    assert_eq!(alone.record().to_move(), Color::Black);
}

#[test]
fn every_format_that_holds_moves_gives_the_game_back() {
    let mut game = played(Rule::Renju, "h8i9h9i8h10i10");
    game.header_mut().comment = "one\ntwo".to_owned();
    for format in
        Format::ALL.into_iter().filter(|&format| !matches!(format, Format::Pgn | Format::Rif))
    {
        let known = Known { rule: Some(Rule::Renju), ..Known::default() };
        let bytes = write_file(&game.record(), format, 1, known.page).unwrap();
        let record = read(&bytes, format, known).unwrap().remove(0);
        let again = CasualGame::from_record(record, &[], Rule::Freestyle).unwrap();
        assert_eq!(again.rule(), Rule::Renju);
        assert_eq!(again.board(), game.board(), "{format}");
        assert_eq!(again.to_move(), Color::Black);
        if matches!(format, Format::Json | Format::Sgf) {
            assert_eq!(again, game, "{format}");
        }
    }
}

#[test]
fn recorded_ends_count_unless_the_rules_say_otherwise() {
    let ended = |rule, cells: &str, result, reason| {
        let record = Record {
            rule: Some(rule),
            result: Some(result),
            reason,
            ..Record::of_points(Size::DEFAULT, &points(cells))
        };
        CasualGame::from_record(record, &[], Rule::Freestyle).map(|game| game.end().cloned())
    };
    let white = GameResult::Win(Color::White);
    let resigned = ended(Rule::Renju, "h8i9", white, Some(Reason::Resignation)).unwrap().unwrap();
    assert_eq!((resigned.result, resigned.reason), (white, Some(Reason::Resignation)));
    let five = "a1a2b1b2c1c2d1d2e1";
    let won = ended(Rule::Freestyle, five, white, None).unwrap().unwrap();
    assert_eq!(won.result, GameResult::Win(Color::Black), "the stones say so");
    let late = ended(Rule::Freestyle, &format!("{five}e2"), white, None);
    assert_eq!(late, Err(PlayFault::AfterEnd(10)));
    // A forbidden move is not a move to be refused in a game that was played.
    let lost = ended(Rule::Renju, "h6a1h7a15i8o1j8o15h8", white, None).unwrap().unwrap();
    assert_eq!(lost.reason, Some(Reason::Forbidden(Violation::DoubleThree)));
}

#[test]
fn a_game_that_could_not_be_saved_at_its_end_is_not_played_on() {
    let most = MOST_MOVES - Size::DEFAULT.area();
    let game = |passes: usize| {
        let pass = |i| Move::pass(Color::to_move_after(i));
        let record = Record {
            moves: (0..passes).map(pass).collect(),
            ..Record::of_points(Size::DEFAULT, &[])
        };
        CasualGame::from_record(record, &[], Rule::Freestyle)
    };
    assert_eq!(game(most + 1).map(|_| ()), Err(PlayFault::TooLong(most)));
    let mut game = game(most).unwrap();
    while let Some(point) = game.board().empties().first().filter(|_| game.end().is_none()) {
        game.play(Move::new(point, game.to_move())).unwrap();
    }
    for format in [Format::Json, Format::Sgf] {
        let bytes = write_file(&game.record(), format, 1, None).unwrap();
        let again = read(&bytes, format, Known::default()).unwrap().remove(0);
        assert_eq!(again, game.record(), "{format}");
        let again = CasualGame::from_record(again, &[], Rule::Freestyle).unwrap();
        assert_eq!(again.record(), game.record(), "{format}");
    }
}

#[test]
fn an_opening_of_a_record_stays() {
    let mut record = Record::of_points(Size::DEFAULT, &points("h8i9h9i8"));
    record.opening = 3;
    let mut game = CasualGame::from_record(record, &[], Rule::Standard).unwrap();
    assert_eq!(game.take_back(2), Err(PlayFault::TakeBack(1)));
    game.take_back(1).unwrap();
    assert_eq!(game.take_back(1), Err(PlayFault::TakeBack(0)));
    assert_eq!(game.rule(), Rule::Standard);
    let blocked = Record::of_points(Size::DEFAULT, &points("h8"));
    let fault = CasualGame::from_record(blocked, &points("h8"), Rule::Standard);
    assert_eq!(fault, Err(PlayFault::Blocked(points("h8")[0])));
}

#[test]
fn a_cell_is_blocked_after_the_moves_before_it_and_before_those_after_it() {
    let again = |game: &CasualGame| {
        CasualGame::from_record(game.record(), game.walls(), Rule::Freestyle).unwrap()
    };
    // A stone that was taken away leaves a cell that can be blocked.
    let mut record = Record::of_points(Size::DEFAULT, &points("h8"));
    let away = Arrangement { cells: vec![(points("h8")[0], None)], to_move: Some(Color::Black) };
    record.moves.push(Move::set_up(away, Color::White));
    record.moves.push(Move::new(points("c3")[0], Color::Black));
    let mut game = CasualGame::from_record(record, &[], Rule::Freestyle).unwrap();
    game.set_cell(points("h8")[0], Cell::Wall).unwrap();
    play(&mut game, points("d4")[0]).unwrap();
    assert_eq!(again(&game), game);
    // A fork of threes of which the block has made one none.
    let mut game = played(Rule::Renju, "i8a1j8c1h9e1h10g1");
    assert!(game.forbidden().iter().any(|(point, _)| *point == points("h8")[0]));
    game.set_cell(points("k8")[0], Cell::Wall).unwrap();
    for point in points("h8a3") {
        play(&mut game, point).unwrap();
    }
    assert_eq!(again(&game), game);
    let onto = CasualGame::from_record(game.record(), &points("a1"), Rule::Renju);
    assert_eq!(onto, Err(PlayFault::Move(PlayError::Occupied(points("a1")[0]))));
}

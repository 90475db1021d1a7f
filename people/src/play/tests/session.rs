//! Players, clocks and the engine.

use std::time::Duration;

use super::super::scripted::{Sitting, USUAL, points};
use crate::play::{
    Byoyomi, CasualGame, ClockControl, Controller, EndOfGame, Hint, PlayFault, PlayNotice,
    PlaySession, SavedGame,
};
use tengen_core::rules::{PlayError, Rule};
use tengen_core::search::time::TimeControl;
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::{ByColor, Cell, Color, Size};
use tengen_engine::engine::{Answer, Level};
use tengen_files::records::{GameResult, Reason};

const PEOPLE: ByColor<Controller> = ByColor([Controller::Person; 2]);
const ENGINES: ByColor<Controller> = ByColor([Controller::Engine; 2]);
const OVER: PlayFault = PlayFault::Move(PlayError::GameOver);

fn usual() -> Sitting {
    Sitting::new(USUAL, ClockControl::default())
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns the cells of the reported moves.
fn told(notices: &[PlayNotice]) -> String {
    let cell = |notice: &PlayNotice| match notice {
        PlayNotice::Played { point, .. } => Some(point.to_string()),
        _ => None,
    };
    notices.iter().filter_map(cell).collect()
}

fn end(notices: &[PlayNotice]) -> &EndOfGame {
    match notices.last() {
        Some(PlayNotice::Over(end)) => end,
        other => panic!("{other:?} is no end"),
    }
}

#[test]
fn the_engine_answers_each_move() {
    let mut sitting = usual();
    assert!(sitting.job().is_none(), "it is the person's turn");
    assert_eq!(told(&sitting.play("h8").unwrap()), "h8");
    let job = sitting.job().unwrap();
    assert_eq!(job.setup.stones, [(points("h8")[0], Color::Black)]);
    assert_eq!(job.setup.to_move, Color::White);
    assert_eq!(sitting.play("a1"), Err(PlayFault::Thinking));
    assert_eq!(sitting.session.hint(), Err(PlayFault::Thinking));
    let expected = PlayNotice::Played {
        number: 2,
        point: points("i9")[0],
        color: Color::White,
        by: Controller::Engine,
    };
    sitting.report("i9h9", 30);
    assert_eq!(sitting.answer("i9"), [expected]);
    assert!(sitting.job().is_none() && sitting.moves() == "h8i9");
    let m = &sitting.session.game().moves()[1];
    assert_eq!((m.score(), m.depth(), m.nodes()), (Some(30), Some(5), Some(321)));
}

#[test]
fn several_moves_are_played_together_or_not_at_all() {
    let mut sitting = usual();
    let occupied = PlayFault::Move(PlayError::Occupied(points("h8")[0]));
    assert_eq!(sitting.session.play(&[points("h8i9"), points("h8")].concat()), Err(occupied));
    assert_eq!(sitting.moves(), "");
    assert_eq!(told(&sitting.play("h8i9h9").unwrap()), "h8i9h9");
    assert_eq!(sitting.job().unwrap().setup.stones.len(), 3);
}

#[test]
fn taking_back_goes_to_the_persons_last_move_and_the_engine_waits() {
    let mut sitting = usual();
    sitting.play("h8").unwrap();
    sitting.answer("i9");
    assert_eq!(sitting.session.take_back(None), Ok(vec![]));
    assert_eq!(sitting.moves(), "");
    assert_eq!(sitting.session.take_back(None), Err(PlayFault::TakeBack(0)));
    assert_eq!(sitting.session.redo(None), Ok(vec![]));
    assert_eq!(sitting.moves(), "h8i9");
    // A single move leaves it to the engine, which does not play it again at once.
    assert_eq!(sitting.session.take_back(Some(1)), Ok(vec![PlayNotice::EngineWaits]));
    assert!(sitting.job().is_none());
    sitting.session.go().unwrap();
    assert_eq!(told(&sitting.answer("j9")), "j9");
    assert_eq!(sitting.session.redo(Some(1)), Err(PlayFault::Redo(0)), "another way was taken");
}

#[test]
fn a_change_of_the_position_drops_the_answer() {
    let mut sitting = usual();
    sitting.play("h8").unwrap();
    assert_eq!(sitting.session.take_back(None), Ok(vec![]));
    assert!(sitting.is_stopped() && !sitting.session.is_thinking() && sitting.session.is_busy());
    // The next question waits until the engine is free.
    sitting.play("h9").unwrap();
    assert!(sitting.session.is_thinking());
    assert_eq!(sitting.answer("a1"), []);
    assert_eq!(sitting.moves(), "h9");
    assert_eq!(sitting.job().unwrap().setup.stones, [(points("h9")[0], Color::Black)]);
    assert_eq!(told(&sitting.answer("i9")), "i9");
}

#[test]
fn a_stopped_engine_waits_and_a_stopped_hint_is_told() {
    let mut sitting = usual();
    assert_eq!(sitting.session.stop(), Err(PlayFault::NotThinking));
    sitting.play("h8").unwrap();
    assert_eq!(sitting.session.stop(), Ok(vec![PlayNotice::EngineWaits]));
    assert_eq!(sitting.answer("i9"), []);
    assert_eq!(sitting.moves(), "h8");
    sitting.session.hint().unwrap();
    sitting.report("j9k9", 100);
    let notices = sitting.session.stop().unwrap();
    assert!(
        matches!(&notices[..], [PlayNotice::Hint(hint)] if hint.line == points("j9k9")),
        "{notices:?}"
    );
    assert_eq!(sitting.answer("j9"), []);
    // The person may also move for it.
    assert_eq!(told(&sitting.play("i9").unwrap()), "i9");
    assert!(sitting.job().is_none());
}

#[test]
fn a_hint_has_the_chances_and_the_line_of_the_side_to_move() {
    let mut sitting = usual();
    sitting.session.hint().unwrap();
    assert!(sitting.job().unwrap().analysis, "the obvious is judged too");
    sitting.report("h8i9", 200);
    let notices = sitting.answer("h8");
    let [PlayNotice::Hint(Hint { color, point, line, judgement })] = &notices[..] else {
        panic!("{notices:?}");
    };
    assert_eq!((*color, *point), (Color::Black, points("h8")[0]));
    assert_eq!(*line, points("h8i9"));
    let chances = judgement.expect("a judgement").chances;
    assert!((chances.win - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-9);
    assert_eq!(sitting.moves(), "", "it is not played");
    // Without a report, or with one about another move, only the move is known.
    sitting.session.hint().unwrap();
    sitting.report("a1", 5);
    let notices = sitting.answer("h8");
    let [PlayNotice::Hint(hint)] = &notices[..] else { panic!("{notices:?}") };
    assert_eq!((&hint.line, hint.judgement), (&points("h8"), None));
    // A move ends the search for one.
    sitting.session.hint().unwrap();
    sitting.play("h8").unwrap();
    assert!(sitting.is_stopped());
}

#[test]
fn swapped_sides_let_the_engine_move_on_the_other() {
    let mut sitting = usual();
    assert_eq!(sitting.session.swap_sides(), []);
    assert_eq!(sitting.job().unwrap().setup.to_move, Color::Black);
    sitting.answer("h8");
    assert!(sitting.job().is_none());
    let names = sitting.session.record().players;
    assert_eq!(names.0, ["tengen", "person"]);
    // In the middle of its thinking, its answer is not wanted any more.
    sitting.play("i9").unwrap();
    assert_eq!(sitting.session.swap_sides(), []);
    assert_eq!(sitting.answer("a1"), []);
    assert!(sitting.job().is_none() && sitting.moves() == "h8i9");
}

#[test]
fn a_level_counts_from_the_next_move_on_and_is_saved() {
    let mut sitting = usual();
    let level = |number| Level::new(number).unwrap();
    sitting.play("h8").unwrap();
    assert!(sitting.session.unsaved().is_some());
    sitting.session.set_level(Some(Color::White), level(3));
    assert!(sitting.job().unwrap().skill.level.is_full(), "it thinks already");
    let saved = sitting.session.unsaved().expect("a change");
    assert_eq!(saved.terms.skills.0.map(|skill| skill.level), [Level::FULL, level(3)]);
    sitting.answer("i9");
    sitting.play("h9").unwrap();
    assert_eq!(sitting.job().unwrap().skill.level, level(3));
    assert_eq!(sitting.session.record().players.0, ["person", "tengen level 3"]);
    sitting.session.set_level(None, level(1));
    assert_eq!(sitting.session.terms().skills.0.map(|skill| skill.level), [level(1); 2]);
}

#[test]
fn resigning_is_for_people() {
    let mut sitting = usual();
    sitting.play("h8").unwrap();
    let notices = sitting.session.resign().unwrap();
    assert_eq!(end(&notices).result, GameResult::Win(Color::White));
    assert_eq!(end(&notices).reason, Some(Reason::Resignation));
    assert_eq!(sitting.session.resign(), Err(OVER));
    assert_eq!(sitting.answer("i9"), [], "nobody waits for it");
    assert_eq!(sitting.play("a1"), Err(OVER));
    assert_eq!(sitting.session.go(), Err(OVER));
    sitting.session.take_back(Some(1)).unwrap();
    assert_eq!(sitting.session.game().end(), None);
    let mut people = Sitting::new(PEOPLE, ClockControl::default());
    people.play("h8").unwrap();
    let notices = people.session.resign().unwrap();
    assert_eq!(end(&notices).result, GameResult::Win(Color::Black), "white was to move");
    let mut engines = Sitting::new(ENGINES, ClockControl::default());
    assert_eq!(engines.session.resign(), Err(PlayFault::NoPerson));
    assert_eq!(engines.session.offer_draw(), Err(PlayFault::NoPerson));
}

/// Returns a sitting with twenty stones and no threats, black to move.
fn late() -> Sitting {
    let mut game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
    for i in 0..20 {
        let point = Size::DEFAULT.point(2 * (i % 7), 4 * (i / 7)).unwrap();
        let color = if i % 2 == 0 { Color::Black } else { Color::White };
        game.set_cell(point, Cell::Stone(color)).unwrap();
    }
    Sitting::with(USUAL, ClockControl::default(), game)
}

#[test]
fn the_engine_accepts_a_draw_by_its_score() {
    // The score is that of the side to move: the person.
    for (score, accepts) in [(10, true), (0, true), (-10, false)] {
        let mut sitting = late();
        assert_eq!(sitting.session.offer_draw(), Ok(vec![]));
        sitting.report("o15", score);
        let notices = sitting.answer("o15");
        if accepts {
            assert_eq!(end(&notices).result, GameResult::Draw);
            assert_eq!(end(&notices).reason, Some(Reason::Other("agreement".to_owned())));
        } else {
            assert_eq!(notices, [PlayNotice::DrawDeclined(Color::White)]);
            assert_eq!(sitting.session.game().end(), None);
        }
    }
    let mut silent = late();
    silent.session.offer_draw().unwrap();
    assert_eq!(silent.answer("o15"), [PlayNotice::DrawDeclined(Color::White)]);
    let mut early = usual();
    early.session.offer_draw().unwrap();
    early.report("h8", 10);
    assert_eq!(early.answer("h8"), [PlayNotice::DrawDeclined(Color::White)]);
}

#[test]
fn two_people_agree_to_a_draw() {
    let mut sitting = Sitting::new(PEOPLE, ClockControl::default());
    let offered = Ok(vec![PlayNotice::DrawOffered(Color::Black)]);
    assert_eq!(sitting.session.offer_draw(), offered);
    sitting.play("h8i9").unwrap();
    assert_eq!(sitting.session.offer_draw(), offered, "a move has declined the first");
    let notices = sitting.session.offer_draw().unwrap();
    assert_eq!(end(&notices).result, GameResult::Draw);
}

#[test]
fn two_engines_play_until_they_are_stopped_and_step_by_step() {
    let mut sitting = Sitting::new(ENGINES, ClockControl::default());
    sitting.answer("h8");
    sitting.answer("i9");
    assert_eq!(sitting.session.stop(), Ok(vec![PlayNotice::EngineWaits]));
    assert_eq!(sitting.answer("a1"), []);
    sitting.session.step().unwrap();
    assert_eq!(sitting.session.step(), Err(PlayFault::Thinking));
    let notices = sitting.answer("h9");
    assert_eq!((told(&notices).as_str(), notices.last()), ("h9", Some(&PlayNotice::EngineWaits)));
    assert!(sitting.job().is_none());
    sitting.session.go().unwrap();
    sitting.answer("i8");
    assert!(sitting.job().is_some() && sitting.moves() == "h8i9h9i8");
}

#[test]
fn an_answer_that_is_no_move_is_told() {
    for answer in [Answer::NoMove, Answer::Swap, Answer::Moves(points("h8"))] {
        let mut sitting = usual();
        sitting.play("h8").unwrap();
        assert_eq!(sitting.finish(answer), [PlayNotice::NoMove]);
        assert_eq!(sitting.moves(), "h8");
        sitting.session.go().unwrap();
        assert_eq!(told(&sitting.answer("i9")), "i9");
    }
}

#[test]
fn a_won_game_is_over_for_the_engine_too() {
    let mut sitting = usual();
    let notices = sitting.play("a1a2b1b2c1c2d1d2e1").unwrap();
    assert_eq!(end(&notices).result, GameResult::Win(Color::Black));
    assert_eq!(end(&notices).run.map(|run| run.len), Some(5));
    assert!(sitting.job().is_none());
    assert_eq!(sitting.session.hint(), Err(OVER));
    sitting.session.new_game();
    assert_eq!(sitting.moves(), "");
}

#[test]
fn rule_and_size_are_those_of_the_next_game() {
    let mut sitting = usual();
    let small = Size::square(9).unwrap();
    sitting.session.set_rule(Rule::Renju);
    sitting.session.set_size(small);
    let game = sitting.session.game();
    assert_eq!((game.rule(), game.size()), (Rule::Renju, small), "nothing had happened");
    sitting.session.play(&points("e5")).unwrap();
    sitting.session.set_rule(Rule::Caro);
    assert_eq!(sitting.session.game().rule(), Rule::Renju);
    sitting.session.new_game();
    assert_eq!(sitting.session.game().rule(), Rule::Caro);
    assert_eq!(sitting.answer("a1"), [], "an answer in the game before");
    // The engine begins at once where it has black.
    sitting.session.swap_sides();
    sitting.answer("e5");
    sitting.session.new_game();
    assert!(sitting.job().unwrap().setup.stones.is_empty());
}

#[test]
fn a_loaded_game_waits_and_its_times_do_not_count() {
    let control = ClockControl { game: Some(s(10)), ..ClockControl::default() };
    let mut sitting = Sitting::new(PEOPLE, control);
    sitting.play("h8").unwrap();
    sitting.wait(s(8));
    sitting.play("i9").unwrap();
    let game = sitting.session.game().clone();
    let mut other = Sitting::new(ByColor([Controller::Engine, Controller::Person]), control);
    assert_eq!(other.session.load(game), [PlayNotice::EngineWaits]);
    assert_eq!(other.session.side_clock(Color::White).left(), Some(s(10)));
    assert_eq!(other.session.deadline(), None, "a waiting engine loses no time");
}

#[test]
fn times_that_do_not_count_do_not_after_taking_back_either() {
    let control = ClockControl { game: Some(s(10)), ..ClockControl::default() };
    let mut sitting = Sitting::new(PEOPLE, control);
    sitting.play("h8").unwrap();
    sitting.wait(s(8));
    sitting.play("i9").unwrap();
    let mut other = Sitting::new(PEOPLE, control);
    other.session.load(sitting.session.game().clone());
    let left = |sitting: &Sitting| Color::ALL.map(|c| sitting.session.side_clock(c).left());
    other.session.take_back(Some(2)).unwrap();
    other = Sitting::resume(other.session.saved());
    other.session.redo(Some(2)).unwrap();
    assert_eq!(left(&other), [Some(s(10)); 2]);
    // What is played after taking back counts.
    other.session.take_back(Some(1)).unwrap();
    other.session.start();
    other.wait(s(3));
    other.play("i9").unwrap();
    assert_eq!(left(&other), [Some(s(10)), Some(s(7))]);
}

#[test]
fn a_waiting_engine_is_not_charged_for_the_move_that_a_person_makes_for_it() {
    let control = ClockControl { game: Some(s(60)), ..ClockControl::default() };
    let mut sitting = Sitting::new(USUAL, control);
    sitting.play("h8").unwrap();
    sitting.session.stop().unwrap();
    sitting.wait(s(70));
    sitting.play("i9").unwrap();
    assert_eq!(sitting.session.side_clock(Color::White).left(), Some(s(60)));
    sitting.wait(s(5));
    sitting.play("h9").unwrap();
    assert_eq!(sitting.session.side_clock(Color::Black).left(), Some(s(55)));
}

#[test]
fn who_runs_out_of_time_loses() {
    let control = ClockControl { game: Some(s(60)), increment: s(1), ..ClockControl::default() };
    let mut sitting = Sitting::new(PEOPLE, control);
    assert_eq!(sitting.wait(s(20)), []);
    assert_eq!(sitting.session.turn_time(), s(20));
    sitting.play("h8").unwrap();
    assert_eq!(sitting.session.side_clock(Color::Black).left(), Some(s(41)));
    assert_eq!(sitting.wait(s(59)), []);
    let notices = sitting.wait(s(1));
    assert_eq!(end(&notices).result, GameResult::Win(Color::Black));
    assert_eq!(end(&notices).reason, Some(Reason::Time));
    assert_eq!(sitting.wait(s(100)), [], "once");
    // A move that was taken back gives its time back.
    sitting.session.take_back(Some(1)).unwrap();
    assert_eq!(sitting.session.side_clock(Color::Black).left(), Some(s(60)));
    assert_eq!(sitting.session.turn_time(), s(0));
}

#[test]
fn a_late_move_is_not_played() {
    let control = ClockControl { turn: Some(s(5)), ..ClockControl::default() };
    let mut sitting = Sitting::new(USUAL, control);
    sitting.wait(s(4));
    sitting.play("h8").unwrap();
    assert_eq!(sitting.job().unwrap().limits.time.turn, Some(s(5)));
    // The engine has a clock too.
    let notices = sitting.wait(s(5));
    assert_eq!(end(&notices).result, GameResult::Win(Color::Black));
    assert!(sitting.is_stopped());
    assert_eq!(sitting.answer("i9"), []);
    assert_eq!(sitting.moves(), "h8");
}

#[test]
fn the_engine_is_told_what_is_left() {
    let byoyomi = Some(Byoyomi { periods: 2, length: s(3) });
    let control = ClockControl { game: Some(s(10)), byoyomi, ..ClockControl::default() };
    let mut sitting = Sitting::new(USUAL, control);
    sitting.play("h8").unwrap();
    assert_eq!(sitting.job().unwrap().limits.time.left, Some(s(13)));
    sitting.wait(s(11));
    sitting.answer("i9");
    sitting.play("h9").unwrap();
    assert_eq!(sitting.job().unwrap().limits.time, TimeControl::of_turn(s(3)));
    // A hint is for the person, who has to wait for it.
    sitting.answer("i8");
    sitting.session.hint().unwrap();
    assert_eq!(sitting.job().unwrap().limits.time.turn, Some(s(2)));
    let notices = sitting.wait(s(16));
    assert_eq!(end(&notices).reason, Some(Reason::Time));
}

#[test]
fn what_has_changed_is_to_be_saved_and_gone_on_with() {
    let mut sitting = Sitting::new(USUAL, ClockControl { game: Some(s(60)), ..Default::default() });
    assert_eq!(sitting.session.unsaved(), None, "nothing has happened");
    sitting.session.swap_sides();
    assert_eq!(sitting.session.unsaved(), None, "nothing that would be missed");
    sitting.session.swap_sides();
    sitting.answer("a1");
    sitting.wait(s(7));
    sitting.play("h8").unwrap();
    let saved = sitting.session.unsaved().expect("a change");
    assert_eq!(sitting.session.unsaved(), None);
    assert!(sitting.play("a1").is_err() && sitting.session.unsaved().is_none());
    let text = saved.to_text();
    let again = SavedGame::from_text(&text).unwrap();
    assert_eq!(again, saved);
    let mind = crate::play::scripted::ScriptedThinker::default();
    let mut resumed = PlaySession::resume(mind, SystemClock, again);
    assert_eq!(resumed.side_clock(Color::Black).left(), Some(s(53)));
    assert_eq!(resumed.start(), []);
    assert!(resumed.is_thinking(), "the engine goes on with its move");
    assert_eq!(resumed.unsaved(), None);
    sitting.session.take_back(None).unwrap();
    assert!(sitting.session.unsaved().is_some());
}

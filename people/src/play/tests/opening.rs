//! Openings in a session.

use std::time::Duration;

use crate::play::scripted::{Sitting, USUAL, points};
use crate::play::{
    CasualGame, ClockControl, Controller, PlayFault, PlayNotice, SavedGame, parse_choice,
};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{OpeningChoice, OpeningFault, OpeningQuestion, OpeningRule, Rule, Seat};
use tengen_core::types::{ByColor, Color, Size};
use tengen_engine::engine::{Answer, Level, OpeningStep, Task};
use tengen_files::records::{self, Format, GameResult, Record};

const PEOPLE: ByColor<Controller> = ByColor([Controller::Person, Controller::Person]);
const ENGINES: ByColor<Controller> = ByColor([Controller::Engine, Controller::Engine]);

fn begin(sides: ByColor<Controller>, rule: OpeningRule) -> Sitting {
    Sitting::opening(sides, ClockControl::default(), rule, Size::DEFAULT).0
}

/// Makes choices such as `h8 swap 5`.
fn choose(sitting: &mut Sitting, words: &str) -> Result<Vec<PlayNotice>, PlayFault> {
    let choice = |word| parse_choice(word, Size::DEFAULT).expect("a choice");
    let choices: Vec<OpeningChoice> = words.split_whitespace().map(choice).collect();
    sitting.session.choose(&choices)
}

fn choices(sitting: &Sitting) -> String {
    let opening = sitting.session.opening().expect("an opening");
    let words = opening.course().choices().iter().map(OpeningChoice::to_string);
    words.collect::<Vec<_>>().join(" ")
}

fn task(sitting: &Sitting) -> Task {
    sitting.job().expect("a job").task
}

/// Returns an answer that an engine in its right mind would not give, or would.
fn any_answer(rng: &mut SplitMix64, size: Size) -> Answer {
    let all: Vec<_> = size.points().collect();
    let some = |rng: &mut SplitMix64| {
        let count = rng.below(12);
        (0..count).map(|_| all[rng.below(all.len())]).collect()
    };
    match rng.below(7) {
        0 => Answer::NoMove,
        1 => Answer::Swap,
        2 => Answer::Stay,
        3 => Answer::Number(rng.below(20)),
        4 => Answer::Offer(all[rng.below(all.len())], rng.below(20)),
        _ => Answer::Moves(some(rng)),
    }
}

#[test]
fn whatever_the_engine_answers_openings_come_to_an_end_and_can_be_resumed_anywhere() {
    let mut rng = SplitMix64::new(4);
    let size = Size::square(9).unwrap();
    for round in 0..120 {
        let rule = OpeningRule::ALL[round % 6];
        let person_first = ByColor([Controller::Person, Controller::Engine]);
        let sides = [USUAL, person_first, ENGINES, PEOPLE][round / 6 % 4];
        let sides = if round % 5 == 0 { ByColor([sides.0[1], sides.0[0]]) } else { sides };
        let control = ClockControl { game: Some(Duration::from_secs(900)), ..Default::default() };
        let (mut sitting, _) = Sitting::opening(sides, control, rule, size);
        let mut steps = 0;
        while let Some(asked) = sitting.session.asked() {
            steps += 1;
            assert!(steps < 200, "{rule}");
            assert_eq!(sitting.session.terms().sides[asked.color], asked.player);
            sitting.wait(Duration::from_millis(rng.below(900) as u64));
            if sitting.job().is_some() {
                let answer = any_answer(&mut rng, size);
                sitting.finish(answer);
            } else {
                let opening = sitting.session.opening().expect("an opening").course();
                let allowed = opening.allowed();
                let choice = allowed[rng.below(allowed.len())];
                sitting.session.choose(&[choice]).expect("it is allowed");
            }
            let undone = rng.below(8);
            if undone == 0 && sitting.session.take_back(None).is_ok() {
                // The answer to what was asked before is dropped.
                if sitting.job().is_some() {
                    sitting.finish(Answer::Swap);
                }
                if rng.below(2) == 0 {
                    let _ = sitting.session.redo(None);
                }
                if sitting.session.asked().is_some_and(|a| a.player == Controller::Engine) {
                    let _ = sitting.session.go();
                }
            }
            if let Some(saved) = sitting.session.unsaved() {
                let read = SavedGame::from_text(&saved.to_text()).expect("it was saved");
                assert_eq!(read, saved);
                if rng.below(3) == 0 && sitting.job().is_none() {
                    sitting = Sitting::resume(saved);
                }
            }
        }
        let opening = sitting.session.opening().expect("an opening");
        assert_eq!(sitting.session.game().opening(), opening.course().stones().len());
        assert_eq!(opening.sides(), sitting.session.terms().sides);
        assert_eq!([Seat::A, Seat::B].map(|seat| opening.player(seat)), sides.0, "seats stay");
    }
}

#[test]
fn people_choose_one_by_one_and_colours_change_hands() {
    let sides = ByColor([Controller::Person, Controller::Engine]);
    let mut sitting = begin(sides, OpeningRule::Swap2);
    let told = sitting.play("h8i9h9").unwrap();
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(task(&sitting), Task::Swap2);
    assert_eq!(sitting.play("a1"), Err(PlayFault::Thinking));
    // The engine takes black, so the person has white and moves.
    let told = sitting.finish(Answer::Swap);
    let swapped = ByColor([Controller::Engine, Controller::Person]);
    assert!(told.contains(&PlayNotice::Opened(swapped)), "{told:?}");
    assert_eq!(sitting.session.terms().sides, swapped);
    assert!(sitting.job().is_none(), "white is to move");
    sitting.play("j10").unwrap();
    assert_eq!((sitting.moves().as_str(), task(&sitting)), ("h8i9h9j10", Task::Move));
    assert_eq!(sitting.session.choose(&[OpeningChoice::Swap]), Err(PlayFault::Thinking));
    sitting.answer("h10");
    let finished = Err(PlayFault::Opening(OpeningFault::Finished));
    assert_eq!(
        sitting.session.choose(&[OpeningChoice::Swap]).map(|_| ()),
        finished.or(Err(PlayFault::NoOpening))
    );
}

#[test]
fn the_engine_is_asked_for_what_each_step_needs() {
    let step = |step| Task::Opening(step);
    let asked = |rule, words: &str| {
        let mut sitting = begin(PEOPLE, rule);
        choose(&mut sitting, words).unwrap();
        sitting.session.go().unwrap();
        task(&sitting)
    };
    let balance = |sitting_task: Task| matches!(sitting_task, Task::Balance(_));
    assert_eq!(asked(OpeningRule::Rif, ""), step(OpeningStep::Open));
    assert_eq!(asked(OpeningRule::Swap, ""), Task::Swap2);
    assert!(balance(asked(OpeningRule::Rif, "h8")));
    assert!(balance(asked(OpeningRule::Taraguchi10, "h8 stay h9 swap")));
    assert_eq!(asked(OpeningRule::Rif, "h8 h9 h10"), step(OpeningStep::SwapOwed { fifths: 2 }));
    let three = "h8 h9 i10";
    assert_eq!(asked(OpeningRule::Yamaguchi, three), step(OpeningStep::Number { most: 12 }));
    let owed = format!("{three} 5 swap");
    assert_eq!(asked(OpeningRule::Yamaguchi, &owed), step(OpeningStep::FourthOwed { fifths: 5 }));
    let four = format!("{three} stay");
    assert_eq!(asked(OpeningRule::Soosorv8, &four), step(OpeningStep::Fourth));
    let second = format!("{three} stay j8 4");
    assert_eq!(asked(OpeningRule::Soosorv8, &second), step(OpeningStep::SwapFourth { fifths: 4 }));
    let fifths = format!("{second} swap");
    assert_eq!(asked(OpeningRule::Soosorv8, &fifths), step(OpeningStep::Fifths { fifths: 4 }));
    let keep = format!("{fifths} a1 b1 c1 d1");
    let mut sitting = begin(PEOPLE, OpeningRule::Soosorv8);
    choose(&mut sitting, &keep).unwrap();
    sitting.session.hint().unwrap();
    assert_eq!(task(&sitting), step(OpeningStep::Choose));
    let on_board = sitting.job().expect("a job").setup.stones;
    assert_eq!(on_board.len(), 8);
    let told = sitting.finish(Answer::Moves(points("c1")));
    assert_eq!(told, [PlayNotice::Advice(vec![OpeningChoice::Cell(points("c1")[0])])]);
    assert_eq!(sitting.session.asked().map(|a| a.question), Some(OpeningQuestion::Keep));
    let ten = asked(OpeningRule::Taraguchi10, "h8 stay h9 stay h10 stay g7");
    assert_eq!(ten, step(OpeningStep::SwapFourth { fifths: 10 }));
}

#[test]
fn choices_are_taken_back_and_made_again_across_the_end_of_the_opening() {
    let mut sitting = begin(PEOPLE, OpeningRule::Swap2);
    choose(&mut sitting, "h8 i9 h9 two a1 b1 stay").unwrap();
    sitting.play("j10k11").unwrap();
    assert_eq!(sitting.session.take_back(Some(10)), Err(PlayFault::TakeBack(9)));
    sitting.session.take_back(Some(5)).unwrap();
    assert_eq!(choices(&sitting), "h8 i9 h9 two");
    assert_eq!(sitting.moves(), "h8i9h9");
    let saved = sitting.session.unsaved().expect("a change");
    let read = SavedGame::from_text(&saved.to_text()).expect("it was saved");
    assert_eq!(read, saved);
    sitting = Sitting::resume(read);
    assert_eq!(sitting.session.redo(Some(6)), Err(PlayFault::Redo(5)));
    sitting.session.redo(Some(5)).unwrap();
    assert_eq!((sitting.moves().as_str(), sitting.session.asked()), ("h8i9h9a1b1j10k11", None));
    sitting.session.take_back(Some(3)).unwrap();
    sitting.session.redo(None).unwrap();
    assert_eq!((sitting.moves().as_str(), sitting.session.asked()), ("h8i9h9a1b1", None));
    sitting.session.redo(None).unwrap();
    assert_eq!(sitting.moves(), "h8i9h9a1b1j10");
    // Another choice forgets what followed the first.
    sitting.session.take_back(Some(3)).unwrap();
    choose(&mut sitting, "c1 swap").unwrap();
    assert_eq!(sitting.session.redo(None), Err(PlayFault::Redo(0)));
    assert_eq!(sitting.session.terms().sides, PEOPLE);
}

#[test]
fn a_persons_last_choice_is_taken_back_with_what_the_engine_made_of_it() {
    let mut sitting = begin(USUAL, OpeningRule::Swap2);
    choose(&mut sitting, "h8 i9 h9").unwrap();
    sitting.finish(Answer::Swap);
    sitting.session.take_back(None).unwrap();
    assert_eq!(choices(&sitting), "h8 i9");
    assert_eq!(sitting.session.terms().sides, USUAL);
    choose(&mut sitting, "g9").unwrap();
    assert_eq!(task(&sitting), Task::Swap2);
}

#[test]
fn between_engines_a_move_is_taken_back_and_not_the_game() {
    let mut sitting = begin(ENGINES, OpeningRule::Swap2);
    sitting.finish(Answer::Moves(points("h8i9h9")));
    sitting.finish(Answer::Stay);
    sitting.answer("j10");
    sitting.answer("k11");
    let before = sitting.moves();
    sitting.session.take_back(None).unwrap();
    assert_eq!(format!("{}k11", sitting.moves()), before);
}

#[test]
fn a_level_follows_its_player_through_the_opening() {
    let mut sitting = begin(USUAL, OpeningRule::Swap2);
    let level = Level::new(2).unwrap();
    sitting.session.set_level(Some(Color::White), level);
    choose(&mut sitting, "h8 i9 h9").unwrap();
    let levels = |sitting: &Sitting| sitting.session.terms().skills.0.map(|skill| skill.level);
    let (white, black) = ([Level::FULL, level], [level, Level::FULL]);
    assert_eq!(levels(&sitting), white);
    sitting.finish(Answer::Swap);
    assert_eq!(levels(&sitting), black);
    let first = sitting.session.first_terms();
    assert_eq!((first.sides, first.skills.0.map(|skill| skill.level)), (USUAL, white));
    sitting.session.take_back(Some(1)).unwrap();
    assert_eq!(levels(&sitting), white);
    sitting.session.redo(Some(1)).unwrap();
    assert_eq!(levels(&sitting), black);
    sitting = Sitting::resume(sitting.session.saved());
    sitting.play("a1").unwrap();
    assert_eq!(sitting.job().expect("a job").skill.level, level);
    sitting.session.swap_sides();
    assert_eq!(levels(&sitting), white);
    sitting.session.swap_sides();
    sitting.session.new_game();
    assert_eq!((sitting.session.terms().sides, levels(&sitting)), (USUAL, white));
}

#[test]
fn a_position_that_is_set_up_and_another_game_end_the_opening() {
    let mut sitting = begin(PEOPLE, OpeningRule::Rif);
    choose(&mut sitting, "h8 h9").unwrap();
    sitting.session.set_to_move(Color::White);
    assert!(sitting.session.opening().is_none());
    assert_eq!(sitting.session.choose(&[OpeningChoice::Swap]), Err(PlayFault::NoOpening));
    sitting.play("a1").unwrap();
    sitting.session.new_game();
    assert!(sitting.session.asked().is_some(), "the next game has the opening again");
    let small = Size::square(7).unwrap();
    let told = sitting.session.set_size(small);
    assert_eq!(told, [PlayNotice::NotOpened(OpeningFault::Board(9))]);
    let refused = sitting.session.set_opening(Some(OpeningRule::Yamaguchi));
    assert_eq!(refused, Err(PlayFault::Opening(OpeningFault::Board(9))));
    assert!(sitting.session.set_opening(Some(OpeningRule::Swap)).unwrap().len() == 1);
    assert!(sitting.session.set_opening(None).is_ok() && sitting.session.opening().is_none());
}

#[test]
fn each_turn_of_an_opening_costs_its_time_to_whoever_takes_it() {
    let s = Duration::from_secs;
    let control = ClockControl { game: Some(s(60)), increment: s(1), ..Default::default() };
    let (mut sitting, _) = Sitting::opening(PEOPLE, control, OpeningRule::Swap, Size::DEFAULT);
    for (time, cell) in [(5, "h8"), (7, "h9"), (8, "h10")] {
        sitting.wait(s(time));
        sitting.play(cell).unwrap();
    }
    let left = |sitting: &Sitting, color| sitting.session.side_clock(color).left();
    // Twenty seconds, and one increment.
    assert_eq!(left(&sitting, Color::Black), Some(s(41)));
    sitting.wait(s(9));
    choose(&mut sitting, "swap").unwrap();
    assert_eq!(left(&sitting, Color::White), Some(s(41)), "the first player has white now");
    assert_eq!(left(&sitting, Color::Black), Some(s(52)));
    sitting.wait(s(10));
    sitting.play("a1").unwrap();
    assert_eq!(left(&sitting, Color::White), Some(s(32)));
    sitting.session.take_back(Some(3)).unwrap();
    assert_eq!(sitting.session.turn_time(), s(12), "two stones of this turn");
    let told = sitting.wait(s(48));
    assert!(
        matches!(&told[..], [PlayNotice::Over(end)] if end.result == GameResult::Win(Color::White))
    );
    assert_eq!(sitting.session.asked(), None);
}

#[test]
fn saved_openings_that_are_none_are_refused() {
    let mut sitting = begin(PEOPLE, OpeningRule::Swap2);
    choose(&mut sitting, "h8 i9 h9 two a1").unwrap();
    sitting.session.take_back(Some(1)).unwrap();
    let text = sitting.session.unsaved().expect("a change").to_text();
    for (old, new) in [
        ("\"rule\":\"swap2\"", "\"rule\":\"rif\""),
        ("\"rule\":\"swap2\"", "\"rule\":\"chess\""),
        ("h8 i9 h9 two", "h8 i9 h10 two"),
        ("h8 i9 h9 two", "h8 i9 h9 ten"),
        ("h8 i9 h9 two", "h8 i9 h9"),
        ("h8 i9 h9 two", "h8 i9 z99 two"),
        ("\"undone\":\"a1\"", "\"undone\":\"h8\""),
        ("\"later\":\"\"", "\"later\":\"a1\""),
        ("\"first\":\"person\"", "\"first\":\"engine\""),
    ] {
        assert!(text.contains(old), "{text}");
        assert!(SavedGame::from_text(&text.replacen(old, new, 1)).is_err(), "{new}");
    }
}

#[test]
fn an_opening_goes_on_from_the_record_of_a_game() {
    for (words, moves) in [("h8 i9 h9 two a1", ""), ("h8 i9 h9 swap", "a1b1"), ("h8", "")] {
        let mut sitting = begin(USUAL, OpeningRule::Swap2);
        // The engine's choices are made for it.
        for word in words.split_whitespace() {
            if sitting.job().is_some() {
                sitting.session.stop().expect("it thinks");
                sitting.finish(Answer::NoMove);
            }
            choose(&mut sitting, word).expect("it is allowed");
        }
        if sitting.job().is_some() {
            sitting.session.stop().expect("it thinks");
            sitting.finish(Answer::NoMove);
        }
        for cell in points(moves) {
            sitting.session.stop().ok();
            sitting.session.play(&[cell]).expect("it is allowed");
        }
        let record = sitting.session.record();
        for format in [Format::Sgf, Format::Json] {
            let text = records::write(&record, format, 1).expect("it holds it");
            let read = records::read(text.as_bytes(), format, records::Known::default());
            let read = read.expect("a game").remove(0);
            let game = CasualGame::from_record(read, &[], Rule::Freestyle).expect("a game");
            let sides = sitting.session.terms().sides;
            let loaded = Sitting::with(sides, ClockControl::default(), game);
            assert_eq!(choices(&loaded), words, "{format:?}");
            assert_eq!(loaded.session.asked(), sitting.session.asked());
            assert_eq!(loaded.session.record().points().count(), record.moves.len());
            assert_eq!(loaded.session.record().comment, record.comment, "once");
        }
    }
}

#[test]
fn remarks_that_do_not_fit_the_game_are_comments() {
    let sides = PEOPLE;
    for comment in [
        "Opening swap2: h8 i9 j10 two a1",
        "Opening swap2: h8 i9 h9 ten",
        "Opening chess: h8",
        "Opening swap2 h8 i9 h9",
        "opening of the match",
        "Opening swap2: h8 i9",
    ] {
        let mut record = Record::of_points(Size::DEFAULT, &points("h8i9h9"));
        record.comment = comment.to_owned();
        let game = CasualGame::from_record(record, &[], Rule::Freestyle).expect("a game");
        let loaded = Sitting::with(sides, ClockControl::default(), game);
        assert!(loaded.session.opening().is_none(), "{comment}");
        assert_eq!(loaded.session.record().comment, comment);
    }
}

#[test]
fn times_that_do_not_count_do_not_after_a_return_from_the_opening() {
    let control = ClockControl { game: Some(Duration::from_secs(60)), ..Default::default() };
    let (mut sitting, _) = Sitting::opening(PEOPLE, control, OpeningRule::Swap, Size::DEFAULT);
    for word in "h8 i9 j10 stay".split(' ') {
        sitting.session.choose(&[parse_choice(word, Size::DEFAULT).unwrap()]).unwrap();
    }
    for cell in ["a1", "b1", "c1"] {
        sitting.wait(Duration::from_secs(20));
        sitting.play(cell).unwrap();
    }
    let game = CasualGame::from_record(sitting.session.record(), &[], Rule::Freestyle).unwrap();
    let mut other = Sitting::new(PEOPLE, control);
    other.session.load(game);
    let left = |sitting: &Sitting| Color::ALL.map(|c| sitting.session.side_clock(c).left());
    let whole = left(&other);
    assert_eq!(whole, [control.game; 2]);
    other.session.take_back(Some(5)).unwrap();
    let mut again = Sitting::resume(other.session.saved());
    for sitting in [&mut other, &mut again] {
        sitting.session.redo(Some(5)).unwrap();
        assert_eq!((sitting.moves().as_str(), left(sitting)), ("h8i9j10a1b1c1", whole));
    }
}

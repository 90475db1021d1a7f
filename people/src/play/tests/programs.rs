//! Programs that play a side, and what goes wrong with them.

use std::time::{Duration, Instant};

use super::super::scripted::{ScriptedProgram, ScriptedThinker, points};
use crate::play::{
    CasualGame, ClockControl, Controller, PlayFault, PlayNotice, PlaySession, PlayTerms,
    ProgramAsk, ProgramNews, SavedGame, ThinkingLimits,
};
use tengen_core::rules::{OpeningChoice, OpeningRule, Rule};
use tengen_core::search::time::TimeControl;
use tengen_core::sys::clock::ManualClock;
use tengen_core::types::{ByColor, Color, Size};
use tengen_engine::engine::Answer;
use tengen_files::records::{GameResult, Move, MoverSearch, Reason};

const FIRST: Controller = Controller::Program(0);
const SECOND: Controller = Controller::Program(1);
const GUEST: ByColor<Controller> = ByColor([Controller::Person, FIRST]);

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A session with two programs, `foo` and `bar`.
struct Table {
    session: PlaySession<ScriptedThinker, &'static ManualClock>,
    engine: ScriptedThinker,
    foo: ScriptedProgram,
    bar: ScriptedProgram,
    clock: &'static ManualClock,
}

impl Table {
    fn new(sides: ByColor<Controller>, clock_control: ClockControl, rule: Rule) -> Table {
        Table::with(sides, clock_control, rule, None)
    }

    fn with(
        sides: ByColor<Controller>,
        clock_control: ClockControl,
        rule: Rule,
        opening: Option<OpeningRule>,
    ) -> Table {
        let engine = ScriptedThinker::default();
        let (foo, bar) = (ScriptedProgram::default(), ScriptedProgram::default());
        // A few bytes for each test.
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let thinking = ThinkingLimits::default();
        let terms = PlayTerms { sides, skills: ByColor::default(), clock: clock_control, thinking };
        let game = CasualGame::new(Size::DEFAULT, rule);
        let session = PlaySession::new(engine.clone(), clock, terms, game);
        let session = session.with_programs(vec![foo.seated("foo"), bar.seated("bar")]);
        let mut session = match opening {
            Some(rule) => session.with_opening(rule).unwrap(),
            None => session,
        };
        session.start();
        Table { session, engine, foo, bar, clock }
    }

    fn guest() -> Table {
        Table::new(GUEST, ClockControl::default(), Rule::Freestyle)
    }

    fn play(&mut self, cells: &str) -> Vec<PlayNotice> {
        self.session.play(&points(cells)).unwrap()
    }

    /// Lets a program say something.
    fn says(&mut self, program: &ScriptedProgram, news: ProgramNews) -> Vec<PlayNotice> {
        let event = program.says(news);
        self.session.program_event(event)
    }

    fn foo_plays(&mut self, cell: &str) -> Vec<PlayNotice> {
        let event = self.foo.answers(cell);
        self.session.program_event(event)
    }

    fn moves(&self) -> String {
        let moves = self.session.game().moves().iter().filter_map(Move::point);
        moves.map(|point| point.to_string()).collect()
    }
}

fn failed(why: &str) -> Vec<PlayNotice> {
    vec![PlayNotice::ProgramFailed(FIRST, why.to_owned()), PlayNotice::EngineWaits]
}

#[test]
fn a_program_is_asked_for_its_moves_and_the_engine_for_hints() {
    let mut table = Table::guest();
    table.play("h8");
    let question = table.foo.log().question.clone().unwrap();
    assert_eq!((question.ask, question.limit), (ProgramAsk::Move, None));
    assert_eq!((question.setup.stones.len(), question.time), (1, TimeControl::of_turn(s(2))));
    assert!(table.session.is_thinking() && table.engine.job().is_none());
    assert_eq!(table.session.asked_program().map(|program| program.name.as_str()), Some("foo"));
    assert_eq!(table.session.play(&points("a1")), Err(PlayFault::Thinking));
    let notices = table.foo_plays("i9");
    let [PlayNotice::Played { number: 2, by: FIRST, .. }] = notices[..] else {
        panic!("{notices:?}")
    };
    assert_eq!(table.session.game().moves()[1].depth(), Some(7));
    table.session.hint().unwrap();
    assert!(table.engine.job().is_some() && table.foo.log().question.is_none());
    assert_eq!(table.session.offer_draw(), Err(PlayFault::NoDraw));
    // Another game is another one for the program.
    table.session.new_game();
    assert_eq!(table.foo.log().games, 1);
}

#[test]
fn what_goes_wrong_leaves_the_game_as_it_was() {
    let mut table = Table::guest();
    table.play("h8");
    let crashed = ProgramNews::Failed("crashed: signal 11".to_owned());
    assert_eq!(table.says(&table.foo.clone(), crashed), failed("crashed: signal 11"));
    assert_eq!((table.moves().as_str(), table.session.is_thinking()), ("h8", false));
    assert_eq!(table.foo.log().games, 1, "it begins anew");
    assert!(table.session.unsaved().is_some_and(|saved| saved.is_waiting));
    assert_eq!(table.session.record().players[Color::White], "foo");
    // The person goes on without it, or with it.
    table.session.take_back(None).unwrap();
    table.session.redo(Some(1)).unwrap();
    table.session.go().unwrap();
    assert!(table.foo.log().question.is_some());
    let notices = table.foo_plays("h8");
    let point = points("h8")[0];
    let [PlayNotice::Unplayable(FIRST, found, fault), PlayNotice::EngineWaits] = notices[..] else {
        panic!("{notices:?}")
    };
    assert_eq!((found, fault.to_string().as_str()), (point, "h8 is occupied"));
    table.play("i9");
    table.play("h9");
    let none = ProgramNews::Answered(Answer::NoMove, MoverSearch::default(), None);
    let notices = table.says(&table.foo.clone(), none);
    assert_eq!(notices, failed("gave an answer that is no move"));
    assert_eq!(table.moves(), "h8i9h9");
}

#[test]
fn a_forbidden_move_of_a_program_is_refused() {
    let sides = ByColor([FIRST, Controller::Person]);
    let mut table = Table::new(sides, ClockControl::default(), Rule::Renju);
    for (black, white) in [("h9", "a1"), ("h10", "a15"), ("i8", "o1"), ("j8", "o15")] {
        table.foo_plays(black);
        table.play(white);
    }
    let notices = table.foo_plays("h8");
    let point = points("h8")[0];
    assert!(
        matches!(notices[0], PlayNotice::Unplayable(_, p, PlayFault::Forbidden(..)) if p == point),
        "{notices:?}"
    );
    assert!(table.session.game().end().is_none());
}

#[test]
fn the_clock_of_a_program_runs_when_it_is_ready_and_its_margin_is_free() {
    let control = ClockControl { game: Some(s(10)), ..ClockControl::default() };
    let mut table = Table::new(GUEST, control, Rule::Freestyle);
    table.play("h8");
    assert_eq!(table.foo.log().question.as_ref().unwrap().limit, Some(s(10)));
    table.clock.advance(s(60));
    assert_eq!((table.session.tick(), table.session.deadline()), (Vec::new(), None));
    table.says(&table.foo.clone(), ProgramNews::Begun);
    table.clock.advance(Duration::from_millis(10_050));
    assert_eq!(table.session.tick(), []);
    table.foo_plays("i9");
    let left = table.session.side_clock(Color::White).left();
    assert_eq!(left, Some(Duration::from_millis(1)), "an answer within the margin");
    table.play("h9");
    table.says(&table.foo.clone(), ProgramNews::Begun);
    table.clock.advance(Duration::from_millis(102));
    let notices = table.session.tick();
    let [PlayNotice::Over(end)] = &notices[..] else { panic!("{notices:?}") };
    assert_eq!((end.result, &end.reason), (GameResult::Win(Color::Black), &Some(Reason::Time)));
    assert!(table.foo.log().stopped);
    // Its late answer is dropped, and the game goes on from before.
    table.foo_plays("i8");
    assert_eq!(table.moves(), "h8i9h9");
    table.session.take_back(Some(3)).unwrap();
    table.play("h8");
    assert!(table.session.game().end().is_none() && table.foo.log().question.is_some());
}

#[test]
fn two_programs_are_watched_paused_and_stepped() {
    let sides = ByColor([FIRST, SECOND]);
    let mut table = Table::new(sides, ClockControl::default(), Rule::Freestyle);
    table.foo_plays("h8");
    let event = table.bar.answers("i9");
    table.session.program_event(event);
    assert_eq!(table.session.stop(), Ok(vec![PlayNotice::EngineWaits]));
    assert!(table.foo.log().stopped);
    table.says(&table.foo.clone(), ProgramNews::Failed("was stopped".to_owned()));
    assert_eq!(table.moves(), "h8i9", "nothing is to be said of that");
    table.session.step().unwrap();
    table.foo_plays("h9");
    assert!(table.bar.log().question.is_none(), "one step");
    table.session.go().unwrap();
    // The last question ends before the next begins.
    table.session.take_back(Some(1)).unwrap();
    table.session.go().unwrap();
    assert!(table.bar.log().stopped && table.foo.log().question.is_none());
    table.says(&table.bar.clone(), ProgramNews::Failed("was stopped".to_owned()));
    table.foo_plays("g8");
    assert!(table.moves() == "h8i9g8" && table.bar.log().question.is_some());
}

#[test]
fn a_program_plays_swap2_and_is_not_asked_for_more() {
    let sides = ByColor([Controller::Person, FIRST]);
    let none = ClockControl::default();
    let mut table = Table::with(sides, none, Rule::Freestyle, Some(OpeningRule::Swap2));
    table.play("h8i9j10");
    assert_eq!(table.foo.log().question.as_ref().unwrap().ask, ProgramAsk::Swap2);
    table.foo_plays("a1a2");
    let opening = table.session.opening().unwrap().course();
    assert_eq!((opening.stones().len(), opening.choices()[3]), (5, OpeningChoice::TwoMore));
    let mut table = Table::with(sides, none, Rule::Renju, Some(OpeningRule::Rif));
    table.play("h8i9j10");
    assert_eq!(table.foo.log().question.as_ref().unwrap().ask, ProgramAsk::OtherOpening);
    assert_eq!(table.says(&table.foo.clone(), ProgramNews::Failed("no".to_owned())), failed("no"));
    // Somebody chooses for it.
    assert!(table.session.choose(&[OpeningChoice::Stay]).is_ok());
}

#[test]
fn a_saved_game_keeps_the_words_of_programs() {
    let mut table = Table::guest();
    table.play("h8");
    let saved = table.session.saved();
    let text = saved.to_text();
    assert_eq!(SavedGame::from_text(&text).as_ref(), Ok(&saved));
    assert_eq!(saved.programs[0].words, "cmd=./foo");
    assert_eq!(saved.record().players[Color::White], "foo");
    let nameless = SavedGame { programs: Vec::new(), ..saved.clone() };
    assert!(SavedGame::from_text(&nameless.to_text()).is_err());
    // Others can have the sides of those who are not there.
    let engine = ScriptedThinker::default();
    let mut session = PlaySession::resume(engine.clone(), table.clock, saved.clone());
    session.seat(Color::White, Controller::Engine);
    session.start();
    assert!(engine.job().is_some());
    // They have them from then on, as another program of that number has.
    let kept = session.unsaved().expect("a change");
    assert_eq!(kept.terms.sides[Color::White], Controller::Engine);
    let resumed = |seated: &[&str], player| {
        let programs = seated.iter().map(|name| ScriptedProgram::default().seated(name)).collect();
        let session = PlaySession::resume(ScriptedThinker::default(), table.clock, saved.clone());
        let mut session = session.with_programs(programs);
        session.seat(Color::White, player);
        session.start();
        session.unsaved().is_some()
    };
    assert!(!resumed(&["foo", "bar"], FIRST));
    assert!(resumed(&["qux", "bar"], FIRST));
    assert!(resumed(&["foo", "bar"], Controller::Person));
}

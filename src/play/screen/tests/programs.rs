//! Programs at the table.

use super::{Viewer, game};
use crate::play::TableEvent;
use crate::play::screen::ScreenEvent;
use crate::screen::theme::ColorDepth;
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Size};
use tengen_people::play::scripted::ScriptedProgram;
use tengen_people::play::{ClockControl, Controller, ProgramNews};

const FIRST: Controller = Controller::Program(0);
const SECOND: Controller = Controller::Program(1);

/// Returns a screen at which two programs can play, and the programs.
fn screen(sides: [Controller; 2]) -> (Viewer, [ScriptedProgram; 2]) {
    let programs = [ScriptedProgram::default(), ScriptedProgram::default()];
    let seated = vec![programs[0].seated("foo"), programs[1].seated("bar of a long name")];
    let start = game(Rule::Freestyle, Size::DEFAULT, "");
    let (depth, clock) = (ColorDepth::None, ClockControl::default());
    let viewer = Viewer::among(ByColor(sides), start, depth, clock, false, seated);
    (viewer, programs)
}

impl Viewer {
    fn hears(&mut self, program: &ScriptedProgram, news: ProgramNews) {
        let event = TableEvent::Program(program.says(news));
        self.screen.update(ScreenEvent::Table(event));
    }

    fn plays(&mut self, program: &ScriptedProgram, cell: &str) {
        let event = TableEvent::Program(program.answers(cell));
        self.screen.update(ScreenEvent::Table(event));
    }
}

#[test]
fn a_person_meets_a_program_that_crashes_and_goes_on_with_it() {
    let (mut viewer, [foo, _]) = screen([Controller::Person, FIRST]);
    viewer.press("<Enter>");
    let text = viewer.text(80, 24);
    assert!(text.contains("foo     ◀ thinks") && text.contains("foo thinks: Esc stops"), "{text}");
    viewer.hears(&foo, ProgramNews::Failed("crashed: signal 11".to_owned()));
    viewer.shows("crashed", 80, 24);
    viewer.press("g");
    viewer.plays(&foo, "i9");
    assert_eq!(viewer.last_message(), "Move 2: white i9, foo.");
    viewer.press("<Right><Enter>");
    viewer.plays(&foo, "i8");
    assert_eq!(viewer.moves(), "h8i9i8");
    let refused = "Error: foo plays i8, but i8 is occupied.";
    assert!(viewer.screen.messages.iter().any(|line| line == refused));
    // Its move is taken back like any other, and somebody else plays on.
    viewer.press("u<Up><Enter>");
    viewer.plays(&foo, "a1");
    assert_eq!(viewer.moves(), "h8i9i7a1");
    let late = "answered after 7203 ms of 2000".to_owned();
    viewer.press("<Up><Enter>");
    let answer = tengen_engine::engine::Answer::Moves(super::points("a2"));
    let search = tengen_files::records::MoverSearch::default();
    viewer.hears(&foo, ProgramNews::Answered(answer, search, Some(late)));
    let remark = "foo answered after 7203 ms of 2000.";
    assert!(viewer.screen.messages.iter().any(|line| line == remark));
}

#[test]
fn two_programs_are_watched_and_another_game_can_have_them() {
    let (mut viewer, [foo, bar]) = screen([FIRST, SECOND]);
    viewer.plays(&foo, "h8");
    viewer.plays(&bar, "i9");
    let text = viewer.text(80, 24);
    assert!(text.contains("bar of a long"), "{text}");
    viewer.press("p");
    viewer.hears(&foo, ProgramNews::Failed("was stopped".to_owned()));
    assert_eq!(viewer.last_message(), "foo waits, with black to move: go lets it play.");
    viewer.press(".");
    viewer.plays(&foo, "h9");
    assert!(bar.log().question.is_none() && viewer.moves() == "h8i9h9");
    viewer.press("n<Down><Down><Down>");
    let text = viewer.text(80, 24);
    assert!(text.contains("> black    < foo >"), "{text}");
    viewer.press("<Right><Right><Enter>");
    let sides = viewer.screen.table.session().terms().sides;
    assert_eq!(sides, ByColor([Controller::Person, SECOND]));
}

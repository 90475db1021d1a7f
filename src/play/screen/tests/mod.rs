//! Whole screens, with a scripted engine and a clock that tests own.
//!

mod pictures;
mod programs;

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use ratatui::layout::Rect;

use super::dialog::Dialog;
use super::letters::PATIENCE;
use super::{Screen, ScreenEvent};
use crate::play::TableEvent;
use crate::play::table::PlayTable;
use crate::play::voice::Voice;
use crate::screen::Look;
use crate::screen::testing::{codes, looks_like, text_of};
use crate::screen::theme::{ColorDepth, Theme};
use tengen_core::eval::WinModel;
use tengen_core::notation::{BoardGlyphs, Origin, parse_moves};
use tengen_core::rules::Rule;
use tengen_core::search::{Report, Variation};
use tengen_core::sys::clock::ManualClock;
use tengen_core::types::{ByColor, Cell, Color, Point, Score, Size};
use tengen_engine::engine::{Answer, Event, EventKind};
use tengen_files::records::{Move, Record};
use tengen_people::play::scripted::{ScriptedThinker, USUAL};
use tengen_people::play::{
    CasualGame, ClockControl, Coach, CoachAnswer, Controller, PlaySession, PlayTerms,
    SeatedProgram, ThinkingLimits,
};
use tengen_people::review::Effort;

/// Two people.
const PEOPLE: ByColor<Controller> = ByColor([Controller::Person; 2]);

/// A user of a screen.
struct Viewer {
    screen: Screen<ScriptedThinker, &'static ManualClock>,
    mind: ScriptedThinker,
    clock: &'static ManualClock,
    advice: Receiver<CoachAnswer>,
}

impl Viewer {
    fn new(sides: ByColor<Controller>, game: CasualGame, depth: ColorDepth) -> Viewer {
        Viewer::timed(sides, game, depth, ClockControl::default())
    }

    fn timed(
        sides: ByColor<Controller>,
        game: CasualGame,
        depth: ColorDepth,
        clock_control: ClockControl,
    ) -> Viewer {
        Viewer::at(sides, game, depth, clock_control, false)
    }

    fn at(
        sides: ByColor<Controller>,
        game: CasualGame,
        depth: ColorDepth,
        clock_control: ClockControl,
        is_welcoming: bool,
    ) -> Viewer {
        Viewer::among(sides, game, depth, clock_control, is_welcoming, Vec::new())
    }

    fn among(
        sides: ByColor<Controller>,
        game: CasualGame,
        depth: ColorDepth,
        clock_control: ClockControl,
        is_welcoming: bool,
        programs: Vec<SeatedProgram>,
    ) -> Viewer {
        let mind = ScriptedThinker::default();
        // A few bytes for each test.
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let thinking = ThinkingLimits::default();
        let terms = PlayTerms { sides, skills: ByColor::default(), clock: clock_control, thinking };
        let session = PlaySession::new(mind.clone(), clock, terms, game).with_programs(programs);
        let voice = Voice { origin: Some(Origin::Top), glyphs: BoardGlyphs::Letters };
        let (coach, advice) = Coach::start(false, Effort::Nodes(300));
        let table = PlayTable::new(session, voice, None, coach, None);
        let look = Look { theme: Theme::usual(depth), ascii: false };
        let screen = Screen::new(table, look, Rect::new(0, 0, 80, 24), is_welcoming);
        Viewer { screen, mind, clock, advice }
    }

    /// Two people at a game without colours.
    fn people(rule: Rule, moves: &str) -> Viewer {
        Viewer::new(PEOPLE, game(rule, Size::DEFAULT, moves), ColorDepth::None)
    }

    /// Presses keys, letters or names such as `<Enter>`, and waits a moment.
    fn press(&mut self, keys: &str) {
        for code in codes(keys) {
            self.event(TerminalEvent::Key(KeyEvent::from(code)));
        }
        (0..PATIENCE).for_each(|_| self.screen.update(ScreenEvent::Tick));
    }

    fn event(&mut self, event: TerminalEvent) {
        self.screen.update(ScreenEvent::Terminal(event));
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let modifiers = KeyModifiers::NONE;
        self.event(TerminalEvent::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    /// Types a command.
    fn typed(&mut self, text: &str) {
        self.press(&format!(":{text}<Enter>"));
    }

    /// Waits for the coach.
    fn prove(&mut self) {
        let answer = self.advice.recv().expect("the coach answers");
        self.screen.update(ScreenEvent::Advice(answer));
    }

    fn report(&mut self, line: &str, score: i32) {
        let id = self.mind.job().expect("a job").id;
        let pv = points(line);
        let line = Variation { depth: 12, seldepth: 20, score: Score::eval(score), pv };
        let report = Report {
            nodes: 123_456,
            elapsed: Duration::ZERO,
            lines: vec![line],
            win_model: WinModel::new(200, 0),
        };
        self.screen.update(ScreenEvent::Table(TableEvent::Engine(Event {
            id,
            kind: EventKind::Report(report),
        })));
    }

    fn answer(&mut self, cell: &str) {
        let id = self.mind.take_job().expect("a job").id;
        let kind = EventKind::Done(Answer::Moves(points(cell)));
        self.screen.update(ScreenEvent::Table(TableEvent::Engine(Event { id, kind })));
    }

    fn moves(&self) -> String {
        self.screen
            .table
            .game()
            .moves()
            .iter()
            .filter_map(Move::point)
            .map(|point| point.to_string())
            .collect()
    }

    fn last_message(&self) -> &str {
        self.screen.messages.back().map_or("", String::as_str)
    }

    fn buffer(&mut self, columns: u16, rows: u16) -> ratatui::buffer::Buffer {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| self.screen.draw(frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// Returns the screen as text.
    fn text(&mut self, columns: u16, rows: u16) -> String {
        text_of(&self.buffer(columns, rows))
    }

    /// Compares the screen with a file.
    fn shows(&mut self, name: &str, columns: u16, rows: u16) {
        looks_like(&self.text(columns, rows), &format!("{name}-{columns}x{rows}"));
    }
}

fn points(cells: &str) -> Vec<Point> {
    parse_moves(cells, Size::DEFAULT).unwrap()
}

fn game(rule: Rule, size: Size, moves: &str) -> CasualGame {
    let mut game = CasualGame::new(size, rule);
    for point in parse_moves(moves, size).unwrap() {
        game.play(Move::new(point, game.to_move())).unwrap();
    }
    game
}

#[test]
fn arrows_letters_and_the_mouse_place_stones() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.press("<Enter><Right><Down> kk<Left>3h<Enter>");
    assert_eq!(viewer.moves(), "h8i9e7");
    // A cell beside the board is none.
    viewer.click(0, 0);
    viewer.click(79, 3);
    assert_eq!(viewer.moves(), "h8i9e7");
    viewer.click(4, 1);
    assert_eq!(viewer.moves(), "h8i9e7a1");
    viewer.click(4 + 2 * 14, 15);
    assert_eq!(viewer.moves(), "h8i9e7a1o15");
    assert_eq!(viewer.screen.cursor.to_string(), "o15");
    viewer.press("<Enter>");
    assert_eq!(viewer.last_message(), "Error: o15 is occupied.");
}

#[test]
fn moves_are_taken_back_and_played_again_with_counts() {
    let mut viewer = Viewer::people(Rule::Freestyle, "h8i9h9i8h10");
    viewer.press("3u");
    assert_eq!(viewer.moves(), "h8i9");
    viewer.press("u");
    assert_eq!(viewer.moves(), "h8");
    viewer.press("2rr");
    assert_eq!(viewer.moves(), "h8i9h9i8");
    viewer.press("99u");
    assert_eq!(viewer.last_message(), "Error: only 4 moves can be taken back.");
}

#[test]
fn typed_commands_are_those_of_the_lines() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.typed("h8 i9 h9");
    assert_eq!(viewer.moves(), "h8i9h9");
    viewer.typed("set a1 wall");
    assert_eq!(viewer.screen.table.game().walls(), points("a1"));
    viewer.typed("jump");
    assert_eq!(viewer.last_message(), "Error: there is no command \"jump\": help lists them.");
    viewer.typed("help");
    assert_eq!(viewer.screen.dialog, Some(Dialog::Help(0)));
    viewer.press("<Down><Esc>:undo<Back><Back><Esc>/ren<Esc>");
    assert_eq!(viewer.screen.dialog, None);
    viewer.event(TerminalEvent::Paste("ignored".to_owned()));
    viewer.press(":");
    viewer.event(TerminalEvent::Paste("rule\u{1b} renju\n".to_owned()));
    viewer.press("<Enter>");
    assert_eq!(viewer.last_message(), "The next game: renju 15x15. new begins it.");
}

#[test]
fn the_engine_thinks_while_the_screen_is_used() {
    let mut viewer = Viewer::new(USUAL, game(Rule::Freestyle, Size::DEFAULT, ""), ColorDepth::None);
    viewer.press("<Enter>v");
    viewer.report("i9h9h10", 60);
    let text = viewer.text(80, 24);
    assert!(text.contains("tengen  ◀ thinks"), "{text}");
    assert!(text.contains("expected i9 h9 h10") && text.contains("black 43 %"), "{text}");
    assert!(text.contains("engine thinks"), "{text}");
    viewer.press("<Down><Enter>");
    assert_eq!(viewer.last_message(), "Error: the engine is thinking.");
    viewer.answer("i9");
    assert_eq!(viewer.moves(), "h8i9");
    let text = viewer.text(80, 24);
    assert!(text.contains("expected h9 h10"), "the rest of the line: {text}");
    viewer.press("<Enter>");
    assert_eq!(viewer.moves(), "h8i9h9");
    viewer.press("<Esc>");
    assert_eq!(viewer.last_message(), "The engine waits, with white to move: go lets it play.");
    viewer.answer("a1");
    assert_eq!(viewer.moves(), "h8i9h9", "it was not wanted");
    viewer.press("g");
    assert!(viewer.mind.job().is_some());
}

#[test]
fn two_engines_pause_and_step() {
    let engines = ByColor([Controller::Engine; 2]);
    let mut viewer =
        Viewer::new(engines, game(Rule::Freestyle, Size::DEFAULT, ""), ColorDepth::None);
    viewer.answer("h8");
    viewer.answer("i9");
    viewer.press("p");
    viewer.answer("a1");
    assert_eq!(viewer.moves(), "h8i9");
    viewer.press(".");
    viewer.answer("h9");
    assert!(viewer.mind.job().is_none(), "one step");
    viewer.press("p");
    viewer.answer("i8");
    assert!(viewer.mind.job().is_some() && viewer.moves() == "h8i9h9i8");
}

#[test]
fn interrupts_stop_the_engine_first() {
    let mut viewer = Viewer::new(USUAL, game(Rule::Freestyle, Size::DEFAULT, ""), ColorDepth::None);
    viewer.press("<Enter>");
    let control = |c| TerminalEvent::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    viewer.event(control('c'));
    assert!(!viewer.screen.table.is_thinking() && !viewer.screen.is_over());
    // The game would be lost.
    viewer.screen.update(ScreenEvent::Interrupt);
    assert!(matches!(viewer.screen.dialog, Some(Dialog::Sure(..))));
    viewer.press("n");
    assert!(!viewer.screen.is_over());
    viewer.press("qy");
    assert!(viewer.screen.is_over());
    viewer.event(control('z'));
    assert!(viewer.screen.takes_suspension() && !viewer.screen.takes_suspension());
}

#[test]
fn a_position_is_set_up_by_keys_and_clicks() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.press("eb<Right>w<Right>x<Right><Enter>");
    let cell =
        |viewer: &Viewer, text: &str| viewer.screen.table.game().board().cell(points(text)[0]);
    assert_eq!(cell(&viewer, "h8"), Cell::Stone(Color::Black));
    assert_eq!(cell(&viewer, "i8"), Cell::Stone(Color::White));
    assert_eq!((cell(&viewer, "j8"), cell(&viewer, "k8")), (Cell::Wall, Cell::Wall));
    viewer.click(4, 1);
    assert_eq!(cell(&viewer, "a1"), Cell::Wall);
    viewer.click(4, 1);
    assert_eq!(cell(&viewer, "a1"), Cell::Empty);
    viewer.press("<Left><Left><Left><Back><Tab>");
    assert_eq!(viewer.screen.table.game().to_move(), Color::White);
    let text = viewer.text(80, 24);
    assert!(text.contains("set up: empty") && text.contains("▒"), "{text}");
    viewer.press("<Esc>");
    assert!(viewer.screen.brush.is_none());
}

#[test]
fn another_game_begins_as_the_form_says() {
    let mut viewer = Viewer::people(Rule::Freestyle, "h8");
    viewer.press("n<Right><Right><Down><Left><Down><Left>");
    let text = viewer.text(80, 24);
    assert!(text.contains("rule     < renju >") && text.contains("> rows     < 14 >"), "{text}");
    viewer.press("<Enter>");
    let game = viewer.screen.table.game();
    assert_eq!((game.rule(), game.size()), (Rule::Renju, Size::square(14).unwrap()));
    assert!(game.is_untouched());
    viewer.press("n<Esc>Rn");
    assert!(viewer.screen.table.game().end().is_none() && viewer.screen.dialog.is_none());
    viewer.press("Ry");
    assert!(viewer.last_message().contains("black resigns"), "{}", viewer.last_message());
}

#[test]
fn somebody_who_said_nothing_of_the_game_is_asked_and_the_engine_waits_for_that() {
    let engine_first = ByColor([Controller::Engine, Controller::Person]);
    let welcomed = || {
        let start = game(Rule::Freestyle, Size::DEFAULT, "");
        Viewer::at(engine_first, start, ColorDepth::None, ClockControl::default(), true)
    };
    for (keys, sides) in [("<Esc>", engine_first), ("<Enter>", engine_first)] {
        let mut viewer = welcomed();
        let text = viewer.text(80, 24);
        assert!(text.contains("> rule     < freestyle >"), "{text}");
        assert!(text.contains("Enter begins") && !text.contains("Esc leaves"), "{text}");
        viewer.screen.update(ScreenEvent::Tick);
        assert!(viewer.mind.job().is_none(), "it is not known yet who plays");
        viewer.press(keys);
        assert_eq!(viewer.screen.table.session().terms().sides, sides);
        assert!(viewer.mind.job().is_some(), "{keys}");
    }
    // Black is a person, and so is white.
    let mut viewer = welcomed();
    viewer.press("<Down><Down><Down><Right><Enter>");
    assert!(viewer.mind.job().is_none() && viewer.screen.dialog.is_none());
    viewer.press("<Enter>");
    assert_eq!(viewer.moves(), "h8");
    // A click beside the dialog puts it away.
    let mut viewer = welcomed();
    viewer.click(0, 0);
    assert!(viewer.mind.job().is_some());
}

#[test]
fn a_game_that_is_over_is_reviewed_and_begun_again() {
    let mut viewer = Viewer::people(Rule::Freestyle, "h8a1h9c1h10e1a15g1h11i1h12");
    let text = viewer.text(80, 24);
    assert!(text.contains("game is over: R review, N again with sides changed"), "{text}");
    viewer.press("R");
    while viewer.screen.table.is_thinking() {
        let text = viewer.text(80, 24);
        assert!(text.contains("reviewing: ") && text.contains(" of 12 positions"), "{text}");
        viewer.prove();
    }
    let text = viewer.text(80, 24);
    assert!(text.contains("Review, 1 of "), "{text}");
    assert!(text.contains("Right, Left: through the review, Esc leaves it"), "{text}");
    let first = viewer.screen.game().moves().len();
    viewer.press("<Right><Right>");
    assert!(viewer.screen.game().moves().len() > first);
    viewer.press("<Enter><Left><Left><Left><Left>");
    assert_eq!(viewer.screen.game().moves().len(), first);
    // The board tells the move that was played from the better one, and takes no stones.
    viewer.click(4, 1);
    let current = viewer.screen.debrief.as_ref().unwrap().current();
    let (played, best) = (current.point, current.best());
    let labels = viewer.screen.debrief_labels(viewer.screen.debrief.as_ref().unwrap());
    assert_eq!((labels[&played].0.as_str(), labels[&best].0.as_str()), ("?", "1"));
    viewer.press("<Esc>");
    assert!(viewer.screen.debrief.is_none() && viewer.screen.game().end().is_some());
    viewer.press("N");
    assert!(viewer.screen.game().is_untouched());

    // A review that is not waited for.
    let mut viewer = Viewer::people(Rule::Freestyle, "h8a1h9c1h10e1a15g1h11i1h12");
    viewer.press("R<Esc>");
    assert!(!viewer.screen.table.is_thinking());
    assert_eq!(viewer.last_message(), "Stopped.");
}

#[test]
fn beginning_again_in_the_middle_of_a_game_is_asked_about() {
    let mut viewer = Viewer::new(USUAL, game(Rule::Renju, Size::DEFAULT, "h8"), ColorDepth::None);
    viewer.answer("i9");
    viewer.press("Nn");
    assert_eq!(viewer.moves(), "h8i9");
    viewer.press("Ny");
    let session = viewer.screen.table.session();
    assert_eq!(session.terms().sides, ByColor([Controller::Engine, Controller::Person]));
    assert!(session.game().is_untouched() && session.game().rule() == Rule::Renju);
    assert!(viewer.mind.job().is_some(), "black is the engine now");
}

#[test]
fn a_hint_is_on_the_board_until_somebody_moves() {
    let mut viewer = Viewer::new(USUAL, game(Rule::Freestyle, Size::DEFAULT, ""), ColorDepth::None);
    let before = viewer.text(80, 24);
    viewer.press("H");
    viewer.report("i9h9h10", 60);
    viewer.answer("i9");
    let row = |text: &str| text.lines().nth(9).unwrap_or_default().to_owned();
    let text = viewer.text(80, 24);
    assert!(row(&text).contains('1') && row(&text) != row(&before), "{text}");
    viewer.press("<Enter>");
    let text = viewer.text(80, 24);
    assert!(!row(&text).contains('1'), "{text}");

    // Also after the engine has thought about its own move, and expected another one.
    viewer.report("i9h9h10", 60);
    viewer.answer("i9");
    viewer.press("H");
    let text = viewer.text(80, 24);
    assert!(!row(&text).contains('1'), "{text}");
    viewer.report("h10j9", 60);
    viewer.answer("h10");
    let row = viewer.text(80, 24).lines().nth(10).unwrap_or_default().to_owned();
    assert!(row.split('─').any(|sign| sign == "1"), "{row}");
}

#[test]
fn a_hint_is_gone_with_its_game_and_what_was_set_up() {
    let hinted = || {
        let empty = game(Rule::Freestyle, Size::DEFAULT, "");
        let mut viewer = Viewer::new(USUAL, empty, ColorDepth::None);
        viewer.press("Hv");
        viewer.report("o15a15", 60);
        viewer.answer("o15");
        let text = viewer.text(80, 24);
        assert!(text.contains("expected o15 a15"), "{text}");
        viewer
    };
    let is_gone = |viewer: &mut Viewer, how: &str| {
        let text = viewer.text(80, 24);
        assert!(!text.contains("expected") && text.contains("No chances yet"), "{how}: {text}");
        assert_eq!((&viewer.screen.outlook, &viewer.screen.hinted), (&None, &None), "{how}");
    };
    let mut viewer = hinted();
    viewer.press("n<Enter>");
    is_gone(&mut viewer, "another game");
    let mut viewer = hinted();
    viewer.typed("rule renju");
    viewer.typed("size 5");
    assert_eq!(viewer.screen.table.game().size(), Size::square(5).unwrap());
    is_gone(&mut viewer, "another board, without the cells of the hint");
    for change in ["set a1 wall", "set a1 black", "turn white"] {
        let mut viewer = hinted();
        viewer.typed(change);
        is_gone(&mut viewer, change);
    }
    // A move leads on from it, and taking back leads before it.
    let mut viewer = Viewer::people(Rule::Freestyle, "h8");
    viewer.press("Hv");
    viewer.report("o15a15", 60);
    viewer.answer("o15");
    viewer.typed("o15");
    assert!(viewer.text(80, 24).contains("expected a15"));
    viewer.press("2u");
    is_gone(&mut viewer, "moves taken back");
}

#[test]
fn up_goes_back_at_once_after_the_end_of_the_help() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.press("?");
    for _ in 0..20 {
        viewer.press("<PageDown>");
    }
    let end = viewer.text(80, 24);
    viewer.press("<Up>");
    assert_ne!(viewer.text(80, 24), end);
}

#[test]
fn cells_are_typed_without_a_colon() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    // Letters that are keys: of the cursor, of what is shown, of what cannot be taken back.
    viewer.press("h8<Enter>i9<Enter>m10<Enter>g7<Enter>n1<Enter>d3 e5<Enter>");
    assert_eq!(viewer.moves(), "h8i9m10g7n1d3e5");
    let screen = &viewer.screen;
    assert!(screen.brush.is_none() && screen.dialog.is_none() && !screen.shown.numbers);
    assert_eq!(screen.cursor.to_string(), "h8", "it is where it was");
    // What is typed is seen, and put away.
    viewer.press("a");
    assert_eq!(viewer.screen.dialog, Some(Dialog::Prompt("a".to_owned())));
    viewer.press("<Esc>k1");
    assert_eq!(viewer.screen.dialog, Some(Dialog::Prompt("k1".to_owned())));
    viewer.press("<Back><Back><Back>");
    assert_eq!((&viewer.screen.dialog, viewer.screen.cursor.to_string()), (&None, "h8".to_owned()));
    // Without a digit they are keys, after a moment or before the next one.
    viewer.press("m");
    assert!(viewer.screen.shown.numbers);
    let press = |viewer: &mut Viewer, c| {
        viewer.event(TerminalEvent::Key(KeyEvent::from(KeyCode::Char(c))));
    };
    press(&mut viewer, 'g');
    assert!(viewer.mind.job().is_none() && viewer.text(80, 24).contains("h8  g"));
    assert!(viewer.screen.has_clock(), "time changes that");
    (0..PATIENCE).for_each(|_| viewer.screen.update(ScreenEvent::Tick));
    assert!(viewer.mind.job().is_some());
    press(&mut viewer, 'n');
    press(&mut viewer, 'q');
    assert!(viewer.screen.dialog.is_none() && !viewer.screen.is_over(), "q has left the form");
    press(&mut viewer, 'd');
    viewer.click(4, 1);
    assert!(!viewer.screen.is_over() && viewer.screen.waiting_letter().is_none());
}

#[test]
fn a_key_that_is_none_says_so() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.press("z");
    assert_eq!(viewer.last_message(), "z is no key here: ? shows the keys.");
}

#[test]
fn a_win_is_shown_against_what_is_played() {
    let mut viewer = Viewer::people(Rule::Freestyle, "h8a1h9c1h10e1");
    viewer.press("w");
    assert!(viewer.text(80, 24).contains("looking for a forced win"));
    viewer.prove();
    assert!(viewer.screen.table.shown().is_some());
    viewer.press("g");
    assert_eq!(viewer.last_message(), "Error: a win is shown: back returns to the game.");
    viewer.typed("o15");
    assert!(viewer.screen.table.game().end().is_some());
    viewer.press("u");
    assert!(viewer.screen.table.game().end().is_none());
    viewer.press("<Esc>");
    assert_eq!(viewer.moves(), "h8a1h9c1h10e1", "the game is as before");
    viewer.typed("undo 6");
    viewer.press("w");
    viewer.prove();
    assert_eq!(viewer.last_message(), "No forced win of black was found.");
}

#[test]
fn a_move_that_gives_a_win_away_is_asked_about() {
    let mut viewer = Viewer::people(Rule::Freestyle, "a1h8c1h9e1h10");
    viewer.press("T");
    viewer.typed("o15");
    viewer.prove();
    let text = viewer.text(80, 24);
    assert!(text.contains("o15 lets the opponent win. Play it all the same? y n"), "{text}");
    viewer.press("n");
    assert_eq!(viewer.moves(), "a1h8c1h9e1h10");
    viewer.typed("h11");
    viewer.prove();
    assert_eq!(viewer.moves(), "a1h8c1h9e1h10h11", "that is a defence");
    viewer.typed("undo 1");
    viewer.typed("o15");
    viewer.prove();
    viewer.press("y");
    assert_eq!(viewer.moves(), "a1h8c1h9e1h10o15");
    // It is white who can win now.
    viewer.typed("a15");
    viewer.prove();
    let text = viewer.text(80, 24);
    assert!(text.contains("a15 throws a win away. Play it all the same? y n"), "{text}");
    assert!(text.contains("which a15 throws away"), "{text}");
    viewer.press("n");
    viewer.typed("h11");
    viewer.prove();
    assert_eq!(viewer.moves(), "a1h8c1h9e1h10o15h11");
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let control = ClockControl { game: Some(Duration::from_secs(90)), ..ClockControl::default() };
    let start = game(Rule::Freestyle, Size::DEFAULT, "");
    let mut viewer = Viewer::timed(PEOPLE, start, ColorDepth::None, control);
    viewer.clock.advance(Duration::from_secs(20));
    viewer.screen.update(ScreenEvent::Tick);
    let text = viewer.text(80, 24);
    assert!(text.contains("person  1:10 ◀") && text.contains("person  1:30\n"), "{text}");
    viewer.clock.advance(Duration::from_secs(70));
    viewer.screen.update(ScreenEvent::Tick);
    assert!(viewer.last_message().contains("black has run out of time"));
}

#[test]
fn in_an_opening_the_clock_is_that_of_the_player_who_is_asked() {
    let control = ClockControl { game: Some(Duration::from_secs(90)), ..ClockControl::default() };
    let start = game(Rule::Freestyle, Size::DEFAULT, "");
    let mut viewer = Viewer::timed(PEOPLE, start, ColorDepth::None, control);
    viewer.typed("opening swap2");
    // The first player places a white stone as well.
    viewer.typed("h8");
    viewer.clock.advance(Duration::from_secs(20));
    viewer.typed("clock");
    let text = viewer.text(80, 24);
    assert!(text.contains("person  1:10 ◀") && text.contains("person  1:30\n"), "{text}");
    assert!(text.find("1:10") < text.find("1:30"), "black is told first: {text}");
    assert!(text.contains("Black to move: Enter plays"), "{text}");
    let is_told = |line: &String| line.starts_with("Black: 1 minute 10 seconds left");
    assert!(viewer.screen.messages.iter().any(is_told), "{:?}", viewer.screen.messages);
}

#[test]
fn the_screen_is_usable_at_every_size() {
    let size = Size::square(22).unwrap();
    let mut viewer = Viewer::new(PEOPLE, game(Rule::Renju, size, "h8i9"), ColorDepth::Indexed);
    for keys in ["", "tvm", "?", "<Esc>n", "<Esc>:save x"] {
        viewer.press(keys);
        for columns in [1, 2, 5, 6, 13, 20, 49, 80, 200] {
            for rows in [1, 2, 3, 7, 24, 60] {
                viewer.text(columns, rows);
            }
        }
    }
    viewer.press("<Esc>");
    assert!(viewer.text(14, 2).starts_with("too small\n[l12]\n"), "{}", viewer.text(14, 2));
    // Keys go on working.
    viewer.press("<Enter>");
    assert_eq!(viewer.moves(), "h8i9l12");
}

#[test]
fn every_rule_and_record_can_be_looked_at() {
    for rule in Rule::ALL {
        let record = Record::of_points(Size::DEFAULT, &points("h8i9h9i8h10i10h11i11"));
        let game = CasualGame::from_record(record, &[], rule).unwrap();
        let mut viewer = Viewer::new(PEOPLE, game, ColorDepth::True);
        viewer.press("tm");
        let text = viewer.text(80, 24);
        assert!(text.starts_with("    a b c d e f g h i j k l m n o"), "{text}");
    }
}

//! Whole screens of a scripted engine.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{MouseEvent, MouseEventKind};

use super::*;
use crate::common::files::game_of_moves;
use crate::common::options::RecordSource;
use crate::screen::testing::{codes, looks_like, text_of};
use crate::screen::theme::{ColorDepth, Theme};
use tengen_core::rules::Rule;
use tengen_engine::engine::{Answer, EventKind};
use tengen_people::play::LiveLimits;
use tengen_people::play::scripted::{ScriptedThinker, report};

struct Watcher {
    screen: AnalysisScreen<ScriptedThinker>,
    mind: ScriptedThinker,
}

impl Watcher {
    fn new(moves: &str) -> Watcher {
        let source = RecordSource { rule: Some(Rule::Freestyle), ..RecordSource::default() };
        let game = game_of_moves(Some(moves), &source, Rule::Freestyle, None).unwrap();
        let mind = ScriptedThinker::default();
        let analysis = LiveAnalysis::new(game, mind.clone(), 3, LiveLimits::default());
        let look = Look { theme: Theme::usual(ColorDepth::None), ascii: false };
        Watcher { screen: AnalysisScreen::new(analysis, look, Origin::Top), mind }
    }

    fn press(&mut self, keys: &str) {
        for code in codes(keys) {
            self.screen.input(&TerminalEvent::Key(KeyEvent::from(code)));
        }
    }

    /// Lets the engine say what it has found.
    fn report(&mut self, lines: &[(&str, i32)]) {
        let id = self.mind.job().expect("a job").id;
        self.screen.analysis.event(Event { id, kind: EventKind::Report(report(lines)) });
    }

    /// Lets the engine finish.
    fn finish(&mut self) {
        let id = self.mind.take_job().expect("a job").id;
        self.screen.analysis.event(Event { id, kind: EventKind::Done(Answer::NoMove) });
    }

    fn text(&mut self, columns: u16, rows: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| self.screen.draw(frame)).unwrap();
        text_of(terminal.backend().buffer())
    }

    fn moves(&self) -> String {
        self.screen
            .analysis
            .game()
            .moves()
            .iter()
            .filter_map(Move::point)
            .map(|point| point.to_string())
            .collect()
    }
}

const FOUND: [(&str, i32); 3] = [("h10g8f9", 120), ("g10h10", -20), ("f6", -300)];

#[test]
fn the_best_moves_are_drawn_with_their_chances() {
    let mut watcher = Watcher::new("h8i9h9i8");
    watcher.report(&FOUND);
    for (columns, rows) in [(80, 24), (120, 40), (50, 20)] {
        let text = watcher.text(columns, rows);
        looks_like(&text, &format!("analysis-{columns}x{rows}"));
    }
    watcher.press("<Down>v");
    looks_like(&watcher.text(80, 24), "analysis-line-80x24");
    watcher.press("?");
    looks_like(&watcher.text(80, 24), "analysis-help-80x24");
    watcher.screen.look.ascii = true;
    watcher.press("qv");
    assert!(!watcher.screen.is_over, "a key leaves the help, and no more");
    assert!(watcher.text(80, 24).is_ascii());
    assert_eq!(watcher.text(4, 2).trim(), "too");
}

#[test]
fn keys_step_play_and_return() {
    let mut watcher = Watcher::new("h8i9h9i8");
    watcher.report(&FOUND);
    watcher.press("<Down><Enter>");
    assert_eq!(watcher.moves(), "h8i9h9i8g10");
    assert!(watcher.text(80, 24).contains("1 move off the game"));
    watcher.press("<Left><Left>");
    assert_eq!(watcher.moves(), "h8i9h9");
    watcher.press("<End><Back>");
    assert_eq!(watcher.moves(), "h8i9h9i8");
    watcher.press("<Home>");
    assert_eq!(watcher.moves(), "");
    watcher.press("<Right>:i9<Enter>");
    assert_eq!(watcher.moves(), "h8i9");
    watcher.press(":h8<Enter>");
    assert!(watcher.text(80, 24).contains("Error: "), "{}", watcher.text(80, 24));
    watcher.press(":z9<Enter>");
    assert!(watcher.text(80, 24).contains("Error: "));
    watcher.press(":a<Esc>+ ");
    assert!(watcher.screen.analysis.is_paused() && watcher.screen.analysis.count() == 4);
    watcher.finish();
    assert!(watcher.text(80, 24).contains("paused"));
    watcher.press(" ---- q");
    assert!(watcher.screen.is_over && watcher.screen.analysis.count() == 1);
}

#[test]
fn a_click_plays_a_move() {
    let mut watcher = Watcher::new("h8i9");
    watcher.text(80, 24);
    let point = parse_cell("c4", watcher.screen.analysis.game().size()).unwrap();
    let (column, row) = watcher.screen.layout().unwrap().place(point).unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    watcher.screen.input(&TerminalEvent::Mouse(mouse));
    assert_eq!(watcher.moves(), "h8i9c4");
    // What was refused is told until the next click; one that puts the help away plays nothing.
    watcher.screen.input(&TerminalEvent::Mouse(mouse));
    assert!(watcher.text(80, 24).contains("Error: "));
    watcher.press("?");
    watcher.screen.fault = Some("old".to_owned());
    watcher.screen.input(&TerminalEvent::Mouse(mouse));
    assert_eq!((&watcher.screen.fault, watcher.screen.help), (&None, None));
}

#[test]
fn all_of_the_help_can_be_read() {
    let mut watcher = Watcher::new("h8i9");
    watcher.text(50, 20);
    watcher.press("?");
    let text = watcher.text(50, 20);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '│').filter(|w| !w.is_empty()).collect();
    let words = words.join(" ");
    assert!(KEYS.iter().all(|(keys, help)| words.contains(&format!("{keys}: {help}"))), "{text}");
    // Where there are too few rows, keys go through it.
    let first = watcher.text(50, 10);
    assert!(!first.contains(KEYS[12].1), "{first}");
    for _ in 0..20 {
        watcher.press("<Down>");
    }
    let last = watcher.text(50, 10);
    assert!(last.contains(KEYS[12].1) && last != first, "{last}");
    watcher.press("<Up>");
    assert_ne!(watcher.text(50, 10), last);
    watcher.press("q");
    assert!(!watcher.screen.is_over && !watcher.text(50, 10).contains(KEYS[0].1));
}

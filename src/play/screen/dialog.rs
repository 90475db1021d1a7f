//! Dialogs in the middle of the screen or in its last line.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::play::typed::TypedCommand;
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Color, Size};
use tengen_engine::engine::Level;
use tengen_files::printable::printable;
use tengen_people::play::{Byoyomi, CasualGame, ClockControl, Controller, PlayTerms, ProgramName};

/// A dialog.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Dialog {
    /// The help, from this line on.
    Help(usize),
    /// A command that is being typed.
    Prompt(String),
    /// A question that `y` answers by a command.
    Sure(String, TypedCommand),
    /// Another game.
    NewGame(NewGameForm),
}

/// The clocks that can be chosen.
const CLOCKS: [(&str, ClockControl); 6] = {
    const NONE: ClockControl =
        ClockControl { turn: None, game: None, increment: Duration::ZERO, byoyomi: None };
    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }
    [
        ("none", NONE),
        ("30 s a move", ClockControl { turn: Some(s(30)), ..NONE }),
        ("3 min", ClockControl { game: Some(s(180)), ..NONE }),
        ("5 min + 5 s", ClockControl { game: Some(s(300)), increment: s(5), ..NONE }),
        ("15 min + 10 s", ClockControl { game: Some(s(900)), increment: s(10), ..NONE }),
        (
            "10 min, 5 x 30 s",
            ClockControl {
                game: Some(s(600)),
                byoyomi: Some(Byoyomi { periods: 5, length: s(30) }),
                ..NONE
            },
        ),
    ]
};

/// The fields of a new game.
const FIELDS: usize = 7;

/// The form of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NewGameForm {
    /// The field that keys change.
    field: usize,
    terms: PlayTerms,
    /// The names of the programs that can play.
    programs: Vec<String>,
    size: (u8, u8),
    rule: Rule,
}

/// The result of a key in a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FormStep {
    Stay,
    Cancel,
    Begin,
}

impl NewGameForm {
    pub(super) fn new(
        terms: PlayTerms,
        game: &CasualGame,
        programs: &[ProgramName],
    ) -> NewGameForm {
        let size = (game.size().width(), game.size().height());
        let programs = programs.iter().map(|p| printable(&p.name).into_owned()).collect();
        NewGameForm { field: 0, terms, programs, size, rule: game.rule() }
    }

    /// Returns what was chosen.
    pub(super) fn chosen(&self) -> (PlayTerms, Size, Rule) {
        let size = Size::new(self.size.0.into(), self.size.1.into());
        (self.terms, size.unwrap_or(Size::DEFAULT), self.rule)
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> FormStep {
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return FormStep::Cancel,
            KeyCode::Enter => return FormStep::Begin,
            KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab => {
                self.field = (self.field + FIELDS - 1) % FIELDS;
            }
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                self.field = (self.field + 1) % FIELDS;
            }
            KeyCode::Left | KeyCode::Char('h') => self.change(false),
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.change(true),
            _ => {}
        }
        FormStep::Stay
    }

    fn change(&mut self, forward: bool) {
        let edge = |value: u8| {
            let next = if forward { value + 1 } else { value - 1 };
            if Size::square(next.into()).is_ok() { next } else { value }
        };
        match self.field {
            0 => self.rule = stepped(&Rule::ALL, |rule| *rule == self.rule, forward),
            1 => self.size.0 = edge(self.size.0),
            2 => self.size.1 = edge(self.size.1),
            3 | 4 => {
                let color = Color::ALL[self.field - 3];
                let players = self.players();
                let is_now = |player: &Controller| *player == self.terms.sides[color];
                self.terms.sides[color] = stepped(&players, is_now, forward);
            }
            5 => {
                let levels: Vec<Level> = (1..).map_while(Level::new).collect();
                let level = stepped(&levels, |level| *level == self.level(), forward);
                for color in Color::ALL {
                    self.terms.skills[color].level = level;
                }
            }
            _ => {
                let is_now = |clock: &(&str, ClockControl)| clock.1 == self.terms.clock;
                self.terms.clock = stepped(&CLOCKS, is_now, forward).1;
            }
        }
    }

    /// Returns all who can have a side.
    fn players(&self) -> Vec<Controller> {
        let numbers = (0..=u8::MAX).take(self.programs.len());
        let programs = numbers.map(Controller::Program);
        [Controller::Person, Controller::Engine].into_iter().chain(programs).collect()
    }

    fn name(&self, player: Controller) -> String {
        let program = player.program().and_then(|number| self.programs.get(number));
        program.cloned().unwrap_or_else(|| player.to_string())
    }

    /// Returns the level of the engine: where it plays white only or both sides, that of white.
    fn level(&self) -> Level {
        let is_engine = |color: &Color| self.terms.sides[*color] == Controller::Engine;
        let color = [Color::White, Color::Black].into_iter().find(is_engine);
        self.terms.skills[color.unwrap_or(Color::White)].level
    }

    /// Returns the fields with their values, and whether each is the one that keys change.
    pub(super) fn lines(&self) -> Vec<(bool, String)> {
        let ByColor([black, white]) = self.terms.sides;
        let clock = CLOCKS.iter().find(|(_, clock)| *clock == self.terms.clock);
        let values = [
            ("rule", self.rule.to_string()),
            ("columns", self.size.0.to_string()),
            ("rows", self.size.1.to_string()),
            ("black", self.name(black)),
            ("white", self.name(white)),
            ("level", format!("{} of {}", self.level(), Level::FULL)),
            ("clock", clock.map_or("as it is", |(name, _)| name).to_owned()),
        ];
        let line = |(i, (name, value)): (usize, (&str, String))| {
            (i == self.field, format!("{name:<8} < {value} >"))
        };
        values.into_iter().enumerate().map(line).collect()
    }
}

/// Returns the next or the previous of some values, round about; the first if none is the present
/// one.
fn stepped<V: Copy>(values: &[V], is_now: impl FnMut(&V) -> bool, forward: bool) -> V {
    let count = values.len();
    let step = if forward { 1 } else { count - 1 };
    values.iter().position(is_now).map_or(values[0], |now| values[(now + step) % count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_people::play::ThinkingLimits;

    fn press(form: &mut NewGameForm, codes: &[KeyCode]) {
        for &code in codes {
            assert_eq!(form.key(KeyEvent::from(code)), FormStep::Stay);
        }
    }

    #[test]
    fn a_form_is_filled_in_by_keys() {
        let sides = ByColor([Controller::Person, Controller::Engine]);
        let thinking = ThinkingLimits::default();
        let terms = PlayTerms {
            sides,
            skills: ByColor::default(),
            clock: ClockControl::default(),
            thinking,
        };
        let game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
        let mut form = NewGameForm::new(terms, &game, &[]);
        assert_eq!(form.chosen(), (terms, Size::DEFAULT, Rule::Freestyle));
        use KeyCode::{Down, Left, Right, Up};
        press(&mut form, &[Right, Down, Left, Left, Down, Right, Down, Right, Down, Right]);
        press(&mut form, &[Down, Left, Left, Down, Left, Down, Up]);
        let (terms, size, rule) = form.chosen();
        assert_eq!((rule, size), (Rule::Standard, Size::new(13, 16).unwrap()));
        assert_eq!(terms.sides, ByColor([Controller::Engine, Controller::Person]));
        assert_eq!(terms.clock.byoyomi.map(|b| b.periods), Some(5));
        assert_eq!(terms.skills.0.map(|skill| skill.level.number()), [8, 8]);
        assert_eq!(form.lines()[6], (true, "clock    < 10 min, 5 x 30 s >".to_owned()));
        assert_eq!(form.key(KeyEvent::from(KeyCode::Enter)), FormStep::Begin);
        assert_eq!(form.key(KeyEvent::from(KeyCode::Esc)), FormStep::Cancel);
    }

    #[test]
    fn edges_stay_within_their_bounds() {
        let thinking = ThinkingLimits::default();
        let sides = ByColor([Controller::Person; 2]);
        let terms = PlayTerms {
            sides,
            skills: ByColor::default(),
            clock: ClockControl::default(),
            thinking,
        };
        let mut form = NewGameForm::new(terms, &CasualGame::new(Size::DEFAULT, Rule::Renju), &[]);
        press(&mut form, &[KeyCode::Down]);
        press(&mut form, &[KeyCode::Left; 30]);
        press(&mut form, &[KeyCode::Down]);
        press(&mut form, &[KeyCode::Right; 30]);
        assert_eq!(form.chosen().1, Size::new(5, 22).unwrap());
    }
}

//! Keys and the mouse.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::Screen;
use super::dialog::{Dialog, FormStep};
use super::keys::{KeyAction, action_of};
use crate::play::typed::TypedCommand;
use crate::screen::panel::help_step;
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Cell, Color, Point};
use tengen_engine::engine::Thinker;

/// The longest command that is typed, in characters.
const MOST_TYPED: usize = 1000;
/// The largest count before a key.
const MOST_COUNTED: usize = 999;

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Takes what the terminal reports.
    pub(super) fn input(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => {
                if let Some(Dialog::Prompt(typed)) = &mut self.dialog {
                    typed.extend(text.chars().filter(|c| !c.is_control()).take(MOST_TYPED));
                }
            }
            Event::Resize(width, height) => {
                (self.area.width, self.area.height) = (width, height);
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => self.interrupt(),
                KeyCode::Char('z') => self.is_suspended = true,
                _ => {}
            }
            return;
        }
        if self.dialog.is_none()
            && let KeyCode::Char(digit) = key.code
            && digit.is_ascii_digit()
            && self.digit_after_letter(digit)
        {
            return;
        }
        self.let_letter_go();
        match self.dialog.take() {
            Some(dialog) => self.dialog = self.dialog_key(dialog, key).or(self.dialog.take()),
            None if self.brush.is_some() && self.edit_key(key.code) => {}
            None if self.debrief_key(key.code) => {}
            None => self.plain_key(key.code),
        }
    }

    /// Takes a key for a dialog, and returns the dialog if it stays.
    fn dialog_key(&mut self, dialog: Dialog, key: KeyEvent) -> Option<Dialog> {
        match dialog {
            Dialog::Help(first) => {
                let lines = self.help_lines().len();
                help_step(key.code, first, lines, self.area.height).map(Dialog::Help)
            }
            Dialog::Prompt(mut text) => match key.code {
                KeyCode::Enter => {
                    self.typed(&text);
                    None
                }
                KeyCode::Esc => None,
                KeyCode::Backspace if text.is_empty() => None,
                KeyCode::Backspace => {
                    text.pop();
                    Some(Dialog::Prompt(text))
                }
                KeyCode::Char(c) if text.chars().count() < MOST_TYPED => {
                    text.push(c);
                    Some(Dialog::Prompt(text))
                }
                _ => Some(Dialog::Prompt(text)),
            },
            Dialog::Sure(question, command) => match key.code {
                KeyCode::Char('y' | 'Y') => {
                    self.table.carry_out(command);
                    None
                }
                KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => None,
                _ => Some(Dialog::Sure(question, command)),
            },
            Dialog::NewGame(mut form) => match form.key(key) {
                FormStep::Stay => Some(Dialog::NewGame(form)),
                FormStep::Cancel => None,
                FormStep::Begin => {
                    let (terms, size, rule) = form.chosen();
                    self.is_welcoming = false;
                    self.table.begin(terms, size, rule);
                    self.brush = None;
                    None
                }
            },
        }
    }

    /// Does what was typed. Help is the screen's own.
    fn typed(&mut self, text: &str) {
        if text.trim().eq_ignore_ascii_case("help") {
            self.dialog = Some(Dialog::Help(0));
        } else {
            self.table.obey(text);
        }
    }

    /// Takes a key where a position is set up; returns whether it means something there.
    fn edit_key(&mut self, code: KeyCode) -> bool {
        let cell = match code {
            KeyCode::Char('b') => Cell::Stone(Color::Black),
            KeyCode::Char('w') => Cell::Stone(Color::White),
            KeyCode::Char('x') => Cell::Wall,
            KeyCode::Backspace | KeyCode::Delete => Cell::Empty,
            KeyCode::Tab => {
                let to_move = self.table.session().game().to_move();
                self.table.carry_out(TypedCommand::Turn(!to_move));
                return true;
            }
            KeyCode::Esc => {
                self.brush = None;
                return true;
            }
            _ => return false,
        };
        self.brush = Some(cell);
        self.place(self.cursor);
        true
    }

    fn plain_key(&mut self, code: KeyCode) {
        if let KeyCode::Char(c) = code
            && let Some(digit) = c.to_digit(10)
        {
            let count = 10 * self.count.unwrap_or(0) + digit as usize;
            self.count = (count > 0).then_some(count.min(MOST_COUNTED));
            return;
        }
        if self.letter_key(code) {
            return;
        }
        let count = self.count.take();
        match (action_of(code), code) {
            (Some(action), _) => self.act(action, count),
            (None, KeyCode::Char(key)) => {
                self.table.say(&format!("{key} is no key here: ? shows the keys.\n"));
            }
            (None, _) => {}
        }
    }

    pub(super) fn act(&mut self, action: KeyAction, count: Option<usize>) {
        let steps = count.unwrap_or(1);
        let command = match action {
            KeyAction::Left => return self.move_cursor(-1, 0, steps),
            KeyAction::Right => return self.move_cursor(1, 0, steps),
            KeyAction::Up => return self.move_cursor(0, -1, steps),
            KeyAction::Down => return self.move_cursor(0, 1, steps),
            KeyAction::Place => return self.place(self.cursor),
            KeyAction::Undo => TypedCommand::Undo(count),
            KeyAction::Redo => TypedCommand::Redo(count),
            KeyAction::Swap => TypedCommand::Swap,
            KeyAction::Draw => TypedCommand::Draw,
            KeyAction::Hint => {
                self.hinted = Some(self.table.session().reached());
                TypedCommand::Hint
            }
            KeyAction::Win => TypedCommand::Win,
            KeyAction::Go => TypedCommand::Go,
            KeyAction::Step => TypedCommand::Step,
            KeyAction::Back if self.table.shown().is_some() => TypedCommand::Back,
            KeyAction::Back if self.table.is_thinking() => TypedCommand::Stop,
            KeyAction::Back => return,
            KeyAction::Pause if self.table.is_thinking() => TypedCommand::Stop,
            KeyAction::Pause => TypedCommand::Go,
            KeyAction::Teach => TypedCommand::Teach(!self.table.coach().is_teaching),
            KeyAction::Resign if self.table.session().game().end().is_some() => {
                TypedCommand::Review(None)
            }
            KeyAction::Rematch if self.can_begin_again() => TypedCommand::Rematch,
            KeyAction::Rematch => {
                return self.ask("Give the game up, and begin again?", TypedCommand::Rematch);
            }
            KeyAction::Resign => return self.ask("Resign?", TypedCommand::Resign),
            KeyAction::New => return self.ask_for_game(),
            KeyAction::Threats => return self.shown.threats ^= true,
            KeyAction::Numbers => return self.shown.numbers ^= true,
            KeyAction::Evaluation => return self.shown.evaluation ^= true,
            KeyAction::Edit => {
                let black = Cell::Stone(Color::Black);
                self.brush = if self.brush.is_some() { None } else { Some(black) };
                return;
            }
            KeyAction::Command => return self.prompt(""),
            KeyAction::Save => return self.prompt("save "),
            KeyAction::Load => return self.prompt("load "),
            KeyAction::Help => {
                self.dialog = Some(Dialog::Help(0));
                return;
            }
            KeyAction::Quit => return self.quit(),
        };
        self.table.carry_out(command);
    }

    /// Returns whether nothing is lost if another game begins.
    fn can_begin_again(&self) -> bool {
        let game = self.table.session().game();
        game.is_untouched() || game.end().is_some()
    }

    /// Asks whether a command is meant.
    pub(super) fn ask(&mut self, question: &str, command: TypedCommand) {
        self.dialog = Some(Dialog::Sure(question.to_owned(), command));
    }

    pub(super) fn prompt(&mut self, text: &str) {
        self.dialog = Some(Dialog::Prompt(text.to_owned()));
    }

    fn move_cursor(&mut self, dx: i64, dy: i64, steps: usize) {
        let size = self.game().size();
        for _ in 0..steps {
            let (x, y) = (i64::from(self.cursor.x()) + dx, i64::from(self.cursor.y()) + dy);
            let Some(point) = size.point(x, y) else { return };
            self.cursor = point;
        }
    }

    /// Plays a cell, or changes it where a position is set up.
    fn place(&mut self, point: Point) {
        let command = match self.brush {
            None => TypedCommand::Play(vec![point]),
            Some(cell) => {
                // The same again takes it away.
                let is_there = self.table.session().game().board().cell(point) == cell;
                TypedCommand::Set(point, if is_there { Cell::Empty } else { cell })
            }
        };
        self.table.carry_out(command);
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        self.let_letter_go();
        // A click beside a question puts it away, and no more.
        if self.dialog.take().is_some() {
            return;
        }
        let size = self.game().size();
        let cell = self.layout().and_then(|l| l.cell_at(size, mouse.column, mouse.row));
        if let Some(point) = cell {
            self.cursor = point;
            if self.debrief.is_none() {
                self.place(point);
            }
        }
    }
}

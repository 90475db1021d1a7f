//! Keys and the mouse in a room.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::keys::{RoomKeyAction, action_of};
use super::{RoomDialog, RoomScreen};
use crate::play::lan::RoomSide;
use crate::screen::panel::help_step;
use tengen_core::types::Point;

/// The longest line that is typed, in characters.
const MOST_TYPED: usize = 1000;

impl<S: RoomSide> RoomScreen<'_, S> {
    /// Takes what the terminal reports.
    pub(super) fn input(&mut self, event: Event) {
        match event {
            Event::Resize(width, height) => {
                (self.area.width, self.area.height) = (width, height);
            }
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => {
                if let Some(RoomDialog::Command(typed) | RoomDialog::Chat(typed)) = &mut self.dialog
                {
                    typed.extend(text.chars().filter(|c| !c.is_control()).take(MOST_TYPED));
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => self.leave(),
                KeyCode::Char('z') => self.is_suspended = true,
                _ => {}
            }
            return;
        }
        match self.dialog.take() {
            None => self.plain_key(key.code),
            Some(RoomDialog::Help(first)) => {
                let first = help_step(key.code, first, self.help().len(), self.area.height);
                self.dialog = first.map(RoomDialog::Help);
            }
            Some(RoomDialog::Command(text)) => {
                if let Some(line) = self.typing(text, key.code, RoomDialog::Command) {
                    self.command(&line);
                }
            }
            Some(RoomDialog::Chat(text)) => {
                if let Some(line) = self.typing(text, key.code, RoomDialog::Chat) {
                    self.type_line(&format!("say {line}"));
                }
            }
            Some(RoomDialog::Sure(question, line)) => match key.code {
                KeyCode::Char('y' | 'Y') => self.type_line(line),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.dialog = Some(RoomDialog::Sure(question, line)),
            },
        }
    }

    /// Takes a key for a line that is being typed, and returns the line when it is done. `dialog` is what
    /// goes on with it otherwise.
    fn typing(
        &mut self,
        mut text: String,
        code: KeyCode,
        dialog: fn(String) -> RoomDialog,
    ) -> Option<String> {
        match code {
            KeyCode::Enter => return (!text.trim().is_empty()).then_some(text),
            KeyCode::Esc => return None,
            KeyCode::Backspace if text.is_empty() => return None,
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) if text.chars().count() < MOST_TYPED => text.push(c),
            _ => {}
        }
        self.dialog = Some(dialog(text));
        None
    }

    /// Does what was typed. Help is the screen's own.
    fn command(&mut self, line: &str) {
        match line.trim().to_ascii_lowercase().as_str() {
            "help" => self.dialog = Some(RoomDialog::Help(0)),
            "quit" => self.leave(),
            // Only pipes have to wait for their turn.
            "wait" => {}
            _ => self.type_line(line),
        }
    }

    fn plain_key(&mut self, code: KeyCode) {
        match (action_of(code), code) {
            (Some(RoomKeyAction::Move(dx, dy)), _) => self.move_cursor(dx, dy),
            (Some(RoomKeyAction::Place), _) => self.place(self.cursor),
            (Some(RoomKeyAction::Chat), _) => self.dialog = Some(RoomDialog::Chat(String::new())),
            (Some(RoomKeyAction::Command), _) => {
                self.dialog = Some(RoomDialog::Command(String::new()));
            }
            (Some(RoomKeyAction::Numbers), _) => self.has_numbers ^= true,
            (Some(RoomKeyAction::Threats), _) => self.mark_threats(),
            (Some(RoomKeyAction::Hint), _) => self.type_line("hint"),
            (Some(RoomKeyAction::Help), _) => self.dialog = Some(RoomDialog::Help(0)),
            (Some(RoomKeyAction::Leave), _) => self.leave(),
            (None, KeyCode::Char(letter)) if letter.is_ascii_alphabetic() => {
                self.dialog = Some(RoomDialog::Command(letter.to_string()));
            }
            (None, KeyCode::Char(key)) => {
                self.say(format!("{key} is no key here: ? shows the keys."));
            }
            (None, _) => {}
        }
    }

    /// Marks threats or no more, or says why not.
    fn mark_threats(&mut self) {
        if self.side.view().is_some_and(|view| view.aid.has_threats()) {
            self.has_threats ^= true;
        } else {
            self.type_line("threats");
        }
    }

    fn move_cursor(&mut self, dx: i64, dy: i64) {
        let (x, y) = (i64::from(self.cursor.x()) + dx, i64::from(self.cursor.y()) + dy);
        let size = self.game().map(|game| game.size());
        if let Some(point) = size.and_then(|size| size.point(x, y)) {
            self.cursor = point;
        }
    }

    /// Plays on a cell.
    fn place(&mut self, point: Point) {
        let Some(view) = self.side.view() else { return };
        let game = view.session.game();
        let cell = view.voice.origin(game).turn(point, game.size()).to_string();
        self.type_line(&cell);
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        // A click beside what is asked puts it away, and no more.
        if self.dialog.take().is_some() {
            return;
        }
        let Some(size) = self.game().map(|game| game.size()) else { return };
        let cell = self.layout().and_then(|l| l.cell_at(size, mouse.column, mouse.row));
        if let Some(point) = cell {
            self.cursor = point;
            self.place(point);
        }
    }
}

//! Dialogs in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::Screen;
use super::dialog::Dialog;
use super::keys::{EDIT_HELP, KEYS};
use crate::play::typed::HELP;
use crate::screen::text::{framed, put, wrapped};
use crate::screen::theme::Role;
use tengen_core::sys::clock::Clock;
use tengen_engine::engine::Thinker;

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Draws a dialog over the rest.
    pub(super) fn draw_dialog(&self, buffer: &mut Buffer) {
        let theme = &self.look.theme;
        let (title, lines) = match &self.dialog {
            Some(Dialog::Help(first)) => ("Keys and commands", self.help_lines(*first)),
            Some(Dialog::NewGame(form)) => {
                let line = |(is_here, text): (bool, String)| {
                    let style = if is_here { theme.style(Role::Title) } else { Style::new() };
                    Line::styled(format!("{} {text}", if is_here { ">" } else { " " }), style)
                };
                let mut lines: Vec<_> = form.lines().into_iter().map(line).collect();
                lines.push(Line::styled(
                    "arrows change, Enter begins, Esc leaves",
                    theme.style(Role::Faint),
                ));
                ("A new game", lines)
            }
            _ => return,
        };
        let width = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len()) as u16 + 4;
        let width = width.min(self.area.width);
        let height = (lines.len() as u16 + 2).min(self.area.height);
        let area = Rect {
            x: self.area.x + (self.area.width - width) / 2,
            y: self.area.y + (self.area.height - height) / 2,
            width,
            height,
        };
        Clear.render(area, buffer);
        if width < 6 || height < 3 {
            put(buffer, area, lines);
            return;
        }
        framed(buffer, area, title, &self.look);
        let inner = Rect { x: area.x + 2, y: area.y + 1, width: width - 4, height: height - 2 };
        put(buffer, inner, lines);
    }

    /// Returns the lines of the help from one of them on, as many as the screen has room for.
    fn help_lines(&self, first: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let width = usize::from(self.area.width.saturating_sub(4)).min(96);
        let mut lines: Vec<Line<'static>> = Vec::new();
        let entry = |keys: &str, help: &str| Line::raw(format!("{keys:<10} {help}"));
        lines.extend(KEYS.iter().map(|line| {
            let keys = if self.look.ascii { ascii(&line.names()) } else { line.names() };
            entry(&keys, line.help)
        }));
        lines.push(Line::styled("Where a position is set up:", theme.style(Role::Title)));
        lines.extend(EDIT_HELP.map(|(keys, help)| entry(keys, help)));
        lines.push(Line::styled(
            "Typed after a colon, cells also without:",
            theme.style(Role::Title),
        ));
        for line in HELP.lines() {
            lines.extend(wrapped(line, width).into_iter().map(Line::raw));
        }
        let room = usize::from(self.area.height.saturating_sub(3)).max(1);
        let first = first.min(lines.len().saturating_sub(room));
        let mut lines: Vec<_> = lines.into_iter().skip(first).take(room).collect();
        let keys = "Down and Up go on and back, any other key leaves";
        lines.push(Line::styled(keys, theme.style(Role::Faint)));
        lines
    }
}

/// Returns the names of keys without signs beyond ASCII.
fn ascii(names: &str) -> String {
    names.chars().filter(char::is_ascii).collect()
}

//! Dialogs in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::Screen;
use super::dialog::Dialog;
use super::keys::{EDIT_HELP, KEYS};
use crate::play::typed::HELP;
use crate::screen::panel::{draw_box, scrolled};
use crate::screen::text::wrapped;
use crate::screen::theme::Role;
use tengen_core::sys::clock::Clock;
use tengen_engine::engine::Thinker;

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Draws a dialog over the rest.
    pub(super) fn draw_dialog(&self, buffer: &mut Buffer) {
        let theme = &self.look.theme;
        let (title, lines) = match &self.dialog {
            Some(Dialog::Help(first)) => ("Keys and commands", {
                scrolled(self.help_lines(), *first, self.area.height, &self.look)
            }),
            Some(Dialog::NewGame(form)) => {
                let line = |(is_here, text): (bool, String)| {
                    let style = if is_here { theme.style(Role::Title) } else { Style::new() };
                    Line::styled(format!("{} {text}", if is_here { ">" } else { " " }), style)
                };
                let mut lines: Vec<_> = form.lines().into_iter().map(line).collect();
                // A welcome leads to a game whatever puts it away.
                let leaves = if self.is_welcoming { "" } else { ", Esc leaves" };
                let keys = format!("arrows change, Enter begins{leaves}");
                lines.push(Line::styled(keys, theme.style(Role::Faint)));
                ("A new game", lines)
            }
            _ => return,
        };
        draw_box(buffer, self.area, title, lines, &self.look);
    }

    /// Returns all lines of the help.
    pub(super) fn help_lines(&self) -> Vec<Line<'static>> {
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
        lines.extend(HELP.lines().flat_map(|line| wrapped(line, width)).map(Line::raw));
        lines
    }
}

/// Returns the names of keys without signs beyond ASCII.
fn ascii(names: &str) -> String {
    names.chars().filter(char::is_ascii).collect()
}

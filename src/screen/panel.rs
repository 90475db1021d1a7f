//! The text around the board that the screens of games share.

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::Look;
use super::layout::Layout;
use super::text::{framed, put, wrapped};
use super::theme::{Role, Theme};
use tengen_files::printable::printable;
use tengen_files::words::clock_time;
use tengen_people::play::SideClock;

/// The least rows of messages beside the board.
const LEAST_MESSAGES: usize = 3;
/// The lines of a long step through a help.
const LONG_STEP: usize = 10;

/// What is said beside and below a board.
pub(crate) struct GamePanels<'a> {
    /// Returns what is played, by whom and so on, in lines of a width.
    pub(crate) facts: &'a dyn Fn(usize) -> Vec<Line<'static>>,
    /// The moves, as they are named.
    pub(crate) moves: Vec<String>,
    /// The last messages, the newest at the end.
    pub(crate) messages: &'a VecDeque<String>,
    /// Returns the look of a message.
    pub(crate) style: &'a dyn Fn(&str) -> Style,
    pub(crate) theme: &'a Theme,
}

impl GamePanels<'_> {
    /// Draws the facts, the moves where there is room, and the messages.
    pub(crate) fn draw(&self, buffer: &mut Buffer, layout: &Layout) {
        let height = usize::from(layout.side.height);
        if layout.side.width == 0 {
            let mut facts = (self.facts)(layout.below.width.into());
            let room = usize::from(layout.below.height);
            facts.truncate(room);
            let rows = facts.len() as u16;
            put(buffer, layout.below, facts);
            let rest = Rect {
                y: layout.below.y + rows,
                height: layout.below.height - rows,
                ..layout.below
            };
            self.draw_messages(buffer, rest);
        } else {
            let mut facts = (self.facts)(layout.side.width.into());
            let least = if layout.below.height > 0 { 0 } else { LEAST_MESSAGES };
            let left = height.saturating_sub(facts.len() + least);
            facts.extend(self.move_list(layout.side.width.into(), left.min(height / 2)));
            facts.truncate(height);
            let rows = facts.len() as u16;
            put(buffer, layout.side, facts);
            let rest =
                Rect { y: layout.side.y + rows, height: layout.side.height - rows, ..layout.side };
            self.draw_messages(buffer, if layout.below.height > 0 { layout.below } else { rest });
        }
    }

    /// Returns the last moves, as many as there are rows for.
    fn move_list(&self, width: usize, rows: usize) -> Vec<Line<'static>> {
        if rows < 2 || self.moves.is_empty() {
            return Vec::new();
        }
        let moves: Vec<String> = (1..).zip(&self.moves).map(|(n, m)| format!("{n}.{m}")).collect();
        let text = wrapped(&moves.join(" "), width);
        let skipped = text.len().saturating_sub(rows - 1);
        let mut lines = vec![Line::styled("Moves", self.theme.style(Role::Title))];
        lines.extend(text.into_iter().skip(skipped).map(Line::raw));
        lines
    }

    /// Draws the last messages, the newest at the end.
    pub(crate) fn draw_messages(&self, buffer: &mut Buffer, area: Rect) {
        let mut lines: Vec<Line<'static>> = Vec::new();
        for message in self.messages.iter().rev() {
            let style = (self.style)(message);
            let text = wrapped(&printable(message), area.width.into());
            lines.extend(text.into_iter().rev().map(|line| Line::styled(line, style)));
            if lines.len() >= usize::from(area.height) {
                break;
            }
        }
        lines.truncate(area.height.into());
        lines.reverse();
        put(buffer, area, lines);
    }
}

/// Returns the look of what a game says by its first word.
pub(crate) fn message_style(message: &str, theme: &Theme) -> Style {
    match message.split_once(':') {
        Some(("Error" | "Warning" | "Game over", _)) => theme.style(Role::Alert),
        Some(("Hint", _)) => theme.style(Role::Title),
        _ => theme.style(Role::Text),
    }
}

/// Returns the time that runs for a side, and its periods after that; `used` is the time that its turn has taken. `None`
/// without a clock.
pub(crate) fn clock_words(clock: &SideClock, used: Duration) -> Option<String> {
    Some(match clock.running(used)? {
        (time, 0) => clock_time(time),
        (time, periods) => format!("{} +{periods}", clock_time(time)),
    })
}

/// Returns a line that is being typed, after a prompt: its end, if it is wider than there is room for.
pub(crate) fn typed_line(prompt: &str, text: &str, width: usize, look: &Look) -> String {
    let room = width.saturating_sub(prompt.len() + 2);
    let skipped = text.chars().count().saturating_sub(room);
    let cursor = if look.ascii { "_" } else { "▏" };
    let tail: String = printable(text).chars().skip(skipped).collect();
    format!("{prompt}{tail}{cursor}")
}

/// Returns how many lines of a help a box on a screen of this height has room for.
fn help_room(height: u16) -> usize {
    usize::from(height.saturating_sub(3)).max(1)
}

/// Returns the first line that is shown of a help with this many, after a key; `None` if the key leaves it.
pub(crate) fn help_step(code: KeyCode, first: usize, lines: usize, height: u16) -> Option<usize> {
    let last = lines.saturating_sub(help_room(height));
    let first = first.min(last);
    let first = match code {
        KeyCode::Down | KeyCode::Char('j' | ' ') => first + 1,
        KeyCode::PageDown => first + LONG_STEP,
        KeyCode::Up | KeyCode::Char('k') => first.saturating_sub(1),
        KeyCode::PageUp => first.saturating_sub(LONG_STEP),
        _ => return None,
    };
    Some(first.min(last))
}

/// Returns the lines of a help from one of them on, as many as a box on a screen of this height has room for,
/// and the keys that go through it.
pub(crate) fn scrolled(
    lines: Vec<Line<'static>>,
    first: usize,
    height: u16,
    look: &Look,
) -> Vec<Line<'static>> {
    let room = help_room(height);
    let first = first.min(lines.len().saturating_sub(room));
    let mut lines: Vec<_> = lines.into_iter().skip(first).take(room).collect();
    let keys = "Down, Up: on and back; any other key leaves";
    lines.push(Line::styled(keys, look.theme.style(Role::Faint)));
    lines
}

/// Draws a box in the middle of the screen, over what is there.
pub(crate) fn draw_box(
    buffer: &mut Buffer,
    screen: Rect,
    title: &str,
    lines: Vec<Line<'static>>,
    look: &Look,
) {
    let width = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len()) as u16 + 4;
    let width = width.min(screen.width);
    let height = (lines.len() as u16 + 2).min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    Clear.render(area, buffer);
    if width < 6 || height < 3 {
        put(buffer, area, lines);
        return;
    }
    framed(buffer, area, title, look);
    let inner = Rect { x: area.x + 2, y: area.y + 1, width: width - 4, height: height - 2 };
    put(buffer, inner, lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_people::play::{Byoyomi, ClockControl};

    #[test]
    fn overtime_is_counted_once() {
        let s = Duration::from_secs;
        let byoyomi = Some(Byoyomi { periods: 3, length: s(10) });
        let clock =
            SideClock::new(ClockControl { game: Some(s(10)), byoyomi, ..ClockControl::default() });
        let words = |used| clock_words(&clock, Duration::from_millis(used)).unwrap();
        let shown = [9_900, 10_100, 20_100, 30_100].map(words);
        assert_eq!(shown, ["0:00.1 +3", "0:09.9 +2", "0:09.9 +1", "0:09.9"]);
    }

    #[test]
    fn a_help_goes_no_further_than_its_end() {
        // Seven of twenty lines are shown.
        let step = |code, first| help_step(code, first, 20, 10);
        let end = (0..10).fold(0, |first, _| step(KeyCode::PageDown, first).unwrap());
        assert_eq!((end, step(KeyCode::Up, end)), (13, Some(12)));
        assert_eq!(step(KeyCode::Up, 99), Some(12), "also after the screen has grown");
        assert_eq!([KeyCode::Down, KeyCode::PageUp].map(|code| step(code, 4)), [Some(5), Some(0)]);
        assert_eq!(step(KeyCode::Esc, 4), None);
        assert_eq!(help_step(KeyCode::Down, 0, 5, 10), Some(0));
    }
}

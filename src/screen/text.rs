//! Text on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Look;
use super::theme::Role;
use tengen_files::printable::{columns, fitting};

/// The columns of a bar of chances.
const BAR: usize = 20;
/// The columns of the words behind the bar.
const LEAST_WORDS: usize = 11;

/// Returns a bar of black's chances, from 0 to 1, that leaves room for words in this width.
pub(crate) fn chance_bar(points: f64, width: usize, is_ascii: bool) -> String {
    let bar = BAR.min(width.saturating_sub(LEAST_WORDS));
    let full = (points * bar as f64).round() as usize;
    let (on, off) = if is_ascii { ("#", "-") } else { ("█", "░") };
    on.repeat(full) + &off.repeat(bar - full)
}

/// Puts lines into an area, as far as there is room.
pub(crate) fn put(buffer: &mut Buffer, area: Rect, lines: Vec<Line<'static>>) {
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, &line, area.width);
    }
}

/// Returns a text in lines of at most this width, broken between words where that can be.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    if width == 0 {
        return Vec::new();
    }
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut rest = word;
        let line = lines.last().map_or(0, |line| columns(line));
        if line > 0 && line + 1 + columns(rest) > width {
            lines.push(String::new());
        } else if line > 0
            && let Some(last) = lines.last_mut()
        {
            last.push(' ');
        }
        while columns(rest) > width {
            let (part, next) = match fitting(rest, width) {
                // A character that is wider than a line stands alone.
                "" => rest.split_at(rest.chars().next().map_or(0, char::len_utf8)),
                part => rest.split_at(part.len()),
            };
            lines.extend([part.to_owned(), String::new()]);
            rest = next;
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(rest);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Draws a frame with a title around an area.
pub(crate) fn framed(buffer: &mut Buffer, area: Rect, title: &str, look: &Look) {
    let style = look.theme.style(Role::Faint);
    let [across, down, corners] = match look.ascii {
        true => ["-", "|", "++++"],
        false => ["─", "│", "┌┐└┘"],
    };
    let corner: Vec<String> = corners.chars().map(String::from).collect();
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for x in area.x..=right {
        buffer.set_string(x, area.y, across, style);
        buffer.set_string(x, bottom, across, style);
    }
    for y in area.y..=bottom {
        buffer.set_string(area.x, y, down, style);
        buffer.set_string(right, y, down, style);
    }
    for (i, (x, y)) in [(area.x, area.y), (right, area.y), (area.x, bottom), (right, bottom)]
        .into_iter()
        .enumerate()
    {
        buffer.set_string(x, y, &corner[i], style);
    }
    let room = usize::from(area.width.saturating_sub(4));
    let title = format!(" {title} ");
    buffer.set_stringn(area.x + 2, area.y, title, room, look.theme.style(Role::Title));
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn text_is_broken_between_words_and_long_words_anywhere() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("ab", 1), ["a", "b"]);
        assert!(wrapped("", 5).is_empty() && wrapped("a", 0).is_empty());
    }
}

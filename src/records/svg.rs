//! A position of a game as a picture.

use super::Record;
use crate::rules::PlayError;
use crate::types::Color;

/// The distance between two lines, in the units of the picture.
const CELL: u32 = 32;
/// The distance of the outermost lines from the edge of the picture; coordinates stand there.
const MARGIN: u32 = 40;

/// Draws the board after the first `moves` moves: stones with their numbers, the last of them with
/// a red rim. The same record always gives the same text.
///
/// # Errors
///
/// Returns an error if one of the moves is off the board or on an occupied cell.
pub fn svg(record: &Record, moves: usize) -> Result<String, PlayError> {
    record.board_after(moves)?;
    let at = |i: u8| MARGIN + CELL * u32::from(i);
    let (columns, rows) = (record.size.width(), record.size.height());
    let (right, bottom) = (at(columns - 1), at(rows - 1));
    let (width, height) = (right + MARGIN, bottom + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"middle\" dominant-baseline=\"central\">\n"
    );
    let [black, white] = record.players.0.each_ref().map(|name| name_or_question_mark(name));
    text.push_str(&format!("<title>{} - {}</title>\n", escape(black), escape(white)));
    text.push_str(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#f2d6a0\"/>\n"));
    let mut path = String::new();
    for x in 0..columns {
        path.push_str(&format!("M{} {MARGIN}V{bottom}", at(x)));
    }
    for y in 0..rows {
        path.push_str(&format!("M{MARGIN} {}H{right}", at(y)));
    }
    text.push_str(&format!("<path d=\"{path}\" stroke=\"#000\" fill=\"none\"/>\n"));
    for x in 0..columns {
        let letter = char::from(b'a' + x);
        text.push_str(&format!("<text x=\"{}\" y=\"{}\">{letter}</text>\n", at(x), MARGIN / 3));
    }
    for y in 0..rows {
        let number = y + 1;
        text.push_str(&format!("<text x=\"{}\" y=\"{}\">{number}</text>\n", MARGIN / 3, at(y)));
    }
    let moves = moves.min(record.moves.len());
    for (i, m) in record.moves[..moves].iter().enumerate() {
        let (x, y, number) = (at(m.point.x()), at(m.point.y()), i + 1);
        let (fill, ink) = match m.color {
            Color::Black => ("#000", "#fff"),
            Color::White => ("#fff", "#000"),
        };
        let rim = if number == moves { "#d00\" stroke-width=\"2" } else { "#000" };
        text.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"{fill}\" stroke=\"{rim}\"/>\n\
             <text x=\"{x}\" y=\"{y}\" fill=\"{ink}\">{number}</text>\n"
        ));
    }
    text.push_str("</svg>\n");
    Ok(text)
}

fn name_or_question_mark(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// Returns a text as XML: with entities, and with marks for what XML cannot hold.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() && !matches!(c, '\t' | '\n') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{ByColor, Size};

    #[test]
    fn stones_are_numbered_and_names_escaped() {
        let size = Size::new(20, 15).unwrap();
        let points = [size.point(0, 0).unwrap(), size.point(19, 14).unwrap()];
        let mut record = Record::of_points(size, &points);
        record.players = ByColor(["<a & \"b\">\u{1}".to_owned(), String::new()]);
        let text = svg(&record, usize::MAX).unwrap();
        assert!(
            text.contains("<title>&lt;a &amp; &quot;b&quot;&gt;\u{fffd} - ?</title>"),
            "{text}"
        );
        assert!(
            text.starts_with(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"688\" height=\"528\""
            )
        );
        assert!(
            text.contains("<circle cx=\"40\" cy=\"40\" r=\"14\" fill=\"#000\" stroke=\"#000\"/>")
        );
        assert!(
            text.contains("<circle cx=\"648\" cy=\"488\" r=\"14\" fill=\"#fff\" stroke=\"#d00\"")
        );
        assert_eq!(text.matches("<circle").count(), 2);
        assert_eq!(text.matches("<text").count(), 20 + 15 + 2);
        assert_eq!(text, svg(&record, 2).unwrap());
        assert_eq!(svg(&record, 1).unwrap().matches("<circle").count(), 1);
        record.moves[1].point = points[0];
        assert!(svg(&record, 2).is_err());
    }
}

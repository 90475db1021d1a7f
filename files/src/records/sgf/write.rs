//! From records to SGF.

use super::info::{parse_rule, result_text, tells};
use super::read::{read_lines, read_notes};
use super::remarks::{Remarks, may_be_fatal};
use crate::records::ending::sentence;
use crate::records::notes::{escaped, letters, value_end};
use crate::records::source::one_line;
use crate::records::{
    Arrangement, Move, MoveKind, Notes, Reason, Record, VariationLine, Variations,
};
use tengen_core::board::Board;
use tengen_core::rules::Violation;
use tengen_core::types::Color;

/// The number of moves on a line.
const MOVES_PER_LINE: usize = 8;

/// Writes a game.
pub(in crate::records) fn write(record: &Record) -> String {
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]", env!("CARGO_PKG_VERSION"));
    let Record { size, reason, .. } = record;
    let square = size.width() == size.height();
    let edges = format!("{}:{}", size.width(), size.height());
    push(&mut text, "SZ", if square { size.width().to_string() } else { edges });
    let mut notes = record.notes.clone();
    // The words of the file for the rule, if they are such.
    let words = notes.get("RU").and_then(|note| note.texts().next());
    let has_words = words.is_some_and(|words| parse_rule(&words) == record.rule);
    if !has_words {
        notes.retain(|name| name != "RU");
        push(&mut text, "RU", record.rule.map_or(String::new(), |rule| rule.mask().to_string()));
    }
    push(&mut text, "EV", one_line(&record.event));
    push(&mut text, "RO", one_line(&record.round));
    push(&mut text, "DT", one_line(&record.date));
    push(&mut text, "PB", one_line(&record.players[Color::Black]));
    push(&mut text, "PW", one_line(&record.players[Color::White]));
    let (result, fatal) = (record.result, fatal(record));
    push(&mut text, "RE", result_text(result, reason.as_ref()));
    if fatal.is_none() && !tells(result, reason.as_ref()) {
        push(&mut text, "TE", one_line(&sentence(result, reason.as_ref())));
    }
    push_set_up(&mut text, &record.start);
    push(&mut text, "C", &record.comment);
    text.push_str(notes.as_properties());
    let remarks = |i: usize, m: &Move| Remarks {
        opening: i < record.opening,
        forbidden: fatal.filter(|_| i + 1 == record.moves.len()),
        ..Remarks::on(m)
    };
    push_line(&mut text, &record.moves, MOVES_PER_LINE, &remarks);
    text.push_str(if record.moves.is_empty() { ")\n" } else { "\n)\n" });
    text
}

/// Adds a property if there is something to say.
fn push(text: &mut String, name: &str, value: impl AsRef<str>) {
    let value = value.as_ref();
    if !value.is_empty() {
        text.push_str(&format!("{name}[{}]", escaped(value)));
    }
}

/// Returns why the last move lost, if that is why the game ended.
fn fatal(record: &Record) -> Option<Violation> {
    let last = record.moves.last().filter(|last| may_be_fatal(record.result, last));
    match record.reason {
        Some(Reason::Forbidden(kind)) => last.map(|_| kind),
        _ => None,
    }
}

/// Writes moves after `on_line` others on the same line of the text; `remarks` says what is remarked on
/// the move with this index.
fn push_line(
    text: &mut String,
    moves: &[Move],
    mut on_line: usize,
    remarks: &dyn Fn(usize, &Move) -> Remarks,
) {
    for (i, m) in moves.iter().enumerate() {
        if !m.variations().is_empty() {
            text.push_str("\n(");
            on_line = 0;
        } else if on_line >= MOVES_PER_LINE {
            text.push('\n');
            on_line = 0;
        }
        on_line += 1;
        push_node(text, m, &remarks(i, m));
    }
    // The game goes on within its parentheses; the other lines come after it.
    for m in moves.iter().rev().filter(|m| !m.variations().is_empty()) {
        text.push(')');
        push_variations(text, m.variations());
    }
}

fn push_node(text: &mut String, m: &Move, remarks: &Remarks) {
    text.push(';');
    let color = if m.color == Color::Black { 'B' } else { 'W' };
    match m.kind {
        MoveKind::Stone(point) => text.push_str(&format!("{color}[{}]", letters(point))),
        MoveKind::Pass => text.push_str(&format!("{color}[]")),
        MoveKind::SetUp => push_set_up(text, m.arrangement()),
    }
    let is_set_up = m.kind == MoveKind::SetUp;
    let comment =
        if is_set_up { m.comment().to_owned() } else { remarks.with_comment(m.comment()) };
    push(text, "C", comment);
    text.push_str(m.notes().as_properties());
}

fn push_set_up(text: &mut String, set_up: &Arrangement) {
    for (name, stone) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        let mut cells = set_up.cells.iter().filter(|(_, other)| *other == stone).peekable();
        if cells.peek().is_some() {
            text.push_str(name);
            text.extend(cells.map(|&(point, _)| format!("[{}]", letters(point))));
        }
    }
    if let Some(color) = set_up.to_move {
        push(text, "PL", if color == Color::Black { "B" } else { "W" });
    }
}

/// Writes lines that are possible in the same position, each in its parentheses.
fn push_variations(text: &mut String, lines: &[VariationLine]) {
    for line in lines {
        let Some((first, rest)) = line.split_first() else { continue };
        text.push_str("\n(");
        push_node(text, first, &Remarks::on(first));
        push_line(text, rest, 1, &|_, m| Remarks::on(m));
        text.push(')');
        // Alternatives to its first move are alternatives to the line.
        push_variations(text, first.variations());
    }
}

/// Writes what stands beside a move: its notes and its variations.
pub(in crate::records) fn write_beside(m: &Move) -> String {
    let mut text = m.notes().as_properties().to_owned();
    push_variations(&mut text, m.variations());
    text
}

/// Reads what [`write_beside`] writes, on the board before the move, where `to_move` is to move; `None`
/// if it is anything else.
pub(in crate::records) fn read_beside(
    text: &str,
    board: &Board,
    to_move: Color,
) -> Option<(Notes, Variations)> {
    let start = beginning_of_variations(text)?;
    let (noted, rest) = text.split_at(start);
    let notes = read_notes(noted)?;
    if rest.is_empty() {
        return Some((notes, Variations::default()));
    }
    // A pass takes the place of the move that they vary.
    let mut moves = read_lines(&format!("(;B[]){rest}"), board, to_move)?;
    let variations = std::mem::take(moves.first_mut()?.variations_mut());
    (moves.len() == 1).then_some((notes, variations))
}

/// Returns where the first parenthesis outside of a value is, or the end.
fn beginning_of_variations(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += match text[at..].find(['(', ')', ';', '[']) {
            None => return Some(text.len()),
            Some(found) if text[at + found..].starts_with('(') => return Some(at + found),
            Some(found) if text[at + found..].starts_with('[') => {
                let inside = at + found + 1;
                found + 1 + value_end(&text[inside..])? + 1
            }
            Some(_) => return None,
        };
    }
}

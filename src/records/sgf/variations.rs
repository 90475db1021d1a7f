//! Lines beside the game, and what is noted of moves.

use super::parse::{Property, SgfNode, SgfTree, parse};
use super::remarks::Remarks;
use super::{append, push, read_cell};
use crate::records::source::SourceText;
use crate::records::{Move, Note};
use crate::types::{Color, Point, PointSet, Size};

/// The number of moves on a line.
const MOVES_PER_LINE: usize = 8;

/// The properties that are no notes on a move: moves, stones, comments, and what is said of a whole
/// game, wherever it stands.
const NO_NOTES: [&str; 35] = [
    "B", "W", "AB", "AW", "AE", "C", "FF", "GM", "SZ", "CA", "AP", "ST", "AN", "BR", "BT", "CP",
    "DT", "EV", "GN", "GC", "ON", "OT", "PB", "PC", "PL", "PW", "RE", "RO", "RU", "SO", "TM", "US",
    "WR", "WT", "HA",
];

/// Returns whether a node has a move.
pub(super) fn has_move(node: &SgfNode<'_>) -> bool {
    node.iter().any(|property| matches!(&*property.name, "B" | "W"))
}

/// Returns whether a property of a move is a note on it.
pub(super) fn is_note(property: &Property<'_>) -> bool {
    // The reason of an end stands there in files of c-gomoku-cli, and a value of a good move.
    let is_reason = |value: &str| property.name == "TE" && !matches!(value.trim(), "" | "1" | "2");
    let first = property.values.first().map_or("", |value| &*value.text);
    !NO_NOTES.contains(&&*property.name) && !is_reason(first)
}

/// Returns the notes of a node.
pub(super) fn notes(node: &SgfNode<'_>) -> Vec<Note> {
    let note = |property: &Property<'_>| Note {
        name: property.name.clone().into_owned(),
        values: property.values.iter().map(|value| value.raw.to_owned()).collect(),
    };
    node.iter().filter(|property| is_note(property)).map(note).collect()
}

/// What a node of a variation is.
enum VariationNode<'a> {
    Played(Color, Point),
    /// Nothing is played, but something may be said.
    Said(&'a str),
    /// Stones are set up or taken away, there is more than one move or none, or it can't be played.
    Other,
}

fn kind_of<'a>(
    source: SourceText<'_>,
    node: &'a SgfNode<'_>,
    size: Size,
    seen: &PointSet,
) -> VariationNode<'a> {
    let is_set_up = |property: &Property<'_>| matches!(&*property.name, "AB" | "AW" | "AE");
    if node.iter().any(is_set_up) {
        return VariationNode::Other;
    }
    let moves = node.iter().filter(|property| matches!(&*property.name, "B" | "W"));
    let moves: Vec<&Property<'_>> = moves.collect();
    let color = |property: &Property<'_>| match &*property.name {
        "B" => Color::Black,
        _ => Color::White,
    };
    match moves[..] {
        [] => VariationNode::Said(comment(node)),
        [property] => match &property.values[..] {
            [value] => match read_cell(source, size, value.at, &value.text) {
                Ok(Some(point)) if !seen.contains(point) => {
                    VariationNode::Played(color(property), point)
                }
                _ => VariationNode::Other,
            },
            _ => VariationNode::Other,
        },
        _ => VariationNode::Other,
    }
}

fn comment<'a>(node: &'a SgfNode<'_>) -> &'a str {
    let found = node.iter().find(|property| property.name == "C");
    found.and_then(|property| property.values.first()).map_or("", |value| &*value.text)
}

/// Reads the line that begins with a node, with its own variations, up to the first node that is no
/// move on an empty cell; `seen` are the cells with stones before it.
///
/// Lines are no deeper within each other than the board has cells: each begins after a move of the
/// one that it belongs to.
pub(super) fn read(
    source: SourceText<'_>,
    tree: &SgfTree<'_>,
    first: usize,
    size: Size,
    mut seen: PointSet,
) -> Vec<Move> {
    let mut line: Vec<Move> = Vec::new();
    let mut others: Vec<usize> = Vec::new();
    let mut next = Some(first);
    while let Some(number) = next {
        let node = &tree.nodes[number];
        match kind_of(source, node, size, &seen) {
            VariationNode::Played(color, point) => {
                let (remarks, words) = Remarks::split(comment(node));
                let Remarks { time, score, depth, nodes, .. } = remarks;
                let read = |other: usize| read(source, tree, other, size, seen);
                let variations = others.drain(..).map(read).filter(|line| !line.is_empty());
                let variations = variations.collect();
                let (comment, notes) = (words.to_owned(), notes(node));
                line.push(Move {
                    point,
                    color,
                    time,
                    score,
                    depth,
                    nodes,
                    comment,
                    notes,
                    variations,
                });
                seen.insert(point);
            }
            VariationNode::Said(words) => {
                if let Some(last) = line.last_mut() {
                    append(&mut last.comment, words);
                }
            }
            VariationNode::Other => break,
        }
        let followers = &tree.followers[number];
        if !line.is_empty() {
            others.extend(followers.iter().skip(1));
        }
        next = followers.first().copied();
    }
    line
}

/// Writes the moves of a game, each with its variations; `remarks` says what is remarked on a move
/// of the game with this index.
pub(super) fn push_game(
    text: &mut String,
    moves: &[Move],
    remarks: &dyn Fn(usize, &Move) -> Remarks,
) {
    push_line(text, moves, MOVES_PER_LINE, remarks);
}

/// Writes moves after `on_line` others on the same line of the text.
fn push_line(
    text: &mut String,
    moves: &[Move],
    mut on_line: usize,
    remarks: &dyn Fn(usize, &Move) -> Remarks,
) {
    for (i, m) in moves.iter().enumerate() {
        if !m.variations.is_empty() {
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
    for m in moves.iter().rev().filter(|m| !m.variations.is_empty()) {
        text.push(')');
        push_variations(text, &m.variations);
    }
}

fn push_node(text: &mut String, m: &Move, remarks: &Remarks) {
    let [x, y] = [m.point.x(), m.point.y()].map(|n| char::from(b'a' + n));
    let color = if m.color == Color::Black { 'B' } else { 'W' };
    text.push_str(&format!(";{color}[{x}{y}]"));
    push(text, "C", remarks.with_comment(&m.comment));
    push_notes(text, &m.notes);
}

/// Writes notes as properties.
pub(super) fn push_notes(text: &mut String, notes: &[Note]) {
    for note in notes {
        text.push_str(&note.name);
        text.extend(note.values.iter().map(|value| format!("[{value}]")));
    }
}

/// Writes lines that are possible in the same position, each in its parentheses.
fn push_variations(text: &mut String, lines: &[Vec<Move>]) {
    for line in lines {
        let Some((first, rest)) = line.split_first() else { continue };
        text.push_str("\n(");
        push_node(text, first, &Remarks::on(first));
        push_line(text, rest, 1, &|_, m| Remarks::on(m));
        text.push(')');
        // What could be played instead of its first move could be played instead of the line.
        push_variations(text, &first.variations);
    }
}

/// Writes notes alone.
pub(in crate::records) fn write_notes(notes: &[Note]) -> String {
    let mut text = String::new();
    push_notes(&mut text, notes);
    text
}

/// Writes what stands beside a move: its notes and its variations.
pub(in crate::records) fn write_beside(m: &Move) -> String {
    let mut text = String::new();
    push_notes(&mut text, &m.notes);
    push_variations(&mut text, &m.variations);
    text
}

/// Reads what [`write_beside`] writes, on a board with stones on the cells of `seen`; `None` if it is
/// anything else.
pub(in crate::records) fn read_beside(
    text: &str,
    size: Size,
    seen: PointSet,
) -> Option<(Vec<Note>, Vec<Vec<Move>>)> {
    if text.is_empty() {
        return Some((Vec::new(), Vec::new()));
    }
    // The notes become a node of their own. No property begins with a parenthesis.
    let start = beginning_of_variations(text)?;
    let (noted, rest) = text.split_at(start);
    let whole = format!("(;{noted}){rest}");
    let source = SourceText::new(&whole);
    let trees = parse(source).ok()?;
    let (first, others) = trees.split_first()?;
    let lines = others.iter().map(|tree| read(source, tree, 0, size, seen));
    let notes = first.nodes.first().map(notes).unwrap_or_default();
    Some((notes, lines.filter(|line| !line.is_empty()).collect()))
}

/// Returns where the first parenthesis outside of a value is, or the end.
fn beginning_of_variations(text: &str) -> Option<usize> {
    let mut is_value = false;
    let mut is_escaped = false;
    for (i, c) in text.char_indices() {
        match c {
            '(' if !is_value => return Some(i),
            ';' | ')' if !is_value => return None,
            '[' if !is_value => is_value = true,
            ']' if is_value && !is_escaped => is_value = false,
            _ => {}
        }
        is_escaped = is_value && c == '\\' && !is_escaped;
    }
    (!is_value).then_some(text.len())
}

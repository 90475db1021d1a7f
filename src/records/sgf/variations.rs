//! Lines beside the game, and what is noted of moves.

use super::parse::{Property, SgfNode, SgfTree};
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
pub(super) fn has_move(node: &SgfNode) -> bool {
    node.iter().any(|property| matches!(property.name.as_str(), "B" | "W"))
}

/// Returns whether a property of a move is a note on it.
pub(super) fn is_note(property: &Property) -> bool {
    // The reason of an end stands there in files of c-gomoku-cli, and a value of a good move.
    let is_reason = |value: &str| property.name == "TE" && !matches!(value.trim(), "" | "1" | "2");
    let first = property.values.first().map_or("", |value| value.text.as_str());
    !NO_NOTES.contains(&property.name.as_str()) && !is_reason(first)
}

/// Returns the notes of a node.
pub(super) fn notes(node: &SgfNode) -> Vec<Note> {
    let note = |property: &Property| Note {
        name: property.name.clone(),
        values: property.values.iter().map(|value| value.raw.clone()).collect(),
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
    node: &'a SgfNode,
    size: Size,
    seen: &PointSet,
) -> VariationNode<'a> {
    let is_set_up = |property: &Property| matches!(property.name.as_str(), "AB" | "AW" | "AE");
    if node.iter().any(is_set_up) {
        return VariationNode::Other;
    }
    let moves = node.iter().filter(|property| matches!(property.name.as_str(), "B" | "W"));
    let moves: Vec<&Property> = moves.collect();
    let color = |property: &Property| match property.name.as_str() {
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

fn comment(node: &SgfNode) -> &str {
    let found = node.iter().find(|property| property.name == "C");
    found.and_then(|property| property.values.first()).map_or("", |value| value.text.as_str())
}

/// Reads the line that begins with a node, with its own variations, up to the first node that is no
/// move on an empty cell; `seen` are the cells with stones before it.
///
/// Lines are no deeper within each other than the board has cells: each begins after a move of the
/// one that it belongs to.
pub(super) fn read(
    source: SourceText<'_>,
    tree: &SgfTree,
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
        let [x, y] = [m.point.x(), m.point.y()].map(|n| char::from(b'a' + n));
        let color = if m.color == Color::Black { 'B' } else { 'W' };
        text.push_str(&format!(";{color}[{x}{y}]"));
        push(text, "C", remarks(i, m).with_comment(&m.comment));
        for note in &m.notes {
            text.push_str(&note.name);
            text.extend(note.values.iter().map(|value| format!("[{value}]")));
        }
    }
    // The game goes on within its parentheses; the other lines come after it.
    for m in moves.iter().rev().filter(|m| !m.variations.is_empty()) {
        text.push(')');
        for line in &m.variations {
            text.push_str("\n(");
            push_line(text, line, 0, &|_, m| Remarks::on(m));
            text.push(')');
        }
    }
}

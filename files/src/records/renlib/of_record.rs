//! From records to libraries.

use std::collections::HashMap;

use super::node::{MARK, NO_MOVE, START};
use super::to_record::PASS;
use super::{CodePage, LibBuilder, LibHead, LibNode, LibRemark, LibTree};
use crate::records::format::plain;
use crate::records::moves::bare_moves;
use crate::records::notes::letters;
use crate::records::{Format, Move, Notes, Record, WriteError};
use tengen_core::types::{Color, Point, Size};

impl LibTree {
    /// Returns the library of a game and its variations, as RenLib would write it. Without an
    /// encoding texts are of Western Europe, or UTF-8 if that is not enough or if they would not be
    /// recognised.
    ///
    /// # Errors
    ///
    /// Returns an error if the record is not a game, if the board has another size, or if the encoding
    /// lacks letters of a text.
    pub fn of_record(record: &Record, page: Option<CodePage>) -> Result<LibTree, WriteError> {
        record.check()?;
        if record.size != Size::DEFAULT {
            return Err(WriteError::Size(Format::Lib));
        }
        let mut record = plain(record, Format::Lib)?.into_owned();
        // A pass shows in the colours.
        record.moves = bare_moves(&record.moves);
        let record = &record;
        if let Some(page) = page {
            return LibTree::of_game(record, page);
        }
        match LibTree::of_game(record, CodePage::WESTERN) {
            Ok(tree) if tree.texts.is_ascii() || tree.likely_page() == CodePage::WESTERN => {
                Ok(tree)
            }
            Ok(_) | Err(WriteError::Letters(_)) => LibTree::of_game(record, CodePage::UTF_8),
            Err(error) => Err(error),
        }
    }

    /// Returns the library of a game that was checked.
    fn of_game(record: &Record, page: CodePage) -> Result<LibTree, WriteError> {
        let mut root = LibNode::new(None);
        set_remark(&mut root, &record.notes, &record.comment, "", page)?;
        let labels = labels(&record.notes);
        let is_center =
            |m: &Move| (m.point(), m.color) == (Some(Size::DEFAULT.center()), Color::Black);
        let first = record.moves.first();
        let has_root = root.flags != 0
            || !labels.is_empty()
            || !first.is_some_and(|m| is_center(m) && m.variations().is_empty())
            || has_passes(&record.moves, Color::Black);
        let head = if has_root { LibHead::WITH_ROOT } else { LibHead::WITHOUT_ROOT };
        let mut writer = RenlibWriter { builder: LibBuilder::new(head), page };
        if has_root {
            writer.enter(&root)?;
        }
        writer.position(&lines(&record.moves), Color::Black, labels)?;
        Ok(writer.builder.into_tree())
    }
}

/// Returns the lines that begin in a position: the given one, and the variations of its first move.
fn lines(line: &[Move]) -> Vec<&[Move]> {
    let variations = line.first().into_iter().flat_map(Move::variations);
    let all = std::iter::once(line).chain(variations.map(|line| &line[..]));
    all.filter(|line| !line.is_empty()).collect()
}

/// Returns whether a player moves twice, in a line or its variations.
fn has_passes(line: &[Move], mut to_move: Color) -> bool {
    for m in line {
        if m.color != to_move || m.variations().iter().any(|line| has_passes(line, to_move)) {
            return true;
        }
        to_move = !to_move;
    }
    false
}

/// Returns the texts on the board that notes give.
fn labels(notes: &Notes) -> Vec<(Point, String)> {
    let Some(note) = notes.get("LB") else { return Vec::new() };
    note.labels().filter(|(cell, _)| Size::DEFAULT.contains(*cell)).collect()
}

/// Gives a node what a record says of it.
fn set_remark(
    node: &mut LibNode<'static>,
    notes: &Notes,
    comment: &str,
    board_text: &str,
    page: CodePage,
) -> Result<(), WriteError> {
    let note = |name: &str| notes.get(name);
    if let (Some(cell), Some(marks)) = (node.cell(), note("MA"))
        && marks.values.contains(&letters(cell))
    {
        node.flags |= MARK;
    }
    if note("HO").is_some() {
        node.flags |= START;
    }
    let line = note("N").and_then(|name| name.texts().next()).unwrap_or_default();
    let remark = LibRemark { line, text: comment.to_owned() };
    node.set_remarks(&remark, board_text, page).ok_or(WriteError::Letters(page))
}

/// A child of a position.
enum Child<'a> {
    /// A line, and the text that stands on the cell of its first move.
    Line(&'a [Move], String),
    /// Lines of the other player.
    Pass(Vec<&'a [Move]>),
    /// A text on a cell that no move goes to.
    Text(Point, String),
}

struct RenlibWriter {
    builder: LibBuilder,
    page: CodePage,
}

impl RenlibWriter {
    fn enter(&mut self, node: &LibNode<'_>) -> Result<(), WriteError> {
        self.builder.enter(node).ok_or(WriteError::TooLong(Format::Lib))
    }

    /// Writes all that follows a position. No call is deeper than two for each cell of the board.
    fn position(
        &mut self,
        lines: &[&[Move]],
        to_move: Color,
        labels: Vec<(Point, String)>,
    ) -> Result<(), WriteError> {
        for child in children(lines, to_move, labels) {
            match child {
                Child::Line(line, text) => self.line(line, &text)?,
                Child::Pass(lines) => {
                    let mut node = LibNode::new(None);
                    set_remark(&mut node, &Notes::EMPTY, PASS, "", self.page)?;
                    self.enter(&node)?;
                    self.position(&lines, !to_move, Vec::new())?;
                }
                Child::Text(cell, text) => {
                    let mut node = LibNode::new(Some(cell));
                    node.flags |= NO_MOVE;
                    set_remark(&mut node, &Notes::EMPTY, "", &text, self.page)?;
                    self.enter(&node)?;
                }
            }
            self.builder.leave();
        }
        Ok(())
    }

    /// Enters the first move of a line, and writes the rest.
    fn line(&mut self, line: &[Move], board_text: &str) -> Result<(), WriteError> {
        let Some((first, rest)) = line.split_first() else { return Ok(()) };
        let mut node = LibNode::new(first.point());
        set_remark(&mut node, first.notes(), first.comment(), board_text, self.page)?;
        self.enter(&node)?;
        self.position(&self::lines(rest), !first.color, labels(first.notes()))
    }
}

/// Returns the children of a position. RenLib orders them by their cells; moves have an order
/// already, and texts go to their place among them.
fn children<'a>(
    lines: &[&'a [Move]],
    to_move: Color,
    mut labels: Vec<(Point, String)>,
) -> Vec<Child<'a>> {
    let mut children: Vec<Child<'a>> = Vec::with_capacity(lines.len());
    for &line in lines {
        if line[0].color == to_move {
            children.push(Child::Line(line, String::new()));
        } else if let Some(Child::Pass(lines)) = children.last_mut() {
            lines.push(line);
        } else {
            children.push(Child::Pass(vec![line]));
        }
    }
    labels.retain(|(_, text)| !text.is_empty());
    if labels.is_empty() {
        return children;
    }
    labels.sort_by_key(|(cell, _)| *cell);
    // The number of the first line from each cell, until it has a text.
    let mut own: HashMap<Point, usize> = HashMap::new();
    for (number, child) in children.iter().enumerate() {
        if let Child::Line(line, _) = child
            && let Some(point) = line[0].point()
        {
            own.entry(point).or_insert(number);
        }
    }
    let mut texts = Vec::new();
    for (cell, label) in labels {
        match own.remove(&cell).map(|number| &mut children[number]) {
            Some(Child::Line(_, text)) => *text = label,
            _ => texts.push((cell, label)),
        }
    }
    let mut texts = texts.into_iter().peekable();
    let mut merged = Vec::new();
    for child in children {
        if let Child::Line(line, _) = child {
            while let Some((cell, text)) = texts.next_if(|(cell, _)| Some(*cell) < line[0].point())
            {
                merged.push(Child::Text(cell, text));
            }
        }
        merged.push(child);
    }
    merged.extend(texts.map(|(cell, text)| Child::Text(cell, text)));
    merged
}

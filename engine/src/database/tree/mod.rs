//! Trees of known moves as game records with variations, for people and other programs.

use std::collections::HashSet;

use super::entry::POSITION_MARK;
use super::{
    CellMark, DatabaseError, DatabaseReader, Placement, PlacementError, PositionEntry, PositionKey,
    ProvenResult,
};
use tengen_core::rules::Rule;
use tengen_core::types::{Bound, Color, Point, Size};
use tengen_files::records::{Move, MoverSearch, Note, Notes, Record};

/// The contents of a tree.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The number of moves after the root at which it ends.
    pub depth: usize,
    /// The most positions after the root.
    pub limit: usize,
}

/// A tree of known moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownTree {
    /// The moves to the root, then the tree: the first known move of each position goes on, the others
    /// are variations.
    pub record: Record,
    /// The number of positions after the root.
    pub positions: usize,
    /// True if there is more within the depth, for which the limit left no room.
    pub is_cut: bool,
}

/// The reason why a tree can't be made.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The database can't be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The moves to the root can't be played.
    #[error(transparent)]
    Moves(#[from] PlacementError),
}

impl DatabaseReader {
    /// Returns the moves that are known after the position that `moves` lead to, as a record.
    ///
    /// Each position has the text, the cells with texts and the marks of its entry with the move that
    /// leads to it, the empty board with the record; a proven win as the property `GB` or `GW`, a draw as `DM`, and a value as the score
    /// of the move. What follows from a position stands at its first place only; of moves that are the
    /// same by symmetry there is one. Better moves come first.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or if the moves can't be played.
    pub fn tree(
        &self,
        rule: Rule,
        size: Size,
        moves: &[Point],
        options: &TreeOptions,
    ) -> Result<KnownTree, TreeError> {
        let mut record = Record::new(size);
        record.rule = Some(rule);
        let mut placement = Placement::of_moves(rule, size, &[])?;
        let root = self.get(&placement)?.unwrap_or_default();
        record.notes = notes(None, !placement.to_move(), &root);
        record.comment = root.text;
        for &point in moves {
            let color = placement.to_move();
            placement.play(point)?;
            let entry = self.get(&placement)?.unwrap_or_default();
            record.moves.push(noted_move(point, color, &entry));
        }
        let seen = HashSet::from([placement.key().key]);
        let (reader, limit) = (self, options.limit);
        let mut builder = TreeBuilder { reader, limit, seen, positions: 0, is_cut: false };
        record.moves.extend(builder.line(&placement, options.depth)?);
        Ok(KnownTree { record, positions: builder.positions, is_cut: builder.is_cut })
    }
}

struct TreeBuilder<'a> {
    reader: &'a DatabaseReader,
    limit: usize,
    /// The positions that are in the tree.
    seen: HashSet<PositionKey>,
    positions: usize,
    is_cut: bool,
}

impl TreeBuilder<'_> {
    /// Returns the first known move with what follows, and all others as its variations.
    ///
    /// It calls itself once a move, so no deeper than the board has cells.
    fn line(&mut self, placement: &Placement, depth: usize) -> Result<Vec<Move>, DatabaseError> {
        if depth == 0 {
            return Ok(Vec::new());
        }
        let mut known = self.reader.moves(placement)?;
        known.sort_by_key(|next| next.entry.rank_for_mover());
        let mut siblings = HashSet::new();
        let mut lines: Vec<Vec<Move>> = Vec::new();
        for next in known {
            let mut after = placement.clone();
            if after.play(next.point).is_err() {
                continue;
            }
            let key = after.key().key;
            if !siblings.insert(key.clone()) {
                continue;
            }
            if self.positions >= self.limit {
                self.is_cut = true;
                break;
            }
            self.positions += 1;
            let mut line = vec![noted_move(next.point, placement.to_move(), &next.entry)];
            if self.seen.insert(key) {
                line.extend(self.line(&after, depth - 1)?);
            }
            lines.push(line);
        }
        let mut lines = lines.into_iter();
        let Some(mut first) = lines.next() else { return Ok(Vec::new()) };
        first[0].set_variations(lines.collect());
        Ok(first)
    }
}

/// Returns a move with what is known of the position after it.
fn noted_move(point: Point, color: Color, entry: &PositionEntry) -> Move {
    let mut m = Move::new(point, color);
    m.set_comment(&*entry.text);
    m.set_notes(notes(Some(point), color, entry));
    if let (None, Some(evaluation)) = (entry.result, entry.evaluation)
        && evaluation.bound != Some(Bound::Upper)
    {
        m.set_search(MoverSearch {
            score: Some(-evaluation.score.raw()),
            depth: u32::try_from(evaluation.depth).ok(),
            ..MoverSearch::default()
        });
    }
    m
}

/// Returns what is known of a position after the move `last` of a colour, or of one before any move with the
/// other side to move. A mark on the position as a whole is one on the cell of the move, as RenLib has it.
fn notes(last: Option<Point>, color: Color, entry: &PositionEntry) -> Notes {
    let mut notes = Notes::default();
    let letters =
        |p: &Point| [p.x(), p.y()].map(|i| char::from(b'a' + i)).iter().collect::<String>();
    let labels: Vec<String> =
        entry.board_texts.iter().map(|(at, text)| format!("{}:{text}", letters(at))).collect();
    if !labels.is_empty() {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        notes.push(Note::new("LB", &labels));
    }
    for mark in CellMark::ALL {
        let own = last.filter(|_| entry.is_marked && mark == POSITION_MARK);
        let marked = entry.marks.iter().filter(|&&(at, m)| m == mark && own != Some(at));
        let cells: Vec<Point> = own.into_iter().chain(marked.map(|&(at, _)| at)).collect();
        if !cells.is_empty() {
            notes.push(Note::of_cells(mark.sgf_property(), &cells));
        }
    }
    // The side that has moved is the winner if the one to move has lost.
    let good = match (entry.result, color) {
        (Some(ProvenResult::Loss(_)), Color::Black)
        | (Some(ProvenResult::Win(_)), Color::White) => "GB",
        (Some(ProvenResult::Win(_)), Color::Black)
        | (Some(ProvenResult::Loss(_)), Color::White) => "GW",
        (Some(ProvenResult::Draw), _) => "DM",
        (None, _) => "",
    };
    if !good.is_empty() {
        notes.push(Note::new(good, &["2"]));
    }
    notes
}

#[cfg(test)]
mod tests;

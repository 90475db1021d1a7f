//! Game records: the positions that games went through, with comments and variations.

use super::Fact;
use crate::database::entry::POSITION_MARK;
use crate::database::{CellMark, Evaluation, GameCounts, Placement, PositionEntry, ProvenResult};
use tengen_core::rules::{Outcome, Rule, Violation, outcome_after};
use tengen_core::sys::turns::on_stack;
use tengen_core::types::{Color, Point, Score, Size};
use tengen_files::records::{GameResult, Move, MoveKind, Note, Notes, Record};

/// The stack for variations within variations, of which a record has 400 at most, in bytes.
const STACK: usize = 16 << 20;

/// Returns the facts of a record about the positions of its game and of its variations.
///
/// Every position of the game has been visited once, and counts the result; those of variations have
/// not. Comments and the marks and letters of the Smart Game Format belong to the position after their
/// move, a cross on the cell of the move to that position as a whole, and those before the first move to the one
/// there; the comment on the game as well, if there are variations: then the record is an analysis. Where a game or a variation ends by the rule, that result is certain, unless it
/// ends by forbidden threes or fours: the same stones may be there by an allowed move. With
/// `scores`, the value that a player gave a position before its move is taken with the move; how it
/// relates to the true one is not known.
#[must_use]
pub fn facts_of_record(record: &Record, rule: Rule, scores: bool) -> Vec<Fact> {
    let rule = record.rule.unwrap_or(rule);
    let Ok(board) = record.board_after(0) else { return Vec::new() };
    let Ok(start) = Placement::new(rule, board, record.to_move_after(0)) else {
        return Vec::new();
    };
    let mut games = GameCounts::default();
    match record.result {
        Some(GameResult::Win(Color::Black)) => games.black = 1,
        Some(GameResult::Win(Color::White)) => games.white = 1,
        Some(GameResult::Draw) => games.draws = 1,
        None => {}
    }
    let seen = PositionEntry { visits: 1, games, ..PositionEntry::default() };
    let mut first = remarks(&record.notes, None, record.size);
    first.add(&seen);
    let has_variations = record.moves.iter().any(|m| !m.variations().is_empty());
    if has_variations {
        first.text.clone_from(&record.comment);
    }
    let mut facts = vec![Fact { placement: start.clone(), entry: first, is_new_game: true }];
    let line = Line { seen: &seen, is_game: true, scores };
    let mut follow = || line.follow(start.clone(), &record.moves, 0, &mut facts);
    // Variations may be in others, many times over.
    if !has_variations || on_stack(STACK, &mut follow).is_err() {
        follow();
    }
    facts
}

/// A row of moves.
#[derive(Clone, Copy)]
struct Line<'a> {
    /// The knowledge that follows from the mere occurrence of a position.
    seen: &'a PositionEntry,
    is_game: bool,
    scores: bool,
}

impl Line<'_> {
    /// Adds the positions after each of some moves; the fact at `last` is of the position before them.
    fn follow(self, start: Placement, moves: &[Move], last: usize, facts: &mut Vec<Fact>) {
        let (mut placement, mut last) = (start, last);
        // The score of another move says nothing of the position that the game went on from.
        let before = if self.is_game { usize::MAX } else { last };
        for m in moves {
            let nobody = PositionEntry::default();
            let line = Line { seen: &nobody, is_game: false, ..self };
            for variation in m.variations() {
                line.follow(placement.clone(), variation, last, facts);
            }
            if m.color != placement.to_move() && m.kind != MoveKind::SetUp {
                // The other player passed.
                placement = placement.passed();
            }
            if let Some(score) = m
                .score()
                .filter(|_| self.scores && last != before && facts[last].placement == placement)
            {
                let depth = m.depth().map_or(0, |plies| i16::try_from(plies).unwrap_or(i16::MAX));
                let evaluation = Evaluation { score: Score::eval(score), depth, bound: None };
                let value = PositionEntry {
                    evaluation: Some(evaluation),
                    best: m.point(),
                    ..PositionEntry::default()
                };
                facts[last].entry.merge(&value);
            }
            // Readers give no record whose moves can't be played.
            let Some(after) = after(&placement, m) else { return };
            placement = after;
            let mut entry = remarks(m.notes(), m.point(), placement.size());
            m.comment().clone_into(&mut entry.text);
            entry.add(self.seen);
            last = facts.len();
            facts.push(Fact { placement: placement.clone(), entry, is_new_game: self.is_game });
        }
        if let Some(point) = moves.last().and_then(Move::point) {
            let outcome = outcome_after(placement.board(), point, placement.rule());
            facts[last].entry.result = match (outcome, outcome.winner()) {
                // What is forbidden is the move, and no entry knows which stone came last.
                (Outcome::Forbidden(_, Violation::DoubleThree | Violation::DoubleFour), _)
                | (Outcome::Ongoing, _) => None,
                (_, Some(winner)) if winner == placement.to_move() => {
                    Some(ProvenResult::Win(Some(0)))
                }
                (_, Some(_)) => Some(ProvenResult::Loss(Some(0))),
                (_, None) => Some(ProvenResult::Draw),
            };
        }
    }
}

/// Returns the position after a move, whose player is to move, or after a change.
fn after(before: &Placement, m: &Move) -> Option<Placement> {
    match m.kind {
        MoveKind::Stone(point) => {
            let mut placement = before.clone();
            placement.play(point).ok().map(|_| placement)
        }
        MoveKind::Pass => Some(before.clone().passed()),
        MoveKind::SetUp => {
            let mut board = before.board().clone();
            m.arrangement().apply(&mut board).ok()?;
            Placement::new(before.rule(), board, !m.color).ok()
        }
    }
}

/// Returns what notes say of the position after the move `last`, or of one before any move.
fn remarks(notes: &Notes, last: Option<Point>, size: Size) -> PositionEntry {
    let mut entry = PositionEntry::default();
    for note in notes.iter() {
        if note.name() == "LB" {
            for value in note.texts() {
                if let Some((cell, text)) = value.split_once(':')
                    && let Some(point) = sgf_cell(cell, size)
                    && !text.is_empty()
                {
                    entry.board_texts.insert(point, text.to_owned());
                }
            }
        } else if let Some(mark) =
            CellMark::ALL.into_iter().find(|mark| mark.sgf_property() == note.name())
        {
            let mut cells = marked_cells(&note, size);
            if mark == POSITION_MARK {
                entry.is_marked |= last.is_some_and(|last| cells.contains(&last));
                cells.retain(|&at| Some(at) != last);
            }
            entry.marks.extend(cells.into_iter().map(|at| (at, mark)));
        }
    }
    entry
}

/// Returns the cells that a property marks: single ones, and rectangles from corner to corner.
fn marked_cells(note: &Note, size: Size) -> Vec<Point> {
    let mut cells = Vec::new();
    for value in note.texts() {
        let (from, to) = value.split_once(':').unwrap_or((&value, &value));
        let (Some(from), Some(to)) = (sgf_cell(from, size), sgf_cell(to, size)) else { continue };
        let is_inside = |p: &Point| {
            (from.x()..=to.x()).contains(&p.x()) && (from.y()..=to.y()).contains(&p.y())
        };
        cells.extend(size.points().filter(is_inside));
    }
    cells
}

fn sgf_cell(text: &str, size: Size) -> Option<Point> {
    let [x, y] = text.trim().as_bytes() else { return None };
    let index = |letter: &u8| letter.checked_sub(b'a').map(i64::from);
    size.point(index(x)?, index(y)?)
}

#[cfg(test)]
mod tests;

//! Wins by continuous fours, and the cells on which such a win depends.
//!
//! A four leaves one reply, so a win by fours alone is a line, not a tree. The search is a plain
//! depth-first search with a small node limit. It is called very often, since a quiet move is an
//! attack only if it threatens such a win (λ-search: T. Thomsen, "Lambda-search in game trees",
//! 2000).

use super::five_defences;
use crate::patterns::{PointClass, Shape};
use crate::position::Position;
use crate::rules::Rule;
use crate::types::{Color, Dir, Point, PointSet};

/// The size of the table of positions without a win by fours.
const FAILED: usize = 1 << 16;

/// The largest distance at which a stone affects the tables' result for a cell.
const REACH: i32 = 5;

/// An odd multiplier for hashing.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A search for wins by continuous fours.
#[derive(Debug)]
pub(crate) struct Vcf {
    /// The keys of positions without a win, indexed by hash.
    failed: Box<[u64]>,
    /// The attacker's moves of the win, the last one first.
    line: Vec<Point>,
    left: u64,
    /// The number of positions visited since the search was made.
    pub(crate) nodes: u64,
    /// A salt that distinguishes rules and boards.
    salt: u64,
}

/// The cells that a win by fours depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zone {
    /// The empty cells where a stone of the defender is likely to affect the win.
    pub(crate) cells: PointSet,
    /// Further empty cells where it may affect the win.
    pub(crate) doubtful: PointSet,
    /// True if a stone on any other cell is certain not to affect the win.
    pub(crate) is_complete: bool,
}

/// Returns whether a stone behind a row may spoil a five.
pub(crate) const fn is_caro(rule: Rule) -> bool {
    matches!(rule, Rule::Caro | Rule::CaroExact)
}

/// Returns whether a four on `point` continues the side's own last move. Unrelated fours can be
/// played in any order, which multiplies the nodes without adding a win.
fn follows(last: Option<Point>, point: Point) -> bool {
    let Some(last) = last else { return true };
    let (dx, dy) = (last.x().abs_diff(point.x()), last.y().abs_diff(point.y()));
    let on_line = dx == 0 || dy == 0 || dx == dy;
    dx.max(dy) <= if on_line { 4 } else { 2 }
}

/// Returns the only move of the side to move that stops `attacker` from winning at once, if there
/// is exactly one that is legal.
fn only_reply(position: &mut Position, attacker: Color) -> Option<Point> {
    if is_caro(position.rule()) {
        let set = five_defences(position, attacker);
        return if set.len() == 1 { set.first() } else { None };
    }
    let point = position.first_of(attacker, PointClass::Five)?;
    let is_only = position.counts(attacker).of(PointClass::Five) == 1;
    (is_only && !position.is_forbidden(point, !attacker)).then_some(point)
}

impl Vcf {
    pub(crate) fn new() -> Vcf {
        Vcf {
            failed: vec![0; FAILED].into_boxed_slice(),
            line: Vec::new(),
            left: 0,
            nodes: 0,
            salt: 0,
        }
    }

    /// Forgets the positions without a win.
    pub(crate) fn clear(&mut self) {
        self.failed.fill(0);
    }

    /// Sets the salt that is combined with the keys of the following positions.
    pub(crate) fn set_salt(&mut self, salt: u64) {
        self.salt = salt;
    }

    /// Searches for a win by fours of the side to move, visiting about `limit` positions at most.
    /// Returns the attacker's moves up to the one after which it wins against any reply; an empty
    /// line if it wins with the first stone.
    ///
    /// `None` does not prove that there is no win, even if the limit was not reached.
    pub(crate) fn find(&mut self, position: &mut Position, limit: u64) -> Option<Vec<Point>> {
        self.left = limit;
        self.line.clear();
        self.attack(position, None).then(|| self.line.iter().rev().copied().collect())
    }

    fn attack(&mut self, position: &mut Position, last: Option<Point>) -> bool {
        let us = position.to_move();
        self.nodes += 1;
        let ours = position.counts(us);
        if ours.has(PointClass::Five) {
            return true;
        }
        let mut must = None;
        if position.counts(!us).has(PointClass::Five) {
            must = only_reply(position, !us);
            if must.is_none() {
                return false;
            }
        } else if let Some(point) = position.first_of(us, PointClass::OpenFour) {
            self.line.push(point);
            return true;
        }
        if self.left == 0 || !ours.has_at_least(PointClass::Four) {
            return false;
        }
        self.left -= 1;

        let last_key = last.map_or(0, |p| (p.index() as u64 + 1).wrapping_mul(SPREAD));
        let key = position.key().0 ^ self.salt ^ last_key;
        let slot = key as usize % FAILED;
        if self.failed[slot] == key {
            return false;
        }
        let cells: PointSet = *position.tracker().fours(us);
        for strong in [true, false] {
            for point in cells.iter() {
                if (position.class(point, us) >= PointClass::FourPlus) != strong {
                    continue;
                }
                let fits = must.map_or_else(|| follows(last, point), |p| p == point);
                if fits && self.try_four(position, point) {
                    self.line.push(point);
                    return true;
                }
            }
        }
        if self.left > 0 {
            self.failed[slot] = key;
        }
        false
    }

    /// Returns whether a four, followed by further fours, wins.
    fn try_four(&mut self, position: &mut Position, point: Point) -> bool {
        let us = position.to_move();
        position.play_unchecked(point);
        let is_four = position.counts(us).has(PointClass::Five)
            && !position.counts(!us).has(PointClass::Five);
        let wins = if !is_four {
            false
        } else if let Some(reply) = only_reply(position, us) {
            position.play_unchecked(reply);
            let wins = self.attack(position, Some(point));
            position.undo();
            wins
        } else {
            // Caro can leave a choice of replies; such lines are not searched.
            !is_caro(position.rule()) || five_defences(position, us).is_empty()
        };
        position.undo();
        wins
    }
}

/// Returns the cells that a win by fours of the side to move depends on; the line must come from
/// [`Vcf::find`] for this position.
///
/// A stone of the defender, played before the line, can have only three effects. It can occupy a
/// cell that the line needs empty. It can give the defender a five at some point of the line; then,
/// on the board at that point, it makes a four. And in renju it can make a forbidden cell legal or
/// the reverse: whether the table suspects a cell depends on the cells within five steps on its
/// four lines; if a suspicion was checked by playing it out, any cell may matter and the zone is
/// not complete. In caro, where stones behind a row matter, it never is.
pub(crate) fn zone(position: &mut Position, line: &[Point]) -> Zone {
    let us = position.to_move();
    let rule = position.rule();
    let empties: PointSet = *position.tracker().empties();
    let mut zone =
        Zone { cells: PointSet::EMPTY, doubtful: PointSet::EMPTY, is_complete: !is_caro(rule) };
    let mut played = 0;
    for &point in line {
        if position.counts(us).has(PointClass::Five) {
            break;
        }
        zone.cells |= *position.tracker().fours(!us);
        match (rule, us) {
            (Rule::Renju, Color::White) => insert_suspected_fours(position, &mut zone.cells),
            (Rule::Renju, Color::Black) => {
                zone.is_complete &= position.class(point, us) != PointClass::Forbidden;
                insert_cross(point, &mut zone.doubtful);
            }
            _ => {}
        }
        zone.cells.insert(point);
        position.play_unchecked(point);
        played += 1;
        for five in position.cells_of(us, PointClass::Five) {
            zone.cells.insert(five);
            if is_caro(rule) {
                insert_cross(five, &mut zone.cells);
            } else if rule == Rule::Renju && position.class(five, !us) == PointClass::Forbidden {
                zone.is_complete = false;
                insert_cross(five, &mut zone.cells);
            }
        }
        let Some(reply) = only_reply(position, us) else { break };
        position.play_unchecked(reply);
        played += 1;
    }
    for five in position.cells_of(us, PointClass::Five) {
        zone.cells.insert(five);
    }
    for _ in 0..played {
        position.undo();
    }
    zone.cells &= empties;
    zone.doubtful &= empties;
    zone
}

/// Adds the cells where black makes a four that the table suspects to be forbidden.
fn insert_suspected_fours(position: &Position, cells: &mut PointSet) {
    if !position.counts(Color::Black).has(PointClass::Forbidden) {
        return;
    }
    for point in position.tracker().near().iter() {
        if position.class(point, Color::Black) != PointClass::Forbidden {
            continue;
        }
        let shapes = position.tracker().shapes(point, Color::Black);
        if Dir::ALL.into_iter().any(|dir| Shape::in_code(shapes, dir) >= Shape::Four) {
            cells.insert(point);
        }
    }
}

/// Adds the points near a point on the four lines through it.
fn insert_cross(center: Point, cells: &mut PointSet) {
    for dir in Dir::ALL {
        for steps in -REACH..=REACH {
            if let Some(point) = center.offset(dir, steps) {
                cells.insert(point);
            }
        }
    }
}

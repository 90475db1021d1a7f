//! Opening books: what to play without a search.
//!
//! A book is a database of positions that is only read. Where it knows enough, it answers instead
//! of a search; where it does not, it says nothing, and what it knows never enters a search.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::known_moves::KnownMoves;
use super::known_positions::KnownPositions;
use super::{Answer, Job, OpeningStep, Task};
use crate::database::{
    DatabaseError, Evaluation, KeyGroup, KnownMove, Placement, PositionDatabase, PositionEntry,
    PositionKey, ProvenResult,
};
use tengen_core::board::Symmetry;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::RenjuOpening;
use tengen_core::search::{BalanceStones, UNKNOWN_LENGTH};
use tengen_core::types::{Bound, Cell, Color, Ply, Point, Score};

/// The depth of a search in plies from which its value counts. Searches leave a value in the
/// position after their move from this depth on.
const ENOUGH_DEPTH: i16 = 7;
/// The distance from the best value within which moves are as good as the best, in units of the
/// evaluation: near an even position about two chances in a hundred.
const MARGIN: i32 = 16;
/// The distance from the wanted value within which a position is balanced, in units of the
/// evaluation.
const BALANCED: i32 = 24;
/// The most openings of a book that are looked at for one to propose.
const MOST_OPENINGS: usize = 50_000;

/// A book that games are opened from.
#[derive(Clone, Debug)]
pub struct OpeningBook(Arc<PositionDatabase>);

/// The answer of a book, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookAnswer {
    /// The moves: one to play, three to propose, none where it is about colours.
    pub moves: Vec<Point>,
    /// The known reply to them, if there is one.
    pub reply: Option<Point>,
    /// The value: of the moves for the player of the last one, or of the position for the side to
    /// move. Nobody may have given one to a marked move.
    pub value: Option<BookValue>,
    /// The number of answers, equal by symmetry or not, of which this is one by chance.
    pub choices: usize,
}

/// A value of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookValue {
    /// The score.
    pub score: Score,
    /// The depth of the search that found it, in plies; 0 for what is proven.
    pub depth: u32,
}

impl OpeningBook {
    /// Returns the book in a database, which is never written.
    #[must_use]
    pub const fn new(database: Arc<PositionDatabase>) -> OpeningBook {
        OpeningBook(database)
    }

    /// Returns the answer to a job and what to tell about it, if the book has one.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub(super) fn answer(
        &self,
        job: &Job,
        position: &mut Position,
        lots: Option<SplitMix64>,
    ) -> Result<Option<(Answer, BookAnswer)>, DatabaseError> {
        let stones = job.setup.stones.len();
        let mut page =
            BookPage { known: KnownPositions::new(self.0.read()?, job.setup.rule), position, lots };
        let played = |told: BookAnswer| (Answer::Moves(told.moves.clone()), told);
        match job.task {
            Task::Move => Ok(page.choose()?.map(played)),
            Task::Swap1 | Task::Swap2 if stones == 1 || stones >= 3 => page.swap_or_move(),
            Task::Swap1 => Ok(page.balance(0)?.map(played)),
            Task::Swap2 if stones == 0 => Ok(page.opening(|_| true)?.map(played)),
            Task::Balance(task) if task.stones == BalanceStones::One => {
                Ok(page.balance(task.bias)?.map(played))
            }
            Task::Opening(OpeningStep::Open) => {
                let size = job.setup.size;
                let is_renju = |stones: &[Point]| RenjuOpening::of(size, stones).is_some();
                Ok(page.opening(is_renju)?.map(played))
            }
            Task::Opening(OpeningStep::SwapFirst) => Ok(page.value()?.map(|value| {
                let is_worse = value.score < Score::ZERO;
                (if is_worse { Answer::Swap } else { Answer::Stay }, BookAnswer::of_value(value))
            })),
            Task::Swap2 | Task::Balance(_) | Task::Opening(_) | Task::Defend => Ok(None),
        }
    }
}

impl BookAnswer {
    fn of_value(value: BookValue) -> BookAnswer {
        BookAnswer { moves: Vec::new(), reply: None, value: Some(value), choices: 1 }
    }
}

/// A move of a book with its value for the side to move.
#[derive(Clone, Copy)]
struct BookMove {
    point: Point,
    reply: Option<Point>,
    value: BookValue,
}

/// A book, opened at a position.
struct BookPage<'a> {
    known: KnownPositions,
    position: &'a mut Position,
    /// The source of chance, unless the best answer is wanted.
    lots: Option<SplitMix64>,
}

impl BookPage<'_> {
    /// Returns a move that needs no search, if one is known.
    fn choose(&mut self) -> Result<Option<BookAnswer>, DatabaseError> {
        let moves = self.moves()?;
        let alone =
            |point, reply, value| BookAnswer { moves: vec![point], reply, value, choices: 1 };
        if let Some(known) = moves.marked() {
            let value = value_of_move(known).map(|(value, _)| value);
            return Ok(Some(alone(known.point, known.entry.best, value)));
        }
        if let Some((point, score)) = moves.win() {
            return Ok(Some(alone(point, None, Some(BookValue { score, depth: 0 }))));
        }
        let own = self.entry()?;
        let own_value = value_of_position(&own);
        let mut found = Vec::new();
        for known in moves.all() {
            // A lower bound of the move's value.
            if let Some((value, Bound::Exact | Bound::Lower)) = value_of_move(known)
                && !known.entry.is_left_out()
            {
                found.push(BookMove { point: known.point, reply: known.entry.best, value });
            }
        }
        let best = own.best.filter(|&best| self.may_be_best(best, &moves));
        if let (Some(value), Some(point)) = (own_value, best)
            && !value.score.is_loss()
            && found.iter().all(|other| other.point != point)
        {
            if value.score.is_win() {
                return Ok(Some(alone(point, None, Some(value))));
            }
            found.push(BookMove { point, reply: None, value });
        }
        let highest = found.iter().map(|other| other.value.score).chain(own_value.map(|v| v.score));
        let Some(highest) = highest.max() else { return Ok(None) };
        let groups = self.groups(&found);
        if own_value.is_none() && groups.len() < 2 {
            // One line that somebody looked at: nothing says that there is no better move.
            return Ok(None);
        }
        let least = highest - MARGIN;
        let good: Vec<_> = groups.into_iter().filter(|same| same[0].value.score >= least).collect();
        Ok(self.draw(good))
    }

    /// Returns whether the best move of an entry is one of the position, and the moves known don't
    /// say otherwise.
    fn may_be_best(&mut self, point: Point, moves: &KnownMoves) -> bool {
        let to_move = self.position.to_move();
        self.position.board().is_empty(point)
            && !self.position.is_forbidden(point, to_move)
            && moves.all().iter().all(|known| {
                known.point != point
                    || !known.entry.is_left_out()
                        && !matches!(known.entry.result, Some(ProvenResult::Win(_)))
            })
    }

    /// Takes the other colour if it is better, and a move otherwise.
    fn swap_or_move(&mut self) -> Result<Option<(Answer, BookAnswer)>, DatabaseError> {
        let Some(value) = self.value()? else { return Ok(None) };
        if value.score < Score::ZERO {
            return Ok(Some((Answer::Swap, BookAnswer::of_value(value))));
        }
        Ok(self.choose()?.map(|told| (Answer::Moves(told.moves.clone()), told)))
    }

    /// Returns the move after which the position is nearest to `bias` for the side that made it, if it
    /// is near.
    fn balance(&mut self, bias: i32) -> Result<Option<BookAnswer>, DatabaseError> {
        let moves = self.moves()?;
        let mut found = Vec::new();
        for known in moves.all() {
            if let Some((value, Bound::Exact)) = value_of_move(known)
                && !known.entry.is_left_out()
                && (value.score - Score::eval(bias).raw()).raw().abs() <= BALANCED
            {
                found.push(BookMove { point: known.point, reply: known.entry.best, value });
            }
        }
        let gap = |same: &Vec<BookMove>| (same[0].value.score.raw() - bias).abs();
        let mut groups = self.groups(&found);
        let least = groups.iter().map(gap).min();
        groups.retain(|same| Some(gap(same)) == least);
        Ok(self.draw(groups))
    }

    /// Returns three balanced stones that may be proposed, the first and the third black.
    fn opening(
        &mut self,
        is_allowed: impl Fn(&[Point]) -> bool,
    ) -> Result<Option<BookAnswer>, DatabaseError> {
        let (rule, size) = (self.position.rule(), self.position.size());
        let group = KeyGroup { rule, size, stones: 3 };
        let mut found: Vec<(Vec<Point>, Option<Point>, BookValue)> = Vec::new();
        for stored in self.known.reader().scan(Some(group))?.take(MOST_OPENINGS) {
            let stored = stored?;
            let placement = stored.key.placement();
            let of = |color| -> Vec<Point> {
                let stone = Cell::Stone(color);
                size.points().filter(|&p| placement.board().cell(p) == stone).collect()
            };
            let (&[first, third], &[second]) =
                (of(Color::Black).as_slice(), of(Color::White).as_slice())
            else {
                continue;
            };
            let orders = [[first, second, third], [third, second, first]];
            let Some(stones) = orders.into_iter().find(|stones| is_allowed(stones)) else {
                continue;
            };
            let known = KnownMove { point: third, entry: stored.entry };
            if let Some((value, Bound::Exact)) = value_of_move(&known)
                && placement.to_move() == Color::White
                && value.score.raw().abs() <= BALANCED
                && !known.entry.is_left_out()
            {
                found.push((stones.to_vec(), known.entry.best, value));
            }
        }
        found.sort_by_key(|(_, _, value)| value.score.raw().abs());
        let choices = found.len();
        let (mut taken, mut symmetry) = (0, Symmetry::Identity);
        if let Some(lots) = self.lots.as_mut().filter(|_| choices > 0) {
            taken = lots.below(choices);
            let all: Vec<Symmetry> = Symmetry::of_size(size).collect();
            symmetry = all[lots.below(all.len())];
        }
        let map = |point| symmetry.map(size, point);
        Ok(found.into_iter().nth(taken).map(|(stones, reply, value)| BookAnswer {
            moves: stones.into_iter().map(map).collect(),
            reply: reply.map(map),
            value: Some(value),
            choices,
        }))
    }

    /// Returns the value of the position for the side to move.
    fn value(&self) -> Result<Option<BookValue>, DatabaseError> {
        Ok(value_of_position(&self.entry()?))
    }

    fn entry(&self) -> Result<PositionEntry, DatabaseError> {
        let entry = self.known.try_at(self.position.board(), self.position.to_move())?;
        Ok(entry.unwrap_or_default())
    }

    fn moves(&mut self) -> Result<KnownMoves, DatabaseError> {
        let moves = self.known.try_moves(self.position.board(), self.position.to_move())?;
        Ok(KnownMoves::legal(moves, self.position))
    }

    /// Returns the moves in groups that are equal by symmetry, the best first.
    fn groups(&self, moves: &[BookMove]) -> Vec<Vec<BookMove>> {
        let mut groups: BTreeMap<PositionKey, Vec<BookMove>> = BTreeMap::new();
        let (board, to_move) = (self.position.board(), self.position.to_move());
        for found in moves {
            let before = Placement::new(self.position.rule(), board.clone(), to_move);
            if let Ok(mut placement) = before
                && placement.play(found.point).is_ok()
            {
                groups.entry(placement.key().key).or_default().push(*found);
            }
        }
        let mut groups: Vec<Vec<BookMove>> = groups.into_values().collect();
        groups.sort_by_key(|same| std::cmp::Reverse(same[0].value.score));
        groups
    }

    /// Returns a move by chance, each group of equal ones with the same chance, or the first one where
    /// there is no chance.
    fn draw(&mut self, groups: Vec<Vec<BookMove>>) -> Option<BookAnswer> {
        let choices = groups.iter().map(Vec::len).sum();
        let mut below = |bound| self.lots.as_mut().map_or(0, |lots| lots.below(bound));
        let taken = if groups.is_empty() { 0 } else { below(groups.len()) };
        let same = groups.get(taken)?;
        let found = same[below(same.len())];
        let (reply, value) = (found.reply, Some(found.value));
        Some(BookAnswer { moves: vec![found.point], reply, value, choices })
    }
}

/// Returns the value of a position for the side to move, if it is known well enough.
fn value_of_position(entry: &PositionEntry) -> Option<BookValue> {
    value_of_entry(entry).filter(|(_, bound)| *bound == Bound::Exact).map(|(value, _)| value)
}

/// Returns the value of a move for the side that makes it, if it is known well enough and no loss.
fn value_of_move(known: &KnownMove) -> Option<(BookValue, Bound)> {
    let (value, bound) = value_of_entry(&known.entry)?;
    let bound = match bound {
        Bound::Upper => Bound::Lower,
        Bound::Lower => Bound::Upper,
        Bound::Exact => Bound::Exact,
    };
    Some((BookValue { score: -value.score, ..value }, bound)).filter(|_| !value.score.is_win())
}

/// Returns the value of a position for the side to move. A value of other programs without a bound is
/// taken for exact.
fn value_of_entry(entry: &PositionEntry) -> Option<(BookValue, Bound)> {
    let after = |plies: Option<u16>| Ply(plies.unwrap_or(UNKNOWN_LENGTH).min(UNKNOWN_LENGTH));
    let proven = |score| Some((BookValue { score, depth: 0 }, Bound::Exact));
    match (entry.result, entry.evaluation) {
        (Some(ProvenResult::Win(plies)), _) => proven(Score::win_in(after(plies))),
        (Some(ProvenResult::Loss(plies)), _) => proven(Score::loss_in(after(plies))),
        (Some(ProvenResult::Draw), _) => proven(Score::ZERO),
        (None, Some(Evaluation { score, depth, bound })) if depth >= ENOUGH_DEPTH => {
            // Somebody may have written down a win that is none; only results are proofs.
            let score = Score::eval(score.raw());
            let depth = u32::from(depth.unsigned_abs());
            Some((BookValue { score, depth }, bound.unwrap_or(Bound::Exact)))
        }
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests;

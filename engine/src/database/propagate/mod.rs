//! Propagation of knowledge to earlier positions.
//!
//! From the deepest positions to the shallowest, so that one walk suffices. A position is won if a legal
//! move leads to one that is lost for the other side. It is lost, or drawn, only if all legal moves are
//! known to lead nowhere better. One that ends the game needs no entry. Forbidden moves are no moves, though
//! the same stones may be there by others.

use std::collections::BTreeMap;

use super::lookup::Lookup;
use super::merge::compare_results;
use super::{
    DatabaseError, DatabaseReader, Evaluation, KeyGroup, KnownMove, Placement, PositionDatabase,
    PositionEntry, PositionKey, ProvenResult, Stored,
};
use tengen_core::rules::{Outcome, Rule, is_dead, outcome_after, winning_run};
use tengen_core::types::{Bound, Cell, Color, Point, Score};
use tengen_files::work::Stop;

/// The number of changes that are held in memory at a time.
const BATCH: usize = 50_000;

/// The kinds of knowledge to propagate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PropagationOptions {
    /// True if values are carried as well, and not only proven results.
    ///
    /// A position takes the value of its best known move if all legal moves are known, if it has none of
    /// its own, if that is better than its own and no shallower, or if its own best move is now known
    /// deeper.
    pub values: bool,
}

/// The outcome of a propagation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Propagated {
    /// The number of positions with a new result, or a shorter way to it.
    pub results: u64,
    /// The number of positions with a new value.
    pub values: u64,
    /// True if all was looked at.
    pub complete: bool,
}

/// Something that a position has learnt from those after it; the cell is in the frame of its key.
#[derive(Clone, Copy, Debug)]
enum Lesson {
    Result(ProvenResult, Option<Point>),
    Value(Evaluation, Point),
}

impl PositionDatabase {
    /// Carries results, and values if that is wanted, to the positions before. Only positions that have
    /// an entry learn.
    ///
    /// `progress` receives the number of positions that have been looked at, now and then. After `stop` is
    /// set, what was found out before is saved, and no more is done.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or written or was opened for reading.
    pub fn propagate(
        &self,
        options: PropagationOptions,
        stop: &Stop,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Propagated, DatabaseError> {
        let groups = self.read()?.groups()?;
        let lessons = BTreeMap::new();
        let done = Propagated::default();
        let mut walk = Propagation { database: self, lessons, done, seen: 0, stop, progress };
        for &group in groups.iter().rev() {
            if options.values && !walk.group(group, Propagation::learn_value)? {
                return Ok(walk.done);
            }
            if !walk.group(group, Propagation::teach_result)? {
                return Ok(walk.done);
            }
        }
        walk.done.complete = true;
        Ok(walk.done)
    }
}

/// A walk through the database.
struct Propagation<'a> {
    database: &'a PositionDatabase,
    lessons: BTreeMap<PositionKey, Lesson>,
    done: Propagated,
    seen: u64,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(u64),
}

impl Propagation<'_> {
    /// Looks at all positions of a group, and returns whether to go on.
    fn group(
        &mut self,
        group: KeyGroup,
        look: fn(&mut Self, &DatabaseReader, &Stored) -> Result<(), DatabaseError>,
    ) -> Result<bool, DatabaseError> {
        let reader = self.database.read()?;
        for stored in reader.scan(Some(group))? {
            look(self, &reader, &stored?)?;
            self.seen += 1;
            if self.seen.is_multiple_of(1024) {
                (self.progress)(self.seen);
                if self.stop.is_set() {
                    self.write()?;
                    return Ok(false);
                }
            }
            if self.lessons.len() >= BATCH {
                self.write()?;
            }
        }
        self.write()?;
        Ok(true)
    }

    /// Tells the positions before a position what its result means for them.
    fn teach_result(
        &mut self,
        reader: &DatabaseReader,
        stored: &Stored,
    ) -> Result<(), DatabaseError> {
        let Some(result) = stored.entry.result else { return Ok(()) };
        let placement = stored.key.placement();
        let mut images = placement.images();
        let is_last = |&at: &Point| placement.board().cell(at) == Cell::Stone(!placement.to_move());
        for point in placement.size().points().filter(is_last) {
            let before = images.key_before(point);
            if !reader.contains(&before.key)? {
                continue;
            }
            let lesson = if let ProvenResult::Loss(_) = result {
                if is_forbidden(&placement, point) {
                    continue;
                }
                let image = PositionEntry { best: Some(point), ..PositionEntry::default() };
                Some((result.before(), before.stored(image).best))
            } else {
                judge_if_first(reader, &before.key, &stored.key)?
            };
            if let Some((result, best)) = lesson {
                self.note_result(before.key, result, best);
            }
        }
        Ok(())
    }

    fn note_result(&mut self, key: PositionKey, result: ProvenResult, best: Option<Point>) {
        let says_more = |known: &Lesson| match known {
            Lesson::Result(known, _) => compare_results(result, *known).is_gt(),
            Lesson::Value(..) => true,
        };
        if self.lessons.get(&key).is_none_or(says_more) {
            self.lessons.insert(key, Lesson::Result(result, best));
        }
    }

    /// Finds the value of a position in those after it.
    fn learn_value(
        &mut self,
        reader: &DatabaseReader,
        stored: &Stored,
    ) -> Result<(), DatabaseError> {
        if stored.entry.result.is_some() {
            return Ok(());
        }
        if let Some((evaluation, best)) = value_of_moves(reader, stored)? {
            self.lessons.insert(stored.key.clone(), Lesson::Value(evaluation, best));
        }
        Ok(())
    }

    /// Saves what was found out.
    fn write(&mut self) -> Result<(), DatabaseError> {
        if self.lessons.is_empty() {
            return Ok(());
        }
        let lessons = std::mem::take(&mut self.lessons);
        let done = self.database.write(|writer| {
            let mut done = self.done;
            for (key, lesson) in &lessons {
                let Some(mut entry) = writer.stored(key)? else { continue };
                match *lesson {
                    Lesson::Result(result, best) => {
                        let known = entry.result;
                        if known.is_some_and(|known| compare_results(result, known).is_le()) {
                            continue;
                        }
                        entry.result = Some(result);
                        entry.best = best.or(entry.best);
                        done.results += 1;
                    }
                    Lesson::Value(evaluation, best) => {
                        entry.evaluation = Some(evaluation);
                        entry.best = Some(best);
                        done.values += 1;
                    }
                }
                writer.put_stored(key, &entry)?;
            }
            Ok(done)
        })?;
        self.done = done;
        Ok(())
    }
}

/// Returns whether renju forbids the other side the move on `last` by which it came to a position.
fn is_forbidden(placement: &Placement, last: Point) -> bool {
    placement.rule() == Rule::Renju
        && placement.to_move() == Color::White
        && matches!(
            outcome_after(placement.board(), last, placement.rule()),
            Outcome::Forbidden(..)
        )
}

/// Judges a position by all its moves, if the first of them that does not end the game leads to the
/// position `next`, or there is none: so that it happens once, whichever of the moves are looked at.
fn judge_if_first(
    reader: &DatabaseReader,
    key: &PositionKey,
    next: &PositionKey,
) -> Result<Option<(ProvenResult, Option<Point>)>, DatabaseError> {
    let placement = key.placement();
    let mut images = placement.images();
    let goes_on = |&at: &Point| placement.outcome_of(at) == Outcome::Ongoing;
    let first = placement.board().empties().iter().find(goes_on);
    // Where all moves end the game, there is no other time.
    if first.is_none_or(|first| images.key_after(first).key == *next) {
        judge(reader, &placement)
    } else {
        Ok(None)
    }
}

/// Returns the result of a position that follows from all its moves, with the move that leads to it;
/// none if one of them is not known.
pub(super) fn judge(
    lookup: &impl Lookup,
    placement: &Placement,
) -> Result<Option<(ProvenResult, Option<Point>)>, DatabaseError> {
    let mut images = placement.images();
    let mut best: Option<(ProvenResult, Point)> = None;
    for point in placement.board().empties().iter() {
        let result = match placement.outcome_of(point) {
            Outcome::Won(_) => return Ok(Some((ProvenResult::Win(Some(1)), Some(point)))),
            Outcome::Forbidden(..) => continue,
            Outcome::Draw => ProvenResult::Draw,
            Outcome::Ongoing => {
                let known = lookup.entry(&images.key_after(point).key)?;
                let Some(result) = known.and_then(|entry| entry.result) else { return Ok(None) };
                result.before()
            }
        };
        if best.is_none_or(|(known, _)| is_better(result, known)) {
            best = Some((result, point));
        }
    }
    Ok(best.map(|(result, point)| (result, Some(point))))
}

/// Returns whether the side to move prefers a result to another one.
fn is_better(a: ProvenResult, b: ProvenResult) -> bool {
    // A loss of unknown length is the longest claim about all moves.
    let key = |result| match result {
        ProvenResult::Win(distance) => (2, -distance.map_or(i32::MAX, i32::from)),
        ProvenResult::Draw => (1, 0),
        ProvenResult::Loss(distance) => (0, distance.map_or(i32::MAX, i32::from)),
    };
    key(a) > key(b)
}

/// The value that a position has by its known moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueOfMoves {
    /// The value of the best move, as if there were no better one.
    pub(super) evaluation: Evaluation,
    /// That move.
    pub(super) point: Point,
    /// True if nothing is unknown of any move.
    pub(super) all: bool,
}

impl ValueOfMoves {
    /// Finds the best of the known moves of a position that the rule allows; none if no move has a value
    /// that says how good it is, or if one wins at once.
    pub(super) fn of(placement: &Placement, moves: &[KnownMove]) -> Option<ValueOfMoves> {
        let mut best: Option<(Evaluation, Point)> = None;
        let mut known = Vec::new();
        let empties = placement.board().empties();
        // A draw is known as deep as there are moves.
        let plies = i16::try_from(empties.len()).unwrap_or(i16::MAX);
        let drawn = |depth| Evaluation { score: Score::ZERO, depth, bound: Some(Bound::Exact) };
        for next in moves.iter().filter(|next| !placement.forbids(next.point)) {
            let is_lost = matches!(next.entry.result, Some(ProvenResult::Win(_)));
            if is_lost || next.entry.is_left_out() {
                known.push(next.point);
                continue;
            }
            let evaluation = match (next.entry.result, next.entry.evaluation) {
                (None, Some(evaluation)) => evaluation,
                (Some(ProvenResult::Draw), _) => drawn(plies - 1),
                _ => continue,
            };
            // An upper bound of the other side's value says nothing about how good the move is.
            if evaluation.bound == Some(Bound::Lower) {
                continue;
            }
            known.push(next.point);
            if best.is_none_or(|(known, _)| -evaluation.score > known.score) {
                let bound = match evaluation.bound {
                    Some(Bound::Upper) => Some(Bound::Lower),
                    bound => bound,
                };
                let (score, depth) = (-evaluation.score, evaluation.depth.saturating_add(1));
                best = Some((Evaluation { score, depth, bound }, next.point));
            }
        }
        let (board, rule, us) = (placement.board(), placement.rule(), placement.to_move());
        let (mut all, mut after) = (true, board.clone());
        for point in empties.iter() {
            if winning_run(board, point, us, rule).is_some() {
                // The position has a result, and its values say nothing.
                return None;
            }
            after.place(point, us);
            let is_draw = is_dead(&after, rule);
            after.remove(point, us);
            // Whether a move is forbidden takes long to find out.
            if !is_draw {
                all = all && (known.contains(&point) || placement.forbids(point));
            } else if !placement.forbids(point) {
                best = Some((drawn(plies), point));
            }
        }
        let (evaluation, point) = best?;
        Some(ValueOfMoves { evaluation, point, all })
    }

    /// Returns the value as one that unknown moves may exceed, unless there are none.
    pub(super) fn bounded(&self) -> Evaluation {
        match self.evaluation.bound {
            Some(Bound::Exact) if !self.all => {
                Evaluation { bound: Some(Bound::Lower), ..self.evaluation }
            }
            _ => self.evaluation,
        }
    }

    /// Returns whether a position with this entry, whose cells are in the frame of its key, should take
    /// the value.
    pub(super) fn is_news_for(&self, placement: &Placement, entry: &PositionEntry) -> bool {
        let value = self.bounded();
        entry.evaluation.is_none_or(|own| {
            let same = |at| placement.key().same_cells(at).any(|cell| cell == self.point);
            own != value
                && (value.depth > own.depth && entry.best.is_some_and(same)
                    || value.depth >= own.depth && (self.all || value.score > own.score))
        })
    }
}

/// Returns a cell of the frame of a key as it is stored.
pub(super) fn stored_cell(placement: &Placement, point: Point) -> Point {
    let image = PositionEntry { best: Some(point), ..PositionEntry::default() };
    placement.key().stored(image).best.unwrap_or(point)
}

/// Returns the value that a position has by its known moves, with the best one in the frame of the key,
/// if it should take it.
fn value_of_moves(
    reader: &DatabaseReader,
    stored: &Stored,
) -> Result<Option<(Evaluation, Point)>, DatabaseError> {
    let placement = stored.key.placement();
    let found = ValueOfMoves::of(&placement, &reader.moves(&placement)?);
    let news = found.filter(|found| found.is_news_for(&placement, &stored.entry));
    Ok(news.map(|found| (found.bounded(), stored_cell(&placement, found.point))))
}

#[cfg(test)]
mod tests;

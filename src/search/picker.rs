//! Move ordering: search asks for the next move and does not know how it was found.

use super::divisor::Divisor;
use super::history::{Context, Histories};
use super::params::Params;
use crate::eval::{Evaluator, OrderedMove};
use crate::patterns::PointClass;
use crate::position::Position;
use crate::simd::largest;
use crate::types::{Point, PointSet};

/// The numbers of move ordering, made ready for use.
pub(super) struct MoveOrder {
    /// The history that is worth one unit.
    history: Divisor,
    /// What a counter-move is worth.
    counter: i32,
}

impl MoveOrder {
    pub(super) fn new(params: &Params) -> MoveOrder {
        MoveOrder { history: Divisor::new(params.order_history), counter: params.order_counter }
    }
}

/// What the table and the last moves tell about a node before its moves are looked at.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// The best move of an earlier search.
    pub(super) table: Option<Point>,
    /// The last moves.
    pub(super) context: Context,
}

enum Stage {
    TranspositionTable,
    Generate,
    Rest,
}

/// Hands out the moves of a node, most promising first.
///
/// The move of the table comes before anything is generated, since it often cuts. The others are
/// scored at once by what a stone would achieve for either side, with history on top, and then
/// selected one by one: most nodes ask for few.
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    /// The only candidates, if they are not those near a stone.
    only: Option<PointSet>,
    /// Where the moves of the node begin in the list.
    start: usize,
}

/// The moves of all nodes of a path, one after the other.
///
/// The moves of a node are in groups of [`GROUP`], and the best of each group is kept beside
/// them, so that taking the best looks at one group and not at every move.
#[derive(Default)]
pub(super) struct MoveList {
    /// The score in the high half, the point in the low half; 0 where a move was taken.
    moves: Vec<u32>,
    /// The best of each group.
    best: Vec<u32>,
    /// Room for the order of one node, before history is added.
    ordered: Vec<OrderedMove>,
}

const GROUP: usize = 8;
const BIAS: i32 = 1 << 14;

/// What a unit of a parameter is in the order of moves; of the numbers set by hand, an open three of
/// one's own is worth 62 units.
const UNIT: i32 = 4;

/// The bits of the evaluator's order that are dropped to leave room for history above it.
const ORDER_SHIFT: u32 = 2;

impl MoveList {
    /// Returns a mark to return to with [`MoveList::leave`].
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.moves.len()
    }

    /// Drops the moves added since the mark.
    #[inline]
    pub(super) fn leave(&mut self, mark: usize) {
        self.moves.truncate(mark);
        self.best.truncate(mark / GROUP);
    }

    /// Fills the last group and finds the best of each group added since `start`.
    fn close(&mut self, start: usize) {
        while !self.moves.len().is_multiple_of(GROUP) {
            self.moves.push(0);
        }
        for group in self.moves[start..].chunks_exact(GROUP) {
            self.best.push(largest(group));
        }
    }

    /// Takes the best move added since `start`.
    fn take(&mut self, start: usize) -> Option<Point> {
        let bests = &mut self.best[start / GROUP..];
        let value = largest(bests);
        if value == 0 {
            return None;
        }
        let group = bests.iter().position(|&b| b == value)?;
        let moves = &mut self.moves[start + group * GROUP..][..GROUP];
        for m in moves.iter_mut() {
            if *m == value {
                *m = 0;
            }
        }
        bests[group] = largest(moves);
        Some(Point::from_index((value & 0xffff) as usize))
    }
}

impl Picker {
    /// Returns the picker of a node in which only the moves of `only` are worth searching, or else
    /// those near a stone.
    pub(super) fn new(only: Option<PointSet>, hints: Hints, list: &MoveList) -> Picker {
        Picker { stage: Stage::TranspositionTable, hints, only, start: list.mark() }
    }

    /// Returns all moves of the node, in no order.
    pub(super) fn candidates(&self, position: &Position) -> PointSet {
        match self.only {
            Some(only) => only & *position.tracker().empties(),
            None => position.tracker().near(),
        }
    }

    /// Returns the next move: an empty cell, perhaps forbidden.
    pub(super) fn next(
        &mut self,
        position: &Position,
        evaluator: &mut dyn Evaluator,
        order: &MoveOrder,
        histories: &Histories,
        list: &mut MoveList,
    ) -> Option<Point> {
        loop {
            match self.stage {
                Stage::TranspositionTable => {
                    self.stage = Stage::Generate;
                    let allowed = |p: &Point| {
                        position.tracker().empties().contains(*p)
                            && self.only.is_none_or(|only| only.contains(*p))
                    };
                    // A hit may come from another position with the same key.
                    self.hints.table = self.hints.table.filter(allowed);
                    if self.hints.table.is_some() {
                        return self.hints.table;
                    }
                }
                Stage::Generate => {
                    self.generate(position, evaluator, order, histories, list);
                    list.close(self.start);
                    self.stage = Stage::Rest;
                }
                Stage::Rest => return list.take(self.start),
            }
        }
    }

    fn generate(
        &mut self,
        position: &Position,
        evaluator: &mut dyn Evaluator,
        order: &MoveOrder,
        histories: &Histories,
        list: &mut MoveList,
    ) {
        let us = position.to_move();
        let mut set = self.candidates(position);
        if let Some(table) = self.hints.table {
            set.remove(table);
        }
        let counter = histories.counter(us, self.hints.context);
        list.ordered.clear();
        evaluator.order(position, set, &mut list.ordered);
        for &OrderedMove { point, order: by_shapes } in &list.ordered {
            let score = by_shapes >> ORDER_SHIFT;
            let score = score + self.learnt(position, order, histories, point, counter);
            let score = (score + BIAS).clamp(1, 0xffff) as u32;
            list.moves.push(score << 16 | point.index() as u32);
        }
    }

    /// Returns what earlier searches say for a move.
    fn learnt(
        &self,
        position: &Position,
        order: &MoveOrder,
        histories: &Histories,
        point: Point,
        counter: Option<Point>,
    ) -> i32 {
        let us = position.to_move();
        let tracker = position.tracker();
        let threat = tracker.info(point, us).class_index() >= PointClass::Three.index();
        let history = histories.score(us, point, threat);
        let mut score = order.history.divide(UNIT * history);
        if Some(point) == counter {
            score += UNIT * order.counter;
        }
        score
    }
}

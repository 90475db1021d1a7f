//! Move ordering. The search asks for the next move and does not depend on how it is chosen.

use super::divisor::Divisor;
use super::history::{Histories, LastMoves};
use super::params::Params;
use crate::eval::{Evaluator, OrderedMove};
use crate::patterns::PointClass;
use crate::position::Position;
use crate::simd::largest;
use crate::types::{Point, PointSet};

/// The parameters of move ordering, prepared for use.
pub(super) struct MoveOrder {
    /// The history score that is worth one unit.
    history: Divisor,
    /// The bonus of the counter-move, in units.
    counter: i32,
}

impl MoveOrder {
    pub(super) fn new(params: &Params) -> MoveOrder {
        MoveOrder { history: Divisor::new(params.order_history), counter: params.order_counter }
    }
}

/// The table move and the last moves, known before the moves of a node are generated.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    /// The table move.
    pub(super) table: Option<Point>,
    /// The last moves of both sides.
    pub(super) last: LastMoves,
}

enum Stage {
    Table,
    Generate,
    Rest,
}

/// Yields the moves of a node, most promising first.
///
/// The table move comes before any are generated, since it often causes a cut. The others are
/// scored all at once, by the value of a stone for either side plus history, and then selected one
/// by one, since most nodes need few.
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    /// The only candidates, unless they are the cells near a stone.
    only: Option<PointSet>,
    /// The start of the node's moves in the list.
    start: usize,
}

/// The moves of all nodes of a path, in one buffer.
///
/// The moves of a node are stored in groups of [`GROUP`], with the best of each group beside them,
/// so that taking the best move scans one group instead of all moves.
#[derive(Default)]
pub(super) struct MoveList {
    /// The score in the high half, the point in the low half; 0 where a move was taken.
    moves: Vec<u32>,
    /// The best of each group.
    best: Vec<u32>,
    /// A buffer for the ordering scores of one node, before history is added.
    ordered: Vec<OrderedMove>,
}

const GROUP: usize = 8;
const BIAS: i32 = 1 << 14;

/// The value of one parameter unit in move ordering; with the hand-tuned weights, the side's own
/// open three is worth 62 units.
const UNIT: i32 = 4;

/// The low bits of the evaluator's ordering score that are dropped to make room for history.
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
    /// Returns the picker of a node that searches only the moves of `only`, or else those near a
    /// stone.
    pub(super) fn new(only: Option<PointSet>, hints: Hints, list: &MoveList) -> Picker {
        Picker { stage: Stage::Table, hints, only, start: list.mark() }
    }

    /// Returns all moves of the node, unordered.
    pub(super) fn candidates(&self, position: &Position) -> PointSet {
        match self.only {
            Some(only) => only & *position.tracker().empties(),
            None => position.tracker().near(),
        }
    }

    /// Returns the next move: an empty cell, possibly a forbidden one.
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
                Stage::Table => {
                    self.stage = Stage::Generate;
                    let allowed = |p: &Point| {
                        position.tracker().empties().contains(*p)
                            && self.only.is_none_or(|only| only.contains(*p))
                    };
                    // The entry may come from another position with the same key.
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
        // Most fours have one answer. It comes first whatever the evaluator says, which would have to
        // look at the position for that.
        if set.len() < 2 {
            list.moves.extend(set.iter().map(|point| 1 << 16 | point.index() as u32));
            return;
        }
        let counter = histories.counter(us, self.hints.last);
        list.ordered.clear();
        evaluator.order(position, set, &mut list.ordered);
        // An iterator of known length, so that nothing asks for room at every move.
        list.moves.extend(list.ordered.iter().map(|&OrderedMove { point, order: by_shapes }| {
            let score = by_shapes >> ORDER_SHIFT;
            let score = score + self.learnt(position, order, histories, point, counter);
            let score = (score + BIAS).clamp(1, 0xffff) as u32;
            score << 16 | point.index() as u32
        }));
    }

    /// Returns the history score of a move, with the bonus if it is the counter-move.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{WinModel, Window};
    use crate::rules::Rule;
    use crate::types::{Color, Score, Size};

    /// Counts how often it is asked for an order.
    #[derive(Debug)]
    struct Counting(usize);

    impl Evaluator for Counting {
        fn reset(&mut self, _: &Position) {}
        fn push(&mut self, _: Point, _: Color) {}
        fn pop(&mut self) {}

        fn evaluate(&mut self, _: &Position, _: Window) -> Score {
            Score::ZERO
        }

        fn order(&mut self, _: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
            self.0 += 1;
            moves.extend(set.iter().map(|point| OrderedMove { point, order: 0 }));
        }

        fn win_model(&mut self, _: &Position) -> WinModel {
            WinModel::new(100, 0)
        }

        fn identity(&self) -> u32 {
            0
        }

        fn fresh(&self) -> Box<dyn Evaluator> {
            Box::new(Counting(0))
        }
    }

    #[test]
    fn a_single_answer_is_a_move_that_no_evaluator_is_asked_about() {
        let size = Size::DEFAULT;
        let position = Position::new(Rule::Freestyle, size);
        let cells: Vec<Point> = size.points().take(3).collect();
        let last = LastMoves { theirs: None, ours: None };
        let (order, histories) = (MoveOrder::new(&Params::default()), Histories::new());
        for (answers, table, asked) in
            [(1, None, 0), (1, Some(0), 0), (2, None, 1), (2, Some(1), 0), (3, Some(1), 1)]
        {
            let only: PointSet = cells[..answers].iter().copied().collect();
            let (mut evaluator, mut list) = (Counting(0), MoveList::default());
            let hints = Hints { table: table.map(|i: usize| cells[i]), last };
            let mut picker = Picker::new(Some(only), hints, &list);
            let mut found: Vec<Point> = std::iter::from_fn(|| {
                picker.next(&position, &mut evaluator, &order, &histories, &mut list)
            })
            .collect();
            found.sort_by_key(|point| point.index());
            assert_eq!(found, cells[..answers]);
            assert_eq!(evaluator.0, asked, "{answers} answers, table move {table:?}");
        }
    }
}

//! The layers of the empty cells, kept in step with a search on demand.

use std::fmt;
use std::sync::Arc;

use super::lines::{self, REACH, ROWS, STEPS, row, sides_of};
use super::{Integers, Network};
use crate::eval::WinModel;
use crate::position::Position;
use crate::simd::Update;
use crate::simd::layers::{CellLayers, FeatureWeights, Pooled, RowChange};
use crate::types::{Color, Dir, MAX_POINTS, Point};

/// The codes of a cell that is not empty.
const OCCUPIED: u64 = u64::MAX;
/// The largest number of cells that a stone changes.
const MAX_CHANGES: usize = 8 * REACH;

/// The memory of an accumulator for the largest board, in bytes.
pub(super) const MAX_BYTES: usize = MAX_STATES * size_of::<CellLayers>()
    + MAX_POINTS * MAX_CHANGES * size_of::<ChangedCell>()
    + MAX_POINTS * (size_of::<AppliedStone>() + size_of::<Pooled>())
    + size_of::<Cells>()
    + size_of::<Changes>();
/// The number of states on the largest board.
const MAX_STATES: usize = 1 + MAX_POINTS * (4 + MAX_CHANGES);
const _: () = assert!(MAX_STATES <= u16::MAX as usize, "indices of states have 16 bits");

/// The layers of the empty cells of a position, and the features pooled over them.
///
/// [`push`](Accumulator::push) and [`pop`](Accumulator::pop) only move the path of stones;
/// [`update`](Accumulator::update) removes the stones that are no longer on it and places the new
/// ones. Only empty cells are updated: a stone is removed after all later ones, and by then the
/// state of its cell is right again.
///
/// The states of cells are on a stack, each update above those before. So a stone is removed by
/// restoring the indices and codes of the cells that it changed.
#[derive(Clone)]
pub(super) struct Accumulator {
    network: Arc<Network>,
    /// The stones since the position was set.
    path: Vec<(Point, Color)>,
    /// The stones that the states include.
    applied: Vec<AppliedStone>,
    /// The number of applied stones at the start that have been on the path all the time.
    common: usize,
    board: Box<Cells>,
    /// What the stone that is being placed changes; kept here because filling it with zeros for each
    /// stone takes time.
    changes: Box<Changes>,
    /// The cells changed by applied stones, as they were before.
    changed: Vec<ChangedCell>,
    /// The stack of states.
    states: Vec<CellLayers>,
    /// The number of states before the first stone; one more for each of `changed`.
    first_state: usize,
    /// The pooled features before the first applied stone and after each.
    pooled: Vec<Pooled>,
}

/// What is known of each cell of the board, by [`Point::index`].
#[derive(Clone)]
struct Cells {
    /// The codes of the sides: a byte each, for each direction first the side behind the cell, then
    /// the one ahead; [`OCCUPIED`] for cells that are not empty.
    codes: [u64; MAX_POINTS],
    /// The number of cells of the sides, in the same order.
    reach: [[u8; 8]; MAX_POINTS],
    /// The index of the current state.
    states: [u16; MAX_POINTS],
}

/// The changes by the stone that is being placed, and room for one more.
#[derive(Clone)]
struct Changes {
    rows: [RowChange; MAX_CHANGES + 1],
    cells: [ChangedCell; MAX_CHANGES + 1],
}

#[derive(Clone, Copy)]
struct AppliedStone {
    stone: (Point, Color),
    /// The codes of its cell before.
    codes: u64,
    /// The start of its changes.
    first_change: u32,
}

#[derive(Clone, Copy, Default)]
struct ChangedCell {
    codes: u64,
    cell: u16,
    state: u16,
}

impl Accumulator {
    /// Returns an accumulator without a position.
    pub(super) fn new(network: Arc<Network>) -> Accumulator {
        Accumulator {
            network,
            path: Vec::new(),
            applied: Vec::new(),
            common: 0,
            board: Box::new(Cells {
                codes: [OCCUPIED; MAX_POINTS],
                reach: [[0; 8]; MAX_POINTS],
                states: [0; MAX_POINTS],
            }),
            changes: Box::new(Changes {
                rows: [RowChange::default(); MAX_CHANGES + 1],
                cells: [ChangedCell::default(); MAX_CHANGES + 1],
            }),
            changed: Vec::new(),
            states: Vec::new(),
            first_state: 0,
            pooled: Vec::new(),
        }
    }

    /// Returns the network.
    pub(super) const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Sets the position.
    pub(super) fn reset(&mut self, position: &Position) {
        let board = position.board();
        let empties = board.empty_cells();
        self.reserve(empties);
        self.path.clear();
        self.applied.clear();
        self.changed.clear();
        self.pooled.clear();
        self.common = 0;

        let cells = &mut *self.board;
        cells.codes.fill(OCCUPIED);
        // From a state without any line, one line after the other.
        let mut changes = Vec::with_capacity(empties);
        let mut lines_of = Vec::with_capacity(empties);
        self.states[0] = CellLayers::ZERO;
        for point in board.size().points() {
            let sides = Dir::ALL.map(|dir| sides_of(board.line(point, dir)));
            let sides = sides.as_flattened();
            cells.reach[point.index()] = std::array::from_fn(|i| sides[i].len);
            if !board.is_empty(point) {
                continue;
            }
            let codes: [u8; 8] = std::array::from_fn(|i| sides[i].code);
            cells.codes[point.index()] = u64::from_le_bytes(codes);
            cells.states[point.index()] = (1 + 3 * empties + lines_of.len()) as u16;
            lines_of.push(codes);
            changes.push(RowChange { from: 0, old_row: ROWS as u16, new_row: 0 });
        }
        let mut pooled = Pooled::ZERO;
        for dir in 0..4 {
            let first = 1 + dir * empties;
            for (i, (change, codes)) in changes.iter_mut().zip(&lines_of).enumerate() {
                change.from = if dir == 0 { 0 } else { (first - empties + i) as u16 };
                change.new_row = row(codes[2 * dir], codes[2 * dir + 1]);
            }
            let update = Update {
                rows: &self.network.rows,
                pointwise: &self.network.pointwise,
                changes: &changes,
                removed: &[],
                pooled: &pooled,
            };
            pooled = self.network.kernels.update(&update, &mut self.states, first);
        }
        self.pooled.push(pooled);
        self.first_state = 1 + 4 * empties;
    }

    /// Makes room for all stones that may be placed on this number of empty cells.
    fn reserve(&mut self, empties: usize) {
        let changes = empties * MAX_CHANGES.min(empties);
        let states = 1 + 4 * empties + changes;
        if self.states.len() < states {
            self.states = vec![CellLayers::ZERO; states];
        }
        let room = |len: usize, wanted: usize| wanted.saturating_sub(len);
        self.path.reserve(room(self.path.len(), empties));
        self.applied.reserve(room(self.applied.len(), empties));
        self.changed.reserve(room(self.changed.len(), changes));
        self.pooled.reserve(room(self.pooled.len(), 1 + empties));
    }

    /// Adds a stone to the path.
    #[inline]
    pub(super) fn push(&mut self, point: Point, color: Color) {
        self.path.push((point, color));
    }

    /// Removes the last stone of the path.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.path.pop();
        self.common = self.common.min(self.path.len());
    }

    /// Brings the states in step with the path.
    pub(super) fn update(&mut self) {
        let mut common = self.common;
        while let (Some(applied), Some(&stone)) = (self.applied.get(common), self.path.get(common))
            && applied.stone == stone
        {
            common += 1;
        }
        while self.applied.len() > common {
            self.remove_last();
        }
        for i in common..self.path.len() {
            self.place(self.path[i]);
        }
        self.common = self.path.len();
    }

    /// Returns the pooled features of the position at the last update.
    #[inline]
    pub(super) fn pooled(&self) -> &Pooled {
        self.pooled.last().expect("a position")
    }

    /// Returns the output of the head of a side to move for the position at the last update.
    #[inline]
    pub(super) fn output(&self, to_move: Color) -> i32 {
        self.network.output(to_move, self.pooled())
    }

    /// Returns the win model of the scores of a side to move in the position at the last update.
    pub(super) fn win_model(&self, to_move: Color) -> WinModel {
        self.network.win_model(to_move, self.pooled())
    }

    /// Returns the weights of features in the policy for a side to move in the position at the last
    /// update.
    #[inline]
    pub(super) fn feature_weights(&self, to_move: Color) -> FeatureWeights {
        self.network.kernels.feature_weights(&self.network.policies[to_move], self.pooled())
    }

    /// Returns the policy of an empty cell in the position at the last update.
    #[inline]
    pub(super) fn policy(&self, weights: &FeatureWeights, cell: Point) -> i32 {
        let state = self.board.states[cell.index()];
        self.network.kernels.policy(weights, &self.states[usize::from(state)])
    }

    /// Returns all that the network says of a position, with the stones of the path on it.
    pub(super) fn integers(&mut self, position: &Position) -> Integers {
        self.update();
        let to_move = position.to_move();
        let weights = self.feature_weights(to_move);
        let cells = position.size().points().filter(|&p| position.board().is_empty(p));
        Integers {
            policies: cells.map(|cell| self.policy(&weights, cell)).collect(),
            pooled: *self.pooled(),
            value: self.output(to_move),
            draw: self.network.draw(to_move, self.pooled()),
        }
    }

    /// Returns the number of states of cells that are kept.
    #[cfg(test)]
    pub(super) fn states_in_use(&self) -> usize {
        self.first_state + self.changed.len()
    }

    fn place(&mut self, (point, color): (Point, Color)) {
        let Cells { codes, reach, states } = &mut *self.board;
        let first_change = self.changed.len();
        let first_state = self.first_state + first_change;
        // Whether a cell is empty nobody can foretell, so every cell is written down, and what is
        // written for one that is not empty is overwritten by the next.
        let Changes { rows: changes, cells: changed } = &mut *self.changes;
        let mut len = 0;
        let mut change = |cell: usize, dir: usize, difference: u64| {
            let before = codes[cell];
            let is_empty = before != OCCUPIED;
            let after = before.wrapping_add(difference << (16 * dir));
            let row = |codes: u64| {
                let pair = codes >> (16 * dir);
                row(pair as u8, (pair >> 8) as u8)
            };
            let state = states[cell];
            changes[len] = RowChange { from: state, old_row: row(before), new_row: row(after) };
            changed[len] = ChangedCell { codes: before, cell: cell as u16, state };
            codes[cell] = if is_empty { after } else { before };
            states[cell] = if is_empty { (first_state + len) as u16 } else { state };
            len += usize::from(is_empty);
        };
        for (dir, step) in STEPS.into_iter().enumerate() {
            let [behind, ahead] = [0, 1].map(|side| reach[point.index()][2 * dir + side]);
            // The stone is behind the cells ahead of it.
            let differences = lines::differences(color, behind);
            let mut cell = point.index();
            for &difference in &differences[..usize::from(ahead)] {
                cell = cell.wrapping_add_signed(step);
                change(cell, dir, u64::from(difference));
            }
            let differences = lines::differences(color, ahead);
            let mut cell = point.index();
            for &difference in &differences[..usize::from(behind)] {
                cell = cell.wrapping_add_signed(-step);
                change(cell, dir, u64::from(difference) << 8);
            }
        }
        self.changed.extend_from_slice(&changed[..len]);
        self.applied.push(AppliedStone {
            stone: (point, color),
            codes: std::mem::replace(&mut codes[point.index()], OCCUPIED),
            first_change: first_change as u32,
        });
        let update = Update {
            rows: &self.network.rows,
            pointwise: &self.network.pointwise,
            changes: &changes[..len],
            removed: &[states[point.index()]],
            pooled: &self.pooled[self.pooled.len() - 1],
        };
        let pooled = self.network.kernels.update(&update, &mut self.states, first_state);
        self.pooled.push(pooled);
    }

    fn remove_last(&mut self) {
        let Some(AppliedStone { stone: (point, _), codes, first_change }) = self.applied.pop()
        else {
            return;
        };
        let cells = &mut *self.board;
        for changed in &self.changed[first_change as usize..] {
            cells.codes[usize::from(changed.cell)] = changed.codes;
            cells.states[usize::from(changed.cell)] = changed.state;
        }
        self.changed.truncate(first_change as usize);
        cells.codes[point.index()] = codes;
        self.pooled.pop();
    }
}

impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("path", &self.path)
            .field("applied", &self.applied.len())
            .finish_non_exhaustive()
    }
}

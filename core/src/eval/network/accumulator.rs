//! The layers of the empty cells, kept in step with a search on demand.

use std::fmt;
use std::sync::Arc;

use super::places::{DISTANCES, WIDE, WIDE_INDICES, wide};
use super::{Integers, Network};
use crate::board::Board;
use crate::board::lines::{PADDING, stone_bits};
use crate::eval::WinModel;
use crate::position::Position;
use crate::simd::layers::{
    CELL_KINDS, CellFeatures, CellLayers, FEATURES, MixInputs, PolicyParts, Pooled, RowChanges,
};
use crate::simd::lines::{
    LineChanges, NEIGHBORS, REACH, ROWS, STONE_AT, StoneLines, row_of_window,
};
use crate::simd::{MixUpdate, Update};
use crate::types::{Color, Dir, MAX_POINTS, Point, PointSet, STRIDE, Size};

/// The number of points, rounded up so that an index needs no test.
const CELLS: usize = MAX_POINTS.next_power_of_two();

/// The memory of an accumulator for the largest board, in bytes.
pub(super) const MAX_BYTES: usize = MAX_STATES * size_of::<CellLayers>()
    + MAX_CHANGES * 4 * size_of::<u16>()
    + MAX_POINTS * (size_of::<AppliedStone>() + size_of::<Pooled>())
    + size_of::<Board>()
    + CELLS * size_of::<u16>()
    + MAX_POINTS * MIXES_A_STONE * size_of::<(u16, CellFeatures)>()
    + WIDE * WIDE * (size_of::<MixInputs>() + size_of::<CellFeatures>() + size_of::<PolicyParts>())
    + MAX_POINTS * size_of::<u16>();
/// The number of changes by all stones of the largest board: one for each pair of neighbours, by the
/// first stone on one of them.
const MAX_CHANGES: usize = {
    let (side, mut pairs, mut distance) = (STRIDE, 0, 1);
    while distance <= REACH {
        let rest = side - distance;
        pairs += 2 * side * rest + 2 * rest * rest;
        distance += 1;
    }
    pairs
};
/// The most changes of mixed features by a stone, in the mean over all stones of a board: a pair of cells of
/// which a stone on one changes the other counts once, by the first stone, and the cell of the stone too.
const MIXES_A_STONE: usize = {
    let (mut pairs, reach) = (0, REACH as i32 + 1);
    let mut y = -reach;
    while y <= reach {
        let mut x = -reach;
        while x <= reach {
            if is_beside_a_line(x, y) && (x != 0 || y != 0) {
                pairs += 1;
            }
            x += 1;
        }
        y += 1;
    }
    pairs / 2 + 1
};

/// Returns whether a cell at such a distance from a stone is on one of its lines, or beside such a cell.
const fn is_beside_a_line(x: i32, y: i32) -> bool {
    let reach = REACH as i32;
    let mut dy = -1;
    while dy <= 1 {
        let mut dx = -1;
        while dx <= 1 {
            let (x, y) = ((x + dx).abs(), (y + dy).abs());
            if (x == 0 || y == 0 || x == y) && x <= reach && y <= reach {
                return true;
            }
            dx += 1;
        }
        dy += 1;
    }
    false
}

/// The number of states on the largest board.
const MAX_STATES: usize = 1 + MAX_POINTS + MAX_CHANGES;
const _: () = assert!(MAX_STATES <= u16::MAX as usize, "indices of states have 16 bits");

/// What a cell adds to policies that is not empty.
const NO_PARTS: PolicyParts = [0; CELL_KINDS + 1];

/// The layers of the empty cells of a position, and the mixed features pooled over them.
///
/// [`push`](Accumulator::push) and [`pop`](Accumulator::pop) only move the path of stones;
/// [`update`](Accumulator::update) removes the stones that are no longer on it and places the new
/// ones. Only empty cells are updated: a stone is removed after all later ones, and by then the
/// state of its cell is right again.
///
/// The states of cells are on a stack, each update above those before. So a stone is removed by
/// restoring the indices of the cells that it changed. Features of which those of neighbours are made are
/// in place on a board, and what was there before on another stack.
#[derive(Clone)]
pub(super) struct Accumulator {
    network: Arc<Network>,
    /// The stones since the position was set.
    path: Vec<(Point, Color)>,
    /// The stones that the states include.
    applied: Vec<AppliedStone>,
    /// The number of applied stones at the start that have been on the path all the time.
    common: usize,
    /// The board with the applied stones.
    board: Board,
    /// The index of the current state of each empty cell.
    current: Box<[u16; CELLS]>,
    /// The cells changed by applied stones.
    changed: Vec<u16>,
    /// The indices of their states before.
    former: Vec<u16>,
    /// The stack of states.
    states: Vec<CellLayers>,
    /// The number of states before the first stone; one more for each of `changed`.
    first_state: usize,
    /// The empty cells.
    empties: PointSet,
    /// The features of the states, on the wide board.
    features: Vec<MixInputs>,
    /// What the depthwise layer makes of them.
    mixed: Vec<CellFeatures>,
    /// The cells whose mixed features changed, on the wide board.
    mixed_cells: Vec<u16>,
    /// Their mixed features before, and room for more.
    former_mixed: Vec<CellFeatures>,
    /// The pooled features before the first applied stone and after each with which features were mixed.
    pooled: Vec<Pooled>,
    /// What cells add to the policies of cells around them, on the wide board: only while policies are asked for, but
    /// for the cells outside, which add nothing.
    parts: Vec<PolicyParts>,
    /// The cells that add something then.
    adding: Vec<u16>,
}

#[derive(Clone, Copy)]
struct AppliedStone {
    stone: (Point, Color),
    /// The start of its changes.
    first_change: u32,
    /// The start of the changes of mixed features made when it was the last one.
    first_mixed: u32,
    /// The cells of which something changed since features were mixed, by this stone and by those before:
    /// none once they are mixed with it.
    unmixed: PointSet,
}

impl Accumulator {
    /// Returns an accumulator without a position.
    pub(super) fn new(network: Arc<Network>) -> Accumulator {
        Accumulator {
            network,
            path: Vec::new(),
            applied: Vec::new(),
            common: 0,
            board: Board::new(Size::DEFAULT),
            current: Box::new([0; CELLS]),
            changed: Vec::new(),
            former: Vec::new(),
            states: Vec::new(),
            first_state: 0,
            empties: PointSet::EMPTY,
            features: Vec::new(),
            mixed: Vec::new(),
            mixed_cells: Vec::new(),
            former_mixed: Vec::new(),
            pooled: Vec::new(),
            parts: vec![NO_PARTS; WIDE * WIDE],
            adding: Vec::with_capacity(MAX_POINTS),
        }
    }

    /// Returns the network.
    pub(super) const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Sets the position.
    pub(super) fn reset(&mut self, position: &Position) {
        self.board = position.board().clone();
        self.empties = self.board.empties();
        let empties = self.empties.len();
        self.reserve(empties);
        self.path.clear();
        self.applied.clear();
        self.changed.clear();
        self.former.clear();
        self.mixed_cells.clear();
        self.pooled.clear();
        self.common = 0;

        let cells: Vec<Point> = self.empties.iter().collect();
        // From a state without any line, one line after the other.
        self.states[0] = CellLayers::ZERO;
        let old_rows = vec![ROWS as u16; empties];
        let (mut from, mut first) = (vec![0; empties], 1);
        for dir in Dir::ALL {
            let row = |&cell: &Point| {
                let (line, pos) = self.board.line(cell, dir);
                row_of_window(line >> (2 * (pos + PADDING - REACH)))
            };
            let new_rows: Vec<u16> = cells.iter().map(row).collect();
            let changes = RowChanges { from: &from, old_rows: &old_rows, new_rows: &new_rows };
            let update =
                Update { rows: &self.network.rows, pointwise: &self.network.pointwise, changes };
            self.network.kernels.update(&update, &mut self.states, first);
            for (from, state) in from.iter_mut().zip(first..) {
                *from = state as u16;
            }
            first += empties;
        }
        // Only the states with all four lines are still needed.
        self.states.copy_within(first - empties..first, 1);
        self.features.clear();
        self.features.resize(WIDE * WIDE, MixInputs::ZERO);
        self.mixed.clear();
        self.mixed.resize(WIDE * WIDE, [0; FEATURES]);
        for (cell, state) in cells.into_iter().zip(1..) {
            self.current[cell.index()] = state;
            self.features[wide(cell.index())] = self.states[usize::from(state)].features;
        }
        let pooled = self.mix(0, self.empties, &Pooled::ZERO);
        self.mixed_cells.clear();
        self.pooled.push(pooled);
        self.first_state = 1 + empties;
    }

    /// Makes room for all stones that may be placed on this number of empty cells.
    fn reserve(&mut self, empties: usize) {
        let changes = self.most_changes();
        let states = 1 + empties + changes.max(3 * empties);
        // What is too small goes first, so that there are never both.
        if self.states.len() < states {
            self.states = Vec::new();
            self.states = vec![CellLayers::ZERO; states];
        }
        let mixes = MIXES_A_STONE * empties;
        if self.former_mixed.len() < mixes {
            self.former_mixed = Vec::new();
            self.former_mixed = vec![[0; FEATURES]; mixes];
        }
        let room = |len: usize, wanted: usize| wanted.saturating_sub(len);
        self.path.reserve(room(self.path.len(), empties));
        self.applied.reserve(room(self.applied.len(), empties));
        self.changed.reserve(room(self.changed.len(), changes));
        self.former.reserve(room(self.former.len(), changes));
        self.mixed_cells.reserve(room(self.mixed_cells.len(), mixes));
        self.pooled.reserve(room(self.pooled.len(), 1 + empties));
    }

    /// Returns the number of changes by stones on all empty cells: a stone changes its empty neighbours,
    /// so that each pair of neighbours counts once, whatever the order of the stones.
    fn most_changes(&self) -> usize {
        let empties = &self.empties;
        let ahead = |cell: Point| {
            let of_line = |dir| (1..=REACH as i32).filter_map(move |steps| cell.offset(dir, steps));
            let neighbors = Dir::ALL.into_iter().flat_map(of_line);
            neighbors.filter(|&neighbor| empties.contains(neighbor)).count()
        };
        empties.iter().map(ahead).sum()
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
        self.mix_last();
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

    /// Hands on the policies of some empty cells, in the order of the set, in the position, which is that
    /// of the last update.
    #[inline]
    pub(super) fn policies(
        &mut self,
        position: &Position,
        set: PointSet,
        mut take: impl FnMut(&Network, i32),
    ) {
        let network = &*self.network;
        let head = &network.policies[position.to_move()];
        let weights = network.kernels.feature_weights(head, self.pooled());
        let around = set.with_neighbors();
        let empties = *position.tracker().empties();
        // Cells that are not empty have no part.
        (around & !empties).iter().for_each(|cell| self.parts[wide(cell.index())] = NO_PARTS);
        self.adding.clear();
        (around & empties).iter().for_each(|cell| self.adding.push(WIDE_INDICES[cell.index()]));
        network.kernels.policy_parts(&weights, &self.mixed, &self.adding, &mut self.parts);
        set.iter().for_each(|cell| {
            let at = wide(cell.index());
            let [up, here, down] = [at - WIDE, at, at + WIDE].map(|at| {
                let three: &[PolicyParts; 3] = self.parts[at - 1..].first_chunk().expect("cells");
                three
            });
            let besides = here[0][1] + here[2][1] + up[1][1] + down[1][1];
            let corners = up[0][2] + up[2][2] + down[0][2] + down[2][2];
            take(network, here[1][0] + besides + corners);
        });
    }

    /// Returns all that the network says of a position, with the stones of the path on it.
    pub(super) fn integers(&mut self, position: &Position) -> Integers {
        self.update();
        let to_move = position.to_move();
        let mut policies = Vec::new();
        self.policies(position, *position.tracker().empties(), |_, policy| policies.push(policy));
        Integers {
            policies,
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
        let before = Dir::ALL.map(|dir| {
            let (line, pos) = self.board.line(point, dir);
            // The bits that wrap around the word are padding, which reads as edge there too.
            line.rotate_right(2 * (pos + PADDING) as u32 + u64::BITS - 2 * STONE_AT as u32)
        });
        let lines = StoneLines::new(before, stone_bits(color));
        self.board.place(point, color);
        let neighbors = DISTANCES.map(|distance| (point.index() as u16).wrapping_add(distance));
        let mut changes = LineChanges::NONE;
        self.network.kernels.line_changes(&lines, &neighbors, &mut changes);

        let LineChanges { cells, old_rows, new_rows, len } = &changes;
        let first_change = self.changed.len();
        let first_state = self.first_state + first_change;
        let mut from = [0; NEIGHBORS];
        for ((&cell, from), state) in cells[..*len].iter().zip(&mut from).zip(first_state..) {
            let current = &mut self.current[usize::from(cell) % CELLS];
            *from = std::mem::replace(current, state as u16);
        }
        let from = &from[..*len];
        self.changed.extend_from_slice(&cells[..*len]);
        self.former.extend_from_slice(from);
        let update = Update {
            rows: &self.network.rows,
            pointwise: &self.network.pointwise,
            changes: RowChanges { from, old_rows: &old_rows[..*len], new_rows: &new_rows[..*len] },
        };
        self.network.kernels.update(&update, &mut self.states, first_state);

        self.empties.remove(point);
        self.features[wide(point.index())] = MixInputs::ZERO;
        let mut unmixed = self.applied.last().map_or(PointSet::EMPTY, |stone| stone.unmixed);
        unmixed.insert(point);
        // Nearly every change of a line changes a feature: to look whether it does spares nothing.
        for (&cell, state) in cells[..*len].iter().zip(&self.states[first_state..]) {
            self.features[wide(cell.into())] = state.features;
            unmixed.insert(Point::from_index(cell.into()));
        }
        self.applied.push(AppliedStone {
            stone: (point, color),
            first_change: first_change as u32,
            first_mixed: self.mixed_cells.len() as u32,
            unmixed,
        });
    }

    /// Mixes the features of cells that changed since that was done: only here, since of stones that come
    /// together nobody asks for those between.
    fn mix_last(&mut self) {
        let Some(last) = self.applied.last_mut().filter(|stone| !stone.unmixed.is_empty()) else {
            return;
        };
        let changed = std::mem::take(&mut last.unmixed);
        let around = changed.with_neighbors();
        let removed = changed & !self.empties;
        removed.iter().for_each(|cell| self.mixed_cells.push(WIDE_INDICES[cell.index()]));
        let pooled = *self.pooled();
        let pooled = self.mix(removed.len(), around & self.empties, &pooled);
        self.pooled.push(pooled);
    }

    /// Mixes the features of some cells, and those of as many at the end of the changes that are no longer
    /// empty; returns the pooled features after that.
    fn mix(&mut self, removed: usize, cells: PointSet, pooled: &Pooled) -> Pooled {
        let first = self.mixed_cells.len() - removed;
        cells.iter().for_each(|cell| self.mixed_cells.push(WIDE_INDICES[cell.index()]));
        let update = MixUpdate {
            depthwise: &self.network.depthwise,
            features: &self.features,
            cells: &self.mixed_cells[first..],
            removed,
            pooled,
        };
        let former = &mut self.former_mixed[first..];
        self.network.kernels.mix(&update, &mut self.mixed, former)
    }

    fn remove_last(&mut self) {
        let Some(last) = self.applied.pop() else { return };
        let (point, color) = last.stone;
        let [first_change, first_mixed] =
            [last.first_change, last.first_mixed].map(|first| first as usize);
        for (&cell, &state) in self.changed[first_change..].iter().zip(&self.former[first_change..])
        {
            self.current[usize::from(cell) % CELLS] = state;
            self.features[wide(cell.into())] = self.states[usize::from(state)].features;
        }
        let own = usize::from(self.current[point.index()]);
        self.features[wide(point.index())] = self.states[own].features;
        let former = &self.former_mixed[first_mixed..];
        for (&cell, former) in self.mixed_cells[first_mixed..].iter().zip(former) {
            self.mixed[usize::from(cell)] = *former;
        }
        self.mixed_cells.truncate(first_mixed);
        if last.unmixed.is_empty() {
            self.pooled.pop();
        }
        self.empties.insert(point);
        self.changed.truncate(first_change);
        self.former.truncate(first_change);
        self.board.remove(point, color);
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

#[cfg(test)]
mod tests {
    use super::super::Parameters;
    use super::*;
    use crate::rng::SplitMix64;
    use crate::rules::Rule;

    #[test]
    fn a_whole_game_needs_all_the_room_that_is_reserved_and_no_more() {
        let network = Arc::new(Network::new(&Parameters::random(Rule::Freestyle, 8)).unwrap());
        let mut rng = SplitMix64::new(3);
        for (width, height) in [(5, 5), (15, 15), (22, 7), (22, 22)] {
            let size = Size::new(width, height).unwrap();
            let mut accumulator = Accumulator::new(Arc::clone(&network));
            accumulator.reset(&Position::new(Rule::Freestyle, size));
            let mut points: Vec<Point> = size.points().collect();
            while !points.is_empty() {
                let point = points.swap_remove(rng.below(points.len()));
                accumulator.push(point, Color::Black);
                accumulator.update();
            }
            let changes = accumulator.changed.len();
            assert_eq!(accumulator.states_in_use(), 1 + size.area() + changes);
            let least = 1 + 4 * size.area();
            assert_eq!(accumulator.states.len(), accumulator.states_in_use().max(least));
            assert!(accumulator.states.len() <= MAX_STATES && changes <= MAX_CHANGES);
            assert_eq!(changes == MAX_CHANGES, size.area() == MAX_POINTS);
            let mixes = accumulator.mixed_cells.len();
            assert!(mixes <= accumulator.former_mixed.len() && mixes > changes);
            assert!(accumulator.former_mixed.len() == MIXES_A_STONE * size.area());
        }
    }
}

//! Pattern state, updated incrementally with the stones.
//!
//! For every empty cell the tracker keeps the shapes of its four lines for both colours and their
//! combination; for the board it keeps the number of cells of each class, the cells where a colour
//! can make a four, and the cells worth considering. A move changes only windows that contain it:
//! at most `2 · half` cells on each of four lines, and only cells whose shapes really change cost
//! more than a comparison. Overwritten state is logged, so taking a move back is copying, and
//! evaluations that sum over the cells can read the changes from the log ([`Tracker::changes`]).

use super::class::PointClass;
use super::info::CellInfo;
use super::table::{PatternTables, Windows};
use crate::board::Board;
use crate::types::{Color, Dir, Point, PointSet, STRIDE, Size};

/// Padding before the first cell, so that a step off the board needs no test.
const PAD: usize = 128;
const CELLS: usize = 1024;
/// The distance between the indices of neighbours in each direction.
const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];
/// The largest number of cells of a window on either side of its middle.
const MAX_HALF: usize = 5;
/// More than the number of cells that one move can change.
const MAX_CHANGES: usize = 64;

/// The patterns of one cell. Updated for empty cells; frozen while a stone stands on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(16))]
struct CellState {
    /// The bytes of the window table, by direction.
    shapes: [u8; 4],
    /// The shapes by colour, four bits per direction.
    codes: [u16; 2],
    info: [CellInfo; 2],
}

const _: () = assert!(size_of::<CellState>() == 16);

/// The number of cells of each class for one colour, nine bits per class.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClassCounts(u128);

const COUNT_BITS: usize = 9;
const COUNT_UNITS: [u128; 16] = {
    let mut units = [0; 16];
    let mut i = 0;
    while i < PointClass::COUNT {
        units[i] = 1 << (COUNT_BITS * i);
        i += 1;
    }
    units
};

/// The change of the counts when a cell goes from one class to another.
static COUNT_CHANGES: [[u128; 16]; 16] = {
    let mut changes = [[0; 16]; 16];
    let mut was = 0;
    while was < 16 {
        let mut is = 0;
        while is < 16 {
            changes[was][is] = COUNT_UNITS[is].wrapping_sub(COUNT_UNITS[was]);
            is += 1;
        }
        was += 1;
    }
    changes
};

impl ClassCounts {
    /// Returns the number of cells of exactly this class.
    #[inline]
    #[must_use]
    pub const fn of(self, class: PointClass) -> usize {
        (self.0 >> (COUNT_BITS * class.index())) as usize & ((1 << COUNT_BITS) - 1)
    }

    /// Returns whether any cell is of this class.
    #[inline]
    #[must_use]
    pub const fn has(self, class: PointClass) -> bool {
        self.of(class) != 0
    }

    /// Returns the strongest class of any cell, [`PointClass::None`] if there is none.
    #[inline]
    #[must_use]
    pub const fn strongest(self) -> PointClass {
        let bits = 128 - self.0.leading_zeros() as usize;
        PointClass::from_index(bits.saturating_sub(1) / COUNT_BITS)
    }

    /// Returns whether any cell is of this class or a stronger one.
    #[inline]
    #[must_use]
    pub const fn has_at_least(self, class: PointClass) -> bool {
        self.0 >> (COUNT_BITS * class.index()) != 0
    }
}

/// The state that is saved before every move and restored when it is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Snapshot {
    counts: [ClassCounts; 2],
    fours: [PointSet; 2],
    near: PointSet,
    /// The cell of the last stone.
    stone: Point,
    /// The start of the last stone's changes in the log.
    log_start: u32,
}

/// A stack of changed cells. Its capacity is the largest number of changes in a game, allocated
/// once; with plain arrays an entry is written by three stores.
#[derive(Clone, Debug)]
struct ChangeLog {
    len: usize,
    /// The cells before the change.
    cells: Box<[CellState]>,
    /// Their classes and sets after it.
    infos: Box<[[CellInfo; 2]]>,
    indices: Box<[u16]>,
}

impl ChangeLog {
    fn new(size: Size) -> ChangeLog {
        let room = most_changes(size);
        ChangeLog {
            len: 0,
            cells: vec![CellState::default(); room].into_boxed_slice(),
            infos: vec![[CellInfo::default(); 2]; room].into_boxed_slice(),
            indices: vec![0; room].into_boxed_slice(),
        }
    }
}

/// Returns the largest number of changes in a game: a stone changes empty cells that have it in a window,
/// so that each pair of cells within reach of each other counts once, whatever the order of the stones.
fn most_changes(size: Size) -> usize {
    let (width, height) = (usize::from(size.width()), usize::from(size.height()));
    let pairs = |distance| {
        let (across, down) = (width.saturating_sub(distance), height.saturating_sub(distance));
        across * height + width * down + 2 * across * down
    };
    (1..=MAX_HALF).map(pairs).sum()
}

/// The changes of the cells of a board by one stone: class and set for black and white, before and
/// after.
#[derive(Clone, Copy, Debug)]
pub struct StoneChanges<'a> {
    stone: [CellInfo; 2],
    before: &'a [CellState],
    after: &'a [[CellInfo; 2]],
}

impl StoneChanges<'_> {
    /// Returns the cell that the stone occupied, as it was; it no longer counts.
    #[inline]
    #[must_use]
    pub const fn stone(&self) -> [CellInfo; 2] {
        self.stone
    }

    /// Returns the changed cells that are still empty, before and after.
    #[inline]
    pub fn cells(&self) -> impl Iterator<Item = ([CellInfo; 2], [CellInfo; 2])> + '_ {
        self.before.iter().map(|cell| cell.info).zip(self.after.iter().copied())
    }
}

/// The pattern state of a board, updated by [`Tracker::placed`] and [`Tracker::removed`].
///
/// ```
/// use tengen_core::board::Board;
/// use tengen_core::patterns::{PatternTables, PointClass, Tracker};
/// use tengen_core::rules::Rule;
/// use tengen_core::types::{Color, Size};
///
/// let mut board = Board::new(Size::square(15)?);
/// let mut tracker = Tracker::new(PatternTables::get(Rule::Freestyle), &board);
/// for x in 3..7 {
///     let point = board.size().point(x, 7).unwrap();
///     board.place(point, Color::Black);
///     tracker.placed(&board, point);
/// }
/// let end = board.size().point(7, 7).unwrap();
/// assert_eq!(tracker.info(end, Color::Black).class(), PointClass::Five);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracker {
    tables: &'static PatternTables,
    cells: Box<[CellState; CELLS]>,
    empties: PointSet,
    now: Snapshot,
    history: Vec<Snapshot>,
    /// The cells that stones have changed.
    log: ChangeLog,
    stencils: std::sync::Arc<[PointSet]>,
}

impl Tracker {
    /// Returns the state of any board.
    #[must_use]
    pub fn new(tables: &'static PatternTables, board: &Board) -> Tracker {
        let size = board.size();
        let mut tracker = Tracker {
            tables,
            cells: Box::new([CellState::default(); CELLS]),
            empties: board.empties(),
            now: Snapshot {
                counts: [ClassCounts::default(); 2],
                fours: [PointSet::EMPTY; 2],
                near: PointSet::EMPTY,
                stone: size.center(),
                log_start: 0,
            },
            history: Vec::with_capacity(size.area()),
            log: ChangeLog::new(size),
            stencils: stencils(size),
        };
        for point in size.points() {
            // Stones already on the board are never removed: only moves played from here on are
            // taken back.
            if board.is_empty(point) {
                let cell = tracker.scan(board, point);
                tracker.cells[PAD + point.index()] = cell;
                tracker.count(point, &cell);
            } else {
                tracker.now.near |= tracker.stencils[point.index()];
            }
        }
        tracker
    }

    /// Computes a cell from the lines through it.
    fn scan(&self, board: &Board, point: Point) -> CellState {
        let mut cell = CellState::default();
        for dir in Dir::ALL {
            let (line, pos) = board.line(point, dir);
            let byte = self.tables.byte(self.tables.window_key(line, pos));
            cell.shapes[dir.index()] = byte;
            cell.codes[0] |= u16::from(byte & 15) << (4 * dir.index());
            cell.codes[1] |= u16::from(byte >> 4) << (4 * dir.index());
        }
        for color in Color::ALL {
            cell.info[color.index()] = self.tables.cell(color, cell.codes[color.index()]);
        }
        cell
    }

    /// Adds a cell to the sums.
    fn count(&mut self, point: Point, cell: &CellState) {
        for color in Color::ALL {
            let info = cell.info[color.index()];
            self.now.counts[color.index()].0 += COUNT_UNITS[info.class_index()];
            if info.class() >= PointClass::Four {
                self.now.fours[color.index()].insert(point);
            }
        }
    }

    /// Updates the state after a stone was placed on `board`.
    #[inline]
    pub fn placed(&mut self, board: &Board, point: Point) {
        self.history.push(self.now);
        self.now.stone = point;
        self.now.log_start = self.log.len as u32;
        self.empties.toggle(point);
        self.now.near |= self.stencils[point.index()];

        let cell = self.cells[PAD + point.index()];
        for color in Color::ALL {
            let info = cell.info[color.index()];
            self.now.counts[color.index()].0 -= COUNT_UNITS[info.class_index()];
            if info.class_index() >= PointClass::Four.index() {
                self.now.fours[color.index()].toggle(point);
            }
        }

        let mut changes = [0; MAX_CHANGES];
        let tables = self.tables;
        let found = match &tables.windows {
            Windows::Half4(table) => {
                find_changes::<4, { 1 << 16 }>(table, board, &self.cells, point, &mut changes)
            }
            Windows::Half5(table) => {
                find_changes::<5, { 1 << 20 }>(table, board, &self.cells, point, &mut changes)
            }
        };
        self.apply(&changes[..found]);
    }

    /// Applies the changes that [`find_changes`] found.
    #[inline(always)]
    fn apply(&mut self, changes: &[u32]) {
        let tables = self.tables;
        let infos = [&*tables.cells.0[0], &*tables.cells.0[1]];
        let mut counts = [self.now.counts[0].0, self.now.counts[1].0];
        let first = self.log.len;
        self.log.len += changes.len();
        let cells = self.log.cells[first..first + changes.len()].iter_mut();
        let logged = self.log.infos[first..first + changes.len()].iter_mut();
        let indices = self.log.indices[first..first + changes.len()].iter_mut();
        for (((&change, log_cell), log_info), log_index) in
            changes.iter().zip(cells).zip(logged).zip(indices)
        {
            let index = change as usize % CELLS;
            let byte = (change >> 16) as u8;
            let dir = (change >> 24) as usize & 3;
            let cell = &mut self.cells[index];
            *log_cell = *cell;
            *log_index = index as u16;
            let diff = u32::from(cell.shapes[dir] ^ byte);
            cell.shapes[dir] = byte;
            cell.codes[0] ^= ((diff & 15) << (4 * dir)) as u16;
            cell.codes[1] ^= ((diff >> 4) << (4 * dir)) as u16;
            let old = cell.info;
            let new = [infos[0][usize::from(cell.codes[0])], infos[1][usize::from(cell.codes[1])]];
            cell.info = new;
            *log_info = new;
            for color in 0..2 {
                let (was, is) = (old[color].class_index(), new[color].class_index());
                counts[color] = counts[color].wrapping_add(COUNT_CHANGES[was][is]);
                if (was >= PointClass::Four.index()) != (is >= PointClass::Four.index()) {
                    self.now.fours[color].toggle(Point::from_index(index - PAD));
                }
            }
        }
        self.now.counts = counts.map(ClassCounts);
    }

    /// Reverts [`Tracker::placed`] for the last stone, which stood on `point`.
    ///
    /// # Panics
    ///
    /// Panics if there is nothing to take back.
    #[inline]
    pub fn removed(&mut self, point: Point) {
        let keep = self.now.log_start as usize;
        let entries = keep..self.log.len;
        let cells = &self.log.cells[entries.clone()];
        for (&index, &cell) in self.log.indices[entries].iter().zip(cells) {
            self.cells[usize::from(index) % CELLS] = cell;
        }
        self.log.len = keep;
        self.empties.toggle(point);
        self.now = self.history.pop().expect("a stone was placed before");
    }

    /// Returns the tables.
    #[inline]
    #[must_use]
    pub const fn tables(&self) -> &'static PatternTables {
        self.tables
    }

    /// Returns the class of an empty cell for `color`.
    #[inline]
    #[must_use]
    pub fn info(&self, point: Point, color: Color) -> CellInfo {
        self.cells[(PAD + point.index()) % CELLS].info[color.index()]
    }

    /// Returns the shapes of an empty cell for `color`, four bits per direction.
    #[inline]
    #[must_use]
    pub fn shapes(&self, point: Point, color: Color) -> u16 {
        self.cells[(PAD + point.index()) % CELLS].codes[color.index()]
    }

    /// Returns the number of cells of each class for a colour.
    #[inline]
    #[must_use]
    pub const fn counts(&self, color: Color) -> ClassCounts {
        self.now.counts[color.index()]
    }

    /// Returns the cells on which a colour can make a four or more.
    #[inline]
    #[must_use]
    pub const fn fours(&self, color: Color) -> &PointSet {
        &self.now.fours[color.index()]
    }

    /// Returns the empty cells near enough to a stone to be worth considering.
    #[inline]
    #[must_use]
    pub fn near(&self) -> PointSet {
        self.now.near & self.empties
    }

    /// Returns the empty cells.
    #[inline]
    #[must_use]
    pub const fn empties(&self) -> &PointSet {
        &self.empties
    }

    /// Returns the number of stones placed and not removed since the state was made.
    #[inline]
    #[must_use]
    pub fn depth(&self) -> usize {
        self.history.len()
    }

    /// Returns the changes made by stone number `depth`, counted from 1.
    ///
    /// # Panics
    ///
    /// Panics if there is no such stone.
    #[inline]
    #[must_use]
    pub fn changes(&self, depth: usize) -> StoneChanges<'_> {
        let after = |depth| self.history.get(depth).unwrap_or(&self.now);
        let end = match self.history.get(depth + 1) {
            Some(next) => next.log_start as usize,
            None if depth < self.history.len() => self.now.log_start as usize,
            None => self.log.len,
        };
        assert!((1..=self.history.len()).contains(&depth), "no stone has this number");
        let this: &Snapshot = after(depth);
        let entries = this.log_start as usize..end;
        StoneChanges {
            // A cell does not change while a stone stands on it.
            stone: self.cells[(PAD + this.stone.index()) % CELLS].info,
            before: &self.log.cells[entries.clone()],
            after: &self.log.infos[entries],
        }
    }

    /// Checks that the state equals a fresh one of the same board.
    ///
    /// # Panics
    ///
    /// Panics if anything differs.
    pub fn validate(&self, board: &Board) {
        let fresh = Tracker::new(self.tables, board);
        assert_eq!(self.empties, fresh.empties, "the empty cells are out of step");
        for point in self.empties.iter() {
            let index = PAD + point.index();
            assert_eq!(self.cells[index], fresh.cells[index], "{point} is out of step");
        }
        assert_eq!(self.now.counts, fresh.now.counts, "the counts are out of step");
        assert_eq!(self.now.fours, fresh.now.fours, "the fours are out of step");
        assert_eq!(self.near(), fresh.near(), "the cells to consider are out of step");
    }
}

/// Rereads the windows around a stone and lists the empty cells whose shapes differ from the stored
/// ones: the cell in the low half of a word, then the new byte, then the direction.
///
/// The loop is branchless: an entry of a cell that has not changed, is occupied or off the board is
/// overwritten by the next one.
#[inline(always)]
fn find_changes<const HALF: usize, const KEYS: usize>(
    table: &[u8; KEYS],
    board: &Board,
    cells: &[CellState; CELLS],
    point: Point,
    changes: &mut [u32; MAX_CHANGES],
) -> usize {
    let mut found = 0;
    for dir in Dir::ALL {
        let (line, pos) = board.line(point, dir);
        // Bring the cell 2·half steps before the stone to the bottom. The bits that wrap around the
        // word are padding, which reads as edge there too.
        let turn = 2 * (pos as u32 + crate::board::lines::PADDING as u32) + 64 - 4 * HALF as u32;
        let line = line.rotate_right(turn);
        let empty = line & (line >> 1);
        for step in 0..=2 * HALF {
            if step == HALF {
                continue;
            }
            let byte = table[window_key_at::<HALF>(line, step) % KEYS];
            let offset = (step as isize - HALF as isize) * STEPS[dir.index()];
            let index = (PAD + point.index()).wrapping_add_signed(offset) % CELLS;
            let is_empty = empty >> (2 * (step + HALF)) & 1;
            let differs = u64::from(byte != cells[index].shapes[dir.index()]);
            changes[found % MAX_CHANGES] =
                index as u32 | u32::from(byte) << 16 | (dir.index() as u32) << 24;
            found += (is_empty & differs) as usize;
        }
    }
    found % MAX_CHANGES
}

/// Returns the key of the window whose first cell is `start` cells above the bottom of a word.
#[inline(always)]
fn window_key_at<const HALF: usize>(line: u64, start: usize) -> usize {
    let low = (1u64 << (2 * HALF)) - 1;
    let high = low << (2 * HALF);
    (line >> (2 * start) & low | line >> (2 * start + 2) & high) as usize
}

/// Returns, for each point, the cells that a stone there makes worth considering: all within three
/// steps, and those four steps away on the eight rays of its lines.
fn stencils(size: Size) -> std::sync::Arc<[PointSet]> {
    (0..crate::types::MAX_POINTS)
        .map(Point::from_index)
        .map(|center| {
            let mut set = PointSet::EMPTY;
            if size.contains(center) {
                for point in size.points() {
                    let (dx, dy) = (center.x().abs_diff(point.x()), center.y().abs_diff(point.y()));
                    let on_ray = dx == 0 || dy == 0 || dx == dy;
                    let distance = dx.max(dy);
                    if distance <= 3 || distance == 4 && on_ray {
                        set.insert(point);
                    }
                }
            }
            set
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::lines::PADDING;
    use crate::patterns::table::window_key;
    use crate::rng::SplitMix64;
    use crate::rules::Rule;

    #[test]
    fn whole_games_fit_into_the_log_whatever_the_order_of_their_stones() {
        let mut rng = SplitMix64::new(9);
        for rule in Rule::ALL {
            for (width, height) in [(5, 5), (15, 15), (22, 7), (22, 22)] {
                let size = Size::new(width, height).unwrap();
                let mut board = Board::new(size);
                let mut tracker = Tracker::new(PatternTables::get(rule), &board);
                let mut points: Vec<Point> = size.points().collect();
                while !points.is_empty() {
                    let point = points.swap_remove(rng.below(points.len()));
                    // Few rows of one colour, in which stones change nothing any more.
                    board.place(point, Color::ALL[points.len() % 2]);
                    tracker.placed(&board, point);
                }
                assert!(tracker.log.len <= most_changes(size), "{rule} {size}");
            }
        }
    }

    #[test]
    fn a_turned_line_gives_the_same_windows() {
        let line = 0x1234_5678_9abc_def0 & (u64::MAX >> 10) & (u64::MAX << 10);
        for pos in 5..17 {
            let turned = line.rotate_right(2 * (pos as u32 + PADDING as u32) + 64 - 20);
            for step in 0..=10 {
                assert_eq!(window_key_at::<5>(turned, step), window_key::<5>(line, pos + step - 5));
            }
        }
    }
}

//! All windows of five cells, each with a value by its number of stones of one colour.
//!
//! A baseline for comparison: the evaluator of 基于博弈树的五子棋 AI 算法及其 C++ 实现. A window with stones of
//! both colours is worth nothing. The stones of the machine count 1, 10, 100, 10 000 and 1 000 000,
//! those of its opponent as much or ten times as much, and three in the middle of a window twenty
//! times: defence before attack. It knows nothing of overlines, enclosed fives or forbidden moves;
//! those are left to search.

use std::sync::Arc;

use crate::board::Board;
use crate::board::lines::PADDING;
use crate::eval::classical::ClassicalTables;
use crate::eval::{Evaluator, OrderedMove, WinModel, Window};
use crate::position::Position;
use crate::types::{Cell, Color, Dir, Point, PointSet, Score, Size};

/// The number of cells of a window.
const WINDOW: usize = 5;
/// The number of keys of a window: two bits per cell, as on the board.
const KEYS: usize = 1 << (2 * WINDOW);

/// The values of zero to five stones of the machine in a window without others.
const MACHINE: [i32; WINDOW + 1] = [0, 1, 10, 100, 10_000, 1_000_000];
/// The values of zero to five stones of its opponent.
const OPPONENT: [i32; WINDOW + 1] = [0, -1, -10, -1_000, -100_000, -10_000_000];
/// The value of three opponent stones with an empty cell on either side.
const OPPONENT_FREE_THREE: i32 = -2_000;

/// The value of every window, by the colour of the machine.
static WORTH: [[i32; KEYS]; 2] = [worths(Color::Black), worths(Color::White)];

const fn worths(machine: Color) -> [i32; KEYS] {
    let mut all = [0; KEYS];
    let mut key = 0;
    while key < KEYS {
        all[key] = worth(key, machine);
        key += 1;
    }
    all
}

const fn worth(key: usize, machine: Color) -> i32 {
    // The two bits of a cell; see `board::lines`.
    const WHITE: usize = 0b01;
    const BLACK: usize = 0b10;
    const EMPTY: usize = 0b11;
    let own = match machine {
        Color::Black => BLACK,
        Color::White => WHITE,
    };
    let (mut ours, mut theirs, mut walls) = (0, 0, 0);
    let mut i = 0;
    while i < WINDOW {
        let cell = key >> (2 * i) & 3;
        if cell == own {
            ours += 1;
        } else if cell == WHITE || cell == BLACK {
            theirs += 1;
        } else if cell != EMPTY {
            walls += 1;
        }
        i += 1;
    }
    let ends_are_empty = key & 3 == EMPTY && key >> (2 * (WINDOW - 1)) == EMPTY;
    match (ours, theirs, walls) {
        (_, 0, 0) => MACHINE[ours],
        (0, 3, 0) if ends_are_empty => OPPONENT_FREE_THREE,
        (0, _, 0) => OPPONENT[theirs],
        _ => 0,
    }
}

/// The evaluation by windows of five.
///
/// The machine is the side to move in the position given to [`Evaluator::reset`], the root of a
/// search. The sum is from its point of view and is negated where the other side is to move. Only
/// the windows through a stone are looked up when it is placed or removed.
#[derive(Clone, Debug)]
pub struct TupleEvaluator {
    tables: Arc<ClassicalTables>,
    machine: Color,
    board: Board,
    /// The stones pushed, in order.
    stones: Vec<(Point, Color)>,
    sum: i64,
}

impl TupleEvaluator {
    /// Returns an evaluator without a position that orders moves by these tables.
    #[must_use]
    pub fn new(tables: Arc<ClassicalTables>) -> TupleEvaluator {
        TupleEvaluator {
            tables,
            machine: Color::Black,
            board: Board::new(Size::LARGEST),
            stones: Vec::new(),
            sum: 0,
        }
    }

    /// Returns how much a stone of `color` on `point` adds to the windows through it, compared with
    /// an empty cell, whatever the cell holds now.
    fn difference(&self, point: Point, color: Color) -> i64 {
        let worth = &WORTH[self.machine.index()];
        let mut difference = 0;
        for dir in Dir::ALL {
            let (line, pos) = self.board.line(point, dir);
            let at = 2 * (pos + PADDING);
            let empty = line | 0b11 << at;
            let stone = match color {
                Color::Black => empty ^ 0b01 << at,
                Color::White => empty ^ 0b10 << at,
            };
            for back in 0..WINDOW {
                let shift = at - 2 * back;
                let worth_of = |line: u64| worth[(line >> shift) as usize % KEYS];
                difference += i64::from(worth_of(stone) - worth_of(empty));
            }
        }
        difference
    }

    /// Returns the sum over all windows, computed cell by cell.
    fn sum_of_windows(&self, board: &Board) -> i64 {
        let size = board.size();
        let mut sum = 0;
        for first in size.points() {
            for dir in Dir::ALL {
                let window: Vec<Cell> = (0..WINDOW as i32)
                    .filter_map(|i| first.offset(dir, i).map(|p| board.cell(p)))
                    .collect();
                let count = |cell| window.iter().filter(|&&c| c == cell).count();
                let ours = count(Cell::Stone(self.machine));
                let theirs = count(Cell::Stone(!self.machine));
                if window.len() < WINDOW || count(Cell::Wall) > 0 || ours > 0 && theirs > 0 {
                    continue;
                }
                let free = window[0] == Cell::Empty && window[WINDOW - 1] == Cell::Empty;
                sum += i64::from(match theirs {
                    0 => MACHINE[ours],
                    3 if free => OPPONENT_FREE_THREE,
                    _ => OPPONENT[theirs],
                });
            }
        }
        sum
    }
}

impl Evaluator for TupleEvaluator {
    fn reset(&mut self, position: &Position) {
        self.machine = position.to_move();
        self.board = position.board().clone();
        self.stones.clear();
        self.sum = self.sum_of_windows(position.board());
    }

    fn push(&mut self, point: Point, color: Color) {
        self.sum += self.difference(point, color);
        self.stones.push((point, color));
        self.board.place(point, color);
    }

    fn pop(&mut self) {
        if let Some((point, color)) = self.stones.pop() {
            self.board.remove(point, color);
            self.sum -= self.difference(point, color);
        }
    }

    fn evaluate(&mut self, position: &Position, _window: Window) -> Score {
        debug_assert_eq!(self.sum, self.sum_of_windows(position.board()), "out of step");
        let value = compressed(self.sum);
        Score::eval(if position.to_move() == self.machine { value } else { -value })
    }

    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.tables.order(position, set, moves);
    }

    fn win_model(&mut self, _: &Position) -> WinModel {
        self.tables.win_model()
    }

    fn identity(&self) -> u32 {
        super::identity("tuples", &self.tables)
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(TupleEvaluator::new(Arc::clone(&self.tables)))
    }
}

/// The sums at which the scale changes, and the number of units of the sum per unit of the score
/// from there on.
const SCALE: [(i64, i64); 5] =
    [(0, 1), (1_000, 4), (10_000, 20), (100_000, 150), (1_000_000, 3_000)];

/// Compresses a sum, which may be tens of millions, into the range of scores. The order of sums is
/// kept, except that different sums may become equal; small sums are unchanged.
fn compressed(sum: i64) -> i32 {
    let size = sum.abs();
    let mut score = 0;
    for (i, &(from, units)) in SCALE.iter().enumerate() {
        let to = SCALE.get(i + 1).map_or(i64::MAX, |next| next.0);
        score += (size.min(to) - from).max(0) / units;
    }
    let score = i32::try_from(score).unwrap_or(i32::MAX);
    if sum < 0 { -score } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing;
    use crate::rules::Rule;

    fn evaluator(rule: Rule) -> TupleEvaluator {
        TupleEvaluator::new(ClassicalTables::shipped(rule))
    }

    fn sum(rows: &[&str], machine: Color) -> i64 {
        let position = testing::position(rows, machine);
        let mut evaluator = evaluator(Rule::Freestyle);
        evaluator.reset(&position);
        evaluator.sum
    }

    /// Returns the sum over the windows along the top row of five rows, without the columns and
    /// diagonals, in which each stone is alone.
    fn row_sum(row: &str, machine: Color) -> i64 {
        let blank = ".".repeat(row.len());
        let rows = [row, &blank, &blank, &blank, &blank];
        let others: i64 = row
            .char_indices()
            .map(|(x, c)| {
                let diagonals = usize::from(x + 5 <= row.len()) + usize::from(x >= 4);
                let own = c == if machine == Color::Black { 'X' } else { 'O' };
                match c {
                    '.' => 0,
                    _ if own => 1 + diagonals as i64,
                    _ => -1 - diagonals as i64,
                }
            })
            .sum();
        sum(&rows, machine) - others
    }

    #[test]
    fn windows_score_what_the_table_says() {
        let expected = [
            ("X....", 1, -1),
            ("X...X", 10, -10),
            ("XX..X", 100, -1_000),
            ("XXX..", 100, -1_000),
            (".XXX.", 100, -2_000),
            ("XX.XX", 10_000, -100_000),
            ("XXXXX", 1_000_000, -10_000_000),
            ("XO...", 0, 0),
            ("XXXXO", 0, 0),
            (".....", 0, 0),
            // Windows from the left: three, three in the middle, three.
            ("..XXX..", 300, -4_000),
            // Two, three, three in the middle, three, two; one more at either end.
            ("....XXX....", 10 + 100 + 100 + 100 + 10 + 2, -10 - 1_000 - 2_000 - 1_000 - 10 - 2),
            ("XXXXX.", 1_000_000 + 10_000, -10_000_000 - 100_000),
            // The left window has both colours.
            ("OXXXX.", 10_000, -100_000),
        ];
        for (row, machine, opponent) in expected {
            assert_eq!(row_sum(row, Color::Black), machine, "{row}");
            assert_eq!(row_sum(row, Color::White), opponent, "{row}");
        }
    }

    #[test]
    fn the_score_is_the_machines_with_its_sign_turned_where_the_other_side_moves() {
        let rows = [".....", ".....", "..X..", ".....", "....."];
        let mut position = testing::position(&rows, Color::White);
        let mut evaluator = evaluator(Rule::Freestyle);
        evaluator.reset(&position);
        // The middle of a board of five by five is in one window of each direction.
        assert_eq!(evaluator.evaluate(&position, Window::FULL).raw(), -4);
        position.pass();
        assert_eq!(evaluator.evaluate(&position, Window::FULL).raw(), 4);
    }

    #[test]
    fn compression_keeps_small_sums_and_the_order_of_all() {
        for (sum, score) in [
            (0, 0),
            (999, 999),
            (1_000, 1_000),
            (2_000, 1_250),
            (10_000, 3_250),
            (100_000, 7_750),
            (1_000_000, 13_750),
            (10_000_000, 16_750),
        ] {
            assert_eq!(compressed(sum), score, "{sum}");
            assert_eq!(compressed(-sum), -score, "-{sum}");
        }
        let steps = (0..3_000).map(|i: i64| i * i * 7);
        assert!(steps.map(compressed).is_sorted());
        assert_eq!(compressed(i64::MAX), i32::MAX);
    }

    #[test]
    fn the_sum_kept_equals_the_one_counted_on_every_walk() {
        testing::walk(evaluator, |evaluator, position| {
            evaluator.sum == evaluator.sum_of_windows(position.board())
        });
    }

    #[test]
    fn the_evaluation_is_the_same_from_all_sides_and_for_either_colour() {
        testing::symmetric(&evaluator(Rule::Freestyle));
    }
}

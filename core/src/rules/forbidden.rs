//! The moves that renju forbids to black.
//!
//! The definitions are those of the federation's text, written down without a short cut: a four
//! and a three are sets of stones, and whether a three is real is found out by placing the stone
//! that extends it and asking the same question about that stone. Each level of that recursion
//! adds a stone, so it always ends, and no limit is put on its depth.

use std::fmt;

use super::Rule;
use super::five::{Run, cell_at, winning_run};
use crate::board::Board;
use crate::types::{Cell, Color, Dir, Point, PointSet};

const BLACK: Color = Color::Black;

/// A reason for which black may not play somewhere. Ordered by the priority with which kinds are
/// reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Violation {
    /// A run of six or more.
    Overline,
    /// Two or more fours.
    DoubleFour,
    /// Two or more threes that can become straight fours.
    DoubleThree,
}

impl Violation {
    /// All kinds, the first that applies being the one to report.
    pub const ALL: [Violation; 3] =
        [Violation::Overline, Violation::DoubleFour, Violation::DoubleThree];

    /// Returns the short name: `overline`, `44` or `33`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Violation::Overline => "overline",
            Violation::DoubleFour => "44",
            Violation::DoubleThree => "33",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the reason for which black may not play on `point`, or `None` if it may.
///
/// Of several reasons the first in the order of [`Violation`] is given. A move that makes exactly
/// five is never forbidden, and neither is one on a cell that is not empty: that is not a move.
///
/// ```
/// use tengen_core::notation::{Stones, parse_cell};
/// use tengen_core::rules::{Violation, violation};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let board = Stones::parse("f8g8h9h10/", size)?.board(size).unwrap();
/// assert_eq!(violation(&board, parse_cell("h8", size)?), Some(Violation::DoubleThree));
/// assert_eq!(violation(&board, parse_cell("a1", size)?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn violation(board: &Board, point: Point) -> Option<Violation> {
    violation_of_stone(&mut with_stone(board, point)?, point)
}

/// Returns every reason why black may not play on `point`, in the order of [`Violation`].
#[must_use]
pub fn violations(board: &Board, point: Point) -> Vec<Violation> {
    let Some(mut board) = with_stone(board, point) else { return Vec::new() };
    if makes_five(&board, point) {
        return Vec::new();
    }
    Violation::ALL.into_iter().filter(|&kind| applies(kind, &mut board, point)).collect()
}

/// Returns every empty cell that is forbidden to black, row by row.
#[must_use]
pub fn forbidden_points(board: &Board) -> Vec<(Point, Violation)> {
    board.size().points().filter_map(|p| violation(board, p).map(|v| (p, v))).collect()
}

/// Returns the reason for which the black stone on `stone` may not be played there, on the board that has it.
///
/// The board is changed on the way and is given back as it was.
pub(super) fn violation_of_stone(board: &mut Board, stone: Point) -> Option<Violation> {
    if makes_five(board, stone) {
        return None;
    }
    Violation::ALL.into_iter().find(|&kind| applies(kind, board, stone))
}

/// Returns a copy of the board with a black stone on `point`, if it can be placed and has enough
/// neighbours to be forbidden.
fn with_stone(board: &Board, point: Point) -> Option<Board> {
    if !board.is_empty(point) || is_lonely(board, point) {
        return None;
    }
    let mut board = board.clone();
    board.place(point, BLACK);
    Some(board)
}

/// Returns whether too few black stones are near for any violation.
///
/// All stones that matter are within five cells on the lines through `point`. An overline takes
/// five of them, two fours on one line take four, two fours on two lines six, two threes four.
fn is_lonely(board: &Board, point: Point) -> bool {
    let near = Dir::ALL.into_iter().flat_map(|dir| steps_up_to(5).map(move |i| (dir, i)));
    near.filter(|&(dir, i)| cell_at(board, point, dir, i) == Cell::Stone(BLACK)).take(4).count() < 4
}

/// Returns the steps from `-max` to `max` that lead away from a point.
fn steps_up_to(max: i32) -> impl Iterator<Item = i32> {
    (-max..=max).filter(|&i| i != 0)
}

fn applies(kind: Violation, board: &mut Board, stone: Point) -> bool {
    match kind {
        Violation::Overline => makes_overline(board, stone),
        Violation::DoubleFour => count_fours(board, stone) >= 2,
        Violation::DoubleThree => makes_double_three(board, stone),
    }
}

fn makes_five(board: &Board, stone: Point) -> bool {
    winning_run(board, stone, BLACK, Rule::Renju).is_some()
}

fn makes_overline(board: &Board, stone: Point) -> bool {
    Dir::ALL.into_iter().any(|dir| Run::through(board, stone, BLACK, dir).len >= 6)
}

/// Returns the number of fours that hold `stone`.
///
/// A four is a set of four stones on a line that one more stone makes a run of exactly five. The
/// two cells that complete an open four complete the same set, so they count once.
fn count_fours(board: &Board, stone: Point) -> usize {
    Dir::ALL.into_iter().map(|dir| fours(board, stone, dir).len()).sum()
}

fn fours(board: &Board, stone: Point, dir: Dir) -> Vec<PointSet> {
    let mut fours = Vec::new();
    for gap in empties_near(board, stone, dir, 4) {
        let run = Run::through(board, gap, BLACK, dir);
        if run.len == 5 && run.contains(stone) {
            let four = stones_without(run, gap);
            if !fours.contains(&four) {
                fours.push(four);
            }
        }
    }
    fours
}

/// Returns the empty cells within `max` steps of `stone` along `dir`, on either side.
fn empties_near(
    board: &Board,
    stone: Point,
    dir: Dir,
    max: i32,
) -> impl Iterator<Item = Point> + use<> {
    let cells: Vec<Point> = steps_up_to(max)
        .filter_map(|i| stone.offset(dir, i))
        .filter(|&p| board.is_empty(p))
        .collect();
    cells.into_iter()
}

/// Returns the stones of a run except the one on `gap`.
fn stones_without(run: Run, gap: Point) -> PointSet {
    run.points().filter(|&p| p != gap).collect()
}

/// Three stones that one more could make a straight four.
struct Three {
    stones: PointSet,
    extensions: Vec<Point>,
}

/// Returns whether two or more of the threes that hold `stone` are real.
fn makes_double_three(board: &mut Board, stone: Point) -> bool {
    let threes = candidate_threes(board, stone);
    // Looking ahead is dear, and one three alone is allowed whatever it is.
    threes.len() >= 2 && threes.iter().filter(|three| is_real(board, three)).take(2).count() == 2
}

/// Returns the threes that hold `stone`, each with every cell that makes it a straight four.
fn candidate_threes(board: &mut Board, stone: Point) -> Vec<Three> {
    let mut threes: Vec<Three> = Vec::new();
    for dir in Dir::ALL {
        for extension in empties_near(board, stone, dir, 3) {
            let run = Run::through(board, extension, BLACK, dir);
            if run.len != 4 || !run.contains(stone) || !extends(board, extension, run) {
                continue;
            }
            let stones = stones_without(run, extension);
            match threes.iter_mut().find(|three| three.stones == stones) {
                Some(three) => three.extensions.push(extension),
                None => threes.push(Three { stones, extensions: vec![extension] }),
            }
        }
    }
    threes
}

/// Returns whether a stone on `extension` makes `run` a straight four and makes no five.
fn extends(board: &mut Board, extension: Point, run: Run) -> bool {
    board.place(extension, BLACK);
    let extends = is_straight_four(board, run) && !makes_five(board, extension);
    board.remove(extension, BLACK);
    extends
}

/// Returns whether both cells next to a run of four are empty and complete exactly five.
fn is_straight_four(board: &Board, run: Run) -> bool {
    [-1, i32::from(run.len)].into_iter().all(|steps| {
        run.first.offset(run.dir, steps).is_some_and(|end| {
            board.is_empty(end) && Run::through(board, end, BLACK, run.dir).len == 5
        })
    })
}

/// Returns whether black may play at least one of the extensions of a three.
fn is_real(board: &mut Board, three: &Three) -> bool {
    three.extensions.iter().any(|&extension| {
        board.place(extension, BLACK);
        let violation = violation_of_stone(board, extension);
        board.remove(extension, BLACK);
        violation.is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    fn board(black: &[(i64, i64)], white: &[(i64, i64)]) -> Board {
        let size = Size::square(15).unwrap();
        let mut board = Board::new(size);
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for &(x, y) in stones {
                board.place(size.point(x, y).unwrap(), color);
            }
        }
        board
    }

    fn at(x: i64, y: i64) -> Point {
        Size::square(15).unwrap().point(x, y).unwrap()
    }

    #[test]
    fn six_in_a_row_are_forbidden_and_five_are_not() {
        let board = board(&[(3, 7), (4, 7), (5, 7), (7, 7), (8, 7)], &[]);
        assert_eq!(violation(&board, at(6, 7)), Some(Violation::Overline));
        assert_eq!(violation(&board, at(2, 7)), None);
    }

    #[test]
    fn five_outrank_an_overline_and_two_fours() {
        let five = [(3, 7), (4, 7), (5, 7), (6, 7)];
        let overline = [(7, 8), (7, 9), (7, 10), (7, 11), (7, 12)];
        let board = board(&[five.as_slice(), overline.as_slice()].concat(), &[]);
        assert_eq!(violation(&board, at(7, 7)), None);
        assert_eq!(violations(&board, at(7, 7)), []);
    }

    #[test]
    fn the_three_double_fours_on_one_line_are_forbidden() {
        // X.XXX.X, XX.XX.XX and XXX.X.XXX with the stone to play left out.
        let shapes: [(&[i64], i64); 3] =
            [(&[2, 4, 6, 8], 5), (&[2, 3, 6, 8, 9], 5), (&[2, 3, 4, 8, 9, 10], 6)];
        for (xs, x) in shapes {
            let stones: Vec<(i64, i64)> = xs.iter().map(|&x| (x, 7)).collect();
            let point = at(x, 7);
            assert_eq!(violation(&board(&stones, &[]), point), Some(Violation::DoubleFour), "{x}");
        }
    }

    #[test]
    fn a_four_whose_completion_would_make_six_is_no_four() {
        // X.XXX.X with a stone right behind: the left gap would make six.
        let board = board(&[(1, 7), (2, 7), (4, 7), (6, 7), (8, 7)], &[]);
        assert_eq!(count_fours(&with_stone(&board, at(5, 7)).unwrap(), at(5, 7)), 1);
        assert_eq!(violation(&board, at(5, 7)), None);
    }

    #[test]
    fn an_open_four_is_one_four() {
        let board = board(&[(4, 7), (5, 7), (6, 7), (7, 7)], &[]);
        assert_eq!(count_fours(&board, at(7, 7)), 1);
    }

    #[test]
    fn a_four_and_a_three_are_allowed() {
        let board = board(&[(4, 7), (5, 7), (6, 7), (7, 8), (7, 9)], &[(3, 7)]);
        assert_eq!(violation(&board, at(7, 7)), None);
    }

    #[test]
    fn all_kinds_that_apply_are_listed_in_order() {
        let six = [(2, 7), (3, 7), (4, 7), (5, 7), (6, 7)];
        let threes = [(7, 8), (7, 9), (8, 8), (9, 9)];
        let board = board(&[six.as_slice(), threes.as_slice()].concat(), &[]);
        let kinds = violations(&board, at(7, 7));
        assert_eq!(kinds, [Violation::Overline, Violation::DoubleThree]);
        assert_eq!(violation(&board, at(7, 7)), Some(Violation::Overline));
    }

    #[test]
    fn two_threes_are_forbidden_unless_one_has_no_room() {
        let stones = [(7, 5), (7, 6), (8, 7), (9, 7)];
        assert_eq!(violation(&board(&stones, &[]), at(7, 7)), Some(Violation::DoubleThree));
        let blocked = [(5, 7), (11, 7)];
        assert_eq!(violation(&board(&stones, &blocked), at(7, 7)), None);
    }

    #[test]
    fn a_cell_that_is_not_empty_is_never_forbidden() {
        let mut board = board(&[(7, 5), (7, 6), (8, 7), (9, 7)], &[]);
        assert_eq!(forbidden_points(&board), [(at(7, 7), Violation::DoubleThree)]);
        board.place_wall(at(7, 7));
        assert_eq!(forbidden_points(&board), []);
        assert_eq!(violation(&board, Point::from_index(483)), None);
    }
}

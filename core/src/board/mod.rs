//! Stones on a grid and nothing else.
//!
//! A [`Board`] knows which cell holds what, keeps the lines of every direction as words
//! of two bits a cell (see [`lines`]) and a Zobrist key. It knows no rule and no pattern; those
//! who place stones keep everything derived from them in step.

pub mod lines;
mod symmetry;
mod validate;
mod zobrist;

pub use symmetry::Symmetry;
pub use zobrist::{side_key, stone_key};

use crate::types::{ByColor, Cell, Color, Dir, Key, Point, PointSet, Size};
use lines::{LINES, LineRef, PADDING};

/// Stones on a grid of some size.
///
/// `place` and `remove` are exact inverses; the key is always the one [`Board::recompute_key`]
/// would give.
///
/// ```
/// use tengen_core::board::Board;
/// use tengen_core::types::{Cell, Color, Size};
///
/// let mut board = Board::new(Size::square(15)?);
/// let empty = board.key();
/// let center = board.size().center();
/// board.place(center, Color::Black);
/// assert_eq!(board.cell(center), Cell::Stone(Color::Black));
/// assert_eq!(board.empty_cells(), 224);
/// board.remove(center, Color::Black);
/// assert_eq!(board.key(), empty);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    size: Size,
    key: Key,
    stones: ByColor<u16>,
    walls: u16,
    lines: [u64; LINES],
}

impl Board {
    /// Returns an empty board.
    #[must_use]
    pub fn new(size: Size) -> Board {
        Board {
            size,
            key: Key::default(),
            stones: ByColor::default(),
            walls: 0,
            lines: lines::empty(size),
        }
    }

    /// Returns the size.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the key of the stones, whichever side is to move.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Returns the content of `point`; [`Cell::Wall`] for points beyond the edge.
    #[inline]
    #[must_use]
    pub fn cell(&self, point: Point) -> Cell {
        let row = LineRef::of(point, Dir::Horizontal);
        lines::decode(self.lines[row.line] >> (2 * (row.pos + PADDING)))
    }

    /// Returns whether a stone can be placed on `point`.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// Returns the number of stones of a colour.
    #[inline]
    #[must_use]
    pub fn stones(&self, color: Color) -> usize {
        usize::from(self.stones[color])
    }

    /// Returns the number of cells on which a stone can be placed.
    #[inline]
    #[must_use]
    pub fn empty_cells(&self) -> usize {
        self.size.area()
            - usize::from(self.walls)
            - self.stones(Color::Black)
            - self.stones(Color::White)
    }

    /// Returns the set of cells on which a stone can be placed.
    #[must_use]
    pub fn empties(&self) -> PointSet {
        self.size.points().filter(|&p| self.is_empty(p)).collect()
    }

    /// Returns the line word through `point` in a direction and the position of `point` on it.
    #[inline]
    #[must_use]
    pub fn line(&self, point: Point, dir: Dir) -> (u64, usize) {
        let at = LineRef::of(point, dir);
        (self.lines[at.line], at.pos)
    }

    /// Places a stone on an empty cell of the board.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(self.size.contains(point) && self.is_empty(point), "{point} is not empty");
        self.flip(point, lines::stone_bits(color));
        self.stones[color] += 1;
        self.key ^= stone_key(point, color);
    }

    /// Removes a stone: the inverse of [`Board::place`].
    #[inline]
    pub fn remove(&mut self, point: Point, color: Color) {
        debug_assert!(self.cell(point) == Cell::Stone(color), "no {color} stone on {point}");
        self.flip(point, lines::stone_bits(color));
        self.stones[color] -= 1;
        self.key ^= stone_key(point, color);
    }

    /// Makes an empty cell unusable for both sides, as the neutral stones of a continuous game.
    pub fn place_wall(&mut self, point: Point) {
        debug_assert!(self.size.contains(point) && self.is_empty(point), "{point} is not empty");
        self.flip(point, lines::WALL_FLIP);
        self.walls += 1;
        self.key ^= zobrist::wall_key(point);
    }

    #[inline]
    fn flip(&mut self, point: Point, bits: u64) {
        for dir in Dir::ALL {
            let at = LineRef::of(point, dir);
            self.lines[at.line] ^= bits << (2 * (at.pos + PADDING));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    #[test]
    fn place_and_remove_are_exact_inverses_on_every_size() {
        let mut rng = SplitMix64::new(1);
        for width in 5..=22 {
            for height in [5, 12, 22] {
                let size = Size::new(width, height).unwrap();
                let empty = Board::new(size);
                let mut board = empty.clone();
                let mut played = Vec::new();
                let mut points: Vec<Point> = size.points().collect();
                while !points.is_empty() {
                    let point = points.swap_remove(rng.below(points.len()));
                    let color = Color::to_move_after(played.len());
                    board.place(point, color);
                    assert_eq!(board.cell(point), Cell::Stone(color));
                    played.push((point, color, board.clone()));
                }
                board.validate();
                assert_eq!(board.empty_cells(), 0);
                while let Some((point, color, after)) = played.pop() {
                    assert!(board == after);
                    board.remove(point, color);
                }
                assert!(board == empty);
            }
        }
    }

    #[test]
    fn walls_are_nobodys_and_change_the_key() {
        let size = Size::square(9).unwrap();
        let mut board = Board::new(size);
        let point = size.point(4, 4).unwrap();
        board.place_wall(point);
        assert_eq!(board.cell(point), Cell::Wall);
        assert_eq!(board.empty_cells(), 80);
        assert_ne!(board.key(), Key::default());
        board.validate();
    }

    #[test]
    fn points_beyond_the_edge_are_walls() {
        let board = Board::new(Size::new(7, 9).unwrap());
        let big = Size::square(22).unwrap();
        for point in big.points() {
            assert_eq!(board.is_empty(point), board.size().contains(point), "{point}");
        }
    }
}

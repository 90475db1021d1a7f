//! Lines as words: two bits a cell, so that a window of a line is a shift and a mask.
//!
//! Every row, column and diagonal has a `u64` of 32 cells: 5 cells of padding, up to 22 cells of
//! board, 5 cells of padding. A cell is `00` wall or beyond the edge, `01` white, `10` black,
//! `11` empty: placing a stone clears one bit, and whatever lies beyond the edge reads as wall
//! without a test.

use crate::types::{Cell, Color, Dir, MAX_EDGE, MAX_POINTS, Point, Size};

/// The cells of padding before the first cell of a line.
pub const PADDING: usize = 5;
/// The number of lines on the largest board.
pub const LINES: usize = 2 * EDGE + 2 * (2 * EDGE - 1);
/// The bits that turn an empty cell into a wall.
pub(super) const WALL_FLIP: u64 = 0b11;

const EDGE: usize = MAX_EDGE as usize;

/// The place of a point on the line through it in one direction.
#[derive(Clone, Copy)]
pub struct LineRef {
    /// The number of the line, below [`LINES`].
    pub line: usize,
    /// The position on the line, below 22; one more is one step along the direction.
    pub pos: usize,
}

/// By point and direction: the four of a point share a cache line.
static REFS: [[(u8, u8); 4]; MAX_POINTS] = line_refs();

const fn line_refs() -> [[(u8, u8); 4]; MAX_POINTS] {
    let mut refs = [[(0, 0); 4]; MAX_POINTS];
    let mut i = 0;
    while i < MAX_POINTS {
        let (x, y) = (i % EDGE, i / EDGE);
        refs[i][Dir::Horizontal.index()] = (y as u8, x as u8);
        refs[i][Dir::Vertical.index()] = ((EDGE + x) as u8, y as u8);
        refs[i][Dir::Diagonal.index()] = ((3 * EDGE - 1 + x - y) as u8, x as u8);
        refs[i][Dir::Antidiagonal.index()] = ((4 * EDGE - 1 + x + y) as u8, x as u8);
        i += 1;
    }
    refs
}

impl LineRef {
    /// Returns the place of `point` in direction `dir`.
    #[inline]
    #[must_use]
    pub fn of(point: Point, dir: Dir) -> LineRef {
        let (line, pos) = REFS[point.index()][dir.index()];
        LineRef { line: line.into(), pos: pos.into() }
    }
}

/// Returns the contents of the cell in the two lowest bits.
#[inline]
#[must_use]
pub fn decode(bits: u64) -> Cell {
    match bits & 3 {
        0 => Cell::Wall,
        1 => Cell::Stone(Color::White),
        2 => Cell::Stone(Color::Black),
        _ => Cell::Empty,
    }
}

/// Returns the bits that turn an empty cell into a stone.
#[inline]
#[must_use]
pub const fn stone_bits(color: Color) -> u64 {
    match color {
        Color::Black => 0b01,
        Color::White => 0b10,
    }
}

/// Returns the lines of an empty board.
pub(super) fn empty(size: Size) -> [u64; LINES] {
    let mut lines = [0; LINES];
    for point in size.points() {
        for dir in Dir::ALL {
            let at = LineRef::of(point, dir);
            lines[at.line] |= 0b11 << (2 * (at.pos + PADDING));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_along_a_direction_is_one_position_on_the_same_line() {
        for point in Size::square(22).unwrap().points() {
            for dir in Dir::ALL {
                if let Some(next) = point.offset(dir, 1) {
                    let (a, b) = (LineRef::of(point, dir), LineRef::of(next, dir));
                    assert_eq!((a.line, a.pos + 1), (b.line, b.pos), "{point} {dir:?}");
                }
                assert!(LineRef::of(point, dir).line < LINES);
            }
        }
    }
}

//! The four line directions.

use std::ops::{Index, IndexMut};

/// One of the four directions in which stones can line up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Dir {
    /// Along a row: `(1, 0)`.
    Horizontal = 0,
    /// Along a column: `(0, 1)`.
    Vertical = 1,
    /// Down and to the right: `(1, 1)`.
    Diagonal = 2,
    /// Up and to the right: `(1, -1)`.
    Antidiagonal = 3,
}

impl Dir {
    /// All four directions.
    pub const ALL: [Dir; 4] = [Dir::Horizontal, Dir::Vertical, Dir::Diagonal, Dir::Antidiagonal];

    /// Returns the step `(dx, dy)` from one cell of a line to the next.
    #[inline]
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Dir::Horizontal => (1, 0),
            Dir::Vertical => (0, 1),
            Dir::Diagonal => (1, 1),
            Dir::Antidiagonal => (1, -1),
        }
    }

    /// Returns the number of the direction, 0 to 3.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A table with one entry per direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByDir<T>(pub [T; 4]);

impl<T> ByDir<T> {
    /// Builds the table by calling `f` for each direction in turn.
    pub fn from_fn(mut f: impl FnMut(Dir) -> T) -> ByDir<T> {
        ByDir([f(Dir::ALL[0]), f(Dir::ALL[1]), f(Dir::ALL[2]), f(Dir::ALL[3])])
    }
}

impl<T> Index<Dir> for ByDir<T> {
    type Output = T;

    #[inline]
    fn index(&self, dir: Dir) -> &T {
        &self.0[dir.index()]
    }
}

impl<T> IndexMut<Dir> for ByDir<T> {
    #[inline]
    fn index_mut(&mut self, dir: Dir) -> &mut T {
        &mut self.0[dir.index()]
    }
}

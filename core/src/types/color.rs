//! Colours, cell contents and tables indexed by colour.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// The colour of a stone. Black is the colour of the first stone on the board.
///
/// ```
/// use tengen_core::types::Color;
///
/// assert_eq!(!Color::Black, Color::White);
/// assert_eq!(Color::to_move_after(3), Color::White);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The player who moves first.
    Black = 0,
    /// The player who moves second.
    White = 1,
}

impl Color {
    /// Both colours, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// Returns 0 for black and 1 for white.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the colour that moves after `stones` stones have been placed alternately.
    #[must_use]
    pub const fn to_move_after(stones: usize) -> Color {
        if stones & 1 == 0 { Color::Black } else { Color::White }
    }
}

impl Not for Color {
    type Output = Color;

    /// Returns the opponent.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// The content of a cell of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Nothing; a stone may be placed here.
    Empty,
    /// A stone.
    Stone(Color),
    /// A neutral stone of a continuous game, or a cell beyond the edge: unusable for both sides.
    Wall,
}

/// A table with one entry per colour.
///
/// ```
/// use tengen_core::types::{ByColor, Color};
///
/// let mut stones = ByColor([3, 2]);
/// stones[Color::White] += 1;
/// assert_eq!(stones, ByColor::from_fn(|_| 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> ByColor<T> {
    /// Builds the table by calling `f` for black, then for white.
    pub fn from_fn(mut f: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor([f(Color::Black), f(Color::White)])
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

//! A cell of some board.

use std::fmt;
use std::num::NonZeroU16;

use super::{Dir, MAX_EDGE, MAX_POINTS};

/// The distance between the indices of two vertically adjacent points.
pub const STRIDE: usize = MAX_EDGE as usize;

/// A cell of some board, made only by [`Size::point`](super::Size::point).
///
/// Points of all sizes share one numbering (`y * 22 + x`), so a point means the same cell on
/// every board that is large enough to hold it. `Option<Point>` is two bytes.
///
/// ```
/// use tengen_core::types::{Dir, Size};
///
/// let point = Size::square(15)?.point(7, 7).unwrap();
/// assert_eq!(point.to_string(), "h8");
/// let below = point.offset(Dir::Vertical, 1).unwrap();
/// assert_eq!((below.x(), below.y(), below.distance(point)), (7, 8, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

const _: () = assert!(size_of::<Option<Point>>() == 2);

impl Point {
    /// Returns the point with the given coordinates.
    ///
    /// # Panics
    ///
    /// Panics if a coordinate is not below [`MAX_EDGE`].
    #[must_use]
    pub(super) const fn from_xy(x: u8, y: u8) -> Point {
        assert!(x < MAX_EDGE && y < MAX_EDGE);
        Point::from_index(y as usize * STRIDE + x as usize)
    }

    /// Returns the point with the given [`index`](Point::index).
    ///
    /// # Panics
    ///
    /// Panics if `index` is not below [`MAX_POINTS`].
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Point {
        assert!(index < MAX_POINTS);
        match NonZeroU16::new(index as u16 + 1) {
            Some(n) => Point(n),
            None => unreachable!(),
        }
    }

    /// Returns the column, counted from 0 at the left.
    #[inline]
    #[must_use]
    pub const fn x(self) -> u8 {
        (self.index() % STRIDE) as u8
    }

    /// Returns the row, counted from 0 at the top.
    #[inline]
    #[must_use]
    pub const fn y(self) -> u8 {
        (self.index() / STRIDE) as u8
    }

    /// Returns the number of the cell, below [`MAX_POINTS`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Returns the point `steps` cells further along `dir`, if its coordinates can exist on the
    /// largest board. The caller still has to ask its own size.
    #[inline]
    #[must_use]
    pub fn offset(self, dir: Dir, steps: i32) -> Option<Point> {
        let (dx, dy) = dir.delta();
        let x = i32::from(self.x()) + dx * steps;
        let y = i32::from(self.y()) + dy * steps;
        let max = i32::from(MAX_EDGE);
        if (0..max).contains(&x) && (0..max).contains(&y) {
            Some(Point::from_xy(x as u8, y as u8))
        } else {
            None
        }
    }

    /// Returns the Chebyshev distance (king moves) to another point.
    #[inline]
    #[must_use]
    pub fn distance(self, other: Point) -> u8 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }
}

impl fmt::Display for Point {
    /// Writes the letter of the column and the number of the row counted from 1, as in `h8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x()), self.y() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Board sizes.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{MAX_EDGE, MIN_EDGE, Point};

/// The width and height of a board, each from [`MIN_EDGE`] to [`MAX_EDGE`].
///
/// ```
/// use tengen_core::types::Size;
///
/// let size = Size::new(20, 15)?;
/// assert_eq!((size.area(), size.points().count()), (300, 300));
/// assert_eq!(size.center(), size.point(10, 7).unwrap());
/// assert!(size.point(20, 0).is_none() && Size::square(4).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "(u8, u8)", try_from = "(u8, u8)")]
pub struct Size {
    width: u8,
    height: u8,
}

/// A width or height outside [`MIN_EDGE`]`..=`[`MAX_EDGE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("board edges from {MIN_EDGE} to {MAX_EDGE} are supported, such as 15 or 20")]
pub struct SizeError;

impl From<Size> for (u8, u8) {
    fn from(size: Size) -> (u8, u8) {
        (size.width, size.height)
    }
}

impl TryFrom<(u8, u8)> for Size {
    type Error = SizeError;

    fn try_from((width, height): (u8, u8)) -> Result<Size, SizeError> {
        Size::new(width.into(), height.into())
    }
}

impl Size {
    /// The largest board.
    pub const LARGEST: Size = Size { width: MAX_EDGE, height: MAX_EDGE };
    /// The usual board, of 15 by 15.
    pub const DEFAULT: Size = Size { width: 15, height: 15 };

    /// Returns the size of a board of `width` columns and `height` rows.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError`] if either edge is unsupported.
    pub fn new(width: i64, height: i64) -> Result<Size, SizeError> {
        let edges = i64::from(MIN_EDGE)..=i64::from(MAX_EDGE);
        if edges.contains(&width) && edges.contains(&height) {
            Ok(Size { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError)
        }
    }

    /// Returns the size of a square board.
    ///
    /// # Errors
    ///
    /// Returns [`SizeError`] if the edge is unsupported.
    pub fn square(edge: i64) -> Result<Size, SizeError> {
        Size::new(edge, edge)
    }

    /// Returns the number of columns.
    #[inline]
    #[must_use]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    #[must_use]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Returns the number of cells.
    #[inline]
    #[must_use]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the point at column `x`, row `y`, or `None` if it is off the board.
    #[inline]
    #[must_use]
    pub fn point(self, x: i64, y: i64) -> Option<Point> {
        if (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y) {
            Some(Point::from_xy(x as u8, y as u8))
        } else {
            None
        }
    }

    /// Returns whether `point` is on the board.
    #[inline]
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// Returns the centre, `(width / 2, height / 2)` rounded down.
    #[must_use]
    pub const fn center(self) -> Point {
        Point::from_xy(self.width / 2, self.height / 2)
    }

    /// Returns all points row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::from_xy(x, y)))
    }

    /// Returns the distance from `point` to the nearest edge, 0 on the rim.
    #[inline]
    #[must_use]
    pub fn edge_distance(self, point: Point) -> u8 {
        let (x, y) = (point.x(), point.y());
        x.min(y).min(self.width - 1 - x).min(self.height - 1 - y)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_edges_from_5_to_22_make_a_size() {
        for edge in -3..40 {
            assert_eq!(Size::square(edge).is_ok(), (5..=22).contains(&edge), "{edge}");
        }
        assert!(Size::new(12, 17).is_ok());
        assert!(Size::new(12, 23).is_err());
    }

    #[test]
    fn every_point_of_a_size_is_contained_and_distinct() {
        let size = Size::new(12, 17).unwrap();
        let mut points: Vec<Point> = size.points().collect();
        assert_eq!(points.len(), size.area());
        assert!(points.iter().all(|&p| size.contains(p)));
        assert!(points.iter().all(|p| size.point(p.x().into(), p.y().into()) == Some(*p)));
        points.dedup();
        assert_eq!(points.len(), size.area());
        assert_eq!(size.point(12, 0), None);
        assert_eq!(size.point(-1, 0), None);
    }
}

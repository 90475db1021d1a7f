//! A fixed-capacity list of points.

use std::ops::Deref;

use super::{MAX_POINTS, Point};

/// A list of at most [`MAX_POINTS`] points that never allocates.
#[derive(Clone)]
pub struct PointList {
    len: usize,
    points: [Point; MAX_POINTS],
}

impl PointList {
    /// Returns an empty list.
    #[must_use]
    pub const fn new() -> PointList {
        PointList { len: 0, points: [Point::from_index(0); MAX_POINTS] }
    }

    /// Appends a point.
    ///
    /// # Panics
    ///
    /// Panics if the list is full, which a list of distinct points can't be.
    #[inline]
    pub fn push(&mut self, point: Point) {
        self.points[self.len] = point;
        self.len += 1;
    }

    /// Removes and returns the last point.
    pub fn pop(&mut self) -> Option<Point> {
        self.len = self.len.checked_sub(1)?;
        Some(self.points[self.len])
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for PointList {
    fn default() -> PointList {
        PointList::new()
    }
}

impl Deref for PointList {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        &self.points[..self.len]
    }
}

impl std::fmt::Debug for PointList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

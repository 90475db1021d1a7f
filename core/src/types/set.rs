//! Sets of points as bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::{MAX_POINTS, Point};

const WORDS: usize = MAX_POINTS.div_ceil(64);

/// A set of points, one bit each.
///
/// ```
/// use tengen_core::types::{PointSet, Size};
///
/// let size = Size::square(15)?;
/// let corner: PointSet = size.points().filter(|point| point.x() < 2 && point.y() < 2).collect();
/// assert_eq!(corner.len(), 4);
/// assert!(corner.contains(size.point(1, 1).unwrap()) && !corner.contains(size.center()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(32))]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// Returns whether the set holds `point`.
    #[inline]
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        let i = point.index();
        self.0[i / 64] >> (i % 64) & 1 != 0
    }

    /// Adds a point; returns whether it was new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let i = point.index();
        let new = !self.contains(point);
        self.0[i / 64] |= 1 << (i % 64);
        new
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        let i = point.index();
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Adds the point if it is absent, removes it if it is present.
    #[inline]
    pub fn toggle(&mut self, point: Point) {
        let i = point.index();
        self.0[i / 64] ^= 1 << (i % 64);
    }

    /// Returns the number of points.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// Returns the point with the smallest index.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// Returns the points in order of their index.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> PointSetIter {
        PointSetIter { words: self.0, word: 0 }
    }
}

/// The points of a set, in order of their index.
#[derive(Clone, Debug)]
pub struct PointSetIter {
    /// The points still to come.
    words: [u64; WORDS],
    /// No word before this one has points.
    word: usize,
}

impl PointSetIter {
    /// Takes the first point of a word that has points.
    #[inline]
    fn take(word: usize, bits: &mut u64) -> Point {
        let point = Point::from_index(word * 64 + bits.trailing_zeros() as usize);
        *bits &= *bits - 1;
        point
    }
}

impl Iterator for PointSetIter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while let Some(bits) = self.words.get_mut(self.word) {
            if *bits != 0 {
                return Some(PointSetIter::take(self.word, bits));
            }
            self.word += 1;
        }
        None
    }

    // Two loops need fewer branches a point than calls of `next`, and most users take all points.
    #[inline]
    fn fold<B, F: FnMut(B, Point) -> B>(self, init: B, mut f: F) -> B {
        let mut value = init;
        for (word, mut bits) in self.words.into_iter().enumerate().skip(self.word) {
            while bits != 0 {
                value = f(value, PointSetIter::take(word, &mut bits));
            }
        }
        value
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitand(mut self, rhs: PointSet) -> PointSet {
        self &= rhs;
        self
    }
}

impl BitAndAssign for PointSet {
    #[inline]
    fn bitand_assign(&mut self, rhs: PointSet) {
        for (a, b) in self.0.iter_mut().zip(rhs.0) {
            *a &= b;
        }
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitor(mut self, rhs: PointSet) -> PointSet {
        self |= rhs;
        self
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, rhs: PointSet) {
        for (a, b) in self.0.iter_mut().zip(rhs.0) {
            *a |= b;
        }
    }
}

impl Not for PointSet {
    type Output = PointSet;

    /// Returns every other index, on any board or not.
    #[inline]
    fn not(mut self) -> PointSet {
        for a in &mut self.0 {
            *a = !*a;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_points_in_order() {
        let points: Vec<Point> = [0, 1, 63, 64, 200, 483].map(Point::from_index).to_vec();
        let set: PointSet = points.iter().rev().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), points);
        assert_eq!(set.len(), 6);
        assert_eq!((!set & set).len(), 0);
    }
}

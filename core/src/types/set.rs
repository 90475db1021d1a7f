//! Sets of points as bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::point::STRIDE;
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

const FIRST_COLUMN: PointSet = PointSet::columns(0, 0);
const LAST_COLUMN: PointSet = PointSet::columns(STRIDE - 1, STRIDE - 1);
const EVERYWHERE: PointSet = PointSet::columns(0, STRIDE - 1);

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

    /// Returns the set with all points beside its own and at their corners, on the largest board.
    ///
    /// ```
    /// use tengen_core::types::{PointSet, Size};
    ///
    /// let point = |x, y| Size::square(15).unwrap().point(x, y).unwrap();
    /// let corner: PointSet = [point(0, 0)].into_iter().collect();
    /// let around = [point(0, 0), point(1, 0), point(0, 1), point(1, 1)];
    /// assert_eq!(corner.with_neighbors(), around.into_iter().collect());
    /// ```
    #[inline]
    #[must_use]
    pub fn with_neighbors(self) -> PointSet {
        let row = self | (self & !LAST_COLUMN).up::<1>() | (self & !FIRST_COLUMN).down::<1>();
        (row | row.up::<STRIDE>() | row.down::<STRIDE>()) & EVERYWHERE
    }

    /// Moves all points by so many indices, fewer than 64, to higher ones.
    #[inline]
    fn up<const BY: usize>(self) -> PointSet {
        let below = |i: usize| i.checked_sub(1).map_or(0, |i| self.0[i]);
        PointSet(std::array::from_fn(|i| self.0[i] << BY | below(i) >> (64 - BY)))
    }

    /// Moves all points by so many indices, fewer than 64, to lower ones.
    #[inline]
    fn down<const BY: usize>(self) -> PointSet {
        let above = |i: usize| self.0.get(i + 1).copied().unwrap_or(0);
        PointSet(std::array::from_fn(|i| self.0[i] >> BY | above(i) << (64 - BY)))
    }

    /// Returns the points of every row from one column to another.
    const fn columns(from: usize, to: usize) -> PointSet {
        let mut set = PointSet::EMPTY;
        let mut i = 0;
        while i < MAX_POINTS {
            if from <= i % STRIDE && i % STRIDE <= to {
                set.0[i / 64] |= 1 << (i % 64);
            }
            i += 1;
        }
        set
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

    #[test]
    fn the_neighbors_of_a_point_are_those_one_step_away() {
        for i in 0..MAX_POINTS {
            let point = Point::from_index(i);
            let near = |other: &Point| point.distance(*other) <= 1;
            let expected = (0..MAX_POINTS).map(Point::from_index).filter(near).collect();
            let set: PointSet = [point].into_iter().collect();
            assert_eq!(set.with_neighbors(), expected, "{i}");
        }
    }
}

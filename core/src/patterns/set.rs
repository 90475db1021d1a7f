//! Pattern sets: the unordered shapes of the four lines through a cell.

use super::shape::Shape;

/// The number of lines through a cell.
const LINES: usize = 4;

/// Four shapes in any order, the input of evaluation and move ordering for a cell.
///
/// Indexed by the combinatorial number system: of the shapes in ascending order, with 0, 1, 2 and 3
/// added so that no two are equal, the sum of `C(first, 1)` to `C(fourth, 4)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PatternSet(u16);

impl PatternSet {
    /// The number of pattern sets: `C(18, 4)`.
    pub const COUNT: usize = choose(Shape::COUNT + LINES - 1, LINES);

    /// Returns the set of four shapes.
    #[must_use]
    pub fn of(mut shapes: [Shape; LINES]) -> PatternSet {
        shapes.sort_unstable();
        let number: usize =
            shapes.iter().enumerate().map(|(i, &s)| choose(s as usize + i, i + 1)).sum();
        PatternSet(number as u16)
    }

    /// Returns the set with this index.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not below [`PatternSet::COUNT`].
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> PatternSet {
        assert!(index < PatternSet::COUNT);
        PatternSet(index as u16)
    }

    /// Returns the index of the set, below [`PatternSet::COUNT`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the shapes in ascending order.
    #[must_use]
    pub fn shapes(self) -> [Shape; LINES] {
        let mut rest = self.index();
        let mut shapes = [Shape::Dead; LINES];
        for i in (0..LINES).rev() {
            let mut shape = 0;
            while shape + 1 < Shape::COUNT && choose(shape + 1 + i, i + 1) <= rest {
                shape += 1;
            }
            rest -= choose(shape + i, i + 1);
            shapes[i] = Shape::from_index(shape);
        }
        shapes
    }

    /// Returns all sets, by index.
    pub fn all() -> impl ExactSizeIterator<Item = PatternSet> {
        (0..PatternSet::COUNT).map(PatternSet::from_index)
    }
}

/// Returns the number of ways to choose `k` of `n` things.
const fn choose(n: usize, k: usize) -> usize {
    let mut ways = 1;
    let mut i = 0;
    while i < k {
        if i >= n {
            return 0;
        }
        // Divisible at every step: it is C(n, i + 1).
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Dir;

    #[test]
    fn there_are_as_many_as_ways_to_choose_four_of_fifteen_with_repetition() {
        assert_eq!(PatternSet::COUNT, 3060);
    }

    #[test]
    fn every_number_stands_for_the_shapes_that_lead_to_it_in_any_order() {
        for (index, set) in PatternSet::all().enumerate() {
            let [a, b, c, d] = set.shapes();
            assert!(a <= b && b <= c && c <= d);
            assert_eq!(PatternSet::of([a, b, c, d]).index(), index);
            assert_eq!(PatternSet::of([c, a, d, b]).index(), index);
        }
    }

    #[test]
    fn a_code_has_four_bits_a_direction() {
        let shapes = [Shape::Five, Shape::Dead, Shape::OpenTwo, Shape::Four];
        let code = shapes.iter().rev().fold(0, |code, &shape| code << 4 | shape as u16);
        assert_eq!(Dir::ALL.map(|dir| Shape::in_code(code, dir)), shapes);
    }
}

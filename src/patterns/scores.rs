//! The worth of a cell: the first evaluation.
//!
//! Each empty cell counts for each colour by what a stone there would make of the four lines
//! through it. The numbers are set by hand, after a logistic regression of the results of 8,000
//! self-play games of 3,000 nodes a move on the numbers of cells of each kind had shown their
//! relative size; they are to be tuned in earnest with the tools for it.

use super::class::PointClass;
use super::shape::{Family, Shape};

/// The evaluation of one line through a cell, by [`Shape`]; a sum over a whole board of these
/// makes a score in which 200 is a clear advantage.
pub const LINE_VALUES: [i32; Shape::COUNT] =
    [0, 0, 0, 1, 15, 16, 18, 17, 20, 25, 26, 36, 45, 48, 0];

/// What a class adds to the lines it is made of, by [`PointClass`]. A weak shape alone is worth
/// little; it is the second one on the same cell that counts.
pub const CLASS_VALUES: [i32; PointClass::COUNT] =
    [0, -20, -15, -13, -20, -14, -2, 8, 20, -3, 10, 32, 36, 40];

/// The interest in playing one line, by [`Shape`], for move ordering.
pub const LINE_ORDER: [i32; Shape::COUNT] =
    [0, 2, 6, 8, 18, 22, 26, 30, 62, 70, 60, 100, 120, 200, 0];

/// What a class adds to the interest of its lines, by [`PointClass`].
pub const CLASS_ORDER: [i32; PointClass::COUNT] =
    [0, 0, 0, 0, 6, 10, 0, 20, 120, 0, 30, 260, 600, 1200];

/// The largest interest that can be stored.
pub const MAX_ORDER: i32 = 2047;

/// What is known of the four lines through a cell for one colour, packed into half a word: the
/// class in the four low bits, the evaluation above.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellInfo(i16);

impl CellInfo {
    /// Returns the entry for four shapes.
    #[must_use]
    pub fn of(family: Family, shapes: [Shape; 4]) -> CellInfo {
        let class = PointClass::combine(family, shapes);
        let lines: i32 = shapes.iter().map(|&s| LINE_VALUES[s as usize]).sum();
        let eval = match class {
            PointClass::Forbidden => CLASS_VALUES[class.index()],
            _ => lines + CLASS_VALUES[class.index()],
        };
        debug_assert!((-2048..2048).contains(&eval));
        CellInfo((eval << 4) as i16 | class as i16)
    }

    /// Returns the class.
    #[inline]
    #[must_use]
    pub const fn class(self) -> PointClass {
        PointClass::from_index(self.class_index())
    }

    /// Returns the number of the class.
    #[inline]
    #[must_use]
    pub const fn class_index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Returns the contribution to the evaluation.
    #[inline]
    #[must_use]
    pub const fn eval(self) -> i32 {
        (self.0 >> 4) as i32
    }
}

/// Returns the interest in playing on a cell, 0 to [`MAX_ORDER`].
#[must_use]
pub fn order(family: Family, shapes: [Shape; 4]) -> i16 {
    let class = PointClass::combine(family, shapes);
    let lines: i32 = shapes.iter().map(|&s| LINE_ORDER[s as usize]).sum();
    (lines + CLASS_ORDER[class.index()]).clamp(0, MAX_ORDER) as i16
}

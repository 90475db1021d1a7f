//! The worth of a cell: the first, hand-set evaluation.
//!
//! Each empty cell counts for each colour by what a stone there would make of the four lines
//! through it. The numbers are set by hand from the theory of threats: a shape is worth roughly
//! the initiative it gives, and never enough for a pile of weak ones to outweigh a stronger one
//! (the demand of Zhao, Li and Yang, 2023, on their sixteen scored shapes).

use super::class::PointClass;
use super::shape::{Family, Shape};

/// The evaluation of one line through a cell, by [`Shape`]; a sum over a whole board of these
/// makes a score in which 200 is a clear advantage.
pub const LINE_VALUES: [i32; Shape::COUNT] =
    [0, 0, 1, 1, 3, 4, 5, 6, 13, 15, 13, 30, 34, 40, 0];

/// What a class adds to the lines it is made of, by [`PointClass`].
pub const CLASS_VALUES: [i32; PointClass::COUNT] =
    [0, -8, 0, 0, 2, 3, 0, 5, 26, 0, 6, 40, 30, 40];

/// The interest in playing one line, by [`Shape`], for move ordering.
pub const LINE_ORDER: [i32; Shape::COUNT] =
    [0, 2, 6, 8, 18, 22, 26, 30, 62, 70, 60, 100, 120, 200, 0];

/// What a class adds to the interest of its lines, by [`PointClass`].
pub const CLASS_ORDER: [i32; PointClass::COUNT] =
    [0, 0, 0, 0, 6, 10, 0, 20, 120, 0, 30, 260, 600, 1200];

/// The largest interest that can be stored.
pub const MAX_ORDER: i32 = 2047;

/// What is known of the four lines through a cell for one colour, packed into a word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellInfo(u32);

impl CellInfo {
    /// Returns the entry for four shapes.
    #[must_use]
    pub fn of(family: Family, shapes: [Shape; 4]) -> CellInfo {
        let class = PointClass::combine(family, shapes);
        let sum = |values: &[i32]| shapes.iter().map(|&s| values[s as usize]).sum::<i32>();
        let eval = match class {
            PointClass::Forbidden => CLASS_VALUES[class.index()],
            _ => sum(&LINE_VALUES) + CLASS_VALUES[class.index()],
        };
        let order = (sum(&LINE_ORDER) + CLASS_ORDER[class.index()]).clamp(0, MAX_ORDER);
        CellInfo((eval as u32) << 16 | (order as u32) << 4 | class as u32)
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

    /// Returns the interest in playing here, 0 to [`MAX_ORDER`].
    #[inline]
    #[must_use]
    pub const fn order(self) -> i32 {
        (self.0 >> 4 & 0xfff) as i32
    }

    /// Returns the contribution to the evaluation.
    #[inline]
    #[must_use]
    pub const fn eval(self) -> i32 {
        self.0 as i32 >> 16
    }
}

//! What search reads of a cell at every node, in half a word.

use super::class::PointClass;

/// How many parts of the table make one unit of the evaluation: sums over hundreds of cells are
/// not to suffer from rounding each of them to a whole unit.
pub const EVAL_PARTS: i32 = 4;

/// The largest evaluation of a cell that can be stored, in parts; the smallest is its opposite.
pub const MAX_EVAL_PARTS: i32 = 2047;

/// The bits of the class.
const CLASS_BITS: u32 = 4;

/// What is known of the four lines through a cell for one colour, packed into half a word: the
/// class in the four low bits, the evaluation above.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellInfo(i16);

const _: () = assert!(MAX_EVAL_PARTS << CLASS_BITS <= i16::MAX as i32);
const _: () = assert!(PointClass::COUNT <= 1 << CLASS_BITS);

impl CellInfo {
    /// Returns the entry of a class and an evaluation in [`EVAL_PARTS`] of a unit, clamped to
    /// ±[`MAX_EVAL_PARTS`].
    #[must_use]
    pub fn new(class: PointClass, eval: i32) -> CellInfo {
        let eval = eval.clamp(-MAX_EVAL_PARTS, MAX_EVAL_PARTS);
        CellInfo((eval << CLASS_BITS) as i16 | class as i16)
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
        (self.0 & ((1 << CLASS_BITS) - 1)) as usize
    }

    /// Returns the contribution to the evaluation, in [`EVAL_PARTS`] of a unit.
    #[inline]
    #[must_use]
    pub const fn eval(self) -> i32 {
        (self.0 >> CLASS_BITS) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_gives_back_its_class_and_its_clamped_evaluation() {
        for class in PointClass::ALL {
            for eval in [-MAX_EVAL_PARTS, -1, 0, 1, 77, MAX_EVAL_PARTS] {
                let info = CellInfo::new(class, eval);
                assert_eq!((info.class(), info.eval()), (class, eval));
            }
            assert_eq!(CellInfo::new(class, 99_999).eval(), MAX_EVAL_PARTS);
            assert_eq!(CellInfo::new(class, -99_999).eval(), -MAX_EVAL_PARTS);
        }
    }
}

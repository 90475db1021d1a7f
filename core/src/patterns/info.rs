//! The class and pattern set of a cell for one colour, in half a word.

use super::class::PointClass;
use super::set::PatternSet;

/// The number of bits of the class.
const CLASS_BITS: u32 = 4;

/// The class and the pattern set of a cell for one colour, packed into half a word: the class in
/// the four low bits, the index of the set above.
///
/// Search reads classes at every node; evaluations look up the values of sets, in tables small
/// enough for the first-level cache.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellInfo(u16);

const _: () = assert!(PatternSet::COUNT <= CellInfo::SETS);
const _: () = assert!(PointClass::COUNT <= 1 << CLASS_BITS);

impl CellInfo {
    /// The exclusive upper bound of set indices: a table of this length needs no bounds check for
    /// [`CellInfo::set_index`].
    pub const SETS: usize = 1 << (u16::BITS - CLASS_BITS);

    /// Returns the entry of a class and a set.
    #[must_use]
    pub const fn new(class: PointClass, set: PatternSet) -> CellInfo {
        CellInfo((set.index() as u16) << CLASS_BITS | class as u16)
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

    /// Returns the index of the set, below [`CellInfo::SETS`]; see [`PatternSet::from_index`].
    #[inline]
    #[must_use]
    pub const fn set_index(self) -> usize {
        (self.0 >> CLASS_BITS) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_gives_back_its_class_and_its_set() {
        for class in PointClass::ALL {
            for set in PatternSet::all() {
                let info = CellInfo::new(class, set);
                assert_eq!((info.class(), info.set_index()), (class, set.index()));
            }
        }
    }
}

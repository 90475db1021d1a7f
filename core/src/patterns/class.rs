//! Point classes: the combined effect of a stone on all four lines through a cell.

use super::shape::{Family, Shape};

/// The class of a cell for one colour: the effect of a stone there; ordered by strength.
///
/// The classes follow Rapfi's `pattern4` (dhbloo/rapfi, `game/pattern.h`).
///
/// ```
/// use tengen_core::patterns::{Family, PointClass, Shape};
///
/// let shapes = [Shape::Four, Shape::OpenThree, Shape::Dead, Shape::Dead];
/// assert_eq!(PointClass::combine(Family::FiveOrMore, shapes), PointClass::FourThree);
/// assert!(PointClass::OpenFour > PointClass::FourThree);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PointClass {
    /// Nothing of note.
    None = 0,
    /// Possibly forbidden to black in renju: an overline, two fours, or two threes that may not be
    /// real. The exact rule decides.
    Forbidden,
    /// One open two.
    Two,
    /// A blocked three.
    BlockedThree,
    /// Two open twos.
    DoubleTwo,
    /// A blocked three with another one or an open two.
    ThreeTwo,
    /// An open three: a threat to win in three more plies.
    Three,
    /// An open three with a blocked three or an open two.
    ThreePlus,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four with a blocked three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four or two fours: the next stone wins.
    OpenFour,
    /// A win.
    Five,
}

impl PointClass {
    /// The number of classes.
    pub const COUNT: usize = 14;

    /// All classes, by number.
    pub const ALL: [PointClass; PointClass::COUNT] = [
        PointClass::None,
        PointClass::Forbidden,
        PointClass::Two,
        PointClass::BlockedThree,
        PointClass::DoubleTwo,
        PointClass::ThreeTwo,
        PointClass::Three,
        PointClass::ThreePlus,
        PointClass::DoubleThree,
        PointClass::Four,
        PointClass::FourPlus,
        PointClass::FourThree,
        PointClass::OpenFour,
        PointClass::Five,
    ];

    /// Returns the class with this number; numbers beyond the last are [`PointClass::None`].
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> PointClass {
        if index < PointClass::COUNT { PointClass::ALL[index] } else { PointClass::None }
    }

    /// Returns the number of the class.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the class of the shapes in the four directions.
    #[must_use]
    pub fn combine(family: Family, shapes: [Shape; 4]) -> PointClass {
        let count = |wanted: fn(Shape) -> bool| shapes.iter().filter(|&&s| wanted(s)).count();
        let fives = count(|s| s == Shape::Five);
        let overlines = count(|s| s == Shape::Overline);
        let open_fours = count(|s| s == Shape::OpenFour);
        let double_fours = count(|s| s == Shape::DoubleFour);
        let fours = count(|s| s == Shape::Four);
        let threes = count(Shape::is_open_three);
        let twos = count(Shape::is_open_two);
        let blocked_threes = count(|s| s == Shape::BlockedThree);

        if fives > 0 {
            return PointClass::Five;
        }
        if family == Family::RenjuBlack
            && (overlines > 0 || open_fours + 2 * double_fours + fours > 1 || threes > 1)
        {
            return PointClass::Forbidden;
        }
        if open_fours + double_fours > 0 || fours > 1 {
            PointClass::OpenFour
        } else if fours == 1 {
            match (threes, blocked_threes + twos) {
                (0, 0) => PointClass::Four,
                (0, _) => PointClass::FourPlus,
                _ => PointClass::FourThree,
            }
        } else if threes > 0 {
            match (threes, blocked_threes + twos) {
                (1, 0) => PointClass::Three,
                (1, _) => PointClass::ThreePlus,
                _ => PointClass::DoubleThree,
            }
        } else {
            match (blocked_threes, twos) {
                (0, 0) => PointClass::None,
                (0, 1) => PointClass::Two,
                (0, _) => PointClass::DoubleTwo,
                (1, 0) => PointClass::BlockedThree,
                _ => PointClass::ThreeTwo,
            }
        }
    }
}

//! Shapes: the strength of one line for one colour.

use crate::rules::Rule;
use crate::types::{Color, Dir};

/// The shape that a stone on a point makes of one line through it, for one colour; ordered by
/// strength, except [`Shape::Overline`], which is a prohibition.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::patterns::Shape;
/// use tengen_core::position::Position;
/// use tengen_core::rules::Rule;
/// use tengen_core::types::{Color, Dir, Size};
///
/// let size = Size::square(15)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// for point in parse_moves("g8a1h8a3", size)? {
///     position.play(point)?;
/// }
/// // A third stone in the row of two.
/// let shapes = position.tracker().shapes(size.point(8, 7).unwrap(), Color::Black);
/// assert!(Shape::in_code(shapes, Dir::Horizontal).is_open_three());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// No winning row is possible through this point.
    Dead = 0,
    /// The first stone of a winning line that can't become an open four.
    BlockedOne,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a blocked three.
    BlockedTwo,
    /// One more stone, on one or two cells, makes an open three.
    OpenTwo,
    /// One more stone, on three cells, makes an open three.
    OpenTwoWide,
    /// One more stone, on four or more cells, makes an open three.
    OpenTwoFree,
    /// One more stone makes a four but not an open four.
    BlockedThree,
    /// One more stone, on one cell, makes an open four.
    OpenThree,
    /// One more stone, on two or more cells, makes an open four.
    OpenThreeFree,
    /// One more stone, on one cell, wins.
    Four,
    /// One more stone, on two cells, wins, but not as a straight four: `oo_oo_oo`. Forbidden to
    /// black in renju.
    DoubleFour,
    /// Four in a row that one more stone on either end makes a win.
    OpenFour,
    /// A winning row.
    Five,
    /// Black's six or more in renju: forbidden.
    Overline,
}

impl Shape {
    /// The number of shapes.
    pub const COUNT: usize = 15;

    /// All shapes, by number.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::BlockedOne,
        Shape::OpenOne,
        Shape::BlockedTwo,
        Shape::OpenTwo,
        Shape::OpenTwoWide,
        Shape::OpenTwoFree,
        Shape::BlockedThree,
        Shape::OpenThree,
        Shape::OpenThreeFree,
        Shape::Four,
        Shape::DoubleFour,
        Shape::OpenFour,
        Shape::Five,
        Shape::Overline,
    ];

    /// Returns the shape with this number; numbers beyond the last are [`Shape::Dead`].
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Shape {
        if index < Shape::COUNT { Shape::ALL[index] } else { Shape::Dead }
    }

    /// Returns the shape in one direction of a cell whose shapes are given with four bits per
    /// direction, as in the tracker.
    #[inline]
    #[must_use]
    pub const fn in_code(code: u16, dir: Dir) -> Shape {
        Shape::from_index((code >> (4 * dir.index()) & 15) as usize)
    }

    /// Returns whether one more stone, unanswered, makes an open four.
    #[inline]
    #[must_use]
    pub const fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::OpenThreeFree)
    }

    /// Returns whether one more stone makes an open three.
    #[inline]
    #[must_use]
    pub const fn is_open_two(self) -> bool {
        matches!(self, Shape::OpenTwo | Shape::OpenTwoWide | Shape::OpenTwoFree)
    }
}

/// The winning condition on a line for one colour under one rule; all that the lexicon depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Five or more: freestyle, and white in renju.
    FiveOrMore,
    /// Exactly five; more does not count: standard.
    ExactlyFive,
    /// Exactly five; more is forbidden: black in renju.
    RenjuBlack,
    /// Six or more, or five not enclosed by opponent stones.
    Caro,
    /// Exactly five not enclosed by opponent stones.
    CaroExact,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 5] = [
        Family::FiveOrMore,
        Family::ExactlyFive,
        Family::RenjuBlack,
        Family::Caro,
        Family::CaroExact,
    ];

    /// Returns the family of a colour under a rule.
    #[must_use]
    pub const fn of(rule: Rule, color: Color) -> Family {
        match (rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => Family::FiveOrMore,
            (Rule::Standard, _) => Family::ExactlyFive,
            (Rule::Renju, Color::Black) => Family::RenjuBlack,
            (Rule::Caro, _) => Family::Caro,
            (Rule::CaroExact, _) => Family::CaroExact,
        }
    }

    /// Returns whether both colours have the same family under a rule.
    #[must_use]
    pub fn is_shared(rule: Rule) -> bool {
        Family::of(rule, Color::Black) == Family::of(rule, Color::White)
    }

    /// Returns the families of a rule, black's first.
    #[must_use]
    pub fn all_of(rule: Rule) -> Vec<Family> {
        let colors: &[Color] = if Family::is_shared(rule) { &[Color::Black] } else { &Color::ALL };
        colors.iter().map(|&color| Family::of(rule, color)).collect()
    }

    /// Returns the index of a colour's family in [`Family::all_of`] a rule.
    #[must_use]
    pub fn index_of(rule: Rule, color: Color) -> usize {
        if Family::is_shared(rule) { 0 } else { color.index() }
    }

    /// Returns whether opponent stones behind a five can spoil it.
    #[must_use]
    pub const fn is_caro(self) -> bool {
        matches!(self, Family::Caro | Family::CaroExact)
    }
}

//! Remaining effort and distance from the root, which must never be mixed.

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Remaining search effort, in fractions of a ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Depth(i32);

impl Depth {
    /// No effort left.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const ONE: Depth = Depth(Depth::UNIT);
    /// The fractions that make up one ply.
    pub const UNIT: i32 = 64;

    /// Returns a depth of whole plies.
    #[inline]
    #[must_use]
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * Depth::UNIT)
    }

    /// Returns a depth of this many 64ths of a ply.
    #[inline]
    #[must_use]
    pub const fn from_raw(raw: i32) -> Depth {
        Depth(raw)
    }

    /// Returns the depth in 64ths of a ply.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Returns the whole plies, rounded down.
    #[inline]
    #[must_use]
    pub const fn whole(self) -> i32 {
        self.0.div_euclid(Depth::UNIT)
    }
}

impl Add for Depth {
    type Output = Depth;

    #[inline]
    fn add(self, rhs: Depth) -> Depth {
        Depth(self.0 + rhs.0)
    }
}

impl Sub for Depth {
    type Output = Depth;

    #[inline]
    fn sub(self, rhs: Depth) -> Depth {
        Depth(self.0 - rhs.0)
    }
}

impl AddAssign for Depth {
    #[inline]
    fn add_assign(&mut self, rhs: Depth) {
        self.0 += rhs.0;
    }
}

impl SubAssign for Depth {
    #[inline]
    fn sub_assign(&mut self, rhs: Depth) {
        self.0 -= rhs.0;
    }
}

/// Distance from the root of the search, in plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ply(pub u16);

impl Ply {
    /// Returns the ply after this one.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// Returns the ply `n` later.
    #[inline]
    #[must_use]
    pub const fn plus(self, n: u16) -> Ply {
        Ply(self.0 + n)
    }
}

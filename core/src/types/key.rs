//! Position keys.

use std::ops::{BitXor, BitXorAssign};

/// A Zobrist key: equal positions have equal keys, in every version of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;

    #[inline]
    fn bitxor(self, rhs: Key) -> Key {
        Key(self.0 ^ rhs.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, rhs: Key) {
        self.0 ^= rhs.0;
    }
}

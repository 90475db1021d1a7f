//! Zobrist keys.

use crate::rng::SplitMix64;
use crate::types::{Color, Key, MAX_POINTS, Point};

struct Keys {
    stones: [[u64; MAX_POINTS]; 2],
    walls: [u64; MAX_POINTS],
    white_to_move: u64,
}

static KEYS: Keys = keys();

const fn keys() -> Keys {
    let mut rng = SplitMix64::new(0x7465_6e67_656e);
    let mut keys = Keys { stones: [[0; MAX_POINTS]; 2], walls: [0; MAX_POINTS], white_to_move: 0 };
    let mut i = 0;
    while i < MAX_POINTS {
        keys.stones[0][i] = rng.next_u64();
        keys.stones[1][i] = rng.next_u64();
        keys.walls[i] = rng.next_u64();
        i += 1;
    }
    keys.white_to_move = rng.next_u64();
    keys
}

/// Returns the key of one stone.
#[inline]
#[must_use]
pub fn stone_key(point: Point, color: Color) -> Key {
    Key(KEYS.stones[color.index()][point.index()])
}

/// Returns the key of a neutral stone.
#[inline]
pub(super) fn wall_key(point: Point) -> Key {
    Key(KEYS.walls[point.index()])
}

/// Returns the key of the side to move.
#[inline]
#[must_use]
pub fn side_key(to_move: Color) -> Key {
    match to_move {
        Color::Black => Key(0),
        Color::White => Key(KEYS.white_to_move),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_in_every_version() {
        let h8 = Point::from_index(7 * 22 + 7);
        assert_eq!(stone_key(h8, Color::Black).0, STABLE.0);
        assert_eq!(stone_key(h8, Color::White).0, STABLE.1);
        assert_eq!(side_key(Color::White).0, STABLE.2);
    }

    const STABLE: (u64, u64, u64) =
        (6_040_342_217_848_787_711, 7_644_547_806_488_463_322, 7_180_443_216_777_110_590);
}

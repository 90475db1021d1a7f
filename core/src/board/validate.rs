//! The slow truth about a board.

use super::{Board, LineRef, lines, stone_key, zobrist};
use crate::types::{Cell, Color, Dir, Key};

impl Board {
    /// Returns the key computed from the stones alone.
    #[must_use]
    pub fn recompute_key(&self) -> Key {
        self.size.points().fold(Key::default(), |key, point| {
            key ^ match self.cell(point) {
                Cell::Stone(color) => stone_key(point, color),
                Cell::Wall => zobrist::wall_key(point),
                Cell::Empty => Key::default(),
            }
        })
    }

    /// Checks that everything kept incrementally equals what follows from the stones.
    ///
    /// # Panics
    ///
    /// Panics if anything differs.
    pub fn validate(&self) {
        assert_eq!(self.key, self.recompute_key(), "the key is out of step");
        for color in Color::ALL {
            let count = self.size.points().filter(|&p| self.cell(p) == Cell::Stone(color)).count();
            assert_eq!(count, self.stones(color), "the number of {color} stones is out of step");
        }
        for point in self.size.points() {
            for dir in Dir::ALL {
                let at = LineRef::of(point, dir);
                let word = self.lines[at.line] >> (2 * (at.pos + lines::PADDING));
                assert_eq!(lines::decode(word), self.cell(point), "{point} {dir:?}");
            }
        }
    }
}

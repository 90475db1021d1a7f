//! In which order equal children are searched.
//!
//! The numbers are the prover's own. Those of the search's move ordering are fitted to games, and
//! with them every fit would change which wins are found within a limit.

use crate::patterns::{PointClass, Shape};
use crate::position::Position;
use crate::types::{Color, Point};

/// What a stone that makes this of a line is worth, by [`Shape`]. Set by hand.
const LINES: [i32; Shape::COUNT] = [0, 2, 6, 8, 18, 22, 26, 30, 62, 70, 60, 100, 120, 200, 0];

/// What the class of a cell adds to its four lines, by [`PointClass`]. Set by hand.
const CLASSES: [i32; PointClass::COUNT] = [0, 0, 0, 0, 6, 10, 0, 20, 120, 0, 30, 260, 600, 1200];

/// Returns how much an empty cell promises to the attacker: the more, the sooner it is tried, by
/// the attacker, and by the defender to keep the attacker from it.
pub(super) fn promise(position: &Position, point: Point, attacker: Color) -> i32 {
    let shapes = position.tracker().shapes(point, attacker);
    let shape = |dir: u32| Shape::from_index(usize::from(shapes >> (4 * dir) & 15));
    let lines: i32 = (0..4).map(|dir| LINES[shape(dir) as usize]).sum();
    lines + CLASSES[position.class(point, attacker).index()]
}

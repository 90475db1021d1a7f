//! The order in which equal children are searched.
//!
//! It follows the hand-tuned weights: those of the search's move ordering are fitted to games, and
//! with them every fit would change which wins are found within a limit.

use crate::eval::classical::hand_tuned;
use crate::patterns::Shape;
use crate::position::Position;
use crate::types::{Color, Dir, Point};

/// Returns how much an empty cell promises to the attacker: the more, the sooner it is tried, by
/// the attacker, and by the defender to keep the attacker from it.
pub(super) fn promise(position: &Position, point: Point, attacker: Color) -> i32 {
    let shapes = position.tracker().shapes(point, attacker);
    let shapes = Dir::ALL.map(|dir| Shape::in_code(shapes, dir));
    hand_tuned::move_score(shapes, position.class(point, attacker))
}

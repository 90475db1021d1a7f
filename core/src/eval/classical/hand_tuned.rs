//! The hand-tuned weights, from which fits start and to which they return where data are scarce.
//!
//! Their relative size comes from a logistic regression of the results of 8,000 self-play games
//! with 3,000 nodes per move on the numbers of cells of each kind. Each cell counts by the shapes
//! that a stone there makes on its four lines, plus a value for the class that they combine to.

use super::weights::{CELL_SCALE, FamilyWeights};
use crate::patterns::{Family, PatternSet, PointClass, Shape};

/// The value of one line through a cell, by [`Shape`], in units.
const LINE_VALUES: [i32; Shape::COUNT] = [0, 0, 0, 1, 15, 16, 18, 17, 20, 25, 26, 36, 45, 48, 0];

/// The value that a class adds to its lines, by [`PointClass`]. A weak shape alone is worth little;
/// a second one on the same cell makes the difference.
const CLASS_VALUES: [i32; PointClass::COUNT] =
    [0, -20, -15, -13, -20, -14, -2, 8, 20, -3, 10, 32, 36, 40];

/// The interest of one line in move ordering, by [`Shape`].
const LINE_ORDER: [i32; Shape::COUNT] = [0, 2, 6, 8, 18, 22, 26, 30, 62, 70, 60, 100, 120, 200, 0];

/// The interest that a class adds to its lines, by [`PointClass`].
const CLASS_ORDER: [i32; PointClass::COUNT] =
    [0, 0, 0, 0, 6, 10, 0, 20, 120, 0, 30, 260, 600, 1200];

/// The ordering score of 1 unit of the side's own interest.
const ORDER_OWN: i32 = 16;
/// The ordering score of 1 unit of the opponent's interest.
const ORDER_THEIR: i32 = 11;

/// The value of the tempo, in addition to the cells, by the strongest class that the side to move
/// can play now, in units.
const OURS: [i32; PointClass::COUNT] = [0, 0, 4, 4, 20, 25, 30, 46, 70, 70, 86, 167, 300, 600];
/// The amount subtracted from the tempo, by the strongest class that the opponent can play next.
const THEIRS: [i32; PointClass::COUNT] =
    [-20, -20, -20, -20, -15, 0, 0, 19, 22, 58, 68, 80, 150, 300];

/// The increase of the score, in units, that multiplies the odds of winning by e.
pub(super) const WIN_SCALE: u16 = 400;

/// Returns the interest of a cell by the hand-tuned weights, from its shapes and their class; 0 or
/// more. Fits do not change it.
#[must_use]
pub fn move_score(shapes: [Shape; 4], class: PointClass) -> i32 {
    let lines: i32 = shapes.iter().map(|&shape| LINE_ORDER[shape as usize]).sum();
    lines + CLASS_ORDER[class.index()]
}

/// Returns the hand-tuned weights of a family.
pub(super) fn family(family: Family) -> FamilyWeights {
    let mut weights = FamilyWeights::zero();
    for set in PatternSet::all() {
        let shapes = set.shapes();
        let class = PointClass::combine(family, shapes);
        let lines: i32 = match class {
            PointClass::Forbidden => 0,
            _ => shapes.iter().map(|&shape| LINE_VALUES[shape as usize]).sum(),
        };
        let cell = lines + CLASS_VALUES[class.index()];
        weights.set_cell(set, f64::from(cell * CELL_SCALE));
        let order = move_score(shapes, class);
        weights.set_order_own(set, f64::from(order * ORDER_OWN));
        weights.set_order_their(set, f64::from(order * ORDER_THEIR));
    }
    for ours in PointClass::ALL {
        for theirs in PointClass::ALL {
            let value = OURS[ours.index()] - THEIRS[theirs.index()];
            weights.set_tempo(ours, theirs, value.into());
        }
    }
    weights
}

//! The numbers set by hand, from which fits start and to which they return where data are few.
//!
//! Their relative size comes from a logistic regression of the results of 8,000 self-play games of
//! 3,000 nodes a move on the numbers of cells of each kind. Each cell counts by what a stone there
//! would make of the four lines through it, plus something for the class that they combine to.

use super::weights::{CELL_SCALE, FamilyWeights};
use crate::patterns::{Family, PatternSet, PointClass, Shape};

/// The evaluation of one line through a cell, by [`Shape`], in units.
const LINE_VALUES: [i32; Shape::COUNT] = [0, 0, 0, 1, 15, 16, 18, 17, 20, 25, 26, 36, 45, 48, 0];

/// What a class adds to the lines it is made of, by [`PointClass`]. A weak shape alone is worth
/// little; it is the second one on the same cell that counts.
const CLASS_VALUES: [i32; PointClass::COUNT] =
    [0, -20, -15, -13, -20, -14, -2, 8, 20, -3, 10, 32, 36, 40];

/// The interest in playing one line, by [`Shape`], for move ordering.
const LINE_ORDER: [i32; Shape::COUNT] = [0, 2, 6, 8, 18, 22, 26, 30, 62, 70, 60, 100, 120, 200, 0];

/// What a class adds to the interest of its lines, by [`PointClass`].
const CLASS_ORDER: [i32; PointClass::COUNT] =
    [0, 0, 0, 0, 6, 10, 0, 20, 120, 0, 30, 260, 600, 1200];

/// What an interest of 1 is worth in the table if it is one's own.
const ORDER_OWN: i32 = 16;
/// What an interest of 1 is worth in the table if it is the opponent's.
const ORDER_THEIR: i32 = 11;

/// What the tempo is worth on top of the cells, by the strongest class that the side to move
/// can play now, in units.
const OURS: [i32; PointClass::COUNT] = [0, 0, 4, 4, 20, 25, 30, 46, 70, 70, 86, 167, 300, 600];
/// What it costs, by the strongest class that the opponent can play next.
const THEIRS: [i32; PointClass::COUNT] =
    [-20, -20, -20, -20, -15, 0, 0, 19, 22, 58, 68, 80, 150, 300];

/// The score, in units, that the odds of winning grow with by a factor of e.
pub(super) const WIN_SCALE: u16 = 400;

/// Returns how much the shapes of a cell, and the class that they combine to, speak for playing on
/// it by the numbers set by hand, from 0 up: what no fit changes.
#[must_use]
pub fn move_score(shapes: [Shape; 4], class: PointClass) -> i32 {
    let lines: i32 = shapes.iter().map(|&shape| LINE_ORDER[shape as usize]).sum();
    lines + CLASS_ORDER[class.index()]
}

/// Returns the numbers of a family.
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

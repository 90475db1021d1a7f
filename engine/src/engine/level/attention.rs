//! The cells that a player overlooks.
//!
//! Attention is on the last moves, and on what catches the eye: a five more than a three, a row
//! more than a diagonal, stones side by side more than stones with a gap.

use tengen_core::patterns::{PointClass, Shape};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Run;
use tengen_core::types::{Color, Dir, Point, PointSet};

/// Probabilities are in thousandths.
const CERTAIN: u32 = 1000;

/// The chance to overlook something by its distance from the last moves; farther cells are
/// all alike.
const BY_DISTANCE: [u32; 7] = [0, 100, 250, 450, 700, 900, CERTAIN];

/// The factor for what happens on a diagonal.
const DIAGONAL: u32 = 1400;
/// The factor for stones with a gap between them.
const SPLIT: u32 = 1500;
/// The factor for what one does oneself: plans are remembered.
const OWN: u32 = 600;

/// The largest distance between stones of one row of five.
const REACH: u8 = 4;

/// The factor for a cell where nothing happens: not to see it only narrows the view.
const NOTHING: u32 = 300;

/// The chance to overlook a threat by what a stone there makes; `None` if it makes nothing.
const fn quietness(class: PointClass) -> Option<u32> {
    match class {
        PointClass::Five => Some(150),
        PointClass::OpenFour => Some(600),
        PointClass::Four | PointClass::FourPlus | PointClass::FourThree => Some(800),
        PointClass::Three | PointClass::ThreePlus | PointClass::DoubleThree => Some(900),
        _ => None,
    }
}

/// Returns the cells near the stones that the side to move overlooks, never one where it makes
/// five. `blindness` is how likely that is, in thousandths, of a cell that nothing draws the eye
/// to.
pub(super) fn overlooked(position: &Position, blindness: u32, rng: &mut SplitMix64) -> PointSet {
    let us = position.to_move();
    let near = position.tracker().near();
    near.iter()
        .filter(|&point| {
            let chance = chance_to_overlook(position, point, blindness);
            rng.below(CERTAIN as usize) < chance as usize
                && position.class(point, us) != PointClass::Five
        })
        .collect()
}

/// Returns how likely an empty cell is to be overlooked, in thousandths: whoever sees what one
/// colour does there sees the cell.
fn chance_to_overlook(position: &Position, point: Point, blindness: u32) -> u32 {
    let threats = Color::ALL.into_iter().filter_map(|color| hiddenness(position, point, color));
    let hidden = threats
        .min()
        .unwrap_or_else(|| NOTHING * by_distance(position, |last| last.distance(point)) / CERTAIN);
    (blindness * hidden / CERTAIN).min(CERTAIN)
}

/// Returns how well hidden is the threat that a stone of a colour makes on an empty cell, in
/// thousandths.
fn hiddenness(position: &Position, point: Point, color: Color) -> Option<u32> {
    let quiet = quietness(position.class(point, color))?;
    let codes = position.tracker().shapes(point, color);
    let shape = |dir: Dir| Shape::in_code(codes, dir);
    let dir = Dir::ALL.into_iter().max_by_key(|&dir| rank(shape(dir)))?;
    // The eye follows a row from the stone that was just added to it.
    let distance = |last| if is_on_line(last, point, dir) { 1 } else { last.distance(point) };
    let mut hidden = quiet * by_distance(position, distance) / CERTAIN;
    if color == position.to_move() {
        hidden = hidden * OWN / CERTAIN;
    }
    if matches!(dir, Dir::Diagonal | Dir::Antidiagonal) {
        hidden = hidden * DIAGONAL / CERTAIN;
    }
    if is_split(position, point, color, dir, shape(dir)) {
        hidden = hidden * SPLIT / CERTAIN;
    }
    Some(hidden)
}

/// Returns the factor for the distance from the nearer one of the last two moves.
fn by_distance(position: &Position, distance: impl Fn(Point) -> u8) -> u32 {
    let last = (0..2).filter_map(|ago| position.last_move(ago));
    // Where nobody knows what was played last, something in the middle.
    let nearest = last.map(distance).min().map_or(BY_DISTANCE.len() / 2, usize::from);
    BY_DISTANCE[nearest.min(BY_DISTANCE.len() - 1)]
}

/// Returns the strength of a shape; an overline is none.
const fn rank(shape: Shape) -> usize {
    match shape {
        Shape::Overline => 0,
        shape => shape as usize,
    }
}

/// Returns whether a stone at `last` can belong to one row of five with a stone on `point`.
fn is_on_line(last: Point, point: Point, dir: Dir) -> bool {
    (1..=i32::from(REACH))
        .any(|steps| [-steps, steps].into_iter().any(|s| point.offset(dir, s) == Some(last)))
}

/// Returns whether the stones that a stone on `point` makes a shape with don't stand side by side.
fn is_split(position: &Position, point: Point, color: Color, dir: Dir, shape: Shape) -> bool {
    let stones = match shape {
        Shape::Five => 5,
        Shape::Four | Shape::DoubleFour | Shape::OpenFour => 4,
        Shape::OpenThree | Shape::OpenThreeFree | Shape::BlockedThree => 3,
        _ => 0,
    };
    Run::through(position.board(), point, color, dir).len < stones
}

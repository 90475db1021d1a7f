//! The cells on which a stone answers a threat, found from the pattern tables.
//!
//! A threat is a cell with a certain class for the attacker. A stone of the defender refutes it if
//! it makes the class weaker, by standing on the cell or in one of its windows. A reply to several
//! threats must refute each, so the sets are intersected. This needs no distinction between
//! straight, split and closed threes, and it is correct for every rule because the tables are.

use crate::board::lines::PADDING;
use crate::patterns::{PointClass, Shape};
use crate::position::Position;
use crate::types::{Color, Dir, Point, PointSet};

/// Returns the cells that stop all threats of the attacker to make an open four or two fours. Fours
/// of the defender, which delay the threats, are not included.
#[must_use]
pub fn defences(position: &Position, attacker: Color) -> PointSet {
    common_killers(position, attacker, PointClass::OpenFour)
}

/// Returns the cells that stop the attacker from winning with the next stone.
///
/// That is the winning cell itself if there is only one, and no cell if there are several. Caro is
/// the exception, since a stone behind a row can enclose it.
#[must_use]
pub fn five_defences(position: &Position, attacker: Color) -> PointSet {
    common_killers(position, attacker, PointClass::Five)
}

fn common_killers(position: &Position, attacker: Color, class: PointClass) -> PointSet {
    let mut common = None;
    for cell in position.cells_of(attacker, class) {
        let set = refutations(position, attacker, cell, class);
        let rest = common.map_or(set, |c: PointSet| c & set);
        if rest.is_empty() {
            return rest;
        }
        common = Some(rest);
    }
    common.unwrap_or(PointSet::EMPTY)
}

/// Returns the cells where a stone of the defender weakens `cell` below `class`.
fn refutations(position: &Position, attacker: Color, cell: Point, class: PointClass) -> PointSet {
    let tracker = position.tracker();
    let codes = tracker.shapes(cell, attacker);
    let mut set = PointSet::EMPTY;
    set.insert(cell);
    for dir in Dir::ALL {
        if Shape::in_code(codes, dir) < Shape::OpenThree {
            continue;
        }
        for_each_changed(position, cell, dir, !attacker, |stone, shapes| {
            let code = with_shape(codes, dir, shapes[attacker.index()]);
            if tracker.tables().cell(attacker, code).class() < class {
                set.insert(stone);
            }
        });
    }
    set
}

/// Calls `f` for each empty cell in the window of `cell` in a direction, with the shapes, black's
/// and white's, that `cell` would have in this direction after a stone of `color` there.
#[inline]
fn for_each_changed(
    position: &Position,
    cell: Point,
    dir: Dir,
    color: Color,
    mut f: impl FnMut(Point, [Shape; 2]),
) {
    let tables = position.tracker().tables();
    let half = tables.half() as i32;
    let (line, pos) = position.board().line(cell, dir);
    for steps in (-half..=half).filter(|&s| s != 0) {
        let shift = 2 * (pos as i32 + PADDING as i32 + steps);
        if line >> shift & 3 != 3 {
            continue;
        }
        let stone = match color {
            Color::Black => line ^ 1 << shift,
            Color::White => line ^ 2 << shift,
        };
        if let Some(point) = cell.offset(dir, steps) {
            f(point, tables.shapes(tables.window_key(stone, pos)).0);
        }
    }
}

fn with_shape(codes: u16, dir: Dir, shape: Shape) -> u16 {
    codes & !(15 << (4 * dir.index())) | (shape as u16) << (4 * dir.index())
}

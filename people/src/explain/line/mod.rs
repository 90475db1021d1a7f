//! The effect of the first move of a line.

use super::effect::Effect;
use super::remark::{Remark, remarks};
use super::threat::{Threat, threats};
use tengen_core::position::Position;
use tengen_core::types::Point;

/// The plies of a line in which something that is made counts as what it leads to.
const AHEAD: usize = 9;

/// Returns what the first move of a line does, what decides most first; empty if nothing can be seen.
///
/// That is what usually wins, here or later in the line; a three or a four here; what usually wins for
/// the opponent, and is stopped; what usually wins next; a three or a four with the stone later in the line.
#[must_use]
pub fn effects_of(position: &Position, line: &[Point]) -> Vec<Effect> {
    let Some(&point) = line.first() else { return Vec::new() };
    let mut position = position.clone();
    let made = made_by_line(&position, line);
    let of = |&(cell, threat): &(Point, Threat)| match cell == point {
        true => Effect::Makes(threat),
        false => Effect::HeadsFor(threat, cell),
    };
    let mut effects = Vec::new();
    effects.extend(made.iter().find(|(_, threat)| threat.usually_wins()).map(of));
    effects.extend(made.first().filter(|(cell, _)| *cell == point).map(of));
    effects.extend(remarks(&mut position, point).into_iter().filter_map(|remark| match remark {
        Remark::Stops(threat, cell) => Some(Effect::Stops(threat, cell)),
        _ => None,
    }));
    effects.extend(prepared(&mut position, point));
    effects.extend(made.iter().find(|(cell, _)| is_near_on_line(*cell, point)).map(of));
    effects
}

/// Returns whether stones on two cells may be parts of one three or four.
fn is_near_on_line(one: Point, other: Point) -> bool {
    let (dx, dy) = (one.x().abs_diff(other.x()), one.y().abs_diff(other.y()));
    dx.max(dy) <= 4 && (dx == 0 || dy == 0 || dx == dy)
}

/// Returns what the side to move makes by a line, as far as it can be played.
fn made_by_line(position: &Position, line: &[Point]) -> Vec<(Point, Threat)> {
    let mut position = position.clone();
    let us = position.to_move();
    let mut made = Vec::new();
    for &point in line.iter().take(AHEAD) {
        if !position.size().contains(point) || !position.board().is_empty(point) {
            break;
        }
        if position.to_move() == us {
            made.extend(Threat::of(&mut position, point, us).map(|threat| (point, threat)));
        }
        position.play_unchecked(point);
    }
    made
}

/// Returns the most that usually wins and that a move of the side to move makes possible next.
fn prepared(position: &mut Position, point: Point) -> Option<Effect> {
    let us = position.to_move();
    let before = threats(position, us);
    position.play_unchecked(point);
    let after = threats(position, us);
    position.undo();
    let is_new = |new: &(Point, Threat)| {
        let known = before.iter().find(|(cell, _)| *cell == new.0);
        new.1.usually_wins() && known.is_none_or(|known| known.1 < new.1)
    };
    // The first of the strongest.
    let new = after.into_iter().filter(is_new).rev().max_by_key(|&(_, threat)| threat);
    new.map(|(cell, threat)| Effect::Prepares(threat, cell))
}

#[cfg(test)]
mod tests;

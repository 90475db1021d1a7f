//! Remarks on a move.

use std::fmt;

use super::effect::Effect;
use super::threat::{Threat, WinAhead, threats};
use tengen_core::notation::Origin;
use tengen_core::position::Position;
use tengen_core::rules::{Rule, Violation, violation};
use tengen_core::types::{Color, Point, Size};

/// Something worth saying about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Remark {
    /// The move is forbidden to black, and loses.
    Forbidden(Violation),
    /// The stone makes something.
    Makes(Threat),
    /// The opponent could have made this on the cell, and can no longer.
    Stops(Threat, Point),
    /// The opponent can still make this on the cell.
    Leaves(Threat, Point),
    /// Another stone would have made something that usually wins.
    Misses(Threat, Point),
    /// There was a proven win, which began on the cell.
    MissesWin(WinAhead, Point),
    /// The move wins, but there was a proven win, which began on the cell if one is known.
    HadWin(WinAhead, Option<Point>),
    /// The opponent has a proven win now, which begins on the cell.
    Allows(Color, WinAhead, Point),
    /// The opponent goes to the cell, and does something by that.
    Lets(Color, Point, Option<Effect>),
    /// The stone makes something that the opponent answers on the cell, and no more comes of it.
    Wastes(Threat, Point),
    /// The opponent goes to the cell, where the move should have gone.
    Cedes(Color, Point),
    /// The side makes this on the cell later, by the best line for both.
    HeadsFor(Threat, Point),
    /// The side can make this on the cell next.
    Prepares(Threat, Point),
}

impl Remark {
    /// Returns the remark whose text names the cells by rows counted from an edge; as it is made,
    /// they count from the top.
    #[must_use]
    pub fn seen_from(self, origin: Origin, size: Size) -> Remark {
        let turn = |point| origin.turn(point, size);
        match self {
            Remark::Stops(threat, point) => Remark::Stops(threat, turn(point)),
            Remark::Leaves(threat, point) => Remark::Leaves(threat, turn(point)),
            Remark::Misses(threat, point) => Remark::Misses(threat, turn(point)),
            Remark::MissesWin(win, point) => Remark::MissesWin(win, turn(point)),
            Remark::HadWin(win, point) => Remark::HadWin(win, point.map(turn)),
            Remark::Allows(winner, win, point) => Remark::Allows(winner, win, turn(point)),
            Remark::Lets(color, point, effect) => {
                let effect = effect.map(|effect| effect.seen_from(origin, size));
                Remark::Lets(color, turn(point), effect)
            }
            Remark::Wastes(threat, point) => Remark::Wastes(threat, turn(point)),
            Remark::Cedes(color, point) => Remark::Cedes(color, turn(point)),
            Remark::HeadsFor(threat, point) => Remark::HeadsFor(threat, turn(point)),
            Remark::Prepares(threat, point) => Remark::Prepares(threat, turn(point)),
            Remark::Forbidden(_) | Remark::Makes(_) => self,
        }
    }

    /// Returns the cell that it names, if it names one; the first of two.
    #[must_use]
    pub const fn cell(self) -> Option<Point> {
        match self {
            Remark::Stops(_, point)
            | Remark::Leaves(_, point)
            | Remark::Misses(_, point)
            | Remark::MissesWin(_, point)
            | Remark::Allows(_, _, point)
            | Remark::Lets(_, point, _)
            | Remark::Wastes(_, point)
            | Remark::Cedes(_, point)
            | Remark::HeadsFor(_, point)
            | Remark::Prepares(_, point) => Some(point),
            Remark::HadWin(_, point) => point,
            Remark::Forbidden(_) | Remark::Makes(_) => None,
        }
    }

    /// Returns whether it says what is wrong with a move.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(
            self,
            Remark::Makes(_) | Remark::Stops(..) | Remark::HeadsFor(..) | Remark::Prepares(..)
        )
    }
}

impl fmt::Display for Remark {
    /// Writes what a player would say of the move, as in `makes a four-three`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Forbidden(kind) => write!(f, "is forbidden: {}", in_words(*kind)),
            Remark::Makes(threat) => write!(f, "makes {}", threat.with_article()),
            Remark::Stops(threat, point) => write!(f, "stops the {threat} at {point}"),
            Remark::Leaves(threat, point) => write!(f, "leaves the {threat} at {point}"),
            Remark::Misses(threat, point) => {
                write!(f, "misses {} at {point}", threat.with_article())
            }
            Remark::MissesWin(win, point) => write!(f, "misses a win {win} from {point}"),
            Remark::HadWin(win, None) => write!(f, "a win {win} was there"),
            Remark::HadWin(win, Some(point)) => write!(f, "a win {win} was there, from {point}"),
            Remark::Allows(winner, win, point) => {
                write!(f, "lets {winner} win {win} from {point}")
            }
            Remark::Lets(color, point, None) => write!(f, "lets {color} play {point}"),
            Remark::Lets(color, point, Some(effect)) => {
                write!(f, "lets {color} {}", effect.of_move(*point))
            }
            Remark::Wastes(threat, point) => {
                write!(f, "wastes {}, answered at {point}", threat.with_article())
            }
            Remark::Cedes(color, point) => write!(f, "leaves {point} to {color}"),
            Remark::HeadsFor(threat, point) => {
                write!(f, "heads for {} at {point}", threat.with_article())
            }
            Remark::Prepares(threat, point) => {
                write!(f, "prepares {} at {point}", threat.with_article())
            }
        }
    }
}

/// Returns the words for what renju forbids.
const fn in_words(kind: Violation) -> &'static str {
    match kind {
        Violation::Overline => "overline",
        Violation::DoubleFour => "double four",
        Violation::DoubleThree => "double three",
    }
}

/// Returns what a move of the side to move on an empty cell makes, stops and leaves, in this order.
///
/// Of the opponent's threats those count that usually win, each kind once, with the first of its
/// cells: it is stopped if none of them is left. A five of the opponent makes everything else
/// unimportant, and what is left does not matter yet if the opponent first has to answer something
/// as strong.
#[must_use]
pub fn remarks(position: &mut Position, point: Point) -> Vec<Remark> {
    let us = position.to_move();
    if position.rule() == Rule::Renju
        && us == Color::Black
        && let Some(kind) = violation(position.board(), point)
    {
        return vec![Remark::Forbidden(kind)];
    }
    let made = Threat::of(position, point, us);
    let mut remarks: Vec<Remark> = made.map(Remark::Makes).into_iter().collect();
    let mut theirs = threats(position, !us);
    if theirs.iter().any(|&(_, threat)| threat == Threat::Five) {
        theirs.retain(|&(_, threat)| threat == Threat::Five);
    }
    position.play_unchecked(point);
    let mut left = Vec::new();
    for &kind in Threat::ALL.iter().rev().filter(|kind| kind.usually_wins()) {
        let cells: Vec<Point> =
            theirs.iter().filter(|(_, threat)| *threat == kind).map(|&(cell, _)| cell).collect();
        let mut is_left =
            |cell: Point| cell != point && Threat::of(position, cell, !us) >= Some(kind);
        match (cells.first(), cells.iter().copied().find(|&cell| is_left(cell))) {
            (Some(&cell), None) => remarks.push(Remark::Stops(kind, cell)),
            (_, Some(cell)) if !comes_first(made, kind) => left.push(Remark::Leaves(kind, cell)),
            _ => {}
        }
    }
    position.undo();
    remarks.extend(left);
    remarks
}

/// Returns whether the opponent has to answer what a move made before it can make its own.
fn comes_first(made: Option<Threat>, theirs: Threat) -> bool {
    made >= Some(match theirs {
        Threat::Five => Threat::Five,
        Threat::OpenFour | Threat::DoubleFour => Threat::Four,
        _ => Threat::OpenThree,
    })
}

/// Returns what `best` would have made if it usually wins and is more than what `played` makes,
/// both being empty cells and moves of the side to move.
#[must_use]
pub fn missed(position: &mut Position, played: Point, best: Point) -> Option<Remark> {
    let us = position.to_move();
    let threat = Threat::of(position, best, us).filter(|threat| threat.usually_wins())?;
    let is_more = Threat::of(position, played, us) < Some(threat);
    is_more.then_some(Remark::Misses(threat, best))
}

#[cfg(test)]
mod tests;

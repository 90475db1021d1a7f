//! The effects of a move that forces replies or starts a line.

use super::threat::Threat;
use tengen_core::notation::Origin;
use tengen_core::types::{Point, Size};

/// The effects of a move, as far as the stones and the line that it begins show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// The stone makes something.
    Makes(Threat),
    /// By the line, the side makes this on the cell later.
    HeadsFor(Threat, Point),
    /// The opponent could have made this on the cell, and can no longer.
    Stops(Threat, Point),
    /// The side can make this on the cell next.
    Prepares(Threat, Point),
}

impl Effect {
    /// Returns the effect whose text names the cells by rows counted from an edge.
    #[must_use]
    pub(super) fn seen_from(self, origin: Origin, size: Size) -> Effect {
        let turn = |point| origin.turn(point, size);
        match self {
            Effect::Makes(_) => self,
            Effect::HeadsFor(threat, point) => Effect::HeadsFor(threat, turn(point)),
            Effect::Stops(threat, point) => Effect::Stops(threat, turn(point)),
            Effect::Prepares(threat, point) => Effect::Prepares(threat, turn(point)),
        }
    }

    /// Returns the words for a move on `point` that does it, as in `make a four at h8`.
    pub(super) fn of_move(self, point: Point) -> String {
        match self {
            Effect::Makes(threat) => format!("make {} at {point}", threat.with_article()),
            Effect::HeadsFor(threat, cell) => {
                format!("play {point} and head for {} at {cell}", threat.with_article())
            }
            Effect::Stops(threat, cell) if cell == point => format!("stop the {threat} at {cell}"),
            Effect::Stops(threat, cell) => format!("play {point} and stop the {threat} at {cell}"),
            Effect::Prepares(threat, cell) => {
                format!("play {point} and prepare {} at {cell}", threat.with_article())
            }
        }
    }
}

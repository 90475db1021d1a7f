//! The threats of a position, cell by cell.

use super::CasualGame;
use crate::explain::{Threat, threats};
use tengen_core::rules::Violation;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{ByColor, Color, Point, PointSet};

/// The shapes that stones on empty cells would make, and the threats to answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatMap {
    /// The shapes of each side, row by row.
    pub makes: ByColor<Vec<(Point, Threat)>>,
    /// Knowledge about the position for the side to move.
    pub check: ThreatCheck,
    /// The cells that renju forbids to the side to move, with the reasons.
    pub forbidden: Vec<(Point, Violation)>,
}

impl ThreatMap {
    /// Returns the threats in the position of a game; `None` if the game is over.
    #[must_use]
    pub fn of(game: &CasualGame) -> Option<ThreatMap> {
        if game.end().is_some() {
            return None;
        }
        let mut position = game.position();
        Some(ThreatMap {
            makes: ByColor::from_fn(|color| threats(&mut position, color)),
            check: full_threat_check(&mut position),
            forbidden: game.forbidden(),
        })
    }

    /// Returns the moves that are left to the side to move if the opponent threatens to win: every
    /// other one loses.
    #[must_use]
    pub fn answers(&self) -> Option<PointSet> {
        match self.check {
            ThreatCheck::Open(replies) => replies.set(),
            ThreatCheck::Win(_) | ThreatCheck::Loss(_) => None,
        }
    }

    /// Returns what a stone of a side would make on a cell.
    #[must_use]
    pub fn made_by(&self, color: Color, point: Point) -> Option<Threat> {
        self.makes[color].iter().find(|(cell, _)| *cell == point).map(|&(_, threat)| threat)
    }

    /// Returns why a cell is forbidden to the side to move.
    #[cfg(test)]
    pub(super) fn why_forbidden(&self, point: Point) -> Option<Violation> {
        self.forbidden.iter().find(|(cell, _)| *cell == point).map(|&(_, kind)| kind)
    }
}

//! An assessor without a search, for tests.

use super::assess::{Assessment, Assessor, Candidate, Proven, ReviewTask};
use crate::explain::WinMeans;
use tengen_core::eval::WinDrawLoss;
use tengen_core::notation::parse_moves;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Point, Size};
use tengen_files::work::Stop;

/// Makes up chances from the key of a position. The best move is the first empty cell, or the
/// second.
#[derive(Debug, Default)]
pub(super) struct MadeUp {
    /// The positions assessed since the beginning of the game.
    pub(super) assessed: usize,
    /// The games begun.
    pub(super) games: usize,
}

impl Assessor for MadeUp {
    fn begin(&mut self, _: Rule) {
        self.assessed = 0;
        self.games += 1;
    }

    fn assess(&mut self, position: &mut Position, stop: &Stop) -> Option<Assessment> {
        self.assessed += 1;
        let line = position.tracker().empties().iter().take(1).collect();
        let other = position.tracker().empties().iter().nth(1);
        let Assessment { chances, proven, .. } = even(0.0);
        let candidates = other.map(|point| Candidate { line: vec![point], chances, proven });
        let here = even((position.key().0 % 10_001) as f64 / 1e4);
        (!stop.is_set()).then(|| Assessment {
            line,
            candidates: candidates.into_iter().collect(),
            ..here
        })
    }

    fn assess_without(
        &mut self,
        position: &mut Position,
        excluded: Point,
        stop: &Stop,
    ) -> Option<Assessment> {
        let empties = position.tracker().empties();
        let line = empties.iter().find(|&point| point != excluded).into_iter().collect();
        (!stop.is_set()).then_some(Assessment { line, ..even(0.5) })
    }
}

/// Returns chances without draws, and no line.
pub(super) fn even(win: f64) -> Assessment {
    let chances = super::assess::rounded(WinDrawLoss { win, draw: 0.0, loss: 1.0 - win });
    Assessment::of_chances(chances, Vec::new())
}

/// Returns chances and a line.
pub(super) fn worth(win: f64, line: &str) -> Assessment {
    Assessment { line: points(line), ..even(win) }
}

/// Returns a proof and a line for the side to move.
pub(super) fn proof(winner: Color, plies: u16, to_move: Color, line: &str) -> Assessment {
    Assessment::of_proof(Proven { winner, plies, means: WinMeans::Any }, to_move, points(line))
}

pub(super) fn points(text: &str) -> Vec<Point> {
    parse_moves(text, Size::DEFAULT).unwrap()
}

/// Returns the task of a freestyle game.
pub(super) fn task(moves: &str) -> ReviewTask {
    ReviewTask::new(Size::DEFAULT, Rule::Freestyle, points(moves), 0).unwrap()
}

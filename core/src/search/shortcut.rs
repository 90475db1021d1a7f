//! Moves that are played without a search.

use super::node::known_eval;
use super::root::WorkerResult;
use super::worker::{RootMove, Worker};
use crate::eval::Window;
use crate::patterns::PointClass;
use crate::threats::{ThreatCheck, full_threat_check, threat_check};
use crate::types::{Ply, Point, PointSet, Score};

impl Worker<'_> {
    /// Returns the move to play if the threats on the board decide it without a search, or if it is the only one.
    pub(super) fn obvious_move(&mut self) -> Option<WorkerResult> {
        let us = self.position.to_move();
        let lost = PointSet::EMPTY;
        let winning = match full_threat_check(&mut self.position) {
            ThreatCheck::Win(1) => Some((PointClass::Five, 1)),
            ThreatCheck::Win(3) => Some((PointClass::OpenFour, 3)),
            _ => None,
        };
        if let Some((class, plies)) = winning {
            let mut points = self.root_moves.iter().map(|root_move| root_move.point);
            if let Some(best) = points.find(|&point| self.position.class(point, us) == class) {
                let (score, line) = (Score::win_in(Ply(plies)), vec![best]);
                let (depth, finished) = (plies.into(), None);
                return Some(WorkerResult { best, score, line, depth, lost, finished });
            }
        }
        let &[RootMove { point: best, .. }] = &self.root_moves[..] else { return None };
        let line = [best].into_iter().chain(self.known_reply(best)).collect();
        let score = self.known_score(best);
        Some(WorkerResult { best, score, line, depth: 0, lost, finished: None })
    }

    /// Returns the reply to a root move that the table knows.
    pub(super) fn known_reply(&mut self, point: Point) -> Option<Point> {
        let hit = self.shared.table.probe(self.table_key(self.position.key_after(point)));
        let reply = hit?.best?;
        self.position.play_unchecked(point);
        let them = self.position.to_move();
        let legal = self.position.tracker().empties().contains(reply)
            && !self.position.is_forbidden(reply, them);
        self.position.undo();
        legal.then_some(reply)
    }

    /// Returns the score of a root move without a search: by the threats after it, or by the table, which often knows it
    /// from the search for the move before, or else by the evaluation.
    fn known_score(&mut self, point: Point) -> Score {
        let after = Ply(1);
        self.play(point);
        // Threats may be of moves that must not be played.
        let free = self.paths.is_none_or(|paths| paths.at(self.position.key()).is_none());
        let score = match threat_check(&mut self.position) {
            _ if self.position.empty_cells() == 0 => Score::ZERO,
            ThreatCheck::Win(plies) if free => Score::win_in(after.plus(plies)),
            ThreatCheck::Loss(plies) if free => Score::loss_in(after.plus(plies)),
            _ => {
                let hit = self.shared.table.probe(self.table_key(self.position.key()));
                let eval = hit.and_then(|h| h.eval);
                let eval = eval.unwrap_or_else(|| self.evaluate(Window::FULL));
                hit.map_or(eval, |hit| known_eval(eval, &hit, after))
            }
        };
        self.undo();
        -score
    }
}

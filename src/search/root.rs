//! Iterative deepening: the search seen from the root.

use std::time::Duration;

use super::node::Root;
use super::params;
use super::report::Report;
use super::time::{Iteration, Stability};
use super::worker::{RootMove, Worker};
use crate::eval::Evaluator;
use crate::patterns::PointClass;
use crate::threats::{Situation, analyse};
use crate::types::{Depth, Ply, Point, PointSet, Score};

/// The deepest iteration.
pub(super) const MAX_DEPTH: u32 = 120;

/// What one worker found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) best: Point,
    pub(super) score: Score,
    pub(super) line: Vec<Point>,
    /// The last finished iteration.
    pub(super) depth: u32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Fills the list of moves at the root, best first as far as can be told at a glance.
    ///
    /// Where a threat must be answered and can be, only the answers are listed. Forbidden points
    /// are left out unless nothing else is left.
    pub(super) fn set_root_moves(&mut self) {
        let us = self.position.to_move();
        let all = match analyse(&mut self.position) {
            Situation::Open(replies) => replies.set(),
            Situation::Win(_) | Situation::Loss(_) => None,
        };
        let near = self.position.tracker().near();
        let empties = *self.position.tracker().empties();
        let mut points = Vec::new();
        for set in [all.unwrap_or(near), near, empties] {
            points = self.legal(set & empties);
            if !points.is_empty() {
                break;
            }
        }
        if points.is_empty() {
            points = empties.iter().collect();
        }
        let position = &self.position;
        let center = position.size().center();
        let interest = |&point: &Point| {
            let ours = position.tracker().order(point, us);
            let theirs = position.tracker().order(point, !us);
            let distance = i32::from(point.distance(center));
            std::cmp::Reverse(64 * ours + theirs * params::ORDER_DEFENCE - distance)
        };
        points.sort_by_key(interest);
        self.root_moves = points
            .into_iter()
            .map(|point| RootMove {
                point,
                score: -Score::INFINITE,
                previous: -Score::INFINITE,
                line: vec![point],
            })
            .collect();
    }

    fn legal(&mut self, set: PointSet) -> Vec<Point> {
        let us = self.position.to_move();
        set.iter().filter(|&point| !self.position.is_forbidden(point, us)).collect()
    }

    /// Deepens until the control says to stop, telling `report` of each finished iteration.
    ///
    /// # Panics
    ///
    /// Panics if there is no root move.
    pub(super) fn deepen(&mut self, report: &mut dyn FnMut(Report)) -> Found {
        let mut found = Found {
            best: self.root_moves[0].point,
            score: Score::ZERO,
            line: self.root_moves[0].line.clone(),
            depth: 0,
        };
        let control = self.shared.control;
        // Helpers go on until the main thread has finished, whatever depth it is limited to.
        let last = match self.id {
            0 => control.max_depth().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            _ => MAX_DEPTH,
        };
        let mut stability = Stability::default();
        let mut before: Option<Score> = None;
        let mut finished_at = control.elapsed();
        let mut growth = 2.0;
        let mut duration = Duration::ZERO;
        for depth in 1..=last {
            // Helpers skip some depths, so that they don't all do the same work.
            if self.id > 0 && (depth + self.id as u32).is_multiple_of(3) && depth < last {
                continue;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            let score = self.aspirate(depth, found.score);
            self.sort_root_moves();
            let first = &self.root_moves[0];
            let known = first.score > -Score::INFINITE;
            if self.stopped {
                // What a cut-off iteration found is good if it is exact: it was searched deeper.
                if known && first.score > found.score {
                    found = found_from(first, found.depth);
                }
                break;
            }
            let changed = first.point != found.best;
            found = found_from(first, depth);
            found.score = score;
            stability.note(found.best, f64::from(u8::from(changed)));

            let elapsed = control.elapsed();
            let took = elapsed.saturating_sub(finished_at);
            if duration > Duration::from_millis(2) {
                growth = (growth + took.as_secs_f64() / duration.as_secs_f64()) / 2.0;
            }
            duration = took;
            finished_at = elapsed;
            if self.id != 0 {
                continue;
            }
            report(self.report(&found));
            let iteration = Iteration {
                elapsed,
                duration,
                depth,
                score,
                previous_score: before,
                stability,
                growth,
            };
            before = Some(score);
            if control.should_stop_after_iteration(&iteration) || self.is_settled(&found) {
                break;
            }
        }
        found
    }

    /// Searches the root with a window around the expected score, widened until it fits.
    fn aspirate(&mut self, depth: u32, expected: Score) -> Score {
        let plies = Depth::plies(depth as i32);
        let mut delta = params::ASPIRATION;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::ASPIRATION_DEPTH as u32 && !expected.is_decisive() {
            alpha = expected - delta;
            beta = expected + delta;
        }
        loop {
            for root_move in &mut self.root_moves {
                root_move.score = -Score::INFINITE;
            }
            self.seldepth = 0;
            let score = self.node::<Root>(Ply(0), alpha, beta, plies, false);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score::from_raw(i32::midpoint(alpha.raw(), beta.raw()));
                alpha = score - delta;
            } else if score >= beta && beta < Score::INFINITE {
                self.sort_root_moves();
                beta = score + delta;
            } else {
                return score;
            }
            delta += delta;
            if score.is_decisive() || delta > 2000 {
                alpha = -Score::INFINITE;
                beta = Score::INFINITE;
            }
        }
    }

    /// Puts the best move first; the order of the others is kept.
    fn sort_root_moves(&mut self) {
        self.root_moves.sort_by_key(|m| std::cmp::Reverse((m.score, m.previous)));
    }

    /// Returns whether deeper search can't change the move: there is only one, or a win or loss
    /// is known to its end.
    fn is_settled(&self, found: &Found) -> bool {
        let plies = match found.score.kind() {
            crate::types::ScoreKind::Win(plies) | crate::types::ScoreKind::Loss(plies) => plies,
            crate::types::ScoreKind::Value(_) => {
                return found.depth as usize > self.position.empty_cells();
            }
        };
        found.depth + 6 >= u32::from(plies)
    }

    fn report(&self, found: &Found) -> Report {
        let nodes = self.shared.others_nodes(self.id) + self.nodes;
        Report {
            depth: found.depth,
            seldepth: self.seldepth.into(),
            multipv: 1,
            score: found.score,
            nodes,
            elapsed: self.shared.control.elapsed(),
            pv: found.line.clone(),
        }
    }

    /// Returns the move to play without any search: what the threats on the board decide.
    pub(super) fn obvious_move(&mut self) -> Option<Found> {
        let us = self.position.to_move();
        let only = self.root_moves.first().filter(|_| self.root_moves.len() == 1);
        if let Some(only) = only {
            return Some(Found {
                best: only.point,
                score: Score::ZERO,
                line: vec![only.point],
                depth: 0,
            });
        }
        let (class, plies) = match analyse(&mut self.position) {
            Situation::Win(1) => (PointClass::Five, 1),
            Situation::Win(3) => (PointClass::OpenFour, 3),
            _ => return None,
        };
        let best = self.position.first_of(us, class)?;
        Some(Found {
            best,
            score: Score::win_in(Ply(plies)),
            line: vec![best],
            depth: plies.into(),
        })
    }
}

fn found_from(root_move: &RootMove, depth: u32) -> Found {
    Found { best: root_move.point, score: root_move.score, line: root_move.line.clone(), depth }
}

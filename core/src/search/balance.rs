//! Moves that balance a position, exactly or with a bias.
//!
//! Alpha-beta looks for the best move; here the best move is the one whose value is nearest to a
//! target. Every candidate is searched with a window around the target. The window covers the gaps
//! of the candidates kept at the previous depth, and fewer candidates are kept from depth to depth.
//! Yixin introduced the commands; Rapfi searches with a folded window for the same purpose.

use super::node::Pv;
use super::report::{Report, Variation};
use super::root::{MAX_DEPTH, Pace};
use super::time::Iteration;
use super::worker::Worker;
use crate::eval::Window;
use crate::patterns::PointClass;
use crate::types::{Depth, Ply, Point, PointSet, Score};

/// The largest distance from a stone to a balancing move, in steps along a line or diagonal.
const REACH: u8 = 4;
/// The number of candidates down to which none is dropped.
const FEWEST: usize = 12;
/// The extra width of the window on each side, in evaluation units.
const MARGIN: i32 = 24;

/// A request to balance a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BalanceTask {
    /// The number of moves to find, played by the sides in turn.
    pub stones: BalanceStones,
    /// The wanted value of the position for the player of the last of them.
    pub bias: i32,
}

/// The number of moves that balance a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BalanceStones {
    /// One move of the side to move.
    One,
    /// A move of each side.
    Two,
}

/// The moves that come nearest to the wanted balance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// One or two moves.
    pub moves: Vec<Point>,
    /// The value of the position after them for the player of the last.
    pub score: Score,
    /// The depth of the search after the moves, in plies.
    pub depth: u32,
    /// The nodes searched by all threads.
    pub nodes: u64,
}

/// One or two moves with their search results.
#[derive(Clone, Debug)]
struct BalanceCandidate {
    first: Point,
    second: Option<Point>,
    score: Score,
    /// A lower bound on the distance between the score and the target.
    gap: i32,
    line: Vec<Point>,
}

impl Worker<'_> {
    /// Finds the moves that come nearest to the wanted balance.
    ///
    /// Returns `None` if there are not enough legal moves.
    pub(super) fn balance(
        &mut self,
        task: BalanceTask,
        report: &mut dyn FnMut(Report),
    ) -> Option<Balance> {
        let mut candidates = self.balance_candidates(task.stones);
        let mut found = candidates.first()?.clone();
        let mut found_depth = 0;
        let control = self.shared.control;
        let last = match self.id {
            0 => control.max_depth().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            _ => MAX_DEPTH,
        };
        let mut width = Score::MAX_EVAL.raw();
        let mut pace = Pace::new(control.elapsed());
        for depth in 1..=last {
            for index in 0..candidates.len() {
                // Helpers start elsewhere; their results are in the table when they are needed.
                let index = (index + self.id * 7) % candidates.len();
                self.weigh(&mut candidates[index], depth, task.bias, width);
                if self.stopped {
                    break;
                }
            }
            // Of the first depth, what was weighed counts.
            if self.stopped && found_depth > 0 {
                break;
            }
            candidates.sort_by_key(|candidate| candidate.gap);
            found = candidates[0].clone();
            if self.stopped {
                break;
            }
            found_depth = depth;
            if candidates.len() > FEWEST {
                let keep = if depth == 1 { candidates.len() / 4 } else { candidates.len() * 2 / 3 };
                candidates.truncate(keep.max(FEWEST));
            }
            // Candidates worse than the last one kept need no exact score.
            width = candidates[candidates.len() - 1].gap.min(2 * found.gap + 200) + MARGIN;
            if self.id != 0 {
                continue;
            }
            report(self.balance_report(&found, depth));
            let iteration = pace.finish(depth, control.elapsed(), found.first, found.score, false);
            // A higher score is not better here, and since candidates are dropped after every
            // depth, the growth so far says little about the next iteration.
            let iteration = Iteration { previous_score: None, growth: 2.0, ..iteration };
            if control.should_stop_after_iteration(&iteration) {
                break;
            }
        }
        let moves = std::iter::once(found.first).chain(found.second).collect();
        let nodes = self.shared.others_nodes(self.id) + self.nodes;
        Some(Balance { moves, score: found.score, depth: found_depth, nodes })
    }

    /// Searches the position after a candidate.
    fn weigh(&mut self, candidate: &mut BalanceCandidate, depth: u32, bias: i32, width: i32) {
        // The nodes below compare with the evaluations of earlier plies.
        self.frame_mut(Ply(0)).eval = self.evaluate(Window::FULL);
        self.play(candidate.first);
        if let Some(second) = candidate.second {
            self.frame_mut(Ply(1)).eval = self.evaluate(Window::FULL);
            self.play(second);
        }
        let ply = Ply(1 + u16::from(candidate.second.is_some()));
        let target = Score::eval(bias);
        let (low, high) = (target - width, target + width);
        self.seldepth = 0;
        let depth = Depth::plies(depth as i32);
        let score = -self.node::<Pv>(ply, -high, -low, depth, false);
        if !self.stopped {
            candidate.score = score;
            candidate.gap = (score.raw() - target.raw()).abs();
            candidate.line.clear();
            candidate.line.push(candidate.first);
            candidate.line.extend(candidate.second);
            candidate.line.extend_from_slice(self.lines.get(ply.0.into()));
        }
        if candidate.second.is_some() {
            self.undo();
        }
        self.undo();
    }

    /// Returns all candidates: legal moves that do not end the game, without mirror images.
    fn balance_candidates(&mut self, stones: BalanceStones) -> Vec<BalanceCandidate> {
        let mut firsts = self.balancing_moves();
        super::root::merge_symmetric(&self.position, &mut firsts);
        let candidate = |first, second| BalanceCandidate {
            first,
            second,
            score: Score::ZERO,
            gap: i32::MAX,
            line: Vec::new(),
        };
        if stones == BalanceStones::One {
            return firsts.into_iter().map(|first| candidate(first, None)).collect();
        }
        let mut all = Vec::new();
        for first in firsts {
            self.play(first);
            let mut seconds = self.balancing_moves();
            super::root::merge_symmetric(&self.position, &mut seconds);
            self.undo();
            all.extend(seconds.into_iter().map(|second| candidate(first, Some(second))));
        }
        all
    }

    fn balancing_moves(&mut self) -> Vec<Point> {
        let us = self.position.to_move();
        let empties = *self.position.tracker().empties();
        let size = self.position.size();
        let stones: Vec<Point> = size.points().filter(|&p| !empties.contains(p)).collect();
        let near = |p: &Point| {
            stones.iter().any(|stone| stone.distance(*p) <= REACH)
                || stones.is_empty() && p.distance(size.center()) <= size.width().max(size.height())
        };
        let blocked = self.blocked_at_root();
        let wanted: PointSet =
            empties.iter().filter(|p| !blocked.contains(*p)).filter(near).collect();
        let ends = |position: &crate::position::Position, p: Point| {
            position.class(p, us) >= PointClass::Five
        };
        let mut points = self.legal(wanted);
        points.retain(|&p| !ends(&self.position, p));
        points.sort_by_key(|p| p.distance(size.center()));
        points
    }

    fn balance_report(&mut self, found: &BalanceCandidate, depth: u32) -> Report {
        let line = Variation {
            depth,
            seldepth: u32::from(self.seldepth),
            score: found.score,
            pv: found.line.clone(),
        };
        Report {
            nodes: self.shared.others_nodes(self.id) + self.nodes,
            elapsed: self.shared.control.elapsed(),
            lines: vec![line],
            win_model: self.evaluator.win_model(&self.position),
        }
    }
}

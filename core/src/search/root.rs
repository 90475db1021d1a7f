//! Iterative deepening at the root.

use std::time::Duration;

use super::node::Root;
use super::report::{Mark, Report, Variation};
use super::time::{Iteration, Stability};
use super::worker::{RootMove, Worker};
use crate::board::Symmetry;
use crate::eval::OrderedMove;
use crate::position::Position;
use crate::threats::{ThreatCheck, full_threat_check};
use crate::types::{Depth, MAX_POINTS, Ply, Point, PointSet, Score, ScoreKind};

/// The depth limit of iterative deepening, in plies.
pub(super) const MAX_DEPTH: u32 = 120;
/// The time after which finished lines are reported before their iteration ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// The result of one worker.
#[derive(Clone, Debug)]
pub(super) struct WorkerResult {
    pub(super) best: Point,
    pub(super) score: Score,
    pub(super) line: Vec<Point>,
    /// The last finished iteration.
    pub(super) depth: u32,
    /// The moves that lose, where the move is a guess among the others; or else none.
    pub(super) lost: PointSet,
    /// See [`SearchResult::finished`](super::SearchResult::finished).
    pub(super) finished: Option<Variation>,
}

impl Worker<'_> {
    /// Fills the list of root moves, in the order of the evaluator.
    ///
    /// Where a threat must be answered and can be, only the answers are listed, unless several
    /// lines are wanted. Forbidden and blocked points are excluded unless nothing else is left.
    pub(super) fn set_root_moves(&mut self) {
        let options = self.shared.options;
        let answers = self.answers();
        let empties = *self.position.tracker().empties();
        let candidates = self.candidates();
        let first = if options.lines > 1 { candidates } else { answers.unwrap_or(candidates) };
        let blocked = self.blocked_at_root();
        let mut points = Vec::new();
        for (set, enough) in [(first, options.lines), (candidates, options.lines), (empties, 1)] {
            points = self.legal(set & empties & !blocked);
            if points.len() >= enough.max(1) {
                break;
            }
        }
        if points.is_empty() {
            points = self.legal(empties);
        }
        if points.is_empty() {
            points = empties.iter().collect();
        }
        if options.merge_symmetric {
            merge_symmetric(&self.position, &mut points);
        }
        let urgent = answers.unwrap_or(PointSet::EMPTY);
        let scores = self.root_scores(points.iter().copied().collect());
        points.sort_by_key(|point| {
            (!urgent.contains(*point), std::cmp::Reverse(scores[point.index()]))
        });
        self.root_moves = points.into_iter().map(RootMove::new).collect();
    }

    /// Returns the answers to a threat that must be answered, if there are any.
    fn answers(&mut self) -> Option<PointSet> {
        match full_threat_check(&mut self.position) {
            ThreatCheck::Open(replies) => replies.set(),
            ThreatCheck::Win(_) | ThreatCheck::Loss(_) => None,
        }
    }

    /// Returns the ordering scores of root moves before any search, indexed by point; of moves with
    /// equal scores, those near the centre come first.
    fn root_scores(&mut self, points: PointSet) -> Vec<i32> {
        let center = self.position.size().center();
        let mut moves = Vec::new();
        self.evaluator.order(&self.position, points, &mut moves);
        let mut scores = vec![0; MAX_POINTS];
        for OrderedMove { point, order } in moves {
            scores[point.index()] = 4 * order - i32::from(point.distance(center));
        }
        scores
    }

    /// Returns the points that must not be played at the root.
    pub(super) fn blocked_at_root(&self) -> PointSet {
        let Some(blocks) = self.shared.options.blocks else { return PointSet::EMPTY };
        blocks.points() | blocks.at(self.position.key()).unwrap_or(PointSet::EMPTY)
    }

    pub(super) fn legal(&mut self, set: PointSet) -> Vec<Point> {
        let us = self.position.to_move();
        set.iter().filter(|&point| !self.position.is_forbidden(point, us)).collect()
    }

    /// Deepens until the control stops the search, and calls `report` after each finished
    /// iteration.
    ///
    /// # Panics
    ///
    /// Panics if there is no root move.
    pub(super) fn deepen(&mut self, report: &mut dyn FnMut(Report)) -> WorkerResult {
        let mut found = WorkerResult {
            best: self.root_moves[0].point,
            score: Score::ZERO,
            line: self.root_moves[0].line.clone(),
            depth: 0,
            lost: PointSet::EMPTY,
            finished: None,
        };
        let control = self.shared.control;
        // Helpers go on until the main thread has finished, whatever its depth limit is.
        let last = match self.id {
            0 => control.max_depth().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            _ => MAX_DEPTH,
        };
        let first = self.shared.options.start_depth.clamp(1, last);
        let mut pace = Pace::new(control.elapsed());
        for depth in first..=last {
            // Helpers skip some depths, so that they do not all do the same work.
            if self.id > 0 && (depth + self.id as u32).is_multiple_of(3) && depth < last {
                continue;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            self.mark(Mark::Refresh);
            let score = self.search_lines(depth, &mut pace, report);
            if self.stopped {
                if self.root_moves[0].score == -Score::INFINITE
                    || self.has_only_dropped(depth, &found)
                {
                    self.root_moves.iter_mut().for_each(|m| m.score = m.previous);
                    self.sort_root_moves();
                } else {
                    found = self.cut_off(depth, &found);
                    // The report should show the move before it is played.
                    if self.id == 0 {
                        report(self.report());
                    }
                }
                break;
            }
            let first = &self.root_moves[0];
            let changed = first.point != found.best;
            found = result_from(first, depth);
            found.score = score;
            let iteration = pace.finish(depth, control.elapsed(), found.best, found.score, changed);
            if self.id != 0 {
                continue;
            }
            report(self.report());
            if control.should_stop_after_iteration(&iteration) || self.is_settled(depth) {
                break;
            }
        }
        found
    }

    /// Returns whether a stopped iteration says of several lines only that the best one is less good: what the
    /// others are worth beside that is not known, and the last iteration's lines are those of one depth.
    fn has_only_dropped(&self, depth: u32, found: &WorkerResult) -> bool {
        let RootMove { score, is_lost, .. } = self.root_moves[0];
        let is_unknown = self.finished_at(0) != Some(depth) && !is_lost;
        self.lines() > 1 && found.depth > 0 && is_unknown && score < found.score
    }

    /// Returns the result of an iteration that was stopped after it had searched a move, with that of the last one
    /// before it. It counts: its best move is that of the last one, or proved better, or replaces a move whose score
    /// dropped.
    fn cut_off(&mut self, depth: u32, found: &WorkerResult) -> WorkerResult {
        if self.finished_at(0) == Some(depth) {
            self.complete_line(found);
            return result_from(&self.root_moves[0], depth);
        }
        // Moves that lose say nothing of the others: one of them is played, and nothing is proven, unless all were lost
        // before.
        let is_lost = self.root_moves[0].is_lost && !found.score.is_loss();
        let unknown = if is_lost { self.not_lost() } else { None };
        let mut lost = PointSet::EMPTY;
        if let Some(unknown) = unknown {
            for root_move in self.root_moves.iter_mut().filter(|m| m.is_lost) {
                lost.insert(root_move.point);
                root_move.finished = None;
            }
            self.root_moves[..=unknown].rotate_right(1);
            let RootMove { score, previous, .. } = &mut self.root_moves[0];
            *score = if *previous > -Score::INFINITE { *previous } else { found.score };
        } else {
            self.complete_line(found);
        }
        self.root_moves[0].finished = Some(self.variation(0, found.depth));
        let result = WorkerResult { lost, ..result_from(&self.root_moves[0], found.depth) };
        // Its score is a bound, or that of another move; what is proven, is.
        let is_proven = result.score.is_decisive() && lost.is_empty();
        let &WorkerResult { score, depth, ref line, .. } = found;
        let last = Variation { depth, seldepth: depth, score, pv: line.clone() };
        WorkerResult { finished: (!is_proven).then_some(last), ..result }
    }

    /// Returns the first root move that is not known to lose and answers the threat that must be answered, if there
    /// is one.
    fn not_lost(&mut self) -> Option<usize> {
        let answers = self.answers();
        let is_one = |m: &RootMove| answers.is_none_or(|answers| answers.contains(m.point));
        self.root_moves.iter().position(|m| !m.is_lost && is_one(m))
    }

    /// Adds a reply to the line of the best move if it has none: a search that is stopped after the
    /// move failed high knows no reply.
    fn complete_line(&mut self, found: &WorkerResult) {
        let RootMove { point, ref line, .. } = self.root_moves[0];
        if line.len() > 1 {
            return;
        }
        if point == found.best {
            let is_proven = self.root_moves[0].score.is_decisive();
            // Any reply to a move that wins loses, but what was expected after it need not win.
            let known = if is_proven { found.line.len().min(2) } else { found.line.len() };
            self.root_moves[0].line = found.line[..known].to_vec();
            return;
        }
        let reply = self.known_reply(point);
        self.root_moves[0].line.extend(reply);
    }

    /// Searches the wanted number of lines to a depth, best first; returns the score of the best.
    fn search_lines(
        &mut self,
        depth: u32,
        pace: &mut Pace,
        report: &mut dyn FnMut(Report),
    ) -> Score {
        let lines = self.lines();
        let mut best = Score::ZERO;
        for line in 0..lines {
            self.first_root_move = line;
            let expected = self.root_moves[line].previous;
            let score = self.aspirate(depth, expected);
            self.sort_root_moves();
            if self.stopped {
                break;
            }
            self.root_moves[line].finished = Some(self.variation(line, depth));
            // A later line can turn out better than an earlier one.
            self.root_moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.score));
            best = if line == 0 { score } else { self.root_moves[0].score };
            // Many lines take long, so each is reported when it is finished.
            if self.id == 0 && line + 1 < lines && pace.is_slow(self.shared.control.elapsed()) {
                report(self.report());
            }
        }
        self.first_root_move = 0;
        best
    }

    /// Returns the depth at which the line of a root move was last searched to its end.
    fn finished_at(&self, index: usize) -> Option<u32> {
        self.root_moves[index].finished.as_ref().map(|line| line.depth)
    }

    fn variation(&self, index: usize, depth: u32) -> Variation {
        let root_move = &self.root_moves[index];
        Variation {
            depth,
            seldepth: self.seldepth.into(),
            score: root_move.score,
            pv: root_move.line.clone(),
        }
    }

    /// Returns the number of lines to search.
    fn lines(&self) -> usize {
        self.shared.options.lines.clamp(1, self.root_moves.len())
    }

    /// Searches the root with an aspiration window around the expected score, widened until the
    /// score is inside.
    fn aspirate(&mut self, depth: u32, expected: Score) -> Score {
        let plies = Depth::plies(depth as i32);
        let mut delta = self.params.aspiration;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= self.params.aspiration_depth as u32 && !expected.is_decisive() {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut unknown = self.first_root_move;
        loop {
            for root_move in &mut self.root_moves[unknown..] {
                (root_move.score, root_move.is_lost) = (-Score::INFINITE, false);
            }
            self.seldepth = 0;
            let score = self.node::<Root>(Ply(0), alpha, beta, plies, false);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                beta = Score::from_raw(i32::midpoint(alpha.raw(), beta.raw()));
                alpha = score - delta;
                unknown = self.first_root_move;
            } else if score >= beta && beta < Score::INFINITE {
                self.sort_root_moves();
                beta = score + delta;
                // It is the best move so far, even if there is no time to find its exact score.
                unknown = self.first_root_move + 1;
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

    /// Moves the best move of the current line to the front; the order of the others is kept.
    fn sort_root_moves(&mut self) {
        self.root_moves[self.first_root_move..]
            .sort_by_key(|m| std::cmp::Reverse((m.score, m.previous)));
    }

    /// Returns whether deeper search cannot change the wanted lines: the board would be full, or a
    /// win or loss is known exactly and the win is no longer than promised.
    fn is_settled(&self, depth: u32) -> bool {
        if let (Some(promised), ScoreKind::Win(plies)) =
            (self.shared.options.promised, self.root_moves[0].score.kind())
            && plies > promised
        {
            return false;
        }
        self.root_moves[..self.lines()].iter().all(|root_move| match root_move.score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => depth + 6 >= u32::from(plies),
            ScoreKind::Value(_) => depth as usize > self.position.empty_cells(),
        })
    }

    /// Returns a report of the lines found so far, in the order of the root moves. Lines of the
    /// current iteration come first; the others cannot be better, whatever score they had in an
    /// earlier one.
    fn report(&mut self) -> Report {
        let nodes = self.shared.others_nodes(self.id) + self.nodes;
        let finished = self.root_moves.iter().filter_map(|m| m.finished.as_ref());
        let mut lines: Vec<Variation> = finished.cloned().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.depth));
        lines.truncate(self.lines());
        let mut most = Score::INFINITE;
        for line in &mut lines {
            most = most.min(line.score);
            line.score = most;
        }
        let win_model = self.evaluator.win_model(&self.position);
        Report { nodes, elapsed: self.shared.control.elapsed(), lines, win_model }
    }
}

/// Keeps only the first of the points that the symmetries of the position map to each other.
pub(super) fn merge_symmetric(position: &Position, points: &mut Vec<Point>) {
    let board = position.board();
    let size = board.size();
    let symmetries: Vec<Symmetry> = Symmetry::ALL
        .into_iter()
        .filter(|symmetry| symmetry.map_size(size) == size)
        .filter(|symmetry| {
            size.points().all(|p| board.cell(p) == board.cell(symmetry.map(size, p)))
        })
        .collect();
    let mut seen = PointSet::EMPTY;
    points.retain(|&point| {
        let fresh = !seen.contains(point);
        for symmetry in &symmetries {
            seen.insert(symmetry.map(size, point));
        }
        fresh
    });
}

/// The pace of the iterations.
pub(super) struct Pace {
    stability: Stability,
    before: Option<Score>,
    finished_at: Duration,
    growth: f64,
    duration: Duration,
    told_at: Duration,
}

impl Pace {
    pub(super) fn new(now: Duration) -> Pace {
        Pace {
            stability: Stability::default(),
            before: None,
            finished_at: now,
            growth: 2.0,
            duration: Duration::ZERO,
            told_at: now,
        }
    }

    /// Returns whether the next report is due, and counts it as made.
    fn is_slow(&mut self, now: Duration) -> bool {
        let slow = now >= self.told_at.max(self.finished_at) + PATIENCE;
        if slow {
            self.told_at = now;
        }
        slow
    }

    /// Notes the end of an iteration.
    pub(super) fn finish(
        &mut self,
        depth: u32,
        elapsed: Duration,
        best: Point,
        score: Score,
        changed: bool,
    ) -> Iteration {
        self.stability.note(best, changed);
        // New limits may have a later start.
        let took = elapsed.saturating_sub(self.finished_at);
        if self.duration > Duration::from_millis(2) {
            self.growth =
                f64::midpoint(self.growth, took.as_secs_f64() / self.duration.as_secs_f64());
        }
        self.duration = took;
        self.finished_at = elapsed;
        Iteration {
            elapsed,
            duration: took,
            depth,
            score,
            previous_score: self.before.replace(score),
            stability: self.stability,
            growth: self.growth,
        }
    }
}

fn result_from(root_move: &RootMove, depth: u32) -> WorkerResult {
    WorkerResult {
        best: root_move.point,
        score: root_move.score,
        line: root_move.line.clone(),
        depth,
        lost: PointSet::EMPTY,
        finished: None,
    }
}

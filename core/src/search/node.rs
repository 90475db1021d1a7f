//! The alpha-beta search of a node.

use std::time::Duration;

use super::history::LastMoves;
use super::known::KnownScore;
use super::picker::{Hints, Picker};
use super::report::Mark;
use super::stack::MAX_PLY;
use super::stats::{Counted, tally};
use super::tt::TtEntry;
use super::worker::Worker;
use crate::eval::Window;
use crate::patterns::PointClass;
use crate::threats::{Replies, ThreatCheck, four_three_replies, threat_check};
use crate::types::{Bound, Depth, Ply, Point, Score};

/// The largest number of double extensions on a path from the root.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

/// The time after which a search reports marks.
const MARKS_FROM: Duration = Duration::from_millis(200);

/// The kind of a node, resolved at compile time.
pub(super) trait NodeKind {
    /// True if the window is open, so that the node may be on the principal variation.
    const PV: bool;
    /// True if this is the root.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node whose exact score matters.
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Returns the score of a table entry if it makes searching unnecessary.
#[inline]
pub(super) fn tt_cutoff(
    hit: &TtEntry,
    depth: Depth,
    ply: Ply,
    alpha: Score,
    beta: Score,
) -> Option<Score> {
    let score = hit.score.from_table(ply);
    let decides = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (hit.depth >= depth && decides).then_some(score)
}

/// The properties of a node that are fixed before its moves are searched.
struct NodeState {
    depth: Depth,
    improving: bool,
    cut_node: bool,
    pv: bool,
    replies: Replies,
}

impl NodeState {
    /// Returns whether the result of a move here says anything about the move elsewhere: where an
    /// open four must be stopped, only the results of threats do.
    fn updates_history(&self, threat: bool) -> bool {
        threat || !self.replies.are_urgent()
    }
}

/// The static evaluation of a node, adjusted by the table, and what is known of it.
struct StaticEval {
    eval: Score,
    improving: bool,
    /// True if this is an expected cut node without a table entry.
    unknown: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
struct NodeMove {
    point: Point,
    class: PointClass,
    their_class: PointClass,
    count: i32,
}

impl NodeMove {
    fn is_threat(self) -> bool {
        self.class >= PointClass::Three
    }
}

impl Worker<'_> {
    /// Searches the position to `depth` within the window, and returns its score.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        ply: Ply,
        alpha: Score,
        beta: Score,
        depth: Depth,
        cut_node: bool,
    ) -> Score {
        // Step 1. Quiescence search at depth zero. It ignores blocked paths, so nodes on them are
        // searched one ply instead.
        let mut depth = depth;
        if depth <= Depth::ZERO && !N::ROOT {
            if self.paths.is_none_or(|paths| paths.at(self.position.key()).is_none()) {
                return self.qsearch(ply, alpha, beta, 0, None);
            }
            depth = Depth::ONE;
        }
        tally(match (N::PV, cut_node) {
            (true, _) => Counted::PvNode,
            (false, true) => Counted::CutNode,
            (false, false) => Counted::AllNode,
        });
        let mark = self.list.mark();
        let score = self.search_node::<N>(ply, alpha, beta, depth, cut_node);
        self.list.leave(mark);
        score
    }

    #[allow(clippy::too_many_lines, reason = "the node is one story, told in numbered steps")]
    fn search_node<N: NodeKind>(
        &mut self,
        ply: Ply,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || beta.raw() - alpha.raw() == 1));

        // Step 2. Stop conditions, draws, the ply limit and mate distance pruning.
        self.seldepth = self.seldepth.max(ply.0);
        self.lines.clear(ply.0.into());
        if self.poll() {
            return Score::ZERO;
        }
        if !N::ROOT {
            if self.position.empty_cells() == 0 {
                return Score::ZERO;
            }
            if usize::from(ply.0) >= MAX_PLY {
                return self.evaluate(Window { alpha, beta });
            }
            // A shorter win than any that can be found here is already known.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply.next()));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 3. Wins, losses and forced replies by threats, unless the moves involved may be
        // blocked.
        let blocked = self.paths.and_then(|paths| paths.at(self.position.key()));
        let free = blocked.is_none();
        let replies = match threat_check(&mut self.position) {
            ThreatCheck::Win(plies) if !N::ROOT && free => {
                tally(Counted::ThreatWin);
                return Score::win_in(ply.plus(plies));
            }
            ThreatCheck::Loss(plies) if !N::ROOT && free => {
                tally(Counted::ThreatLoss);
                return Score::loss_in(ply.plus(plies));
            }
            ThreatCheck::Open(replies) => replies,
            _ => Replies::All,
        };

        // Step 4. Transposition table lookup and cutoff. Nothing is kept of a node with an excluded move.
        let excluded = self.frame(ply, 0).excluded;
        let key = self.table_key(self.position.key());
        let probed = excluded.is_none().then(|| self.shared.table.probe(key));
        let hit = probed.inspect(|_| tally(Counted::Probe)).flatten();
        if hit.is_some() {
            tally(Counted::Hit);
        }
        if !N::PV
            && free
            && let Some(score) = hit.as_ref().and_then(|h| tt_cutoff(h, depth, ply, alpha, beta))
        {
            tally(Counted::TableCut);
            return score;
        }
        let mut table_move = hit.as_ref().and_then(|h| h.best);

        // Step 5. What is known of positions near the root.
        if let Some(known) = self.known(ply).filter(|_| free && excluded.is_none()) {
            let best = known.best.filter(|&best| self.position.board().is_empty(best));
            table_move = table_move.or(best);
            match known.value.filter(|_| !N::ROOT).map(|value| value.score_at(ply)) {
                Some(KnownScore::Proven(score)) => return score,
                Some(KnownScore::Searched(score, worth, bound)) if !N::PV => {
                    let eval = None;
                    let hit = TtEntry { score, eval, bound, depth: worth, best, was_pv: false };
                    if let Some(score) = tt_cutoff(&hit, depth, ply, alpha, beta) {
                        return score;
                    }
                }
                _ => {}
            }
        }
        let was_pv = N::PV || hit.as_ref().is_some_and(|h| h.was_pv);

        // Step 6. Static evaluation. If a four must be answered, the evaluation of the previous ply
        // is used.
        let eval = if replies.must_stop_five() && ply.0 > 0 {
            -self.frame(ply, 1).eval
        } else {
            hit.as_ref()
                .and_then(|h| h.eval)
                .unwrap_or_else(|| self.evaluate(Window { alpha, beta }))
        };
        self.frame_mut(ply).eval = eval;
        let improving = ply.0 >= 2 && eval > self.frame(ply, 2).eval;

        // Step 7. Razoring and reverse futility pruning. Where an open four must be stopped, the
        // evaluation does not include the cost of the answer, so near the horizon quiescence search
        // decides, as in Rapfi.
        if !N::PV && excluded.is_none() && free {
            match replies {
                Replies::All => {
                    let unknown = cut_node && hit.is_none();
                    let eval = hit.as_ref().map_or(eval, |hit| tt_adjusted_eval(eval, hit, ply));
                    let eval = StaticEval { eval, improving, unknown };
                    if let Some(score) = self.prune_by_eval(ply, alpha, beta, depth, eval) {
                        return score;
                    }
                }
                Replies::StopFour(_) if depth.raw() < self.params.razor_depth => {
                    return self.qsearch(ply, alpha, beta, 0, Some(eval));
                }
                _ => {}
            }
        }

        // Step 8. Internal iterative reductions: without a table move, and on the principal
        // variation if the table entry is too shallow.
        if table_move.is_none() && (N::PV || cut_node) && depth > Depth::plies(3) {
            tally(Counted::NoTableMove);
            depth -= Depth::from_raw(self.params.iir_no_move);
        }
        if N::PV
            && free
            && !replies.must_stop_five()
            && depth > Depth::ONE
            && let Some(hit) = hit.as_ref().filter(|hit| hit.best.is_some())
        {
            let short = (depth.raw() - hit.depth.raw()) * self.params.iir_stale / 100;
            depth -= Depth::from_raw(short.clamp(0, self.params.iir_stale_max));
            if depth <= Depth::ZERO && !N::ROOT {
                return self.qsearch(ply, alpha, beta, 0, Some(eval));
            }
        }

        // Step 9. Move generation, restricted to the replies if the opponent threatens a win,
        // including one by a four with an open three.
        let replies = match replies {
            Replies::All if free => four_three_replies(&mut self.position),
            replies => replies,
        };
        if replies.are_urgent() {
            tally(Counted::ThreatReplies);
        }
        let node = NodeState { depth, improving, cut_node, pv: was_pv, replies };
        let last = self.last_moves();
        let us = self.position.to_move();
        let hints = Hints { table: table_move, last };
        let whole_board = self.shared.options.whole_board;
        let every = || whole_board.then(|| *self.position.tracker().empties());
        let only = replies.set().filter(|_| free).or_else(every);
        let mut picker = Picker::new(only, hints, &self.list);

        // Step 10. Enhanced transposition cutoffs: look for a move to a position whose table entry
        // is good enough; other orders of the same moves may have been searched.
        if !N::PV
            && excluded.is_none()
            && self.paths.is_none()
            && depth.raw() >= self.params.etc_depth
            && let Some((point, score, worth)) = self.transposed(ply, beta, depth, &picker)
        {
            let hit = TtEntry {
                score: score.to_table(ply),
                eval: (!replies.must_stop_five()).then_some(eval),
                bound: Bound::Lower,
                depth: worth,
                best: Some(point),
                was_pv,
            };
            self.shared.table.store(key, hit);
            return score;
        }

        let first_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried = TriedMoves::new();
        let mut root_index = self.first_root_move;
        let limit = lmp_limit(self.params.lmp_base, node.depth, improving);
        self.frame_child_reset(ply);

        loop {
            // Step 11. Late move pruning, once a move is known that does not lose.
            if !N::ROOT && count + 1 >= limit && best > -Score::INFINITE && !best.is_loss() {
                tally(Counted::LateMoves);
                break;
            }

            // Step 12. The next move. At the root the moves come from the sorted list.
            let point = if N::ROOT {
                let Some(root_move) = self.root_moves.get(root_index) else { break };
                root_index += 1;
                root_move.point
            } else {
                let Some(point) = self.next_move(&mut picker) else { break };
                if Some(point) == excluded
                    || self.position.is_forbidden(point, us)
                    || blocked.is_some_and(|blocked| blocked.contains(point))
                {
                    continue;
                }
                point
            };
            count += 1;

            let candidate = NodeMove {
                point,
                class: self.position.class(point, us),
                their_class: self.position.class(point, !us),
                count,
            };

            // Step 13. Extend replies to fours and singular moves.
            let mut extension = 0;
            let mut is_double = false;
            if replies.must_stop_five() {
                extension = self.params.forced_reply_extension;
            } else if !N::ROOT
                && excluded.is_none()
                && Some(point) == table_move
                && depth.raw() >= self.params.singular_depth
                && let Some(hit) = &hit
            {
                match self.singular(ply, hit, &node, beta, N::PV) {
                    Singular::Extend(by) => {
                        extension = by;
                        is_double = by == 2 * Depth::UNIT;
                    }
                    Singular::Cut(score) => return score,
                }
            }
            let new_depth = depth - Depth::ONE + Depth::from_raw(extension);
            self.frame_mut(ply.next()).extended = self.frame(ply, 0).extended + u8::from(is_double);

            // Step 14. Play the move and search it.
            let shown = N::ROOT && self.shows_marks(depth);
            if shown {
                self.mark(Mark::Searching(point));
            }
            self.shared.table.prefetch(self.table_key(self.position.key_after(point)));
            self.frame_mut(ply).class = candidate.class;
            let score = if N::ROOT && candidate.class == PointClass::Five {
                // At all other nodes step 3 returns such wins.
                self.lines.clear(1);
                Score::win_in(ply.next())
            } else {
                self.play(point);
                let window = (alpha, beta);
                let score = self.search_move::<N>(ply, window, new_depth, &node, candidate, last);
                self.undo();
                score
            };
            if self.stopped {
                return Score::ZERO;
            }

            // Step 15. Update the best move, the principal variation and alpha.
            if N::ROOT {
                self.record_root(root_index - 1, score, score > alpha || count == 1);
                if shown {
                    self.mark_result(point, score, count == 1 || score > alpha);
                }
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(point);
                    if N::PV {
                        self.lines.extend(ply.0.into(), point);
                    }
                    if score >= beta {
                        tally(Counted::Cut);
                        if count == 1 {
                            tally(Counted::FirstMoveCut);
                        }
                        break;
                    }
                    alpha = score;
                    // Few moves improve alpha again, so the rest are searched less deeply.
                    if depth > Depth::plies(2) && depth < Depth::plies(12) && !score.is_decisive() {
                        depth -= Depth::ONE;
                    }
                }
            }
            if Some(point) != best_move && node.updates_history(candidate.is_threat()) {
                tried.push(point, candidate.is_threat());
            }
        }

        // Step 16. No move was searched: the only reply was the excluded move, or black, who may
        // not pass, has only forbidden points left. Otherwise paths block all candidates, or all
        // candidates are forbidden while moves far from the stones are not; neither says who is
        // better off.
        if count == 0 {
            let empties = *self.position.tracker().empties();
            return match excluded {
                Some(_) => first_alpha,
                None if free && self.legal(empties).is_empty() => Score::loss_in(ply.plus(2)),
                None => Score::ZERO,
            };
        }

        // Step 17. Update the history and store the result.
        if best >= beta
            && let Some(point) = best_move
        {
            let threat = self.position.class(point, us) >= PointClass::Three;
            if node.updates_history(threat) {
                self.remember_cut(ply, (point, threat), tried.get(), depth, last);
            }
        }
        // A result at the root may cover only some of its moves.
        let whole = !N::ROOT || self.first_root_move == 0 && self.shared.options.blocks.is_none();
        if excluded.is_none() && whole {
            self.shared.table.store(
                key,
                TtEntry {
                    score: best.to_table(ply),
                    eval: (!replies.must_stop_five()).then_some(eval),
                    bound: Bound::of(best, first_alpha, beta),
                    depth: node.depth,
                    best: best_move,
                    was_pv,
                },
            );
        }
        best
    }

    /// Returns the score of a node that razoring or reverse futility pruning decides.
    fn prune_by_eval(
        &mut self,
        ply: Ply,
        alpha: Score,
        beta: Score,
        depth: Depth,
        StaticEval { eval, improving, unknown }: StaticEval,
    ) -> Option<Score> {
        let plies = depth.raw();
        if plies < self.params.razor_depth {
            let margin = self.params.razor_base + self.params.razor_slope * plies / Depth::UNIT;
            if eval + margin < alpha {
                tally(Counted::Razored);
                // Not what the table has made of it.
                let eval = self.frame(ply, 0).eval;
                return Some(self.qsearch(ply, alpha, beta, 0, Some(eval)));
            }
        }
        if plies < self.params.rfp_depth && !beta.is_loss() {
            let effort = (plies - Depth::UNIT * (1 + i32::from(improving))).max(0);
            let slope = self.params.rfp_slope - if unknown { self.params.rfp_unknown } else { 0 };
            let margin = slope * effort / Depth::UNIT;
            if eval - margin >= beta {
                tally(Counted::ReverseFutility);
                return Some(eval);
            }
        }
        None
    }

    /// Returns a move to a position with a table score that causes a cut, with that score and its
    /// depth at this node (enhanced transposition cutoffs: Plaat, Schaeffer, Pijls and de Bruin,
    /// *Exploiting graph properties of game trees*, 1996).
    fn transposed(
        &mut self,
        ply: Ply,
        beta: Score,
        depth: Depth,
        picker: &Picker,
    ) -> Option<(Point, Score, Depth)> {
        tally(Counted::EtcTry);
        let us = self.position.to_move();
        let candidates = picker.candidates(&self.position);
        let table = &self.shared.table;
        for point in candidates.iter() {
            table.prefetch(self.position.key_after(point));
        }
        for point in candidates.iter() {
            let Some(hit) = table.probe(self.position.key_after(point)) else { continue };
            let score = -hit.score.from_table(ply.next());
            let worth = hit.depth + Depth::ONE;
            if hit.bound != Bound::Lower
                && score >= beta
                && worth >= depth
                && !self.position.is_forbidden(point, us)
            {
                tally(Counted::EtcCut);
                return Some((point, score, worth));
            }
        }
        None
    }

    /// Searches the position after a move. All but the first move are searched with a reduced depth
    /// and a null window first.
    fn search_move<N: NodeKind>(
        &mut self,
        ply: Ply,
        (alpha, beta): (Score, Score),
        new_depth: Depth,
        node: &NodeState,
        candidate: NodeMove,
        last: LastMoves,
    ) -> Score {
        tally(Counted::Move);
        let next = ply.next();
        let null = (-(alpha + 1), -alpha);
        let mut score = -Score::INFINITE;
        let mut full = !N::PV || candidate.count > 1;
        if node.depth >= Depth::plies(2) && candidate.count > 1 + i32::from(N::ROOT) {
            let reduction = self.reduction(ply, node, candidate, last);
            let reduced = (new_depth - reduction).clamp(Depth::ONE, new_depth.max(Depth::ONE));
            tally(Counted::Reduced);
            score = -self.node::<NonPv>(next, null.0, null.1, reduced, true);
            full = score > alpha && reduced < new_depth;
            if full {
                tally(Counted::ResearchedDepth);
            }
            if self.stopped {
                return Score::ZERO;
            }
        }
        if full {
            score = -self.node::<NonPv>(next, null.0, null.1, new_depth, !node.cut_node);
        }
        if N::PV && (candidate.count == 1 || score > alpha && (N::ROOT || score < beta)) {
            if candidate.count > 1 {
                tally(Counted::ResearchedWindow);
            }
            score = -self.node::<Pv>(next, -beta, -alpha, new_depth, false);
        }
        score
    }

    /// Returns the late move reduction of a move.
    fn reduction(&self, ply: Ply, node: &NodeState, candidate: NodeMove, last: LastMoves) -> Depth {
        let mut r = base_reduction(self.params.lmr_scale, node.depth, candidate.count);
        if node.pv {
            r -= self.params.lmr_pv;
        }
        let urgent = node.replies.are_urgent();
        let is_quiet_killer = || {
            let killers = self.frame(ply, 0).killers;
            !urgent && !candidate.is_threat() && killers.contains(&Some(candidate.point))
        };
        if node.cut_node && !is_quiet_killer() {
            r += self.params.lmr_cut_node;
        }
        if urgent && candidate.their_class < PointClass::Four {
            if is_far(last.theirs, candidate.point) {
                r += self.params.lmr_far_theirs;
            }
            if is_far(last.ours, candidate.point) {
                r += self.params.lmr_far_ours;
            }
        }
        if !node.improving {
            r += self.params.lmr_not_improving;
        }
        let us = !self.position.to_move();
        if candidate.is_threat() {
            r -= self.params.lmr_threat;
            if ply.0 >= 2 && self.frame(ply, 2).class >= PointClass::Three {
                r -= self.params.lmr_threat;
            }
        }
        let history = self.histories.score(us, candidate.point, candidate.is_threat());
        r -= self.lmr_history.divide(history * Depth::UNIT);
        Depth::from_raw(r.max(0))
    }

    /// Tests whether the table move is singular, that is, the only good one.
    fn singular(
        &mut self,
        ply: Ply,
        hit: &TtEntry,
        node: &NodeState,
        beta: Score,
        pv: bool,
    ) -> Singular {
        let value = hit.score.from_table(ply);
        if hit.bound == Bound::Upper
            || value.is_decisive()
            || hit.depth < node.depth - Depth::plies(3)
        {
            return Singular::Extend(0);
        }
        tally(Counted::SingularTest);
        let margin = self.params.singular_slope * node.depth.raw() / (8 * Depth::UNIT);
        let bound = value - margin;
        self.frame_mut(ply).excluded = hit.best;
        let half = Depth::from_raw(node.depth.raw() / 2);
        let score = self.node::<NonPv>(ply, bound - 1, bound, half, node.cut_node);
        self.frame_mut(ply).excluded = None;
        if self.stopped {
            return Singular::Cut(Score::ZERO);
        }
        if score < bound {
            let may_double = !pv && self.frame(ply, 0).extended < MAX_DOUBLE_EXTENSIONS;
            tally(Counted::SingularExtended);
            if may_double && score < bound - self.params.double_ext_margin {
                tally(Counted::SingularDouble);
                return Singular::Extend(2 * Depth::UNIT);
            }
            return Singular::Extend(Depth::UNIT);
        }
        // Another move is nearly as good: if it also beats beta, the node can be cut (multi-cut).
        if bound >= beta && !pv {
            tally(Counted::MultiCut);
            return Singular::Cut(bound);
        }
        if value >= beta {
            return Singular::Extend(-Depth::UNIT);
        }
        Singular::Extend(0)
    }

    /// Prepares the frame of the next ply.
    #[inline]
    fn frame_child_reset(&mut self, ply: Ply) {
        self.frame_mut(ply.next()).excluded = None;
        self.frame_mut(ply.plus(2)).killers = [None; 2];
    }

    /// Updates histories and killers after a cut.
    fn remember_cut(
        &mut self,
        ply: Ply,
        best: (Point, bool),
        tried: &[(Point, bool)],
        depth: Depth,
        last: LastMoves,
    ) {
        let us = self.position.to_move();
        self.histories.update(us, best, tried, depth, last);
        let frame = self.frame_mut(ply);
        if frame.killers[0] != Some(best.0) {
            frame.killers = [Some(best.0), frame.killers[0]];
        }
    }

    /// Returns whether to report marks at this depth; shallow iterations end before they can be
    /// seen.
    fn shows_marks(&self, depth: Depth) -> bool {
        self.shared.options.marks.is_some()
            && self.id == 0
            && depth >= Depth::plies(8)
            && self.shared.control.elapsed() >= MARKS_FROM
    }

    /// Reports the marks of a searched root move.
    fn mark_result(&self, point: Point, score: Score, best: bool) {
        self.mark(Mark::Searched(point));
        if score.is_loss() {
            self.mark(Mark::Lost(point));
        } else if best && self.first_root_move == 0 {
            self.mark(Mark::Best(point));
        }
    }

    /// Records the score of a root move; one that did not raise alpha is only known to be worse.
    fn record_root(&mut self, index: usize, score: Score, exact: bool) {
        let mut line = std::mem::take(&mut self.root_moves[index].line);
        let root_move = &mut self.root_moves[index];
        root_move.is_lost = score.is_loss();
        if exact {
            line.clear();
            line.push(root_move.point);
            line.extend_from_slice(self.lines.get(1));
            root_move.score = score;
        } else {
            root_move.score = -Score::INFINITE;
        }
        root_move.line = line;
    }
}

enum Singular {
    /// Extend the move by this many 64ths of a ply.
    Extend(i32),
    /// The node is decided.
    Cut(Score),
}

/// The moves searched without causing a cut, up to the number that the history update uses.
struct TriedMoves {
    len: usize,
    moves: [(Point, bool); TriedMoves::MAX],
}

impl TriedMoves {
    const MAX: usize = 32;

    fn new() -> TriedMoves {
        TriedMoves { len: 0, moves: [(Point::from_index(0), false); TriedMoves::MAX] }
    }

    #[inline]
    fn push(&mut self, point: Point, threat: bool) {
        if self.len < TriedMoves::MAX {
            self.moves[self.len] = (point, threat);
            self.len += 1;
        }
    }

    fn get(&self) -> &[(Point, bool)] {
        &self.moves[..self.len]
    }
}

/// Returns the static evaluation, or the score of the table entry if that says more; a proven one always does.
pub(super) fn known_eval(eval: Score, hit: &TtEntry, ply: Ply) -> Score {
    let score = hit.score.from_table(ply);
    match hit.bound {
        Bound::Exact => score,
        Bound::Lower => score.max(eval),
        Bound::Upper => score.min(eval),
    }
}

/// Returns the static evaluation, or the score of the table entry if that is a better estimate.
fn tt_adjusted_eval(eval: Score, hit: &TtEntry, ply: Ply) -> Score {
    let score = known_eval(eval, hit, ply);
    if score.is_decisive() { eval } else { score }
}

/// Returns whether a move is too far from an earlier one to be related to it.
fn is_far(last: Option<Point>, point: Point) -> bool {
    last.is_some_and(|last| point.distance(last) > 4)
}

/// Returns the move count of late move pruning at a depth: `base` + depth^1.32, halved if the
/// evaluation is not improving.
fn lmp_limit(base: i32, depth: Depth, improving: bool) -> i32 {
    const POWERS: [i32; 24] =
        [0, 1, 2, 4, 6, 8, 11, 13, 16, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 49, 52, 56, 59, 63];
    let plies = depth.whole().clamp(0, 400) as usize;
    let power = POWERS.get(plies).copied().unwrap_or(1000);
    (base + power) / (2 - i32::from(improving))
}

/// Returns the base reduction of the `count`th move at a depth, in 64ths of a ply; `scale` is in
/// percent.
fn base_reduction(scale: i32, depth: Depth, count: i32) -> i32 {
    // ln(n) in 64ths, from the position of the highest bit and the two bits below it. Integers give
    // the same node counts on every machine.
    fn log(n: i32) -> i32 {
        const FRACTIONS: [i32; 4] = [0, 14, 26, 36];
        let n = n.max(1) as u32;
        let bits = 31 - n.leading_zeros();
        let fraction = if bits >= 2 { (n >> (bits - 2)) & 3 } else { (n << (2 - bits)) & 3 };
        (bits as i32) * 44 + FRACTIONS[fraction as usize]
    }
    let product = log(depth.whole()) * log(count) / Depth::UNIT;
    product * scale / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvaluatorKind, Evaluators};
    use crate::notation::parse_moves;
    use crate::position::Position;
    use crate::rules::Rule;
    use crate::search::history::Histories;
    use crate::search::worker::{NodeCounter, Shared};
    use crate::search::{Options, Params, SearchControl, TranspositionTable};
    use crate::sys::stop::Stop;
    use crate::types::Size;

    #[test]
    fn replies_to_fours_never_count_as_double_extensions() {
        let mut params = Params::DEFAULT;
        params.set("forced_reply_extension", 2 * Depth::UNIT).unwrap();
        // Too deep for any singular extension.
        params.set("singular_depth", 960).unwrap();
        let options = Options { params, ..Options::default() };
        for cells in ["d7j7g9g10d6h10d8d9f10h9i8j8d5d4", "h6j9i6e8j7k8j6k6", "f8g7k5h11i6h8f6f7h7"]
        {
            let size = Size::square(12).unwrap();
            let mut position = Position::new(Rule::Freestyle, size);
            let moves = parse_moves(cells, size).unwrap();
            moves.into_iter().for_each(|point| position.play_unchecked(point));
            let control = SearchControl::bounded(&position, Some(7), Some(5_000));
            let table = TranspositionTable::new(1 << 20).unwrap();
            let mut evaluator =
                Evaluators::shipped().make(EvaluatorKind::default(), Rule::Freestyle);
            let (nodes, finished) = ([NodeCounter::default()], Stop::new());
            let (table, control, finished) = (&table, &control, &finished);
            let shared = Shared { table, control, nodes: &nodes, finished, options };
            let mut histories = Histories::new();
            let mut worker = Worker::new(0, &position, &mut evaluator, &shared, &mut histories);
            worker.set_root_moves();
            worker.deepen(&mut |_| {});
            assert!(worker.nodes > 100 && worker.stack.iter().all(|frame| frame.extended == 0));
        }
    }
}

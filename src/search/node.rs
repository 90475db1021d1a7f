//! The one alpha-beta function.

use std::time::Duration;

use super::history::Context;
use super::picker::{Hints, Picker};
use super::report::Mark;
use super::stack::MAX_PLY;
use super::tt::{Bound, TtEntry};
use super::worker::Worker;
use crate::eval::Window;
use crate::patterns::PointClass;
use crate::threats::{Replies, ThreatCheck, four_three_replies, threat_check};
use crate::types::{Depth, Key, Ply, Point, Score};

/// How often a path from the root may be extended by two plies at once.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

/// How long a search has to last before its marks are drawn.
const MARKS_FROM: Duration = Duration::from_millis(200);

/// What kind of node is searched; compiled away.
pub(super) trait NodeKind {
    /// Whether the window is open: the node may be on the principal variation.
    const PV: bool;
    /// Whether this is the root.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node whose exact score matters.
pub(super) struct Pv;
/// A node of which it only matters whether it beats a bound.
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

/// Returns the score of a hit if it makes searching unnecessary.
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

/// The key of a node without one of its moves.
fn key_without(key: Key, excluded: Option<Point>) -> Key {
    match excluded {
        None => key,
        Some(point) => Key(key.0 ^ (point.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)),
    }
}

/// What is known of a node before its moves are searched.
struct NodeContext {
    depth: Depth,
    improving: bool,
    cut_node: bool,
    pv: bool,
    replies: Replies,
}

impl NodeContext {
    /// Returns whether what becomes of a move here says something of it elsewhere: where an open
    /// four must be stopped, only what threats of one's own are worth.
    fn updates_history(&self, threat: bool) -> bool {
        threat || !self.replies.are_urgent()
    }
}

/// What the evaluation and the table say of a node.
struct StaticEvalContext {
    eval: Score,
    improving: bool,
    /// A cut is expected, and the table knows nothing.
    unknown: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    point: Point,
    class: PointClass,
    their_class: PointClass,
    count: i32,
}

impl Candidate {
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
        // Step 1. Out of depth: fours only, which know nothing of blocked paths.
        let mut depth = depth;
        if depth <= Depth::ZERO && !N::ROOT {
            if self.paths.is_none_or(|paths| paths.at(self.position.key()).is_none()) {
                return self.qsearch(ply, alpha, beta, 0);
            }
            depth = Depth::ONE;
        }
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

        // Step 2. Leave for reasons that no search can change.
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
            // A shorter win than any that can be found here is known already.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply.next()));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 3. What the threats on the board decide, unless the way there may be blocked.
        let blocked = self.paths.and_then(|paths| paths.at(self.position.key()));
        let free = blocked.is_none();
        let replies = match threat_check(&mut self.position) {
            ThreatCheck::Win(plies) if !N::ROOT && free => return Score::win_in(ply.plus(plies)),
            ThreatCheck::Loss(plies) if !N::ROOT && free => return Score::loss_in(ply.plus(plies)),
            ThreatCheck::Open(replies) => replies,
            _ => Replies::All,
        };

        // Step 4. The transposition table.
        let excluded = self.frame(ply, 0).excluded;
        let key = self.table_key(key_without(self.position.key(), excluded));
        let hit = self.shared.table.probe(key);
        if !N::PV
            && free
            && let Some(score) = hit.as_ref().and_then(|h| tt_cutoff(h, depth, ply, alpha, beta))
        {
            return score;
        }
        let table_move = hit.as_ref().and_then(|h| h.best);
        let was_pv = N::PV || hit.as_ref().is_some_and(|h| h.was_pv);

        // Step 5. The static evaluation; with a four to answer it would judge the wrong side's turn.
        let eval = if replies.must_stop_five() && ply.0 > 0 {
            -self.frame(ply, 1).eval
        } else {
            hit.as_ref()
                .and_then(|h| h.eval)
                .unwrap_or_else(|| self.evaluate(Window { alpha, beta }))
        };
        self.frame_mut(ply).eval = eval;
        let improving = ply.0 >= 2 && eval > self.frame(ply, 2).eval;

        // Step 6. Prune the whole node. Where an open four must be stopped, the evaluation does not
        // know what the answer costs; near the horizon fours decide, as in Rapfi.
        if !N::PV && excluded.is_none() && free {
            match replies {
                Replies::All => {
                    let unknown = cut_node && hit.is_none();
                    let eval = hit.as_ref().map_or(eval, |hit| tt_adjusted_eval(eval, hit, ply));
                    let context = StaticEvalContext { eval, improving, unknown };
                    if let Some(score) = self.prune_by_eval(ply, alpha, beta, depth, context) {
                        return score;
                    }
                }
                Replies::StopFour(_) if depth.raw() < self.params.razor_depth => {
                    return self.qsearch(ply, alpha, beta, 0);
                }
                _ => {}
            }
        }

        // Step 7. Without a move from the table the node is less known, and worth less. So is one on
        // the principal variation that has not been searched for a while.
        if table_move.is_none() && (N::PV || cut_node) && depth > Depth::plies(3) {
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
                return self.qsearch(ply, alpha, beta, 0);
            }
        }

        // Step 8. Go through the moves; only through those that stop a four with an open three.
        let replies = match replies {
            Replies::All if free => four_three_replies(&mut self.position),
            replies => replies,
        };
        let facts = NodeContext { depth, improving, cut_node, pv: was_pv, replies };
        let context = self.context();
        let us = self.position.to_move();
        let hints = Hints { table: table_move, context };
        let whole_board = self.shared.options.whole_board;
        let every = || whole_board.then(|| *self.position.tracker().empties());
        let only = replies.set().filter(|_| free).or_else(every);
        let mut picker = Picker::new(only, hints, &self.list);

        // Step 9. Deep down, ask the table whether a move leads to a position that is good enough:
        // other orders of the same moves may have been searched.
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
        let limit = lmp_limit(self.params.lmp_base, facts.depth, improving);
        self.frame_child_reset(ply);

        loop {
            // Step 10. Once something better than losing is known, late moves have no hope.
            if !N::ROOT && count + 1 >= limit && best > -Score::INFINITE && !best.is_loss() {
                break;
            }

            // Step 11. The next move. At the root they come from the list, best first.
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

            let candidate = Candidate {
                point,
                class: self.position.class(point, us),
                their_class: self.position.class(point, !us),
                count,
            };

            // Step 12. Extend the reply to a four, and the table's move if it stands alone.
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
                match self.singular(ply, hit, &facts, beta, N::PV) {
                    Singular::Extend(by) => {
                        extension = by;
                        is_double = by == 2 * Depth::UNIT;
                    }
                    Singular::Cut(score) => return score,
                }
            }
            let new_depth = depth - Depth::ONE + Depth::from_raw(extension);
            self.frame_mut(ply.next()).extended = self.frame(ply, 0).extended + u8::from(is_double);

            // Step 13. Play the move and search it.
            let shown = N::ROOT && self.shows_marks(depth);
            if shown {
                self.mark(Mark::Searching(point));
            }
            self.shared.table.prefetch(self.table_key(self.position.key_after(point)));
            self.frame_mut(ply).class = candidate.class;
            let score = if N::ROOT && candidate.class == PointClass::Five {
                // Step 3 ends every other node that can win so.
                self.lines.clear(1);
                Score::win_in(ply.next())
            } else {
                self.play(point);
                let window = (alpha, beta);
                let score =
                    self.search_move::<N>(ply, window, new_depth, &facts, candidate, context);
                self.undo();
                score
            };
            if self.stopped {
                return Score::ZERO;
            }

            // Step 14. Keep the best.
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
                        break;
                    }
                    alpha = score;
                    // What follows must be better still, and rarely is.
                    if depth > Depth::plies(2) && depth < Depth::plies(12) && !score.is_decisive() {
                        depth -= Depth::ONE;
                    }
                }
            }
            if Some(point) != best_move && facts.updates_history(candidate.is_threat()) {
                tried.push(point, candidate.is_threat());
            }
        }

        // Step 15. No move: the only reply was the excluded one, or black, who may not pass, has
        // nothing but forbidden points left. Otherwise paths block all candidates, or they are
        // forbidden and moves far from all stones are not: neither says who is better off.
        if count == 0 {
            let empties = *self.position.tracker().empties();
            return match excluded {
                Some(_) => first_alpha,
                None if free && self.legal(empties).is_empty() => Score::loss_in(ply.plus(2)),
                None => Score::ZERO,
            };
        }

        // Step 16. Remember.
        if best >= beta
            && let Some(point) = best_move
        {
            let threat = self.position.class(point, us) >= PointClass::Three;
            if facts.updates_history(threat) {
                self.remember_cut(ply, (point, threat), tried.get(), depth, context);
            }
        }
        // What was found at the root may hold for some of its moves only.
        let whole = !N::ROOT || self.first_root_move == 0 && self.shared.options.blocks.is_none();
        if excluded.is_none() && whole {
            self.shared.table.store(
                key,
                TtEntry {
                    score: best.to_table(ply),
                    eval: (!replies.must_stop_five()).then_some(eval),
                    bound: Bound::of(best, first_alpha, beta),
                    depth: facts.depth,
                    best: best_move,
                    was_pv,
                },
            );
        }
        best
    }

    /// Returns the score of a node that need not be searched.
    fn prune_by_eval(
        &mut self,
        ply: Ply,
        alpha: Score,
        beta: Score,
        depth: Depth,
        StaticEvalContext { eval, improving, unknown }: StaticEvalContext,
    ) -> Option<Score> {
        let plies = depth.raw();
        if plies < self.params.razor_depth {
            let margin = self.params.razor_base + self.params.razor_slope * plies / Depth::UNIT;
            if eval + margin < alpha {
                return Some(self.qsearch(ply, alpha, beta, 0));
            }
        }
        if plies < self.params.rfp_depth && !beta.is_loss() {
            let effort = (plies - Depth::UNIT * (1 + i32::from(improving))).max(0);
            let slope = self.params.rfp_slope - if unknown { self.params.rfp_unknown } else { 0 };
            let margin = slope * effort / Depth::UNIT;
            if eval - margin >= beta {
                return Some(eval);
            }
        }
        None
    }

    /// Returns a move after which the table knows a score good enough to cut, with that score and the
    /// depth that it is worth here (enhanced transposition cutoffs: Plaat, Schaeffer, Pijls and
    /// de Bruin, *Exploiting graph properties of game trees*, 1996).
    fn transposed(
        &mut self,
        ply: Ply,
        beta: Score,
        depth: Depth,
        picker: &Picker,
    ) -> Option<(Point, Score, Depth)> {
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
                return Some((point, score, worth));
            }
        }
        None
    }

    /// Searches the position after a move: with a reduced depth and a null window first, unless
    /// it is the first move.
    fn search_move<N: NodeKind>(
        &mut self,
        ply: Ply,
        (alpha, beta): (Score, Score),
        new_depth: Depth,
        facts: &NodeContext,
        candidate: Candidate,
        context: Context,
    ) -> Score {
        let next = ply.next();
        let null = (-(alpha + 1), -alpha);
        let mut score = -Score::INFINITE;
        let mut full = !N::PV || candidate.count > 1;
        if facts.depth >= Depth::plies(2) && candidate.count > 1 + i32::from(N::ROOT) {
            let reduction = self.reduction(ply, facts, candidate, context);
            let reduced = (new_depth - reduction).clamp(Depth::ONE, new_depth.max(Depth::ONE));
            score = -self.node::<NonPv>(next, null.0, null.1, reduced, true);
            full = score > alpha && reduced < new_depth;
            if self.stopped {
                return Score::ZERO;
            }
        }
        if full {
            score = -self.node::<NonPv>(next, null.0, null.1, new_depth, !facts.cut_node);
        }
        if N::PV && (candidate.count == 1 || score > alpha && (N::ROOT || score < beta)) {
            score = -self.node::<Pv>(next, -beta, -alpha, new_depth, false);
        }
        score
    }

    /// Returns how much less deep a late move is searched at first.
    fn reduction(
        &self,
        ply: Ply,
        facts: &NodeContext,
        candidate: Candidate,
        context: Context,
    ) -> Depth {
        let mut r = base_reduction(self.params.lmr_scale, facts.depth, candidate.count);
        if facts.pv {
            r -= self.params.lmr_pv;
        }
        let urgent = facts.replies.are_urgent();
        let is_quiet_killer = || {
            let killers = self.frame(ply, 0).killers;
            !urgent && !candidate.is_threat() && killers.contains(&Some(candidate.point))
        };
        if facts.cut_node && !is_quiet_killer() {
            r += self.params.lmr_cut_node;
        }
        if urgent && candidate.their_class < PointClass::Four {
            if is_far(context.theirs, candidate.point) {
                r += self.params.lmr_far_theirs;
            }
            if is_far(context.ours, candidate.point) {
                r += self.params.lmr_far_ours;
            }
        }
        if !facts.improving {
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

    /// Tests whether the table's move is the only good one.
    fn singular(
        &mut self,
        ply: Ply,
        hit: &TtEntry,
        facts: &NodeContext,
        beta: Score,
        pv: bool,
    ) -> Singular {
        let value = hit.score.from_table(ply);
        if hit.bound == Bound::Upper
            || value.is_decisive()
            || hit.depth < facts.depth - Depth::plies(3)
        {
            return Singular::Extend(0);
        }
        let margin = self.params.singular_slope * facts.depth.raw() / (8 * Depth::UNIT);
        let bound = value - margin;
        self.frame_mut(ply).excluded = hit.best;
        let half = Depth::from_raw(facts.depth.raw() / 2);
        let score = self.node::<NonPv>(ply, bound - 1, bound, half, facts.cut_node);
        self.frame_mut(ply).excluded = None;
        if self.stopped {
            return Singular::Cut(Score::ZERO);
        }
        if score < bound {
            let may_double = !pv && self.frame(ply, 0).extended < MAX_DOUBLE_EXTENSIONS;
            if may_double && score < bound - self.params.double_ext_margin {
                return Singular::Extend(2 * Depth::UNIT);
            }
            return Singular::Extend(Depth::UNIT);
        }
        // Another move is as good: if it beats beta too, nothing needs to be searched.
        if bound >= beta && !pv {
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
        context: Context,
    ) {
        let us = self.position.to_move();
        self.histories.update(us, best, tried, depth, context);
        let frame = self.frame_mut(ply);
        if frame.killers[0] != Some(best.0) {
            frame.killers = [Some(best.0), frame.killers[0]];
        }
    }

    /// Returns whether a search of this depth is worth drawing: short ones are over before they
    /// are seen.
    fn shows_marks(&self, depth: Depth) -> bool {
        self.shared.options.marks.is_some()
            && self.id == 0
            && depth >= Depth::plies(8)
            && self.shared.control.elapsed() >= MARKS_FROM
    }

    /// Draws what became of a root move.
    fn mark_result(&self, point: Point, score: Score, best: bool) {
        self.mark(Mark::Searched(point));
        if score.is_loss() {
            self.mark(Mark::Lost(point));
        } else if best && self.first_root_move == 0 {
            self.mark(Mark::Best(point));
        }
    }

    /// Keeps the score of a root move; one that did not raise alpha is only known to be worse.
    fn record_root(&mut self, index: usize, score: Score, exact: bool) {
        let mut line = std::mem::take(&mut self.root_moves[index].line);
        let root_move = &mut self.root_moves[index];
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
    /// Extend by this many 64ths of a ply.
    Extend(i32),
    /// The node is decided.
    Cut(Score),
}

/// The moves searched without causing a cut, as many as history can use.
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

/// Returns the evaluation of a node, or what a search of it found if that says more.
fn tt_adjusted_eval(eval: Score, hit: &TtEntry, ply: Ply) -> Score {
    let score = hit.score.from_table(ply);
    let says_more = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if says_more && !score.is_decisive() { score } else { eval }
}

/// Returns whether a move is too far from an earlier one to have to do with it.
fn is_far(last: Option<Point>, point: Point) -> bool {
    last.is_some_and(|last| point.distance(last) > 4)
}

/// Returns the number of moves after which a node at this depth is not searched further: `base` +
/// depth^1.32, halved if the evaluation is not improving.
fn lmp_limit(base: i32, depth: Depth, improving: bool) -> i32 {
    const POWERS: [i32; 24] =
        [0, 1, 2, 4, 6, 8, 11, 13, 16, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 49, 52, 56, 59, 63];
    let plies = depth.whole().clamp(0, 400) as usize;
    let power = POWERS.get(plies).copied().unwrap_or(1000);
    (base + power) / (2 - i32::from(improving))
}

/// Returns the reduction of the `count`th move at a depth, in 64ths of a ply; `scale` is in percent.
fn base_reduction(scale: i32, depth: Depth, count: i32) -> i32 {
    // ln(n) in 64ths, from the position of the highest bit and the two bits below it: integers
    // give the same nodes on every machine.
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
    use crate::search::{Options, Params, SearchControl, StopFlag, TranspositionTable};
    use crate::types::Size;

    #[test]
    fn replies_to_fours_never_count_as_double_extensions() {
        let mut params = Params::DEFAULT;
        params.set("forced_reply_extension", 2 * Depth::UNIT).unwrap();
        // Too deep for any move to be tested for being singular.
        params.set("singular_depth", 960).unwrap();
        let options = Options { max_nodes: Some(5_000), params, ..Options::default() };
        for cells in ["d7j7g9g10d6h10d8d9f10h9i8j8d5d4", "h6j9i6e8j7k8j6k6", "f8g7k5h11i6h8f6f7h7"]
        {
            let size = Size::square(12).unwrap();
            let mut position = Position::new(Rule::Freestyle, size);
            let moves = parse_moves(cells, size).unwrap();
            moves.into_iter().for_each(|point| position.play_unchecked(point));
            let control = SearchControl::bounded(&position, Some(7), None);
            let table = TranspositionTable::new(1 << 20).unwrap();
            let mut evaluator =
                Evaluators::shipped().make(EvaluatorKind::default(), Rule::Freestyle);
            let (nodes, finished) = ([NodeCounter::default()], StopFlag::new());
            let (table, control, finished) = (&table, &control, &finished);
            let shared = Shared { table, control, nodes: &nodes, finished, options };
            let mut histories = Histories::new();
            let mut worker = Worker::new(0, &position, &mut evaluator, &shared, &mut histories);
            worker.node_limit = 5_000;
            worker.set_root_moves();
            worker.deepen(&mut |_| {});
            assert!(worker.nodes > 100 && worker.stack.iter().all(|frame| frame.extended == 0));
        }
    }
}

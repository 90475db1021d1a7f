//! The search of one position and its best moves.

use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::prover::{Horizon, Prover, ProverLimits, ProverVerdict};
use tengen_core::rules::{Outcome, Rule};
use tengen_core::search::{Blocks, BoundedSearch, Options, SearchControl, Variation};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Ply, Point, Score};
use tengen_engine::database::{Placement, PositionEntry, ProvenResult};
use tengen_engine::engine::Finding;
use tengen_files::work::Stop;

/// The part of the nodes of a move that the prover gets to look for an answer that wins, one of this
/// many.
const PROVER_PART: u64 = 4;
/// The factor of the nodes of a move that the first search of the position after it has; each one after it has
/// twice as many as the one before.
const FIRST_FACTOR: u64 = 4;
/// The factor of the nodes of a move that the last search may have, if those before it did not agree.
const LAST_FACTOR: u64 = 64;
/// The number of successive searches that have to agree with the one before. That two do is often chance: with one,
/// searches of twice the nodes of the last one disagreed by more than 0.1 with 20 of 100 leaves, with two
/// with 7.
const AGREEING: u32 = 2;
/// The largest difference of expected points between two searches that agree: half of what a judge with
/// more nodes may differ by (`scripts/measure/grow`).
const SETTLED_WITHIN: f64 = 0.05;

/// A position to be searched.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    /// The position, in the image of its key.
    pub(super) placement: Placement,
    /// The nodes for each move.
    pub(super) nodes: u64,
    /// The nodes of which multiples settle the value of the position after a move.
    pub(super) settling: u64,
    /// The number of moves to find.
    pub(super) width: usize,
    /// Moves that are known to lose, with the plies to the end of the game, where they are known.
    pub(super) lost: Vec<(Point, Option<u16>)>,
    /// Moves labelled to be left out.
    pub(super) left_out: Vec<Point>,
}

/// Current knowledge about positions: of the one that was searched, of those after its best moves, and of
/// the lines of forced wins.
pub(super) type FoundEntries = Vec<(Placement, PositionEntry)>;

/// A search and a prover of one thread. Whatever they did before, the same position gives the same.
///
/// The calling thread needs a stack for the prover, which is recursive to the length of a game.
#[derive(Debug)]
pub(super) struct Expander {
    search: BoundedSearch,
    prover: Prover,
}

impl Expander {
    /// Makes an expander for positions of a rule with tables of this many bytes each.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub(super) fn new(rule: Rule, bytes: usize) -> Result<Expander, AllocError> {
        let evaluator = Evaluators::shipped().make(EvaluatorKind::default(), rule);
        Ok(Expander { search: BoundedSearch::new(evaluator, bytes)?, prover: Prover::new(bytes) })
    }

    /// Searches a position, and returns what was found, or nothing if `stop` came first.
    ///
    /// A win by threats is looked for first. If there is none, the best moves are searched together,
    /// and each of them is shown to the prover from the other side, and searched from there until its
    /// value has settled. If all of them turn out to lose,
    /// that is all that is found, and the next search looks at other moves.
    pub(super) fn expand(&mut self, expansion: &Expansion, stop: &Stop) -> Option<FoundEntries> {
        let Expansion { placement, nodes, .. } = expansion;
        let mut position = position_of(placement);
        self.search.forget();
        self.prover.clear();
        let won = self.win(&mut position, *nodes, stop);
        if stop.is_set() {
            return None;
        }
        if let Some(finding) = won {
            return Some(finding.entries());
        }
        let lines = self.lines(&position, expansion, stop);
        let mut found = FoundEntries::new();
        for (i, line) in lines.iter().enumerate() {
            if stop.is_set() {
                return None;
            }
            let finding = Finding::new(&position, line.score, line.depth, &line.pv);
            let mut entries = finding.entries();
            if line.score.is_win() {
                return Some(entries);
            }
            // The loss of the best move is one of the position, unless there are moves that nobody
            // looked at. A value is carried from the moves.
            let is_lost = line.score.is_loss() && i == 0 && expansion.left_out.is_empty();
            resist(&mut entries[0].1, &expansion.lost);
            if !is_lost {
                entries.remove(0);
            }
            let is_quiet = !line.score.is_decisive();
            let goes_on = placement.outcome_of(line.pv[0]) == Outcome::Ongoing;
            if !goes_on {
                entries.truncate(usize::from(is_lost));
            } else if is_quiet {
                let mut next = position.clone();
                next.play_unchecked(line.pv[0]);
                entries = match self.win(&mut next, (nodes / PROVER_PART).max(1), stop) {
                    Some(answer) => answer.entries(),
                    None => self.settled(&next, expansion.settling, stop)?,
                };
            }
            found.extend(entries);
        }
        (!stop.is_set()).then_some(found)
    }

    /// Looks for a forced win of the side to move.
    fn win(&mut self, position: &mut Position, nodes: u64, stop: &Stop) -> Option<Finding> {
        let limits = ProverLimits { nodes, stop: Some(stop) };
        let verdict = self.prover.solve(position, Horizon::default(), &limits);
        let ProverVerdict::Win(certificate) = verdict else { return None };
        let plies = u16::try_from(certificate.plies()).unwrap_or(u16::MAX);
        let score = Score::win_in(Ply(plies));
        Some(Finding::new(position, score, plies.into(), certificate.line()))
    }

    /// Searches a position by itself, with twice as many nodes each time, until its value stays, and
    /// returns the last.
    ///
    /// The value of the root is the best of many, which finds the mistakes: a value that a deeper
    /// search would take back is worth less to it than the time of that search.
    fn settled(&mut self, position: &Position, nodes: u64, stop: &Stop) -> Option<FoundEntries> {
        let mut before: Option<f64> = None;
        let mut agreeing = 0;
        let mut factor = FIRST_FACTOR;
        loop {
            let nodes = nodes.saturating_mul(factor);
            let control = SearchControl::bounded(position, None, Some(nodes)).stopped_by(stop);
            let options = Options::default();
            // There is an empty cell, for the game goes on.
            let found = self.search.search_under(position, &control, options)?;
            if stop.is_set() {
                return None;
            }
            // The evaluator has come back to the root.
            let (score, depth, line) = found.settled();
            let points = self.search.evaluator().win_model(position).chances(score).points();
            let agrees = before.is_some_and(|before| (points - before).abs() <= SETTLED_WITHIN);
            agreeing = if agrees { agreeing + 1 } else { 0 };
            if agreeing >= AGREEING || score.is_decisive() || factor >= LAST_FACTOR {
                let mut entries = Finding::new(position, score, depth, line).entries();
                // Of a value, the position after the move says nothing that is not here.
                if !score.is_decisive() {
                    entries.truncate(1);
                }
                return Some(entries);
            }
            before = Some(points);
            factor *= 2;
        }
    }

    /// Searches the best moves, best first, each only once of those that are the same by symmetry.
    fn lines(&mut self, position: &Position, expansion: &Expansion, stop: &Stop) -> Vec<Variation> {
        let nodes = expansion.nodes.saturating_mul(expansion.width as u64);
        let control = SearchControl::bounded(position, None, Some(nodes)).stopped_by(stop);
        let lost = expansion.lost.iter().map(|&(point, _)| point);
        let excluded: Vec<Point> = lost.chain(expansion.left_out.iter().copied()).collect();
        let blocks = Blocks::new(position.size(), &excluded, &[]);
        let options = Options {
            lines: expansion.width,
            merge_symmetric: true,
            blocks: (!excluded.is_empty()).then_some(&blocks),
            ..Options::default()
        };
        let mut lines = self.search.lines_under(position, &control, options);
        // Where nothing else is left, the search looks at excluded moves.
        lines.retain(|line| !excluded.contains(&line.pv[0]));
        lines
    }
}

/// Lets the entry of a position that a search found lost, without looking at moves known to lose, resist
/// as long as the longest of all moves does. A length that nobody knows is the longest claim.
fn resist(entry: &mut PositionEntry, lost: &[(Point, Option<u16>)]) {
    let Some(ProvenResult::Loss(found)) = entry.result else { return };
    let length = |plies: Option<u16>| plies.map_or(u32::MAX, u32::from);
    let longer = lost.iter().filter(|(_, plies)| length(*plies) > length(found));
    if let Some(&(point, plies)) = longer.max_by_key(|(_, plies)| length(*plies)) {
        (entry.result, entry.best) = (Some(ProvenResult::Loss(plies)), Some(point));
    }
}

/// Returns a position to search.
fn position_of(placement: &Placement) -> Position {
    Position::from_board(placement.rule(), placement.board().clone(), placement.to_move())
}

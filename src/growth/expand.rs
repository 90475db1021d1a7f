//! The search of one position and its best moves.

use crate::database::{Placement, PositionEntry};
use crate::engine::Finding;
use crate::eval::{EvaluatorKind, Evaluators};
use crate::position::Position;
use crate::prover::{Horizon, Prover, ProverLimits, ProverVerdict};
use crate::rules::{Outcome, Rule};
use crate::search::{Blocks, BoundedSearch, Options, SearchControl, Variation};
use crate::sys::memory::AllocError;
use crate::types::{Ply, Point, Score};

/// The part of the nodes of a move that the prover gets to look for an answer that wins, one of this
/// many.
const PROVER_PART: u64 = 4;

/// A position to be searched.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    /// The position, in the image of its key.
    pub(super) placement: Placement,
    /// The nodes for each move.
    pub(super) nodes: u64,
    /// The number of moves to find.
    pub(super) width: usize,
    /// Moves that are known to lose.
    pub(super) lost: Vec<Point>,
    /// Moves that somebody left out.
    pub(super) left_out: Vec<Point>,
}

/// What is known of positions now: of the one that was searched, of those after its best moves, and of
/// the lines of forced wins.
pub(super) type Findings = Vec<(Placement, PositionEntry)>;

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
    /// and each of them is shown to the prover from the other side. If all of them turn out to lose,
    /// that is all that is found, and the next search looks at other moves.
    pub(super) fn expand(
        &mut self,
        expansion: &Expansion,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Findings> {
        let Expansion { placement, nodes, .. } = expansion;
        let mut position = position_of(placement);
        self.search.forget();
        self.prover.clear();
        let won = self.win(&mut position, *nodes, stop);
        if stop() {
            return None;
        }
        if let Some(finding) = won {
            return Some(finding.entries());
        }
        let lines = self.lines(&position, expansion, stop);
        let mut found = Findings::new();
        for (i, line) in lines.iter().enumerate() {
            if stop() {
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
                if let Some(answer) = self.win(&mut next, (nodes / PROVER_PART).max(1), stop) {
                    entries = answer.entries();
                }
            }
            found.extend(entries);
        }
        (!stop()).then_some(found)
    }

    /// Looks for a forced win of the side to move.
    fn win(
        &mut self,
        position: &mut Position,
        nodes: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Finding> {
        let limits = ProverLimits { nodes, stop: &|| stop() };
        let verdict = self.prover.solve(position, Horizon::default(), &limits);
        let ProverVerdict::Win(certificate) = verdict else { return None };
        let plies = u16::try_from(certificate.plies()).unwrap_or(u16::MAX);
        let score = Score::win_in(Ply(plies));
        Some(Finding::new(position, score, plies.into(), certificate.line()))
    }

    /// Searches the best moves, best first, each only once of those that are the same by symmetry.
    fn lines(
        &mut self,
        position: &Position,
        expansion: &Expansion,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Variation> {
        let nodes = expansion.nodes.saturating_mul(expansion.width as u64);
        let control = SearchControl::bounded(position, None, Some(nodes));
        let marks = |_| {
            if stop() {
                control.request_stop();
            }
        };
        let excluded = [&expansion.lost[..], &expansion.left_out[..]].concat();
        let blocks = Blocks::new(position.size(), &excluded, &[]);
        let options = Options {
            max_nodes: Some(nodes),
            lines: expansion.width,
            merge_symmetric: true,
            blocks: (!excluded.is_empty()).then_some(&blocks),
            marks: Some(&marks),
            ..Options::default()
        };
        let mut lines = self.search.lines_under(position, &control, options);
        // Where nothing else is left, the search looks at excluded moves.
        lines.retain(|line| !excluded.contains(&line.pv[0]));
        lines
    }
}

/// Returns a position to search.
fn position_of(placement: &Placement) -> Position {
    Position::from_board(placement.rule(), placement.board().clone(), placement.to_move())
}

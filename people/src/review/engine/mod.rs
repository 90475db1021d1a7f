//! The search and the prover as an assessor.

use std::sync::Arc;
use std::time::Duration;

use super::assess::{Assessment, Assessor, Candidate, Proven, rounded};
use crate::explain::WinMeans;
use tengen_core::eval::{EvaluatorKind, Evaluators, WinDrawLoss};
use tengen_core::position::Position;
use tengen_core::prover::{Certificate, Horizon, Prover, ProverLimits, ProverVerdict};
use tengen_core::rules::Rule;
use tengen_core::search::{Blocks, BoundedSearch, Options, SearchControl, SearchResult};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Point, Score, ScoreKind};
use tengen_files::work::Stop;

/// The part of the effort that the prover gets in addition, one of this many: wins by fours alone
/// get a half of it before the search, wins by threats the other half after it.
const PROVER_PART: u32 = 4;
/// The part of the effort that the other moves than the best get in addition, one of this many.
const OTHERS_PART: u32 = 2;
/// The number of other moves that are looked at.
const OTHERS: usize = 5;

/// The expected points by the search from which on a win is likely to be there, so that the prover gets
/// as much as where the search has found one.
const NEARLY_WON: f64 = 0.9;

/// The effort for a position. That after a better move than the one that was played, which is
/// looked at where it decides whether that was a fault, gets as much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The search for the best move gets this number of nodes, the other moves a half more, and the
    /// prover a quarter more; as many again as the first if the search has found a win or nearly so, to
    /// show it.
    Nodes(u64),
    /// All of them together get this time: the best move at least a half, the other moves and the
    /// prover at most a quarter each. A win that the search has found, or nearly so, gets another
    /// quarter.
    /// Results depend on the machine.
    Time(Duration),
}

impl Effort {
    /// The effort for a position where nobody chose one.
    pub const USUAL: Effort = Effort::Nodes(20_000);
}

/// Assesses positions with a search and a prover of its own, on the calling thread.
///
/// The calling thread needs a stack for the prover, which is recursive to the length of a game: 64
/// MiB are plenty.
#[derive(Debug)]
pub struct EngineAssessor {
    evaluators: Evaluators,
    /// The rule whose positions the evaluator of the search judges.
    rule: Rule,
    search: BoundedSearch,
    prover: Prover,
    effort: Effort,
}

impl EngineAssessor {
    /// The mebibytes of each of its two tables where nobody chose them.
    pub const USUAL_MEBIBYTES: u32 = 16;

    /// Makes an assessor with tables of this many mebibytes each for the search and the prover.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(effort: Effort, mebibytes: u32) -> Result<EngineAssessor, AllocError> {
        let bytes = usize::try_from(u64::from(mebibytes) << 20).unwrap_or(usize::MAX);
        let (evaluators, rule) = (Evaluators::shipped(), Rule::Freestyle);
        let evaluator = evaluators.make(EvaluatorKind::default(), rule);
        let search = BoundedSearch::new(evaluator, bytes)?;
        Ok(EngineAssessor { evaluators, rule, search, prover: Prover::new(bytes), effort })
    }

    /// Looks for a forced win of the side to move with a part of the effort, one of `part`.
    fn prove(
        &mut self,
        position: &mut Position,
        horizon: Horizon,
        part: u32,
        stop: &Stop,
    ) -> Option<Certificate> {
        let (nodes, time) = match self.effort {
            Effort::Nodes(nodes) => ((nodes / u64::from(part)).max(1), Duration::MAX),
            Effort::Time(time) => (u64::MAX, time / part),
        };
        let stop = stop.part_within(time);
        let limits = ProverLimits { nodes, stop: Some(&stop) };
        match self.prover.solve(position, horizon, &limits) {
            ProverVerdict::Win(certificate) => Some(certificate),
            ProverVerdict::NoWin | ProverVerdict::Unknown => None,
        }
    }

    /// Searches a position that has an empty cell, without the moves that are excluded.
    fn look(
        &mut self,
        position: &Position,
        excluded: &[Point],
        stop: &Stop,
    ) -> Option<SearchResult> {
        let control = match self.effort {
            Effort::Nodes(nodes) => SearchControl::bounded(position, None, Some(nodes)),
            Effort::Time(time) => SearchControl::for_time(position, time / 2),
        };
        let blocks = Blocks::new(position.size(), excluded, &[]);
        let blocks = (!excluded.is_empty()).then_some(&blocks);
        let options = Options { blocks, ..Options::default() };
        self.search.search_under(position, &control.stopped_by(stop), options)
    }

    /// Looks at other moves than the best. The answer means nothing if `stop` was set
    /// meanwhile.
    fn look_around(
        &mut self,
        position: &Position,
        best: Option<Point>,
        stop: &Stop,
    ) -> Vec<Candidate> {
        let control = match self.effort {
            Effort::Nodes(nodes) => {
                let share = nodes / u64::from(OTHERS_PART);
                SearchControl::bounded(position, None, Some(share))
            }
            Effort::Time(time) => SearchControl::for_time(position, time / 4),
        };
        let blocks = Blocks::new(position.size(), best.as_slice(), &[]);
        let blocks = Some(&blocks);
        let options = Options { blocks, lines: OTHERS, ..Options::default() };
        let found = self.search.lines_under(position, &control.stopped_by(stop), options);
        let candidates = found.into_iter().map(|line| {
            let (chances, proven) = self.judge(position, line.score, &line.pv);
            Candidate { line: line.pv, chances, proven }
        });
        // If there is no other move the excluded one is searched.
        let is_other = |candidate: &Candidate| Some(candidate.point()) != best;
        candidates.filter(is_other).collect()
    }

    /// Returns what a score says of its position.
    fn judge(
        &mut self,
        position: &Position,
        score: Score,
        line: &[Point],
    ) -> (WinDrawLoss, Option<Proven>) {
        let to_move = position.to_move();
        let proof = |winner, plies, means| {
            let proven = Proven { winner, plies, means };
            (proven.chances(to_move), Some(proven))
        };
        match score.kind() {
            ScoreKind::Win(plies) => {
                let is_whole = line.len() == usize::from(plies);
                let means =
                    if is_whole { WinMeans::of_line(position, line) } else { WinMeans::Any };
                proof(to_move, plies, means)
            }
            ScoreKind::Loss(plies) => proof(!to_move, plies, WinMeans::Any),
            ScoreKind::Value(_) => {
                let chances = self.search.evaluator().win_model(position).chances(score);
                (rounded(chances), None)
            }
        }
    }

    /// Returns what a search says of its position.
    fn of_search(&mut self, position: &Position, found: SearchResult) -> Assessment {
        let (chances, proven) = self.judge(position, found.score, &found.line);
        Assessment { proven, ..Assessment::of_chances(chances, found.line) }
    }

    /// Returns what is known of the best move of a position.
    fn assess_best(&mut self, position: &mut Position, stop: &Stop) -> Option<Assessment> {
        let (by_fours, by_threats) = (Horizon { fours_only: true }, Horizon::default());
        if let Some(certificate) = self.prove(position, by_fours, 2 * PROVER_PART, stop) {
            return Some(of_certificate(&certificate, position, WinMeans::Fours));
        }
        let found = self.look(position, &[], stop)?;
        if stop.is_set() {
            return None;
        }
        // The opponent's way to win shows in the position before, if it is by threats.
        if found.score.is_loss() {
            return Some(self.of_search(position, found));
        }
        let searched = self.of_search(position, found);
        let mut threats = self.prove(position, by_threats, 2 * PROVER_PART, stop);
        if threats.is_none() && searched.chances.points() >= NEARLY_WON {
            let part = if matches!(self.effort, Effort::Nodes(_)) { 1 } else { PROVER_PART };
            threats = self.prove(position, by_threats, part, stop);
        }
        if stop.is_set() {
            return None;
        }
        // The search may know a shorter win, but only a certificate shows all of it.
        if let Some(certificate) = threats {
            return Some(of_certificate(&certificate, position, WinMeans::Threats));
        }
        Some(searched)
    }
}

impl Assessor for EngineAssessor {
    fn begin(&mut self, rule: Rule) {
        self.prover.clear();
        self.search.forget();
        if rule != self.rule {
            self.rule = rule;
            self.search.set_evaluator(self.evaluators.make(EvaluatorKind::default(), rule));
        }
    }

    fn assess(&mut self, position: &mut Position, stop: &Stop) -> Option<Assessment> {
        let mut assessment = self.assess_best(position, stop)?;
        // Where all moves lose, none is worth looking at.
        if assessment.proven.is_none_or(|proven| proven.winner == position.to_move()) {
            assessment.candidates = self.look_around(position, assessment.best(), stop);
            assessment.prefer_proven_win(position.to_move());
        }
        (!stop.is_set()).then_some(assessment)
    }

    fn assess_without(
        &mut self,
        position: &mut Position,
        excluded: Point,
        stop: &Stop,
    ) -> Option<Assessment> {
        let found = self.look(position, &[excluded], stop)?;
        (!stop.is_set()).then(|| self.of_search(position, found))
    }
}

/// Returns what a certificate says of the position that it is for.
fn of_certificate(certificate: &Certificate, position: &Position, means: WinMeans) -> Assessment {
    let plies = u16::try_from(certificate.plies()).unwrap_or(u16::MAX);
    let winner = position.to_move();
    let attack = Some(Arc::new(certificate.root().clone()));
    let line = certificate.line().to_vec();
    Assessment { attack, ..Assessment::of_proof(Proven { winner, plies, means }, winner, line) }
}

#[cfg(test)]
mod tests;

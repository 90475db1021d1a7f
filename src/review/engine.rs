//! The search and the prover as an assessor.

use std::time::{Duration, Instant};

use super::assess::{Assessment, Assessor, Proven, rounded};
use crate::eval::{EvaluatorKind, Evaluators};
use crate::explain::WinMeans;
use crate::position::Position;
use crate::prover::{Certificate, Horizon, Prover, ProverLimits, ProverVerdict};
use crate::rules::Rule;
use crate::search::{Blocks, BoundedSearch, Options, SearchControl, SearchResult};
use crate::sys::memory::AllocError;
use crate::types::{Point, ScoreKind};

/// The part of the effort that the prover gets in addition, one of this many: wins by fours alone
/// get a half of it before the search, wins by threats the other half after it.
const PROVER_PART: u32 = 4;

/// What may be spent on a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The search gets this number of nodes, and the prover a quarter more.
    Nodes(u64),
    /// The search and the prover together get this time, of which the prover takes at most a
    /// quarter. Results depend on the machine.
    Time(Duration),
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

    /// Looks for a forced win of the side to move with an eighth of the effort.
    fn prove(
        &mut self,
        position: &mut Position,
        horizon: Horizon,
        stop: &dyn Fn() -> bool,
    ) -> Option<Certificate> {
        let start = Instant::now();
        let (nodes, time) = match self.effort {
            Effort::Nodes(nodes) => ((nodes / u64::from(2 * PROVER_PART)).max(1), None),
            Effort::Time(time) => (u64::MAX, Some(time / (2 * PROVER_PART))),
        };
        let is_late = || time.is_some_and(|time| start.elapsed() >= time);
        let limits = ProverLimits { nodes, stop: &|| stop() || is_late() };
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
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<SearchResult> {
        let (control, max_nodes) = match self.effort {
            Effort::Nodes(nodes) => {
                (SearchControl::bounded(position, None, Some(nodes)), Some(nodes))
            }
            Effort::Time(time) => {
                let share = time * (PROVER_PART - 1) / PROVER_PART;
                (SearchControl::for_time(position, share), None)
            }
        };
        let marks = |_| {
            if stop() {
                control.request_stop();
            }
        };
        let blocks = Blocks::new(position.size(), excluded, &[]);
        let blocks = (!excluded.is_empty()).then_some(&blocks);
        let options = Options { max_nodes, blocks, marks: Some(&marks), ..Options::default() };
        self.search.search_under(position, &control, options)
    }

    /// Returns what a search says of its position.
    fn of_search(&mut self, position: &Position, found: SearchResult) -> Assessment {
        let (score, line) = (found.score, found.line);
        let to_move = position.to_move();
        let proof = |winner, plies, means| Proven { winner, plies, means };
        match score.kind() {
            ScoreKind::Win(plies) => {
                let is_whole = line.len() == usize::from(plies);
                let means =
                    if is_whole { WinMeans::of_line(position, &line) } else { WinMeans::Any };
                Assessment::of_proof(proof(to_move, plies, means), to_move, line)
            }
            ScoreKind::Loss(plies) => {
                Assessment::of_proof(proof(!to_move, plies, WinMeans::Any), to_move, line)
            }
            ScoreKind::Value(_) => {
                let chances = self.search.evaluator().win_model(position).chances(score);
                Assessment { chances: rounded(chances), proven: None, line }
            }
        }
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

    fn assess(
        &mut self,
        position: &mut Position,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Assessment> {
        let fours = self.prove(position, Horizon { fours_only: true }, &stop);
        if let Some(certificate) = fours {
            return Some(of_certificate(&certificate, position, WinMeans::Fours));
        }
        let found = self.look(position, &[], stop)?;
        if stop() {
            return None;
        }
        // How the opponent wins is seen in the position before, if it is by threats.
        if found.score.is_loss() {
            return Some(self.of_search(position, found));
        }
        let threats = self.prove(position, Horizon::default(), &stop);
        if stop() {
            return None;
        }
        // The search may know a shorter win, but only a certificate shows all of it.
        if let Some(certificate) = threats {
            return Some(of_certificate(&certificate, position, WinMeans::Threats));
        }
        Some(self.of_search(position, found))
    }

    fn assess_without(
        &mut self,
        position: &mut Position,
        excluded: Point,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Assessment> {
        let found = self.look(position, &[excluded], stop)?;
        (!stop()).then(|| self.of_search(position, found))
    }
}

/// Returns what a certificate says of the position that it is for.
fn of_certificate(certificate: &Certificate, position: &Position, means: WinMeans) -> Assessment {
    let plies = u16::try_from(certificate.plies()).unwrap_or(u16::MAX);
    let winner = position.to_move();
    Assessment::of_proof(Proven { winner, plies, means }, winner, certificate.line().to_vec())
}

#[cfg(test)]
mod tests;

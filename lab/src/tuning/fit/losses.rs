//! The two losses, each with its gradient with respect to the tables.

use super::parallel::{Sum, sum};
use crate::tuning::features::{Block, CellCount, ChoiceCandidate, PositionSample, SamplePart};

/// The evaluation is an average of two positions.
const AVERAGED: f64 = 2.0;

/// The values that the evaluations of positions are fitted to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::tuning) struct FitTarget {
    /// The share of the score of the search; the rest is the result of the game, if there is one.
    pub(in crate::tuning) score_share: f64,
    /// The score that the odds of winning grow with by a factor of e.
    pub(in crate::tuning) win_scale: f64,
}

impl FitTarget {
    /// Returns the points that a position is worth whose search has this score, after a game with this
    /// result in half points, if there is one.
    pub(in crate::tuning) fn chance(self, score: i16, halves: Option<u8>) -> f64 {
        let score = logistic(f64::from(score) / self.win_scale);
        match halves {
            Some(halves) => {
                let result = f64::from(halves) / 2.0;
                (1.0 - self.score_share) * result + self.score_share * score
            }
            None => score,
        }
    }
}

/// The tables of the evaluation, in units: the cells of each family, then the tempo of each.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::tuning) struct EvaluationTables {
    /// All values.
    pub(in crate::tuning) values: Vec<f64>,
    /// The number of values that are of cells.
    pub(in crate::tuning) cells: usize,
    /// The evaluation, in units, that the odds of winning grow with by a factor of e.
    pub(in crate::tuning) scale: f64,
}

impl EvaluationTables {
    /// Returns the evaluation of a sample, in units.
    pub(in crate::tuning) fn evaluate(
        &self,
        position: &PositionSample,
        cells: &[CellCount],
    ) -> f64 {
        let value = |cell: &CellCount| f64::from(cell.count) * self.values[usize::from(cell.index)];
        let sum: f64 = cells.iter().map(value).sum();
        sum / AVERAGED + self.values[self.cells + usize::from(position.pair)]
    }
}

/// Returns the logistic loss of the evaluation.
pub(in crate::tuning) fn evaluation_loss(
    blocks: &[Block],
    part: SamplePart,
    threads: usize,
    tables: &EvaluationTables,
    target: FitTarget,
) -> Sum {
    sum(blocks, threads, tables.values.len(), |block, sum| {
        for (position, cells) in block.part(part).positions() {
            let wanted = target.chance(position.score, position.halves);
            let odds = tables.evaluate(position, cells) / tables.scale;
            sum.loss += softplus(odds) - wanted * odds;
            sum.count += 1;
            let slope = (logistic(odds) - wanted) / tables.scale;
            for cell in cells {
                sum.gradient[usize::from(cell.index)] += slope * f64::from(cell.count) / AVERAGED;
            }
            sum.gradient[tables.cells + usize::from(position.pair)] += slope;
        }
    })
}

/// Returns the loss of the order of moves: that of guessing the chosen move by the softmax of what
/// `tables`, own shapes first and then the opponent's, say of each candidate.
pub(in crate::tuning) fn order_loss(
    blocks: &[Block],
    part: SamplePart,
    threads: usize,
    tables: &[f64],
    temperature: f64,
) -> Sum {
    let theirs = tables.len() / 2;
    sum(blocks, threads, tables.len(), |block, sum| {
        let mut chances = Vec::new();
        for candidates in block.part(part).choices() {
            sum.loss += softmax(tables, temperature, candidates, &mut chances);
            sum.count += 1;
            for (i, (candidate, chance)) in candidates.iter().zip(&chances).enumerate() {
                let slope = (chance - f64::from(u8::from(i == 0))) / temperature;
                sum.gradient[usize::from(candidate.own)] += slope;
                sum.gradient[theirs + usize::from(candidate.their)] += slope;
            }
        }
    })
}

/// Returns the loss of a choice, and the chance of each candidate to be chosen.
fn softmax(
    tables: &[f64],
    temperature: f64,
    candidates: &[ChoiceCandidate],
    chances: &mut Vec<f64>,
) -> f64 {
    let theirs = tables.len() / 2;
    let interest = |c: &ChoiceCandidate| {
        (tables[usize::from(c.own)] + tables[theirs + usize::from(c.their)]) / temperature
    };
    chances.clear();
    chances.extend(candidates.iter().map(interest));
    let chosen = chances[0];
    let most = chances.iter().copied().fold(chosen, f64::max);
    let mut total = 0.0;
    for chance in chances.iter_mut() {
        *chance = libm::exp(*chance - most);
        total += *chance;
    }
    for chance in chances.iter_mut() {
        *chance /= total;
    }
    libm::log(total) + most - chosen
}

/// Returns 1 / (1 + exp(-x)).
pub(in crate::tuning) fn logistic(x: f64) -> f64 {
    let small = libm::exp(-x.abs());
    if x < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
}

/// Returns ln(1 + exp(x)): the logistic loss of odds `x` for a lost game.
pub(in crate::tuning) fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

//! From samples to weights.
//!
//! The evaluation is fitted by logistic regression: the chance to win that it promises is to come
//! near the result of the game, mixed with the score of the search; no game came to the leaves of a
//! search, so there the score of the search is all there is to come near to. The order of moves is
//! fitted by softmax regression: a candidate is to stand out as often as the search chose it. Both
//! are drawn towards the hand-tuned weights, see [`Spread`]. Whole batches, no sampling: the same
//! samples and options give the same weights bit for bit, on any machine and with any number of
//! threads.

mod lbfgs;
mod losses;
mod parallel;
mod shared;
#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

use std::fmt;

use lbfgs::{LbfgsLimits, minimise};
use parallel::Sum;
use shared::SharedTables;

use super::calibrate::{ScoreHistogram, temperature};
use super::features::{SamplePart, SampleSet};
#[cfg(test)]
pub(super) use losses::logistic;
pub(super) use losses::{EvaluationTables, FitTarget, evaluation_loss, order_loss, softplus};
pub use shared::Spread;
use tengen_core::eval::classical::weights::{CELL_SCALE, FamilyWeights, Provenance, Weights};
use tengen_core::patterns::{Family, PatternSet, PointClass};
use tengen_core::rules::Rule;
use tengen_core::types::Color;

/// The options of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// The number of threads, at least 1; it makes no difference to what is found.
    pub threads: usize,
    /// True if the evaluation is fitted; otherwise it stays hand-tuned.
    pub fits_evaluation: bool,
    /// True if the order of moves is fitted; otherwise it stays hand-tuned.
    pub fits_order: bool,
    /// The evaluation, in units, that the odds of winning are to grow with by a factor of e. It
    /// makes all evaluations larger or smaller, and the margins of the search are made for their
    /// size.
    pub eval_scale: f64,
    /// The share of the score of the search in a position's target, from 0 to 1; the rest is the
    /// result of the game. For a leaf, the score is the whole target.
    pub score_share: f64,
    /// The weight of a position. Less than 1, because those of one game share their result.
    pub position_weight: f64,
    /// The weight of a choice among moves.
    pub choice_weight: f64,
    /// The usual deviations of what cells are worth, in units.
    pub cells: Spread,
    /// The usual deviations of what the tempo is worth, in units.
    pub tempo: Spread,
    /// The usual deviations in the order of moves, in its units.
    pub order: Spread,
    /// The most iterations of each regression.
    pub iterations: u32,
    /// A regression ends when an iteration lowers the loss by no more than this share of it.
    pub tolerance: f64,
}

impl Default for FitOptions {
    /// The options with which the shipped weights are made, on one thread.
    fn default() -> FitOptions {
        FitOptions {
            threads: 1,
            fits_evaluation: true,
            fits_order: true,
            eval_scale: 180.0,
            score_share: 0.5,
            position_weight: 0.5,
            choice_weight: 0.5,
            cells: Spread { line: 6.0, class: 10.0, own: 3.0 },
            tempo: Spread { line: 30.0, class: 0.0, own: 15.0 },
            order: Spread { line: 320.0, class: 480.0, own: 160.0 },
            iterations: 150,
            tolerance: 1e-7,
        }
    }
}

/// A step in the course of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FitStep {
    /// The scale of the odds by the score of a search was found, in units.
    WinScale(f64),
    /// The temperature of choices was found, in the units of move ordering.
    Temperature(f64),
    /// An iteration of the fit of the evaluation ended with this loss of an average position,
    /// penalty included.
    Evaluation {
        /// The number of the iteration, from 1.
        iteration: u32,
        /// The loss.
        loss: f64,
    },
    /// An iteration of the fit of the order of moves ended with this loss of an average choice,
    /// penalty included.
    Order {
        /// The number of the iteration, from 1.
        iteration: u32,
        /// The loss.
        loss: f64,
    },
}

/// The loss of an average sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Over the games that were learnt from.
    pub train: f64,
    /// Over the games that were held out.
    pub held_out: f64,
}

/// A loss with the hand-tuned weights and with the fitted ones, as the tables hold them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Improvement {
    /// With the hand-tuned weights.
    pub before: Loss,
    /// With the fitted ones.
    pub after: Loss,
}

/// The findings of a fit besides the weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitReport {
    /// The number of games.
    pub games: u64,
    /// The number of positions, those held out included.
    pub positions: u64,
    /// The number of choices among moves, those held out included.
    pub choices: u64,
    /// The temperature of choices, in the units of move ordering.
    pub temperature: f64,
    /// The loss of the evaluation, in nats a position.
    pub evaluation: Improvement,
    /// The loss of the order of moves, in nats a choice.
    pub order: Improvement,
    /// The loss of the results predicted by the scores of the search, in nats a position.
    pub win_scale: Improvement,
}

impl fmt::Display for FitReport {
    /// Writes a few lines for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games, {} positions, {} choices",
            self.games, self.positions, self.choices
        )?;
        writeln!(f, "temperature {:.1}", self.temperature)?;
        writeln!(f, "loss         before             after")?;
        writeln!(f, "             train   held out   train   held out")?;
        for (name, Improvement { before, after }) in
            [("evaluation", self.evaluation), ("order", self.order), ("win scale", self.win_scale)]
        {
            writeln!(
                f,
                "{name:<10}  {:.5}    {:.5}  {:.5}    {:.5}",
                before.train, before.held_out, after.train, after.held_out
            )?;
        }
        Ok(())
    }
}

/// The outcome of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The other findings.
    pub report: FitReport,
}

/// Fits all weights of a rule.
///
/// `provenance` says where the games come from; the numbers of games and positions are filled in.
/// Weights without samples stay hand-tuned.
#[must_use]
pub fn fit(
    samples: &SampleSet,
    provenance: Provenance,
    options: &FitOptions,
    progress: &mut dyn FnMut(FitStep),
) -> Fitted {
    let (blocks, threads) = (&samples.blocks[..], options.threads);
    let prior = Weights::hand_tuned(samples.rule());
    let mut weights = prior.clone();
    let (games, positions) = (samples.games(), samples.positions());
    weights.provenance = Provenance { games, positions, ..provenance };

    let scores =
        [SamplePart::Train, SamplePart::HeldOut].map(|part| ScoreHistogram::of(blocks, part));
    if !scores[0].is_empty() {
        weights.set_win_scale(scores[0].scale());
    }
    progress(FitStep::WinScale(weights.win_scale().into()));
    let target =
        FitTarget { score_share: options.score_share, win_scale: weights.win_scale().into() };
    if options.fits_evaluation {
        fit_evaluation(samples, target, options, progress, &mut weights);
    }

    let temperature = temperature(blocks, threads, &order_tables(&prior));
    progress(FitStep::Temperature(temperature));
    if options.fits_order {
        fit_order(samples, temperature, options, progress, &mut weights);
    }

    let parts = |loss: &dyn Fn(SamplePart) -> f64| Loss {
        train: loss(SamplePart::Train),
        held_out: loss(SamplePart::HeldOut),
    };
    let evaluation = |weights: &Weights| {
        let tables = evaluation_tables(weights, options.eval_scale);
        parts(&|part| evaluation_loss(blocks, part, threads, &tables, target).mean())
    };
    let order = |weights: &Weights| {
        let tables = order_tables(weights);
        parts(&|part| order_loss(blocks, part, threads, &tables, temperature).mean())
    };
    let win_scale = |weights: &Weights| {
        let [train, held_out] = [0, 1].map(|part| scores[part].loss(weights.win_scale().into()));
        Loss { train, held_out }
    };
    let report = FitReport {
        games,
        positions,
        choices: samples.choices(),
        temperature,
        evaluation: Improvement { before: evaluation(&prior), after: evaluation(&weights) },
        order: Improvement { before: order(&prior), after: order(&weights) },
        win_scale: Improvement { before: win_scale(&prior), after: win_scale(&weights) },
    };
    Fitted { weights, report }
}

/// Returns the weights of each family of a rule, in the order of [`families`].
fn by_family(weights: &Weights) -> impl Iterator<Item = &FamilyWeights> {
    let colors = &Color::ALL[..Family::all_of(weights.rule()).len()];
    colors.iter().map(|&color| weights.of(color))
}

/// Returns the values of a table with an entry for each pattern set.
fn pattern_sets(value: impl Fn(PatternSet) -> i32) -> impl Iterator<Item = f64> {
    PatternSet::all().map(move |set| value(set).into())
}

/// Returns all pairs of classes in the order of a table of them.
fn pairs() -> impl Iterator<Item = (PointClass, PointClass)> {
    PointClass::ALL.into_iter().flat_map(|a| PointClass::ALL.map(|b| (a, b)))
}

/// Returns the tables of the evaluation, in units, as [`losses`] wants them.
fn evaluation_tables(weights: &Weights, scale: f64) -> EvaluationTables {
    let mut values = Vec::new();
    for family in by_family(weights) {
        values.extend(pattern_sets(|m| family.cell(m)).map(|parts| parts / f64::from(CELL_SCALE)));
    }
    let cells = values.len();
    for family in by_family(weights) {
        values.extend(pairs().map(|(a, b)| f64::from(family.tempo(a, b))));
    }
    EvaluationTables { values, cells, scale }
}

/// Returns the tables of move ordering, in its units, as [`losses`] wants them.
fn order_tables(weights: &Weights) -> Vec<f64> {
    let mut values = Vec::new();
    for family in by_family(weights) {
        values.extend(pattern_sets(|m| family.order_own(m)));
    }
    for family in by_family(weights) {
        values.extend(pattern_sets(|m| family.order_their(m)));
    }
    values
}

/// Fits cells and tempo.
fn fit_evaluation(
    samples: &SampleSet,
    target: FitTarget,
    options: &FitOptions,
    progress: &mut dyn FnMut(FitStep),
    weights: &mut Weights,
) {
    let count = samples.positions_of(SamplePart::Train);
    if count == 0 {
        return;
    }
    let (regression, cells) = evaluation_regression(samples.rule(), options);
    let loss = |values: Vec<f64>| {
        let tables = EvaluationTables { values, cells, scale: options.eval_scale };
        evaluation_loss(&samples.blocks, SamplePart::Train, options.threads, &tables, target)
    };
    let values = regression.minimise(options, loss, |iteration, loss| {
        let loss = loss / count as f64;
        progress(FitStep::Evaluation { iteration, loss });
    });

    let mut values = values.into_iter();
    let mut next = || values.next().expect("a value for each entry");
    let colors = &Color::ALL[..Family::all_of(samples.rule()).len()];
    for &color in colors {
        let family = weights.of_mut(color);
        PatternSet::all().for_each(|m| family.set_cell(m, next() * f64::from(CELL_SCALE)));
    }
    for &color in colors {
        let family = weights.of_mut(color);
        pairs().for_each(|(a, b)| family.set_tempo(a, b, next()));
    }
}

/// Fits the order of moves.
fn fit_order(
    samples: &SampleSet,
    temperature: f64,
    options: &FitOptions,
    progress: &mut dyn FnMut(FitStep),
    weights: &mut Weights,
) {
    let count = samples.choices_of(SamplePart::Train);
    if count == 0 {
        return;
    }
    let regression = order_regression(samples.rule(), options);
    let loss = |tables: Vec<f64>| {
        order_loss(&samples.blocks, SamplePart::Train, options.threads, &tables, temperature)
    };
    let values = regression.minimise(options, loss, |iteration, loss| {
        let loss = loss / count as f64;
        progress(FitStep::Order { iteration, loss });
    });

    let (own, their) = values.split_at(values.len() / 2);
    let colors = &Color::ALL[..Family::all_of(samples.rule()).len()];
    for (i, &color) in colors.iter().enumerate() {
        let family = weights.of_mut(color);
        for set in PatternSet::all() {
            let at = i * PatternSet::COUNT + set.index();
            family.set_order_own(set, own[at]);
            family.set_order_their(set, their[at]);
        }
    }
}

/// A loss of tables to be minimised together with the penalty on deviations from the hand-tuned
/// values.
struct Regression {
    shared: SharedTables,
    prior: Vec<f64>,
    /// The weight of a sample against the penalty.
    weight: f64,
}

/// Returns the regression of the evaluation, and how many of its table entries are of cells.
fn evaluation_regression(rule: Rule, options: &FitOptions) -> (Regression, usize) {
    let mut shared = SharedTables::default();
    Family::all_of(rule)
        .into_iter()
        .for_each(|family| shared.add_pattern_sets(family, options.cells));
    Family::all_of(rule).into_iter().for_each(|_| shared.add_pairs(options.tempo));
    let prior = evaluation_tables(&Weights::hand_tuned(rule), options.eval_scale);
    let weight = options.position_weight;
    (Regression { shared, prior: prior.values, weight }, prior.cells)
}

/// Returns the regression of the order of moves: own shapes, then the opponent's.
fn order_regression(rule: Rule, options: &FitOptions) -> Regression {
    let mut shared = SharedTables::default();
    for family in Family::all_of(rule).into_iter().chain(Family::all_of(rule)) {
        shared.add_pattern_sets(family, options.order);
    }
    let prior = order_tables(&Weights::hand_tuned(rule));
    Regression { shared, prior, weight: options.choice_weight }
}

impl Regression {
    /// Returns what is minimised and its gradient with respect to the parameters, both divided by
    /// the weight.
    fn objective(&self, parameters: &[f64], loss: impl Fn(Vec<f64>) -> Sum) -> (f64, Vec<f64>) {
        let sum = loss(self.shared.tables(&self.prior, parameters));
        let penalty: f64 = parameters.iter().map(|p| p * p / 2.0).sum();
        let mut gradient = self.shared.gradient(&sum.gradient);
        for (slope, parameter) in gradient.iter_mut().zip(parameters) {
            *slope += parameter / self.weight;
        }
        (sum.loss + penalty / self.weight, gradient)
    }

    /// Returns the best tables. `progress` receives each iteration with the sum of all losses and
    /// the penalty.
    fn minimise(
        &self,
        options: &FitOptions,
        loss: impl Fn(Vec<f64>) -> Sum,
        progress: impl FnMut(u32, f64),
    ) -> Vec<f64> {
        let limits = LbfgsLimits { iterations: options.iterations, tolerance: options.tolerance };
        let start = vec![0.0; self.shared.parameters()];
        let found = minimise(start, limits, |at| self.objective(at, &loss), progress);
        self.shared.tables(&self.prior, &found)
    }
}

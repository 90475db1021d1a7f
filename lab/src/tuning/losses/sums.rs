//! Sums of losses, and the figures that they make.

use std::sync::LazyLock;

use crate::tuning::calibrate::{ScoreHistogram, least};
use crate::tuning::samples::{BEST_ORDER, ORDER_STEP};
use serde::Serialize;
use tengen_core::types::{Point, Score};

/// The bounds of the factor by which the logits of a value are calibrated.
const FACTORS: (f64, f64) = (0.02, 50.0);

/// The scales of the tables' order at which its loss is added up, in units a logit: from the first on,
/// each larger than the one before by the same factor. The least loss is between them.
const FIRST_SCALE: f64 = 30.0;
const SCALE_STEP: f64 = 1.07;
const SCALES: usize = 86;

/// The order of the best candidate of a sample.
const BEST: usize = BEST_ORDER as usize;

/// What was said of the value of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ValueOutcome {
    /// The network's score.
    pub(super) network: Score,
    /// The tables' score.
    pub(super) tables: Score,
    /// The points that it is worth, from 0 to 1.
    pub(super) target: f64,
}

/// The losses of some samples.
#[derive(Default, Debug)]
pub(super) struct ChunkLosses {
    /// Of the value, sample by sample.
    pub(super) values: Vec<ValueOutcome>,
    /// Of the policy.
    pub(super) policy: PolicySums,
}

/// Sums over the choices of samples.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PolicySums {
    choices: u64,
    /// The network's losses.
    loss: f64,
    /// The choices that the network has first; a half if two are first, and so on.
    first: f64,
    /// The tables' losses at each scale.
    tables: [f64; SCALES],
    tables_first: f64,
}

impl Default for PolicySums {
    fn default() -> PolicySums {
        PolicySums { choices: 0, loss: 0.0, first: 0.0, tables: [0.0; SCALES], tables_first: 0.0 }
    }
}

impl PolicySums {
    /// Adds a choice among candidates that have these orders by the engine, at a scale in units a logit,
    /// and others by the tables alone, in steps.
    pub(super) fn add(
        &mut self,
        orders: &[i32],
        scale: u16,
        candidates: &[(Point, u8)],
        choice: usize,
    ) {
        self.choices += 1;
        let most = orders.iter().copied().max().unwrap_or_default();
        let logit = |order: i32| f64::from(order - most) / f64::from(scale);
        let total: f64 = orders.iter().map(|&order| libm::exp(logit(order))).sum();
        self.loss += libm::log(total) - logit(orders[choice]);
        self.first += share_of_first(orders.iter().map(|&order| order == most), choice);

        let steps: Vec<usize> =
            candidates.iter().map(|&(_, order)| BEST - usize::from(order)).collect();
        for (sum, shares) in self.tables.iter_mut().zip(shares()) {
            let total: f64 = steps.iter().map(|&behind| shares[behind]).sum();
            *sum -= libm::log(shares[steps[choice]] / total);
        }
        self.tables_first += share_of_first(steps.iter().map(|&behind| behind == 0), choice);
    }

    fn add_all(&mut self, other: &PolicySums) {
        self.choices += other.choices;
        self.loss += other.loss;
        self.first += other.first;
        self.tables.iter_mut().zip(&other.tables).for_each(|(sum, more)| *sum += more);
        self.tables_first += other.tables_first;
    }

    /// Returns the tables' loss at the scale that suits best, by the parabola through the best scale and
    /// its neighbours.
    fn tables_loss(&self) -> f64 {
        let best = (0..SCALES).min_by(|&a, &b| self.tables[a].total_cmp(&self.tables[b]));
        match best.unwrap_or_default() {
            at @ 1.. if at < SCALES - 1 => {
                let [left, middle, right] = [at - 1, at, at + 1].map(|at| self.tables[at]);
                let bend = left - 2.0 * middle + right;
                if bend > 0.0 { middle - (left - right).powi(2) / (8.0 * bend) } else { middle }
            }
            at => self.tables[at],
        }
    }
}

/// Returns, by scale, the share of a candidate so many steps behind the best one, beside its.
fn shares() -> &'static [[f64; BEST + 1]; SCALES] {
    static SHARES: LazyLock<Box<[[f64; BEST + 1]; SCALES]>> = LazyLock::new(|| {
        let mut shares = Box::new([[0.0; BEST + 1]; SCALES]);
        let mut scale = FIRST_SCALE;
        for of_scale in shares.iter_mut() {
            for (behind, share) in of_scale.iter_mut().enumerate() {
                *share = libm::exp(-f64::from(behind as i32 * ORDER_STEP) / scale);
            }
            scale *= SCALE_STEP;
        }
        shares
    });
    &SHARES
}

/// Returns 1 if a choice is first and nothing else is, a half if two are first, and so on.
fn share_of_first(firsts: impl Iterator<Item = bool> + Clone, choice: usize) -> f64 {
    let is_first = firsts.clone().nth(choice).unwrap_or_default();
    if is_first { 1.0 / firsts.filter(|&is_first| is_first).count() as f64 } else { 0.0 }
}

/// Sums of losses over samples, which can be added to each other.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct LossSums {
    network: ScoreHistogram,
    tables: ScoreHistogram,
    values: u64,
    /// The entropies of the targets.
    floor: f64,
    policy: PolicySums,
}

impl LossSums {
    /// Adds the losses of some samples.
    pub(super) fn take(&mut self, losses: &ChunkLosses) {
        for &ValueOutcome { network, tables, target } in &losses.values {
            self.network.add(network.raw(), target);
            self.tables.add(tables.raw(), target);
            self.values += 1;
            self.floor += entropy(target);
        }
        self.policy.add_all(&losses.policy);
    }

    /// Adds other sums.
    pub(super) fn add(&mut self, other: &LossSums) {
        self.network.add_all(&other.network);
        self.tables.add_all(&other.tables);
        self.values += other.values;
        self.floor += other.floor;
        self.policy.add_all(&other.policy);
    }

    /// Returns the mean losses, with the scales of the values of the network and of the tables, in
    /// units.
    pub(super) fn losses(&self, [network, tables]: [f64; 2]) -> SampleLosses {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let of_value = |value| (self.values > 0).then_some(value);
        let of_choice = |sum| mean(sum, self.policy.choices);
        let figures = |scores: &ScoreHistogram, scale: f64, policy, first| {
            let (low, high) = FACTORS;
            let factor = least(low, high, |factor| scores.loss(scale / factor));
            LossFigures {
                value: of_value(scores.loss(scale)),
                calibrated: of_value(scores.loss(scale / factor)),
                factor: of_value(factor),
                policy: of_choice(policy),
                first: of_choice(first),
            }
        };
        let PolicySums { choices, loss, first, tables_first, .. } = self.policy;
        SampleLosses {
            values: self.values,
            choices,
            network: figures(&self.network, network, loss, first),
            tables: figures(&self.tables, tables, self.policy.tables_loss(), tables_first),
            floor: mean(self.floor, self.values),
        }
    }
}

/// Returns the loss of a value that is the target itself.
fn entropy(target: f64) -> f64 {
    let part = |chance: f64| if chance > 0.0 { -chance * libm::log(chance) } else { 0.0 };
    part(target) + part(1.0 - target)
}

/// The losses of a network and of the tables on some samples, each a mean, in nats.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct SampleLosses {
    /// The samples that tell a value.
    pub values: u64,
    /// The samples that tell a choice.
    pub choices: u64,
    /// Of the network.
    pub network: LossFigures,
    /// Of the tables alone, with their order at the scale that suits the samples best.
    pub tables: LossFigures,
    /// The entropy of the targets: no value has a smaller loss.
    pub floor: Option<f64>,
}

/// The losses of an evaluation; `None` where no sample tells them.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct LossFigures {
    /// The cross-entropy of the chance to win against the target.
    pub value: Option<f64>,
    /// The same with all logits times the factor that suits best, so that the spread of the scores
    /// does not count.
    pub calibrated: Option<f64>,
    /// That factor, from 0.02 to 50.
    pub factor: Option<f64>,
    /// The cross-entropy of the best move among the candidates.
    pub policy: Option<f64>,
    /// How often the first candidate is the best move, from 0 to 1; a half counts where two are first.
    pub first: Option<f64>,
}

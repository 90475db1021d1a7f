//! The line network: a learned correction of the classical value.
//!
//! Every empty cell has features, made of its four lines ([`lines`](crate::simd::lines)): the sum of a row of a table
//! for each line, clamped, and a small layer over the channels. A depthwise layer mixes each feature of a
//! cell with the same feature of the cells around it. The squares of the mixed features of all cells are
//! added up, and a head of two hidden layers, one for each side to move, turns them into
//! the correction. A policy head gives each mixed feature a weight instead, and the weighted ones of a
//! cell and of those around it correct its place in the order of moves. A third head estimates how
//! likely a draw is, for the win model. All of it is exact integer arithmetic
//! ([`crate::simd::layers`]), so that every machine computes the same bits.
//!
//! [`Parameters`] are the numbers of a network, as in a [`file`](mod@file); [`Network`] is ready for
//! use and shared by threads; [`NetworkEvaluator`] keeps the cells in step with a search.

mod accumulator;
mod evaluator;
pub mod file;
mod parameters;
mod places;
mod reader;
#[cfg(test)]
mod scratch;

use std::sync::{Arc, OnceLock};

pub use evaluator::NetworkEvaluator;
pub use file::NetworkError;
pub use parameters::{HeadParameters, Parameters, ParametersError, PolicyParameters};
pub use reader::NetworkReader;

use crate::eval::WinModel;
use crate::position::Position;
use crate::rules::Rule;
use crate::simd::NetworkKernels;
use crate::simd::layers::{Dense, Depthwise, Head, Pointwise, PolicyHead, Pooled, Row};
use crate::types::{ByColor, Color, Score};

/// The denominator of the share of the classical value.
const SHARE_UNIT: i64 = 256;
/// The output of a head that stands for a factor of e in the odds of winning.
const LOGIT_UNIT: i64 = 57_600;
/// The policy that stands for a factor of e in the odds of being the best move.
const POLICY_UNIT: i64 = 450;

/// The memory that an evaluator with a network needs of its own, in bytes.
pub const EVALUATOR_BYTES: usize = accumulator::MAX_BYTES;

/// The built-in networks, by rule, made by `scripts/make/networks` and packed by `build.rs`.
const SHIPPED: [&[u8]; Rule::ALL.len()] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/freestyle.net")),
    include_bytes!(concat!(env!("OUT_DIR"), "/standard.net")),
    include_bytes!(concat!(env!("OUT_DIR"), "/renju.net")),
    include_bytes!(concat!(env!("OUT_DIR"), "/caro.net")),
    include_bytes!(concat!(env!("OUT_DIR"), "/caro-exact.net")),
];

/// A network for positions of one rule, ready for use.
#[derive(Debug)]
pub struct Network {
    rule: Rule,
    win_scale: u16,
    share: u16,
    order_scale: u16,
    crc: u32,
    /// By row of a line, and a row of zeros.
    rows: Vec<Row>,
    pointwise: Pointwise,
    depthwise: Depthwise,
    heads: ByColor<Head>,
    policies: ByColor<PolicyHead>,
    draws: ByColor<Head>,
    kernels: NetworkKernels,
}

/// The output of a network for a position, in the integers that a trainer can compare with its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integers {
    /// The pooled features.
    pub pooled: Pooled,
    /// The output of the value head of the side to move.
    pub value: i32,
    /// The policy of each empty cell, in the order of the points.
    pub policies: Vec<i32>,
    /// The output of its draw head.
    pub draw: i32,
}

impl Network {
    /// Returns the network with these parameters, for the fastest kernels of this processor.
    ///
    /// # Errors
    ///
    /// Returns [`ParametersError`] if a number is out of bounds.
    pub fn new(parameters: &Parameters) -> Result<Network, ParametersError> {
        Network::with_kernels(parameters, NetworkKernels::best())
    }

    /// Returns the network with these parameters for some kernels.
    ///
    /// # Errors
    ///
    /// Returns [`ParametersError`] if a number is out of bounds.
    pub fn with_kernels(
        parameters: &Parameters,
        kernels: NetworkKernels,
    ) -> Result<Network, ParametersError> {
        parameters.check()?;
        let head = |head: &HeadParameters| {
            let hidden =
                [Dense::new(&head.weights1, head.bias1), Dense::new(&head.weights2, head.bias2)];
            Head::new(hidden, head.weights3, head.bias3)
        };
        let policy = |color| {
            let head: &PolicyParameters = &parameters.policies[color];
            let output = |kind: usize| Dense::new(&head.weights2[kind], head.bias2[kind]);
            PolicyHead::new(Dense::new(&head.weights1, head.bias1), std::array::from_fn(output))
        };
        let rows = parameters.rows.iter().copied().map(Row).chain([Row::ZERO]);
        Ok(Network {
            rule: parameters.rule,
            win_scale: parameters.win_scale,
            share: parameters.share,
            order_scale: parameters.order_scale,
            crc: parameters.crc(),
            rows: rows.collect(),
            pointwise: Pointwise::new(parameters.weights, parameters.bias),
            depthwise: Depthwise::new(parameters.mix, parameters.mix_bias),
            heads: ByColor::from_fn(|color| head(&parameters.heads[color])),
            policies: ByColor::from_fn(policy),
            draws: ByColor::from_fn(|color| head(&parameters.draws[color])),
            kernels,
        })
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns [`NetworkError`] if the bytes are not those of a network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Ok(Network::new(&Parameters::from_bytes(bytes)?)?)
    }

    /// Returns the built-in network for a rule; it is unpacked on first use and cached.
    #[must_use]
    pub fn shipped(rule: Rule) -> Arc<Network> {
        static NETWORKS: [OnceLock<Arc<Network>>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        let bytes = SHIPPED[rule as usize];
        let made = || {
            let parameters = Parameters::from_packed(bytes).expect("a test reads all of them");
            Arc::new(Network::new(&parameters).expect("parameters that were read are in bounds"))
        };
        Arc::clone(NETWORKS[rule as usize].get_or_init(made))
    }

    /// Returns the rule that it was made for.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the checksum of its parameters.
    #[must_use]
    pub const fn crc(&self) -> u32 {
        self.crc
    }

    /// Returns the kernels in use.
    #[must_use]
    pub const fn kernels(&self) -> &NetworkKernels {
        &self.kernels
    }

    /// Returns what it says of a position, computed from nothing.
    #[must_use]
    pub fn integers(self: &Arc<Network>, position: &Position) -> Integers {
        NetworkReader::new(Arc::clone(self)).read(position)
    }

    /// Returns the increase of the score, in units, that multiplies the odds of winning by e.
    #[must_use]
    pub const fn win_scale(&self) -> u16 {
        self.win_scale
    }

    /// Returns the difference of ordering scores that multiplies the odds of being the best move by e.
    #[must_use]
    pub const fn order_scale(&self) -> u16 {
        self.order_scale
    }

    /// Returns the score of a position with this classical value and this output of the value head.
    #[inline]
    #[must_use]
    pub fn score(&self, classical: Score, output: i32) -> Score {
        let score = self.base(classical) + self.correction(output);
        // Within bounds after clamping; see `Score::eval`.
        Score::eval(score.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    /// Returns the win model of the scores of a side to move.
    fn win_model(&self, to_move: Color, pooled: &Pooled) -> WinModel {
        let logit = f64::from(self.draw(to_move, pooled)) / LOGIT_UNIT as f64;
        // The margin in logits is the softplus of the output, so that it is never negative.
        let margin = logit.exp().ln_1p() * f64::from(self.win_scale);
        WinModel::new(self.win_scale, margin.round() as u16)
    }

    /// Returns the share of the classical value in the score, in units.
    #[inline]
    fn base(&self, classical: Score) -> i64 {
        i64::from(classical.raw()) * i64::from(self.share) / SHARE_UNIT
    }

    /// Returns the correction, in units, that an output of a head stands for.
    #[inline]
    fn correction(&self, output: i32) -> i64 {
        i64::from(output) * i64::from(self.win_scale) / LOGIT_UNIT
    }

    /// Returns the correction of an ordering score that a policy stands for.
    #[inline]
    #[must_use]
    pub fn order(&self, policy: i32) -> i32 {
        // It fits: a policy is at most 9 · 32 · 63 · 255, see `FeatureWeights`.
        (i64::from(policy) * i64::from(self.order_scale) / POLICY_UNIT) as i32
    }

    /// Returns the output of the draw head of a side to move.
    fn draw(&self, to_move: Color, pooled: &Pooled) -> i32 {
        self.kernels.value(&self.draws[to_move], pooled)
    }

    /// Returns the output of the head of a side to move.
    #[inline]
    #[must_use]
    pub fn output(&self, to_move: Color, pooled: &Pooled) -> i32 {
        self.kernels.value(&self.heads[to_move], pooled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_networks_are_for_their_rules() {
        for rule in Rule::ALL {
            assert_eq!(Network::shipped(rule).rule(), rule);
        }
    }

    // Programs for web pages have no files.
    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn the_built_in_networks_are_those_of_their_files() {
        for rule in Rule::ALL {
            let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/network/shipped");
            let file = std::fs::read(format!("{dir}/{}.net", rule.name())).expect("it is there");
            let packed = SHIPPED[rule as usize];
            assert!(packed.len() < file.len());
            assert_eq!(Parameters::from_packed(packed), Parameters::from_bytes(&file));
        }
    }
}

//! The parameters of a network.

use crate::eval::classical::weights::{MAX_WIN_SCALE, MIN_WIN_SCALE};
use crate::rng::SplitMix64;
use crate::rules::Rule;
use crate::simd::layers::{
    CELL_KINDS, CHANNELS, FEATURES, HIDDEN, MAX_BIAS, MAX_WEIGHT, OWN_WEIGHT,
};
use crate::simd::lines::{ROWS, SIDE_CODES, row, with_colors_swapped};
use crate::types::ByColor;

/// The largest share of the classical value, in parts of 256.
pub(super) const MAX_SHARE: u16 = 1024;

/// The numbers of a network, as in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// The rule that the network was made for.
    pub rule: Rule,
    /// The increase of the score, in units, that multiplies the odds of winning by e.
    pub win_scale: u16,
    /// The share of the classical value in the score, in parts of 256.
    pub share: u16,
    /// The difference of ordering scores, in units of the tables' order, that multiplies the odds of
    /// being the best move by e.
    pub order_scale: u16,
    /// The table of lines: [`ROWS`] rows.
    pub rows: Vec<[i8; CHANNELS]>,
    /// The weights of the pointwise layer, by feature and channel.
    pub weights: [[i8; CHANNELS]; FEATURES],
    /// The bias of each feature.
    pub bias: [i32; FEATURES],
    /// The weights of the depthwise layer, by kind of cell ([`CELL_KINDS`]) and feature.
    pub mix: [[i16; FEATURES]; CELL_KINDS],
    /// The bias of the depthwise layer.
    pub mix_bias: [i16; FEATURES],
    /// The heads, by side to move.
    pub heads: ByColor<HeadParameters>,
    /// The policy heads, by side to move.
    pub policies: ByColor<PolicyParameters>,
    /// The draw heads, by side to move: the softplus of the output is the draw margin of
    /// [`WinModel`](crate::eval::WinModel), as the output of a head is a value.
    pub draws: ByColor<HeadParameters>,
}

/// The numbers of a policy head; weights by output and input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyParameters {
    /// The weights of the hidden layer.
    pub weights1: [[i16; FEATURES]; HIDDEN],
    /// The bias of the hidden layer.
    pub bias1: [i32; HIDDEN],
    /// The weights of the output, a number for each feature, by kind of cell
    /// ([`CELL_KINDS`]).
    pub weights2: [[[i16; HIDDEN]; FEATURES]; CELL_KINDS],
    /// The bias of the output, by kind of cell.
    pub bias2: [[i32; FEATURES]; CELL_KINDS],
}

/// The numbers of a head; weights by output and input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadParameters {
    /// The weights of the first layer.
    pub weights1: [[i16; FEATURES]; HIDDEN],
    /// The bias of the first layer.
    pub bias1: [i32; HIDDEN],
    /// The weights of the second layer.
    pub weights2: [[i16; HIDDEN]; HIDDEN],
    /// The bias of the second layer.
    pub bias2: [i32; HIDDEN],
    /// The weights of the output.
    pub weights3: [i16; HIDDEN],
    /// The bias of the output.
    pub bias3: i32,
}

/// A parameter that is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the network has {value} for {what}; {low} to {high} is possible")]
pub struct ParametersError {
    /// The meaning of the number.
    pub what: &'static str,
    /// The number.
    pub value: i64,
    /// The smallest possible one.
    pub low: i64,
    /// The largest possible one.
    pub high: i64,
}

impl Parameters {
    /// Checks that all numbers are within their bounds.
    ///
    /// # Errors
    ///
    /// Returns [`ParametersError`] for the first one that is not.
    pub fn check(&self) -> Result<(), ParametersError> {
        let rows = ROWS as i64;
        within("the number of rows", [self.rows.len() as i64], [rows, rows])?;
        let scales = [MIN_WIN_SCALE.into(), MAX_WIN_SCALE.into()];
        within("the scale of the odds", [self.win_scale.into()], scales)?;
        within("the share of the classical value", [self.share.into()], [0, MAX_SHARE.into()])?;
        let order_scales = [1, u16::MAX.into()];
        within("the scale of the order", [self.order_scale.into()], order_scales)?;
        let biases = |bias: &[i32]| {
            let most = i64::from(MAX_BIAS);
            within("a bias", bias.iter().copied().map(i64::from), [-most, most])
        };
        let weights = |weights: &[i16]| {
            let most = i64::from(MAX_WEIGHT);
            let what = "a weight of a head";
            within(what, weights.iter().copied().map(i64::from), [-most, most])
        };
        biases(&self.bias)?;
        for head in self.heads.0.iter().chain(&self.draws.0) {
            weights(head.weights1.as_flattened())?;
            biases(&head.bias1)?;
            weights(head.weights2.as_flattened())?;
            biases(&head.bias2)?;
            weights(&head.weights3)?;
            biases(&[head.bias3])?;
        }
        for head in &self.policies.0 {
            weights(head.weights1.as_flattened())?;
            biases(&head.bias1)?;
            weights(head.weights2.as_flattened().as_flattened())?;
            biases(head.bias2.as_flattened())?;
        }
        Ok(())
    }

    /// Returns random parameters of a size usual for trained ones, for tests and measurements of
    /// speed.
    #[must_use]
    pub fn random(rule: Rule, seed: u64) -> Parameters {
        let mut rng = SplitMix64::new(seed);
        let mut number = |most: i32| rng.below(2 * most as usize + 1) as i32 - most;
        let head = |number: &mut dyn FnMut(i32) -> i32| HeadParameters {
            weights1: [(); HIDDEN].map(|()| [(); FEATURES].map(|()| number(300) as i16)),
            bias1: [(); HIDDEN].map(|()| number(2_000_000)),
            weights2: [(); HIDDEN].map(|()| [(); HIDDEN].map(|()| number(250) as i16)),
            bias2: [(); HIDDEN].map(|()| number(100_000)),
            weights3: [(); HIDDEN].map(|()| number(30) as i16),
            bias3: number(10_000),
        };
        let policy = |number: &mut dyn FnMut(i32) -> i32| PolicyParameters {
            weights1: [(); HIDDEN].map(|()| [(); FEATURES].map(|()| number(300) as i16)),
            bias1: [(); HIDDEN].map(|()| number(2_000_000)),
            weights2: [(); CELL_KINDS]
                .map(|()| [(); FEATURES].map(|()| [(); HIDDEN].map(|()| number(60) as i16))),
            bias2: [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| number(100_000))),
        };
        Parameters {
            rule,
            win_scale: 230,
            share: 256,
            order_scale: 200,
            rows: (0..ROWS).map(|_| [(); CHANNELS].map(|()| number(24) as i8)).collect(),
            weights: [(); FEATURES].map(|()| [(); CHANNELS].map(|()| number(40) as i8)),
            bias: [(); FEATURES].map(|()| number(2_000)),
            mix: [i32::from(OWN_WEIGHT), 0, 0]
                .map(|most| [(); FEATURES].map(|()| (most + number(8_000)) as i16)),
            mix_bias: [(); FEATURES].map(|()| number(1_000) as i16),
            heads: ByColor::from_fn(|_| head(&mut number)),
            policies: ByColor::from_fn(|_| policy(&mut number)),
            draws: ByColor::from_fn(|_| head(&mut number)),
        }
    }

    /// Returns whether they are [`tied`](Parameters::tied) already.
    #[must_use]
    pub fn is_tied(&self) -> bool {
        self.clone().tied() == *self
    }

    /// Returns the parameters with the second half of all channels and features, and the heads of
    /// white, made from the first half and the heads of black, so that the network is the same for
    /// both colours: the first half is black's view of the board, the second is white's.
    #[must_use]
    pub fn tied(mut self) -> Parameters {
        const HALF: usize = CHANNELS / 2;
        const HALF_FEATURES: usize = FEATURES / 2;
        for first in 0..SIDE_CODES as u8 {
            for second in 0..=first {
                let swapped = row(with_colors_swapped(first), with_colors_swapped(second));
                let black: [i8; HALF] = std::array::from_fn(|c| self.rows[swapped as usize][c]);
                self.rows[row(first, second) as usize][HALF..].copy_from_slice(&black);
            }
        }
        let other_channel = |c: usize| (c + HALF) % CHANNELS;
        let other = |k: usize| (k + HALF_FEATURES) % FEATURES;
        for k in 0..HALF_FEATURES {
            self.weights[other(k)] = std::array::from_fn(|c| self.weights[k][other_channel(c)]);
            self.bias[other(k)] = self.bias[k];
        }
        for numbers in self.mix.iter_mut().chain([&mut self.mix_bias]) {
            let (black, white) = numbers.split_at_mut(HALF_FEATURES);
            white.copy_from_slice(black);
        }
        for ByColor([black, white]) in [&mut self.heads, &mut self.draws] {
            *white = black.clone();
            for (white, black) in white.weights1.iter_mut().zip(&black.weights1) {
                *white = std::array::from_fn(|k| black[other(k)]);
            }
        }
        let ByColor([black, white]) = &mut self.policies;
        *white = black.clone();
        for (white, black) in white.weights1.iter_mut().zip(&black.weights1) {
            *white = std::array::from_fn(|k| black[other(k)]);
        }
        white.weights2 = black.weights2.map(|of| std::array::from_fn(|k| of[other(k)]));
        white.bias2 = black.bias2.map(|of| std::array::from_fn(|k| of[other(k)]));
        self
    }
}

/// Checks that some numbers are within bounds.
pub(super) fn within(
    what: &'static str,
    values: impl IntoIterator<Item = i64>,
    [low, high]: [i64; 2],
) -> Result<(), ParametersError> {
    match values.into_iter().find(|value| !(low..=high).contains(value)) {
        Some(value) => Err(ParametersError { what, value, low, high }),
        None => Ok(()),
    }
}

//! The kernels for the vectors of WebAssembly, of 128 bits.
//!
//! `i32x4.dot_i16x8_s` multiplies two activations of a cell, broadcast to all lanes, with the weights of four
//! features and adds both products in 32 bits, as `pmaddwd` does. A program is compiled for processors with vectors
//! or without, so there is nothing to detect.

use std::arch::wasm32::*;

use super::kernels::{Around, MixUpdate, NetworkKernels, Update};
use super::layers::{
    CELL_KINDS, CHANNELS, CellFeatures, CellLayers, DEPTHWISE_SHIFTS, Dense, FEATURE_SHIFT,
    FEATURES, FeatureWeights, HIDDEN, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT,
    MIXED_SHIFT, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead, PolicyParts, Pooled,
};

/// The kernels.
pub(super) const KERNELS: NetworkKernels = NetworkKernels {
    name: "simd128",
    update,
    mix,
    value,
    feature_weights,
    policy_parts,
    ..NetworkKernels::SCALAR
};

/// The 32 sums of a layer, four to a vector.
type LaneSums = [v128; FEATURES / 4];
/// The 32 inputs of a layer, eight to a vector.
type LaneInputs = [v128; HIDDEN / 8];

/// Returns the 16 bytes of an array as a vector.
#[inline]
fn load<T: Copy, const N: usize>(array: &[T; N]) -> v128 {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, and the load needs no alignment.
    unsafe { v128_load(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 16 bytes.
#[inline]
fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: v128) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { v128_store(array.as_mut_ptr().cast(), vector) }
}

/// Returns all vectors of an array of numbers that fill them.
#[inline]
fn vectors<T: Copy, const N: usize, const V: usize>(array: &[T]) -> [v128; V] {
    let parts = array.as_chunks::<N>().0;
    std::array::from_fn(|i| load(&parts[i]))
}

/// Returns the numbers of the low and of the high half of a vector of bytes with signs, in 16 bits.
#[inline]
fn widened(bytes: v128) -> [v128; 2] {
    [i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes)]
}

/// Returns the numbers of the low and of the high half of a vector of bytes without signs, in 16 bits.
#[inline]
fn extended(bytes: v128) -> [v128; 2] {
    [i16x8_extend_low_u8x16(bytes), i16x8_extend_high_u8x16(bytes)]
}

fn update(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    let Update { rows, pointwise, changes } = *input;
    let (former, new) = cells.split_at_mut(first);
    let new = &mut new[..changes.len()];
    for (change, cell) in changes.iter().zip(new) {
        let before = &former[change.from];
        let (minus, plus) = (&rows[change.old_row].0, &rows[change.new_row].0);
        let mut active = [0; CHANNELS / 2];
        for part in 0..CHANNELS / 16 {
            let [minus, plus] =
                [minus, plus].map(|row| widened(load(&row.as_chunks::<16>().0[part])));
            for half in [0, 1] {
                let at = 2 * part + half;
                let change = i16x8_sub(plus[half], minus[half]);
                let sum = i16x8_add(load::<i16, 8>(&before.sums.as_chunks().0[at]), change);
                store::<i16, 8>(&mut cell.sums.as_chunks_mut().0[at], sum);
                let limited = i16x8_min(sum, i16x8_splat(MAX_ACTIVATION));
                let limited = i16x8_max(limited, i16x8_splat(0));
                store::<i32, 4>(&mut active.as_chunks_mut().0[at], limited);
            }
        }
        cell.features = features(pointwise, &active);
    }
}

/// The numbers of 32 features, eight to a vector.
type LaneWords = [v128; FEATURES / 8];

fn mix(input: &MixUpdate<'_>, mixed: &mut [CellFeatures], former: &mut [CellFeatures]) -> Pooled {
    let weights = input.depthwise.weights.each_ref().map(|words| vectors::<i16, 8, _>(words));
    let bias = vectors::<i16, 8, _>(&input.depthwise.bias);
    let mut squares: LaneSums = vectors::<i32, 4, _>(&input.pooled.0);
    for (i, (&cell, former)) in input.cells.iter().zip(former).enumerate() {
        let new = match input.around(i) {
            Some(around) => mixed_features(&weights, &bias, around),
            None => [0; FEATURES],
        };
        *former = std::mem::replace(&mut mixed[usize::from(cell)], new);
        let pairs = words(&new).into_iter().zip(words(former));
        for (squares, (new, old)) in squares.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
            // The difference of squares is the product of difference and sum.
            let (difference, sum) = (i16x8_sub(new, old), i16x8_add(new, old));
            squares[0] = i32x4_add(squares[0], i32x4_extmul_low_i16x8(difference, sum));
            squares[1] = i32x4_add(squares[1], i32x4_extmul_high_i16x8(difference, sum));
        }
    }
    let mut pooled = Pooled::ZERO;
    for (part, sums) in pooled.0.as_chunks_mut::<4>().0.iter_mut().zip(squares) {
        store(part, sums);
    }
    pooled
}

/// Returns features in 16 bits.
#[inline]
fn words(features: &CellFeatures) -> LaneWords {
    let [low, high] = vectors::<u8, 16, 2>(features);
    let [[a, b], [c, d]] = [extended(low), extended(high)];
    [a, b, c, d]
}

/// Returns the mixed features of the cell in the middle.
#[inline]
fn mixed_features(
    weights: &[LaneWords; CELL_KINDS],
    bias: &LaneWords,
    [up, here, down]: Around<'_>,
) -> CellFeatures {
    let sum = |[a, b, c, d]: [&CellFeatures; 4]| -> LaneWords {
        let [a, b, c, d] = [words(a), words(b), words(c), words(d)];
        std::array::from_fn(|i| i16x8_add(i16x8_add(a[i], b[i]), i16x8_add(c[i], d[i])))
    };
    let parts = [
        words(&here[1]),
        sum([&here[0], &here[2], &up[1], &down[1]]),
        sum([&up[0], &up[2], &down[0], &down[2]]),
    ];
    let mixed: LaneWords = std::array::from_fn(|i| {
        let product = |kind: usize| {
            let shifted = i16x8_shl(parts[kind][i], DEPTHWISE_SHIFTS[kind]);
            high_product(shifted, weights[kind][i])
        };
        let sum = i16x8_add_sat(i16x8_add_sat(product(0), product(1)), product(2));
        i16x8_shr(i16x8_add_sat(sum, bias[i]), MIXED_SHIFT)
    });
    let mut features = [0; FEATURES];
    for (part, words) in features.as_chunks_mut::<16>().0.iter_mut().zip(mixed.as_chunks::<2>().0) {
        store(part, u8x16_narrow_i16x8(words[0], words[1]));
    }
    features
}

/// Returns the upper 16 bits of the products of eight numbers.
#[inline]
fn high_product(a: v128, b: v128) -> v128 {
    let (low, high) = (i32x4_extmul_low_i16x8(a, b), i32x4_extmul_high_i16x8(a, b));
    i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
}

/// Returns the features of a cell with these activations, two to a number.
#[inline]
fn features(layer: &Pointwise, active: &[i32; CHANNELS / 2]) -> [u8; FEATURES] {
    let sums = products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs.0, active);
    let words: [v128; FEATURES / 8] = packed(sums.map(|sum| i32x4_shr(sum, FEATURE_SHIFT)));
    let mut features = [0; FEATURES];
    for (features, words) in
        features.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0)
    {
        store(features, u8x16_narrow_i16x8(words[0], words[1]));
    }
    features
}

/// Adds to sums the products of pairs of inputs with their weights.
#[inline]
fn products(mut sums: LaneSums, weights: &[[[i16; 2]; FEATURES]], inputs: &[i32]) -> LaneSums {
    for (&both, weights) in inputs.iter().zip(weights) {
        let both = i32x4_splat(both);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(both, load(weights)));
        }
    }
    sums
}

/// Returns sums as numbers of 16 bits, those that need more at the limits.
#[inline]
fn packed(sums: LaneSums) -> LaneInputs {
    std::array::from_fn(|i| i16x8_narrow_i32x4(sums[2 * i], sums[2 * i + 1]))
}

fn value(head: &Head, pooled: &Pooled) -> i32 {
    let first = hidden(&head.hidden[0], inputs(pooled), HIDDEN_SHIFTS[0]);
    let second = hidden(&head.hidden[1], first, HIDDEN_SHIFTS[1]);
    let output: LaneInputs = vectors::<i16, 8, _>(&head.output);
    head.bias + sum_of_lanes(dot(second, output))
}

fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    let hidden = hidden(&head.hidden, inputs(pooled), POLICY_SHIFTS[0]);
    let most = i16x8_splat(MAX_FEATURE_WEIGHT.into());
    let least = i16x8_splat((-MAX_FEATURE_WEIGHT).into());
    let mut weights = FeatureWeights([[0; FEATURES]; CELL_KINDS]);
    for (layer, weights) in head.outputs.iter().zip(&mut weights.0) {
        let sums = layer_sums(layer, hidden).map(|sum| i32x4_shr(sum, POLICY_SHIFTS[1]));
        let words = packed(sums).map(|words| i16x8_max(i16x8_min(words, most), least));
        for (weights, words) in
            weights.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0)
        {
            store(weights, i8x16_narrow_i16x8(words[0], words[1]));
        }
    }
    weights
}

fn policy_parts(weights: &FeatureWeights, cell: &CellFeatures) -> PolicyParts {
    let features = in_one(vectors::<u8, 16, 2>(cell).map(extended));
    let [own, beside, corner] = weights.0.each_ref().map(|weights| {
        let weights = in_one(vectors::<i8, 16, 2>(weights).map(widened));
        sum_of_lanes(dot(features, weights))
    });
    [own, beside, corner, 0]
}

/// Returns the four vectors of two pairs.
#[inline]
fn in_one([[a, b], [c, d]]: [[v128; 2]; 2]) -> LaneInputs {
    [a, b, c, d]
}

/// Returns four sums, which together are that of all products.
#[inline]
fn dot(a: LaneInputs, b: LaneInputs) -> v128 {
    let products: LaneInputs = std::array::from_fn(|i| i32x4_dot_i16x8(a[i], b[i]));
    let sums = [i32x4_add(products[0], products[1]), i32x4_add(products[2], products[3])];
    i32x4_add(sums[0], sums[1])
}

/// Returns the sum of the four numbers of a vector.
#[inline]
fn sum_of_lanes(vector: v128) -> i32 {
    let mut lanes = [0; 4];
    store(&mut lanes, vector);
    lanes.iter().sum()
}

/// Returns the inputs of a head.
#[inline]
fn inputs(pooled: &Pooled) -> LaneInputs {
    let sums: LaneSums = vectors::<i32, 4, _>(&pooled.0);
    not_negative(packed(sums.map(|sum| i32x4_shr(sum, POOLED_SHIFT))))
}

/// Returns the outputs of a hidden layer.
#[inline]
fn hidden(layer: &Dense, inputs: LaneInputs, shift: u32) -> LaneInputs {
    not_negative(packed(layer_sums(layer, inputs).map(|sum| i32x4_shr(sum, shift))))
}

#[inline]
fn not_negative(words: LaneInputs) -> LaneInputs {
    words.map(|words| i16x8_max(words, i16x8_splat(0)))
}

/// Returns the sums of a layer.
#[inline]
fn layer_sums(layer: &Dense, inputs: LaneInputs) -> LaneSums {
    let mut pairs = [0; HIDDEN / 2];
    for (pairs, inputs) in pairs.as_chunks_mut::<4>().0.iter_mut().zip(inputs) {
        store(pairs, inputs);
    }
    products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs, &pairs)
}

//! The kernels for SSE2, which every x86-64 processor has.
//!
//! `pmaddwd` multiplies two activations of a cell, broadcast to all lanes, with the weights of four
//! features and adds both products in 32 bits.

use std::arch::x86_64::*;

use super::kernels::{Around, MixUpdate, NetworkKernels, Update};
use super::layers::{
    CELL_KINDS, CHANNELS, CellFeatures, CellLayers, DEPTHWISE_SHIFTS, Dense, FEATURE_SHIFT,
    FEATURES, FeatureWeights, HIDDEN, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT,
    MIXED_SHIFT, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead, PolicyParts, Pooled,
};

/// The kernels.
pub(super) const KERNELS: NetworkKernels = NetworkKernels {
    name: "sse2",
    update,
    mix,
    value,
    feature_weights,
    policy_parts,
    ..NetworkKernels::SCALAR
};

fn update(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    // SAFETY: every processor of this architecture has SSE2.
    unsafe { update_sse2(input, cells, first) };
}

fn mix(input: &MixUpdate<'_>, mixed: &mut [CellFeatures], former: &mut [CellFeatures]) -> Pooled {
    // SAFETY: every processor of this architecture has SSE2.
    unsafe { mix_sse2(input, mixed, former) }
}

fn value(head: &Head, pooled: &Pooled) -> i32 {
    // SAFETY: every processor of this architecture has SSE2.
    unsafe { value_sse2(head, pooled) }
}

fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    // SAFETY: every processor of this architecture has SSE2.
    unsafe { feature_weights_sse2(head, pooled) }
}

fn policy_parts(weights: &FeatureWeights, cell: &CellFeatures) -> PolicyParts {
    // SAFETY: every processor of this architecture has SSE2.
    unsafe { policy_parts_sse2(weights, cell) }
}

/// The 32 sums of a layer, four to a vector.
type Sums = [__m128i; FEATURES / 4];
/// The 32 inputs of a layer, eight to a vector.
type Inputs = [__m128i; HIDDEN / 8];

/// Returns the 16 bytes of an array as a vector.
#[inline]
#[target_feature(enable = "sse2")]
fn load<T: Copy, const N: usize>(array: &[T; N]) -> __m128i {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 16 bytes.
#[inline]
#[target_feature(enable = "sse2")]
fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: __m128i) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { _mm_storeu_si128(array.as_mut_ptr().cast(), vector) }
}

/// Returns all vectors of an array of numbers that fill them.
#[inline]
#[target_feature(enable = "sse2")]
fn vectors<T: Copy, const N: usize, const V: usize>(array: &[T]) -> [__m128i; V] {
    let parts = array.as_chunks::<N>().0;
    std::array::from_fn(|i| load(&parts[i]))
}

/// Returns the numbers of the low and of the high half of a vector of bytes with signs, in 16 bits.
#[inline]
#[target_feature(enable = "sse2")]
fn widened(bytes: __m128i) -> [__m128i; 2] {
    // The byte above each is shifted out again, and leaves the sign.
    [_mm_unpacklo_epi8(bytes, bytes), _mm_unpackhi_epi8(bytes, bytes)]
        .map(|words| _mm_srai_epi16::<8>(words))
}

/// Returns the numbers of the low and of the high half of a vector of bytes without signs, in 16 bits.
#[inline]
#[target_feature(enable = "sse2")]
fn extended(bytes: __m128i) -> [__m128i; 2] {
    let zero = _mm_setzero_si128();
    [_mm_unpacklo_epi8(bytes, zero), _mm_unpackhi_epi8(bytes, zero)]
}

#[target_feature(enable = "sse2")]
fn update_sse2(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
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
                let change = _mm_sub_epi16(plus[half], minus[half]);
                let sum = _mm_add_epi16(load::<i16, 8>(&before.sums.as_chunks().0[at]), change);
                store::<i16, 8>(&mut cell.sums.as_chunks_mut().0[at], sum);
                let limited = _mm_min_epi16(sum, _mm_set1_epi16(MAX_ACTIVATION));
                let limited = _mm_max_epi16(limited, _mm_setzero_si128());
                store::<i32, 4>(&mut active.as_chunks_mut().0[at], limited);
            }
        }
        cell.features = features(pointwise, &active);
    }
}

#[target_feature(enable = "sse2")]
fn mix_sse2(
    input: &MixUpdate<'_>,
    mixed: &mut [CellFeatures],
    former: &mut [CellFeatures],
) -> Pooled {
    let weights = input.depthwise.weights.each_ref().map(|words| vectors::<i16, 8, _>(words));
    let bias = vectors::<i16, 8, _>(&input.depthwise.bias);
    let mut squares: Sums = vectors::<i32, 4, _>(&input.pooled.0);
    for (i, (&cell, former)) in input.cells.iter().zip(former).enumerate() {
        let new = match input.around(i) {
            Some(around) => mixed_features(&weights, &bias, around),
            None => [0; FEATURES],
        };
        *former = std::mem::replace(&mut mixed[usize::from(cell)], new);
        let pairs = words(&new).into_iter().zip(words(former));
        for (squares, (new, old)) in squares.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
            // The difference of squares is the product of difference and sum.
            let (difference, sum) = (_mm_sub_epi16(new, old), _mm_add_epi16(new, old));
            let low = _mm_mullo_epi16(difference, sum);
            let high = _mm_mulhi_epi16(difference, sum);
            squares[0] = _mm_add_epi32(squares[0], _mm_unpacklo_epi16(low, high));
            squares[1] = _mm_add_epi32(squares[1], _mm_unpackhi_epi16(low, high));
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
#[target_feature(enable = "sse2")]
fn words(features: &CellFeatures) -> Inputs {
    let [low, high] = vectors::<u8, 16, 2>(features);
    in_one([extended(low), extended(high)])
}

/// Returns the mixed features of the cell in the middle.
#[inline]
#[target_feature(enable = "sse2")]
fn mixed_features(
    weights: &[Inputs; CELL_KINDS],
    bias: &Inputs,
    [up, here, down]: Around<'_>,
) -> CellFeatures {
    const SHIFTS: [i32; CELL_KINDS] =
        [DEPTHWISE_SHIFTS[0] as i32, DEPTHWISE_SHIFTS[1] as i32, DEPTHWISE_SHIFTS[2] as i32];
    const SHIFT: i32 = MIXED_SHIFT as i32;
    let sum = |[a, b, c, d]: [&CellFeatures; 4]| -> Inputs {
        let [a, b, c, d] = [words(a), words(b), words(c), words(d)];
        std::array::from_fn(|i| _mm_add_epi16(_mm_add_epi16(a[i], b[i]), _mm_add_epi16(c[i], d[i])))
    };
    let own = words(&here[1]);
    let beside = sum([&here[0], &here[2], &up[1], &down[1]]);
    let corners = sum([&up[0], &up[2], &down[0], &down[2]]);
    let mixed: Inputs = std::array::from_fn(|i| {
        let own = _mm_mulhi_epi16(_mm_slli_epi16::<{ SHIFTS[0] }>(own[i]), weights[0][i]);
        let beside = _mm_mulhi_epi16(_mm_slli_epi16::<{ SHIFTS[1] }>(beside[i]), weights[1][i]);
        let corners = _mm_mulhi_epi16(_mm_slli_epi16::<{ SHIFTS[2] }>(corners[i]), weights[2][i]);
        let sum = _mm_adds_epi16(_mm_adds_epi16(own, beside), corners);
        _mm_srai_epi16::<SHIFT>(_mm_adds_epi16(sum, bias[i]))
    });
    let mut features = [0; FEATURES];
    for (part, words) in features.as_chunks_mut::<16>().0.iter_mut().zip(mixed.as_chunks::<2>().0) {
        store(part, _mm_packus_epi16(words[0], words[1]));
    }
    features
}

/// Returns the features of a cell with these activations, two to a number.
#[inline]
#[target_feature(enable = "sse2")]
fn features(layer: &Pointwise, active: &[i32; CHANNELS / 2]) -> [u8; FEATURES] {
    const SHIFT: i32 = FEATURE_SHIFT as i32;
    let sums = products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs.0, active);
    let words: [__m128i; FEATURES / 8] = packed(sums.map(|sum| _mm_srai_epi32::<SHIFT>(sum)));
    let mut features = [0; FEATURES];
    for (features, words) in
        features.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0)
    {
        store(features, _mm_packus_epi16(words[0], words[1]));
    }
    features
}

/// Adds to sums the products of pairs of inputs with their weights.
#[inline]
#[target_feature(enable = "sse2")]
fn products(mut sums: Sums, weights: &[[[i16; 2]; FEATURES]], inputs: &[i32]) -> Sums {
    for (&both, weights) in inputs.iter().zip(weights) {
        let both = _mm_set1_epi32(both);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
            *sum = _mm_add_epi32(*sum, _mm_madd_epi16(both, load(weights)));
        }
    }
    sums
}

/// Returns sums as numbers of 16 bits, those that need more at the limits.
#[inline]
#[target_feature(enable = "sse2")]
fn packed(sums: Sums) -> Inputs {
    std::array::from_fn(|i| _mm_packs_epi32(sums[2 * i], sums[2 * i + 1]))
}

#[target_feature(enable = "sse2")]
fn value_sse2(head: &Head, pooled: &Pooled) -> i32 {
    const SHIFTS: [i32; 2] = [HIDDEN_SHIFTS[0] as i32, HIDDEN_SHIFTS[1] as i32];
    let first = hidden::<{ SHIFTS[0] }>(&head.hidden[0], inputs(pooled));
    let second = hidden::<{ SHIFTS[1] }>(&head.hidden[1], first);
    let output: Inputs = vectors::<i16, 8, _>(&head.output);
    let products = dot(second, output);
    head.bias + sum_of_lanes(products)
}

#[target_feature(enable = "sse2")]
fn feature_weights_sse2(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    const SHIFTS: [i32; 2] = [POLICY_SHIFTS[0] as i32, POLICY_SHIFTS[1] as i32];
    let hidden = hidden::<{ SHIFTS[0] }>(&head.hidden, inputs(pooled));
    let most = _mm_set1_epi16(MAX_FEATURE_WEIGHT.into());
    let least = _mm_set1_epi16((-MAX_FEATURE_WEIGHT).into());
    let mut weights = FeatureWeights([[0; FEATURES]; CELL_KINDS]);
    for (layer, weights) in head.outputs.iter().zip(&mut weights.0) {
        let sums = layer_sums(layer, hidden).map(|sum| _mm_srai_epi32::<{ SHIFTS[1] }>(sum));
        let words = packed(sums).map(|words| _mm_max_epi16(_mm_min_epi16(words, most), least));
        for (weights, words) in
            weights.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0)
        {
            store(weights, _mm_packs_epi16(words[0], words[1]));
        }
    }
    weights
}

#[target_feature(enable = "sse2")]
fn policy_parts_sse2(weights: &FeatureWeights, cell: &CellFeatures) -> PolicyParts {
    let features = words(cell);
    let [own, beside, corner] = weights.0.each_ref().map(|weights| {
        let [low, high] = vectors::<i8, 16, 2>(weights);
        let weights = [widened(low), widened(high)];
        sum_of_lanes(dot(features, in_one(weights)))
    });
    [own, beside, corner, 0]
}

/// Returns the four vectors of two pairs.
#[inline]
fn in_one([[a, b], [c, d]]: [[__m128i; 2]; 2]) -> Inputs {
    [a, b, c, d]
}

/// Returns four sums, which together are that of all products.
#[inline]
#[target_feature(enable = "sse2")]
fn dot(a: Inputs, b: Inputs) -> __m128i {
    let products: Inputs = std::array::from_fn(|i| _mm_madd_epi16(a[i], b[i]));
    let sums = [_mm_add_epi32(products[0], products[1]), _mm_add_epi32(products[2], products[3])];
    _mm_add_epi32(sums[0], sums[1])
}

/// Returns the sum of the four numbers of a vector.
#[inline]
#[target_feature(enable = "sse2")]
fn sum_of_lanes(vector: __m128i) -> i32 {
    let mut lanes = [0; 4];
    store(&mut lanes, vector);
    lanes.iter().sum()
}

/// Returns the inputs of a head.
#[inline]
#[target_feature(enable = "sse2")]
fn inputs(pooled: &Pooled) -> Inputs {
    const SHIFT: i32 = POOLED_SHIFT as i32;
    let sums: Sums = vectors::<i32, 4, _>(&pooled.0);
    not_negative(packed(sums.map(|sum| _mm_srai_epi32::<SHIFT>(sum))))
}

/// Returns the outputs of a hidden layer.
#[inline]
#[target_feature(enable = "sse2")]
fn hidden<const SHIFT: i32>(layer: &Dense, inputs: Inputs) -> Inputs {
    not_negative(packed(layer_sums(layer, inputs).map(|sum| _mm_srai_epi32::<SHIFT>(sum))))
}

#[inline]
#[target_feature(enable = "sse2")]
fn not_negative(words: Inputs) -> Inputs {
    words.map(|words| _mm_max_epi16(words, _mm_setzero_si128()))
}

/// Returns the sums of a layer.
#[inline]
#[target_feature(enable = "sse2")]
fn layer_sums(layer: &Dense, inputs: Inputs) -> Sums {
    let mut pairs = [0; HIDDEN / 2];
    for (pairs, inputs) in pairs.as_chunks_mut::<4>().0.iter_mut().zip(inputs) {
        store(pairs, inputs);
    }
    products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs, &pairs)
}

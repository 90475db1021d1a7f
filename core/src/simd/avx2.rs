//! The kernels for AVX2.
//!
//! `vpmaddubsw` multiplies four activations of a cell, broadcast to all lanes, with the weights of
//! eight features and adds pairs, `vpmaddwd` with ones adds the pairs of a group. The pairs fit into
//! 16 bits, and longer chains where [`Pointwise::chain`] says so.

use std::arch::x86_64::*;

use super::kernels::{Around, MixUpdate, NetworkKernels, Update};
use super::layers::{
    CELL_KINDS, CHANNELS, CellFeatures, CellLayers, Dense, FEATURE_SHIFT, FEATURES, FeatureWeights,
    GROUPS, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT, MIX_INPUT_SHIFT, MIXED_SHIFT,
    MixInputs, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead, PolicyParts, Pooled,
};

/// Returns the kernels if the processor has AVX2.
pub(super) fn kernels() -> Option<NetworkKernels> {
    is_x86_feature_detected!("avx2").then_some(NetworkKernels {
        name: "avx2",
        update,
        mix,
        value,
        feature_weights,
        policy_parts,
        ..NetworkKernels::SCALAR
    })
}

fn update(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    // SAFETY: this function is only reachable through `kernels`, which found AVX2.
    unsafe {
        match input.pointwise.chain {
            8 => update_chained::<8>(input, cells, first),
            4 => update_chained::<4>(input, cells, first),
            2 => update_chained::<2>(input, cells, first),
            _ => update_chained::<1>(input, cells, first),
        }
    }
}

fn mix(input: &MixUpdate<'_>, mixed: &mut [CellFeatures], former: &mut [CellFeatures]) -> Pooled {
    // SAFETY: this function is only reachable through `kernels`, which found AVX2.
    unsafe { mix_avx2(input, mixed, former) }
}

fn value(head: &Head, pooled: &Pooled) -> i32 {
    // SAFETY: this function is only reachable through `kernels`, which found AVX2.
    unsafe { value_avx2(head, pooled) }
}

fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    // SAFETY: this function is only reachable through `kernels`, which found AVX2.
    unsafe { feature_weights_avx2(head, pooled) }
}

fn policy_parts(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    // SAFETY: this function is only reachable through `kernels`, which found AVX2.
    unsafe { policy_parts_avx2(weights, features, cells, parts) };
}

/// Returns the 32 bytes of an array as a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Copy, const N: usize>(array: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: the array has 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: __m256i) {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: the array has 32 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), vector) }
}

/// Splits an array of numbers that fill several vectors.
#[inline]
fn vectors<T, const N: usize>(array: &[T]) -> &[[T; N]] {
    array.as_chunks().0
}

/// The number of cells that go through the steps together: the steps of one cell are a long chain of
/// latencies, and many cells keep the processor busy meanwhile.
const BLOCK: usize = 32;

#[target_feature(enable = "avx2")]
fn update_chained<const CHAIN: usize>(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    let Update { rows, pointwise, changes } = *input;
    let (former, new) = cells.split_at_mut(first);
    let new = &mut new[..changes.len()];
    // Activations go through memory, because loads broadcast four of them at no cost.
    let mut active = [[0; GROUPS]; BLOCK];
    for (changes, cells) in changes.chunks(BLOCK).zip(new.chunks_mut(BLOCK)) {
        for ((change, cell), active) in changes.iter().zip(&mut *cells).zip(&mut active) {
            let before = vectors::<i16, 16>(&former[change.from].sums);
            let minus = vectors::<i8, 16>(&rows[change.old_row].0);
            let plus = vectors::<i8, 16>(&rows[change.new_row].0);
            let sums = cell.sums.as_chunks_mut::<16>().0;
            for part in 0..CHANNELS / 16 {
                let difference = _mm256_sub_epi16(widened(&plus[part]), widened(&minus[part]));
                store(&mut sums[part], _mm256_add_epi16(load(&before[part]), difference));
            }
            for (sums, active) in sums.as_chunks::<2>().0.iter().zip(active.as_chunks_mut().0) {
                let most = _mm256_set1_epi8(MAX_ACTIVATION as i8);
                let packed = _mm256_packus_epi16(load(&sums[0]), load(&sums[1]));
                // Packing keeps the halves of the vectors apart; the permutation puts them in order.
                let ordered = _mm256_permute4x64_epi64::<0xd8>(packed);
                store::<i32, 8>(active, _mm256_min_epu8(ordered, most));
            }
        }
        for (cell, active) in cells.iter_mut().zip(&active) {
            let parts = cell.features.0.as_chunks_mut::<16>().0.iter_mut();
            parts
                .zip(features::<CHAIN>(pointwise, active))
                .for_each(|(part, words)| store(part, words));
        }
    }
}

/// The words of 32 features.
type Halves = [__m256i; 2];

/// Returns 32 words as two vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn words(array: &[i16; FEATURES]) -> Halves {
    let parts = vectors::<i16, 16>(array);
    [load(&parts[0]), load(&parts[1])]
}

#[target_feature(enable = "avx2")]
fn mix_avx2(
    input: &MixUpdate<'_>,
    mixed: &mut [CellFeatures],
    former: &mut [CellFeatures],
) -> Pooled {
    let weights = input.depthwise.weights.each_ref().map(|weights| words(weights));
    let bias = words(&input.depthwise.bias);
    let parts = vectors::<i32, 8>(&input.pooled.0);
    let [a, b] = swapped_lanes(load(&parts[0]), load(&parts[2]));
    let [c, d] = swapped_lanes(load(&parts[1]), load(&parts[3]));
    let mut squares = [a, b, c, d];
    let zero = _mm256_setzero_si256();
    let signs = _mm256_set1_epi32(0xffff_0001_u32 as i32);
    for (i, (&cell, former)) in input.cells.iter().zip(former).enumerate() {
        let new = match input.around(i) {
            Some(around) => mixed_features(&weights, bias, around),
            None => zero,
        };
        let mixed = &mut mixed[usize::from(cell)];
        let old = load(mixed);
        store(former, old);
        store(mixed, new);
        let [low, high] = unpacked(new, old);
        let pairs = [unpacked(low, zero), unpacked(high, zero)];
        for (sums, pairs) in squares.iter_mut().zip(pairs.as_flattened()) {
            // The square of the new number less that of the old one.
            let negated = _mm256_sign_epi16(*pairs, signs);
            *sums = _mm256_add_epi32(*sums, _mm256_madd_epi16(*pairs, negated));
        }
    }
    let mut pooled = Pooled::ZERO;
    let [a, c] = swapped_lanes(squares[0], squares[1]);
    let [b, d] = swapped_lanes(squares[2], squares[3]);
    for (part, sums) in pooled.0.as_chunks_mut::<8>().0.iter_mut().zip([a, b, c, d]) {
        store(part, sums);
    }
    pooled
}

/// Returns the lower lanes of two vectors, and the upper ones.
#[inline]
#[target_feature(enable = "avx2")]
fn swapped_lanes(a: __m256i, b: __m256i) -> [__m256i; 2] {
    [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)]
}

/// Returns the bytes of two vectors in turn: of the lower and of the upper half of each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn unpacked(a: __m256i, b: __m256i) -> Halves {
    [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)]
}

/// Returns the mixed features of the cell in the middle.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed_features(
    weights: &[Halves; CELL_KINDS],
    bias: Halves,
    [up, here, down]: Around<'_>,
) -> __m256i {
    const SHIFT: i32 = MIXED_SHIFT as i32;
    let sum = |[a, b]: Halves, [c, d]: Halves| [_mm256_add_epi16(a, c), _mm256_add_epi16(b, d)];
    let four = |[a, b, c, d]: [&MixInputs; 4]| {
        sum(sum(words(&a.0), words(&b.0)), sum(words(&c.0), words(&d.0)))
    };
    let own = sum(words(&here[1].0), words(&here[1].0));
    let beside = four([here[0], here[2], up[1], down[1]]);
    let corners = four([up[0], up[2], down[0], down[2]]);
    let half = |half: usize| {
        let total = _mm256_adds_epi16(
            _mm256_mulhi_epi16(own[half], weights[0][half]),
            _mm256_mulhi_epi16(beside[half], weights[1][half]),
        );
        let total = _mm256_adds_epi16(total, _mm256_mulhi_epi16(corners[half], weights[2][half]));
        _mm256_srai_epi16::<SHIFT>(_mm256_adds_epi16(total, bias[half]))
    };
    // Packing keeps the halves of the vectors apart; the permutation puts them in order.
    _mm256_permute4x64_epi64::<0xd8>(_mm256_packus_epi16(half(0), half(1)))
}

/// Returns a part of a row as numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn widened(part: &[i8; 16]) -> __m256i {
    // SAFETY: the array has 16 bytes, and the load needs no alignment.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(part.as_ptr().cast()) })
}

/// Returns the features of a cell with these activations, four to a number.
#[inline]
#[target_feature(enable = "avx2")]
fn features<const CHAIN: usize>(layer: &Pointwise, active: &[i32; GROUPS]) -> Halves {
    let ones = _mm256_set1_epi16(1);
    let bias = vectors::<i32, 8>(&layer.bias);
    let mut z = [load(&bias[0]), load(&bias[1]), load(&bias[2]), load(&bias[3])];
    let chains = active.as_chunks::<CHAIN>().0.iter().zip(layer.groups.0.as_chunks::<CHAIN>().0);
    for (active, weights) in chains {
        let product = |group: usize, vector: usize| {
            let weights = vectors::<[i8; 4], 8>(&weights[group]);
            _mm256_maddubs_epi16(_mm256_set1_epi32(active[group]), load(&weights[vector]))
        };
        let mut products = [product(0, 0), product(0, 1), product(0, 2), product(0, 3)];
        for group in 1..CHAIN {
            products = [
                _mm256_add_epi16(products[0], product(group, 0)),
                _mm256_add_epi16(products[1], product(group, 1)),
                _mm256_add_epi16(products[2], product(group, 2)),
                _mm256_add_epi16(products[3], product(group, 3)),
            ];
        }
        z = [
            _mm256_add_epi32(z[0], _mm256_madd_epi16(products[0], ones)),
            _mm256_add_epi32(z[1], _mm256_madd_epi16(products[1], ones)),
            _mm256_add_epi32(z[2], _mm256_madd_epi16(products[2], ones)),
            _mm256_add_epi32(z[3], _mm256_madd_epi16(products[3], ones)),
        ];
    }
    const SHIFT: i32 = FEATURE_SHIFT as i32;
    [(z[0], z[1]), (z[2], z[3])].map(|(a, b)| {
        let words =
            _mm256_packs_epi32(_mm256_srai_epi32::<SHIFT>(a), _mm256_srai_epi32::<SHIFT>(b));
        let words =
            _mm256_max_epi16(_mm256_permute4x64_epi64::<0xd8>(words), _mm256_setzero_si256());
        let limited = _mm256_min_epi16(words, _mm256_set1_epi16(u8::MAX.into()));
        _mm256_slli_epi16::<{ MIX_INPUT_SHIFT as i32 }>(limited)
    })
}

/// Returns 32 bytes in order, after words and then bytes were packed in halves of vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn in_order(bytes: __m256i) -> __m256i {
    _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

#[target_feature(enable = "avx2")]
fn value_avx2(head: &Head, pooled: &Pooled) -> i32 {
    const SHIFTS: [i32; 2] = [HIDDEN_SHIFTS[0] as i32, HIDDEN_SHIFTS[1] as i32];
    let first = hidden::<{ SHIFTS[0] }>(&head.hidden[0], inputs(pooled));
    let second = hidden::<{ SHIFTS[1] }>(&head.hidden[1], first);
    let output = vectors::<i16, 16>(&head.output);
    let products = _mm256_add_epi32(
        _mm256_madd_epi16(second[0], load(&output[0])),
        _mm256_madd_epi16(second[1], load(&output[1])),
    );
    let mut lanes = [0i32; 8];
    store(&mut lanes, products);
    head.bias + lanes.iter().sum::<i32>()
}

#[target_feature(enable = "avx2")]
fn feature_weights_avx2(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    const SHIFTS: [i32; 2] = [POLICY_SHIFTS[0] as i32, POLICY_SHIFTS[1] as i32];
    let hidden = hidden::<{ SHIFTS[0] }>(&head.hidden, inputs(pooled));
    let most = _mm256_set1_epi8(MAX_FEATURE_WEIGHT);
    let least = _mm256_set1_epi8(-MAX_FEATURE_WEIGHT);
    let mut weights = FeatureWeights([[0; 32]; CELL_KINDS]);
    for (layer, weights) in head.outputs.iter().zip(&mut weights.0) {
        let [a, b, c, d] =
            layer_sums(layer, hidden).map(|sums| _mm256_srai_epi32::<{ SHIFTS[1] }>(sums));
        // The words are in halves that packing keeps apart; saturation comes before the limits, which
        // are narrower.
        let words = [_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d)];
        let bytes = in_order(_mm256_packs_epi16(words[0], words[1]));
        store(weights, _mm256_max_epi8(_mm256_min_epi8(bytes, most), least));
    }
    weights
}

#[target_feature(enable = "avx2")]
fn policy_parts_avx2(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    let weights = weights.0.each_ref().map(|weights| load(weights));
    for cell in cells.iter().map(|&cell| usize::from(cell)) {
        let features = load(&features[cell]);
        parts[cell] = parts_of(weights.map(|weights| {
            let pairs = _mm256_maddubs_epi16(features, weights);
            _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
        }));
    }
}

/// Returns the sums of the lanes of each kind's products.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn parts_of([own, beside, corner]: [__m256i; CELL_KINDS]) -> PolicyParts {
    let none = _mm256_setzero_si256();
    let halves = _mm256_hadd_epi32(_mm256_hadd_epi32(own, beside), _mm256_hadd_epi32(corner, none));
    let (low, high) = (_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
    let mut parts = [0; CELL_KINDS + 1];
    // SAFETY: the array has 16 bytes, the store needs no alignment, and all bits are valid in it.
    unsafe { _mm_storeu_si128(parts.as_mut_ptr().cast(), _mm_add_epi32(low, high)) };
    parts
}

/// Returns the inputs of a head, in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn inputs(pooled: &Pooled) -> [__m256i; 2] {
    const SHIFT: i32 = POOLED_SHIFT as i32;
    let sums = vectors::<i32, 8>(&pooled.0);
    saturated([
        _mm256_srai_epi32::<SHIFT>(load(&sums[0])),
        _mm256_srai_epi32::<SHIFT>(load(&sums[1])),
        _mm256_srai_epi32::<SHIFT>(load(&sums[2])),
        _mm256_srai_epi32::<SHIFT>(load(&sums[3])),
    ])
}

/// Returns 32 sums as numbers from 0 to the largest `i16`, in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn saturated(sums: [__m256i; 4]) -> [__m256i; 2] {
    let zero = _mm256_setzero_si256();
    // Packing keeps the halves of the vectors apart; the permutation puts them in order.
    let pack =
        |a, b| _mm256_max_epi16(_mm256_permute4x64_epi64::<0xd8>(_mm256_packs_epi32(a, b)), zero);
    [pack(sums[0], sums[1]), pack(sums[2], sums[3])]
}

/// Returns the outputs of a hidden layer, in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn hidden<const SHIFT: i32>(layer: &Dense, inputs: [__m256i; 2]) -> [__m256i; 2] {
    let sums = layer_sums(layer, inputs);
    saturated([
        _mm256_srai_epi32::<SHIFT>(sums[0]),
        _mm256_srai_epi32::<SHIFT>(sums[1]),
        _mm256_srai_epi32::<SHIFT>(sums[2]),
        _mm256_srai_epi32::<SHIFT>(sums[3]),
    ])
}

/// Returns the sums of a layer, in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_sums(layer: &Dense, inputs: [__m256i; 2]) -> [__m256i; 4] {
    let mut pairs = [[0i32; 8]; 2];
    store(&mut pairs[0], inputs[0]);
    store(&mut pairs[1], inputs[1]);
    let bias = vectors::<i32, 8>(&layer.bias);
    let mut sums = [load(&bias[0]), load(&bias[1]), load(&bias[2]), load(&bias[3])];
    for (&both, weights) in pairs.as_flattened().iter().zip(&layer.pairs) {
        let both = _mm256_set1_epi32(both);
        let weights = vectors::<[i16; 2], 8>(weights);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(both, load(weights)));
        }
    }
    sums
}

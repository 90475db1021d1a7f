//! The kernels for AVX-512 with its dot products of bytes and words (VNNI).
//!
//! `vpdpbusd` multiplies four activations, broadcast to all lanes, with the weights of sixteen
//! features and adds all four products to 32 bits. Four cells go through the pointwise layer
//! together, so that its weights are loaded once for them. `vpmultishiftqb` reads the sides of all 32
//! neighbours of a stone at once.

use std::arch::x86_64::*;

use super::avx2;
use super::kernels::{Around, MixUpdate, NetworkKernels, Update};
use super::layers::{
    CELL_KINDS, CellFeatures, CellLayers, Dense, FEATURE_SHIFT, FEATURES, FeatureWeights, GROUPS,
    HIDDEN, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT, MIX_INPUT_SHIFT, MIXED_SHIFT,
    MixInputs, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead, PolicyParts, Pooled, Row,
};
use super::lines::{
    AHEAD, BEHIND, Codes, LineChanges, MIDDLE, NEIGHBORS, NEIGHBORS_OF_LINE, Neighbors, StoneLines,
    window_starts,
};

/// Returns the kernels if the processor has the instructions. Processors before VBMI, which lower their
/// clock for vectors of this length, have no VNNI either.
pub(super) fn kernels() -> Option<NetworkKernels> {
    let found = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2");
    found.then_some(NetworkKernels {
        name: "avx512",
        line_changes,
        update,
        mix,
        value,
        feature_weights,
        policy_parts,
    })
}

fn line_changes(lines: &StoneLines, cells: &Neighbors, changes: &mut LineChanges) {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { line_changes_avx512(lines, cells, changes) }
}

fn update(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { update_avx512(input, cells, first) };
}

fn mix(input: &MixUpdate<'_>, mixed: &mut [CellFeatures], former: &mut [CellFeatures]) -> Pooled {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { mix_avx512(input, mixed, former) }
}

fn value(head: &Head, pooled: &Pooled) -> i32 {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { value_avx512(head, pooled) }
}

fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { feature_weights_avx512(head, pooled) }
}

fn policy_parts(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    // SAFETY: this function is only reachable through `kernels`, which found the instructions.
    unsafe { policy_parts_avx512(weights, features, cells, parts) };
}

/// Returns the 64 bytes of an array as a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: Copy, const N: usize>(array: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == 64) };
    // SAFETY: the array has 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: __m512i) {
    const { assert!(size_of::<[T; N]>() == 64) };
    // SAFETY: the array has 64 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { _mm512_storeu_si512(array.as_mut_ptr().cast(), vector) }
}

/// Returns the 32 bytes of an array as half a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_half<T: Copy, const N: usize>(array: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: the array has 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(array.as_ptr().cast()) }
}

/// Writes half a vector to an array of 32 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_half<T: Copy, const N: usize>(array: &mut [T; N], half: __m256i) {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: the array has 32 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), half) }
}

/// Returns two halves as a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn joined(low: __m256i, high: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// Returns 32 numbers of 32 bits as two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn two_vectors(numbers: &[i32; 32]) -> [__m512i; 2] {
    let parts = numbers.as_chunks::<16>().0;
    [load(&parts[0]), load(&parts[1])]
}

/// Returns where on a line the eight bits for each byte of a vector begin: there are two bytes for a
/// neighbour, whose bits are so many after the first of its window.
const fn bits_from(offsets: [usize; 2]) -> [u8; 2 * NEIGHBORS] {
    let starts = window_starts();
    let mut bits = [0; 2 * NEIGHBORS];
    let mut i = 0;
    while i < bits.len() {
        bits[i] = (2 * starts[i / 2 % NEIGHBORS_OF_LINE] + offsets[i % 2]) as u8;
        i += 1;
    }
    bits
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
fn line_changes_avx512(lines: &StoneLines, cells: &Neighbors, changes: &mut LineChanges) {
    const SIDES: [u8; 64] = bits_from([0, MIDDLE + 2]);
    const MIDDLES: [u8; 64] = bits_from([MIDDLE, MIDDLE]);
    let sides_at = load(&SIDES);
    let before = twice(&lines.before);
    let old_rows = rows_of(_mm512_multishift_epi64_epi8(sides_at, before));
    let new_rows = rows_of(_mm512_multishift_epi64_epi8(sides_at, twice(&lines.after)));
    let empty = _mm512_set1_epi16(0b11);
    let middles = _mm512_multishift_epi64_epi8(load(&MIDDLES), before);
    let are_empty = _mm512_cmpeq_epi16_mask(_mm512_and_si512(middles, empty), empty);
    store(&mut changes.cells, _mm512_maskz_compress_epi16(are_empty, load(cells)));
    store(&mut changes.old_rows, _mm512_maskz_compress_epi16(are_empty, old_rows));
    store(&mut changes.new_rows, _mm512_maskz_compress_epi16(are_empty, new_rows));
    changes.len = are_empty.count_ones() as usize;
}

/// Returns each of four lines twice: for the neighbours before the stone and for those after it.
#[inline]
#[target_feature(enable = "avx512f")]
fn twice(lines: &[u64; 4]) -> __m512i {
    let lines = _mm512_castsi256_si512(load_half(lines));
    _mm512_permutexvar_epi64(_mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0), lines)
}

/// Returns the rows of 32 pairs of sides: what is behind a cell in the low byte, what is ahead of it in
/// the high one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn rows_of(sides: __m512i) -> __m512i {
    const HIGH: __mmask64 = 0xaaaa_aaaa_aaaa_aaaa;
    let codes = _mm512_mask_blend_epi8(HIGH, looked_up(&BEHIND, sides), looked_up(&AHEAD, sides));
    let first = _mm512_and_si512(codes, _mm512_set1_epi16(0xff));
    let second = _mm512_srli_epi16::<8>(codes);
    let (low, high) = (_mm512_min_epu16(first, second), _mm512_max_epu16(first, second));
    let twice = _mm512_mullo_epi16(high, _mm512_add_epi16(high, _mm512_set1_epi16(1)));
    _mm512_add_epi16(_mm512_srli_epi16::<1>(twice), low)
}

/// Returns the codes of 64 sides.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn looked_up(codes: &Codes, sides: __m512i) -> __m512i {
    let codes = codes.0.as_chunks::<64>().0;
    let low = _mm512_permutex2var_epi8(load(&codes[0]), sides, load(&codes[1]));
    let high = _mm512_permutex2var_epi8(load(&codes[2]), sides, load(&codes[3]));
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(sides), low, high)
}

/// Returns a row as two vectors of 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widened(row: &Row) -> [__m512i; 2] {
    let row = load(&row.0);
    [
        _mm512_cvtepi8_epi16(_mm512_castsi512_si256(row)),
        _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64::<1>(row)),
    ]
}

/// The number of cells that go through the steps together.
const BLOCK: usize = 32;
/// The number of cells that go through the pointwise layer together.
const TOGETHER: usize = 4;

/// The activations of a cell, four to a number.
type Active = [i32; GROUPS];

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn update_avx512(input: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    const { assert!(MAX_ACTIVATION == i8::MAX as i16, "sums are limited by narrowing") };
    let Update { rows, pointwise, changes } = *input;
    let (former, new) = cells.split_at_mut(first);
    let new = &mut new[..changes.len()];
    // Activations go through memory, because loads broadcast four of them at no cost.
    let mut active = [[0; GROUPS]; BLOCK];
    for (changes, cells) in changes.chunks(BLOCK).zip(new.chunks_mut(BLOCK)) {
        for ((change, cell), active) in changes.iter().zip(&mut *cells).zip(&mut active) {
            let before = former[change.from].sums.as_chunks::<32>().0;
            let minus = widened(&rows[change.old_row]);
            let plus = widened(&rows[change.new_row]);
            let sums = cell.sums.as_chunks_mut::<32>().0;
            let active = active.as_chunks_mut::<8>().0;
            for half in 0..2 {
                let difference = _mm512_sub_epi16(plus[half], minus[half]);
                let new = _mm512_add_epi16(load(&before[half]), difference);
                store(&mut sums[half], new);
                let narrowed = _mm512_cvtsepi16_epi8(new);
                store_half(&mut active[half], _mm256_max_epi8(narrowed, _mm256_setzero_si256()));
            }
        }
        let together = cells.chunks_mut(TOGETHER).zip(active.as_chunks::<TOGETHER>().0);
        for (cells, active) in together {
            // Fewer cells than activations at the end: what the others give is not used.
            for (cell, features) in cells.iter_mut().zip(features(pointwise, active)) {
                store(&mut cell.features.0, features);
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn mix_avx512(
    input: &MixUpdate<'_>,
    mixed: &mut [CellFeatures],
    former: &mut [CellFeatures],
) -> Pooled {
    let weights = input.depthwise.weights.each_ref().map(|weights| load(weights));
    let bias = load(&input.depthwise.bias);
    // The sums of features 0, 2, 4 and so on, and those of the others.
    let [low, high] = two_vectors(&input.pooled.0);
    let [mut even, mut odd] =
        EVERY_SECOND.map(|places| _mm512_permutex2var_epi32(low, load(&places), high));
    for (i, (&cell, former)) in input.cells.iter().zip(former).enumerate() {
        let new = match input.around(i) {
            Some(around) => mixed_features(&weights, bias, around),
            None => _mm512_setzero_si512(),
        };
        let mixed = &mut mixed[usize::from(cell)];
        let old = load_half(mixed);
        store_half(former, old);
        store_half(mixed, _mm512_cvtepi16_epi8(new));
        // The difference of squares is the product of difference and sum.
        let old = _mm512_cvtepu8_epi16(old);
        let sum = _mm512_add_epi16(new, old);
        even = _mm512_dpwssd_epi32(even, _mm512_maskz_sub_epi16(EVEN, new, old), sum);
        odd = _mm512_dpwssd_epi32(odd, _mm512_maskz_sub_epi16(!EVEN, new, old), sum);
    }
    let mut pooled = Pooled::ZERO;
    for (part, places) in pooled.0.as_chunks_mut::<16>().0.iter_mut().zip(&IN_TURN) {
        store(part, _mm512_permutex2var_epi32(even, load(places), odd));
    }
    pooled
}

/// Every second word.
const EVEN: __mmask32 = 0x5555_5555;

/// The places of every second number of two vectors, from the first and from the second on.
const EVERY_SECOND: [[i32; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        places[i % 2][i / 2] = i as i32;
        i += 1;
    }
    places
};

/// The places of the numbers of two vectors in turn, for two vectors.
const IN_TURN: [[i32; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 32 {
        places[i / 16][i % 16] = (i / 2 + i % 2 * 16) as i32;
        i += 1;
    }
    places
};

/// Returns the mixed features of the cell in the middle, in 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mixed_features(
    weights: &[__m512i; CELL_KINDS],
    bias: __m512i,
    [up, here, down]: Around<'_>,
) -> __m512i {
    let sum = |a: &MixInputs, b: &MixInputs| _mm512_add_epi16(load(&a.0), load(&b.0));
    let four = |[a, b, c, d]: [&MixInputs; 4]| _mm512_add_epi16(sum(a, b), sum(c, d));
    let own = sum(here[1], here[1]);
    let beside = four([here[0], here[2], up[1], down[1]]);
    let corners = four([up[0], up[2], down[0], down[2]]);
    let total = _mm512_adds_epi16(
        _mm512_mulhi_epi16(own, weights[0]),
        _mm512_mulhi_epi16(beside, weights[1]),
    );
    let total = _mm512_adds_epi16(total, _mm512_mulhi_epi16(corners, weights[2]));
    let shifted = _mm512_srai_epi16::<MIXED_SHIFT>(_mm512_adds_epi16(total, bias));
    let most = _mm512_set1_epi16(u8::MAX.into());
    _mm512_min_epi16(_mm512_max_epi16(shifted, _mm512_setzero_si512()), most)
}

/// Returns the features of cells with these activations.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn features(layer: &Pointwise, active: &[Active; TOGETHER]) -> [__m512i; TOGETHER] {
    const SHIFT: u32 = FEATURE_SHIFT;
    let mut sums = [two_vectors(&layer.bias); TOGETHER];
    for (group, weights) in layer.groups.0.iter().enumerate() {
        let weights = weights.as_chunks::<16>().0;
        let weights = [load(&weights[0]), load(&weights[1])];
        for (sums, active) in sums.iter_mut().zip(active) {
            let active = _mm512_set1_epi32(active[group]);
            for (sum, &weights) in sums.iter_mut().zip(&weights) {
                *sum = _mm512_dpbusd_epi32(*sum, active, weights);
            }
        }
    }
    let most = _mm512_set1_epi32(u8::MAX.into());
    sums.map(|sums| {
        let [low, high] = sums.map(|sum| {
            let shifted = _mm512_srai_epi32::<SHIFT>(sum);
            let limited = _mm512_min_epi32(_mm512_max_epi32(shifted, _mm512_setzero_si512()), most);
            _mm512_cvtepi32_epi16(limited)
        });
        _mm512_slli_epi16::<MIX_INPUT_SHIFT>(joined(low, high))
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn value_avx512(head: &Head, pooled: &Pooled) -> i32 {
    let first = hidden::<{ HIDDEN_SHIFTS[0] }>(&head.hidden[0], inputs(pooled));
    let second = hidden::<{ HIDDEN_SHIFTS[1] }>(&head.hidden[1], first);
    let products = _mm512_dpwssd_epi32(_mm512_setzero_si512(), second, load(&head.output));
    head.bias + _mm512_reduce_add_epi32(products)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn feature_weights_avx512(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    const SHIFTS: [u32; 2] = POLICY_SHIFTS;
    let hidden = hidden::<{ SHIFTS[0] }>(&head.hidden, inputs(pooled));
    let most = _mm512_set1_epi32(MAX_FEATURE_WEIGHT.into());
    let least = _mm512_set1_epi32((-MAX_FEATURE_WEIGHT).into());
    let mut weights = FeatureWeights([[0; FEATURES]; CELL_KINDS]);
    for (layer, weights) in head.outputs.iter().zip(&mut weights.0) {
        let bytes = layer_sums(layer, hidden).map(|sums| {
            let shifted = _mm512_srai_epi32::<{ SHIFTS[1] }>(sums);
            _mm512_cvtepi32_epi8(_mm512_max_epi32(_mm512_min_epi32(shifted, most), least))
        });
        store_half(weights, _mm256_set_m128i(bytes[1], bytes[0]));
    }
    weights
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn policy_parts_avx512(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    let weights = weights.0.each_ref().map(|weights| load_half(weights));
    for cell in cells.iter().map(|&cell| usize::from(cell)) {
        let features = load_half(&features[cell]);
        parts[cell] = avx2::parts_of(
            weights.map(|weights| _mm256_dpbusd_epi32(_mm256_setzero_si256(), features, weights)),
        );
    }
}

/// Returns the inputs of a head.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn inputs(pooled: &Pooled) -> __m512i {
    let [low, high] = two_vectors(&pooled.0);
    saturated([_mm512_srai_epi32::<POOLED_SHIFT>(low), _mm512_srai_epi32::<POOLED_SHIFT>(high)])
}

/// Returns 32 sums as numbers from 0 to the largest `i16`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn saturated([low, high]: [__m512i; 2]) -> __m512i {
    let words = joined(_mm512_cvtsepi32_epi16(low), _mm512_cvtsepi32_epi16(high));
    _mm512_max_epi16(words, _mm512_setzero_si512())
}

/// Returns the outputs of a hidden layer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn hidden<const SHIFT: u32>(layer: &Dense, inputs: __m512i) -> __m512i {
    let [low, high] = layer_sums(layer, inputs);
    saturated([_mm512_srai_epi32::<SHIFT>(low), _mm512_srai_epi32::<SHIFT>(high)])
}

/// Returns the sums of a layer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn layer_sums(layer: &Dense, inputs: __m512i) -> [__m512i; 2] {
    let mut pairs = [0_i32; HIDDEN / 2];
    store(&mut pairs, inputs);
    // Four sums for each vector of outputs, so that none waits for all products.
    let mut sums = [[_mm512_setzero_si512(); 2]; 4];
    sums[0] = two_vectors(&layer.bias);
    for (i, (&both, weights)) in pairs.iter().zip(&layer.pairs).enumerate() {
        let both = _mm512_set1_epi32(both);
        let weights = weights.as_chunks::<16>().0;
        for (sum, weights) in sums[i % 4].iter_mut().zip(weights) {
            *sum = _mm512_dpwssd_epi32(*sum, both, load(weights));
        }
    }
    [0, 1].map(|vector| {
        let [a, b, c, d] = sums.map(|sums| sums[vector]);
        _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d))
    })
}

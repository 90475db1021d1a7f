//! The kernels for vectors of 128 bits, over the operations that [`vector`] has on each architecture.
//!
//! [`dot_i16`](vector::dot_i16) multiplies two activations of a cell, broadcast to all lanes, with the weights of four
//! features and adds both products in 32 bits.

use super::kernels::{Around, MixUpdate, NetworkKernels, Update};
use super::layers::{
    CELL_KINDS, CHANNELS, CellFeatures, CellLayers, Dense, FEATURE_SHIFT, FEATURES, FeatureWeights,
    HIDDEN, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT, MIX_INPUT_SHIFT, MIXED_SHIFT,
    MixInputs, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead, PolicyParts, Pooled,
};
#[cfg(target_arch = "wasm32")]
use super::simd128 as vector;
#[cfg(target_arch = "x86_64")]
use super::sse2 as vector;
use vector::{
    Vector, add_i16, add_i32, add_saturating_i16, dot_i16, extend_i8, extend_u8, high_products_i16,
    load, max_i16, min_i16, narrow_i16, narrow_i16_to_u8, narrow_i32, products_i16, shift_left_i16,
    shift_right_i16, shift_right_i32, splat_i16, splat_i32, store, sub_i16,
};

/// The kernels.
pub(super) const KERNELS: NetworkKernels = NetworkKernels {
    name: vector::NAME,
    update,
    mix,
    value,
    feature_weights,
    policy_parts,
    ..NetworkKernels::SCALAR
};

/// The 32 sums of a layer, four to a vector.
type Sums = [Vector; FEATURES / 4];
/// The 32 inputs of a layer, eight to a vector.
type Inputs = [Vector; HIDDEN / 8];

/// Returns all vectors of an array of numbers that fill them.
#[inline]
fn vectors<T: Copy, const N: usize, const V: usize>(array: &[T]) -> [Vector; V] {
    let parts = array.as_chunks::<N>().0;
    std::array::from_fn(|i| load(&parts[i]))
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
                [minus, plus].map(|row| extend_i8(load(&row.as_chunks::<16>().0[part])));
            for half in [0, 1] {
                let at = 2 * part + half;
                let change = sub_i16(plus[half], minus[half]);
                let sum = add_i16(load::<i16, 8>(&before.sums.as_chunks().0[at]), change);
                store::<i16, 8>(&mut cell.sums.as_chunks_mut().0[at], sum);
                let limited = min_i16(sum, splat_i16(MAX_ACTIVATION));
                let limited = max_i16(limited, splat_i16(0));
                store::<i32, 4>(&mut active.as_chunks_mut().0[at], limited);
            }
        }
        cell.features = features(pointwise, &active);
    }
}

fn mix(input: &MixUpdate<'_>, mixed: &mut [CellFeatures], former: &mut [CellFeatures]) -> Pooled {
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
            let (difference, sum) = (sub_i16(new, old), add_i16(new, old));
            let [low, high] = products_i16(difference, sum);
            squares[0] = add_i32(squares[0], low);
            squares[1] = add_i32(squares[1], high);
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
fn words(features: &CellFeatures) -> Inputs {
    let [low, high] = vectors::<u8, 16, 2>(features);
    in_one([extend_u8(low), extend_u8(high)])
}

/// Returns the mixed features of the cell in the middle.
#[inline]
fn mixed_features(
    weights: &[Inputs; CELL_KINDS],
    bias: &Inputs,
    [up, here, down]: Around<'_>,
) -> CellFeatures {
    let inputs = |cell: &MixInputs| -> Inputs { vectors::<i16, 8, _>(&cell.0) };
    let sum = |cells: [&MixInputs; 4]| -> Inputs {
        let [a, b, c, d] = cells.map(inputs);
        std::array::from_fn(|i| add_i16(add_i16(a[i], b[i]), add_i16(c[i], d[i])))
    };
    let parts = [
        inputs(here[1]).map(|own| add_i16(own, own)),
        sum([here[0], here[2], up[1], down[1]]),
        sum([up[0], up[2], down[0], down[2]]),
    ];
    let mixed: Inputs = std::array::from_fn(|i| {
        let product = |kind: usize| high_products_i16(parts[kind][i], weights[kind][i]);
        let sum = add_saturating_i16(add_saturating_i16(product(0), product(1)), product(2));
        shift_right_i16(add_saturating_i16(sum, bias[i]), MIXED_SHIFT)
    });
    let mut features = [0; FEATURES];
    for (part, words) in features.as_chunks_mut::<16>().0.iter_mut().zip(mixed.as_chunks::<2>().0) {
        store(part, narrow_i16_to_u8(words[0], words[1]));
    }
    features
}

/// Returns the features of a cell with these activations, two to a number.
#[inline]
fn features(layer: &Pointwise, active: &[i32; CHANNELS / 2]) -> MixInputs {
    let sums = products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs.0, active);
    let words: Inputs = packed(sums.map(|sum| shift_right_i32(sum, FEATURE_SHIFT)));
    let mut features = MixInputs::ZERO;
    for (features, words) in features.0.as_chunks_mut::<8>().0.iter_mut().zip(not_negative(words)) {
        let limited = min_i16(words, splat_i16(u8::MAX.into()));
        store(features, shift_left_i16(limited, MIX_INPUT_SHIFT));
    }
    features
}

/// Adds to sums the products of pairs of inputs with their weights.
#[inline]
fn products(mut sums: Sums, weights: &[[[i16; 2]; FEATURES]], inputs: &[i32]) -> Sums {
    for (&both, weights) in inputs.iter().zip(weights) {
        let both = splat_i32(both);
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
            *sum = add_i32(*sum, dot_i16(both, load(weights)));
        }
    }
    sums
}

/// Returns sums as numbers of 16 bits, those that need more at the limits.
#[inline]
fn packed(sums: Sums) -> Inputs {
    std::array::from_fn(|i| narrow_i32(sums[2 * i], sums[2 * i + 1]))
}

fn value(head: &Head, pooled: &Pooled) -> i32 {
    let first = hidden(&head.hidden[0], inputs(pooled), HIDDEN_SHIFTS[0]);
    let second = hidden(&head.hidden[1], first, HIDDEN_SHIFTS[1]);
    let output: Inputs = vectors::<i16, 8, _>(&head.output);
    let products = dot(second, output);
    head.bias + sum_of_lanes(products)
}

fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    let hidden = hidden(&head.hidden, inputs(pooled), POLICY_SHIFTS[0]);
    let most = splat_i16(MAX_FEATURE_WEIGHT.into());
    let least = splat_i16((-MAX_FEATURE_WEIGHT).into());
    let mut weights = FeatureWeights([[0; FEATURES]; CELL_KINDS]);
    for (layer, weights) in head.outputs.iter().zip(&mut weights.0) {
        let sums = layer_sums(layer, hidden).map(|sum| shift_right_i32(sum, POLICY_SHIFTS[1]));
        let words = packed(sums).map(|words| max_i16(min_i16(words, most), least));
        for (weights, words) in
            weights.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0)
        {
            store(weights, narrow_i16(words[0], words[1]));
        }
    }
    weights
}

fn policy_parts(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    let weights = weights.0.each_ref().map(|weights| {
        let [low, high] = vectors::<i8, 16, 2>(weights);
        in_one([extend_i8(low), extend_i8(high)])
    });
    for cell in cells.iter().map(|&cell| usize::from(cell)) {
        let features = words(&features[cell]);
        let [own, beside, corner] = weights.map(|weights| sum_of_lanes(dot(features, weights)));
        parts[cell] = [own, beside, corner, 0];
    }
}

/// Returns the four vectors of two pairs.
#[inline]
fn in_one([[a, b], [c, d]]: [[Vector; 2]; 2]) -> Inputs {
    [a, b, c, d]
}

/// Returns four sums, which together are that of all products.
#[inline]
fn dot(a: Inputs, b: Inputs) -> Vector {
    let products: Inputs = std::array::from_fn(|i| dot_i16(a[i], b[i]));
    let sums = [add_i32(products[0], products[1]), add_i32(products[2], products[3])];
    add_i32(sums[0], sums[1])
}

/// Returns the sum of the four numbers of a vector.
#[inline]
fn sum_of_lanes(vector: Vector) -> i32 {
    let mut lanes = [0; 4];
    store(&mut lanes, vector);
    lanes.iter().sum()
}

/// Returns the inputs of a head.
#[inline]
fn inputs(pooled: &Pooled) -> Inputs {
    let sums: Sums = vectors::<i32, 4, _>(&pooled.0);
    not_negative(packed(sums.map(|sum| shift_right_i32(sum, POOLED_SHIFT))))
}

/// Returns the outputs of a hidden layer.
#[inline]
fn hidden(layer: &Dense, inputs: Inputs, shift: u32) -> Inputs {
    not_negative(packed(layer_sums(layer, inputs).map(|sum| shift_right_i32(sum, shift))))
}

#[inline]
fn not_negative(words: Inputs) -> Inputs {
    words.map(|words| max_i16(words, splat_i16(0)))
}

/// Returns the sums of a layer.
#[inline]
fn layer_sums(layer: &Dense, inputs: Inputs) -> Sums {
    let mut pairs = [0; HIDDEN / 2];
    for (pairs, inputs) in pairs.as_chunks_mut::<4>().0.iter_mut().zip(inputs) {
        store(pairs, inputs);
    }
    products(vectors::<i32, 4, _>(&layer.bias), &layer.pairs, &pairs)
}

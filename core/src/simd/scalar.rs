//! The kernels in plain Rust, the reference for all other versions.

use super::kernels::{Around, MixUpdate, Update};
use super::layers::{
    CELL_KINDS, CHANNELS, CellFeatures, CellLayers, Dense, Depthwise, FEATURE_SHIFT, FEATURES,
    FeatureWeights, HIDDEN, HIDDEN_SHIFTS, Head, MAX_ACTIVATION, MAX_FEATURE_WEIGHT,
    MIX_INPUT_SHIFT, MIXED_SHIFT, MixInputs, POLICY_SHIFTS, POOLED_SHIFT, Pointwise, PolicyHead,
    PolicyParts, Pooled,
};

/// Returns the largest of some numbers, 0 if there are none.
#[inline]
#[must_use]
pub fn largest(values: &[u32]) -> u32 {
    values.iter().copied().fold(0, u32::max)
}

/// The kernel of [`NetworkKernels::update`](super::NetworkKernels::update).
pub(super) fn update(update: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    update_with(features, update, cells, first);
}

/// The update of cells with a function that makes features of sums.
#[inline]
pub(super) fn update_with(
    features: impl Fn(&Pointwise, &[i16; CHANNELS]) -> MixInputs,
    update: &Update<'_>,
    cells: &mut [CellLayers],
    first: usize,
) {
    let Update { rows, pointwise, changes } = *update;
    let (former, new) = cells.split_at_mut(first);
    let new = &mut new[..changes.len()];
    for (change, cell) in changes.iter().zip(new) {
        let before = &former[change.from];
        let minus = &rows[change.old_row].0;
        let plus = &rows[change.new_row].0;
        for (c, sum) in cell.sums.iter_mut().enumerate() {
            *sum = before.sums[c] - i16::from(minus[c]) + i16::from(plus[c]);
        }
        cell.features = features(pointwise, &cell.sums);
    }
}

/// Returns the features of a cell with these sums.
fn features(layer: &Pointwise, sums: &[i16; CHANNELS]) -> MixInputs {
    let active = sums.map(|sum| i32::from(sum.clamp(0, MAX_ACTIVATION)));
    MixInputs(std::array::from_fn(|k| {
        let products = layer.weights[k].iter().zip(active).map(|(&w, a)| i32::from(w) * a);
        let sum = layer.bias[k] + products.sum::<i32>();
        ((sum >> FEATURE_SHIFT).clamp(0, u8::MAX.into()) as i16) << MIX_INPUT_SHIFT
    }))
}

/// The kernel of [`NetworkKernels::mix`](super::NetworkKernels::mix).
pub(super) fn mix(
    update: &MixUpdate<'_>,
    mixed: &mut [CellFeatures],
    former: &mut [CellFeatures],
) -> Pooled {
    let mut pooled = *update.pooled;
    for (i, (&cell, former)) in update.cells.iter().zip(former).enumerate() {
        let new = match update.around(i) {
            Some(around) => mixed_features(update.depthwise, around),
            None => [0; FEATURES],
        };
        *former = std::mem::replace(&mut mixed[usize::from(cell)], new);
        for (sum, (new, old)) in pooled.0.iter_mut().zip(new.iter().zip(former)) {
            // The difference of squares is the product of difference and sum.
            let (new, old) = (i16::from(*new), i16::from(*old));
            *sum += i32::from(new - old) * i32::from(new + old);
        }
    }
    pooled
}

/// Returns the mixed features of the cell in the middle of three rows of three.
fn mixed_features(layer: &Depthwise, [up, here, down]: Around<'_>) -> CellFeatures {
    let product = |value: i16, weight: i16| ((i32::from(value) * i32::from(weight)) >> 16) as i16;
    let mut mixed = [0; FEATURES];
    for (k, mixed) in mixed.iter_mut().enumerate() {
        let sum_of = |cells: [&MixInputs; 4]| cells.iter().map(|c| c.0[k]).sum();
        let sums: [i16; CELL_KINDS] = [
            2 * here[1].0[k],
            sum_of([here[0], here[2], up[1], down[1]]),
            sum_of([up[0], up[2], down[0], down[2]]),
        ];
        let [own, beside, corners] =
            std::array::from_fn(|kind| product(sums[kind], layer.weights[kind][k]));
        let sum = own.saturating_add(beside).saturating_add(corners).saturating_add(layer.bias[k]);
        *mixed = (sum >> MIXED_SHIFT).clamp(0, u8::MAX.into()) as u8;
    }
    mixed
}

/// The kernel of [`NetworkKernels::value`](super::NetworkKernels::value).
pub(super) fn value(head: &Head, pooled: &Pooled) -> i32 {
    let mut inputs = inputs(pooled);
    for (layer, shift) in head.hidden.iter().zip(HIDDEN_SHIFTS) {
        inputs = hidden(layer, &inputs, shift);
    }
    let products = head.output.iter().zip(inputs).map(|(&w, x)| i32::from(w) * x);
    head.bias + products.sum::<i32>()
}

/// The kernel of [`NetworkKernels::feature_weights`](super::NetworkKernels::feature_weights).
pub(super) fn feature_weights(head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
    let hidden = hidden(&head.hidden, &inputs(pooled), POLICY_SHIFTS[0]);
    let most = i32::from(MAX_FEATURE_WEIGHT);
    let weight = |sum: i32| (sum >> POLICY_SHIFTS[1]).clamp(-most, most) as i8;
    FeatureWeights(std::array::from_fn(|kind| sums(&head.outputs[kind], &hidden).map(weight)))
}

/// The kernel of [`NetworkKernels::policy_parts`](super::NetworkKernels::policy_parts).
pub(super) fn policy_parts(
    weights: &FeatureWeights,
    features: &[CellFeatures],
    cells: &[u16],
    parts: &mut [PolicyParts],
) {
    for cell in cells.iter().map(|&cell| usize::from(cell)) {
        let [own, beside, corner] = weights.0.each_ref().map(|weights| {
            let products = weights.iter().zip(&features[cell]);
            products.map(|(&w, &f)| i32::from(w) * i32::from(f)).sum()
        });
        parts[cell] = [own, beside, corner, 0];
    }
}

/// Returns the inputs of a head.
fn inputs(pooled: &Pooled) -> [i32; FEATURES] {
    pooled.0.map(|sum| (sum >> POOLED_SHIFT).min(i16::MAX.into()))
}

/// Returns the outputs of a hidden layer.
fn hidden(layer: &Dense, inputs: &[i32; HIDDEN], shift: u32) -> [i32; HIDDEN] {
    sums(layer, inputs).map(|sum| (sum >> shift).clamp(0, i16::MAX.into()))
}

/// Returns the sums of a layer.
fn sums(layer: &Dense, inputs: &[i32; HIDDEN]) -> [i32; HIDDEN] {
    let mut sums = layer.bias;
    for (pair, outputs) in layer.pairs.iter().enumerate() {
        let [first, second] = [inputs[2 * pair], inputs[2 * pair + 1]];
        for (sum, weights) in sums.iter_mut().zip(outputs) {
            *sum += i32::from(weights[0]) * first + i32::from(weights[1]) * second;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found_wherever_it_is() {
        assert_eq!(largest(&[]), 0);
        for at in 0..9 {
            let mut values = [3; 9];
            values[at] = u32::MAX;
            assert_eq!(largest(&values), u32::MAX);
        }
    }
}

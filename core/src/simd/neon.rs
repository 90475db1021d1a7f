//! The kernels for NEON, which every 64-bit ARM processor has. The compiler makes good use of it in
//! plain loops; only the pointwise layer, the bulk of the work, needs help.

use std::arch::aarch64::*;

use super::kernels::{NetworkKernels, Update};
use super::layers::{CHANNELS, CellLayers, FEATURE_SHIFT, MIX_INPUT_SHIFT, MixInputs, Pointwise};
use super::scalar;

/// The kernels.
pub(super) const KERNELS: NetworkKernels =
    NetworkKernels { name: "neon", update, ..NetworkKernels::SCALAR };

fn update(update: &Update<'_>, cells: &mut [CellLayers], first: usize) {
    scalar::update_with(features, update, cells, first);
}

/// Returns the features of a cell with these sums.
#[inline]
fn features(layer: &Pointwise, sums: &[i16; CHANNELS]) -> MixInputs {
    let mut features = MixInputs::ZERO;
    // SAFETY: NEON is there on all processors of this architecture. The loads read 8 numbers of 16
    // sums, and the 16 of a part of the weights.
    unsafe {
        let active: [int8x16_t; CHANNELS / 16] = std::array::from_fn(|part| {
            let sums = &sums.as_chunks::<16>().0[part];
            // Narrowing limits sums to `i8`, whose maximum is the largest activation.
            let low = vqmovn_s16(vld1q_s16(sums.as_ptr()));
            let high = vqmovn_s16(vld1q_s16(sums.as_ptr().add(8)));
            vmaxq_s8(vcombine_s8(low, high), vdupq_n_s8(0))
        });
        for (k, feature) in features.0.iter_mut().enumerate() {
            let mut sums = vdupq_n_s32(0);
            for (weights, &active) in layer.weights[k].as_chunks::<16>().0.iter().zip(&active) {
                // Two products fit into 16 bits.
                let weights = vld1q_s8(weights.as_ptr());
                let low = vmull_s8(vget_low_s8(weights), vget_low_s8(active));
                sums = vpadalq_s16(sums, vmlal_high_s8(low, weights, active));
            }
            let sum = layer.bias[k] + vaddvq_s32(sums);
            *feature = ((sum >> FEATURE_SHIFT).clamp(0, u8::MAX.into()) as i16) << MIX_INPUT_SHIFT;
        }
    }
    features
}

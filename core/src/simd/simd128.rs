//! The operations of WebAssembly's vectors for [`kernels128`](super::kernels128). A program is compiled for processors
//! with vectors or without, so there is nothing to detect.

use std::arch::wasm32::*;

pub(super) use std::arch::wasm32::{
    i8x16_narrow_i16x8 as narrow_i16, i16x8_add as add_i16, i16x8_add_sat as add_saturating_i16,
    i16x8_max as max_i16, i16x8_min as min_i16, i16x8_narrow_i32x4 as narrow_i32,
    i16x8_shl as shift_left_i16, i16x8_shr as shift_right_i16, i16x8_splat as splat_i16,
    i16x8_sub as sub_i16, i32x4_add as add_i32, i32x4_dot_i16x8 as dot_i16,
    i32x4_shr as shift_right_i32, i32x4_splat as splat_i32, u8x16_narrow_i16x8 as narrow_i16_to_u8,
    v128 as Vector,
};

/// The name of the instruction set.
pub(super) const NAME: &str = "simd128";

/// Returns the 16 bytes of an array as a vector.
#[inline]
pub(super) fn load<T: Copy, const N: usize>(array: &[T; N]) -> Vector {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, and the load needs no alignment.
    unsafe { v128_load(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 16 bytes.
#[inline]
pub(super) fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: Vector) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { v128_store(array.as_mut_ptr().cast(), vector) }
}

/// Returns the products of the lower and of the upper half, in 32 bits.
#[inline]
pub(super) fn products_i16(a: Vector, b: Vector) -> [Vector; 2] {
    [i32x4_extmul_low_i16x8(a, b), i32x4_extmul_high_i16x8(a, b)]
}

/// Returns the upper 16 bits of products.
#[inline]
pub(super) fn high_products_i16(a: Vector, b: Vector) -> Vector {
    let [low, high] = products_i16(a, b);
    i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
}

/// Returns the numbers of the lower and of the upper half in 16 bits.
#[inline]
pub(super) fn extend_i8(bytes: Vector) -> [Vector; 2] {
    [i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes)]
}

/// Returns the numbers without signs of the lower and of the upper half in 16 bits.
#[inline]
pub(super) fn extend_u8(bytes: Vector) -> [Vector; 2] {
    [i16x8_extend_low_u8x16(bytes), i16x8_extend_high_u8x16(bytes)]
}

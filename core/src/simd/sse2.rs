//! The operations of SSE2, which every x86-64 processor has, for [`kernels128`](super::kernels128).

pub(super) use std::arch::x86_64::__m128i as Vector;
use std::arch::x86_64::*;

/// The name of the instruction set.
pub(super) const NAME: &str = "sse2";

/// Returns the 16 bytes of an array as a vector.
#[inline]
pub(super) fn load<T: Copy, const N: usize>(array: &[T; N]) -> Vector {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(array.as_ptr().cast()) }
}

/// Writes a vector to an array of 16 bytes.
#[inline]
pub(super) fn store<T: Copy, const N: usize>(array: &mut [T; N], vector: Vector) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: the array has 16 bytes, the store needs no alignment, and the arrays here are of
    // integers, for which all bits are valid.
    unsafe { _mm_storeu_si128(array.as_mut_ptr().cast(), vector) }
}

/// Declares functions, each with the expression that it returns.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) -> $result:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(super) fn $name($($arg: $type),*) -> $result {
            // SAFETY: every processor of this architecture has SSE2.
            unsafe { $value }
        }
    )*};
}

operations! {
    /// Returns a number in all lanes.
    splat_i16(number: i16) -> Vector = _mm_set1_epi16(number);
    /// Returns a number in all lanes.
    splat_i32(number: i32) -> Vector = _mm_set1_epi32(number);
    /// Returns sums.
    add_i16(a: Vector, b: Vector) -> Vector = _mm_add_epi16(a, b);
    /// Returns sums.
    add_i32(a: Vector, b: Vector) -> Vector = _mm_add_epi32(a, b);
    /// Returns sums, limited to 16 bits.
    add_saturating_i16(a: Vector, b: Vector) -> Vector = _mm_adds_epi16(a, b);
    /// Returns differences.
    sub_i16(a: Vector, b: Vector) -> Vector = _mm_sub_epi16(a, b);
    /// Returns the smaller numbers.
    min_i16(a: Vector, b: Vector) -> Vector = _mm_min_epi16(a, b);
    /// Returns the larger numbers.
    max_i16(a: Vector, b: Vector) -> Vector = _mm_max_epi16(a, b);
    /// Returns numbers shifted to the left.
    shift_left_i16(a: Vector, by: u32) -> Vector = _mm_sll_epi16(a, _mm_cvtsi32_si128(by as i32));
    /// Returns numbers shifted to the right, with their sign.
    shift_right_i16(a: Vector, by: u32) -> Vector = _mm_sra_epi16(a, _mm_cvtsi32_si128(by as i32));
    /// Returns numbers shifted to the right, with their sign.
    shift_right_i32(a: Vector, by: u32) -> Vector = _mm_sra_epi32(a, _mm_cvtsi32_si128(by as i32));
    /// Returns the upper 16 bits of products.
    high_products_i16(a: Vector, b: Vector) -> Vector = _mm_mulhi_epi16(a, b);
    /// Returns the products of the lower and of the upper half, in 32 bits.
    products_i16(a: Vector, b: Vector) -> [Vector; 2] = {
        let (low, high) = (_mm_mullo_epi16(a, b), _mm_mulhi_epi16(a, b));
        [_mm_unpacklo_epi16(low, high), _mm_unpackhi_epi16(low, high)]
    };
    /// Returns the sums of the products of neighbours, in 32 bits.
    dot_i16(a: Vector, b: Vector) -> Vector = _mm_madd_epi16(a, b);
    /// Returns the numbers of two vectors in 16 bits, limited.
    narrow_i32(low: Vector, high: Vector) -> Vector = _mm_packs_epi32(low, high);
    /// Returns the numbers of two vectors in 8 bits, limited.
    narrow_i16(low: Vector, high: Vector) -> Vector = _mm_packs_epi16(low, high);
    /// Returns the numbers of two vectors in 8 bits without a sign, limited.
    narrow_i16_to_u8(low: Vector, high: Vector) -> Vector = _mm_packus_epi16(low, high);
    /// Returns the numbers of the lower and of the upper half in 16 bits.
    extend_i8(a: Vector) -> [Vector; 2] = {
        // The byte above each is shifted out again, and leaves the sign.
        [_mm_unpacklo_epi8(a, a), _mm_unpackhi_epi8(a, a)].map(|words| _mm_srai_epi16::<8>(words))
    };
    /// Returns the numbers without signs of the lower and of the upper half in 16 bits.
    extend_u8(a: Vector) -> [Vector; 2] = {
        let zero = _mm_setzero_si128();
        [_mm_unpacklo_epi8(a, zero), _mm_unpackhi_epi8(a, zero)]
    };
}

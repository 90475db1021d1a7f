//! Kernels over arrays of numbers that have SIMD instructions on some processors.
//!
//! [`scalar`] defines the result of each kernel; versions for instruction sets give the
//! same bits. [`lines`] has the codes of lines and [`layers`] the data of the layers of a line network;
//! [`NetworkKernels`] has the kernels over them, chosen at run time. Apart from `sys` and the
//! transposition table, this is the only place where `unsafe` is allowed.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernels;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod kernels128;
pub mod layers;
pub mod lines;
#[cfg(target_arch = "aarch64")]
mod neon;
pub mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub use kernels::{MixUpdate, NetworkKernels, Update};
pub use scalar::largest;

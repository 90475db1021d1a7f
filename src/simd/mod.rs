//! Kernels over slices of numbers that have SIMD instructions on some processors.
//!
//! Level 0. [`scalar`] defines the result of each kernel; versions for instruction sets must give
//! the same bits. Apart from `sys` and the transposition table, this is the only place where
//! `unsafe` is allowed.

pub mod scalar;

pub use scalar::largest;

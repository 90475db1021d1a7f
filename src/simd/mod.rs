//! Kernels over slices of numbers, for which processors have instructions of their own.
//!
//! Level 0. [`scalar`] defines what each kernel computes; one for an instruction set has to give the
//! same bits. The only place besides `sys` and the transposition table where `unsafe` may stand.

pub mod scalar;

pub use scalar::largest;

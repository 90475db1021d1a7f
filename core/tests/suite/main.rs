//! The tests of the whole core, in one executable.

mod brute;
mod common;

mod flipped_bits;
mod incremental;
mod network;
mod notation;
mod patterns;
mod prover;
mod renju;
mod rules;
mod transposition;

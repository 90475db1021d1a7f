//! Files of numbers with one bit flipped: each is an error, or holds the same numbers.

use std::fs;

use crate::common::repository;
use tengen_core::eval::classical::Weights;
use tengen_core::eval::network::Parameters;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;

/// Returns the file of a rule that the program comes with.
fn shipped(folder: &str, rule: Rule, extension: &str) -> Vec<u8> {
    let name = format!("core/src/eval/{folder}/{rule}.{extension}");
    let path = repository().join(&name);
    fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Flips bits of a file, one at a time and so many in all, and returns how often that is an error.
fn flipped(mut bytes: Vec<u8>, flips: u64, is_other: impl Fn(&[u8]) -> Option<bool>) -> u64 {
    assert_eq!(is_other(&bytes), Some(false));
    let mut rng = SplitMix64::new(1);
    let mut errors = 0;
    for flip in 0..flips {
        // The beginning and the end are where lengths and checksums are.
        let at = match flip % 3 {
            0 => rng.below(64),
            1 => bytes.len() - 1 - rng.below(8),
            _ => rng.below(bytes.len()),
        };
        let bit = 1 << rng.below(8);
        bytes[at] ^= bit;
        match is_other(&bytes) {
            None => errors += 1,
            Some(is_other) => assert!(!is_other, "bit {bit:#x} of byte {at}"),
        }
        bytes[at] ^= bit;
    }
    errors
}

#[test]
fn weights_with_a_flipped_bit_are_an_error() {
    for rule in Rule::ALL {
        let bytes = shipped("classical/weights", rule, "weights");
        let whole = Weights::from_bytes(&bytes).expect("weights");
        let is_other = |bytes: &[u8]| Some(Weights::from_bytes(bytes).ok()? != whole);
        assert_eq!(flipped(bytes, 200, is_other), 200);
    }
}

#[test]
fn a_network_with_a_flipped_bit_is_an_error_or_the_same() {
    let bytes = shipped("network/shipped", Rule::Freestyle, "net");
    let whole = Parameters::from_bytes(&bytes).expect("a network");
    let is_other = |bytes: &[u8]| Some(Parameters::from_bytes(bytes).ok()? != whole);
    // Compressed data may end within a byte.
    assert!(flipped(bytes, 150, is_other) > 140);
}

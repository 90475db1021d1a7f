//! Texts that programs carry in little space.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// Returns the texts that a build script has packed: deflated, each with a zero byte after it.
///
/// # Panics
///
/// Panics if the bytes are anything else.
#[must_use]
pub fn unpacked(packed: &[u8]) -> Vec<String> {
    let mut texts = String::new();
    DeflateDecoder::new(packed).read_to_string(&mut texts).expect("a build script packed texts");
    texts.split_terminator('\0').map(str::to_owned).collect()
}

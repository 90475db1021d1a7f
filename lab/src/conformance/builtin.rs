//! The transcripts that the program carries: those of `protocol-tests`.

use super::parse::ParseError;
use super::script::Transcript;
use tengen_files::packed::unpacked;

/// The name and the text of each transcript, in the order of the names, as `build.rs` packs them.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/transcripts"));

/// Returns the transcripts that the program carries.
///
/// # Errors
///
/// Returns the first one that is not a transcript.
pub fn builtin() -> Result<Vec<Transcript>, ParseError> {
    unpacked(PACKED).chunks(2).map(|named| Transcript::parse(&named[0], &named[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_of_protocol_tests_is_carried() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-tests");
        let names = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> =
            names.map(|name| name.into_string().expect("names are ASCII")).collect();
        names.retain(|name| name.ends_with(".txt"));
        names.sort();
        let carried = builtin().expect("all transcripts parse");
        let carried: Vec<&str> =
            carried.iter().map(|transcript| transcript.name.as_str()).collect();
        assert_eq!(carried, names);
    }
}

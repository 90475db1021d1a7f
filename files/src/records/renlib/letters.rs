//! The encoding of a library, whose file does not tell it.

use std::io::Read;

use super::{LibError, LibNode, LibReader, LibStep};
use crate::records::CodePage;

impl CodePage {
    /// Returns the likely encoding of a library: UTF-8 if all texts are that, and that of Western
    /// Europe otherwise. A single text would tell little, since two letters of another encoding are
    /// often one of UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first place at which the source is not a library.
    pub fn of_library(source: impl Read) -> Result<CodePage, LibError> {
        for step in LibReader::new(source)? {
            if let LibStep::Enter(node) = step?
                && !is_utf_8(&node)
            {
                return Ok(CodePage::WESTERN);
            }
        }
        Ok(CodePage::UTF_8)
    }
}

/// Returns whether the texts of a node can be UTF-8.
pub(super) fn is_utf_8(node: &LibNode<'_>) -> bool {
    node.raw_texts().into_iter().all(|text| std::str::from_utf8(text).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_texts_of_a_library_are_of_one_encoding() {
        let guess = |nodes: &[u8]| CodePage::of_library(nodes).unwrap();
        assert_eq!(guess(b"\x78\x08\xc9\xbd\0\0"), CodePage::UTF_8);
        assert_eq!(guess(b"\x78\x08\xc9\xbd\0\0\x79\x48\xd7\xf7\0\0"), CodePage::WESTERN);
        assert_eq!(guess(b"\x78\x08a\0\x79\x01\0\x01\xff\0"), CodePage::WESTERN);
        // Neither fillers nor the letters of old comments tell anything.
        assert_eq!(guess(b"\x78\x08ab\0\xff\x79\x60a\xe2"), CodePage::UTF_8);
    }
}

//! The letters of texts.

use std::fmt;
use std::io::Read;
use std::str::FromStr;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use thiserror::Error;

use super::{LibError, LibNode, LibReader, LibStep};

/// An encoding of texts, in which the letters of ASCII mean themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePage(&'static Encoding);

impl CodePage {
    /// UTF-8.
    pub const UTF_8: CodePage = CodePage(UTF_8);

    /// The encoding of Western Europe, in which every byte is a letter: Windows 1252.
    pub const WESTERN: CodePage = CodePage(WINDOWS_1252);

    /// Returns the likely encoding of a library, whose file does not tell it: UTF-8 if all texts
    /// are that, and that of Western Europe otherwise. A single text would tell little, since two
    /// letters of another encoding are often one of UTF-8.
    ///
    /// # Errors
    ///
    /// Returns the first place at which the source is no library.
    pub fn of_library(source: impl Read) -> Result<CodePage, LibError> {
        for step in LibReader::new(source)? {
            if let LibStep::Enter(node) = step?
                && !CodePage::is_utf_8(&node)
            {
                return Ok(CodePage::WESTERN);
            }
        }
        Ok(CodePage::UTF_8)
    }

    /// Returns whether the texts of a node can be UTF-8.
    pub(super) fn is_utf_8(node: &LibNode<'_>) -> bool {
        node.raw_texts().into_iter().all(|text| std::str::from_utf8(text).is_ok())
    }

    /// Returns a text with LF at the end of lines. Bytes without a meaning become marks.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> String {
        lines(&self.0.decode_without_bom_handling(bytes).0)
    }

    /// Returns the bytes of a text with CR LF at the end of lines and blanks for NUL; `None` if the
    /// encoding lacks letters of it.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let text = lines(text).replace('\0', " ");
        let windows = text.replace('\n', "\r\n");
        let (bytes, _, lacks_letters) = self.0.encode(&windows);
        // Some letters become others that look like them.
        (!lacks_letters && self.decode(&bytes) == text).then(|| bytes.into_owned())
    }
}

/// Returns a text with LF at the end of lines.
pub(super) fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

impl fmt::Display for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.name().to_ascii_lowercase())
    }
}

/// A text that names no encoding of letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "an encoding is meant, such as utf-8, windows-1251, windows-1252, gbk, big5, shift_jis or \
     euc-kr"
)]
pub struct CodePageError;

impl FromStr for CodePage {
    type Err = CodePageError;

    /// Reads a name as web pages give it. Those that have other meanings for the letters of ASCII
    /// are refused.
    fn from_str(name: &str) -> Result<CodePage, CodePageError> {
        let found = Encoding::for_label_no_replacement(name.as_bytes());
        found.filter(|page| page.is_ascii_compatible()).map(CodePage).ok_or(CodePageError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> CodePage {
        name.parse().unwrap()
    }

    #[test]
    fn letters_are_those_of_the_code_page() {
        for (name, text, bytes) in [
            ("gbk", "作者", &b"\xd7\xf7\xd5\xdf"[..]),
            ("shift_jis", "黒", b"\x8d\x95"),
            ("cp1251", "ход", b"\xf5\xee\xe4"),
            ("latin1", "å\n", b"\xe5\r\n"),
            ("utf-8", "黒", "黒".as_bytes()),
        ] {
            assert_eq!(page(name).decode(bytes), text);
            assert_eq!(page(name).encode(text).as_deref(), Some(bytes));
        }
        assert_eq!(CodePage::WESTERN.encode("黒"), None);
        // It would come back as a backslash.
        assert_eq!(page("shift_jis").encode("¥"), None);
        assert_eq!(CodePage::UTF_8.decode(b"\xff"), "\u{fffd}");
    }

    #[test]
    fn names_are_those_of_web_pages() {
        assert_eq!(page("latin1"), CodePage::WESTERN);
        assert_eq!(page("GB2312").to_string(), "gbk");
        for name in ["", "utf-16", "iso-2022-jp", "replacement", "klingon"] {
            assert_eq!(name.parse::<CodePage>(), Err(CodePageError), "{name}");
        }
    }

    #[test]
    fn every_byte_is_a_letter_of_western_europe() {
        for byte in (1..=255_u8).filter(|byte| !b"\r\n".contains(byte)) {
            let text = CodePage::WESTERN.decode(&[byte, b'a']);
            assert_eq!(CodePage::WESTERN.encode(&text), Some(vec![byte, b'a']), "{byte}");
        }
    }

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

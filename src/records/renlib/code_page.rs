//! The letters of texts.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{Encoding, WINDOWS_1252};
use thiserror::Error;

/// An encoding of texts that are not UTF-8; without another one that of Western Europe, Windows 1252,
/// in which every byte is a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePage(&'static Encoding);

impl Default for CodePage {
    fn default() -> CodePage {
        CodePage(WINDOWS_1252)
    }
}

impl CodePage {
    /// Returns a text in this encoding, or in UTF-8 if it is that, with LF at the end of lines. Bytes
    /// without a meaning become marks.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => self.0.decode_without_bom_handling(bytes).0,
        };
        lines(&text)
    }

    /// Returns the bytes of a text in this encoding, or in UTF-8 if they could not be read again, with
    /// CR LF at the end of lines and blanks for NUL.
    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        let text = lines(text).replace('\0', " ");
        let windows = text.replace('\n', "\r\n");
        let (bytes, _, has_strange) = self.0.encode(&windows);
        if has_strange || self.decode(&bytes) != text {
            return windows.into_bytes();
        }
        bytes.into_owned()
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
    "an encoding is meant, such as utf-8, windows-1251, windows-1252, gbk, big5, shift_jis or euc-kr"
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

    #[test]
    fn texts_are_utf_8_or_of_the_code_page() {
        let page = |name: &str| name.parse::<CodePage>().unwrap();
        assert_eq!(page("gbk").decode(b"\xd7\xf7\xd5\xdf"), "作者");
        assert_eq!(page("gbk").encode("作者"), b"\xd7\xf7\xd5\xdf");
        assert_eq!(page("shift_jis").decode(b"\x8d\x95"), "黒");
        assert_eq!(page("cp1251").decode(b"\xf5\xee\xe4"), "ход");
        assert_eq!(page("gbk").decode("作者".as_bytes()), "作者");
        assert_eq!(CodePage::default().encode("å"), b"\xe5");
        assert_eq!(CodePage::default().encode("作者\n"), "作者\r\n".as_bytes());
        // The bytes of these letters would be taken for UTF-8.
        assert_eq!(CodePage::default().encode("Ã¥"), "Ã¥".as_bytes());
        assert_eq!(CodePage::default().to_string(), "windows-1252");
        for name in ["", "utf-16", "iso-2022-jp", "replacement", "klingon"] {
            assert_eq!(name.parse::<CodePage>(), Err(CodePageError), "{name}");
        }
    }

    #[test]
    fn every_byte_is_a_letter_without_another_code_page() {
        let page = CodePage::default();
        for byte in (1..=255_u8).filter(|byte| !b"\r\n".contains(byte)) {
            let text = page.decode(&[byte, b'a']);
            assert_eq!(page.encode(&text), [byte, b'a'].as_slice(), "{byte}");
        }
    }
}

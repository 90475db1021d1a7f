//! The letters of texts.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, DecoderResult, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use thiserror::Error;

/// What some programs write before a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An encoding of texts, in which the letters of ASCII mean themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePage(&'static Encoding);

impl CodePage {
    /// UTF-8.
    pub const UTF_8: CodePage = CodePage(UTF_8);

    /// The encoding of Western Europe, in which every byte is a letter: Windows 1252.
    pub const WESTERN: CodePage = CodePage(WINDOWS_1252);

    /// Returns the likely encoding of bytes, which need not be whole: UTF-8 if they can be that, and
    /// otherwise what the frequencies of letters speak for.
    #[must_use]
    pub fn likely(bytes: &[u8]) -> CodePage {
        let cut_off = |error: std::str::Utf8Error| error.error_len().is_none();
        if std::str::from_utf8(bytes).map_or_else(cut_off, |_| true) {
            return CodePage::UTF_8;
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, false);
        CodePage(detector.guess(None, Utf8Detection::Deny))
    }

    /// Returns what decodes and encodes it.
    pub(super) const fn encoding(self) -> &'static Encoding {
        self.0
    }

    /// Returns a text with LF at the end of lines, or else the place of the first bytes without a meaning.
    ///
    /// # Errors
    ///
    /// Returns that place.
    pub fn try_decode(self, bytes: &[u8]) -> Result<String, usize> {
        self.decode_all(bytes).map(|text| lines(&text))
    }

    /// Returns the text of bytes, or else the place of the first ones that mean nothing.
    pub(super) fn decode_all(self, bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
        if self == CodePage::UTF_8 || bytes.is_ascii() {
            let text = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())?;
            return Ok(Cow::Borrowed(text));
        }
        // Room for the most that so many bytes can become would be three times their number.
        let mut length = 0;
        self.decode_pieces(bytes, |piece| length += piece.len())?;
        let mut text = String::with_capacity(length);
        self.decode_pieces(bytes, |piece| text.push_str(piece))?;
        Ok(Cow::Owned(text))
    }

    /// Takes the text of bytes piece by piece, and returns the place of the first ones that mean nothing.
    fn decode_pieces(self, bytes: &[u8], mut take: impl FnMut(&str)) -> Result<(), usize> {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (mut piece, mut read) = ([0; 1024], 0);
        loop {
            let (result, taken, written) =
                decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut piece, true);
            take(std::str::from_utf8(&piece[..written]).unwrap_or_default());
            read += taken;
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    return Err(read.saturating_sub(usize::from(length) + usize::from(after)));
                }
            }
        }
    }

    /// Returns whether two bytes are one letter, in an encoding in which the second one may be of ASCII.
    pub(super) fn is_letter(self, lead: u8, byte: u8) -> bool {
        let is_second = matches!(byte, 0x40..=0x7e | 0x80..=0xfe);
        match self.0 {
            page if page == SHIFT_JIS => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc) && is_second,
            _ => self.has_halves() && matches!(lead, 0x81..=0xfe) && is_second,
        }
    }

    /// Returns whether bytes of ASCII may be the second halves of letters.
    pub(super) fn has_halves(self) -> bool {
        [SHIFT_JIS, GBK, GB18030, BIG5].contains(&self.0)
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
}

//! The remarks of a library on a node.

use super::CodePage;
use super::node::{LAST_LETTER, LINE_END};
use crate::records::code_page::lines;

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LibRemark {
    /// The part that RenLib shows on one line; often the only one.
    pub line: String,
    /// The part with room for more lines, which end with LF.
    pub text: String,
}

/// The letters of Swedish for which seven bits have no room, and what stands for them.
const SWEDISH: [(u8, char); 6] =
    [(b'}', 'å'), (b'{', 'ä'), (b'|', 'ö'), (b']', 'Å'), (b'[', 'Ä'), (b'\\', 'Ö')];

impl LibRemark {
    /// Returns whether nothing is said.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.line.is_empty() && self.text.is_empty()
    }

    /// Reads a comment without the NUL that ends it.
    pub(super) fn of_new(bytes: &[u8], page: CodePage) -> LibRemark {
        let mut parts = bytes.splitn(2, |&byte| byte == LINE_END);
        let mut part = || page.decode(parts.next().unwrap_or_default());
        LibRemark { line: part(), text: part() }
    }

    /// Reads a comment whose last letter has the eighth bit.
    pub(super) fn of_old(bytes: &[u8]) -> LibRemark {
        let last = bytes.iter().position(|letter| letter & LAST_LETTER != 0);
        let letters = &bytes[..last.map_or(bytes.len(), |last| last + 1)];
        let letter = |&byte: &u8| {
            let byte = byte & !LAST_LETTER;
            let swedish = SWEDISH.into_iter().find(|&(stand_in, _)| stand_in == byte);
            swedish.map_or(char::from(byte), |(_, letter)| letter)
        };
        let mut parts = letters.splitn(2, |&byte| byte & !LAST_LETTER == LINE_END);
        let mut part = || {
            let text: String = parts.next().unwrap_or_default().iter().map(letter).collect();
            lines(&text)
        };
        LibRemark { line: part(), text: part() }
    }

    /// Returns the bytes of the comment without a NUL; `None` if the encoding lacks letters of it.
    pub(super) fn to_bytes(&self, page: CodePage) -> Option<Vec<u8>> {
        let mut bytes = page.encode(&self.line.replace(char::from(LINE_END), " "))?;
        if !self.text.is_empty() {
            bytes.push(LINE_END);
            bytes.extend(page.encode(&self.text)?);
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_comments_end_with_the_eighth_bit_and_speak_swedish() {
        let remark = LibRemark::of_old(b"b{sta [r\x08n\x7d\xf2x");
        assert_eq!((remark.line.as_str(), remark.text.as_str()), ("bästa Är", "når"));
    }

    #[test]
    fn a_comment_is_a_line_and_more_lines() {
        let page = CodePage::WESTERN;
        for (line, text, bytes) in [
            ("a", "", &b"a"[..]),
            ("", "a\nb", b"\x08a\r\nb"),
            ("a", "b\u{8}c", b"a\x08b\x08c"),
            ("", "", b""),
        ] {
            let remark = LibRemark { line: line.to_owned(), text: text.to_owned() };
            assert_eq!(remark.to_bytes(page).as_deref(), Some(bytes));
            assert_eq!(LibRemark::of_new(bytes, page), remark);
        }
    }
}

//! From the bytes of a file to letters.

use std::borrow::Cow;
use std::iter;

use super::source::TextStart;
use super::warning::Warnings;
use super::{CodePage, RecordError, brief};

/// The most bytes that a guess is made of.
const MOST_EVIDENCE: usize = 16 << 10;

/// A decoder of the texts of one file, such as its games.
///
/// The encoding follows, in this order, from: a mark at the beginning of the file, UTF-8 if a text declares that and
/// is that, the encoding that was asked for, the encoding that a text declares, UTF-8 if the bytes are that, and the likely encoding of all texts
/// so far that are not. No byte becomes a mark of replacement.
#[derive(Debug)]
pub(super) struct TextDecoder {
    asked: Option<CodePage>,
    /// True if the file began with a mark of UTF-8, or of UTF-16 and has become UTF-8.
    is_marked: bool,
    /// The encoding that was guessed last.
    guessed: Option<CodePage>,
    /// Bytes of texts that are not UTF-8 and declare nothing.
    evidence: Vec<u8>,
}

impl TextDecoder {
    /// Returns a decoder for a file in the encoding that was asked for, if one was. `is_marked` says
    /// whether it began with a mark, and is UTF-8 by now.
    pub(super) const fn new(asked: Option<CodePage>, is_marked: bool) -> TextDecoder {
        TextDecoder { asked, is_marked, guessed: None, evidence: Vec::new() }
    }

    /// Returns the encoding of a text that declares one by this name, or none.
    fn page(&self, bytes: &[u8], declared: Option<&str>) -> Option<CodePage> {
        let declared = declared.and_then(|name| name.trim().parse().ok());
        let is_as_declared =
            || declared == Some(CodePage::UTF_8) && CodePage::UTF_8.decode_all(bytes).is_ok();
        if self.is_marked || self.asked.is_some() && is_as_declared() {
            return Some(CodePage::UTF_8);
        }
        self.asked.or(declared)
    }

    /// Returns the encoding that a text may be read in, if a bracket may be half of a letter in it.
    pub(super) fn page_with_halves(
        &self,
        bytes: &[u8],
        declared: Option<&str>,
    ) -> Option<CodePage> {
        // UTF-8 has no such letters, whatever is declared.
        let is_utf_8 = CodePage::UTF_8.decode_all(bytes).is_ok();
        let likely = || self.guessed.unwrap_or_else(|| CodePage::likely(bytes));
        let page = self.page(bytes, declared).or_else(|| (!is_utf_8).then(likely));
        page.filter(|&page| page.has_halves() && (Some(page) == self.asked || !is_utf_8))
    }

    /// Returns whether a text will be read in an encoding that it declares or is likely to have.
    pub(super) fn is_read_in(&self, page: CodePage, bytes: &[u8]) -> bool {
        Some(page) == self.asked || as_declared(page, bytes).is_ok()
    }

    /// Returns a text, which begins at `start` and declares an encoding by this name, or none.
    ///
    /// # Errors
    ///
    /// Returns the first place at which it is not of the encoding that was asked for.
    pub(super) fn decode<'a>(
        &mut self,
        bytes: &'a [u8],
        declared: Option<&str>,
        start: TextStart,
        warnings: &mut Warnings,
    ) -> Result<Cow<'a, str>, RecordError> {
        let page = self.page(bytes, declared);
        if let Some(page) = page.filter(|_| page == self.asked) {
            return page.decode_all(bytes).map_err(|at| RecordError {
                file: None,
                place: start.place_in_bytes(bytes, at),
                expected: format!("text in {page}: these bytes are not a letter"),
            });
        }
        if let Some(page) = page {
            match as_declared(page, bytes) {
                Ok(text) => return Ok(text),
                Err(at) => {
                    let text = self.likely(bytes);
                    let read_as = self.guessed.unwrap_or(CodePage::WESTERN);
                    let place = start.place_in_bytes(bytes, at);
                    warnings.add(place, format!("this is not {page}: read as {read_as}"));
                    return Ok(text);
                }
            }
        }
        if let Some(name) = declared.filter(|_| !bytes.is_ascii()) {
            let name = brief(name);
            warnings.add(start.place(), format!("the encoding `{name}` is not known"));
        }
        let Err(at) = CodePage::UTF_8.decode_all(bytes).map(drop) else {
            return CodePage::UTF_8.decode_all(bytes).or_else(|_| Ok(self.likely(bytes)));
        };
        let before = self.guessed;
        let text = self.likely(bytes);
        if let Some(page) = self.guessed.filter(|_| self.guessed != before) {
            let place = start.place_in_bytes(bytes, at);
            let text = format!(
                "no encoding is named, and this is not utf-8: read as {page} (--encoding names another)"
            );
            warnings.add(place, text);
        }
        Ok(text)
    }

    /// Decodes bytes that are not of the encoding that was declared, if any.
    fn likely<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        let room = MOST_EVIDENCE.saturating_sub(self.evidence.len());
        if room > 0 {
            // Letters of ASCII tell little.
            let from = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
            self.evidence.extend(bytes[from..].iter().take(room));
            self.guessed = Some(CodePage::likely(&self.evidence));
        }
        // Every byte is a letter of the last one.
        let guesses = self.guessed.into_iter().chain(iter::once_with(|| CodePage::likely(bytes)));
        let decoded = guesses.chain([CodePage::WESTERN]).find_map(|page| {
            let text = page.decode_all(bytes).ok()?;
            Some((page, text))
        });
        let (page, text) = decoded.unwrap_or((CodePage::WESTERN, Cow::Borrowed("")));
        self.guessed = Some(page);
        text
    }
}

/// Returns the text of bytes in the encoding that they declare, or the place of the first ones that are not of it.
fn as_declared(page: CodePage, bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    let text = page.decode_all(bytes)?;
    // A text with letters that end with a bracket can hardly be UTF-8, which has none.
    let brackets = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b']').count();
    let takes_brackets = brackets(bytes) != brackets(text.as_bytes());
    match bytes.iter().position(|byte| !byte.is_ascii()) {
        Some(at) if takes_brackets && CodePage::UTF_8.decode_all(bytes).is_ok() => Err(at),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text and the warnings about it.
    fn decode(
        decoder: &mut TextDecoder,
        bytes: &[u8],
        declared: Option<&str>,
    ) -> (String, Vec<String>) {
        let mut warnings = Warnings::default();
        let text = decoder.decode(bytes, declared, TextStart::FILE, &mut warnings).unwrap();
        let warnings = warnings.take().iter().map(ToString::to_string).collect();
        (text.into_owned(), warnings)
    }

    fn once(bytes: &[u8], declared: Option<&str>) -> (String, Vec<String>) {
        decode(&mut TextDecoder::new(None, false), bytes, declared)
    }

    #[test]
    fn a_declared_encoding_is_obeyed() {
        for (name, bytes, text) in [
            ("GB2312", &b"\xba\xda\xb7\xbd"[..], "黑方"),
            ("gb18030", b"\x81\x30\x81\x30", "\u{80}"),
            ("Shift_JIS", b"\x95\x5c]", "表]"),
            ("Big5", b"\xb3\x5c", "許"),
            ("EUC-KR", b"\xc7\xd1", "한"),
            ("windows-1251", b"\xd7\xb8\xf0\xed\xfb\xe5", "Чёрные"),
            ("ISO-8859-1", b"\xe9", "é"),
            ("UTF-8", "黑".as_bytes(), "黑"),
        ] {
            assert_eq!(once(bytes, Some(name)), (text.to_owned(), vec![]), "{name}");
        }
    }

    #[test]
    fn what_declares_nothing_is_utf_8_or_guessed_and_told_once() {
        assert_eq!(once("Tõnu".as_bytes(), None), ("Tõnu".to_owned(), vec![]));
        let mut decoder = TextDecoder::new(None, false);
        let (text, warnings) = decode(&mut decoder, b"PB[\nT\xf5nu S\xf5\xf5r]", None);
        assert_eq!(text, "PB[\nTõnu Sõõr]");
        assert_eq!(
            warnings,
            ["2:2: warning: no encoding is named, and this is not utf-8: read as windows-1252 \
              (--encoding names another)"]
        );
        assert_eq!(decode(&mut decoder, b"J\xf3zef", None), ("Józef".to_owned(), vec![]));
        // Half of a letter is none; places stay what they are.
        let (text, warnings) = once(b"\r\xec", None);
        assert_eq!(text, "\r\u{ec}");
        assert!(warnings[0].starts_with("1:2: warning: ") && warnings[0].contains("windows-1252"));
        let chinese = "黑方胜，白方认输。这是一个很长的注释".to_owned();
        let gbk: CodePage = "gbk".parse().unwrap();
        let (text, warnings) = once(&gbk.encode(&chinese).unwrap(), None);
        assert_eq!((text, warnings.len()), (chinese, 1));
    }

    #[test]
    fn what_is_not_as_declared_is_told() {
        let (text, warnings) = once(b"a \xe9t\xe9", Some("UTF-8"));
        assert_eq!(text, "a été");
        assert_eq!(warnings, ["1:3: warning: this is not utf-8: read as windows-1252"]);
        let (text, warnings) = once("é".as_bytes(), Some("klingon"));
        assert_eq!(text, "é");
        assert_eq!(warnings, ["1:1: warning: the encoding `klingon` is not known"]);
        assert_eq!(once(b"a", Some("klingon")), ("a".to_owned(), vec![]));
    }

    #[test]
    fn an_encoding_that_was_asked_for_is_the_only_one() {
        let mut decoder = TextDecoder::new("gbk".parse().ok(), false);
        assert_eq!(decode(&mut decoder, b"\xba\xda", Some("UTF-8")).0, "黑");
        assert_eq!(decode(&mut decoder, "黑".as_bytes(), Some("UTF-8")).0, "黑");
        let mut warnings = Warnings::default();
        let error = decoder.decode(b"ok\nx\xff", None, TextStart::FILE, &mut warnings).unwrap_err();
        assert_eq!(error.to_string(), "2:2: expected text in gbk: these bytes are not a letter");
    }

    #[test]
    fn no_bytes_become_marks_of_replacement() {
        for first in 0x80..=0xff_u8 {
            for second in [b'a', b']', 0x80, 0xff] {
                for name in
                    [None, Some("UTF-8"), Some("gbk"), Some("shift_jis"), Some("windows-1253")]
                {
                    let (text, _) = once(&[b'x', first, second], name);
                    assert!(!text.contains('\u{fffd}'), "{first:x} {second:x} {name:?}: {text}");
                }
            }
        }
    }
}

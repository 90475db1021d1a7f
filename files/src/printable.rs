//! Texts of others as a terminal may get them.
//!
//! Names, comments, messages and paths come from files, engines and people on a network, and may hold
//! whatever a terminal obeys: escape sequences, characters that turn the direction of what follows, or
//! such that cannot be seen. What prints a text of somebody else prints it through this module; what
//! writes files for programs does not.

use std::borrow::Cow;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

/// The marks that may be piled on one letter; no living script needs more.
const MOST_MARKS: usize = 4;

/// Characters that are not shown, or change how others are shown: the controls, what Unicode calls default ignorable,
/// its controls of lines, direction and format, and what everybody may use as they like. In order.
const HIDDEN: [(char, char); 28] = [
    ('\0', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{e000}', '\u{f8ff}'),
    ('\u{fdd0}', '\u{fdef}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{fffe}', '\u{ffff}'),
    ('\u{13430}', '\u{1345f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{1fffe}', '\u{1ffff}'),
    ('\u{2fffe}', '\u{2ffff}'),
    ('\u{3fffe}', '\u{3ffff}'),
    // No plane between has characters yet.
    ('\u{40000}', '\u{dffff}'),
    ('\u{e0000}', '\u{effff}'),
    ('\u{f0000}', '\u{10ffff}'),
];

/// Returns whether a character is not shown by itself, or changes how others are shown.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let after = HIDDEN.partition_point(|&(first, _)| first <= c);
    after.checked_sub(1).is_some_and(|i| c <= HIDDEN[i].1)
}

/// Returns whether a character chooses the form of the one before.
const fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns whether a character is put on the one before, or joins it. The standard library escapes those
/// but for the vowels and final consonants of Hangul, and what it does not know.
fn is_mark(c: char) -> bool {
    let is_of_syllable = matches!(c, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7fb}');
    is_of_syllable || !c.is_ascii() && !c.is_whitespace() && c.escape_debug().len() > 1
}

/// Returns a text as one line that leaves the terminal alone and shows all that it has: what is hidden is
/// replaced by U+FFFD, and a tab by a blank. A selector stays behind the character that it belongs to, and
/// of marks four on each letter.
///
/// ```
/// use tengen_files::printable::printable;
///
/// assert_eq!(printable("Ann\tBob"), "Ann Bob");
/// assert_eq!(printable("red \u{1b}[31m"), "red \u{fffd}[31m");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    cleaned(text, |_| false)
}

/// As [`printable`], but lines still end where they end.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    cleaned(text, |c| c == '\n')
}

fn cleaned(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Most texts are like that.
    if text.chars().all(|c| matches!(c, ' '..='~') || is_kept(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    // Combining characters on the last letter, if there is one.
    let mut marks = None;
    for c in text.chars() {
        let (c, now) = match (c, marks) {
            (c, _) if is_kept(c) => (c, None),
            ('\t', _) => (' ', None),
            (c, Some(0)) if is_selector(c) => (c, Some(1)),
            (c, _) if is_hidden(c) => (char::REPLACEMENT_CHARACTER, None),
            (c, Some(count)) if is_mark(c) && count < MOST_MARKS => (c, Some(count + 1)),
            (c, Some(MOST_MARKS)) if is_mark(c) => {
                (char::REPLACEMENT_CHARACTER, Some(MOST_MARKS + 1))
            }
            // The rest of a pile.
            (c, Some(_)) if is_mark(c) => continue,
            (c, None) if is_mark(c) => (c, Some(1)),
            (c, _) if c.is_whitespace() => (c, None),
            (c, _) => (c, Some(0)),
        };
        shown.push(c);
        marks = now;
    }
    Cow::Owned(shown)
}

/// Returns JSON with what is hidden in its texts written by number, so that it means the same.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    // Blanks of the layout stand outside of texts, and within them they are written by number anyway.
    let is_to_be_told = |c: char| is_hidden(c) && !matches!(c, '\t' | '\n' | '\r');
    if !json.contains(is_to_be_told) {
        return Cow::Borrowed(json);
    }
    let mut told = String::with_capacity(json.len());
    for c in json.chars() {
        if is_to_be_told(c) {
            let mut units = [0; 2];
            told.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            told.push(c);
        }
    }
    Cow::Owned(told)
}

/// Returns a text as one line of at most this many characters that leaves the terminal alone; a longer one
/// ends with `…`.
#[must_use]
pub fn brief(text: &str, most: usize) -> String {
    let text = printable(text);
    match text.char_indices().nth(most) {
        None => text.into_owned(),
        Some((end, _)) => text[..end].to_owned() + "…",
    }
}

/// Returns the number of columns that a printable text takes on a terminal.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Returns the beginning of a printable text that fits this many columns.
#[must_use]
pub fn fitting(text: &str, most: usize) -> &str {
    // The effect of a character depends on those before it.
    let ends = text.char_indices().map(|(start, c)| start + c.len_utf8());
    let end = ends.take_while(|&end| text[..end].width() <= most).last();
    &text[..end.unwrap_or(0)]
}

/// Returns a printable text in at most this many columns; one that was cut ends with `…`.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if columns(text) <= most {
        return Cow::Borrowed(text);
    }
    Cow::Owned(fitting(text, most.saturating_sub(1)).to_owned() + "…")
}

/// Returns a printable text with blanks behind it, as many columns wide as asked for, or wider.
#[must_use]
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// Returns a path as a text that leaves the terminal alone.
#[must_use]
pub fn printable_path(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthChar;

    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_replaced() {
        for (text, shown) in [
            ("五子棋 Ünal ½", "五子棋 Ünal ½"),
            ("a\u{1b}[2J\u{7}b", "a\u{fffd}[2J\u{fffd}b"),
            ("\u{9b}31m\u{7f}\0", "\u{fffd}31m\u{fffd}\u{fffd}"),
            ("a\tb\r\nc", "a b\u{fffd}\u{fffd}c"),
            ("\u{202e}gnp.exe\u{202c}", "\u{fffd}gnp.exe\u{fffd}"),
            ("\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (
                "a\u{200b}b\u{200c}c\u{200d}d\u{2060}\u{feff}",
                "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}\u{fffd}",
            ),
            ("\u{2028}\u{2029}", "\u{fffd}\u{fffd}"),
            ("x\u{e0041}\u{e007f}", "x\u{fffd}\u{fffd}"),
            ("\u{e000}\u{10fffd}\u{fdd0}\u{ffff}", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            ("\u{3164}\u{115f}", "\u{fffd}\u{fffd}"),
            ("  two \u{3000} blanks", "  two \u{3000} blanks"),
        ] {
            assert_eq!(printable(text), shown, "{text:?}");
        }
        assert_eq!(printable_lines("a\u{1b}\n\u{301}\n"), "a\u{fffd}\n\u{301}\n");
    }

    #[test]
    fn marks_and_selectors_stay_where_they_belong() {
        for (text, shown) in [
            ("e\u{301}", "e\u{301}"),
            ("\u{2764}\u{fe0f} Ann", "\u{2764}\u{fe0f} Ann"),
            ("\u{fe0f}a", "\u{fffd}a"),
            ("a \u{fe0f}", "a \u{fffd}"),
            ("a\u{fe0f}\u{fe0f}", "a\u{fe0f}\u{fffd}"),
            ("\u{845b}\u{e0100}", "\u{845b}\u{e0100}"),
        ] {
            assert_eq!(printable(text), shown, "{text:?}");
        }
        let pile = format!("a{}b", "\u{336}".repeat(1000));
        assert_eq!(printable(&pile), "a\u{336}\u{336}\u{336}\u{336}\u{fffd}b");
    }

    #[test]
    fn whatever_takes_no_room_is_hidden_or_a_mark() {
        let mut previous = None;
        for &(first, last) in &HIDDEN {
            assert!(previous < Some(first) && first <= last, "{first:?}");
            previous = Some(last);
        }
        let unseen = (char::MIN..=char::MAX).filter(|c| c.width().unwrap_or(0) == 0);
        let others: String = unseen.filter(|&c| !is_hidden(c) && !is_mark(c)).collect();
        // Letters that are written above the next one.
        let above_the_next = "\u{d4e}\u{a8fa}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a84}\u{11a85}\u{11a86}\
                              \u{11a87}\u{11a88}\u{11a89}\u{11d46}\u{11f02}";
        assert_eq!(others, above_the_next);
    }

    #[test]
    fn json_means_the_same_and_hides_nothing() {
        let value = serde_json::json!({ "name": "\u{202e}\u{e0041}\u{9b}\u{7f}\u{1b}ü\t" });
        for json in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let told = printable_json(&json);
            assert!(told.contains(r"\u202e\udb40\udc41\u009b\u007f\u001bü\t"), "{told}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&told).unwrap(), value);
        }
        assert!(matches!(printable_json(r#"{"name": "Ünal"}"#), Cow::Borrowed(_)));
    }

    #[test]
    fn texts_are_cut_by_the_columns_that_they_take() {
        assert_eq!(shortened("tengen", 6), "tengen");
        assert_eq!(shortened("tengen 2", 6), "tenge…");
        assert_eq!((columns("五子棋"), shortened("五子棋", 5)), (6, "五子…".into()));
        assert_eq!(shortened("五子棋", 4), "五…");
        assert_eq!(shortened("ab", 0), "…");
        assert_eq!(padded("五", 4), "五  ");
        assert_eq!(padded("long", 2), "long");
        assert_eq!(brief("a\u{1b}bc", 3), "a\u{fffd}b…");
        assert_eq!(brief("abc", 3), "abc");
    }

    proptest! {
        #[test]
        fn a_printable_text_is_printable(text in "\\PC*|.*|[\u{300}-\u{310}a\u{fe0f}\u{200d}\n\t ]*") {
            let shown = printable(&text).into_owned();
            prop_assert_eq!(printable(&shown), shown.as_str());
            prop_assert!(!shown.chars().any(|c| is_hidden(c) && !is_selector(c)));
            let lines = printable_lines(&text).into_owned();
            prop_assert_eq!(lines.matches('\n').count(), text.matches('\n').count());
            prop_assert!(columns(&shortened(&shown, 9)) <= 9);
        }
    }
}

//! Board texts and the comment of a record, which are one text.
//!
//! The board texts are there if it begins with `@BTXT@`; then an entry a line follows, x and y as one
//! digit each (`A` is 10, `L` 21) and the text. Byte 8 ends them, and the comment follows. In the
//! comment byte 8 ends a line.

use std::collections::BTreeMap;

use tengen_core::types::{Point, Size};

const HEADER: &str = "@BTXT@";
/// The end of the board texts.
const DIVIDER: char = '\u{8}';

/// The digits of cells go up to the last column of the largest board.
const BASE: u32 = 22;

/// Returns the texts on the cells, and the comment. What stands at no cell of the board is dropped, as
/// Rapfi does.
pub(super) fn split_remarks(text: &str, size: Size) -> (BTreeMap<Point, String>, String) {
    let Some(rest) = text.strip_prefix(HEADER) else {
        return (BTreeMap::new(), text.replace(DIVIDER, "\n"));
    };
    let (entries, comment) = rest.split_once(DIVIDER).unwrap_or((rest, ""));
    let entry = |entry: &str| {
        let mut chars = entry.chars();
        let mut digit = || Some(i64::from(chars.next()?.to_digit(BASE)?));
        let point = size.point(digit()?, digit()?)?;
        Some((point, chars.as_str().to_owned())).filter(|(_, text)| !text.is_empty())
    };
    (entries.split('\n').filter_map(entry).collect(), comment.replace(DIVIDER, "\n"))
}

/// Returns the text of board texts, of which each cell is in the frame of the record, and a comment.
pub(super) fn join_remarks(board_texts: &BTreeMap<Point, String>, comment: &str) -> String {
    let digit = |number: u8| {
        let digit = char::from_digit(number.into(), BASE);
        digit.map(|digit| digit.to_ascii_uppercase())
    };
    let entry = |(point, text): (&Point, &String)| {
        let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != DIVIDER).collect();
        let cell: Option<String> = [digit(point.x()), digit(point.y())].into_iter().collect();
        cell.filter(|_| !text.is_empty()).map(|cell| cell + &text)
    };
    let entries: Vec<String> = board_texts.iter().filter_map(entry).collect();
    // Without a header a comment that begins like one would be taken for it.
    let header = if entries.is_empty() && !comment.starts_with(HEADER) { "" } else { HEADER };
    let divider = match header.is_empty() || comment.is_empty() {
        true => String::new(),
        false => DIVIDER.to_string(),
    };
    format!("{header}{}{divider}{comment}", entries.join("\n"))
}

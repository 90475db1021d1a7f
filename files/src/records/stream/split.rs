//! Where a game of SGF begins and ends, before anything of it is understood.

use std::io;

use super::input::TextInput;
use crate::records::CodePage;

/// The first bytes of a game, among which the name of an encoding is looked for.
const BEGINNING: usize = 1024;

/// The properties with which only games begin.
const FIRST: [&[u8; 2]; 5] = [b"FF", b"GM", b"SZ", b"CA", b"AP"];

/// The longest name of an encoding.
const LONGEST_NAME: usize = 40;

/// Returns the place of the next game from a place on, or of the end, and whether there is a game.
/// `is_first` says that nothing has been read yet: there the parenthesis of a game may be missing.
pub(super) fn find_game(
    input: &mut TextInput<'_>,
    from: usize,
    is_first: bool,
) -> io::Result<(usize, bool)> {
    if is_first && matches!(filled(input, from)?, Some((_, b';'))) {
        return Ok((from, true));
    }
    let mut at = from;
    while let Some(byte) = input.byte(at)? {
        if byte == b'('
            && (matches!(filled(input, at + 1)?, Some((_, b';'))) || begins_game(input, at + 1)?)
        {
            return Ok((at, true));
        }
        at += 1;
    }
    Ok((at, false))
}

/// Returns the first byte from a place that is not blank, and its place.
fn filled(input: &mut TextInput<'_>, mut from: usize) -> io::Result<Option<(usize, u8)>> {
    while let Some(byte) = input.byte(from)? {
        if !byte.is_ascii_whitespace() {
            return Ok(Some((from, byte)));
        }
        from += 1;
    }
    Ok(None)
}

/// Returns the end of the game that begins at a place: after the parenthesis that closes it, or where the
/// next one begins although this one is not closed, or the end of the text.
///
/// Letters of `page` that end with a bracket or a backslash are letters.
pub(super) fn end(
    input: &mut TextInput<'_>,
    from: usize,
    page: Option<CodePage>,
) -> io::Result<usize> {
    // Where the first parenthesis is missing, all of the text is the game.
    let mut depth = usize::from(matches!(filled(input, from)?, Some((_, b';'))));
    let mut is_value = false;
    let mut at = from;
    while let Some(byte) = input.byte(at)? {
        let mut next = at + 1;
        match byte {
            b'\\' if is_value => next += letter(input, next, page)?,
            b']' => is_value = false,
            b'[' => is_value = true,
            _ if is_value => next = at + letter(input, at, page)?,
            b'(' if depth > 0 && begins_game(input, at + 1)? => return Ok(at),
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(next);
                }
            }
            _ => {}
        }
        at = next;
    }
    // There may be nothing after a last backslash.
    Ok(at.min(input.held().len()))
}

/// Returns the length of the letter at a place, as far as brackets depend on it.
fn letter(input: &mut TextInput<'_>, at: usize, page: Option<CodePage>) -> io::Result<usize> {
    if let Some(page) = page
        && let (Some(lead), Some(byte)) = (input.byte(at)?, input.byte(at + 1)?)
        && page.is_letter(lead, byte)
    {
        return Ok(2);
    }
    Ok(1)
}

/// Returns whether there is a node from a place on, its semicolon perhaps missing, that begins with what
/// stands only at the beginning of games.
fn begins_game(input: &mut TextInput<'_>, from: usize) -> io::Result<bool> {
    let Some((mut at, mut byte)) = filled(input, from)? else { return Ok(false) };
    if byte == b';' {
        match filled(input, at + 1)? {
            Some(next) => (at, byte) = next,
            None => return Ok(false),
        }
    }
    let Some(second) = input.byte(at + 1)? else { return Ok(false) };
    Ok(FIRST.contains(&&[byte, second]) && matches!(filled(input, at + 2)?, Some((_, b'['))))
}

/// Returns the name of the encoding in the first node of the game at a place, if it is near.
pub(super) fn declared(input: &mut TextInput<'_>, from: usize) -> io::Result<Option<String>> {
    input.byte(from + BEGINNING)?;
    let game = &input.held()[from..];
    Ok(declared_in(&game[..game.len().min(BEGINNING)]))
}

/// Returns the name of the encoding in the first node of a game.
///
/// Only the encoding distinguishes brackets from parts of letters, so this looks at neither.
pub(super) fn declared_in(game: &[u8]) -> Option<String> {
    // The last two bytes that are not blank.
    let (mut earlier, mut before) = (b' ', b' ');
    let mut was_value = false;
    let mut nodes = 0;
    for (at, &byte) in game.iter().enumerate() {
        let is_outside = was_value || nodes < 2 && before == b';';
        match byte {
            // The first node is over; what begins may be another game.
            b'(' | b')' if is_outside => return None,
            b';' => {
                nodes += 1;
                if was_value && nodes > 1 {
                    return None;
                }
            }
            b'C' if is_outside => {
                let name = game[at..].strip_prefix(b"CA").map(<[u8]>::trim_ascii_start);
                if let Some(name) = name.and_then(|name| name.strip_prefix(b"[")) {
                    let end = name.iter().take(LONGEST_NAME).position(|&byte| byte == b']')?;
                    return Some(String::from_utf8_lossy(&name[..end]).into_owned());
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            // A backslash may be the second half of a letter.
            was_value = byte == b']' && (before != b'\\' || !earlier.is_ascii());
            (earlier, before) = (before, byte);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_found_in_the_first_node_only() {
        for (game, name) in [
            (&b"(;CA[GB2312]"[..], Some("GB2312")),
            (b"(;FF[4]GM[4]\r\nCA [utf-8]PB[x]", Some("utf-8")),
            (b"(;PB[\x95\x5c]CA[Shift_JIS]", Some("Shift_JIS")),
            (b"(;FF[4]C[CA[x\\]CA[y]", None),
            (b"(;FF[4];CA[x]", None),
            (b"(;FF[4](;CA[x])", None),
            (b"(;FF[4])(;CA[x])", None),
            (b"(;)(;FF[4]CA[x])", None),
            (b"(;FF[4]C[;)]CA[x])", Some("x")),
            (b"(;FF[4]CA[x", None),
            (b"", None),
        ] {
            assert_eq!(declared_in(game).as_deref(), name, "{}", game.escape_ascii());
        }
    }

    #[test]
    fn a_game_ends_with_its_parenthesis_or_where_the_next_begins() {
        let length_of = |text: &[u8], page: &str| {
            end(&mut TextInput::new(text).unwrap().0, 0, page.parse().ok()).unwrap()
        };
        for (text, length) in [
            ("(;B[aa])(;B[bb])", 8),
            ("(;B[aa](;W[)])(;W[\\])]))x", 24),
            ("(;B[aa](;FF[4])", 7),
            ("(;B[aa] (\n; GM[4])", 8),
            ("(;B[aa] (SZ [15])", 8),
            ("(;B[aa] (S", 10),
            (";B[aa](;W[bb])(;W[cc])", 22),
            (";B[aa])(;W[cc])", 7),
            ("(;B[aa](;W[bb])", 15),
            ("(;C[", 4),
            ("(;C[\\", 5),
        ] {
            assert_eq!(length_of(text.as_bytes(), ""), length, "{text}");
        }
        // The second half of a letter is not the first one of a letter that ends with a bracket.
        let chinese = b"(;CA[GBK]C[\xc4\xe3])(;B[bb])";
        assert_eq!(length_of(chinese, "gbk"), chinese.len() - 8);
        let japanese = b"(;PB[\x95\x5c]C[\\\x95\x5c\x83\x5d]))";
        assert_eq!(length_of(japanese, "shift_jis"), japanese.len() - 1);
    }
}

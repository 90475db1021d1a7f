//! The form that every line of an engine must have.

use super::warning::WarningKind;

/// The longest line that every manager can take, in bytes without the line end.
const MAX_LINE: usize = 2000;

/// The longest line that one write puts into a pipe in one piece on every system.
const ATOMIC: usize = 512;

/// Words that some manager takes for a move or an end of the game if no text follows.
const NEED_TEXT: [&str; 5] = ["MESSAGE", "DEBUG", "ERROR", "UNKNOWN", "SUGGEST"];

/// Returns what is wrong with a line; `line` does not include the LF.
pub(super) fn fault(line: &[u8]) -> Option<(WarningKind, String)> {
    let blank = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let (kind, fault) = if line.is_empty() {
        (WarningKind::Empty, "it is empty".to_owned())
    } else if line.len() > MAX_LINE {
        (WarningKind::TooLong, format!("it is longer than {MAX_LINE} bytes"))
    } else if line.last() == Some(&b'\r') {
        (WarningKind::CarriageReturn, "it ends with CR LF".to_owned())
    } else if blank(line.first()) {
        (WarningKind::Blank, "it begins with a blank".to_owned())
    } else if blank(line.last()) {
        (WarningKind::Blank, "it ends with a blank".to_owned())
    } else if let Some(byte) = line.iter().find(|&&byte| !(b' '..=b'~').contains(&byte)) {
        (WarningKind::Bytes, format!("it contains the byte {byte:#04x}"))
    } else if NEED_TEXT.iter().any(|word| word.as_bytes() == line) {
        (WarningKind::NoText, "it has no text after the keyword".to_owned())
    } else {
        return None;
    };
    Some((kind, fault))
}

/// Returns what is wrong with the pieces in which lines arrived: each line must be written in
/// one piece, because some managers never join two halves.
pub(super) fn piece_fault(unfinished: &[u8]) -> Option<String> {
    let split = !unfinished.is_empty() && unfinished.len() < ATOMIC;
    split.then(|| "a piece of a line was written without its line end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_lines_have_no_fault() {
        for line in ["OK", "7,7", "MESSAGE depth 3", "name=\"x\", version=\"1\"", &"x".repeat(2000)]
        {
            assert_eq!(fault(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn every_fault_is_found() {
        let long = [b'x'; 2001];
        let faults: [(&[u8], &str); 9] = [
            (b"", "empty"),
            (&long, "longer"),
            (b"OK\r", "CR LF"),
            (b" OK", "begins"),
            (b"\tOK", "begins"),
            (b"OK ", "ends with a blank"),
            (b"UNKNOWN a\0b", "0x00"),
            (b"UNKNOWN \xff", "0xff"),
            (b"MESSAGE", "no text"),
        ];
        for (line, expected) in faults {
            let (_, found) = fault(line).expect("a fault");
            assert!(found.contains(expected), "{line:?}: {found}");
        }
    }

    #[test]
    fn halves_of_lines_are_found() {
        assert_eq!(piece_fault(b""), None);
        assert!(piece_fault(b"OK").is_some());
    }
}

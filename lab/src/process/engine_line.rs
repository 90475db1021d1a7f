//! The lines that engines write.

use std::fmt;

/// A line of an engine, as far as spelling goes. Reading is total.
///
/// [`EngineLine::parse`] reads as patient managers do, [`EngineLine::strict`] only what every
/// manager can read. The text of a line is what follows its first word and one blank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineLine<'a> {
    /// `OK`, and a text, which the written protocol allows and few managers do.
    Ok(&'a str),
    /// `SWAP`.
    Swap,
    /// One or more cells, `x,y` each, blanks between them: not checked against any board.
    Cells(Vec<(i64, i64)>),
    /// `SUGGEST` and a text, which should begin with a cell.
    Suggest(&'a str),
    /// `MESSAGE` and a text.
    Message(&'a str),
    /// `DEBUG` and a text.
    Debug(&'a str),
    /// `INFO` and a text.
    Info(&'a str),
    /// `ERROR` and a text.
    Error(&'a str),
    /// `UNKNOWN` and a text.
    Unknown(&'a str),
    /// Anything else.
    Other,
}

impl EngineLine<'_> {
    /// Reads a line without its end. Case does not matter, nor do blanks around commas and cells.
    #[must_use]
    pub fn parse(line: &str) -> EngineLine<'_> {
        let line = line.trim();
        let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word.to_ascii_uppercase().as_str() {
            "OK" => EngineLine::Ok(text),
            "SWAP" if text.is_empty() => EngineLine::Swap,
            "SUGGEST" => EngineLine::Suggest(text),
            "MESSAGE" => EngineLine::Message(text),
            "DEBUG" => EngineLine::Debug(text),
            "INFO" => EngineLine::Info(text),
            "ERROR" => EngineLine::Error(text),
            "UNKNOWN" => EngineLine::Unknown(text),
            _ => cells(line).map_or(EngineLine::Other, EngineLine::Cells),
        }
    }

    /// Reads a line that is spelled as every manager can read it: words in capital letters, single
    /// blanks, and numbers without signs and needless zeros. Piskvork reads with scanf, JudgeLocal
    /// compares text, and to them other spellings are not the same.
    #[must_use]
    pub fn strict(line: &str) -> EngineLine<'_> {
        let parsed = EngineLine::parse(line);
        let is_sure = match &parsed {
            EngineLine::Cells(cells) => cells.iter().all(|&(x, y)| x >= 0 && y >= 0),
            EngineLine::Ok(text) => text.is_empty(),
            _ => true,
        };
        if is_sure && parsed.to_string() == line { parsed } else { EngineLine::Other }
    }

    /// Returns whether this is no answer to anything: `MESSAGE`, `DEBUG` or `INFO`.
    #[must_use]
    pub const fn is_chatter(&self) -> bool {
        matches!(self, EngineLine::Message(_) | EngineLine::Debug(_) | EngineLine::Info(_))
    }
}

impl fmt::Display for EngineLine<'_> {
    /// Writes the line as every manager can read it; nothing for [`EngineLine::Other`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match self {
            EngineLine::Ok(text) => ("OK", *text),
            EngineLine::Swap => ("SWAP", ""),
            EngineLine::Suggest(text) => ("SUGGEST", *text),
            EngineLine::Message(text) => ("MESSAGE", *text),
            EngineLine::Debug(text) => ("DEBUG", *text),
            EngineLine::Info(text) => ("INFO", *text),
            EngineLine::Error(text) => ("ERROR", *text),
            EngineLine::Unknown(text) => ("UNKNOWN", *text),
            EngineLine::Other => return Ok(()),
            EngineLine::Cells(cells) => {
                for (i, (x, y)) in cells.iter().enumerate() {
                    write!(f, "{}{x},{y}", if i == 0 { "" } else { " " })?;
                }
                return Ok(());
            }
        };
        f.write_str(word)?;
        if text.is_empty() { Ok(()) } else { write!(f, " {text}") }
    }
}

/// Reads a number as [`EngineLine::strict`] does: digits only, without needless zeros.
#[must_use]
pub fn strict_number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number: &i64| *number >= 0 && number.to_string() == text)
}

/// Reads a cell as [`EngineLine::strict`] does: `x,y`.
#[must_use]
pub fn strict_cell(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((strict_number(x)?, strict_number(y)?))
}

/// Reads the cell with which a line begins, whatever follows it: Piskvork reads no further.
#[must_use]
pub fn leading_cell(line: &str) -> Option<(i64, i64)> {
    cell_and_rest(line.trim_start()).map(|(cell, _)| cell)
}

/// Reads a line of nothing but cells; blanks around a comma do not matter.
fn cells(line: &str) -> Option<Vec<(i64, i64)>> {
    let mut cells = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (cell, after) = cell_and_rest(rest)?;
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return None;
        }
        cells.push(cell);
        rest = after.trim_start();
    }
    (!cells.is_empty()).then_some(cells)
}

fn cell_and_rest(text: &str) -> Option<((i64, i64), &str)> {
    let (x, after) = integer(text)?;
    let (y, after) = integer(after.trim_start().strip_prefix(',')?.trim_start())?;
    Some(((x, y), after))
}

/// Reads a decimal integer; one that does not fit becomes the nearest that does.
fn integer(text: &str) -> Option<(i64, &str)> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = unsigned.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(unsigned.len());
    if end == 0 {
        return None;
    }
    let value = unsigned[..end].parse().unwrap_or(i64::MAX);
    Some((if text.starts_with('-') { -value } else { value }, &unsigned[end..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_kind_of_line_is_told_from_the_others() {
        for (line, parsed) in [
            ("OK", EngineLine::Ok("")),
            ("ok", EngineLine::Ok("")),
            ("OKAY", EngineLine::Other),
            ("OK - everything is good", EngineLine::Ok("- everything is good")),
            ("SUGGEST 7,7", EngineLine::Suggest("7,7")),
            ("MESSAGE 7,7", EngineLine::Message("7,7")),
            ("message", EngineLine::Message("")),
            ("DEBUG\tx", EngineLine::Debug("x")),
            ("INFO EVAL 3", EngineLine::Info("EVAL 3")),
            ("SWAP", EngineLine::Swap),
            ("SWAP 7,7", EngineLine::Other),
            ("ERROR 7,7", EngineLine::Error("7,7")),
            ("UNKNOWN", EngineLine::Unknown("")),
            ("7,7", EngineLine::Cells(vec![(7, 7)])),
            (" 7 , -1 ", EngineLine::Cells(vec![(7, -1)])),
            ("7,7 8,6  0,0", EngineLine::Cells(vec![(7, 7), (8, 6), (0, 0)])),
            ("99999999999999999999,7", EngineLine::Cells(vec![(i64::MAX, 7)])),
            ("7,7 x", EngineLine::Other),
            ("7,7x", EngineLine::Other),
            ("7,", EngineLine::Other),
            ("7", EngineLine::Other),
            ("", EngineLine::Other),
            (",", EngineLine::Other),
            ("7,7,1", EngineLine::Other),
            ("é,7", EngineLine::Other),
        ] {
            assert_eq!(EngineLine::parse(line), parsed, "{line:?}");
        }
    }

    #[test]
    fn strict_reading_takes_one_spelling_of_each_line() {
        for line in ["OK", "SWAP", "7,7", "0,14 10,3", "MESSAGE a  b", "ERROR no game", "DEBUG x"] {
            assert_eq!(EngineLine::strict(line), EngineLine::parse(line), "{line:?}");
            assert_ne!(EngineLine::strict(line), EngineLine::Other, "{line:?}");
        }
        for line in [
            "ok",
            "7, 7",
            " 7,7",
            "7,7 ",
            "07,7",
            "-1,7",
            "+1,7",
            "7,7  8,8",
            "DEBUG\tx",
            "message x",
            "OK - everything is good",
        ] {
            assert_eq!(EngineLine::strict(line), EngineLine::Other, "{line:?}");
        }
        assert_eq!((strict_number("10"), strict_number("0")), (Some(10), Some(0)));
        assert_eq!(strict_cell("10,0"), Some((10, 0)));
        for text in ["", "-1", "+1", "01", "00", "1 ", "x", "99999999999999999999"] {
            assert_eq!(strict_number(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_cell_is_read_as_far_as_piskvork_reads() {
        for line in ["7,8", " 7, 8", "7,8 -12", "7,8,1", "7,8 9,9", "7,8x", "+7,8"] {
            assert_eq!(leading_cell(line), Some((7, 8)), "{line:?}");
        }
        for line in ["", "7", "7 8", "h8", "x7,8", "7;8", "-,8"] {
            assert_eq!(leading_cell(line), None, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_means_something(line in ".*", x in any::<i32>(), y in any::<i32>()) {
            let _ = EngineLine::strict(&line);
            let cell = EngineLine::Cells(vec![(x.into(), y.into())]);
            let line = format!("{x},{y}");
            prop_assert_eq!(EngineLine::parse(&line), cell);
        }
    }
}

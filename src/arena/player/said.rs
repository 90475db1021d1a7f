//! What a line of an engine means to a manager.

/// A line of an engine, as far as spelling goes. Reading is total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// `OK`.
    Ok,
    /// `MESSAGE`, `DEBUG` or `INFO` with whatever follows.
    Chatter,
    /// `SWAP`.
    Swap,
    /// One or more cells, `x,y` each, blanks between them: not checked against any board.
    Cells(Vec<(i64, i64)>),
    /// Anything else, among it `ERROR` and `UNKNOWN`.
    Other,
}

impl Said {
    /// Reads a line without its end. Case does not matter.
    pub(super) fn parse(line: &str) -> Said {
        let line = line.trim();
        let word = line.split(char::is_whitespace).next().unwrap_or_default();
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        if ["MESSAGE", "DEBUG", "INFO"].into_iter().any(is) {
            Said::Chatter
        } else if line.eq_ignore_ascii_case("OK") {
            Said::Ok
        } else if line.eq_ignore_ascii_case("SWAP") {
            Said::Swap
        } else {
            cells(line).map_or(Said::Other, Said::Cells)
        }
    }
}

/// Reads a line of nothing but cells; blanks around a comma do not matter.
fn cells(line: &str) -> Option<Vec<(i64, i64)>> {
    let mut cells = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (x, after) = integer(rest)?;
        let (y, after) = integer(after.trim_start().strip_prefix(',')?.trim_start())?;
        if !after.is_empty() && !after.starts_with(char::is_whitespace) {
            return None;
        }
        cells.push((x, y));
        rest = after.trim_start();
    }
    (!cells.is_empty()).then_some(cells)
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
        for (line, said) in [
            ("OK", Said::Ok),
            ("ok", Said::Ok),
            ("OKAY", Said::Other),
            ("MESSAGE 7,7", Said::Chatter),
            ("message", Said::Chatter),
            ("DEBUG\tx", Said::Chatter),
            ("INFO EVAL 3", Said::Chatter),
            ("SWAP", Said::Swap),
            ("SWAP 7,7", Said::Other),
            ("ERROR 7,7", Said::Other),
            ("UNKNOWN", Said::Other),
            ("7,7", Said::Cells(vec![(7, 7)])),
            (" 7 , -1 ", Said::Cells(vec![(7, -1)])),
            ("7,7 8,6  0,0", Said::Cells(vec![(7, 7), (8, 6), (0, 0)])),
            ("99999999999999999999,7", Said::Cells(vec![(i64::MAX, 7)])),
            ("7,7 x", Said::Other),
            ("7,7x", Said::Other),
            ("7,", Said::Other),
            ("7", Said::Other),
            (",", Said::Other),
            ("7,7,1", Said::Other),
            ("é,7", Said::Other),
        ] {
            assert_eq!(Said::parse(line), said, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_means_something(line in ".*", x in any::<i32>(), y in any::<i32>()) {
            let _ = Said::parse(&line);
            let cell = Said::Cells(vec![(x.into(), y.into())]);
            prop_assert_eq!(Said::parse(&format!("{x},{y}")), cell);
        }
    }
}

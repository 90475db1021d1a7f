//! Checksums of lines.
//!
//! A line that is an object of JSON has its checksum in a last field, `{"a":1,"sum":"7a5c0dd3"}`, any
//! other behind its text, `seed: 5 sum:7a5c0dd3`: the CRC-32 of all that stands before, as eight
//! digits. Lines of earlier versions have none.

use std::borrow::Cow;

/// The text before the digits in an object.
const FIELD: &str = ",\"sum\":\"";
/// The text after them.
const FIELD_END: &str = "\"}";
/// The text before the digits of another line.
const WORD: &str = " sum:";
const DIGITS: usize = 8;

/// Returns a line, without its end, with its checksum.
///
/// ```
/// use tengen_files::resume::{with_sum, without_sum};
///
/// let line = with_sum("game 7: h8i9");
/// assert_eq!(without_sum(&line)?.as_deref(), Some("game 7: h8i9"));
/// assert!(without_sum(&line.replace("h8", "h9")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn with_sum(line: &str) -> String {
    match line.strip_suffix('}') {
        Some(object) => format!("{object}{FIELD}{:08x}{FIELD_END}", sum(object)),
        None => format!("{line}{WORD}{:08x}", sum(line)),
    }
}

/// The checksum of a line does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("damaged: the checksum does not fit")]
pub struct BadSum;

/// Returns a line as it was given to [`with_sum`], or `None` if it has no checksum.
///
/// # Errors
///
/// Returns an error if the checksum is not that of the line.
pub fn without_sum(line: &str) -> Result<Option<String>, BadSum> {
    let Some((text, digits, is_object)) = split(line) else { return Ok(None) };
    if format!("{:08x}", sum(text)) != digits {
        return Err(BadSum);
    }
    Ok(Some(if is_object { format!("{text}}}") } else { text.to_owned() }))
}

/// Returns a line, with or without its end, as it was before it got its checksum, if it has one.
///
/// # Errors
///
/// Returns an error if the checksum is not that of the line.
pub fn strip_sum(line: &str) -> Result<Cow<'_, str>, BadSum> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    Ok(without_sum(line)?.map_or(Cow::Borrowed(line), Cow::Owned))
}

/// Splits a line into its text, the digits of its checksum and whether it is an object.
fn split(line: &str) -> Option<(&str, &str, bool)> {
    let (rest, end) = match line.strip_suffix(FIELD_END) {
        Some(rest) => (rest, FIELD),
        None => (line, WORD),
    };
    let (text, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    Some((text.strip_suffix(end)?, digits, end == FIELD))
}

fn sum(text: &str) -> u32 {
    crc32fast::hash(text.as_bytes())
}

/// Helpers for tests of files with checksums.
#[cfg(any(test, feature = "testing"))]
pub mod testing {
    use super::strip_sum;

    /// Returns a text as a version that knew no checksums would have written it.
    pub fn without_sums(text: &str) -> String {
        let lines = text.lines().map(|line| strip_sum(line).unwrap().into_owned() + "\n");
        lines.collect()
    }

    /// Calls `read` for a text with a bit of each byte flipped, in turn, and checks that it returns an
    /// error, which names the line unless it is the first: a file that begins otherwise is another file.
    pub fn check_flips(text: &str, read: impl Fn(&[u8]) -> Option<String>) {
        assert_eq!(read(text.as_bytes()), None, "{text}");
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= 1 << (at % 8);
            let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
            let error = read(&bytes).unwrap_or_else(|| panic!("byte {at}, line {line} of {text}"));
            let place = format!(":{line}: ");
            assert!(line == 1 || error.contains(&place), "byte {at}, line {line}: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_without_its_checksum() {
        for line in ["{\"a\":1}", "{\"a\":{\"b\":\"ü\"}}", "seed: 5", "", "{}x"] {
            let summed = with_sum(line);
            assert_eq!(without_sum(&summed), Ok(Some(line.to_owned())), "{summed}");
            assert_eq!(without_sum(line), Ok(None));
            for text in [&summed, line, &format!("{summed}\n")] {
                assert_eq!(strip_sum(text).as_deref(), Ok(line));
            }
        }
        assert_eq!(with_sum("{\"a\":1}"), "{\"a\":1,\"sum\":\"a702fc6e\"}");
        assert_eq!(with_sum("seed: 5"), "seed: 5 sum:1788938f");
    }

    #[test]
    fn no_flipped_bit_leaves_a_checksum_that_fits() {
        for line in ["{\"a\":1,\"b\":\"c}\"}", "ahead: 5 1 h8i9"] {
            let summed = with_sum(line);
            for bit in 0..8 * summed.len() {
                let mut bytes = summed.clone().into_bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let Ok(text) = String::from_utf8(bytes) else { continue };
                // A checksum that is none any more is missing, which is for others to notice.
                assert!(matches!(without_sum(&text), Err(BadSum) | Ok(None)), "{text}");
            }
        }
    }
}

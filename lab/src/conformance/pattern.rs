//! The little pattern language of expected lines.

use std::fmt;

/// A pattern that is searched for in a line: literal text in which `*` stands for any text, also
/// none. `^` at the start and `$` at the end tie it to the start and the end of the line, and a
/// backslash takes the meaning from the character after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    source: String,
    /// The literal parts between the stars. The first must begin the line, the last must end it;
    /// an untied end is an empty part.
    parts: Vec<String>,
}

impl Pattern {
    /// Returns the pattern written as `source`, without the slashes around it.
    #[must_use]
    pub fn new(source: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut part = String::new();
        let mut chars = source.chars().peekable();
        if chars.next_if_eq(&'^').is_none() {
            parts.push(String::new());
        }
        let mut tied_to_end = false;
        while let Some(c) = chars.next() {
            match c {
                '\\' => part.push(chars.next().unwrap_or('\\')),
                '*' => parts.push(std::mem::take(&mut part)),
                '$' if chars.peek().is_none() => tied_to_end = true,
                c => part.push(c),
            }
        }
        parts.push(part);
        if !tied_to_end {
            parts.push(String::new());
        }
        Pattern { source: source.to_owned(), parts }
    }

    /// Returns whether the pattern occurs in `line`.
    #[must_use]
    pub fn matches(&self, line: &str) -> bool {
        let (first, rest) = self.parts.split_first().expect("a pattern has a part");
        let Some((last, middle)) = rest.split_last() else {
            return line == first;
        };
        let Some(mut line) = line.strip_prefix(first.as_str()) else {
            return false;
        };
        // The leftmost place of each part leaves the most for the parts after it.
        for part in middle {
            match line.find(part.as_str()) {
                Some(at) => line = &line[at + part.len()..],
                None => return false,
            }
        }
        line.ends_with(last.as_str())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let pattern = Pattern::new(pattern);
        for line in matching {
            assert!(pattern.matches(line), "{pattern} must match {line:?}");
        }
        for line in others {
            assert!(!pattern.matches(line), "{pattern} must not match {line:?}");
        }
    }

    #[test]
    fn an_untied_pattern_is_found_anywhere() {
        check("20", &["20", "use 20 or 15", "x20"], &["", "2 0"]);
        check("", &["", "anything"], &[]);
    }

    #[test]
    fn carets_and_dollars_tie_a_pattern_to_the_ends() {
        check("^ab", &["ab", "abc"], &["cab", "a"]);
        check("ab$", &["ab", "cab"], &["abc"]);
        check("^ab$", &["ab"], &["abab", "aba", ""]);
        check("^$", &[""], &["a"]);
    }

    #[test]
    fn a_star_stands_for_any_text() {
        check("^a*c$", &["ac", "abc", "acc"], &["abd", "ca"]);
        check("^ab*ba$", &["abba", "ab ba"], &["aba"]);
        check("a*b*c", &["xaxbxcx", "abc"], &["acb", "cba"]);
    }

    #[test]
    fn a_backslash_makes_any_character_ordinary() {
        check(r"^\*\\\$$", &[r"*\$"], &[r"x\$", r"*\"]);
        check(r"\^a", &["^a"], &["a"]);
    }
}

//! The parts of comments on moves that are for programs.
//!
//! The first line of a comment may be a list such as `opening move`, `153ms, score 35` or
//! `12ms, depth 9, nodes 5120, forbidden 33`; the first two kinds are c-gomoku-cli's. What a person
//! said follows on the next lines. An empty first line says nothing, and protects a comment that
//! looks like such a list.

use crate::records::{Move, MoverSearch};
use tengen_core::rules::Violation;

const OPENING: &str = "opening move";
const SCORE: &str = "score ";
const DEPTH: &str = "depth ";
const NODES: &str = "nodes ";
const FORBIDDEN: &str = "forbidden ";

/// The remarks on a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Remarks {
    /// True if the move was given to the players.
    pub(super) opening: bool,
    /// The time in milliseconds.
    pub(super) time: Option<u64>,
    pub(super) score: Option<i32>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// The reason why the move lost.
    pub(super) forbidden: Option<Violation>,
}

impl Remarks {
    /// Returns what a move itself says.
    pub(super) fn on(m: &Move) -> Remarks {
        let MoverSearch { time, score, depth, nodes } = m.search();
        Remarks { time, score, depth, nodes, ..Remarks::default() }
    }

    /// Reads a first line; `None` if it is anything else.
    fn parse(line: &str) -> Option<Remarks> {
        let mut remarks = Remarks::default();
        for part in line.split(", ") {
            if part == OPENING {
                remarks.opening = true;
            } else if let Some(number) = part.strip_suffix("ms") {
                let digits = number.bytes().all(|b| b.is_ascii_digit());
                remarks.time = Some(number.parse().ok().filter(|_| digits)?);
            } else if let Some(number) = part.strip_prefix(SCORE) {
                remarks.score = Some(number.parse().ok()?);
            } else if let Some(number) = part.strip_prefix(DEPTH) {
                remarks.depth = Some(number.parse().ok()?);
            } else if let Some(number) = part.strip_prefix(NODES) {
                remarks.nodes = Some(number.parse().ok()?);
            } else {
                let kind = part.strip_prefix(FORBIDDEN)?;
                remarks.forbidden = Some(Violation::ALL.into_iter().find(|v| v.name() == kind)?);
            }
        }
        Some(remarks)
    }

    fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.opening {
            parts.push(OPENING.to_owned());
        }
        parts.extend(self.time.map(|time| format!("{time}ms")));
        parts.extend(self.score.map(|score| format!("{SCORE}{score}")));
        parts.extend(self.depth.map(|depth| format!("{DEPTH}{depth}")));
        parts.extend(self.nodes.map(|nodes| format!("{NODES}{nodes}")));
        parts.extend(self.forbidden.map(|kind| format!("{FORBIDDEN}{kind}")));
        parts.join(", ")
    }

    /// Returns the text that holds the remarks and a comment.
    pub(super) fn with_comment(&self, comment: &str) -> String {
        let line = self.line();
        let first = comment.split('\n').next().unwrap_or_default();
        let unclear = first.is_empty() || Remarks::parse(first).is_some();
        if comment.is_empty() {
            line
        } else if line.is_empty() && !unclear {
            comment.to_owned()
        } else {
            format!("{line}\n{comment}")
        }
    }

    /// Divides a text into remarks and comment: the inverse of [`Remarks::with_comment`].
    pub(super) fn split(text: &str) -> (Remarks, &str) {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        if first.is_empty() {
            return (Remarks::default(), rest);
        }
        Remarks::parse(first).map_or((Remarks::default(), text), |remarks| (remarks, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_comments_are_told_apart() {
        let all = Remarks {
            opening: true,
            time: Some(153),
            score: Some(-35),
            depth: Some(9),
            nodes: Some(u64::MAX),
            forbidden: Some(Violation::DoubleThree),
        };
        assert_eq!(
            all.with_comment(""),
            "opening move, 153ms, score -35, depth 9, nodes 18446744073709551615, forbidden 33"
        );
        let some = Remarks { time: Some(0), ..Remarks::default() };
        for remarks in [Remarks::default(), some, all] {
            for comment in ["", "good", "7ms", "\n7ms", "\n", "a\nb", "depth 3", "nodes 1", "ms"] {
                let text = remarks.with_comment(comment);
                assert_eq!(Remarks::split(&text), (remarks.clone(), comment), "{text:?}");
            }
        }
    }
}

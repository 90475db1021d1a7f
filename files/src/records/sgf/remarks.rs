//! The parts of comments on moves that are for programs.
//!
//! The first line of a comment may be a list such as `opening move`, `153ms, score 35` or
//! `12ms, depth 9, nodes 5120, forbidden 33`; the first two kinds are c-gomoku-cli's. What a person
//! said follows on the next lines. An empty first line says nothing, and protects a comment that
//! looks like such a list. A list that says what can't be meant there is words: of an opening outside of it,
//! of a forbidden move that did not lose the game.

use crate::records::{GameResult, Move, MoverSearch, Reason, Record};
use tengen_core::rules::Violation;
use tengen_core::types::Color;

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

    /// Gives a move what they say of its search, and the words that follow them as its comment.
    fn take(&self, m: &mut Move, words: &str) {
        let Remarks { time, score, depth, nodes, .. } = *self;
        m.set_search(MoverSearch { time, score, depth, nodes });
        m.set_comment(words);
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

/// What the remarks on the moves of a game say of all of it, while they are being read.
#[derive(Debug, Default)]
pub(super) struct GameRemarks {
    /// The number of first moves that were given to the players.
    opening: usize,
    /// True if another move has come.
    is_opened: bool,
    /// The move that was last called forbidden, and whether those before it were given to the players.
    forbidden: Option<(usize, bool)>,
}

impl GameRemarks {
    /// Takes what the comment on a move says to programs, and keeps the rest; `place` is the number of
    /// moves before it in the game, or `None` in a variation.
    pub(super) fn read(&mut self, m: &mut Move, comment: &str, place: Option<usize>) {
        let (remarks, words) = Remarks::split(comment);
        let in_opening = place.is_some() && !self.is_opened;
        if let Some(place) = place {
            self.is_opened |= !remarks.opening || remarks.forbidden.is_some();
            if remarks.forbidden.is_some() {
                self.forbidden = Some((place, in_opening));
            }
        }
        // These are words, unless the game turns out to have ended by a forbidden move.
        if remarks.forbidden.is_some() || remarks.opening && !in_opening {
            m.set_comment(comment);
            return;
        }
        remarks.take(m, words);
        if let Some(place) = place.filter(|_| remarks.opening) {
            self.opening = place + 1;
        }
    }

    /// Writes what they say to the game, whose result is known.
    pub(super) fn write(self, record: &mut Record) {
        record.opening = self.opening;
        let count = record.moves.len();
        let (result, last) = (record.result, record.moves.last_mut());
        let Some((place, in_opening)) = self.forbidden else { return };
        let Some(last) = last.filter(|last| place + 1 == count && may_be_fatal(result, last))
        else {
            return;
        };
        let comment = last.comment().to_owned();
        let (remarks, words) = Remarks::split(&comment);
        let reason = remarks.forbidden.map(Reason::Forbidden);
        // RE has no more than a forfeit for it.
        if matches!(record.reason, None | Some(Reason::Forfeit)) || record.reason == reason {
            remarks.take(last, words);
            record.reason = reason;
            if in_opening && remarks.opening {
                record.opening = count;
            }
        }
    }
}

/// Returns whether the last move of a game with this result may have lost it as a forbidden one.
pub(super) fn may_be_fatal(result: Option<GameResult>, last: &Move) -> bool {
    let is_black_stone = last.color == Color::Black && last.point().is_some();
    is_black_stone && result == Some(GameResult::Win(Color::White))
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

//! Knowledge about positions near the root.

use super::worker::Worker;
use crate::board::Board;
use crate::types::{Bound, Color, Depth, Ply, Point, Score};

/// The number of plies from the root within which positions are looked up. Further away there are so
/// many that looking them up would cost more than searching them.
const KNOWN_PLIES: u16 = 6;
/// The length assumed for proven wins of unknown length, in plies; also the maximum.
pub const UNKNOWN_LENGTH: u16 = 400;

/// Something that knows positions without a search, such as a database. All threads ask it.
pub trait Knowledge: Sync {
    /// Returns what is known of a position, if anything is.
    fn at(&self, board: &Board, to_move: Color) -> Option<KnownPosition>;
}

/// Knowledge about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownPosition {
    /// The best move.
    pub best: Option<Point>,
    /// The value.
    pub value: Option<KnownValue>,
}

/// The known value of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownValue {
    /// A proven win, within this number of plies if anybody knows it.
    Win(Option<u16>),
    /// A proven loss, within this number of plies if anybody knows it.
    Loss(Option<u16>),
    /// A proven draw.
    Draw,
    /// The result of a search. A win or a loss is taken for no more than a high or a low score:
    /// somebody may have written down one that is none.
    Searched {
        /// The score.
        score: Score,
        /// The depth of the search.
        depth: Depth,
        /// The relation of the score to the true one.
        bound: Bound,
    },
}

/// The worth of a known value at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KnownScore {
    /// The score is as good as any search.
    Proven(Score),
    /// The score of a search to this depth, relative to the position.
    Searched(Score, Depth, Bound),
}

impl KnownValue {
    /// Returns the score for a node at `ply`.
    pub(super) fn score_at(self, ply: Ply) -> KnownScore {
        let after =
            |plies: Option<u16>| ply.plus(plies.unwrap_or(UNKNOWN_LENGTH).min(UNKNOWN_LENGTH));
        match self {
            KnownValue::Win(plies) => KnownScore::Proven(Score::win_in(after(plies))),
            KnownValue::Loss(plies) => KnownScore::Proven(Score::loss_in(after(plies))),
            KnownValue::Draw => KnownScore::Proven(Score::ZERO),
            KnownValue::Searched { score, depth, bound } => {
                KnownScore::Searched(Score::eval(score.raw()), depth, bound)
            }
        }
    }
}

impl Worker<'_> {
    /// Returns what is known of the position at a node near the root.
    pub(super) fn known(&self, ply: Ply) -> Option<KnownPosition> {
        let known = self.shared.options.known.filter(|_| ply.0 <= KNOWN_PLIES)?;
        known.at(self.position.board(), self.position.to_move())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_from_the_node_and_only_a_proof_is_a_win() {
        let at = |value: KnownValue| value.score_at(Ply(3));
        assert_eq!(at(KnownValue::Win(Some(5))), KnownScore::Proven(Score::win_in(Ply(8))));
        assert_eq!(at(KnownValue::Loss(Some(4))), KnownScore::Proven(Score::loss_in(Ply(7))));
        assert_eq!(at(KnownValue::Draw), KnownScore::Proven(Score::ZERO));
        let longest = KnownScore::Proven(Score::win_in(Ply(3 + UNKNOWN_LENGTH)));
        assert_eq!(at(KnownValue::Win(None)), longest);
        assert_eq!(at(KnownValue::Win(Some(u16::MAX))), longest);
        let (depth, bound) = (Depth::plies(9), Bound::Lower);
        let searched = |score| at(KnownValue::Searched { score, depth, bound });
        assert_eq!(searched(Score::eval(7)), KnownScore::Searched(Score::eval(7), depth, bound));
        let KnownScore::Searched(score, _, _) = searched(Score::win_in(Ply(5))) else {
            panic!("a search proves nothing");
        };
        assert!(!score.is_win() && score > Score::eval(7));
    }
}

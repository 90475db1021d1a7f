//! What a database knows near the root.

use std::fmt;

use super::worker::Worker;
use crate::board::Board;
use crate::database::{
    DatabaseError, DatabaseReader, KnownMove, Placement, PositionEntry, ProvenResult,
};
use crate::rules::Rule;
use crate::types::{Bound, Color, Depth, Ply, Score};

/// The number of plies from the root within which positions are looked up. Further away there are so
/// many that looking them up would cost more than searching them.
const KNOWN_PLIES: u16 = 6;
/// The length in plies of a win whose length nobody knows, and the most of any.
pub const UNKNOWN_LENGTH: u16 = 400;

/// The positions of a database, for a search.
pub struct KnownPositions {
    reader: DatabaseReader,
    rule: Rule,
}

impl fmt::Debug for KnownPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownPositions").field("rule", &self.rule).finish_non_exhaustive()
    }
}

/// What the search takes from an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KnownScore {
    /// The score is as good as any search.
    Proven(Score),
    /// The score of a search to this depth, relative to the position.
    Searched(Score, Depth, Bound),
}

impl KnownPositions {
    /// Returns the positions of this rule.
    #[must_use]
    pub const fn new(reader: DatabaseReader, rule: Rule) -> KnownPositions {
        KnownPositions { reader, rule }
    }

    /// Returns the database.
    #[must_use]
    pub const fn reader(&self) -> &DatabaseReader {
        &self.reader
    }

    /// Returns what is known of a position. A database that can't be read knows nothing.
    #[must_use]
    pub fn at(&self, board: &Board, to_move: Color) -> Option<PositionEntry> {
        self.try_at(board, to_move).ok().flatten()
    }

    /// Returns what is known of a position.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn try_at(
        &self,
        board: &Board,
        to_move: Color,
    ) -> Result<Option<PositionEntry>, DatabaseError> {
        let placement = Placement::new(self.rule, board.clone(), to_move);
        placement.map_or(Ok(None), |placement| self.reader.get(&placement))
    }

    /// Returns the moves of a position that lead to positions with an entry. A database that can't be
    /// read knows none.
    #[must_use]
    pub fn moves(&self, board: &Board, to_move: Color) -> Vec<KnownMove> {
        self.try_moves(board, to_move).unwrap_or_default()
    }

    /// Returns the moves of a position that lead to positions with an entry.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn try_moves(
        &self,
        board: &Board,
        to_move: Color,
    ) -> Result<Vec<KnownMove>, DatabaseError> {
        let placement = Placement::new(self.rule, board.clone(), to_move);
        placement.map_or(Ok(Vec::new()), |placement| self.reader.moves(&placement))
    }
}

/// Returns the score of an entry for a node at `ply`.
pub(super) fn score_of(entry: &PositionEntry, ply: Ply) -> Option<KnownScore> {
    let after = |plies: Option<u16>| ply.plus(plies.unwrap_or(UNKNOWN_LENGTH).min(UNKNOWN_LENGTH));
    match (entry.result, entry.evaluation) {
        (Some(ProvenResult::Win(plies)), _) => {
            Some(KnownScore::Proven(Score::win_in(after(plies))))
        }
        (Some(ProvenResult::Loss(plies)), _) => {
            Some(KnownScore::Proven(Score::loss_in(after(plies))))
        }
        (Some(ProvenResult::Draw), _) => Some(KnownScore::Proven(Score::ZERO)),
        (None, Some(evaluation)) => {
            let depth = Depth::plies(i32::from(evaluation.depth.max(0)));
            // Somebody may have written down a win that is none; only results are proofs.
            let score = Score::eval(evaluation.score.raw());
            Some(KnownScore::Searched(score, depth, evaluation.bound?))
        }
        (None, None) => None,
    }
}

impl Worker<'_> {
    /// Returns what the database knows of the position at a node near the root.
    pub(super) fn known(&self, ply: Ply) -> Option<PositionEntry> {
        let known = self.shared.options.known.filter(|_| ply.0 <= KNOWN_PLIES)?;
        known.at(self.position.board(), self.position.to_move())
    }
}

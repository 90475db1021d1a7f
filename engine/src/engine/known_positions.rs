//! Access of searches and books to a database.

use std::fmt;
use std::sync::OnceLock;

use crate::database::{
    DatabaseError, DatabaseReader, KnownMove, Placement, PositionEntry, ProvenResult,
};
use tengen_core::board::Board;
use tengen_core::rules::Rule;
use tengen_core::search::{Knowledge, KnownPosition, KnownValue};
use tengen_core::sys::fault::{self, Place};
use tengen_core::types::{Color, Depth};

/// The positions of a database under a rule. A search gets of an entry what it can use.
pub struct KnownPositions {
    reader: DatabaseReader,
    rule: Rule,
    /// The first read error.
    fault: OnceLock<DatabaseError>,
}

impl fmt::Debug for KnownPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownPositions").field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl KnownPositions {
    /// Returns the positions of this rule.
    #[must_use]
    pub const fn new(reader: DatabaseReader, rule: Rule) -> KnownPositions {
        KnownPositions { reader, rule, fault: OnceLock::new() }
    }

    /// Returns why [`KnownPositions::at`] or [`KnownPositions::moves`] could not read something, if that
    /// has happened.
    #[must_use]
    pub fn fault(&self) -> Option<&DatabaseError> {
        self.fault.get()
    }

    fn read<T: Default>(&self, found: Result<T, DatabaseError>) -> T {
        found.unwrap_or_else(|error| {
            // The first one explains those that follow.
            let _ = self.fault.set(error);
            T::default()
        })
    }

    /// Returns the database.
    #[must_use]
    pub const fn reader(&self) -> &DatabaseReader {
        &self.reader
    }

    /// Returns what is known of a position. A database that can't be read knows nothing.
    #[must_use]
    pub fn at(&self, board: &Board, to_move: Color) -> Option<PositionEntry> {
        self.read(self.try_at(board, to_move))
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
        fault::pass(Place::Knowledge);
        let placement = Placement::new(self.rule, board.clone(), to_move);
        placement.map_or(Ok(None), |placement| self.reader.get(&placement))
    }

    /// Returns the moves of a position that lead to positions with an entry. A database that can't be
    /// read knows none.
    #[must_use]
    pub fn moves(&self, board: &Board, to_move: Color) -> Vec<KnownMove> {
        self.read(self.try_moves(board, to_move))
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

impl Knowledge for KnownPositions {
    fn at(&self, board: &Board, to_move: Color) -> Option<KnownPosition> {
        let entry = KnownPositions::at(self, board, to_move)?;
        Some(KnownPosition { best: entry.best, value: value_of(&entry) })
    }
}

/// Returns what an entry says of the value of its position.
fn value_of(entry: &PositionEntry) -> Option<KnownValue> {
    match (entry.result, entry.evaluation) {
        (Some(ProvenResult::Win(plies)), _) => Some(KnownValue::Win(plies)),
        (Some(ProvenResult::Loss(plies)), _) => Some(KnownValue::Loss(plies)),
        (Some(ProvenResult::Draw), _) => Some(KnownValue::Draw),
        (None, Some(evaluation)) => {
            let depth = Depth::plies(i32::from(evaluation.depth.max(0)));
            Some(KnownValue::Searched { score: evaluation.score, depth, bound: evaluation.bound? })
        }
        (None, None) => None,
    }
}

//! Entries by their keys, wherever they are looked up.

use super::{
    DatabaseError, DatabaseReader, DatabaseWriter, KnownMove, MappedKey, Placement, PositionEntry,
    PositionKey, Stored,
};
use tengen_core::types::Point;

/// A database as it is, or as it is while it is being changed.
pub(super) trait Lookup {
    /// Returns the entry of a key as it is stored.
    fn entry(&self, key: &PositionKey) -> Result<Option<PositionEntry>, DatabaseError>;
}

impl Lookup for DatabaseReader {
    fn entry(&self, key: &PositionKey) -> Result<Option<PositionEntry>, DatabaseError> {
        self.stored(key)
    }
}

impl Lookup for DatabaseWriter<'_> {
    fn entry(&self, key: &PositionKey) -> Result<Option<PositionEntry>, DatabaseError> {
        self.stored(key)
    }
}

/// Returns the moves that lead to positions with an entry, by cell.
pub(super) fn known_moves(
    lookup: &impl Lookup,
    placement: &Placement,
) -> Result<Vec<KnownMove>, DatabaseError> {
    let mut images = placement.images();
    let mut keys: Vec<(Point, MappedKey)> =
        placement.board().empties().iter().map(|at| (at, images.key_after(at))).collect();
    // Neighbouring keys are on one page.
    keys.sort_unstable_by(|(_, a), (_, b)| a.key.cmp(&b.key));
    let mut moves = Vec::new();
    for (point, mapped) in keys {
        if let Some(entry) = lookup.entry(&mapped.key)? {
            moves.push(KnownMove { point, entry: mapped.seen(entry) });
        }
    }
    moves.sort_unstable_by_key(|known| known.point);
    Ok(moves)
}

impl DatabaseReader {
    /// Returns the positions with an entry that one legal move of the side to move leads to, each once, by
    /// their keys.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn following(&self, placement: &Placement) -> Result<Vec<Stored>, DatabaseError> {
        let mut images = placement.images();
        let moves = placement.board().empties().iter();
        let mut keys: Vec<(PositionKey, Point)> =
            moves.map(|at| (images.key_after(at).key, at)).collect();
        keys.sort_unstable();
        let mut stored: Vec<Stored> = Vec::new();
        for same in keys.chunk_by(|(a, _), (b, _)| a == b) {
            let key = &same[0].0;
            // Of stones that make the same position one may be forbidden and another not.
            if let Some(entry) = self.stored(key)?
                && same.iter().any(|&(_, at)| !placement.forbids(at))
            {
                stored.push(Stored { key: key.clone(), entry });
            }
        }
        Ok(stored)
    }
}

impl Placement {
    /// Returns the first cell on which an allowed stone of the side to move makes the position of a key.
    #[must_use]
    pub fn move_to(&self, key: &PositionKey) -> Option<Point> {
        let mut images = self.images();
        let mut moves = self.board().empties().iter();
        moves.find(|&at| images.key_after(at).key == *key && !self.forbids(at))
    }
}

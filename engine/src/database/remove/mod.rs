//! Removing whole trees of positions.

use std::ops::Bound::{Excluded, Included};
use std::str::FromStr;

use redb::{ReadableTable, TableDefinition};
use thiserror::Error;

use super::guard::{Context, Held};
use super::store::POSITIONS;
use super::{
    DatabaseError, DatabaseWriter, KeyGroup, Placement, PositionDatabase, PositionEntry,
    PositionKey, ProvenResult,
};
use tengen_core::types::Cell;

/// The positions that a removal goes through, with what becomes of them. It exists only within the
/// transaction of a removal, and keeps its memory bounded.
const FRONTIER: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("removal");

/// The number of positions of the frontier that are held in memory at a time.
const CHUNK: usize = 4096;

/// The fate of a position of the frontier.
mod fate {
    /// It is removed unless another position that stays leads to it.
    pub(super) const CANDIDATE: u8 = 0;
    /// It is gone, and all that only it leads to will be.
    pub(super) const GONE: u8 = 1;
    /// It stays, and what follows is filtered.
    pub(super) const STAYS: u8 = 2;
}

/// Returns the fate that is stored with a position of the frontier: one byte, always.
fn fate_of(bytes: &[u8]) -> u8 {
    bytes.first().copied().unwrap_or(fate::STAYS)
}

/// Positions chosen by their results, from the point of view of the side that has just moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFilter {
    /// All.
    Any,
    /// `w`: the mover wins.
    Won,
    /// `l`: the mover loses.
    Lost,
    /// `wl`: either wins.
    WonOrLost,
    /// `wld`: there is a result.
    Decided,
    /// `nonwl`: no win of either side is known.
    NeitherWonNorLost,
    /// `nonwld`: there is no result.
    Undecided,
    /// `wlnostep`: either wins, in nobody knows how many plies.
    NoDistance,
    /// `wlinstep:N`: either wins within this number of plies, that of the mover included.
    Within(u16),
}

/// A text that is not a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the filters are w, l, wl, wld, nonwl, nonwld, wlnostep and wlinstep:N")]
pub struct ResultFilterError;

impl FromStr for ResultFilter {
    type Err = ResultFilterError;

    /// Reads a filter by its name, as Yixin-Board has it.
    fn from_str(text: &str) -> Result<ResultFilter, ResultFilterError> {
        Ok(match text {
            "w" => ResultFilter::Won,
            "l" => ResultFilter::Lost,
            "wl" => ResultFilter::WonOrLost,
            "wld" => ResultFilter::Decided,
            "nonwl" => ResultFilter::NeitherWonNorLost,
            "nonwld" => ResultFilter::Undecided,
            "wlnostep" => ResultFilter::NoDistance,
            _ => {
                let plies = text.strip_prefix("wlinstep:").ok_or(ResultFilterError)?;
                ResultFilter::Within(plies.parse().map_err(|_| ResultFilterError)?)
            }
        })
    }
}

impl ResultFilter {
    /// Returns whether a position is chosen.
    #[must_use]
    pub fn chooses(self, entry: &PositionEntry) -> bool {
        let decisive = match entry.result {
            Some(ProvenResult::Win(distance) | ProvenResult::Loss(distance)) => Some(distance),
            _ => None,
        };
        match self {
            ResultFilter::Any => true,
            ResultFilter::Won => matches!(entry.result, Some(ProvenResult::Loss(_))),
            ResultFilter::Lost => matches!(entry.result, Some(ProvenResult::Win(_))),
            ResultFilter::WonOrLost => decisive.is_some(),
            ResultFilter::Decided => entry.result.is_some(),
            ResultFilter::NeitherWonNorLost => decisive.is_none(),
            ResultFilter::Undecided => entry.result.is_none(),
            ResultFilter::NoDistance => decisive == Some(None),
            ResultFilter::Within(most) => decisive.flatten().is_some_and(|plies| plies < most),
        }
    }
}

/// The extent of a removal: with a position or below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Removal {
    /// The positions one move later that go.
    pub filter: ResultFilter,
    /// True if the filter looks below those that stay as well.
    pub goes_on: bool,
    /// True if the position itself goes; then the filter means nothing, and all that follows goes.
    pub with_root: bool,
}

impl PositionDatabase {
    /// Removes what follows from a position by known moves, and returns how many positions are gone. All
    /// are gone when the call returns, or none.
    ///
    /// A position to which another one leads that stays is kept, with all that follows from it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written or was opened for reading.
    pub fn remove_following(
        &self,
        root: &Placement,
        removal: Removal,
    ) -> Result<u64, DatabaseError> {
        self.check_writable()?;
        self.begin(|transaction| {
            let removed = {
                let positions = self.file().hold(|| transaction.open_table(POSITIONS))?;
                let frontier = self.file().hold(|| transaction.open_table(FRONTIER))?;
                let positions = DatabaseWriter::new(positions, self.file());
                Remover { positions, frontier, removal, removed: 0, file: self.file() }.run(root)?
            };
            self.file().ask(|| transaction.delete_table(FRONTIER))?;
            Ok(removed)
        })
    }
}

struct Remover<'t> {
    positions: DatabaseWriter<'t>,
    frontier: Held<redb::Table<'t, &'static [u8], &'static [u8]>>,
    removal: Removal,
    removed: u64,
    file: &'t Context,
}

impl Remover<'_> {
    fn run(mut self, root: &Placement) -> Result<u64, DatabaseError> {
        let key = root.key().key;
        let fate = if self.removal.with_root {
            self.removed += u64::from(self.positions.remove_stored(&key)?);
            fate::GONE
        } else {
            fate::STAYS
        };
        self.set_fate(&key, fate)?;
        let mut group = key.group();
        loop {
            self.in_chunks(group, |remover, key, fate| remover.follow(key, fate))?;
            group.stones += 1;
            if group.stones > group.size.area() || !self.any(group)? {
                return Ok(self.removed);
            }
            self.in_chunks(group, |remover, key, fate| match fate {
                fate::CANDIDATE => remover.remove(key),
                _ => Ok(()),
            })?;
        }
    }

    /// Puts the known positions after a position of the frontier into it.
    fn follow(&mut self, key: &PositionKey, fate: u8) -> Result<(), DatabaseError> {
        let placement = key.placement();
        let mut images = placement.images();
        for point in placement.board().empties().iter() {
            let next = images.key_after(point).key;
            let Some(entry) = self.positions.stored(&next)? else { continue };
            if fate == fate::GONE || self.removal.filter.chooses(&entry) {
                // One that stays for the sake of another position does so.
                if self.fate(&next)?.is_none() {
                    self.set_fate(&next, fate::CANDIDATE)?;
                }
            } else if self.removal.goes_on {
                self.set_fate(&next, fate::STAYS)?;
            }
        }
        Ok(())
    }

    /// Removes a position, unless one that is not in the frontier leads to it.
    fn remove(&mut self, key: &PositionKey) -> Result<(), DatabaseError> {
        let placement = key.placement();
        let mut images = placement.images();
        for point in placement.size().points() {
            if placement.board().cell(point) == Cell::Stone(!placement.to_move()) {
                let before = images.key_before(point).key;
                if self.fate(&before)?.is_none() && self.positions.stored(&before)?.is_some() {
                    return self.file.ask(|| self.frontier.remove(key.as_bytes()).map(drop));
                }
            }
        }
        self.removed += u64::from(self.positions.remove_stored(key)?);
        self.set_fate(key, fate::GONE)
    }

    fn fate(&self, key: &PositionKey) -> Result<Option<u8>, DatabaseError> {
        let read = |fate: redb::AccessGuard<'_, &[u8]>| fate_of(fate.value());
        self.file.ask(|| self.frontier.get(key.as_bytes()).map(|fate| fate.map(read)))
    }

    fn set_fate(&mut self, key: &PositionKey, fate: u8) -> Result<(), DatabaseError> {
        self.file.ask(|| self.frontier.insert(key.as_bytes(), [fate].as_slice()).map(drop))
    }

    /// Returns whether a group has positions of the frontier.
    fn any(&self, group: KeyGroup) -> Result<bool, DatabaseError> {
        Ok(!self.chunk(&group.prefix(), group, 1)?.is_empty())
    }

    /// Calls `work` for each position of a group that is in the frontier.
    fn in_chunks(
        &mut self,
        group: KeyGroup,
        mut work: impl FnMut(&mut Self, &PositionKey, u8) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let mut from = group.prefix().to_vec();
        loop {
            let chunk = self.chunk(&from, group, CHUNK)?;
            let Some((last, _)) = chunk.last() else { return Ok(()) };
            from = last.as_bytes().to_vec();
            from.push(0);
            for (key, fate) in &chunk {
                work(self, key, *fate)?;
            }
        }
    }

    fn chunk(
        &self,
        from: &[u8],
        group: KeyGroup,
        most: usize,
    ) -> Result<Vec<(PositionKey, u8)>, DatabaseError> {
        let end = group.end();
        let range = (Included(from), Excluded(end.as_slice()));
        self.file
            .ask(|| {
                let mut chunk = Vec::new();
                for next in self.frontier.range::<&[u8]>(range)?.take(most) {
                    let (key, fate) = next?;
                    chunk.push(self.file.key(key.value()).map(|key| (key, fate_of(fate.value()))));
                }
                Ok::<_, redb::Error>(chunk)
            })?
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests;

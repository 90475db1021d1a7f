//! The transposition table of searches, and its file.

use std::sync::{Arc, Mutex, PoisonError};

use super::{TableFile, TableUsage};
use tengen_core::eval::EvaluatorKind;
use tengen_core::position::Position;
use tengen_core::search::TranspositionTable;
use tengen_core::sys::memory::Reserve;
use tengen_core::sys::turns;

/// The transposition table, once it exists, for questions from other threads.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedTable(Arc<Mutex<Option<Arc<TranspositionTable>>>>);

impl SharedTable {
    /// Returns the usage of the table.
    pub(super) fn usage(&self) -> TableUsage {
        let table = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        table.map_or_else(TableUsage::default, |table| TableUsage {
            permille: table.usage(),
            bytes: table.bytes() as u64,
        })
    }

    /// Replaces the table.
    pub(super) fn set(&self, table: Option<Arc<TranspositionTable>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = table;
    }
}

/// A transposition table that is made when it is needed.
#[derive(Default)]
pub(super) struct HashTable {
    table: Option<Arc<TranspositionTable>>,
    shared: SharedTable,
    /// The requested size, in bytes, which exceeds the actual size if memory was short.
    wanted: usize,
    /// True if a search may have left something in it.
    has_learnt: bool,
    /// The byte from which on its memory is not known to be resident; `None` if all is.
    not_resident: Option<usize>,
}

impl HashTable {
    /// Returns a place for a table, which others see as well.
    pub(super) fn new(shared: SharedTable) -> HashTable {
        HashTable { shared, ..HashTable::default() }
    }

    /// Returns the table, if there is one.
    pub(super) fn table(&self) -> Option<&Arc<TranspositionTable>> {
        self.table.as_ref()
    }

    /// Returns the table for a search, which leaves something in it.
    pub(super) fn lend_to_learn(&mut self) -> Option<Arc<TranspositionTable>> {
        let table = self.table.clone()?;
        self.has_learnt = true;
        Some(table)
    }

    /// Returns whether a search may have left something in it.
    pub(super) fn has_learnt(&self) -> bool {
        self.has_learnt
    }

    /// Returns whether the table was made for this size.
    pub(super) fn is_of(&self, bytes: usize) -> bool {
        self.wanted == bytes
    }

    /// Makes a table of this size, unless it is there, or a smaller one where memory is short: there is so
    /// much address space beside it as the search `needs`, in bytes.
    pub(super) fn make(&mut self, bytes: usize, needs: usize) {
        if self.table.is_some() && self.is_of(bytes) {
            return;
        }
        self.set(None);
        self.wanted = bytes;
        let mut bytes = bytes;
        while self.table.is_none() {
            let reserve = Reserve::new(needs);
            // A table of no bytes is one as well.
            if reserve.is_ok() || bytes == 0 {
                self.set(TranspositionTable::new(bytes).ok());
            }
            bytes /= 2;
        }
    }

    /// Makes up to a GiB of the table resident, until something else `is_wanted`: more takes long, and others
    /// may need it.
    pub(super) fn make_resident(&mut self, is_wanted: &dyn Fn() -> bool) {
        const MOST: usize = 1 << 30;
        let Some(table) = &self.table else { return };
        while let Some(from) = self.not_resident.filter(|&from| from < MOST) {
            turns::give_way();
            if is_wanted() {
                return;
            }
            self.not_resident = table.make_resident(from);
        }
    }

    /// Returns the bytes of the table that are not known to be resident.
    pub(super) fn bytes_not_resident(&self) -> usize {
        self.table.as_ref().zip(self.not_resident).map_or(0, |(table, from)| table.bytes() - from)
    }

    /// Gives the table up, with all that was learnt. One that nothing was learnt in is as good as a new one.
    pub(super) fn forget(&mut self) {
        if self.has_learnt {
            self.set(None);
        } else {
            self.shared.set(self.table.clone());
        }
    }

    /// Gives the table up.
    pub(super) fn drop_table(&mut self) {
        self.set(None);
    }

    fn set(&mut self, table: Option<TranspositionTable>) {
        self.table = table.map(Arc::new);
        self.has_learnt = false;
        self.not_resident = Some(0);
        self.shared.set(self.table.clone());
    }

    /// Writes the table to a file; returns the message for the user.
    pub(super) fn save(&self, file: &TableFile, identity: u64) -> Result<String, String> {
        let Some(table) = &self.table else { return Err("there is no memory".to_owned()) };
        let saved = table.save(&file.path, identity);
        saved.map_err(|error| format!("the hash table was not saved: {error}"))?;
        Ok(format!("hash table saved to {}", file.path.display()))
    }

    /// Reads a table of at most so many bytes from a file; returns the message for the user.
    pub(super) fn load(
        &mut self,
        file: &TableFile,
        identity: u64,
        most: usize,
    ) -> Result<String, String> {
        let told = |error| format!("the hash table was not loaded: {error}");
        // Two tables at once may exceed the allowed memory, so the old one is dropped as soon as the
        // new one is known to be sound.
        TranspositionTable::check(&file.path, identity, most).map_err(told)?;
        self.set(None);
        let table = TranspositionTable::load(&file.path, identity, most).map_err(told)?;
        let percent = f64::from(table.usage()) / 10.0;
        self.set(Some(table));
        self.wanted = most;
        self.has_learnt = true;
        Ok(format!("hash table loaded from {}: {percent:.1}% used", file.path.display()))
    }
}

/// Returns the identity of a table, which differs where entries mean different things.
pub(super) fn identity(file: &TableFile, kind: EvaluatorKind, evaluator: u32) -> u64 {
    // The key of a position with a few stones detects a change of the keys.
    let mut position = Position::new(file.rule, file.size);
    let center = file.size.center();
    for point in file.size.points().filter(|p| p.distance(center) == 1).step_by(2) {
        position.play_unchecked(point);
    }
    let (rule, size, key) = (file.rule, file.size, position.key().0);
    let text = format!("{kind} {rule} {size} {key:x} {evaluator:08x}");
    // A hash that is the same on every machine and with every compiler version.
    crc32fast::hash(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_table_becomes_resident_once_and_in_parts() {
        let looks = Cell::new(0);
        let from_look = |look: usize| {
            let looks = &looks;
            move || {
                looks.set(looks.get() + 1);
                looks.get() >= look
            }
        };
        let mut hash = HashTable::default();
        hash.make_resident(&|| unreachable!("there is no table"));
        hash.make(9 << 20, 0);
        hash.make_resident(&from_look(3));
        assert_eq!((looks.take(), hash.not_resident), (3, Some(4 << 20)));
        assert_eq!(hash.bytes_not_resident(), 5 << 20);
        hash.make_resident(&from_look(100));
        assert_eq!((looks.take(), hash.not_resident), (3, None));
        hash.make(9 << 20, 0);
        hash.make_resident(&from_look(100));
        assert_eq!(looks.take(), 0);
        // Another table, of no bytes, has one look: it does not know.
        hash.make(0, 0);
        hash.make_resident(&from_look(100));
        assert_eq!((looks.take(), hash.not_resident), (1, None));
    }
}

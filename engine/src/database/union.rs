//! Merging two databases.

use super::{DatabaseError, PositionDatabase, Stored};
use tengen_files::work::Stop;

/// The number of positions that are saved at a time.
const BATCH: usize = 100_000;

/// Counts of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MergedPositions {
    /// Positions read.
    pub read: u64,
    /// Positions that are new in this database, or changed in it.
    pub changed: u64,
    /// True if all was read.
    pub complete: bool,
}

impl PositionDatabase {
    /// Adds what another database knows, as [`PositionEntry::merge`](super::PositionEntry::merge)
    /// does. `progress` receives the number of positions that were read, after each. After `stop` is set,
    /// those are added and no more.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the files can't be read, or this one not written. What was saved
    /// before stays.
    pub fn merge_from(
        &self,
        other: &PositionDatabase,
        stop: &Stop,
        progress: &mut dyn FnMut(u64),
    ) -> Result<MergedPositions, DatabaseError> {
        let mut entries = other.read()?.scan(None)?;
        let mut merged = MergedPositions::default();
        let mut batch: Vec<Stored> = Vec::new();
        let mut is_over = false;
        while !is_over {
            // Nothing waits for the other file while this one is locked for writing.
            while batch.len() < BATCH && !is_over {
                match entries.next().transpose()? {
                    Some(stored) => {
                        batch.push(stored);
                        merged.read += 1;
                        progress(merged.read);
                        is_over = stop.is_set();
                    }
                    None => (is_over, merged.complete) = (true, true),
                }
            }
            merged.changed += self.write(|writer| {
                batch.drain(..).try_fold(0, |changed, Stored { key, entry }| {
                    Ok(changed + u64::from(writer.merge_stored(&key, &entry)?))
                })
            })?;
        }
        Ok(merged)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::database::{Access, Placement, PositionEntry};
    use tengen_core::board::Board;
    use tengen_core::rules::Rule;
    use tengen_core::types::{Color, Size};

    /// Returns a database in which each of the first cells of a row has this text.
    fn database(folder: &TempDir, name: &str, cells: i64, text: &str) -> PositionDatabase {
        let path = folder.path().join(name);
        let database = PositionDatabase::open(&path, Access::Create).unwrap();
        let put = |x| {
            let board = Board::new(Size::DEFAULT);
            let mut placement = Placement::new(Rule::Freestyle, board, Color::Black).unwrap();
            placement.play(Size::DEFAULT.point(x, 0).unwrap()).unwrap();
            let entry = PositionEntry { text: text.to_owned(), ..PositionEntry::default() };
            database.write(|writer| writer.put(&placement, entry))
        };
        (0..cells).try_for_each(put).unwrap();
        database
    }

    #[test]
    fn what_the_other_knows_is_added_as_far_as_it_may() {
        let folder = TempDir::with_prefix("tengen-union-").unwrap();
        let own = database(&folder, "own", 2, "own");
        let other = database(&folder, "other", 5, "other");
        let stop = Stop::new();
        let mut look = |read| {
            if read == 3 {
                stop.request();
            }
        };
        let merged = own.merge_from(&other, &stop, &mut look).unwrap();
        assert_eq!(merged, MergedPositions { read: 3, changed: 3, complete: false });
        let mut told = Vec::new();
        let merged = own.merge_from(&other, &Stop::new(), &mut |read| told.push(read));
        assert_eq!(told, [1, 2, 3, 4, 5]);
        assert_eq!(merged.unwrap(), MergedPositions { read: 5, changed: 2, complete: true });
        assert_eq!(own.read().unwrap().len().unwrap(), 5);
        let again = own.merge_from(&other, &Stop::new(), &mut |_| {}).unwrap();
        assert_eq!(again, MergedPositions { read: 5, changed: 0, complete: true });
        let texts =
            own.read().unwrap().scan(None).unwrap().map(|stored| stored.unwrap().entry.text);
        assert_eq!(texts.filter(|text| text == "own\nother").count(), 2);
    }
}

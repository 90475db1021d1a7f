//! The division of the memory that a manager allows.

use super::Settings;
use crate::sys::memory::total_bytes;

/// The smallest `max_memory` with which the engine can play, in bytes.
pub const LEAST_MEMORY: u64 = 16 << 20;

/// The memory of everything but the transposition table and the threads: code, pattern tables,
/// the position and its history.
const BASE: u64 = 8 << 20;
/// The memory of one search thread beyond the table: its stack, position, histories.
const PER_THREAD: u64 = 3 << 20;
/// The table without any limit on memory.
const USUAL_TABLE: u64 = 1 << 30;
/// The smallest table.
const LEAST_TABLE: u64 = 1 << 20;

/// Returns the size of the transposition table that keeps the whole process within the memory
/// allowed, with a tenth to spare.
#[must_use]
pub fn table_bytes(settings: &Settings) -> usize {
    let physical = total_bytes().map_or(u64::MAX, |bytes| bytes / 2);
    let allowed = match settings.max_memory {
        None => USUAL_TABLE,
        Some(limit) => {
            let others = BASE + PER_THREAD * settings.threads as u64;
            (limit.max(LEAST_MEMORY) / 10 * 9).saturating_sub(others)
        }
    };
    let wanted = settings.hash_size.unwrap_or(u64::MAX);
    allowed.min(wanted).min(physical).max(LEAST_TABLE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(max_memory: Option<u64>, threads: usize) -> Settings {
        Settings { threads, max_memory, ..Settings::default() }
    }

    #[test]
    fn the_table_leaves_room_for_everything_else() {
        for megabytes in [16, 32, 64, 350, 4000] {
            for threads in [1, 2, 8] {
                let limit = megabytes << 20;
                let table = table_bytes(&settings(Some(limit), threads)) as u64;
                let rest = BASE + PER_THREAD * threads as u64;
                assert!(table == LEAST_TABLE || table + rest <= limit, "{megabytes} {threads}");
            }
        }
    }

    #[test]
    fn the_wish_for_a_small_table_is_obeyed() {
        let mut small = settings(None, 1);
        small.hash_size = Some(4 << 20);
        assert_eq!(table_bytes(&small), 4 << 20);
        small.hash_size = Some(0);
        assert_eq!(table_bytes(&small) as u64, LEAST_TABLE);
    }
}

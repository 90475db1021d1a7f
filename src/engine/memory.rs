//! The division of the allowed memory between the table and the search threads.

use super::Settings;
use crate::eval::EvaluatorKind;
use crate::eval::network::EVALUATOR_BYTES;
use crate::search::STACK_BYTES;
use crate::sys::memory::{ALIGNMENT_SLACK, total_bytes};

const MIB: u64 = 1 << 20;

/// The smallest `max_memory` with which the engine can play, in bytes.
pub const LEAST_MEMORY: u64 = 16 * MIB;

/// The address space of everything except the transposition table and further search threads: the
/// program and its libraries, pattern tables, all stacks, and the first search thread.
const BASE: u64 = 16 * MIB;
/// The address space of one more search thread, without its evaluator: its stack, position,
/// histories, lines of play.
const PER_THREAD: u64 = STACK_BYTES as u64 + MIB / 2;
/// The default size of the table without a memory limit, in bytes.
const USUAL_TABLE: u64 = 1 << 30;
/// The size of the smallest table, in bytes.
const LEAST_TABLE: u64 = MIB;

/// Returns the memory for the table and all search threads but the first: nine tenths of the
/// allowed memory minus the fixed needs. `None` means no limit.
fn room(settings: &Settings) -> Option<u64> {
    let limit = settings.max_memory?.max(LEAST_MEMORY);
    Some((limit / 10 * 9).saturating_sub(BASE + evaluator_bytes(settings)))
}

/// Returns the evaluator that fits into memory: the one asked for, or the tables where the limit
/// leaves no room for a network.
#[must_use]
pub fn evaluator_within(settings: &Settings) -> EvaluatorKind {
    let needed = BASE + EVALUATOR_BYTES as u64 + LEAST_TABLE;
    let fits = settings.max_memory.is_none_or(|limit| limit / 10 * 9 >= needed);
    match settings.evaluator {
        EvaluatorKind::Network if !fits => EvaluatorKind::Patterns,
        kind => kind,
    }
}

/// Returns the memory of the evaluator of a thread beyond what every thread has.
fn evaluator_bytes(settings: &Settings) -> u64 {
    match evaluator_within(settings) {
        EvaluatorKind::Network => EVALUATOR_BYTES as u64,
        _ => 0,
    }
}

/// Returns the address space of one more search thread.
fn thread_bytes(settings: &Settings) -> u64 {
    PER_THREAD + evaluator_bytes(settings)
}

/// Returns the number of search threads that fit into memory, at most as many as requested; threads
/// leave at least a quarter of the memory for the shared table.
#[must_use]
pub fn threads_within(settings: &Settings) -> usize {
    let asked = settings.threads.max(1);
    let most = room(settings).map(|room| room / 4 * 3 / thread_bytes(settings));
    most.map_or(asked, |more| asked.min(1 + more as usize))
}

/// Returns the size of the transposition table, in bytes, that keeps the whole process, with the
/// threads of [`threads_within`], below nine tenths of the allowed memory.
#[must_use]
pub fn table_bytes(settings: &Settings) -> usize {
    let physical = total_bytes().map_or(u64::MAX, |bytes| bytes / 2);
    let allowed = room(settings).map_or(USUAL_TABLE, |room| {
        let table = room - thread_bytes(settings) * (threads_within(settings) as u64 - 1);
        // A large table briefly takes more address space than it keeps.
        let slack = ALIGNMENT_SLACK as u64;
        if table < slack { table } else { (table - slack).max(slack / 2) }
    });
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
    fn table_and_threads_leave_room_for_everything_else() {
        for evaluator in [EvaluatorKind::Patterns, EvaluatorKind::Network] {
            for megabytes in [16, 32, 64, 350, 4000] {
                for threads in [1, 2, 8, 64, 256] {
                    let settings =
                        Settings { evaluator, ..settings(Some(megabytes * MIB), threads) };
                    let (table, running) =
                        (table_bytes(&settings) as u64, threads_within(&settings));
                    let first = BASE + evaluator_bytes(&settings);
                    let rest = first + thread_bytes(&settings) * (running as u64 - 1);
                    assert!((1..=threads).contains(&running), "{megabytes} {threads}");
                    // With the smallest memory limit the program alone may exceed it.
                    let least = LEAST_TABLE + first;
                    let most = (megabytes * MIB / 10 * 9).max(least);
                    assert!(table + rest <= most, "{megabytes} {threads}");
                }
            }
        }
    }

    #[test]
    fn threads_are_fewer_only_where_they_would_not_fit() {
        for (megabytes, threads, with_tables, with_network) in [
            (16, 64, 1, 1),
            (32, 4, 4, 2),
            (32, 64, 7, 2),
            (350, 64, 64, 47),
            (4000, 256, 256, 256),
        ] {
            let settings = settings(Some(megabytes * MIB), threads);
            let running = |evaluator| threads_within(&Settings { evaluator, ..settings });
            assert_eq!(running(EvaluatorKind::Patterns), with_tables, "{megabytes} {threads}");
            assert_eq!(running(EvaluatorKind::Network), with_network, "{megabytes} {threads}");
        }
        let many = settings(Some(350 * MIB), 256);
        let with_tables = Settings { evaluator: EvaluatorKind::Patterns, ..many };
        assert!((100..200).contains(&threads_within(&with_tables)));
        assert!((40..64).contains(&threads_within(&many)));
        assert_eq!(threads_within(&settings(None, 256)), 256);
        assert_eq!(threads_within(&settings(None, 0)), 1);
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

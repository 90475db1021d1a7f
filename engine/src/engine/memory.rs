//! The division of the allowed memory between the table and the search threads.

use std::time::Duration;

use super::Settings;
use crate::machine::total_bytes;
use tengen_core::eval::EvaluatorKind;
use tengen_core::eval::network::EVALUATOR_BYTES;
use tengen_core::search::STACK_BYTES;
use tengen_core::sys::memory::ALIGNMENT_SLACK;
use tengen_core::sys::processors::processors;

const MIB: u64 = 1 << 20;

/// The smallest `max_memory` with which the engine can play, in bytes.
pub const LEAST_MEMORY: u64 = 16 * MIB;

/// The address space of everything except the transposition table and further search threads: the
/// program and its libraries, pattern tables, all stacks, and the first search thread.
const BASE: u64 = 16 * MIB;
/// The address space of one more search thread, without its evaluator: its stack, position,
/// histories, lines of play.
const PER_THREAD: u64 = STACK_BYTES as u64 + MIB / 8 * 3;
/// The default size of the table without a memory limit, in bytes.
const USUAL_TABLE: u64 = 1 << 30;
/// The size of the smallest table, in bytes.
const LEAST_TABLE: u64 = MIB / 4;
/// The address space of the tables of a rule.
const RULE_BYTES: u64 = 3 * MIB;
/// The address space of a network, while it is unpacked.
const NETWORK_BYTES: u64 = 2 * MIB;
/// The address space that a search needs after that, without its other threads: lists, reports, the
/// stacks of threads that start.
const SEARCH_BYTES: u64 = MIB / 2;
/// The memory for pages of a database and of a book, in bytes.
const DATABASE_BYTES: u64 = 32 * MIB;

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

/// Returns the address space that the first search of a rule needs for its tables, its network and the
/// evaluator of the first thread, in bytes.
pub(super) fn rule_bytes(settings: &Settings) -> usize {
    let network = match evaluator_within(settings) {
        EvaluatorKind::Network => NETWORK_BYTES + EVALUATOR_BYTES as u64,
        _ => 0,
    };
    (RULE_BYTES + network) as usize
}

/// Returns the address space that a search needs besides the table and the tables of its rule, in bytes, if
/// so many of its threads are prepared.
pub(super) fn search_bytes(
    settings: &Settings,
    threads: usize,
    prepared: usize,
    has_database: bool,
) -> usize {
    const STACK: u64 = STACK_BYTES as u64;
    let unprepared = threads.saturating_sub(prepared.max(1)) as u64;
    // The first thread has its stack, but an evaluator only once it is prepared.
    let first = if prepared == 0 { evaluator_bytes(settings) } else { 0 };
    let kept = first + unprepared * (STACK + evaluator_bytes(settings));
    let others = (threads as u64 - 1) * (PER_THREAD - STACK) + kept;
    let database = if has_database { DATABASE_BYTES } else { 0 };
    (SEARCH_BYTES + database + others) as usize
}

/// Returns the number of threads of which a search of at most this time makes use.
///
/// Where more threads run than there are processors, each waits for the others: the main thread as well, and
/// a move would be late by as much. So its turn has to come a few times.
pub(super) fn useful_threads(time: Option<Duration>) -> usize {
    /// The longest time that a system lets a thread run while others wait.
    const SLICE: Duration = Duration::from_millis(4);
    /// The turns of the main thread.
    const TURNS: u128 = 32;
    let Some(time) = time else { return usize::MAX };
    let rounds = time.as_nanos() / (SLICE.as_nanos() * TURNS);
    processors().saturating_mul(usize::try_from(rounds).unwrap_or(usize::MAX).max(1))
}

/// Returns the number of search threads that fit into memory, at most as many as requested; threads
/// leave at least a fifth of the memory for the shared table.
#[must_use]
pub fn threads_within(settings: &Settings) -> usize {
    let asked = settings.threads.max(1);
    let most = room(settings).map(|room| room / 5 * 4 / thread_bytes(settings));
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
            (32, 4, 4, 3),
            (32, 64, 10, 3),
            (350, 64, 64, 64),
            (350, 256, 213, 68),
            (4000, 256, 256, 256),
        ] {
            let settings = settings(Some(megabytes * MIB), threads);
            let running = |evaluator| threads_within(&Settings { evaluator, ..settings });
            assert_eq!(running(EvaluatorKind::Patterns), with_tables, "{megabytes} {threads}");
            assert_eq!(running(EvaluatorKind::Network), with_network, "{megabytes} {threads}");
        }
        assert_eq!(threads_within(&settings(None, 256)), 256);
        assert_eq!(threads_within(&settings(None, 0)), 1);
    }

    #[test]
    fn a_short_search_has_no_more_threads_than_take_their_turns() {
        let processors = processors();
        let useful = |ms| useful_threads(Some(Duration::from_millis(ms)));
        assert_eq!([0, 5, 100, 255].map(useful), [processors; 4]);
        assert_eq!([256, 1000].map(useful), [2 * processors, 7 * processors]);
        assert_eq!(useful_threads(None), usize::MAX);
        assert_eq!(useful_threads(Some(Duration::MAX)), usize::MAX);
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

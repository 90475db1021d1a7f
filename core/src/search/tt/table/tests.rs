//! Tests of the guarantees of a table, on small ones.

use std::thread;

use super::*;
use crate::rng::SplitMix64;
use crate::types::{MAX_POINTS, Point, Score};

/// The number of rounds, fewer under Miri, which takes a thousand times as long.
const fn rounds(number: usize) -> usize {
    if cfg!(miri) { number / 500 } else { number }
}

fn table(bytes: usize) -> TranspositionTable {
    TranspositionTable::new(bytes).unwrap()
}

pub(in crate::search::tt) fn hit(plies: i32) -> TtEntry {
    TtEntry {
        score: Score::eval(plies),
        eval: None,
        bound: Bound::Lower,
        depth: Depth::plies(plies),
        best: None,
        was_pv: false,
    }
}

/// Returns an entry whose fields are all functions of the key and of one of four versions.
pub(in crate::search::tt) fn derived(key: Key, version: u64) -> TtEntry {
    let mut rng = SplitMix64::new(key.0 ^ version);
    TtEntry {
        score: Score::eval(rng.below(40_000) as i32 - 20_000),
        eval: Some(Score::eval(rng.below(40_000) as i32 - 20_000)),
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3)],
        depth: Depth::from_raw(rng.below(4000) as i32),
        best: Some(Point::from_index(rng.below(MAX_POINTS))),
        was_pv: rng.below(2) == 1,
    }
}

#[test]
fn what_is_stored_is_found_and_nothing_else() {
    let table = table(1 << 16);
    let mut rng = SplitMix64::new(1);
    for _ in 0..rounds(1000) {
        let key = Key(rng.next_u64());
        assert_eq!(table.probe(key), None);
        let hit = derived(key, 0);
        table.store(key, hit);
        assert_eq!(table.probe(key), Some(hit));
        assert_eq!(table.probe(key ^ Key(1)), None);
    }
    table.clear(3);
    let mut rng = SplitMix64::new(1);
    assert!((0..rounds(1000)).all(|_| table.probe(Key(rng.next_u64())).is_none()));
}

#[test]
fn the_key_zero_is_not_in_an_empty_table() {
    let table = table(64);
    assert_eq!(table.probe(Key(0)), None);
    table.store(Key(0), hit(3));
    assert_eq!(table.probe(Key(0)), Some(hit(3)));
}

#[cfg_attr(miri, ignore = "takes megabytes")]
#[test]
fn a_table_is_never_larger_than_asked_for() {
    for bytes in [0, 1, 63, 64, 65, 1000, 4096, 1_000_003, 3 << 20] {
        let table = table(bytes);
        assert!(table.bytes() <= bytes && bytes - table.bytes() < 64);
        assert_eq!(table.len(), table.bytes() / 64 * SLOTS);
        table.prefetch(Key(u64::MAX));
        table.store(Key(u64::MAX), hit(1));
        assert_eq!(table.probe(Key(u64::MAX)).is_some(), bytes >= 64);
        assert_eq!(table.is_empty(), bytes < 64);
    }
}

#[test]
fn an_impossible_size_is_an_error() {
    assert!(TranspositionTable::new(usize::MAX).is_err());
}

#[test]
fn the_same_position_is_replaced_only_by_an_exact_or_nearly_as_deep_result() {
    let stored = |old: i32, new: TtEntry| {
        let table = table(64);
        table.store(Key(9), hit(old));
        table.store(Key(9), new);
        table.probe(Key(9)).unwrap().depth == new.depth
    };
    assert!(stored(10, hit(11)));
    assert!(stored(10, hit(9)));
    assert!(!stored(10, hit(8)));
    assert!(stored(10, TtEntry { depth: Depth::from_raw(8 * 64 + 1), ..hit(0) }));
    assert!(stored(10, TtEntry { bound: Bound::Exact, ..hit(-3) }));
}

#[test]
fn a_result_without_move_or_evaluation_keeps_the_old_ones() {
    let table = table(64);
    let (best, eval) = (Some(Point::from_index(33)), Some(Score::eval(-5)));
    table.store(Key(9), TtEntry { best, eval, ..hit(4) });
    table.store(Key(9), hit(5));
    assert_eq!(table.probe(Key(9)), Some(TtEntry { best, eval, ..hit(5) }));
    let (best, eval) = (Some(Point::from_index(34)), Some(Score::eval(-6)));
    table.store(Key(9), TtEntry { best, eval, ..hit(6) });
    assert_eq!(table.probe(Key(9)), Some(TtEntry { best, eval, ..hit(6) }));
}

#[test]
fn the_shallowest_entry_of_a_full_bucket_is_replaced() {
    let table = table(64);
    for (key, depth) in [(1, 7), (2, 5), (3, 9), (4, 5), (5, 8)] {
        table.store(Key(key), hit(depth));
    }
    assert_eq!(table.hashfull(), 1000);
    table.store(Key(6), hit(-2));
    let present = |key| table.probe(Key(key)).is_some();
    // Of two equal entries the first is replaced.
    assert_eq!([1, 2, 3, 4, 5, 6].map(present), [true, false, true, true, true, true]);
    table.store(Key(7), hit(1));
    assert_eq!([4, 6, 7].map(present), [true, false, true]);
}

#[test]
fn entries_age_unless_they_are_used() {
    let table = table(64);
    for key in 1..=5 {
        table.store(Key(key), hit(20 + key as i32));
    }
    assert_eq!(table.hashfull(), 1000);
    table.new_search();
    assert_eq!(table.hashfull(), 0);
    assert!(table.probe(Key(1)).is_some());
    assert_eq!(table.hashfull(), 200);
    // Key 1 is the shallowest but in use; of the others it is key 2.
    table.store(Key(6), hit(1));
    assert!(table.probe(Key(1)).is_some() && table.probe(Key(2)).is_none());
    // A deep old entry outlives a shallow new one until it is old enough.
    table.store(Key(7), hit(18));
    assert!(table.probe(Key(6)).is_none() && table.probe(Key(3)).is_some());
}

#[cfg_attr(miri, ignore = "takes a thousand searches")]
#[test]
fn generations_wrap_around() {
    let table = table(64);
    table.store(Key(1), hit(1));
    for _ in 0..1000 {
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        assert_eq!(table.probe(Key(1)), Some(hit(1)));
        assert_eq!(table.hashfull(), 200);
    }
}

#[cfg_attr(miri, ignore = "stores thousands of entries")]
#[test]
fn keys_spread_over_the_whole_table() {
    let table = table(64 * 100);
    let mut rng = SplitMix64::new(8);
    for _ in 0..20_000 {
        table.store(Key(rng.next_u64()), hit(1));
    }
    assert_eq!(table.hashfull(), 1000);
}

#[cfg_attr(miri, ignore = "stores thousands of entries")]
#[test]
fn one_thread_gets_the_same_answers_every_time() {
    let run = |table: &TranspositionTable| -> u64 {
        let mut rng = SplitMix64::new(77);
        let mut sum = 0u64;
        for step in 0..200_000u64 {
            let key = Key((rng.below(3000) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            match table.probe(key) {
                Some(hit) => sum = sum.rotate_left(5) ^ Packed::new(hit, 0).0,
                None => table.store(key, derived(key, step % 4)),
            }
            if step % 10_000 == 0 {
                table.new_search();
            }
        }
        sum
    };
    let first = table(1 << 14);
    let expected = run(&first);
    assert_eq!(run(&table(1 << 14)), expected);
    first.clear(2);
    assert_eq!(run(&first), expected);
    assert_ne!(run(&first), expected, "the table does remember");
}

#[cfg_attr(miri, ignore = "takes megabytes")]
#[test]
fn clearing_with_threads_empties_every_bucket() {
    let table = table(32 << 20);
    let mut rng = SplitMix64::new(4);
    for _ in 0..100_000 {
        table.store(Key(rng.next_u64()), hit(1));
    }
    table.clear(4);
    assert!(table.buckets.iter().all(|bucket| (0..SLOTS).all(|s| bucket.load(s).0 == 0)));
}

#[test]
fn a_hit_is_whole_while_other_threads_write() {
    const VERSIONS: u64 = 4;
    const STEPS: usize = rounds(100_000);
    // Few keys in one bucket, so that threads write the same slots all the time.
    let keys: Vec<Key> = (0..12u64).map(|n| Key(n * 0x0000_0001_0345_6789)).collect();
    let table = table(64);
    let hits: usize = thread::scope(|scope| {
        let workers: Vec<_> = (0..4u64)
            .map(|id| {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    let mut rng = SplitMix64::new(id);
                    let mut hits = 0;
                    for step in 0..STEPS {
                        let key = keys[rng.below(keys.len())];
                        if let Some(hit) = table.probe(key) {
                            let whole = (0..VERSIONS).any(|v| derived(key, v) == hit);
                            assert!(whole, "{hit:?} was never stored for {key:?}");
                            hits += 1;
                        }
                        table.store(key, derived(key, rng.next_u64() % VERSIONS));
                        if step % 5000 == 0 {
                            table.new_search();
                        }
                    }
                    hits
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(hits > STEPS / 100, "the test saw {hits} hits only");
}

#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn a_large_table_costs_nothing_until_it_is_used() {
    let table = table(256 << 20);
    assert_eq!(table.buckets.resident_bytes(), 0);
    table.store(Key(u64::MAX), hit(1));
    assert_eq!(table.probe(Key(u64::MAX)), Some(hit(1)));
    assert!(table.buckets.resident_bytes() <= 2 << 20);
    table.clear(1);
    assert_eq!(table.buckets.resident_bytes(), 0);
    assert_eq!(table.probe(Key(u64::MAX)), None);
}

#[test]
fn the_usage_counts_the_entries_of_every_search() {
    let table = table(64 * 20);
    assert_eq!(table.usage(), 0);
    let keys: Vec<Key> = (0..20u64).map(|n| Key(n * (u64::MAX / 20) + u64::MAX / 40)).collect();
    for (stored, &key) in (1..).zip(&keys) {
        table.store(key, hit(1));
        assert_eq!(table.usage(), stored * 10, "each of the 20 entries is a hundredth of the room");
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
    table.store(keys[0], hit(2));
    assert_eq!(table.usage(), 200, "an entry that is replaced counts once");
    table.clear(1);
    assert_eq!(table.usage(), 0);
    assert_eq!(self::table(0).usage(), 0);
}

#[cfg_attr(miri, ignore = "takes megabytes")]
#[test]
fn the_usage_of_a_large_table_is_estimated_from_all_of_it() {
    const BYTES: usize = 32 << 20;
    let table = table(BYTES);
    let mut rng = SplitMix64::new(5);
    for _ in 0..table.len() / 4 {
        table.store(Key(rng.next_u64()), hit(1));
    }
    let used: usize = table.buckets.iter().map(Bucket::used).sum();
    let exact = (used * 1000 / table.len()) as u32;
    assert!(exact.abs_diff(table.usage()) <= 10, "{exact} {}", table.usage());
    // Entries in the last quarter only: a sample of the beginning would miss them.
    table.clear(1);
    for _ in 0..table.len() {
        table.store(Key(rng.next_u64() | 3 << 62), hit(1));
    }
    let usage = table.usage();
    assert!((225..=250).contains(&usage), "{usage}");
}

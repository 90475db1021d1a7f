//! The table: buckets of one cache line each.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use super::entry::{Bound, GENERATIONS, Hit, Packed};
use crate::sys::memory::{AllocError, Buffer, Zeroable};
use crate::sys::prefetch::prefetch;
use crate::types::{Depth, Key};

/// The entries of one bucket.
const SLOTS: usize = 5;

/// The depth that an entry loses in a comparison for every search begun since it was last used,
/// in 64ths of a ply. Stones never leave the board, so what the present search does not meet
/// again is soon of no use to any.
const AGE_COST: i32 = 8 * Depth::UNIT;

/// How much shallower a result may be and still replace one for the same position.
const SAME_POSITION_MARGIN: i32 = 2 * Depth::UNIT;

/// The entries that share a cache line.
///
/// `check[i]` is the low half of the key combined with both halves of `data[i]`: if two threads
/// write one slot at once and leave the words of different positions there, no key fits.
#[repr(C, align(64))]
struct Bucket {
    data: [AtomicU64; SLOTS],
    check: [AtomicU32; SLOTS],
    /// Fills the line.
    spare: AtomicU32,
}

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

// SAFETY: a bucket consists of atomic integers without padding, for which zero is a value and which
// have nothing to drop.
unsafe impl Zeroable for Bucket {
    fn set_zero(&self) {
        self.data.iter().for_each(Zeroable::set_zero);
        self.check.iter().for_each(Zeroable::set_zero);
        self.spare.set_zero();
    }
}

/// Returns what the check word of `data` must be for `key`.
#[inline]
fn check_of(key: Key, data: Packed) -> u32 {
    key.0 as u32 ^ data.0 as u32 ^ (data.0 >> 32) as u32
}

impl Bucket {
    #[inline]
    fn load(&self, slot: usize) -> Packed {
        Packed(self.data[slot].load(Ordering::Relaxed))
    }

    /// Returns whether the slot, whose data word was read as `data`, belongs to `key`.
    #[inline]
    fn is_for(&self, slot: usize, data: Packed, key: Key) -> bool {
        self.check[slot].load(Ordering::Relaxed) == check_of(key, data) && !data.is_empty()
    }

    #[inline]
    fn put(&self, slot: usize, key: Key, data: Packed) {
        self.data[slot].store(data.0, Ordering::Relaxed);
        self.check[slot].store(check_of(key, data), Ordering::Relaxed);
    }

    /// Returns the slot of `key` and what it holds.
    #[inline]
    fn find(&self, key: Key) -> Option<(usize, Packed)> {
        (0..SLOTS).find_map(|slot| {
            let data = self.load(slot);
            self.is_for(slot, data, key).then_some((slot, data))
        })
    }

    /// Returns the slot that is missed least: an empty one, else the first of those with the
    /// lowest depth less age.
    #[inline]
    fn least(&self, generation: u8) -> usize {
        let worth = |slot: usize| {
            let data = self.load(slot);
            if data.is_empty() {
                return i32::MIN;
            }
            let age = generation.wrapping_sub(data.generation()) % GENERATIONS;
            data.depth() - i32::from(age) * AGE_COST
        };
        let mut least = (worth(0), 0);
        for slot in 1..SLOTS {
            least = least.min((worth(slot), slot));
        }
        least.1
    }
}

/// A fixed-size store of search results, shared by all threads without locks.
///
/// A table of zero bytes is valid and remembers nothing. With one thread, equal calls on tables of
/// equal size give equal results.
#[derive(Debug)]
pub struct Table {
    buckets: Buffer<Bucket>,
    /// The number of the present search, below [`GENERATIONS`].
    generation: AtomicU8,
}

impl Table {
    /// Makes an empty table of at most `bytes`, without touching its memory.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(bytes: usize) -> Result<Table, AllocError> {
        let buckets = Buffer::zeroed(bytes / size_of::<Bucket>())?;
        Ok(Table { buckets, generation: AtomicU8::new(0) })
    }

    /// Makes the table empty and of at most `bytes`; the old memory is given back first.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had; the table then has no entries but works.
    pub fn resize(&mut self, bytes: usize) -> Result<(), AllocError> {
        self.buckets = Buffer::empty();
        *self = Table::new(bytes)?;
        Ok(())
    }

    /// Asks for large pages for what is not in use yet; see [`Buffer::prefer_large_pages`].
    pub fn prefer_large_pages(&self) {
        self.buckets.prefer_large_pages();
    }

    /// Forgets everything, with the help of up to `threads` threads. No search should be running:
    /// it would suffer no harm, but might keep entries from being forgotten.
    pub fn clear(&self, threads: usize) {
        self.buckets.clear(threads);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new generation: entries not used again from now on are the first to be replaced.
    pub fn new_search(&self) {
        let next = (self.generation() + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Returns the number of entries that the table has room for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buckets.len() * SLOTS
    }

    /// Returns whether the table has no room at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Returns the size of the table in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Returns how many of a thousand entries the present search has written or used, from a
    /// sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 200;
        let generation = self.generation();
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let used: usize = sample
            .iter()
            .map(|bucket| {
                let used = |&slot: &usize| {
                    let data = bucket.load(slot);
                    !data.is_empty() && data.generation() == generation
                };
                (0..SLOTS).filter(used).count()
            })
            .sum();
        (used * 1000 / (sample.len() * SLOTS).max(1)) as u32
    }

    /// Asks the processor to bring the bucket of `key` close.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// Returns a copy of what is stored for `key`, and marks it as used by the present search.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: Key) -> Option<Hit> {
        let bucket = self.bucket(key)?;
        let (slot, data) = bucket.find(key)?;
        let generation = self.generation();
        if data.generation() != generation {
            bucket.put(slot, key, data.with_generation(generation));
        }
        data.hit()
    }

    /// Stores what was found out about the position of `key`.
    ///
    /// An entry for the same position gives way only to an exact score or to one at most two plies
    /// shallower; its move and static evaluation stay where the new result has none. Otherwise an
    /// empty entry is filled or the one with the least depth, aged by the searches since its last
    /// use, is replaced.
    #[inline]
    pub fn store(&self, key: Key, mut hit: Hit) {
        let Some(bucket) = self.bucket(key) else { return };
        let generation = self.generation();
        let slot = match bucket.find(key) {
            Some((slot, old)) => {
                let keeps = hit.bound != Bound::Exact
                    && hit.depth.raw() + SAME_POSITION_MARGIN <= old.depth();
                if keeps {
                    return;
                }
                if let Some(old) = old.hit() {
                    hit.best = hit.best.or(old.best);
                    hit.eval = hit.eval.or(old.eval);
                }
                slot
            }
            None => bucket.least(generation),
        };
        bucket.put(slot, key, Packed::new(hit, generation));
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Returns the bucket of `key`, chosen by the high bits; the check words hold the low ones.
    #[inline]
    fn bucket(&self, key: Key) -> Option<&Bucket> {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::rng::SplitMix64;
    use crate::types::{MAX_POINTS, Point, Score};

    fn table(bytes: usize) -> Table {
        Table::new(bytes).unwrap()
    }

    fn hit(plies: i32) -> Hit {
        Hit {
            score: Score::eval(plies),
            eval: None,
            bound: Bound::Lower,
            depth: Depth::plies(plies),
            best: None,
            was_pv: false,
        }
    }

    /// Returns a hit whose every field is a function of the key and of one of four versions.
    fn derived(key: Key, version: u64) -> Hit {
        let mut rng = SplitMix64::new(key.0 ^ version);
        Hit {
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
        for _ in 0..1000 {
            let key = Key(rng.next_u64());
            assert_eq!(table.probe(key), None);
            let hit = derived(key, 0);
            table.store(key, hit);
            assert_eq!(table.probe(key), Some(hit));
            assert_eq!(table.probe(key ^ Key(1)), None);
        }
        table.clear(3);
        let mut rng = SplitMix64::new(1);
        assert!((0..1000).all(|_| table.probe(Key(rng.next_u64())).is_none()));
    }

    #[test]
    fn the_key_zero_is_not_in_an_empty_table() {
        let table = table(64);
        assert_eq!(table.probe(Key(0)), None);
        table.store(Key(0), hit(3));
        assert_eq!(table.probe(Key(0)), Some(hit(3)));
    }

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
    fn an_impossible_size_is_an_error_and_leaves_a_working_table() {
        assert!(Table::new(usize::MAX).is_err());
        let mut table = table(1 << 12);
        table.store(Key(5), hit(5));
        assert!(table.resize(usize::MAX).is_err());
        table.store(Key(5), hit(5));
        assert_eq!((table.probe(Key(5)), table.bytes()), (None, 0));
        table.resize(1 << 13).unwrap();
        assert_eq!((table.probe(Key(5)), table.bytes()), (None, 1 << 13));
        table.store(Key(5), hit(5));
        assert_eq!(table.probe(Key(5)), Some(hit(5)));
    }

    #[test]
    fn the_same_position_is_replaced_only_by_an_exact_or_nearly_as_deep_result() {
        let stored = |old: i32, new: Hit| {
            let table = table(64);
            table.store(Key(9), hit(old));
            table.store(Key(9), new);
            table.probe(Key(9)).unwrap().depth == new.depth
        };
        assert!(stored(10, hit(11)));
        assert!(stored(10, hit(9)));
        assert!(!stored(10, hit(8)));
        assert!(stored(10, Hit { depth: Depth::from_raw(8 * 64 + 1), ..hit(0) }));
        assert!(stored(10, Hit { bound: Bound::Exact, ..hit(-3) }));
    }

    #[test]
    fn a_result_without_move_or_evaluation_keeps_the_old_ones() {
        let table = table(64);
        let (best, eval) = (Some(Point::from_index(33)), Some(Score::eval(-5)));
        table.store(Key(9), Hit { best, eval, ..hit(4) });
        table.store(Key(9), hit(5));
        assert_eq!(table.probe(Key(9)), Some(Hit { best, eval, ..hit(5) }));
        let (best, eval) = (Some(Point::from_index(34)), Some(Score::eval(-6)));
        table.store(Key(9), Hit { best, eval, ..hit(6) });
        assert_eq!(table.probe(Key(9)), Some(Hit { best, eval, ..hit(6) }));
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
        // Of two that are equal the first goes.
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
        // Key 1 is shallowest but in use; of the others 2 is.
        table.store(Key(6), hit(1));
        assert!(table.probe(Key(1)).is_some() && table.probe(Key(2)).is_none());
        // A deep old entry outlives a shallow new one until it is old enough.
        table.store(Key(7), hit(18));
        assert!(table.probe(Key(6)).is_none() && table.probe(Key(3)).is_some());
    }

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

    #[test]
    fn keys_spread_over_the_whole_table() {
        let table = table(64 * 100);
        let mut rng = SplitMix64::new(8);
        for _ in 0..20_000 {
            table.store(Key(rng.next_u64()), hit(1));
        }
        assert_eq!(table.hashfull(), 1000);
    }

    #[test]
    fn one_thread_gets_the_same_answers_every_time() {
        let run = |table: &Table| -> u64 {
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
                        for step in 0..100_000 {
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
        assert!(hits > 1000, "the test saw {hits} hits only");
    }

    #[cfg(target_os = "linux")]
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
}

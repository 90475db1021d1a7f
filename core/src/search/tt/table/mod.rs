//! The table: buckets of one cache line each.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use super::entry::{GENERATIONS, Packed, TtEntry};
use crate::sys::memory::{AllocError, Buffer, Zeroable};
use crate::sys::prefetch::prefetch;
use crate::types::{Bound, Depth, Key};

/// The number of entries of a bucket.
pub(super) const SLOTS: usize = 5;

/// The depth, in 64ths of a ply, that an entry loses in replacement for every search started since
/// its last use. Stones never leave the board, so entries that the current search does not meet are
/// soon useless.
const AGE_COST: i32 = 8 * Depth::UNIT;

/// The depth, in 64ths of a ply, by which a new result may be shallower than the entry it replaces
/// for the same position.
const SAME_POSITION_MARGIN: i32 = 2 * Depth::UNIT;

/// The entries of one cache line.
///
/// `check[i]` is the low half of the key combined with both halves of `data[i]`. If two threads
/// write one slot at once and leave words of different positions there, no key matches.
#[repr(C, align(64))]
pub(super) struct Bucket {
    data: [AtomicU64; SLOTS],
    check: [AtomicU32; SLOTS],
    /// Padding to a full cache line.
    spare: AtomicU32,
}

const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

// SAFETY: a bucket consists of atomic integers without padding; zero is a valid value, and nothing
// needs to be dropped.
unsafe impl Zeroable for Bucket {
    fn set_zero(&self) {
        self.data.iter().for_each(Zeroable::set_zero);
        self.check.iter().for_each(Zeroable::set_zero);
        self.spare.set_zero();
    }
}

/// Returns the check word of `data` for `key`.
#[inline]
fn check_of(key: Key, data: Packed) -> u32 {
    key.0 as u32 ^ data.0 as u32 ^ (data.0 >> 32) as u32
}

impl Bucket {
    #[inline]
    pub(super) fn load(&self, slot: usize) -> Packed {
        Packed(self.data[slot].load(Ordering::Relaxed))
    }

    /// Returns whether the slot, whose data word is `data`, belongs to `key`.
    #[inline]
    fn is_for(&self, slot: usize, data: Packed, key: Key) -> bool {
        self.check(slot) == check_of(key, data) && !data.is_empty()
    }

    #[inline]
    fn put(&self, slot: usize, key: Key, data: Packed) {
        self.restore(slot, data, check_of(key, data));
    }

    /// Returns the check word of a slot, which is meaningful only if the slot is not empty.
    #[inline]
    pub(super) fn check(&self, slot: usize) -> u32 {
        self.check[slot].load(Ordering::Relaxed)
    }

    /// Fills a slot with words saved from another bucket.
    #[inline]
    pub(super) fn restore(&self, slot: usize, data: Packed, check: u32) {
        self.data[slot].store(data.0, Ordering::Relaxed);
        self.check[slot].store(check, Ordering::Relaxed);
    }

    /// Returns the number of used slots.
    fn used(&self) -> usize {
        (0..SLOTS).filter(|&slot| !self.load(slot).is_empty()).count()
    }

    /// Returns the slot of `key` and its data word.
    #[inline]
    fn find(&self, key: Key) -> Option<(usize, Packed)> {
        (0..SLOTS).find_map(|slot| {
            let data = self.load(slot);
            self.is_for(slot, data, key).then_some((slot, data))
        })
    }

    /// Returns the slot to replace: an empty one, or else the first of those with the lowest depth
    /// less age.
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
/// A table of zero bytes is valid and stores nothing. With one thread, equal calls on tables of
/// equal size give equal results.
///
/// ```
/// use tengen_core::search::TranspositionTable;
/// use tengen_core::types::Key;
///
/// let table = TranspositionTable::new(1 << 20)?;
/// assert!(table.bytes() <= 1 << 20);
/// assert_eq!(table.probe(Key::default()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    pub(super) buckets: Buffer<Bucket>,
    /// The number of the current search, below [`GENERATIONS`].
    pub(super) generation: AtomicU8,
}

impl TranspositionTable {
    /// Makes an empty table of at most `bytes`, without touching its memory.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(bytes: usize) -> Result<TranspositionTable, AllocError> {
        let buckets = Buffer::zeroed(bytes / size_of::<Bucket>())?;
        Ok(TranspositionTable { buckets, generation: AtomicU8::new(0) })
    }

    /// Requests large pages for memory that is not in use yet; see [`Buffer::prefer_large_pages`].
    pub fn prefer_large_pages(&self) {
        self.buckets.prefer_large_pages();
    }

    /// Makes 2 MiB of the table's memory resident, from byte `from` on, which is 0 for the first part;
    /// returns where the next part begins, or `None` at the end. See [`Buffer::make_resident`].
    pub fn make_resident(&self, from: usize) -> Option<usize> {
        let touch = |bucket: &Bucket| bucket.spare.store(0, Ordering::Relaxed);
        let bytes = size_of::<Bucket>();
        self.buckets.make_resident(from / bytes, touch).map(|next| next * bytes)
    }

    /// Clears the table with up to `threads` threads. No search should be running: that is safe,
    /// but some entries may survive.
    pub fn clear(&self, threads: usize) {
        self.buckets.clear(threads);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation; entries not used from now on are the first to be replaced.
    pub fn new_search(&self) {
        let next = (self.generation() + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Returns the capacity of the table, in entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buckets.len() * SLOTS
    }

    /// Returns whether the capacity is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Returns the size of the table in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Returns the fraction of entries that the current search has written or used, in thousandths,
    /// estimated from a sample.
    #[cfg(test)]
    pub(super) fn hashfull(&self) -> u32 {
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

    /// Returns the fraction of used entries from any search, in thousandths.
    ///
    /// This is 0 after [`TranspositionTable::clear`] and unchanged by saving and loading. Entries
    /// of earlier searches count, since they are found until they are replaced.
    ///
    /// Samples 4096 buckets spread evenly over the table, so the result is exact for tables of up
    /// to 256 KiB. For larger ones, whose buckets are filled at random, it is an estimate that is
    /// rarely wrong by more than one percent. The result is rounded down. May be called while
    /// searches run.
    #[must_use]
    pub fn usage(&self) -> u32 {
        const SAMPLE: usize = 4096;
        let len = self.buckets.len();
        let count = len.min(SAMPLE);
        let used: usize = (0..count)
            .map(|n| {
                let index = n as u128 * len as u128 / count as u128;
                self.buckets[index as usize].used()
            })
            .sum();
        (used * 1000 / (count * SLOTS).max(1)) as u32
    }

    /// Prefetches the bucket of `key` into the cache.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// Returns a copy of the entry of `key`, and marks it as used by the current search.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: Key) -> Option<TtEntry> {
        let bucket = self.bucket(key)?;
        let (slot, data) = bucket.find(key)?;
        let generation = self.generation();
        if data.generation() != generation {
            bucket.put(slot, key, data.with_generation(generation));
        }
        data.hit()
    }

    /// Stores a result for the position of `key`.
    ///
    /// An entry for the same position is replaced only by an exact score or by a result at most two
    /// plies shallower; its move and static evaluation are kept where the new result has none.
    /// Otherwise an empty slot is filled, or the entry with the least depth, reduced by its age, is
    /// replaced.
    #[inline]
    pub fn store(&self, key: Key, mut hit: TtEntry) {
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
    pub(super) fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Returns the bucket of `key`, chosen by its high bits; the check words hold the low ones.
    #[inline]
    fn bucket(&self, key: Key) -> Option<&Bucket> {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

#[cfg(test)]
pub(super) mod tests;

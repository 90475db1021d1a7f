//! The table of proof numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::sys::memory::Buffer;
use crate::sys::prefetch::prefetch;

/// The distances of a position from being proven and from being disproven.
///
/// `proof` is the least number of undecided positions that would have to turn out won for the
/// attacker to prove this one, `disproof` the least number that would have to turn out not to be
/// won to disprove it. A number of 0 is the fact itself; the other one is then
/// [`ProofNumbers::INFINITE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl ProofNumbers {
    /// The number that can't be reached.
    pub(super) const INFINITE: u32 = (1 << NUMBER_BITS) - 1;
    /// The attacker wins.
    pub(super) const PROVEN: ProofNumbers =
        ProofNumbers { proof: 0, disproof: ProofNumbers::INFINITE };
    /// The attacker does not win, as far as the horizon goes.
    pub(super) const DISPROVEN: ProofNumbers =
        ProofNumbers { proof: ProofNumbers::INFINITE, disproof: 0 };

    /// Returns numbers of an undecided position.
    pub(super) const fn new(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_disproven(self) -> bool {
        self.disproof == 0
    }
}

/// Returns the sum of two numbers, below infinity unless one of them is infinite.
pub(super) const fn sum(a: u32, b: u32) -> u32 {
    if a >= ProofNumbers::INFINITE || b >= ProofNumbers::INFINITE {
        ProofNumbers::INFINITE
    } else if a + b >= ProofNumbers::INFINITE {
        ProofNumbers::INFINITE - 1
    } else {
        a + b
    }
}

/// The entries of one bucket, which fill a cache line.
const SLOTS: usize = 4;
const WORDS: usize = 2 * SLOTS;
/// The bits of a number in an entry.
const NUMBER_BITS: u32 = 22;
const WORK_BITS: u32 = 64 - 2 * NUMBER_BITS;
const MOST_WORK: u64 = (1 << WORK_BITS) - 1;
/// The number of buckets that a table begins with: what a small cache holds.
const FIRST_BUCKETS: usize = 1 << 13;

/// ProofNumbers by position, in buckets of four.
///
/// An entry is two words: the key, and the two numbers over the work that they took. Of a full
/// bucket the entry that took the least work goes. A table begins small, so that short searches
/// stay within the processor's caches, and doubles until it has the size asked for. One thread
/// uses a table; the words are atomic only because that is what [`Buffer`] is made of.
#[derive(Debug)]
pub(super) struct ProofTable {
    words: Buffer<AtomicU64>,
    /// The number of buckets in use, at the beginning of the buffer.
    buckets: u64,
    /// The number of entries in use.
    used: u64,
}

fn pack(numbers: ProofNumbers, work: u64) -> u64 {
    u64::from(numbers.proof) << (NUMBER_BITS + WORK_BITS)
        | u64::from(numbers.disproof) << WORK_BITS
        | work.clamp(1, MOST_WORK)
}

fn unpack(word: u64) -> (ProofNumbers, u64) {
    let mask = (1 << NUMBER_BITS) - 1;
    let proof = (word >> (NUMBER_BITS + WORK_BITS)) as u32;
    let disproof = (word >> WORK_BITS) as u32 & mask;
    (ProofNumbers { proof, disproof }, word & MOST_WORK)
}

impl ProofTable {
    /// Returns an empty table of about `bytes` bytes: less if there is too little memory.
    pub(super) fn new(bytes: usize) -> ProofTable {
        let mut buckets = (bytes / (8 * WORDS)).clamp(1, u32::MAX as usize);
        loop {
            match Buffer::zeroed(buckets * WORDS) {
                Ok(words) => {
                    words.prefer_large_pages();
                    let mut table = ProofTable { words, buckets: 0, used: 0 };
                    table.shrink();
                    return table;
                }
                Err(_) if buckets > 1 => buckets /= 2,
                // Without any memory the table remembers nothing.
                Err(_) => return ProofTable { words: Buffer::empty(), buckets: 0, used: 0 },
            }
        }
    }

    /// Makes the table as small as it begins.
    fn shrink(&mut self) {
        let mut buckets = self.words.len() / WORDS;
        while buckets > FIRST_BUCKETS {
            buckets /= 2;
        }
        self.buckets = buckets as u64;
        self.used = 0;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for word in &self.words[..self.buckets as usize * WORDS] {
            word.store(0, Ordering::Relaxed);
        }
        self.shrink();
    }

    /// Doubles the number of buckets if there is room.
    #[cold]
    fn grow(&mut self) {
        let buckets = self.buckets as usize;
        if buckets * 2 * WORDS > self.words.len() {
            return;
        }
        self.buckets *= 2;
        // Entries of a bucket move to the two buckets of twice its number, which are free by then.
        for i in (0..buckets).rev() {
            let mut moved = [(0, 0); SLOTS];
            for (slot, entry) in moved.iter_mut().zip(self.words[i * WORDS..].chunks_exact(2)) {
                *slot = (entry[0].swap(0, Ordering::Relaxed), entry[1].swap(0, Ordering::Relaxed));
            }
            for (key, word) in moved {
                if word != 0
                    && let Some(entry) =
                        self.bucket(key).chunks_exact(2).find(|e| e[1].load(Ordering::Relaxed) == 0)
                {
                    entry[0].store(key, Ordering::Relaxed);
                    entry[1].store(word, Ordering::Relaxed);
                }
            }
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let first = (((key >> 32) * self.buckets) >> 32) as usize * WORDS;
        self.words.get(first..first + WORDS).unwrap_or_default()
    }

    /// Asks for the bucket of a position, which will be needed soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(word) = self.bucket(key).first() {
            prefetch(word);
        }
    }

    /// Returns what is known of a position and the work it took.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<(ProofNumbers, u64)> {
        for entry in self.bucket(key).chunks_exact(2) {
            if entry[0].load(Ordering::Relaxed) == key {
                let word = entry[1].load(Ordering::Relaxed);
                return (word != 0).then(|| unpack(word));
            }
        }
        None
    }

    /// Remembers what is known of a position after more work.
    #[inline]
    pub(super) fn store(&mut self, key: u64, numbers: ProofNumbers, work: u64) {
        let mut best: Option<(&[AtomicU64], u64)> = None;
        let mut total = work;
        let mut fresh = 0;
        for entry in self.bucket(key).chunks_exact(2) {
            let word = entry[1].load(Ordering::Relaxed);
            let spent = word & MOST_WORK;
            if word != 0 && entry[0].load(Ordering::Relaxed) == key {
                total += spent;
                best = Some((entry, 0));
                fresh = 0;
                break;
            }
            if best.is_none_or(|(_, least)| spent < least) {
                best = Some((entry, spent));
                fresh = u64::from(word == 0);
            }
        }
        if let Some((entry, _)) = best {
            entry[0].store(key, Ordering::Relaxed);
            entry[1].store(pack(numbers, total), Ordering::Relaxed);
        }
        self.used += fresh;
        if 2 * self.used > self.buckets * SLOTS as u64 {
            self.grow();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    #[test]
    fn what_was_stored_is_found_until_more_work_needs_the_room() {
        let mut table = ProofTable::new(64);
        for i in 1..=4u64 {
            table.store(i << 40, ProofNumbers::new(i as u32, 1), 10 * i);
        }
        for i in 1..=4 {
            assert_eq!(table.probe(i << 40), Some((ProofNumbers::new(i as u32, 1), 10 * i)));
        }
        table.store(5 << 40, ProofNumbers::PROVEN, 1);
        assert_eq!(table.probe(1 << 40), None, "the entry with the least work has to go");
        assert_eq!(table.probe(5 << 40), Some((ProofNumbers::PROVEN, 1)));
        table.store(2 << 40, ProofNumbers::DISPROVEN, 1);
        assert_eq!(table.probe(2 << 40), Some((ProofNumbers::DISPROVEN, 21)));
        table.clear();
        assert_eq!(table.probe(2 << 40), None);
    }

    #[test]
    fn a_table_of_any_size_works() {
        let mut rng = SplitMix64::new(1);
        for bytes in [0, 1, 64, 1000, 1 << 20] {
            let mut table = ProofTable::new(bytes);
            for _ in 0..1000 {
                let key = rng.next_u64();
                table.store(key, ProofNumbers::new(3, 4), 5);
                assert_eq!(table.probe(key), Some((ProofNumbers::new(3, 4), 5)));
            }
        }
    }

    #[test]
    fn a_sum_is_infinite_only_if_a_part_is() {
        let most = ProofNumbers::INFINITE - 1;
        assert_eq!(sum(2, 3), 5);
        assert_eq!(sum(most, most), most);
        assert_eq!(sum(0, ProofNumbers::INFINITE), ProofNumbers::INFINITE);
    }
}

//! The table of proof numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::sys::memory::Buffer;
use crate::sys::prefetch::prefetch;

/// How far a position is from being proven and from being disproven.
///
/// `proof` is the least number of undecided positions that would have to turn out won for the
/// attacker to prove this one, `disproof` the least number that would have to turn out not to be
/// won to disprove it. A number of 0 is the fact itself; the other one is then
/// [`Numbers::INFINITE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    /// What can't be reached.
    pub(super) const INFINITE: u32 = 1 << 30;
    /// The attacker wins.
    pub(super) const PROVEN: Numbers = Numbers { proof: 0, disproof: Numbers::INFINITE };
    /// The attacker does not win, as far as the horizon goes.
    pub(super) const DISPROVEN: Numbers = Numbers { proof: Numbers::INFINITE, disproof: 0 };

    /// Returns numbers of an undecided position.
    pub(super) const fn new(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof }
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
    if a >= Numbers::INFINITE || b >= Numbers::INFINITE {
        Numbers::INFINITE
    } else if a + b >= Numbers::INFINITE {
        Numbers::INFINITE - 1
    } else {
        a + b
    }
}

/// The entries of one bucket, which fill a cache line.
const SLOTS: usize = 4;
const WORDS: usize = 2 * SLOTS;
const WORK_BITS: u32 = 24;
const MOST_WORK: u64 = (1 << WORK_BITS) - 1;

/// Numbers by position, in buckets of four.
///
/// An entry is two words: 40 bits of the key over 24 bits of the work that the numbers took, and
/// the two numbers. Of a full bucket the entry that took the least work goes. One thread uses a
/// table; the words are atomic only because that is what [`Buffer`] is made of.
#[derive(Debug)]
pub(super) struct Table {
    words: Buffer<AtomicU64>,
    buckets: u64,
}

/// Returns whether the first word of an entry belongs to a key.
#[inline]
fn is_for(head: u64, key: u64) -> bool {
    (head ^ key) >> WORK_BITS == 0
}

impl Table {
    /// Returns an empty table of about so many bytes: less if there is not so much memory.
    pub(super) fn new(bytes: usize) -> Table {
        let mut buckets = (bytes / (8 * WORDS)).clamp(1, u32::MAX as usize);
        loop {
            match Buffer::zeroed(buckets * WORDS) {
                Ok(words) => {
                    words.prefer_large_pages();
                    return Table { words, buckets: buckets as u64 };
                }
                Err(_) if buckets > 1 => buckets /= 2,
                // Without any memory the table remembers nothing.
                Err(_) => return Table { words: Buffer::empty(), buckets: 0 },
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.words.clear(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let first = (((key & u64::from(u32::MAX)) * self.buckets) >> 32) as usize * WORDS;
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
    pub(super) fn probe(&self, key: u64) -> Option<(Numbers, u64)> {
        for entry in self.bucket(key).chunks_exact(2) {
            let head = entry[0].load(Ordering::Relaxed);
            let numbers = entry[1].load(Ordering::Relaxed);
            if is_for(head, key) && numbers != 0 {
                let numbers = Numbers::new((numbers >> 32) as u32, numbers as u32);
                return Some((numbers, head & MOST_WORK));
            }
        }
        None
    }

    /// Remembers what is known of a position after so much more work.
    #[inline]
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u64) {
        let mut best: Option<(&[AtomicU64], u64)> = None;
        let mut total = work;
        for entry in self.bucket(key).chunks_exact(2) {
            let head = entry[0].load(Ordering::Relaxed);
            let spent = head & MOST_WORK;
            if is_for(head, key) {
                total += spent;
                best = Some((entry, 0));
                break;
            }
            if best.is_none_or(|(_, least)| spent < least) {
                best = Some((entry, spent));
            }
        }
        if let Some((entry, _)) = best {
            let head = key & !MOST_WORK | total.clamp(1, MOST_WORK);
            let both = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
            entry[0].store(head, Ordering::Relaxed);
            entry[1].store(both, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    #[test]
    fn what_was_stored_is_found_until_more_work_needs_the_room() {
        let mut table = Table::new(64);
        for i in 1..=4u64 {
            table.store(i << 40, Numbers::new(i as u32, 1), 10 * i);
        }
        for i in 1..=4 {
            assert_eq!(table.probe(i << 40), Some((Numbers::new(i as u32, 1), 10 * i)));
        }
        table.store(5 << 40, Numbers::PROVEN, 1);
        assert_eq!(table.probe(1 << 40), None, "the entry with the least work has to go");
        assert_eq!(table.probe(5 << 40), Some((Numbers::PROVEN, 1)));
        table.store(2 << 40, Numbers::DISPROVEN, 1);
        assert_eq!(table.probe(2 << 40), Some((Numbers::DISPROVEN, 21)));
        table.clear();
        assert_eq!(table.probe(2 << 40), None);
    }

    #[test]
    fn a_table_of_any_size_works() {
        let mut rng = SplitMix64::new(1);
        for bytes in [0, 1, 64, 1000, 1 << 20] {
            let mut table = Table::new(bytes);
            for _ in 0..1000 {
                let key = rng.next_u64();
                table.store(key, Numbers::new(3, 4), 5);
                assert_eq!(table.probe(key), Some((Numbers::new(3, 4), 5)));
            }
        }
    }

    #[test]
    fn a_sum_is_infinite_only_if_a_part_is() {
        let most = Numbers::INFINITE - 1;
        assert_eq!(sum(2, 3), 5);
        assert_eq!(sum(most, most), most);
        assert_eq!(sum(0, Numbers::INFINITE), Numbers::INFINITE);
    }
}

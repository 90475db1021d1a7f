//! Table entries and their packing into 64 bits.

use crate::types::{Bound, Depth, MAX_POINTS, Point, Score};

/// The information stored about one position.
///
/// The result of a probe and the argument of a store. A position with only a static evaluation is
/// stored with an upper bound of [`Score::INFINITE`], which carries no information.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The score, relative to the node: see [`Score::to_table`].
    pub score: Score,
    /// The static evaluation, if it was computed.
    pub eval: Option<Score>,
    /// The kind of bound that the score is.
    pub bound: Bound,
    /// The depth of the search that found the score. Stored exactly from -20 to 235 plies, clamped
    /// beyond.
    pub depth: Depth,
    /// The best move found, if any.
    pub best: Option<Point>,
    /// True if the position was ever on a principal variation.
    pub was_pv: bool,
}

/// A [`TtEntry`] and the generation that wrote or last read it, packed into one word.
///
/// From the low end: score 16 bits, static evaluation 16, move 9, bound 2, principal variation 1,
/// depth 14, generation 6. The word 0 means empty; its bound 0 occurs in no entry.
///
/// Words are saved to files. Any change of this layout or of the meaning of a field needs a new
/// format version there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed(pub(super) u64);

const EVAL_SHIFT: u32 = 16;
const MOVE_SHIFT: u32 = 32;
const MOVE_BITS: u32 = 9;
const BOUND_SHIFT: u32 = MOVE_SHIFT + MOVE_BITS;
const PV_SHIFT: u32 = BOUND_SHIFT + 2;
const DEPTH_SHIFT: u32 = PV_SHIFT + 1;
const DEPTH_BITS: u32 = 14;
const GENERATION_SHIFT: u32 = DEPTH_SHIFT + DEPTH_BITS;
/// The smallest depth stored, in 64ths of a ply.
const LEAST_DEPTH: i32 = -20 * Depth::UNIT;
/// The largest depth stored, in 64ths of a ply.
const MOST_DEPTH: i32 = LEAST_DEPTH + (1 << DEPTH_BITS) - 1;
/// The marker of an absent static evaluation.
const NO_EVAL: i16 = i16::MIN;

/// The number of generations.
pub(super) const GENERATIONS: u8 = 1 << (u64::BITS - GENERATION_SHIFT);

const _: () = assert!(MAX_POINTS < 1 << MOVE_BITS, "a point and its absence need 9 bits");
const _: () = assert!(Score::INFINITE.raw() <= i16::MAX as i32);

impl Packed {
    /// Packs an entry; `generation` must be below [`GENERATIONS`].
    #[inline]
    pub(super) fn new(hit: TtEntry, generation: u8) -> Packed {
        debug_assert!(generation < GENERATIONS);
        let depth = hit.depth.raw().clamp(LEAST_DEPTH, MOST_DEPTH) - LEAST_DEPTH;
        let eval = hit.eval.map_or(NO_EVAL, |eval| eval.raw() as i16);
        let best = hit.best.map_or(0, |point| point.index() as u64 + 1);
        Packed(
            u64::from(hit.score.raw() as i16 as u16)
                | u64::from(eval as u16) << EVAL_SHIFT
                | best << MOVE_SHIFT
                | (hit.bound as u64) << BOUND_SHIFT
                | u64::from(hit.was_pv) << PV_SHIFT
                | (depth as u64) << DEPTH_SHIFT
                | u64::from(generation) << GENERATION_SHIFT,
        )
    }

    /// Returns `count` bits from `shift` on.
    #[inline]
    fn bits(self, shift: u32, count: u32) -> u64 {
        self.0 >> shift & ((1 << count) - 1)
    }

    /// Returns the stored entry, if any.
    #[inline]
    pub(super) fn hit(self) -> Option<TtEntry> {
        let bound = match self.bits(BOUND_SHIFT, 2) {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let eval = self.bits(EVAL_SHIFT, 16) as u16 as i16;
        let best = self.bits(MOVE_SHIFT, MOVE_BITS) as usize;
        Some(TtEntry {
            score: Score::from_raw(i32::from(self.0 as u16 as i16)),
            eval: (eval != NO_EVAL).then(|| Score::from_raw(i32::from(eval))),
            bound,
            depth: Depth::from_raw(self.depth()),
            best: (1..=MAX_POINTS).contains(&best).then(|| Point::from_index(best - 1)),
            was_pv: self.bits(PV_SHIFT, 1) != 0,
        })
    }

    /// Returns whether the word is empty.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.bits(BOUND_SHIFT, 2) == 0
    }

    /// Returns whether [`Packed::new`] can produce this word.
    pub(super) fn is_valid(self) -> bool {
        let possible = |raw: i16| i32::from(raw).abs() <= Score::INFINITE.raw();
        let eval = self.bits(EVAL_SHIFT, 16) as u16 as i16;
        !self.is_empty()
            && possible(self.0 as u16 as i16)
            && (eval == NO_EVAL || possible(eval))
            && self.bits(MOVE_SHIFT, MOVE_BITS) as usize <= MAX_POINTS
    }

    /// Returns the stored depth in 64ths of a ply.
    #[inline]
    pub(super) fn depth(self) -> i32 {
        self.bits(DEPTH_SHIFT, DEPTH_BITS) as i32 + LEAST_DEPTH
    }

    /// Returns the generation that wrote or last read the entry.
    #[inline]
    pub(super) fn generation(self) -> u8 {
        (self.0 >> GENERATION_SHIFT) as u8
    }

    /// Returns the same entry in another generation.
    #[inline]
    pub(super) fn with_generation(self, generation: u8) -> Packed {
        debug_assert!(generation < GENERATIONS);
        let rest = self.0 & ((1 << GENERATION_SHIFT) - 1);
        Packed(rest | u64::from(generation) << GENERATION_SHIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    const PLAIN: TtEntry = TtEntry {
        score: Score::ZERO,
        eval: None,
        bound: Bound::Exact,
        depth: Depth::ZERO,
        best: None,
        was_pv: false,
    };

    fn round_trip(hit: TtEntry) {
        for generation in [0, 1, GENERATIONS - 1] {
            let packed = Packed::new(hit, generation);
            assert_eq!(packed.hit(), Some(hit));
            assert_eq!(packed.generation(), generation);
            assert!(packed.is_valid() && !packed.is_empty());
            assert_eq!(packed.with_generation(5).hit(), Some(hit));
            assert_eq!(packed.with_generation(5).generation(), 5);
        }
    }

    #[test]
    fn every_value_of_every_field_survives_packing() {
        for raw in -Score::INFINITE.raw()..=Score::INFINITE.raw() {
            let score = Score::from_raw(raw);
            assert_eq!(Packed::new(TtEntry { score, ..PLAIN }, 9).hit().unwrap().score, score);
            let eval = Some(score);
            assert_eq!(Packed::new(TtEntry { eval, ..PLAIN }, 9).hit().unwrap().eval, eval);
        }
        for raw in LEAST_DEPTH..=MOST_DEPTH {
            round_trip(TtEntry { depth: Depth::from_raw(raw), ..PLAIN });
        }
        for index in 0..MAX_POINTS {
            round_trip(TtEntry { best: Some(Point::from_index(index)), ..PLAIN });
        }
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for was_pv in [false, true] {
                round_trip(TtEntry { bound, was_pv, ..PLAIN });
            }
        }
        round_trip(TtEntry {
            score: Score::loss_in(Ply(3)),
            eval: Some(Score::eval(-20_000)),
            bound: Bound::Upper,
            depth: Depth::from_raw(-1),
            best: Some(Point::from_index(MAX_POINTS - 1)),
            was_pv: true,
        });
    }

    #[test]
    fn depths_beyond_the_range_are_clamped() {
        let stored = |plies| {
            Packed::new(TtEntry { depth: Depth::plies(plies), ..PLAIN }, 0).hit().unwrap().depth
        };
        assert_eq!(stored(-21), Depth::plies(-20));
        assert_eq!(stored(200), Depth::plies(200));
        assert_eq!(stored(10_000), Depth::from_raw(MOST_DEPTH));
    }

    #[test]
    fn no_word_makes_unpacking_panic() {
        let mut rng = crate::rng::SplitMix64::new(3);
        for _ in 0..100_000 {
            let _ = Packed(rng.next_u64()).hit();
        }
        assert_eq!(Packed(0).hit(), None);
        assert!(Packed(0).is_empty());
    }

    #[test]
    fn exactly_the_words_that_packing_gives_are_valid() {
        let mut rng = crate::rng::SplitMix64::new(4);
        let mut valid = 0;
        for _ in 0..100_000 {
            let word = Packed(rng.next_u64());
            let same = word.hit().map(|hit| Packed::new(hit, word.generation()));
            assert_eq!(word.is_valid(), same == Some(word), "{word:?}");
            valid += u32::from(word.is_valid());
        }
        assert!((20_000..90_000).contains(&valid), "{valid}");
        assert!(!Packed(0).is_valid());
    }
}

//! The file format of weights.
//!
//! All numbers are little-endian; `i16` tables are in index order.
//!
//! | offset | bytes | content |
//! | ---: | ---: | --- |
//! | 0 | 8 | `TENGENWT` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 1 | rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro-exact |
//! | 11 | 1 | number of families: 2 for renju (black, white), else 1 |
//! | 12 | 8 | seed of the games |
//! | 20 | 4 | checksum of the games |
//! | 24 | 8 | number of games |
//! | 32 | 8 | number of positions |
//! | 40 | 2 | scale of the odds of winning, in units |
//! | 42 | 18,752 per family | cells, own order, the opponent's order (3060 numbers each), tempo (14 rows of 14: a row for each strongest class of the side to move) |
//! | end | 4 | CRC-32 (IEEE) of everything before it |

use super::weights::{
    FamilyWeights, MAX_CELL, MAX_ORDER, MAX_TEMPO, MAX_WIN_SCALE, MIN_WIN_SCALE, Provenance,
    Weights,
};
use crate::patterns::{Family, PatternSet, PointClass};
use crate::rules::Rule;

/// The magic bytes at the start of a file.
pub const MAGIC: [u8; 8] = *b"TENGENWT";
/// The version of the format.
pub const VERSION: u16 = 1;

const HEADER_BYTES: usize = 42;
const CRC_BYTES: usize = 4;
const FAMILY_BYTES: usize = 2 * (3 * PatternSet::COUNT + PointClass::COUNT * PointClass::COUNT);

/// The size of the largest file, in bytes.
pub const MAX_FILE_BYTES: usize = HEADER_BYTES + 2 * FAMILY_BYTES + CRC_BYTES;

/// An error in reading weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The magic bytes are wrong.
    #[error("not a weights file")]
    NotWeights,
    /// The file has another format version.
    #[error("the weights are of version {0}, and {VERSION} is needed")]
    Version(u16),
    /// There is no rule with this number.
    #[error("the weights are of an unknown rule, {0}")]
    Rule(u8),
    /// The number of families does not fit the rule.
    #[error("the weights are of {found} families, but {rule} has {}", Family::all_of(*rule).len())]
    Families {
        /// The rule.
        rule: Rule,
        /// The number of families in the file.
        found: u8,
    },
    /// There are too few or too many bytes.
    #[error("the weights have {found} bytes instead of {expected}")]
    Length {
        /// The number of bytes according to the header.
        expected: usize,
        /// The actual number of bytes.
        found: usize,
    },
    /// The checksum is wrong: the bytes are damaged.
    #[error("the weights are damaged: their checksum is {computed:08x} instead of {stored:08x}")]
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of its bytes.
        computed: u32,
    },
    /// A number is out of bounds.
    #[error("the weights have {value} for {what}, which is out of bounds")]
    OutOfBounds {
        /// The meaning of the number.
        what: &'static str,
        /// The number.
        value: i32,
    },
}

impl Weights {
    /// Returns the weights as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(MAX_FILE_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.rule as u8);
        bytes.push(self.families.len() as u8);
        bytes.extend(self.provenance.seed.to_le_bytes());
        bytes.extend(self.provenance.corpus_crc.to_le_bytes());
        bytes.extend(self.provenance.games.to_le_bytes());
        bytes.extend(self.provenance.positions.to_le_bytes());
        bytes.extend(self.win_scale.to_le_bytes());
        for family in &self.families {
            for table in [&family.cells, &family.order_own, &family.order_their] {
                bytes.extend(table.iter().flat_map(|value| value.to_le_bytes()));
            }
            let tempo = family.tempo.iter().flatten();
            bytes.extend(tempo.flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Returns the checksum at the end of a file of these weights.
    #[must_use]
    pub fn crc(&self) -> u32 {
        let bytes = self.to_bytes();
        crc32fast::hash(&bytes[..bytes.len() - CRC_BYTES])
    }

    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns [`WeightsError`] if the bytes are not exactly the output of [`Weights::to_bytes`]
    /// for some weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(WeightsError::NotWeights);
        }
        let expected = HEADER_BYTES + FAMILY_BYTES + CRC_BYTES;
        if bytes.len() < HEADER_BYTES {
            return Err(WeightsError::Length { expected, found: bytes.len() });
        }
        let mut reader = Reader(&bytes[MAGIC.len()..]);
        let version = u16::from_le_bytes(reader.take());
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let [number, count] = reader.take();
        let rule = Rule::ALL.get(usize::from(number)).copied().ok_or(WeightsError::Rule(number))?;
        if usize::from(count) != Family::all_of(rule).len() {
            return Err(WeightsError::Families { rule, found: count });
        }
        let expected = HEADER_BYTES + usize::from(count) * FAMILY_BYTES + CRC_BYTES;
        if bytes.len() != expected {
            return Err(WeightsError::Length { expected, found: bytes.len() });
        }
        let (summed, crc) = bytes.split_at(expected - CRC_BYTES);
        let (stored, computed) = (u32::from_le_bytes(Reader(crc).take()), crc32fast::hash(summed));
        if stored != computed {
            return Err(WeightsError::Checksum { stored, computed });
        }
        let provenance = Provenance {
            seed: u64::from_le_bytes(reader.take()),
            corpus_crc: u32::from_le_bytes(reader.take()),
            games: u64::from_le_bytes(reader.take()),
            positions: u64::from_le_bytes(reader.take()),
        };
        let win_scale = u16::from_le_bytes(reader.take());
        if !(MIN_WIN_SCALE..=MAX_WIN_SCALE).contains(&win_scale) {
            let (what, value) = ("the scale of the odds", win_scale.into());
            return Err(WeightsError::OutOfBounds { what, value });
        }
        let families = (0..count).map(|_| reader.family()).collect::<Result<_, _>>()?;
        Ok(Weights { rule, families, win_scale, provenance })
    }
}

/// The bytes still to be read; the header guarantees that there are enough.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *head
    }

    fn numbers(
        &mut self,
        numbers: &mut [i16],
        what: &'static str,
        bound: i32,
    ) -> Result<(), WeightsError> {
        for number in numbers {
            *number = i16::from_le_bytes(self.take());
            let value = i32::from(*number);
            if value.abs() > bound {
                return Err(WeightsError::OutOfBounds { what, value });
            }
        }
        Ok(())
    }

    fn family(&mut self) -> Result<FamilyWeights, WeightsError> {
        let mut family = FamilyWeights::zero();
        self.numbers(&mut family.cells[..], "a cell", MAX_CELL)?;
        self.numbers(&mut family.order_own[..], "the order of moves", MAX_ORDER)?;
        self.numbers(&mut family.order_their[..], "the order of moves", MAX_ORDER)?;
        for row in &mut family.tempo {
            self.numbers(row, "the tempo", MAX_TEMPO)?;
        }
        Ok(family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;
    use proptest::prelude::*;

    /// Returns random weights of a seed.
    fn weights(rule: Rule, seed: u64) -> Weights {
        let mut rng = crate::rng::SplitMix64::new(seed);
        let mut weights = Weights::hand_tuned(rule);
        for color in Color::ALL {
            let family = weights.of_mut(color);
            let mut value = |bound: i32| (rng.below(2 * bound as usize + 1) as i32 - bound).into();
            for set in PatternSet::all() {
                family.set_cell(set, value(MAX_CELL));
                family.set_order_own(set, value(MAX_ORDER));
                family.set_order_their(set, value(MAX_ORDER));
            }
            for ours in PointClass::ALL {
                for theirs in PointClass::ALL {
                    family.set_tempo(ours, theirs, value(MAX_TEMPO));
                }
            }
        }
        weights.set_win_scale(rng.below(6_000) as f64);
        weights.provenance = Provenance {
            seed,
            corpus_crc: rng.next_u64() as u32,
            games: rng.next_u64(),
            positions: rng.next_u64(),
        };
        weights
    }

    fn with_crc(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CRC_BYTES);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn weights_come_back_as_they_were(rule in 0..Rule::ALL.len(), seed in any::<u64>()) {
            let weights = weights(Rule::ALL[rule], seed);
            let bytes = weights.to_bytes();
            prop_assert!(bytes.len() <= MAX_FILE_BYTES);
            prop_assert_eq!(weights.crc().to_le_bytes(), &bytes[bytes.len() - 4..]);
            prop_assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        }

        #[test]
        fn one_changed_byte_is_noticed(
            rule in 0..Rule::ALL.len(),
            at in any::<prop::sample::Index>(),
            change in 1..=255u8,
        ) {
            let mut bytes = weights(Rule::ALL[rule], 1).to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assert!(Weights::from_bytes(&bytes).is_err());
        }

        #[test]
        fn every_shorter_or_longer_file_is_noticed(
            len in any::<prop::sample::Index>(),
            more in proptest::collection::vec(any::<u8>(), 1..99),
        ) {
            let bytes = weights(Rule::Renju, 2).to_bytes();
            prop_assert!(Weights::from_bytes(&bytes[..len.index(bytes.len())]).is_err());
            prop_assert!(Weights::from_bytes(&[bytes, more].concat()).is_err());
        }

        #[test]
        fn no_bytes_make_the_reader_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
            is_weights in any::<bool>(),
        ) {
            if is_weights {
                bytes.splice(0..MAGIC.len().min(bytes.len()), MAGIC);
            }
            prop_assert!(Weights::from_bytes(&bytes).is_err());
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let good = weights(Rule::Standard, 3).to_bytes();
        let len = good.len();
        let changed = |at: usize, new: &[u8]| {
            let mut bytes = good.clone();
            bytes[at..at + new.len()].copy_from_slice(new);
            Weights::from_bytes(&with_crc(bytes)).unwrap_err()
        };
        let text = |error: WeightsError| error.to_string();
        assert_eq!(changed(0, b"P"), WeightsError::NotWeights);
        assert_eq!(text(changed(8, &[2, 0])), "the weights are of version 2, and 1 is needed");
        assert_eq!(changed(10, &[5]), WeightsError::Rule(5));
        assert_eq!(text(changed(11, &[2])), "the weights are of 2 families, but standard has 1");
        assert_eq!(
            changed(10, &[2, 2]),
            WeightsError::Length { expected: len + FAMILY_BYTES, found: len }
        );
        assert_eq!(
            text(changed(40, &[0, 0])),
            "the weights have 0 for the scale of the odds, which is out of bounds"
        );
        assert_eq!(
            text(changed(HEADER_BYTES, &2048i16.to_le_bytes())),
            "the weights have 2048 for a cell, which is out of bounds"
        );
        assert_eq!(
            changed(len - CRC_BYTES - 2, &i16::MIN.to_le_bytes()),
            WeightsError::OutOfBounds { what: "the tempo", value: -32768 }
        );
        let mut bytes = good.clone();
        bytes[len - 1] ^= 1;
        assert!(text(Weights::from_bytes(&bytes).unwrap_err()).contains("are damaged"));
    }
}

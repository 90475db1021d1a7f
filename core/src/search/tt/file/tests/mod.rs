//! Tests of saving and loading tables.

mod on_disk;

use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use super::super::entry::TtEntry;
use super::super::table::tests::{derived, hit};
use super::*;
use crate::rng::SplitMix64;
use crate::types::Key;

const IDENTITY: u64 = 0x0123_4567_89ab_cdef;

/// Returns a table of `buckets` buckets after `stores` stores of random keys, and the keys.
fn random_table(buckets: usize, stores: usize, seed: u64) -> (TranspositionTable, Vec<Key>) {
    let table = TranspositionTable::new(buckets * 64).unwrap();
    let mut rng = SplitMix64::new(seed);
    let keys: Vec<Key> = (0..stores).map(|_| Key(rng.next_u64())).collect();
    for (n, &key) in keys.iter().enumerate() {
        if n % 500 == 0 {
            table.new_search();
        }
        table.store(key, derived(key, 0));
    }
    (table, keys)
}

fn dump(table: &TranspositionTable) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = table.write_to(&mut bytes, IDENTITY).unwrap();
    assert_eq!(written, bytes.len() as u64);
    bytes
}

fn read(mut bytes: &[u8]) -> Result<TranspositionTable, TableLoadError> {
    TranspositionTable::read_from(&mut bytes, IDENTITY, 1 << 30)
}

/// Builds a file from its parts as the format documentation says, with correct checksums.
fn build(generation: u32, buckets: u64, blocks: &[&[u8]]) -> Vec<u8> {
    let mut summed = b"TENGENTT\x01\0\0\0".to_vec();
    summed.extend(generation.to_le_bytes());
    summed.extend([0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    summed.extend(buckets.to_le_bytes());
    summed.extend([0; 4]);
    let mut file = summed.clone();
    file.extend(crc32fast::hash(&summed).to_le_bytes());
    for block in blocks {
        let part = [&(block.len() as u32).to_le_bytes(), *block].concat();
        summed.extend(&part);
        file.extend(part);
        file.extend(crc32fast::hash(&summed).to_le_bytes());
    }
    file
}

#[test]
fn a_table_read_back_is_the_same() {
    let block = BLOCK_BUCKETS;
    let sizes = [0, 1, 2, 63, 1000, block - 1, block, block + 1, 3 * block + 77];
    for (seed, buckets) in (0..).zip(sizes) {
        for stores in [0, 1, buckets / 100, buckets / 2, buckets * 8] {
            let (table, keys) = random_table(buckets, stores, seed);
            let bytes = dump(&table);
            let copy = read(&bytes).unwrap();
            assert_eq!(dump(&copy), bytes);
            assert_eq!(copy.bytes(), table.bytes());
            assert_eq!(copy.generation(), table.generation());
            assert_eq!((copy.hashfull(), copy.usage()), (table.hashfull(), table.usage()));
            let mut hits = 0;
            for key in keys {
                let found = copy.probe(key);
                assert_eq!(found, table.probe(key));
                assert_eq!(copy.probe(key ^ Key(1)), None);
                hits += usize::from(found.is_some());
            }
            assert!(hits >= stores.min(buckets) / 2, "{hits} of {stores} in {buckets}");
        }
    }
}

#[test]
fn the_bytes_of_a_file_are_those_of_the_documentation() {
    let table = TranspositionTable::new(64 * 300).unwrap();
    table.new_search();
    // Of 300 buckets, this key has number 200.
    let key = Key(0xab00_0000_1234_5678);
    assert_eq!((u128::from(key.0) * 300) >> 64, 200);
    table.store(key, hit(3));
    let mut codes = vec![255, 128 + 71, 1];
    // Score 3, no evaluation, no move, a lower bound, (20 + 3) plies of 64, generation 1.
    let data = 3u64 | 0x8000 << 16 | 2 << 41 | (23 * 64) << 44 | 1 << 58;
    codes.extend(data.to_le_bytes());
    codes.extend((0x1234_5678 ^ data as u32 ^ (data >> 32) as u32).to_le_bytes());
    codes.push(128 + 98);
    let bytes = build(1, 300, &[&codes]);
    assert_eq!(dump(&table), bytes);
    assert_eq!(read(&bytes).unwrap().probe(key), Some(hit(3)));
}

#[test]
fn empty_buckets_take_next_to_no_room() {
    let table = TranspositionTable::new(64 << 20).unwrap();
    assert!(dump(&table).len() < (64 << 20) / 64 / 100);
    let (table, _) = random_table(20_000, 10_000, 3);
    let bytes = dump(&table).len();
    assert!(bytes < 10_000 * 13 + 10_000, "{bytes}");
    let (table, _) = random_table(1000, 100_000, 3);
    assert!(dump(&table).len() <= 61 * 1000 + 48);
}

#[test]
fn any_damaged_bit_is_an_error() {
    let (table, _) = random_table(40, 60, 1);
    let mut bytes = dump(&table);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            let error = read(&bytes).unwrap_err();
            let right = match (at, &error) {
                (0..8, TableLoadError::Foreign { .. }) => true,
                (8..12, TableLoadError::Version { expected: 1, found }) => *found != 1,
                (12..40, TableLoadError::Checksum { offset: 36, expected, found }) => {
                    expected != found
                }
                // The length of the block decides how much is read.
                (40..44, TableLoadError::Checksum { .. } | TableLoadError::Truncated { .. }) => {
                    true
                }
                (40..44, TableLoadError::Malformed { offset: 40, .. }) => true,
                (44.., TableLoadError::Checksum { offset, .. }) => {
                    *offset == bytes.len() as u64 - 4
                }
                _ => false,
            };
            assert!(right, "byte {at} bit {bit}: {error:?}");
            bytes[at] ^= 1 << bit;
        }
    }
    assert!(read(&bytes).is_ok());
}

#[test]
fn blocks_in_another_order_or_of_another_file_are_an_error() {
    // Two blocks with codes of equal length.
    let one = |buckets: usize, first: u64| {
        let table = TranspositionTable::new(buckets * 64).unwrap();
        for half in 0..2 {
            table.store(Key(half << 63 | first), hit(half as i32));
        }
        dump(&table)
    };
    let bytes = one(2 * BLOCK_BUCKETS, 7);
    let block = (bytes.len() - 40) / 2;
    let swapped = [&bytes[..40], &bytes[40 + block..], &bytes[40..40 + block]].concat();
    assert!(matches!(read(&swapped), Err(TableLoadError::Checksum { .. })));
    let other = one(2 * BLOCK_BUCKETS, 8);
    assert_eq!(other.len(), bytes.len());
    let mixed = [&bytes[..40 + block], &other[40 + block..]].concat();
    assert!(matches!(read(&mixed), Err(TableLoadError::Checksum { .. })));
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let (table, _) = random_table(30, 40, 1);
    let bytes = dump(&table);
    for len in 0..bytes.len() {
        match read(&bytes[..len]) {
            Err(TableLoadError::Truncated { expected, found }) => {
                assert_eq!(found, len as u64);
                assert!(expected > found && expected <= bytes.len() as u64);
            }
            other => panic!("{len} bytes: {other:?}"),
        }
    }
}

#[test]
fn a_file_of_something_else_is_told_apart() {
    let error = read(b"PK\x03\x04 and so on").unwrap_err();
    assert!(matches!(error, TableLoadError::Foreign { .. }));
    let text = error.to_string();
    assert!(text.contains("PK\\x03\\x04 and") && text.contains("TENGENTT"), "{text}");
    assert!(matches!(read(b"x"), Err(TableLoadError::Foreign { .. })));
    assert!(matches!(read(b""), Err(TableLoadError::Truncated { expected: 40, found: 0 })));
    let bytes = dump(&random_table(10, 10, 1).0);
    let error = TranspositionTable::read_from(&mut &bytes[..], 5, 1 << 20).unwrap_err();
    assert!(matches!(error, TableLoadError::Identity { expected: 5, found: IDENTITY }));
    assert!(error.to_string().contains("0123456789abcdef instead of 0000000000000005"));
}

#[test]
fn a_table_larger_than_allowed_is_refused_and_its_size_told() {
    let bytes = dump(&TranspositionTable::new(1 << 20).unwrap());
    assert_eq!(
        TranspositionTable::read_from(&mut &bytes[..], IDENTITY, 1 << 20).unwrap().bytes(),
        1 << 20
    );
    let error =
        TranspositionTable::read_from(&mut &bytes[..], IDENTITY, (1 << 20) - 1).unwrap_err();
    let TableLoadError::TooLarge { needed, allowed } = error else { panic!("{error:?}") };
    assert_eq!((needed, allowed), (1 << 20, (1 << 20) - 1));
    assert!(error.to_string().contains("1048576 bytes of memory (1 MiB)"), "{error}");
}

#[test]
fn a_header_that_claims_too_much_allocates_nothing() {
    for buckets in [u64::MAX, 1 << 60, 1 << 40] {
        let error = read(&build(0, buckets, &[])).unwrap_err();
        let TableLoadError::TooLarge { needed, .. } = error else { panic!("{error:?}") };
        assert_eq!(needed, u128::from(buckets) * 64);
        // Without a limit only the operating system can refuse.
        let error =
            TranspositionTable::read_from(&mut &build(0, buckets, &[])[..], IDENTITY, usize::MAX);
        assert!(error.is_err());
    }
    // Allowed memory is reserved but not touched before the entries are there.
    let error = read(&build(0, 1 << 20, &[])).unwrap_err();
    assert!(matches!(error, TableLoadError::Truncated { expected: 44, found: 40 }), "{error:?}");
}

#[test]
fn malformed_blocks_with_right_checksums_are_errors() {
    let faulty = |buckets: u64, codes: &[u8], fault: (u64, &str)| {
        let error = read(&build(0, buckets, &[codes])).unwrap_err();
        let TableLoadError::Malformed { offset, expected, .. } = error else { panic!("{error:?}") };
        assert_eq!(offset, fault.0, "{error}");
        assert!(expected.contains(fault.1), "{error}");
    };
    let valid = [&[1][..], &(1u64 << 41).to_le_bytes(), &[0; 4]].concat();
    assert!(read(&build(63, 2, &[&[&valid[..], &[128]].concat()])).is_ok());
    assert!(read(&build(63, 2, &[&[129]])).is_ok());
    faulty(2, &[], (44, "a further bucket"));
    faulty(2, &[128], (45, "a further bucket"));
    faulty(2, &[130], (44, "no more empty"));
    faulty(2, &[128, 129], (45, "no more empty"));
    faulty(2, &[129, 128], (45, "the end of the block"));
    faulty(2, &[0, 129], (44, "the code of a bucket"));
    faulty(2, &[32, 129], (44, "the code of a bucket"));
    faulty(1, &valid[..12], (44, "in the block"));
    faulty(1, &[&[3], &valid[1..]].concat(), (44, "in the block"));
    // A bound, but a score, a static evaluation or a move that does not exist.
    for word in [0, 1 << 41 | 30_002, 1 << 41 | 30_002 << 16, 1 << 41 | 511 << 32] {
        let word: u64 = word;
        faulty(1, &[&[1][..], &word.to_le_bytes(), &[0; 4]].concat(), (44, "can be stored"));
    }
    faulty(1, &[1; 62], (40, "61 bytes for each"));
    let error = read(&build(64, 1, &[&[128]])).unwrap_err();
    assert!(matches!(error, TableLoadError::Malformed { offset: 12, found: 64, .. }), "{error:?}");
}

#[test]
fn no_codes_with_right_checksums_make_reading_panic() {
    let mut rng = SplitMix64::new(9);
    let mut read_well = 0;
    for _ in 0..20_000 {
        let buckets = rng.below(20) as u64;
        let most = [10, 40][rng.below(2)];
        let codes: Vec<u8> = (0..rng.below(most))
            .map(|_| [rng.next_u64() as u8, 1, 128, 129, 0][rng.below(5)])
            .collect();
        let file = build(rng.below(70) as u32, buckets, &[&codes]);
        if let Ok(table) = read(&file) {
            let _ = (table.usage(), table.probe(Key(rng.next_u64())));
            read_well += 1;
        }
    }
    assert!(read_well > 100, "{read_well}");
}

#[test]
fn inputs_may_come_in_pieces_and_their_errors_are_told() {
    /// Yields one byte at a time with an interruption between any two, and fails at `end`.
    struct Pieces<'a>(&'a [u8], usize, bool);
    impl Read for Pieces<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.1 == 0 {
                return Err(io::Error::other("the disk is gone"));
            }
            self.1 -= 1;
            self.0.read(&mut bytes[..1])
        }
    }
    let bytes = dump(&random_table(20, 30, 1).0);
    let copy =
        TranspositionTable::read_from(&mut Pieces(&bytes, bytes.len(), false), IDENTITY, 1 << 20);
    assert_eq!(dump(&copy.unwrap()), bytes);
    for end in 0..bytes.len() {
        let error =
            TranspositionTable::read_from(&mut Pieces(&bytes, end, false), IDENTITY, 1 << 20);
        assert_eq!(error.unwrap_err().to_string(), "the disk is gone");
    }
}

#[test]
fn an_output_that_fails_is_an_error() {
    /// Accepts a fixed number of bytes and no more.
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(io::Error::other("full")) } else { Ok(taken) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (table, _) = random_table(20, 30, 1);
    let len = dump(&table).len();
    for room in 0..len {
        assert_eq!(table.write_to(&mut Full(room), 1).unwrap_err().to_string(), "full");
    }
    assert_eq!(table.write_to(&mut Full(len), 1).unwrap(), len as u64);
}

#[test]
fn a_table_can_be_saved_while_searches_write() {
    let table = TranspositionTable::new(64 * 8).unwrap();
    let keys: Vec<Key> = (0..60u64).map(|n| Key(n.wrapping_mul(0x0434_5678_9abc_def1))).collect();
    let done = AtomicBool::new(false);
    let whole = |key: Key, hit: TtEntry| (0..4).any(|version| derived(key, version) == hit);
    let (hits, torn) = thread::scope(|scope| {
        for id in 0..2 {
            let (table, keys, done) = (&table, &keys, &done);
            scope.spawn(move || {
                let mut rng = SplitMix64::new(id);
                while !done.load(Ordering::Relaxed) {
                    let key = keys[rng.below(keys.len())];
                    table.store(key, derived(key, rng.next_u64() % 4));
                }
            });
        }
        let mut hits = 0;
        let mut torn = Vec::new();
        let start = Instant::now();
        while hits < 10_000 && start.elapsed() < Duration::from_secs(120) {
            // No panic here: the other threads would wait forever for the end of the test.
            let Ok(copy) = read(&dump(&table)) else { break };
            for &key in &keys {
                if let Some(hit) = copy.probe(key) {
                    hits += 1;
                    torn.extend((!whole(key, hit)).then_some((key, hit)));
                }
            }
        }
        done.store(true, Ordering::Relaxed);
        (hits, torn)
    });
    assert!(torn.is_empty(), "never stored: {torn:?}");
    assert!(hits >= 10_000, "the test saw {hits} hits only");
}

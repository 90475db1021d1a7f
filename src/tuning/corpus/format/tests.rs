use proptest::prelude::*;

use super::*;

/// Returns options in which no two numbers are the same.
pub(in crate::tuning::corpus) fn options() -> SelfPlayOptions {
    SelfPlayOptions {
        rule: Rule::Renju,
        size: Size::new(15, 17).unwrap(),
        seed: 0x0123_4567_89ab_cdef,
        nodes: 70_000_000_001,
        stones: StoneCount { least: 2, most: 9 },
        spread: 5,
        reach: 4,
        window: 28_999,
        variety_plies: 6,
        variety_margin: 31,
        longest: 200,
        weights: 0xfedc_ba98,
    }
}

/// Makes a game whose stones fill the board in order, with every kind of score.
pub(in crate::tuning::corpus) fn game(
    options: &SelfPlayOptions,
    number: u64,
    stones: usize,
    moves: usize,
) -> PlayedGame {
    let mut points = options.size.points().skip(number as usize % 7);
    let opening = points.by_ref().take(stones).collect();
    let scores = [0, 1, -1, 150, -20_000, 29_990, -29_999, 30_000];
    let moves = points.take(moves).enumerate().map(|(i, point)| ScoredMove {
        point,
        score: Score::from_raw(scores[(i + number as usize) % scores.len()]),
    });
    let game = TrainingGame {
        opening,
        moves: moves.collect(),
        result: GameResult::ALL[number as usize % 3],
    };
    PlayedGame { game, ending: Ending::ALL[number as usize / 3 % 3] }
}

/// Gives a header a checksum that fits.
fn signed(mut header: [u8; HEADER_BYTES]) -> [u8; HEADER_BYTES] {
    let end = HEADER_BYTES - CRC_BYTES;
    let crc = crc32fast::hash(&header[..end]);
    header[end..].copy_from_slice(&crc.to_le_bytes());
    header
}

#[test]
fn a_header_is_what_the_table_says() {
    let header = encode_header(&options());
    assert_eq!(header[..16], *b"tengames\x01\0\x01\0\x02\x0f\x11\x02");
    assert_eq!(header[16..28], [9, 5, 4, 6, 0x47, 0x71, 31, 0, 200, 0, 0, 0]);
    assert_eq!(header[28..32], [0x98, 0xba, 0xdc, 0xfe]);
    assert_eq!(header[32..40], [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    assert_eq!(decode_header(&header), Ok(options()));
}

#[test]
fn a_game_is_what_the_table_says() {
    let options = options();
    let mut bytes = vec![7; 3];
    let mut played = game(&options, 1, 2, 3);
    played.ending = Ending::Length;
    encode_game(&played, &mut bytes);
    let (record, crc) = bytes[3..].split_at(4 + 2 * 2 + 3 * 4);
    assert_eq!(record[..4], [2, 1 + 2 * 4, 3, 0]);
    assert_eq!(record[4..8], [1, 0, 2, 0]);
    assert_eq!(record[8..], [3, 0, 1, 0, 4, 0, 0xff, 0xff, 5, 0, 150, 0]);
    assert_eq!(*crc, crc32fast::hash(record).to_le_bytes());
    assert_eq!(decode_game(&bytes[3..], options.size), Some((played, record.len() + 4)));
}

#[test]
fn headers_of_others_are_told_apart() {
    let header = encode_header(&options());
    assert_eq!(decode_header(&header[..63]), Err(HeaderFault::Foreign));
    assert_eq!(decode_header(&[0; 64]), Err(HeaderFault::Foreign));
    for i in 10..HEADER_BYTES {
        let mut damaged = header;
        damaged[i] ^= 0x10;
        assert_eq!(decode_header(&damaged), Err(HeaderFault::Damaged), "byte {i}");
    }
    let with = |changes: &[(usize, u8)]| {
        let mut other = header;
        for &(at, byte) in changes {
            other[at] = byte;
        }
        decode_header(&signed(other))
    };
    assert_eq!(with(&[(8, 2)]), Err(HeaderFault::Version(2)));
    assert_eq!(with(&[(10, 9)]), Err(HeaderFault::Procedure(9)));
    assert_eq!(with(&[(12, 5)]), Err(HeaderFault::Rule(5)));
    assert_eq!(with(&[(13, 4)]), Err(HeaderFault::Size(4, 17)));
    assert_eq!(with(&[(18, 0)]), Err(HeaderFault::Options(OptionsError::Reach)));
}

#[test]
fn stones_that_cannot_be_are_no_game() {
    let options = options();
    let good = game(&options, 0, 2, 3);
    let decode = |played: &PlayedGame| {
        let mut bytes = Vec::new();
        encode_game(played, &mut bytes);
        decode_game(&bytes, options.size)
    };
    assert!(decode(&good).is_some());
    let mut twice = good.clone();
    twice.game.moves[2].point = twice.game.opening[0];
    assert_eq!(decode(&twice), None);
    let mut outside = good.clone();
    outside.game.opening[1] = Size::LARGEST.point(15, 0).unwrap();
    assert_eq!(decode(&outside), None);
    let mut bytes = Vec::new();
    encode_game(&good, &mut bytes);
    let end = bytes.len() - CRC_BYTES;
    for kinds in [3, 12, 0xff] {
        bytes[1] = kinds;
        let crc = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(decode_game(&bytes, options.size), None);
    }
    // What a system that went down may leave.
    assert_eq!(decode_game(&[0; 100], options.size), None);
}

#[test]
fn a_board_full_of_moves_is_the_largest_record() {
    let options = SelfPlayOptions::new(Rule::Freestyle, Size::LARGEST);
    let mut bytes = Vec::new();
    let full = game(&options, 0, 0, MAX_POINTS);
    encode_game(&full, &mut bytes);
    assert_eq!(bytes.len(), MAX_GAME_BYTES);
    assert_eq!(decode_game(&bytes, options.size), Some((full, MAX_GAME_BYTES)));
}

proptest! {
    #[test]
    fn whatever_is_written_is_read_back(number in 0..1000u64, stones in 0..20usize, moves in 0..200usize) {
        let options = options();
        let played = game(&options, number, stones, moves);
        let mut bytes = Vec::new();
        encode_game(&played, &mut bytes);
        prop_assert_eq!(decode_game(&bytes, options.size), Some((played, bytes.len())));
        // A record that is cut short or changed anywhere is none.
        prop_assert_eq!(decode_game(&bytes[..bytes.len() - 1], options.size), None);
        let at = number as usize % bytes.len();
        bytes[at] ^= 1 << (number % 8);
        prop_assert_eq!(decode_game(&bytes, options.size), None);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode_header(&bytes);
        prop_assert_eq!(decode_game(&bytes, Size::DEFAULT), None);
    }
}

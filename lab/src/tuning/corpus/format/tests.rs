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
        draw_score: 0x1234,
        draw_moves: 11,
        draw_stones: 99,
        leaves: 3,
        leaf_nodes: 80_000_000_003,
        procedure: PROCEDURE,
        network: 0x1234_5678,
        weights: 0xfedc_ba98,
        relabelling: None,
    }
}

/// Makes a game whose stones fill the board in order, with every kind of score. Every other move
/// has leaves, up to three, along cells from the end of the board.
pub(in crate::tuning::corpus) fn game(
    options: &SelfPlayOptions,
    number: u64,
    stones: usize,
    moves: usize,
) -> SelfPlayGame {
    let mut points = options.size.points().skip(number as usize % 7);
    let opening = points.by_ref().take(stones).collect();
    let scores = [0, 1, -1, 150, -20_000, 29_990, -29_999, 30_000];
    let scored = points.take(moves).enumerate().map(|(i, point)| ScoredMove {
        point,
        score: Score::from_raw(scores[(i + number as usize) % scores.len()]),
    });
    let leaf = |after: usize| {
        let depth = 1 + (after + number as usize) % 4;
        let end = options.size.area() - 8 - after % 3;
        let mut path: Vec<Point> = options.size.points().skip(end).take(depth + 1).collect();
        let judged = ScoredMove { point: path.pop()?, score: Score::from_raw(-(after as i32)) };
        Some(Leaf { after, path, judged })
    };
    let afters = (0..moves).step_by(2).flat_map(|after| vec![after; 1 + after % 3]);
    let room = options.size.area() / 2;
    let game = TrainingGame {
        opening,
        moves: scored.collect(),
        leaves: afters.filter(|&after| after < room).filter_map(leaf).collect(),
        result: TrainingResult::ALL[number as usize % 3],
    };
    SelfPlayGame { game, ending: Ending::ALL[number as usize / 3 % 4] }
}

/// Gives a header a checksum that fits.
fn signed(mut header: Vec<u8>) -> Vec<u8> {
    let end = header.len() - CRC_BYTES;
    let crc = crc32fast::hash(&header[..end]);
    header[end..].copy_from_slice(&crc.to_le_bytes());
    header
}

#[test]
fn a_header_is_what_the_table_says() {
    let header = encode_header(&options());
    assert_eq!(header.len(), 104);
    assert_eq!(header[..16], *b"tengames\x03\0\x03\0\x02\x0f\x11\x02");
    assert_eq!(header[16..28], [9, 5, 4, 6, 0x47, 0x71, 31, 0, 200, 0, 3, 0]);
    assert_eq!(header[28..32], [0x98, 0xba, 0xdc, 0xfe]);
    assert_eq!(header[32..40], [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
    assert_eq!(header[40..48], 70_000_000_001u64.to_le_bytes());
    assert_eq!(header[48..56], 80_000_000_003u64.to_le_bytes());
    assert_eq!(header[56..60], 0x1234_5678_u32.to_le_bytes());
    assert_eq!(header[60..66], [0x34, 0x12, 11, 0, 99, 0]);
    assert_eq!(header[66..100], [0; 34]);
    assert_eq!(decode_header(&header), Ok((options(), 104)));
    let judged = Relabelling {
        sources: 0x0102_0304,
        weights: 0x0506_0708,
        network: 0x090a_0b0c,
        roots: true,
        count: 0x0d0e,
        seed: 0x0f10,
    };
    let options = SelfPlayOptions { relabelling: Some(judged), ..options() };
    let header = encode_header(&options);
    assert_eq!(header[66..80], [3, 0, 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9]);
    assert_eq!(header[80..100], [14, 13, 0, 0, 0, 0, 0, 0, 16, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(decode_header(&header), Ok((options, 104)));
}

#[test]
fn a_header_of_the_earlier_procedure_is_as_it_was() {
    let options = options().in_procedure(EARLIER_PROCEDURE);
    let header = encode_header(&options);
    assert_eq!(header.len(), 64);
    assert_eq!(header[..16], *b"tengames\x02\0\x02\0\x02\x0f\x11\x02");
    assert_eq!(header[56..60], 0x1234_5678_u32.to_le_bytes());
    assert_eq!(decode_header(&header), Ok((options, 64)));
    // Whatever follows.
    assert_eq!(decode_header(&[&header[..], &[7; 99]].concat()), Ok((options, 64)));
}

#[test]
fn a_game_is_what_the_table_says() {
    let options = options();
    let mut bytes = vec![7; 3];
    let mut played = game(&options, 1, 2, 3);
    played.ending = Ending::Length;
    encode_game(&played, &mut bytes);
    let leaf = |after, path: &[u8], point: u8, score| Leaf {
        after,
        path: path.iter().map(|&index| Point::from_index(index.into())).collect(),
        judged: ScoredMove {
            point: Point::from_index(point.into()),
            score: Score::from_raw(score),
        },
    };
    played.game.leaves = vec![leaf(0, &[9], 10, -2), leaf(2, &[5, 6], 7, 259)];
    bytes.truncate(3);
    encode_game(&played, &mut bytes);
    let leaves = 3 + 2 + 4 + 3 + 2 * 2 + 4;
    let (record, crc) = bytes[3..].split_at(8 + 2 * 2 + 3 * 4 + leaves);
    assert_eq!(record[..8], [2, 1 + 2 * 4, 3, 0, leaves as u8, 0, 0, 0]);
    assert_eq!(record[8..12], [1, 0, 2, 0]);
    assert_eq!(record[12..24], [3, 0, 1, 0, 4, 0, 0xff, 0xff, 5, 0, 150, 0]);
    assert_eq!(record[24..33], [0, 0, 1, 9, 0, 10, 0, 0xfe, 0xff]);
    assert_eq!(record[33..], [2, 0, 2, 5, 0, 6, 0, 7, 0, 3, 1]);
    assert_eq!(*crc, crc32fast::hash(record).to_le_bytes());
    assert_eq!(decode_game(&bytes[3..], options.size), Some((played, record.len() + 4)));
}

#[test]
fn headers_of_others_are_told_apart() {
    let header = encode_header(&options());
    assert_eq!(decode_header(&header[..63]), Err(HeaderFault::Foreign));
    assert_eq!(decode_header(&header[..103]), Err(HeaderFault::Foreign));
    assert_eq!(decode_header(&[0; 64]), Err(HeaderFault::Foreign));
    for i in 10..HEADER_BYTES {
        let mut damaged = header.clone();
        damaged[i] ^= 0x10;
        assert_eq!(decode_header(&damaged), Err(HeaderFault::Damaged), "byte {i}");
    }
    let with = |changes: &[(usize, u8)]| {
        let mut other = header.clone();
        for &(at, byte) in changes {
            other[at] = byte;
        }
        decode_header(&signed(other))
    };
    assert_eq!(with(&[(8, 1)]), Err(HeaderFault::Version(1)));
    assert_eq!(with(&[(10, 9)]), Err(HeaderFault::Procedure(9)));
    assert_eq!(with(&[(12, 5)]), Err(HeaderFault::Rule(5)));
    assert_eq!(with(&[(13, 4)]), Err(HeaderFault::Size(4, 17)));
    assert_eq!(with(&[(18, 0)]), Err(HeaderFault::Options(SelfPlayOptionsError::Reach)));
    assert_eq!(with(&[(26, 9)]), Err(HeaderFault::Options(SelfPlayOptionsError::Leaves)));
}

#[test]
fn stones_that_cannot_be_are_no_game() {
    let options = options();
    let good = game(&options, 0, 2, 3);
    let decode = |played: &SelfPlayGame| {
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
    for kinds in [3, 16, 0xff] {
        bytes[1] = kinds;
        let crc = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(decode_game(&bytes, options.size), None);
    }
    // Leaves that end too early or too late, with a checksum that fits.
    for change in [-1, 1, 4] {
        let mut bytes = Vec::new();
        encode_game(&good, &mut bytes);
        bytes[4] = bytes[4].wrapping_add_signed(change);
        let end = (bytes.len() - CRC_BYTES).wrapping_add_signed(change.into());
        bytes.resize(end, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        assert_eq!(decode_game(&bytes, options.size), None, "{change}");
    }
    // Possible leftovers of a system crash.
    assert_eq!(decode_game(&[0; 100], options.size), None);
}

#[test]
fn leaves_that_cannot_be_are_none() {
    let options = options();
    let mut good = game(&options, 0, 2, 5);
    // They are of the moves 0, 2, 2, 2, 4, 4.
    assert_eq!(good.game.leaves.len(), 6);
    good.game.leaves[1].path.truncate(2);
    let decode = |change: &dyn Fn(&mut TrainingGame)| {
        let mut played = good.clone();
        change(&mut played.game);
        let mut bytes = Vec::new();
        encode_game(&played, &mut bytes);
        decode_game(&bytes, options.size).map(|(read, _)| assert_eq!(read, played))
    };
    assert!(decode(&|_| {}).is_some());
    let is_none = |change: &dyn Fn(&mut TrainingGame)| assert_eq!(decode(change), None);
    // A cell twice, or one that a stone stands on, or off the board.
    is_none(&|game| game.leaves[1].path[1] = game.leaves[1].path[0]);
    is_none(&|game| game.leaves[1].judged.point = game.leaves[1].path[0]);
    is_none(&|game| game.leaves[1].path[0] = game.opening[0]);
    is_none(&|game| game.leaves[1].path[0] = game.moves[1].point);
    is_none(&|game| game.leaves[1].judged.point = game.moves[0].point);
    is_none(&|game| game.leaves[1].path[0] = Size::LARGEST.point(15, 0).unwrap());
    // Later games are still empty.
    assert!(decode(&|game| game.leaves[1].path[0] = game.moves[2].point).is_some());
    // They belong to a move, in the order of the moves, and are some way from it.
    is_none(&|game| game.leaves[5].after = 5);
    is_none(&|game| game.leaves[2].after = 3);
    is_none(&|game| game.leaves[1].path.clear());
    let long = |game: &mut TrainingGame, depth: usize| {
        let free = options.size.points().skip(100).filter(|p| *p != game.leaves[5].judged.point);
        game.leaves[5].path = free.take(depth).collect();
    };
    assert!(decode(&|game| long(game, MOST_PATH)).is_some());
    is_none(&|game| long(game, MOST_PATH + 1));
}

#[test]
fn no_game_has_a_larger_record_than_a_board_full_of_moves_and_leaves() {
    let options = SelfPlayOptions::new(Rule::Freestyle, Size::LARGEST);
    let mut bytes = Vec::new();
    let mut full = game(&options, 0, 0, MAX_POINTS);
    encode_game(&full, &mut bytes);
    assert_eq!(decode_game(&bytes, options.size), Some((full.clone(), bytes.len())));
    let points: Vec<Point> = options.size.points().collect();
    let leaf = |after: usize| Leaf {
        after,
        path: points.iter().copied().take(MOST_PATH).collect(),
        judged: full.game.moves[0],
    };
    let afters = (0..MAX_POINTS).flat_map(|after| [after; MOST_LEAVES as usize]);
    full.game.leaves = afters.map(leaf).collect();
    bytes.clear();
    encode_game(&full, &mut bytes);
    assert_eq!(bytes.len(), MAX_GAME_BYTES);
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

    #[test]
    fn no_record_makes_the_reader_panic(
        number in 0..50u64,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let options = options();
        let mut bytes = Vec::new();
        encode_game(&game(&options, number, 3, 12), &mut bytes);
        let end = bytes.len() - CRC_BYTES;
        for (at, byte) in changes {
            bytes[at.index(end)] = byte;
        }
        let crc = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
        if let Some((played, len)) = decode_game(&bytes, options.size) {
            let mut again = Vec::new();
            encode_game(&played, &mut again);
            prop_assert_eq!(decode_game(&again, options.size), Some((played, len)));
        }
    }
}

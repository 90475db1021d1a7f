use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::tuning::corpus::HeaderFault;
use crate::tuning::corpus::format::HEADER_BYTES;
use crate::tuning::corpus::format::tests::{game, options};
use crate::tuning::selfplay::EARLIER_PROCEDURE;

/// A file, and the directory of its own that it is in, removed at the end of the test.
struct Place(PathBuf, TempDir);

impl Place {
    fn new() -> Place {
        let dir = TempDir::with_prefix("tengen-corpus-test-").unwrap();
        Place(dir.path().join("some.games"), dir)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    /// Writes a corpus of `games` games.
    fn fill(&self, games: u64) {
        let (mut store, begun) = CorpusStore::open(&self.0, &options()).unwrap();
        for number in begun.counts.games..games {
            store.append(&nth(number)).unwrap();
        }
        store.sync().unwrap();
    }

    fn read(&self) -> Result<Vec<SelfPlayGame>, GamesError> {
        CorpusReader::open(&self.0)?.collect()
    }
}

fn nth(number: u64) -> SelfPlayGame {
    game(&options(), number, number as usize % 9, 10 + number as usize % 50)
}

#[test]
fn games_are_read_back_in_their_order_however_often_the_file_was_opened() {
    let place = Place::new();
    for games in [0, 1, 2, 40, 40, 300] {
        place.fill(games);
        let read = place.read().unwrap();
        assert_eq!(read, (0..games).map(nth).collect::<Vec<_>>());
    }
    let mut reader = CorpusReader::open(&place.0).unwrap();
    assert_eq!(*reader.options(), options());
    assert_eq!(reader.by_ref().count(), 300);
    assert_eq!((reader.games(), reader.torn()), (300, 0));
    let others = fs::read_dir(&place.1).unwrap().count();
    assert_eq!(others, 1, "nothing is left beside the file");
}

#[test]
fn the_checksum_tells_games_of_one_length_apart() {
    let of = |game: &SelfPlayGame| {
        let place = Place::new();
        let (mut store, _) = CorpusStore::open(&place.0, &options()).unwrap();
        store.append(game).unwrap();
        store.sync().unwrap();
        let mut reader = CorpusReader::open(&place.0).unwrap();
        assert_eq!(reader.by_ref().count(), 1);
        (reader.offset(), reader.crc())
    };
    let mut game = nth(4);
    let one = of(&game);
    assert_eq!(of(&nth(4)), one);
    game.game.moves.swap(0, 1);
    let other = of(&game);
    assert_eq!(other.0, one.0);
    assert_ne!(other.1, one.1);
}

#[test]
fn what_was_played_before_is_told() {
    let place = Place::new();
    place.fill(20);
    let (_, begun) = CorpusStore::open(&place.0, &options()).unwrap();
    assert_eq!(begun.last, Some(nth(19)));
    let mut counts = crate::tuning::CorpusCounts::default();
    (0..20).for_each(|number| counts.add(&nth(number)));
    assert_eq!(begun.counts, counts);
    assert_eq!((counts.games, counts.results.iter().sum::<u64>()), (20, 20));
    assert_eq!((counts.shortest, counts.longest), (Some(10), Some(29)));
}

#[test]
fn a_torn_end_is_left_out_and_cut_off() {
    let place = Place::new();
    place.fill(10);
    let nine = {
        place.fill(10);
        let mut reader = CorpusReader::open(&place.0).unwrap();
        assert_eq!(reader.by_ref().take(9).count(), 9);
        reader.offset() as usize
    };
    let whole = place.bytes();
    for len in nine..whole.len() {
        fs::write(&place.0, &whole[..len]).unwrap();
        assert_eq!(place.read().unwrap().len(), 9, "{len}");
        let (_, begun) = CorpusStore::open(&place.0, &options()).unwrap();
        assert_eq!(begun.counts.games, 9);
        assert_eq!(place.bytes(), whole[..nine]);
    }
    // A system that goes down can leave zeros, and what was written after them.
    for rubbish in [vec![0; 5000], [&whole[nine..nine + 9], &[0; 512], &whole[nine..]].concat()] {
        fs::write(&place.0, [&whole[..], &rubbish].concat()).unwrap();
        let mut reader = CorpusReader::open(&place.0).unwrap();
        assert_eq!(reader.by_ref().count(), 10);
        assert_eq!(reader.torn(), rubbish.len() as u64);
        place.fill(10);
        assert_eq!(place.bytes(), whole);
    }
}

#[test]
fn damage_that_no_interruption_explains_is_an_error_and_changes_nothing() {
    let place = Place::new();
    let long = game(&options(), 0, 0, 230);
    let (mut store, _) = CorpusStore::open(&place.0, &options()).unwrap();
    for _ in 0..1000 {
        store.append(&long).unwrap();
    }
    let mut bytes = place.bytes();
    let at = HEADER_BYTES + (bytes.len() - HEADER_BYTES) / 1000 + 50;
    bytes[at] ^= 1;
    drop(store);
    fs::write(&place.0, &bytes).unwrap();
    let mut reader = CorpusReader::open(&place.0).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error, GamesError::Damaged { game: 2, .. }), "{error}");
    assert!(reader.next().is_none());
    let error = CorpusStore::open(&place.0, &options()).unwrap_err();
    assert!(matches!(error, GamesError::Damaged { game: 2, .. }), "{error}");
    assert_eq!(place.bytes(), bytes);
}

#[test]
fn a_flipped_bit_is_an_error_with_its_place_wherever_it_is() {
    let place = Place::new();
    place.fill(4);
    let whole = place.bytes();
    let mut reader = CorpusReader::open(&place.0).unwrap();
    let mut starts = Vec::new();
    while reader.torn() > 0 {
        starts.push(reader.offset());
        reader.next().unwrap().unwrap();
    }
    for at in HEADER_BYTES..whole.len() {
        let damaged = starts.iter().rposition(|&start| start <= at as u64).unwrap();
        // All bits where a length could be meant, and one of each other byte.
        let is_length = at as u64 - starts[damaged] < 8;
        for bit in 0..8 {
            if !is_length && bit != at % 8 {
                continue;
            }
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&place.0, &bytes).unwrap();
            match (place.read(), CorpusStore::open(&place.0, &options())) {
                (
                    Err(GamesError::Damaged { game, offset, .. }),
                    Err(GamesError::Damaged { game: again, .. }),
                ) => {
                    assert_eq!((game, again), (damaged as u64 + 1, game));
                    assert_eq!(offset, starts[damaged]);
                }
                read => panic!("byte {at}, bit {bit}: {read:?}"),
            }
            assert_eq!(place.bytes(), bytes, "nothing is changed");
        }
    }
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let place = Place::new();
    fs::write(&place.0, "h8i9j8\n").unwrap();
    let error = CorpusStore::open(&place.0, &options()).unwrap_err();
    let foreign = |error: &GamesError| {
        matches!(error, GamesError::Header { fault: HeaderFault::Foreign, .. })
    };
    assert!(foreign(&error), "{error}");
    assert_eq!(place.bytes(), b"h8i9j8\n");
    fs::remove_file(&place.0).unwrap();

    place.fill(3);
    let bytes = place.bytes();
    let other = SelfPlayOptions { seed: 5, weights: 0, ..options() };
    let error = CorpusStore::open(&place.0, &other).unwrap_err();
    let text = error.to_string();
    let end = "was begun with other options: seed 81985529216486895 (now 5), \
               weights fedcba98 (now hand-tuned)";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(place.bytes(), bytes);

    let dir = place.1.path();
    assert!(matches!(
        CorpusStore::open(dir, &options()),
        Err(GamesError::File(FileError::NotAFile(_)))
    ));
}

#[test]
fn a_file_of_the_earlier_procedure_is_read_and_continued_as_it_was_begun() {
    let place = Place::new();
    let earlier = options().in_procedure(EARLIER_PROCEDURE);
    let fill = |games: std::ops::Range<u64>| {
        let (mut store, begun) = CorpusStore::open(&place.0, &earlier).unwrap();
        assert_eq!(begun.counts.games, games.start);
        games.for_each(|number| store.append(&nth(number)).unwrap());
        store.sync().unwrap();
    };
    fill(0..5);
    let begun = place.bytes();
    assert_eq!(begun[8..12], [2, 0, 2, 0]);
    fill(5..9);
    assert!(place.bytes().starts_with(&begun));
    assert_eq!(place.read().unwrap(), (0..9).map(nth).collect::<Vec<_>>());
    let mut reader = CorpusReader::open(&place.0).unwrap();
    assert_eq!((*reader.options(), reader.by_ref().count()), (earlier, 9));
    let error = CorpusStore::open(&place.0, &options()).unwrap_err().to_string();
    assert!(error.contains("procedure 2 (now 3)"), "{error}");
}

#[test]
fn an_empty_file_and_a_torn_header_are_a_new_corpus() {
    let place = Place::new();
    place.fill(0);
    let header = place.bytes();
    for len in [0, 1, 8, HEADER_BYTES - 1] {
        fs::write(&place.0, &header[..len]).unwrap();
        place.fill(2);
        assert_eq!(place.read().unwrap().len(), 2);
    }
}

#[test]
fn two_at_once_are_kept_apart() {
    let place = Place::new();
    let (mut first, _) = CorpusStore::open(&place.0, &options()).unwrap();
    first.append(&nth(0)).unwrap();
    let second = CorpusStore::open(&place.0, &options());
    assert!(matches!(second, Err(GamesError::File(FileError::Locked(_)))), "{second:?}");
    first.append(&nth(1)).unwrap();
    assert_eq!(place.read().unwrap().len(), 2);
    fs::write(&place.0, [&place.bytes()[..], b"x"].concat()).unwrap();
    let changed = first.append(&nth(2));
    assert!(matches!(changed, Err(GamesError::File(FileError::Changed(_)))), "{changed:?}");
}

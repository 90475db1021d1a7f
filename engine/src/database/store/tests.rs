use std::fs;
use std::io::ErrorKind;

use tempfile::TempDir;

use super::*;
use crate::database::code::tests::random_entry;
use crate::database::{Evaluation, GameCounts, PositionKey};
use tengen_core::notation::parse_moves;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Score, Size};

fn folder() -> TempDir {
    TempDir::with_prefix("tengen-database-").unwrap()
}

/// Returns a new database in a directory.
pub(in crate::database) fn new_database(folder: &TempDir) -> PositionDatabase {
    PositionDatabase::open(&folder.path().join("a.tdb"), Access::Create).unwrap()
}

pub(in crate::database) fn placement(rule: Rule, size: Size, moves: &str) -> Placement {
    Placement::of_moves(rule, size, &parse_moves(moves, size).unwrap()).unwrap()
}

fn at(moves: &str) -> Placement {
    placement(Rule::Renju, Size::DEFAULT, moves)
}

fn said(text: &str) -> PositionEntry {
    PositionEntry { text: text.to_owned(), ..PositionEntry::default() }
}

/// Fills a database with positions that random games go through, and returns their number.
fn fill(database: &PositionDatabase, seed: u64, games: usize) -> u64 {
    let mut rng = SplitMix64::new(seed);
    let size = Size::DEFAULT;
    database
        .write(|writer| {
            for _ in 0..games {
                let mut placement = at("h8");
                for _ in 0..12 {
                    let point = size.points().nth(rng.below(size.area())).unwrap();
                    if placement.play(point).is_ok() {
                        writer.put(&placement, random_entry(&mut rng, size))?;
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    database.read().unwrap().len().unwrap()
}

#[test]
fn what_was_written_is_there_after_the_file_is_opened_again() {
    let folder = folder();
    let database = new_database(&folder);
    let size = Size::DEFAULT;
    let mut rng = SplitMix64::new(1);
    let entry = random_entry(&mut rng, size);
    database.write(|writer| writer.put(&at("h8i9j8"), entry.clone())).unwrap();
    database.write(|writer| writer.put(&at("h8i9"), said("x"))).unwrap();
    assert_eq!(database.get(&at("h8i9j8")).unwrap(), Some(entry.clone()));
    drop(database);
    for access in [Access::Read, Access::Write, Access::Create, Access::Read] {
        let database = PositionDatabase::open(&folder.path().join("a.tdb"), access).unwrap();
        assert_eq!(database.get(&at("j8i9h8")).unwrap(), Some(entry.clone()));
        assert_eq!(database.get(&at("h8g7")).unwrap(), Some(said("x")), "seen from another side");
        assert_eq!(database.get(&at("h8i8")).unwrap(), None);
        assert_eq!(database.read().unwrap().len().unwrap(), 2);
    }
}

#[test]
fn changes_happen_as_a_whole_or_not_at_all() {
    let folder = folder();
    let database = new_database(&folder);
    database.write(|writer| writer.put(&at("h8"), said("old"))).unwrap();
    let before = database.read().unwrap();
    let failed = database.write(|writer| {
        writer.put(&at("h8"), said("new"))?;
        writer.put(&at(""), said("new"))?;
        Err::<(), _>(DatabaseError::Foreign("x".into()))
    });
    assert!(matches!(failed, Err(DatabaseError::Foreign(_))));
    assert_eq!(database.get(&at("h8")).unwrap(), Some(said("old")));
    assert_eq!(database.get(&at("")).unwrap(), None);
    let removed = database.write(|writer| {
        Ok((writer.remove(&at("h8"))?, writer.remove(&at("h8"))?, writer.get(&at("h8"))?))
    });
    assert_eq!(removed.unwrap(), (true, false, None));
    assert_eq!(before.get(&at("h8")).unwrap(), Some(said("old")), "as it was");
}

#[test]
fn moves_and_groups_are_those_that_are_known() {
    let folder = folder();
    let database = new_database(&folder);
    for (moves, text) in [("h8", "h8"), ("h8h9", "h9"), ("h8i9", "i9"), ("h8i9a1", "a1")] {
        database.write(|writer| writer.put(&at(moves), said(text))).unwrap();
    }
    let other = placement(Rule::Standard, Size::square(20).unwrap(), "a1");
    database.write(|writer| writer.put(&other, said("20"))).unwrap();
    let reader = database.read().unwrap();
    let known: Vec<(String, String)> = reader
        .moves(&at("h8"))
        .unwrap()
        .into_iter()
        .map(|known| (known.point.to_string(), known.entry.text))
        .collect();
    let expected = [
        ("g7", "i9"),
        ("h7", "h9"),
        ("i7", "i9"),
        ("g8", "h9"),
        ("i8", "h9"),
        ("g9", "i9"),
        ("h9", "h9"),
        ("i9", "i9"),
    ];
    let expected = expected.map(|(point, text)| (point.to_owned(), text.to_owned()));
    assert_eq!(known, expected);
    let groups: Vec<(Rule, usize)> =
        reader.groups().unwrap().iter().map(|group| (group.rule, group.stones)).collect();
    let renju = [1, 2, 3].map(|stones| (Rule::Renju, stones));
    assert_eq!(groups, [&[(Rule::Standard, 1)][..], &renju].concat());
    let of_group = |group| reader.scan(group).unwrap().filter(Result::is_ok).count();
    assert_eq!(of_group(None), 5);
    assert_eq!(of_group(Some(at("h8a1").key().key.group())), 2);
    assert_eq!(of_group(Some(at("h8a1a2a3").key().key.group())), 0);
}

#[test]
fn others_are_kept_out_but_readers_share() {
    let folder = folder();
    let path = folder.path().join("a.tdb");
    let writer = new_database(&folder);
    let message = |access| PositionDatabase::open(&path, access).unwrap_err().to_string();
    assert!(message(Access::Write).ends_with("a.tdb: another program has it open"));
    assert!(message(Access::Read).ends_with("a.tdb: another program is writing to it"));
    writer.write(|writer| writer.put(&at("h8"), said("x"))).unwrap();
    drop(writer);
    let bytes = fs::read(&path).unwrap();
    let readers = [(); 2].map(|()| PositionDatabase::open(&path, Access::Read).unwrap());
    for reader in &readers {
        assert_eq!(reader.get(&at("h8")).unwrap(), Some(said("x")));
        let refused = reader.write(|writer| writer.put(&at("h8"), said("y")));
        assert!(matches!(refused, Err(DatabaseError::ReadOnly(_))));
    }
    assert!(message(Access::Write).ends_with("another program has it open"));
    drop(readers);
    assert!(fs::read(&path).unwrap() == bytes, "readers have changed the file");
}

#[test]
fn what_is_no_database_is_refused_and_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.tdb");
    let open = |access| PositionDatabase::open(&path, access).map(|_| ()).unwrap_err();
    assert!(matches!(open(Access::Write), DatabaseError::File(FileError::Io { error, .. })
        if error.kind() == ErrorKind::NotFound));
    assert!(!path.exists());
    for bytes in [&b"h8i9\n"[..], &[0; 9000], b"redb\x1a\x0a\xa9\x0d\x0a", b"t"] {
        fs::write(&path, bytes).unwrap();
        for access in [Access::Read, Access::Write, Access::Create] {
            assert!(matches!(open(access), DatabaseError::Foreign(_)), "{access:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    fs::write(&path, b"").unwrap();
    assert!(matches!(open(Access::Read), DatabaseError::Foreign(_)));
    assert!(PositionDatabase::open(&path, Access::Create).is_ok(), "an empty file is no loss");
    let error = PositionDatabase::open(folder.path(), Access::Create).unwrap_err();
    assert!(error.to_string().ends_with("is not a regular file"));
}

/// Opens a database that may be damaged, reads everything, changes something and reads again.
fn use_all(path: &Path, access: Access) -> Result<u64, DatabaseError> {
    let mut database = PositionDatabase::open(path, access)?;
    let read = |database: &PositionDatabase| {
        let reader = database.read()?;
        let mut count = 0;
        for stored in reader.scan(None)? {
            stored?;
            count += 1;
        }
        reader.groups()?;
        reader.get(&at("h8i9"))?;
        reader.moves(&at("h8"))?;
        Ok::<u64, DatabaseError>(count)
    };
    let count = read(&database)?;
    if access == Access::Write {
        database.write(|writer| writer.put(&at(""), said("new")))?;
        assert_eq!(read(&database)?, count + 1);
        database.write(|writer| writer.remove(&at("")))?;
    }
    database.check_pages()?;
    Ok(count)
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    let folder = folder();
    let [path, bad] = ["a.tdb", "b.tdb"].map(|name| folder.path().join(name));
    let database = new_database(&folder);
    let count = fill(&database, 1, 100);
    drop(database);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(use_all(&path, Access::Write).unwrap(), count);
    let mut rng = SplitMix64::new(5);
    for round in 0..60 {
        let len = match round {
            0..20 => round * 256,
            20..30 => bytes.len() - (round - 19),
            _ => rng.below(bytes.len()),
        };
        fs::write(&bad, &bytes[..len]).unwrap();
        let error = use_all(&bad, if round % 2 == 0 { Access::Read } else { Access::Write });
        let error = error.unwrap_err();
        assert!(
            matches!(error, DatabaseError::Foreign(_) | DatabaseError::Truncated { .. }),
            "{len}: {error}"
        );
    }
}

#[test]
fn changed_bytes_are_errors_with_their_place_or_mean_nothing() {
    let folder = folder();
    let [path, bad] = ["a.tdb", "b.tdb"].map(|name| folder.path().join(name));
    let database = new_database(&folder);
    let count = fill(&database, 2, 100);
    drop(database);
    let good = fs::read(&path).unwrap();
    let mut rng = SplitMix64::new(6);
    let mut found = 0;
    for round in 0..300 {
        let mut bytes = good.clone();
        let place = if round < 60 { rng.below(1024) } else { rng.below(bytes.len()) };
        if round % 3 == 0 {
            // A lost sector.
            let start = place / 512 * 512;
            let end = (start + 512).min(bytes.len());
            bytes[start..end].fill(if round % 2 == 0 { 0 } else { 0xff });
        } else {
            bytes[place] ^= 1 << rng.below(8);
        }
        fs::write(&bad, &bytes).unwrap();
        let access = if round % 2 == 0 { Access::Read } else { Access::Write };
        match use_all(&bad, access) {
            // The place is not in use.
            Ok(read) => assert_eq!(read, count, "{place}"),
            Err(DatabaseError::Damaged { place: named, .. }) => {
                assert!(named <= place as u64 && place as u64 - named < 5000, "{place} {named}");
                found += 1;
            }
            Err(DatabaseError::Foreign(_)) => assert!(place < 512, "{place}"),
            Err(DatabaseError::Truncated { .. }) => assert!((512..1024).contains(&place)),
            Err(error) => panic!("{place}: {error}"),
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn entries_that_a_later_version_wrote_are_errors() {
    let folder = folder();
    let database = new_database(&folder);
    database
        .begin(|transaction| {
            let mut table = transaction.open_table(POSITIONS).unwrap();
            let key = at("h8").key().key;
            table.insert(key.as_bytes(), [0x80, 0x80, 1].as_slice()).unwrap();
            table.insert([9, 15].as_slice(), [0].as_slice()).unwrap();
            Ok(())
        })
        .unwrap();
    let error = database.get(&at("h8")).unwrap_err().to_string();
    assert!(error.contains("fields that this version knows"), "{error}");
    let reader = database.read().unwrap();
    let results: Vec<_> = reader.scan(None).unwrap().collect();
    assert_eq!(results.len(), 1, "the scan ends at the first error");
    assert!(reader.groups().unwrap_err().to_string().contains("the size of a board"));
    database
        .begin(|transaction| {
            transaction
                .open_table(FACTS)
                .unwrap()
                .insert(FORMAT, 2_u64.to_le_bytes().as_slice())
                .unwrap();
            Ok(())
        })
        .unwrap();
    drop((reader, database));
    let again = PositionDatabase::open(&folder.path().join("a.tdb"), Access::Read);
    assert!(matches!(again, Err(DatabaseError::Version { version: 2, .. })));
}

#[test]
fn compacting_gives_room_back_and_loses_nothing() {
    let folder = folder();
    let mut database = new_database(&folder);
    fill(&database, 3, 300);
    database
        .write(|writer| {
            let keys: Vec<PositionKey> =
                database.read()?.scan(None)?.map(|stored| stored.unwrap().key).collect();
            keys[10..].iter().try_for_each(|key| writer.remove_stored(key).map(|_| ()))
        })
        .unwrap();
    let before = database.file_bytes().unwrap();
    let less = database.compact().unwrap();
    assert!(less > before / 2, "{less} of {before}");
    assert_eq!(database.read().unwrap().len().unwrap(), 10);
    database.check_pages().unwrap();
    drop(database);
    assert_eq!(use_all(&folder.path().join("a.tdb"), Access::Read).unwrap(), 10);
}

#[test]
fn threads_can_share_a_database() {
    fn shared<T: Send + Sync>() {}
    shared::<PositionDatabase>();
    shared::<DatabaseReader>();
}

#[test]
fn entries_are_merged_in_place() {
    let folder = folder();
    let database = new_database(&folder);
    let key = at("h8").key().key;
    let valued = |depth| PositionEntry {
        evaluation: Some(Evaluation { score: Score::ZERO, depth, bound: None }),
        visits: 2,
        ..PositionEntry::default()
    };
    let merge = |entry: &PositionEntry, visits| {
        let games = GameCounts::default();
        database.write(|writer| writer.merge_seen(&key, entry, visits, games)).unwrap()
    };
    assert!(merge(&valued(3), 0) && merge(&valued(5), 0));
    assert!(!merge(&valued(4), 0) && merge(&valued(1), 2));
    let entry = database.get(&at("h8")).unwrap().unwrap();
    assert_eq!((entry.evaluation.unwrap().depth, entry.visits), (5, 4));
    let walled = {
        let mut board = tengen_core::board::Board::new(Size::DEFAULT);
        board.place_wall(Size::DEFAULT.center());
        Placement::new(Rule::Freestyle, board, Color::Black)
    };
    assert!(walled.is_err());
}

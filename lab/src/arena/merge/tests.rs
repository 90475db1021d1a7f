use std::fs;

use super::*;
use crate::arena::Shard;
use crate::arena::testing::{Place, random_match};

/// Writes the games of a shard to a journal of their own.
fn part(path: &Path, info: &MatchInfo, games: &[PlayedGame], shard: Option<Shard>) {
    let (mut journal, _, _) = Journal::open(path, info, shard).unwrap();
    let is_in = |game: &&PlayedGame| shard.is_none_or(|shard| shard.contains(game.fixture.pair));
    // Games end in any order.
    for game in games.iter().rev().filter(is_in) {
        journal.add(game).unwrap();
    }
    journal.close(true).unwrap();
}

#[test]
fn shards_become_the_whole_match() {
    let place = Place::new();
    let (info, games) = random_match(1, 3, 3);
    let paths: Vec<PathBuf> = (0..3).map(|i| place.file(&format!("{i}.jsonl"))).collect();
    for (index, path) in (0..).zip(&paths) {
        part(path, &info, &games, Some(Shard { index, count: 3 }));
    }
    let merged = merge(&paths).unwrap();
    assert_eq!((&merged.info, &merged.games), (&info, &games));
    // One more or the same once more changes nothing.
    let twice = [&paths[..], &paths[1..]].concat();
    assert_eq!(merge(&twice).unwrap(), merged);

    let out = place.file("all.jsonl");
    merged.write(&out).unwrap();
    assert_eq!(Journal::read(&out).unwrap(), (info.clone(), games.clone()));
    let (_, resumed, _) = Journal::open(&out, &info, None).unwrap();
    assert_eq!(resumed, games);
    assert_eq!(merge(&[out, paths[0].clone()]).unwrap(), merged);
}

#[test]
fn journals_that_contradict_each_other_are_not_joined() {
    let place = Place::new();
    let (info, games) = random_match(2, 2, 2);
    let (a, b) = (place.file("a.jsonl"), place.file("b.jsonl"));
    part(&a, &info, &games, None);
    let (_, others) = random_match(3, 2, 2);
    part(&b, &info, &others, None);
    let error = merge(&[a.clone(), b.clone()]).unwrap_err().to_string();
    let (a_name, b_name) = (a.display().to_string(), b.display().to_string());
    assert_eq!(error, format!("game 4 is not the same in {a_name} and {b_name}"));

    fs::remove_file(&b).unwrap();
    let other = MatchInfo { rounds: 5, ..info };
    part(&b, &other, &games, None);
    let error = merge(&[a.clone(), b]).unwrap_err().to_string();
    assert_eq!(error, format!("{b_name} is of another match: rounds 5 (now 2)"));

    assert!(matches!(merge(&[]), Err(JournalError::Nothing)));
    let missing = merge(&[a, place.file("c.jsonl")]).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read "));
}

#[test]
fn nothing_is_lost_by_writing_over_a_file() {
    let place = Place::new();
    let (info, games) = random_match(4, 2, 2);
    let out = place.file("out.jsonl");
    let merged = Merged { info: info.clone(), games: games.clone() };
    let few = Merged { info: info.clone(), games: games[1..].to_vec() };
    few.write(&out).unwrap();
    merged.write(&out).unwrap();
    for other in [few, Merged { info: MatchInfo { rounds: 9, ..info.clone() }, games }] {
        let error = other.write(&out).unwrap_err();
        assert!(matches!(error, JournalError::Exists(_)), "{error}");
    }
    assert_eq!(Journal::read(&out).unwrap().1, merged.games);

    let (journal, _, _) = Journal::open(&out, &info, None).unwrap();
    assert!(matches!(merged.write(&out), Err(JournalError::File(FileError::Locked(_)))));
    drop(journal);
    fs::write(&out, "precious").unwrap();
    assert!(matches!(merged.write(&out), Err(JournalError::Exists(_))));
    assert_eq!(fs::read_to_string(&out).unwrap(), "precious");
    assert!(merged.write(&place.file("")).is_err());
    assert!(merged.write(&place.file("no-folder/x")).is_err());
}

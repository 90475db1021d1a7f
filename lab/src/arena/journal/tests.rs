use std::fs::{self, OpenOptions};
use std::io::Write;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::arena::testing::{Place, Sample, info, random_match};
use crate::arena::{EndKind, Usage};
use crate::stats::{EloModel, SprtOptions};
use tengen_core::board::Symmetry;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Size};
use tengen_files::records::{self, Format, Known, Move, MoverSearch};
use tengen_files::resume::testing::{check_flips, without_sums};

fn fill(path: &Path, info: &MatchInfo, games: &[PlayedGame]) {
    let (mut journal, _, _) = Journal::open(path, info, None).unwrap();
    games.iter().for_each(|game| journal.add(game).unwrap());
    journal.close(false).unwrap();
}

/// Opens a journal, and returns the games in it.
fn games(path: &Path, info: &MatchInfo) -> Result<Vec<PlayedGame>, JournalError> {
    Journal::open(path, info, None).map(|(_, games, _)| games)
}

fn message(path: &Path, info: &MatchInfo) -> String {
    games(path, info).unwrap_err().to_string()
}

#[test]
fn games_come_back_as_they_were_added_run_after_run() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(1, 3, 4);
    for (i, game) in all.iter().enumerate() {
        let (mut journal, before, unfinished) = Journal::open(&path, &info, None).unwrap();
        assert_eq!(before, all[..i]);
        assert!(unfinished.is_empty());
        assert_eq!(journal.dropped(), 0);
        journal.add(game).unwrap();
    }
    assert_eq!(Journal::read(&path).unwrap(), (info, all));
}

#[test]
fn a_journal_can_be_read_as_records() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(2, 2, 3);
    fill(&path, &info, &all);
    let text = fs::read(&path).unwrap();
    assert_eq!(Format::detect(&text), Some(Format::Json));
    let read = records::read(&text, Format::Json, Known::default()).unwrap();
    assert!(read.iter().eq(all.iter().map(|game| &game.record)));
    let text = String::from_utf8(text).unwrap().replacen("\"moves\":\"", "\"moves\":\" ", 2);
    let error = records::read(text.as_bytes(), Format::Json, Known::default()).unwrap_err();
    assert!(error.to_string().contains("a line whose checksum fits"), "{error}");
}

/// As `tengen match merge` does.
#[test]
#[cfg(unix)]
fn a_journal_that_is_replaced_while_its_lock_is_waited_for_is_opened_anew() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(3, 2, 2);
    fill(&path, &info, &all[..1]);
    let lock = LockedFile::open(&path).unwrap();
    let adding = thread::spawn({
        let (path, info, game) = (path.clone(), info.clone(), all[2].clone());
        move || loop {
            match Journal::open(&path, &info, None) {
                Ok((mut journal, ..)) => return journal.add(&game).unwrap(),
                Err(JournalError::File(FileError::Locked(_))) => {}
                Err(error) => panic!("{error}"),
            }
        }
    });
    thread::sleep(Duration::from_millis(50));
    lock.replace(text_of(&info, &all[..2]).unwrap().as_bytes()).unwrap();
    adding.join().unwrap();
    assert_eq!(Journal::read(&path).unwrap(), (info, all[..3].to_vec()));
}

proptest! {
    #[test]
    fn whatever_a_game_holds_is_read_back(
        numbers in any::<[u64; 3]>(),
        (symmetry, end, black_seat) in (0..8_usize, 0..EndKind::ALL.len(), 0..2_usize),
        opening in any::<Option<u32>>(),
        (event, detail) in any::<(String, String)>(),
        remarks in any::<Vec<(Option<u64>, Option<i32>, Option<u32>, Option<u64>)>>(),
        usage in any::<[(Option<u64>, u64, u64, u32); 2]>(),
    ) {
        let [number, pair, round] = numbers;
        let points = Size::DEFAULT.points().take(remarks.len()).collect();
        let sample = Sample::new(number, pair, [0, 1], round % 2 == 1).moves(points);
        let mut game = sample.end(EndKind::ALL[end]).game();
        game.fixture.round = round;
        game.fixture.opening = opening.map(|opening| opening as usize);
        game.fixture.symmetry = Symmetry::ALL[symmetry];
        game.black_seat = black_seat;
        game.record.event = event;
        game.detail = detail;
        game.usage = usage.map(|(memory, time, slowest, moves)| Usage {
            memory,
            time: Duration::from_nanos(time),
            slowest: Duration::from_nanos(slowest),
            moves,
        });
        for (m, (time, score, depth, nodes)) in game.record.moves.iter_mut().zip(remarks) {
            m.set_search(MoverSearch { time, score, depth, nodes });
        }
        let line = line::write_game(&game).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert_eq!(line::read_game(&line, &info(2), None), Ok(game));
    }
}

#[test]
fn a_last_line_without_an_end_is_dropped_wherever_it_ends() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let info = info(2);
    let game = |i| Sample::new(i, i / 2, [0, 1], i % 2 == 1).game();
    let all: Vec<PlayedGame> = (0..3).map(game).collect();
    fill(&path, &info, &all);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').map(|i| i + 1).collect();
    let last = ends.len() - 1;
    for len in ends[last - 2]..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let kept = ends.iter().filter(|&&end| end <= len).count() - 1;
        let (mut journal, before, _) = Journal::open(&path, &info, None).unwrap();
        assert_eq!(before, all[..kept]);
        assert_eq!(journal.dropped(), (len - ends[kept]) as u64);
        for game in &all[kept..] {
            journal.add(game).unwrap();
        }
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_first_line_without_an_end_is_written_again() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(4, 2, 1);
    let head = line::write_head(&info, None);
    for len in (0..head.len()).rev().step_by(7).chain([0, 1]) {
        fs::write(&path, &head[..len]).unwrap();
        fill(&path, &info, &all);
        assert_eq!(Journal::read(&path).unwrap().1, all);
    }
}

#[test]
fn files_of_other_origin_are_refused_and_left_alone() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let info = info(2);
    let other = MatchInfo { event: "other".to_owned(), ..info.clone() };
    let torn = &line::write_head(&other, None)[..200];
    for text in ["hello", "hello\n", "\n", "\0\0\0", "{\"tengen\":1}\n", "{\"x", torn] {
        fs::write(&path, text).unwrap();
        let error = games(&path, &info).unwrap_err();
        assert!(matches!(error, JournalError::NotAJournal(_)), "{text:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(matches!(Journal::read(&path), Err(JournalError::NotAJournal(_))));
    }
    assert!(message(&path, &info).contains("is not the journal of a match"));
}

#[test]
fn a_line_that_is_wrong_is_named_and_nothing_is_changed() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(5, 2, 2);
    fill(&path, &info, &all);
    let whole = without_sums(&fs::read_to_string(&path).unwrap());
    for (line, old, new, what) in [
        (1, "match\":1", "match\":2", "version 2 of the format"),
        (1, "\"rule\"", "\"role\"", "unknown field `role`"),
        (1, "{\"name\"", "\"name\"", "expected"),
        (2, "{", "", "(column "),
        (2, "\"match\":", "\"watch\":", "missing field `match`"),
        (3, "\"game\":1", "\"game\":0", "another game with the number of that in line 2"),
        (3, "\"seats\":[1,0]", "\"seats\":[1,1]", "seats"),
        (3, "\"seats\":[1,0]", "\"seats\":[2,0]", "seats"),
        (3, "\"black_seat\":0", "\"black_seat\":2", "no seat 2"),
        (3, "\"size\":[15,15]", "\"size\":[15,16]", "another size or rule"),
        (3, "\"rule\":\"freestyle\"", "\"rule\":\"renju\"", "another size or rule"),
        (3, "\"moves\":\"", "\"moves\":\"z9", "expected a cell"),
        (3, "\"result\":", "\"outcome\":", "without a result"),
        (4, "\"end\":\"", "\"end\":\"x", "no game ends by \"x"),
        (4, "\"identity\"", "\"none\"", "unknown variant `none`"),
        (4, "\n", "\n\n", "EOF"),
    ] {
        let mut lines: Vec<String> = whole.lines().map(|line| format!("{line}\n")).collect();
        let number = if new == "\n\n" { line + 1 } else { line };
        assert!(lines[line - 1].contains(old), "{old}");
        lines[line - 1] = lines[line - 1].replacen(old, new, 1);
        let text = lines.concat();
        fs::write(&path, &text).unwrap();
        let message = message(&path, &info);
        assert!(message.starts_with(&format!("{}:{number}: ", path.display())), "{message}");
        assert!(message.contains(what), "{what}: {message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, [whole.as_bytes(), b"\xff\n"].concat()).unwrap();
    assert!(message(&path, &info).ends_with(":6: the line is not UTF-8"));
}

#[test]
fn the_same_line_twice_is_one_game() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(6, 2, 2);
    fill(&path, &info, &all);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(&line::write_game(&all[1]).unwrap());
    fs::write(&path, text).unwrap();
    assert_eq!(games(&path, &info).unwrap(), all);
}

#[test]
fn the_journal_of_another_match_or_shard_is_refused_with_the_differences() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(7, 2, 2);
    let shard = Some(Shard { index: 1, count: 2 });
    let (mut journal, _, _) = Journal::open(&path, &info, shard).unwrap();
    all.iter().filter(|game| game.fixture.pair == 1).for_each(|game| journal.add(game).unwrap());
    drop(journal);
    let before = fs::read(&path).unwrap();
    let error = |info: &MatchInfo, shard: Option<Shard>| {
        Journal::open(&path, info, shard).unwrap_err().to_string()
    };
    let other = MatchInfo { rounds: 3, event: "x".to_owned(), ..info.clone() };
    assert!(
        error(&other, shard).ends_with("match.jsonl is of another match: event sample (now x)")
    );
    assert!(error(&info, None).ends_with(": shard 2/2 (now none)"));
    assert!(error(&info, Some(Shard { index: 0, count: 2 })).ends_with(": shard 2/2 (now 1/2)"));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(Journal::open(&path, &info, shard).unwrap().1, all[2..]);
    // A game that belongs to another shard can't be there.
    fs::write(&path, [before, line::write_game(&all[0]).unwrap().into_bytes()].concat()).unwrap();
    assert!(error(&info, shard).ends_with(":4: a game of another shard"));
}

#[test]
fn a_journal_goes_on_with_more_rounds_and_not_with_fewer() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(9, 2, 3);
    let shorter = MatchInfo { rounds: 2, ..info.clone() };
    fill(&path, &shorter, &all[..4]);
    let torn = line::write_game(&all[4]).unwrap();
    let text = fs::read(&path).unwrap();
    fs::write(&path, [&text, &torn.as_bytes()[..torn.len() / 2]].concat()).unwrap();
    let (mut journal, before, _) = Journal::open(&path, &info, None).unwrap();
    assert_eq!(before, all[..4]);
    let second = message(&path, &info);
    assert!(second.ends_with("another run is writing to it"), "{second}");
    all[4..].iter().for_each(|game| journal.add(game).unwrap());
    drop(journal);
    assert_eq!(Journal::read(&path).unwrap(), (info.clone(), all));

    let text = fs::read(&path).unwrap();
    let refused = message(&path, &shorter);
    assert!(refused.ends_with("is of another match: rounds 3 (now 2)"), "{refused}");
    let other = MatchInfo { rounds: 9, event: "x".to_owned(), ..info.clone() };
    let refused = message(&path, &other);
    assert!(refused.ends_with("match: event sample (now x)"), "{refused}");
    let shard = Some(Shard { index: 0, count: 2 });
    let longer = MatchInfo { rounds: 9, ..info };
    let refused = Journal::open(&path, &longer, shard).unwrap_err().to_string();
    assert!(refused.ends_with("match: shard none (now 1/2)"), "{refused}");
    assert_eq!(fs::read(&path).unwrap(), text);
}

/// The head that the versions before this one wrote, letter by letter.
#[test]
fn a_journal_of_old_is_known() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let sprt = r#"{"model":"normalized","elo0":0.1,"elo1":5.0,"alpha":0.05,"beta":0.05}"#;
    let head = format!(
        r#"{{"tengen_match":1,"match":{{"event":"sample","rule":"caro-exact","size":[15,15],"players":[{{"name":"tengen","command":"./tengen","options":"turn=1 memory=350"}},{{"name":"carbon","command":"./carbon","options":"turn=1 memory=350"}}],"pairing":{{"best-of":[0,1]}},"rounds":7,"sprt":{sprt},"settings":[["openings","none"]]}}}}"#
    );
    let sprt =
        SprtOptions { model: EloModel::Normalized, elo0: 0.1, elo1: 5.0, alpha: 0.05, beta: 0.05 };
    let info = MatchInfo { rule: Rule::CaroExact, sprt: Some(sprt), ..best_of() };
    assert_eq!(line::write_head(&info, None), with_sum(&head) + "\n");
    fs::write(&path, head + "\n").unwrap();
    assert!(games(&path, &info).unwrap().is_empty());
}

#[test]
fn a_journal_without_checksums_is_gone_on_with() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(9, 2, 3);
    let fewer = MatchInfo { rounds: 1, ..info.clone() };
    fill(&path, &fewer, &all[..2]);
    let text = without_sums(&fs::read_to_string(&path).unwrap());
    assert!(!text.contains("\"sum\":"), "{text}");
    fs::write(&path, &text).unwrap();
    let (mut journal, before, _) = Journal::open(&path, &fewer, None).unwrap();
    assert_eq!(before, all[..2]);
    journal.add(&all[2]).unwrap();
    drop(journal);
    // Added lines are checked.
    let text = fs::read_to_string(&path).unwrap();
    let place = text.rfind("\"seats\":[").unwrap();
    fs::write(&path, [&text[..place], &text[place..].replacen('[', "[ ", 1)].concat()).unwrap();
    assert!(message(&path, &fewer).ends_with(":4: damaged: the checksum does not fit"));
    fs::write(&path, text).unwrap();
    // A longer match writes it anew.
    fill(&path, &info, &all[3..]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.lines().all(|line| line.ends_with("\"}") && line.contains(",\"sum\":\"")));
    assert_eq!(games(&path, &info).unwrap(), all);
}

#[test]
fn a_flipped_bit_is_told_with_its_line() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(10, 2, 2);
    fill(&path, &info, &all[..2]);
    check_flips(&fs::read_to_string(&path).unwrap(), |bytes| {
        fs::write(&path, bytes).unwrap();
        let read = Journal::read(&path).err().map(|error| error.to_string());
        let opened = games(&path, &info).err().map(|error| error.to_string());
        assert!(opened.is_some() == read.is_some() && fs::read(&path).unwrap() == bytes);
        opened
    });
}

#[test]
fn nobody_else_can_open_a_journal_that_is_open() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let info = info(2);
    let (journal, _, _) = Journal::open(&path, &info, None).unwrap();
    assert!(message(&path, &info).ends_with("another run is writing to it"));
    drop(journal);
    games(&path, &info).unwrap();
}

#[test]
fn a_journal_that_somebody_else_changes_gets_no_more_games() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (info, all) = random_match(8, 2, 1);
    let (mut journal, _, _) = Journal::open(&path, &info, None).unwrap();
    journal.add(&all[0]).unwrap();
    let more = OpenOptions::new().append(true).open(&path).and_then(|mut f| f.write_all(b"x\n"));
    more.unwrap();
    assert!(matches!(journal.add(&all[1]), Err(JournalError::File(FileError::Changed(_)))));
}

#[test]
fn paths_that_lead_nowhere_are_told() {
    let place = Place::new();
    let info = info(2);
    let folder = place.file("");
    assert!(message(&folder, &info).ends_with("is not a regular file"));
    let nowhere = place.file("no-folder/match.jsonl");
    assert!(matches!(games(&nowhere, &info), Err(JournalError::File(FileError::Io { .. }))));
    assert!(message(&nowhere, &info).starts_with("cannot open "));
    assert!(Journal::read(&nowhere).unwrap_err().to_string().starts_with("cannot read "));
    fs::create_dir(place.file("match.jsonl.running")).unwrap();
    assert!(message(&place.file("match.jsonl"), &best_of()).ends_with("is not a regular file"));
}

fn best_of() -> MatchInfo {
    MatchInfo { pairing: Pairing::BestOf { first: vec![0, 1] }, rounds: 7, ..info(2) }
}

/// Returns how a game stands after `moves` moves.
fn unfinished(game: u64, moves: usize) -> Unfinished {
    let remark = |(i, point)| {
        let (time, score) = (Some(i as u64), (i % 2 == 0).then_some(-3));
        let search = MoverSearch { time, score, depth: Some(4), nodes: None };
        Move::new(point, Color::to_move_after(i)).with_search(search)
    };
    Unfinished {
        game,
        moves: Size::DEFAULT.points().take(moves).enumerate().map(remark).collect(),
        opening: moves.min(2),
        black_seat: (game % 2) as usize,
        left: [Some(Duration::from_nanos(12_345_678_901)), None],
    }
}

#[test]
fn a_game_that_is_not_finished_is_known_up_to_its_last_move() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let running = place.file("match.jsonl.running");
    // A file that was there before the journal belongs to something else.
    fs::write(&running, line::write_running(&unfinished(0, 9), &best_of()).unwrap()).unwrap();
    let (mut journal, _, before) = Journal::open(&path, &best_of(), None).unwrap();
    assert_eq!(before, []);
    (0..6).for_each(|moves| journal.note(&unfinished(0, moves)).unwrap());
    drop(journal);
    let (mut journal, _, before) = Journal::open(&path, &best_of(), None).unwrap();
    assert_eq!(before, [unfinished(0, 5)]);

    let finished = Sample::new(0, 0, [0, 1], false).game();
    journal.note(&unfinished(0, 6)).unwrap();
    let text = fs::read(&running).unwrap();
    journal.add(&finished).unwrap();
    assert_eq!(fs::read(&running).unwrap(), b"");
    drop(journal);
    // A run may be killed before it forgets the moves.
    fs::write(&running, text).unwrap();
    let (mut journal, games, before) = Journal::open(&path, &best_of(), None).unwrap();
    assert_eq!((games, before), (vec![finished], Vec::new()));
    journal.note(&unfinished(1, 2)).unwrap();
    journal.close(false).unwrap();
    let (journal, _, before) = Journal::open(&path, &best_of(), None).unwrap();
    assert_eq!(before, [unfinished(1, 2)]);
    journal.close(true).unwrap();
    assert!(!running.exists());
}

#[test]
fn what_cannot_be_understood_of_a_running_game_is_passed_over() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let running = place.file("match.jsonl.running");
    fill(&path, &best_of(), &[]);
    let line = |moves| line::write_running(&unfinished(0, moves), &best_of()).unwrap();
    let (two, three) = (line(2), line(3));
    for len in 0..three.len() {
        let other = MatchInfo { rule: Rule::Renju, ..best_of() };
        let other = line::write_running(&unfinished(0, 8), &other).unwrap();
        let text = format!("x\n{two}{other}{}", &three[..len]);
        fs::write(&running, text).unwrap();
        let (mut journal, _, before) = Journal::open(&path, &best_of(), None).unwrap();
        assert_eq!(before, [unfinished(0, 2)], "{len}");
        journal.note(&unfinished(0, 4)).unwrap();
        drop(journal);
        let (_, _, before) = Journal::open(&path, &best_of(), None).unwrap();
        assert_eq!(before, [unfinished(0, 4)]);
    }
}

#[test]
fn what_is_noted_after_a_damaged_line_is_known_to_the_next_run() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let running = place.file("match.jsonl.running");
    fill(&path, &best_of(), &[]);
    let line = |moves| line::write_running(&unfinished(0, moves), &best_of()).unwrap();
    let (two, three, four) = (line(2), line(3), line(4));
    let misfit = three.replacen("\"game\":0", "\"game\":1", 1);
    assert_ne!(misfit, three);
    for damaged in [misfit, without_sums(&three), "x\n".to_owned()] {
        fs::write(&running, [&two[..], &damaged, &four].concat()).unwrap();
        let (mut journal, _, before) = Journal::open(&path, &best_of(), None).unwrap();
        assert_eq!(before, [unfinished(0, 2)]);
        journal.note(&unfinished(0, 5)).unwrap();
        drop(journal);
        assert_eq!(fs::read_to_string(&running).unwrap(), two.clone() + &line(5));
        let (_, _, before) = Journal::open(&path, &best_of(), None).unwrap();
        assert_eq!(before, [unfinished(0, 5)], "{damaged}");
    }
}

#[test]
fn only_single_games_leave_their_moves() {
    let place = Place::new();
    let path = place.file("match.jsonl");
    let (mut journal, _, _) = Journal::open(&path, &info(2), None).unwrap();
    journal.note(&unfinished(0, 3)).unwrap();
    assert!(!place.file("match.jsonl.running").exists());
}

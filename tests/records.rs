//! Game records: every format and back, real files, and bytes that are none.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tengen::records::{Format, GameResult, Known, Move, Reason, Record, WriteError, read, write};
use tengen::rng::SplitMix64;
use tengen::rules::{Game, Rule};
use tengen::types::{ByColor, Color, Point, Size};

/// How many games are generated.
const GAMES: u64 = 1000;

/// Returns a text that is odd, but keeps to one line and has no blanks at its ends.
fn odd_text(rng: &mut SplitMix64) -> String {
    let chars = ['a', 'Z', '7', ' ', '"', '\\', ']', '[', ':', '(', ';', '<', 'é', '五', '😀', ','];
    let inner: String = (0..rng.below(8)).map(|_| chars[rng.below(chars.len())]).collect();
    if rng.below(4) == 0 { String::new() } else { format!("x{inner}y") }
}

fn odd_comment(rng: &mut SplitMix64) -> String {
    match rng.below(8) {
        0 => format!("{}\n\n{}\n", odd_text(rng), odd_text(rng)),
        1 => "12ms".to_owned(),
        2 => "\nopening move".to_owned(),
        3 => odd_text(rng),
        _ => String::new(),
    }
}

/// Plays at random, in a part of the board small enough for fives and forbidden moves.
fn random_game(rng: &mut SplitMix64) -> Game {
    let rule = Rule::ALL[rng.below(5)];
    let mut edge = || 5 + rng.below(18) as i64;
    let (width, height) = (edge(), edge());
    let size = match rng.below(4) {
        0 => Size::new(width, height).unwrap(),
        1 => Size::square(width).unwrap(),
        2 => Size::square(20).unwrap(),
        _ => Size::DEFAULT,
    };
    let mut game = Game::new(size, rule);
    // Many tries hit a stone.
    for _ in 0..rng.below(90) {
        let point = size.point(rng.below(7) as i64, rng.below(7) as i64);
        let point = point.filter(|&p| game.board().is_empty(p) && !game.outcome().is_over());
        if let Some(point) = point {
            game.play(point).unwrap();
        }
    }
    game
}

fn random_record(seed: u64) -> Record {
    let rng = &mut SplitMix64::new(seed);
    let mut record = Record::of_game(&random_game(rng));
    record.players = ByColor([odd_text(rng), odd_text(rng)]);
    record.event = odd_text(rng);
    record.round = format!("{}.{}", rng.below(9), rng.below(9));
    record.date = ["", "2025-04-30", "2025-04-30 18:00:00", "last spring"][rng.below(4)].to_owned();
    record.comment = odd_comment(rng);
    record.opening = rng.below(record.moves.len() + 1);
    for m in &mut record.moves {
        m.time = (rng.below(3) > 0).then(|| rng.next_u64() >> (1 + rng.below(63)));
        m.score = (rng.below(3) == 0).then(|| rng.next_u64() as i32);
        m.comment = odd_comment(rng);
    }
    if record.result.is_none() {
        let results = [
            None,
            Some(GameResult::Draw),
            Some(GameResult::Win(Color::Black)),
            Some(GameResult::Win(Color::White)),
        ];
        record.result = results[rng.below(4)];
        let reason = Reason::ALL.get(rng.below(Reason::ALL.len() + 2)).cloned();
        let other = Reason::Other("its owner came home".to_owned());
        record.reason = reason.or_else(|| (rng.below(2) == 0).then_some(other));
    }
    record
}

fn records() -> Vec<Record> {
    (0..GAMES).map(random_record).collect()
}

/// Returns what a format holds of a record if the size is known from elsewhere.
fn held(format: Format, record: &Record) -> Record {
    let mut held = Record::new(record.size);
    let cells: Vec<Point> = record.points().collect();
    match format {
        Format::Json | Format::Sgf => return record.clone(),
        Format::Pos | Format::Offset => return Record::of_points(record.size, &cells),
        Format::Psq => {
            held = Record::of_points(record.size, &cells);
            for (m, original) in held.moves.iter_mut().zip(&record.moves) {
                m.time = original.time.filter(|&time| time > 0);
            }
            held.players = record.players.clone();
            held.reason = record.reason.clone().map(|reason| match reason {
                Reason::Time | Reason::Illegal | Reason::Crash => reason,
                _ => Reason::Rules,
            });
        }
        Format::Pgn => {
            held.players = record.players.clone();
            held.round = record.round.clone();
            held.date = record.date.clone();
            held.result = record.result;
            held.reason = record.reason.clone();
        }
    }
    held
}

/// Writes and reads a record; `None` if the format has no way to write an empty game.
fn through(format: Format, record: &Record) -> Option<Record> {
    let text = match write(record, format, 1) {
        Ok(text) => text,
        Err(error) => {
            assert_eq!(error, WriteError::Empty(format));
            assert!(record.moves.is_empty());
            return None;
        }
    };
    let known = Known { size: Some(record.size), rule: None };
    let mut records = read(text.as_bytes(), format, known)
        .unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
    assert_eq!(records.len(), 1, "{text}");
    let windows = text.replace('\n', "\r\n");
    assert_eq!(read(windows.as_bytes(), format, known).as_ref(), Ok(&records), "{text}");
    records.pop()
}

#[test]
fn every_format_goes_to_every_other_and_back_with_all_that_both_hold() {
    for record in records() {
        for first in Format::ALL {
            let Some(one) = through(first, &record) else { continue };
            assert_eq!(one, held(first, &record), "{first}");
            for second in Format::ALL {
                let Some(two) = through(second, &one) else { continue };
                assert_eq!(two, held(second, &one), "{first} to {second}");
                let Some(back) = through(first, &two) else { continue };
                assert_eq!(back, held(first, &held(second, &one)), "{first} to {second} and back");
            }
        }
    }
}

#[test]
fn the_generated_games_are_of_all_kinds() {
    let records = records();
    let any = |test: &dyn Fn(&Record) -> bool| records.iter().filter(|r| test(r)).count() > 5;
    for rule in Rule::ALL {
        assert!(any(&|r| r.rule == Some(rule)), "{rule}");
        let won = |r: &Record| r.reason == Some(Reason::Five) && r.rule == Some(rule);
        assert!(records.iter().any(won), "{rule}");
    }
    assert!(any(&|r| matches!(r.reason, Some(Reason::Forbidden(_)))));
    assert!(any(&|r| r.size.width() != r.size.height()));
    assert!(any(&|r| r.moves.is_empty()));
    assert!(any(&|r| r.opening > 0 && r.opening < r.moves.len()));
}

#[test]
fn many_games_in_one_text_are_told_apart() {
    let records = records();
    let usual = |r: &&Record| r.size == Size::DEFAULT;
    for format in Format::ALL.into_iter().filter(|format| format.holds_many()) {
        let writable = |r: &&Record| write(r, format, 1).is_ok();
        let written: Vec<&Record> = records.iter().filter(usual).filter(writable).collect();
        assert!(written.len() > 100);
        let text: String = (1..).zip(&written).map(|(i, r)| write(r, format, i).unwrap()).collect();
        let again = read(text.as_bytes(), format, Known::default());
        let again = again.unwrap_or_else(|error| panic!("{format}: {error}"));
        let expected: Vec<Record> = written.into_iter().map(|r| held(format, r)).collect();
        assert!(again == expected, "{format}");
    }
}

#[test]
fn games_in_which_a_player_moves_twice_need_colors() {
    let rng = &mut SplitMix64::new(7);
    for mut record in records().into_iter().filter(|r| r.moves.len() > 1).take(100) {
        for m in &mut record.moves {
            m.color = Color::ALL[rng.below(2)];
        }
        record.moves[0].color = Color::White;
        for format in [Format::Json, Format::Sgf] {
            assert_eq!(through(format, &record).as_ref(), Some(&record), "{format}");
        }
        for format in [Format::Psq, Format::Pos, Format::Offset] {
            assert_eq!(write(&record, format, 1), Err(WriteError::Colors(format)));
        }
    }
}

#[test]
fn with_the_rule_a_reader_finds_out_who_won() {
    let mut won = 0;
    for record in records() {
        let rules =
            matches!(record.reason, Some(Reason::Five | Reason::Forbidden(_) | Reason::FullBoard));
        let mut judged = Record { result: None, reason: None, ..record.clone() };
        judged.judge();
        if !rules || judged.result.is_none() {
            continue;
        }
        won += 1;
        let text = write(&record, Format::Psq, 1).unwrap();
        let known = Known { size: None, rule: record.rule };
        let again = read(text.as_bytes(), Format::Psq, known).unwrap();
        assert_eq!((again[0].result, &again[0].reason), (record.result, &record.reason));
    }
    assert!(won > 100, "{won} games were won");
}

#[test]
fn real_openings_are_read_and_written_back_byte_by_byte() {
    for (rule, edge) in
        [("freestyle15", 15), ("freestyle20", 20), ("renju15", 15), ("standard15", 15)]
    {
        let path = format!("{}/tests/data/openings-{rule}.txt", env!("CARGO_MANIFEST_DIR"));
        let bytes = fs::read(Path::new(&path)).unwrap();
        assert_eq!(Format::detect(&bytes), Some(Format::Pos));
        let openings = read(&bytes, Format::Pos, Known::default()).unwrap();
        assert_eq!(openings.len(), 200);
        assert!(openings.iter().all(|opening| opening.size == Size::square(edge).unwrap()));
        let all = |format, records: &[Record]| -> String {
            records.iter().map(|record| write(record, format, 1).unwrap()).collect()
        };
        assert_eq!(all(Format::Pos, &openings).as_bytes(), bytes);
        let offsets = all(Format::Offset, &openings);
        assert_eq!(Format::detect(offsets.as_bytes()), Some(Format::Offset));
        let known = Known { size: Some(openings[0].size), rule: None };
        assert_eq!(read(offsets.as_bytes(), Format::Offset, known), Ok(openings));
    }
}

#[test]
fn comments_in_other_encodings_are_read_with_marks() {
    let text = b"(;FF[4]GM[4]SZ[15]PB[\xd0\xeb];B[hh]C[\xc4\xe3ok])";
    let records = read(text, Format::Sgf, Known::default()).unwrap();
    assert_eq!(records[0].moves[0].comment, "\u{fffd}\u{fffd}ok");
    let error = read(b"(;B[h\xd0])", Format::Sgf, Known::default()).unwrap_err();
    assert_eq!((error.line, error.column), (1, 5));
}

/// Reads bytes as every format and checks what comes of it.
fn judge_bytes(bytes: &[u8]) -> Result<(), TestCaseError> {
    let lines = bytes.iter().filter(|&&b| b == b'\n').count() + 1;
    let knowns = [Known::default(), Known { size: Some(Size::LARGEST), rule: Some(Rule::Renju) }];
    for format in Format::ALL {
        for known in knowns {
            match read(bytes, format, known) {
                Ok(records) => {
                    for record in &records {
                        prop_assert!(record.check().is_ok());
                        let text = write(record, Format::Json, 1).unwrap();
                        let again = read(text.as_bytes(), Format::Json, Known::default());
                        prop_assert_eq!(again.as_deref(), Ok(std::slice::from_ref(record)));
                        for format in Format::ALL {
                            if let Ok(text) = write(record, format, 1) {
                                let again = read(text.as_bytes(), format, knowns[1]);
                                prop_assert_eq!(again.map(|records| records.len()), Ok(1));
                            }
                        }
                    }
                }
                Err(error) => {
                    prop_assert!((1..=lines).contains(&error.line), "{}", error);
                    prop_assert!((1..=bytes.len() + 1).contains(&error.column), "{}", error);
                    prop_assert!(!error.expected.is_empty());
                }
            }
        }
    }
    // Whatever it finds.
    let _ = Format::detect(bytes);
    Ok(())
}

/// Texts of every format, to be damaged.
fn good_texts() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for seed in 0..4 {
        let mut record = random_record(seed);
        record.moves.truncate(12);
        record.opening = record.opening.min(record.moves.len());
        for format in Format::ALL {
            texts.extend(write(&record, format, 1).map(String::into_bytes));
        }
    }
    texts.push(b"(;AB[aa:cc]AW[dd](;B[ee])(;B[ff];W[]))".to_vec());
    let mut twice = Record::of_points(Size::DEFAULT, &[]);
    twice.moves.extend(Size::DEFAULT.points().take(3).map(|p| Move::new(p, Color::White)));
    texts.push(write(&twice, Format::Json, 1).unwrap().into_bytes());
    texts
}

/// Replaces, removes and inserts bytes, those that mean something more often than others.
fn damage(text: &mut Vec<u8>, changes: &[(usize, u8, u8)]) {
    let special = b"()[];:,\\\"\r\n-0129abhpBWC{} \xff";
    for &(place, kind, byte) in changes {
        let at = place % (text.len() + 1);
        let byte = if kind & 4 == 0 { byte } else { special[usize::from(byte) % special.len()] };
        match kind % 4 {
            0 => text.insert(at, byte),
            1 => text.truncate(at),
            _ if at == text.len() => text.push(byte),
            2 => text[at] = byte,
            _ => drop(text.remove(at)),
        }
    }
}

/// Runs cases for one second, or for as many as `TENGEN_FUZZ_SECONDS` says.
fn run_for_a_while<S: Strategy>(strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seconds = std::env::var("TENGEN_FUZZ_SECONDS").map_or(Ok(1), |text| text.parse());
    let seconds = seconds.expect("TENGEN_FUZZ_SECONDS is a number");
    let end = Instant::now() + Duration::from_secs(seconds);
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    loop {
        if let Err(error) = runner.run(&strategy, &test) {
            panic!("{error}");
        }
        if Instant::now() >= end {
            break;
        }
    }
}

#[test]
fn no_bytes_make_a_reader_panic() {
    run_for_a_while(prop::collection::vec(any::<u8>(), 0..200), |bytes| judge_bytes(&bytes));
}

#[test]
fn no_damaged_file_makes_a_reader_panic() {
    let texts = good_texts();
    let changes = prop::collection::vec((any::<usize>(), 0_u8..8, any::<u8>()), 1..6);
    run_for_a_while((0..texts.len(), changes), |(index, changes)| {
        let mut text = texts[index].clone();
        damage(&mut text, &changes);
        judge_bytes(&text)
    });
}

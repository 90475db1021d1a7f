//! Game records: every format and back, and real files.

use std::fs;
use std::path::Path;

use crate::games::random_record;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Color, Point, Size};
use tengen_files::records::{
    Format, GameResult, Known, MoverSearch, Reason, Record, RecordPlace, WriteError, read, write,
    write_file,
};
use tengen_lab::arena::EndKind;

/// The number of generated games.
const GAMES: u64 = 1000;

fn records() -> Vec<Record> {
    (0..GAMES).map(random_record).collect()
}

/// Returns what a format holds of a record if the size is known from elsewhere.
fn held(format: Format, record: &Record) -> Record {
    let mut held = Record::new(record.size);
    let cells: Vec<Point> = record.points().collect();
    match format {
        // Nothing can be written in it.
        Format::Json | Format::Sgf | Format::Rif => return record.clone(),
        Format::Pos | Format::Offset | Format::Xy => return Record::of_points(record.size, &cells),
        Format::Lib => {
            held = Record::of_points(record.size, &cells);
            held.comment = record.comment.clone();
            for (m, original) in held.moves.iter_mut().zip(&record.moves) {
                m.color = original.color;
                m.set_comment(original.comment());
            }
        }
        Format::Psq | Format::Rec => {
            held = Record::of_points(record.size, &cells);
            for (m, original) in held.moves.iter_mut().zip(&record.moves) {
                let time = original.time().filter(|&time| time > 0);
                m.set_search(MoverSearch { time, ..MoverSearch::default() });
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

/// Writes and reads a record; `None` if the format has no way to write an empty game, or one on a
/// board of this size.
fn through(format: Format, record: &Record) -> Option<Record> {
    let known = Known { size: Some(record.size), ..Known::default() };
    let bytes = match write_file(record, format, 1, known.page) {
        Ok(bytes) => bytes,
        Err(WriteError::Size(Format::Lib)) => {
            assert_ne!(record.size, Size::DEFAULT);
            return None;
        }
        Err(WriteError::OnlyRead(Format::Rif)) => return None,
        Err(error) => {
            assert_eq!(error, WriteError::Empty(format));
            assert!(record.moves.is_empty());
            return None;
        }
    };
    if format == Format::Lib {
        return read(&bytes, format, known).unwrap().pop();
    }
    let text = String::from_utf8(bytes).unwrap();
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
    let is_written = |format: &Format| format.holds_many() && *format != Format::Rif;
    for format in Format::ALL.into_iter().filter(is_written) {
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
fn a_collection_tells_how_each_game_of_a_match_ended() {
    let first = Size::DEFAULT.center();
    let game = |(i, end): (usize, EndKind)| {
        let mut record = Record::of_points(Size::DEFAULT, &[first]);
        record.rule = Some(Rule::Renju);
        record.players = ByColor(["a".to_owned(), "b".to_owned()]);
        record.event = "a match".to_owned();
        record.round = format!("{}.{}", i / 2 + 1, i + 1);
        record.date = "2026-11-21 09:52:40".to_owned();
        record.result = Some(match end {
            EndKind::Draw | EndKind::DrawAfter | EndKind::DrawAdjudicated => GameResult::Draw,
            _ => GameResult::Win(Color::White),
        });
        record.reason = Some(end.reason());
        record
    };
    let games: Vec<Record> = EndKind::ALL.into_iter().enumerate().map(game).collect();
    for format in [Format::Sgf, Format::Pgn] {
        let texts: Vec<String> =
            (1..).zip(&games).map(|(i, game)| write(game, format, i).unwrap()).collect();
        let again = read(texts.concat().as_bytes(), format, Known::default()).unwrap();
        let expected: Vec<Record> = games.iter().map(|game| held(format, game)).collect();
        assert_eq!(again, expected, "{format}");
    }
    // As rating programs read it: the number in the file, and white is first with them.
    let late = EndKind::ALL.into_iter().position(|end| end == EndKind::Late).unwrap();
    assert_eq!(
        write(&games[late], Format::Pgn, 10).unwrap(),
        "[Event \"10\"]\n[Date \"2026.11.21 09:52:40\"]\n[Round \"5.10\"]\n[Black \"a\"]\n\
         [White \"b\"]\n[Result \"1-0\"]\n[Termination \"White win by time forfeit\"]\n\
         [PlyCount \"1\"]\n1-0\n\n"
    );
}

#[test]
fn games_in_which_a_player_moves_twice_need_colors() {
    let rng = &mut SplitMix64::new(7);
    for mut record in records().into_iter().filter(|r| r.moves.len() > 1).take(100) {
        for m in &mut record.moves {
            m.color = Color::ALL[rng.below(2)];
        }
        record.moves[0].color = Color::White;
        if let Some(one) = through(Format::Lib, &record) {
            assert_eq!(one, held(Format::Lib, &record));
        }
        for format in [Format::Json, Format::Sgf] {
            assert_eq!(through(format, &record).as_ref(), Some(&record), "{format}");
        }
        for format in [Format::Psq, Format::Rec, Format::Pos, Format::Offset, Format::Xy] {
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
        let known = Known { rule: record.rule, ..Known::default() };
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
        let known = Known { size: Some(openings[0].size), ..Known::default() };
        assert_eq!(read(offsets.as_bytes(), Format::Offset, known), Ok(openings));
    }
}

#[test]
fn texts_in_other_encodings_keep_their_letters() {
    let text = b"(;FF[4]GM[4]SZ[15]PB[\xd7\xf7\xd5\xdf];B[hh]C[\xc4\xe3ok])";
    let comment = |page: &str| {
        let known = Known { page: page.parse().ok(), ..Known::default() };
        read(text, Format::Sgf, known).unwrap()[0].moves[0].comment().to_owned()
    };
    assert_eq!(comment("gbk"), "你ok");
    assert_eq!(comment("windows-1252"), "Äãok");
    assert!(!comment("").contains('\u{fffd}'));
    let error = read(b"(;B[h\xd0])", Format::Sgf, Known::default()).unwrap_err();
    assert_eq!(error.place, RecordPlace::Text { line: 1, column: 5 });
}

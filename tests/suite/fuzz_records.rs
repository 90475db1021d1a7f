//! The readers of game records against damaged and hostile files.
//!
//! Without variables every reader gets its corpus and a fixed number of mutations. A long run:
//! `TENGEN_FUZZ_SECONDS=600 cargo test --profile checked --test suite fuzz_ -- --nocapture
//! --test-threads 1`, or by a number of inputs of one format:
//! `TENGEN_FUZZ_INPUTS=10000000 cargo test --profile checked --test suite reader_of_sgf -- --nocapture`;
//! `TENGEN_FUZZ_SEED` makes it another one, and `TENGEN_FUZZ_CORPUS` names a directory whose files are
//! tried as well.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::fuzz::{self, Verdict, corpus, memory};
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::records::{
    Format, GameStream, Known, LibTree, MoveKind, ReadError, Record, RecordError, RecordPlace,
    SvgOptions, WriteError, losses, read, svg, write, write_file,
};

/// The memory limit of a reader for each byte of its input, while its games are taken one by one.
///
/// A node of a library is two bytes, and a move of a record two words in a list that is three in another
/// one. Libraries have millions of nodes; `tengen db import` therefore reads them without a record.
const fn bytes_per_byte(format: Format) -> usize {
    match format {
        Format::Lib => 32,
        _ => 20,
    }
}

/// The memory limit of a reader in any case: a game that fills the largest board, and what is read ahead.
const BYTES: usize = 192 << 10;

/// The number of games of one input that are checked closely.
const SAMPLE: usize = 8;

/// The longest error message: it must not quote the file.
const LONGEST_MESSAGE: usize = 200;

/// Returns an error unless something is so.
fn ensure(so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(otherwise()) }
}

/// Facts about games beside their files.
fn knowns() -> [Known; 2] {
    let large = Known { size: Some(Size::LARGEST), rule: Some(Rule::Renju), ..Known::default() };
    [Known::default(), large]
}

/// Reads bytes as a format and judges what comes of it.
fn judge(bytes: &[u8], format: Format) -> Verdict {
    let mut kind = DefaultHasher::new();
    let is_thorough = fuzz::is_thorough(bytes);
    let quickly = bytes.len() % 2;
    for (i, known) in knowns().into_iter().enumerate() {
        if !is_thorough && i != quickly {
            continue;
        }
        let (found, peak) = memory::peak(|| walk(bytes, format, known, &mut kind));
        let found = found?;
        memory::note(peak, bytes.len());
        let most = BYTES + bytes_per_byte(format) * bytes.len();
        ensure(peak <= most, || format!("{peak} bytes of memory for {}", bytes.len()))?;
        (found.games.checked_ilog2(), found.errors.checked_ilog2()).hash(&mut kind);
        if is_thorough {
            let games = GameStream::new(bytes, format, known).map_err(|error| error.to_string())?;
            let records = games.filter_map(|game| Some(game.ok()?.record)).take(SAMPLE);
            judge_records(&records.collect::<Vec<_>>(), &mut kind)?;
        }
    }
    Ok(kind.finish())
}

/// The numbers of games and of errors.
#[derive(Default)]
struct Found {
    games: usize,
    errors: usize,
}

/// Takes the games of an input one by one.
fn walk(
    bytes: &[u8],
    format: Format,
    known: Known,
    kind: &mut impl Hasher,
) -> Result<Found, String> {
    let mut found = Found::default();
    let games = GameStream::new(bytes, format, known).map_err(|error| error.to_string())?;
    for game in games {
        match game {
            Ok(game) => {
                found.games += 1;
                // Places are counted from the beginning each time.
                for warning in game.warnings.iter().filter(|_| found.games <= SAMPLE) {
                    judge_place(bytes, warning.place, &warning.text)?;
                }
                game.warnings.len().checked_ilog2().hash(kind);
            }
            Err(ReadError::Record(error)) => {
                found.errors += 1;
                if found.errors <= SAMPLE {
                    judge_error(bytes, &error, kind)?;
                }
            }
            Err(ReadError::Io(error)) => return Err(error.to_string()),
        }
    }
    Ok(found)
}

fn judge_place(bytes: &[u8], place: RecordPlace, text: &str) -> Result<(), String> {
    let is_place = match place {
        RecordPlace::Text { line, column } => {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
            (1..=lines).contains(&line) && (1..=3 * bytes.len() + 1).contains(&column)
        }
        RecordPlace::Byte(at) => at <= bytes.len() as u64,
    };
    ensure(is_place, || format!("no place of the input: {place}: {text}"))?;
    ensure(!text.is_empty() && text.chars().count() <= LONGEST_MESSAGE, || {
        format!("a message of {} bytes", text.len())
    })?;
    ensure(!text.contains(char::is_control), || format!("control characters: {text:?}"))
}

fn judge_error(bytes: &[u8], error: &RecordError, kind: &mut impl Hasher) -> Result<(), String> {
    let text = &error.expected;
    judge_place(bytes, error.place, text)?;
    // Numbers make no kind of their own, and what is quoted neither.
    let words = text.split(['`', '"']).next().unwrap_or_default();
    let words = words.chars().filter(char::is_ascii_alphabetic);
    (0_u8, words.collect::<String>()).hash(kind);
    Ok(())
}

fn judge_records(records: &[Record], kind: &mut impl Hasher) -> Result<(), String> {
    let written: Result<String, WriteError> =
        records.iter().map(|record| write(record, Format::Json, 1)).collect();
    let written = written.map_err(|error| format!("JSON cannot hold what was read: {error}"))?;
    let again = read(written.as_bytes(), Format::Json, Known::default());
    ensure(again.as_deref() == Ok(records), || format!("JSON makes of it {again:?}"))?;
    (1_u8, records.len().checked_ilog2()).hash(kind);
    for record in records {
        record.check().map_err(|error| error.to_string())?;
        svg(record, &SvgOptions::default()).map_err(|error| format!("cannot be drawn: {error}"))?;
        for format in Format::ALL {
            judge_writing(record, format)?;
            let lost = losses(record, format).unwrap_or_default();
            ensure(!lost.contains(&"the game"), || format!("{format} loses the game"))?;
            lost.hash(kind);
        }
        let reason = record.reason.as_ref().map(std::mem::discriminant);
        (record.moves.len().checked_ilog2(), record.opening.checked_ilog2(), reason).hash(kind);
    }
    Ok(())
}

/// Returns whether the position is changed by something else than moves.
fn has_changes(record: &Record) -> bool {
    record.moves.iter().any(|m| m.kind == MoveKind::SetUp)
}

/// Writes a record that was read, and reads it again.
fn judge_writing(record: &Record, format: Format) -> Result<(), String> {
    let known = Known { size: Some(record.size), ..Known::default() };
    let written = match write_file(record, format, 1, known.page) {
        Ok(written) => written,
        Err(WriteError::OnlyRead(Format::Rif)) => return Ok(()),
        Err(WriteError::Size(_)) if record.size != Size::DEFAULT => return Ok(()),
        Err(WriteError::Empty(_)) if record.moves.is_empty() => return Ok(()),
        Err(WriteError::Colors(_)) if !record.alternates() => return Ok(()),
        Err(WriteError::SetUp(_)) if has_changes(record) => return Ok(()),
        Err(error) => return Err(format!("{format} cannot hold what was read: {error}")),
    };
    let again = read(&written, format, known).map_err(|error| {
        format!("{format} refuses its own file: {error}\n{}", String::from_utf8_lossy(&written))
    })?;
    let [again] = &again[..] else { return Err(format!("{format} has {} games", again.len())) };
    // Memory that could be held once can be held for ever.
    let twice = write_file(again, format, 1, known.page);
    let twice = read(&twice.map_err(|error| format!("{format}: {error}"))?, format, known);
    ensure(twice.as_deref() == Ok(std::slice::from_ref(again)), || {
        format!("{format} makes of {again:?} {twice:?}")
    })
}

fn fuzz_reader(format: Format, judge: fn(&[u8]) -> Verdict) {
    fuzz::run(format.name(), corpus::inputs(Some(format)), judge);
}

#[test]
fn no_file_hurts_the_reader_of_psq() {
    fuzz_reader(Format::Psq, |bytes| judge(bytes, Format::Psq));
}

#[test]
fn no_file_hurts_the_reader_of_sgf() {
    fuzz_reader(Format::Sgf, |bytes| judge(bytes, Format::Sgf));
}

#[test]
fn no_file_hurts_the_reader_of_pos() {
    fuzz_reader(Format::Pos, |bytes| judge(bytes, Format::Pos));
}

#[test]
fn no_file_hurts_the_reader_of_offset() {
    fuzz_reader(Format::Offset, |bytes| judge(bytes, Format::Offset));
}

#[test]
fn no_file_hurts_the_reader_of_xy() {
    fuzz_reader(Format::Xy, |bytes| judge(bytes, Format::Xy));
}

#[test]
fn no_file_hurts_the_reader_of_rec() {
    fuzz_reader(Format::Rec, |bytes| judge(bytes, Format::Rec));
}

#[test]
fn no_file_hurts_the_reader_of_rif() {
    fuzz_reader(Format::Rif, |bytes| judge(bytes, Format::Rif));
}

#[test]
fn no_file_hurts_the_reader_of_lib() {
    fuzz_reader(Format::Lib, |bytes| {
        let (tree, peak) = memory::peak(|| LibTree::read(bytes).ok());
        let most = BYTES + bytes_per_byte(Format::Lib) * bytes.len();
        ensure(peak <= most, || format!("{peak} bytes of memory for {}", bytes.len()))?;
        if let Some(tree) = tree {
            ensure(tree.to_bytes() == bytes, || "another file is written back".to_owned())?;
        }
        judge(bytes, Format::Lib)
    });
}

#[test]
fn no_file_hurts_the_reader_of_pgn() {
    fuzz_reader(Format::Pgn, |bytes| judge(bytes, Format::Pgn));
}

#[test]
fn no_file_hurts_the_reader_of_json() {
    fuzz_reader(Format::Json, |bytes| judge(bytes, Format::Json));
}

#[test]
fn a_file_of_many_games_takes_no_more_memory_than_one_of_few() {
    let game = Record::of_points(Size::DEFAULT, &[Size::DEFAULT.center()]);
    let rif = "<game id=\"1\" black=\"3\"><move>h8</move></game>\n".as_bytes().to_vec();
    for format in Format::ALL.into_iter().filter(|format| format.holds_many()) {
        let text = if format == Format::Rif {
            rif.clone()
        } else {
            write_file(&game, format, 1, None).expect("a game of one move")
        };
        let peak = |count: usize| {
            let known = Known { size: Some(Size::DEFAULT), ..Known::default() };
            let source = Repeated { text: &text, left: count * text.len() };
            let (games, peak) = memory::peak(|| {
                GameStream::new(source, format, known)
                    .expect("a source")
                    .filter(Result::is_ok)
                    .count()
            });
            assert_eq!(games, count, "{format}");
            peak
        };
        let (few, many) = (peak(2_000), peak(20_000));
        assert!(many <= few + (16 << 10) && many < BYTES, "{format}: {few}, {many}");
    }
}

/// A text again and again, which is nowhere as a whole.
struct Repeated<'a> {
    text: &'a [u8],
    left: usize,
}

impl std::io::Read for Repeated<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let begun = (self.text.len() - self.left % self.text.len()) % self.text.len();
        let count = bytes.len().min(self.left).min(self.text.len() - begun);
        bytes[..count].copy_from_slice(&self.text[begun..begun + count]);
        self.left -= count;
        Ok(count)
    }
}

#[test]
fn no_file_hurts_the_detection_of_formats() {
    fuzz::run("detect", corpus::inputs(None), |bytes| {
        let (format, peak) = memory::peak(|| Format::detect(bytes));
        ensure(peak <= BYTES, || format!("{peak} bytes of memory to detect a format"))?;
        let mut kind = DefaultHasher::new();
        format.hash(&mut kind);
        Ok(kind.finish())
    });
}

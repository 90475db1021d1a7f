//! The readers of game records against damaged and hostile files.
//!
//! Without variables every reader gets its corpus and a fixed number of mutations. A long run:
//! `TENGEN_FUZZ_SECONDS=600 cargo test --profile checked --test suite fuzz_ -- --nocapture
//! --test-threads 1`; `TENGEN_FUZZ_SEED` makes it another one, and `TENGEN_FUZZ_CORPUS` names a
//! directory whose files are tried as well.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::fuzz::{self, Verdict, corpus, memory};
use tengen::records::{
    Format, Known, LibTree, Record, RecordError, RecordPlace, SvgOptions, WriteError, losses, read,
    svg, write, write_file,
};
use tengen::rules::Rule;
use tengen::types::Size;

/// How much a reader may hold for each byte of its input. A game of one move is 3 bytes in `pos`,
/// and some hundred in memory; a list that grows is there twice for a moment.
const BYTES_PER_BYTE: usize = 400;

/// What a reader may hold in any case.
const BYTES: usize = 16 << 10;

/// How many games of one input are looked at closely.
const SAMPLE: usize = 8;

/// How long an error may be: nobody reads a message that quotes the file.
const LONGEST_MESSAGE: usize = 200;

/// Returns an error unless something is so.
fn ensure(so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(otherwise()) }
}

/// Reads bytes as a format and judges what comes of it.
fn judge(bytes: &[u8], format: Format) -> Verdict {
    let mut kind = DefaultHasher::new();
    for known in [
        Known::default(),
        Known { size: Some(Size::LARGEST), rule: Some(Rule::Renju), ..Known::default() },
    ] {
        let (result, peak) = memory::peak(|| read(bytes, format, known));
        let most = BYTES + BYTES_PER_BYTE * bytes.len();
        ensure(peak <= most, || format!("{peak} bytes of memory for {}", bytes.len()))?;
        match result {
            Ok(records) => judge_records(&records, &mut kind)?,
            Err(error) => judge_error(bytes, &error, &mut kind)?,
        }
    }
    Ok(kind.finish())
}

fn judge_error(bytes: &[u8], error: &RecordError, kind: &mut impl Hasher) -> Result<(), String> {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let is_place = match error.place {
        RecordPlace::Text { line, column } => {
            (1..=lines).contains(&line) && (1..=bytes.len() + 1).contains(&column)
        }
        RecordPlace::Byte(at) => at <= bytes.len() as u64,
    };
    ensure(is_place, || format!("no place of the input: {error}"))?;
    let text = &error.expected;
    ensure(!text.is_empty() && text.chars().count() <= LONGEST_MESSAGE, || {
        format!("an error of {} bytes", text.len())
    })?;
    ensure(!text.contains(char::is_control), || format!("control characters: {text:?}"))?;
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
    let step = records.len().div_ceil(SAMPLE).max(1);
    for record in records.iter().step_by(step) {
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

/// Writes a record that was read, and reads it again.
fn judge_writing(record: &Record, format: Format) -> Result<(), String> {
    let known = Known { size: Some(record.size), ..Known::default() };
    let written = match write_file(record, format, 1, known.page) {
        Ok(written) => written,
        Err(WriteError::Size(_)) if record.size != Size::DEFAULT => return Ok(()),
        Err(WriteError::Empty(_)) if record.moves.is_empty() => return Ok(()),
        Err(WriteError::Colors(_)) if !record.alternates() => return Ok(()),
        Err(error) => return Err(format!("{format} cannot hold what was read: {error}")),
    };
    let again = read(&written, format, known).map_err(|error| {
        format!("{format} refuses its own file: {error}\n{}", String::from_utf8_lossy(&written))
    })?;
    let [again] = &again[..] else { return Err(format!("{format} has {} games", again.len())) };
    // What could be held once can be held for ever.
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
fn no_file_hurts_the_reader_of_lib() {
    fuzz_reader(Format::Lib, |bytes| {
        let (tree, peak) = memory::peak(|| LibTree::read(bytes).ok());
        let most = BYTES + 40 * bytes.len();
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
fn no_file_hurts_the_detection_of_formats() {
    fuzz::run("detect", corpus::inputs(None), |bytes| {
        let (format, peak) = memory::peak(|| Format::detect(bytes));
        ensure(peak <= BYTES, || format!("{peak} bytes of memory to detect a format"))?;
        let mut kind = DefaultHasher::new();
        format.hash(&mut kind);
        Ok(kind.finish())
    });
}

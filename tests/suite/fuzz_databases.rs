//! The readers of databases against damaged and hostile files: our own, those of Rapfi, and what is
//! imported as facts.
//!
//! The variables are those of `fuzz_records`.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::fuzz::{self, Verdict, corpus, memory};
use crate::place::Place;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Bound, Cell, Color, Point, Score, Size};
use tengen_engine::database::source::{
    Fact, FactSource, JsonFacts, LibFacts, RapfiFacts, SourceError, TEXT_HEADER, TextFacts,
    to_json, to_rapfi_text,
};
use tengen_engine::database::{
    Access, CellMark, DatabaseError, EntryLabel, Evaluation, GameCounts, Placement,
    PositionDatabase, PositionEntry, ProvenResult,
};
use tengen_files::records::{CodePage, Format};

/// The memory limit of a reader of facts for each byte of its input: one record or line at a time, with
/// what is made of it.
const BYTES_PER_BYTE: usize = 100;

/// The memory limit of a reader of facts in any case, besides its source.
const BYTES: usize = 1 << 20;

/// The memory of an LZ4 frame: the two largest blocks, and what they are unpacked to.
const LZ4_BYTES: usize = 20 << 20;

/// The number of facts of one input that are checked.
const SAMPLE: usize = 64;

/// The longest error message besides the path: it must not quote the file.
const LONGEST_MESSAGE: usize = 300;

/// Returns an error unless something is so.
fn ensure(so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(otherwise()) }
}

/// Checks that a message can be shown, and returns its kind.
fn judge_message(message: &str, kind: &mut impl Hasher) -> Result<(), String> {
    ensure(!message.is_empty() && message.chars().count() <= LONGEST_MESSAGE, || {
        format!("an error of {} bytes: {message:?}", message.len())
    })?;
    ensure(!message.contains(char::is_control), || format!("control characters: {message:?}"))?;
    let words = message.split(['`', '"']).next().unwrap_or_default();
    (0_u8, words.chars().filter(char::is_ascii_alphabetic).collect::<String>()).hash(kind);
    Ok(())
}

/// Reads all facts of a source, which may hold so many bytes for any input, and judges some of it.
fn judge_source(
    bytes: &[u8],
    base: usize,
    source: Result<impl FactSource, SourceError>,
) -> Verdict {
    let mut kind = DefaultHasher::new();
    let mut told = 0_usize;
    let mut sample = Vec::new();
    let most = base + BYTES_PER_BYTE * bytes.len();
    let (fault, peak) = memory::peak(|| {
        let mut source = match source {
            Ok(source) => source,
            Err(error) => return Some(error),
        };
        loop {
            match source.next_fact() {
                Ok(None) => return None,
                Err(error) => return Some(error),
                Ok(Some(fact)) => {
                    told += 1;
                    if sample.len() < SAMPLE {
                        sample.push(fact);
                    }
                }
            }
        }
    });
    ensure(peak <= most, || format!("{peak} bytes of memory for {}", bytes.len()))?;
    for fact in &sample {
        judge_fact(fact, &mut kind)?;
    }
    told.checked_ilog2().hash(&mut kind);
    if let Some(error) = fault {
        judge_place(bytes, &error)?;
        judge_message(&error.to_string(), &mut kind)?;
    }
    Ok(kind.finish())
}

/// Checks that an error names a place of the input.
fn judge_place(bytes: &[u8], error: &SourceError) -> Result<(), String> {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    match error {
        SourceError::Line { line, .. } => {
            ensure((1..=lines).contains(line), || format!("no line of the input: {error}"))
        }
        // Of compressed content the place is one of what it is unpacked to.
        SourceError::Byte { .. } | SourceError::Library { .. } => Ok(()),
        SourceError::Io { .. } | SourceError::Record(_) => Err(format!("{error}")),
    }
}

/// Checks that JSON holds all of a fact, and that a text of Rapfi, if it can hold it, can be read.
fn judge_fact(fact: &Fact, kind: &mut impl Hasher) -> Result<(), String> {
    let Fact { placement, entry, .. } = fact;
    let line = to_json(placement, entry);
    let again = JsonFacts::new(Path::new("again"), line.as_bytes()).next_fact();
    let again = again.map_err(|error| format!("JSON refuses its own line: {error}\n{line}"))?;
    let is_same = again.as_ref().is_some_and(|a| a.placement == *placement && a.entry == *entry);
    ensure(is_same, || format!("{line} is read as {again:?}"))?;
    if let Some(text) = to_rapfi_text(0, placement, entry) {
        let text = format!("{TEXT_HEADER}\n{text}\n");
        let again = TextFacts::new(Path::new("again"), text.as_bytes()).next_fact();
        let again = again.map_err(|error| format!("{error}\n{text}"))?;
        let key = placement.key().key;
        let is_same = again.is_some_and(|again| again.placement.key().key == key);
        ensure(is_same, || format!("{text} is another position"))?;
    }
    let result = entry.result.map(|result| std::mem::discriminant(&result));
    (placement.stones().checked_ilog2(), result, entry.evaluation.is_some()).hash(kind);
    (entry.best.is_some(), !entry.text.is_empty(), !entry.board_texts.is_empty()).hash(kind);
    (entry.label.is_some(), entry.marks.len().checked_ilog2()).hash(kind);
    Ok(())
}

/// Returns positions with all that can be known of one.
fn facts() -> Vec<(Placement, PositionEntry)> {
    let mut rng = SplitMix64::new(1);
    let sizes = [(15, 15), (5, 5), (22, 22), (20, 20), (9, 15)];
    let size = |i: usize| Size::new(sizes[i % 5].0, sizes[i % 5].1).expect("a size");
    (0..60).map(|i| random_fact(&mut rng, Rule::ALL[i % Rule::ALL.len()], size(i))).collect()
}

fn random_fact(rng: &mut SplitMix64, rule: Rule, size: Size) -> (Placement, PositionEntry) {
    let mut points: Vec<Point> = size.points().collect();
    rng.shuffle(&mut points);
    let stones = rng.below(12);
    let placement = Placement::of_moves(rule, size, &points[..stones]).expect("different cells");
    let plies = rng.below(50) as u16;
    let bounds = [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
    let result = [
        None,
        Some(ProvenResult::Win(Some(plies))),
        Some(ProvenResult::Loss(None)),
        Some(ProvenResult::Draw),
    ];
    let texts = ["", "Centre", "two\nlines", "\"quoted\\\"", "中央 天元", "@BTXT@"];
    let evaluation = Evaluation {
        score: Score::from_raw(rng.below(2_000) as i32 - 1_000),
        depth: rng.below(40) as i16,
        bound: bounds[rng.below(4)],
    };
    let best = points[stones + rng.below(3)];
    let mut entry = PositionEntry {
        result: result[rng.below(4)],
        evaluation: (rng.below(2) == 0).then_some(evaluation),
        best: (rng.below(2) == 0).then_some(best),
        visits: rng.below(9) as u64,
        games: GameCounts { black: rng.below(3) as u64, white: 0, draws: rng.below(2) as u64 },
        label: EntryLabel::new(["w", "l", "x", "!?"][rng.below(4)]).ok(),
        is_marked: rng.below(4) == 0,
        text: texts[rng.below(texts.len())].to_owned(),
        ..PositionEntry::default()
    };
    if rng.below(2) == 0 {
        entry.board_texts.insert(best, "A".to_owned());
        entry.marks.insert((best, CellMark::ALL[rng.below(CellMark::ALL.len())]));
    }
    (placement, entry)
}

/// Returns a database as Rapfi writes it, not compressed.
fn rapfi_file(facts: &[(Placement, PositionEntry)]) -> Vec<u8> {
    let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju];
    let mut content = Vec::new();
    let mut records = 1_u32;
    content.extend(b"\x03\0\0\0\0\x14\0\0\0\0\0\0charset=\"UTF-8\"");
    for (placement, entry) in facts {
        let Some(rule) = rules.iter().position(|&rule| rule == placement.rule()) else { continue };
        let size = placement.size();
        let mut key = vec![rule as u8, size.width(), size.height()];
        for color in [Color::Black, Color::White] {
            for point in
                size.points().filter(|&at| placement.board().cell(at) == Cell::Stone(color))
            {
                key.extend([point.x(), point.y()]);
            }
        }
        let score = entry.evaluation.map_or(0, |evaluation| evaluation.score.raw()) as i16;
        let mut value = vec![entry.visits as u8 + b'a'];
        value.extend(score.to_le_bytes());
        value.extend((i16::from(entry.is_marked) << 2 | 3).to_le_bytes());
        value.extend(b"@BTXT@76A\x08");
        value.extend(entry.text.as_bytes());
        for part in [key, value] {
            content.extend((part.len() as u16).to_le_bytes());
            content.extend(part);
        }
        records += 1;
    }
    [records.to_le_bytes().to_vec(), content].concat()
}

/// Returns content as an LZ4 frame of a block that is stored as it is.
fn lz4_frame(content: &[u8]) -> Vec<u8> {
    let stored = (content.len() as u32 | 1 << 31).to_le_bytes();
    // Version 1, independent blocks, no checksums, blocks of up to 4 MiB, and the byte that checks that.
    [b"\x04\x22\x4d\x18\x60\x70\x73".as_slice(), &stored, content, &[0; 4]].concat()
}

/// Returns the inputs of all readers of facts: files of every kind.
fn inputs() -> Vec<Vec<u8>> {
    let facts = facts();
    let mut inputs = Vec::new();
    for part in [&facts[..1], &facts[1..8], &facts[..]] {
        let content = rapfi_file(part);
        inputs.push(lz4_frame(&content));
        inputs.push(content);
        let mut json = String::new();
        let mut text = format!("{TEXT_HEADER}\n");
        for (i, (placement, entry)) in (0..).zip(part) {
            writeln!(json, "{}", to_json(placement, entry)).expect("memory");
            if let Some(line) = to_rapfi_text(i, placement, entry) {
                writeln!(text, "{line}").expect("memory");
            }
        }
        inputs.extend([json.into_bytes(), text.into_bytes()]);
    }
    // Numbers of records that are not there, and frames of frames.
    inputs.push(b"\xff\xff\xff\xff".to_vec());
    inputs.push(lz4_frame(b"\xff\xff\xff\xff\xff\xff"));
    inputs.push(lz4_frame(&lz4_frame(&[0; 100])));
    inputs
}

#[test]
fn the_inputs_are_read_as_what_they_are() {
    let facts = facts();
    let raw = rapfi_file(&facts);
    let count = |mut source: RapfiFacts<&[u8]>| {
        std::iter::from_fn(|| source.next_fact().expect("an undamaged file")).count()
    };
    let known = facts.iter().filter(|(p, e)| to_rapfi_text(0, p, e).is_some()).count();
    for file in [&raw, &lz4_frame(&raw)] {
        let source = RapfiFacts::new(PathBuf::new(), &file[..], None).expect("a database");
        assert_eq!(count(source), known);
    }
}

#[test]
fn no_file_hurts_the_reader_of_databases_of_rapfi() {
    fuzz::run("rapfi", inputs(), |bytes| {
        judge_source(
            bytes,
            LZ4_BYTES,
            RapfiFacts::new(PathBuf::from("x.db"), bytes, Some(CodePage::UTF_8)),
        )?;
        judge_source(bytes, LZ4_BYTES, RapfiFacts::new(PathBuf::from("x.db"), bytes, None))
    });
}

#[test]
fn no_file_hurts_the_reader_of_texts_of_databases() {
    fuzz::run("database-text", inputs(), |bytes| {
        judge_source(bytes, BYTES, Ok(TextFacts::new(Path::new("x.csv"), bytes)))
    });
}

#[test]
fn no_file_hurts_the_reader_of_lines_of_positions() {
    fuzz::run("positions", inputs(), |bytes| {
        judge_source(bytes, BYTES, Ok(JsonFacts::new(Path::new("x.jsonl"), bytes)))
    });
}

#[test]
fn no_file_hurts_the_reader_of_positions_of_libraries() {
    fuzz::run("library", corpus::inputs(Some(Format::Lib)), |bytes| {
        let source = LibFacts::new(PathBuf::from("x.lib"), bytes, CodePage::UTF_8, Rule::Renju);
        judge_source(bytes, BYTES, source)
    });
}

/// A small database, as a file, and the number of its positions.
static DATABASE: LazyLock<(Vec<u8>, u64)> = LazyLock::new(|| {
    let place = Place::new("fuzz-database");
    let path = PathBuf::from(place.path("whole.tdb"));
    let database = PositionDatabase::open(&path, Access::Create).expect("a database");
    for part in facts().chunks(20) {
        let put = |writer: &mut tengen_engine::database::DatabaseWriter<'_>| {
            part.iter().try_for_each(|(placement, entry)| writer.put(placement, entry.clone()))
        };
        database.write(put).expect("it is saved");
    }
    let len = database.read().and_then(|reader| reader.len()).expect("a number");
    drop(database);
    (fs::read(&path).expect("the file"), len)
});

/// Damages the database as the bytes of an input say: ten of them for each change.
fn damaged(edits: &[u8]) -> Vec<u8> {
    let mut file = DATABASE.0.clone();
    for edit in edits.chunks_exact(10) {
        let number =
            |bytes: &[u8]| bytes.iter().fold(0_usize, |n, &byte| n << 8 | usize::from(byte));
        if file.is_empty() {
            break;
        }
        let (at, other) = (number(&edit[1..4]) % file.len(), number(&edit[4..7]) % file.len());
        let len = (number(&edit[7..9]) >> (edit[0] >> 4)).min(file.len() - at.max(other));
        match edit[0] % 6 {
            0 => file[at] ^= edit[9].max(1),
            1 => file[at..at + len].fill(edit[9]),
            2 => file.copy_within(other..other + len, at),
            3 => file.truncate(at),
            4 => file.extend_from_slice(&edit[9..].repeat(len)),
            _ => drop(file.drain(at..at + len)),
        }
    }
    file
}

/// Opens a damaged database and reads all of it.
fn judge_database(edits: &[u8]) -> Verdict {
    static PLACE: LazyLock<Place> = LazyLock::new(|| Place::new("fuzz-database-damaged"));
    let mut kind = DefaultHasher::new();
    let bytes = damaged(edits);
    let path = PathBuf::from(PLACE.path("x.tdb"));
    for access in [Access::Read, Access::Write] {
        fs::write(&path, &bytes).map_err(|error| error.to_string())?;
        let read = || -> Result<u64, DatabaseError> {
            let mut database = PositionDatabase::open(&path, access)?;
            let mut entries = 0;
            for stored in database.read()?.scan(None)? {
                stored?;
                entries += 1;
            }
            database.check_pages()?;
            if access == Access::Write {
                let (placement, entry) = &facts()[0];
                database.write(|writer| writer.put(placement, entry.clone()))?;
            }
            Ok(entries)
        };
        match read() {
            Ok(entries) => {
                ensure(entries == 0 || entries == DATABASE.1, || {
                    format!("{entries} positions are left")
                })?;
                entries.hash(&mut kind);
            }
            Err(error) => {
                if let DatabaseError::Damaged { place, .. } = &error {
                    ensure(*place <= bytes.len() as u64, || format!("no place: {error}"))?;
                }
                let message = error.to_string().replace(&*path.to_string_lossy(), "x.tdb");
                judge_message(&message, &mut kind)?;
            }
        }
        if access == Access::Read {
            let left = fs::read(&path).map_err(|error| error.to_string())?;
            ensure(left == bytes, || "reading changes the file".to_owned())?;
        }
    }
    Ok(kind.finish())
}

#[test]
fn no_damage_hurts_the_reader_of_databases() {
    let mut rng = SplitMix64::new(2);
    let edits = (0..200).map(|i| (0..10 * (i % 4)).map(|_| rng.below(256) as u8).collect());
    fuzz::run("database", edits.collect(), judge_database);
}

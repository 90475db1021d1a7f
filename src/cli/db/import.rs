//! `tengen db import` and `tengen db merge`.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};

use super::{BAR, BYTES_BAR, Watched};
use crate::cli::args::databases::{DbImportArgs, DbMergeArgs};
use crate::cli::files::{STREAM, named};
use crate::cli::words::counted;
use crate::database::source::{
    FactSource, GameFacts, Gathered, JsonFacts, LibFacts, RapfiFacts, SourceError, TextFacts,
    is_json, is_rapfi, is_rapfi_text,
};
use crate::database::{Access, PositionDatabase};
use crate::notation::Origin;
use crate::records::{CodePage, Format, Known, Record, RecordError, RecordPlace, read};
use crate::rules::Rule;

/// The bytes of a source that tell what it is.
const BEGINNING: usize = 1024;
/// The bytes of records that are read at a time, where each is a line.
const CHUNK: u64 = 1 << 20;

/// Reads sources into a database.
pub(super) fn import(args: &DbImportArgs) -> anyhow::Result<ExitCode> {
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let total = args.sources.iter().map(length).sum();
    // A source that is not there should not leave an empty database.
    for path in args.sources.iter().filter(|path| path.as_path() != Path::new(STREAM)) {
        File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let database = PositionDatabase::open(&args.file, Access::Create)?;
    let mut watched = Watched::new(total, BYTES_BAR, args.quiet)?;
    let (mut told, mut changed, mut before) = (0, 0, 0);
    let mut gathered = Gathered::default();
    for path in &args.sources {
        let mut source = open_source(path, args)?;
        loop {
            let next = match source.next_fact() {
                Ok(Some(fact)) => fact,
                Ok(None) => break,
                Err(error) => {
                    changed += gathered.save(&database)?;
                    watched.bar.finish_and_clear();
                    return Err(error).context(summary(told, changed));
                }
            };
            gathered.add(next);
            told += 1;
            if gathered.is_full() {
                changed += gathered.save(&database)?;
            }
            if !watched.goes_on(before + source.bytes_read()) {
                break;
            }
        }
        if watched.was_interrupted {
            break;
        }
        before += length(path);
    }
    changed += gathered.save(&database)?;
    let summary = summary(told, changed);
    let code = watched.end(&summary)?;
    if code == ExitCode::SUCCESS {
        writeln!(io::stdout(), "{summary}")?;
    }
    Ok(code)
}

fn summary(told: u64, changed: u64) -> String {
    format!("{} read, {changed} new or changed in the database", counted(told, "position"))
}

/// Opens a source. A new kind of file is a new line here and a module of `database::source`.
fn open_source(path: &Path, args: &DbImportArgs) -> anyhow::Result<Box<dyn FactSource>> {
    let name = named(path);
    let cannot = || format!("cannot read {}", name.display());
    let mut input: Box<dyn Read> = if path == Path::new(STREAM) {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(cannot)?)
    };
    let mut start = Vec::new();
    input.by_ref().take(BEGINNING as u64).read_to_end(&mut start).with_context(cannot)?;
    let beginning = start.clone();
    let mut input = BufReader::new(Cursor::new(start).chain(input));
    if args.source.from.is_none() {
        if is_json(&beginning) {
            return Ok(Box::new(JsonFacts::new(name, input)));
        }
        if is_rapfi_text(&beginning) {
            return Ok(Box::new(TextFacts::new(name, input)));
        }
        if is_rapfi(&beginning) {
            let facts = RapfiFacts::new(name.to_owned(), input, args.source.encoding)?;
            return Ok(Box::new(facts));
        }
    }
    ensure!(
        !beginning.starts_with(b"tengen positions"),
        "{} is a database: tengen db merge adds what it knows",
        name.display()
    );
    let source = &args.source;
    let format =
        source.from.or_else(|| Format::of_path(path)).or_else(|| Format::detect(&beginning));
    let Some(format) = format else {
        bail!("cannot tell the format of {}: name it with --from", name.display());
    };
    let known = Known { size: source.size, rule: source.rule, page: source.encoding };
    let rule = source.rule.unwrap_or(Rule::Freestyle);
    if format == Format::Lib {
        // Texts of other encodings are met anywhere in a file.
        let guessed = || match path == Path::new(STREAM) {
            true => Ok(CodePage::UTF_8),
            false => Ok(CodePage::of_library(BufReader::new(File::open(path)?))?),
        };
        let page = source.encoding.map_or_else(guessed, anyhow::Ok).with_context(cannot)?;
        return Ok(Box::new(LibFacts::new(name.to_owned(), input, page, rule)?));
    }
    let by_lines = match format {
        Format::Json => true,
        // Without a size all lines have to be seen to know it.
        Format::Pos | Format::Offset => source.size.is_some(),
        Format::Psq | Format::Sgf | Format::Pgn | Format::Lib => false,
    };
    let chunk = if by_lines { CHUNK } else { u64::MAX };
    let origin = if format == Format::Pos { args.origin } else { Origin::Top };
    // Fail before anything is read into the database.
    input.fill_buf().with_context(cannot)?;
    let records = RecordChunks {
        path: name.to_owned(),
        input,
        format,
        known,
        chunk,
        origin,
        lines: 0,
        bytes: 0,
        records: VecDeque::new(),
    };
    Ok(Box::new(GameFacts::new(records, rule, args.scores)))
}

/// The games of a file, of which a part is in memory at a time where each game is a line.
struct RecordChunks<R> {
    path: PathBuf,
    input: R,
    format: Format,
    known: Known,
    /// The most bytes that are read at a time, but for the rest of a line.
    chunk: u64,
    origin: Origin,
    lines: usize,
    bytes: u64,
    records: VecDeque<Record>,
}

impl<R: BufRead> RecordChunks<R> {
    /// Reads the next part, and returns whether there was one.
    fn fill(&mut self) -> Result<bool, SourceError> {
        let failed = |error| SourceError::Io { path: self.path.clone(), error };
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(self.chunk).read_to_end(&mut bytes).map_err(failed)?;
        if read as u64 == self.chunk {
            self.input.read_until(b'\n', &mut bytes).map_err(failed)?;
        }
        self.bytes += bytes.len() as u64;
        let records = read_records(&bytes, self.format, self.known).map_err(|error| {
            let RecordPlace::Text { line, .. } = error.place else { return error };
            error.in_line(self.lines + line).in_file(&self.path)
        })?;
        self.lines += bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.records.extend(records);
        Ok(!bytes.is_empty())
    }
}

/// Reads games; nothing has none.
fn read_records(bytes: &[u8], format: Format, known: Known) -> Result<Vec<Record>, RecordError> {
    if bytes.is_empty() { Ok(Vec::new()) } else { read(bytes, format, known) }
}

impl<R: BufRead> Iterator for RecordChunks<R> {
    type Item = Result<(Record, u64), SourceError>;

    fn next(&mut self) -> Option<Result<(Record, u64), SourceError>> {
        while self.records.is_empty() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        let mut record = self.records.pop_front()?;
        if self.origin == Origin::Bottom {
            record.flip_rows();
        }
        Some(Ok((record, self.bytes)))
    }
}

/// Adds what other databases know.
pub(super) fn merge(args: &DbMergeArgs) -> anyhow::Result<ExitCode> {
    let open = |path: &PathBuf| PositionDatabase::open(path, Access::Read);
    let others = args.from.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let database = PositionDatabase::open(&args.into, Access::Create)?;
    let mut total = 0;
    for other in &others {
        total += other.read()?.len()?;
    }
    let mut watched = Watched::new(total, BAR, args.quiet)?;
    let (mut told, mut changed) = (0, 0);
    for other in &others {
        let merged = database.merge_from(other, &mut |read| watched.goes_on(told + read))?;
        told += merged.read;
        changed += merged.changed;
        if watched.was_interrupted {
            break;
        }
    }
    let summary = summary(told, changed);
    let code = watched.end(&summary)?;
    if code == ExitCode::SUCCESS {
        writeln!(io::stdout(), "{summary}")?;
    }
    Ok(code)
}

//! `tengen db import` and `tengen db merge`.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};

use super::{BAR, BYTES_BAR, Interruptible};
use crate::common::files::{
    GameFile, STREAM, SourceFile, check_apart, check_sources, code, named, spooled,
};
use crate::common::words::note;
use crate::db::args::{DbImportArgs, DbMergeArgs};
use tengen_core::rules::Rule;
use tengen_engine::database::source::{
    Fact, FactSource, Gathered, JsonFacts, LibFacts, RapfiFacts, TextFacts, facts_of_record,
    is_json, is_rapfi, is_rapfi_text,
};
use tengen_engine::database::{Access, PositionDatabase};
use tengen_files::records::{CodePage, Format};
use tengen_files::words::counted;

/// Reads sources into a database.
pub(super) fn import(args: &DbImportArgs) -> anyhow::Result<ExitCode> {
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let total = args.sources.iter().map(length).sum();
    // What is not there or cannot be told should not leave an empty database, or half of the others.
    check_sources(&args.sources)?;
    let is_file = |path: &&PathBuf| path.as_path() != Path::new(STREAM) && path.is_file();
    for path in args.sources.iter().filter(is_file) {
        let source = source_of(path)?;
        let begins = &source.beginning;
        if !(is_json(begins) || is_rapfi_text(begins) || is_rapfi(begins)) {
            source.format(&args.source)?;
        }
    }
    let database = PositionDatabase::open(&args.file, Access::Create)?;
    let mut work = Interruptible::new(total, BYTES_BAR, args.quiet)?;
    let (mut told, mut changed, mut before, mut refused) = (0, 0, 0, 0);
    let mut gathered = Gathered::default();
    for path in &args.sources {
        let opened = ImportSource::open(path, args);
        let mut source = opened.unwrap_or_else(|error| ImportSource::Unread(Some(error)));
        loop {
            let next = match source.next_fact() {
                Ok(Some(fact)) => fact,
                Ok(None) => break,
                Err(error) => {
                    changed += gathered.save(&database)?;
                    work.bar.end();
                    if told == 0 {
                        return Err(error);
                    }
                    return Err(error).context(summary(told, changed));
                }
            };
            gathered.add(next);
            told += 1;
            if gathered.is_full() {
                changed += gathered.save(&database)?;
            }
            if !work.goes_on(before + source.bytes_read()) {
                break;
            }
        }
        refused += source.end(path);
        if work.was_interrupted {
            break;
        }
        before += length(path);
    }
    changed += gathered.save(&database)?;
    let summary = summary(told, changed);
    let ended = work.end(&summary)?;
    if ended != ExitCode::SUCCESS {
        return Ok(ended);
    }
    writeln!(io::stdout(), "{summary}")?;
    Ok(code(refused))
}

fn summary(told: u64, changed: u64) -> String {
    format!("{} read, {changed} new or changed in the database", counted(told, "position"))
}

/// Opens a source, which is no database.
fn source_of(path: &Path) -> anyhow::Result<SourceFile> {
    let source = SourceFile::open(path)?;
    ensure!(
        !source.beginning.starts_with(b"tengen positions"),
        "{} is a database: tengen db merge adds what it knows",
        named(path).display()
    );
    Ok(source)
}

/// Where positions come from.
enum ImportSource {
    Facts(Box<dyn FactSource>),
    /// Games, one at a time, and what the last one still has to tell.
    Games {
        file: Box<GameFile>,
        facts: VecDeque<Fact>,
        rule: Rule,
        scores: bool,
    },
    /// What cannot be opened, and why, until that is told.
    Unread(Option<anyhow::Error>),
}

impl ImportSource {
    /// Opens a source. A new kind of file is a new line here and a module of `database::source`.
    fn open(path: &Path, args: &DbImportArgs) -> anyhow::Result<ImportSource> {
        let source = source_of(path)?;
        let (name, how) = (named(path), &args.source);
        let beginning = &source.beginning;
        let facts_of = |facts: Box<dyn FactSource>| Ok(ImportSource::Facts(facts));
        if how.reading.from.is_none() {
            if is_json(beginning) {
                return facts_of(Box::new(JsonFacts::new(name, BufReader::new(source.bytes))));
            }
            if is_rapfi_text(beginning) {
                return facts_of(Box::new(TextFacts::new(name, BufReader::new(source.bytes))));
            }
            if is_rapfi(beginning) {
                let page = how.reading.encoding;
                return facts_of(Box::new(RapfiFacts::new(name.to_owned(), source.bytes, page)?));
            }
        }
        let rule = how.rule.unwrap_or(Rule::Freestyle);
        if source.format(how)? == Format::Lib {
            let SourceFile { mut bytes, .. } = source;
            let mut page = how.reading.encoding;
            if page.is_none() {
                // Texts of other encodings are met anywhere in a file.
                let mut copy = spooled(name, &mut bytes)?;
                page = CodePage::of_library(&copy).ok();
                copy.rewind()?;
                bytes = Box::new(copy);
            }
            // What is no library says so where it is read.
            let page = page.unwrap_or(CodePage::UTF_8);
            return facts_of(Box::new(LibFacts::new(name.to_owned(), bytes, page, rule)?));
        }
        let file = Box::new(GameFile::new(source, how, args.origin)?);
        let (facts, scores) = (VecDeque::new(), args.scores);
        Ok(ImportSource::Games { file, facts, rule, scores })
    }

    fn next_fact(&mut self) -> anyhow::Result<Option<Fact>> {
        match self {
            ImportSource::Facts(source) => Ok(source.next_fact()?),
            ImportSource::Games { file, facts, rule, scores } => {
                while facts.is_empty() {
                    let Some((_, record)) = file.next()? else { return Ok(None) };
                    *facts = facts_of_record(&record, *rule, *scores).into();
                }
                Ok(facts.pop_front())
            }
            ImportSource::Unread(error) => error.take().map_or(Ok(None), Err),
        }
    }

    fn bytes_read(&self) -> u64 {
        match self {
            ImportSource::Facts(source) => source.bytes_read(),
            ImportSource::Games { file, .. } => file.bytes_read(),
            ImportSource::Unread(_) => 0,
        }
    }

    /// Says what was left out, and returns the number of games that could not be used.
    fn end(&self, path: &Path) -> usize {
        match self {
            ImportSource::Games { file, .. } => file.refused(),
            ImportSource::Facts(source) => {
                let left_out = source.left_out().join(", ");
                if !left_out.is_empty() {
                    note(format!("{}: warning: left out: {left_out}", named(path).display()));
                }
                0
            }
            ImportSource::Unread(_) => 0,
        }
    }
}

/// Adds what other databases know.
pub(super) fn merge(args: &DbMergeArgs) -> anyhow::Result<ExitCode> {
    check_apart([&args.into], &args.from)?;
    let open = |path: &PathBuf| PositionDatabase::open(path, Access::Read);
    let others = args.from.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let database = PositionDatabase::open(&args.into, Access::Create)?;
    let mut total = 0;
    for other in &others {
        total += other.read()?.len()?;
    }
    let mut work = Interruptible::new(total, BAR, args.quiet)?;
    let (mut told, mut changed) = (0, 0);
    for other in &others {
        let stop = work.stop.clone();
        let mut progress = |read| {
            work.goes_on(told + read);
        };
        let merged = database.merge_from(other, &stop, &mut progress)?;
        told += merged.read;
        changed += merged.changed;
        // A signal may come after the last look at it here.
        work.was_interrupted = !merged.complete;
        if work.was_interrupted {
            break;
        }
    }
    let summary = summary(told, changed);
    let code = work.end(&summary)?;
    if code == ExitCode::SUCCESS {
        writeln!(io::stdout(), "{summary}")?;
    }
    Ok(code)
}

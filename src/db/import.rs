//! `tengen db import` and `tengen db merge`.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};

use super::{BAR, BYTES_BAR, Interruptible};
use crate::common::files::{GameFile, STREAM, SourceFile, check_sources, code, named};
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
    // A source that is not there should not leave an empty database.
    check_sources(&args.sources)?;
    let database = PositionDatabase::open(&args.file, Access::Create)?;
    let mut work = Interruptible::new(total, BYTES_BAR, args.quiet)?;
    let (mut told, mut changed, mut before, mut refused) = (0, 0, 0, 0);
    let mut gathered = Gathered::default();
    for path in &args.sources {
        let mut source = ImportSource::open(path, args)?;
        loop {
            let next = match source.next_fact() {
                Ok(Some(fact)) => fact,
                Ok(None) => break,
                Err(error) => {
                    changed += gathered.save(&database)?;
                    work.bar.end();
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
        refused += source.refused();
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
}

impl ImportSource {
    /// Opens a source. A new kind of file is a new line here and a module of `database::source`.
    fn open(path: &Path, args: &DbImportArgs) -> anyhow::Result<ImportSource> {
        let source = SourceFile::open(path)?;
        let (name, how) = (named(path), &args.source);
        let beginning = &source.beginning;
        ensure!(
            !beginning.starts_with(b"tengen positions"),
            "{} is a database: tengen db merge adds what it knows",
            name.display()
        );
        if how.reading.from.is_none() {
            if is_json(beginning) {
                let facts = JsonFacts::new(name, BufReader::new(source.bytes));
                return Ok(ImportSource::Facts(Box::new(facts)));
            }
            if is_rapfi_text(beginning) {
                let facts = TextFacts::new(name, BufReader::new(source.bytes));
                return Ok(ImportSource::Facts(Box::new(facts)));
            }
            if is_rapfi(beginning) {
                let input = BufReader::new(source.bytes);
                let facts = RapfiFacts::new(name.to_owned(), input, how.reading.encoding)?;
                return Ok(ImportSource::Facts(Box::new(facts)));
            }
        }
        let rule = how.rule.unwrap_or(Rule::Freestyle);
        if source.format(how)? == Format::Lib {
            // Texts of other encodings are met anywhere in a file.
            let guessed = || match path == Path::new(STREAM) {
                true => Ok(CodePage::UTF_8),
                false => Ok(CodePage::of_library(BufReader::new(File::open(path)?))?),
            };
            let cannot = || format!("cannot read {}", name.display());
            let page =
                how.reading.encoding.map_or_else(guessed, anyhow::Ok).with_context(cannot)?;
            let facts = LibFacts::new(name.to_owned(), source.bytes, page, rule)?;
            return Ok(ImportSource::Facts(Box::new(facts)));
        }
        let file = GameFile::new(source, how, args.origin)?;
        Ok(ImportSource::Games {
            file: Box::new(file),
            facts: VecDeque::new(),
            rule,
            scores: args.scores,
        })
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
        }
    }

    fn bytes_read(&self) -> u64 {
        match self {
            ImportSource::Facts(source) => source.bytes_read(),
            ImportSource::Games { file, .. } => file.bytes_read(),
        }
    }

    /// Returns the number of games that could not be used.
    fn refused(&self) -> usize {
        match self {
            ImportSource::Facts(_) => 0,
            ImportSource::Games { file, .. } => file.refused(),
        }
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

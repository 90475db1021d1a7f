//! Texts, libraries and rows of cells that a database is written to and learns from.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::database::source::{
    FactSource, Gathered, LibFacts, SourceError, TEXT_HEADER, TextFacts, to_rapfi_text,
};
use crate::database::{
    BoardFacts, DatabaseError, DatabaseReader, Placement, PositionDatabase, PositionEntry,
};
use tengen_core::notation::{Moves, Stones};
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Color, Point, Size};
use tengen_files::records::{CodePage, LibBuilder, LibHead, LibNode, LibRemark};
use tengen_files::resume::replace_file;

/// The most nodes of a library, in which every order of moves is a way of its own.
const MOST_NODES: usize = 10_000_000;

/// The reason why an exchange fails or is incomplete.
#[derive(Debug, Error)]
pub(super) enum ExchangeError {
    /// The database can't be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The source can't be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file can't be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The board can't be that of a library.
    #[error("a library has a board of 15x15 and colours that alternate")]
    NoLibrary,
    /// There is more than a library should hold.
    #[error("the library would have more than {MOST_NODES} nodes: nothing was written")]
    TooLarge,
}

/// Writes the text of all positions, or of those of a rule and size; returns how many.
pub(super) fn write_text(
    database: &PositionDatabase,
    path: &Path,
    only: Option<(Rule, Size)>,
) -> Result<u64, ExchangeError> {
    write_lines(database, path, only, Some(TEXT_HEADER), to_rapfi_text)
}

/// Writes the positions of a rule and size in which colours have alternated as rows of cells; returns
/// how many.
pub(super) fn write_positions(
    database: &PositionDatabase,
    path: &Path,
    only: (Rule, Size),
) -> Result<u64, ExchangeError> {
    write_lines(database, path, Some(only), None, |_, placement, _| row(placement))
}

/// Returns the stones in an order in which colours alternate, row by row, if there is one.
fn row(placement: &Placement) -> Option<String> {
    let ByColor([black, white]) = Stones::of_board(placement.board()).0;
    let stones = black.len() + white.len();
    let alternates = black.len() == stones.div_ceil(2)
        && placement.to_move() == Color::to_move_after(stones)
        && stones > 0;
    let cells = |number: usize| {
        if number.is_multiple_of(2) { black[number / 2] } else { white[number / 2] }
    };
    alternates.then(|| Moves(&(0..stones).map(cells).collect::<Vec<Point>>()).to_string())
}

fn write_lines(
    database: &PositionDatabase,
    path: &Path,
    only: Option<(Rule, Size)>,
    header: Option<&str>,
    line: impl Fn(u64, &Placement, &PositionEntry) -> Option<String>,
) -> Result<u64, ExchangeError> {
    let reader = database.read()?;
    let mut groups = reader.groups()?;
    groups.retain(|group| only.is_none_or(|only| only == (group.rule, group.size)));
    // The error of the database goes before that of the file.
    let mut failed = None;
    let written = replace_file(path, |file| {
        let mut out = BufWriter::new(file);
        let mut written = 0;
        if let Some(header) = header {
            writeln!(out, "{header}")?;
        }
        for &group in &groups {
            let mut fail = |error: DatabaseError| {
                failed = Some(error);
                io::Error::other("the database can't be read")
            };
            for stored in reader.scan(Some(group)).map_err(&mut fail)? {
                let stored = stored.map_err(&mut fail)?;
                if let Some(line) = line(written, &stored.key.placement(), &stored.entry) {
                    writeln!(out, "{line}")?;
                    written += 1;
                }
            }
        }
        out.flush()?;
        Ok(written)
    });
    match (failed, written) {
        (Some(error), _) => Err(error.into()),
        (None, written) => {
            written.map_err(|error| ExchangeError::Write { path: path.to_owned(), error })
        }
    }
}

/// The outcome of an import.
#[derive(Debug, Default)]
pub(super) struct Learnt {
    /// The positions that were read.
    pub(super) told: u64,
    /// The positions of the database that are new or have changed.
    pub(super) changed: u64,
    /// The reason why not all was read.
    pub(super) fault: Option<SourceError>,
}

/// Adds what a text of a database knows.
pub(super) fn read_text(database: &PositionDatabase, path: &Path) -> Result<Learnt, ExchangeError> {
    let file = open(path)?;
    learn(database, &mut TextFacts::new(path, BufReader::new(file)))
}

/// Adds what a library knows, whose positions are those of a rule.
pub(super) fn read_library(
    database: &PositionDatabase,
    path: &Path,
    rule: Rule,
) -> Result<Learnt, ExchangeError> {
    let page = CodePage::of_library(open(path)?);
    let page = page.map_err(|error| SourceError::Library { path: path.to_owned(), error })?;
    let mut facts = LibFacts::new(path.to_owned(), open(path)?, page, rule)?;
    learn(database, &mut facts)
}

fn open(path: &Path) -> Result<File, SourceError> {
    File::open(path).map_err(|error| SourceError::Io { path: path.to_owned(), error })
}

fn learn(
    database: &PositionDatabase,
    source: &mut dyn FactSource,
) -> Result<Learnt, ExchangeError> {
    let mut gathered = Gathered::default();
    let mut learnt = Learnt::default();
    loop {
        match source.next_fact() {
            Ok(Some(fact)) => gathered.add(fact),
            Ok(None) => break,
            Err(error) => {
                learnt.fault = Some(error);
                break;
            }
        }
        learnt.told += 1;
        if gathered.is_full() {
            learnt.changed += gathered.save(database)?;
        }
    }
    learnt.changed += gathered.save(database)?;
    Ok(learnt)
}

/// Writes the moves of a line and all known ones after it as a library of RenLib, with the comments, the
/// texts on the board and what boards show of the positions; returns the number of nodes.
pub(super) fn write_library(
    database: &PositionDatabase,
    path: &Path,
    line: &[Placement],
) -> Result<u64, ExchangeError> {
    let [start, ..] = line else { return Err(ExchangeError::NoLibrary) };
    let alternates = |(number, placement): (usize, &Placement)| {
        placement.stones() == number && placement.to_move() == Color::to_move_after(number)
    };
    if start.size() != Size::DEFAULT || !line.iter().enumerate().all(alternates) {
        return Err(ExchangeError::NoLibrary);
    }
    let mut writer = LibraryExport {
        reader: database.read()?,
        library: LibBuilder::new(LibHead::WITH_ROOT),
        nodes: 0,
    };
    let mut entry = writer.reader.get(start)?;
    writer.enter(None, entry.as_ref(), "")?;
    for pair in line.windows(2) {
        let [before, after] = pair else { continue };
        let texts = texts(before, entry.as_ref());
        entry = writer.reader.get(after)?;
        let added = before.board().empties();
        for point in added.iter().filter(|&point| !after.board().is_empty(point)) {
            writer.enter(Some(point), entry.as_ref(), texts.get(&point).map_or("", |text| text))?;
        }
    }
    if let Some(last) = line.last() {
        writer.follow(last, entry.as_ref())?;
    }
    let bytes = writer.library.into_tree().to_bytes();
    replace_file(path, |file| file.write_all(&bytes))
        .map_err(|error| ExchangeError::Write { path: path.to_owned(), error })?;
    Ok(writer.nodes as u64)
}

/// Returns the texts on all cells of a position.
fn texts(placement: &Placement, entry: Option<&PositionEntry>) -> BTreeMap<Point, String> {
    let key = placement.key();
    let texts = entry.iter().flat_map(|entry| &entry.board_texts);
    let everywhere =
        texts.flat_map(|(&point, text)| key.same_cells(point).map(|same| (same, text.clone())));
    everywhere.filter(|(point, _)| placement.board().is_empty(*point)).collect()
}

/// A library that is being made of a database.
struct LibraryExport {
    reader: DatabaseReader,
    library: LibBuilder,
    nodes: usize,
}

impl LibraryExport {
    /// Adds the node of a move, or the root, with the position after it.
    fn enter(
        &mut self,
        cell: Option<Point>,
        entry: Option<&PositionEntry>,
        board_text: &str,
    ) -> Result<(), ExchangeError> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(ExchangeError::TooLarge);
        }
        let text = entry.map_or(String::new(), |entry| entry.text.clone());
        let shown = entry.map_or(String::new(), |entry| BoardFacts::of(entry).shown);
        let shown = if cell.is_some() { shown.to_uppercase() } else { String::new() };
        let remark = LibRemark { line: String::new(), text };
        let mut node = LibNode::new(cell);
        // Nothing is too much for UTF-8, and the builder has place for more nodes than these.
        node.set_remarks(&remark, &format!("{board_text}{shown}"), CodePage::UTF_8)
            .and_then(|()| self.library.enter(&node))
            .ok_or(ExchangeError::TooLarge)
    }

    /// Adds all that follows from a position; as deep as there are cells.
    fn follow(
        &mut self,
        placement: &Placement,
        entry: Option<&PositionEntry>,
    ) -> Result<(), ExchangeError> {
        let mut texts = texts(placement, entry);
        for known in self.reader.moves(placement)? {
            let text = texts.remove(&known.point).unwrap_or_default();
            self.enter(Some(known.point), Some(&known.entry), &text)?;
            let mut after = placement.clone();
            if after.play(known.point).is_ok() {
                self.follow(&after, Some(&known.entry))?;
            }
            self.library.leave();
        }
        for (point, text) in texts {
            self.enter(Some(point), None, &text)?;
            self.library.leave();
        }
        Ok(())
    }
}

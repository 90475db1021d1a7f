//! Errands on a database in a file.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::errand::{DatabaseBlock, DatabaseEdit, Errand, LibraryReply};
use super::exchange::{self, ExchangeError, Learnt};
use crate::database::{
    Access, BoardEdit, BoardFacts, DatabaseError, DatabaseReader, Placement, PositionDatabase,
    PositionEntry, PropagationOptions, Removal,
};
use crate::engine::OpeningBook;
use crate::protocol::Reply;
use crate::rules::{Rule, forbidden_points};
use crate::types::{Color, Point};

/// The memory for pages of a database, in bytes.
const CACHE: usize = 16 << 20;
/// The positions that are copied in one transaction.
const BATCH: usize = 10_000;
/// The most bytes of a board text that are sent; Yixin-Board shows the first six.
const MOST_BOARD_TEXT: usize = 200;

/// Runs errands one after the other, each to its end.
#[derive(Debug, Default)]
pub struct Librarian {
    /// The database that was named last.
    path: Option<PathBuf>,
    open: Option<Arc<PositionDatabase>>,
    /// The one that was open last, which a search may still be using.
    last: Weak<PositionDatabase>,
    is_read_only: bool,
}

/// Where replies go.
type Tell<'a> = &'a mut dyn FnMut(LibraryReply);

fn tell_line(tell: Tell<'_>, reply: Reply) {
    tell(LibraryReply::Line(reply));
}

impl Librarian {
    /// Returns the database that is open.
    #[must_use]
    pub fn database(&self) -> Option<&Arc<PositionDatabase>> {
        self.open.as_ref()
    }

    /// Runs an errand. Without an open database those that need one do nothing and say nothing.
    pub fn run(&mut self, errand: Errand, tell: Tell<'_>) {
        if let Err(error) = self.try_run(errand, tell) {
            tell_line(tell, Reply::Error(error.to_string()));
        }
        tell(LibraryReply::Done);
    }

    fn try_run(&mut self, errand: Errand, tell: Tell<'_>) -> Result<(), DatabaseError> {
        match errand {
            Errand::Open(path) => return self.open(path, tell),
            Errand::Use(false) => {
                self.open = None;
                tell(LibraryReply::Opened(None));
                return Ok(());
            }
            Errand::Use(true) => {
                return match self.path.clone().filter(|_| self.open.is_none()) {
                    Some(path) => self.open(path, tell),
                    None => Ok(()),
                };
            }
            Errand::Book(path) => {
                self.open_book(path.as_deref(), tell);
                return Ok(());
            }
            Errand::ReadOnly(is_read_only) => {
                self.is_read_only = is_read_only;
                return Ok(());
            }
            _ => {}
        }
        let Some(database) = self.open.clone() else { return Ok(()) };
        let work = Work { database: &database, is_read_only: self.is_read_only };
        let begun = Instant::now();
        match errand {
            Errand::Query(block, placement) => work.query(block, &placement, tell),
            Errand::Edit(..) | Errand::Delete(..) if self.is_read_only => Ok(()),
            Errand::Edit(placement, edit) => work.edit(&placement, edit, tell),
            Errand::DeleteOne(placement) if !self.is_read_only => work.delete_one(&placement),
            Errand::DeleteOne(_) => Ok(()),
            Errand::Delete(placement, removal) => work.delete(&placement, removal, tell),
            Errand::Split(path, line) => work.split(&path, &line, tell),
            Errand::Learn(_) if self.is_read_only => Ok(()),
            Errand::Learn(finding) => finding.write_to(&database),
            Errand::Merge(path) => work.merge(&path, tell),
            Errand::ToText(path, only) => {
                let written = exchange::write_text(&database, &path, only);
                tell_written(written, "positions", &path, begun, tell);
                Ok(())
            }
            Errand::ToPositions(path, only) => {
                let written = exchange::write_positions(&database, &path, only);
                tell_written(written, "positions", &path, begun, tell);
                Ok(())
            }
            Errand::ToLibrary(path, line) => {
                let written = exchange::write_library(&database, &path, &line);
                tell_written(written, "nodes", &path, begun, tell);
                Ok(())
            }
            Errand::FromText(_) | Errand::FromLibrary(..) if self.is_read_only => {
                let refused = "the database is only read: nothing was added".to_owned();
                tell_line(tell, Reply::Error(refused));
                Ok(())
            }
            Errand::FromText(path) => {
                tell_learnt(exchange::read_text(&database, &path), begun, tell);
                Ok(())
            }
            Errand::FromLibrary(path, rule) => {
                tell_learnt(exchange::read_library(&database, &path, rule), begun, tell);
                Ok(())
            }
            Errand::Save => work.save(tell),
            Errand::Check => work.check(tell),
            Errand::Propagate => work.propagate(tell),
            Errand::Open(_) | Errand::Use(_) | Errand::ReadOnly(_) | Errand::Book(_) => Ok(()),
        }
    }

    fn open(&mut self, path: PathBuf, tell: Tell<'_>) -> Result<(), DatabaseError> {
        if self.open.as_ref().is_some_and(|open| open.path() == path) {
            return Ok(());
        }
        if let Some(last) = self.last.upgrade().filter(|last| last.path() == path) {
            tell(LibraryReply::Opened(Some(Arc::clone(&last))));
            self.open = Some(last);
            return Ok(());
        }
        let access = if self.is_read_only { Access::Read } else { Access::Create };
        let is_new = !path.exists();
        tell_line(tell, Reply::DatabaseDialog(format!("LOAD START {}", path.display())));
        let opened = PositionDatabase::open_with(&path, access, CACHE);
        // The dialog of a board stays open otherwise.
        tell_line(tell, Reply::DatabaseDialog("LOAD DONE".to_owned()));
        let database = opened?;
        let positions = database.read()?.len()?;
        // Boards take a message that begins with the word "database" for one of theirs.
        let path_shown = path.display();
        let told = match is_new {
            true => format!("made the database {path_shown}"),
            false => format!("opened {path_shown}: {positions} positions"),
        };
        tell_line(tell, Reply::Message(told));
        let database = Arc::new(database);
        tell(LibraryReply::Opened(Some(Arc::clone(&database))));
        self.last = Arc::downgrade(&database);
        self.open = Some(database);
        self.path = Some(path);
        Ok(())
    }

    /// Opens a book, or puts it away. What a manager sends as `INFO` it expects no error about, so a
    /// book that can't be opened is told as a message, and there is none then.
    fn open_book(&self, path: Option<&Path>, tell: Tell<'_>) {
        let opened = path.map(|path| {
            // A database that this program writes can't be opened a second time, but read.
            let open = self.open.as_ref().filter(|open| open.path() == path).cloned();
            let database = match open {
                Some(open) => open,
                None => Arc::new(PositionDatabase::open_with(path, Access::Read, CACHE)?),
            };
            let positions = database.read()?.len()?;
            Ok::<_, DatabaseError>((database, positions))
        });
        let book = match opened {
            None => None,
            Some(Ok((database, positions))) => {
                let path = database.path().display();
                let told = format!("opened the book {path}: {positions} positions");
                tell_line(tell, Reply::Message(told));
                Some(OpeningBook::new(database))
            }
            Some(Err(error)) => {
                tell_line(tell, Reply::Message(format!("no book: {error}")));
                None
            }
        };
        tell(LibraryReply::Book(book));
    }
}

/// An errand on an open database.
struct Work<'a> {
    database: &'a PositionDatabase,
    is_read_only: bool,
}

impl Work<'_> {
    fn query(
        &self,
        block: DatabaseBlock,
        placement: &Placement,
        tell: Tell<'_>,
    ) -> Result<(), DatabaseError> {
        let reader = self.database.read()?;
        let entry = reader.get(placement)?;
        if matches!(block, DatabaseBlock::QueryAll | DatabaseBlock::QueryAllText) {
            tell_moves(&reader, placement, entry.as_ref(), tell)?;
        }
        if block == DatabaseBlock::QueryOne {
            tell_line(tell, one(entry.as_ref()));
        }
        if matches!(block, DatabaseBlock::QueryText | DatabaseBlock::QueryAllText) {
            tell_line(
                tell,
                Reply::DatabaseText(entry.as_ref().map_or("", |entry| &entry.text).to_owned()),
            );
        }
        // A board shows the way that was gone: a position that was looked at is there from then on.
        let is_looked_at = matches!(block, DatabaseBlock::QueryAll | DatabaseBlock::QueryAllText);
        let may_write = !self.is_read_only && self.database.access() != Access::Read;
        if is_looked_at && may_write && entry.is_none() && placement.stones() > 0 {
            self.database.write(|writer| writer.put(placement, PositionEntry::default()))?;
        }
        Ok(())
    }

    fn edit(
        &self,
        placement: &Placement,
        edit: DatabaseEdit,
        tell: Tell<'_>,
    ) -> Result<(), DatabaseError> {
        let with_value = matches!(edit, DatabaseEdit::Value { .. });
        let edited = self.database.write(|writer| {
            let known = writer.get(placement)?;
            let is_new = known.is_none();
            let mut entry = known.unwrap_or_default();
            match edit {
                DatabaseEdit::Value { mask, tag, value, depth } => {
                    let part = |bit: i64, number| (is_new || mask & bit != 0).then_some(number);
                    let change = BoardEdit {
                        label: part(1, tag),
                        value: part(2, value),
                        depth: part(4, depth),
                    };
                    if !change.apply(&mut entry) {
                        return Ok(None);
                    }
                }
                DatabaseEdit::BoardText(point, text) => {
                    let text: String = text.split_whitespace().collect();
                    for same in placement.key().same_cells(point) {
                        entry.board_texts.remove(&same);
                    }
                    if !text.is_empty() {
                        entry.board_texts.insert(point, text);
                        let mut next = placement.clone();
                        if next.play(point).is_ok() && writer.get(&next)?.is_none() {
                            writer.put(&next, PositionEntry::default())?;
                        }
                    }
                }
                DatabaseEdit::Text(text) => {
                    entry.text = text.replace("\r\n", "\n").trim_matches(' ').to_owned();
                    entry.is_placeholder &= entry.text.is_empty();
                }
                DatabaseEdit::BestMove(point, true) => entry.best = Some(point),
                DatabaseEdit::BestMove(point, false) => {
                    let is_it = |best| placement.key().same_cells(point).any(|same| same == best);
                    entry.best = entry.best.filter(|&best| !is_it(best));
                }
            }
            writer.put(placement, entry.clone())?;
            Ok(Some(entry))
        })?;
        match edited {
            None => tell_line(tell, Reply::Error("the tag is no printable character".to_owned())),
            Some(entry) if with_value => tell_line(tell, one(Some(&entry))),
            Some(_) => {}
        }
        Ok(())
    }

    /// Removes a position, and the text on the move that leads there from those before.
    fn delete_one(&self, placement: &Placement) -> Result<(), DatabaseError> {
        self.database.write(|writer| {
            writer.remove(placement)?;
            for (point, before) in placement.parents() {
                if let Some(mut entry) = writer.get(&before)? {
                    let texts = entry.board_texts.len();
                    for same in before.key().same_cells(point) {
                        entry.board_texts.remove(&same);
                    }
                    if entry.board_texts.len() < texts {
                        writer.put(&before, entry)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Removes what follows from a position, and all texts on its cells.
    fn delete(
        &self,
        placement: &Placement,
        removal: Removal,
        tell: Tell<'_>,
    ) -> Result<(), DatabaseError> {
        tell_line(tell, Reply::Message("deleting; this may take a while".to_owned()));
        let begun = Instant::now();
        let removed = self.database.remove_following(placement, removal)?;
        self.database.write(|writer| match writer.get(placement)? {
            Some(mut entry) if !entry.board_texts.is_empty() => {
                entry.board_texts.clear();
                writer.put(placement, entry)
            }
            _ => Ok(()),
        })?;
        tell_line(tell, Reply::Message(format!("deleted {removed} positions in {}", ms(begun))));
        self.query(DatabaseBlock::QueryAll, placement, tell)
    }

    fn split(&self, path: &Path, line: &[Placement], tell: Tell<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        tell_line(tell, Reply::DatabaseDialog(format!("SAVE START {}", path.display())));
        let copied = self.copy_tree(path, line);
        tell_line(tell, Reply::DatabaseDialog("SAVE DONE".to_owned()));
        let copied = copied?;
        let path = path.display();
        tell_line(
            tell,
            Reply::Message(format!("copied {copied} positions to {path} in {}", ms(begun))),
        );
        Ok(())
    }

    /// Copies the known positions of a line and all that follow from its last one, and returns how
    /// many.
    fn copy_tree(&self, path: &Path, line: &[Placement]) -> Result<u64, DatabaseError> {
        let target = PositionDatabase::open(path, Access::Create)?;
        let reader = self.database.read()?;
        let mut copied = 0;
        let mut batch: Vec<Placement> = Vec::new();
        let mut copy = |batch: &mut Vec<Placement>| {
            let entries = batch.drain(..).map(|placement| {
                let key = placement.key().key;
                Ok(reader.stored(&key)?.map(|entry| (key, entry)))
            });
            let entries: Vec<_> = entries.collect::<Result<_, DatabaseError>>()?;
            target.write(|writer| {
                for (key, entry) in entries.into_iter().flatten() {
                    if writer.stored(&key)?.is_none() {
                        writer.put_stored(&key, &entry)?;
                        copied += 1;
                    }
                }
                Ok(())
            })
        };
        // Ply by ply, so that each position is met once.
        let mut ply: Vec<Placement> = line.last().cloned().into_iter().collect();
        batch.extend(line.iter().filter(|placement| placement.stones() > 0).cloned());
        while !ply.is_empty() {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for placement in &ply {
                for known in reader.moves(placement)? {
                    let mut after = placement.clone();
                    if after.play(known.point).is_ok() && seen.insert(after.key().key) {
                        next.push(after);
                    }
                }
            }
            for placement in &next {
                batch.push(placement.clone());
                if batch.len() >= BATCH {
                    copy(&mut batch)?;
                }
            }
            ply = next;
        }
        copy(&mut batch)?;
        Ok(copied)
    }

    fn merge(&self, path: &Path, tell: Tell<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        tell_line(tell, Reply::DatabaseDialog(format!("LOAD START {}", path.display())));
        let merged = self.merge_file(path);
        tell_line(tell, Reply::DatabaseDialog("LOAD DONE".to_owned()));
        let (changed, all) = merged?;
        tell_line(
            tell,
            Reply::Message(format!(
                "merged {all} positions, which changed {changed}, in {}",
                ms(begun)
            )),
        );
        Ok(())
    }

    /// Adds what another database knows; returns how many positions changed, and how many it has.
    fn merge_file(&self, path: &Path) -> Result<(u64, u64), DatabaseError> {
        let other = PositionDatabase::open(path, Access::Read)?;
        let mut entries = other.read()?.scan(None)?.peekable();
        let (mut changed, mut all) = (0, 0);
        while entries.peek().is_some() {
            self.database.write(|writer| {
                for stored in entries.by_ref().take(BATCH) {
                    let stored = stored?;
                    all += 1;
                    changed += u64::from(writer.merge_stored(&stored.key, &stored.entry, false)?);
                }
                Ok(())
            })?;
        }
        Ok((changed, all))
    }

    fn save(&self, tell: Tell<'_>) -> Result<(), DatabaseError> {
        // Whatever was told is saved already: boards wait for these lines.
        let path = self.database.path().display();
        tell_line(tell, Reply::DatabaseDialog(format!("SAVE START {path}")));
        tell_line(tell, Reply::DatabaseDialog("SAVE DONE".to_owned()));
        let positions = self.database.read()?.len()?;
        tell_line(tell, Reply::Message(format!("saved {path}: {positions} positions")));
        Ok(())
    }

    /// Reads every entry.
    fn check(&self, tell: Tell<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        let (mut positions, mut moved) = (0_u64, 0_u64);
        for stored in self.database.read()?.scan(None)? {
            positions += 1;
            moved += u64::from(!stored?.key.is_canonical());
        }
        let verdict = match moved {
            0 => "all are in order".to_owned(),
            moved => format!("{moved} are not found where they are"),
        };
        tell_line(tell, Reply::Message(format!("{positions} positions: {verdict}; {}", ms(begun))));
        Ok(())
    }

    fn propagate(&self, tell: Tell<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        let options = PropagationOptions::default();
        let found = self.database.propagate(options, &mut |_| true)?;
        let results = found.results;
        tell_line(
            tell,
            Reply::Message(format!("{results} new results of positions, in {}", ms(begun))),
        );
        Ok(())
    }
}

/// Tells how much was written to a file.
fn tell_written(
    written: Result<u64, ExchangeError>,
    what: &str,
    path: &Path,
    begun: Instant,
    tell: Tell<'_>,
) {
    let path = path.display();
    tell_line(
        tell,
        match written {
            Ok(count) => Reply::Message(format!("wrote {count} {what} to {path} in {}", ms(begun))),
            Err(error) => Reply::Error(error.to_string()),
        },
    );
}

/// Tells how much was read, and why it was not all.
fn tell_learnt(learnt: Result<Learnt, ExchangeError>, begun: Instant, tell: Tell<'_>) {
    match learnt {
        Ok(Learnt { told, changed, fault }) => {
            if let Some(fault) = fault {
                tell_line(tell, Reply::Error(fault.to_string()));
            }
            let ms = ms(begun);
            let read = format!("read {told} positions, {changed} of them new or changed, in {ms}");
            tell_line(tell, Reply::Message(read));
        }
        Err(error) => tell_line(tell, Reply::Error(error.to_string())),
    }
}

fn ms(begun: Instant) -> String {
    format!("{} ms", begun.elapsed().as_millis())
}

/// Returns the line about a position itself.
fn one(entry: Option<&PositionEntry>) -> Reply {
    let BoardFacts { label, value, depth, bound, shown } =
        entry.map_or(BoardFacts::ABSENT, BoardFacts::of);
    Reply::Database(format!("ONE {label} {value} {depth} {bound} {shown}"))
}

/// Tells the known moves, and the texts on other cells.
fn tell_moves(
    reader: &DatabaseReader,
    placement: &Placement,
    entry: Option<&PositionEntry>,
    tell: Tell<'_>,
) -> Result<(), DatabaseError> {
    let key = placement.key();
    let mut texts = BTreeMap::new();
    for (&point, text) in entry.iter().flat_map(|entry| &entry.board_texts) {
        texts.extend(key.same_cells(point).map(|same| (same, text.as_str())));
    }
    let nothing = (BoardFacts::ABSENT, false);
    let mut cells: BTreeMap<Point, (BoardFacts, bool)> =
        texts.keys().map(|&point| (point, nothing.clone())).collect();
    for known in reader.moves(placement)? {
        let facts = (BoardFacts::of(&known.entry), !known.entry.text.is_empty());
        cells.insert(known.point, facts);
    }
    if placement.rule() == Rule::Renju && placement.to_move() == Color::Black {
        for (point, _) in forbidden_points(placement.board()) {
            cells.remove(&point);
        }
    }
    tell_line(tell, Reply::Database("REFRESH".to_owned()));
    for (point, (facts, has_text)) in cells {
        let (x, y, tag) = (point.x(), point.y(), facts.tag());
        let text: String =
            texts.get(&point).copied().unwrap_or_default().split_whitespace().collect();
        let text: String = text
            .char_indices()
            .take_while(|(at, c)| at + c.len_utf8() <= MOST_BOARD_TEXT)
            .map(|(_, c)| c)
            .collect();
        let BoardFacts { value, depth, bound, .. } = facts;
        let has_text = u8::from(has_text);
        tell_line(
            tell,
            Reply::Database(format!("{x} {y} {tag} {value} {depth} {bound} {has_text} {text}")),
        );
    }
    tell_line(tell, Reply::Database("DONE".to_owned()));
    Ok(())
}

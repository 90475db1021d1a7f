//! Errands on a database in a file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::errand::{Errand, LibraryReply};
use super::exchange;
use super::telling::{Tell, failure, reason, tell_learnt, tell_line, tell_loaded, tell_written};
use super::work::Work;
use crate::database::{Access, DatabaseError, PositionDatabase};
use crate::engine::OpeningBook;
use crate::protocol::Reply;
use tengen_core::sys::fault::{self, Place};

/// The memory for pages of a database, in bytes.
const CACHE: usize = 16 << 20;

/// Runs errands one after the other, each to its end.
#[derive(Debug, Default)]
pub struct Librarian {
    /// The database that was named last.
    path: Option<PathBuf>,
    open: Option<Arc<PositionDatabase>>,
    /// The one that was open last, which a search may still be using.
    last: Weak<PositionDatabase>,
    /// Why the database that was open last is not, if that was not wanted.
    lost: Option<String>,
    is_read_only: bool,
}

impl Librarian {
    /// Returns the database that is open.
    #[must_use]
    pub fn database(&self) -> Option<&Arc<PositionDatabase>> {
        self.open.as_ref()
    }

    /// Runs an errand. Without an open database those that need one do nothing and say nothing, unless it
    /// was lost.
    pub fn run(&mut self, errand: Errand, tell: Tell<'_>) {
        if let Err(error) = self.try_run(errand, tell) {
            tell_line(tell, failure(&error));
        }
        tell(LibraryReply::Done);
    }

    fn try_run(&mut self, errand: Errand, tell: Tell<'_>) -> Result<(), DatabaseError> {
        fault::pass(Place::Database);
        match errand {
            Errand::Open(path) => return self.open(path, tell),
            Errand::Use(false) => {
                self.open = None;
                self.lost = None;
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
            Errand::PutAway(path, reason) => {
                if self.open.as_ref().is_some_and(|open| open.path() == path) {
                    self.put_away(reason, tell);
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(database) = self.open.clone() else {
            if let Some(reason) = &self.lost {
                tell_line(tell, Reply::Error(format!("the database was put away: {reason}")));
            }
            return Ok(());
        };
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
            Errand::Learn(finding) => {
                // Nobody has asked for it, and nobody needs it: the game goes on.
                if let Err(error) = finding.write_to(&database) {
                    self.put_away(reason(&error), tell);
                }
                Ok(())
            }
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
            Errand::Open(_)
            | Errand::Use(_)
            | Errand::ReadOnly(_)
            | Errand::Book(_)
            | Errand::PutAway(..) => Ok(()),
        }
    }

    /// Goes on without the database that is open: it would fail again and again.
    fn put_away(&mut self, reason: String, tell: Tell<'_>) {
        self.open = None;
        self.last = Weak::new();
        self.lost = Some(reason.clone());
        tell(LibraryReply::Lost(reason));
    }

    fn open(&mut self, path: PathBuf, tell: Tell<'_>) -> Result<(), DatabaseError> {
        if self.open.as_ref().is_some_and(|open| open.path() == path) {
            return Ok(());
        }
        if let Some(last) = self.last.upgrade().filter(|last| last.path() == path) {
            tell(LibraryReply::Opened(Some(Arc::clone(&last))));
            tell_loaded(&path, tell);
            self.open = Some(last);
            return Ok(());
        }
        let access = if self.is_read_only { Access::Read } else { Access::Create };
        let is_new = !path.exists();
        tell_line(tell, Reply::DatabaseDialog(format!("LOAD START {}", path.display())));
        let opened = PositionDatabase::open_with(&path, access, CACHE);
        let (opened, refused) = match opened {
            // Another program has it open, or it is protected: perhaps it can be read.
            Err(error) if access == Access::Create && !is_new => {
                match PositionDatabase::open_with(&path, Access::Read, CACHE) {
                    Ok(database) => (Ok(database), Some(error)),
                    Err(_) => (Err(error), None),
                }
            }
            opened => (opened, None),
        };
        // The dialog of a board stays open otherwise.
        tell_line(tell, Reply::DatabaseDialog("LOAD DONE".to_owned()));
        if let (Err(_), Some(open)) = (&opened, &self.open) {
            // The board has made the title of its window of the file that it does not have.
            tell_loaded(open.path(), tell);
        }
        let database = opened?;
        let positions = database.read()?.len()?;
        // Boards take a message that begins with the word "database" for one of theirs.
        let path_shown = path.display();
        let told = match refused {
            None if is_new => format!("made the database {path_shown}"),
            None => format!("opened {path_shown}: {positions} positions"),
            Some(error) => {
                let error = reason(&error);
                format!("opened {path_shown} for reading only, as {error}: {positions} positions")
            }
        };
        tell_line(tell, Reply::Message(told));
        let database = Arc::new(database);
        tell(LibraryReply::Opened(Some(Arc::clone(&database))));
        self.last = Arc::downgrade(&database);
        self.lost = None;
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

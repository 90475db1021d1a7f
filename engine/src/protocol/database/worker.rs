//! Requests on a database in a file.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::exchange;
use super::position::OpenDatabase;
use super::replies::{
    ReplySink, failure, reason, send_imported, send_line, send_loaded, send_written,
};
use super::request::{DatabaseReply, DatabaseRequest};
use crate::database::{Access, DatabaseError, PositionDatabase};
use crate::engine::OpeningBook;
use crate::protocol::Reply;
use tengen_core::sys::fault::{self, Place};
use tengen_files::words::counted;

/// The memory for pages of a database, in bytes.
const CACHE: usize = 16 << 20;

/// Runs requests one after the other, each to its end.
#[derive(Debug, Default)]
pub struct DatabaseWorker {
    /// The database that was named last.
    path: Option<PathBuf>,
    open: Option<Arc<PositionDatabase>>,
    /// The one that was open last, which a search may still be using.
    last: Weak<PositionDatabase>,
    /// The reason why the last open database was closed, if that was not wanted.
    lost: Option<String>,
    is_read_only: bool,
}

impl DatabaseWorker {
    /// Returns the database that is open.
    #[must_use]
    pub fn database(&self) -> Option<&Arc<PositionDatabase>> {
        self.open.as_ref()
    }

    /// Runs a request. Without an open database those that need one do nothing and say nothing, unless it
    /// was lost.
    pub fn run(&mut self, request: DatabaseRequest, sink: ReplySink<'_>) {
        if let Err(error) = self.try_run(request, sink) {
            send_line(sink, failure(&error));
        }
        sink(DatabaseReply::Done);
    }

    fn try_run(
        &mut self,
        request: DatabaseRequest,
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        fault::pass(Place::Database);
        match request {
            DatabaseRequest::Open(path) => return self.open(path, sink),
            DatabaseRequest::Use(false) => {
                self.open = None;
                self.lost = None;
                sink(DatabaseReply::Opened(None));
                return Ok(());
            }
            DatabaseRequest::Use(true) => {
                return match self.path.clone().filter(|_| self.open.is_none()) {
                    Some(path) => self.open(path, sink),
                    None => Ok(()),
                };
            }
            DatabaseRequest::Book(path) => {
                self.open_book(path.as_deref(), sink);
                return Ok(());
            }
            DatabaseRequest::ReadOnly(is_read_only) => {
                return self.set_read_only(is_read_only, sink);
            }
            DatabaseRequest::PutAway(path, reason) => {
                if self.open.as_ref().is_some_and(|open| open.path() == path) {
                    self.put_away(reason, sink);
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(database) = self.open.clone() else {
            if let Some(reason) = &self.lost {
                send_line(sink, Reply::Error(format!("the database was put away: {reason}")));
            }
            return Ok(());
        };
        let open = OpenDatabase { database: &database, is_read_only: self.is_read_only };
        let begun = Instant::now();
        if let Some(refusal) = refusal(&request).filter(|_| self.is_read_only) {
            send_line(sink, refusal);
            return Ok(());
        }
        match request {
            DatabaseRequest::Query(block, placement) => open.query(block, &placement, sink),
            DatabaseRequest::Edit(placement, edit) => open.edit(&placement, edit, sink),
            DatabaseRequest::DeleteOne(placement) => open.delete_one(&placement),
            DatabaseRequest::Delete(placement, removal) => open.delete(&placement, removal, sink),
            DatabaseRequest::Split(path, line) => open.split(&path, &line, sink),
            DatabaseRequest::Learn(path, _) if self.is_read_only || database.path() != path => {
                Ok(())
            }
            DatabaseRequest::Learn(_, finding) => {
                // Nobody has asked for it, and nobody needs it: the game goes on.
                if let Err(error) = finding.write_to(&database) {
                    self.put_away(reason(&error), sink);
                }
                Ok(())
            }
            DatabaseRequest::ToText(path, only) => {
                let written = exchange::write_text(&database, &path, only);
                send_written(written, "position", &path, begun, sink);
                Ok(())
            }
            DatabaseRequest::ToPositions(path, only) => {
                let written = exchange::write_positions(&database, &path, only);
                send_written(written, "position", &path, begun, sink);
                Ok(())
            }
            DatabaseRequest::ToLibrary(path, line) => {
                let written = exchange::write_library(&database, &path, &line);
                send_written(written, "node", &path, begun, sink);
                Ok(())
            }
            DatabaseRequest::Merge(path) => open.merge(&path, sink),
            DatabaseRequest::FromText(path) => {
                send_imported(exchange::read_text(&database, &path), begun, sink);
                Ok(())
            }
            DatabaseRequest::FromLibrary(path, rule) => {
                send_imported(exchange::read_library(&database, &path, rule), begun, sink);
                Ok(())
            }
            DatabaseRequest::Save => open.save(sink),
            DatabaseRequest::Check => open.check(sink),
            DatabaseRequest::Propagate => open.propagate(sink),
            DatabaseRequest::Open(_)
            | DatabaseRequest::Use(_)
            | DatabaseRequest::ReadOnly(_)
            | DatabaseRequest::Book(_)
            | DatabaseRequest::PutAway(..) => Ok(()),
        }
    }

    /// Goes on without the database that is open: it would fail again and again.
    fn put_away(&mut self, reason: String, sink: ReplySink<'_>) {
        self.open = None;
        self.last = Weak::new();
        self.lost = Some(reason.clone());
        sink(DatabaseReply::Lost(reason));
    }

    /// Takes whether databases are left as they are from now on. One that was opened for that is opened anew
    /// when it is over.
    fn set_read_only(
        &mut self,
        is_read_only: bool,
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        let was_read_only = mem::replace(&mut self.is_read_only, is_read_only);
        let open = self.open.as_ref().filter(|_| was_read_only && !is_read_only);
        open.map(|open| open.path().to_owned()).map_or(Ok(()), |path| self.open(path, sink))
    }

    /// Returns whether a database is the one of this path, and can be written if it is to be.
    fn serves(&self, database: &PositionDatabase, path: &Path) -> bool {
        database.path() == path && (self.is_read_only || database.access() != Access::Read)
    }

    fn open(&mut self, path: PathBuf, sink: ReplySink<'_>) -> Result<(), DatabaseError> {
        if self.open.as_ref().is_some_and(|open| self.serves(open, &path)) {
            return Ok(());
        }
        if self.open.take_if(|open| open.path() == path).is_some() {
            // What is to be written has no other reader: searches let go of it first.
            sink(DatabaseReply::Opened(None));
        }
        if self.open.is_none() {
            // It is the one to be used even if it can't be opened yet.
            self.path = Some(path.clone());
        }
        if let Some(last) = self.last.upgrade().filter(|last| self.serves(last, &path)) {
            sink(DatabaseReply::Opened(Some(Arc::clone(&last))));
            send_loaded(&path, sink);
            self.open = Some(last);
            return Ok(());
        }
        let access = if self.is_read_only { Access::Read } else { Access::Create };
        let is_new = !path.exists();
        send_line(sink, Reply::DatabaseDialog(format!("LOAD START {}", path.display())));
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
        send_line(sink, Reply::DatabaseDialog("LOAD DONE".to_owned()));
        if let (Err(_), Some(open)) = (&opened, &self.open) {
            // The board has made the title of its window of the file that it does not have.
            send_loaded(open.path(), sink);
        }
        let database = opened?;
        let positions = counted(database.read()?.len()?, "position");
        // Boards take a message that begins with the word "database" for one of theirs.
        let path_shown = path.display();
        let told = match refused {
            None if is_new => format!("made the database {path_shown}"),
            None => format!("opened {path_shown}: {positions}"),
            Some(error) => {
                let error = reason(&error);
                format!("opened {path_shown} for reading only, as {error}: {positions}")
            }
        };
        send_line(sink, Reply::Message(told));
        let database = Arc::new(database);
        sink(DatabaseReply::Opened(Some(Arc::clone(&database))));
        self.last = Arc::downgrade(&database);
        self.lost = None;
        self.open = Some(database);
        self.path = Some(path);
        Ok(())
    }

    /// Opens a book, or puts it away. What a manager sends as `INFO` it expects no error about, so a
    /// book that can't be opened is told as a message, and there is none then.
    fn open_book(&self, path: Option<&Path>, sink: ReplySink<'_>) {
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
                let told = format!("opened the book {path}: {}", counted(positions, "position"));
                send_line(sink, Reply::Message(told));
                Some(OpeningBook::new(database))
            }
            Some(Err(error)) => {
                send_line(sink, Reply::Message(format!("no book: {}", reason(&error))));
                None
            }
        };
        sink(DatabaseReply::Book(book));
    }
}

/// Returns what to say of a request that a database which is only read refuses.
fn refusal(request: &DatabaseRequest) -> Option<Reply> {
    match request {
        // No error: boards may edit unasked.
        DatabaseRequest::Edit(..) | DatabaseRequest::Delete(..) | DatabaseRequest::DeleteOne(_) => {
            Some(Reply::Message("the database is only read: nothing was changed".to_owned()))
        }
        DatabaseRequest::FromText(_)
        | DatabaseRequest::FromLibrary(..)
        | DatabaseRequest::Merge(_)
        | DatabaseRequest::Propagate => {
            Some(Reply::Error("the database is only read: nothing was added".to_owned()))
        }
        _ => None,
    }
}

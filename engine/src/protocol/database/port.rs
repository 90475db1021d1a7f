//! The session's side of the database.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::request::{DatabaseBlock, DatabaseEdit, DatabaseFile, DatabaseReply, DatabaseRequest};
use crate::database::{Placement, PositionDatabase, Removal, ResultFilter};
use crate::engine::{Finding, OpeningBook, UsedDatabase};
use crate::protocol::block::PartialBlock;
use crate::protocol::dialogue::Dialogue;
use crate::protocol::game::{NO_BOARD, SessionGame};
use crate::protocol::input::path_of;
use crate::protocol::reply::Reply;
use crate::protocol::text::{BlockEntry, Cursor};
use tengen_core::rules::Rule;
use tengen_core::types::Point;

/// A receiver of requests, which carries them out in their order.
type RequestSink = Box<dyn FnMut(DatabaseRequest)>;

/// A queue of requests to the thread of the database.
#[derive(Default)]
pub(in crate::protocol) struct DatabasePort {
    sink: Option<RequestSink>,
    /// The requests that are not done yet, the oldest first.
    running: VecDeque<RunningRequest>,
    /// The database that is open, for the engine.
    database: Option<Arc<PositionDatabase>>,
    is_read_only: bool,
    /// True if a database was named, and not put away.
    is_open: bool,
    /// True if the manager is known to understand texts and the progress of opening and saving by now.
    is_new_board: bool,
}

/// The consequence of a reply of the database.
pub(in crate::protocol) enum PortEvent {
    /// Nothing.
    Nothing,
    /// A line to write.
    Line(Reply),
    /// Searches use another database from now on, or none.
    Database(Option<UsedDatabase>),
    /// What the database knows has been corrected.
    Corrected,
    /// The database was lost, for this reason: searches use none from now on.
    Lost(String),
    /// Games are opened from another book from now on, or from none.
    Book(Option<OpeningBook>),
}

/// A request that is not done yet.
#[derive(Clone, Copy)]
struct RunningRequest {
    /// True if the manager was then known to understand texts and the progress of opening and saving.
    is_new_board: bool,
    /// True if it answers a command about databases, so that an error may be the answer.
    is_asked: bool,
    /// True if it writes down the finding of a search.
    is_learning: bool,
    /// True if what searches were told before may be wrong after it.
    corrects: bool,
}

impl DatabasePort {
    /// Sends requests to a database from now on; without one they have no effect.
    pub(in crate::protocol) fn connect(&mut self, sink: RequestSink) {
        self.sink = Some(sink);
    }

    /// Returns whether no request is running.
    pub(in crate::protocol) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Returns whether all requests that are running write down what searches have found.
    pub(in crate::protocol) fn only_learns(&self) -> bool {
        self.running.iter().all(|request| request.is_learning)
    }

    /// Sends a request that a command about databases asks for.
    pub(in crate::protocol) fn ask(&mut self, request: DatabaseRequest) {
        self.send(request, true);
    }

    fn send(&mut self, request: DatabaseRequest, is_asked: bool) {
        if let Some(sink) = &mut self.sink {
            let is_learning = matches!(request, DatabaseRequest::Learn(..));
            let (is_new_board, corrects) =
                (self.is_new_board, !self.is_read_only && corrects(&request));
            let request_now = RunningRequest { is_new_board, is_asked, is_learning, corrects };
            self.running.push_back(request_now);
            sink(request);
        }
    }

    /// Opens a database for the game, which goes on without it if it can't be opened.
    pub(in crate::protocol) fn open(&mut self, path: PathBuf) {
        self.is_open = true;
        self.send(DatabaseRequest::Open(path), false);
    }

    /// Opens games from the book in a file; an empty path is none.
    pub(in crate::protocol) fn open_book(&mut self, path: &Path) {
        let named = !path.as_os_str().is_empty();
        self.send(DatabaseRequest::Book(named.then(|| path.to_owned())), false);
    }

    /// Takes `INFO usedatabase`.
    pub(in crate::protocol) fn set_used(&mut self, is_used: bool) {
        self.is_open = is_used;
        self.send(DatabaseRequest::Use(is_used), false);
    }

    /// Takes `INFO database_readonly`; returns what searches use from now on.
    pub(in crate::protocol) fn set_read_only(
        &mut self,
        is_read_only: bool,
    ) -> Option<UsedDatabase> {
        self.is_read_only = is_read_only;
        self.send(DatabaseRequest::ReadOnly(is_read_only), false);
        self.used()
    }

    /// Takes what a search has found.
    pub(in crate::protocol) fn learn(&mut self, path: PathBuf, finding: Box<Finding>) {
        // What is being corrected may be what it follows from.
        if !self.running.iter().any(|request| request.corrects) {
            self.send(DatabaseRequest::Learn(path, finding), false);
        }
    }

    /// Takes it that a search could not read a database.
    pub(in crate::protocol) fn put_away(&mut self, path: PathBuf, reason: String) {
        self.send(DatabaseRequest::PutAway(path, reason), false);
    }

    /// Returns the database that is open.
    pub(in crate::protocol) fn database(&self) -> Option<Arc<PositionDatabase>> {
        self.database.clone()
    }

    /// Returns what searches use.
    fn used(&self) -> Option<UsedDatabase> {
        let (database, is_read_only) = (self.database.clone(), self.is_read_only);
        database.map(|database| UsedDatabase { database, is_read_only })
    }

    /// Takes a reply at this point of the dialogue.
    pub(in crate::protocol) fn reply(
        &mut self,
        reply: DatabaseReply,
        dialogue: &Dialogue,
    ) -> PortEvent {
        let request = self.running.front().copied();
        let is_new_board = request.is_some_and(|request| request.is_new_board);
        let is_asked = request.is_some_and(|request| request.is_asked);
        let is_over = dialogue.has_ended();
        match reply {
            DatabaseReply::Line(Reply::DatabaseDialog(_)) if !is_new_board => PortEvent::Nothing,
            // The board waits for the end of saving, even behind END.
            DatabaseReply::Line(line @ Reply::DatabaseDialog(_)) => PortEvent::Line(line),
            DatabaseReply::Line(_) if is_over => PortEvent::Nothing,
            DatabaseReply::Line(Reply::Error(text)) if !is_asked => {
                PortEvent::Line(Reply::Message(format!("no database: {text}")))
            }
            // While a move is owed, an error would be taken for the answer.
            DatabaseReply::Line(Reply::Error(text)) if dialogue.slot().is_owed() => {
                PortEvent::Line(Reply::Message(text))
            }
            DatabaseReply::Line(line) => PortEvent::Line(line),
            DatabaseReply::Lost(reason) => {
                self.database = None;
                PortEvent::Lost(reason)
            }
            DatabaseReply::Opened(database) => {
                self.database = database;
                PortEvent::Database(self.used())
            }
            DatabaseReply::Book(book) => PortEvent::Book(book),
            DatabaseReply::Done => match self.running.pop_front() {
                Some(RunningRequest { corrects: true, .. }) if self.database.is_some() => {
                    PortEvent::Corrected
                }
                _ => PortEvent::Nothing,
            },
        }
    }

    /// Takes the path of a file, and the game for which the command came.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is nothing to ask for.
    pub(in crate::protocol) fn file(
        &mut self,
        action: DatabaseFile,
        path: &str,
        rule: Rule,
        game: Option<&SessionGame>,
    ) -> Result<(), String> {
        let path = path.trim();
        if path.is_empty() {
            return Ok(());
        }
        let file = path_of(path)?;
        let game = || game.ok_or(NO_BOARD);
        let line = || game()?.placements(rule).map_err(|error| error.to_string());
        let request = match action {
            DatabaseFile::Open => {
                self.is_open = true;
                DatabaseRequest::Open(file)
            }
            DatabaseFile::Merge => DatabaseRequest::Merge(file),
            DatabaseFile::ToTextAll => DatabaseRequest::ToText(file, None),
            DatabaseFile::FromText => DatabaseRequest::FromText(file),
            DatabaseFile::FromLibrary => DatabaseRequest::FromLibrary(file, rule),
            DatabaseFile::ToText => DatabaseRequest::ToText(file, Some((rule, game()?.size()))),
            DatabaseFile::ToPositions => DatabaseRequest::ToPositions(file, (rule, game()?.size())),
            DatabaseFile::ToLibrary => DatabaseRequest::ToLibrary(file, line()?),
            DatabaseFile::Split => DatabaseRequest::Split(file, line()?),
        };
        self.ask(request);
        Ok(())
    }

    /// Takes a block about a position, and the game for which the command came.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is nothing to ask for.
    pub(in crate::protocol) fn block(
        &mut self,
        command: DatabaseBlock,
        block: &PartialBlock,
        rule: Rule,
        game: Option<&SessionGame>,
    ) -> Result<(), String> {
        self.is_new_board |= command.is_of_new_board();
        if !self.is_open || self.sink.is_none() {
            return Ok(());
        }
        let entries = block.entries().map_err(|flaw| flaw.to_string())?;
        let start = Placement::empty(rule, game.ok_or(NO_BOARD)?.size());
        self.ask(request_about(BlockPosition::of(start, entries)?, command, block)?);
        Ok(())
    }
}

/// Returns whether a request may change or remove what a database knows of results and moves.
const fn corrects(request: &DatabaseRequest) -> bool {
    matches!(
        request,
        DatabaseRequest::Edit(_, DatabaseEdit::Value { .. } | DatabaseEdit::Label(_))
            | DatabaseRequest::DeleteOne(_)
            | DatabaseRequest::Delete(..)
            | DatabaseRequest::Merge(_)
            | DatabaseRequest::Propagate
            | DatabaseRequest::FromText(_)
            | DatabaseRequest::FromLibrary(..)
    )
}

/// The position of a block, with the move that led to it.
struct BlockPosition {
    before: Placement,
    last: Option<Point>,
    placement: Placement,
}

impl BlockPosition {
    /// Plays the moves of a block, where `-1,-1` is a pass.
    fn of(start: Placement, entries: &[BlockEntry]) -> Result<BlockPosition, String> {
        let mut position = BlockPosition { before: start.clone(), last: None, placement: start };
        for (number, entry) in (1..).zip(entries) {
            let BlockPosition { before, last, placement } = &mut position;
            before.clone_from(placement);
            if (entry.x, entry.y) == (-1, -1) {
                *last = None;
                *placement = placement.clone().passed();
                continue;
            }
            let point = placement.size().point(entry.x, entry.y);
            let played = point.ok_or_else(|| "is off the board".to_owned()).and_then(|point| {
                placement.play(point).map_err(|_| "is on an occupied cell".to_owned())?;
                Ok(point)
            });
            *last = Some(played.map_err(|flaw| format!("stone {number} of the block {flaw}"))?);
        }
        Ok(position)
    }
}

/// Returns the request that a block about a position is.
fn request_about(
    position: BlockPosition,
    command: DatabaseBlock,
    block: &PartialBlock,
) -> Result<DatabaseRequest, String> {
    let BlockPosition { before, last, placement } = position;
    let last = || last.ok_or_else(|| "there is no last move".to_owned());
    Ok(match command {
        DatabaseBlock::QueryAll
        | DatabaseBlock::QueryAllText
        | DatabaseBlock::QueryOne
        | DatabaseBlock::QueryText => DatabaseRequest::Query(command, placement),
        DatabaseBlock::EditValue => match *block.numbers() {
            [mask, tag, value, depth] => {
                DatabaseRequest::Edit(placement, DatabaseEdit::Value { mask, tag, value, depth })
            }
            _ => return Err(format!("{} needs four numbers", command.word())),
        },
        DatabaseBlock::EditText => {
            DatabaseRequest::Edit(placement, DatabaseEdit::Text(block.text().to_owned()))
        }
        DatabaseBlock::EditLabel => {
            let mut cursor = Cursor::new(block.text());
            let Some((x, y)) = cursor.pair() else {
                let label = DatabaseEdit::Label(block.text().trim().to_owned());
                return Ok(DatabaseRequest::Edit(placement, label));
            };
            let point = placement.size().point(x, y);
            let point = point.filter(|&point| placement.board().is_empty(point));
            let point = point.ok_or("the cell is occupied or off the board")?;
            let text = cursor.rest().trim().to_owned();
            DatabaseRequest::Edit(placement, DatabaseEdit::BoardText(point, text))
        }
        DatabaseBlock::DeleteOne => DatabaseRequest::DeleteOne(placement),
        DatabaseBlock::DeleteAll => {
            DatabaseRequest::Delete(placement, removal(block.text(), block.numbers())?)
        }
        DatabaseBlock::SetBestMove => {
            DatabaseRequest::Edit(before, DatabaseEdit::BestMove(last()?, true))
        }
        DatabaseBlock::ClearBestMove => {
            DatabaseRequest::Edit(before, DatabaseEdit::BestMove(last()?, false))
        }
    })
}

/// Reads the filter of `YXDELETEDATABASEALL`, as `wlrecursive` or `wlinstep` with a number of plies.
fn removal(word: &str, numbers: &[i64]) -> Result<Removal, String> {
    let lower = word.to_ascii_lowercase();
    let (name, goes_on) = match lower.strip_suffix("recursive") {
        Some(name) => (name, true),
        None => (lower.as_str(), false),
    };
    let filter = match name {
        "" if goes_on => Err(()),
        "" => Ok(ResultFilter::Any),
        "wlinstep" => {
            let plies = numbers.first().copied().unwrap_or(1).clamp(0, i64::from(u16::MAX));
            Ok(ResultFilter::Within(plies as u16))
        }
        name => name.parse().map_err(|_| ()),
    };
    let filter = filter.map_err(|()| format!("{word} is not a filter: nothing was deleted"))?;
    Ok(Removal { filter, goes_on, with_root: false })
}

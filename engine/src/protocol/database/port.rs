//! What a session knows of the database, and the commands about it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::errand::{DatabaseBlock, DatabaseEdit, DatabaseFile, Errand, Library, LibraryReply};
use crate::database::{Placement, PlacementError, PositionDatabase, Removal, ResultFilter};
use crate::engine::{Finding, Thinker, UsedDatabase};
use crate::protocol::block::PartialBlock;
use crate::protocol::phase::Phase;
use crate::protocol::reply::Reply;
use crate::protocol::session::Session;
use crate::protocol::text::{BlockEntry, Cursor};
use tengen_core::types::Point;

/// The place at which errands are taken.
#[derive(Default)]
pub(in crate::protocol) struct Desk {
    library: Option<Box<dyn Library>>,
    /// The errands that are not done yet, the oldest first.
    running: VecDeque<RunningErrand>,
    /// The database that is open, for the engine.
    database: Option<Arc<PositionDatabase>>,
    is_read_only: bool,
    /// Whether a database was named, and not put away.
    is_open: bool,
    /// Whether the manager is known to understand them by now.
    is_new_board: bool,
}

impl Desk {
    /// Returns whether nothing is left to do.
    pub(in crate::protocol) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Returns whether nothing is left to do but to write down what searches have found.
    pub(in crate::protocol) fn only_learns(&self) -> bool {
        self.running.iter().all(|errand| errand.is_learning)
    }

    /// Sends an errand that a command about databases asks for.
    fn send(&mut self, errand: Errand) {
        self.send_as(errand, true);
    }

    /// Sends an errand for the game, which nobody expects an answer to.
    fn send_unasked(&mut self, errand: Errand) {
        self.send_as(errand, false);
    }

    fn send_as(&mut self, errand: Errand, is_asked: bool) {
        if let Some(library) = &mut self.library {
            let is_learning = matches!(errand, Errand::Learn(_));
            let is_new_board = self.is_new_board;
            self.running.push_back(RunningErrand { is_new_board, is_asked, is_learning });
            library.run(errand);
        }
    }
}

/// What is to be known of an errand while it runs.
#[derive(Clone, Copy)]
struct RunningErrand {
    /// Whether the manager was then known to understand texts and the progress of opening and saving.
    is_new_board: bool,
    /// Whether it answers a command about databases, so that an error may be the answer.
    is_asked: bool,
    /// Whether it writes down what a search has found.
    is_learning: bool,
}

/// A position, with the move that led to it.
struct Reached {
    before: Placement,
    last: Option<Point>,
    placement: Placement,
}

impl<T: Thinker> Session<T> {
    /// Gives the session somebody who runs errands on databases; commands about them have no effect
    /// otherwise.
    pub fn set_library(&mut self, library: Box<dyn Library>) {
        self.desk.library = Some(library);
    }

    /// Opens a database for the game, which goes on without it if it can't be opened.
    pub fn open_database(&mut self, path: PathBuf) {
        self.desk.is_open = true;
        self.desk.send_unasked(Errand::Open(path));
    }

    /// Opens games from the book in a file, as `INFO book` does; an empty path is none.
    pub fn open_book(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        let named = !path.as_os_str().is_empty();
        self.desk.send_unasked(Errand::Book(named.then(|| path.to_owned())));
    }

    /// Takes what the library says; returns what to write.
    pub fn library(&mut self, reply: LibraryReply, now: Instant) -> Vec<Reply> {
        let mut said = self.hear(reply);
        said.extend(self.proceed(now));
        said
    }

    fn hear(&mut self, reply: LibraryReply) -> Vec<Reply> {
        let errand = self.desk.running.front().copied();
        match reply {
            LibraryReply::Line(Reply::DatabaseDialog(_))
                if errand.is_none_or(|errand| !errand.is_new_board) =>
            {
                Vec::new()
            }
            LibraryReply::Line(line) if matches!(self.phase, Phase::Ended) => {
                // Its board waits for the end of saving.
                Some(line)
                    .filter(|line| matches!(line, Reply::DatabaseDialog(_)))
                    .into_iter()
                    .collect()
            }
            LibraryReply::Line(Reply::Error(text))
                if errand.is_none_or(|errand| !errand.is_asked) =>
            {
                vec![Reply::Message(format!("no database: {text}"))]
            }
            // While a move is owed, an error would be taken for the answer.
            LibraryReply::Line(Reply::Error(text)) if self.phase.is_owed() => {
                vec![Reply::Message(text)]
            }
            LibraryReply::Line(line) => vec![line],
            LibraryReply::Lost(reason) => {
                self.desk.database = None;
                self.tell_engine();
                let told = Reply::Message(format!("no database from now on: {reason}"));
                Some(told).filter(|_| !matches!(self.phase, Phase::Ended)).into_iter().collect()
            }
            LibraryReply::Opened(database) => {
                self.desk.database = database;
                self.tell_engine();
                Vec::new()
            }
            LibraryReply::Book(book) => {
                self.thinker.set_book(book);
                Vec::new()
            }
            LibraryReply::Done => {
                self.desk.running.pop_front();
                Vec::new()
            }
        }
    }

    /// Takes `INFO usedatabase`.
    pub(in crate::protocol) fn use_database(&mut self, is_used: bool) {
        self.desk.is_open = is_used;
        self.desk.send_unasked(Errand::Use(is_used));
    }

    /// Takes `INFO database_readonly`.
    pub(in crate::protocol) fn set_database_read_only(&mut self, is_read_only: bool) {
        self.desk.is_read_only = is_read_only;
        self.tell_engine();
        self.desk.send_unasked(Errand::ReadOnly(is_read_only));
    }

    fn tell_engine(&mut self) {
        let is_read_only = self.desk.is_read_only;
        let used = self.desk.database.clone();
        self.thinker.set_database(used.map(|database| UsedDatabase { database, is_read_only }));
    }

    /// Takes the path of a file.
    pub(in crate::protocol) fn database_file(&mut self, action: DatabaseFile, path: &str) {
        let path = path.trim();
        if path.is_empty() {
            return;
        }
        let file = PathBuf::from(path);
        match action {
            DatabaseFile::Open => {
                self.desk.is_open = true;
                self.desk.send(Errand::Open(file));
            }
            DatabaseFile::Merge => self.desk.send(Errand::Merge(file)),
            DatabaseFile::ToTextAll => self.desk.send(Errand::ToText(file, None)),
            DatabaseFile::FromText => self.desk.send(Errand::FromText(file)),
            DatabaseFile::FromLibrary => {
                let rule = self.options.rule();
                self.desk.send(Errand::FromLibrary(file, rule));
            }
            DatabaseFile::ToText
            | DatabaseFile::ToPositions
            | DatabaseFile::ToLibrary
            | DatabaseFile::Split => match self.errand_of_board(action, file) {
                Some(Ok(errand)) => self.desk.send(errand),
                Some(Err(error)) => self.error(&error.to_string()),
                None => {}
            },
        }
    }

    /// Returns the errand about the board; without one the manager has been told.
    fn errand_of_board(
        &mut self,
        action: DatabaseFile,
        file: PathBuf,
    ) -> Option<Result<Errand, PlacementError>> {
        let rule = self.options.rule();
        let game = self.playing()?;
        let group = (rule, game.size());
        Some(match action {
            DatabaseFile::ToText => Ok(Errand::ToText(file, Some(group))),
            DatabaseFile::ToPositions => Ok(Errand::ToPositions(file, group)),
            DatabaseFile::ToLibrary => {
                game.placements(rule).map(|line| Errand::ToLibrary(file, line))
            }
            _ => game.placements(rule).map(|line| Errand::Split(file, line)),
        })
    }

    /// Takes what a search has found.
    pub(in crate::protocol) fn learn(&mut self, finding: Box<Finding>) {
        self.desk.send_unasked(Errand::Learn(finding));
    }

    /// Takes it that a search could not read a database.
    pub(in crate::protocol) fn put_database_away(&mut self, path: PathBuf, reason: String) {
        self.desk.send_unasked(Errand::PutAway(path, reason));
    }

    /// Takes a command about the whole database.
    pub(in crate::protocol) fn database_errand(&mut self, errand: Errand) {
        self.desk.send(errand);
    }

    /// Takes a block about a position.
    pub(in crate::protocol) fn database_block(
        &mut self,
        command: DatabaseBlock,
        block: &PartialBlock,
    ) {
        self.desk.is_new_board |= command.is_of_new_board();
        if !self.desk.is_open || self.desk.library.is_none() {
            return;
        }
        let errand = block.entries().map_err(|flaw| flaw.to_string());
        let errand = errand.and_then(|entries| self.errand_of(command, block, entries));
        match errand {
            Ok(errand) => self.desk.send(errand),
            Err(error) => self.error(&error),
        }
    }

    fn errand_of(
        &mut self,
        command: DatabaseBlock,
        block: &PartialBlock,
        entries: &[BlockEntry],
    ) -> Result<Errand, String> {
        let rule = self.options.rule();
        let game = self.game.as_ref().ok_or("there is no board: START comes first")?;
        let start = Placement::empty(rule, game.size());
        let Reached { before, last, placement } = reach(start, entries)?;
        let last = || last.ok_or_else(|| "there is no last move".to_owned());
        Ok(match command {
            DatabaseBlock::QueryAll
            | DatabaseBlock::QueryAllText
            | DatabaseBlock::QueryOne
            | DatabaseBlock::QueryText => Errand::Query(command, placement),
            DatabaseBlock::EditValue => match *block.numbers() {
                [mask, tag, value, depth] => {
                    Errand::Edit(placement, DatabaseEdit::Value { mask, tag, value, depth })
                }
                _ => return Err(format!("{} needs four numbers", command.word())),
            },
            DatabaseBlock::EditText => {
                Errand::Edit(placement, DatabaseEdit::Text(block.text().to_owned()))
            }
            DatabaseBlock::EditLabel => {
                let mut cursor = Cursor::new(block.text());
                let Some((x, y)) = cursor.pair() else {
                    let label = DatabaseEdit::Label(block.text().trim().to_owned());
                    return Ok(Errand::Edit(placement, label));
                };
                let point = placement.size().point(x, y);
                let point = point.filter(|&point| placement.board().is_empty(point));
                let point = point.ok_or("the cell is occupied or off the board")?;
                let text = cursor.rest().trim().to_owned();
                Errand::Edit(placement, DatabaseEdit::BoardText(point, text))
            }
            DatabaseBlock::DeleteOne => Errand::DeleteOne(placement),
            DatabaseBlock::DeleteAll => {
                Errand::Delete(placement, removal(block.text(), block.numbers())?)
            }
            DatabaseBlock::SetBestMove => {
                Errand::Edit(before, DatabaseEdit::BestMove(last()?, true))
            }
            DatabaseBlock::ClearBestMove => {
                Errand::Edit(before, DatabaseEdit::BestMove(last()?, false))
            }
        })
    }
}

/// Plays the moves of a block, where `-1,-1` is a pass.
fn reach(start: Placement, entries: &[BlockEntry]) -> Result<Reached, String> {
    let mut reached = Reached { before: start.clone(), last: None, placement: start };
    for (number, entry) in (1..).zip(entries) {
        let Reached { before, last, placement } = &mut reached;
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
    Ok(reached)
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
    let filter = filter.map_err(|()| format!("{word} is no filter: nothing was deleted"))?;
    Ok(Removal { filter, goes_on, with_root: false })
}

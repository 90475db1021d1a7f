//! The state machine between a manager's lines and an engine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::board::SessionBoard;
use super::clock::{UsedTime, is_timed};
use super::command::Command;
use super::database::{DatabasePort, DatabaseReply, DatabaseRequest, PortEvent};
use super::detail::{Detail, book_line, mark_line};
use super::dialogue::Dialogue;
use super::engine_port::EnginePort;
use super::game::{NO_BOARD, SessionGame};
use super::info::{Coordinates, Info};
use super::input::{InputLine, Reading};
use super::options::SessionOptions;
use super::reply::{Introduction, Reply};
use super::study::StudyPort;
use super::work::SessionWork;
use crate::engine::{BookAnswer, Event, EventKind, Skill, Thinker, UsedDatabase};
use tengen_core::search::{Mark, Report};

/// The time in which the engine has to answer after it was asked to stop. Then the best move it has
/// reported is printed and its own answer, when it comes, is dropped.
pub const GRACE: Duration = Duration::from_millis(80);

/// The options of a conversation.
#[derive(Clone, Debug, Default)]
pub struct SessionTerms {
    /// The order of the two numbers of a cell, as in `INFO coordinates`, where the traffic does not show it.
    pub coordinates: Option<Coordinates>,
    /// The highest level of play.
    pub skill: Skill,
    /// The database that is open from the beginning; the game goes on without it if it can't be opened.
    pub database: Option<PathBuf>,
    /// The book that games are opened from, as in `INFO book`.
    pub book: Option<PathBuf>,
    /// The answer to `ABOUT`.
    pub introduction: Introduction,
}

/// A conversation with one manager.
///
/// The caller feeds lines and events in the order in which they come, writes what is returned,
/// calls [`Session::tick`] when the [`Session::deadline`] has passed, and ends when the session
/// [is over](Session::is_over).
///
/// Exactly one move line answers each request for a move. Lines that were there when it was asked for are
/// a script and wait for it. A command that comes later and can't be carried out while an answer is owed
/// makes the engine stop; the command and all lines after it wait until the answer is printed.
pub struct Session<T> {
    pub(super) dialogue: Dialogue,
    pub(super) board: SessionBoard,
    pub(super) engine: EnginePort<T>,
    pub(super) database: DatabasePort,
    pub(super) studies: StudyPort,
    pub(super) options: SessionOptions,
    pub(super) introduction: Introduction,
    /// The moment of the call that is carried out.
    pub(super) now: Instant,
    /// The moment from which the engine gets ready, if nothing comes before.
    pub(super) quiet_at: Option<Instant>,
    /// The last job whose search may have known of a database what is not known any more.
    outdated: u64,
}

impl<T: Thinker> Session<T> {
    /// Returns a session of a process that was created at `started`.
    pub fn new(thinker: T, started: Instant) -> Session<T> {
        Session {
            dialogue: Dialogue::default(),
            board: SessionBoard::new(started),
            engine: EnginePort::new(thinker),
            database: DatabasePort::default(),
            studies: StudyPort::default(),
            options: SessionOptions::new(),
            introduction: Introduction::default(),
            now: started,
            quiet_at: None,
            outdated: 0,
        }
    }

    /// Applies options, before the first line.
    pub fn apply(&mut self, terms: SessionTerms) {
        if let Some(coordinates) = terms.coordinates {
            self.options.set(&Info::Coordinates(coordinates));
        }
        self.options.set_skill(terms.skill);
        self.introduction = terms.introduction;
        if let Some(path) = terms.database {
            self.database.open(path);
        }
        if let Some(path) = terms.book {
            self.database.open_book(&path);
        }
    }

    /// Sends requests about databases from now on, to be answered by [`Session::database_reply`] in their
    /// order; commands about databases have no effect otherwise. The call of `sink` has to return at once.
    pub fn connect_database(&mut self, sink: Box<dyn FnMut(DatabaseRequest)>) {
        self.database.connect(sink);
    }

    /// Takes a line of input; returns what to write.
    pub fn line(&mut self, line: InputLine, now: Instant) -> Vec<Reply> {
        if self.dialogue.has_ended() {
            return Vec::new();
        }
        // Behind END nobody listens.
        if let Some(panic) = line.fault.as_ref().filter(|_| line.command != Command::End) {
            self.tell_panic(panic);
        }
        let mut is_obeyed = false;
        // A line that should have been obeyed at once is one of the others at the worst.
        self.safely(|session| is_obeyed = session.obey_at_once(&line, now), |_| {});
        if !is_obeyed {
            self.dialogue.push(line);
        }
        let replies = self.proceed(now);
        self.await_quiet(now);
        replies
    }

    /// Takes an event of the engine; returns what to write.
    pub fn event(&mut self, event: Event, now: Instant) -> Vec<Reply> {
        let done = matches!(event.kind, EventKind::Done(_)).then_some(event.id);
        self.safely(
            |session| session.take_event(event.clone(), now),
            |session| {
                if let Some(id) = done {
                    session.do_without_answer(id);
                }
            },
        );
        let replies = self.proceed(now);
        self.await_quiet(now);
        replies
    }

    fn take_event(&mut self, event: Event, now: Instant) {
        match event.kind {
            EventKind::Report(report) => self.take_report(event.id, report, now),
            EventKind::Mark(mark) => self.take_mark(event.id, mark),
            EventKind::Done(answer) => self.take_answer(event.id, answer, now),
            EventKind::File(result) => self.take_file_result(result),
            EventKind::Book(told) => self.take_book(event.id, told),
            EventKind::Fault(text) => self.message(text),
            // What was corrected meanwhile may be what it follows from.
            EventKind::Finding(..) if event.id <= self.outdated => {}
            EventKind::Finding(path, finding) => self.database.learn(path, finding),
            EventKind::Unreadable(path, reason) => self.database.put_away(path, reason),
        }
    }

    /// Takes a reply of the database; returns what to write.
    pub fn database_reply(&mut self, reply: DatabaseReply, now: Instant) -> Vec<Reply> {
        let mut said = Vec::new();
        let before = self.database.database();
        match self.database.reply(reply, &self.dialogue) {
            PortEvent::Nothing => {}
            PortEvent::Line(line) => said.push(line),
            PortEvent::Database(database) => self.use_database(database),
            PortEvent::Lost(reason) => {
                self.use_database(None);
                if !self.dialogue.has_ended() {
                    said.push(Reply::Message(format!("no database from now on: {reason}")));
                }
            }
            PortEvent::Book(book) => {
                self.stop_pondering();
                self.engine.thinker.set_book(book);
            }
            PortEvent::Corrected => self.forget_known(),
        }
        let is_same = |before| self.database.database().is_some_and(|it| Arc::ptr_eq(&it, before));
        if before.as_ref().is_some_and(|before| !is_same(before)) {
            self.forget_known();
        }
        said.extend(self.proceed(now));
        // The lines that have waited for it may be the first of a game.
        self.await_quiet(now);
        said
    }

    /// Has later searches know nothing that a database has told earlier ones: it may be wrong.
    fn forget_known(&mut self) {
        self.stop_pondering();
        self.engine.forget_later();
        self.outdated = self.engine.last_id();
    }

    /// Tells the user something that nobody has asked for.
    fn message(&mut self, text: String) {
        if !self.dialogue.has_ended() {
            self.dialogue.reply(Reply::Message(text));
        }
    }

    /// Has later searches use a database, or none. The one that ponders has begun with another.
    pub(super) fn use_database(&mut self, database: Option<UsedDatabase>) {
        self.stop_pondering();
        self.engine.thinker.set_database(database);
    }

    /// Notes that there will be no more input; returns what to write. A search with limits goes
    /// on to its end, any other is stopped.
    pub fn end_of_input(&mut self, now: Instant) -> Vec<Reply> {
        self.dialogue.close();
        self.quiet_at = None;
        self.proceed(now)
    }

    /// Returns when [`Session::tick`] has to be called, if nothing else happens before.
    pub fn deadline(&self) -> Option<Instant> {
        self.dialogue.slot().deadline().into_iter().chain(self.quiet_at).min()
    }

    /// Gives the answer that is owed, if its deadline has passed, or has the engine get ready for the next
    /// question; returns what to write.
    pub fn tick(&mut self, now: Instant) -> Vec<Reply> {
        if self.quiet_at.is_some_and(|quiet_at| now >= quiet_at) {
            self.get_ready(now);
        }
        if self.dialogue.slot().deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        self.safely(|session| session.answer_for_engine(now), Session::do_without_engine);
        self.proceed(now)
    }

    /// Returns whether the process has to end: after `END`, or at the end of the input when nothing
    /// is owed, but not before every file is written.
    pub fn is_over(&self) -> bool {
        self.dialogue.is_over() && !self.engine.has_files() && self.database.is_idle()
    }

    /// Carries out the waiting lines up to the first that has to wait for the owed answer; returns
    /// what to write.
    pub(super) fn proceed(&mut self, now: Instant) -> Vec<Reply> {
        self.now = now;
        while let Some(line) = self.next_line() {
            if self.dialogue.is_end(&line) {
                self.end();
                break;
            }
            self.safely(
                |session| session.carry_out(line.clone(), now),
                |session| session.do_without_line(&line),
            );
            self.note_other_game();
        }
        if self.dialogue.script_ends_search() {
            self.stop_thinking(now);
        }
        self.dialogue.take_replies()
    }

    /// Takes the next line, unless it has to wait.
    fn next_line(&mut self) -> Option<InputLine> {
        let line = self.dialogue.first_line()?;
        let waits = self.waits_for_database(&line.command)
            || self.waits_for_table(&line.command)
            || self.dialogue.must_wait(line, self.options.shows_info());
        if waits { None } else { self.dialogue.take_line() }
    }

    /// Obeys a line at once as far as it is meant for the search that runs, even if others wait before
    /// it; returns whether it is done with.
    fn obey_at_once(&mut self, line: &InputLine, now: Instant) -> bool {
        if !self.dialogue.is_for_search(line) {
            return false;
        }
        match &line.command {
            Command::End => {
                self.end();
                true
            }
            Command::Info(info) if info.is_clock() => {
                self.dialogue.drop_earlier(info);
                self.info(info, now);
                true
            }
            command => {
                if self.dialogue.ends_search(command) {
                    self.stop_thinking(now);
                }
                // It is a part of the conversation still: a STOP ends all that was asked before it.
                false
            }
        }
    }

    /// Ends the conversation without another word.
    fn end(&mut self) {
        self.dialogue.stop_study();
        self.engine.thinker.stop();
        self.dialogue.end();
    }

    /// Returns whether a command comes after what the database is asked for. Where a search runs nothing
    /// waits for the database, for the search has a clock; and where moves have one, nothing waits until
    /// a slow disk has what the last search found.
    fn waits_for_database(&self, command: &Command) -> bool {
        let is_free =
            self.database.is_idle() || self.dialogue.is_owed() || command.is_about_database();
        let is_command = self.dialogue.reads_commands();
        is_command && !is_free && (!self.database.only_learns() || !self.has_clock())
    }

    /// Returns whether a command comes after a table that is written or read. No question with a clock does.
    fn waits_for_table(&self, command: &Command) -> bool {
        let told = matches!(
            command,
            Command::End | Command::About | Command::YxShowHashUsage | Command::Unknown(_)
        );
        told && self.dialogue.reads_commands() && self.engine.has_files()
    }

    /// Returns whether moves are ended by the clock alone.
    pub(super) fn has_clock(&self) -> bool {
        is_timed(&self.options.limits(self.now, UsedTime::default(), false))
    }

    /// Reads a line that belongs to the command before it.
    pub(super) fn read_on(&mut self, reading: Reading, line: &InputLine) {
        match reading {
            Reading::Commands => {}
            Reading::DatabasePath(action) => self.database_file(action, &line.text),
            Reading::HashPath(action) => self.hash_file(action, &line.text),
            Reading::Block(mut block) => {
                let text = if line.command == Command::Overlong { "?" } else { &line.text };
                let done = block.feed(text);
                self.block(block, done, line.at);
            }
        }
    }

    fn take_report(&mut self, id: u64, report: Report, now: Instant) {
        let detail = self.detail();
        match self.dialogue.slot_mut().worked_at(id) {
            Some(SessionWork::Pondering(pondering)) => pondering.report = Some(report),
            Some(SessionWork::Owed(question)) => {
                let told = question.reporter.report(report, detail, now);
                self.dialogue.reply_all(told);
            }
            None => {}
        }
    }

    fn take_mark(&mut self, id: u64, mark: Mark) {
        if self.dialogue.slot_mut().question_of(id).is_some() {
            self.dialogue.reply(mark_line(mark));
        }
    }

    fn take_book(&mut self, id: u64, told: Result<BookAnswer, String>) {
        let labels = self.detail().labels;
        let is_asked = self.dialogue.slot_mut().question_of(id).is_some();
        match told {
            Ok(told) if is_asked => self.dialogue.reply(book_line(&told, labels)),
            Ok(_) => {}
            Err(error) => self.message(format!("no book: {error}")),
        }
    }

    /// Returns the lines that the manager wants about a search, and their spelling.
    pub(super) fn detail(&self) -> Detail {
        let labels = self.board.labels(self.options.coordinates());
        Detail { level: self.options.show_detail(), labels }
    }

    /// Returns the game, or replies that there is none if `START` has not been received.
    pub(super) fn playing(&mut self) -> Option<&mut SessionGame> {
        if self.board.game().is_none() {
            self.error(NO_BOARD);
        }
        self.board.game_mut()
    }

    /// Replies with an error, or with a message while a move is owed: an error would be taken for the
    /// answer.
    pub(super) fn error(&mut self, text: &str) {
        let text = text.to_owned();
        self.reply(if self.dialogue.is_owed() { Reply::Message(text) } else { Reply::Error(text) });
    }

    /// Adds a reply, after the remarks about earlier `INFO`s if there are any. None of them is an error: that
    /// would be taken for the answer.
    pub(super) fn reply(&mut self, reply: Reply) {
        while let Some(note) = self.options.take_note() {
            self.dialogue.reply(Reply::Message(note));
        }
        self.dialogue.reply(reply);
    }
}

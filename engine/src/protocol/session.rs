//! The state machine between a manager's lines and an engine.

use std::collections::VecDeque;
use std::mem;
use std::time::{Duration, Instant};

use super::answer::{SpelledAnswer, board_is_full};
use super::block::PartialBlock;
use super::blocked::BlockedMoves;
use super::clock::{MatchClock, is_timed};
use super::command::{BlockKind, Command, Coords};
use super::database::{Desk, Errand};
use super::detail::{Detail, book_line};
use super::game::SessionGame;
use super::info::{Coordinates, Info};
use super::input::{InputLine, Reading};
use super::options::SessionOptions;
use super::phase::Phase;
use super::question::{Inquiry, OwedAnswer};
use super::reply::{Labels, Reply};
use super::reporter::Reporter;
use crate::engine::{Answer, BookAnswer, Event, EventKind, Settings, Skill, Task, Thinker};
use tengen_core::rules::Rule;
use tengen_core::search::{BalanceStones, Mark, Report};
use tengen_core::sys::fault::{self, Place};
use tengen_core::types::Size;

/// The time in which the engine has to answer after it was asked to stop. Then the best move it has
/// reported is printed and its own answer, when it comes, is dropped.
pub const GRACE: Duration = Duration::from_millis(80);

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
    pub(super) thinker: T,
    pub(super) options: SessionOptions,
    pub(super) clock: MatchClock,
    pub(super) game: Option<SessionGame>,
    pub(super) phase: Phase,
    pub(super) reading: Reading,
    /// The lines that wait for the owed answer, and those behind them.
    pub(super) waiting: VecDeque<InputLine>,
    /// The moment of the call that is carried out.
    now: Instant,
    pub(super) last_id: u64,
    /// The settings, the rule and the size that the engine knows of.
    pub(super) sent: Option<(Settings, Rule, Size)>,
    /// Whether the engine forgets earlier games before its next job.
    pub(super) forget: bool,
    /// The moment from which the engine gets ready, if nothing comes before.
    pub(super) quiet_at: Option<Instant>,
    /// The moves that an analyst wants left out.
    pub(super) blocked: BlockedMoves,
    /// The number of files of the table that the engine has not finished with.
    pub(super) files: usize,
    /// What concerns the database.
    pub(super) desk: Desk,
    /// Whether the input has ended.
    pub(super) closed: bool,
    pub(super) replies: Vec<Reply>,
}

impl<T: Thinker> Session<T> {
    /// Returns a session of a process that was created at `started`.
    pub fn new(thinker: T, started: Instant) -> Session<T> {
        Session {
            thinker,
            options: SessionOptions::new(),
            clock: MatchClock::new(started),
            game: None,
            phase: Phase::Idle,
            reading: Reading::Commands,
            waiting: VecDeque::new(),
            now: started,
            last_id: 0,
            sent: None,
            forget: false,
            quiet_at: None,
            blocked: BlockedMoves::default(),
            files: 0,
            desk: Desk::default(),
            closed: false,
            replies: Vec::new(),
        }
    }

    /// Sets the order of the two numbers of a cell, as `INFO coordinates` does.
    pub fn set_coordinates(&mut self, coordinates: Coordinates) {
        self.options.set(&Info::Coordinates(coordinates));
    }

    /// Sets how well the engine plays at most.
    pub fn set_skill(&mut self, skill: Skill) {
        self.options.set_skill(skill);
    }

    /// Takes a line of input; returns what to write.
    pub fn line(&mut self, line: InputLine, now: Instant) -> Vec<Reply> {
        if matches!(self.phase, Phase::Ended) {
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
            self.waiting.push_back(line);
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
            EventKind::Mark(mark) => self.take_mark(event.id, mark, now),
            EventKind::Done(answer) => self.take_answer(event.id, answer, now),
            EventKind::File(result) => self.take_file_result(result),
            EventKind::Book(told) => self.take_book(event.id, told),
            EventKind::Fault(text) => self.replies.push(Reply::Message(text)),
            EventKind::Finding(finding) => self.learn(finding),
            EventKind::Unreadable(path, reason) => self.put_database_away(path, reason),
        }
    }

    /// Notes that there will be no more input; returns what to write. A search with limits goes
    /// on to its end, any other is stopped.
    pub fn end_of_input(&mut self, now: Instant) -> Vec<Reply> {
        self.closed = true;
        self.quiet_at = None;
        self.proceed(now)
    }

    /// Returns when [`Session::tick`] has to be called, if nothing else happens before.
    pub fn deadline(&self) -> Option<Instant> {
        self.phase.deadline().into_iter().chain(self.quiet_at).min()
    }

    /// Gives the answer that is owed, if its deadline has passed, or has the engine get ready for the next
    /// question; returns what to write.
    pub fn tick(&mut self, now: Instant) -> Vec<Reply> {
        if self.quiet_at.is_some_and(|quiet_at| now >= quiet_at) {
            self.get_ready(now);
        }
        if self.phase.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        self.safely(|session| session.answer_for_engine(now), Session::do_without_engine);
        self.proceed(now)
    }

    fn answer_for_engine(&mut self, now: Instant) {
        match mem::take(&mut self.phase) {
            // A busy machine may let a session run that sleeps, and not a search that has run all the time.
            Phase::Thinking(question) if !question.reporter.knows_a_move() => {
                self.thinker.stop();
                self.phase = Phase::Stopping { question, deadline: now + GRACE };
            }
            Phase::Thinking(question) => {
                self.thinker.stop();
                self.phase = Phase::Draining { late: question.job.id };
                self.give_answer(*question, None, now);
            }
            Phase::Stopping { question, .. } => {
                self.phase = Phase::Draining { late: question.job.id };
                self.give_answer(*question, None, now);
            }
            Phase::Queued { question, late, .. } => {
                self.phase = Phase::Draining { late };
                self.give_answer(*question, None, now);
            }
            other => self.phase = other,
        }
    }

    /// Returns whether the process has to end: after `END`, or at the end of the input when nothing
    /// is owed, but not before every file is written.
    pub fn is_over(&self) -> bool {
        let done = match self.phase {
            Phase::Ended => true,
            _ => self.closed && !self.phase.is_owed(),
        };
        done && self.files == 0 && self.desk.is_idle() && self.waiting.is_empty()
    }

    /// Carries out the waiting lines up to the first that has to wait for the owed answer; returns
    /// what to write.
    pub(super) fn proceed(&mut self, now: Instant) -> Vec<Reply> {
        self.now = now;
        while let Some(line) = self.waiting.pop_front() {
            if self.waits_for_library(&line.command) || self.must_wait(&line) {
                self.waiting.push_front(line);
                break;
            }
            if line.command == Command::End && !self.reading.is_text() {
                self.end();
                break;
            }
            self.safely(
                |session| session.obey(line.clone(), now),
                |session| session.do_without_line(&line),
            );
        }
        if self.script_ends_search() {
            self.stop_thinking(now);
        }
        mem::take(&mut self.replies)
    }

    fn obey(&mut self, line: InputLine, now: Instant) {
        match mem::take(&mut self.reading) {
            Reading::Commands => self.carry_out(line.command, line.at, now),
            reading => self.read_on(reading, line, now),
        }
        self.note_other_game();
    }

    /// Returns whether a command comes after what the library is asked for. Where a search runs nothing
    /// waits for the library, for the search has a clock; and where moves have one, nothing waits until
    /// a slow disk has what the last search found.
    fn waits_for_library(&self, command: &Command) -> bool {
        let has_clock = || is_timed(&self.options.limits(self.now, Duration::ZERO, false));
        let is_free = self.desk.is_idle() || self.phase.is_owed() || command.is_about_database();
        let is_command = matches!(self.reading, Reading::Commands);
        is_command && !is_free && (!self.desk.only_learns() || !has_clock())
    }

    /// Reads a line that belongs to the command before it.
    fn read_on(&mut self, reading: Reading, line: InputLine, now: Instant) {
        match reading {
            Reading::Commands => {}
            Reading::DatabasePath(action) => self.database_file(action, &line.text),
            Reading::HashPath(action) => self.hash_file(action, &line.text),
            Reading::Block(block) if line.command.interrupts_blocks() && !block.is_quoted() => {
                self.carry_out(line.command, line.at, now);
                self.reading = Reading::Block(block);
            }
            Reading::Block(mut block) => {
                let text = if line.command == Command::Overlong { "?" } else { &line.text };
                let done = block.feed(text);
                self.block(block, done, line.at);
            }
        }
    }

    /// Carries out a command that was received at `at`.
    fn carry_out(&mut self, command: Command, at: Instant, now: Instant) {
        fault::pass(Place::Session);
        if command.is_dialect() {
            self.options.note_dialect();
        }
        if command.ends_pondering() {
            self.stop_pondering();
        }
        match command {
            // END was obeyed before.
            Command::Blank | Command::End | Command::Accepted(_) => {}
            Command::Start { first, second: None } => self.start(first, first),
            // The dialect sends the width first but moves as row and column.
            Command::Start { first, second: Some(second) } => self.start(second, first),
            Command::RectStart(Coords { x, y }) => self.start(x, y),
            Command::Restart => self.restart(),
            Command::Begin => self.begin(at),
            Command::Turn(cell) => self.turn(cell, at),
            Command::Play(cell) => self.play(cell),
            Command::TakeBack(cell) => self.take_back(cell),
            Command::Block { kind, rest } => {
                let mut block = PartialBlock::new(kind);
                let done = block.feed_header(&rest);
                self.block(block, done, at);
            }
            Command::Info(info) => self.info(&info, now),
            Command::Stop | Command::YxStop => self.stop_thinking(now),
            Command::About => self.reply(Reply::About),
            Command::YxShowForbid => self.show_forbidden(),
            Command::YxShowInfo => self.show_info(),
            Command::YxHashClear if self.phase.is_owed() => self.forget = true,
            Command::YxHashClear => {
                self.forget = false;
                self.thinker.new_game();
            }
            Command::YxNBest(lines) => self.analyse(self.options.task(), lines, at),
            Command::YxBalanceOne(bias) => self.balance(BalanceStones::One, bias, at),
            Command::YxBalanceTwo(bias) => self.balance(BalanceStones::Two, bias, at),
            Command::YxSearchDefend => self.analyse(Task::Defend, 1, at),
            Command::YxBlockReset => self.blocked.clear_points(),
            Command::YxBlockPathReset => self.blocked.clear_paths(),
            Command::YxShowHashUsage => self.show_hash_usage(),
            Command::HashFile { action, path: None } => self.reading = Reading::HashPath(action),
            Command::HashFile { action, path: Some(path) } => self.hash_file(action, &path),
            Command::YxSwap2Step(step) => self.swap2_step(step, at),
            Command::YxSoosorvStep1 => self.soosorv_step(1, None, &[], at),
            Command::DatabaseFile { action, path: None } => {
                self.reading = Reading::DatabasePath(action);
            }
            Command::DatabaseFile { action, path: Some(path) } => self.database_file(action, &path),
            Command::YxSaveDatabase => self.database_errand(Errand::Save),
            Command::YxDbCheck => self.database_errand(Errand::Check),
            Command::YxDbFix => self.database_errand(Errand::Propagate),
            Command::Malformed(word) => self.error(&format!("{word} needs other arguments")),
            Command::Overlong => self.error("the line is too long"),
            Command::Unknown(word) => self.reply(Reply::Unknown(word)),
        }
    }

    fn start(&mut self, width: i64, height: i64) {
        match Size::new(width, height) {
            Ok(size) => {
                self.game = Some(SessionGame::new(size));
                self.clock.restart();
                self.reply(Reply::Ok);
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn restart(&mut self) {
        let Some(game) = self.playing() else { return };
        *game = SessionGame::new(game.size());
        self.clock.restart();
        self.forget = true;
        self.reply(Reply::Ok);
    }

    fn begin(&mut self, at: Instant) {
        let Some(game) = self.playing() else { return };
        if game.stones() == 0 {
            let game = game.clone();
            self.ask(game, Inquiry::play(self.options.task()), at);
        } else {
            self.error("BEGIN needs an empty board");
        }
    }

    fn turn(&mut self, cell: Coords, at: Instant) {
        let Some(game) = self.playing() else { return };
        match game.empty_point(cell.x, cell.y) {
            Ok(point) => {
                game.play(point);
                let game = game.clone();
                self.ask(game, Inquiry::play(self.options.task()), at);
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn play(&mut self, cell: Coords) {
        let Some(game) = self.playing() else { return };
        match game.empty_point(cell.x, cell.y) {
            Ok(point) => {
                game.play(point);
                self.reply(Reply::Move(point));
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn take_back(&mut self, cell: Coords) {
        let Some(game) = self.playing() else { return };
        match game.take_back(cell.x, cell.y) {
            Ok(()) => self.reply(Reply::Ok),
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Goes on reading a block, or carries it out if it is done.
    fn block(&mut self, block: PartialBlock, done: bool, at: Instant) {
        if !done {
            self.reading = Reading::Block(block);
            return;
        }
        if let BlockKind::Database(command) = block.kind() {
            self.database_block(command, &block);
            return;
        }
        if !block.kind().is_position() {
            self.block_moves(&block, at);
            return;
        }
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        let game = block.entries().map_err(|flaw| flaw.to_string()).and_then(|entries| {
            let game = match block.kind() {
                BlockKind::Swap2Board => SessionGame::from_swap2(size, entries),
                _ => SessionGame::from_board(size, entries),
            };
            game.map_err(|error| error.to_string())
        });
        match (game, block.kind()) {
            (Err(error), _) => self.error(&error),
            (Ok(game), BlockKind::Swap2Board) => self.ask(game, Inquiry::play(Task::Swap2), at),
            (Ok(game), BlockKind::YxBoard) => self.game = Some(game),
            (Ok(game), _) => {
                self.game = Some(game.clone());
                self.ask(game, Inquiry::play(self.options.task()), at);
            }
        }
    }

    pub(super) fn info(&mut self, info: &Info, now: Instant) {
        self.options.set(info);
        match *info {
            Info::Book(ref path) => self.open_book(path),
            Info::UseDatabase(value) => self.use_database(value != 0),
            Info::DatabaseReadonly(value) => self.set_database_read_only(value != 0),
            _ => {}
        }
        if !info.is_clock() {
            return;
        }
        if let Some(question) = self.phase.question_mut() {
            let &mut OwedAnswer { used, analysis, .. } = question;
            let job = &mut question.job;
            job.limits = self.options.with_clock(job.limits, used, analysis);
            job.analysis = analysis && self.options.analyses();
        }
        if let Phase::Thinking(question) | Phase::Stopping { question, .. } = &self.phase {
            self.thinker.set_limits(question.job.limits);
        }
        if *info == Info::TimeoutTurn(0) {
            self.stop_thinking(now);
        }
    }

    /// Asks the engine about a position, or goes on with the search for it that was begun on the
    /// opponent's time.
    pub(super) fn ask(&mut self, game: SessionGame, inquiry: Inquiry, at: Instant) {
        if game.is_full() {
            self.reply(board_is_full());
            return;
        }
        fault::pass(Place::Session);
        let (job, used) = self.job(&game, inquiry, at);
        let Inquiry { analysis, style, .. } = inquiry;
        let reporter = Reporter::new();
        let asked = self.now;
        let question = OwedAnswer { job, asked, game, analysis, style, used, reporter };
        let question = Box::new(question);
        match mem::take(&mut self.phase) {
            Phase::Idle => self.start_search(question, None),
            Phase::Draining { late } => {
                self.phase = Phase::Queued { question, late, deadline: None };
            }
            Phase::Pondering(pondering) => self.end_pondering(*pondering, question),
            // An answer is owed, so the command would have waited.
            other => self.phase = other,
        }
    }

    /// Gives a job to the engine, which is free, and asks at once for its answer if there is a
    /// deadline for it.
    pub(super) fn start_search(&mut self, question: Box<OwedAnswer>, deadline: Option<Instant>) {
        self.send_settings(question.job.setup.rule, question.job.setup.size);
        self.thinker.think(question.job.clone());
        self.phase = match deadline {
            None => Phase::Thinking(question),
            Some(deadline) => {
                self.thinker.stop();
                Phase::Stopping { question, deadline }
            }
        };
    }

    /// Returns a number for a job or a file, unlike any earlier one.
    pub(super) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Sends the engine what has changed since the last time.
    pub(super) fn send_settings(&mut self, rule: Rule, size: Size) {
        let settings = self.options.settings();
        let sent = self.sent.replace((settings, rule, size));
        if sent.is_none_or(|sent| sent.0 != settings) {
            self.thinker.set_settings(settings);
        }
        let other_game = sent.is_some_and(|sent| (sent.1, sent.2) != (rule, size));
        if mem::take(&mut self.forget) || other_game {
            self.thinker.new_game();
        }
    }

    /// Returns whether the engine knows all settings, and what it has learnt is still of use.
    pub(super) fn is_up_to_date(&self) -> bool {
        self.sent.is_some_and(|sent| sent.0 == self.options.settings()) && !self.forget
    }

    /// Asks for the answer that is owed, if there is one.
    pub(super) fn stop_thinking(&mut self, now: Instant) {
        self.phase = match mem::take(&mut self.phase) {
            Phase::Thinking(question) => {
                self.thinker.stop();
                Phase::Stopping { question, deadline: now + GRACE }
            }
            Phase::Queued { question, late, deadline: None } => {
                Phase::Queued { question, late, deadline: Some(now + GRACE) }
            }
            other => other,
        };
    }

    fn take_report(&mut self, id: u64, report: Report, now: Instant) {
        let detail = self.detail();
        match &mut self.phase {
            Phase::Pondering(pondering) if pondering.job.id == id => {
                pondering.report = Some(report);
            }
            Phase::Thinking(question) | Phase::Stopping { question, .. }
                if question.job.id == id =>
            {
                self.replies.extend(question.reporter.report(report, detail, now));
            }
            _ => {}
        }
    }

    fn take_mark(&mut self, id: u64, mark: Mark, now: Instant) {
        if let Phase::Thinking(question) | Phase::Stopping { question, .. } = &mut self.phase
            && question.job.id == id
        {
            self.replies.extend(question.reporter.mark(mark, now));
        }
    }

    fn take_book(&mut self, id: u64, told: Result<BookAnswer, String>) {
        let labels = self.detail().labels;
        match (told, &self.phase) {
            (Ok(told), Phase::Thinking(question) | Phase::Stopping { question, .. })
                if question.job.id == id =>
            {
                self.replies.push(book_line(&told, labels));
            }
            (Ok(_), _) => {}
            (Err(error), _) => self.replies.push(Reply::Message(format!("no book: {error}"))),
        }
    }

    fn take_answer(&mut self, id: u64, answer: Answer, now: Instant) {
        match mem::take(&mut self.phase) {
            Phase::Thinking(question) | Phase::Stopping { question, .. }
                if question.job.id == id =>
            {
                self.give_answer(*question, Some(answer), now);
            }
            Phase::Pondering(pondering) if pondering.job.id == id => {}
            Phase::Draining { late } if late == id => {}
            Phase::Queued { question, late, deadline } if late == id => {
                self.start_search(question, deadline);
            }
            other => self.phase = other,
        }
    }

    /// Prints the owed answer and makes the move on the board.
    fn give_answer(&mut self, mut question: OwedAnswer, answer: Option<Answer>, now: Instant) {
        fault::pass(Place::Session);
        let detail = self.detail();
        self.replies.extend(question.reporter.flush(detail));
        let SpelledAnswer { replies, played } = question.spell(answer);
        if let Some(game) = self.game.as_mut() {
            played.iter().for_each(|&point| game.play(point));
        }
        self.clock.charge(now.saturating_duration_since(question.job.limits.start));
        self.go_on_with_script(&question, now);
        replies.into_iter().for_each(|reply| self.reply(reply));
        self.start_pondering(&question, &played, now);
    }

    /// Returns the lines that the manager wants about a search, and their spelling.
    fn detail(&self) -> Detail {
        let size = self.game.as_ref().map_or(Size::DEFAULT, SessionGame::size);
        let labels = Labels { coordinates: self.options.coordinates(), size };
        Detail { level: self.options.show_detail(), labels }
    }

    /// Returns the game, or replies that there is none if `START` has not been received.
    pub(super) fn playing(&mut self) -> Option<&mut SessionGame> {
        if self.game.is_none() {
            self.error("there is no board: START comes first");
        }
        self.game.as_mut()
    }

    /// Replies with an error, or with a message while a move is owed: an error would be taken for the
    /// answer.
    pub(super) fn error(&mut self, text: &str) {
        let text = text.to_owned();
        self.reply(if self.phase.is_owed() { Reply::Message(text) } else { Reply::Error(text) });
    }

    /// Adds a reply, after the remarks about earlier `INFO`s if there are any. None of them is an error: that
    /// would be taken for the answer.
    pub(super) fn reply(&mut self, reply: Reply) {
        while let Some(note) = self.options.take_note() {
            self.replies.push(Reply::Message(note));
        }
        self.replies.push(reply);
    }
}

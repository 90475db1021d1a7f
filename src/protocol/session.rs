//! The state machine between what a manager says and an engine.

use std::collections::VecDeque;
use std::mem;
use std::time::{Duration, Instant};

use super::block::Block;
use super::blocked::Blocked;
use super::clock::{MatchClock, is_finite};
use super::command::{BlockKind, Command, Coords};
use super::detail::Detail;
use super::game::Game;
use super::info::{Coordinates, Info};
use super::options::Options;
use super::pondering::Pondering;
use super::reply::{Labels, Reply};
use super::thinking::{Outcome, Style, Thinking, board_is_full};
use crate::engine::{Answer, Event, EventKind, FileAction, Job, Settings, Task, Thinker};
use crate::rules::Rule;
use crate::search::BalanceStones;
use crate::types::Size;

/// How long the engine may take to answer after it was asked to stop. Then the best move it has
/// reported is printed and its own answer, when it comes, is dropped.
pub const GRACE: Duration = Duration::from_millis(80);

/// One line of input and when it arrived.
#[derive(Clone, Debug)]
pub struct Line {
    /// The bytes, with or without the line end.
    pub bytes: Vec<u8>,
    /// When the line was complete.
    pub at: Instant,
}

/// What the next line belongs to.
pub(super) enum Reading {
    Commands,
    Block(Block),
    /// A path, after a word without effect.
    Path(&'static str),
    /// The path of a file for the transposition table.
    HashPath(FileAction),
}

impl Reading {
    /// Returns whether the next line is the inside of a quoted text, whatever it says.
    fn is_text(&self) -> bool {
        matches!(self, Reading::Block(block) if block.is_quoted())
    }
}

/// A conversation with one manager.
///
/// The caller feeds lines and events in the order in which they come, writes what is returned,
/// calls [`Session::tick`] when the [`Session::deadline`] has passed, and ends when the session
/// [is over](Session::is_over).
///
/// Exactly one move line answers each request for a move. A command that can't be carried out
/// while the engine thinks makes it stop; the command and all lines after it wait until the
/// owed move is printed.
pub struct Session<T> {
    pub(super) thinker: T,
    pub(super) options: Options,
    clock: MatchClock,
    pub(super) game: Option<Game>,
    pub(super) reading: Reading,
    pub(super) waiting: VecDeque<Line>,
    pub(super) thinking: Option<Thinking>,
    pub(super) pondering: Option<Pondering>,
    /// A job that the engine still works at although its answer has been given.
    pub(super) late: Option<u64>,
    pub(super) last_id: u64,
    /// What the engine was last told.
    pub(super) told: Option<(Settings, Rule, Size)>,
    pub(super) forget: bool,
    /// The moves that an analyst wants left out.
    pub(super) blocked: Blocked,
    /// The files of the table that the engine still works at.
    pub(super) files: usize,
    pub(super) closing: bool,
    /// Whether `END` was heard.
    ending: bool,
    over: bool,
    replies: Vec<Reply>,
}

impl<T: Thinker> Session<T> {
    /// Returns a session of a process that was created at `started`.
    pub fn new(thinker: T, started: Instant) -> Session<T> {
        Session {
            thinker,
            options: Options::new(),
            clock: MatchClock::new(started),
            game: None,
            reading: Reading::Commands,
            waiting: VecDeque::new(),
            thinking: None,
            pondering: None,
            late: None,
            last_id: 0,
            told: None,
            forget: false,
            blocked: Blocked::default(),
            files: 0,
            closing: false,
            ending: false,
            over: false,
            replies: Vec::new(),
        }
    }

    /// Says what the two numbers of a cell are, as `INFO coordinates` does.
    pub fn set_coordinates(&mut self, coordinates: Coordinates) {
        self.options.set(&Info::Coordinates(coordinates));
    }

    /// Takes a line of input; returns what to write.
    pub fn line(&mut self, line: Line, now: Instant) -> Vec<Reply> {
        if self.over || self.ending {
            return Vec::new();
        }
        let text = self.waiting.is_empty() && self.reading.is_text();
        if Command::parse(&line.bytes) == Command::End && !text {
            self.thinker.stop();
            // A file is written to its end; nothing is said of it.
            self.ending = true;
            self.over = self.files == 0;
            return Vec::new();
        }
        self.waiting.push_back(line);
        self.proceed(now)
    }

    /// Takes an event of the engine; returns what to write.
    pub fn event(&mut self, event: Event, now: Instant) -> Vec<Reply> {
        if self.over {
            return Vec::new();
        }
        if let EventKind::File(told) = event.kind {
            return self.file_is_done(told, now);
        }
        if self.ending {
            return Vec::new();
        }
        if self.late == Some(event.id) {
            if matches!(event.kind, EventKind::Done(_)) {
                self.late = None;
                self.start_held_job();
            }
            return Vec::new();
        }
        if let Some(pondering) = self.pondering.as_mut().filter(|p| p.id == event.id) {
            pondering.take(event.kind);
            return Vec::new();
        }
        let detail = self.detail();
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.id == event.id)
        else {
            return Vec::new();
        };
        match event.kind {
            EventKind::Report(report) => {
                let lines = thinking.report(report, detail, now);
                self.replies.extend(lines);
                mem::take(&mut self.replies)
            }
            EventKind::Mark(mark) => {
                let line = thinking.mark(mark, now);
                self.replies.extend(line);
                mem::take(&mut self.replies)
            }
            EventKind::Done(answer) => {
                self.conclude(Some(answer), now);
                self.proceed(now)
            }
            EventKind::File(_) => Vec::new(),
        }
    }

    /// Notes that there will be no more input; returns what to write. A search with limits goes
    /// on to its end, any other is stopped.
    pub fn end_of_input(&mut self, now: Instant) -> Vec<Reply> {
        self.closing = true;
        if self.ending { Vec::new() } else { self.proceed(now) }
    }

    /// Returns when [`Session::tick`] has to be called, if nothing else happens before.
    pub fn deadline(&self) -> Option<Instant> {
        let thinking = self.thinking.as_ref().filter(|_| !self.ending);
        thinking.and_then(|thinking| thinking.deadline)
    }

    /// Gives the answer that the engine owes, if the deadline has passed; returns what to write.
    pub fn tick(&mut self, now: Instant) -> Vec<Reply> {
        if self.over || self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        if let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.held.is_none()) {
            self.late = Some(thinking.id);
        }
        self.conclude(None, now);
        self.proceed(now)
    }

    /// Returns whether `END` was heard.
    pub(super) fn is_ending(&self) -> bool {
        self.ending
    }

    /// Ends the session if nothing is left to be done after `END`.
    pub(super) fn end_if_idle(&mut self) {
        self.over = self.files == 0;
    }

    /// Returns whether the process has to end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Carries out the waiting lines up to the first that has to wait on.
    pub(super) fn proceed(&mut self, now: Instant) -> Vec<Reply> {
        while let Some(line) = self.waiting.pop_front() {
            if self.must_wait(&line) {
                self.waiting.push_front(line);
                if !self.may_finish() {
                    self.stop_thinking(now);
                }
                break;
            }
            self.execute(&line, now);
        }
        if self.closing {
            match &self.thinking {
                None => self.over = self.files == 0,
                Some(thinking) if !is_finite(&thinking.limits) => self.stop_thinking(now),
                Some(_) => {}
            }
        }
        mem::take(&mut self.replies)
    }

    /// Returns whether the search may go on to its end although commands wait: a Yixin Board sends a
    /// new position right behind a step of an opening and does not want it cut off.
    fn may_finish(&self) -> bool {
        let harmless = |line: &Line| {
            let command = Command::parse(&line.bytes);
            matches!(command, Command::Start { .. })
                || matches!(command, Command::Block { kind: BlockKind::YxBoard, .. })
                || !command.ends_thinking() && !matches!(command, Command::Stop | Command::YxStop)
        };
        self.thinking
            .as_ref()
            .is_some_and(|thinking| thinking.style != Style::Plain && is_finite(&thinking.limits))
            && self.waiting.iter().all(harmless)
    }

    fn must_wait(&self, line: &Line) -> bool {
        self.thinking.is_some()
            && matches!(self.reading, Reading::Commands)
            && Command::parse(&line.bytes).ends_thinking()
    }

    /// Gives a line to whatever is being read.
    fn execute(&mut self, line: &Line, now: Instant) {
        let command = Command::parse(&line.bytes);
        match mem::replace(&mut self.reading, Reading::Commands) {
            Reading::Commands => {}
            Reading::Path(word) => {
                self.say(not_supported(word));
                return;
            }
            Reading::HashPath(action) => {
                let path = String::from_utf8_lossy(&line.bytes).into_owned();
                self.hash_file(action, &path);
                return;
            }
            Reading::Block(block) if command.interrupts_blocks() && !block.is_quoted() => {
                self.command(command, line.at, now);
                self.reading = Reading::Block(block);
                return;
            }
            Reading::Block(mut block) => {
                if command == Command::Overlong {
                    block.feed("?");
                    self.reading = Reading::Block(block);
                } else {
                    let done = block.feed(&String::from_utf8_lossy(&line.bytes));
                    self.block(block, done, line.at);
                }
                return;
            }
        }
        self.command(command, line.at, now);
    }

    fn command(&mut self, command: Command, at: Instant, now: Instant) {
        if command.is_dialect() {
            self.options.hear_dialect();
        }
        self.ponder_on(&command);
        // A block is told of problems when it is complete.
        if command.ends_thinking()
            && !matches!(command, Command::Block { .. })
            && let Some(error) = self.options.take_error()
        {
            self.error(&error);
            return;
        }
        match command {
            // END was seen when its line arrived.
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
                let mut block = Block::new(kind);
                let done = block.feed_header(&rest);
                self.block(block, done, at);
            }
            Command::Info(info) => self.info(&info, now),
            Command::Stop | Command::YxStop => self.stop_thinking(now),
            Command::About => self.say(Reply::About),
            Command::YxShowForbid => self.show_forbidden(),
            Command::YxShowInfo => self.show_info(),
            Command::YxHashClear if self.thinking.is_some() => self.forget = true,
            Command::YxHashClear => {
                self.forget = false;
                self.thinker.new_game();
            }
            Command::YxNBest(lines) => self.analyse(lines, at),
            Command::YxBalanceOne(bias) => self.balance(BalanceStones::One, bias, at),
            Command::YxBalanceTwo(bias) => self.balance(BalanceStones::Two, bias, at),
            Command::YxSearchDefend => self.think_here(Task::Defend, 1, at, true),
            Command::YxBlockReset => self.blocked.clear_points(),
            Command::YxBlockPathReset => self.blocked.clear_paths(),
            Command::YxShowHashUsage => self.show_hash_usage(),
            Command::HashFile { action, path: None } => self.reading = Reading::HashPath(action),
            Command::HashFile { action, path: Some(path) } => self.hash_file(action, &path),
            Command::YxSwap2Step(step) => self.swap2_step(step, at),
            Command::YxSoosorvStep1 => self.soosorv_step(1, None, &[], at),
            Command::File { word, path_follows: true } => self.reading = Reading::Path(word),
            Command::File { word, path_follows: false } => self.say(not_supported(word)),
            Command::Malformed(word) => self.error(&format!("{word} needs other arguments")),
            Command::Overlong => self.error("the line is too long"),
            Command::Unknown(word) => self.say(Reply::Unknown(word)),
        }
    }

    fn start(&mut self, width: i64, height: i64) {
        match Size::new(width, height) {
            Ok(size) => {
                self.game = Some(Game::new(size));
                self.clock.restart();
                self.say(Reply::Ok);
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn restart(&mut self) {
        let Some(game) = self.playing() else { return };
        *game = Game::new(game.size());
        self.clock.restart();
        self.forget = true;
        self.say(Reply::Ok);
    }

    fn begin(&mut self, at: Instant) {
        let Some(game) = self.playing() else { return };
        if game.stones() == 0 {
            self.think_for_move(at);
        } else {
            self.error("BEGIN needs an empty board");
        }
    }

    fn turn(&mut self, cell: Coords, at: Instant) {
        let Some(game) = self.playing() else { return };
        match game.empty_point(cell.x, cell.y) {
            Ok(point) => {
                game.play(point);
                self.think_for_move(at);
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn play(&mut self, cell: Coords) {
        let Some(game) = self.playing() else { return };
        match game.empty_point(cell.x, cell.y) {
            Ok(point) => {
                game.play(point);
                self.say(Reply::Move(point));
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn take_back(&mut self, cell: Coords) {
        let Some(game) = self.playing() else { return };
        match game.take_back(cell.x, cell.y) {
            Ok(()) => self.say(Reply::Ok),
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Goes on reading a block, or carries it out if it is done.
    fn block(&mut self, block: Block, done: bool, at: Instant) {
        if !done {
            self.reading = Reading::Block(block);
            return;
        }
        if !block.kind().is_position() {
            self.block_moves(&block, at);
            return;
        }
        // A position without a request for a move is never answered, so it leaves the telling of
        // problems to the next command.
        if block.kind() != BlockKind::YxBoard
            && let Some(error) = self.options.take_error()
        {
            self.error(&error);
            return;
        }
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        let game = block.entries().map_err(|flaw| flaw.to_string()).and_then(|entries| {
            let game = match block.kind() {
                BlockKind::Swap2Board => Game::from_swap2(size, entries),
                _ => Game::from_board(size, entries),
            };
            game.map_err(|error| error.to_string())
        });
        match (game, block.kind()) {
            (Err(error), _) => self.error(&error),
            (Ok(game), BlockKind::Swap2Board) => {
                self.think(game, Task::Swap2, 1, at, false);
            }
            (Ok(game), BlockKind::YxBoard) => self.game = Some(game),
            (Ok(game), _) => {
                self.game = Some(game);
                self.think_for_move(at);
            }
        }
    }

    fn info(&mut self, info: &Info, now: Instant) {
        self.options.set(info);
        let Some(thinking) = self.thinking.as_mut().filter(|_| info.is_clock()) else { return };
        let asked = thinking.limits.start;
        let fresh = self.options.limits(asked, thinking.used, thinking.analysis);
        thinking.limits.clock = fresh.clock;
        thinking.limits.infinite = fresh.infinite;
        match &mut thinking.held {
            Some(job) => job.limits = thinking.limits,
            None => self.thinker.set_limits(thinking.limits),
        }
        if *info == Info::TimeoutTurn(0) {
            self.stop_thinking(now);
        }
    }

    /// Starts the search for a move in the position on the board.
    fn think_for_move(&mut self, at: Instant) {
        self.think_here(self.options.task(), 1, at, false);
    }

    /// Starts a search in the position on the board.
    pub(super) fn think_here(&mut self, task: Task, lines: usize, at: Instant, analysis: bool) {
        let Some(game) = self.playing() else { return };
        if game.is_full() {
            self.say(board_is_full());
        } else {
            let game = game.clone();
            self.think(game, task, lines, at, analysis);
        }
    }

    /// Starts a search, or goes on with the one that was begun on the opponent's time.
    pub(super) fn think(
        &mut self,
        game: Game,
        task: Task,
        lines: usize,
        at: Instant,
        analysis: bool,
    ) {
        let used = self.clock.used_before(at);
        let mut scope = self.options.scope(lines);
        self.blocked.apply(&mut scope);
        let job = Job {
            id: self.last_id + 1,
            setup: game.setup(self.options.rule()),
            task,
            limits: self.options.limits(at, used, analysis),
            scope,
        };
        let Some(job) = self.go_on_pondering(job, &game, used) else { return };
        self.last_id = job.id;
        self.thinking = Some(Thinking::new(job, game, used, analysis));
        self.start_held_job();
    }

    /// Gives the job to the engine unless it is still busy.
    fn start_held_job(&mut self) {
        let Some(thinking) = self.thinking.as_mut().filter(|_| self.late.is_none()) else { return };
        let Some(job) = thinking.held.take() else { return };
        let stopped = thinking.deadline.is_some();
        self.tell_settings(job.setup.rule, job.setup.size);
        self.thinker.think(job);
        if stopped {
            self.thinker.stop();
        }
    }

    /// Tells the engine what has changed since it was last told.
    pub(super) fn tell_settings(&mut self, rule: Rule, size: Size) {
        let settings = self.options.settings();
        let told = self.told.replace((settings, rule, size));
        if told.is_none_or(|told| told.0 != settings) {
            self.thinker.set_settings(settings);
        }
        let other_game = told.is_some_and(|told| (told.1, told.2) != (rule, size));
        if mem::take(&mut self.forget) || other_game {
            self.thinker.new_game();
        }
    }

    pub(super) fn stop_thinking(&mut self, now: Instant) {
        let Some(thinking) = self.thinking.as_mut() else { return };
        if thinking.deadline.is_none() {
            thinking.deadline = Some(now + GRACE);
            if thinking.held.is_none() {
                self.thinker.stop();
            }
        }
    }

    /// Prints the owed answer and makes the move on the board.
    fn conclude(&mut self, answer: Option<Answer>, now: Instant) {
        let Some(mut thinking) = self.thinking.take() else { return };
        if !thinking.ticket.claim() {
            return;
        }
        let detail = self.detail();
        self.replies.extend(thinking.last_report(detail));
        let Outcome { replies, played } = thinking.outcome(answer);
        if let Some(game) = self.game.as_mut() {
            played.iter().for_each(|&point| game.play(point));
        }
        self.clock.charge(now.saturating_duration_since(thinking.limits.start));
        replies.into_iter().for_each(|reply| self.say(reply));
        self.start_pondering(&thinking, &played, now);
    }

    /// Returns what the manager wants to be told.
    pub(super) fn detail(&self) -> Detail {
        let size = self.game.as_ref().map_or(Size::DEFAULT, Game::size);
        let labels = Labels { coordinates: self.options.coordinates(), size };
        Detail { level: self.options.show_detail(), labels }
    }

    /// Returns the game; says that there is none if `START` has not been heard.
    pub(super) fn playing(&mut self) -> Option<&mut Game> {
        if self.game.is_none() {
            self.error("there is no board: START comes first");
        }
        self.game.as_mut()
    }

    pub(super) fn error(&mut self, text: &str) {
        self.say(Reply::Error(text.to_owned()));
    }

    pub(super) fn say(&mut self, reply: Reply) {
        if let Some(note) = self.options.take_note() {
            self.replies.push(Reply::Message(note));
        }
        self.replies.push(reply);
    }
}

fn not_supported(word: &str) -> Reply {
    Reply::Message(format!("{word} is not supported"))
}

//! The commands of managers, carried out.

use std::time::Instant;

use super::block::PartialBlock;
use super::command::{BlockKind, Command, Coords};
use super::database::{DatabaseFile, DatabaseRequest};
use super::game::SessionGame;
use super::info::Info;
use super::input::{InputLine, Reading, path_of};
use super::question::{Inquiry, OwedAnswer};
use super::reply::Reply;
use super::session::Session;
use crate::engine::{Task, Thinker};
use tengen_core::search::BalanceStones;
use tengen_core::sys::fault::{self, Place};
use tengen_core::types::Size;

impl<T: Thinker> Session<T> {
    /// Carries out a line: a command, or a part of the one before it.
    pub(super) fn carry_out(&mut self, line: InputLine, now: Instant) {
        if let Some(reading) = self.dialogue.continued_by(&line.command) {
            return self.read_on(reading, &line);
        }
        fault::pass(Place::Session);
        let InputLine { command, at, .. } = line;
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
            Command::About => self.reply(Reply::About(self.introduction.clone())),
            Command::Prove => self.prove(at),
            Command::YxShowForbid => self.show_forbidden(),
            Command::YxShowInfo => self.show_info(),
            Command::YxHashClear if self.dialogue.slot().is_owed() => self.engine.forget_later(),
            Command::YxHashClear => self.engine.forget(),
            Command::YxNBest(lines) => self.analyse(self.options.task(), lines, at),
            Command::YxBalanceOne(bias) => self.balance(BalanceStones::One, bias, at),
            Command::YxBalanceTwo(bias) => self.balance(BalanceStones::Two, bias, at),
            Command::YxSearchDefend => self.analyse(Task::Defend, 1, at),
            Command::YxBlockReset => self.board.blocked_mut().clear_points(),
            Command::YxBlockPathReset => self.board.blocked_mut().clear_paths(),
            Command::YxShowHashUsage => self.show_hash_usage(),
            Command::HashFile { action, path: None } => {
                self.dialogue.read(Reading::HashPath(action));
            }
            Command::HashFile { action, path: Some(path) } => self.hash_file(action, &path),
            Command::YxSwap2Step(step) => self.swap2_step(step, at),
            Command::YxSoosorvStep1 => self.soosorv_step(1, None, &[], at),
            Command::DatabaseFile { action, path: None } => {
                self.dialogue.read(Reading::DatabasePath(action));
            }
            Command::DatabaseFile { action, path: Some(path) } => self.database_file(action, &path),
            Command::YxSaveDatabase => self.database.ask(DatabaseRequest::Save),
            Command::YxDbCheck => self.database.ask(DatabaseRequest::Check),
            Command::YxDbFix => self.database.ask(DatabaseRequest::Propagate),
            Command::Malformed(word) => self.error(&format!("{word} needs other arguments")),
            Command::Overlong => self.error("the line is too long"),
            Command::Unknown(word) => self.reply(Reply::Unknown(word)),
        }
    }

    fn start(&mut self, width: i64, height: i64) {
        match Size::new(width, height) {
            Ok(size) => {
                self.board.start(size);
                self.reply(Reply::Ok);
            }
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn restart(&mut self) {
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        self.board.start(size);
        self.engine.forget_later();
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
    pub(super) fn block(&mut self, block: PartialBlock, done: bool, at: Instant) {
        if !done {
            self.dialogue.read(Reading::Block(block));
            return;
        }
        if let BlockKind::Database(command) = block.kind() {
            let (rule, game) = (self.options.rule(), self.board.game());
            let asked = self.database.block(command, &block, rule, game);
            self.error_of(asked);
            return;
        }
        if block.kind() == BlockKind::Review {
            return self.review(&block, at);
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
            (Ok(game), BlockKind::YxBoard) => self.board.set_game(game),
            (Ok(game), _) => {
                self.board.set_game(game.clone());
                self.ask(game, Inquiry::play(self.options.task()), at);
            }
        }
    }

    pub(super) fn info(&mut self, info: &Info, now: Instant) {
        self.options.set(info);
        match *info {
            Info::Book(ref path) => match path_of(path) {
                Ok(path) => self.database.open_book(&path),
                Err(error) => self.reply(Reply::Message(format!("no book: {error}"))),
            },
            Info::UseDatabase(value) => self.database.set_used(value != 0),
            Info::DatabaseReadonly(value) => {
                let used = self.database.set_read_only(value != 0);
                self.use_database(used);
            }
            _ => {}
        }
        if !info.is_clock() {
            return;
        }
        if let Some(question) = self.dialogue.slot_mut().question_mut() {
            let &mut OwedAnswer { used, analysis, .. } = question;
            let job = &mut question.job;
            job.limits = self.options.with_clock(job.limits, used, analysis);
            job.analysis = analysis && self.options.analyses();
        }
        let slot = self.dialogue.slot();
        if let Some(question) = slot.question().filter(|_| slot.is_working()) {
            self.engine.thinker.set_limits(question.job.limits);
        }
        if *info == Info::TimeoutTurn(0) {
            self.stop_thinking(now);
        }
    }

    /// Takes the path of a file for the database.
    pub(super) fn database_file(&mut self, action: DatabaseFile, path: &str) {
        let (rule, game) = (self.options.rule(), self.board.game());
        let asked = self.database.file(action, path, rule, game);
        self.error_of(asked);
    }

    fn error_of(&mut self, asked: Result<(), String>) {
        if let Err(error) = asked {
            self.error(&error);
        }
    }
}

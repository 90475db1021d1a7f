//! Recovery from a panic in a session, so that no game is lost.
//!
//! A call that panics may have left the session half changed, so what it may have changed is kept before, put
//! back, and the call is made once more. If it panics again, the session does without it, in the simplest
//! way: a question is still answered by a move.

use super::block::PartialBlock;
use super::board::SessionBoard;
use super::command::{BlockKind, Command};
use super::dialogue::KeptDialogue;
use super::game::SessionGame;
use super::input::{InputLine, Reading};
use super::options::SessionOptions;
use super::reply::Reply;
use super::session::Session;
use crate::engine::Thinker;
use tengen_core::sys::panics::{self, Panic};

/// The state that a call may change.
#[derive(Clone)]
struct Kept {
    options: SessionOptions,
    board: SessionBoard,
    dialogue: KeptDialogue,
    last_id: u64,
}

impl<T: Thinker> Session<T> {
    /// Makes a call, once more if it panics, and then `otherwise`.
    pub(super) fn safely(
        &mut self,
        mut call: impl FnMut(&mut Session<T>),
        otherwise: impl FnOnce(&mut Session<T>),
    ) {
        let kept = self.keep();
        let Err(panic) = panics::catch(|| call(self)) else { return };
        self.put_back(kept);
        self.tell_panic(&panic);
        let told = self.keep();
        if panics::catch(|| call(self)).is_err() {
            self.put_back(told.clone());
            if panics::catch(|| otherwise(self)).is_err() {
                self.put_back(told);
            }
        }
    }

    /// Says that something has panicked: not as an error, which would be taken for an answer.
    pub(super) fn tell_panic(&mut self, panic: &Panic) {
        self.dialogue.reply(Reply::Message(format!("internal error: {panic}")));
    }

    /// Returns what is written before the process ends because of a panic that nothing above has met: it is
    /// said, and an answer that is owed is given.
    pub(super) fn last_words(&mut self, panic: &Panic) -> Vec<Reply> {
        drop(self.dialogue.take_replies());
        self.tell_panic(panic);
        if self.dialogue.slot().is_owed() {
            // There is nothing left to try.
            let _ = panics::catch(|| self.do_without_engine());
        }
        self.dialogue.take_replies()
    }

    fn keep(&self) -> Kept {
        Kept {
            options: self.options.clone(),
            board: self.board.clone(),
            dialogue: self.dialogue.keep(),
            last_id: self.engine.last_id(),
        }
    }

    fn put_back(&mut self, kept: Kept) {
        if self.engine.last_id() != kept.last_id {
            // The engine may have been asked something; its answer will be nobody's.
            self.engine.thinker.stop();
        }
        self.options = kept.options;
        self.board = kept.board;
        self.dialogue.put_back(kept.dialogue);
    }

    /// Answers a line that can't be carried out: a question by a move.
    pub(super) fn do_without_line(&mut self, line: &InputLine) {
        let is_done = line.text.trim().eq_ignore_ascii_case("done");
        match self.dialogue.take_reading() {
            Reading::Block(block) if is_done => self.do_without_block(&block),
            Reading::Commands => match line.command {
                Command::Begin => self.move_simply(),
                Command::Turn(cell) => {
                    let Some(game) = self.board.game_mut() else { return };
                    if let Ok(point) = game.empty_point(cell.x, cell.y) {
                        game.play(point);
                        self.move_simply();
                    }
                }
                Command::Info(_) => {}
                _ => self.error("the line cannot be carried out"),
            },
            reading => self.dialogue.read(reading),
        }
    }

    fn do_without_block(&mut self, block: &PartialBlock) {
        let size = self.board.size();
        if let (BlockKind::Board, Some(size), Ok(entries)) = (block.kind(), size, block.entries())
            && let Ok(game) = SessionGame::from_board(size, entries)
        {
            self.board.set_game(game);
            self.move_simply();
        }
    }

    /// Goes on after an answer of the engine that can't be dealt with.
    pub(super) fn do_without_answer(&mut self, id: u64) {
        let was_owed = self.dialogue.slot().is_owed();
        if self.dialogue.slot_mut().finish(id).is_some() && was_owed {
            self.move_simply();
        }
    }

    /// Gives the owed answer where neither the engine nor the usual answer can be had.
    pub(super) fn do_without_engine(&mut self) {
        self.dialogue.slot_mut().drop_work();
        self.move_simply();
    }

    /// Prints some move that can be played, unless an answer is owed and will come.
    fn move_simply(&mut self) {
        if !self.dialogue.slot().is_owed() {
            let played = self.board.play_any(self.options.rule());
            self.dialogue.reply_all(played);
        }
    }
}

//! Commands of the managers of the Yixin family.

use std::time::Instant;

use super::answer::board_is_full;
use super::block::PartialBlock;
use super::blocked::are_cells;
use super::command::BlockKind;
use super::game::SessionGame;
use super::input::path_of;
use super::question::Inquiry;
use super::reply::{Introduction, Reply};
use super::session::Session;
use super::text::BlockEntry;
use crate::engine::{FileAction, MOST_FIFTHS, OpeningStep, Task, Thinker};
use tengen_core::search::{BalanceStones, BalanceTask};
use tengen_core::sys::processors::processors;
use tengen_core::types::Score;

/// The binary logarithm of the largest `hash_size` that is announced, in KiB: 16 GiB.
const MAX_HASH_LOG2: u32 = 24;

impl<T: Thinker> Session<T> {
    pub(super) fn show_forbidden(&mut self) {
        let rule = self.options.rule();
        let Some(game) = self.playing() else { return };
        let forbidden = game.forbidden(rule);
        self.reply(Reply::Forbid(forbidden));
    }

    pub(super) fn show_info(&mut self) {
        self.options.note_show_info();
        let threads = processors();
        let Introduction { name, version, .. } = &self.introduction;
        self.reply(Reply::Message(format!("{name} {version}")));
        self.reply(Reply::Message(format!("INFO MAX_THREAD_NUM {threads}")));
        self.reply(Reply::Message(format!("INFO MAX_HASH_SIZE {MAX_HASH_LOG2}")));
    }

    pub(super) fn show_hash_usage(&mut self) {
        let usage = self.engine.thinker.table_usage();
        let percent = f64::from(usage.permille) / 10.0;
        let mib = usage.bytes >> 20;
        self.reply(Reply::Message(format!("hash usage {percent:.1}% of {mib} MiB")));
    }

    /// Analyses the position on the board.
    pub(super) fn analyse(&mut self, task: Task, lines: i64, at: Instant) {
        let Some(game) = self.playing().map(|game| game.clone()) else { return };
        let lines = usize::try_from(lines).unwrap_or(1).max(1);
        self.ask(game, Inquiry::analysis(task, lines), at);
    }

    /// Finds one or two moves that make the position on the board even.
    pub(super) fn balance(&mut self, stones: BalanceStones, bias: i64, at: Instant) {
        let Some(game) = self.playing() else { return };
        if stones == BalanceStones::Two && game.empty_cells() < 2 {
            self.reply(board_is_full());
            return;
        }
        let most = i64::from(Score::MAX_EVAL.raw());
        let bias = i32::try_from(bias.clamp(-most, most)).unwrap_or(0);
        self.analyse(Task::Balance(BalanceTask { stones, bias }), 1, at);
    }

    /// Plays its part in a swap2 opening as a Yixin Board asks for it: the stones are on the board
    /// already, and the answer is given by messages.
    pub(super) fn swap2_step(&mut self, step: u8, at: Instant) {
        let Some(game) = self.playing() else { return };
        if step == 1 {
            // A new game begins with this and nothing else.
            *game = SessionGame::new(game.size());
        }
        let expected = [0, 3, 5][usize::from(step.clamp(1, 3)) - 1];
        if game.stones() != expected {
            self.error(&format!("step {step} of swap2 needs {expected} stones on the board"));
            return;
        }
        let game = game.clone();
        self.ask(game, Inquiry::opening_step(Task::Swap2), at);
    }

    /// Plays its part in Soosõrv's opening, of which the stones so far are given.
    pub(super) fn soosorv_step(
        &mut self,
        number: u8,
        argument: Option<i64>,
        stones: &[BlockEntry],
        at: Instant,
    ) {
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        let most = i64::try_from(MOST_FIFTHS).unwrap_or(1);
        let fifths = usize::try_from(argument.unwrap_or(1).clamp(1, most)).unwrap_or(1);
        let (step, expected) = match number {
            1 => (OpeningStep::Open, 0..=0),
            2 => (OpeningStep::SwapFirst, 3..=3),
            3 => (OpeningStep::Fourth, 3..=3),
            4 => (OpeningStep::SwapFourth { fifths }, 4..=4),
            5 => (OpeningStep::Fifths { fifths }, 4..=4),
            _ => (OpeningStep::Choose, 5..=4 + MOST_FIFTHS),
        };
        if !expected.contains(&stones.len()) {
            self.error(&format!("step {number} does not begin with {} stones", stones.len()));
            return;
        }
        match SessionGame::from_moves(size, stones) {
            Ok(game) => self.ask(game, Inquiry::opening_step(Task::Opening(step)), at),
            Err(error) => self.error(&error.to_string()),
        }
    }

    /// Takes a block that is not a position: moves to leave out, or nothing that matters here.
    pub(super) fn block_moves(&mut self, block: &PartialBlock, at: Instant) {
        // Without one of its moves a path would be another.
        let is_path = matches!(block.kind(), BlockKind::YxBlockPath | BlockKind::YxBlockPathUndo);
        let entries = block.entries().ok().filter(|entries| !is_path || are_cells(entries));
        let Some(entries) = entries else {
            self.reply(Reply::Message(format!("{} is not understood", block.kind())));
            return;
        };
        match block.kind() {
            BlockKind::YxBlock => self.board.blocked_mut().add_points(entries),
            BlockKind::YxBlockUndo => self.board.blocked_mut().remove_points(entries),
            BlockKind::YxBlockPath => self.board.blocked_mut().add_path(entries),
            BlockKind::YxBlockPathUndo => self.board.blocked_mut().remove_path(entries),
            BlockKind::YxSoosorvStep(step) => {
                self.soosorv_step(step, block.argument(), entries, at);
            }
            _ => {}
        }
    }

    /// Writes or reads the transposition table.
    pub(super) fn hash_file(&mut self, action: FileAction, path: &str) {
        let path = path.trim();
        if path.is_empty() {
            self.reply(Reply::Message("the path of the hash table is missing".to_owned()));
            return;
        }
        let path = match path_of(path) {
            Ok(path) => path,
            Err(error) => return self.reply(Reply::Message(error)),
        };
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        let game = (self.options.rule(), size);
        self.engine.table_file((action, path), self.options.settings(), game);
    }

    /// Prints what became of a file, unless `END` was received.
    pub(super) fn take_file_result(&mut self, result: Result<String, String>) {
        self.engine.finish_file();
        if !self.dialogue.has_ended() {
            self.reply(Reply::Message(result.unwrap_or_else(|error| error)));
        }
    }
}

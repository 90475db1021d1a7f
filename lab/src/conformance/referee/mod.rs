//! The board as it must be after everything said so far.
//!
//! The referee reads both sides of the conversation. Commands whose effect depends on their
//! reply wait in a queue until that reply comes, so it does not matter whether the transcript
//! waits for replies or sends commands ahead.

use std::collections::VecDeque;

use super::script::CellXy;
use crate::process::{EngineLine, strict_cell};

/// Follows a conversation and knows which moves are legal.
///
/// Legal means: on the board and empty. The referee knows no rule of the game.
#[derive(Clone, Default, Debug)]
pub(super) struct Referee {
    board: RefereeBoard,
    block: Option<OpenBlock>,
    queue: VecDeque<Pending>,
    last_move: Option<CellXy>,
    free_picks: u64,
    /// True if the next line is a path that belongs to the command before it.
    path_follows: bool,
    /// Cells named in messages since the last line that was sent.
    told: Vec<CellXy>,
}

/// Words followed by a path, on their own line or on the next.
const FILES: [&str; 11] = [
    "YXHASHDUMP",
    "YXHASHLOAD",
    "YXSETDATABASE",
    "YXDBTOPOS",
    "YXDBTOTXT",
    "YXDBTOTXTALL",
    "YXTXTTODB",
    "YXLIBTODB",
    "YXDBTOLIB",
    "YXDBSPLIT",
    "YXDBMERGE",
];

/// The beginnings of words that open a block which leaves the board alone.
const IGNORED_BLOCKS: [&str; 7] = [
    "REVIEW",
    "YXBLOCK",
    "YXQUERYDATABASE",
    "YXEDIT",
    "YXDELETEDATABASE",
    "YXSETBESTMOVE",
    "YXCLEARBESTMOVE",
];

#[derive(Clone, Default, Debug)]
struct RefereeBoard {
    width: i64,
    height: i64,
    /// The stones in playing order; neutral ones are apart.
    stones: Vec<CellXy>,
    walls: Vec<CellXy>,
}

impl RefereeBoard {
    fn is_empty(&self, cell: CellXy) -> bool {
        (0..self.width).contains(&cell.0)
            && (0..self.height).contains(&cell.1)
            && !self.stones.contains(&cell)
            && !self.walls.contains(&cell)
    }
}

/// A command that waits for its reply.
#[derive(Clone, Debug)]
enum Pending {
    /// `START` and its like: `OK` means an empty board of this size, `RESTART` one of the same.
    Start(Option<(i64, i64)>),
    /// `TAKEBACK`: `OK` means that the stone is gone.
    TakeBack(Option<CellXy>),
    /// A command answered by moves, which come after the change.
    Think(BoardChange),
    /// A command without reply.
    Silent(BoardChange),
    /// A command answered by messages or by nothing, or by `UNKNOWN` where it is unknown.
    Quiet,
    /// Anything else; the reply will be `UNKNOWN` or `ERROR`.
    Other,
}

/// The effect of a command on the board.
#[derive(Clone, Debug)]
enum BoardChange {
    None,
    Stone(CellXy),
    Position { stones: Vec<CellXy>, walls: Vec<CellXy> },
}

impl BoardChange {
    fn apply(self, board: &mut RefereeBoard) {
        match self {
            BoardChange::None => {}
            BoardChange::Stone(cell) => {
                if board.is_empty(cell) {
                    board.stones.push(cell);
                }
            }
            BoardChange::Position { stones, walls } => {
                board.stones = stones;
                board.walls = walls;
            }
        }
    }
}

/// A block of lines that is being sent.
#[derive(Clone, Debug)]
struct OpenBlock {
    kind: BlockEffect,
    stones: Vec<CellXy>,
    walls: Vec<CellXy>,
}

#[derive(Clone, Copy, Debug)]
enum BlockEffect {
    /// `BOARD` and `SWAP2BOARD`: the engine thinks after it.
    Think,
    /// `YXBOARD`: the engine says nothing.
    Silent,
    /// A block that leaves the board alone.
    Ignored,
}

impl Referee {
    /// Takes note of a line sent to the engine.
    pub(super) fn sent(&mut self, line: &str) {
        let line = line.trim();
        self.told.clear();
        if std::mem::take(&mut self.path_follows) || line.is_empty() {
            return;
        }
        let upper = line.to_ascii_uppercase();
        let (word, rest) = upper.split_once(char::is_whitespace).unwrap_or((&upper, ""));
        let rest = rest.trim();
        if self.block.is_some() {
            match word {
                "INFO" | "END" | "STOP" | "YXSTOP" => {}
                _ => self.block_line(&upper),
            }
            return;
        }
        let pending = match word {
            "START" => match numbers(rest)[..] {
                [edge] => Pending::Start(Some((edge, edge))),
                // Yixin Board names the rows first.
                [rows, columns] => Pending::Start(Some((columns, rows))),
                _ => Pending::Other,
            },
            "RECTSTART" => match numbers(rest)[..] {
                [width, height] => Pending::Start(Some((width, height))),
                _ => Pending::Other,
            },
            "RESTART" => Pending::Start(None),
            "TAKEBACK" => Pending::TakeBack(loose_cell(rest)),
            "TURN" => {
                Pending::Think(loose_cell(rest).map_or(BoardChange::None, BoardChange::Stone))
            }
            "BEGIN" | "PLAY" | "YXNBEST" | "YXBALANCEONE" | "YXBALANCETWO" | "YXSEARCHDEFEND" => {
                Pending::Think(BoardChange::None)
            }
            "BOARD" | "SWAP2BOARD" => return self.open_block(BlockEffect::Think, rest),
            "YXBOARD" => return self.open_block(BlockEffect::Silent, rest),
            "INFO" | "ABOUT" | "END" | "STOP" | "YXBLOCKRESET" | "YXBLOCKPATHRESET" => return,
            _ if FILES.contains(&word) => {
                self.path_follows = rest.is_empty();
                return;
            }
            _ if IGNORED_BLOCKS.iter().any(|start| word.starts_with(start))
                || word.starts_with("YXSOOSORVSTEP") && word != "YXSOOSORVSTEP1" =>
            {
                self.queue.push_back(Pending::Quiet);
                // A label or comment may hold any word.
                let rest = if word.starts_with("YXEDIT") { "" } else { rest };
                return self.open_block(BlockEffect::Ignored, rest);
            }
            _ if word.starts_with("YX") || word == "PROVE" || word == "RELOADCONFIG" => {
                Pending::Quiet
            }
            _ => Pending::Other,
        };
        self.queue.push_back(pending);
        self.settle();
    }

    fn open_block(&mut self, kind: BlockEffect, rest: &str) {
        self.block = Some(OpenBlock { kind, stones: Vec::new(), walls: Vec::new() });
        for entry in rest.split_whitespace() {
            self.block_line(entry);
        }
    }

    fn block_line(&mut self, line: &str) {
        if line == "DONE" {
            let Some(OpenBlock { kind, stones, walls }) = self.block.take() else { return };
            match kind {
                BlockEffect::Think => {
                    self.queue.push_back(Pending::Think(BoardChange::Position { stones, walls }));
                }
                BlockEffect::Silent => {
                    self.queue.push_back(Pending::Silent(BoardChange::Position { stones, walls }));
                }
                BlockEffect::Ignored => {}
            }
            self.settle();
        } else if let (Some(block), Some(cell)) = (&mut self.block, loose_cell(line)) {
            match numbers(line).get(2) {
                Some(3) => block.walls.push(cell),
                _ => block.stones.push(cell),
            }
        }
    }

    /// Does what needs no reply any more. Commands without effect may be answered or not.
    fn settle(&mut self) {
        let says_something = |p: &Pending| !matches!(p, Pending::Quiet | Pending::Other);
        while let Some(at) = self.queue.iter().position(says_something)
            && let Pending::Silent(change) = &self.queue[at]
        {
            change.clone().apply(&mut self.board);
            self.queue.remove(at);
        }
    }

    /// Takes note of a line that the engine wrote.
    pub(super) fn received(&mut self, line: &str) {
        match EngineLine::strict(line) {
            EngineLine::Cells(cells) => {
                self.last_move = cells.first().copied();
                self.apply_change();
                self.board.stones.extend(cells);
            }
            EngineLine::Swap => self.apply_change(),
            EngineLine::Ok(_) => {
                match self.take(|p| matches!(p, Pending::Start(_) | Pending::TakeBack(_))) {
                    Some(Pending::Start(size)) => {
                        let (width, height) = size.unwrap_or((self.board.width, self.board.height));
                        self.board = RefereeBoard { width, height, ..RefereeBoard::default() };
                    }
                    Some(Pending::TakeBack(cell)) => {
                        self.board.stones.retain(|&stone| Some(stone) != cell);
                    }
                    _ => {}
                }
            }
            // A command of the protocol may be unknown to an engine.
            EngineLine::Unknown(_)
                if self.take(|p| matches!(p, Pending::Quiet | Pending::Other)).is_none() =>
            {
                self.queue.pop_front();
            }
            EngineLine::Error(_) => drop(self.take(|p| !matches!(p, Pending::Quiet))),
            _ => {}
        }
        self.settle();
    }

    /// Makes the change that belongs to the moves that are answered.
    fn apply_change(&mut self) {
        if let Some(Pending::Think(change)) = self.take(|p| matches!(p, Pending::Think(_))) {
            change.apply(&mut self.board);
        }
    }

    /// Takes the first waiting command of a kind out of the queue. What was quiet until its answer stays so.
    fn take(&mut self, kind: impl Fn(&Pending) -> bool) -> Option<Pending> {
        let at = self.queue.iter().position(kind)?;
        let taken = self.queue.remove(at);
        let later = self.queue.split_off(at);
        self.queue.retain(|pending| !matches!(pending, Pending::Quiet));
        self.queue.extend(later);
        taken
    }

    /// Decides whether the engine may answer with these cells now.
    ///
    /// # Errors
    ///
    /// Returns why not.
    pub(super) fn check_moves(&self, cells: &[CellXy]) -> Result<(), String> {
        if self.queue.iter().any(|pending| matches!(pending, Pending::Think(_))) {
            self.check_empty(cells)
        } else {
            Err("no move was asked for".to_owned())
        }
    }

    /// Checks that these cells are on the board, empty and different. While a move is awaited,
    /// the board is the one for which it was asked.
    ///
    /// # Errors
    ///
    /// Returns why not.
    pub(super) fn check_empty(&self, cells: &[CellXy]) -> Result<(), String> {
        let mut board = self.board.clone();
        let think = self.queue.iter().find_map(|pending| match pending {
            Pending::Think(change) => Some(change.clone()),
            _ => None,
        });
        if let Some(change) = think {
            change.apply(&mut board);
        }
        for &cell in cells {
            let (x, y) = cell;
            if !(0..board.width).contains(&x) || !(0..board.height).contains(&y) {
                return Err(format!("{x},{y} is off the board"));
            }
            if !board.is_empty(cell) {
                return Err(format!("{x},{y} is not empty"));
            }
            board.stones.push(cell);
        }
        Ok(())
    }

    /// Takes note of a cell that a message named.
    pub(super) fn told(&mut self, cell: CellXy) {
        self.told.push(cell);
    }

    /// Checks that no message since the last line sent has named this cell.
    ///
    /// # Errors
    ///
    /// Returns why not.
    pub(super) fn check_fresh(&self, (x, y): CellXy) -> Result<(), String> {
        if self.told.contains(&(x, y)) { Err(format!("{x},{y} was named before")) } else { Ok(()) }
    }

    /// Returns the first cell of the engine's last move line.
    pub(super) fn last_move(&self) -> Option<CellXy> {
        self.last_move
    }

    /// Returns some empty cell for which `taken` is false: always the same ones in the same
    /// conversation.
    pub(super) fn free_cell(&mut self, taken: impl Fn(CellXy) -> bool) -> Option<CellXy> {
        let board = &self.board;
        let cells = (0..board.height).flat_map(|y| (0..board.width).map(move |x| (x, y)));
        let free: Vec<CellXy> =
            cells.filter(|&cell| board.is_empty(cell) && !taken(cell)).collect();
        self.free_picks += 1;
        // A large odd step visits all parts of the board in an irregular order.
        let pick = self.free_picks.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        let pick = pick.checked_rem(free.len() as u64)?;
        free.get(pick as usize).copied()
    }

    /// Returns the stones as lines of a block, seen from the side to move: the last one played
    /// is the opponent's, and the colours alternate.
    pub(super) fn position_lines(&self) -> Vec<String> {
        let stones = &self.board.stones;
        let field = |i: usize| if (stones.len() - i) % 2 == 1 { 2 } else { 1 };
        let stone_lines =
            stones.iter().enumerate().map(|(i, (x, y))| format!("{x},{y},{}", field(i)));
        let wall_lines = self.board.walls.iter().map(|(x, y)| format!("{x},{y},3"));
        stone_lines.chain(wall_lines).collect()
    }
}

/// Reads the numbers of `30 , 20`, `30,20,1` or `15 15`; none if one of them is not a number.
fn numbers(text: &str) -> Vec<i64> {
    let words = text.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

/// Reads the cell of a command: the first two fields, with blanks around the comma allowed.
fn loose_cell(text: &str) -> Option<CellXy> {
    let mut fields = text.splitn(3, ',').map(str::trim);
    let (x, y) = (fields.next()?, fields.next()?);
    let y = y.split_whitespace().next()?;
    strict_cell(&format!("{x},{y}"))
}

#[cfg(test)]
mod tests;

//! The board as it must be after everything said so far.
//!
//! The referee reads both sides of the conversation. Commands whose effect depends on their
//! reply wait in a queue until that reply comes, so it does not matter whether the transcript
//! waits for replies or sends commands ahead.

use std::collections::VecDeque;

use super::expect::{parse_cell, parse_cells};
use super::script::Cell;

/// Follows a conversation and knows which moves are legal.
///
/// Legal means: on the board and empty. The referee knows no rule of the game.
#[derive(Clone, Default, Debug)]
pub(super) struct Referee {
    board: Board,
    block: Option<Block>,
    queue: VecDeque<Pending>,
    last_move: Option<Cell>,
    free_picks: u64,
}

#[derive(Clone, Default, Debug)]
struct Board {
    width: i64,
    height: i64,
    /// The stones in playing order; neutral ones are apart.
    stones: Vec<Cell>,
    walls: Vec<Cell>,
}

impl Board {
    fn is_empty(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.0)
            && (0..self.height).contains(&cell.1)
            && !self.stones.contains(&cell)
            && !self.walls.contains(&cell)
    }
}

/// A command that waits for its reply.
#[derive(Clone, Debug)]
enum Pending {
    /// `START` and its like: `OK` means an empty board of this size.
    Start(i64, i64),
    /// `RESTART`: `OK` means an empty board.
    Restart,
    /// `TAKEBACK`: `OK` means that the stone is gone.
    TakeBack(Option<Cell>),
    /// A command answered by moves, which come after the change.
    Think(Change),
    /// A command without reply.
    Silent(Change),
    /// Anything else; the reply will be `UNKNOWN` or `ERROR`.
    Other,
}

/// What a command does to the board.
#[derive(Clone, Debug)]
enum Change {
    None,
    Stone(Cell),
    Position { stones: Vec<Cell>, walls: Vec<Cell> },
}

impl Change {
    fn apply(self, board: &mut Board) {
        match self {
            Change::None => {}
            Change::Stone(cell) => {
                if board.is_empty(cell) {
                    board.stones.push(cell);
                }
            }
            Change::Position { stones, walls } => {
                board.stones = stones;
                board.walls = walls;
            }
        }
    }
}

/// A block of lines that is being sent.
#[derive(Clone, Debug)]
struct Block {
    kind: BlockKind,
    stones: Vec<Cell>,
    walls: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
enum BlockKind {
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
        if line.is_empty() {
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
                [edge] => Pending::Start(edge, edge),
                // Yixin Board names the rows first.
                [rows, columns] => Pending::Start(columns, rows),
                _ => Pending::Other,
            },
            "RECTSTART" => match numbers(rest)[..] {
                [width, height] => Pending::Start(width, height),
                _ => Pending::Other,
            },
            "RESTART" => Pending::Restart,
            "TAKEBACK" => Pending::TakeBack(loose_cell(rest)),
            "TURN" => Pending::Think(loose_cell(rest).map_or(Change::None, Change::Stone)),
            "BEGIN" | "PLAY" | "YXNBEST" | "YXBALANCEONE" | "YXBALANCETWO" | "YXSEARCHDEFEND" => {
                Pending::Think(Change::None)
            }
            "BOARD" | "SWAP2BOARD" => return self.open_block(BlockKind::Think, rest),
            "YXBOARD" => return self.open_block(BlockKind::Silent, rest),
            "YXBLOCK" | "YXBLOCKUNDO" | "YXBLOCKPATH" | "YXBLOCKPATHUNDO" => {
                return self.open_block(BlockKind::Ignored, "");
            }
            _ if word.starts_with("YXQUERYDATABASE") => {
                return self.open_block(BlockKind::Ignored, "");
            }
            "INFO" | "ABOUT" | "END" | "STOP" => return,
            _ if word.starts_with("YX") => return,
            _ => Pending::Other,
        };
        self.queue.push_back(pending);
        self.settle();
    }

    fn open_block(&mut self, kind: BlockKind, rest: &str) {
        self.block = Some(Block { kind, stones: Vec::new(), walls: Vec::new() });
        for entry in rest.split_whitespace() {
            self.block_line(entry);
        }
    }

    fn block_line(&mut self, line: &str) {
        if line == "DONE" {
            let Some(Block { kind, stones, walls }) = self.block.take() else { return };
            match kind {
                BlockKind::Think => {
                    self.queue.push_back(Pending::Think(Change::Position { stones, walls }));
                }
                BlockKind::Silent => {
                    self.queue.push_back(Pending::Silent(Change::Position { stones, walls }));
                }
                BlockKind::Ignored => {}
            }
            self.settle();
        } else if let (Some(block), Some(cell)) = (&mut self.block, loose_cell(line)) {
            match numbers(line).get(2) {
                Some(3) => block.walls.push(cell),
                _ => block.stones.push(cell),
            }
        }
    }

    /// Does what needs no reply any more.
    fn settle(&mut self) {
        while let Some(Pending::Silent(_)) = self.queue.front() {
            if let Some(Pending::Silent(change)) = self.queue.pop_front() {
                change.apply(&mut self.board);
            }
        }
    }

    /// Takes note of a line that the engine wrote.
    pub(super) fn received(&mut self, line: &str) {
        let keyword = line.split(' ').next().unwrap_or(line);
        if let Some(cells) = parse_cells(line) {
            self.last_move = cells.first().copied();
            if let Some(Pending::Think(change)) = self.take(|p| matches!(p, Pending::Think(_))) {
                change.apply(&mut self.board);
            }
            self.board.stones.extend(cells);
        } else if keyword == "SWAP" {
            if let Some(Pending::Think(change)) = self.take(|p| matches!(p, Pending::Think(_))) {
                change.apply(&mut self.board);
            }
        } else if keyword == "OK" {
            let expects_ok = |pending: &Pending| {
                matches!(pending, Pending::Start(..) | Pending::Restart | Pending::TakeBack(_))
            };
            match self.take(expects_ok) {
                Some(Pending::Start(width, height)) => {
                    self.board = Board { width, height, ..Board::default() };
                }
                Some(Pending::Restart) => {
                    self.board.stones.clear();
                    self.board.walls.clear();
                }
                Some(Pending::TakeBack(cell)) => self.board.stones.retain(|&s| Some(s) != cell),
                _ => {}
            }
        } else if keyword == "UNKNOWN" {
            // A command of the protocol may be unknown to an engine.
            if self.take(|p| matches!(p, Pending::Other)).is_none() {
                self.queue.pop_front();
            }
        } else if keyword == "ERROR" {
            self.queue.pop_front();
        }
        self.settle();
    }

    /// Takes the first waiting command of a kind out of the queue.
    fn take(&mut self, kind: impl Fn(&Pending) -> bool) -> Option<Pending> {
        let at = self.queue.iter().position(kind)?;
        self.queue.remove(at)
    }

    /// Decides whether the engine may answer with these cells now.
    ///
    /// # Errors
    ///
    /// Returns why not.
    pub(super) fn check_moves(&self, cells: &[Cell]) -> Result<(), String> {
        let think = self.queue.iter().find_map(|pending| match pending {
            Pending::Think(change) => Some(change.clone()),
            _ => None,
        });
        let mut board = self.board.clone();
        think.ok_or("no move was asked for")?.apply(&mut board);
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

    /// Returns the first cell of the engine's last move line.
    pub(super) fn last_move(&self) -> Option<Cell> {
        self.last_move
    }

    /// Returns some empty cell: always the same ones in the same conversation.
    pub(super) fn free_cell(&mut self) -> Option<Cell> {
        let board = &self.board;
        let cells = (0..board.height).flat_map(|y| (0..board.width).map(move |x| (x, y)));
        let free: Vec<Cell> = cells.filter(|&cell| board.is_empty(cell)).collect();
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
fn loose_cell(text: &str) -> Option<Cell> {
    let mut fields = text.splitn(3, ',').map(str::trim);
    let (x, y) = (fields.next()?, fields.next()?);
    let y = y.split_whitespace().next()?;
    parse_cell(&format!("{x},{y}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> Referee {
        let mut referee = Referee::default();
        referee.sent("START 15");
        referee.received("OK");
        referee
    }

    #[track_caller]
    fn check(referee: &Referee, cell: Cell) -> bool {
        referee.check_moves(&[cell]).is_ok()
    }

    #[test]
    fn a_move_is_legal_only_where_one_was_asked_for() {
        let mut referee = started();
        assert_eq!(referee.check_moves(&[(7, 7)]), Err("no move was asked for".to_owned()));
        referee.sent("begin");
        assert!(check(&referee, (7, 7)) && !check(&referee, (15, 0)));
        referee.received("7,7");
        assert!(!check(&referee, (8, 8)));
        referee.sent("TURN 8 , 8");
        assert!(!check(&referee, (7, 7)) && !check(&referee, (8, 8)) && check(&referee, (9, 9)));
    }

    #[test]
    fn commands_sent_ahead_take_effect_when_their_replies_come() {
        let mut referee = started();
        referee.sent("TURN 7,7");
        referee.sent("START 20");
        referee.sent("YXBOARD 8,8,1 DONE");
        referee.sent("TURN 1,1");
        assert!(!check(&referee, (15, 15)) && check(&referee, (8, 8)));
        referee.received("8,8");
        referee.received("OK");
        assert!(check(&referee, (15, 15)) && check(&referee, (7, 7)));
        assert!(!check(&referee, (8, 8)) && !check(&referee, (1, 1)));
    }

    #[test]
    fn refused_commands_leave_the_board_alone() {
        let mut referee = started();
        referee.sent("BOARD");
        referee.sent("7,7,1");
        referee.sent("DONE");
        referee.received("ERROR counts");
        referee.sent("FOO");
        referee.received("UNKNOWN FOO");
        referee.sent("BEGIN");
        assert!(check(&referee, (7, 7)));
    }

    #[test]
    fn blocks_replace_the_position_and_keep_their_walls() {
        let mut referee = started();
        referee.sent("TURN 1,1");
        referee.received("2,2");
        for line in ["board", "7,7,2", "", "INFO time_left 5", "8,8,3", "done"] {
            referee.sent(line);
        }
        assert!(check(&referee, (1, 1)) && !check(&referee, (7, 7)) && !check(&referee, (8, 8)));
        referee.received("9,9");
        assert_eq!(referee.position_lines(), ["7,7,1", "9,9,2", "8,8,3"]);
    }

    #[test]
    fn taking_back_and_restarting_empty_cells() {
        let mut referee = started();
        referee.sent("TURN 7,7");
        referee.received("8,8");
        referee.sent("TAKEBACK 8,8");
        referee.received("OK");
        assert_eq!(referee.position_lines(), ["7,7,2"]);
        referee.sent("RESTART");
        referee.received("OK");
        assert!(referee.position_lines().is_empty());
    }

    #[test]
    fn rectangles_are_width_by_height_but_yixin_board_sends_rows_first() {
        let mut referee = started();
        referee.sent("RECTSTART 20 , 15");
        referee.received("OK");
        referee.sent("BEGIN");
        assert!(check(&referee, (19, 14)) && !check(&referee, (14, 19)));
        referee.received("1,1");
        referee.sent("start 20 15");
        referee.received("OK");
        referee.sent("BEGIN");
        assert!(check(&referee, (14, 19)) && !check(&referee, (19, 14)));
    }

    #[test]
    fn several_moves_of_one_line_must_differ() {
        let mut referee = started();
        referee.sent("SWAP2BOARD");
        referee.sent("DONE");
        assert!(referee.check_moves(&[(1, 1), (2, 2), (3, 3)]).is_ok());
        assert!(referee.check_moves(&[(1, 1), (2, 2), (1, 1)]).is_err());
    }

    #[test]
    fn free_cells_run_out_exactly_when_the_board_is_full() {
        let mut referee = Referee::default();
        referee.sent("START 5");
        referee.received("OK");
        for _ in 0..25 {
            let (x, y) = referee.free_cell().expect("a cell is free");
            referee.sent("PLAY 0,0");
            assert!(check(&referee, (x, y)));
            referee.received(&format!("{x},{y}"));
        }
        assert_eq!(referee.free_cell(), None);
    }
}

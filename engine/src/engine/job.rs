//! Jobs of the engine and its answers.

use std::path::PathBuf;

use super::book::{BookAnswer, OpeningBook};
use super::learning::{Finding, UsedDatabase};
use super::{Level, Skill};
use tengen_core::eval::EvaluatorKind;
use tengen_core::rules::Rule;
use tengen_core::search::{BalanceTask, Limits, Mark, Report};
use tengen_core::types::{Color, Point, Size};

/// A position as described by a manager: stones in playing order where it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The size of the board.
    pub size: Size,
    /// The rule of the game.
    pub rule: Rule,
    /// The stones in playing order: distinct, on the board.
    pub stones: Vec<(Point, Color)>,
    /// Neutral stones of a continuous game: distinct, on the board, not in `stones`.
    pub walls: Vec<Point>,
    /// The side to move.
    pub to_move: Color,
}

/// The task of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// One move.
    Move,
    /// One move, or the other colour after a single stone: the first stone of a swap1 game is
    /// chosen so that neither side is better.
    Swap1,
    /// One move, after every legal move has been searched: which of them do not lose?
    Defend,
    /// One or two moves that balance the position.
    Balance(BalanceTask),
    /// The answer to a stage of swap2, given by the number of stones on the board: 0, 3 or 5.
    Swap2,
    /// The answer to a step of an opening of renju.
    Opening(OpeningStep),
}

/// A step of an opening of renju, such as Soosõrv's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningStep {
    /// Three stones on an empty board.
    Open,
    /// Choose whether to take black after three stones.
    SwapFirst,
    /// The fourth stone, and the number of fifths that black has to offer.
    Fourth,
    /// Choose whether to take white after four stones.
    SwapFourth {
        /// The number of fifths asked for.
        fifths: usize,
    },
    /// The fifths on offer.
    Fifths {
        /// Their number.
        fifths: usize,
    },
    /// One of the fifths, which stand on the board after the first four stones.
    Choose,
    /// Choose whether to take black after three stones, the number of fifths being known.
    SwapOwed {
        /// The number of fifths that black owes.
        fifths: usize,
    },
    /// The best fourth stone where the number of fifths is known already.
    FourthOwed {
        /// The number of fifths that black owes.
        fifths: usize,
    },
    /// The number of fifths that makes the position after three or four stones most even.
    Number {
        /// The largest number, at least 1.
        most: usize,
    },
}

/// A request to think. Exactly one [`EventKind::Done`] with its `id` follows.
#[derive(Clone, Debug)]
pub struct Job {
    /// The id chosen by the caller, different from all earlier ones.
    pub id: u64,
    /// The position.
    pub setup: Setup,
    /// The task.
    pub task: Task,
    /// True if a judgement is wanted and not just a move to play: always by search, even where the move
    /// is known or forced, and at the full level. Without any limit it ends only when it is stopped.
    pub analysis: bool,
    /// The limits of time, nodes and depth.
    pub limits: Limits,
    /// The moves to search and the lines to report.
    pub scope: Scope,
    /// The level of play; see [`Job::level`] for where it counts.
    pub skill: Skill,
}

impl Job {
    /// Returns the level of the answer: that of the skill for what is asked in a game. Analysis,
    /// several lines, and tasks that no game has are always for the full level.
    #[must_use]
    pub fn level(&self) -> Level {
        let is_of_game = !matches!(self.task, Task::Defend | Task::Balance(_));
        if self.analysis || self.scope.lines > 1 || !is_of_game {
            Level::FULL
        } else {
            self.skill.level
        }
    }

    /// Returns the limits of a search for the answer: those of the job and of its level. In openings
    /// there can be many searches for one, which have to share the nodes of a level.
    pub(super) fn search_limits(&self) -> Limits {
        /// The most searches for one answer.
        const SEARCHES: u64 = 16;
        /// Enough to look at every move once.
        const LEAST: u64 = 300;
        let level = self.level();
        let all = level.nodes();
        let own = match self.task {
            Task::Move => all,
            _ => all.map(|nodes| (nodes / SEARCHES).max(LEAST)),
        };
        let limits = level.within(self.limits);
        Limits { max_nodes: own.into_iter().chain(limits.max_nodes).min(), ..limits }
    }

    /// Returns whether one move of a game is wanted, and no choice of an opening.
    pub(super) fn wants_move(&self) -> bool {
        let stones = self.setup.stones.len();
        self.task == Task::Move || self.task == Task::Swap1 && stones > 1
    }

    /// Returns whether any good move will do, so that it can be had without a search.
    pub(super) fn is_plain(&self) -> bool {
        !self.analysis && !self.has_blocks() && self.scope.lines == 1
    }

    /// Returns whether the answer may be left to chance.
    pub(super) fn is_varied(&self) -> bool {
        !self.limits.is_bounded()
    }

    /// Returns whether a move is asked of a level below the full one. Where moves are excluded, the usual
    /// search finds one, with the nodes of the level.
    pub(super) fn plays_weakly(&self) -> bool {
        !self.level().is_full() && !self.has_blocks()
    }

    /// Returns whether moves are excluded.
    pub(super) fn has_blocks(&self) -> bool {
        !self.scope.blocked.is_empty() || !self.scope.blocked_paths.is_empty()
    }
}

/// The moves to search in a position, and the lines to report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The number of best lines wanted, at least 1.
    pub lines: usize,
    /// True if moves that are equal by symmetry count as one.
    pub merge_symmetric: bool,
    /// True if every empty cell is a candidate, instead of only cells near a stone.
    pub whole_board: bool,
    /// The depth of the first iteration, in plies.
    pub start_depth: u32,
    /// Sends [`EventKind::Mark`]s.
    pub marks: bool,
    /// Moves excluded at the root.
    pub blocked: Vec<Point>,
    /// Paths from the empty board whose last move is excluded.
    pub blocked_paths: Vec<Vec<Point>>,
    /// True if the book may answer instead of a search, as in games. It is not asked where levels
    /// below the full one play, in analysis, or where moves are excluded.
    pub book: bool,
}

impl Default for Scope {
    /// Searches for the best move.
    fn default() -> Scope {
        Scope {
            lines: 1,
            merge_symmetric: false,
            whole_board: false,
            start_depth: 1,
            marks: false,
            blocked: Vec::new(),
            blocked_paths: Vec::new(),
            book: false,
        }
    }
}

/// The answer to a [`Job`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The moves to play: one for a move, one or two for [`Task::Balance`], one to three for
    /// [`Task::Swap2`].
    Moves(Vec<Point>),
    /// The engine takes the other colour.
    Swap,
    /// The engine keeps its colour.
    Stay,
    /// A fourth stone, and the number of fifths that black has to offer.
    Offer(Point, usize),
    /// The number of fifths that black has to offer.
    Number(usize),
    /// There is no move: the board is full.
    NoMove,
}

/// A message from the engine about a job.
#[derive(Clone, Debug)]
pub struct Event {
    /// The job it belongs to.
    pub id: u64,
    /// The message.
    pub kind: EventKind,
}

/// The kinds of [`Event`].
#[derive(Clone, Debug)]
pub enum EventKind {
    /// An iteration is finished.
    Report(Report),
    /// Something happened to a move at the root.
    Mark(Mark),
    /// The job is finished.
    Done(Answer),
    /// The result of writing or reading a file; the text is for the user.
    File(Result<String, String>),
    /// A search has found something that its database does not know yet. It comes before the answer.
    Finding(PathBuf, Box<Finding>),
    /// A database that searches use can't be read, and is put away: its path, and the reason.
    Unreadable(PathBuf, String),
    /// The book has answered; the answer follows. Or it can't be read, and is put away.
    Book(Result<BookAnswer, String>),
    /// The search has broken off by a fault of the program; the text is for the user. The answer follows:
    /// the best that is known.
    Fault(String),
}

/// Settings that outlive a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The number of search threads, at least 1.
    pub threads: usize,
    /// The memory that the whole process may use, in bytes; `None` is unlimited.
    pub max_memory: Option<u64>,
    /// The maximum size of the transposition table, in bytes, even if `max_memory` would allow
    /// more.
    pub hash_size: Option<u64>,
    /// True once somebody has said how much memory there is: then a table may fill its memory before the
    /// first search, else after it.
    pub knows_memory: bool,
    /// The evaluator of the search.
    pub evaluator: EvaluatorKind,
}

/// A request to write or read a file of the transposition table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    /// The id chosen by the caller, different from those of all earlier requests and jobs;
    /// [`EventKind::File`] carries it.
    pub id: u64,
    /// The path of the file.
    pub path: PathBuf,
    /// The direction: write or read the file.
    pub action: FileAction,
    /// The rule of the games that the table is about.
    pub rule: Rule,
    /// The board size of these games.
    pub size: Size,
}

/// An action on a file of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileAction {
    /// Write the table to the file.
    Save,
    /// Read the table from the file.
    Load,
}

/// The usage of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableUsage {
    /// The fraction of used entries, in thousandths.
    pub permille: u32,
    /// The size, in bytes; 0 before the first search.
    pub bytes: u64,
}

/// The interface of an engine for front ends. Every call returns at once.
pub trait Thinker {
    /// Starts a job; no other job may be running.
    fn think(&mut self, job: Job);

    /// Makes what a job like this would need, so that it is there when one is asked for. Nothing that was
    /// learnt is given up for it, and no event follows. Engines that need nothing take no notice.
    fn get_ready(&mut self, _job: Job) {}

    /// Asks the running job, if any, to finish with its best result so far.
    fn stop(&mut self);

    /// Replaces the limits of time and depth of the running job, if any.
    fn set_limits(&mut self, limits: Limits);

    /// Replaces the settings; a running job keeps those it was started with.
    fn set_settings(&mut self, settings: Settings);

    /// Writes or reads the transposition table, after all earlier requests.
    fn table_file(&mut self, file: TableFile);

    /// Returns the usage of the transposition table, even while a job is running.
    fn table_usage(&self) -> TableUsage;

    /// Uses a database from the next job on, or none. Engines without databases take no notice.
    fn set_database(&mut self, _database: Option<UsedDatabase>) {}

    /// Opens games from a book from the next job on, or from none. Engines without books take no
    /// notice.
    fn set_book(&mut self, _book: Option<OpeningBook>) {}

    /// Forgets the results of earlier games, so that the next search is reproducible.
    fn new_game(&mut self);
}

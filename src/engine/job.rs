//! Jobs for the engine, and its answers.

use std::path::PathBuf;

use crate::eval::EvaluatorKind;
use crate::rules::Rule;
use crate::search::{BalanceTask, Limits, Mark, Report};
use crate::types::{Color, Point, Size};

/// A position as a manager describes it: stones in playing order where that is known.
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

/// The aim of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// One move.
    Move,
    /// One move, or the other colour after a single stone: the first stone of a game under swap1
    /// is chosen so that neither is better.
    Swap1,
    /// One move, after every legal move has been judged: which of them don't lose?
    Defend,
    /// One or two moves that make the position even.
    Balance(BalanceTask),
    /// The answer to a stage of swap2; the number of stones on the board is the stage: 0, 3 or 5.
    Swap2,
    /// The answer to a step of Soosõrv's opening.
    Soosorv(SoosorvStep),
}

/// A step of Soosõrv's opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SoosorvStep {
    /// Three stones on an empty board.
    Open,
    /// Whether to take black after three stones.
    SwapFirst,
    /// The fourth stone, and the number of fifths that black has to offer.
    Fourth,
    /// Whether to take white after four stones.
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
}

/// One request to think. Exactly one [`EventKind::Done`] with its `id` follows.
#[derive(Clone, Debug)]
pub struct Job {
    /// Chosen by the caller, unlike any earlier one.
    pub id: u64,
    /// The position.
    pub setup: Setup,
    /// The aim.
    pub task: Task,
    /// The time, nodes and depth allowed for it.
    pub limits: Limits,
    /// The moves to search and the lines to report.
    pub scope: Scope,
}

/// The moves of a position that are searched, and the lines that are reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The number of best lines wanted, at least 1.
    pub lines: usize,
    /// Whether moves that are equal by symmetry count as one.
    pub merge_symmetric: bool,
    /// Whether every empty cell is a candidate and not only those near a stone.
    pub whole_board: bool,
    /// The depth of the first iteration, in plies.
    pub start_depth: u32,
    /// Whether to send [`EventKind::Mark`]s.
    pub marks: bool,
    /// Moves left out at the root.
    pub blocked: Vec<Point>,
    /// Paths from the empty board whose last move is left out.
    pub blocked_paths: Vec<Vec<Point>>,
}

impl Default for Scope {
    /// The best move.
    fn default() -> Scope {
        Scope {
            lines: 1,
            merge_symmetric: false,
            whole_board: false,
            start_depth: 1,
            marks: false,
            blocked: Vec::new(),
            blocked_paths: Vec::new(),
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
    /// There is no move: the board is full.
    NoMove,
}

/// A message from the engine, while or after it works at a job.
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
    /// A file was written or read, or could not be; the text is for the user.
    File(Result<String, String>),
}

/// Settings that outlive a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The number of search threads, at least 1.
    pub threads: usize,
    /// The memory that the whole process may use, in bytes; `None` is unlimited.
    pub max_memory: Option<u64>,
    /// The largest transposition table wanted, in bytes, whatever `max_memory` would allow.
    pub hash_size: Option<u64>,
    /// The evaluator of positions at the leaves of a search.
    pub evaluator: EvaluatorKind,
}

/// A request to write or read a file of the transposition table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    /// Chosen by the caller, unlike that of any earlier one or job; [`EventKind::File`] has it.
    pub id: u64,
    /// The path of the file.
    pub path: PathBuf,
    /// Writing or reading.
    pub action: FileAction,
    /// The rule and the size of the games that the table is about.
    pub rule: Rule,
    /// See [`TableFile::rule`].
    pub size: Size,
}

/// The direction of a transfer between a table and a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileAction {
    /// Writes it.
    Save,
    /// Reads it.
    Load,
}

/// The use of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableUsage {
    /// The entries in use, in thousandths of all.
    pub permille: u32,
    /// The size, in bytes; 0 before the first search.
    pub bytes: u64,
}

/// An engine, as front ends see it. Every call returns at once.
pub trait Thinker {
    /// Starts a job; no other job is running.
    fn think(&mut self, job: Job);

    /// Asks the running job, if any, to finish with the best it has.
    fn stop(&mut self);

    /// Replaces the limits of the running job, if any.
    fn set_limits(&mut self, limits: Limits);

    /// Replaces the settings; a running job keeps those it was started with.
    fn set_settings(&mut self, settings: Settings);

    /// Writes or reads the transposition table, after what was asked for before.
    fn table_file(&mut self, file: TableFile);

    /// Returns the use of the transposition table, also while a job is running.
    fn table_usage(&self) -> TableUsage;

    /// Forgets everything learnt from earlier games: the next search repeats exactly.
    fn new_game(&mut self);
}

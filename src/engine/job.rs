//! What is asked of the engine and what it answers.

use crate::eval::EvaluatorKind;
use crate::rules::Rule;
use crate::search::{Limits, Report};
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

/// What the engine shall find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// One move.
    Move,
    /// The answer to a swap2 stage, told by the number of stones on the board: 0, 3 or 5.
    Swap2,
}

/// One request to think. Exactly one [`EventKind::Done`] with its `id` follows.
#[derive(Clone, Debug)]
pub struct Job {
    /// Chosen by the caller, unlike any earlier one.
    pub id: u64,
    /// The position.
    pub setup: Setup,
    /// What to find.
    pub task: Task,
    /// What may be used for it.
    pub limits: Limits,
}

/// The answer to a [`Job`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The moves to play: one for [`Task::Move`], one to three for [`Task::Swap2`].
    Moves(Vec<Point>),
    /// The engine takes the other colour.
    Swap,
    /// There is no move: the board is full.
    NoMove,
}

/// Something that the engine tells while or after it thinks.
#[derive(Clone, Debug)]
pub struct Event {
    /// The job it belongs to.
    pub id: u64,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of [`Event`].
#[derive(Clone, Debug)]
pub enum EventKind {
    /// An iteration is finished.
    Report(Report),
    /// The job is finished.
    Done(Answer),
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
    /// What judges positions at the leaves of a search.
    pub evaluator: EvaluatorKind,
}

/// What a front end needs of an engine. Every call returns at once.
pub trait Thinker {
    /// Starts a job; no other job is running.
    fn think(&mut self, job: Job);

    /// Asks the running job, if any, to finish with the best it has.
    fn stop(&mut self);

    /// Replaces the limits of the running job, if any.
    fn set_limits(&mut self, limits: Limits);

    /// Replaces the settings; a running job keeps those it was started with.
    fn set_settings(&mut self, settings: Settings);

    /// Forgets what was learnt from earlier games: the next search repeats exactly.
    fn new_game(&mut self);
}

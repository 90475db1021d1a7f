//! The real engine as a function from a position to its answer.

use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use tengen_core::board::Board;
use tengen_core::rules::Rule;
use tengen_core::search::time::TimeControl;
use tengen_core::search::{Limits, Report};
use tengen_core::types::{Cell, Color, Point, Score, Size};
use tengen_engine::engine::{
    Answer, Engine, Event, EventKind, FileAction, Job, Scope, Settings, Setup, Skill, TableFile,
    TableUsage, Task, Thinker,
};

/// Longer than any answer takes here.
const PATIENCE: Duration = Duration::from_secs(600);

/// An engine that is asked one thing after another.
pub(crate) struct Asked {
    engine: Engine,
    events: Receiver<Event>,
    jobs: u64,
}

/// The output of the engine.
pub(crate) struct Said {
    pub(crate) point: Point,
    /// The last report; there is none where the threats on the board leave no choice.
    pub(crate) report: Option<Report>,
}

impl Said {
    /// Returns the last score, if there was a search.
    pub(crate) fn score(&self) -> Option<Score> {
        self.report.as_ref().map(|report| report.lines[0].score)
    }
}

/// The limit for an answer.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) limits: Limits,
    pub(crate) analysis: bool,
}

/// Returns the effort of a move, or of an analysis, that ends after so many nodes, and so repeats
/// exactly.
pub(crate) fn nodes(nodes: u64, analysis: bool) -> Effort {
    Effort { limits: Limits { max_nodes: Some(nodes), ..Limits::none(Instant::now()) }, analysis }
}

/// Returns the effort of an analysis of a depth in plies.
pub(crate) fn depth(plies: u32) -> Effort {
    let limits = Limits { max_depth: Some(plies), ..Limits::none(Instant::now()) };
    Effort { limits, analysis: true }
}

/// Returns the effort of a move that may take so long.
pub(crate) fn clock(milliseconds: u64) -> Effort {
    let time = TimeControl::of_turn(Duration::from_millis(milliseconds));
    Effort { limits: Limits { time, ..Limits::none(Instant::now()) }, analysis: false }
}

/// Returns the set-up of a board, its stones in no particular order.
pub(crate) fn setup(rule: Rule, board: &Board, to_move: Color) -> Setup {
    let mut stones = Vec::new();
    let mut walls = Vec::new();
    for point in board.size().points() {
        match board.cell(point) {
            Cell::Stone(color) => stones.push((point, color)),
            Cell::Wall => walls.push(point),
            Cell::Empty => {}
        }
    }
    Setup { size: board.size(), rule, stones, walls, to_move }
}

impl Asked {
    /// Starts an engine.
    pub(crate) fn new(settings: Settings) -> Asked {
        Asked::with(Engine::new(), settings)
    }

    /// Changes the settings.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.engine.set_settings(settings);
    }

    /// Asks this engine.
    pub(crate) fn with(
        (mut engine, events): (Engine, Receiver<Event>),
        settings: Settings,
    ) -> Asked {
        engine.set_settings(settings);
        Asked { engine, events, jobs: 0 }
    }

    /// Forgets what was learnt.
    pub(crate) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Changes the settings.
    pub(crate) fn set_settings(&mut self, settings: Settings) {
        self.engine.set_settings(settings);
    }

    /// Asks for a move.
    pub(crate) fn ask(&mut self, setup: Setup, effort: Effort) -> Said {
        let (answer, report) = self.ask_for(setup, effort, Task::Move, Scope::default());
        match answer {
            Answer::Moves(points) if points.len() == 1 => Said { point: points[0], report },
            other => panic!("no move but {other:?}"),
        }
    }

    /// Asks for anything; returns the answer and the last report.
    pub(crate) fn ask_for(
        &mut self,
        setup: Setup,
        Effort { limits, analysis }: Effort,
        task: Task,
        scope: Scope,
    ) -> (Answer, Option<Report>) {
        self.jobs += 1;
        let id = self.jobs;
        let skill = Skill::default();
        self.engine.think(Job { id, setup, task, analysis, limits, scope, skill });
        let mut report = None;
        loop {
            let event = self.events.recv_timeout(PATIENCE).expect("the engine answers");
            assert_eq!(event.id, id, "an event of another job");
            match event.kind {
                EventKind::Mark(_)
                | EventKind::File(_)
                | EventKind::Finding(..)
                | EventKind::Unreadable(..)
                | EventKind::Book(_) => {}
                EventKind::Fault(text) => panic!("{text}"),
                EventKind::Report(new) => report = Some(new),
                EventKind::Done(answer) => return (answer, report),
            }
        }
    }

    /// Writes or reads the transposition table; returns the message to the user.
    pub(crate) fn table_file(&mut self, action: FileAction, path: &Path) -> Result<String, String> {
        self.jobs += 1;
        let id = self.jobs;
        let path = path.to_owned();
        let (rule, size) = (Rule::Freestyle, Size::DEFAULT);
        self.engine.table_file(TableFile { id, path, action, rule, size });
        let event = self.events.recv_timeout(PATIENCE).expect("the engine answers");
        assert_eq!(event.id, id, "an event of a job");
        match event.kind {
            EventKind::File(told) => told,
            other => panic!("no file but {other:?}"),
        }
    }

    /// Returns how full the table is.
    pub(crate) fn table_usage(&self) -> TableUsage {
        self.engine.table_usage()
    }
}

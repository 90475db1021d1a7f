//! The engine: the interface used by every front end.
//!
//! An [`Engine`] owns a searcher thread. Every call returns at once; reports and answers
//! arrive as [`Event`]s on the channel returned with the engine.

mod advisers;
mod book;
mod hash;
mod job;
mod known_moves;
mod known_positions;
mod learning;
mod level;
mod marks;
mod memory;
mod opening;
mod opening_choice;
mod question;
mod renju_opening;
mod searcher;
mod searches;
mod slot;

pub use book::{BookAnswer, BookValue, OpeningBook};
pub use job::{
    Answer, Event, EventKind, FileAction, Job, OpeningStep, Scope, Settings, Setup, TableFile,
    TableUsage, Task, Thinker,
};
pub use known_positions::KnownPositions;
pub use learning::{Finding, UsedDatabase};
pub use level::{Level, LevelError, Skill, chances};
pub use memory::{LEAST_MEMORY, evaluator_within, table_bytes, threads_within};
pub(crate) use question::position_of;
pub use renju_opening::MOST_FIFTHS;
pub(crate) use renju_opening::offered_fifths;
pub use slot::{JobEnd, JobSlot};

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};

use hash::SharedTable;
use searcher::{Message, Searcher};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::search::time::{MoveOverhead, TimeManager};
use tengen_core::search::{Limits, Params, SearchControl};

/// The handle of an engine. Dropping it stops the search and ends the searcher thread.
#[derive(Debug)]
pub struct Engine {
    messages: Sender<Message>,
    settings: Settings,
    running: Option<RunningJob>,
    move_overhead: Arc<Mutex<MoveOverhead>>,
    table: SharedTable,
}

/// The work of an engine without a thread of its own.
pub struct SearcherWork {
    searcher: Searcher,
    inbox: Receiver<Message>,
}

impl SearcherWork {
    /// Does the next thing that the engine was asked for, such as a search, to its end; returns whether there was
    /// any. The [turns](tengen_core::sys::turns) of the rest of the program come meanwhile.
    pub fn proceed(&mut self) -> bool {
        let Ok(message) = self.inbox.try_recv() else { return false };
        self.searcher.take(message, &|| !self.inbox.is_empty());
        true
    }
}

impl fmt::Debug for SearcherWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearcherWork({} waiting)", self.inbox.len())
    }
}

/// The data of the running job that new limits depend on.
#[derive(Debug)]
struct RunningJob {
    control: SearchControl,
    stones: usize,
    empties: usize,
    level: Level,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            max_memory: Some(350 << 20),
            hash_size: None,
            knows_memory: false,
            evaluator: EvaluatorKind::default(),
        }
    }
}

impl Engine {
    /// Starts an engine. Nothing large is allocated before the first job, or before one is expected.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    #[must_use]
    pub fn new() -> (Engine, Receiver<Event>) {
        Engine::with(Params::DEFAULT, Evaluators::shipped())
    }

    /// Starts an engine with these search parameters and evaluators.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    #[must_use]
    pub fn with(params: Params, evaluators: Evaluators) -> (Engine, Receiver<Event>) {
        let (engine, events, SearcherWork { searcher, inbox }) =
            Engine::without_thread(params, evaluators);
        std::thread::Builder::new()
            .name("searcher".into())
            .stack_size(tengen_core::search::STACK_BYTES)
            .spawn(move || searcher.run(&inbox))
            .expect("a thread for the search");
        (engine, events)
    }

    /// Makes an engine for a program that has one thread for everything: whoever has it does the work.
    #[must_use]
    pub fn without_thread(
        params: Params,
        evaluators: Evaluators,
    ) -> (Engine, Receiver<Event>, SearcherWork) {
        let (messages, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let move_overhead = Arc::new(Mutex::new(MoveOverhead::default()));
        let table = SharedTable::default();
        let (shared, observed) = (table.clone(), Arc::clone(&move_overhead));
        let searcher = Searcher::new(outbox, observed, shared, params, evaluators);
        let settings = Settings::default();
        let engine = Engine { messages, settings, running: None, move_overhead, table };
        (engine, events, SearcherWork { searcher, inbox })
    }

    /// Returns a job's control, and what it depends on.
    fn controlled(&self, job: &Job) -> RunningJob {
        let stones = job.setup.stones.len();
        let empties = job.setup.size.area() - stones - job.setup.walls.len();
        let limits = job.search_limits();
        let manager = self.manager(&limits, stones, empties);
        let control = SearchControl::new(&limits, manager);
        RunningJob { control, stones, empties, level: job.level() }
    }

    fn manager(&self, limits: &Limits, stones: usize, empties: usize) -> TimeManager {
        let move_overhead = *self.move_overhead.lock().unwrap_or_else(PoisonError::into_inner);
        TimeManager::new(limits, stones, empties, &move_overhead)
    }
}

impl Thinker for Engine {
    fn think(&mut self, job: Job) {
        let running = self.controlled(&job);
        let control = running.control.clone();
        self.running = Some(running);
        // The searcher lives as long as this handle, so the message always arrives.
        let _ = self.messages.send(Message::Think(Box::new(job), self.settings, control));
    }

    fn get_ready(&mut self, job: Job) {
        let control = self.controlled(&job).control;
        let _ = self.messages.send(Message::GetReady(Box::new(job), self.settings, control));
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.request_stop();
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        if let Some(running) = &self.running {
            let limits = running.level.within(limits);
            let manager = self.manager(&limits, running.stones, running.empties);
            running.control.set_limits(&limits, manager);
        }
    }

    fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    fn table_file(&mut self, file: TableFile) {
        let _ = self.messages.send(Message::File(file, self.settings));
    }

    fn table_usage(&self) -> TableUsage {
        self.table.usage()
    }

    fn set_database(&mut self, database: Option<UsedDatabase>) {
        let _ = self.messages.send(Message::Database(database));
    }

    fn set_book(&mut self, book: Option<OpeningBook>) {
        let _ = self.messages.send(Message::Book(book));
    }

    fn new_game(&mut self) {
        self.table.set(None);
        let _ = self.messages.send(Message::NewGame);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use tengen_core::rules::Rule;
    use tengen_core::types::{Color, Size};

    /// A question about three stones, limited by depth.
    fn question(id: u64, rule: Rule) -> Job {
        let size = Size::DEFAULT;
        let cells = [(7, 7, Color::Black), (8, 8, Color::White), (6, 9, Color::Black)];
        let stones = cells.map(|(x, y, color)| (size.point(x, y).unwrap(), color)).to_vec();
        let (walls, to_move) = (Vec::new(), Color::White);
        let limits = Limits { max_depth: Some(6), ..Limits::none(Instant::now()) };
        let setup = Setup { size, rule, stones, walls, to_move };
        let (scope, skill) = (Scope::default(), Skill::default());
        Job { id, setup, task: Task::Move, analysis: true, limits, scope, skill }
    }

    /// Front ends decide which reports to show.
    #[test]
    fn every_iteration_is_reported() {
        let (mut engine, events) = Engine::new();
        engine.think(question(1, Rule::Freestyle));
        let mut depths = Vec::new();
        for event in events {
            match event.kind {
                EventKind::Report(report) => depths.push(report.lines[0].depth),
                EventKind::Done(_) => break,
                EventKind::Mark(_)
                | EventKind::File(_)
                | EventKind::Finding(..)
                | EventKind::Unreadable(..)
                | EventKind::Book(_)
                | EventKind::Fault(_) => {}
            }
        }
        assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    }
}

//! The façade that every front end uses.
//!
//! Level 7. An [`Engine`] owns a searcher thread; every call returns at once, and what the
//! engine has to say arrives as [`Event`]s on the channel that came with it.

mod job;
mod memory;
mod opening;
mod searcher;
mod soosorv;

pub use job::{
    Answer, Event, EventKind, FileAction, Job, Scope, Settings, Setup, SoosorvStep, TableFile,
    TableUsage, Task, Thinker,
};
pub use memory::{LEAST_MEMORY, table_bytes, threads_within};
pub use soosorv::MOST_FIFTHS;

use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::eval::EvaluatorKind;
use crate::search::time::{Reserve, TimeManager};
use crate::search::{Control, Limits, Params, Table};
use searcher::{Message, Searcher};

/// The handle of an engine. Dropping it stops the search and ends the searcher thread.
#[derive(Debug)]
pub struct Engine {
    messages: Sender<Message>,
    settings: Settings,
    running: Option<Running>,
    reserve: Arc<Mutex<Reserve>>,
    table: SharedTable,
}

/// The transposition table, once there is one.
type SharedTable = Arc<Mutex<Option<Arc<Table>>>>;

/// What must be known of a job to change its limits while it runs.
#[derive(Debug)]
struct Running {
    control: Arc<Control>,
    stones: usize,
    empties: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            max_memory: Some(350 << 20),
            hash_size: None,
            evaluator: EvaluatorKind::Patterns,
        }
    }
}

impl Engine {
    /// Starts an engine. Nothing large is allocated before the first job.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    #[must_use]
    pub fn new() -> (Engine, Receiver<Event>) {
        Engine::with_params(Params::DEFAULT)
    }

    /// Starts an engine that searches with other numbers than the usual ones.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    #[must_use]
    pub fn with_params(params: Params) -> (Engine, Receiver<Event>) {
        let (messages, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let reserve = Arc::new(Mutex::new(Reserve::default()));
        let table = SharedTable::default();
        let searcher = Searcher::new(outbox, Arc::clone(&reserve), Arc::clone(&table), params);
        std::thread::Builder::new()
            .name("searcher".into())
            .stack_size(crate::search::STACK_BYTES)
            .spawn(move || searcher.run(&inbox))
            .expect("a thread for the search");
        let settings = Settings::default();
        let engine = Engine { messages, settings, running: None, reserve, table };
        (engine, events)
    }

    fn manager(&self, limits: &Limits, stones: usize, empties: usize) -> TimeManager {
        let reserve = *self.reserve.lock().unwrap_or_else(PoisonError::into_inner);
        TimeManager::new(limits, stones, empties, &reserve)
    }
}

impl Thinker for Engine {
    fn think(&mut self, job: Job) {
        let stones = job.setup.stones.len();
        let empties = job.setup.size.area() - stones - job.setup.walls.len();
        let manager = self.manager(&job.limits, stones, empties);
        let control = Arc::new(Control::new(&job.limits, manager));
        self.running = Some(Running { control: Arc::clone(&control), stones, empties });
        // The searcher lives as long as this handle, so the message arrives.
        let _ = self.messages.send(Message::Think(Box::new(job), self.settings, control));
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.request_stop();
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        if let Some(running) = &self.running {
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
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner).clone();
        table.map_or_else(TableUsage::default, |table| TableUsage {
            permille: table.usage(),
            bytes: table.bytes() as u64,
        })
    }

    fn new_game(&mut self) {
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.messages.send(Message::NewGame);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

//! The engine of games between people.

use tengen_core::search::Limits;
use tengen_engine::engine::{Job, Settings, TableFile, TableUsage, Thinker};

/// No engine: nobody asks it anything where people play with each other.
#[derive(Clone, Copy, Debug)]
pub struct NoEngine;

impl Thinker for NoEngine {
    fn think(&mut self, _job: Job) {
        debug_assert!(false, "nobody is there to think");
    }

    fn stop(&mut self) {}

    fn set_limits(&mut self, _limits: Limits) {}

    fn set_settings(&mut self, _settings: Settings) {}

    fn table_file(&mut self, _file: TableFile) {}

    fn table_usage(&self) -> TableUsage {
        TableUsage::default()
    }

    fn new_game(&mut self) {}
}

//! Allocation of what searches need: threads, evaluators and a table, within the available memory.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::{Searcher, plays_weakly, position_of};
use crate::engine::memory::{
    evaluator_within, rule_bytes, search_bytes, table_bytes, threads_within, useful_threads,
};
use crate::engine::{Job, Settings};
use tengen_core::eval::EvaluatorKind;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{SearchControl, TranspositionTable};
use tengen_core::sys::memory::{AllocError, Reserve};
use tengen_core::sys::panics;

/// The search time from which large pages pay off.
const LARGE_PAGES_FROM: Duration = Duration::from_secs(3);
/// The node limit from which large pages pay off.
const LARGE_PAGES_FROM_NODES: u64 = 2_000_000;

impl Searcher {
    /// Makes what a search for this job would need, until something else is `wanted`. What that would make
    /// the engine forget is left to the search.
    pub(super) fn get_ready(
        &mut self,
        job: &Job,
        settings: Settings,
        control: &SearchControl,
        wanted: &dyn Fn() -> bool,
    ) {
        let is_other = settings.evaluator != self.settings.evaluator
            || table_bytes(&settings) != self.table_bytes;
        if plays_weakly(job) || self.has_learnt && is_other {
            return;
        }
        self.adopt(settings);
        let rule = job.setup.rule;
        // Where there is too little, the search finds out what to do without.
        if self.room(rule).is_err() {
            return;
        }
        let made = panics::catch(|| {
            let position = position_of(&job.setup);
            self.ready = Some(rule);
            self.make_evaluator(rule);
            let threads = self.threads(control);
            for number in 1..=threads {
                if wanted() {
                    return;
                }
                self.pool.prepare(number, &position);
            }
            self.make_table(threads);
        });
        if made.is_err() {
            // The search meets it again, and tells.
            self.drop_search();
        }
    }

    /// Makes the evaluators and the table for a search at full strength; returns the number of its threads.
    pub(super) fn prepare(
        &mut self,
        job: &Job,
        position: &Position,
        control: &SearchControl,
    ) -> usize {
        self.make_evaluator(job.setup.rule);
        let threads = self.threads(control);
        self.pool.prepare(threads, position);
        self.make_table(threads);
        if let Some(table) = &self.table
            && control.budget().maximum.is_none_or(|time| time >= LARGE_PAGES_FROM)
            && job.limits.max_nodes.is_none_or(|nodes| nodes >= LARGE_PAGES_FROM_NODES)
        {
            table.prefer_large_pages();
        }
        threads
    }

    /// Makes the evaluator of the settings for a rule, unless it is there.
    fn make_evaluator(&mut self, rule: Rule) {
        let judging = (evaluator_within(&self.settings), rule);
        if self.judging != Some(judging) {
            self.judging = Some(judging);
            self.pool.set_evaluator(self.evaluators.make(judging.0, judging.1));
            #[cfg(test)]
            {
                self.evaluators_made += 1;
            }
        }
    }

    /// Returns the number of threads of a search under this control.
    fn threads(&mut self, control: &SearchControl) -> usize {
        let within = threads_within(&self.settings);
        // Where fewer are allowed than before, the others keep nothing from the table.
        self.pool.shrink(within);
        let mut threads = within.min(useful_threads(control.budget().maximum));
        while threads > self.pool.prepared().max(1) && Reserve::new(self.needs(threads)).is_err() {
            threads /= 2;
        }
        threads
    }

    /// Returns the address space that a search with so many threads needs besides the table, in bytes.
    fn needs(&self, threads: usize) -> usize {
        let has_database = self.database.is_some() || self.book.is_some();
        search_bytes(&self.settings, threads, self.pool.prepared(), has_database)
    }

    /// Makes sure that there is memory for a search with one thread and for the tables of its rule, if
    /// need be without the table of earlier searches or without a network.
    pub(super) fn make_room(&mut self, rule: Rule) -> Result<(), AllocError> {
        let mut room = self.room(rule);
        if room.is_err() && self.table.is_some() {
            self.set_table(None);
            room = self.room(rule);
        }
        if room.is_err() {
            self.settings.evaluator = EvaluatorKind::Patterns;
            room = self.room(rule);
        }
        self.ready = room.is_ok().then_some(rule);
        room
    }

    fn room(&self, rule: Rule) -> Result<(), AllocError> {
        let tables = if self.ready == Some(rule) { 0 } else { rule_bytes(&self.settings) };
        Reserve::new(tables + search_bytes(&self.settings, 1, 1, false)).map(drop)
    }

    /// Makes the table requested by the settings, or a smaller one if memory is short: so many threads
    /// find what they need beside it.
    pub(super) fn make_table(&mut self, threads: usize) {
        let wanted = table_bytes(&self.settings);
        if self.table.is_some() && self.table_bytes == wanted {
            return;
        }
        self.set_table(None);
        self.table_bytes = wanted;
        let mut bytes = wanted;
        while self.table.is_none() {
            let reserve = Reserve::new(self.needs(threads));
            // A table of no bytes is one as well.
            if reserve.is_ok() || bytes == 0 {
                self.set_table(TranspositionTable::new(bytes).ok());
            }
            bytes /= 2;
        }
    }

    pub(super) fn set_table(&mut self, table: Option<TranspositionTable>) {
        self.table = table.map(Arc::new);
        self.has_learnt = false;
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&self.table);
    }

    /// Gives up what searches keep: the next one makes an evaluator for every thread, and a table.
    pub(super) fn drop_search(&mut self) {
        self.pool.clear();
        self.judging = None;
        self.set_table(None);
    }
}

//! Searches that a number of nodes or a depth ends, never a clock.

use std::time::Instant;

use super::limits::{ClockSettings, Limits};
use super::options::Options;
use super::pool::{Pool, SearchRequest, SearchResult};
use super::time::{MoveOverhead, TimeManager};
use super::{Balance, BalanceTask, SearchControl, TranspositionTable};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::sys::memory::AllocError;

/// A search on the calling thread without a clock, with a transposition table of its own: with one
/// thread the answer depends on the question and on what was asked since [`BoundedSearch::forget`],
/// on nothing else.
///
/// The calling thread needs a stack of [`STACK_BYTES`](super::STACK_BYTES).
#[derive(Debug)]
pub struct BoundedSearch<E = Box<dyn Evaluator>> {
    pool: Pool<E>,
    table: TranspositionTable,
    /// Whether nothing was searched since everything was forgotten.
    is_fresh: bool,
}

impl<E: Evaluator + Clone> BoundedSearch<E> {
    /// Makes a search that judges positions by clones of an evaluator, with a table of this size.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(evaluator: E, table_bytes: usize) -> Result<BoundedSearch<E>, AllocError> {
        let (pool, table) = (Pool::new(evaluator), TranspositionTable::new(table_bytes)?);
        Ok(BoundedSearch { pool, table, is_fresh: true })
    }

    /// Forgets all that earlier searches found.
    pub fn forget(&mut self) {
        if !self.is_fresh {
            self.pool.clear();
            self.table.clear(1);
            self.is_fresh = true;
        }
    }

    /// Judges positions by another evaluator from now on, for which nothing may be remembered.
    pub fn set_evaluator(&mut self, evaluator: E) {
        self.forget();
        self.pool.set_evaluator(evaluator);
    }

    /// Returns the evaluator of the main thread.
    pub fn evaluator(&mut self) -> &mut E {
        self.pool.evaluator()
    }

    /// Searches a position until `options.max_nodes` nodes or `max_depth` plies are searched, or all
    /// is known.
    ///
    /// Returns `None` if there is no empty cell.
    pub fn search(
        &mut self,
        position: &Position,
        max_depth: Option<u32>,
        options: Options<'_>,
    ) -> Option<SearchResult> {
        self.is_fresh = false;
        let control = SearchControl::bounded(position, max_depth, options.max_nodes);
        let request = SearchRequest { position, table: &self.table, control: &control, options };
        self.pool.search(&request, |_| {})
    }

    /// Finds moves that balance a position within `options.max_nodes` nodes.
    ///
    /// Returns `None` if there are not enough legal moves that don't end the game.
    pub fn balance(
        &mut self,
        position: &Position,
        task: BalanceTask,
        options: Options<'_>,
    ) -> Option<Balance> {
        self.is_fresh = false;
        let control = SearchControl::bounded(position, None, options.max_nodes);
        let request = SearchRequest { position, table: &self.table, control: &control, options };
        self.pool.balance(&request, task, |_| {})
    }
}

impl SearchControl {
    /// Makes the control of a search that ends by depth and nodes alone.
    #[must_use]
    pub fn bounded(
        position: &Position,
        max_depth: Option<u32>,
        max_nodes: Option<u64>,
    ) -> SearchControl {
        let clock = ClockSettings::default();
        let limits = Limits { clock, start: Instant::now(), max_depth, max_nodes, infinite: true };
        let (stones, empties) = (position.played(), position.empty_cells());
        let manager = TimeManager::new(&limits, stones, empties, &MoveOverhead::default());
        SearchControl::new(&limits, manager)
    }
}

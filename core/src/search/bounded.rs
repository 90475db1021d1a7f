//! Searches without a game clock: limited by nodes, depth or time.

use std::time::{Duration, Instant};

use super::limits::Limits;
use super::options::Options;
use super::pool::{Pool, SearchRequest, SearchResult};
use super::report::Variation;
use super::time::{MoveOverhead, TimeControl, TimeManager};
use super::{Balance, BalanceTask, SearchControl, TranspositionTable};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::sys::memory::AllocError;

/// A search on the calling thread with its own transposition table. With one thread, and without a
/// limit of time, the answer depends only on the request and on the requests since
/// [`BoundedSearch::forget`].
///
/// The calling thread needs a stack of [`STACK_BYTES`](super::STACK_BYTES).
///
/// ```
/// use tengen_core::eval::{EvaluatorKind, Evaluators};
/// use tengen_core::notation::parse_moves;
/// use tengen_core::position::Position;
/// use tengen_core::rules::Rule;
/// use tengen_core::search::{BoundedSearch, Options};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// for point in parse_moves("f8a1g8a3h8a5", size)? {
///     position.play(point)?;
/// }
/// let evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, Rule::Freestyle);
/// let mut search = BoundedSearch::new(evaluator, 1 << 20)?;
/// let result = search.search(&position, Some(4), None, Options::default()).unwrap();
/// assert!(result.score.is_win());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoundedSearch<E = Box<dyn Evaluator>> {
    pool: Pool<E>,
    table: TranspositionTable,
    /// True if nothing was searched since the last reset.
    is_fresh: bool,
}

impl<E: Evaluator + Clone> BoundedSearch<E> {
    /// Makes a search that evaluates positions with clones of an evaluator and has a table of this
    /// size.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(evaluator: E, table_bytes: usize) -> Result<BoundedSearch<E>, AllocError> {
        let (pool, table) = (Pool::new(evaluator), TranspositionTable::new(table_bytes)?);
        // No answer is due to the millisecond here. Of a small page the first read finds zeros that
        // all new pages share, and the first write then copies them, which interrupts all threads.
        table.prefer_large_pages();
        Ok(BoundedSearch { pool, table, is_fresh: true })
    }

    /// Forgets the results of all earlier searches.
    pub fn forget(&mut self) {
        if !self.is_fresh {
            self.pool.clear();
            self.table.clear(1);
            self.is_fresh = true;
        }
    }

    /// Replaces the evaluator and forgets the results of the old one.
    pub fn set_evaluator(&mut self, evaluator: E) {
        self.forget();
        self.pool.set_evaluator(evaluator);
    }

    /// Returns the evaluator of the main thread.
    pub fn evaluator(&mut self) -> &mut E {
        self.pool.evaluator()
    }

    /// Searches a position up to `max_depth` plies or `max_nodes` nodes, or until the result is
    /// certain.
    ///
    /// Returns `None` if there is no empty cell.
    pub fn search(
        &mut self,
        position: &Position,
        max_depth: Option<u32>,
        max_nodes: Option<u64>,
        options: Options<'_>,
    ) -> Option<SearchResult> {
        let control = SearchControl::bounded(position, max_depth, max_nodes);
        self.search_under(position, &control, options)
    }

    /// Searches a position until its control stops it.
    ///
    /// Returns `None` if there is no empty cell.
    pub fn search_under(
        &mut self,
        position: &Position,
        control: &SearchControl,
        options: Options<'_>,
    ) -> Option<SearchResult> {
        self.is_fresh = false;
        let request = SearchRequest { position, table: &self.table, control, options };
        self.pool.search(&request, |_| {})
    }

    /// Searches a position until its control stops it, and returns the best lines, best first: as
    /// many as `options.lines`, or as there are moves.
    ///
    /// There is none if there is no empty cell.
    pub fn lines_under(
        &mut self,
        position: &Position,
        control: &SearchControl,
        options: Options<'_>,
    ) -> Vec<Variation> {
        self.is_fresh = false;
        let request = SearchRequest { position, table: &self.table, control, options };
        let mut lines = Vec::new();
        self.pool.search(&request, |report| lines = report.lines);
        lines
    }

    /// Finds moves that balance a position within `max_nodes` nodes.
    ///
    /// Returns `None` if there are not enough legal moves that don't end the game.
    pub fn balance(
        &mut self,
        position: &Position,
        task: BalanceTask,
        max_nodes: u64,
        options: Options<'_>,
    ) -> Option<Balance> {
        self.is_fresh = false;
        let control = SearchControl::bounded(position, None, Some(max_nodes));
        let request = SearchRequest { position, table: &self.table, control: &control, options };
        self.pool.balance(&request, task, |_| {})
    }
}

impl SearchControl {
    /// Makes the control of a search that is limited by depth and nodes alone.
    #[must_use]
    pub fn bounded(
        position: &Position,
        max_depth: Option<u32>,
        max_nodes: Option<u64>,
    ) -> SearchControl {
        let limits = Limits { max_depth, max_nodes, ..Limits::none(Instant::now()) };
        SearchControl::within(position, &limits)
    }

    /// Makes the control of a search that takes this time from now on, or less if its result is
    /// certain before.
    #[must_use]
    pub fn for_time(position: &Position, time: Duration) -> SearchControl {
        // No time at all would mean the fastest move.
        let time = TimeControl::of_turn(time.max(Duration::from_millis(1)));
        let limits = Limits { time, ..Limits::none(Instant::now()) };
        SearchControl::within(position, &limits)
    }

    fn within(position: &Position, limits: &Limits) -> SearchControl {
        let (stones, empties) = (position.played(), position.empty_cells());
        let manager = TimeManager::new(limits, stones, empties, &MoveOverhead::default());
        SearchControl::new(limits, manager)
    }
}

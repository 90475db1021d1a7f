//! The searches for answers, and the allocation of what they need: threads, evaluators and a table, within
//! the available memory.

use std::cell::Cell;
use std::path::PathBuf;
#[cfg(test)]
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::hash::{HashTable, SharedTable, identity};
use super::known_moves::KnownMoves;
use super::known_positions::KnownPositions;
use super::learning::Finding;
use super::marks::MarkFilter;
use super::memory::{
    evaluator_within, rule_bytes, search_bytes, table_bytes, threads_within, useful_threads,
};
use super::question::{AdviserQuestion, Trial, blocks_of, position_of};
use super::{Event, EventKind, FileAction, Job, Settings, TableFile, Task};
use crate::machine::has_plenty;
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, WinModel};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
#[cfg(test)]
use tengen_core::search::TranspositionTable;
use tengen_core::search::{
    Balance, BalanceTask, Options, Params, Pool, Report, SearchControl, SearchRequest, SearchResult,
};
use tengen_core::sys::memory::{AllocError, Reserve};
use tengen_core::sys::panics;
use tengen_core::types::{Point, Size};

/// Returns the longest time of a search for this job; none if other limits end it soon.
fn longest_time(job: &Job, control: &SearchControl) -> Duration {
    const NODES: u64 = 2_000_000;
    const DEPTH: u32 = 16;
    let is_short = job.limits.max_nodes.is_some_and(|nodes| nodes < NODES)
        || job.limits.max_depth.is_some_and(|depth| depth < DEPTH);
    if is_short { Duration::ZERO } else { control.budget().maximum.unwrap_or(Duration::MAX) }
}

/// Returns whether a search of this time makes use of memory that is resident before it begins.
const fn uses_much_memory(time: Duration) -> bool {
    time.as_millis() >= 800
}

/// The allocations of searches, by identity.
#[cfg(test)]
#[derive(PartialEq, Debug)]
pub(super) struct SearchAllocations {
    pub(super) evaluators: usize,
    pub(super) threads: usize,
    pub(super) prepared: usize,
    pub(super) table: Option<*const TranspositionTable>,
}

/// The means and the memory of searches.
pub(super) struct Searches {
    events: Sender<Event>,
    evaluators: Evaluators,
    pool: Pool,
    /// The evaluator of the pool; none of these if it was last used for a level below the full one.
    judging: Option<(EvaluatorKind, Rule)>,
    hash: HashTable,
    settings: Settings,
    params: Params,
    /// True if there is a database or a book, which need memory as well.
    has_files: bool,
    /// True once a question was answered: who speaks of memory has done so by then.
    has_searched: bool,
    /// The rule and size of the game that was learnt of, if there is one: keys of positions know neither.
    learnt_of: Option<(Rule, Size)>,
    /// The best move that the running search has reported.
    best_so_far: Option<Point>,
    /// The evaluator and the rule for which there was room.
    ready: Option<(EvaluatorKind, Rule)>,
    #[cfg(test)]
    evaluators_made: usize,
}

impl Searches {
    /// Returns the searches of an engine before its first job, which send their reports there.
    pub(super) fn new(
        events: Sender<Event>,
        shared: SharedTable,
        params: Params,
        evaluators: Evaluators,
    ) -> Searches {
        // The first job brings its own; a network would take time to unpack.
        let (kind, rule) = (EvaluatorKind::Patterns, Rule::Freestyle);
        Searches {
            events,
            pool: Pool::new(evaluators.make(kind, rule)),
            evaluators,
            judging: Some((kind, rule)),
            hash: HashTable::new(shared),
            settings: Settings::default(),
            params,
            has_files: false,
            has_searched: false,
            learnt_of: None,
            best_so_far: None,
            ready: None,
            #[cfg(test)]
            evaluators_made: 0,
        }
    }

    /// Returns a job as a question, with what a database knows, and makes what its searches need. The
    /// database at `learner` is told what they find.
    pub(super) fn question<'a>(
        &mut self,
        job: &'a Job,
        control: &'a SearchControl,
        known: Option<&'a KnownPositions>,
        learner: Option<PathBuf>,
    ) -> AdviserQuestion<'a> {
        let mut position = position_of(&job.setup);
        self.learn_of(position.rule(), position.size());
        let known_moves = KnownMoves::of(job, known, &mut position);
        let blocks = blocks_of(job, &known_moves);
        let searches_itself = job.task == Task::Move && job.plays_weakly() && blocks.is_none();
        let threads = if searches_itself { 1 } else { self.prepare(job, &position, control) };
        let (params, varied) = (self.params, job.is_varied());
        AdviserQuestion {
            job,
            position,
            control,
            known,
            known_moves,
            learner,
            blocks,
            params,
            threads,
            varied,
        }
    }

    /// Applies the settings of a request.
    pub(super) fn adopt(&mut self, settings: Settings) {
        if self.is_other_evaluator(&settings) {
            // Results of another evaluator must not be mixed with its own.
            self.forget();
        }
        self.settings = settings;
    }

    /// Returns whether these settings judge with another evaluator: memory decides about it as well.
    fn is_other_evaluator(&self, settings: &Settings) -> bool {
        evaluator_within(settings) != evaluator_within(&self.settings)
    }

    /// Begins to learn of a game, and forgets those of another rule or size.
    fn learn_of(&mut self, rule: Rule, size: Size) {
        if self.learnt_of.is_some_and(|game| game != (rule, size)) {
            self.forget();
        }
        self.learnt_of = Some((rule, size));
    }

    /// Forgets earlier games.
    pub(super) fn forget(&mut self) {
        self.learnt_of = None;
        self.pool.clear();
        // A new table is zero without being touched; clearing the old one would touch it.
        self.hash.forget();
    }

    /// Notes whether there is a database or a book, which need memory as well.
    pub(super) fn set_files(&mut self, has_files: bool) {
        self.has_files = has_files;
    }

    /// Begins with a job, of which no best move is known.
    pub(super) fn begin(&mut self) {
        self.best_so_far = None;
    }

    /// Takes the best move that the search has reported.
    pub(super) fn take_best(&mut self) -> Option<Point> {
        self.best_so_far.take()
    }

    /// Sends an event of a job.
    pub(super) fn send(&self, id: u64, kind: EventKind) {
        // If nobody receives it, the process is about to end.
        let _ = self.events.send(Event { id, kind });
    }

    /// Sends the finding of a search, if there is a database to write it down.
    pub(super) fn send_finding(&self, question: &AdviserQuestion<'_>, result: &SearchResult) {
        let Some(learner) = &question.learner else { return };
        if let Some(finding) = Finding::of(&question.position, result) {
            self.send(question.job.id, EventKind::Finding(learner.clone(), Box::new(finding)));
        }
    }

    /// Returns the win model of a position, by the evaluator of the settings.
    pub(super) fn win_model(&self, position: &Position) -> WinModel {
        let (kind, rule) = self.judge(position.rule());
        let mut evaluator = self.evaluators.make(kind, rule);
        evaluator.reset(position);
        evaluator.win_model(position)
    }

    /// Writes or reads the table; returns the message for the user.
    pub(super) fn table_file(&mut self, file: &TableFile) -> Result<String, String> {
        let kind = evaluator_within(&self.settings);
        let evaluator = self.evaluators.make(kind, file.rule);
        let identity = identity(file, kind, evaluator.identity());
        match file.action {
            FileAction::Save => {
                // Another size that was asked for meanwhile is for the next search.
                if !self.hash.has_learnt() {
                    self.make_table(1);
                }
                self.hash.save(file, identity)
            }
            FileAction::Load => {
                self.learn_of(file.rule, file.size);
                self.hash.load(file, identity, table_bytes(&self.settings))
            }
        }
    }

    /// Gives the pool to a search with another evaluator than that of the settings: with nothing learnt, and
    /// of which nothing is kept.
    pub(super) fn with_evaluator<T>(
        &mut self,
        rule: Rule,
        wrap: impl FnOnce(Box<dyn Evaluator>) -> Box<dyn Evaluator>,
        search: impl FnOnce(&mut Pool) -> T,
    ) -> T {
        let inner = self.evaluators.make(evaluator_within(&self.settings), rule);
        self.pool.set_evaluator(wrap(inner));
        self.pool.clear();
        // Neither is for the search of another job.
        self.judging = None;
        let found = search(&mut self.pool);
        self.pool.clear();
        found
    }

    /// Returns the size of the table, if there is one.
    #[cfg(test)]
    pub(super) fn table_bytes(&self) -> Option<usize> {
        self.hash.table().map(|table| table.bytes())
    }

    /// Returns whether the memory of the table is known to be resident.
    #[cfg(test)]
    pub(super) fn has_resident_table(&self) -> bool {
        self.hash.table().is_some() && self.hash.bytes_not_resident() == 0
    }

    /// Returns the allocations made so far.
    #[cfg(test)]
    pub(super) fn made(&self) -> SearchAllocations {
        SearchAllocations {
            evaluators: self.evaluators_made,
            threads: self.pool.helpers(),
            prepared: self.pool.prepared(),
            table: self.hash.table().map(Arc::as_ptr),
        }
    }

    /// Returns the evaluator of the first thread, as the last search has left it.
    pub(super) fn evaluator(&mut self) -> &mut dyn Evaluator {
        self.pool.evaluator()
    }

    /// Makes what a search for this job would need, until something else is `wanted`. What that would make
    /// the engine forget is left to the search.
    pub(super) fn get_ready(
        &mut self,
        job: &Job,
        settings: Settings,
        control: &SearchControl,
        wanted: &dyn Fn() -> bool,
    ) {
        /// The parts of a table that become resident between two looks at how much memory is left.
        const PARTS: u32 = 32;
        let is_other =
            self.is_other_evaluator(&settings) || !self.hash.is_of(table_bytes(&settings));
        if job.plays_weakly() || self.hash.has_learnt() && is_other {
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
            self.ready = Some(self.judge(rule));
            self.make_evaluator(rule);
            let threads = self.threads(control);
            for number in 1..=threads {
                if wanted() {
                    return;
                }
                self.pool.prepare(number, &position);
            }
            self.make_table(threads);
            // Nobody may have said yet how much memory there is.
            let is_known = self.settings.knows_memory || self.has_searched;
            if is_known && uses_much_memory(longest_time(job, control)) {
                let looks = Cell::new(0_u32);
                let is_short =
                    || looks.replace(looks.get() + 1).is_multiple_of(PARTS) && !has_plenty();
                self.hash.make_resident(&|| wanted() || is_short());
            }
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
        self.has_searched = true;
        self.prefer_large_pages(longest_time(job, control));
        threads
    }

    /// Has large pages for the table of a search of this time, as far as it can bear their first touches.
    ///
    /// Those of 300 MiB take 30 ms, but 650 ms in a virtual machine whose host has yet to find the memory, and almost
    /// every node of a search would touch another one. Small pages are found faster, one at a time.
    fn prefer_large_pages(&mut self, time: Duration) {
        const MOST: Duration = Duration::from_millis(100);
        const BYTES_A_MS: u128 = 100 << 10;
        if !uses_much_memory(time) {
            return;
        }
        let begun = Instant::now();
        self.hash.make_resident(&|| begun.elapsed() >= MOST.min(time / 20));
        let rest = self.hash.bytes_not_resident() as u128;
        if let Some(table) = self.hash.table().filter(|_| rest / BYTES_A_MS <= time.as_millis()) {
            table.prefer_large_pages();
        }
    }

    /// Makes the evaluator of the settings for a rule, unless it is there.
    fn make_evaluator(&mut self, rule: Rule) {
        let judging = self.judge(rule);
        if self.judging != Some(judging) {
            self.judging = Some(judging);
            self.pool.set_evaluator(self.evaluators.make(judging.0, judging.1));
            #[cfg(test)]
            {
                self.evaluators_made += 1;
            }
        }
    }

    /// Returns the evaluator of the settings for a rule.
    fn judge(&self, rule: Rule) -> (EvaluatorKind, Rule) {
        (evaluator_within(&self.settings), rule)
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
        search_bytes(&self.settings, threads, self.pool.prepared(), self.has_files)
    }

    /// Makes sure that there is memory for a search with one thread and for the tables of its rule, if
    /// need be without the table of earlier searches or without a network.
    pub(super) fn make_room(&mut self, rule: Rule) -> Result<(), AllocError> {
        let mut room = self.room(rule);
        if room.is_err() && self.hash.table().is_some() {
            self.hash.drop_table();
            room = self.room(rule);
        }
        if room.is_err() {
            self.settings.evaluator = EvaluatorKind::Patterns;
            room = self.room(rule);
        }
        self.ready = room.is_ok().then_some(self.judge(rule));
        room
    }

    fn room(&self, rule: Rule) -> Result<(), AllocError> {
        let tables =
            if self.ready == Some(self.judge(rule)) { 0 } else { rule_bytes(&self.settings) };
        Reserve::new(tables + search_bytes(&self.settings, 1, 1, false)).map(drop)
    }

    /// Makes the table requested by the settings, or a smaller one if memory is short: so many threads
    /// find what they need beside it.
    fn make_table(&mut self, threads: usize) {
        let needs = self.needs(threads);
        self.hash.make(table_bytes(&self.settings), needs);
    }

    /// Gives up what searches keep: the next one makes an evaluator for every thread, and a table.
    pub(super) fn drop_search(&mut self) {
        self.pool.clear();
        self.judging = None;
        self.hash.drop_table();
    }

    /// Makes one of the searches for an answer; `keep` gets every report, whether or not it is also sent
    /// out.
    pub(super) fn search(
        &mut self,
        question: &AdviserQuestion<'_>,
        Trial { position, control, options }: Trial<'_>,
        tell: bool,
        mut keep: impl FnMut(&Report),
    ) -> Option<SearchResult> {
        let table = self.hash.lend_to_learn()?;
        let (events, id) = (&self.events, question.job.id);
        let marks = Mutex::new(MarkFilter::new());
        let mark = |mark| {
            let mut filter = marks.lock().unwrap_or_else(PoisonError::into_inner);
            if filter.is_wanted(mark, Instant::now()) {
                let _ = events.send(Event { id, kind: EventKind::Mark(mark) });
            }
        };
        let options =
            Options { marks: (tell && question.job.scope.marks).then_some(&mark as _), ..options };
        let best_so_far = &mut self.best_so_far;
        let report = |report: Report| {
            keep(&report);
            if tell {
                *best_so_far = report.lines.first().and_then(|line| line.pv.first()).copied();
                // If nobody receives it, the process is about to end.
                let _ = events.send(Event { id, kind: EventKind::Report(report) });
            }
        };
        self.pool.search(&SearchRequest { position, table: &table, control, options }, report)
    }

    /// Finds moves that balance the position of a question, and sends reports about it.
    pub(super) fn balance(
        &mut self,
        question: &AdviserQuestion<'_>,
        task: BalanceTask,
    ) -> Option<Balance> {
        let table = self.hash.lend_to_learn()?;
        let (events, id) = (&self.events, question.job.id);
        let report = |report| {
            let _ = events.send(Event { id, kind: EventKind::Report(report) });
        };
        let Trial { position, control, options } = question.whole(question.options());
        let request = SearchRequest { position, table: &table, control, options };
        self.pool.balance(&request, task, report)
    }
}

//! The thread that searches.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use super::memory::table_bytes;
use super::opening;
use super::{Answer, Event, EventKind, Job, Settings, Setup, Task};
use crate::board::Board;
use crate::eval::{EvaluatorKind, PatternEvaluator, ShapeEvaluator, TupleEvaluator};
use crate::position::Position;
use crate::search::time::Reserve;
use crate::search::{Control, Options, Pool, Report, SearchResult, Table};
use crate::types::Point;

/// How often reports are passed on at most; managers draw every one.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// The time from which a search is long enough for large pages to pay.
const LARGE_PAGES_FROM: Duration = Duration::from_secs(3);
/// How often a finished analysis without end looks whether it has been stopped.
const IDLE_INTERVAL: Duration = Duration::from_millis(1);

/// What the handle of an engine tells its searcher.
#[derive(Debug)]
pub(super) enum Message {
    /// Do this job.
    Think(Box<Job>, Settings, Arc<Control>),
    /// Forget what was learnt.
    NewGame,
}

/// Everything that a search needs and that outlives it.
pub(super) struct Searcher {
    events: Sender<Event>,
    reserve: Arc<Mutex<Reserve>>,
    pool: Pool,
    table: Option<Table>,
    /// The size that was asked for, which is larger than the table if memory was short.
    table_bytes: usize,
    settings: Settings,
}

impl Searcher {
    pub(super) fn new(events: Sender<Event>, reserve: Arc<Mutex<Reserve>>) -> Searcher {
        Searcher {
            events,
            reserve,
            pool: Pool::new(),
            table: None,
            table_bytes: 0,
            settings: Settings::default(),
        }
    }

    /// Does jobs until the handle of the engine is gone.
    pub(super) fn run(mut self, inbox: &Receiver<Message>) {
        for message in inbox {
            match message {
                Message::NewGame => {
                    self.pool.clear();
                    // A new table is zero without being touched; clearing the old would touch it.
                    self.table = None;
                }
                Message::Think(job, settings, control) => {
                    if settings.evaluator != self.settings.evaluator {
                        // What another evaluator thought of positions would be taken for its own.
                        self.pool.clear();
                        self.table = None;
                    }
                    self.settings = settings;
                    let answer = self.think(&job, &control);
                    let observed = control.elapsed();
                    self.reserve
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .observe(control.budget().hard, observed);
                    let done = Event { id: job.id, kind: EventKind::Done(answer) };
                    if self.events.send(done).is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn think(&mut self, job: &Job, control: &Control) -> Answer {
        self.make_table();
        if let Some(table) = &self.table
            && control.budget().hard.is_none_or(|hard| hard >= LARGE_PAGES_FROM)
        {
            table.prefer_large_pages();
        }
        let position = position_of(&job.setup);
        let varied = job.limits.max_nodes.is_none() && job.limits.max_depth.is_none();
        let answer = match job.task {
            Task::Move => self.choose(job, &position, control, varied),
            Task::Swap2 => self.answer_swap2(job, &position, control, varied),
        };
        // An analysis without end is ended by its user, even if nothing is left to find.
        while job.limits.infinite && control.budget().hard.is_none() && !control.is_stopped() {
            if job.limits.max_nodes.is_some() || job.limits.max_depth.is_some() {
                break;
            }
            std::thread::sleep(IDLE_INTERVAL);
        }
        answer
    }

    fn choose(
        &mut self,
        job: &Job,
        position: &Position,
        control: &Control,
        varied: bool,
    ) -> Answer {
        if !job.limits.infinite
            && let Some(point) = opening::book_move(position, varied)
        {
            return Answer::Moves(vec![point]);
        }
        let options = self.options(job, !job.limits.infinite);
        match self.search(job.id, position, control, options, true) {
            Some(result) => Answer::Moves(vec![result.best]),
            None => Answer::NoMove,
        }
    }

    fn answer_swap2(
        &mut self,
        job: &Job,
        position: &Position,
        control: &Control,
        varied: bool,
    ) -> Answer {
        let stones = job.setup.stones.len();
        if stones == 0 {
            return Answer::Moves(self.propose_opening(job, position, control, varied));
        }
        // The side to move is white. White's score tells which colour is worth having; giving
        // the choice away by two more stones can't be worth more than the better of the two.
        let options = self.options(job, false);
        match self.search(job.id, position, control, options, true) {
            Some(result) if result.score.raw() < 0 => Answer::Swap,
            Some(result) => Answer::Moves(vec![result.best]),
            None => Answer::NoMove,
        }
    }

    /// Returns three stones after which neither colour is much better off, judged by search.
    fn propose_opening(
        &mut self,
        job: &Job,
        position: &Position,
        control: &Control,
        varied: bool,
    ) -> Vec<Point> {
        const CANDIDATES: usize = 16;
        const NODES: u64 = 30_000;
        let mut best: Option<(i32, Vec<Point>)> = None;
        for stones in opening::three_stones(position.size(), CANDIDATES, varied) {
            let mut trial = position.clone();
            for &stone in &stones {
                trial.play_unchecked(stone);
            }
            let options = Options { max_nodes: Some(NODES), ..self.options(job, false) };
            let result = self.search(job.id, &trial, control, options, false);
            let gap = result.map_or(0, |r| r.score.raw().abs());
            if best.as_ref().is_none_or(|(least, _)| gap < *least) {
                best = Some((gap, stones));
            }
            if control.should_stop(0)
                || control.budget().soft.is_some_and(|s| control.elapsed() >= s)
            {
                break;
            }
        }
        best.map(|(_, stones)| stones).unwrap_or_default()
    }

    fn options(&self, job: &Job, answer_at_once: bool) -> Options {
        Options { threads: self.settings.threads, max_nodes: job.limits.max_nodes, answer_at_once }
    }

    fn search(
        &mut self,
        id: u64,
        position: &Position,
        control: &Control,
        options: Options,
        tell: bool,
    ) -> Option<SearchResult> {
        let table = self.table.as_ref()?;
        let events = &self.events;
        let mut sent: Option<Duration> = None;
        let mut waiting: Option<Report> = None;
        let send = |report| {
            let _ = events.send(Event { id, kind: EventKind::Report(report) });
        };
        let report = |report: Report| {
            if tell {
                if sent.is_none_or(|at| report.elapsed >= at + REPORT_INTERVAL) {
                    sent = Some(report.elapsed);
                    waiting = None;
                    send(report);
                } else {
                    waiting = Some(report);
                }
            }
        };
        let pool = &mut self.pool;
        let result = match self.settings.evaluator {
            EvaluatorKind::Patterns => {
                pool.search(position, &PatternEvaluator, table, control, options, report)
            }
            EvaluatorKind::Shapes => {
                pool.search(position, &ShapeEvaluator::new(), table, control, options, report)
            }
            EvaluatorKind::Tuples => {
                pool.search(position, &TupleEvaluator::new(), table, control, options, report)
            }
        };
        if let Some(report) = waiting {
            send(report);
        }
        result
    }

    /// Makes the table that the settings ask for, or a smaller one if memory is short.
    fn make_table(&mut self) {
        let wanted = table_bytes(&self.settings);
        if self.table.is_some() && self.table_bytes == wanted {
            return;
        }
        self.table = None;
        self.table_bytes = wanted;
        let mut bytes = wanted;
        while self.table.is_none() {
            self.table = Table::new(bytes).ok();
            bytes /= 2;
        }
    }
}

/// Builds the position of a set-up.
fn position_of(setup: &Setup) -> Position {
    let mut board = Board::new(setup.size);
    for &point in &setup.walls {
        board.place_wall(point);
    }
    let first = setup.stones.first().map(|&(_, color)| color);
    let regular = setup.stones.iter().enumerate().all(|(i, &(_, color))| {
        let flip = i % 2 == 1;
        first.is_some_and(|first| (color == first) != flip)
    });
    let last = setup.stones.last().map(|&(_, color)| color);
    // Played one by one if the order allows it: the search orders moves by the last ones.
    if regular && last.is_none_or(|last| last != setup.to_move) {
        let mut position = Position::from_board(setup.rule, board, first.unwrap_or(setup.to_move));
        for &(point, _) in &setup.stones {
            position.play_unchecked(point);
        }
        return position;
    }
    for &(point, color) in &setup.stones {
        board.place(point, color);
    }
    Position::from_board(setup.rule, board, setup.to_move)
}

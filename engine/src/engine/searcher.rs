//! The searcher thread.

mod preparing;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use super::book::{BookValue, OpeningBook};
use super::known_moves::KnownMoves;
use super::known_positions::KnownPositions;
use super::learning::{Finding, UsedDatabase};
use super::memory::{evaluator_within, table_bytes};
use super::{
    Answer, Event, EventKind, FileAction, Job, Settings, Setup, SharedTable, TableFile, Task,
};
use super::{chances, opening};
use crate::database::DatabaseError;
use tengen_core::board::Board;
use tengen_core::eval::baselines::greedy;
use tengen_core::eval::{Evaluator as _, EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::time::MoveOverhead;
use tengen_core::search::{
    Balance, BalanceStones, BalanceTask, Blocks, Knowledge, Options, Params, Pool, Report,
    SearchControl, SearchRequest, SearchResult, TranspositionTable, Variation,
};
use tengen_core::sys::panics;
use tengen_core::types::{Point, Score, ScoreKind};

/// The interval at which a finished analysis without limits checks whether it was stopped.
const IDLE_INTERVAL: Duration = Duration::from_millis(1);

/// The number of openings of three stones from which the most even is chosen.
const OPENINGS: usize = 16;
/// The nodes searched for each of them.
const OPENING_NODES: u64 = 30_000;

/// A message from the handle of an engine to its searcher.
#[derive(Debug)]
pub(super) enum Message {
    /// A job to do.
    Think(Box<Job>, Settings, SearchControl),
    /// A job that may be asked for.
    GetReady(Box<Job>, Settings, SearchControl),
    /// A table to write or read.
    File(TableFile, Settings),
    /// A new game: forget earlier results.
    NewGame,
    /// The database to use from now on.
    Database(Option<UsedDatabase>),
    /// The book to use from now on.
    Book(Option<OpeningBook>),
}

/// The state of the searcher that outlives a search.
pub(super) struct Searcher {
    pub(super) events: Sender<Event>,
    move_overhead: Arc<Mutex<MoveOverhead>>,
    pub(super) evaluators: Evaluators,
    pub(super) pool: Pool,
    /// The evaluator of the pool; none of these if it was last used for a level below the full one.
    pub(super) judging: Option<(EvaluatorKind, Rule)>,
    table: Option<Arc<TranspositionTable>>,
    /// The same table, for usage queries from other threads.
    shared: SharedTable,
    /// The requested table size, in bytes, which exceeds the actual size if memory was short.
    table_bytes: usize,
    /// True if a search may have left something in the table.
    has_learnt: bool,
    settings: Settings,
    params: Params,
    /// The wins that the last moves lead to, the latest last.
    promises: Vec<Promise>,
    database: Option<UsedDatabase>,
    book: Option<OpeningBook>,
    /// The best move that the running search has reported.
    best_so_far: Option<Point>,
    /// The rule whose tables there was room for.
    ready: Option<Rule>,
    #[cfg(test)]
    evaluators_made: usize,
}

impl Searcher {
    pub(super) fn new(
        events: Sender<Event>,
        move_overhead: Arc<Mutex<MoveOverhead>>,
        shared: SharedTable,
        params: Params,
        evaluators: Evaluators,
    ) -> Searcher {
        // The first job brings its own; a network would take time to unpack.
        let (kind, rule) = (EvaluatorKind::Patterns, Rule::Freestyle);
        Searcher {
            events,
            move_overhead,
            pool: Pool::new(evaluators.make(kind, rule)),
            evaluators,
            judging: Some((kind, rule)),
            table: None,
            shared,
            table_bytes: 0,
            has_learnt: false,
            settings: Settings::default(),
            params,
            promises: Vec::new(),
            database: None,
            book: None,
            best_so_far: None,
            ready: None,
            #[cfg(test)]
            evaluators_made: 0,
        }
    }

    /// Does jobs until the handle of the engine is dropped.
    pub(super) fn run(mut self, inbox: &Receiver<Message>) {
        for message in inbox {
            match message {
                Message::NewGame => self.forget(),
                Message::File(file, settings) => {
                    self.adopt(settings);
                    let told = panics::catch(|| self.table_file(&file)).unwrap_or_else(|panic| {
                        self.set_table(None);
                        Err(panic.to_string())
                    });
                    let event = Event { id: file.id, kind: EventKind::File(told) };
                    if self.events.send(event).is_err() {
                        return;
                    }
                }
                Message::Think(job, settings, control) => {
                    self.adopt(settings);
                    let answer = self.surely_answer(&job, &control);
                    let observed = control.elapsed();
                    {
                        let mut move_overhead =
                            self.move_overhead.lock().unwrap_or_else(PoisonError::into_inner);
                        move_overhead.observe(control.due(), observed);
                        move_overhead.observe_clock(&control.time_control(), observed);
                    }
                    let done = Event { id: job.id, kind: EventKind::Done(answer) };
                    if self.events.send(done).is_err() {
                        return;
                    }
                }
                Message::GetReady(job, settings, control) => {
                    self.get_ready(&job, settings, &control, &|| !inbox.is_empty());
                }
                Message::Database(database) => self.database = database,
                Message::Book(book) => self.book = book,
            }
        }
    }

    /// Forgets earlier games.
    fn forget(&mut self) {
        self.pool.clear();
        self.promises.clear();
        // A new table is zero without being touched; clearing the old one would touch it.
        self.set_table(None);
    }

    /// Applies the settings of a request.
    fn adopt(&mut self, settings: Settings) {
        if settings.evaluator != self.settings.evaluator {
            // Results of another evaluator must not be mixed with its own.
            self.pool.clear();
            self.set_table(None);
        }
        self.settings = settings;
    }

    /// Returns the answer of the search or, if something panics, the best one that is known.
    fn surely_answer(&mut self, job: &Job, control: &SearchControl) -> Answer {
        if let Err(error) = self.make_room(job.setup.rule) {
            self.tell_fault(job, format!("no search: {error}"));
            return Answer::NoMove;
        }
        let panic = match panics::catch(|| self.answer(job, control)) {
            Ok(answer) => return answer,
            Err(panic) => panic,
        };
        let best = self.best_so_far.take();
        let had_files = self.begin_anew();
        let files = if had_files { ", without a database and a book from now on" } else { "" };
        let told = format!("internal error: {panic}; the best move known is played{files}");
        self.tell_fault(job, told);
        if let Some(best) = best.filter(|_| job.task == Task::Move) {
            return Answer::Moves(vec![best]);
        }
        if had_files && let Ok(answer) = panics::catch(|| self.answer(job, control)) {
            return answer;
        }
        if job.task != Task::Move || job.has_blocks() {
            return Answer::NoMove;
        }
        let mut lots = chances(0, job.setup.stones.iter().map(|&(point, _)| point));
        let natural = panics::catch(|| greedy::choose(&position_of(&job.setup), &mut lots));
        natural.ok().flatten().map_or(Answer::NoMove, |point| Answer::Moves(vec![point]))
    }

    fn tell_fault(&self, job: &Job, text: String) {
        // Without a receiver, the process is about to end.
        let _ = self.events.send(Event { id: job.id, kind: EventKind::Fault(text) });
    }

    /// Forgets whatever a panic may have left half done; returns whether there was a database or a book.
    fn begin_anew(&mut self) -> bool {
        self.drop_search();
        self.promises.clear();
        self.database.take().is_some() | self.book.take().is_some()
    }

    fn answer(&mut self, job: &Job, control: &SearchControl) -> Answer {
        self.best_so_far = None;
        let known = match self.database.as_ref().map(|database| database.known(job.setup.rule)) {
            Some(Ok(known)) => known,
            Some(Err(error)) => {
                self.put_database_away(job.id, &error);
                return self.answer_knowing(job, control, None);
            }
            None => return self.answer_knowing(job, control, None),
        };
        let answer = self.answer_knowing(job, control, Some(&known));
        if let Some(error) = known.fault() {
            self.put_database_away(job.id, error);
        }
        answer
    }

    /// Goes on without the database, which can't be read.
    fn put_database_away(&mut self, id: u64, error: &DatabaseError) {
        if let Some(used) = self.database.take() {
            let kind = EventKind::Unreadable(used.database.path().to_owned(), error.to_string());
            // Without a receiver, the process is about to end.
            let _ = self.events.send(Event { id, kind });
        }
    }

    /// Returns the answer to a job, with what the database knows.
    fn answer_knowing(
        &mut self,
        job: &Job,
        control: &SearchControl,
        known: Option<&KnownPositions>,
    ) -> Answer {
        let mut position = position_of(&job.setup);
        let is_full = !(job.task == Task::Move && plays_weakly(job));
        let threads = if is_full { self.prepare(job, &position, control) } else { 1 };
        let moves = known.filter(|_| job.task == Task::Move);
        let moves =
            moves.map_or_else(Vec::new, |known| known.moves(position.board(), position.to_move()));
        let moves = KnownMoves::legal(moves, &mut position);
        // A level below the full one has to find its moves itself.
        let is_plain =
            !job.analysis && !job.has_blocks() && !plays_weakly(job) && job.scope.lines == 1;
        if let Some(known) = moves.marked().filter(|_| is_plain) {
            return Answer::Moves(vec![known.point]);
        }
        if let Some((point, score)) = moves.win().filter(|_| is_plain) {
            let line = vec![point];
            let result = SearchResult { best: point, score, depth: 1, line, nodes: 0 };
            self.tell_finding(job.id, &position, &result);
            return Answer::Moves(vec![point]);
        }
        if let Some(answer) = self.answer_of_book(job, control, &mut position) {
            return answer;
        }
        let scope = &job.scope;
        let blocked: Vec<Point> = scope.blocked.iter().copied().chain(moves.left_out()).collect();
        let has_blocks = job.has_blocks() || !blocked.is_empty();
        let blocks =
            has_blocks.then(|| Blocks::new(job.setup.size, &blocked, &scope.blocked_paths));
        let work = Work {
            job,
            known: known.map(|known| known as &dyn Knowledge),
            position,
            control,
            blocks: blocks.as_ref(),
            params: self.params,
            threads,
            varied: is_varied(job),
        };
        let answer = match job.task {
            Task::Move => self.choose(&work),
            Task::Swap1 => self.answer_swap1(&work),
            Task::Defend => {
                let options = work.options(false);
                best_move(self.search(&work, work.whole(options), true, |_| {}))
            }
            Task::Balance(task) => self.answer_balance(&work, task),
            Task::Swap2 => self.answer_swap2(&work),
            Task::Opening(step) => self.answer_opening(&work, step),
        };
        // An analysis without limits is ended by the user, even if nothing is left to find.
        let has_no_limit = || !job.limits.is_bounded() && control.budget().maximum.is_none();
        while job.analysis && has_no_limit() && !control.is_stopped() {
            std::thread::sleep(IDLE_INTERVAL);
        }
        answer
    }

    /// Returns the answer of the book, after telling about it, if it has one and may give it.
    fn answer_of_book(
        &mut self,
        job: &Job,
        control: &SearchControl,
        position: &mut Position,
    ) -> Option<Answer> {
        let book = self.book.as_ref()?;
        let is_asked = job.scope.book || matches!(job.task, Task::Balance(_));
        let is_plain = !job.analysis && !job.has_blocks() && job.scope.lines == 1;
        if !is_asked || !is_plain || !job.level().is_full() {
            return None;
        }
        let lots = match job.skill.seed {
            Some(seed) => Some(chances(seed, job.setup.stones.iter().map(|&(point, _)| point))),
            None => is_varied(job).then(|| opening::source(true)),
        };
        let found = book.answer(job, position, lots);
        // Without a receiver, the process is about to end.
        let tell = |kind| drop(self.events.send(Event { id: job.id, kind }));
        match found {
            Ok(Some((answer, told))) => {
                if let (Some(value), Some(_)) = (told.value, told.moves.first()) {
                    let pv: Vec<Point> = told.moves.iter().copied().chain(told.reply).collect();
                    let BookValue { score, depth } = value;
                    let line = Variation { depth, seldepth: depth, score, pv };
                    let mut evaluator =
                        self.evaluators.make(self.settings.evaluator, job.setup.rule);
                    evaluator.reset(position);
                    tell(EventKind::Report(Report {
                        nodes: 0,
                        elapsed: control.elapsed(),
                        lines: vec![line],
                        win_model: evaluator.win_model(position),
                    }));
                }
                tell(EventKind::Book(Ok(told)));
                Some(answer)
            }
            Ok(None) => None,
            Err(error) => {
                tell(EventKind::Book(Err(error.to_string())));
                self.book = None;
                None
            }
        }
    }

    fn choose(&mut self, work: &Work<'_>) -> Answer {
        let analysis = work.job.analysis;
        if plays_weakly(work.job) {
            return self.choose_weakly(work);
        }
        let mut lots = work.varied.then(|| opening::source(true));
        if !analysis
            && work.blocks.is_none()
            && work.job.scope.lines == 1
            && let Some(point) = opening::book_move(&work.position, lots.as_mut())
        {
            return Answer::Moves(vec![point]);
        }
        let at_once = !analysis && work.job.scope.lines == 1;
        self.answer_best(work, work.options(at_once))
    }

    fn answer_best(&mut self, work: &Work<'_>, options: Options<'_>) -> Answer {
        let board = work.position.board();
        let promised = self.promises.iter().rev().find_map(|promise| promise.plies_at(board));
        // With excluded moves the win may be out of reach.
        let is_free = options.lines == 1 && work.blocks.is_none();
        let options = Options { promised: promised.filter(|_| is_free), ..options };
        let result = self.search(work, work.whole(options), true, |_| {});
        if let Some(result) = &result {
            self.promise(&work.position, result);
            if is_free {
                self.tell_finding(work.job.id, &work.position, result);
            }
        }
        best_move(result)
    }

    /// Tells what a search has found, if there is a database to write it down.
    fn tell_finding(&self, id: u64, position: &Position, result: &SearchResult) {
        let learns = self.database.as_ref().is_some_and(UsedDatabase::learns);
        if let Some(finding) = Finding::of(position, result).filter(|_| learns) {
            // Without a receiver, the process is about to end.
            let _ = self.events.send(Event { id, kind: EventKind::Finding(Box::new(finding)) });
        }
    }

    /// Remembers the length of the win that a move leads to.
    fn promise(&mut self, position: &Position, result: &SearchResult) {
        /// More than one, because a search on the opponent's time may be wasted.
        const REMEMBERED: usize = 4;
        if let ScoreKind::Win(plies @ 3..) = result.score.kind() {
            let mut board = position.board().clone();
            board.place(result.best, position.to_move());
            if self.promises.len() == REMEMBERED {
                self.promises.remove(0);
            }
            self.promises.push(Promise { board, plies: plies - 2 });
        }
    }

    fn answer_balance(&mut self, work: &Work<'_>, task: BalanceTask) -> Answer {
        match self.balance(work, task) {
            Some(balance) => Answer::Moves(balance.moves),
            None => Answer::NoMove,
        }
    }

    /// Plays the first stone where it makes an even position, and takes the better colour after the
    /// opponent's first stone.
    fn answer_swap1(&mut self, work: &Work<'_>) -> Answer {
        match work.job.setup.stones.len() {
            0 => self.answer_balance(work, BalanceTask { stones: BalanceStones::One, bias: 0 }),
            1 => self.swap_or_move(work),
            _ => self.choose(work),
        }
    }

    fn answer_swap2(&mut self, work: &Work<'_>) -> Answer {
        let stones = work.job.setup.stones.len();
        if stones == 0 {
            let openings = opening::three_stones(work.position.size(), OPENINGS, work.varied);
            return Answer::Moves(self.most_even(work, openings));
        }
        // The side to move is white. White's score shows which colour is better; leaving the choice
        // to the opponent with two more stones cannot be worth more than the better colour.
        self.swap_or_move(work)
    }

    /// Takes the other colour if it is better, and plays the best move otherwise.
    fn swap_or_move(&mut self, work: &Work<'_>) -> Answer {
        let options = work.options(false);
        match self.search(work, work.whole(options), true, |_| {}) {
            Some(result) if result.score < Score::ZERO => Answer::Swap,
            Some(result) => Answer::Moves(vec![result.best]),
            None => Answer::NoMove,
        }
    }

    /// Returns the most even opening, judged by search.
    pub(super) fn most_even(&mut self, work: &Work<'_>, openings: Vec<Vec<Point>>) -> Vec<Point> {
        let mut best: Option<(i32, Vec<Point>)> = None;
        for stones in openings {
            let mut trial = work.position.clone();
            for &stone in &stones {
                trial.play_unchecked(stone);
            }
            let control = work.control.part(OPENING_NODES);
            let request =
                Trial { position: &trial, control: &control, options: work.options(false) };
            let result = self.search(work, request, false, |_| {});
            // A search stopped in its first iteration has no result.
            let judged = result.filter(|result| result.depth > 0);
            let gap = judged.map_or(i32::MAX, |result| result.score.raw().abs());
            if best.as_ref().is_none_or(|(least, _)| gap < *least) {
                best = Some((gap, stones));
            }
            if work.is_due() {
                break;
            }
        }
        best.map(|(_, stones)| stones).unwrap_or_default()
    }

    /// Makes one of the searches for an answer; `keep` gets every report, whether or not it is also sent
    /// out.
    pub(super) fn search(
        &mut self,
        work: &Work<'_>,
        Trial { position, control, options }: Trial<'_>,
        tell: bool,
        mut keep: impl FnMut(&Report),
    ) -> Option<SearchResult> {
        let table = self.table.clone()?;
        self.has_learnt = true;
        let (events, id) = (&self.events, work.job.id);
        let mark = |mark| {
            let _ = events.send(Event { id, kind: EventKind::Mark(mark) });
        };
        let options = Options { marks: work.wants_marks(tell).then_some(&mark as _), ..options };
        let best_so_far = &mut self.best_so_far;
        let report = |report: Report| {
            keep(&report);
            if tell {
                *best_so_far = report.lines.first().and_then(|line| line.pv.first()).copied();
                // Without a receiver, the process is about to end.
                let _ = events.send(Event { id, kind: EventKind::Report(report) });
            }
        };
        self.pool.search(&SearchRequest { position, table: &table, control, options }, report)
    }

    fn balance(&mut self, work: &Work<'_>, task: BalanceTask) -> Option<Balance> {
        let table = self.table.clone()?;
        self.has_learnt = true;
        let (events, id) = (&self.events, work.job.id);
        let report = |report| {
            let _ = events.send(Event { id, kind: EventKind::Report(report) });
        };
        let Trial { position, control, options } = work.whole(work.options(false));
        let request = SearchRequest { position, table: &table, control, options };
        self.pool.balance(&request, task, report)
    }

    /// Writes or reads the table; returns the message for the user.
    fn table_file(&mut self, file: &TableFile) -> Result<String, String> {
        let kind = evaluator_within(&self.settings);
        let evaluator = self.evaluators.make(kind, file.rule);
        let identity = identity(file, kind, evaluator.identity());
        let path = file.path.display();
        match file.action {
            FileAction::Save => {
                self.make_table(1);
                let Some(table) = &self.table else { return Err("there is no memory".to_owned()) };
                let saved = table.save(&file.path, identity);
                saved.map_err(|error| format!("the hash table was not saved: {error}"))?;
                Ok(format!("hash table saved to {path}"))
            }
            FileAction::Load => {
                let most = table_bytes(&self.settings);
                let told = |error| format!("the hash table was not loaded: {error}");
                // Two tables at once may exceed the allowed memory, so the old one is dropped as
                // soon as the new one is known to be sound.
                TranspositionTable::check(&file.path, identity, most).map_err(told)?;
                self.set_table(None);
                let table = TranspositionTable::load(&file.path, identity, most).map_err(told)?;
                let percent = f64::from(table.usage()) / 10.0;
                self.set_table(Some(table));
                self.table_bytes = most;
                self.has_learnt = true;
                Ok(format!("hash table loaded from {path}: {percent:.1}% used"))
            }
        }
    }

    /// Returns the current settings.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// A win that was found, after its first move was played.
struct Promise {
    /// The board after the move.
    board: Board,
    /// The length of the win after the opponent's reply, in plies.
    plies: u16,
}

impl Promise {
    /// Returns the length of the win if the board is the one after a single reply.
    fn plies_at(&self, board: &Board) -> Option<u16> {
        let follows = board.size() == self.board.size()
            && board.empty_cells() + 1 == self.board.empty_cells()
            && board.size().points().all(|point| {
                self.board.is_empty(point) || self.board.cell(point) == board.cell(point)
            });
        follows.then_some(self.plies)
    }
}

/// One of the searches for an answer.
pub(super) struct Trial<'a> {
    pub(super) position: &'a Position,
    pub(super) control: &'a SearchControl,
    pub(super) options: Options<'a>,
}

/// A job, prepared for the search.
pub(super) struct Work<'a> {
    pub(super) job: &'a Job,
    pub(super) position: Position,
    pub(super) control: &'a SearchControl,
    blocks: Option<&'a Blocks>,
    known: Option<&'a dyn Knowledge>,
    pub(super) params: Params,
    threads: usize,
    /// True if randomness is allowed; not where results must be reproducible.
    pub(super) varied: bool,
}

impl Work<'_> {
    pub(super) fn options(&self, answer_at_once: bool) -> Options<'_> {
        let scope = &self.job.scope;
        let lines = if self.job.task == Task::Defend { usize::MAX } else { scope.lines.max(1) };
        Options {
            threads: self.threads,
            answer_at_once,
            lines,
            whole_board: scope.whole_board,
            merge_symmetric: scope.merge_symmetric,
            start_depth: scope.start_depth,
            blocks: self.blocks,
            promised: None,
            params: self.params,
            known: self.known,
            marks: None,
        }
    }

    /// Returns the search of the position itself, with all nodes.
    fn whole<'a>(&'a self, options: Options<'a>) -> Trial<'a> {
        Trial { position: &self.position, control: self.control, options }
    }

    /// Returns whether the optimum time of the job is over.
    pub(super) fn is_due(&self) -> bool {
        let optimum = self.control.budget().optimum;
        let is_over = |optimum| self.control.elapsed() >= optimum;
        self.control.should_stop(0) || optimum.is_some_and(is_over)
    }

    fn wants_marks(&self, tell: bool) -> bool {
        tell && self.job.scope.marks
    }
}

/// Returns whether the answer may be left to chance.
fn is_varied(job: &Job) -> bool {
    !job.limits.is_bounded()
}

/// Returns whether a move is asked of a level below the full one. Where moves are excluded, the
/// usual search finds one, with the nodes of the level.
fn plays_weakly(job: &Job) -> bool {
    !job.level().is_full() && !job.has_blocks()
}

/// Returns the best move of a search as an answer.
fn best_move(result: Option<SearchResult>) -> Answer {
    result.map_or(Answer::NoMove, |result| Answer::Moves(vec![result.best]))
}

/// Returns the identity of a table, which differs where entries mean different things.
fn identity(file: &TableFile, kind: EvaluatorKind, evaluator: u32) -> u64 {
    // The key of a position with a few stones detects a change of the keys.
    let mut position = Position::new(file.rule, file.size);
    let center = file.size.center();
    for point in file.size.points().filter(|p| p.distance(center) == 1).step_by(2) {
        position.play_unchecked(point);
    }
    let (rule, size, key) = (file.rule, file.size, position.key().0);
    let text = format!("{kind} {rule} {size} {key:x} {evaluator:08x}");
    // A hash that is the same on every machine and with every compiler version.
    crc32fast::hash(text.as_bytes()).into()
}

/// Builds the position of a set-up.
pub(super) fn position_of(setup: &Setup) -> Position {
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
    // Played one by one if the order allows it, since move ordering uses the last moves.
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

#[cfg(test)]
mod tests;

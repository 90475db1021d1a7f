//! Lazy SMP: threads search the same position and share the transposition table.

use std::sync::{Mutex, PoisonError};

use super::balance::{Balance, BalanceTask};
use super::history::Histories;
use super::options::Options;
use super::report::{Report, Variation};
use super::root::WorkerResult;
use super::worker::{NodeCounter, Shared, Worker};
use super::{SearchControl, TranspositionTable};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::sys::crew::Crew;
use crate::sys::fault::{self, Place};
use crate::sys::panics::{self, Panic};
use crate::sys::stop::Stop;
use crate::types::{Point, Score};

/// The input of a search, shared by its threads.
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The position.
    pub position: &'a Position,
    /// The table that the threads share.
    pub table: &'a TranspositionTable,
    /// The limits and the stop flag of this search.
    pub control: &'a SearchControl,
    /// The options of the search.
    pub options: Options<'a>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play.
    pub best: Point,
    /// Its score for the side to move.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// The principal variation, from `best` on.
    pub line: Vec<Point>,
    /// The nodes searched by all threads.
    pub nodes: u64,
    /// What the last finished iteration found, unless that is told above: if the search was stopped in the middle of the
    /// next one, which had searched a move. The score above can be a bound then, or a guess.
    pub finished: Option<Variation>,
}

impl SearchResult {
    /// Returns score, depth in plies and principal variation of the last finished iteration, or what is proven.
    #[must_use]
    pub fn settled(&self) -> (Score, u32, &[Point]) {
        match &self.finished {
            Some(line) => (line.score, line.depth, &line.pv),
            None => (self.score, self.depth, &self.line),
        }
    }
}

/// The state that each search thread keeps from one search to the next.
#[derive(Debug)]
pub struct Pool<E = Box<dyn Evaluator>> {
    evaluator: E,
    threads: Vec<Workspace<E>>,
    /// The number of threads, from the first one on, that have allocated what they keep.
    prepared: usize,
    /// The threads besides the one that calls.
    helpers: Crew,
}

/// The memory of one thread.
#[derive(Debug)]
struct Workspace<E> {
    evaluator: E,
    histories: Histories,
}

impl<E: Evaluator + Clone> Pool<E> {
    /// Returns a pool without history that evaluates positions with clones of an evaluator.
    #[must_use]
    pub const fn new(evaluator: E) -> Pool<E> {
        Pool { evaluator, threads: Vec::new(), prepared: 0, helpers: Crew::new() }
    }

    /// Forgets the history of all threads.
    pub fn clear(&mut self) {
        for thread in &mut self.threads {
            thread.histories = Histories::new();
        }
        self.prepared = 0;
    }

    /// Replaces the evaluator.
    pub fn set_evaluator(&mut self, evaluator: E) {
        for thread in &mut self.threads {
            thread.evaluator = evaluator.clone();
        }
        self.evaluator = evaluator;
        self.prepared = 0;
    }

    /// Returns the evaluator of the main thread.
    pub fn evaluator(&mut self) -> &mut E {
        self.make_threads(1);
        &mut self.threads[0].evaluator
    }

    /// Starts so many threads, and allocates what the search of a position with them will need and keep, so
    /// that it is not missing later and takes no time then.
    pub fn prepare(&mut self, threads: usize, position: &Position) {
        self.make_threads(threads);
        self.helpers.grow(threads.saturating_sub(1), STACK_BYTES);
        for thread in self.threads[..threads].iter_mut().skip(self.prepared) {
            thread.evaluator.reset(position);
        }
        self.prepared = self.prepared.max(threads);
    }

    /// Returns the number of threads that are prepared.
    #[must_use]
    pub const fn prepared(&self) -> usize {
        self.prepared
    }

    /// Returns the number of threads that were started, besides the one that calls.
    #[must_use]
    pub const fn helpers(&self) -> usize {
        self.helpers.len()
    }

    /// Ends all threads but the first few, and gives back what they keep.
    pub fn shrink(&mut self, threads: usize) {
        self.threads.truncate(threads);
        self.prepared = self.prepared.min(threads);
        self.helpers.shrink(threads.saturating_sub(1));
    }

    fn make_threads(&mut self, threads: usize) {
        while self.threads.len() < threads {
            let evaluator = self.evaluator.clone();
            self.threads.push(Workspace { evaluator, histories: Histories::new() });
        }
    }

    /// Searches a position until its control stops it; every finished iteration is reported.
    ///
    /// Returns `None` if there is no empty cell.
    ///
    /// # Panics
    ///
    /// Passes a panic of any of its threads on when all have ended. The pool can be used again after
    /// [`Pool::clear`] and [`Pool::set_evaluator`].
    pub fn search(
        &mut self,
        request: &SearchRequest<'_>,
        mut report: impl FnMut(Report),
    ) -> Option<SearchResult> {
        let &SearchRequest { position, control, options, .. } = request;
        if position.empty_cells() == 0 {
            return None;
        }
        let shortcut = |main: &mut Worker<'_>, report: &mut dyn FnMut(Report)| {
            main.set_root_moves();
            let found = options.answer_at_once.then(|| main.obvious_move()).flatten()?;
            let line = Variation {
                depth: found.depth.max(1),
                seldepth: found.depth.max(1),
                score: found.score,
                pv: found.line.clone(),
            };
            let elapsed = control.elapsed();
            let win_model = main.evaluator.win_model(&main.position);
            report(Report { nodes: main.nodes, elapsed, lines: vec![line], win_model });
            Some(found)
        };
        let work = |worker: &mut Worker<'_>, report: &mut dyn FnMut(Report)| {
            if worker.id > 0 {
                worker.set_root_moves();
            }
            worker.deepen(report)
        };
        let (all, nodes) = self.run(request, shortcut, work, &mut report);
        if options.lines > 1 {
            // The reported order of the lines is that of the main thread.
            return all.into_iter().next().map(|found| result(found, nodes));
        }
        let told = all.first().map(|found| found.best);
        let found = vote(all.into_iter())?;
        if told != Some(found.best) {
            let (depth, score, pv) = (found.depth, found.score, found.line.clone());
            let line = Variation { depth, seldepth: depth, score, pv };
            let win_model = self.evaluator().win_model(request.position);
            report(Report { nodes, elapsed: control.elapsed(), lines: vec![line], win_model });
        }
        Some(result(found, nodes))
    }

    /// Finds the moves that balance a position as `task` asks, until the control stops the search.
    ///
    /// Returns `None` if there are not enough legal moves that don't end the game.
    pub fn balance(
        &mut self,
        request: &SearchRequest<'_>,
        task: BalanceTask,
        mut report: impl FnMut(Report),
    ) -> Option<Balance> {
        let work =
            |worker: &mut Worker<'_>, report: &mut dyn FnMut(Report)| worker.balance(task, report);
        let (all, nodes) = self.run(request, |_, _| None, work, &mut report);
        let found = all.into_iter().next()??;
        Some(Balance { nodes, ..found })
    }

    /// Runs the same work on every thread, unless the main thread finds a shortcut; returns their
    /// results, the main thread's first, and the nodes of all.
    fn run<T: Send>(
        &mut self,
        request: &SearchRequest<'_>,
        shortcut: impl FnOnce(&mut Worker<'_>, &mut dyn FnMut(Report)) -> Option<T>,
        work: impl Fn(&mut Worker<'_>, &mut dyn FnMut(Report)) -> T + Sync,
        report: &mut dyn FnMut(Report),
    ) -> (Vec<T>, u64) {
        let &SearchRequest { position, table, control, options } = request;
        table.new_search();
        let threads = options.threads.max(1);
        self.make_threads(threads);
        let counters: Vec<NodeCounter> = (0..threads).map(|_| NodeCounter::default()).collect();
        let finished = Stop::new();
        let shared = Shared { table, control, nodes: &counters, finished: &finished, options };

        let (first, others) = self.threads.split_at_mut(1);
        let Workspace { evaluator, histories } = &mut first[0];
        let mut main = Worker::new(0, position, evaluator.unboxed(), &shared, histories);
        if let Some(found) = shortcut(&mut main, report) {
            return (vec![found], main.nodes);
        }
        let helpers: Vec<_> = others[..threads - 1].iter_mut().map(Helper::new).collect();
        let help = |i: usize| {
            // It has no other reader.
            let mut helper = helpers[i].lock().unwrap_or_else(PoisonError::into_inner);
            let Helper { workspace: Workspace { evaluator, histories }, outcome } = &mut *helper;
            *outcome = Some(panics::catch(|| {
                fault::pass(Place::Helper);
                let mut worker =
                    Worker::new(i + 1, position, evaluator.unboxed(), &shared, histories);
                let found = work(&mut worker, &mut |_| {});
                (found, worker.nodes)
            }));
        };
        self.helpers.grow(threads - 1, STACK_BYTES);
        let found = self.helpers.run(threads - 1, &help, || {
            // Should this thread panic, the others would be waited for without an end.
            let _finish = finished.request_on_drop();
            work(&mut main, report)
        });
        let (mut all, mut nodes) = (vec![found], main.nodes);
        for helper in helpers {
            // A thread that could not be started just does not help.
            match helper.into_inner().unwrap_or_else(PoisonError::into_inner).outcome {
                Some(Ok((found, searched))) => {
                    all.push(found);
                    nodes += searched;
                }
                Some(Err(panic)) => panic.resume(),
                None => {}
            }
        }
        (all, nodes)
    }
}

/// The data of a search thread, and its results.
struct Helper<'a, E, T> {
    workspace: &'a mut Workspace<E>,
    outcome: Option<Result<(T, u64), Panic>>,
}

impl<'a, E, T> Helper<'a, E, T> {
    fn new(workspace: &'a mut Workspace<E>) -> Mutex<Helper<'a, E, T>> {
        Mutex::new(Helper { workspace, outcome: None })
    }
}

/// The stack size of a search thread, in bytes. A ply takes about 1.5 KiB; there are at most
/// `MAX_PLY` and a few more for singular searches.
pub const STACK_BYTES: usize = 768 << 10;

/// Chooses among the results of the threads: the main thread's, unless another one finished a
/// deeper iteration with a score at least as good, or proved a shorter win. What was searched counts more than a
/// guess, unless it is refuted.
fn vote(mut all: impl Iterator<Item = WorkerResult>) -> Option<WorkerResult> {
    let main = all.next()?;
    Some(all.fold(main, |best, other| {
        let deeper = other.depth > best.depth && !best.score.is_win();
        let wins = other.score.is_win() && other.score > best.score;
        let is_refuted = best.lost.contains(other.best);
        let is_better = !best.lost.is_empty() || wins || deeper && other.score >= best.score;
        let takes_over = other.depth > 0 && other.lost.is_empty() && !is_refuted && is_better;
        if takes_over { other } else { best }
    }))
}

fn result(found: WorkerResult, nodes: u64) -> SearchResult {
    SearchResult {
        best: found.best,
        score: found.score,
        depth: found.depth,
        line: found.line,
        nodes,
        finished: found.finished,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Ply, Point, PointSet};

    #[test]
    fn a_guess_gives_way_to_what_was_searched_and_takes_the_place_of_nothing() {
        let made = |place, score, depth| WorkerResult {
            best: Point::from_index(place),
            score: Score::eval(score),
            line: Vec::new(),
            depth,
            lost: PointSet::EMPTY,
            finished: None,
        };
        let guess = |place, score, depth, lost| WorkerResult {
            lost: [Point::from_index(lost)].into_iter().collect(),
            ..made(place, score, depth)
        };
        let chosen = |all: &[WorkerResult]| vote(all.iter().cloned()).unwrap().best.index();
        let main = made(1, 100, 10);
        assert_eq!(chosen(&[main.clone(), made(2, 150, 11)]), 2);
        assert_eq!(chosen(&[main, guess(2, 150, 11, 7)]), 1);
        let main = guess(1, 100, 10, 7);
        assert_eq!(chosen(&[main.clone(), made(3, -50, 11)]), 3);
        assert_eq!(chosen(&[main.clone(), made(7, 150, 11)]), 1, "it has not seen the refutation");
        assert_eq!(chosen(&[main.clone(), made(3, -50, 0)]), 1, "it has searched nothing");
        let won = WorkerResult { score: Score::win_in(Ply(5)), ..made(4, 0, 3) };
        assert_eq!(chosen(&[main, guess(2, 150, 11, 8), won]), 4);
    }
}

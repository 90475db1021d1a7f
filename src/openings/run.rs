//! Many openings: threads that make them, and the order in which they are handed on.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::canonical::{Canonical, canonical};
use super::error::OpeningsError;
use super::generate::{MOST_ATTEMPTS, Made, make};
use super::options::OpeningOptions;
use super::searcher::{Balancer, Judge};
use crate::search::STACK_BYTES;
use crate::types::Point;

/// How many openings may be finished before it is their turn. A few attempts more or less make
/// some openings take much longer than others.
const MOST_AHEAD: u64 = 1000;

/// What has been made before, by an earlier run.
#[derive(Clone, Default, Debug)]
pub struct Begun {
    /// The openings from number 0 on, in the form in which they are compared.
    pub forms: Vec<Canonical>,
    /// Later ones, made before it was their turn.
    pub ahead: Vec<Made>,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// The openings handed on, those of earlier runs included.
    pub done: u64,
    /// The openings made by this run, whether it was their turn or not.
    pub made: u64,
}

/// Where openings go.
pub trait Sink {
    /// Takes the next opening.
    ///
    /// # Errors
    ///
    /// Returns why it could not; the run ends with the same error.
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError>;

    /// Takes note of an opening that was finished before it was its turn. It will be written later,
    /// unless it turns out to be the same as an earlier one.
    ///
    /// # Errors
    ///
    /// Returns why it could not; the run ends with the same error.
    fn keep(&mut self, made: &Made) -> Result<(), OpeningsError> {
        let _ = made;
        Ok(())
    }
}

/// Makes the openings that are missing to `number`, with a thread for each searcher, and hands them
/// in order to `sink`. `observe` is told of every opening that is finished.
///
/// # Errors
///
/// Returns why not all could be made. Those before have been handed on.
///
/// # Panics
///
/// Panics if a searcher does.
pub fn run<S: Balancer + Judge + Send>(
    options: &OpeningOptions,
    number: u64,
    begun: Begun,
    searchers: Vec<S>,
    sink: &mut impl Sink,
    observe: &mut dyn FnMut(Progress),
) -> Result<Progress, OpeningsError> {
    options.check()?;
    if searchers.is_empty() {
        return Err(OpeningsError::Died);
    }
    let mut order = Order::new(options, number, begun);
    let stop = Stop { all: AtomicBool::new(false), end: AtomicU64::new(u64::MAX) };
    let (jobs, inbox) = unbounded();
    let (outbox, results) = unbounded();
    thread::scope(|scope| {
        let mut idle = 0;
        for searcher in searchers {
            let worker = Worker { options, stop: &stop, inbox: inbox.clone(), searcher };
            let outbox = outbox.clone();
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || worker.work(outbox))
                .map_err(OpeningsError::Thread)?;
            idle += 1;
        }
        drop(outbox);
        let result = order.fill(&jobs, &results, idle, &stop, sink, observe);
        stop.all.store(true, Ordering::Relaxed);
        // Without this the threads would wait for more.
        drop(jobs);
        result
    })
}

/// An opening to make.
#[derive(Clone, Copy, Debug)]
struct Job {
    index: u64,
    first_attempt: u32,
}

/// What came of a [`Job`].
#[derive(Debug)]
enum Done {
    Made(Made),
    /// No attempt was left, or the run is over.
    Failed(u64),
    /// The thread panicked.
    Died,
}

/// Tells threads that what they are doing is not wanted any more.
struct Stop {
    all: AtomicBool,
    /// The first opening that could not be made: no later one is wanted.
    end: AtomicU64,
}

struct Worker<'a, S> {
    options: &'a OpeningOptions,
    stop: &'a Stop,
    inbox: Receiver<Job>,
    searcher: S,
}

impl<S: Balancer + Judge> Worker<'_, S> {
    fn work(mut self, outbox: Sender<Done>) {
        let outbox = Outbox(outbox);
        for Job { index, first_attempt } in self.inbox {
            let stop = || {
                self.stop.all.load(Ordering::Relaxed)
                    || index > self.stop.end.load(Ordering::Relaxed)
            };
            let made = make(self.options, &mut self.searcher, index, first_attempt, &stop);
            let done = made.map_or(Done::Failed(index), Done::Made);
            if outbox.0.send(done).is_err() {
                return;
            }
        }
    }
}

/// The sending end of a thread, which tells if the thread dies: the others would be waited for in
/// vain.
struct Outbox(Sender<Done>);

impl Drop for Outbox {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Done::Died);
        }
    }
}

/// Puts openings into order and sorts out those that are the same as an earlier one.
struct Order<'a> {
    options: &'a OpeningOptions,
    /// The number of openings wanted.
    number: u64,
    forms: HashSet<Canonical>,
    /// What waits for its turn; `None` could not be made.
    waiting: BTreeMap<u64, Option<Made>>,
    /// The first index that no thread has been given.
    next: u64,
    progress: Progress,
}

impl<'a> Order<'a> {
    fn new(options: &'a OpeningOptions, number: u64, begun: Begun) -> Order<'a> {
        let done = begun.forms.len() as u64;
        let late = |made: &Made| made.index >= done;
        let ahead = begun.ahead.into_iter().filter(late);
        Order {
            options,
            number,
            forms: begun.forms.into_iter().collect(),
            waiting: ahead.map(|made| (made.index, Some(made))).collect(),
            next: done,
            progress: Progress { done, made: 0 },
        }
    }

    /// Gives jobs to `idle` threads and hands on what they make until all is done.
    fn fill(
        &mut self,
        jobs: &Sender<Job>,
        results: &Receiver<Done>,
        mut idle: usize,
        stop: &Stop,
        sink: &mut impl Sink,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<Progress, OpeningsError> {
        loop {
            if let Some(job) = self.hand_on(sink)? {
                // Before anything else: it is what the others wait for.
                let _ = jobs.send(job);
                idle -= 1;
            }
            observe(self.progress);
            if self.progress.done >= self.number {
                return Ok(self.progress);
            }
            while idle > 0
                && let Some(job) = self.next_job()
            {
                let _ = jobs.send(job);
                idle -= 1;
            }
            match results.recv() {
                Ok(Done::Made(made)) => {
                    self.progress.made += 1;
                    if made.index > self.progress.done {
                        sink.keep(&made)?;
                    }
                    self.waiting.insert(made.index, Some(made));
                }
                Ok(Done::Failed(index)) => {
                    stop.end.fetch_min(index, Ordering::Relaxed);
                    self.waiting.insert(index, None);
                }
                Ok(Done::Died) | Err(_) => return Err(OpeningsError::Died),
            }
            idle += 1;
        }
    }

    /// Hands on what has waited for its turn. Returns a job if the next opening turned out to be
    /// the same as an earlier one and has to be made anew.
    fn hand_on(&mut self, sink: &mut impl Sink) -> Result<Option<Job>, OpeningsError> {
        while self.progress.done < self.number
            && let Some(made) = self.waiting.remove(&self.progress.done)
        {
            let index = self.progress.done;
            self.next = self.next.max(index + 1);
            let Some(made) = made else {
                return Err(OpeningsError::Exhausted {
                    number: index + 1,
                    attempts: MOST_ATTEMPTS,
                });
            };
            if !self.forms.insert(canonical(self.options.size, &made.stones)) {
                return Ok(Some(Job { index, first_attempt: made.attempt + 1 }));
            }
            sink.write(&made.stones)?;
            self.progress.done += 1;
        }
        Ok(None)
    }

    /// Returns the next opening that nobody has made or is making, if it is not too early for it.
    fn next_job(&mut self) -> Option<Job> {
        while self.waiting.contains_key(&self.next) {
            self.next += 1;
        }
        let index = self.next;
        let wanted = index < self.number && index < self.progress.done + MOST_AHEAD;
        wanted.then(|| {
            self.next += 1;
            Job { index, first_attempt: 0 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::double::Double;
    use crate::openings::generate::check_opening;
    use crate::openings::options::StoneCount;
    use crate::rules::Rule;
    use crate::types::Size;
    use std::io;

    /// Remembers what it is given, and refuses after so many openings.
    #[derive(Default)]
    struct Memory {
        written: Vec<Vec<Point>>,
        kept: Vec<Made>,
        full_at: Option<usize>,
    }

    impl Sink for Memory {
        fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
            if self.full_at == Some(self.written.len()) {
                return Err(OpeningsError::io("write", io::ErrorKind::StorageFull.into()));
            }
            self.written.push(stones.to_vec());
            Ok(())
        }

        fn keep(&mut self, made: &Made) -> Result<(), OpeningsError> {
            self.kept.push(made.clone());
            Ok(())
        }
    }

    fn options() -> OpeningOptions {
        OpeningOptions::new(Rule::Freestyle, Size::square(15).unwrap())
    }

    /// Options with so few different openings that many come up again.
    fn narrow() -> (OpeningOptions, Double) {
        let mut options = OpeningOptions::new(Rule::Freestyle, Size::square(7).unwrap());
        options.stones = StoneCount { least: 1, most: 2 };
        (options.area, options.margin) = (2, 2);
        (options, Double { cells: 2, ..Double::default() })
    }

    fn all(
        options: &OpeningOptions,
        number: u64,
        begun: Begun,
        searchers: Vec<Double>,
    ) -> (Memory, Result<Progress, OpeningsError>) {
        let mut memory = Memory::default();
        let result = run(options, number, begun, searchers, &mut memory, &mut |_| {});
        (memory, result)
    }

    fn forms(options: &OpeningOptions, openings: &[Vec<Point>]) -> Vec<Canonical> {
        openings.iter().map(|stones| canonical(options.size, stones)).collect()
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        for (options, double, number) in
            [(options(), Double::default(), 100), (narrow().0, narrow().1, 12)]
        {
            let (one, result) = all(&options, number, Begun::default(), vec![double.clone()]);
            assert_eq!(result.unwrap().done, number);
            assert_eq!(one.written.len() as u64, number);
            assert!(one.kept.is_empty(), "one thread is never ahead");
            for threads in [2, 3, 8] {
                let doubles = vec![double.clone(); threads];
                let (many, result) = all(&options, number, Begun::default(), doubles);
                assert_eq!(many.written, one.written, "{threads}");
                assert_eq!(result.unwrap().done, number);
            }
        }
    }

    #[test]
    fn openings_that_are_the_same_are_made_anew() {
        let (options, double) = narrow();
        let (memory, _) = all(&options, 12, Begun::default(), vec![double.clone(); 3]);
        let different: HashSet<_> = forms(&options, &memory.written).into_iter().collect();
        assert_eq!(different.len(), 12);
        // The test would be empty if nothing had come up twice.
        let alone = |index| make(&options, &mut double.clone(), index, 0, &|| false).unwrap();
        let plain: Vec<Vec<Point>> = (0..12).map(|index| alone(index).stones).collect();
        let different: HashSet<_> = forms(&options, &plain).into_iter().collect();
        assert!(different.len() < 10, "{}", different.len());
    }

    #[test]
    fn a_run_goes_on_where_another_ended() {
        for (options, double, number) in
            [(options(), Double::default(), 60), (narrow().0, narrow().1, 12)]
        {
            let (whole, _) = all(&options, number, Begun::default(), vec![double.clone(); 2]);
            for done in [0, 1, 7, number as usize - 1, number as usize] {
                let forms = forms(&options, &whole.written[..done]);
                // What an interrupted run kept may be older than the lines, or ahead of them.
                for ahead in [Vec::new(), whole.kept.clone()] {
                    let begun = Begun { forms: forms.clone(), ahead };
                    let (rest, result) = all(&options, number, begun, vec![double.clone(); 3]);
                    assert_eq!(rest.written, whole.written[done..], "{done}");
                    assert_eq!(result.unwrap().done, number);
                }
            }
        }
    }

    #[test]
    fn what_was_kept_is_not_made_again() {
        let options = options();
        let alone = |index| make(&options, &mut Double::default(), index, 0, &|| false).unwrap();
        let begun = Begun { forms: Vec::new(), ahead: [1, 2, 4].map(alone).to_vec() };
        let (memory, result) = all(&options, 6, begun, vec![Double::default()]);
        assert_eq!(result.unwrap(), Progress { done: 6, made: 3 });
        let plain: Vec<Vec<Point>> = (0..6).map(|index| alone(index).stones).collect();
        assert_eq!(memory.written, plain);
    }

    #[test]
    fn fewer_openings_are_the_beginning_of_more() {
        let options = options();
        let doubles = || vec![Double::default(); 2];
        let (few, _) = all(&options, 20, Begun::default(), doubles());
        let (more, _) = all(&options, 50, Begun::default(), doubles());
        assert_eq!(few.written, more.written[..20]);
        let begun = Begun { forms: forms(&options, &more.written), ahead: Vec::new() };
        let (none, result) = all(&options, 20, begun, doubles());
        assert!(none.written.is_empty());
        assert_eq!(result.unwrap(), Progress { done: 50, made: 0 });
    }

    #[test]
    fn the_openings_before_an_impossible_one_are_handed_on() {
        // Nine different openings at most: one stone and one of its neighbours, or two.
        let mut options = OpeningOptions::new(Rule::Freestyle, Size::square(5).unwrap());
        options.stones = StoneCount { least: 1, most: 1 };
        (options.area, options.margin) = (2, 1);
        let double = Double { cells: 1, ..Double::default() };
        let mut before = None;
        for threads in [1, 4] {
            let doubles = vec![double.clone(); threads];
            let (memory, result) = all(&options, 100, Begun::default(), doubles);
            let count = memory.written.len();
            assert!((1..50).contains(&count), "{count}");
            let Err(OpeningsError::Exhausted { number, attempts }) = result else {
                panic!("{result:?}")
            };
            assert_eq!((number, attempts), (count as u64 + 1, MOST_ATTEMPTS));
            for stones in &memory.written {
                assert_eq!(check_opening(options.rule, options.size, stones), Ok(()));
            }
            assert_eq!(*before.get_or_insert(memory.written.clone()), memory.written);
        }
    }

    #[test]
    fn an_output_that_fails_ends_the_run() {
        let mut memory = Memory { full_at: Some(3), ..Memory::default() };
        let doubles = vec![Double::default(); 2];
        let result = run(&options(), 50, Begun::default(), doubles, &mut memory, &mut |_| {});
        assert!(matches!(result, Err(OpeningsError::Io { .. })), "{result:?}");
        assert_eq!(memory.written.len(), 3);
    }

    #[test]
    fn bad_options_end_the_run_before_it_begins() {
        let bad = OpeningOptions { window: -1, ..options() };
        let (memory, result) = all(&bad, 5, Begun::default(), vec![Double::default()]);
        assert!(matches!(result, Err(OpeningsError::Options(_))));
        assert!(memory.written.is_empty());
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_thread_that_dies_is_not_waited_for() {
        let mut doubles = vec![Double::default(); 2];
        doubles[1].dies_after = Some(5);
        let _ = all(&options(), 10_000, Begun::default(), doubles);
    }

    #[test]
    fn progress_is_told_and_never_goes_back() {
        let mut seen: Vec<Progress> = Vec::new();
        let mut memory = Memory::default();
        let doubles = vec![Double::default(); 3];
        run(&options(), 30, Begun::default(), doubles, &mut memory, &mut |p| seen.push(p)).unwrap();
        assert!(seen.is_sorted_by_key(|p| (p.made, p.done)));
        assert_eq!((seen[0].done, seen[seen.len() - 1].done), (0, 30));
    }
}

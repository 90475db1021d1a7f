//! Numbered work on many threads.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{JobSource, Stop, ThreadError, run_as_done};

/// The stack of a thread for work that needs no more than usual, in bytes.
pub const USUAL_STACK: usize = 2 << 20;

/// The numbers to work on, and the bounds of the work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberedWork {
    /// The numbers.
    pub range: Range<u64>,
    /// The length of the window of numbers that may be begun before the first of them is delivered.
    /// It bounds the memory that results wait in.
    pub ahead: u64,
    /// The stack of a thread, in bytes.
    pub stack_bytes: usize,
}

/// The fate of a result that was delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// It was taken, and the next number is wanted.
    Taken,
    /// It is discarded: the number is worked on anew, from this attempt on.
    Again(u32),
}

/// Takes results in the order of their numbers.
pub trait InOrder<T> {
    /// The reason why no more can be taken.
    type Error: From<ThreadError>;

    /// Takes note of a result as soon as it is there. `waits` says that it is not its turn.
    ///
    /// # Errors
    ///
    /// An error ends the work.
    fn arrived(&mut self, number: u64, result: &T, waits: bool) -> Result<(), Self::Error> {
        let _ = (number, result, waits);
        Ok(())
    }

    /// Takes a result whose turn it is.
    ///
    /// # Errors
    ///
    /// An error ends the work.
    fn deliver(&mut self, number: u64, result: T) -> Result<Delivery, Self::Error>;
}

/// A function that takes results whose turn it is.
impl<T, E: From<ThreadError>, F: FnMut(u64, T) -> Result<Delivery, E>> InOrder<T> for F {
    type Error = E;

    fn deliver(&mut self, number: u64, result: T) -> Result<Delivery, E> {
        self(number, result)
    }
}

/// A number for a thread, and the attempt to begin with.
type NumberedJob = (u64, u32);

/// Works on numbers with a thread for each of `workers`, and delivers the results to `sink` in the
/// order of the numbers. `known` are results of earlier runs.
///
/// The result of `work` must follow from the number and the attempt alone. Once `stop` is set, no
/// further number is begun; those that are begun are delivered as usual. `work` gets a part of `stop`,
/// which is also set when this function ends, so that it can give up after an error of `sink`.
///
/// # Errors
///
/// Returns the error of `sink`, or that of the system if it refuses a thread.
///
/// # Panics
///
/// Panics if a worker does, and if there is none.
pub fn run_in_order<W: Send, T: Send, S: InOrder<T>>(
    numbers: NumberedWork,
    workers: Vec<W>,
    known: BTreeMap<u64, T>,
    stop: &Stop,
    work: impl Fn(&mut W, u64, u32, &Stop) -> T + Sync,
    sink: &mut S,
) -> Result<(), S::Error> {
    let NumberedWork { range, ahead, stack_bytes } = numbers;
    let (turn, next, end) = (range.start, range.start, range.end);
    let mut order = Order { turn, next, end, ahead, waiting: known, again: None, stop, sink };
    order.deliver()?;
    let work = |worker: &mut W, (number, attempt): NumberedJob, stop: &Stop| {
        (number, work(worker, number, attempt, stop))
    };
    run_as_done(workers, stack_bytes, stop, work, &mut order)
}

/// Does `parts` parts of some work on up to `threads` threads, and returns the results in their order.
///
/// # Panics
///
/// Panics if a part does, and if the system refuses a thread.
pub fn run_parts<T: Send>(
    parts: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(parts);
    if threads < 2 {
        return (0..parts).map(work).collect();
    }
    let (range, workers) = (0..parts as u64, vec![(); threads]);
    let numbers = NumberedWork { range, ahead: u64::MAX, stack_bytes: USUAL_STACK };
    let work = |(): &mut (), part: u64, _: u32, _: &Stop| work(part as usize);
    let mut results = Vec::with_capacity(parts);
    let mut sink = |_, result| -> Result<Delivery, ThreadError> {
        results.push(result);
        Ok(Delivery::Taken)
    };
    run_in_order(numbers, workers, BTreeMap::new(), &Stop::new(), work, &mut sink)
        .expect("the system gives threads");
    results
}

/// Results that wait for their turn.
struct Order<'a, T, S> {
    /// The number to be delivered next.
    turn: u64,
    /// The first number that may not have been begun.
    next: u64,
    end: u64,
    ahead: u64,
    waiting: BTreeMap<u64, T>,
    /// What is to be worked on anew: it is what the others wait for.
    again: Option<NumberedJob>,
    stop: &'a Stop,
    sink: &'a mut S,
}

impl<T, S: InOrder<T>> Order<'_, T, S> {
    /// Delivers all whose turn it is.
    fn deliver(&mut self) -> Result<(), S::Error> {
        while self.turn < self.end
            && let Some(result) = self.waiting.remove(&self.turn)
        {
            self.next = self.next.max(self.turn + 1);
            match self.sink.deliver(self.turn, result)? {
                Delivery::Taken => self.turn += 1,
                Delivery::Again(attempt) => {
                    self.again = Some((self.turn, attempt));
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns the next number that nobody works on or has worked on, if it is not too early for
    /// it.
    fn next_number(&mut self) -> Option<u64> {
        while self.waiting.contains_key(&self.next) {
            self.next += 1;
        }
        let wanted = self.next < self.end && self.next < self.turn.saturating_add(self.ahead);
        wanted.then(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

impl<T, S: InOrder<T>> JobSource<NumberedJob, (u64, T)> for Order<'_, T, S> {
    type Error = S::Error;

    fn next(&mut self) -> Result<Option<NumberedJob>, S::Error> {
        if let Some(again) = self.again.take() {
            return Ok(Some(again));
        }
        Ok(if self.stop.is_set() { None } else { self.next_number().map(|number| (number, 0)) })
    }

    fn take(&mut self, (number, result): (u64, T)) -> Result<(), S::Error> {
        self.sink.arrived(number, &result, number > self.turn)?;
        self.waiting.insert(number, result);
        self.deliver()
    }
}

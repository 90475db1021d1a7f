//! Numbered work on many threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use super::ThreadError;

/// The numbers to work on, and the bounds of the work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
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

/// A number for a thread, and the attempt to begin with.
type NumberedJob = (u64, u32);

/// Works on numbers with a thread for each of `workers`, and delivers the results to `sink` in the
/// order of the numbers. `known` are results of earlier runs.
///
/// The result of `work` must follow from the number and the attempt alone. Once `stop` is set, no
/// further number is begun; those that are begun are delivered as usual. It is also set when this
/// function ends, so that `work` can look at it and give up after an error of `sink`.
///
/// # Errors
///
/// Returns the error of `sink`, or that of the system if it refuses a thread.
///
/// # Panics
///
/// Panics if a worker does, and if there is none.
pub fn run_in_order<W: Send, T: Send, S: InOrder<T>>(
    numbers: Numbers,
    workers: Vec<W>,
    known: BTreeMap<u64, T>,
    stop: &AtomicBool,
    work: impl Fn(&mut W, u64, u32) -> T + Sync,
    sink: &mut S,
) -> Result<(), S::Error> {
    assert!(!workers.is_empty(), "needs at least one worker");
    let Numbers { range, ahead, stack_bytes } = numbers;
    let mut idle = workers.len();
    let mut order = Order { turn: range.start, next: range.start, end: range.end, waiting: known };
    thread::scope(|scope| {
        // The threads end when this is dropped, whatever happens.
        let (jobs, inbox) = unbounded::<NumberedJob>();
        let (outbox, results) = unbounded();
        let _stop = SetOnDrop(stop);
        for mut worker in workers {
            let (inbox, outbox, work) = (inbox.clone(), Outbox(outbox.clone()), &work);
            let run = move || {
                for (number, attempt) in inbox {
                    let result = work(&mut worker, number, attempt);
                    if outbox.0.send(Some((number, result))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(stack_bytes).spawn_scoped(scope, run);
            thread.map_err(ThreadError)?;
        }
        drop(outbox);
        let begin = |job, idle: &mut usize| {
            *idle -= 1;
            // The results show whether it was taken.
            let _ = jobs.send(job);
        };
        let threads = idle;
        loop {
            // Before anything else: it is what the others wait for.
            if let Some(job) = order.deliver(sink)? {
                begin(job, &mut idle);
            }
            while idle > 0
                && !stop.load(Ordering::SeqCst)
                && let Some(number) = order.next_number(ahead)
            {
                begin((number, 0), &mut idle);
            }
            if idle == threads {
                return Ok(());
            }
            // A thread that has panicked says nothing more; leaving the scope passes that on.
            let Ok(Some((number, result))) = results.recv() else { return Ok(()) };
            idle += 1;
            sink.arrived(number, &result, number > order.turn)?;
            order.waiting.insert(number, result);
        }
    })
}

/// The sending end of a thread, which says so if the thread dies: it would be waited for in vain.
struct Outbox<T>(Sender<Option<T>>);

impl<T> Drop for Outbox<T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Results that wait for their turn.
struct Order<T> {
    /// The number to be delivered next.
    turn: u64,
    /// The first number that may not have been begun.
    next: u64,
    end: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> Order<T> {
    /// Delivers all whose turn it is. Returns a job if one of them is to be worked on anew.
    fn deliver<S: InOrder<T>>(&mut self, sink: &mut S) -> Result<Option<NumberedJob>, S::Error> {
        while self.turn < self.end
            && let Some(result) = self.waiting.remove(&self.turn)
        {
            self.next = self.next.max(self.turn + 1);
            match sink.deliver(self.turn, result)? {
                Delivery::Taken => self.turn += 1,
                Delivery::Again(attempt) => return Ok(Some((self.turn, attempt))),
            }
        }
        Ok(None)
    }

    /// Returns the next number that nobody works on or has worked on, if it is not too early for
    /// it.
    fn next_number(&mut self, ahead: u64) -> Option<u64> {
        while self.waiting.contains_key(&self.next) {
            self.next += 1;
        }
        let wanted = self.next < self.end && self.next < self.turn.saturating_add(ahead);
        wanted.then(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

#[cfg(test)]
mod tests;

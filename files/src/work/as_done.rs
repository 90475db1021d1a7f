//! Work on many threads whose results decide what is next.

use std::thread;

use crossbeam_channel::{Sender, unbounded};

use super::{Stop, ThreadError};

/// Hands out jobs and takes their results.
pub trait JobSource<J, T> {
    /// The reason why no more can be done.
    type Error: From<ThreadError>;

    /// Returns a job for an idle thread, or `None` if there is none before the next result.
    ///
    /// # Errors
    ///
    /// An error ends the work.
    fn next(&mut self) -> Result<Option<J>, Self::Error>;

    /// Takes a result.
    ///
    /// # Errors
    ///
    /// An error ends the work.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;
}

/// Does the jobs of `source` with a thread for each of `workers`, each with a stack of so many bytes, until
/// none is being done and none is left.
///
/// `work` gets a part of `stop`, which is also set when this function ends, so that it can give up after an
/// error of the source. Nothing else polls `stop`: a source that is to hand out no more jobs polls it
/// itself.
///
/// # Errors
///
/// Returns the error of the source, or that of the system if it refuses a thread.
///
/// # Panics
///
/// Panics if a worker does, and if there is none.
pub fn run_as_done<W: Send, J: Send, T: Send, S: JobSource<J, T>>(
    workers: Vec<W>,
    stack_bytes: usize,
    stop: &Stop,
    work: impl Fn(&mut W, J, &Stop) -> T + Sync,
    source: &mut S,
) -> Result<(), S::Error> {
    assert!(!workers.is_empty(), "needs at least one worker");
    let threads = workers.len();
    let mut idle = threads;
    thread::scope(|scope| {
        // The threads end when these are dropped, whatever happens.
        let stop = stop.part();
        let _stop = stop.request_on_drop();
        let (jobs, inbox) = unbounded::<J>();
        let (outbox, results) = unbounded();
        for mut worker in workers {
            let (inbox, outbox) = (inbox.clone(), Outbox(outbox.clone()));
            let (work, stop) = (&work, stop.clone());
            let run = move || {
                for job in inbox {
                    let result = work(&mut worker, job, &stop);
                    if outbox.0.send(Some(result)).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(stack_bytes).spawn_scoped(scope, run);
            thread.map_err(ThreadError)?;
        }
        drop(outbox);
        loop {
            while idle > 0
                && let Some(job) = source.next()?
            {
                idle -= 1;
                // The results show whether it was taken.
                let _ = jobs.send(job);
            }
            if idle == threads {
                return Ok(());
            }
            // A thread that has panicked says nothing more; leaving the scope passes that on.
            let Ok(Some(result)) = results.recv() else { return Ok(()) };
            idle += 1;
            source.take(result)?;
        }
    })
}

/// The sending end of a thread. It reports a panic, without which the thread would be waited for in vain.
struct Outbox<T>(Sender<Option<T>>);

impl<T> Drop for Outbox<T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

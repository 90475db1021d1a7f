//! Bringing a file to the disk now and then.

use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest time that what was written may wait.
const DELAY: Duration = Duration::from_secs(1);

/// A thread that brings a file to the disk soon after it was changed, so that no thread waits for the
/// disk.
#[derive(Debug)]
pub(super) struct Syncer {
    shared: Arc<SyncShared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct SyncShared {
    file: File,
    state: Mutex<SyncState>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct SyncState {
    is_dirty: bool,
    is_over: bool,
    fault: Option<io::Error>,
}

impl Syncer {
    /// Starts the thread.
    pub(super) fn start(file: File) -> io::Result<Syncer> {
        let (state, news) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(SyncShared { file, state, news });
        let worker = Arc::clone(&shared);
        let thread = thread::Builder::new().name("sync".to_owned()).spawn(move || worker.run())?;
        Ok(Syncer { shared, thread: Some(thread) })
    }

    /// Notes that the file was changed.
    pub(super) fn changed(&self) {
        self.shared.state().is_dirty = true;
        self.shared.news.notify_all();
    }

    /// Returns the error of an earlier attempt, once.
    pub(super) fn fault(&self) -> Option<io::Error> {
        self.shared.state().fault.take()
    }

    /// Brings everything to the disk and ends the thread.
    pub(super) fn stop(&mut self) -> io::Result<()> {
        self.shared.state().is_over = true;
        self.shared.news.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            return Err(io::Error::other("the thread that writes to the disk died"));
        }
        self.fault().map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        // Whoever wants to know has called it before.
        let _ = self.stop();
    }
}

impl SyncShared {
    fn state(&self) -> MutexGuard<'_, SyncState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut state = self.state();
        loop {
            while !state.is_dirty && !state.is_over {
                state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let due = Instant::now() + DELAY;
            while !state.is_over {
                let left = due.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                let wait = self.news.wait_timeout(state, left);
                state = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
            if state.is_dirty {
                state.is_dirty = false;
                drop(state);
                let result = self.file.sync_data();
                state = self.state();
                state.fault = state.fault.take().or(result.err());
            } else if state.is_over {
                return;
            }
        }
    }
}

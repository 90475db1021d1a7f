//! Sessions: an engine for a page, also while that is away.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, TrySendError, bounded};
use serde::Serialize;
use tokio::sync::watch;

use super::guard::{LineGuard, Passage};
use super::outbox::{Heard, PageOutbox};
use super::{EngineLimits, WebEngine, keeper};
use crate::folder::GameFolder;

/// The most sessions at a time.
pub const MOST_SESSIONS: usize = 16;
/// The most processes at a time, with those that are ending.
const MOST_PROCESSES: usize = MOST_SESSIONS + 8;
/// The time for which an engine waits for its page.
const WAITING: Duration = Duration::from_secs(5 * 60);
/// The most lines that wait for the thread of a session.
const MOST_ORDERS: usize = 64;

/// Why a page has no engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionFault {
    /// All sessions have a page.
    #[error("{MOST_SESSIONS} pages have engines already: close one of them")]
    Crowded,
    /// There is no such engine.
    #[error("there is no such engine")]
    NoEngine,
    /// The server ends, or the system gives no thread.
    #[error("no engine can be started now")]
    Unable,
}

impl SessionFault {
    /// Returns the fault as pages read it.
    #[must_use]
    pub fn state(self) -> String {
        EngineState::Gone { reason: &self.to_string() }.json()
    }
}

/// The state of an engine, as pages read it.
#[derive(Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum EngineState<'a> {
    /// A new process.
    Ready { name: &'a str },
    /// The same process as before.
    Resumed { name: &'a str },
    /// It has ended, or belongs to another page.
    Gone { reason: &'a str },
}

impl EngineState<'_> {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("states are JSON")
    }
}

/// All sessions.
#[derive(Debug)]
pub struct Sessions {
    engines: Arc<[WebEngine]>,
    limits: EngineLimits,
    folder: Option<Arc<GameFolder>>,
    known: Mutex<KnownSessions>,
    /// The number of threads that keep a process.
    keepers: Arc<AtomicUsize>,
}

#[derive(Debug, Default)]
struct KnownSessions {
    by_id: HashMap<String, Arc<EngineSession>>,
    threads: Vec<JoinHandle<()>>,
    is_closed: bool,
}

/// An engine and what waits for its page.
#[derive(Debug)]
pub(super) struct EngineSession {
    engine: usize,
    state: Mutex<SessionState>,
    /// Changes with the outbox and the page.
    changes: watch::Sender<()>,
}

#[derive(Debug)]
struct SessionState {
    outbox: PageOutbox,
    guard: LineGuard,
    /// The way to the engine, until the session ends.
    orders: Option<Sender<String>>,
    /// The number of the page that has the engine.
    page: u64,
    /// The time at which the page went away, if it has.
    left: Option<Instant>,
    /// True once nothing will be added.
    is_over: bool,
}

/// What comes for a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageDelivery {
    /// Lines of the engine or states.
    Lines(Vec<String>),
    /// Another page has the engine now.
    TakenOver(String),
    /// Nothing more.
    Over,
}

/// What has become of a line to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// It is on its way, or was refused.
    Done,
    /// The engine does not read: try again.
    Later,
    /// The session is over.
    Over,
}

/// The engine of a page.
#[derive(Debug)]
pub struct Attached {
    session: Arc<EngineSession>,
    page: u64,
    changes: watch::Receiver<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    /// Returns no session so far: engines start with their pages.
    #[must_use]
    pub fn new(
        engines: Vec<WebEngine>,
        limits: EngineLimits,
        folder: Option<Arc<GameFolder>>,
    ) -> Sessions {
        Sessions {
            engines: engines.into(),
            limits,
            folder,
            known: Mutex::default(),
            keepers: Arc::default(),
        }
    }

    /// Returns the engines.
    #[must_use]
    pub fn engines(&self) -> &[WebEngine] {
        &self.engines
    }

    /// Returns the most that each of them may use.
    #[must_use]
    pub const fn limits(&self) -> EngineLimits {
        self.limits
    }

    /// Gives a page the engine of its session, which is started if there is none.
    ///
    /// # Errors
    ///
    /// Returns why it can't have one.
    pub fn attach(&self, id: &str, engine: usize) -> Result<Attached, SessionFault> {
        if engine >= self.engines.len() {
            return Err(SessionFault::NoEngine);
        }
        let mut known = lock(&self.known);
        if let Some(session) = known.by_id.get(id) {
            if session.engine == engine && !session.is_over() {
                return Ok(Attached::to(session, Some(&self.engines[engine].name)));
            }
            session.close();
            known.by_id.remove(id);
        }
        known.by_id.retain(|_, session| !session.is_over());
        if known.by_id.len() >= MOST_SESSIONS {
            known.end_longest_left().ok_or(SessionFault::Crowded)?;
        }
        let session = self.start(engine, &mut known)?;
        let attached = Attached::to(&session, None);
        known.by_id.insert(id.to_owned(), session);
        Ok(attached)
    }

    /// Starts a session.
    fn start(
        &self,
        engine: usize,
        known: &mut KnownSessions,
    ) -> Result<Arc<EngineSession>, SessionFault> {
        if known.is_closed {
            return Err(SessionFault::Unable);
        }
        if self.keepers.fetch_add(1, Ordering::SeqCst) >= MOST_PROCESSES {
            self.keepers.fetch_sub(1, Ordering::SeqCst);
            return Err(SessionFault::Crowded);
        }
        let (orders, receiver) = bounded(MOST_ORDERS);
        let session = Arc::new(EngineSession {
            engine,
            state: Mutex::new(SessionState {
                outbox: PageOutbox::default(),
                guard: LineGuard::new(
                    self.limits,
                    self.folder.clone(),
                    &self.engines[engine].first,
                ),
                orders: Some(orders),
                page: 0,
                left: None,
                is_over: false,
            }),
            changes: watch::Sender::default(),
        });
        let kept = Arc::clone(&session);
        let (engines, keepers) = (Arc::clone(&self.engines), Arc::clone(&self.keepers));
        let spawned = thread::Builder::new().name("engine".to_owned()).spawn(move || {
            keeper::keep(&engines[engine], &receiver, &kept);
            keepers.fetch_sub(1, Ordering::SeqCst);
        });
        let Ok(thread) = spawned else {
            self.keepers.fetch_sub(1, Ordering::SeqCst);
            return Err(SessionFault::Unable);
        };
        known.threads.retain(|thread| !thread.is_finished());
        known.threads.push(thread);
        Ok(session)
    }

    /// Ends the sessions whose pages have been away for too long.
    pub fn sweep(&self, now: Instant) {
        lock(&self.known).by_id.retain(|_, session| {
            let is_stale = lock(&session.state)
                .left
                .is_some_and(|left| now.saturating_duration_since(left) >= WAITING);
            if is_stale {
                session.close();
            }
            !is_stale && !session.is_over()
        });
    }

    /// Ends all sessions and waits for their engines.
    pub fn close(&self) {
        let threads = {
            let mut known = lock(&self.known);
            known.is_closed = true;
            known.by_id.drain().for_each(|(_, session)| session.close());
            std::mem::take(&mut known.threads)
        };
        for thread in threads {
            // One that has panicked has ended, too.
            let _ = thread.join();
        }
    }
}

impl KnownSessions {
    /// Ends the session whose page has been away longest, if one is.
    fn end_longest_left(&mut self) -> Option<()> {
        let left = |session: &EngineSession| lock(&session.state).left;
        let (_, id) = self
            .by_id
            .iter()
            .filter_map(|(id, session)| Some((left(session)?, id.clone())))
            .min()?;
        self.by_id.remove(&id)?.close();
        Some(())
    }
}

impl EngineSession {
    /// Adds lines of the engine.
    pub(super) fn said(&self, lines: impl Iterator<Item = String>) {
        // Whoever waits for the lock serves all other pages, too.
        let lines: Vec<Heard> = lines.map(Heard::new).collect();
        let mut state = lock(&self.state);
        lines.into_iter().for_each(|line| state.outbox.push(line));
        drop(state);
        self.changes.send_replace(());
    }

    /// Reports that the engine is there.
    pub(super) fn ready(&self, name: &str, again: bool) {
        let mut state = lock(&self.state);
        if again {
            state.guard.reset();
        }
        state.outbox.push_state(EngineState::Ready { name }.json());
        drop(state);
        self.changes.send_replace(());
    }

    /// Reports that it has ended.
    pub(super) fn gone(&self, reason: &str) {
        lock(&self.state).outbox.push_state(EngineState::Gone { reason }.json());
        self.changes.send_replace(());
    }

    /// Reports that there will be no engine any more.
    pub(super) fn finish(&self, reason: &str) {
        self.gone(reason);
        self.close();
    }

    /// Ends the session: its thread ends the engine.
    fn close(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        state.orders = None;
        drop(state);
        self.changes.send_replace(());
    }

    /// Returns whether the session has ended.
    pub(super) fn is_over(&self) -> bool {
        lock(&self.state).is_over
    }
}

impl Attached {
    /// Gives a page the engine; `name` is that of one which is there already.
    fn to(session: &Arc<EngineSession>, name: Option<&str>) -> Attached {
        let mut state = lock(&session.state);
        state.page += 1;
        state.left = None;
        // Of a process that began while no page was there, all is still to be told.
        if let Some(name) = name
            && !state.outbox.begin_with_state()
        {
            state.outbox.push_state_first(EngineState::Resumed { name }.json());
        }
        let page = state.page;
        drop(state);
        let mut changes = session.changes.subscribe();
        changes.mark_changed();
        session.changes.send_replace(());
        Attached { session: Arc::clone(session), page, changes }
    }

    /// Waits for what comes next. What is not awaited to its end is not lost.
    pub async fn next(&mut self) -> PageDelivery {
        loop {
            // What comes after this look is another change.
            self.changes.mark_unchanged();
            {
                let mut state = lock(&self.session.state);
                if state.page != self.page {
                    let reason = "the game is open in another window";
                    return PageDelivery::TakenOver(EngineState::Gone { reason }.json());
                }
                let lines = state.outbox.take();
                if !lines.is_empty() {
                    return PageDelivery::Lines(lines);
                }
                if state.is_over {
                    return PageDelivery::Over;
                }
            }
            if self.changes.changed().await.is_err() {
                return PageDelivery::Over;
            }
        }
    }

    /// Says a line to the engine.
    pub fn say(&self, line: &str) -> Said {
        let mut state = lock(&self.session.state);
        let SessionState { orders: Some(orders), page, .. } = &*state else { return Said::Over };
        if *page != self.page {
            return Said::Over;
        }
        // The guard may make two lines of one.
        if orders.len() + 2 > MOST_ORDERS {
            return Said::Later;
        }
        match state.guard.pass(line) {
            Passage::Refused(why) => {
                state.outbox.push(Heard::new(format!("ERROR {why}")));
                drop(state);
                self.session.changes.send_replace(());
            }
            Passage::Lines(lines) => {
                let Some(orders) = &state.orders else { return Said::Over };
                for line in lines {
                    if let Err(TrySendError::Disconnected(_)) = orders.try_send(line) {
                        return Said::Over;
                    }
                }
            }
        }
        Said::Done
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let mut state = lock(&self.session.state);
        if state.page == self.page {
            state.left = Some(Instant::now());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use tengen_lab::process::EngineCommand;

    /// Returns sessions with an engine that says what it hears.
    fn sessions() -> Sessions {
        let engine = WebEngine {
            name: "echo".to_owned(),
            command: EngineCommand::new("cat", &[]),
            dir: None,
            first: vec!["first".to_owned()],
            levels: false,
        };
        let limits = EngineLimits { threads: 1, memory: 1 << 26 };
        Sessions::new(vec![engine], limits, None)
    }

    /// Returns the next lines, at least as many.
    fn next(page: &mut Attached, count: usize) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut lines = Vec::new();
        while lines.len() < count {
            match runtime.block_on(page.next()) {
                PageDelivery::Lines(more) => lines.extend(more),
                other => panic!("{other:?} after {lines:?}"),
            }
        }
        lines
    }

    const READY: &str = r#"{"state":"ready","name":"echo"}"#;
    const RESUMED: &str = r#"{"state":"resumed","name":"echo"}"#;

    #[test]
    fn a_page_that_comes_back_in_time_finds_its_engine() {
        let sessions = sessions();
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(next(&mut page, 2), [READY, "first"]);
        assert_eq!(page.say("7,7"), Said::Done);
        assert_eq!(next(&mut page, 1), ["7,7"]);
        assert_eq!(page.say("8,8"), Said::Done);
        drop(page);
        sessions.sweep(Instant::now() + WAITING / 2);
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(next(&mut page, 2), [RESUMED, "8,8"]);
        // The time does not run while it is there.
        sessions.sweep(Instant::now() + 2 * WAITING);
        assert_eq!(page.say("9,9"), Said::Done);
        assert_eq!(next(&mut page, 1), ["9,9"]);
        drop(page);
        sessions.sweep(Instant::now() + 2 * WAITING);
        assert!(lock(&sessions.known).by_id.is_empty());
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(next(&mut page, 2), [READY, "first"]);
        sessions.close();
        assert_eq!(page.say("7,7"), Said::Over);
        assert_eq!(sessions.attach("two", 0).unwrap_err(), SessionFault::Unable);
    }

    #[test]
    fn a_page_that_comes_back_to_another_process_hears_of_it_once() {
        let sessions = sessions();
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(next(&mut page, 2), [READY, "first"]);
        let session = Arc::clone(&page.session);
        drop(page);
        session.gone("it crashed");
        session.ready("echo", true);
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(page.say("7,7"), Said::Done);
        assert_eq!(next(&mut page, 2), [READY, "7,7"]);
        sessions.close();
    }

    #[test]
    fn long_answers_arrive_as_a_whole() {
        let sessions = sessions();
        let mut page = sessions.attach("one", 0).unwrap();
        assert_eq!(next(&mut page, 2), [READY, "first"]);
        let review = format!("MESSAGE REVIEW {}", "x".repeat(400_000));
        assert_eq!(page.say(&review), Said::Done);
        assert_eq!(next(&mut page, 1), [review]);
        assert_eq!(page.say(&"x".repeat(1 << 20)), Said::Done);
        assert_eq!(next(&mut page, 1), ["ERROR the engine has written too long a line"]);
        sessions.close();
    }

    #[test]
    fn there_is_no_engine_for_everybody() {
        let sessions = sessions();
        assert_eq!(sessions.attach("one", 1).unwrap_err(), SessionFault::NoEngine);
        let mut pages: Vec<Attached> =
            (0..MOST_SESSIONS).map(|n| sessions.attach(&n.to_string(), 0).unwrap()).collect();
        assert_eq!(sessions.attach("more", 0).unwrap_err(), SessionFault::Crowded);
        // Whose page is away gives way, and nobody else.
        drop(pages.remove(3));
        let _more = sessions.attach("more", 0).unwrap();
        assert_eq!(sessions.attach("3", 0).unwrap_err(), SessionFault::Crowded);
        assert_eq!(next(&mut pages[0], 2), [READY, "first"]);
        sessions.close();
    }
}

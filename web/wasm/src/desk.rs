//! The conversation, and the work for it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::host;
use tengen_core::eval::Evaluators;
use tengen_core::search::Params;
use tengen_core::sys::processors::set_processors;
use tengen_core::sys::turns;
use tengen_engine::engine::{Engine, Event, SearcherWork};
use tengen_engine::protocol::{InputLine, Reply, Scholar, Session, StudyReply, StudyRequest};
use tengen_people::study::Studies;

/// The memory that a page has asked for if it has said nothing: tables grow, but are never given back.
const USUAL_MEMORY: &str = "INFO max_memory 134217728";

thread_local! {
    /// Borrowed only while a line or an event is dealt with, which takes no time.
    static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) };
    /// Borrowed while a search runs.
    static WORK: RefCell<Option<SearcherWork>> = const { RefCell::new(None) };
}

/// The session and all that it waits for.
pub(crate) struct Desk {
    session: Session<Engine>,
    events: Receiver<Event>,
    studies: Rc<RefCell<VecDeque<StudyRequest>>>,
    room: Vec<u8>,
}

/// The time until there is something to do.
pub(crate) enum Pause {
    /// The conversation has ended.
    Over,
    /// There will be nothing before the next line.
    UntilLine,
    /// There is something to do at a certain moment.
    Until(Instant),
}

impl Desk {
    /// Begins the conversation.
    pub(crate) fn begin() {
        let (engine, events, work) = Engine::without_thread(Params::DEFAULT, Evaluators::shipped());
        let mut session = Session::new(engine, Instant::now());
        let studies = Rc::<RefCell<VecDeque<StudyRequest>>>::default();
        let sink = Rc::clone(&studies);
        session.connect_studies(Box::new(move |request| sink.borrow_mut().push_back(request)));
        let mut desk = Desk { session, events, studies, room: Vec::new() };
        desk.hear(USUAL_MEMORY.as_bytes(), Duration::ZERO);
        DESK.set(Some(desk));
        WORK.set(Some(work));
        turns::set_others(Desk::take_turn);
        set_processors(host::most_threads());
    }

    /// Works until nothing is left to do.
    pub(crate) fn run() -> Pause {
        loop {
            Desk::take_turn(Duration::ZERO);
            if Desk::is_over() {
                return Pause::Over;
            }
            if WORK.with_borrow_mut(|work| work.as_mut().is_some_and(SearcherWork::proceed)) {
                continue;
            }
            if let Some(request) = Desk::with(Desk::next_study).flatten() {
                Studies.study(&request, &mut |line| Desk::take_study(StudyReply::Line(line)));
                Desk::take_study(StudyReply::Done);
                continue;
            }
            let deadline = Desk::with(|desk| desk.session.deadline()).flatten();
            return deadline.map_or(Pause::UntilLine, Pause::Until);
        }
    }

    /// Deals with the lines and events that have come, or come within this time if there are none yet.
    fn take_turn(wait: Duration) {
        if !wait.is_zero() {
            host::await_line(wait);
        }
        Desk::with(|desk| {
            while let Ok(event) = desk.events.try_recv() {
                say(&desk.session.event(event, Instant::now()));
            }
            let mut room = std::mem::take(&mut desk.room);
            while let Some((line, waited)) = host::next_line(&mut room) {
                desk.hear(line, waited);
            }
            desk.room = room;
            let now = Instant::now();
            if desk.session.deadline().is_some_and(|deadline| now >= deadline) {
                say(&desk.session.tick(now));
            }
        });
    }

    /// Takes a line as if it had been read when it came: while the engine got ready nobody did, and what came later
    /// than a question concerns the search for its answer.
    fn hear(&mut self, line: &[u8], waited: Duration) {
        let now = Instant::now();
        let at = now.checked_sub(waited).unwrap_or(now);
        say(&self.session.line(InputLine::new(line, at), at));
    }

    fn next_study(&mut self) -> Option<StudyRequest> {
        self.studies.borrow_mut().pop_front()
    }

    fn take_study(reply: StudyReply) {
        Desk::with(|desk| say(&desk.session.study_reply(reply, Instant::now())));
    }

    fn is_over() -> bool {
        Desk::with(|desk| desk.session.is_over()).unwrap_or(true)
    }

    /// Does something with the desk, if nobody else does.
    fn with<T>(work: impl FnOnce(&mut Desk) -> T) -> Option<T> {
        DESK.with(|desk| Some(work(desk.try_borrow_mut().ok()?.as_mut()?)))
    }
}

fn say(replies: &[Reply]) {
    for reply in replies {
        host::say_line(&reply.to_string());
    }
}

//! The searcher thread.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use super::advisers::{Adviser, Advisers};
use super::book::OpeningBook;
use super::chances;
use super::hash::SharedTable;
use super::known_positions::KnownPositions;
use super::learning::UsedDatabase;
use super::question::position_of;
use super::searches::Searches;
use super::{Answer, Event, EventKind, Job, Settings, TableFile, Task};
use crate::database::DatabaseError;
use tengen_core::eval::Evaluators;
use tengen_core::eval::baselines::greedy;
use tengen_core::search::time::MoveOverhead;
use tengen_core::search::{Params, SearchControl};
use tengen_core::sys::panics::{self, Panic};
use tengen_core::sys::turns;

/// The interval at which a finished analysis without limits checks whether it was stopped.
const IDLE_INTERVAL: Duration = Duration::from_millis(1);

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
    events: Sender<Event>,
    move_overhead: Arc<Mutex<MoveOverhead>>,
    searches: Searches,
    advisers: Advisers,
    database: Option<UsedDatabase>,
}

impl Searcher {
    pub(super) fn new(
        events: Sender<Event>,
        move_overhead: Arc<Mutex<MoveOverhead>>,
        shared: SharedTable,
        params: Params,
        evaluators: Evaluators,
    ) -> Searcher {
        let searches = Searches::new(events.clone(), shared, params, evaluators);
        let advisers = Advisers::default();
        Searcher { events, move_overhead, searches, advisers, database: None }
    }

    /// Does jobs until the handle of the engine is dropped.
    pub(super) fn run(mut self, inbox: &Receiver<Message>) {
        for message in inbox {
            if !self.take(message, &|| !inbox.is_empty()) {
                return;
            }
        }
    }

    /// Does what a message asks for. Returns false if nobody wants to hear of it any more. `wanted` tells whether there
    /// are others.
    pub(super) fn take(&mut self, message: Message, wanted: &dyn Fn() -> bool) -> bool {
        match message {
            Message::NewGame => {
                self.searches.forget();
                self.advisers.forget();
            }
            Message::File(file, settings) => {
                self.searches.adopt(settings);
                let told =
                    panics::catch(|| self.searches.table_file(&file)).unwrap_or_else(|panic| {
                        self.searches.drop_search();
                        Err(panic.to_string())
                    });
                let event = Event { id: file.id, kind: EventKind::File(told) };
                return self.events.send(event).is_ok();
            }
            Message::Think(job, settings, control) => {
                self.searches.adopt(settings);
                let answer = panics::catch(|| self.answer(&job, &control))
                    .unwrap_or_else(|panic| self.answer_after(&panic, &job, &control));
                let observed = control.elapsed();
                {
                    let mut move_overhead =
                        self.move_overhead.lock().unwrap_or_else(PoisonError::into_inner);
                    move_overhead.observe(control.due(), observed);
                    move_overhead.observe_clock(&control.time_control(), observed);
                }
                let done = Event { id: job.id, kind: EventKind::Done(answer) };
                return self.events.send(done).is_ok();
            }
            Message::GetReady(job, settings, control) => {
                self.searches.get_ready(&job, settings, &control, wanted);
            }
            Message::Database(database) => {
                self.database = database;
                self.note_files();
            }
            Message::Book(book) => {
                self.advisers.set_book(book);
                self.note_files();
            }
        }
        true
    }

    /// Notes whether searches have to leave memory to a database or a book.
    fn note_files(&mut self) {
        self.searches.set_files(self.database.is_some() || self.advisers.has_book());
    }

    /// Returns the best answer that is known after something has panicked.
    fn answer_after(&mut self, panic: &Panic, job: &Job, control: &SearchControl) -> Answer {
        let best = self.searches.take_best();
        let had_files = self.begin_anew();
        let files = if had_files { ", without a database and a book from now on" } else { "" };
        let text = format!("internal error: {panic}; the best move known is played{files}");
        self.searches.send(job.id, EventKind::Fault(text));
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

    /// Forgets whatever a panic may have left half done; returns whether there was a database or a book.
    fn begin_anew(&mut self) -> bool {
        self.searches.drop_search();
        self.advisers.forget();
        let had_files = self.database.take().is_some() | self.advisers.set_book(None).is_some();
        self.note_files();
        had_files
    }

    /// Returns the answer of the first adviser that has one.
    fn answer(&mut self, job: &Job, control: &SearchControl) -> Answer {
        self.searches.begin();
        if let Err(error) = self.searches.make_room(job.setup.rule) {
            self.searches.send(job.id, EventKind::Fault(format!("no search: {error}")));
            return Answer::NoMove;
        }
        let known = self.known(job);
        let learner = self.database.as_ref().filter(|used| used.learns());
        let learner = learner.map(|used| used.database.path().to_owned());
        let question = self.searches.question(job, control, known.as_ref(), learner);
        let ask = |adviser: &mut dyn Adviser| adviser.advise(&question, &mut self.searches);
        let answer = self.advisers.in_turn().into_iter().find_map(ask);
        self.note_files();
        // An analysis without limits is ended by the user, even if nothing is left to find.
        let has_no_limit = || !job.limits.is_bounded() && control.budget().maximum.is_none();
        while job.analysis && has_no_limit() && !control.is_stopped() {
            turns::pause(IDLE_INTERVAL);
        }
        if let Some(error) = known.as_ref().and_then(KnownPositions::fault) {
            self.put_database_away(job.id, error);
        }
        answer.unwrap_or(Answer::NoMove)
    }

    /// Returns the known positions of the rule of a job, if there is a database.
    fn known(&mut self, job: &Job) -> Option<KnownPositions> {
        match self.database.as_ref()?.known(job.setup.rule) {
            Ok(known) => Some(known),
            Err(error) => {
                self.put_database_away(job.id, &error);
                None
            }
        }
    }

    /// Goes on without the database, which can't be read.
    fn put_database_away(&mut self, id: u64, error: &DatabaseError) {
        if let Some(used) = self.database.take() {
            let path = used.database.path().to_owned();
            self.searches.send(id, EventKind::Unreadable(path, error.to_string()));
            self.note_files();
        }
    }
}

#[cfg(test)]
mod tests;

//! A kit for engines of your own: the whole protocol, around one function that chooses a move.

use std::process::ExitCode;
use std::{io, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::engine::{
    Answer, Event, EventKind, Job, Settings, TableFile, TableUsage, Task, Thinker, position_of,
};
use crate::protocol::{self, Introduction, SessionTerms};
use tengen_core::position::Position;
use tengen_core::prover::STACK_BYTES;
use tengen_core::search::time::{MoveOverhead, TimeManager};
use tengen_core::search::{Limits, SearchControl};
use tengen_core::sys::panics;
use tengen_core::types::Point;

/// Speaks the protocol on standard input and output until the manager ends it; `choose` chooses the moves.
///
/// It gets a position in which there is an empty cell, with the patterns of all cells
/// ([`Position::class`]), to be played on and taken back at will, and the limits of the move:
/// [`SearchControl::budget`] is the time that it should take and that it may take, and
/// [`SearchControl::should_stop`], to be called every few hundred nodes with their number, tells when the time is
/// over, the nodes are used up, or the manager wants the move. It runs on a thread of its own, for one
/// move after another. A cell that can't be played is replaced by one near the centre, as is a panic, which is told.
///
/// All else is done: sizes, rules, blocks of stones, moves taken back, clocks and errors. The choices of openings are
/// made without thought: sides are kept, or stones put near the centre.
pub fn run(
    introduction: Introduction,
    choose: impl FnMut(&mut Position, &SearchControl) -> Point + Send + 'static,
) -> ExitCode {
    let Ok((thinker, events)) = ChooserEngine::start(choose) else { return ExitCode::FAILURE };
    let terms = SessionTerms { introduction, ..SessionTerms::default() };
    protocol::run(thinker, events, terms, None)
}

/// A function on a thread, as an engine.
struct ChooserEngine {
    jobs: Sender<(Job, SearchControl)>,
    outbox: Sender<Event>,
    /// The control of the last job.
    last: Option<(Job, SearchControl)>,
}

impl ChooserEngine {
    fn start(
        mut choose: impl FnMut(&mut Position, &SearchControl) -> Point + Send + 'static,
    ) -> io::Result<(ChooserEngine, Receiver<Event>)> {
        let (jobs, inbox) = unbounded::<(Job, SearchControl)>();
        let (outbox, events) = unbounded();
        let told = outbox.clone();
        let work = move || {
            for (job, control) in inbox {
                let mut position = position_of(&job.setup);
                let is_choice = matches!(job.task, Task::Move | Task::Swap1 | Task::Defend);
                let answer = if is_choice && position.empty_cells() > 0 {
                    match panics::catch(|| choose(&mut position, &control)) {
                        Ok(point) => Answer::Moves(vec![point]),
                        Err(panic) => {
                            let kind = EventKind::Fault(format!("internal error: {panic}"));
                            drop(told.send(Event { id: job.id, kind }));
                            Answer::NoMove
                        }
                    }
                } else {
                    Answer::NoMove
                };
                // Where nobody listens any more, the process ends.
                drop(told.send(Event { id: job.id, kind: EventKind::Done(answer) }));
            }
        };
        thread::Builder::new().name("chooser".into()).stack_size(STACK_BYTES).spawn(work)?;
        Ok((ChooserEngine { jobs, outbox, last: None }, events))
    }
}

/// Returns the time of a job.
fn time_of(job: &Job, limits: &Limits) -> TimeManager {
    let stones = job.setup.stones.len();
    let empties = job.setup.size.area() - stones - job.setup.walls.len();
    TimeManager::new(limits, stones, empties, &MoveOverhead::new(MoveOverhead::INITIAL))
}

impl Thinker for ChooserEngine {
    fn think(&mut self, job: Job) {
        let control = SearchControl::new(&job.limits, time_of(&job, &job.limits));
        self.last = Some((job.clone(), control.clone()));
        drop(self.jobs.send((job, control)));
    }

    fn stop(&mut self) {
        if let Some((_, control)) = &self.last {
            control.request_stop();
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        if let Some((job, control)) = &self.last {
            control.set_limits(&limits, time_of(job, &limits));
        }
    }

    fn set_settings(&mut self, _settings: Settings) {}

    fn table_file(&mut self, file: TableFile) {
        let kind = EventKind::File(Err("this engine has no table".to_owned()));
        drop(self.outbox.send(Event { id: file.id, kind }));
    }

    fn table_usage(&self) -> TableUsage {
        TableUsage::default()
    }

    fn new_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::{FileAction, Scope, Setup, Skill};
    use tengen_core::rules::Rule;
    use tengen_core::search::time::TimeControl;
    use tengen_core::types::{Color, Size};

    fn job(id: u64, task: Task) -> Job {
        let size = Size::DEFAULT;
        let setup = Setup {
            size,
            rule: Rule::Freestyle,
            stones: vec![(size.center(), Color::Black)],
            walls: Vec::new(),
            to_move: Color::White,
        };
        let (limits, scope) = (Limits::none(Instant::now()), Scope::default());
        Job { id, setup, task, analysis: false, limits, scope, skill: Skill::default() }
    }

    /// Returns what an engine says of a job, up to the answer.
    fn said(events: &Receiver<Event>) -> (Vec<String>, Answer) {
        let mut faults = Vec::new();
        loop {
            match events.recv().unwrap().kind {
                EventKind::Done(answer) => return (faults, answer),
                EventKind::Fault(text) => faults.push(text),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_function_answers_jobs_until_it_is_stopped() {
        let first = |p: &Position| p.board().empties().iter().next().unwrap();
        let patient = move |p: &mut Position, control: &SearchControl| {
            assert_eq!((p.played(), p.to_move()), (1, Color::White));
            while !control.should_stop(1) {
                thread::yield_now();
            }
            first(p)
        };
        let (mut engine, events) = ChooserEngine::start(patient).unwrap();
        engine.think(job(1, Task::Move));
        assert!(events.try_recv().is_err(), "it has no limit");
        engine.stop();
        let corner = Size::DEFAULT.point(0, 0).unwrap();
        assert_eq!(said(&events), (vec![], Answer::Moves(vec![corner])));
        // Limits that come later count too.
        engine.think(job(2, Task::Defend));
        let now = Limits::none(Instant::now());
        engine.set_limits(Limits { time: TimeControl::of_turn(Duration::ZERO), ..now });
        assert_eq!(said(&events).1, Answer::Moves(vec![corner]));
        engine.think(job(3, Task::Swap2));
        assert_eq!(said(&events), (vec![], Answer::NoMove), "openings are for the session");
    }

    #[test]
    fn a_panic_is_told_and_the_next_move_is_chosen() {
        let mut calls = 0;
        let (mut engine, events) = ChooserEngine::start(move |p, _| {
            calls += 1;
            assert!(calls > 1, "the first call");
            p.size().center()
        })
        .unwrap();
        engine.think(job(1, Task::Move));
        let (faults, answer) = said(&events);
        assert!(faults[0].contains("internal error: the first call"), "{faults:?}");
        assert_eq!(answer, Answer::NoMove);
        engine.think(job(2, Task::Move));
        assert!(matches!(said(&events).1, Answer::Moves(moves) if moves.len() == 1));
        let (size, rule) = (Size::DEFAULT, Rule::Freestyle);
        engine.table_file(TableFile {
            id: 3,
            path: "x".into(),
            action: FileAction::Save,
            rule,
            size,
        });
        let event = events.recv().unwrap();
        assert!(matches!((event.id, event.kind), (3, EventKind::File(Err(_)))));
    }
}

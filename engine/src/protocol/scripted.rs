//! A scripted engine, and a manager that talks to a session with it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::question::SCRIPT_GAP;
use super::{DatabaseReply, DatabaseRequest, DatabaseWorker, GRACE, InputLine, Session};
use crate::engine::{
    Answer, Event, EventKind, Finding, Job, JobSlot, Settings, TableFile, TableUsage, Task, Thinker,
};
use tengen_core::eval::WinModel;
use tengen_core::position::Position;
use tengen_core::search::{BalanceStones, Limits, Mark, Report, Variation};
use tengen_core::types::{Point, Score, Size};

/// The moment at which the engine answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// Before the next line is read.
    Quick,
    /// As soon as it is asked to stop.
    Patient,
    /// When the test says so.
    Deaf,
}

/// The calls that a session has made to its engine.
#[derive(Default)]
pub(super) struct CallLog {
    /// The job at which the engine works.
    pub(super) job: Option<Job>,
    /// True if that job was asked to stop.
    pub(super) stopped: bool,
    /// The limits given during the search.
    pub(super) limits: Vec<Limits>,
    /// The last of them that was given to the job at which it works.
    pub(super) limits_of_job: Option<Limits>,
    /// The settings given.
    pub(super) settings: Vec<Settings>,
    /// The files of the table that were asked for and not answered.
    pub(super) files: Vec<TableFile>,
    /// The jobs that it was asked to prepare for.
    pub(super) ready: Vec<Job>,
    /// The number of calls that make it forget everything.
    pub(super) new_games: usize,
}

/// An engine that answers when the test lets it.
#[derive(Clone, Default)]
pub(super) struct ScriptedEngine(Rc<RefCell<CallLog>>);

impl Thinker for ScriptedEngine {
    fn think(&mut self, job: Job) {
        let mut log = self.0.borrow_mut();
        assert!(log.job.is_none(), "one job at a time");
        log.stopped = false;
        log.limits_of_job = None;
        log.job = Some(job);
    }

    fn get_ready(&mut self, job: Job) {
        self.0.borrow_mut().ready.push(job);
    }

    fn stop(&mut self) {
        self.0.borrow_mut().stopped = true;
    }

    fn set_limits(&mut self, limits: Limits) {
        let mut log = self.0.borrow_mut();
        log.limits.push(limits);
        log.limits_of_job = Some(limits);
    }

    fn set_settings(&mut self, settings: Settings) {
        self.0.borrow_mut().settings.push(settings);
    }

    fn table_file(&mut self, file: TableFile) {
        self.0.borrow_mut().files.push(file);
    }

    fn table_usage(&self) -> TableUsage {
        TableUsage { permille: 125, bytes: 64 << 20 }
    }

    fn new_game(&mut self) {
        self.0.borrow_mut().new_games += 1;
    }
}

/// Returns the empty cells nearest to the centre, so many at most.
pub(super) fn sensible(job: &Job, count: usize) -> Vec<Point> {
    let setup = &job.setup;
    let center = setup.size.center();
    let free = |point: &Point| {
        setup.stones.iter().all(|(stone, _)| stone != point) && !setup.walls.contains(point)
    };
    let mut points: Vec<Point> = setup.size.points().filter(free).collect();
    points.sort_by_key(|point| point.distance(center));
    points.truncate(count);
    points
}

/// A database that carries out each request at once and keeps its replies.
#[derive(Clone, Default)]
struct ScriptedWorker(Rc<RefCell<(DatabaseWorker, VecDeque<DatabaseReply>)>>);

impl ScriptedWorker {
    fn run(&self, request: DatabaseRequest) {
        let (worker, replies) = &mut *self.0.borrow_mut();
        worker.run(request, &mut |reply| replies.push_back(reply));
    }
}

/// A manager that talks to a session.
pub(super) struct Talk {
    session: Session<ScriptedEngine>,
    database: ScriptedWorker,
    engine: ScriptedEngine,
    /// When the engine answers.
    pub(super) manner: Manner,
    /// True if the database does not answer.
    pub(super) slow_disk: bool,
    /// The time, which passes only when the test lets it.
    pub(super) now: Instant,
}

impl Talk {
    /// Begins a talk with a fresh process.
    pub(super) fn fresh(manner: Manner) -> Talk {
        let engine = ScriptedEngine::default();
        let now = Instant::now();
        let mut session = Session::new(engine.clone(), now);
        let database = ScriptedWorker::default();
        let worker = database.clone();
        session.connect_database(Box::new(move |request| worker.run(request)));
        Talk { session, database, engine, manner, slow_disk: false, now }
    }

    /// Begins a talk on a board of 15 by 15.
    pub(super) fn started(manner: Manner) -> Talk {
        let mut talk = Talk::fresh(manner);
        assert_eq!(talk.send("START 15\nINFO timeout_turn 200"), ["OK"]);
        talk
    }

    /// Sends lines and returns all replies to them. A line behind a question comes while the engine thinks
    /// about it.
    pub(super) fn send(&mut self, text: &str) -> Vec<String> {
        self.send_bytes(text.as_bytes())
    }

    /// Sends lines that are all there at once and returns all replies to them.
    pub(super) fn send_script(&mut self, text: impl AsRef<[u8]>) -> Vec<String> {
        self.send_lines(text.as_ref(), Duration::ZERO)
    }

    /// Sends bytes, split into lines, as [`Talk::send`].
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) -> Vec<String> {
        self.send_lines(bytes, SCRIPT_GAP + Duration::from_millis(1))
    }

    /// Sends bytes, split into lines, where `gap` passes before a line while an answer is owed.
    fn send_lines(&mut self, bytes: &[u8], gap: Duration) -> Vec<String> {
        let mut replies = Vec::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            if self.session.dialogue.slot().is_owed() {
                self.now += gap;
            }
            let line = InputLine::new(line, self.now);
            replies.extend(self.session.line(line, self.now).iter().map(ToString::to_string));
            replies.extend(self.database_replies());
            loop {
                let due = match self.manner {
                    Manner::Quick => true,
                    Manner::Patient => self.log().stopped,
                    Manner::Deaf => false,
                };
                let Some(job) = self.job().filter(|_| due && !self.session.is_over()) else {
                    break;
                };
                let count = match job.task {
                    Task::Swap2 if job.setup.stones.is_empty() => 3,
                    Task::Balance(task) if task.stones == BalanceStones::Two => 2,
                    _ => 1,
                };
                replies.extend(self.answer(Answer::Moves(sensible(&job, count))));
            }
        }
        replies
    }

    /// Sends a line that panics whenever it is carried out.
    pub(super) fn send_poison(&mut self, text: &str) -> Vec<String> {
        let line = InputLine::new(text.as_bytes(), self.now);
        let otherwise = |session: &mut Session<ScriptedEngine>| session.do_without_line(&line);
        self.session.safely(|_| panic!("poison"), otherwise);
        self.session.dialogue.take_replies().iter().map(ToString::to_string).collect()
    }

    /// Lets the engine answer with what panics whenever it is dealt with.
    pub(super) fn answer_poison(&mut self) -> Vec<String> {
        let id = self.engine.0.borrow_mut().job.take().unwrap().id;
        self.session.safely(
            |session| {
                *session.dialogue.slot_mut() = JobSlot::Idle;
                panic!("poison")
            },
            |session| session.do_without_answer(id),
        );
        self.session.dialogue.take_replies().iter().map(ToString::to_string).collect()
    }

    /// Returns what the database has replied meanwhile, unless its disk is slow.
    pub(super) fn database_replies(&mut self) -> Vec<String> {
        if self.slow_disk {
            return Vec::new();
        }
        let said = std::mem::take(&mut self.database.0.borrow_mut().1);
        let replies =
            said.into_iter().flat_map(|reply| self.session.database_reply(reply, self.now));
        replies.map(|reply| reply.to_string()).collect()
    }

    /// Lets the engine answer the job at which it works.
    pub(super) fn answer(&mut self, answer: Answer) -> Vec<String> {
        let id = self.engine.0.borrow_mut().job.take().unwrap().id;
        self.event(id, EventKind::Done(answer))
    }

    /// Lets the engine answer with one move.
    pub(super) fn play(&mut self, x: i64, y: i64) -> Vec<String> {
        self.answer(Answer::Moves(vec![cell(x, y)]))
    }

    /// Lets the engine report a best move.
    pub(super) fn report(&mut self, x: i64, y: i64) -> Vec<String> {
        let id = self.job().unwrap().id;
        self.event(id, EventKind::Report(report(&[&[(x, y)]])))
    }

    /// Lets the engine report several lines.
    pub(super) fn report_lines(&mut self, lines: &[&[(i64, i64)]]) -> Vec<String> {
        let id = self.job().unwrap().id;
        self.event(id, EventKind::Report(report(lines)))
    }

    /// Lets the engine send an event of a move at the root.
    pub(super) fn mark(&mut self, mark: Mark) -> Vec<String> {
        let id = self.job().unwrap().id;
        self.event(id, EventKind::Mark(mark))
    }

    /// Lets the engine finish with a file of the table.
    pub(super) fn finish_file(&mut self, result: Result<String, String>) -> Vec<String> {
        let id = self.engine.0.borrow_mut().files.remove(0).id;
        self.event(id, EventKind::File(result))
    }

    /// Lets the engine find something about the position that it searches with a database.
    pub(super) fn find(&mut self, path: &Path) -> Vec<String> {
        let job = self.job().unwrap();
        let position = Position::new(job.setup.rule, job.setup.size);
        let finding = Finding::new(&position, Score::ZERO, 12, &[job.setup.size.center()]);
        let mut said = self.event(job.id, EventKind::Finding(path.to_owned(), Box::new(finding)));
        said.extend(self.database_replies());
        said
    }

    /// Lets the engine say that it can't read a database.
    pub(super) fn fail_to_read(&mut self, path: &Path, reason: &str) -> Vec<String> {
        let id = self.job().unwrap().id;
        let mut said = self.event(id, EventKind::Unreadable(path.to_owned(), reason.to_owned()));
        said.extend(self.database_replies());
        said
    }

    fn event(&mut self, id: u64, kind: EventKind) -> Vec<String> {
        let replies = self.session.event(Event { id, kind }, self.now);
        replies.iter().map(ToString::to_string).collect()
    }

    /// Lets time pass and returns what the session replies at the end of it.
    pub(super) fn wait(&mut self, ms: u64) -> Vec<String> {
        self.now += Duration::from_millis(ms);
        self.session.tick(self.now).iter().map(ToString::to_string).collect()
    }

    /// Returns when the session wants to be told the time.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.session.deadline()
    }

    /// Lets the grace time pass.
    pub(super) fn wait_out_grace(&mut self) -> Vec<String> {
        self.wait(u64::try_from(GRACE.as_millis()).unwrap())
    }

    /// Closes the input.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.session.end_of_input(self.now).iter().map(ToString::to_string).collect()
    }

    /// Returns whether the session is over.
    pub(super) fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// Returns the calls made to the engine.
    pub(super) fn log(&self) -> std::cell::Ref<'_, CallLog> {
        self.engine.0.borrow()
    }

    /// Returns the job at which the engine works.
    pub(super) fn job(&self) -> Option<Job> {
        self.log().job.clone()
    }
}

fn report(lines: &[&[(i64, i64)]]) -> Report {
    let line = |moves: &&[(i64, i64)]| Variation {
        depth: 1,
        seldepth: 2,
        score: Score::ZERO,
        pv: moves.iter().map(|&(x, y)| cell(x, y)).collect(),
    };
    let lines = lines.iter().map(line).collect();
    Report { nodes: 3, elapsed: Duration::ZERO, lines, win_model: WinModel::new(200, 0) }
}

/// Returns a cell of the largest board.
pub(super) fn cell(x: i64, y: i64) -> Point {
    Size::square(22).unwrap().point(x, y).unwrap()
}

/// Returns the coordinates of a move line.
pub(super) fn coords(line: &str) -> Option<(i64, i64)> {
    let (x, y) = line.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

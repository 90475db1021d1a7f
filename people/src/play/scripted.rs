//! A scripted engine, and people who play against it.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{
    CasualGame, ClockControl, Controller, PlayFault, PlayNotice, PlayProgram, PlaySession,
    PlayTerms, ProgramEvent, ProgramName, ProgramNews, ProgramQuestion, SavedGame, SeatedProgram,
    ThinkingLimits,
};
use tengen_core::eval::WinModel;
use tengen_core::rules::{OpeningRule, Rule};
use tengen_core::search::{Limits, Report, Variation};
use tengen_core::sys::clock::ManualClock;
use tengen_core::types::{ByColor, Point, Score, Size};
use tengen_engine::engine::{
    Answer, Event, EventKind, Job, Settings, TableFile, TableUsage, Thinker,
};
use tengen_files::records::MoverSearch;

/// The calls that a session has made to its engine.
#[derive(Default, Debug)]
pub struct MindLog {
    /// The job at which the engine works.
    pub job: Option<Job>,
    /// True if that job was asked to stop.
    pub stopped: bool,
}

/// An engine that answers when the test lets it.
#[derive(Clone, Default, Debug)]
pub struct ScriptedThinker(Rc<RefCell<MindLog>>);

impl ScriptedThinker {
    /// Returns the job at which the engine works.
    pub fn job(&self) -> Option<Job> {
        self.0.borrow().job.clone()
    }

    /// Takes the job, to answer it.
    pub fn take_job(&self) -> Option<Job> {
        self.0.borrow_mut().job.take()
    }
}

impl ScriptedThinker {
    /// Returns what was asked of it.
    pub fn log(&self) -> RefMut<'_, MindLog> {
        self.0.borrow_mut()
    }
}

impl Thinker for ScriptedThinker {
    fn think(&mut self, job: Job) {
        let mut log = self.0.borrow_mut();
        assert!(log.job.is_none(), "one job at a time");
        *log = MindLog { job: Some(job), stopped: false };
    }

    fn stop(&mut self) {
        self.0.borrow_mut().stopped = true;
    }

    fn set_limits(&mut self, _limits: Limits) {}

    fn set_settings(&mut self, _settings: Settings) {}

    fn table_file(&mut self, _file: TableFile) {}

    fn table_usage(&self) -> TableUsage {
        TableUsage::default()
    }

    fn new_game(&mut self) {}
}

/// The calls that a session has made to a program.
#[derive(Default, Debug)]
pub struct ProgramLog {
    /// The question that it has to answer.
    pub question: Option<ProgramQuestion>,
    /// True if it was asked to stop.
    pub stopped: bool,
    /// How often it was told to begin anew.
    pub games: usize,
}

/// A program that answers when the test lets it; its answers are not late within 100 ms.
#[derive(Clone, Default, Debug)]
pub struct ScriptedProgram(Rc<RefCell<ProgramLog>>);

impl ScriptedProgram {
    /// Returns what was asked of it.
    pub fn log(&self) -> RefMut<'_, ProgramLog> {
        self.0.borrow_mut()
    }

    /// Returns its place at a table.
    pub fn seated(&self, name: &str) -> SeatedProgram {
        let (name, words) = (name.to_owned(), format!("cmd=./{name}"));
        SeatedProgram { name: ProgramName { name, words }, program: Box::new(self.clone()) }
    }

    /// Returns news about the question, which is over then unless it has only begun.
    pub fn says(&self, news: ProgramNews) -> ProgramEvent {
        let mut log = self.log();
        let id = log.question.as_ref().expect("a question").id;
        if news != ProgramNews::Begun {
            log.question = None;
        }
        ProgramEvent { id, news }
    }

    /// Returns the event of its answer with a move.
    pub fn answers(&self, cells: &str) -> ProgramEvent {
        let search = MoverSearch { depth: Some(7), ..MoverSearch::default() };
        self.says(ProgramNews::Answered(Answer::Moves(points(cells)), search, None))
    }
}

impl PlayProgram for ScriptedProgram {
    fn ask(&mut self, question: ProgramQuestion) {
        let mut log = self.log();
        assert!(log.question.is_none(), "one question at a time");
        (log.question, log.stopped) = (Some(question), false);
    }

    fn stop(&mut self) {
        self.log().stopped = true;
    }

    fn new_game(&mut self) {
        self.log().games += 1;
    }

    fn margin(&self) -> Duration {
        Duration::from_millis(100)
    }
}

/// A session with a scripted engine and a clock that stands still.
pub struct Sitting {
    /// The game.
    pub session: PlaySession<ScriptedThinker, &'static ManualClock>,
    mind: ScriptedThinker,
    clock: &'static ManualClock,
}

/// A person with black against the engine.
pub const USUAL: ByColor<Controller> = ByColor([Controller::Person, Controller::Engine]);

impl Sitting {
    /// Begins a game of freestyle on 15 by 15.
    pub fn new(sides: ByColor<Controller>, control: ClockControl) -> Sitting {
        Sitting::with(sides, control, CasualGame::new(Size::DEFAULT, Rule::Freestyle))
    }

    /// Begins with a game.
    pub fn with(sides: ByColor<Controller>, control: ClockControl, game: CasualGame) -> Sitting {
        let mind = ScriptedThinker::default();
        // A few bytes for each test.
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let terms = PlayTerms {
            sides,
            skills: ByColor::default(),
            clock: control,
            thinking: ThinkingLimits::default(),
        };
        let mut session = PlaySession::new(mind.clone(), clock, terms, game);
        let quiet = |n: &PlayNotice| matches!(n, PlayNotice::Over(_) | PlayNotice::Asked(_));
        assert!(session.start().iter().all(quiet));
        Sitting { session, mind, clock }
    }

    /// Begins a game with an opening, and returns its first notices.
    pub fn opening(
        sides: ByColor<Controller>,
        control: ClockControl,
        rule: OpeningRule,
        size: Size,
    ) -> (Sitting, Vec<PlayNotice>) {
        let mind = ScriptedThinker::default();
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let terms = PlayTerms {
            sides,
            skills: ByColor::default(),
            clock: control,
            thinking: ThinkingLimits::default(),
        };
        let game = CasualGame::new(size, Rule::Renju);
        let session = PlaySession::new(mind.clone(), clock, terms, game);
        let mut session = session.with_opening(rule).expect("a board that is large enough");
        let notices = session.start();
        (Sitting { session, mind, clock }, notices)
    }

    /// Goes on with what was saved, as another process would.
    pub fn resume(saved: SavedGame) -> Sitting {
        let mind = ScriptedThinker::default();
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let mut session = PlaySession::resume(mind.clone(), clock, saved);
        session.start();
        Sitting { session, mind, clock }
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) -> Vec<PlayNotice> {
        self.clock.advance(time);
        self.session.tick()
    }

    /// Plays cells such as `h8i9`.
    pub fn play(&mut self, cells: &str) -> Result<Vec<PlayNotice>, PlayFault> {
        self.session.play(&points(cells))
    }

    /// Returns the job at which the engine works.
    pub fn job(&self) -> Option<Job> {
        self.mind.job()
    }

    /// Returns whether that job was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.mind.0.borrow().stopped
    }

    /// Lets the engine answer with a move.
    pub fn answer(&mut self, cell: &str) -> Vec<PlayNotice> {
        self.finish(Answer::Moves(points(cell)))
    }

    /// Lets the engine finish its job.
    pub fn finish(&mut self, answer: Answer) -> Vec<PlayNotice> {
        let id = self.mind.take_job().expect("a job").id;
        self.session.event(Event { id, kind: EventKind::Done(answer) })
    }

    /// Lets the engine report a line such as `h8i9` with a score.
    pub fn report(&mut self, line: &str, score: i32) {
        let id = self.job().expect("a job").id;
        let kind = EventKind::Report(report(&[(line, score)]));
        let told = self.session.event(Event { id, kind });
        assert_eq!(told, []);
    }

    /// Returns the moves on the board as text.
    pub fn moves(&self) -> String {
        self.session
            .game()
            .moves()
            .iter()
            .filter_map(tengen_files::records::Move::point)
            .map(|point| point.to_string())
            .collect()
    }
}

/// Returns a report of lines such as `h8i9`, each with its score.
pub fn report(lines: &[(&str, i32)]) -> Report {
    let line = |&(line, score): &(&str, i32)| Variation {
        depth: 5,
        seldepth: 9,
        score: Score::eval(score),
        pv: points(line),
    };
    Report {
        nodes: 321,
        elapsed: Duration::ZERO,
        lines: lines.iter().map(line).collect(),
        win_model: WinModel::new(200, 0),
    }
}

/// Reads cells of the usual board.
pub fn points(cells: &str) -> Vec<Point> {
    tengen_core::notation::parse_moves(cells, Size::DEFAULT).expect("cells")
}

//! A scripted engine, and people who play against it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{
    CasualGame, ClockControl, Controller, PlayFault, PlayNotice, PlaySession, PlayTerms,
    ThinkingLimits,
};
use crate::engine::{Answer, Event, EventKind, Job, Settings, TableFile, TableUsage, Thinker};
use crate::eval::WinModel;
use crate::rules::Rule;
use crate::search::{Limits, Report, Variation};
use crate::sys::clock::ManualClock;
use crate::types::{ByColor, Point, Score, Size};

/// The calls that a session has made to its engine.
#[derive(Default, Debug)]
pub(super) struct MindLog {
    /// The job at which the engine works.
    pub(super) job: Option<Job>,
    /// Whether that job was asked to stop.
    pub(super) stopped: bool,
}

/// An engine that answers when the test lets it.
#[derive(Clone, Default, Debug)]
pub(super) struct ScriptedThinker(Rc<RefCell<MindLog>>);

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

/// A session with a scripted engine and a clock that stands still.
pub(super) struct Sitting {
    pub(super) session: PlaySession<ScriptedThinker, &'static ManualClock>,
    mind: ScriptedThinker,
    clock: &'static ManualClock,
}

/// A person with black against the engine.
pub(super) const USUAL: ByColor<Controller> = ByColor([Controller::Person, Controller::Engine]);

impl Sitting {
    /// Begins a game of freestyle on 15 by 15.
    pub(super) fn new(sides: ByColor<Controller>, control: ClockControl) -> Sitting {
        Sitting::with(sides, control, CasualGame::new(Size::DEFAULT, Rule::Freestyle))
    }

    /// Begins with a game.
    pub(super) fn with(
        sides: ByColor<Controller>,
        control: ClockControl,
        game: CasualGame,
    ) -> Sitting {
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
        assert!(session.start().iter().all(|notice| matches!(notice, PlayNotice::Over(_))));
        Sitting { session, mind, clock }
    }

    /// Lets time pass.
    pub(super) fn wait(&mut self, time: Duration) -> Vec<PlayNotice> {
        self.clock.advance(time);
        self.session.tick()
    }

    /// Plays cells such as `h8i9`.
    pub(super) fn play(&mut self, cells: &str) -> Result<Vec<PlayNotice>, PlayFault> {
        self.session.play(&points(cells))
    }

    /// Returns the job at which the engine works.
    pub(super) fn job(&self) -> Option<Job> {
        self.mind.0.borrow().job.clone()
    }

    /// Returns whether that job was asked to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.mind.0.borrow().stopped
    }

    /// Lets the engine answer with a move.
    pub(super) fn answer(&mut self, cell: &str) -> Vec<PlayNotice> {
        self.finish(Answer::Moves(points(cell)))
    }

    /// Lets the engine finish its job.
    pub(super) fn finish(&mut self, answer: Answer) -> Vec<PlayNotice> {
        let id = self.mind.0.borrow_mut().job.take().expect("a job").id;
        self.session.event(Event { id, kind: EventKind::Done(answer) })
    }

    /// Lets the engine report a line such as `h8i9` with a score.
    pub(super) fn report(&mut self, line: &str, score: i32) {
        let id = self.job().expect("a job").id;
        let score = Score::eval(score);
        let line = Variation { depth: 5, seldepth: 9, score, pv: points(line) };
        let report = Report {
            nodes: 321,
            elapsed: Duration::ZERO,
            lines: vec![line],
            win_model: WinModel::new(200, 0),
        };
        let told = self.session.event(Event { id, kind: EventKind::Report(report) });
        assert_eq!(told, []);
    }

    /// Returns the moves on the board as text.
    pub(super) fn moves(&self) -> String {
        self.session.game().moves().iter().map(|m| m.point.to_string()).collect()
    }
}

/// Reads cells of the usual board.
pub(super) fn points(cells: &str) -> Vec<Point> {
    crate::notation::parse_moves(cells, Size::DEFAULT).expect("cells")
}

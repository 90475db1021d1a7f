//! The class `Engine`: searches; and evaluation without a search.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tengen_core::eval::{Evaluator as _, EvaluatorKind, Evaluators, WinDrawLoss, Window};
use tengen_core::position::Position;
use tengen_core::rules::Game;
use tengen_core::search::time::TimeControl;
use tengen_core::search::{Limits, Report, STACK_BYTES, Variation};
use tengen_core::sys::panics;
use tengen_core::types::{Point, Score, ScoreKind};
use tengen_engine::engine::{
    Answer, Engine, Event, EventKind, Job, Scope, Settings, Skill, Task, Thinker as _,
};

use crate::border::{POLL, Whole, fault, invalid, parsed, point, points, run, seconds_of};
use crate::game::PyBoard;

/// An engine with its memory of earlier searches. It has one search at a time; several engines search side by
/// side. A process that was forked needs engines of its own.
///
/// ``threads`` is the number of search threads, ``memory`` the most that it uses, in mebibytes, and
/// ``evaluator`` ``network``, ``patterns`` (faster and weaker), ``shapes`` or ``tuples``.
///
/// Raises :class:`ValueError` if one of them makes no sense.
#[pyclass(name = "Engine", module = "tengen", frozen)]
pub(crate) struct PyEngine {
    working: Mutex<Working>,
    /// Set if the running search is to end.
    is_stopping: AtomicBool,
    last: Mutex<Option<PySearchResult>>,
    /// The process that has the threads of the engine.
    process: u32,
}

/// What a search has for itself.
struct Working {
    engine: Engine,
    events: Receiver<Event>,
    evaluator: EvaluatorKind,
    /// The number of the last job.
    jobs: u64,
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(
        signature = (*, threads=Whole(1), memory=Whole(350), evaluator="network"),
        text_signature = "(*, threads=1, memory=350, evaluator='network')"
    )]
    fn new(threads: Whole, memory: Whole, evaluator: &str) -> PyResult<PyEngine> {
        let threads: u16 = threads.at_least(1, "threads")?;
        let memory: u32 = memory.at_least(1, "memory")?;
        let evaluator = parsed(evaluator)?;
        let settings = Settings {
            threads: threads.into(),
            max_memory: Some(u64::from(memory) << 20),
            hash_size: None,
            knows_memory: true,
            evaluator,
        };
        let (mut engine, events) = panics::catch(Engine::new).map_err(fault)?;
        engine.set_settings(settings);
        let working = Mutex::new(Working { engine, events, evaluator, jobs: 0 });
        let (is_stopping, last) = (AtomicBool::new(false), Mutex::new(None));
        Ok(PyEngine { working, is_stopping, last, process: process::id() })
    }

    /// What the last search has found, even if an exception such as :class:`KeyboardInterrupt` has ended it.
    #[getter]
    fn last(&self) -> Option<PySearchResult> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Searches for the best move of the side to move.
    ///
    /// The search ends with the first of its limits, of which there must be one: ``seconds`` (it keeps a few
    /// hundredths in hand), ``nodes``, or ``depth`` in plies. With one thread, a limit of nodes and a new
    /// engine the result is always the same. ``lines`` is the number of best lines to find. ``on_report`` is
    /// called with what is known after each iteration; an exception of it ends the search.
    ///
    /// Raises :class:`ValueError` if there is no limit or the game is over, :class:`RuntimeError` if the engine
    /// is searching already or belongs to another process, and what signals raise, such as
    /// :class:`KeyboardInterrupt`; :attr:`last` has the result then.
    #[pyo3(
        signature = (board, *, seconds=None, nodes=None, depth=None, lines=Whole(1), on_report=None),
        text_signature = "($self, board, *, seconds=None, nodes=None, depth=None, lines=1, on_report=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "Python gives them names")]
    fn search(
        &self,
        py: Python<'_>,
        board: PyRef<'_, PyBoard>,
        seconds: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        lines: Whole,
        on_report: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySearchResult> {
        if seconds.is_none() && nodes.is_none() && depth.is_none() {
            return Err(invalid("a search needs a limit: seconds, nodes or depth"));
        }
        let time = seconds.map(seconds_of).transpose()?;
        let limits = Limits {
            time: TimeControl { turn: time, ..TimeControl::UNLIMITED },
            start: Instant::now(),
            max_depth: depth.map(|depth| depth.at_least(1, "depth")).transpose()?,
            max_nodes: nodes.map(|nodes| nodes.at_least(1, "nodes")).transpose()?,
        };
        let lines: u16 = lines.at_least(1, "lines")?;
        let (setup, game) = (board.setup()?, board.game.clone());
        // Others may play on it during the search.
        drop(board);
        let mut working = self.begin()?;
        let scope = Scope { lines: lines.into(), ..Scope::default() };
        working.jobs += 1;
        let job = Job {
            id: working.jobs,
            setup,
            task: Task::Move,
            analysis: true,
            limits,
            scope,
            skill: Skill::default(),
        };
        self.is_stopping.store(false, Ordering::Relaxed);
        working.engine.think(job);
        self.wait(py, &mut working, &game, on_report)
    }

    /// Asks the running search, which another thread waits for, to end with the best that it has found.
    fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Forgets what earlier searches have learnt.
    ///
    /// Raises :class:`RuntimeError` during a search.
    fn new_game(&self) -> PyResult<()> {
        self.begin()?.engine.new_game();
        Ok(())
    }
}

impl PyEngine {
    /// Returns what a search needs, unless one is running.
    fn begin(&self) -> PyResult<MutexGuard<'_, Working>> {
        if self.process != process::id() {
            let text = "the engine belongs to another process: make one after the fork";
            return Err(PyRuntimeError::new_err(text));
        }
        match self.working.try_lock() {
            Ok(working) => Ok(working),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the engine is searching: another one is needed for this",
            )),
        }
    }

    /// Waits for the answer to the last job. An exception, by a signal or out of `on_report`, ends the search.
    fn wait(
        &self,
        py: Python<'_>,
        working: &mut Working,
        game: &Game,
        on_report: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySearchResult> {
        let Working { engine, events, evaluator, jobs } = working;
        let mut last: Option<PySearchResult> = None;
        let (mut raised, mut trouble) = (None, None);
        let answer = loop {
            match py.detach(|| events.recv_timeout(POLL)) {
                Ok(Event { id, kind }) if id == *jobs => match kind {
                    EventKind::Report(report) => {
                        let result = PySearchResult::of(report);
                        if let Some(on_report) = on_report.filter(|_| raised.is_none()) {
                            raised = on_report.call1((result.clone(),)).err();
                        }
                        last = Some(result);
                    }
                    EventKind::Done(answer) => break answer,
                    EventKind::Fault(text) => trouble = Some(text),
                    _ => {}
                },
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(fault("the engine has gone")),
            }
            if raised.is_none() {
                raised = py.check_signals().err();
            }
            if raised.is_some() || self.is_stopping.load(Ordering::Relaxed) {
                engine.stop();
            }
        };
        let found = match answer {
            Answer::Moves(moves) => {
                let last = last.unwrap_or_default();
                let chosen = |&best: &Point| last.with_move(best, game, *evaluator);
                moves.first().map(chosen)
            }
            _ => None,
        };
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&found);
        match (raised, trouble) {
            (Some(raised), _) => Err(raised),
            (None, Some(text)) => Err(PyRuntimeError::new_err(text)),
            (None, None) => found.ok_or_else(|| invalid("there is no move")),
        }
    }
}

/// A line of play with its score.
#[pyclass(name = "Line", module = "tengen", frozen)]
#[derive(Clone)]
pub(crate) struct PyLine {
    variation: Variation,
    chances: WinDrawLoss,
}

#[pymethods]
impl PyLine {
    /// The moves, that of the side to move first.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        points(py, self.variation.pv.iter().copied())
    }

    /// The score for the side to move in units of the engine, from -20000 to 20000, or beyond ±29000 if a win
    /// is proven.
    #[getter]
    fn score(&self) -> i32 {
        self.variation.score.raw()
    }

    /// The number of plies after which the side to move has won, if that is proven.
    #[getter]
    fn win_in(&self) -> Option<u16> {
        match self.variation.score.kind() {
            ScoreKind::Win(plies) => Some(plies),
            _ => None,
        }
    }

    /// The number of plies after which the side to move has lost, if that is proven.
    #[getter]
    fn loss_in(&self) -> Option<u16> {
        match self.variation.score.kind() {
            ScoreKind::Loss(plies) => Some(plies),
            _ => None,
        }
    }

    /// The chance that the side to move wins, from 0 to 1.
    #[getter]
    fn win(&self) -> f64 {
        self.chances.win
    }

    /// The chance of a draw, from 0 to 1.
    #[getter]
    fn draw(&self) -> f64 {
        self.chances.draw
    }

    /// The chance that the side to move loses, from 0 to 1.
    #[getter]
    fn loss(&self) -> f64 {
        self.chances.loss
    }

    /// The depth that was searched to the end, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.variation.depth
    }

    /// The length of the longest line that was looked at, in plies.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.variation.seldepth
    }

    fn __repr__(&self) -> String {
        let Variation { score, depth, pv, .. } = &self.variation;
        let moves: Vec<String> = pv.iter().map(Point::to_string).collect();
        format!("<Line {score} depth {depth}: {}>", moves.join(" "))
    }
}

/// What a search has found.
#[pyclass(name = "SearchResult", module = "tengen", frozen)]
#[derive(Clone, Default)]
pub(crate) struct PySearchResult {
    best: Option<Point>,
    lines: Vec<PyLine>,
    /// The number of nodes that were searched.
    #[pyo3(get)]
    nodes: u64,
    /// The time of the search.
    #[pyo3(get)]
    seconds: f64,
}

#[pymethods]
impl PySearchResult {
    /// The best move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        point(py, self.best.ok_or_else(|| fault("a result without a move"))?)
    }

    /// The best lines, best first: as many as were asked for, or as there are moves.
    #[getter]
    fn lines(&self) -> Vec<PyLine> {
        self.lines.clone()
    }

    /// The best line: its moves, score and depth.
    #[getter]
    fn line(&self) -> PyResult<PyLine> {
        self.lines.first().cloned().ok_or_else(|| fault("a result without a line"))
    }

    fn __repr__(&self) -> String {
        let best = self.best.map_or_else(String::new, |best| best.to_string());
        let line = self.lines.first().map_or_else(String::new, PyLine::__repr__);
        format!("<SearchResult {best} {line}, {} nodes>", self.nodes)
    }
}

impl PySearchResult {
    fn of(report: Report) -> PySearchResult {
        let Report { nodes, elapsed, lines, win_model } = report;
        let line = |variation: Variation| {
            let chances = win_model.chances(variation.score);
            PyLine { variation, chances }
        };
        let lines: Vec<PyLine> = lines.into_iter().map(line).collect();
        let best = lines.first().and_then(|line| line.variation.pv.first().copied());
        PySearchResult { best, lines, nodes, seconds: elapsed.as_secs_f64() }
    }

    /// Returns the result with the move that the engine has chosen at last. Its line comes first; where the search
    /// has ended before there was one, the position is judged without a search.
    fn with_move(mut self, best: Point, game: &Game, evaluator: EvaluatorKind) -> PySearchResult {
        self.best = Some(best);
        let is_first = |line: &PyLine| line.variation.pv.first() == Some(&best);
        match self.lines.iter().position(is_first) {
            Some(at) => self.lines[..=at].rotate_right(1),
            None => {
                let (score, chances) = judgement(game, evaluator);
                let variation = Variation { depth: 0, seldepth: 0, score, pv: vec![best] };
                self.lines.insert(0, PyLine { variation, chances });
            }
        }
        self
    }
}

/// An evaluation without a search.
#[pyclass(name = "Evaluation", module = "tengen", frozen, get_all)]
pub(crate) struct PyEvaluation {
    /// The score for the side to move in units of the engine, from -20000 to 20000.
    score: i32,
    /// The chance that the side to move wins, from 0 to 1.
    win: f64,
    /// The chance of a draw, from 0 to 1.
    draw: f64,
    /// The chance that the side to move loses, from 0 to 1.
    loss: f64,
}

#[pymethods]
impl PyEvaluation {
    fn __repr__(&self) -> String {
        let PyEvaluation { score, win, draw, loss } = self;
        format!("<Evaluation {score}: win {win:.3}, draw {draw:.3}, loss {loss:.3}>")
    }
}

/// Evaluates a position for the side to move without a search.
///
/// Raises :class:`ValueError` if the game is over.
#[pyfunction]
#[pyo3(signature = (board, *, evaluator="network"))]
pub(crate) fn evaluate(
    py: Python<'_>,
    board: PyRef<'_, PyBoard>,
    evaluator: &str,
) -> PyResult<PyEvaluation> {
    board.goes_on()?;
    let kind: EvaluatorKind = parsed(evaluator)?;
    let game = board.game.clone();
    drop(board);
    let (score, chances) = run(py, STACK_BYTES, |_| judgement(&game, kind))?;
    let WinDrawLoss { win, draw, loss } = chances;
    Ok(PyEvaluation { score: score.raw(), win, draw, loss })
}

/// Returns the score of a game's position for the side to move, without a search, and its chances.
fn judgement(game: &Game, kind: EvaluatorKind) -> (Score, WinDrawLoss) {
    let position = Position::from_board(game.rule(), game.board().clone(), game.to_move());
    let mut evaluator = Evaluators::shipped().make(kind, game.rule());
    evaluator.reset(&position);
    let score = evaluator.evaluate(&position, Window::FULL);
    (score, evaluator.win_model(&position).chances(score))
}

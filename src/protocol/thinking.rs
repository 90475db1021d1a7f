//! The one move that is owed while the engine thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::detail::report_lines;
use super::game::Game;
use super::reply::Reply;
use crate::engine::{Answer, Job, Task};
use crate::rules::Rule;
use crate::search::{Limits, Report};
use crate::types::Point;

/// The shortest time between two search lines.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The right to print the answer of one job.
///
/// The natural end of a search, a stop and the end of the grace time compete for it; whoever
/// claims it first prints, and nobody else can.
#[derive(Debug)]
pub(super) struct Ticket {
    spent: AtomicBool,
}

impl Ticket {
    fn new() -> Ticket {
        Ticket { spent: AtomicBool::new(false) }
    }

    /// Returns whether the caller may print; true once only.
    pub(super) fn claim(&self) -> bool {
        self.spent.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

/// A job whose answer has not been printed.
pub(super) struct Thinking {
    /// The number of the job.
    pub(super) id: u64,
    /// Who may print the answer.
    pub(super) ticket: Ticket,
    /// The limits as last told to the engine.
    pub(super) limits: Limits,
    /// Whether the manager asked for analysis.
    pub(super) analysis: bool,
    /// What was used of the match before this move.
    pub(super) used: Duration,
    /// When the answer is given without the engine; set once the engine was asked to stop.
    pub(super) deadline: Option<Instant>,
    /// The job, as long as the engine is still busy with an earlier one.
    pub(super) held: Option<Job>,
    task: Task,
    rule: Rule,
    game: Game,
    best: Option<Point>,
    unprinted: Option<Report>,
    printed: Option<Instant>,
}

/// What becomes of an answer.
pub(super) struct Outcome {
    /// The line to print.
    pub(super) reply: Reply,
    /// The move to make on the session's board, if there is one.
    pub(super) played: Option<Point>,
}

impl Thinking {
    /// Returns the state of a job that is about to begin.
    pub(super) fn new(job: Job, game: Game, used: Duration, analysis: bool) -> Thinking {
        Thinking {
            id: job.id,
            ticket: Ticket::new(),
            limits: job.limits,
            analysis,
            used,
            deadline: None,
            task: job.task,
            rule: job.setup.rule,
            held: Some(job),
            game,
            best: None,
            unprinted: None,
            printed: None,
        }
    }

    /// Takes a report; returns the lines to print unless some were printed a moment ago.
    pub(super) fn report(&mut self, report: Report, show_detail: u8, now: Instant) -> Vec<Reply> {
        if report.multipv <= 1 {
            self.best = report.pv.first().copied();
        }
        if self.printed.is_some_and(|at| now.saturating_duration_since(at) < REPORT_INTERVAL) {
            self.unprinted = Some(report);
            return Vec::new();
        }
        self.printed = Some(now);
        self.unprinted = None;
        report_lines(&report, show_detail)
    }

    /// Returns the lines of the last report if they were not printed.
    pub(super) fn last_report(&mut self, show_detail: u8) -> Vec<Reply> {
        let report = self.unprinted.take();
        report.map_or_else(Vec::new, |report| report_lines(&report, show_detail))
    }

    /// Returns what to make of the engine's answer, or of its absence. Whatever the engine says,
    /// only a move that can be played is printed.
    pub(super) fn outcome(&self, answer: Option<Answer>) -> Outcome {
        match self.task {
            Task::Move => self.outcome_of_move(answer),
            Task::Swap2 => self.outcome_of_swap2(answer),
        }
    }

    fn outcome_of_move(&self, answer: Option<Answer>) -> Outcome {
        let told = match answer {
            Some(Answer::Moves(moves)) => moves.first().copied(),
            Some(Answer::Swap | Answer::NoMove) | None => None,
        };
        let playable = |point: &Point| self.game.is_playable(self.rule, *point);
        let played = told
            .filter(playable)
            .or_else(|| self.best.filter(playable))
            .or_else(|| self.game.fallback(self.rule));
        let reply = played.map_or_else(board_is_full, Reply::Move);
        Outcome { reply, played }
    }

    fn outcome_of_swap2(&self, answer: Option<Answer>) -> Outcome {
        let stage = self.game.stones();
        let counts = match stage {
            0 => 3..=3,
            3 => 1..=2,
            _ => 1..=1,
        };
        let reply = match answer {
            Some(Answer::Swap) if stage > 0 => Reply::Swap,
            Some(Answer::Moves(moves))
                if counts.contains(&moves.len()) && self.are_free(&moves) =>
            {
                Reply::Moves(moves)
            }
            // Both are always allowed.
            _ if stage > 0 => Reply::Swap,
            _ => Reply::Moves(self.game.central(3)),
        };
        Outcome { reply, played: None }
    }

    fn are_free(&self, moves: &[Point]) -> bool {
        moves
            .iter()
            .enumerate()
            .all(|(i, &point)| self.game.is_empty(point) && !moves[..i].contains(&point))
    }
}

/// Returns the answer to a request for a move where there is none.
pub(super) fn board_is_full() -> Reply {
    Reply::Error("board is full".to_owned())
}

//! Requests for an answer.

use std::time::{Duration, Instant};

use super::clock::{UsedTime, due, is_finite};
use super::game::SessionGame;
use super::reporter::Reporter;
use crate::engine::{Job, Task};

/// The time behind a question in which a line still counts as one that was there before: a script does not
/// come all at once, as shells write it line by line. No person and no manager changes its mind so soon.
pub(super) const SCRIPT_GAP: Duration = Duration::from_millis(50);

/// A request for an answer, as a command puts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Inquiry {
    /// The task of the engine.
    pub(super) task: Task,
    /// The number of best lines to find.
    pub(super) lines: usize,
    /// True for analysis, which may go on without a limit.
    pub(super) analysis: bool,
    /// The spelling of the answer.
    pub(super) style: AnswerStyle,
}

/// The spelling of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerStyle {
    /// On one line, as the protocol has it.
    Line,
    /// As messages, as a Yixin Board reads the steps of an opening.
    Messages,
}

impl Inquiry {
    /// Returns a request of a game: one answer on one line.
    pub(super) fn play(task: Task) -> Inquiry {
        Inquiry { task, lines: 1, analysis: false, style: AnswerStyle::Line }
    }

    /// Returns a request for analysis with `lines` best lines.
    pub(super) fn analysis(task: Task, lines: usize) -> Inquiry {
        Inquiry { lines, analysis: true, ..Inquiry::play(task) }
    }

    /// Returns a request for a step of an opening on a Yixin Board.
    pub(super) fn opening_step(task: Task) -> Inquiry {
        Inquiry { style: AnswerStyle::Messages, ..Inquiry::play(task) }
    }
}

/// Returns whether a line that arrived at `at` was there when a question was `asked`. Such lines are a script, which
/// goes on when the answer is given; a later line is meant for the search that runs.
pub(super) fn was_there(asked: Instant, at: Instant) -> bool {
    at <= asked + SCRIPT_GAP
}

/// A question whose answer is owed.
#[derive(Clone)]
pub(super) struct OwedAnswer {
    /// The job for the engine, with the present limits.
    pub(super) job: Job,
    /// The moment at which the engine was asked, or would have been if it were free.
    pub(super) asked: Instant,
    /// The moment at which the session answers without the engine, once that was asked to stop.
    pub(super) deadline: Option<Instant>,
    /// The position asked about.
    pub(super) game: SessionGame,
    /// True for analysis.
    pub(super) analysis: bool,
    /// The spelling of the answer.
    pub(super) style: AnswerStyle,
    /// What was used of the match before this move.
    pub(super) used: UsedTime,
    /// The reports about the search for the answer.
    pub(super) reporter: Reporter,
}

impl OwedAnswer {
    /// Returns the moment at which the answer to a question of a game becomes late. The engine ends its
    /// search before, unless something keeps its threads from running.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.analysis { None } else { due(&self.job.limits) }
    }

    /// Returns whether the search for the answer ends by itself.
    pub(super) fn is_finite(&self) -> bool {
        is_finite(&self.job.limits)
    }
}

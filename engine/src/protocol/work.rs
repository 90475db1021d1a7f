//! The work of the engine for a session.

use std::time::Instant;

use super::question::OwedAnswer;
use crate::engine::{Job, JobSlot};
use tengen_core::search::Report;

/// The work that a job of the engine is for. DESIGN.md has a picture of the ways between its states.
#[derive(Clone)]
pub(super) enum SessionWork {
    /// Nothing is owed; the engine searches the position after the reply that it expects.
    Pondering(Box<Pondering>),
    /// An answer is owed to the manager.
    Owed(Box<OwedAnswer>),
}

/// A search that the manager has not asked for.
#[derive(Clone)]
pub(super) struct Pondering {
    /// The job.
    pub(super) job: Job,
    /// The last report about it.
    pub(super) report: Option<Report>,
}

impl SessionWork {
    /// Returns the job.
    pub(super) fn job(&self) -> &Job {
        match self {
            SessionWork::Pondering(pondering) => &pondering.job,
            SessionWork::Owed(question) => &question.job,
        }
    }

    fn question(&self) -> Option<&OwedAnswer> {
        match self {
            SessionWork::Owed(question) => Some(question),
            SessionWork::Pondering(_) => None,
        }
    }

    fn question_mut(&mut self) -> Option<&mut OwedAnswer> {
        match self {
            SessionWork::Owed(question) => Some(question),
            SessionWork::Pondering(_) => None,
        }
    }
}

impl JobSlot<SessionWork> {
    /// Returns the question whose answer is owed.
    pub(super) fn question(&self) -> Option<&OwedAnswer> {
        self.work().and_then(SessionWork::question)
    }

    /// Returns the question whose answer is owed.
    pub(super) fn question_mut(&mut self) -> Option<&mut OwedAnswer> {
        self.work_mut().and_then(SessionWork::question_mut)
    }

    /// Returns the question whose answer is owed, if the engine works at it as the job of this number.
    pub(super) fn question_of(&mut self, job: u64) -> Option<&mut OwedAnswer> {
        self.worked_at(job).and_then(SessionWork::question_mut)
    }

    /// Returns whether an answer is owed.
    pub(super) fn is_owed(&self) -> bool {
        self.question().is_some()
    }

    /// Returns the moment at which the session looks for an answer without the engine.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let question = self.question()?;
        // The job before it may not end: a search that has not begun can be late as well.
        question.deadline.or_else(|| question.due())
    }
}

//! The states of a session.

use std::time::Instant;

use super::question::OwedAnswer;
use crate::engine::Job;
use tengen_core::search::Report;

/// The debt of the session to its manager, together with the work of the engine.
///
/// Each mix of the two that can occur is one state. DESIGN.md has a picture of the ways between
/// them.
#[derive(Clone, Default)]
pub(super) enum Phase {
    /// Nothing is owed, and the engine is free.
    #[default]
    Idle,
    /// Nothing is owed; the engine searches the position after the reply that it expects.
    Pondering(Box<Pondering>),
    /// Nothing is owed; the engine is still busy with a job whose answer will be dropped.
    Draining {
        /// The number of that job.
        late: u64,
    },
    /// An answer is owed, and the engine works at it.
    Thinking(Box<OwedAnswer>),
    /// An answer is owed, and the engine was asked for it.
    Stopping {
        /// The question.
        question: Box<OwedAnswer>,
        /// The moment at which the session answers without the engine.
        deadline: Instant,
    },
    /// An answer is owed, but the engine is still busy with a job whose answer will be dropped.
    Queued {
        /// The question.
        question: Box<OwedAnswer>,
        /// The number of the earlier job.
        late: u64,
        /// The moment at which the session answers without the engine, if it was asked to stop.
        deadline: Option<Instant>,
    },
    /// `END` was received: nothing more is written.
    Ended,
}

/// A search that the manager has not asked for.
#[derive(Clone)]
pub(super) struct Pondering {
    /// The job.
    pub(super) job: Job,
    /// The last report about it.
    pub(super) report: Option<Report>,
}

impl Phase {
    /// Returns the question whose answer is owed.
    pub(super) fn question(&self) -> Option<&OwedAnswer> {
        match self {
            Phase::Thinking(question)
            | Phase::Stopping { question, .. }
            | Phase::Queued { question, .. } => Some(question),
            Phase::Idle | Phase::Pondering(_) | Phase::Draining { .. } | Phase::Ended => None,
        }
    }

    /// Returns the question whose answer is owed.
    pub(super) fn question_mut(&mut self) -> Option<&mut OwedAnswer> {
        match self {
            Phase::Thinking(question)
            | Phase::Stopping { question, .. }
            | Phase::Queued { question, .. } => Some(question),
            Phase::Idle | Phase::Pondering(_) | Phase::Draining { .. } | Phase::Ended => None,
        }
    }

    /// Returns the question whose answer is owed, if the engine works at it as the job of this number.
    pub(super) fn worked_at(&mut self, id: u64) -> Option<&mut OwedAnswer> {
        match self {
            Phase::Thinking(question) | Phase::Stopping { question, .. } => {
                Some(&mut **question).filter(|question| question.job.id == id)
            }
            _ => None,
        }
    }

    /// Returns whether an answer is owed.
    pub(super) fn is_owed(&self) -> bool {
        self.question().is_some()
    }

    /// Returns the moment at which the session looks for an answer without the engine.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self {
            Phase::Thinking(question) => question.due(),
            Phase::Stopping { deadline, .. } => Some(*deadline),
            Phase::Queued { deadline, .. } => *deadline,
            _ => None,
        }
    }
}

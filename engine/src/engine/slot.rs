//! The one job of an engine.

/// The use of an engine, which has one job at a time: the work that its answer is for, of type `W`.
///
/// A job whose answer is not wanted any more has to end before the next one begins; its answer is dropped. Stopping
/// the engine is for the owner of the slot to do.
///
/// ```text
///            begin                drop_work
///   Idle ────────────> Working ─────────────> Draining <──┐ put_next,
///    ^                    │                    │      └───┘ drop_work
///    └──── finish ────────┴────── finish ──────┘
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum JobSlot<W> {
    /// The engine is free.
    #[default]
    Idle,
    /// The engine works at a job whose answer is wanted.
    Working {
        /// The number of the job.
        id: u64,
        /// The work that the answer is for.
        work: W,
    },
    /// The engine is still busy with a job whose answer will be dropped.
    Draining {
        /// The number of the job.
        id: u64,
        /// The work to begin after it.
        next: Option<W>,
    },
}

/// The end of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobEnd<W> {
    /// The answer is for this work.
    Answered(W),
    /// The answer is late. This work is to begin now, if there is any.
    Late(Option<W>),
}

impl<W> JobSlot<W> {
    /// Returns whether the engine is free.
    pub const fn is_idle(&self) -> bool {
        matches!(self, JobSlot::Idle)
    }

    /// Returns whether the engine works at a job whose answer is wanted.
    pub const fn is_working(&self) -> bool {
        matches!(self, JobSlot::Working { .. })
    }

    /// Returns the work that is wanted, whether the engine is at it or still has to begin.
    pub const fn work(&self) -> Option<&W> {
        match self {
            JobSlot::Working { work, .. } | JobSlot::Draining { next: Some(work), .. } => {
                Some(work)
            }
            JobSlot::Idle | JobSlot::Draining { next: None, .. } => None,
        }
    }

    /// Returns the work that is wanted, as [`JobSlot::work`].
    pub const fn work_mut(&mut self) -> Option<&mut W> {
        match self {
            JobSlot::Working { work, .. } | JobSlot::Draining { next: Some(work), .. } => {
                Some(work)
            }
            JobSlot::Idle | JobSlot::Draining { next: None, .. } => None,
        }
    }

    /// Returns the work that the engine is at with the job of this number.
    pub fn worked_at(&mut self, job: u64) -> Option<&mut W> {
        match self {
            JobSlot::Working { id, work } if *id == job => Some(work),
            _ => None,
        }
    }

    /// Takes note that the free engine begins with the job of this number.
    pub fn begin(&mut self, id: u64, work: W) {
        debug_assert!(self.is_idle(), "one job at a time");
        *self = JobSlot::Working { id, work };
    }

    /// Drops the work that is wanted and returns it. If the engine was at it, the answer is dropped, too.
    pub fn drop_work(&mut self) -> Option<W> {
        match std::mem::take(self) {
            JobSlot::Idle => None,
            JobSlot::Working { id, work } => {
                *self = JobSlot::Draining { id, next: None };
                Some(work)
            }
            JobSlot::Draining { id, next } => {
                *self = JobSlot::Draining { id, next: None };
                next
            }
        }
    }

    /// Wants this work instead of what was wanted before. Returns it if the engine is free and it can begin at
    /// once; otherwise [`JobSlot::finish`] returns it.
    pub fn put_next(&mut self, work: W) -> Option<W> {
        debug_assert!(!self.is_working(), "the owner drops what the engine is at, and stops it");
        match self {
            JobSlot::Draining { next, .. } => {
                *next = Some(work);
                None
            }
            _ => Some(work),
        }
    }

    /// Takes note that the engine has finished the job of this number and is free. Returns `None` if it was at
    /// no such job.
    pub fn finish(&mut self, job: u64) -> Option<JobEnd<W>> {
        match std::mem::take(self) {
            JobSlot::Working { id, work } if id == job => Some(JobEnd::Answered(work)),
            JobSlot::Draining { id, next } if id == job => Some(JobEnd::Late(next)),
            other => {
                *self = other;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_for_the_work_of_its_job() {
        let mut slot = JobSlot::Idle;
        assert_eq!(slot.put_next('a'), Some('a'), "it can begin at once");
        slot.begin(1, 'a');
        assert_eq!(slot.work(), Some(&'a'));
        assert_eq!(slot.worked_at(2), None);
        assert_eq!(slot.finish(2), None);
        assert_eq!(slot.finish(1), Some(JobEnd::Answered('a')));
        assert!(slot.is_idle() && slot.finish(1).is_none());
    }

    #[test]
    fn what_is_dropped_keeps_the_engine_busy_until_its_late_answer() {
        let mut slot = JobSlot::Idle;
        slot.begin(1, 'a');
        assert_eq!(slot.drop_work(), Some('a'));
        assert_eq!((slot.drop_work(), slot.work()), (None, None));
        assert_eq!(slot.worked_at(1), None);
        assert_eq!(slot.put_next('b'), None);
        assert_eq!(slot.put_next('c'), None);
        assert_eq!(slot.work(), Some(&'c'));
        assert_eq!(slot.worked_at(1), None);
        assert_eq!(slot.finish(1), Some(JobEnd::Late(Some('c'))));
        assert!(slot.is_idle());

        slot.begin(2, 'c');
        slot.drop_work();
        assert_eq!(slot.put_next('d'), None);
        assert_eq!(slot.drop_work(), Some('d'));
        assert_eq!(slot.finish(2), Some(JobEnd::Late(None)));
    }
}

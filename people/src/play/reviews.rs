//! Reviews, made beside the game.

use crossbeam_channel::Sender;

use super::coach::{CoachAnswer, CoachNews};
use crate::review::{Assessment, Effort, EngineAssessor, GameReview, ReviewTask, assess_game};
use tengen_core::prover::STACK_BYTES;
use tengen_core::sys::panics;
use tengen_files::work::Stop;

/// Makes reviews, each on a thread of its own. Dropping it stops the last one.
#[derive(Debug)]
pub(super) struct ReviewDesk {
    outbox: Sender<CoachAnswer>,
    effort: Effort,
    /// Stops the last review.
    last: Stop,
}

impl ReviewDesk {
    pub(super) fn new(outbox: Sender<CoachAnswer>, effort: Effort) -> ReviewDesk {
        ReviewDesk { outbox, effort, last: Stop::new() }
    }

    /// Begins a review; the one before is stopped. It tells of every position, and at last of the review,
    /// or that there is none: there was no memory or no thread, it panicked, or it was stopped.
    pub(super) fn ask(&mut self, id: u64, task: ReviewTask) {
        self.stop();
        self.last = Stop::new();
        let (stop, outbox, effort) = (self.last.clone(), self.outbox.clone(), self.effort);
        let work = move || {
            let tell = |news| drop(outbox.send(CoachAnswer { id, news }));
            let review = || {
                let mebibytes = EngineAssessor::USUAL_MEBIBYTES;
                let mut assessor = EngineAssessor::new(effort, mebibytes).ok()?;
                let mut done = |_: &Assessment| tell(CoachNews::Position);
                let game = assess_game(&task, &mut assessor, &stop, &mut done);
                game.is_complete().then(|| Box::new(GameReview::new(&task, &game)))
            };
            tell(CoachNews::Review(panics::catch(review).ok().flatten()));
        };
        let thread = std::thread::Builder::new().name("review".into()).stack_size(STACK_BYTES);
        if thread.spawn(work).is_err() {
            drop(self.outbox.send(CoachAnswer { id, news: CoachNews::Review(None) }));
        }
    }

    /// Stops the last review.
    pub(super) fn stop(&self) {
        self.last.request();
    }
}

impl Drop for ReviewDesk {
    fn drop(&mut self) {
        self.stop();
    }
}

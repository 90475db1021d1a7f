//! Pausing and ending a match from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tengen_files::work::Stop;

/// The switches of a running match, shared between those who play and those who watch.
#[derive(Debug)]
pub struct MatchControl {
    paused: Mutex<bool>,
    changed: Condvar,
    /// Lets no new game begin; set with the next one.
    finish: Stop,
    /// Breaks off the running games.
    abandon: Stop,
    decided: AtomicBool,
}

impl Default for MatchControl {
    fn default() -> MatchControl {
        let abandon = Stop::new();
        MatchControl {
            paused: Mutex::default(),
            changed: Condvar::new(),
            finish: abandon.part(),
            abandon,
            decided: AtomicBool::new(false),
        }
    }
}

impl MatchControl {
    /// Pauses the match before the next move of each game, or resumes it.
    pub fn pause(&self, paused: bool) {
        *self.paused.lock().unwrap_or_else(PoisonError::into_inner) = paused;
        self.changed.notify_all();
    }

    /// Returns whether the match is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        *self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets no new game begin.
    pub fn finish(&self) {
        self.finish.request();
    }

    /// Returns whether no new game may begin.
    #[must_use]
    pub fn is_finishing(&self) -> bool {
        self.finish.is_set()
    }

    /// Breaks off the running games, and lets no new one begin.
    pub fn abandon(&self) {
        self.abandon.request();
        self.changed.notify_all();
    }

    /// Returns whether the running games are to be broken off.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.abandon.is_set()
    }

    /// Ends the match because more games would change nothing: no new game begins, and the running
    /// ones are broken off.
    pub fn decide(&self) {
        self.decided.store(true, Ordering::SeqCst);
        self.abandon();
    }

    /// Returns whether the match ended because more games would change nothing.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided.load(Ordering::SeqCst)
    }

    /// Returns the flag that [`MatchControl::abandon`] sets.
    #[must_use]
    pub const fn abandon_flag(&self) -> &Stop {
        &self.abandon
    }

    /// Returns when the match is not paused, or not any more, or abandoned.
    pub fn wait_while_paused(&self) {
        let mut paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        while *paused && !self.is_abandoned() {
            // The flag is not guarded by the lock, so a signal may be missed.
            let wait = self.changed.wait_timeout(paused, Duration::from_millis(100));
            paused = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// Long enough for anything that is not going to wait.
    const LONG: Duration = Duration::from_secs(120);

    #[test]
    fn a_match_that_is_finishing_still_plays_its_games() {
        let control = MatchControl::default();
        assert!(!control.is_finishing() && !control.is_abandoned() && !control.is_paused());
        control.finish();
        assert!(control.is_finishing() && !control.is_abandoned());
    }

    #[test]
    fn a_match_that_is_broken_off_begins_no_game() {
        let control = MatchControl::default();
        control.abandon();
        assert!(control.is_finishing() && control.is_abandoned());
        assert!(control.abandon_flag().is_set());
    }

    #[test]
    fn nobody_waits_unless_the_match_is_paused() {
        let control = MatchControl::default();
        control.wait_while_paused();
        control.pause(true);
        control.pause(false);
        control.wait_while_paused();
    }

    #[test]
    fn who_waits_goes_on_after_the_pause_or_when_all_is_over() {
        for end in [(|control| control.pause(false)) as fn(&MatchControl), MatchControl::abandon] {
            let control = MatchControl::default();
            control.pause(true);
            assert!(control.is_paused());
            thread::scope(|scope| {
                let (done, waited) = mpsc::channel();
                let control = &control;
                for _ in 0..3 {
                    let done = done.clone();
                    scope.spawn(move || {
                        control.wait_while_paused();
                        done.send(()).unwrap();
                    });
                }
                assert!(waited.recv_timeout(Duration::from_millis(150)).is_err());
                end(control);
                for _ in 0..3 {
                    assert!(waited.recv_timeout(LONG).is_ok());
                }
            });
        }
    }
}

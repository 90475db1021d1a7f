//! The progress of long commands, on standard error.

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use tengen_files::words::rough_time;
use tengen_files::work::Progress;

/// The longest time between two drawings of a line with a clock.
const TICK: Duration = Duration::from_millis(200);

/// A line that shows the progress of some work, unless standard error is not a terminal or it is not
/// wanted. Its clones are the same line.
#[derive(Clone)]
pub(crate) struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    /// Begins to show how much of `length` is done, with `done` by earlier runs.
    pub(crate) fn new(length: u64, done: u64, template: &str, quiet: bool) -> Bar {
        let bar = Bar::of(Some(length), template, quiet);
        bar.at(done);
        bar.bar.reset_eta();
        bar
    }

    /// Begins to show that something goes on, and for how long; [`Bar::say`] says what.
    pub(crate) fn spinner(quiet: bool) -> Bar {
        Bar::of(None, "{spinner} {msg} ({elapsed})", quiet).ticking()
    }

    fn of(length: Option<u64>, template: &str, quiet: bool) -> Bar {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(length, target);
        // The templates are constants; were one wrong, the usual style would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Bar { bar, start: Instant::now() }
    }

    /// Lets a clock in the template go on by itself.
    pub(crate) fn ticking(self) -> Bar {
        self.bar.enable_steady_tick(TICK);
        self
    }

    /// Shows how much is done.
    pub(crate) fn at(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Shows how far the work is, with a template that ends with `{msg}`. `speed` says how many a second
    /// that is; the time left follows.
    pub(crate) fn show(&self, progress: Progress, speed: impl FnOnce(f64) -> String) {
        let Progress { done, by_this_run } = progress;
        let seconds = self.start.elapsed().as_secs_f64();
        if by_this_run > 0 && seconds > 0.0 {
            let per_second = by_this_run as f64 / seconds;
            let left = self.bar.length().unwrap_or(0).saturating_sub(done) as f64;
            let left = rough_time(left / per_second);
            self.say(format!(", {}, {left} left", speed(per_second)));
        }
        self.at(done);
    }

    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Returns whether nothing is shown.
    pub(crate) fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// Draws the line anew.
    pub(crate) fn tick(&self) {
        self.bar.tick();
    }

    /// Takes the line away while something else is written.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the line.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the number of threads asked for, or one for each core.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(
        || thread::available_parallelism().map_or(1, NonZero::get),
        |threads| usize::from(threads).max(1),
    )
}

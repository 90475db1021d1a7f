//! The progress of long commands.

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use tengen_files::words::rough_time;

/// The longest time between two updates of a [`Spinner`].
const TICK: Duration = Duration::from_millis(200);

/// Returns a progress bar on standard error, hidden if that is not a terminal or it is not wanted.
pub(crate) fn bar(length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(length, target);
    // The templates are constants; were one wrong, the usual style would do.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// The progress of work that an earlier run may have begun.
pub(crate) struct ResumedBar {
    pub(crate) bar: ProgressBar,
    start: Instant,
}

impl ResumedBar {
    /// Begins to show how much of a number is done; the template ends with `{msg}`.
    pub(crate) fn new(number: u64, done: u64, template: &str, quiet: bool) -> ResumedBar {
        let bar = bar(Some(number), template, quiet);
        bar.set_position(done);
        ResumedBar { bar, start: Instant::now() }
    }

    /// Shows how much is done, all together and by this run. `speed` says how many a second that
    /// is; the time left follows.
    pub(crate) fn show(&self, done: u64, by_this_run: u64, speed: impl FnOnce(f64) -> String) {
        let seconds = self.start.elapsed().as_secs_f64();
        if by_this_run > 0 && seconds > 0.0 {
            let per_second = by_this_run as f64 / seconds;
            let left = self.bar.length().unwrap_or(0).saturating_sub(done) as f64;
            let left = rough_time(left / per_second);
            self.bar.set_message(format!(", {}, {left} left", speed(per_second)));
        }
        self.bar.set_position(done);
    }
}

/// A line on standard error that changes while something goes on, unless that is not a terminal or
/// nobody wants it.
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    pub(crate) fn new(quiet: bool) -> Spinner {
        let bar = bar(None, "{spinner} {msg} ({elapsed})", quiet);
        bar.enable_steady_tick(TICK);
        Spinner(bar)
    }

    pub(crate) fn say(&self, message: String) {
        self.0.set_message(message);
    }

    /// Removes the line.
    pub(crate) fn end(self) {
        self.0.finish_and_clear();
    }
}

/// Returns the number of threads asked for, or one for each core.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(
        || thread::available_parallelism().map_or(1, NonZero::get),
        |threads| usize::from(threads).max(1),
    )
}

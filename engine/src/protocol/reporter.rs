//! The lines about a running search.

use std::time::{Duration, Instant};

use super::detail::{Detail, report_lines};
use super::reply::Reply;
use tengen_core::search::Report;
use tengen_core::types::Point;

/// The shortest time between two printed reports, for each ten lines of search that they have.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Turns the reports about one job into lines, not too many of them, and knows the best line.
#[derive(Clone)]
pub(super) struct Reporter {
    best: Vec<Point>,
    unprinted: Option<Report>,
    printed_at: Option<Instant>,
}

impl Reporter {
    /// Returns the reporter of a job that is about to begin.
    pub(super) fn new() -> Reporter {
        Reporter { best: Vec::new(), unprinted: None, printed_at: None }
    }

    /// Takes a report; returns the lines to print unless some were printed a moment ago.
    pub(super) fn report(&mut self, report: Report, detail: Detail, now: Instant) -> Vec<Reply> {
        let tens = u32::try_from(report.lines.len().div_ceil(10)).unwrap_or(u32::MAX);
        let interval = REPORT_INTERVAL.saturating_mul(tens.max(1));
        self.keep(report);
        if self.printed_at.is_some_and(|at| now.saturating_duration_since(at) < interval) {
            return Vec::new();
        }
        self.printed_at = Some(now);
        self.flush(detail)
    }

    /// Keeps a report for later.
    pub(super) fn keep(&mut self, report: Report) {
        if let Some(line) = report.lines.first() {
            self.best.clone_from(&line.pv);
        }
        self.unprinted = Some(report);
    }

    /// Returns whether a move was reported.
    pub(super) fn knows_a_move(&self) -> bool {
        !self.best.is_empty()
    }

    /// Returns the lines of the last report if they were not printed.
    pub(super) fn flush(&mut self, detail: Detail) -> Vec<Reply> {
        self.unprinted.take().map_or_else(Vec::new, |report| report_lines(&report, detail))
    }

    /// Returns the best line known.
    pub(super) fn best(&self) -> &[Point] {
        &self.best
    }
}

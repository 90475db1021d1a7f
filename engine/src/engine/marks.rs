//! The marks of root moves that are worth an event.

use std::time::{Duration, Instant};

use tengen_core::search::Mark;
use tengen_core::types::{Point, PointSet};

/// The shortest time between two cells marked as being searched.
const MARK_INTERVAL: Duration = Duration::from_millis(5);

/// Chooses among the marks of a search. A board can't draw a thousand cells a second, and a search of all
/// moves makes marks faster than a session takes them, so that its answer would wait behind them.
pub(super) struct MarkFilter {
    /// The cell that is marked as being searched.
    marked: Option<Point>,
    /// The moment of the last mark since the marks were wiped off.
    marked_at: Option<Instant>,
    /// The cells that were marked as losing.
    lost: PointSet,
}

impl MarkFilter {
    /// Returns the filter of a search that is about to begin.
    pub(super) fn new() -> MarkFilter {
        MarkFilter { marked: None, marked_at: None, lost: PointSet::EMPTY }
    }

    /// Takes a mark; returns whether it is worth an event.
    pub(super) fn is_wanted(&mut self, mark: Mark, now: Instant) -> bool {
        let wanted = match mark {
            Mark::Refresh => self.marked_at.take().is_some(),
            Mark::Searching(point) => {
                let due = self
                    .marked_at
                    .is_none_or(|at| now.saturating_duration_since(at) >= MARK_INTERVAL);
                self.marked = due.then_some(point);
                due
            }
            Mark::Searched(point) => self.marked.take() == Some(point),
            Mark::Best(_) => true,
            // The cell stays marked until the next move.
            Mark::Lost(point) => self.lost.insert(point),
        };
        if wanted && mark != Mark::Refresh {
            self.marked_at = Some(now);
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::Size;

    #[test]
    fn few_marks_are_wanted_however_many_there_are() {
        let cell = |x, y| Size::square(15).unwrap().point(x, y).unwrap();
        let (mut filter, start) = (MarkFilter::new(), Instant::now());
        let mut wanted = |mark, ms| filter.is_wanted(mark, start + Duration::from_millis(ms));
        assert!(!wanted(Mark::Refresh, 0), "nothing to wipe off");
        assert!(wanted(Mark::Searching(cell(3, 4)), 0));
        assert!(wanted(Mark::Searched(cell(3, 4)), 0));
        assert!(!wanted(Mark::Searching(cell(5, 5)), 0));
        assert!(!wanted(Mark::Searched(cell(5, 5)), 0));
        assert!(wanted(Mark::Lost(cell(5, 5)), 0));
        assert!(!wanted(Mark::Lost(cell(5, 5)), 9));
        assert!(wanted(Mark::Searching(cell(5, 6)), 9));
        assert!(wanted(Mark::Refresh, 9));
        assert!(!wanted(Mark::Refresh, 9));
        let searched = (0..100_000).filter(|&i| wanted(Mark::Searching(cell(5, 6)), 10 + i / 1000));
        assert_eq!(searched.count(), 20, "twenty times in a tenth of a second");
    }
}

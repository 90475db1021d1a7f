//! The results of all positions together.

use std::time::Duration;

use super::{SolveAnswer, Solved};
use tengen_files::words::{counted, duration, grouped};

/// The number of positions with each verdict, and the times of the searches.
pub(super) struct SolveSummary {
    fours: bool,
    wins: usize,
    /// The wins whose proofs were checked.
    checked: usize,
    without: usize,
    over: usize,
    unknown: usize,
    /// The times of all searches.
    times: Vec<Duration>,
}

impl SolveSummary {
    /// Returns the summary of no positions; `fours` is whether only fours are looked at.
    pub(super) const fn new(fours: bool) -> SolveSummary {
        let times = Vec::new();
        SolveSummary { fours, wins: 0, checked: 0, without: 0, over: 0, unknown: 0, times }
    }

    /// Adds a position.
    pub(super) fn add(&mut self, solved: &Solved) {
        match solved.answer {
            SolveAnswer::Win(_) => self.wins += 1,
            SolveAnswer::NoWin => self.without += 1,
            SolveAnswer::Over => self.over += 1,
            SolveAnswer::Unknown(_) => self.unknown += 1,
        }
        self.checked += usize::from(solved.check.is_some());
        if !matches!(solved.answer, SolveAnswer::Over) {
            self.times.push(solved.time);
        }
    }

    /// Returns the number of positions so far.
    pub(super) const fn count(&self) -> usize {
        self.wins + self.without + self.over + self.unknown
    }

    /// Returns the number of them without a verdict.
    pub(super) const fn unknown(&self) -> usize {
        self.unknown
    }

    /// Returns the summary as text; `missing` positions were not begun, and `rows` describes the
    /// cells.
    pub(super) fn text(&self, missing: usize, rows: &str) -> String {
        let count = self.count() + missing;
        let share = 100.0 * self.wins as f64 / count.max(1) as f64;
        let (wins, positions) =
            (counted(self.wins as u64, "win"), counted(count as u64, "position"));
        let mut text = format!("{wins} in {positions}, {share:.1} %");
        for (number, what) in [
            (self.checked, "checked"),
            (self.without, no_win(self.fours)),
            (self.over, "over"),
            (self.unknown, "unknown"),
            (missing, "not begun"),
        ] {
            if number > 0 {
                text.push_str(&format!("; {} {what}", grouped(number as u64)));
            }
        }
        text.push_str(rows);
        text.push('\n');
        let mut times = self.times.clone();
        times.sort_unstable();
        if let (Some(median), Some(high)) = (percentile(&times, 50), percentile(&times, 90)) {
            let (median, high) = (duration(median), duration(high));
            text.push_str(&format!("time: median {median}, 90th percentile {high}\n"));
        }
        text
    }
}

/// Returns the sentence about a position without a win.
pub(super) const fn no_win(fours: bool) -> &'static str {
    if fours {
        "no win by fours (VCF)"
    } else {
        "no win by fours and threes (VCT) within the horizon"
    }
}

/// Returns the smallest of the values, which are in order, that this many percent do not exceed.
fn percentile(values: &[Duration], percent: usize) -> Option<Duration> {
    let rank = (values.len() * percent).div_ceil(100).max(1);
    values.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::super::NoVerdict;
    use super::*;
    use tengen_core::rules::{Game, Rule};
    use tengen_core::types::Size;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        assert_eq!(percentile(&values, 50), Some(Duration::from_millis(5)));
        assert_eq!(percentile(&values, 90), Some(Duration::from_millis(9)));
        assert_eq!(percentile(&values[..1], 90), Some(Duration::from_millis(1)));
        assert_eq!(percentile(&[], 50), None);
    }

    #[test]
    fn the_summary_names_only_what_there_is() {
        let mut summary = SolveSummary::new(true);
        let game = Game::new(Size::DEFAULT, Rule::Freestyle);
        let time = Duration::from_millis(2);
        let solved = |answer| Solved { game: game.clone(), answer, nodes: 7, time, check: None };
        summary.add(&solved(SolveAnswer::NoWin));
        assert_eq!(
            summary.text(0, ""),
            "0 wins in 1 position, 0.0 %; 1 no win by fours (VCF)\n\
             time: median 2 ms, 90th percentile 2 ms\n"
        );
        summary.add(&solved(SolveAnswer::Unknown(NoVerdict::Time)));
        summary.add(&solved(SolveAnswer::Over));
        assert_eq!((summary.count(), summary.unknown()), (3, 1));
        let first =
            "0 wins in 7 positions, 0.0 %; 1 no win by fours (VCF); 1 over; 1 unknown; 4 not begun";
        assert_eq!(summary.text(4, "").lines().next(), Some(first));
    }
}

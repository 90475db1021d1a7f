//! The report on an engine when all transcripts are played.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::profile::{FeatureLevel, Importance, Manager};
use super::runner::RunOutcome;
use super::script::Transcript;
use super::suite::RunResult;
use super::warning::{Warning, WarningKind};

/// The most cases that are named in a line.
const NAMED: usize = 12;

/// The results of transcripts.
#[derive(Clone, Debug, Default)]
pub struct ConformanceReport {
    cases: Vec<CaseResult>,
    /// For each kind of warning the first one, and in how many transcripts it came.
    warnings: BTreeMap<WarningKind, (String, usize)>,
}

/// The result of a transcript.
#[derive(Clone, Debug)]
struct CaseResult {
    /// Its number, or else its title.
    name: String,
    importance: Importance,
    /// True if it passed; `None` if it could not be played.
    passed: Option<bool>,
}

impl ConformanceReport {
    /// Adds the result of a transcript.
    pub fn add(&mut self, transcript: &Transcript, result: &RunResult) {
        let none = Vec::new();
        let (passed, warnings) = match result {
            Ok(RunOutcome::Passed(warnings)) => (Some(true), warnings),
            Ok(RunOutcome::Skipped(_)) => (None, &none),
            Err(failure) => (Some(false), &failure.warnings),
        };
        let name = transcript.case.map_or_else(|| transcript.title.clone(), |n| n.to_string());
        self.cases.push(CaseResult { name, importance: transcript.importance.clone(), passed });
        for Warning { kind, came } in warnings {
            self.warnings.entry(*kind).or_insert_with(|| (came.clone(), 0)).1 += 1;
        }
    }

    /// Returns how many transcripts passed, failed, or could not be played.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        [Some(true), Some(false), None]
            .map(|passed| self.cases.iter().filter(|case| case.passed == passed).count())
    }

    /// Returns whether something failed that is a must, for one manager or for any.
    #[must_use]
    pub fn must_failed(&self, profile: Option<Manager>) -> bool {
        let is_must =
            |case: &&CaseResult| case.importance.level_in(profile) == Some(FeatureLevel::Must);
        self.cases.iter().filter(is_must).any(|case| case.passed == Some(false))
    }

    /// Returns whether nothing failed and nothing was warned of.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.warnings.is_empty() && self.cases.iter().all(|case| case.passed != Some(false))
    }

    /// Returns the summary for people: numbers by level, warnings, and what they mean to the manager
    /// of the profile or to each.
    #[must_use]
    pub fn text(&self, profile: Option<Manager>) -> String {
        let mut text = String::new();
        let [passed, failed, skipped] = self.counts();
        // Writing to a string can't fail, here and below.
        let _ = writeln!(text, "{passed} passed, {failed} failed, {skipped} skipped");
        let level = |case: &CaseResult| case.importance.level_in(profile);
        for wanted in FeatureLevel::ALL {
            let of_level = self.cases.iter().filter(|case| level(case) == Some(wanted));
            let (all, failed) = counted(of_level);
            if all > 0 {
                let _ = writeln!(text, "  {wanted:9}  {} of {all} passed", all - failed.len());
            }
        }
        if !self.warnings.is_empty() {
            text.push_str("Warnings:\n");
        }
        for (kind, (came, count)) in &self.warnings {
            let came: String = came.chars().take(60).collect();
            let _ = writeln!(text, "  {kind}\n             {count} times, first {came}");
        }
        if self.cases.iter().any(|case| case.importance.is_said()) {
            text.push_str("What it means:\n");
            for manager in profile.map_or(Manager::ALL.to_vec(), |manager| vec![manager]) {
                text.push_str(&self.verdict(manager));
            }
        }
        text
    }

    /// Returns what the results mean to a manager: a line, and one for each level with failures.
    fn verdict(&self, manager: Manager) -> String {
        let failures = FeatureLevel::ALL.map(|level| {
            let is_of = |case: &&CaseResult| case.importance.level_for(manager) == Some(level);
            counted(self.cases.iter().filter(is_of))
        });
        let [must, should, extension] = &failures;
        let meaning = match () {
            () if failures.iter().all(|(all, _)| *all == 0) => "nothing was tried for it",
            () if !must.1.is_empty() => "games are lost, or it waits for ever",
            () if !should.1.is_empty() => "games can be played, but not all goes well",
            () if !extension.1.is_empty() => "games go well; some services are missing",
            () => "all that was tried is there",
        };
        let mut text = format!("  {manager:12}  {meaning}\n");
        for (level, (all, failed)) in FeatureLevel::ALL.into_iter().zip(&failures) {
            if !failed.is_empty() {
                let more = if failed.len() > NAMED { ", …" } else { "" };
                let cases = failed.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
                let n = failed.len();
                let _ = writeln!(text, "{:16}{n} of {all} {level} failed: {cases}{more}", "");
            }
        }
        text
    }
}

/// Returns the number of transcripts that were played, and the names of those that failed.
fn counted<'a>(cases: impl Iterator<Item = &'a CaseResult>) -> (usize, Vec<&'a str>) {
    let played: Vec<&CaseResult> = cases.filter(|case| case.passed.is_some()).collect();
    let failed = played.iter().filter(|case| case.passed == Some(false));
    let failed = failed.map(|case| case.name.as_str()).collect();
    (played.len(), failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{Failure, Traffic};

    fn transcript(case: u32, header: &str) -> Transcript {
        let text = format!("# case {case}: something\n{header}\n> X\n");
        Transcript::parse("t.txt", &text).expect("it parses")
    }

    fn failed(warnings: Vec<Warning>) -> RunResult {
        Err(Box::new(Failure {
            name: "t.txt".to_owned(),
            line: 3,
            step: "> X".to_owned(),
            expected: "y".to_owned(),
            came: "z".to_owned(),
            traffic: Traffic::default(),
            warnings,
        }))
    }

    #[test]
    fn a_report_says_what_failed_and_what_it_means_to_whom() {
        let piece = || Warning { kind: WarningKind::Piece, came: "\"7,\": half".to_owned() };
        let mut report = ConformanceReport::default();
        let passed = |warnings| Ok(RunOutcome::Passed(warnings));
        report.add(&transcript(1, "must gomocup piskvork"), &passed(vec![piece()]));
        report.add(&transcript(2, "must piskvork\nshould gomocup"), &failed(vec![piece()]));
        report.add(&transcript(3, "extension"), &failed(Vec::new()));
        report.add(&transcript(4, "extension cute"), &failed(Vec::new()));
        report.add(&transcript(5, "must cute"), &Ok(RunOutcome::Skipped("no".to_owned())));
        assert_eq!(report.counts(), [1, 3, 1]);
        assert!(!report.is_clean() && report.must_failed(None));
        assert!(report.must_failed(Some(Manager::Piskvork)));
        assert!(!report.must_failed(Some(Manager::Gomocup)));
        let text = report.text(None);
        let expected = "1 passed, 3 failed, 1 skipped\n  must       1 of 2 passed\n  \
             extension  0 of 2 passed\nWarnings:\n  a piece of a line is written without its end: \
             QPiskvork loses such lines\n             2 times, first \"7,\": half\nWhat it means:\n  \
             gomocup       games can be played, but not all goes well\n                \
             1 of 1 should failed: 2\n  piskvork      games are lost, or it waits for ever\n                \
             1 of 2 must failed: 2\n  yixin-board   nothing was tried for it\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(
            text.contains("  cute          games go well; some services are missing\n"),
            "{text}"
        );
        let one = report.text(Some(Manager::Gomocup));
        assert!(
            one.contains("  should     0 of 1 passed\n") && !one.contains("piskvork  "),
            "{one}"
        );
    }

    #[test]
    fn transcripts_that_say_nothing_are_musts_and_mean_nothing_to_anybody() {
        let mut report = ConformanceReport::default();
        report.add(&transcript(1, ""), &Ok(RunOutcome::Passed(Vec::new())));
        assert!(report.is_clean() && !report.must_failed(None));
        assert_eq!(
            report.text(None),
            "1 passed, 0 failed, 0 skipped\n  must       1 of 1 passed\n"
        );
    }
}

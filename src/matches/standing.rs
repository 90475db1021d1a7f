//! The standing of a running match as text.

use std::time::Duration;

use tengen_files::printable::{self, shortened};
use tengen_files::words::rough_time;
use tengen_lab::arena::Tally;
use tengen_lab::stats::{Estimate, SprtStatus};

/// The standing of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing<'a> {
    /// The contestants, printable.
    pub names: &'a [String],
    /// All finished games.
    pub tally: &'a Tally,
    /// The largest number of games.
    pub total: u64,
    /// The number of games that were finished in this run.
    pub played: u64,
    /// The duration of this run, pauses not counted.
    pub elapsed: Duration,
    /// True if games come in pairs from one opening.
    pub paired: bool,
}

impl Standing<'_> {
    /// Returns the points, as in `rapfi 12.5 - 7.5 tengen`, or who leads a tournament.
    pub(super) fn score(&self) -> String {
        self.score_of(self.names)
    }

    fn score_of(&self, names: &[String]) -> String {
        let points = self.tally.points();
        if let ([a, b], [points_a, points_b]) = (names, points.as_slice()) {
            return format!("{a} {} - {} {b}", number(*points_a), number(*points_b));
        }
        let table = self.tally.crosstable();
        let share = |&i: &usize| table.total(i).score().unwrap_or(0.0);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        // The sort is stable: of equals the first one leads.
        order.sort_by(|a, b| share(b).total_cmp(&share(a)));
        let Some(&first) = order.first() else { return String::new() };
        let games = table.total(first).games();
        format!("{} leads with {} of {games}", names[first], number(points[first]))
    }

    /// Returns the wins, losses and draws of the first of two players, as in `+11 -6 =3`.
    pub(super) fn results(&self) -> Option<String> {
        let games = self.tally.trinomial();
        let is_duel = self.names.len() == 2;
        is_duel.then(|| format!("+{} -{} ={}", games.wins(), games.losses(), games.draws()))
    }

    /// Returns the pairs that the first of two players has won and lost, and those that are even, as in
    /// `pairs +4 -1 =2`.
    pub(super) fn pairs(&self) -> Option<String> {
        let pairs = self.tally.pentanomial();
        let (won, lost, even) = (pairs.pairs_won(), pairs.pairs_lost(), pairs.pairs_even());
        let has_pairs = self.names.len() == 2 && !pairs.is_empty();
        has_pairs.then(|| format!("pairs +{won} -{lost} ={even}"))
    }

    /// Returns the difference in strength of two players, as in `Elo +89 ± 150`; of pairs, once
    /// there are some.
    pub(super) fn elo(&self) -> Option<String> {
        if self.names.len() != 2 {
            return None;
        }
        let pairs = self.tally.pentanomial();
        let estimate = if self.paired { pairs.elo() } else { self.tally.trinomial().elo() };
        estimate.and_then(|estimate| elo_text(&estimate))
    }

    /// Returns where the test stands and where it ends, as in `LLR 0.52 of ±2.94`.
    pub(super) fn llr(&self) -> Option<String> {
        self.tally.sprt_status().map(|status| llr_text(&status))
    }

    /// Returns the speed, as in `12.3 games/min`.
    pub(super) fn speed(&self) -> Option<String> {
        self.speed_per_minute().map(|speed| speed.replace("/min", " games/min"))
    }

    /// Returns the speed, as in `12.3/min`.
    fn speed_per_minute(&self) -> Option<String> {
        let seconds = self.elapsed.as_secs_f64();
        if self.played == 0 || seconds <= 0.0 {
            return None;
        }
        let per_minute = self.played as f64 * 60.0 / seconds;
        let text = match per_minute {
            x if x < 10.0 => format!("{x:.1}"),
            x => format!("{x:.0}"),
        };
        Some(format!("{text}/min"))
    }

    /// Returns how long it will take, as in `15 min left`: `about` if a test ends when it goes on as it began, `at most`
    /// if nothing tells how early the match ends.
    pub(super) fn time_left(&self) -> Option<String> {
        if self.played == 0 || self.tally.is_decided() {
            return None;
        }
        let missing = self.total.saturating_sub(self.tally.games()) as f64;
        let (word, games) = match self.games_to_verdict().filter(|&games| games < missing) {
            Some(games) => ("about ", games),
            None if self.tally.sprt_status().is_some() || !self.paired => ("at most ", missing),
            None => ("", missing),
        };
        let seconds = self.elapsed.as_secs_f64() / self.played as f64 * games;
        Some(format!("{word}{} left", rough_time(seconds)))
    }

    /// Returns the number of games to the verdict of the test if the ratio goes on as it did on average; nothing while
    /// it has gone so little of the way that chance decides about its direction.
    fn games_to_verdict(&self) -> Option<f64> {
        let fraction = self.tally.sprt_status()?.fraction().abs();
        (fraction >= TREND).then(|| self.tally.games() as f64 * (1.0 / fraction - 1.0).max(0.0))
    }

    /// Returns as much as fits a line of this many columns. Speed and time left are always there;
    /// pairs, wins and losses, Elo and the test make room for them in this order, and then names are cut.
    pub(super) fn line(&self, columns: usize) -> String {
        let longest = self.names.iter().map(|name| printable::columns(name)).max().unwrap_or(0);
        let (speed, left) = (self.speed_per_minute(), self.time_left());
        let (pairs, elo, llr) = (self.pairs(), self.elo(), self.llr());
        let joined = |facts: usize, name: usize| {
            let mut score = self.score_of(&self.short_names(name));
            if let Some(results) = self.results().filter(|_| facts > 2) {
                score = format!("{score} ({results})");
            }
            let pairs = pairs.as_deref().filter(|_| facts > 3);
            let elo = elo.as_deref().filter(|_| facts > 1 || (facts == 1 && llr.is_none()));
            let llr = llr.as_deref().filter(|_| facts > 0);
            let parts = [Some(score.as_str()), pairs, elo, llr, speed.as_deref(), left.as_deref()];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let facts = (0..=4).rev().map(|facts| (facts, longest));
        let names = (NAME..longest).rev().map(|name| (0, name));
        let mut lines = facts.chain(names).map(|(facts, name)| joined(facts, name));
        let fitting = lines.find(|line| printable::columns(line) <= columns);
        fitting.unwrap_or_else(|| joined(0, NAME))
    }

    fn short_names(&self, most: usize) -> Vec<String> {
        self.names.iter().map(|name| shortened(name, most).into_owned()).collect()
    }
}

/// The part of the way to a verdict from which on a test has a direction.
const TREND: f64 = 0.1;

/// The columns of a name that are always shown.
const NAME: usize = 6;

/// Returns a number of points without a needless fraction.
pub(super) fn number(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// Returns an estimate as text; nothing while there are only wins or only losses.
fn elo_text(estimate: &Estimate) -> Option<String> {
    let (value, error) = (estimate.value, estimate.error());
    match (value.is_finite(), error.is_finite()) {
        (true, true) => Some(format!("Elo {value:+.0} ± {error:.0}")),
        (true, false) => Some(format!("Elo {value:+.0}")),
        (false, _) => None,
    }
}

fn llr_text(status: &SprtStatus) -> String {
    let SprtStatus { llr, lower, upper, .. } = status;
    if (lower + upper).abs() < 0.005 {
        format!("LLR {llr:.2} of ±{upper:.2}")
    } else {
        format!("LLR {llr:.2} of {lower:.2} to {upper:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_lab::arena::testing::{Sample, info};
    use tengen_lab::stats::{EloModel, PlayerResult, SprtOptions, SprtVerdict};

    fn test_up_to(elo1: f64) -> SprtOptions {
        SprtOptions { model: EloModel::Logistic, elo0: 0.0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn points_are_short() {
        assert_eq!([number(0.0), number(12.5), number(100.0)], ["0", "12.5", "100"]);
    }

    #[test]
    fn elo_is_told_when_there_is_something_to_tell() {
        let text = |value, lower, upper| elo_text(&Estimate { value, lower, upper });
        assert_eq!(text(10.0, -20.0, 40.0).as_deref(), Some("Elo +10 ± 30"));
        assert_eq!(text(-10.0, f64::NEG_INFINITY, 40.0).as_deref(), Some("Elo -10"));
        assert_eq!(text(f64::INFINITY, 191.0, f64::INFINITY), None);
    }

    #[test]
    fn a_line_keeps_speed_and_time_left_and_drops_what_does_not_fit() {
        let mut match_info = info(2);
        match_info.sprt = Some(test_up_to(10.0));
        let mut tally = Tally::new(&match_info);
        for pair in 0..10 {
            for second in [false, true] {
                let result =
                    if pair % 3 == 0 && second { PlayerResult::Draw } else { PlayerResult::Win };
                tally.add(
                    &Sample::new(2 * pair + u64::from(second), pair, [0, 1], second)
                        .result(result)
                        .game(),
                );
            }
        }
        let line = |names: [&str; 2], columns| {
            let names = names.map(str::to_owned);
            let standing = Standing {
                names: &names,
                tally: &tally,
                total: 20_000,
                played: 20,
                elapsed: Duration::from_secs(100),
                paired: true,
            };
            let line = standing.line(columns);
            assert!(line.ends_with(", 12/min, at most 28 h left"), "{line}");
            line
        };
        let all =
            "rapfi 18 - 2 tengen (+16 -0 =4), pairs +10 -0 =0, Elo +382 ± 187, LLR 0.28 of ±2.94";
        for (columns, kept) in [
            (200, all),
            (105, "rapfi 18 - 2 tengen (+16 -0 =4), Elo +382 ± 187, LLR 0.28 of ±2.94"),
            (92, "rapfi 18 - 2 tengen, Elo +382 ± 187, LLR 0.28 of ±2.94"),
            (70, "rapfi 18 - 2 tengen, LLR 0.28 of ±2.94"),
            (50, "rapfi 18 - 2 tengen"),
        ] {
            let line = line(["rapfi", "tengen"], columns);
            assert_eq!(line.split(", 12/min").next(), Some(kept), "{line}");
            assert!(line.chars().count() <= columns, "{line}");
        }
        let long = ["engine-of-the-day-before-yesterday", "engine-of-the-day-after-tomorrow"];
        assert!(line(long, 60).chars().count() <= 60);
        assert!(line(long, 60).starts_with("engine-of"));
        line(long, 10);
    }

    #[test]
    fn a_test_that_goes_somewhere_tells_when_it_ends() {
        let mut match_info = info(2);
        match_info.sprt = Some(test_up_to(5.0));
        let mut tally = Tally::new(&match_info);
        let mut play = |pairs: std::ops::Range<u64>| {
            for game in 2 * pairs.start..2 * pairs.end {
                let sample = Sample::new(game, game / 2, [0, 1], game % 2 == 1);
                tally.add(&sample.result(PlayerResult::Win).game());
            }
            let standing = Standing {
                names: &["new", "old"].map(str::to_owned),
                tally: &tally,
                total: 10_000,
                played: tally.games(),
                elapsed: Duration::from_secs(tally.games()),
                paired: true,
            };
            standing.time_left().expect("a time")
        };
        // A pair weighs log(1.0144) at most where 5 Elo are at stake, and the way has a length of log 19.
        assert_eq!(play(0..2), "at most 3 h left");
        assert_eq!(play(2..50), "about 5 min left");
        assert_eq!(play(50..200), "about 12 s left");
    }

    #[test]
    fn the_ends_of_a_test_are_told() {
        let text = |lower, upper| {
            llr_text(&SprtStatus { llr: 0.5, lower, upper, verdict: SprtVerdict::Continue })
        };
        assert_eq!(text(-2.944, 2.944), "LLR 0.50 of ±2.94");
        assert_eq!(text(-2.25, 2.89), "LLR 0.50 of -2.25 to 2.89");
    }
}

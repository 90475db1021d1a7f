//! The pieces of which a summary is made.

use serde::Serialize;

use super::{EndKind, Tally};
use crate::stats::{
    EloModel, Estimate, ExpectedGames, PlayerResult, ScoreCounts, Sprt, SprtOptions, SprtStatus,
    SprtVerdict, Trinomial,
};

/// Games seen by one side.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Results {
    /// The number of games.
    pub games: u64,
    /// The games won.
    pub wins: u64,
    /// The games drawn.
    pub draws: u64,
    /// The games lost.
    pub losses: u64,
    /// The points: a win counts 1, a draw ½.
    pub points: f64,
    /// The points of a game on average, from 0 to 1; `null` without games.
    pub score: Option<f64>,
}

impl From<Trinomial> for Results {
    fn from(games: Trinomial) -> Results {
        Results {
            games: games.games(),
            wins: games.wins(),
            draws: games.draws(),
            losses: games.losses(),
            points: games.points(),
            score: games.score(),
        }
    }
}

impl Results {
    /// Counts a game.
    pub(super) fn add(&mut self, result: PlayerResult) {
        let mut games = Trinomial::new(self.losses, self.draws, self.wins);
        games.add_game(result);
        *self = games.into();
    }
}

/// The number of games that ended in one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EndCount {
    /// The name of the way, see [`EndKind::name`].
    pub end: EndKind,
    /// The number of games.
    pub games: u64,
}

impl EndCount {
    /// Counts ends.
    pub(super) fn of(ends: impl Iterator<Item = EndKind>) -> Vec<EndCount> {
        let mut counts = Vec::new();
        ends.for_each(|end| EndCount::count(&mut counts, end));
        counts
    }

    /// Counts one more end; the counts stay in the order of the kinds.
    pub(super) fn count(counts: &mut Vec<EndCount>, end: EndKind) {
        let place = counts.partition_point(|count| count.end < end);
        match counts.get_mut(place) {
            Some(count) if count.end == end => count.games += 1,
            _ => counts.insert(place, EndCount { end, games: 1 }),
        }
    }
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The best guess.
    pub value: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// Half the width, the number behind "±"; infinite if an end is.
    pub error: f64,
}

impl From<Estimate> for Interval {
    fn from(estimate: Estimate) -> Interval {
        let Estimate { value, lower, upper } = estimate;
        Interval { value, lower, upper, error: estimate.error() }
    }
}

/// The statistics of two players who play only each other, seen by the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HeadToHead {
    /// True if the values below come from complete pairs of games; if there are none they come
    /// from single games.
    pub from_pairs: bool,
    /// The numbers of pairs that gave the first player 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// The pairs won, lost and even.
    pub pairs: PairCounts,
    /// The logistic Elo difference; `null` without games.
    pub elo: Option<Interval>,
    /// The normalised Elo difference; `null` if all results are alike.
    pub nelo: Option<Interval>,
    /// The probability that the first player is the stronger one; `null` without games, or if one
    /// side made all points: a sample without variation says nothing about its variance.
    pub los: Option<f64>,
    /// The share of drawn games.
    pub draw_ratio: Option<f64>,
    /// The share of pairs that gave a point to each.
    pub pair_draw_ratio: Option<f64>,
    /// The pairs won divided by the pairs lost.
    pub pairs_ratio: Option<f64>,
    /// The sequential test that ends the match.
    pub sprt: Option<Test>,
}

/// Pairs of games seen by the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PairCounts {
    /// The pairs in which it made more points than the other.
    pub won: u64,
    /// The pairs in which it made fewer.
    pub lost: u64,
    /// The pairs in which both made a point.
    pub even: u64,
    /// Those of the even pairs in which black won both games.
    pub even_by_black: u64,
    /// Those of the even pairs in which white won both games.
    pub even_by_white: u64,
}

impl PairCounts {
    fn of(tally: &Tally) -> PairCounts {
        let pairs = tally.pentanomial();
        let [even_by_black, even_by_white] = tally.even_by_color();
        PairCounts {
            won: pairs.pairs_won(),
            lost: pairs.pairs_lost(),
            even: pairs.pairs_even(),
            even_by_black,
            even_by_white,
        }
    }
}

impl HeadToHead {
    pub(super) fn new(tally: &Tally) -> HeadToHead {
        fn strength<const N: usize>(
            counts: &ScoreCounts<N>,
        ) -> (Option<Estimate>, Option<Estimate>, Option<f64>) {
            (counts.elo(), counts.nelo(), counts.los())
        }
        let (games, pairs) = (tally.trinomial(), tally.pentanomial());
        let from_pairs = !pairs.is_empty();
        let (elo, nelo, los) = if from_pairs { strength(&pairs) } else { strength(&games) };
        HeadToHead {
            from_pairs,
            pentanomial: pairs.counts(),
            pairs: PairCounts::of(tally),
            elo: elo.map(Interval::from),
            nelo: nelo.map(Interval::from),
            los: los.filter(|los| (0.0 < *los && *los < 1.0) || nelo.is_some()),
            draw_ratio: games.draw_ratio(),
            pair_draw_ratio: pairs.pair_draw_ratio(),
            pairs_ratio: pairs.pairs_ratio(),
            sprt: tally
                .sprt()
                .zip(tally.sprt_status())
                .map(|(sprt, status)| Test::new(sprt, status)),
        }
    }
}

/// A sequential probability ratio test and where it stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Test {
    /// The kind of Elo of the bounds: `logistic` or `normalized`.
    pub model: &'static str,
    /// The strength under hypothesis H0.
    pub elo0: f64,
    /// The strength under hypothesis H1.
    pub elo1: f64,
    /// The probability of accepting H1 wrongly.
    pub alpha: f64,
    /// The probability of accepting H0 wrongly.
    pub beta: f64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// `H0`, `H1`, or `null` while it goes on.
    pub accepted: Option<&'static str>,
    /// The expected number of games if H0 is true, half way between, and if H1 is, see
    /// [`Sprt::expected_games`].
    pub expected_games: [f64; 3],
}

impl Test {
    fn new(sprt: &Sprt, status: SprtStatus) -> Test {
        let SprtOptions { model, elo0, elo1, alpha, beta } = *sprt.options();
        let ExpectedGames { at_elo0, at_middle, at_elo1 } = sprt.expected_games();
        let SprtStatus { llr, lower, upper, verdict } = status;
        Test {
            model: match model {
                EloModel::Logistic => "logistic",
                EloModel::Normalized => "normalized",
            },
            elo0,
            elo1,
            alpha,
            beta,
            llr,
            lower,
            upper,
            accepted: match verdict {
                SprtVerdict::Continue => None,
                SprtVerdict::AcceptH0 => Some("H0"),
                SprtVerdict::AcceptH1 => Some("H1"),
            },
            expected_games: [at_elo0, at_middle, at_elo1].map(f64::round),
        }
    }
}

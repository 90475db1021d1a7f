//! The expected length of a test.

use super::super::counts::Pentanomial;
use super::super::elo::score_of_elo;
use super::{EloModel, Sprt, SprtOptions, t_of_sample};

/// The variance of the score of a pair that is assumed before there are any: that of two independent games without
/// draws, of which half of the pairs are even.
const USUAL_VARIANCE: f64 = 0.125;

/// The number of games after which a test is expected to end, if the difference of strength is one of these.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectedGames {
    /// At the strength of H0.
    pub at_elo0: f64,
    /// Half way between the hypotheses, where a test lasts longest or nearly so.
    pub at_middle: f64,
    /// At the strength of H1.
    pub at_elo1: f64,
}

impl Sprt {
    /// Returns the expected number of games of a match in pairs.
    ///
    /// Wald, "Sequential tests of statistical hypotheses" (1945), section 4.7: the expected number of samples is the
    /// expected log likelihood ratio at the end over the expected increment of a sample, or, where the latter is 0,
    /// the product of the bounds over the mean square of an increment. The overshoot beyond a bound is neglected: a
    /// test lasts some pairs longer, which counts where bounds are wide apart.
    ///
    /// The ratio is taken to be that of a normal distribution of scores, as Van den Bergh's GSPRT approximation has
    /// it. For logistic Elo it depends on the variance of a pair's score, which is assumed to be that of two independent
    /// games without draws: half of the pairs are even. With a larger share of even pairs a test of the same bounds is
    /// shorter, but engines are closer in logistic Elo, too. Normalised Elo needs no such assumption.
    #[must_use]
    pub fn expected_games(&self) -> ExpectedGames {
        self.expected(USUAL_VARIANCE)
    }

    /// Returns the expected number of games where the score of a pair has this variance.
    pub(super) fn expected(&self, variance: f64) -> ExpectedGames {
        let SprtOptions { model, elo0, elo1, alpha, beta } = self.options;
        let games = Pentanomial::GAMES;
        // In standard deviations of a pair.
        let distance = match model {
            EloModel::Logistic => (score_of_elo(elo1) - score_of_elo(elo0)) / variance.sqrt(),
            EloModel::Normalized => t_of_sample(elo1, games) - t_of_sample(elo0, games),
        };
        // An increment has this variance; its mean is half of that under H1, the opposite under H0.
        let increment = distance * distance;
        let (lower, upper) = self.bounds();
        let pairs = |accepts_h1: f64, mean: f64| {
            ((1.0 - accepts_h1) * lower + accepts_h1 * upper) / mean * games as f64
        };
        ExpectedGames {
            at_elo0: pairs(alpha, -increment / 2.0),
            at_middle: -lower * upper / increment * games as f64,
            at_elo1: pairs(1.0 - beta, increment / 2.0),
        }
    }
}

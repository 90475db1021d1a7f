//! The sequential probability ratio test: stopping a match as soon as it has said enough.

mod expected;

pub use expected::ExpectedGames;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::counts::{ScoreCounts, moments};
use super::elo::{NELO_PER_T, score_of_elo};
use super::likelihood::{with_mean, with_t_value};

/// The largest bound of a test, in Elo of either kind and either direction.
pub const ELO_LIMIT: f64 = 1000.0;

/// The count of a score that never occurred, as in fishtest: enough to keep logarithms finite, too
/// little to matter.
const EPSILON: f64 = 1e-3;

/// The kind of Elo in which the bounds of a test are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Logistic Elo: the expected score alone.
    Logistic,
    /// Normalised Elo: the expected score in standard deviations of a game.
    Normalized,
}

/// The hypotheses of a test and its error probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtOptions {
    /// The kind of Elo of `elo0` and `elo1`.
    pub model: EloModel,
    /// The strength under hypothesis H0.
    pub elo0: f64,
    /// The strength under hypothesis H1, greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although the strength is `elo0`.
    pub alpha: f64,
    /// The probability of accepting H0 although the strength is `elo1`.
    pub beta: f64,
}

/// The error of options with which a test makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// `elo0` is not below `elo1`, or one of them is beyond [`ELO_LIMIT`].
    #[error("SPRT: elo0 must be below elo1, both within {ELO_LIMIT} of 0: {elo0}, {elo1}")]
    Bounds {
        /// The given `elo0`.
        elo0: f64,
        /// The given `elo1`.
        elo1: f64,
    },
    /// `alpha` or `beta` is not between 0 and 1, or their sum reaches 1.
    #[error("SPRT: alpha and beta must be above 0 and their sum below 1: {alpha}, {beta}")]
    Errors {
        /// The given `alpha`.
        alpha: f64,
        /// The given `beta`.
        beta: f64,
    },
}

/// The state of a test after the results so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// More games are needed.
    Continue,
    /// The strength is `elo0` rather than `elo1`.
    AcceptH0,
    /// The strength is `elo1` rather than `elo0`.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtStatus {
    /// The log likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The ratio at which H0 is accepted.
    pub lower: f64,
    /// The ratio at which H1 is accepted.
    pub upper: f64,
    /// The verdict.
    pub verdict: SprtVerdict,
}

impl SprtStatus {
    /// Returns how much of the way to the nearer decision is made: 1 at `upper`, -1 at `lower`.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.llr >= 0.0 { self.llr / self.upper } else { -self.llr / self.lower }
    }
}

/// A generalised sequential probability ratio test, as in fishtest.
///
/// Wald's test (1945) with the log likelihood ratio maximised over everything that the hypotheses
/// leave open. The test is asked after each sample and ends with the first verdict that is not
/// [`SprtVerdict::Continue`]; results that come in later, from games already begun, may pull the
/// ratio back but don't undo the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    options: SprtOptions,
}

impl Sprt {
    /// Returns the test with these options.
    ///
    /// # Errors
    ///
    /// Returns what makes no sense in the options.
    pub fn new(options: SprtOptions) -> Result<Sprt, SprtError> {
        let SprtOptions { elo0, elo1, alpha, beta, .. } = options;
        // Written so that no NaN passes.
        if !(elo0 < elo1 && -ELO_LIMIT <= elo0 && elo1 <= ELO_LIMIT) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Sprt { options })
    }

    /// Returns the options of the test.
    #[must_use]
    pub const fn options(&self) -> &SprtOptions {
        &self.options
    }

    /// Returns the log likelihood ratios at which H0 and H1 are accepted.
    ///
    /// Wald's bounds: ln(β / (1 - α)) and ln((1 - β) / α).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let SprtOptions { alpha, beta, .. } = self.options;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Returns the generalised log likelihood ratio of H1 to H0; 0 if nothing was counted.
    #[must_use]
    pub fn llr<const N: usize>(&self, counts: &ScoreCounts<N>) -> f64 {
        if counts.is_empty() {
            return 0.0;
        }
        let SprtOptions { model, elo0, elo1, .. } = self.options;
        let (samples, observed) = counts.distribution(EPSILON);
        let hypothesis = |elo: f64| match model {
            EloModel::Logistic => with_mean(&observed, score_of_elo(elo)),
            EloModel::Normalized => {
                with_t_value(&observed, t_of_sample(elo, ScoreCounts::<N>::GAMES))
            }
        };
        if let (Some(h0), Some(h1)) = (hypothesis(elo0), hypothesis(elo1)) {
            let per_sample: f64 = (0..N).map(|i| observed[i] * (h1[i] / h0[i]).ln()).sum();
            return samples * per_sample;
        }
        // Only normalised bounds so wide apart that hardly any distribution has them come here.
        approximate_llr(counts, elo0, elo1)
    }

    /// Returns where the test stands with these counts.
    #[must_use]
    pub fn status<const N: usize>(&self, counts: &ScoreCounts<N>) -> SprtStatus {
        let llr = self.llr(counts);
        let (lower, upper) = self.bounds();
        let verdict = if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        };
        SprtStatus { llr, lower, upper, verdict }
    }
}

/// Returns the t-value of a sample of this many games at a normalised Elo.
fn t_of_sample(nelo: f64, games: usize) -> f64 {
    nelo / NELO_PER_T * (games as f64).sqrt()
}

/// Returns the log likelihood ratio for normalised Elo as if scores were normally distributed.
///
/// Van den Bergh, `normalized_elo_practical.pdf`, section 4.2.
fn approximate_llr<const N: usize>(counts: &ScoreCounts<N>, nelo0: f64, nelo1: f64) -> f64 {
    let (samples, observed) = counts.distribution(EPSILON);
    let (mean, variance) = moments(&observed);
    let games = ScoreCounts::<N>::GAMES as f64;
    let t = (mean - 0.5) / (variance * games).sqrt();
    let square = |nelo: f64| (t - nelo / NELO_PER_T).powi(2);
    samples * games / 2.0 * ((1.0 + square(nelo0)) / (1.0 + square(nelo1))).ln()
}

#[cfg(test)]
mod tests;

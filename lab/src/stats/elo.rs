//! Scores, Elo differences and what is known of them.

/// The 97.5 % quantile of the normal distribution: 95 % lie within this many standard deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// One unit of normalised t-value in normalised Elo: 800 / ln 10.
///
/// Chosen by Van den Bergh so that for small differences between players who never draw normalised
/// and logistic Elo are the same (`normalized_elo_practical.pdf`, section 2).
pub(super) const NELO_PER_T: f64 = 347.435_585_522_601_46;

/// A value and the interval that covers the truth in 95 of 100 matches.
///
/// Infinities are honest answers: who wins every game has no finite Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Estimate {
    /// Returns the estimate `value` ± `error`.
    pub(super) fn symmetric(value: f64, error: f64) -> Estimate {
        Estimate { value, lower: value - error, upper: value + error }
    }

    /// Returns half the width of the interval, the number behind "±"; infinite if an end is.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.lower.is_finite() && self.upper.is_finite() {
            (self.upper - self.lower) / 2.0
        } else {
            f64::INFINITY
        }
    }
}

/// Returns the probability that a standard normal variable is below `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// Returns the score that is expected of a player who is `elo` stronger: 1 / (1 + 10^(-elo/400)).
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the logistic Elo difference at which `score` is expected.
///
/// The inverse of [`score_of_elo`]; infinite at 0 and 1, and beyond them the same as there.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// Returns the normalised Elo of a score, given the variance of the score of one game.
///
/// (score - 1/2) / σ · 800 / ln 10, after "Normalized Elo" by Van den Bergh. For pairs the
/// variance of one game is twice the variance of a pair's mean score.
#[must_use]
pub fn nelo_of_score(score: f64, variance: f64) -> f64 {
    (score - 0.5) / variance.sqrt() * NELO_PER_T
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_the_tabulated_one() {
        // Computed with scipy.stats.norm.cdf of SciPy 1.17.
        let table = [
            (-8.0, 6.220_960_574_271_74e-16),
            (-3.0, 0.001_349_898_031_630_093_3),
            (-Z95, 0.025),
            (-1.0, 0.158_655_253_931_457_07),
            (-0.1, 0.460_172_162_722_971),
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (2.0, 0.977_249_868_051_820_8),
            (5.0, 0.999_999_713_348_428_1),
        ];
        for (x, probability) in table {
            // Far out the rounding of x itself shows.
            let ratio = normal_cdf(x) / probability;
            assert!((ratio - 1.0).abs() < 1e-13, "{x}: {}", normal_cdf(x));
        }
    }

    #[test]
    fn the_scale_of_normalised_elo_is_800_over_ln_10() {
        assert!((NELO_PER_T - 800.0 / 10_f64.ln()).abs() < 1e-12);
        // Near equality and without draws (variance 1/4) the two scales meet.
        let score = score_of_elo(0.01);
        assert!((nelo_of_score(score, 0.25) - 0.01).abs() < 1e-6);
    }

    #[test]
    fn scores_and_elo_are_inverse_to_each_other() {
        for elo in [-800.0, -191.0, -1.0, 0.0, 0.5, 100.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
            assert!((score_of_elo(elo) + score_of_elo(-elo) - 1.0).abs() < 1e-15);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(1.25), f64::INFINITY);
    }
}

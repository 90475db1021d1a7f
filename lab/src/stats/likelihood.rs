//! The most likely distribution of scores under a hypothesis.
//!
//! Both hypotheses of a sequential test leave much open: "the score is 0.5" says nothing of the
//! share of draws. A generalised likelihood ratio test gives each hypothesis the distribution that
//! explains the counts best. All distributions are over `N` equally spaced scores from 0 to 1, and
//! every share must be above 0.

use super::counts::{moments, score_at};

/// The most rounds of the iteration for t-values. It needs about ten.
const MAX_ROUNDS: usize = 100;

/// Returns the most likely distribution with mean `mean`, given the observed one; `None` if no
/// distribution has that mean.
///
/// Van den Bergh, `support_MLE_multinomial.pdf`, proposition 1.1: the shares are
/// p̂ᵢ / (1 + x (aᵢ - mean)), where x solves the secular equation.
pub(super) fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> Option<[f64; N]> {
    let offsets: [f64; N] = std::array::from_fn(|i| score_at(i, N) - mean);
    tilt(observed, &offsets)
}

/// Returns the most likely distribution whose mean lies `t` of its standard deviations above ½,
/// given the observed one; `None` if the iteration finds none.
///
/// Van den Bergh, `normalized_elo_practical.pdf`, section 4.1: from the uniform distribution on,
/// the constraint is linearised at the last distribution and the most likely one under the
/// linearised constraint comes next.
pub(super) fn with_t_value<const N: usize>(observed: &[f64; N], t: f64) -> Option<[f64; N]> {
    let mut shares = [1.0 / N as f64; N];
    for _ in 0..MAX_ROUNDS {
        let (mean, variance) = moments(&shares);
        let deviation = variance.sqrt();
        let offsets: [f64; N] = std::array::from_fn(|i| {
            let score = score_at(i, N);
            let distance = (mean - score) / deviation;
            score - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = tilt(observed, &offsets)?;
        let change = shares.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        shares = next;
        if change < 1e-11 {
            return Some(shares);
        }
    }
    None
}

/// Returns pᵢ / (1 + x·aᵢ) with the x that solves the secular equation Σ pᵢ·aᵢ / (1 + x·aᵢ) = 0;
/// `None` if the offsets aᵢ are not on both sides of 0.
///
/// Between the poles of the largest and the smallest aᵢ the sum falls from +∞ to -∞, so there is
/// one root: Newton's steps, and a bisection wherever one of them would leave the bracket. A root
/// may be very close to a pole, where a rare score becomes a common one, so x is measured from the
/// pole on its side of 0.
fn tilt<const N: usize>(p: &[f64; N], a: &[f64; N]) -> Option<[f64; N]> {
    let smallest = a.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0 && smallest.is_finite() && largest.is_finite()) {
        return None;
    }
    let mean: f64 = p.iter().zip(a).map(|(p, a)| p * a).sum();
    let extreme = if mean > 0.0 { smallest } else { largest };
    // The denominators are at_pole[i] + y·a[i], and x = y - 1 / extreme.
    let at_pole: [f64; N] = std::array::from_fn(|i| 1.0 - a[i] / extreme);
    let mut y = 1.0 / extreme;
    let (mut low, mut high) = if y < 0.0 { (y, 0.0) } else { (0.0, y) };
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for i in 0..N {
            let term = a[i] / (at_pole[i] + y * a[i]);
            value += p[i] * term;
            slope -= p[i] * term * term;
        }
        if value > 0.0 {
            low = y;
        } else {
            high = y;
        }
        let newton = y - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let change = (next - y).abs();
        // A step that is lost in rounding means that y is as good as it gets.
        if change <= 4.0 * f64::EPSILON * y.abs() || value == 0.0 {
            break;
        }
        y = next;
    }
    Some(std::array::from_fn(|i| p[i] / (at_pole[i] + y * a[i])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rng::SplitMix64;

    /// Returns a distribution, sometimes one with shares close to 0.
    fn random_distribution(rng: &mut SplitMix64) -> [f64; 5] {
        let weights: [f64; 5] = std::array::from_fn(|_| match rng.below(4) {
            0 => 1e-3 / (1 + rng.below(10_000)) as f64,
            _ => (1 + rng.below(1000)) as f64,
        });
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Returns the log likelihood of what was observed, per sample.
    fn log_likelihood(observed: &[f64; 5], shares: &[f64; 5]) -> f64 {
        observed.iter().zip(shares).map(|(p, q)| p * q.ln()).sum()
    }

    #[test]
    fn the_constraints_are_met_from_any_distribution() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..2000 {
            let observed = random_distribution(&mut rng);
            for mean in [0.2, 0.5, 0.507, 0.9] {
                let shares = with_mean(&observed, mean).unwrap();
                let sum: f64 = shares.iter().sum();
                assert!((sum - 1.0).abs() < 1e-9, "{observed:?} {mean} {sum}");
                assert!((moments(&shares).0 - mean).abs() < 1e-9, "{observed:?} {mean}");
            }
            for t in [-0.2, 0.0, 0.01, 0.3] {
                let shares = with_t_value(&observed, t).unwrap();
                let (mean, variance) = moments(&shares);
                assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-9, "{observed:?} {t}");
            }
        }
    }

    #[test]
    fn no_neighbour_that_meets_the_constraint_is_likelier() {
        let mut rng = SplitMix64::new(2);
        for _ in 0..200 {
            let observed = [3.0, 5.0, 14.0, 6.0, 2.0].map(|count: f64| count / 30.0);
            let best = with_mean(&observed, 0.55).unwrap();
            // Moves of mass that keep both the sum and the mean.
            let (i, size) = (rng.below(3), 0.01 * (rng.below(201) as f64 - 100.0) / 100.0);
            let mut other = best;
            other[i] += size;
            other[i + 1] -= 2.0 * size;
            other[i + 2] += size;
            assert!(log_likelihood(&observed, &other) <= log_likelihood(&observed, &best));
        }
    }

    #[test]
    fn a_distribution_that_meets_the_constraint_stays_as_it_is() {
        let observed = [0.1, 0.2, 0.4, 0.2, 0.1];
        for shares in [with_mean(&observed, 0.5).unwrap(), with_t_value(&observed, 0.0).unwrap()] {
            for (p, q) in observed.iter().zip(&shares) {
                assert!((p - q).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn means_beyond_the_scores_are_refused() {
        assert_eq!(with_mean(&[0.2; 5], 1.0), None);
        assert_eq!(with_mean(&[0.2; 5], -0.1), None);
        assert_eq!(with_mean(&[0.2; 5], f64::NAN), None);
    }
}

//! The sizes of perturbations and steps, pair after pair.

use serde::{Deserialize, Serialize};

/// The rates at which the gains shrink in the course of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GainSchedule {
    /// The power by which the steps shrink; Spall recommends 0.602.
    pub alpha: f64,
    /// The power by which the perturbations shrink; Spall recommends 0.101.
    pub gamma: f64,
    /// The part of all pairs by which the shrinking of the steps is delayed, lest the first few
    /// results move the values far.
    pub delay: f64,
    /// The size of a step at the end, as a part of the square of the perturbation at the end.
    pub r_end: f64,
}

impl Default for GainSchedule {
    /// The usual values of fishtest.
    fn default() -> GainSchedule {
        GainSchedule { alpha: 0.602, gamma: 0.101, delay: 0.1, r_end: 0.002 }
    }
}

/// The gains of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The perturbation of a parameter, relative to its perturbation in the last pair.
    pub perturbation: f64,
    /// The step of the value for each unit of the perturbation and each game won more than lost.
    pub rate: f64,
}

impl GainSchedule {
    /// Returns the gains of a pair, counted from 0, in a run of `pairs` pairs.
    ///
    /// With k = pair + 1, N pairs and A = `delay` · N the perturbation of a parameter is
    /// c(k) = c / k^gamma and the step a(k) = a / (A + k)^alpha; c and a are such that c(N) is the
    /// wanted perturbation at the end and a(N) / c(N)² is `r_end`. The rate is a(k) / c(k)². The
    /// powers come from a library of our own, so that they are the same on every machine.
    #[must_use]
    pub fn gains(&self, pair: u64, pairs: u64) -> Gains {
        let (k, n) = ((pair + 1) as f64, pairs.max(1) as f64);
        let delay = self.delay * n;
        let perturbation = libm::pow(n / k, self.gamma);
        let step = self.r_end * libm::pow((delay + n) / (delay + k), self.alpha);
        Gains { perturbation, rate: step / (perturbation * perturbation) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_gains_are_those_asked_for() {
        let schedule = GainSchedule { r_end: 0.003, ..GainSchedule::default() };
        let last = schedule.gains(999, 1000);
        assert!((last.perturbation - 1.0).abs() < 1e-12 && (last.rate - 0.003).abs() < 1e-12);
    }

    #[test]
    fn gains_are_those_of_the_formulas() {
        // Worked out by hand for alpha = 0.5, gamma = 0.25: k = 16 of N = 256, A = 128.
        let schedule = GainSchedule { alpha: 0.5, gamma: 0.25, delay: 0.5, r_end: 0.01 };
        let gains = schedule.gains(15, 256);
        assert!((gains.perturbation - 2.0).abs() < 1e-12);
        let step = 0.01 * (384.0_f64 / 144.0).sqrt();
        assert!((gains.rate - step / 4.0).abs() < 1e-12);
    }

    #[test]
    fn perturbations_and_steps_shrink() {
        let schedule = GainSchedule::default();
        let all: Vec<Gains> = (0..500).map(|pair| schedule.gains(pair, 500)).collect();
        let step = |gains: &Gains| gains.rate * gains.perturbation * gains.perturbation;
        for two in all.windows(2) {
            assert!(two[0].perturbation > two[1].perturbation && step(&two[0]) > step(&two[1]));
        }
    }
}

//! The two opposite choices of a pair.

use super::{Coordinate, Gains};
use tengen_core::rng::SplitMix64;

/// Two sets of values that differ from the present ones in opposite directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perturbed {
    /// The values of one side.
    pub plus: Vec<i32>,
    /// The values of the other.
    pub minus: Vec<i32>,
}

/// Returns the values that play each other in a pair; they depend on the arguments alone.
///
/// Every value is moved by its perturbation to one side or the other and then rounded at random, so
/// that small perturbations of whole numbers count as often as they should. Both sides are rounded
/// by the same chance. Values stay within their bounds.
#[must_use]
pub fn perturb(
    coordinates: &[Coordinate],
    values: &[f64],
    gains: Gains,
    seed: u64,
    pair: u64,
) -> Perturbed {
    let mut rng = SplitMix64::new(SplitMix64::new(seed).next_u64() ^ pair);
    let mut both = Perturbed { plus: Vec::new(), minus: Vec::new() };
    for (coordinate, &value) in coordinates.iter().zip(values) {
        let up = rng.next_u64() & 1 == 1;
        let chance = fraction(rng.next_u64());
        let by = coordinate.c_end * gains.perturbation * if up { 1.0 } else { -1.0 };
        let whole = |value: f64| {
            // Far within the range of the type: values and perturbations are bounded.
            ((value + chance).floor() as i32).clamp(coordinate.param.min, coordinate.param.max)
        };
        both.plus.push(whole(value + by));
        both.minus.push(whole(value - by));
    }
    both
}

/// Returns a number from 0 on and below 1 of random bits.
fn fraction(bits: u64) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS;
    (bits >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::search::params::Param;

    const GAINS: Gains = Gains { perturbation: 1.0, rate: 0.002 };

    fn coordinate(c_end: f64) -> Coordinate {
        let param = Param::find("aspiration").unwrap();
        Coordinate { param, start: param.default, c_end }
    }

    #[test]
    fn both_sides_differ_in_opposite_directions_by_the_perturbation() {
        let coordinates = [coordinate(3.0), coordinate(0.25)];
        let values = [50.5, 20.125];
        let mut sums = [[0.0; 2]; 2];
        const PAIRS: u64 = 4000;
        for pair in 0..PAIRS {
            let Perturbed { plus, minus } = perturb(&coordinates, &values, GAINS, 1, pair);
            assert!(plus[0] - minus[0] == 6 || plus[0] - minus[0] == -6);
            assert!((plus[1] - minus[1]).abs() <= 1);
            for i in 0..2 {
                sums[i][0] += f64::from(plus[i] + minus[i]) / 2.0;
                sums[i][1] += f64::from((plus[i] - minus[i]).abs()) / 2.0;
            }
        }
        for (i, coordinate) in coordinates.iter().enumerate() {
            let [mean, width] = sums[i].map(|sum| sum / PAIRS as f64);
            // The mean of this many differs from what is expected by a few hundredths at most.
            assert!((mean - values[i]).abs() < 0.2, "{mean}");
            assert!((width - coordinate.c_end).abs() < 0.05, "{width}");
        }
    }

    #[test]
    fn pairs_and_seeds_give_different_directions_and_nothing_else_does() {
        let coordinates: Vec<_> = (0..24).map(|_| coordinate(5.0)).collect();
        let values = [20.0; 24];
        let of = |seed, pair| perturb(&coordinates, &values, GAINS, seed, pair);
        assert_eq!(of(1, 2), of(1, 2));
        assert!(of(1, 2) != of(1, 3) && of(1, 2) != of(2, 2));
    }

    #[test]
    fn values_stay_within_their_bounds() {
        let coordinates = [coordinate(1e6), coordinate(10.0)];
        for pair in 0..100 {
            let Perturbed { plus, minus } = perturb(&coordinates, &[100.0, 4.0], GAINS, 0, pair);
            let mut first = [plus[0], minus[0]];
            first.sort_unstable();
            assert_eq!(first, [4, 200]);
            assert!(plus[1] >= 4 && minus[1] >= 4);
        }
    }
}

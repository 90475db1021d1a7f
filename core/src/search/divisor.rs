//! Fast division by a number that is fixed before the search begins.

/// A divisor that divides by multiplying, as compilers do for constants.
///
/// A division takes an order of magnitude longer than a multiplication, and move ordering divides
/// for every candidate (Granlund and Montgomery, "Division by Invariant Integers using
/// Multiplication", 1994).
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    /// The first whole number above 2^[`SHIFT`](Divisor::SHIFT) over the divisor.
    reciprocal: i64,
}

impl Divisor {
    /// The fraction bits of a reciprocal. With n below 2^22 and d below 2^16 the rounding of the
    /// reciprocal adds less than n·d / 2^40 < 1/4 of the distance between two quotients.
    const SHIFT: u32 = 40;
    /// The exclusive upper bound of dividends.
    const MOST_DIVIDEND: i32 = 1 << 22;
    /// The exclusive upper bound of divisors.
    const MOST_DIVISOR: i32 = 1 << 16;

    /// Makes a divisor.
    ///
    /// # Panics
    ///
    /// Panics if the divisor is not positive or not below 2^16.
    pub(super) fn new(divisor: i32) -> Divisor {
        assert!((1..Divisor::MOST_DIVISOR).contains(&divisor), "a divisor from 1 to 2^16");
        Divisor { reciprocal: (1 << Divisor::SHIFT) / i64::from(divisor) + 1 }
    }

    /// Returns the quotient of a number between -2^22 and 2^22, rounded towards zero.
    #[inline]
    pub(super) fn divide(self, dividend: i32) -> i32 {
        debug_assert!(dividend.abs() < Divisor::MOST_DIVIDEND);
        let floor = (i64::from(dividend) * self.reciprocal) >> Divisor::SHIFT;
        // Below zero the product is always a little less than the quotient, even if the quotient is
        // whole.
        floor as i32 + i32::from(dividend < 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_those_of_a_division() {
        for divisor in (1..600).chain([9000, 31_999, 32_000, 65_535]) {
            let by = Divisor::new(divisor);
            let most = Divisor::MOST_DIVIDEND - 1;
            let whole = (0..=most / divisor).step_by((most / divisor / 1000).max(1) as usize);
            // The result can only be wrong where the quotient changes.
            let near = whole.flat_map(|n| [n * divisor - 1, n * divisor, n * divisor + 1]);
            for dividend in near.chain([most - 1, most]).filter(|&n| n <= most) {
                assert_eq!(by.divide(dividend), dividend / divisor, "{dividend}/{divisor}");
                assert_eq!(by.divide(-dividend), -dividend / divisor, "-{dividend}/{divisor}");
            }
        }
    }
}

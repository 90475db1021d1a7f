//! The relation of a score to the true one.

use super::Score;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most the stored one: no move raised alpha.
    Upper = 1,
    /// The true score is at least the stored one: a move reached beta.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

impl Bound {
    /// Returns the bound of a result of a search with the window from `alpha` to `beta`.
    #[inline]
    #[must_use]
    pub fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

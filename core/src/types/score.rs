//! Search and evaluation scores.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::Ply;

/// A score from the point of view of the side to move.
///
/// Values beyond ±[`Score::DECISIVE`] are proven: `Score::win_in(n)` is a win `n` plies from the
/// root. Others are evaluations in the engine's units, within ±[`Score::MAX_EVAL`]. Every score
/// fits in an `i16`.
///
/// ```
/// use tengen_core::types::{Ply, Score};
///
/// let win = Score::win_in(Ply(5));
/// assert!(win.is_win() && (-win).is_loss());
/// assert!(Score::win_in(Ply(3)) > win && win > Score::eval(1_000_000));
/// assert_eq!(Score::eval(1_000_000), Score::MAX_EVAL);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// A score taken apart for printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// The side to move wins in this many plies.
    Win(u16),
    /// The side to move loses in this many plies.
    Loss(u16),
    /// Neither is proven; the evaluation in engine units.
    Value(i32),
}

impl Score {
    /// A draw, or an even position.
    pub const ZERO: Score = Score(0);
    /// Above every score that occurs.
    pub const INFINITE: Score = Score(30_001);
    /// A win on the board: the limit of winning scores.
    pub const WIN: Score = Score(30_000);
    /// The smallest score that means a proven win.
    pub const DECISIVE: Score = Score(29_000);
    /// The largest evaluation that is not a proof.
    pub const MAX_EVAL: Score = Score(20_000);

    /// Returns an evaluation, clamped to ±[`Score::MAX_EVAL`].
    #[inline]
    #[must_use]
    pub fn eval(value: i32) -> Score {
        Score(value.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0))
    }

    /// Returns the score with exactly this raw value, clamped to what can be stored.
    #[inline]
    #[must_use]
    pub fn from_raw(value: i32) -> Score {
        Score(value.clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// Returns the raw value.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Returns the score of a win `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn win_in(ply: Ply) -> Score {
        Score(Score::WIN.0 - ply.0 as i32)
    }

    /// Returns the score of a loss `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn loss_in(ply: Ply) -> Score {
        Score(ply.0 as i32 - Score::WIN.0)
    }

    /// Returns whether the score is a proven win.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::DECISIVE.0
    }

    /// Returns whether the score is a proven loss.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::DECISIVE.0
    }

    /// Returns whether the score is a proven win or loss.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Takes the score apart.
    #[must_use]
    pub const fn kind(self) -> ScoreKind {
        if self.is_win() {
            ScoreKind::Win((Score::WIN.0 - self.0) as u16)
        } else if self.is_loss() {
            ScoreKind::Loss((self.0 + Score::WIN.0) as u16)
        } else {
            ScoreKind::Value(self.0)
        }
    }

    /// Converts a score relative to the root into one relative to a node at `ply`, for storing.
    #[inline]
    #[must_use]
    pub fn to_table(self, ply: Ply) -> Score {
        if self.is_win() {
            Score::from_raw(self.0 + ply.0 as i32)
        } else if self.is_loss() {
            Score::from_raw(self.0 - ply.0 as i32)
        } else {
            self
        }
    }

    /// Converts a stored score back into one relative to the root.
    #[inline]
    #[must_use]
    pub fn from_table(self, ply: Ply) -> Score {
        if self.is_win() {
            Score::from_raw(self.0 - ply.0 as i32)
        } else if self.is_loss() {
            Score::from_raw(self.0 + ply.0 as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    /// Adds a margin, staying within what can be stored.
    #[inline]
    fn add(self, margin: i32) -> Score {
        Score::from_raw(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    /// Subtracts a margin, staying within what can be stored.
    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score::from_raw(self.0 - margin)
    }
}

impl fmt::Display for Score {
    /// Writes `+M5` for a win in 5 plies, `-M4` for a loss in 4, else the plain value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Win(plies) => write!(f, "+M{plies}"),
            ScoreKind::Loss(plies) => write!(f, "-M{plies}"),
            ScoreKind::Value(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_in_plies_and_survive_the_table() {
        let win = Score::win_in(Ply(7));
        assert_eq!(win.kind(), ScoreKind::Win(7));
        assert_eq!((-win).kind(), ScoreKind::Loss(7));
        assert_eq!(win.to_string(), "+M7");
        for ply in [Ply(0), Ply(3), Ply(7)] {
            assert_eq!(win.to_table(ply).from_table(ply), win);
            assert_eq!((-win).to_table(ply).from_table(ply), -win);
        }
        assert_eq!(win.to_table(Ply(3)).kind(), ScoreKind::Win(4));
    }

    #[test]
    fn evaluations_never_look_proven() {
        assert!(!Score::eval(i32::from(i16::MAX)).is_decisive());
        assert!(!Score::eval(-1_000_000).is_decisive());
        assert_eq!(Score::eval(12).kind(), ScoreKind::Value(12));
    }
}

//! Classes of moves, and accuracy.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The loss of expected points, of which a win is one, from which a move is an inaccuracy.
///
/// The three bounds are those of lichess (`modules/analyse/Advice.scala`), which has 0.1, 0.2 and
/// 0.3 on a scale from -1 to 1, twice as long as ours.
pub const INACCURACY_LOSS: f64 = 0.05;
/// The loss of expected points from which a move is a mistake.
pub const MISTAKE_LOSS: f64 = 0.10;
/// The loss of expected points from which a move is a blunder.
pub const BLUNDER_LOSS: f64 = 0.15;

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveClass {
    /// A move of the opening, which the player did not choose, or one that was not to be judged.
    Book,
    /// Every other move loses at once, or there was none.
    Forced,
    /// The best move, or one that is worth as much.
    Best,
    /// Worse than the best by less than [`INACCURACY_LOSS`].
    Good,
    /// Worse by [`INACCURACY_LOSS`] or more.
    Inaccuracy,
    /// Worse by [`MISTAKE_LOSS`] or more.
    Mistake,
    /// A proven win was there, it is proven no longer, and the loss is [`INACCURACY_LOSS`] or more.
    /// If the opponent has a proven win instead, it is a blunder.
    MissedWin,
    /// Worse by [`BLUNDER_LOSS`] or more; or a move, however bad the position was, that gives the
    /// opponent a proven win where another would not have.
    Blunder,
}

/// What the class of a move is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MoveFacts {
    /// Whether it is a move of the opening.
    pub(super) is_book: bool,
    /// Whether it was the only one to choose.
    pub(super) is_forced: bool,
    /// Whether it is the best move.
    pub(super) is_best: bool,
    /// The expected points that it lost, at least 0.
    pub(super) loss: f64,
    /// Whether the mover had a proven win before it.
    pub(super) was_won: bool,
    /// Whether the mover has a proven win after it.
    pub(super) is_won: bool,
    /// Whether the opponent had a proven win before it.
    pub(super) was_lost: bool,
    /// Whether the opponent has a proven win after it.
    pub(super) is_lost: bool,
}

impl MoveClass {
    /// All classes, in their order.
    pub const ALL: [MoveClass; 8] = [
        MoveClass::Book,
        MoveClass::Forced,
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::MissedWin,
        MoveClass::Blunder,
    ];

    /// Returns the class of a move.
    pub(super) fn of(facts: MoveFacts) -> MoveClass {
        let MoveFacts { loss, .. } = facts;
        if facts.is_book {
            MoveClass::Book
        } else if facts.is_forced {
            MoveClass::Forced
        } else if facts.is_lost && !facts.was_lost {
            MoveClass::Blunder
        } else if facts.is_best || loss <= 0.0 {
            MoveClass::Best
        } else if facts.was_won && !facts.is_won && loss >= INACCURACY_LOSS {
            MoveClass::MissedWin
        } else if loss >= BLUNDER_LOSS {
            MoveClass::Blunder
        } else if loss >= MISTAKE_LOSS {
            MoveClass::Mistake
        } else if loss >= INACCURACY_LOSS {
            MoveClass::Inaccuracy
        } else {
            MoveClass::Good
        }
    }

    /// Returns the name for programs: `book`, `forced`, `best`, `good`, `inaccuracy`, `mistake`,
    /// `missed_win` or `blunder`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Book => "book",
            MoveClass::Forced => "forced",
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::MissedWin => "missed_win",
            MoveClass::Blunder => "blunder",
        }
    }

    /// Returns whether another move was noticeably better.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self >= MoveClass::Inaccuracy
    }

    /// Returns whether the player had a choice, so that the move counts for the accuracy.
    #[must_use]
    pub fn is_choice(self) -> bool {
        self >= MoveClass::Best
    }
}

impl fmt::Display for MoveClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the classes are {}", MoveClass::ALL.map(MoveClass::name).join(", "))]
pub struct MoveClassNameError;

impl FromStr for MoveClass {
    type Err = MoveClassNameError;

    /// Reads a name as [`MoveClass::name`] gives it.
    fn from_str(name: &str) -> Result<MoveClass, MoveClassNameError> {
        MoveClass::ALL.into_iter().find(|class| class.name() == name).ok_or(MoveClassNameError)
    }
}

/// Returns the accuracy of a move that lost this many expected points, from 0 to 1.
///
/// The curve is that of lichess (`modules/analyse/AccuracyPercent.scala`), fitted there to games of
/// people: 1 for no loss, 0.80 for 0.05, 0.64 for 0.1, 0.32 for 0.25 and 0 for 0.8 or more. The
/// accuracy of a side is the mean of its moves that were a choice.
#[must_use]
pub fn move_accuracy(loss: f64) -> f64 {
    let percent = 103.1668 * libm::exp(-4.354 * loss) - 3.1669;
    (percent / 100.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: MoveFacts = MoveFacts {
        is_book: false,
        is_forced: false,
        is_best: false,
        loss: 0.01,
        was_won: false,
        is_won: false,
        was_lost: false,
        is_lost: false,
    };

    #[test]
    fn classes_follow_from_the_loss() {
        let class = |loss| MoveClass::of(MoveFacts { loss, ..FACTS });
        assert_eq!(class(0.0), MoveClass::Best);
        assert_eq!(class(0.049), MoveClass::Good);
        assert_eq!(class(0.05), MoveClass::Inaccuracy);
        assert_eq!(class(0.1), MoveClass::Mistake);
        assert_eq!(class(0.149), MoveClass::Mistake);
        assert_eq!(class(0.15), MoveClass::Blunder);
        assert_eq!(MoveClass::of(MoveFacts { is_best: true, ..FACTS }), MoveClass::Best);
    }

    #[test]
    fn proofs_decide_where_the_loss_says_little() {
        let class = MoveClass::of;
        let gives = MoveFacts { is_lost: true, ..FACTS };
        assert_eq!(class(gives), MoveClass::Blunder, "however little there was to lose");
        let lost = MoveFacts { was_lost: true, is_lost: true, loss: 0.0, ..FACTS };
        assert_eq!(class(lost), MoveClass::Best);
        let misses = MoveFacts { was_won: true, loss: 0.5, ..FACTS };
        assert_eq!(class(misses), MoveClass::MissedWin);
        assert_eq!(class(MoveFacts { loss: 0.04, ..misses }), MoveClass::Good);
        assert_eq!(class(MoveFacts { is_won: true, loss: 0.0, ..misses }), MoveClass::Best);
        assert_eq!(class(MoveFacts { is_lost: true, ..misses }), MoveClass::Blunder);
        assert_eq!(class(MoveFacts { is_forced: true, ..gives }), MoveClass::Forced);
        assert_eq!(class(MoveFacts { is_book: true, is_forced: true, ..gives }), MoveClass::Book);
    }

    #[test]
    fn names_lead_back_to_their_class() {
        for class in MoveClass::ALL {
            assert_eq!(class.name().parse(), Ok(class));
            assert_eq!(class.is_fault(), class > MoveClass::Good);
        }
        assert!("".parse::<MoveClass>().is_err() && "missed win".parse::<MoveClass>().is_err());
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!((move_accuracy(0.0) - 1.0).abs() < 1e-4);
        assert_eq!(move_accuracy(1.0), 0.0);
        for (loss, accuracy) in [(0.05, 0.80), (0.1, 0.64), (0.25, 0.32), (0.5, 0.085)] {
            assert!((move_accuracy(loss) - accuracy).abs() < 0.01, "{}", move_accuracy(loss));
        }
        for i in 0..100 {
            let loss = f64::from(i) / 100.0;
            assert!(move_accuracy(loss) >= move_accuracy(loss + 0.01));
        }
    }
}

//! Classes of moves.

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

/// The expected points below which a position is lost already, by what a search thinks of it.
///
/// From there on nothing is left that a move could lose by [`INACCURACY_LOSS`].
pub const LOST_ALREADY: f64 = 0.05;
/// The expected points below which a position counts as lost, and above which as won if taken from
/// the other end, where one of two values is proven and the other one thought.
///
/// A search seldom says that all is won or lost, a proof always: 0.93 after a proven win was left,
/// or 0.07 before a proven loss, is the same position seen by other means rather than a loss.
pub const NEARLY_DECIDED: f64 = 0.10;
/// The number of plies by which a proven win takes longer than the one that was there, so that the
/// move is no longer among the best: two moves of the winner.
const LONGER_WIN: u16 = 4;

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveClass {
    /// A move of the opening, which the player did not choose, or one that was not to be judged.
    Book,
    /// Every other move loses at once, or there was none.
    Forced,
    /// The position was lost already: the opponent had a proven win, or the expected points were
    /// below [`LOST_ALREADY`], or below [`NEARLY_DECIDED`] before a proven loss.
    Lost,
    /// The best move, or one that is worth as much.
    Best,
    /// Worse than the best by less than [`INACCURACY_LOSS`]; or a proven win was there, and the move
    /// wins too: it needs longer, or its expected points are 1 - [`NEARLY_DECIDED`] or more.
    Good,
    /// Worse by [`INACCURACY_LOSS`] or more.
    Inaccuracy,
    /// Worse by [`MISTAKE_LOSS`] or more.
    Mistake,
    /// A proven win was there, it is proven no longer, and the move does not win in another way. If
    /// the opponent has a proven win instead, it is a blunder.
    MissedWin,
    /// Worse by [`BLUNDER_LOSS`] or more; or a move that gives the opponent a proven win where
    /// another would not have, unless the position was lost already.
    Blunder,
}

/// The inputs for the class of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MoveFacts {
    /// True if it is a move of the opening.
    pub(super) is_book: bool,
    /// True if it was the only one to choose.
    pub(super) is_forced: bool,
    /// True if it is the best move.
    pub(super) is_best: bool,
    /// The mover's expected points before it, with the best play from there.
    pub(super) before: f64,
    /// The mover's expected points after it.
    pub(super) after: f64,
    /// The plies of the mover's proven win before it, if there was one and its first move is known.
    pub(super) was_won_in: Option<u16>,
    /// The plies of the mover's proven win that begins with it, if there is one.
    pub(super) is_won_in: Option<u16>,
    /// True if the opponent had a proven win before it.
    pub(super) was_lost: bool,
    /// True if the opponent has a proven win after it.
    pub(super) is_lost: bool,
}

impl MoveFacts {
    /// Returns the expected points that the move lost, at least 0.
    pub(super) fn loss(&self) -> f64 {
        (self.before - self.after).max(0.0)
    }

    /// Returns whether the game was lost before the move, so that nothing depended on it.
    fn is_too_late(&self) -> bool {
        let least = if self.is_lost { NEARLY_DECIDED } else { LOST_ALREADY };
        self.was_lost || self.before < least
    }

    /// Returns whether a proven win was there and another move was played that wins.
    fn wins_otherwise(&self) -> bool {
        match (self.was_won_in, self.is_won_in) {
            (Some(was), Some(is)) => is >= was.saturating_add(LONGER_WIN),
            (Some(_), None) => !self.is_best && self.after >= 1.0 - NEARLY_DECIDED,
            (None, _) => false,
        }
    }
}

impl MoveClass {
    /// All classes, in their order.
    pub const ALL: [MoveClass; 9] = [
        MoveClass::Book,
        MoveClass::Forced,
        MoveClass::Lost,
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::MissedWin,
        MoveClass::Blunder,
    ];

    /// Returns the class of a move. The best move is never a fault.
    pub(super) fn of(facts: MoveFacts) -> MoveClass {
        let loss = facts.loss();
        if facts.is_book {
            MoveClass::Book
        } else if facts.is_forced {
            MoveClass::Forced
        } else if facts.is_too_late() {
            MoveClass::Lost
        } else if facts.is_best {
            MoveClass::Best
        } else if facts.is_lost {
            MoveClass::Blunder
        } else if facts.wins_otherwise() {
            MoveClass::Good
        } else if loss <= 0.0 {
            MoveClass::Best
        } else if facts.was_won_in.is_some() {
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

    /// Returns the name for programs: `book`, `forced`, `lost`, `best`, `good`, `inaccuracy`,
    /// `mistake`, `missed_win` or `blunder`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Book => "book",
            MoveClass::Forced => "forced",
            MoveClass::Lost => "lost",
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::MissedWin => "missed_win",
            MoveClass::Blunder => "blunder",
        }
    }

    /// Returns the name for people: `lost already`, `missed win`, and otherwise as for programs.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            MoveClass::Lost => "lost already",
            MoveClass::MissedWin => "missed win",
            other => other.name(),
        }
    }

    /// Returns the sign beside a move, as notes to games have it; empty if the class has none.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            MoveClass::Book | MoveClass::Lost | MoveClass::Good => "",
            MoveClass::Forced => "□",
            MoveClass::Best => "✓",
            MoveClass::Inaccuracy => "?!",
            MoveClass::Mistake => "?",
            MoveClass::MissedWin => "✗",
            MoveClass::Blunder => "??",
        }
    }

    /// Returns what a move of a class with a [mark](MoveClass::mark) does, for a legend; empty otherwise.
    #[must_use]
    pub fn meaning(self) -> String {
        let loses = |loss: f64| format!("loses {:.0} % or more of the chances", 100.0 * loss);
        match self {
            MoveClass::Book | MoveClass::Lost | MoveClass::Good => String::new(),
            MoveClass::Forced => "all other moves lose at once".to_owned(),
            MoveClass::Best => "no move is worth more".to_owned(),
            MoveClass::Inaccuracy => loses(INACCURACY_LOSS),
            MoveClass::Mistake => loses(MISTAKE_LOSS),
            MoveClass::MissedWin => "leaves a proven win and does not win otherwise".to_owned(),
            MoveClass::Blunder => {
                format!("{}, or allows a proven win", loses(BLUNDER_LOSS))
            }
        }
    }

    /// Returns whether another move was noticeably better.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self >= MoveClass::Inaccuracy
    }

    /// Returns whether the player had a choice on which something depended, so that the move counts
    /// for the accuracy.
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

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: MoveFacts = MoveFacts {
        is_book: false,
        is_forced: false,
        is_best: false,
        before: 0.5,
        after: 0.49,
        was_won_in: None,
        is_won_in: None,
        was_lost: false,
        is_lost: false,
    };

    #[test]
    fn classes_follow_from_the_loss() {
        // Sums of shares, as they come from a search, which have no rounding here.
        let class = |loss| MoveClass::of(MoveFacts { before: 1.0, after: 1.0 - loss, ..FACTS });
        assert_eq!(class(0.0), MoveClass::Best);
        assert_eq!(class(0.049), MoveClass::Good);
        assert_eq!(class(0.0501), MoveClass::Inaccuracy);
        assert_eq!(class(0.1001), MoveClass::Mistake);
        assert_eq!(class(0.149), MoveClass::Mistake);
        assert_eq!(class(0.1501), MoveClass::Blunder);
    }

    #[test]
    fn every_fault_has_a_mark_of_its_own_that_is_explained() {
        for class in MoveClass::ALL {
            assert_eq!(class.mark().is_empty(), class.meaning().is_empty(), "{class}");
            assert!(!class.is_fault() || !class.mark().is_empty(), "{class}");
            let same = |other: &&MoveClass| other.mark() == class.mark();
            assert!(class.mark().is_empty() || MoveClass::ALL.iter().filter(same).count() == 1);
        }
        assert_eq!(MoveClass::Inaccuracy.meaning(), "loses 5 % or more of the chances");
        let blunder = "loses 15 % or more of the chances, or allows a proven win";
        assert_eq!(MoveClass::Blunder.meaning(), blunder);
    }

    #[test]
    fn the_best_move_is_no_fault_whatever_comes_of_it() {
        for is_lost in [false, true] {
            for was_won_in in [None, Some(9)] {
                let facts = MoveFacts { is_best: true, after: 0.1, is_lost, was_won_in, ..FACTS };
                assert_eq!(MoveClass::of(facts), MoveClass::Best, "{facts:?}");
            }
        }
    }

    #[test]
    fn where_the_game_was_lost_nothing_is_a_fault() {
        let lost = |before, after, is_lost| {
            MoveClass::of(MoveFacts { before, after, is_lost, ..FACTS }) == MoveClass::Lost
        };
        assert!(lost(0.03, 0.0, true) && lost(0.03, 0.0, false) && lost(0.049, 0.049, false));
        assert!(lost(0.09, 0.0, true), "a search hardly ever says 0");
        assert!(!lost(0.06, 0.0, false) && !lost(0.11, 0.0, true));
        let proven = MoveFacts { before: 0.0, after: 0.0, was_lost: true, is_lost: true, ..FACTS };
        assert_eq!(MoveClass::of(proven), MoveClass::Lost);
        assert_eq!(MoveClass::of(MoveFacts { is_best: true, ..proven }), MoveClass::Lost);
        assert_eq!(MoveClass::of(MoveFacts { is_forced: true, ..proven }), MoveClass::Forced);
    }

    #[test]
    fn a_winning_move_is_no_missed_win() {
        let class = |after, is_won_in| {
            let facts = MoveFacts { before: 1.0, after, was_won_in: Some(7), is_won_in, ..FACTS };
            (MoveClass::of(facts), facts.wins_otherwise())
        };
        assert_eq!(class(0.97, None), (MoveClass::Good, true));
        assert_eq!(class(0.90, None), (MoveClass::Good, true));
        assert_eq!(class(0.89, None), (MoveClass::MissedWin, false));
        assert_eq!(class(0.5, None), (MoveClass::MissedWin, false));
        assert_eq!(class(1.0, Some(7)), (MoveClass::Best, false));
        assert_eq!(class(1.0, Some(9)), (MoveClass::Best, false));
        assert_eq!(class(1.0, Some(11)), (MoveClass::Good, true));
    }

    #[test]
    fn proofs_decide_where_the_loss_says_little() {
        let class = MoveClass::of;
        let gives = MoveFacts { before: 0.12, after: 0.0, is_lost: true, ..FACTS };
        assert_eq!(class(gives), MoveClass::Blunder);
        assert_eq!(class(MoveFacts { is_lost: false, ..gives }), MoveClass::Mistake);
        let misses = MoveFacts { before: 1.0, after: 0.0, was_won_in: Some(5), ..FACTS };
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
}

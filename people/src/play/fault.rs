//! The reasons why something is not done.

use thiserror::Error;

use tengen_core::rules::{OpeningFault, PlayError, Violation};
use tengen_core::types::Point;
use tengen_files::records::WriteError;

/// The reason why an action is refused. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayFault {
    /// A cell is off the board or occupied, or the game is over.
    #[error("{0}")]
    Move(PlayError),
    /// Renju forbids the move to black.
    #[error("{0} is forbidden to black: {why}", why = words(*.1))]
    Forbidden(Point, Violation),
    /// The cell is blocked for both sides.
    #[error("{0} is blocked")]
    Blocked(Point),
    /// Only so many moves can be taken back.
    #[error("{}", only(*.0, "taken back"))]
    TakeBack(usize),
    /// Only so many moves can be put forward again.
    #[error("{}", only(*.0, "played again"))]
    Redo(usize),
    /// The move of this number, counted from 1, comes after the end of the game.
    #[error("move {0} comes after the end of the game")]
    AfterEnd(usize),
    /// The stones of a record do not fit its board.
    #[error("the game is none: {0}")]
    Record(WriteError),
    /// A game of so many moves could not be read again once all cells are filled.
    #[error("the game is too long to be played on: {0} moves are the most in its position")]
    TooLong(usize),
    /// The engine is at work on something.
    #[error("the engine is thinking")]
    Thinking,
    /// The engine is not at work.
    #[error("the engine is not thinking")]
    NotThinking,
    /// The opening does not allow the choice.
    #[error("{0}")]
    Opening(OpeningFault),
    /// No opening is being played.
    #[error("there is nothing to choose: no opening is being played")]
    NoOpening,
    /// No person plays who could resign or offer a draw.
    #[error("no person plays")]
    NoPerson,
    /// The opponent is a program, which cannot be asked for a draw.
    #[error("a program cannot be asked for a draw")]
    NoDraw,
}

/// Says what kind of move renju forbids.
const fn words(kind: Violation) -> &'static str {
    match kind {
        Violation::Overline => "it makes more than five in a row",
        Violation::DoubleFour => "it makes two fours",
        Violation::DoubleThree => "it makes two threes",
    }
}

fn only(count: usize, what: &str) -> String {
    match count {
        0 => format!("there is no move to be {what}"),
        1 => format!("only 1 move can be {what}"),
        _ => format!("only {count} moves can be {what}"),
    }
}

impl PlayFault {
    /// Returns the reason with its cell as `turn` gives it: people may count rows from the bottom.
    #[must_use]
    pub fn turned(self, turn: impl Fn(Point) -> Point) -> PlayFault {
        match self {
            PlayFault::Move(PlayError::Occupied(point)) => {
                PlayFault::Move(PlayError::Occupied(turn(point)))
            }
            PlayFault::Forbidden(point, kind) => PlayFault::Forbidden(turn(point), kind),
            PlayFault::Blocked(point) => PlayFault::Blocked(turn(point)),
            PlayFault::Opening(fault) => PlayFault::Opening(fault.turned(turn)),
            other => other,
        }
    }

    /// Returns the words for a reason of renju.
    #[must_use]
    pub const fn of_violation(kind: Violation) -> &'static str {
        words(kind)
    }
}

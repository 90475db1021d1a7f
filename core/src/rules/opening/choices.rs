//! Questions to the players in an opening, and their answers.

use std::fmt;

use thiserror::Error;

use crate::types::{Color, Point};

/// A decision that a player has to make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpeningQuestion {
    /// Where the next stone goes.
    Stone {
        /// Its number, from 1.
        number: usize,
        /// The largest distance from the centre, in steps along a line or diagonal; none if the
        /// stone may go anywhere.
        reach: Option<u8>,
    },
    /// The choice to exchange the colours: [`OpeningChoice::Swap`] or [`OpeningChoice::Stay`].
    Colors {
        /// A third way, if there is one.
        other: Option<OpeningChoice>,
    },
    /// The number of fifth stones that black has to offer.
    Number {
        /// The largest number.
        most: usize,
    },
    /// Where another fifth stone on offer is.
    Fifth {
        /// Its number among them, from 1.
        number: usize,
        /// The number of stones to offer.
        of: usize,
    },
    /// Which of the fifth stones on offer stays.
    Keep,
}

/// A decision of a player. A sequence of them is an opening, which can be sent and saved so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpeningChoice {
    /// A cell: for the next stone, for a fifth stone on offer, or of the one that stays.
    Cell(Point),
    /// The number of fifth stones that black has to offer.
    Number(usize),
    /// The colours are exchanged.
    Swap,
    /// Everybody keeps their colour.
    Stay,
    /// Two more stones, after which the other player has the choice.
    TwoMore,
    /// Ten fifth stones on offer instead of one in the central square.
    TenFifths,
}

impl OpeningChoice {
    /// The choices that are words: the others are cells and numbers.
    pub const WORDS: [OpeningChoice; 4] = [
        OpeningChoice::Swap,
        OpeningChoice::Stay,
        OpeningChoice::TwoMore,
        OpeningChoice::TenFifths,
    ];

    /// Returns the choice with its cell as `turn` gives it: people may count rows from the bottom.
    #[must_use]
    pub fn turned(self, turn: impl Fn(Point) -> Point) -> OpeningChoice {
        match self {
            OpeningChoice::Cell(point) => OpeningChoice::Cell(turn(point)),
            other => other,
        }
    }
}

impl fmt::Display for OpeningChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningChoice::Cell(point) => write!(f, "{point}"),
            OpeningChoice::Number(number) => write!(f, "{number}"),
            OpeningChoice::Swap => f.write_str("swap"),
            OpeningChoice::Stay => f.write_str("stay"),
            OpeningChoice::TwoMore => f.write_str("two"),
            OpeningChoice::TenFifths => f.write_str("ten"),
        }
    }
}

/// Displays what the player is asked to do, as in `place stone 2, white, in the central 3x3`.
impl fmt::Display for OpeningQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OpeningQuestion::Stone { number, reach } => {
                let color = Color::to_move_after(number - 1);
                write!(f, "place stone {number}, {color}, ")?;
                match reach {
                    None => f.write_str("anywhere"),
                    Some(reach) => f.write_str(&square(reach)),
                }
            }
            OpeningQuestion::Colors { .. } => f.write_str("choose the colour"),
            OpeningQuestion::Number { most } => {
                write!(f, "say how many fifth stones black has to offer, from 1 to {most}")
            }
            OpeningQuestion::Fifth { number, of } => {
                write!(f, "offer fifth stone {number} of {of}, black, anywhere")
            }
            OpeningQuestion::Keep => f.write_str("keep one of the fifth stones on offer"),
        }
    }
}

/// Names the square of cells within this distance of the centre.
fn square(reach: u8) -> String {
    let edge = 2 * reach + 1;
    if reach == 0 { "in the centre".to_owned() } else { format!("in the central {edge}x{edge}") }
}

/// A choice that the opening does not allow. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OpeningFault {
    /// Something else is asked.
    #[error("what is asked now is to {question}{ways}", question = .0, ways = ways(.0))]
    Unasked(OpeningQuestion),
    /// The opening is over.
    #[error("the opening is finished")]
    Finished,
    /// A cell is not on the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A cell has a stone.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// A stone is too far from the centre.
    #[error("{0} is not {where_}, where this stone has to be", where_ = square(*.1))]
    Outside(Point, u8),
    /// A fifth stone was offered already.
    #[error("{0} is on offer already")]
    Offered(Point),
    /// A fifth stone is the mirror image of another one that was offered, or is so after a turn.
    #[error("{0} is equal by symmetry to {1}, which is on offer")]
    Symmetric(Point, Point),
    /// The fifth stone that is to stay is none of those on offer.
    #[error("{0} is not on offer")]
    NotOffered(Point),
    /// The number of fifth stones is 0 or too large.
    #[error("the number of fifth stones is from 1 to {0}")]
    Number(usize),
    /// The board is too small for the squares in which stones have to be.
    #[error("the opening needs a board of at least {0}x{0}")]
    Board(u8),
}

/// Names the ways of a question of colours.
fn ways(question: &OpeningQuestion) -> String {
    match question {
        OpeningQuestion::Colors { other: None } => ": swap or stay".to_owned(),
        OpeningQuestion::Colors { other: Some(other) } => format!(": swap, stay or {other}"),
        _ => String::new(),
    }
}

impl OpeningFault {
    /// Returns the reason with its cells as `turn` gives them.
    #[must_use]
    pub fn turned(self, turn: impl Fn(Point) -> Point) -> OpeningFault {
        match self {
            OpeningFault::Occupied(point) => OpeningFault::Occupied(turn(point)),
            OpeningFault::Outside(point, reach) => OpeningFault::Outside(turn(point), reach),
            OpeningFault::Offered(point) => OpeningFault::Offered(turn(point)),
            OpeningFault::Symmetric(one, other) => OpeningFault::Symmetric(turn(one), turn(other)),
            OpeningFault::NotOffered(point) => OpeningFault::NotOffered(turn(point)),
            other => other,
        }
    }
}

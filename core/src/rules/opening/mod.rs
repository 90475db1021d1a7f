//! Openings in which the players share the choice of stones and colours.
//!
//! An [`Opening`] is any of them as players see it, one decision at a time. [`Swap2`] is the one
//! that engines play, an answer at a time; what its stages are is said there alone.

mod choices;
mod named;
mod procedure;
mod rule;
mod symmetric;
#[cfg(test)]
mod tests;

pub use choices::{OpeningChoice, OpeningFault, OpeningQuestion};
pub use named::RenjuOpening;
pub use procedure::Opening;
pub use rule::{OpeningNameError, OpeningRule};
pub use symmetric::symmetric_cells;

use thiserror::Error;

use crate::types::{Point, Size};

/// A seat at the table. Seats keep their players; colours change hands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seat {
    /// The player who places the first three stones.
    A,
    /// The other.
    B,
}

impl Seat {
    /// Returns the other seat.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::A => Seat::B,
            Seat::B => Seat::A,
        }
    }
}

/// A question to a player; the number of stones on the board decides which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Swap2Stage {
    /// The board is empty: A places black, white, black.
    Place,
    /// Three stones: B takes black, gives stone 4 as white, or gives stones 4 and 5.
    Choose,
    /// Five stones: A takes black, or gives stone 6 as white.
    ChooseAgain,
}

impl Swap2Stage {
    /// All stages in order.
    pub const ALL: [Swap2Stage; 3] =
        [Swap2Stage::Place, Swap2Stage::Choose, Swap2Stage::ChooseAgain];

    /// Returns the stage with `stones` stones on the board.
    #[must_use]
    pub const fn from_stones(stones: usize) -> Option<Swap2Stage> {
        match stones {
            0 => Some(Swap2Stage::Place),
            3 => Some(Swap2Stage::Choose),
            5 => Some(Swap2Stage::ChooseAgain),
            _ => None,
        }
    }

    /// Returns the number of stones on the board.
    #[must_use]
    pub const fn stones(self) -> usize {
        match self {
            Swap2Stage::Place => 0,
            Swap2Stage::Choose => 3,
            Swap2Stage::ChooseAgain => 5,
        }
    }

    /// Returns the player who is asked.
    #[must_use]
    pub const fn seat(self) -> Seat {
        match self {
            Swap2Stage::Place | Swap2Stage::ChooseAgain => Seat::A,
            Swap2Stage::Choose => Seat::B,
        }
    }

    /// Returns the numbers of cells that may be given.
    #[must_use]
    pub const fn counts(self) -> &'static [usize] {
        match self {
            Swap2Stage::Place => &[3],
            Swap2Stage::Choose => &[1, 2],
            Swap2Stage::ChooseAgain => &[1],
        }
    }

    /// Returns the numbers of cells that may be given, as text.
    const fn needed(self) -> &'static str {
        match self {
            Swap2Stage::Place => "three cells",
            Swap2Stage::Choose => "one or two cells",
            Swap2Stage::ChooseAgain => "one cell",
        }
    }

    /// Returns whether the colours may be exchanged.
    #[must_use]
    pub const fn may_swap(self) -> bool {
        !matches!(self, Swap2Stage::Place)
    }

    /// Checks an answer against the board it is given on; `stones` are those already there.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the answer.
    pub fn check(
        self,
        size: Size,
        stones: &[Point],
        answer: &Swap2Answer,
    ) -> Result<(), Swap2Error> {
        let cells = match answer {
            Swap2Answer::Swap if self.may_swap() => return Ok(()),
            Swap2Answer::Swap => return Err(Swap2Error::NothingToSwap),
            Swap2Answer::Stones(cells) => cells,
        };
        if !self.counts().contains(&cells.len()) {
            return Err(Swap2Error::WrongCount { stage: self, got: cells.len() });
        }
        for (i, &cell) in cells.iter().enumerate() {
            if !size.contains(cell) {
                return Err(Swap2Error::OffBoard(cell));
            }
            if stones.contains(&cell) {
                return Err(Swap2Error::Occupied(cell));
            }
            if cells[..i].contains(&cell) {
                return Err(Swap2Error::Repeated(cell));
            }
        }
        Ok(())
    }
}

/// The answer of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Swap2Answer {
    /// The player takes black.
    Swap,
    /// The player gives these stones, alternating in colour from the side to move.
    Stones(Vec<Point>),
}

/// An answer that is not legal. It loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Swap2Error {
    /// The stage takes another number of cells.
    #[error("{got} given after {} stones: {} needed", .stage.stones(), .stage.needed())]
    WrongCount {
        /// The stage.
        stage: Swap2Stage,
        /// The number of cells given.
        got: usize,
    },
    /// A cell is not on the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A cell has a stone.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// A cell is given twice.
    #[error("{0} is given twice")]
    Repeated(Point),
    /// The board is empty.
    #[error("no colours to swap on an empty board")]
    NothingToSwap,
    /// The opening is finished and nothing is asked.
    #[error("the opening is finished")]
    Finished,
}

/// A swap2 opening: the stones so far, and who is asked or who has become black.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::rules::{Seat, Swap2, Swap2Answer, Swap2Stage};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let mut opening = Swap2::new(size);
/// opening.answer(&Swap2Answer::Stones(parse_moves("h8i9j7", size)?))?;
/// assert_eq!(opening.stage(), Some(Swap2Stage::Choose));
/// opening.answer(&Swap2Answer::Swap)?;
/// assert_eq!(opening.black(), Some(Seat::B));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swap2 {
    size: Size,
    stones: Vec<Point>,
    state: Swap2State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Swap2State {
    Asking(Swap2Stage),
    Finished { black: Seat },
}

impl Swap2 {
    /// Returns an opening in which A is asked for the first three stones.
    #[must_use]
    pub const fn new(size: Size) -> Swap2 {
        Swap2 { size, stones: Vec::new(), state: Swap2State::Asking(Swap2Stage::Place) }
    }

    /// Returns the stones in playing order, colours alternating, black first.
    #[must_use]
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// Returns what is asked of whom, or `None` if the opening is finished.
    #[must_use]
    pub const fn stage(&self) -> Option<Swap2Stage> {
        match self.state {
            Swap2State::Asking(stage) => Some(stage),
            Swap2State::Finished { .. } => None,
        }
    }

    /// Returns who plays black, once the opening is finished. The side to move then follows from
    /// the number of stones as always.
    #[must_use]
    pub const fn black(&self) -> Option<Seat> {
        match self.state {
            Swap2State::Asking(_) => None,
            Swap2State::Finished { black } => Some(black),
        }
    }

    /// Takes the answer of the player who is asked.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the answer is not legal.
    pub fn answer(&mut self, answer: &Swap2Answer) -> Result<(), Swap2Error> {
        let stage = self.stage().ok_or(Swap2Error::Finished)?;
        stage.check(self.size, &self.stones, answer)?;
        let asked = stage.seat();
        match answer {
            Swap2Answer::Swap => self.state = Swap2State::Finished { black: asked },
            Swap2Answer::Stones(cells) => {
                self.stones.extend(cells);
                // An even number of stones: white, who was asked, has given the last one.
                self.state = match Swap2Stage::from_stones(self.stones.len()) {
                    Some(next) => Swap2State::Asking(next),
                    None => Swap2State::Finished { black: asked.other() },
                };
            }
        }
        Ok(())
    }
}

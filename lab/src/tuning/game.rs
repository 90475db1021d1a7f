//! A game to learn from.

use std::fmt;

use tengen_core::types::{Color, Point, Score};

/// The most moves from the root of a search to a [`Leaf`] of it. Hardly any search of a game gets
/// so far, and records need a largest size.
pub const MOST_PATH: usize = 64;

/// A game of the engine against itself, without its rule and board, which all games of a corpus
/// share.
///
/// Stones alternate in colour, black first, over opening and moves together. All stand on different
/// cells of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    /// The random stones.
    pub opening: Vec<Point>,
    /// The moves that were searched, from the end of the opening to the end of the game.
    pub moves: Vec<ScoredMove>,
    /// Positions that the searches for the moves evaluated, in the order of the moves.
    pub leaves: Vec<Leaf>,
    /// The result.
    pub result: TrainingResult,
}

/// A move and what its player thought of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The cell.
    pub point: Point,
    /// The score of the move for the side that played it, as its search saw it.
    pub score: Score,
}

/// A position inside the search for a move of a game, judged by a search of its own.
///
/// A game holds positions that two careful players let arise. Those that a search asks the
/// evaluation about are mostly others, in which somebody has just made a mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The searched moves of the game that were played before that search, fewer than all.
    pub after: usize,
    /// The moves from there to the position, from 1 to [`MOST_PATH`], on cells that are empty
    /// there.
    pub path: Vec<Point>,
    /// The best move in the position, and its score for the side to move.
    pub judged: ScoredMove,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrainingResult {
    /// Black won.
    Black,
    /// White won.
    White,
    /// A draw.
    Draw,
}

impl TrainingResult {
    /// All results.
    pub const ALL: [TrainingResult; 3] =
        [TrainingResult::Black, TrainingResult::White, TrainingResult::Draw];

    /// Returns the result of a game won by a player, or drawn.
    #[must_use]
    pub const fn of_winner(winner: Option<Color>) -> TrainingResult {
        match winner {
            Some(Color::Black) => TrainingResult::Black,
            Some(Color::White) => TrainingResult::White,
            None => TrainingResult::Draw,
        }
    }

    /// Returns the player who won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            TrainingResult::Black => Some(Color::Black),
            TrainingResult::White => Some(Color::White),
            TrainingResult::Draw => None,
        }
    }

    /// Returns what it is worth for a player, in half points: 2 for a win, 1 for a draw.
    #[must_use]
    pub fn half_points(self, color: Color) -> u8 {
        self.winner().map_or(1, |winner| 2 * u8::from(winner == color))
    }
}

impl fmt::Display for TrainingResult {
    /// Writes `black`, `white` or `draw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TrainingResult::Black => "black",
            TrainingResult::White => "white",
            TrainingResult::Draw => "draw",
        })
    }
}

/// The reason why a game of self-play was not continued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The rule ended it: a five, a forbidden move, or nobody could win any more.
    Rule,
    /// The player of the last move had proven its win by search.
    Proven,
    /// There were as many stones as a game may have; it counts as drawn.
    Length,
    /// The scores of its last moves were all near 0; it counts as drawn.
    Adjudicated,
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 4] =
        [Ending::Rule, Ending::Proven, Ending::Length, Ending::Adjudicated];
}

/// A game with how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The game.
    pub game: TrainingGame,
    /// The reason why it was not continued.
    pub ending: Ending,
}

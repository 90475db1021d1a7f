//! Games that are not finished.

use std::time::Duration;

use tengen_files::records::Move;

/// A game as far as it is played: what a journal keeps of it so that it can be set up again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The number of the game in the match: [`Fixture::game`](super::Fixture::game).
    pub game: u64,
    /// All moves, those of the opening included.
    pub moves: Vec<Move>,
    /// The number of opening moves at the beginning, as far as the opening is made.
    pub opening: usize,
    /// The seat that has black; while the players make the opening themselves, the seat that has
    /// it unless the colours are exchanged yet.
    pub black_seat: usize,
    /// The time that each seat has left for the game, where that is limited.
    pub left: [Option<Duration>; 2],
}

//! Games of the engine against itself.
//!
//! Game number `i` follows from the [`SelfPlayOptions`] and `i` alone: not from the number of
//! threads, nor from how often the work was interrupted, nor from the speed of the machine. It
//! begins with random stones; those that a search finds too uneven are drawn anew. Then one search
//! of a fixed number of nodes chooses each move until the rule ends the game, the player of a move
//! has proven its win, scores have been even for so long that the game is drawn, or the board has as many
//! stones as a game may have.
//!
//! Of the positions that the search for a move evaluated, a few drawn at random are judged by a search
//! of their own and kept with the game. Moves do not depend on that.
//!
//! An [`OpeningPlayer`] plays such games from given stones, to choose openings by them.
//!
//! [`run`] plays games with as many threads as there are minds and hands them on in order. The
//! search is behind the trait [`Mind`]; [`SearchMind`] is the real one.

mod contest;
#[cfg(test)]
mod double;
mod mind;
mod opening;
mod options;
mod play;
mod run;
mod sample;

pub use contest::OpeningPlayer;
pub use mind::{LeafJudge, Mind, SearchMind};
pub(super) use opening::{random_stones, stream};
pub(super) use options::MOST_LEAVES;
pub use options::{
    EARLIER_PROCEDURE, PROCEDURE, Relabelling, SelfPlayOptions, SelfPlayOptionsError, weights_id,
};
pub use play::play;
pub use run::{EarlierGames, run};
pub use sample::Sample;

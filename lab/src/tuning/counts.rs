//! The counts of a corpus.

use super::game::{Ending, SelfPlayGame, TrainingResult};

/// The counts of games, moves and leaves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CorpusCounts {
    /// The games.
    pub games: u64,
    /// The games by result, in the order of [`TrainingResult::ALL`].
    pub results: [u64; TrainingResult::ALL.len()],
    /// The games by ending, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// The stones of all openings.
    pub opening_stones: u64,
    /// The searched moves of all games.
    pub moves: u64,
    /// The positions kept of their searches.
    pub leaves: u64,
    /// The searched moves of the shortest game, if there is any.
    pub shortest: Option<u64>,
    /// The searched moves of the longest game, if there is any.
    pub longest: Option<u64>,
}

impl CorpusCounts {
    /// Adds a game.
    pub fn add(&mut self, played: &SelfPlayGame) {
        let moves = played.game.moves.len() as u64;
        self.games += 1;
        self.results[played.game.result as usize] += 1;
        self.endings[played.ending as usize] += 1;
        self.opening_stones += played.game.opening.len() as u64;
        self.moves += moves;
        self.leaves += played.game.leaves.len() as u64;
        self.shortest = Some(self.shortest.map_or(moves, |shortest| shortest.min(moves)));
        self.longest = Some(self.longest.map_or(moves, |longest| longest.max(moves)));
    }

    /// Returns the number of games with a result.
    #[must_use]
    pub const fn of_result(&self, result: TrainingResult) -> u64 {
        self.results[result as usize]
    }

    /// Returns the number of games with an ending.
    #[must_use]
    pub const fn of_ending(&self, ending: Ending) -> u64 {
        self.endings[ending as usize]
    }
}

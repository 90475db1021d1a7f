//! The running totals of a match.

use std::collections::HashMap;

use super::{MatchInfo, Pairing, PlayedGame};
use crate::stats::{
    CrossTable, Pentanomial, PlayerResult, Sprt, SprtStatus, SprtVerdict, Trinomial,
};

/// The running count of a match: cheap enough to be asked after every game.
///
/// The counts do not depend on the order of the games, with one exception: a sequential
/// test ends with its first verdict, so that depends on which pairs were complete by then.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Every game, apart by who had black.
    table: CrossTable,
    /// The pairs of each player (row) against each opponent, seen by the player. Only the half
    /// above the diagonal is filled.
    pairs: Vec<Pentanomial>,
    /// The pairs of all players in which one colour won both games, and a different player each: black, white.
    by_color: [u64; 2],
    /// The first game of every pair whose second is missing, seen by the player with the smaller
    /// number and by black. The players belong to the key so that no game is paired with one of others.
    open: HashMap<(u64, usize, usize), (PlayerResult, PlayerResult)>,
    /// True if games come in pairs at all.
    paired: bool,
    /// The games of a match that ends when one of two players has more than half of the points.
    best_of: Option<u64>,
    sprt: Option<Sprt>,
    status: Option<SprtStatus>,
}

impl Tally {
    /// Returns the count of a match without games.
    #[must_use]
    pub fn new(info: &MatchInfo) -> Tally {
        let players = info.players.len();
        let best_of = matches!(info.pairing, Pairing::BestOf { .. }).then_some(info.rounds);
        // A test is one of two players, and of pairs.
        let testable = players == 2 && best_of.is_none();
        let sprt = info.sprt.filter(|_| testable).and_then(|options| Sprt::new(options).ok());
        Tally {
            table: CrossTable::new(players),
            pairs: vec![Pentanomial::default(); players * players],
            by_color: [0; 2],
            open: HashMap::new(),
            paired: best_of.is_none(),
            best_of,
            sprt,
            status: sprt.map(|sprt| sprt.status(&Pentanomial::default())),
        }
    }

    /// Counts a game; one without a result counts nothing.
    ///
    /// # Panics
    ///
    /// Panics if its players are not two of the match.
    pub fn add(&mut self, game: &PlayedGame) {
        let Some(of_black) = game.result(game.black_seat) else { return };
        let (black, white) = (game.player(game.black_seat), game.player(1 - game.black_seat));
        self.table.add_game(black, white, of_black);
        if !self.paired {
            return;
        }
        let (low, high) = (black.min(white), black.max(white));
        let result = if low == black { of_black } else { of_black.reversed() };
        let key = (game.fixture.pair, low, high);
        let Some((other, other_of_black)) = self.open.remove(&key) else {
            self.open.insert(key, (result, of_black));
            return;
        };
        let pairs = &mut self.pairs[low * self.table.players() + high];
        pairs.add_pair(result, other);
        if result == other.reversed() && of_black == other_of_black {
            match of_black {
                PlayerResult::Win => self.by_color[0] += 1,
                PlayerResult::Loss => self.by_color[1] += 1,
                PlayerResult::Draw => {}
            }
        }
        if let (Some(sprt), Some(before)) = (&self.sprt, self.status) {
            let mut status = sprt.status(pairs);
            if before.verdict != SprtVerdict::Continue {
                status.verdict = before.verdict;
            }
            self.status = Some(status);
        }
    }

    /// Returns how many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.table.first_mover().games()
    }

    /// Returns how many games wait for the other one of their pair.
    #[must_use]
    pub fn unpaired(&self) -> usize {
        self.open.len()
    }

    /// Returns the games of a match between two, seen by the first contestant; none if there are
    /// fewer contestants, those of the first two if there are more.
    #[must_use]
    pub fn trinomial(&self) -> Trinomial {
        if self.table.players() < 2 { Trinomial::default() } else { self.games_between(0, 1) }
    }

    /// Returns the complete pairs of a match between two, seen by the first contestant; like
    /// [`Tally::trinomial`] otherwise.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        if self.table.players() < 2 { Pentanomial::default() } else { self.pairs_between(0, 1) }
    }

    /// Returns all games between two players, seen by `player`.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the match.
    #[must_use]
    pub fn games_between(&self, player: usize, opponent: usize) -> Trinomial {
        self.table.between(player, opponent)
    }

    /// Returns the complete pairs of two players, seen by `player`. A match of single games has
    /// none.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the match.
    #[must_use]
    pub fn pairs_between(&self, player: usize, opponent: usize) -> Pentanomial {
        let players = self.table.players();
        if player <= opponent {
            self.pairs[player * players + opponent]
        } else {
            self.pairs[opponent * players + player].reversed()
        }
    }

    /// Returns how many of the even pairs black won twice, and white: there the opening has decided, not the players.
    #[must_use]
    pub const fn even_by_color(&self) -> [u64; 2] {
        self.by_color
    }

    /// Returns all games, apart by who had black: the first of two players in the table.
    #[must_use]
    pub const fn crosstable(&self) -> &CrossTable {
        &self.table
    }

    /// Returns the points of each player: a win counts 1, a draw ½.
    #[must_use]
    pub fn points(&self) -> Vec<f64> {
        (0..self.table.players()).map(|player| self.table.total(player).points()).collect()
    }

    /// Returns the test of the match, if it has one.
    #[must_use]
    pub const fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Returns where the test of the match stands, with its first verdict; `None` if there is no
    /// test.
    #[must_use]
    pub const fn sprt_status(&self) -> Option<SprtStatus> {
        self.status
    }

    /// Returns whether no further game is needed: the test has ended, or one of two players has
    /// more than half of the points that a match of single games has.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let tested = self.status.is_some_and(|status| status.verdict != SprtVerdict::Continue);
        let won = |games: u64| self.points().iter().any(|points| 2.0 * points > games as f64);
        tested || self.best_of.is_some_and(won)
    }
}

#[cfg(test)]
mod tests;

//! The scores of each pair of engines, by side.

use super::counts::{PlayerResult, Trinomial};

/// The results of many players against one another, apart by who moved first.
///
/// Players are numbers from 0; what they are called is the caller's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// The games of each first player (row) against each second player, seen by the first.
    cells: Vec<Trinomial>,
}

impl CrossTable {
    /// Returns a table of this many players without games.
    #[must_use]
    pub fn new(players: usize) -> CrossTable {
        CrossTable { players, cells: vec![Trinomial::default(); players * players] }
    }

    /// Returns the number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Counts a game between two players by its result for the one who moved first.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the table or plays against itself.
    pub fn add_game(&mut self, first: usize, second: usize, result: PlayerResult) {
        let mut game = Trinomial::default();
        game.add_game(result);
        self.add_games(first, second, game);
    }

    /// Counts games between two players, seen by the one who moved first in all of them.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the table or plays against itself.
    pub fn add_games(&mut self, first: usize, second: usize, games: Trinomial) {
        assert!(first < self.players && second < self.players, "no such player");
        assert!(first != second, "a player against itself");
        self.cells[first * self.players + second] += games;
    }

    /// Returns the games in which `first` moved first against `second`, seen by `first`.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the table.
    #[must_use]
    pub fn as_first(&self, first: usize, second: usize) -> Trinomial {
        assert!(first < self.players && second < self.players, "no such player");
        self.cells[first * self.players + second]
    }

    /// Returns all games between two players, seen by `player`.
    ///
    /// # Panics
    ///
    /// Panics if a player is not in the table.
    #[must_use]
    pub fn between(&self, player: usize, opponent: usize) -> Trinomial {
        self.as_first(player, opponent) + self.as_first(opponent, player).reversed()
    }

    /// Returns all games of a player, seen by it.
    ///
    /// # Panics
    ///
    /// Panics if the player is not in the table.
    #[must_use]
    pub fn total(&self, player: usize) -> Trinomial {
        (0..self.players).map(|opponent| self.between(player, opponent)).sum()
    }

    /// Returns all games, seen by whoever moved first.
    #[must_use]
    pub fn first_mover(&self) -> Trinomial {
        self.cells.iter().copied().sum()
    }

    /// Returns for each player the number of its component, from 0 in the order of the players.
    ///
    /// Players in different components have not met, nor through others; nothing can be said of
    /// which of them is stronger.
    #[must_use]
    pub fn components(&self) -> Vec<usize> {
        let mut components = vec![usize::MAX; self.players];
        let mut count = 0;
        for player in 0..self.players {
            if components[player] != usize::MAX {
                continue;
            }
            components[player] = count;
            let mut open = vec![player];
            while let Some(reached) = open.pop() {
                for (opponent, component) in components.iter_mut().enumerate() {
                    if *component == usize::MAX && !self.between(reached, opponent).is_empty() {
                        *component = count;
                        open.push(opponent);
                    }
                }
            }
            count += 1;
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PlayerResult::{Draw, Loss, Win};

    #[test]
    fn games_are_seen_from_both_sides() {
        let mut table = CrossTable::new(3);
        table.add_game(0, 1, Win);
        table.add_game(1, 0, Win);
        table.add_game(1, 0, Draw);
        table.add_game(0, 2, Loss);
        assert_eq!(table.as_first(0, 1), Trinomial::new(0, 0, 1));
        assert_eq!(table.as_first(1, 0), Trinomial::new(0, 1, 1));
        assert_eq!(table.between(0, 1), Trinomial::new(1, 1, 1));
        assert_eq!(table.between(2, 0), Trinomial::new(0, 0, 1));
        assert_eq!(table.total(0), Trinomial::new(2, 1, 1));
        assert_eq!(table.total(0).points(), 1.5);
        assert_eq!(table.first_mover(), Trinomial::new(1, 1, 2));
        for (player, opponent) in [(0, 1), (0, 2), (1, 2)] {
            let seen = table.between(player, opponent);
            assert_eq!(seen, table.between(opponent, player).reversed());
        }
    }

    #[test]
    fn players_that_never_met_are_in_different_components() {
        let mut table = CrossTable::new(7);
        table.add_game(5, 0, Win);
        table.add_game(5, 3, Loss);
        table.add_game(1, 4, Draw);
        // 0-5-3, 1-4, 2, 6.
        assert_eq!(table.components(), [0, 1, 2, 0, 1, 0, 3]);
        assert_eq!(CrossTable::new(0).components(), [0; 0]);
    }

    #[test]
    #[should_panic(expected = "a player against itself")]
    fn nobody_plays_against_itself() {
        CrossTable::new(2).add_game(1, 1, Win);
    }
}

//! The games that a match consists of.

use super::{MatchSpec, OpeningOrder, Pairing, Shard};
use tengen_core::board::Symmetry;
use tengen_core::rng::SplitMix64;

/// One game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game in the match, from 0; no other game has it.
    pub game: u64,
    /// The number of the pair it belongs to, from 0; games of one pair follow each other. A single
    /// game has a number of its own.
    pub pair: u64,
    /// The round, from 0.
    pub round: u64,
    /// The players, by their places among the contestants. The first makes the first move, or the
    /// opening where the players make it themselves.
    pub seats: [usize; 2],
    /// The place of the opening among the openings, if there are any.
    pub opening: Option<usize>,
    /// The symmetry by which the opening is turned.
    pub symmetry: Symmetry,
}

/// All games of a match, derived from the specification alone.
///
/// The games come round by round: in each round every two who are to meet play once, a pair of
/// games with the colours changed or a single game. All games of a round begin from the same
/// opening.
#[derive(Clone, Debug)]
pub struct Schedule {
    encounters: Vec<[usize; 2]>,
    /// The contestants that move first in single games; empty if games come in pairs.
    first: Vec<usize>,
    rounds: u64,
    /// The places of the openings in the order in which they are used.
    order: Vec<usize>,
    /// The symmetries of the openings when they are used again and again.
    symmetries: Vec<Symmetry>,
}

impl Schedule {
    /// Derives the games of a match.
    #[must_use]
    pub fn new(spec: &MatchSpec) -> Schedule {
        let count = spec.contestants.len();
        let (encounters, first) = match &spec.pairing {
            Pairing::RoundRobin => {
                let with_later = |a| (a + 1..count).map(move |b| [a, b]);
                ((0..count).flat_map(with_later).collect(), Vec::new())
            }
            Pairing::Gauntlet => ((1..count).map(|b| [0, b]).collect(), Vec::new()),
            Pairing::BestOf { first } if first.is_empty() => (vec![[0, 1]], vec![0]),
            Pairing::BestOf { first } => (vec![[0, 1]], first.clone()),
        };
        let mut order: Vec<usize> =
            if spec.swap2 { Vec::new() } else { (0..spec.openings.len()).collect() };
        if let OpeningOrder::Shuffled(seed) = spec.order {
            // Journals of matches that were broken off rely on it that this never changes.
            SplitMix64::new(seed).shuffle(&mut order);
        }
        let start = spec.first_opening.checked_rem(order.len());
        order.rotate_left(start.unwrap_or(0));
        let most = if spec.symmetries && !order.is_empty() { usize::MAX } else { 1 };
        let symmetries = Symmetry::of_size(spec.size).take(most).collect();
        Schedule { encounters, first, rounds: spec.rounds, order, symmetries }
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.pairs().saturating_mul(self.games_per_pair())
    }

    /// Returns whether a round begins as an earlier one does, with the same colours.
    #[must_use]
    pub fn repeats(&self) -> bool {
        let beginnings = (self.symmetries.len() * self.order.len().max(1)) as u64;
        // Single games have a turn of colours of their own.
        let turn = self.first.len() as u64;
        let mut begun = std::collections::BTreeSet::new();
        let mut is_new = |at| begun.insert((at % beginnings, self.first[(at % turn) as usize]));
        if turn == 0 { self.rounds > beginnings } else { !(0..self.rounds).all(&mut is_new) }
    }

    /// Returns the number of games that a part of the match has.
    #[must_use]
    pub const fn games_in(&self, shard: Option<Shard>) -> u64 {
        let Some(Shard { index, count }) = shard else { return self.games() };
        let pairs = self.pairs().saturating_sub(index).div_ceil(if count == 0 { 1 } else { count });
        pairs.saturating_mul(self.games_per_pair())
    }

    /// Returns a game by its number.
    ///
    /// # Panics
    ///
    /// Panics if the match has no game of this number.
    #[must_use]
    pub fn fixture(&self, game: u64) -> Fixture {
        assert!(game < self.games(), "the match has {} games", self.games());
        let (pair, second) = (game / self.games_per_pair(), game % self.games_per_pair() == 1);
        let encounters = self.encounters.len() as u64;
        let (round, encounter) = (pair / encounters, (pair % encounters) as usize);
        let [a, b] = self.encounters[encounter];
        let changed = match self.first.len() as u64 {
            0 => second,
            len => self.first[(game % len) as usize] != 0,
        };
        let seats = if changed { [b, a] } else { [a, b] };
        let (opening, symmetry) = match self.order.len() as u64 {
            0 => (None, Symmetry::Identity),
            len => {
                let turn = (round / len) % self.symmetries.len() as u64;
                (Some(self.order[(round % len) as usize]), self.symmetries[turn as usize])
            }
        };
        Fixture { game, pair, round, seats, opening, symmetry }
    }

    /// Returns a game of a part of the match by its place in it, from 0; without a part the place
    /// is the number.
    ///
    /// # Panics
    ///
    /// Panics if the part has no such game.
    #[must_use]
    pub fn fixture_in(&self, shard: Option<Shard>, place: u64) -> Fixture {
        assert!(place < self.games_in(shard), "there are {} games", self.games_in(shard));
        let Some(Shard { index, count }) = shard else { return self.fixture(place) };
        let per_pair = self.games_per_pair();
        self.fixture((index + place / per_pair * count) * per_pair + place % per_pair)
    }

    const fn pairs(&self) -> u64 {
        // Numbers of games stay in 64 bits however many rounds there are.
        let most = u64::MAX / 2;
        let pairs = self.rounds.saturating_mul(self.encounters.len() as u64);
        if pairs < most { pairs } else { most }
    }

    const fn games_per_pair(&self) -> u64 {
        if self.first.is_empty() { 2 } else { 1 }
    }
}

impl Shard {
    /// Returns whether the games of a pair are in this part.
    #[must_use]
    pub const fn contains(self, pair: u64) -> bool {
        self.count != 0 && pair % self.count == self.index
    }
}

#[cfg(test)]
mod tests;

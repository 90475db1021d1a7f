//! The speed of the hot path: placing and removing stones, and building tables.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::positions::{BenchPosition, GAMES};
use tengen_core::patterns::PatternTables;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::types::Point;

/// The default number of times that every game is played forward and back.
pub const DEFAULT_ROUNDS: u32 = 3000;

/// The moves played and taken back under one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMoves {
    /// The rule.
    pub rule: Rule,
    /// The number of games.
    pub games: usize,
    /// The number of moves played, all of which were taken back.
    pub pairs: u64,
    /// The time for all of them.
    pub elapsed: Duration,
}

/// The time to build the pattern tables of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Built {
    /// The rule.
    pub rule: Rule,
    /// The time.
    pub elapsed: Duration,
}

/// Builds the pattern tables of a rule, even if they already exist.
#[must_use]
pub fn build_tables(rule: Rule) -> Built {
    let start = Instant::now();
    black_box(PatternTables::build(black_box(rule)));
    Built { rule, elapsed: start.elapsed() }
}

/// Plays every game of a rule from the first move to the last and takes all moves back, `rounds`
/// times after a warm-up of a tenth as many.
///
/// A position updates the board, its key, the patterns of all cells and their counts, so all of
/// that is measured. The evaluation is not, since it works only on demand.
#[must_use]
pub fn play(rule: Rule, rounds: u32) -> PlayedMoves {
    let mut games: Vec<(Position, Vec<Point>)> = GAMES
        .iter()
        .filter(|record| record.rule == rule)
        .map(|record| (Position::new(rule, record.size()), BenchPosition::moves(record)))
        .collect();
    let mut pairs = 0;
    for _ in 0..rounds.div_ceil(10) {
        for (position, moves) in &mut games {
            forth_and_back(position, moves);
        }
    }
    let start = Instant::now();
    for _ in 0..rounds {
        for (position, moves) in &mut games {
            pairs += forth_and_back(position, moves);
        }
    }
    PlayedMoves { rule, games: games.len(), pairs, elapsed: start.elapsed() }
}

/// Plays the moves and takes them back; returns their number.
pub fn forth_and_back(position: &mut Position, moves: &[Point]) -> u64 {
    for &point in moves {
        position.play_unchecked(black_box(point));
    }
    for _ in moves {
        position.undo();
    }
    moves.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_taken_back() {
        for record in &GAMES {
            let mut position = Position::new(record.rule, record.size());
            let key = position.key();
            let moves = record.moves();
            assert_eq!(forth_and_back(&mut position, &moves), moves.len() as u64);
            assert_eq!(position.key(), key);
            assert_eq!(position.played(), 0);
            position.validate();
        }
    }
}

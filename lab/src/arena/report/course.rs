//! The score of a player in the course of a match.

use std::collections::HashMap;

use serde::Serialize;

use crate::arena::{MatchInfo, Pairing, PlayedGame};
use crate::stats::{Estimate, Pentanomial, PlayerResult, ScoreCounts, Trinomial, score_of_elo};

/// The most points of a curve, more or less.
const POINTS: usize = 240;

/// The score of a player after some of its games, in the order in which they were given: numbers
/// of games, and the score with its 95 % interval then. Complete pairs are what counts, except in
/// a match of single games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(super) struct ScoreCourse {
    games: Vec<u64>,
    score: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl ScoreCourse {
    /// Returns the course of a player.
    pub(super) fn of(info: &MatchInfo, games: &[PlayedGame], player: usize) -> ScoreCourse {
        let results = games.iter().flat_map(|game| {
            let own = (0..2).filter(|&seat| game.player(seat) == player);
            own.filter_map(move |seat| Some((game, game.result(seat)?, game.player(1 - seat))))
        });
        let mut course = ScoreCourse::default();
        if matches!(info.pairing, Pairing::BestOf { .. }) {
            let mut counts = Trinomial::default();
            for (_, result, _) in results {
                counts.add_game(result);
                course.push(&counts);
            }
        } else {
            let mut counts = Pentanomial::default();
            let mut open: HashMap<(u64, usize), PlayerResult> = HashMap::new();
            for (game, result, opponent) in results {
                let key = (game.fixture.pair, opponent);
                if let Some(other) = open.remove(&key) {
                    counts.add_pair(result, other);
                    course.push(&counts);
                } else {
                    open.insert(key, result);
                }
            }
        }
        course.thinned()
    }

    fn push<const N: usize>(&mut self, counts: &ScoreCounts<N>) {
        if let (Some(score), Some(Estimate { lower, upper, .. })) = (counts.score(), counts.elo()) {
            // Four digits are more than a picture shows.
            let rounded = |share: f64| (share * 1e4).round() / 1e4;
            self.games.push(counts.games());
            self.score.push(rounded(score));
            self.lower.push(rounded(score_of_elo(lower)));
            self.upper.push(rounded(score_of_elo(upper)));
        }
    }

    /// Leaves points out if there are many, never the last.
    fn thinned(mut self) -> ScoreCourse {
        let count = self.games.len();
        let step = count.div_ceil(POINTS).max(1);
        let keep = |i: usize| (count - 1 - i).is_multiple_of(step);
        let mut i = 0;
        self.games.retain(|_| {
            i += 1;
            keep(i - 1)
        });
        for values in [&mut self.score, &mut self.lower, &mut self.upper] {
            let mut i = 0;
            values.retain(|_| {
                i += 1;
                keep(i - 1)
            });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::testing::{info, random_match};
    use crate::arena::{Summary, Tally};

    #[test]
    fn a_course_ends_with_the_result() {
        let (info, games) = random_match(3, 2, 30);
        let course = ScoreCourse::of(&info, &games, 0);
        assert_eq!(course.games.len(), 30);
        assert_eq!(course.games[29], 60);
        let summary = Summary::new(&info, &games);
        let elo = summary.duel.unwrap().elo.unwrap();
        assert!((course.score[29] - summary.players[0].all.score.unwrap()).abs() < 1e-4);
        assert!((course.lower[29] - score_of_elo(elo.lower)).abs() < 1e-4);
        assert!((course.upper[29] - score_of_elo(elo.upper)).abs() < 1e-4);
        let other = ScoreCourse::of(&info, &games, 1);
        assert!((course.score[11] + other.score[11] - 1.0).abs() < 2e-4);
    }

    #[test]
    fn long_courses_are_thinned_and_keep_their_end() {
        let mut tally = Tally::new(&info(2));
        let (info, games) = random_match(4, 2, 3);
        let many: Vec<PlayedGame> = (0..1000)
            .map(|i| {
                let mut game = games[i % 6].clone();
                game.fixture.pair = (i / 2) as u64;
                tally.add(&game);
                game
            })
            .collect();
        let course = ScoreCourse::of(&info, &many, 0);
        assert_eq!(course.games.last(), Some(&1000));
        assert!((100..=POINTS + 1).contains(&course.games.len()));
        assert_eq!(course.games.len(), course.upper.len());
        let score = tally.pentanomial().score().unwrap();
        assert!((course.score[course.score.len() - 1] - score).abs() < 1e-4);
    }
}

//! Games that choose openings.

use super::mind::SearchMind;
use super::options::SelfPlayOptions;
use super::play::play_from;
use crate::openings::{Balanced, Balancer, Contest, GameVariety, Judge, OpeningSearcher};
use crate::stats::PlayerResult;
use crate::tuning::game::{SelfPlayGame, TrainingResult};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Point, Score, Size};
use tengen_engine::engine::Setup;
use tengen_files::work::Stop;

/// The first moves of a game in which the second best one has a chance: four of each player. Games from one opening
/// have to differ soon.
const VARIETY_PLIES: u8 = 8;

/// A searcher for openings that also plays games from them, for one rule and board.
#[derive(Debug)]
pub struct OpeningPlayer {
    searcher: OpeningSearcher,
    options: SelfPlayOptions,
    /// The empty board.
    start: Position,
    mind: SearchMind,
}

impl OpeningPlayer {
    /// Makes a player whose searches for openings have a transposition table of this many mebibytes.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(rule: Rule, size: Size, mebibytes: u32) -> Result<OpeningPlayer, AllocError> {
        let usual = SelfPlayOptions::new(rule, size);
        let evaluator = Evaluators::shipped().make(EvaluatorKind::default(), rule);
        Ok(OpeningPlayer {
            searcher: OpeningSearcher::new(mebibytes)?,
            // No draw is adjudicated: what is chosen follows from whole games, and files are resumed.
            options: SelfPlayOptions {
                variety_plies: VARIETY_PLIES,
                leaves: 0,
                draw_moves: 0,
                ..usual
            },
            start: Position::new(rule, size),
            mind: SearchMind::new(&*evaluator)?,
        })
    }

    /// Plays a game from an opening.
    fn game(&mut self, stones: &[Point], game: GameVariety, stop: &Stop) -> Option<SelfPlayGame> {
        let options = SelfPlayOptions { nodes: game.nodes, ..self.options };
        let rng = SplitMix64::new(game.seed);
        play_from(&options, &self.start, stones, rng, &mut self.mind, stop)
    }
}

impl Balancer for OpeningPlayer {
    fn balance(&mut self, setup: &Setup, stones: usize, nodes: u64) -> Option<Balanced> {
        self.searcher.balance(setup, stones, nodes)
    }
}

impl Judge for OpeningPlayer {
    fn judge(&mut self, setup: &Setup, nodes: u64) -> Option<Score> {
        self.searcher.judge(setup, nodes)
    }
}

impl Contest for OpeningPlayer {
    fn play(&mut self, stones: &[Point], game: GameVariety, stop: &Stop) -> Option<PlayerResult> {
        Some(match self.game(stones, game, stop)?.game.result {
            TrainingResult::Black => PlayerResult::Win,
            TrainingResult::White => PlayerResult::Loss,
            TrainingResult::Draw => PlayerResult::Draw,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_core::notation::parse_moves;

    fn stones(text: &str, size: Size) -> Vec<Point> {
        parse_moves(text, size).unwrap()
    }

    #[test]
    fn games_from_one_opening_differ_and_can_be_repeated() {
        let size = Size::square(15).unwrap();
        let mut player = OpeningPlayer::new(Rule::Standard, size, 1).unwrap();
        // Balanced ones; where a side wins by force all games may be alike.
        for opening in ["e6d6f8c9c3", "h6c7b8d5", "j14k13j13"] {
            let opening = stones(opening, size);
            let play = |player: &mut OpeningPlayer, game: u64| {
                let variety = GameVariety { nodes: 300 + 20 * game, seed: game };
                let played = player.game(&opening, variety, &Stop::new()).unwrap();
                assert_eq!(played.game.opening, opening);
                played.game.moves.iter().map(|scored| scored.point).collect::<Vec<Point>>()
            };
            let games: Vec<_> = (0..8).map(|game| play(&mut player, game)).collect();
            let different: HashSet<_> = games.iter().collect();
            assert!(different.len() >= 7, "{} of 8 games are different", different.len());
            // Whatever was played before.
            let mut fresh = OpeningPlayer::new(Rule::Standard, size, 1).unwrap();
            assert_eq!(play(&mut fresh, 5), games[5]);
            assert_eq!(play(&mut player, 5), games[5]);
        }
    }

    #[test]
    fn the_result_is_that_of_black_under_every_rule() {
        for rule in Rule::ALL {
            for size in [Size::square(15).unwrap(), Size::new(12, 10).unwrap()] {
                let mut player = OpeningPlayer::new(rule, size, 1).unwrap();
                let mut result = |opening: &str| {
                    let variety = GameVariety { nodes: 300, seed: 1 };
                    player.play(&stones(opening, size), variety, &Stop::new())
                };
                // An open three, and it is its turn.
                assert_eq!(result("f6a1g6a10h6l1"), Some(PlayerResult::Win), "{rule} {size}");
                assert_eq!(result("a1f6a10g6l1h6l10"), Some(PlayerResult::Loss), "{rule} {size}");
            }
        }
    }

    #[test]
    fn a_stop_ends_a_game_and_what_is_no_opening_begins_none() {
        let size = Size::square(9).unwrap();
        let mut player = OpeningPlayer::new(Rule::Freestyle, size, 1).unwrap();
        let (stop, variety) = (Stop::new(), GameVariety { nodes: 100, seed: 1 });
        let twice = stones("e5f6", size).repeat(2);
        assert_eq!(player.play(&twice, variety, &stop), None);
        stop.request();
        assert_eq!(player.play(&stones("e5f6", size), variety, &stop), None);
    }
}

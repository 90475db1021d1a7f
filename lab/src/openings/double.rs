//! A stand-in for the search: quick, arbitrary, and always the same for the same question.

use super::games::{Contest, GameVariety};
use super::searcher::{Balanced, Balancer, Judge};
use crate::stats::PlayerResult;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Point, Score};
use tengen_engine::engine::Setup;
use tengen_files::work::Stop;

/// A searcher whose answers are hashed from the question.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptedBalancer {
    /// Finds nothing balanced.
    pub(super) never: bool,
    /// The number of questions for stones.
    pub(super) balances: u64,
    /// The number of questions for a score.
    pub(super) judged: u64,
    /// The nodes allowed for scores, all together.
    pub(super) nodes_judged: u64,
    /// The last score given.
    pub(super) last_score: Option<Score>,
    /// The number of cells it chooses among; a few make many equal openings. 0 is all.
    pub(super) cells: usize,
    /// Panics when asked this often.
    pub(super) dies_after: Option<u64>,
    /// The openings from which games were played, with the nodes asked for and the results.
    pub(super) games: Vec<(Vec<Point>, u64, PlayerResult)>,
}

impl ScriptedBalancer {
    fn random(setup: &Setup, salt: u64) -> SplitMix64 {
        let stones = setup.stones.iter();
        let hash = stones.fold(salt ^ setup.rule as u64, |hash, (point, _)| {
            SplitMix64::new(hash ^ point.index() as u64).next_u64()
        });
        SplitMix64::new(hash)
    }

    /// Returns a score that is often but not always balanced.
    fn score(&self, rng: &mut SplitMix64) -> Score {
        Score::eval(if self.never { 5000 } else { rng.below(201) as i32 - 100 })
    }
}

impl Balancer for ScriptedBalancer {
    fn balance(&mut self, setup: &Setup, stones: usize, nodes: u64) -> Option<Balanced> {
        assert!(self.dies_after.is_none_or(|limit| self.balances < limit), "as asked for");
        self.balances += 1;
        let mut rng = ScriptedBalancer::random(setup, stones as u64 ^ nodes << 8);
        let mut empty: Vec<Point> = setup
            .size
            .points()
            .filter(|p| setup.stones.iter().all(|(stone, _)| stone != p))
            .collect();
        if self.cells > 0 {
            empty.truncate(self.cells);
        }
        let moves = (0..stones.min(empty.len()))
            .map(|_| {
                let chosen = rng.below(empty.len());
                empty.swap_remove(chosen)
            })
            .collect();
        Some(Balanced { moves, score: self.score(&mut rng) })
    }
}

impl Judge for ScriptedBalancer {
    fn judge(&mut self, setup: &Setup, nodes: u64) -> Option<Score> {
        self.judged += 1;
        self.nodes_judged += nodes;
        let score = self.score(&mut ScriptedBalancer::random(setup, nodes));
        self.last_score = Some(score);
        Some(score)
    }
}

impl Contest for ScriptedBalancer {
    /// Each opening and strength has a chance of its own that black wins, and one game of eight is drawn.
    fn play(&mut self, stones: &[Point], game: GameVariety, stop: &Stop) -> Option<PlayerResult> {
        if stop.is_set() {
            return None;
        }
        let GameVariety { nodes, seed } = game;
        let mut rng = SplitMix64::new(seed);
        let parts = stones.iter().map(|stone| stone.index() as u64);
        let opening = parts
            .fold(u64::from(nodes > 5000), |hash, part| SplitMix64::new(hash).next_u64() ^ part);
        let chance = SplitMix64::new(opening).below(8);
        let result = match (rng.below(8), rng.below(8)) {
            (0, _) => PlayerResult::Draw,
            (_, drawn) if drawn < chance => PlayerResult::Win,
            _ => PlayerResult::Loss,
        };
        self.games.push((stones.to_vec(), nodes, result));
        Some(result)
    }
}

//! One game.

use std::collections::HashSet;

use super::mind::Mind;
use super::opening::{random_stones, stream};
use super::options::{PROCEDURE, SelfPlayOptions};
use super::sample::Sample;
use crate::tuning::features::undecided;
use crate::tuning::game::{Ending, Leaf, ScoredMove, SelfPlayGame, TrainingGame, TrainingResult};
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Game;
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Key, Point};
use tengen_files::work::Stop;

/// The most attempts at an opening before the game is given up.
pub(super) const MOST_ATTEMPTS: u32 = 2000;

/// Plays game number `index`. `start` is the empty board that the options tell of, with the pattern
/// tables to play with.
///
/// Returns `None` if no opening was found, or if `stop` is set before a move.
pub fn play<M: Mind>(
    options: &SelfPlayOptions,
    start: &Position,
    index: u64,
    mind: &mut M,
    stop: &Stop,
) -> Option<SelfPlayGame> {
    debug_assert!(start.rule() == options.rule && start.size() == options.size);
    for attempt in 0..MOST_ATTEMPTS {
        if stop.is_set() {
            return None;
        }
        let mut rng = stream(options, index, attempt);
        let mut sample = sample(options, &rng);
        let Some(opening) = random_stones(options, &mut rng) else { continue };
        let mut position = start.clone();
        for &stone in &opening {
            position.play_unchecked(stone);
        }
        mind.forget();
        let first = mind.think(&position, options.nodes, None, &mut sample);
        let Some(first) = first else { continue };
        if first.score.raw().abs() > options.window {
            continue;
        }
        let course = Course::new(options, position, &opening, rng, sample, mind)?;
        return course.finish(opening, Some(first), stop);
    }
    None
}

/// Plays a game from an opening, however uneven it is, with moves as the options have them. `start` is the empty
/// board, and the random numbers choose where the second best move has a chance.
///
/// Returns `None` if the stones are no opening, or if `stop` is set before a move.
pub(super) fn play_from<M: Mind>(
    options: &SelfPlayOptions,
    start: &Position,
    opening: &[Point],
    rng: SplitMix64,
    mind: &mut M,
    stop: &Stop,
) -> Option<SelfPlayGame> {
    let mut position = start.clone();
    for &stone in opening {
        position.play(stone).ok()?;
    }
    mind.forget();
    let sample = sample(options, &rng);
    let course = Course::new(options, position, opening, rng, sample, mind)?;
    course.finish(opening.to_vec(), None, stop)
}

/// Returns the sample of a game. Its random numbers are not those of the game itself, or moves would depend on how
/// many leaves are kept.
fn sample(options: &SelfPlayOptions, rng: &SplitMix64) -> Sample {
    let sample = Sample::new(options.leaves, SplitMix64::new(rng.clone().next_u64()));
    if options.procedure >= PROCEDURE { sample.only_exact() } else { sample }
}

/// A game on its way.
struct Course<'a, M> {
    options: &'a SelfPlayOptions,
    position: Position,
    /// Judges by the plain rules.
    referee: Game,
    moves: Vec<ScoredMove>,
    leaves: Vec<Leaf>,
    /// The positions of the leaves.
    judged: HashSet<Key>,
    rng: SplitMix64,
    /// Of what was evaluated in search of the next move.
    sample: Sample,
    mind: &'a mut M,
}

impl<'a, M: Mind> Course<'a, M> {
    /// Begins a game from an opening, after which the position is; `None` if the stones are none.
    fn new(
        options: &'a SelfPlayOptions,
        position: Position,
        opening: &[Point],
        rng: SplitMix64,
        sample: Sample,
        mind: &'a mut M,
    ) -> Option<Course<'a, M>> {
        let referee = Game::from_moves(options.size, options.rule, opening).ok()?;
        let (moves, leaves, judged) = (Vec::new(), Vec::new(), HashSet::new());
        Some(Course { options, position, referee, moves, leaves, judged, rng, sample, mind })
    }

    /// Plays to the end; `thought` is what the search said of the opening, if it has been asked.
    fn finish(
        mut self,
        opening: Vec<Point>,
        mut thought: Option<ScoredMove>,
        stop: &Stop,
    ) -> Option<SelfPlayGame> {
        loop {
            if stop.is_set() {
                return None;
            }
            let player = self.position.to_move();
            let played = self.choose(thought.take())?;
            self.keep_leaves();
            self.moves.push(played);
            self.position.play_unchecked(played.point);
            let outcome = self.referee.play(played.point).ok()?;
            let end = if outcome.is_over() {
                Some((outcome.winner(), Ending::Rule))
            } else {
                self.end_without_rule(player, played)
            };
            if let Some((winner, ending)) = end {
                let result = TrainingResult::of_winner(winner);
                let Course { moves, leaves, .. } = self;
                let game = TrainingGame { opening, moves, leaves, result };
                return Some(SelfPlayGame { game, ending });
            }
        }
    }

    /// Returns the next move; `thought` is what the search said of the position, if it has been
    /// asked.
    fn choose(&mut self, thought: Option<ScoredMove>) -> Option<ScoredMove> {
        let nodes = self.options.nodes;
        let best = match thought {
            Some(thought) => thought,
            None => match self.forced() {
                Some(forced) => return Some(forced),
                None => self.mind.think(&self.position, nodes, None, &mut self.sample)?,
            },
        };
        let varies = self.moves.len() < usize::from(self.options.variety_plies)
            && !best.score.is_decisive()
            && self.rng.below(2) == 0;
        if !varies {
            return Some(best);
        }
        // The sample is one of both searches together: either could have chosen the move.
        let without = Some(best.point);
        let other = self.mind.think(&self.position, nodes, without, &mut self.sample)?;
        let near = best.score - self.options.variety_margin <= other.score;
        Some(if near && !other.score.is_decisive() { other } else { best })
    }

    /// Returns the only move that does not lose at once, without a search: its score is what the
    /// opponent thought of the four just played, who had to expect this answer. A proof is left to
    /// the search, which knows its length.
    fn forced(&mut self) -> Option<ScoredMove> {
        let last = self.moves.last().filter(|last| !last.score.is_decisive())?;
        let score = -last.score;
        match full_threat_check(&mut self.position) {
            ThreatCheck::Open(Replies::Forced(point)) => Some(ScoredMove { point, score }),
            _ => None,
        }
    }

    /// Judges what was kept of the search for the next move, and adds it to the leaves.
    fn keep_leaves(&mut self) {
        for path in self.sample.take() {
            path.iter().for_each(|&point| self.position.play_unchecked(point));
            let judged = self.judge();
            path.iter().for_each(|_| self.position.undo());
            if let Some(judged) = judged {
                self.leaves.push(Leaf { after: self.moves.len(), path, judged });
            }
        }
    }

    /// Judges the position if it is undecided and was not judged before: the trees of searches in a
    /// row overlap.
    fn judge(&mut self) -> Option<ScoredMove> {
        undecided(&mut self.position)?;
        let is_new = self.judged.insert(self.position.key());
        is_new.then(|| self.mind.judge(&self.position, self.options.leaf_nodes)).flatten()
    }

    /// Returns the winner and why the game is not continued although its rule would allow it.
    ///
    /// A side that sees itself lost plays on: the opponent has to find the win first.
    fn end_without_rule(
        &self,
        player: Color,
        played: ScoredMove,
    ) -> Option<(Option<Color>, Ending)> {
        if played.score.is_win() {
            Some((Some(player), Ending::Proven))
        } else if self.referee.moves().len() >= usize::from(self.options.longest) {
            Some((None, Ending::Length))
        } else if self.is_even() {
            Some((None, Ending::Adjudicated))
        } else {
            None
        }
    }

    /// Returns whether the game is drawn by the scores of its last moves.
    fn is_even(&self) -> bool {
        let &SelfPlayOptions { draw_score, draw_moves, draw_stones, .. } = self.options;
        let before = self.moves.len().checked_sub(draw_moves.into());
        let last = before.map(|before| &self.moves[before..]).unwrap_or_default();
        !last.is_empty()
            && self.referee.moves().len() >= usize::from(draw_stones)
            && last.iter().all(|played| played.score.raw().abs() <= draw_score)
    }
}

#[cfg(test)]
mod tests;

//! Pairs of games between two choices of parameters.

use super::Duel;
use crate::tuning::selfplay::{SelfPlayOptions, random_stones, stream};
use tengen_core::eval::Evaluator;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Rule, outcome_after};
use tengen_core::search::{BoundedSearch, Options, Params, SearchResult};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Color, Point, Size};

/// The size of the table of each side, in bytes: enough for the nodes of a game, and cleared
/// quickly.
const TABLE_BYTES: usize = 2 << 20;
/// The most times that random stones are redrawn because a search finds one side too well off:
/// pairs in which the same colour wins both games tell nothing.
const DRAWS: u32 = 64;
/// The openings whose searches tell one engine from another.
const FINGERPRINTS: u64 = 8;

/// The kind of games that are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The nodes of each search.
    pub nodes: u64,
    /// The number of stones on the board at which an undecided game is a draw.
    pub most_stones: usize,
    /// Begins the random numbers of openings.
    pub seed: u64,
}

/// The positions in which games begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beginnings {
    /// With random stones, as [training games](crate::tuning::selfplay) do.
    Random,
    /// With these openings in turn, again and again; not empty, and each legal and undecided.
    Given(Vec<Vec<Point>>),
}

impl Beginnings {
    /// Returns openings to be played in another order, for the order of a file may have a meaning.
    #[must_use]
    pub fn shuffled(mut openings: Vec<Vec<Point>>, seed: u64) -> Beginnings {
        SplitMix64::new(seed).shuffle(&mut openings);
        Beginnings::Given(openings)
    }

    /// Returns a checksum that distinguishes these beginnings from others, the same on every
    /// machine.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let Beginnings::Given(openings) = self else { return 0 };
        let mut hasher = crc32fast::Hasher::new();
        for opening in openings {
            for point in opening {
                hasher.update(&(point.index() as u16).to_le_bytes());
            }
            hasher.update(&u16::MAX.to_le_bytes());
        }
        hasher.finalize()
    }
}

/// Plays pairs of games; a thread has one of its own.
#[derive(Debug)]
pub struct PairPlayer<'a> {
    terms: Terms,
    beginnings: &'a Beginnings,
    /// The search of each side, which keeps its memory in the course of a game.
    sides: [BoundedSearch; 2],
}

impl<'a> PairPlayer<'a> {
    /// Makes a player whose searches use evaluators of this kind.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if memory for the tables cannot be had.
    pub fn new(
        terms: Terms,
        beginnings: &'a Beginnings,
        evaluator: &dyn Evaluator,
    ) -> Result<PairPlayer<'a>, AllocError> {
        let side = || BoundedSearch::new(evaluator.fresh(), TABLE_BYTES);
        Ok(PairPlayer { terms, beginnings, sides: [side()?, side()?] })
    }

    /// Returns the position with which a pair begins.
    fn beginning(&mut self, pair: u64) -> Position {
        match self.beginnings {
            Beginnings::Given(openings) => {
                // Fits: it is less than a length.
                self.position_after(&openings[(pair % openings.len() as u64) as usize])
            }
            Beginnings::Random => self.random_beginning(self.terms.seed, pair),
        }
    }

    fn random_beginning(&mut self, seed: u64, pair: u64) -> Position {
        let Terms { rule, size, nodes, .. } = self.terms;
        let options = SelfPlayOptions { seed, ..SelfPlayOptions::new(rule, size) };
        let mut position = self.position_after(&[]);
        for attempt in 0..DRAWS {
            let mut rng = stream(&options, pair, attempt);
            let Some(stones) = random_stones(&options, &mut rng) else { continue };
            position = self.position_after(&stones);
            let judge = &mut self.sides[0];
            judge.forget();
            let found = search(judge, &position, nodes, &Params::DEFAULT);
            if found.is_some_and(|found| found.score.raw().abs() <= options.window) {
                break;
            }
        }
        position
    }

    fn position_after(&self, stones: &[Point]) -> Position {
        let mut position = Position::new(self.terms.rule, self.terms.size);
        stones.iter().for_each(|&stone| position.play_unchecked(stone));
        position
    }

    /// Plays a game, with the parameters of black first, and returns who won.
    ///
    /// A game is over when the rules say so, when both sides have found out that the same one wins,
    /// and when there are too many stones on the board.
    fn game(&mut self, mut position: Position, params: [&Params; 2]) -> Option<Color> {
        self.sides.iter_mut().for_each(BoundedSearch::forget);
        // The winner, as proven by either side.
        let mut winners = [None; 2];
        while position.played() < self.terms.most_stones {
            let color = position.to_move();
            let side = color.index();
            let found = search(&mut self.sides[side], &position, self.terms.nodes, params[side])?;
            // A forced move is not searched and leaves the verdict as it was.
            if found.depth > 0 {
                winners[side] = match found.score {
                    score if score.is_win() => Some(color),
                    score if score.is_loss() => Some(!color),
                    _ => None,
                };
            }
            if winners[0].is_some() && winners[0] == winners[1] {
                return winners[0];
            }
            position.play_unchecked(found.best);
            let outcome = outcome_after(position.board(), found.best, position.rule());
            if outcome.is_over() {
                return outcome.winner();
            }
        }
        None
    }

    /// Returns a checksum that distinguishes an engine from one that thinks otherwise, the same on
    /// every machine.
    #[must_use]
    pub fn fingerprint(&mut self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for index in 0..FINGERPRINTS {
            let position = self.random_beginning(0, index);
            let side = &mut self.sides[0];
            side.forget();
            if let Some(found) = search(side, &position, self.terms.nodes, &Params::DEFAULT) {
                let text = format!("{} {} {};", found.best, found.score.raw(), found.nodes);
                hasher.update(text.as_bytes());
            }
        }
        hasher.finalize()
    }
}

impl Duel for PairPlayer<'_> {
    fn play(&mut self, plus: &Params, minus: &Params, pair: u64) -> i32 {
        let beginning = self.beginning(pair);
        let one = self.game(beginning.clone(), [plus, minus]);
        let other = self.game(beginning, [minus, plus]);
        let won = |winner: Option<Color>, own: Color| match winner {
            Some(color) if color == own => 1,
            Some(_) => -1,
            None => 0,
        };
        won(one, Color::Black) + won(other, Color::White)
    }
}

/// Searches a position within a number of nodes.
fn search(
    side: &mut BoundedSearch,
    position: &Position,
    nodes: u64,
    params: &Params,
) -> Option<SearchResult> {
    let options = Options { answer_at_once: true, params: *params, ..Options::default() };
    side.search(position, None, Some(nodes), options)
}

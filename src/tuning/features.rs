//! What a fit sees of games: numbers of cells by their shapes, and choices among moves.
//!
//! A *position* sample says how often each multiset of shapes occurs among the empty cells, now and
//! one move earlier as the evaluation averages them, which classes are the strongest, and how the
//! game ended. A *choice* sample says which shapes the candidates of a node have, and which of them
//! the search chose.
//!
//! Samples are kept in blocks of a fixed number of games. Blocks are what threads divide among
//! themselves, and sums over blocks are added in the order of the games, so that nothing that is
//! computed from them depends on the number of threads.

use std::fmt;
use std::sync::LazyLock;

use super::game::{GameResult, TrainingGame};
use crate::board::Board;
use crate::patterns::weights::{families, family_index};
use crate::patterns::{Multiset, PatternTables, PointClass};
use crate::position::Position;
use crate::rules::Rule;
use crate::threats::{Situation, analyse};
use crate::types::{Color, Point, Score, Size};

/// The number of games in a block.
const BLOCK_GAMES: usize = 32;

/// Every so many games, one is held out: nothing is learnt from it, and the loss on it tells how
/// well what was learnt holds elsewhere.
const HOLD_OUT: u64 = 16;

/// The number of initiative values of a family.
pub(super) const PAIRS: usize = PointClass::COUNT * PointClass::COUNT;

/// The number of the multiset of each code of four shapes.
static MULTISETS: LazyLock<Vec<u16>> =
    LazyLock::new(|| (0..=u16::MAX).map(|code| Multiset::of_code(code).index() as u16).collect());

/// How often a multiset occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellCount {
    /// The number of the multiset, with [`Multiset::COUNT`] added for each family before its own.
    pub(super) index: u16,
    /// The number of such cells of the side to move less that of its opponent, now and one move
    /// earlier together.
    pub(super) count: i16,
}

/// A position, judged for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionSample {
    /// Where its cells end in [`Samples::cells`]; they begin where those of the one before end.
    cells_end: u32,
    /// The pair of strongest classes, with [`PAIRS`] added for each family before that of the side
    /// to move.
    pub(super) pair: u16,
    /// The score of the search.
    pub(super) score: i16,
    /// The result in halves of a point.
    pub(super) halves: u8,
}

/// A cell on which the side to move could have played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// The multiset of the side to move, numbered as in [`CellCount`].
    pub(super) own: u16,
    /// That of the opponent.
    pub(super) their: u16,
}

/// Samples, packed.
#[derive(Default, Debug)]
pub(super) struct Samples {
    positions: Vec<PositionSample>,
    cells: Vec<CellCount>,
    /// Where the candidates of each choice end.
    choices: Vec<u32>,
    /// The chosen one of each choice first.
    candidates: Vec<Candidate>,
}

impl Samples {
    /// Returns the positions with their cells.
    pub(super) fn positions(&self) -> impl Iterator<Item = (&PositionSample, &[CellCount])> {
        let mut start = 0;
        self.positions.iter().map(move |position| {
            let end = position.cells_end as usize;
            let cells = &self.cells[start..end];
            start = end;
            (position, cells)
        })
    }

    /// Returns the candidates of each choice, the chosen one first.
    pub(super) fn choices(&self) -> impl Iterator<Item = &[Candidate]> {
        let mut start = 0;
        self.choices.iter().map(move |&end| {
            let candidates = &self.candidates[start..end as usize];
            start = end as usize;
            candidates
        })
    }

    fn shrink(&mut self) {
        self.positions.shrink_to_fit();
        self.cells.shrink_to_fit();
        self.choices.shrink_to_fit();
        self.candidates.shrink_to_fit();
    }
}

/// Which games samples are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Those to learn from.
    Train,
    /// Those to check with.
    HeldOut,
}

impl Part {
    /// Returns the part of the game with this index.
    const fn of(game: u64) -> Part {
        if game.is_multiple_of(HOLD_OUT) { Part::HeldOut } else { Part::Train }
    }
}

/// The samples of a few games in a row.
#[derive(Default, Debug)]
pub(super) struct Block {
    train: Samples,
    held_out: Samples,
}

impl Block {
    /// Returns the samples of a part.
    pub(super) fn part(&self, part: Part) -> &Samples {
        match part {
            Part::Train => &self.train,
            Part::HeldOut => &self.held_out,
        }
    }

    fn part_mut(&mut self, part: Part) -> &mut Samples {
        match part {
            Part::Train => &mut self.train,
            Part::HeldOut => &mut self.held_out,
        }
    }
}

/// A game with a move that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnplayableGame {
    /// The number of the game, counted from 0 over all that were added.
    pub game: u64,
}

impl fmt::Display for UnplayableGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} has a move that cannot be played", self.game)
    }
}

impl std::error::Error for UnplayableGame {}

/// All samples of the games of one rule.
#[derive(Debug)]
pub struct SampleSet {
    rule: Rule,
    games: u64,
    pub(super) blocks: Vec<Block>,
}

impl SampleSet {
    /// Returns an empty set.
    #[must_use]
    pub fn new(rule: Rule) -> SampleSet {
        SampleSet { rule, games: 0, blocks: Vec::new() }
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the number of games added.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of positions, those held out included.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions_of(Part::Train) + self.positions_of(Part::HeldOut)
    }

    /// Returns the number of choices among moves, those held out included.
    #[must_use]
    pub fn choices(&self) -> u64 {
        self.choices_of(Part::Train) + self.choices_of(Part::HeldOut)
    }

    /// Returns the number of positions of a part.
    pub(super) fn positions_of(&self, part: Part) -> u64 {
        self.blocks.iter().map(|block| block.part(part).positions.len() as u64).sum()
    }

    /// Returns the number of choices of a part.
    pub(super) fn choices_of(&self, part: Part) -> u64 {
        self.blocks.iter().map(|block| block.part(part).choices.len() as u64).sum()
    }

    /// Adds games that were played on boards of one size, looking at several at a time. The samples
    /// do not depend on the number of threads. `progress` is told how many games were read so far.
    ///
    /// A position takes about 800 bytes.
    ///
    /// # Errors
    ///
    /// Returns [`UnplayableGame`] for the first game that cannot be replayed. Games before it may
    /// have been added.
    pub fn add(
        &mut self,
        size: Size,
        games: impl IntoIterator<Item = TrainingGame>,
        threads: usize,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), UnplayableGame> {
        let mut games = games.into_iter();
        loop {
            let batch: Vec<TrainingGame> =
                games.by_ref().take(BLOCK_GAMES * threads.max(1)).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let (rule, first) = (self.rule, self.games);
            let blocks: Vec<Result<Block, UnplayableGame>> = std::thread::scope(|scope| {
                let handles: Vec<_> = batch
                    .chunks(BLOCK_GAMES)
                    .enumerate()
                    .map(|(i, games)| {
                        let first = first + (i * BLOCK_GAMES) as u64;
                        scope.spawn(move || Extractor::new(rule).block(size, first, games))
                    })
                    .collect();
                handles.into_iter().map(|h| h.join().expect("no game panics")).collect()
            });
            for block in blocks {
                self.blocks.push(block?);
            }
            self.games += batch.len() as u64;
            progress(self.games);
        }
    }
}

/// Replays games and takes samples.
struct Extractor {
    rule: Rule,
    /// The number of black's cells less that of white's by multiset, now and one move earlier.
    now: Vec<i16>,
    before: Vec<i16>,
}

impl Extractor {
    fn new(rule: Rule) -> Extractor {
        let zeros = vec![0; families(rule).len() * Multiset::COUNT];
        Extractor { rule, now: zeros.clone(), before: zeros }
    }

    /// Returns the samples of games, of which the first has this index.
    fn block(
        &mut self,
        size: Size,
        first: u64,
        games: &[TrainingGame],
    ) -> Result<Block, UnplayableGame> {
        let mut block = Block::default();
        for (index, game) in (first..).zip(games) {
            let samples = block.part_mut(Part::of(index));
            self.game(size, game, samples).ok_or(UnplayableGame { game: index })?;
        }
        block.train.shrink();
        block.held_out.shrink();
        Ok(block)
    }

    /// Takes the samples of a game; returns `None` if it cannot be replayed.
    fn game(&mut self, size: Size, game: &TrainingGame, samples: &mut Samples) -> Option<()> {
        let tables = PatternTables::get(self.rule);
        let mut position = Position::with_tables(tables, Board::new(size), Color::Black);
        self.count(&position);
        for &point in &game.opening {
            position.play(point).ok()?;
            self.count(&position);
        }
        for played in &game.moves {
            if let Situation::Open(replies) = analyse(&mut position)
                && !replies.must_stop_five()
            {
                if !played.score.is_decisive() {
                    self.position(&position, played.score, game.result, samples);
                }
                if !played.score.is_loss() {
                    let set = replies.set().unwrap_or(position.tracker().near());
                    self.choice(&mut position, set.iter(), played.point, samples);
                }
            }
            position.play(played.point).ok()?;
            self.count(&position);
        }
        Some(())
    }

    /// Counts the cells of a position, and keeps the counts of the one before it.
    fn count(&mut self, position: &Position) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.fill(0);
        for point in position.tracker().empties().iter() {
            for (color, sign) in [(Color::Black, 1), (Color::White, -1)] {
                let index = self.index(position, point, color);
                self.now[usize::from(index)] += sign;
            }
        }
        if position.played() == 0 {
            // As the tracker does: nothing was there before.
            self.before.copy_from_slice(&self.now);
        }
    }

    /// Returns the number of a cell's multiset for a colour as in [`CellCount`].
    fn index(&self, position: &Position, point: Point, color: Color) -> u16 {
        let multiset = MULTISETS[usize::from(position.tracker().shapes(point, color))];
        (family_index(self.rule, color) * Multiset::COUNT) as u16 + multiset
    }

    fn position(
        &self,
        position: &Position,
        score: Score,
        result: GameResult,
        samples: &mut Samples,
    ) {
        let us = position.to_move();
        let sign = if us == Color::Black { 1 } else { -1 };
        for (index, (now, before)) in self.now.iter().zip(&self.before).enumerate() {
            if now + before != 0 {
                let count = sign * (now + before);
                samples.cells.push(CellCount { index: index as u16, count });
            }
        }
        let strongest = |color| position.counts(color).strongest().index();
        let pair = strongest(us) * PointClass::COUNT + strongest(!us);
        let halves = match result {
            GameResult::Draw => 1,
            GameResult::Black => 2 * u8::from(us == Color::Black),
            GameResult::White => 2 * u8::from(us == Color::White),
        };
        samples.positions.push(PositionSample {
            cells_end: samples.cells.len() as u32,
            pair: (family_index(self.rule, us) * PAIRS + pair) as u16,
            score: score.raw() as i16,
            halves,
        });
    }

    /// Takes a choice among cells, unless there is nothing to choose or something else was played.
    fn choice(
        &self,
        position: &mut Position,
        cells: impl Iterator<Item = Point>,
        chosen: Point,
        samples: &mut Samples,
    ) {
        let us = position.to_move();
        let start = samples.candidates.len();
        let mut place = None;
        for point in cells {
            if position.is_forbidden(point, us) {
                continue;
            }
            if point == chosen {
                place = Some(samples.candidates.len());
            }
            samples.candidates.push(Candidate {
                own: self.index(position, point, us),
                their: self.index(position, point, !us),
            });
        }
        match place {
            Some(place) if samples.candidates.len() > start + 1 => {
                samples.candidates.swap(start, place);
                samples.choices.push(samples.candidates.len() as u32);
            }
            _ => samples.candidates.truncate(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, PatternEvaluator};
    use crate::patterns::Weights;
    use crate::tuning::fit::testing::{games, opening};

    /// Returns the sum that the tracker keeps, in parts of a unit, twice the average, for the side
    /// to move.
    fn doubled_sum(weights: &Weights, cells: &[CellCount]) -> i32 {
        let value = |cell: &CellCount| {
            let family = usize::from(cell.index) / Multiset::COUNT;
            let multiset = Multiset::from_index(usize::from(cell.index) % Multiset::COUNT);
            // Families that are not shared are in the order of the colours.
            weights.of(Color::ALL[family]).cell(multiset) * i32::from(cell.count)
        };
        cells.iter().map(value).sum()
    }

    #[test]
    fn samples_hold_what_the_evaluation_is_made_of() {
        for rule in Rule::ALL {
            let weights = Weights::shipped(rule);
            let size = Size::square(15).unwrap();
            let mut rng = crate::rng::SplitMix64::new(1);
            for _ in 0..40 {
                let opening = opening(rule, size, &mut rng);
                let mut position = Position::new(rule, size);
                opening.iter().for_each(|&point| position.play(point).unwrap());
                let point = position.tracker().near().first().unwrap();
                let played = crate::tuning::ScoredMove { point, score: Score::ZERO };
                let game = TrainingGame { opening, moves: vec![played], result: GameResult::White };
                let mut samples = Samples::default();
                Extractor::new(rule).game(size, &game, &mut samples).unwrap();

                let (sample, cells) = samples.positions().next().expect("an open position");
                let us = position.to_move();
                let (now, before) = position.tracker().evals();
                let sum = if us == Color::Black { now + before } else { -(now + before) };
                assert_eq!(doubled_sum(&weights, cells), sum, "{rule}");
                let pair = usize::from(sample.pair) % PAIRS;
                let classes = [pair / PointClass::COUNT, pair % PointClass::COUNT];
                let [ours, theirs] = classes.map(PointClass::from_index);
                let rest = weights.of(us).initiative(ours, theirs);
                let parts = 2 * crate::patterns::info::EVAL_PARTS;
                assert_eq!(sum / parts + rest, PatternEvaluator.evaluate(&position).raw());
                assert_eq!(sample.halves, if us == Color::White { 2 } else { 0 });
                assert_eq!(usize::from(sample.pair) / PAIRS, family_index(rule, us));
            }
        }
    }

    #[test]
    fn candidates_are_the_legal_cells_near_a_stone_with_the_chosen_one_first() {
        let (rule, size) = (Rule::Renju, Size::square(15).unwrap());
        let game = &games(rule, size, 1, 5)[0];
        let mut samples = Samples::default();
        Extractor::new(rule).game(size, game, &mut samples).unwrap();
        let candidates = samples.choices().next().expect("a choice");

        let mut position = Position::new(rule, size);
        game.opening.iter().for_each(|&point| position.play(point).unwrap());
        let near = position.tracker().near();
        let us = position.to_move();
        let legal = near.iter().filter(|&p| !position.is_forbidden(p, us)).count();
        assert_eq!(candidates.len(), legal);
        let weights = Weights::shipped(rule);
        let order = |c: &Candidate| {
            let of = |index: u16| {
                let color = Color::ALL[usize::from(index) / Multiset::COUNT];
                let multiset = Multiset::from_index(usize::from(index) % Multiset::COUNT);
                (weights.of(color).order_own(multiset), weights.of(color).order_their(multiset))
            };
            of(c.own).0 + of(c.their).1
        };
        let chosen = game.moves[0].point;
        assert_eq!(order(&candidates[0]), position.tracker().order(chosen, us));
        let sum = |all: &mut dyn Iterator<Item = i32>| all.sum::<i32>();
        assert_eq!(
            sum(&mut candidates.iter().map(order)),
            sum(&mut near
                .iter()
                .filter(|&p| !position.clone().is_forbidden(p, us))
                .map(|p| position.tracker().order(p, us)))
        );
    }

    #[test]
    fn every_sixteenth_game_is_held_out() {
        let size = Size::square(15).unwrap();
        let mut set = SampleSet::new(Rule::Freestyle);
        set.add(size, games(Rule::Freestyle, size, 3, 100), 2, &mut |_| {}).unwrap();
        assert_eq!(set.games(), 100);
        assert_eq!(set.positions_of(Part::HeldOut), 7);
        assert_eq!(set.positions(), 100);
    }

    #[test]
    fn games_that_cannot_be_played_are_named() {
        let size = Size::square(15).unwrap();
        let mut games = games(Rule::Standard, size, 4, 70);
        games[66].moves[0].point = games[66].opening[0];
        let mut set = SampleSet::new(Rule::Standard);
        let error = set.add(size, games, 1, &mut |_| {}).unwrap_err();
        assert_eq!(error, UnplayableGame { game: 66 });
    }
}

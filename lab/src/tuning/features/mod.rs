//! The samples of a fit: counts of cells by their shapes, and choices among moves.
//!
//! A *position* sample says how often each pattern set occurs among the empty cells, now and
//! one move earlier as the evaluation averages them, which classes are the strongest, what a search
//! thought and, unless it is a leaf of a search, how the game ended. A *choice* sample says which
//! shapes the candidates of a node have, and which of them the search chose.
//!
//! Samples are kept in blocks of a fixed number of games. Blocks are what threads divide among
//! themselves, and sums over blocks are added in the order of the games, so that nothing that is
//! computed from them depends on the number of threads.

use super::game::{ScoredMove, TrainingGame, TrainingResult};
use tengen_core::patterns::{Family, PatternSet, PointClass};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Point, PointSet, Score, Size};
use tengen_files::work::{Progress, run_parts};

/// The number of games in a block.
const BLOCK_GAMES: usize = 32;

/// One game of this many is held out: nothing is learnt from it, and the loss on it shows how well
/// what was learnt holds elsewhere.
const HOLD_OUT: u64 = 16;

/// The number of tempo values of a family.
pub(super) const PAIRS: usize = PointClass::COUNT * PointClass::COUNT;

/// The number of cells with a pattern set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellCount {
    /// The index of the pattern set, with [`PatternSet::COUNT`] added for each family before its
    /// own.
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
    /// The score of the search. Only what has no result may be proven.
    pub(super) score: i16,
    /// The result in halves of a point; that of a leaf nobody knows, as no game came to it.
    pub(super) halves: Option<u8>,
}

/// A cell on which the side to move could have played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChoiceCandidate {
    /// The pattern set of the side to move, numbered as in [`CellCount`].
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
    candidates: Vec<ChoiceCandidate>,
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
    pub(super) fn choices(&self) -> impl Iterator<Item = &[ChoiceCandidate]> {
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

/// The part of the games that samples are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SamplePart {
    /// Those to learn from.
    Train,
    /// Those to check with.
    HeldOut,
}

impl SamplePart {
    /// Returns the part of the game with this index.
    pub(super) const fn of(game: u64) -> SamplePart {
        if game.is_multiple_of(HOLD_OUT) { SamplePart::HeldOut } else { SamplePart::Train }
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
    pub(super) fn part(&self, part: SamplePart) -> &Samples {
        match part {
            SamplePart::Train => &self.train,
            SamplePart::HeldOut => &self.held_out,
        }
    }

    fn part_mut(&mut self, part: SamplePart) -> &mut Samples {
        match part {
            SamplePart::Train => &mut self.train,
            SamplePart::HeldOut => &mut self.held_out,
        }
    }
}

/// A game with a move that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game} has a move that cannot be played")]
pub struct UnplayableGame {
    /// The number of the game, counted from 0 over all that were added.
    pub game: u64,
}

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

    /// Returns the number of positions, leaves and those held out included.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions_of(SamplePart::Train) + self.positions_of(SamplePart::HeldOut)
    }

    /// Returns the number of choices among moves, those held out included.
    #[must_use]
    pub fn choices(&self) -> u64 {
        self.choices_of(SamplePart::Train) + self.choices_of(SamplePart::HeldOut)
    }

    /// Returns the number of positions of a part.
    pub(super) fn positions_of(&self, part: SamplePart) -> u64 {
        self.blocks.iter().map(|block| block.part(part).positions.len() as u64).sum()
    }

    /// Returns the number of choices of a part.
    pub(super) fn choices_of(&self, part: SamplePart) -> u64 {
        self.blocks.iter().map(|block| block.part(part).choices.len() as u64).sum()
    }

    /// Adds games that were played on boards of one size, looking at several at a time. The samples
    /// do not depend on the number of threads. `progress` receives the number of games read so far.
    ///
    /// A position takes about 800 bytes, a leaf as well.
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
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), UnplayableGame> {
        let mut games = games.into_iter();
        loop {
            let batch: Vec<TrainingGame> =
                games.by_ref().take(BLOCK_GAMES * threads.max(1)).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let (rule, first) = (self.rule, self.games);
            let blocks = in_parallel(first, &batch, BLOCK_GAMES, |first, games| {
                Extractor::new(rule).block(size, first, games)
            });
            for block in blocks {
                self.blocks.push(block?);
            }
            self.games += batch.len() as u64;
            progress(Progress { done: self.games, by_this_run: self.games });
        }
    }
}

/// Works on chunks of games, each in a thread of its own, and returns the results in the order of the
/// games. `work` receives the index of the first game of its chunk; that of the first one is `first`.
pub(super) fn in_parallel<T: Send>(
    first: u64,
    games: &[TrainingGame],
    chunk: usize,
    work: impl Fn(u64, &[TrainingGame]) -> T + Sync,
) -> Vec<T> {
    let parts = games.len().div_ceil(chunk);
    run_parts(parts, parts, |part| {
        let start = part * chunk;
        let end = games.len().min(start + chunk);
        work(first + start as u64, &games[start..end])
    })
}

/// The number of black's cells less that of white's by pattern set, in a position and one move
/// earlier.
#[derive(Clone, Debug)]
struct PatternTally {
    now: Vec<i16>,
    before: Vec<i16>,
}

impl PatternTally {
    fn new(rule: Rule) -> PatternTally {
        let zeros = vec![0; Family::all_of(rule).len() * PatternSet::COUNT];
        PatternTally { now: zeros.clone(), before: zeros }
    }

    /// Counts the cells of a position, and keeps the counts of the one before it.
    fn count(&mut self, position: &Position) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.fill(0);
        for point in position.tracker().empties().iter() {
            for (color, sign) in [(Color::Black, 1), (Color::White, -1)] {
                self.now[usize::from(cell_index(position, point, color))] += sign;
            }
        }
        if position.played() == 0 {
            // As the tracker does: nothing was there before.
            self.before.copy_from_slice(&self.now);
        }
    }

    /// Returns the cells as the evaluation counts them for a side, by pattern set.
    fn cells(&self, us: Color) -> impl Iterator<Item = CellCount> {
        let sign = if us == Color::Black { 1 } else { -1 };
        let both =
            self.now.iter().zip(&self.before).map(move |(now, before)| sign * (now + before));
        both.zip(0..)
            .filter(|&(count, _)| count != 0)
            .map(|(count, index)| CellCount { index, count })
    }
}

/// Returns the index of a cell's pattern set for a colour as in [`CellCount`].
fn cell_index(position: &Position, point: Point, color: Color) -> u16 {
    let set = position.tracker().info(point, color).set_index();
    (Family::index_of(position.rule(), color) * PatternSet::COUNT + set) as u16
}

/// A position of a game that a search judged.
pub(super) struct JudgedPosition<'a> {
    /// The position.
    pub(super) position: &'a mut Position,
    /// The best move, and its score for the side to move.
    pub(super) best: ScoredMove,
    /// The result of the game; of a leaf nobody knows, as no game came to it.
    pub(super) result: Option<TrainingResult>,
}

/// Replays a game and shows every position that a search judged, in the order of the moves, each
/// with the leaves of its search after it. Returns `None` if the game cannot be replayed.
pub(super) fn replay(
    rule: Rule,
    size: Size,
    game: &TrainingGame,
    show: &mut dyn FnMut(JudgedPosition<'_>),
) -> Option<()> {
    let mut position = Position::new(rule, size);
    for &point in &game.opening {
        position.play(point).ok()?;
    }
    let mut leaves = game.leaves.iter().peekable();
    for (after, &best) in game.moves.iter().enumerate() {
        show(JudgedPosition { position: &mut position, best, result: Some(game.result) });
        while let Some(leaf) = leaves.next_if(|leaf| leaf.after == after) {
            // Without a move it would be the position above.
            if leaf.path.is_empty() {
                return None;
            }
            for &point in &leaf.path {
                position.play(point).ok()?;
            }
            show(JudgedPosition { position: &mut position, best: leaf.judged, result: None });
            leaf.path.iter().for_each(|_| position.undo());
        }
        position.play(best.point).ok()?;
    }
    // The rest belongs to no move.
    leaves.next().is_none().then_some(())
}

/// Replays games and takes samples.
struct Extractor {
    rule: Rule,
    tally: PatternTally,
}

impl Extractor {
    fn new(rule: Rule) -> Extractor {
        Extractor { rule, tally: PatternTally::new(rule) }
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
            let samples = block.part_mut(SamplePart::of(index));
            self.game(size, game, samples).ok_or(UnplayableGame { game: index })?;
        }
        block.train.shrink();
        block.held_out.shrink();
        Ok(block)
    }

    /// Takes the samples of a game; returns `None` if it cannot be replayed.
    fn game(&mut self, size: Size, game: &TrainingGame, samples: &mut Samples) -> Option<()> {
        replay(self.rule, size, game, &mut |judged| take(judged, &mut self.tally, samples))
    }
}

/// Returns the replies in a position that there is something to learn from: no four must be
/// answered and threats decide nothing, so that a search would evaluate it.
pub(super) fn undecided(position: &mut Position) -> Option<Replies> {
    match full_threat_check(position) {
        ThreatCheck::Open(replies) if !replies.must_stop_five() => Some(replies),
        _ => None,
    }
}

/// Returns whether the score of an undecided position is something to learn from.
///
/// A game ends with a row of positions that are decided alike; a leaf is on its own, and what wins
/// or loses is what it is to tell.
pub(super) const fn tells_value(best: ScoredMove, result: Option<TrainingResult>) -> bool {
    result.is_none() || !best.score.is_decisive()
}

/// Takes the samples of a position if it is undecided.
fn take(judged: JudgedPosition<'_>, tally: &mut PatternTally, samples: &mut Samples) {
    let JudgedPosition { position, best, result } = judged;
    let Some(replies) = undecided(position) else { return };
    if tells_value(best, result) {
        take_position(position, tally, best.score, result, samples);
    }
    if let Some(set) = choice(position, &replies, best) {
        take_choice(position, set, best.point, samples);
    }
}

/// Returns the cells among which a search chose its move in an undecided position, unless there is
/// nothing to learn from that: there was no choice, something else was chosen, or all moves lose.
pub(super) fn choice(
    position: &mut Position,
    replies: &Replies,
    best: ScoredMove,
) -> Option<PointSet> {
    let us = position.to_move();
    let set = replies.set().unwrap_or(position.tracker().near());
    let set: PointSet = set.iter().filter(|&point| !position.is_forbidden(point, us)).collect();
    (!best.score.is_loss() && set.contains(best.point) && set.len() > 1).then_some(set)
}

fn take_position(
    position: &mut Position,
    tally: &mut PatternTally,
    score: Score,
    result: Option<TrainingResult>,
    samples: &mut Samples,
) {
    if let Some(last) = position.last_move(0) {
        position.undo();
        tally.count(position);
        position.play_unchecked(last);
    }
    tally.count(position);
    let us = position.to_move();
    samples.cells.extend(tally.cells(us));
    let strongest = |color| position.counts(color).strongest().index();
    let pair = strongest(us) * PointClass::COUNT + strongest(!us);
    let halves = result.map(|result| result.half_points(us));
    samples.positions.push(PositionSample {
        cells_end: samples.cells.len() as u32,
        pair: (Family::index_of(position.rule(), us) * PAIRS + pair) as u16,
        // Every score fits; see its documentation.
        score: score.raw() as i16,
        halves,
    });
}

/// Takes a choice among cells.
fn take_choice(position: &Position, cells: PointSet, chosen: Point, samples: &mut Samples) {
    let us = position.to_move();
    let candidate = |point| ChoiceCandidate {
        own: cell_index(position, point, us),
        their: cell_index(position, point, !us),
    };
    let others = cells.iter().filter(|&point| point != chosen);
    samples.candidates.extend(std::iter::once(chosen).chain(others).map(candidate));
    samples.choices.push(samples.candidates.len() as u32);
}

#[cfg(test)]
mod tests;

//! Judging positions of games again, with other nodes.
//!
//! The result is a corpus of the same games, each with only those positions as leaves that were judged
//! again. A position that a game came to is a leaf as well, one move from the one before. Each is judged by a
//! search that knows nothing of others, so that what is said of it follows from the position, the nodes
//! and the evaluation alone.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::corpus::{CorpusReader, CorpusStore};
use super::error::GamesError;
use super::features::undecided;
use super::game::{Leaf, SelfPlayGame, TrainingGame};
use super::selfplay::{EarlierGames, LeafJudge, PROCEDURE, Relabelling, SelfPlayOptions};
use super::sources::crc_of_files;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::search::STACK_BYTES;
use tengen_core::types::Size;
use tengen_files::resume::FileError;
use tengen_files::work::{Delivery, NumberedWork, Progress, Stop, run_in_order};

/// The number of games for each thread that may be begun before it is their turn.
const AHEAD: u64 = 32;

/// Which positions of games are judged again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelabelChoice {
    /// Whether positions that the games came to are judged as well, not only leaves.
    pub roots: bool,
    /// The number of positions, drawn at random from all; `None` for all of them.
    pub count: Option<u64>,
    /// The start of the random numbers.
    pub seed: u64,
}

/// Positions of games that are to be judged again.
#[derive(Debug)]
pub struct RelabelPlan {
    paths: Vec<PathBuf>,
    choice: RelabelChoice,
    options: SelfPlayOptions,
    crc: u32,
    /// The number of positions of each game that could be chosen.
    candidates: Vec<u32>,
}

impl RelabelPlan {
    /// Reads corpora of one rule and size. `progress` receives the number of games read so far.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no file, one can't be read, they are of different rules or sizes, or a
    /// game can't be replayed.
    pub fn new(
        paths: &[PathBuf],
        choice: RelabelChoice,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<RelabelPlan, GamesError> {
        let options = *CorpusReader::open(paths.first().ok_or(GamesError::NoFiles)?)?.options();
        let (mut candidates, mut crcs) = (Vec::new(), Vec::new());
        for path in paths {
            let mut reader = CorpusReader::open(path)?;
            let &SelfPlayOptions { rule, size, .. } = reader.options();
            if rule != options.rule {
                let wanted = options.rule;
                return Err(GamesError::OtherRule { path: path.clone(), rule, wanted });
            }
            if size != options.size {
                let wanted = options.size;
                return Err(GamesError::OtherSize { path: path.clone(), size, wanted });
            }
            for (place, played) in (1..).zip(&mut reader) {
                let found = positions(rule, size, &played?.game, choice.roots);
                candidates.push(found.ok_or_else(|| unplayable(path, place))?.len() as u32);
                let number = candidates.len() as u64;
                progress(Progress { done: number, by_this_run: number });
            }
            crcs.push(reader.crc());
        }
        let (paths, crc) = (paths.to_vec(), crc_of_files(&crcs));
        Ok(RelabelPlan { paths, choice, options, crc, candidates })
    }

    /// Returns the rule of the games.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.options.rule
    }

    /// Returns the number of positions that are chosen.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let all = self.candidates.iter().copied().map(u64::from).sum();
        self.choice.count.map_or(all, |count| count.min(all))
    }

    /// Returns what the result is made with: the options of the first file's games, and how positions
    /// are judged, by an evaluation with these checksums.
    #[must_use]
    pub fn options(&self, leaf_nodes: u64, weights: u32, network: u32) -> SelfPlayOptions {
        let RelabelChoice { roots, count, seed } = self.choice;
        let count = count.unwrap_or(u64::MAX);
        let relabelling = Relabelling { sources: self.crc, weights, network, roots, count, seed };
        // Only headers of today have room for it.
        let options = self.options.in_procedure(PROCEDURE);
        SelfPlayOptions { leaf_nodes, relabelling: Some(relabelling), ..options }
    }

    fn draw(&self) -> LeafDraw {
        let left = self.candidates.iter().copied().map(u64::from).sum();
        LeafDraw { left, wanted: self.positions(), rng: SplitMix64::new(self.choice.seed) }
    }

    /// Returns the number of games of which a position is chosen.
    fn games(&self) -> u64 {
        let mut draw = self.draw();
        let picked = self.candidates.iter().filter(|&&candidates| {
            // All must be asked about, whatever the first answers.
            (0..candidates).filter(|_| draw.takes()).count() > 0
        });
        picked.count() as u64
    }

    /// Judges the positions with a thread for each judge, and adds their games to a corpus that was
    /// opened with [`RelabelPlan::options`] and has `begun`. `progress` receives the number of positions.
    ///
    /// # Errors
    ///
    /// Returns an error if a source can't be read, the last game would be another one now, the corpus can't
    /// be written, or the system refuses a thread. What was judged before is kept.
    ///
    /// # Panics
    ///
    /// Panics if a judge does.
    pub fn run(
        &self,
        leaf_nodes: u64,
        begun: &EarlierGames,
        mut judges: Vec<LeafJudge>,
        store: &mut CorpusStore,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), GamesError> {
        let (rule, size) = (self.options.rule, self.options.size);
        let done = begun.counts.games;
        let queue = GameQueue::new(self, done.saturating_sub(1));
        if let Some(last) = &begun.last {
            let first = judges.first_mut().ok_or(GamesError::NoMind)?;
            let mut again = queue.take(done - 1)?;
            judge(rule, size, &mut again.game, leaf_nodes, first, &Stop::new());
            if again != *last {
                return Err(GamesError::OtherEngine { game: done });
            }
        }
        let ahead = AHEAD * judges.len() as u64;
        let range = done..self.games().max(done);
        let numbers = NumberedWork { range, ahead, stack_bytes: STACK_BYTES };
        let work = |by: &mut LeafJudge, number: u64, _: u32, stop: &Stop| {
            let mut played = queue.take(number)?;
            judge(rule, size, &mut played.game, leaf_nodes, by, stop);
            Ok(played)
        };
        let mut now = Progress { done: begun.counts.leaves, by_this_run: 0 };
        progress(now);
        let mut deliver = |_, played: Result<SelfPlayGame, GamesError>| {
            let played = played?;
            store.append(&played)?;
            now.done += played.game.leaves.len() as u64;
            now.by_this_run += played.game.leaves.len() as u64;
            progress(now);
            Ok::<_, GamesError>(Delivery::Taken)
        };
        run_in_order(numbers, judges, BTreeMap::new(), &Stop::new(), work, &mut deliver)
    }
}

/// Judges the leaves of a game anew, until `stop` is set.
fn judge(
    rule: Rule,
    size: Size,
    game: &mut TrainingGame,
    nodes: u64,
    by: &mut LeafJudge,
    stop: &Stop,
) {
    for leaf in &mut game.leaves {
        if stop.is_set() {
            return;
        }
        let moves = game.moves[..leaf.after].iter().map(|scored| scored.point);
        let mut position = Position::new(rule, size);
        game.opening
            .iter()
            .copied()
            .chain(moves)
            .chain(leaf.path.iter().copied())
            .for_each(|point| position.play_unchecked(point));
        by.forget();
        // Only a full board has no move, and no leaf is one.
        leaf.judged = by.judge(&position, nodes).unwrap_or(leaf.judged);
    }
}

/// Returns the positions of a game that can be judged again, as leaves; `None` if it can't be replayed.
fn positions(rule: Rule, size: Size, game: &TrainingGame, roots: bool) -> Option<Vec<Leaf>> {
    let mut position = Position::new(rule, size);
    for &point in &game.opening {
        position.play(point).ok()?;
    }
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut leaves = game.leaves.iter().peekable();
    for (after, played) in game.moves.iter().enumerate() {
        while let Some(leaf) = leaves.next_if(|leaf| leaf.after == after) {
            for &point in &leaf.path {
                position.play(point).ok()?;
            }
            if seen.insert(position.key()) {
                found.push(leaf.clone());
            }
            leaf.path.iter().for_each(|_| position.undo());
        }
        position.play(played.point).ok()?;
        // After the last move nobody thinks.
        if let Some(&judged) = game.moves.get(after + 1)
            && roots
            && undecided(&mut position).is_some()
            && seen.insert(position.key())
        {
            found.push(Leaf { after, path: vec![played.point], judged });
        }
    }
    leaves.next().is_none().then_some(found)
}

fn unplayable(path: &Path, game: u64) -> GamesError {
    GamesError::Unplayable { path: path.to_owned(), game }
}

/// A choice of some among a known number, each as likely as the others: algorithm S of Knuth.
struct LeafDraw {
    /// Those that were not asked about yet.
    left: u64,
    /// Those among them that are to be taken.
    wanted: u64,
    rng: SplitMix64,
}

impl LeafDraw {
    /// Returns whether the next one is taken.
    fn takes(&mut self) -> bool {
        let Some(after) = self.left.checked_sub(1) else { return false };
        let takes = (self.rng.below(self.left as usize) as u64) < self.wanted;
        self.left = after;
        self.wanted -= u64::from(takes);
        takes
    }
}

/// The games of a plan with the leaves that are to be judged, for threads that ask by number.
struct GameQueue<'a>(Mutex<PickedGames<'a>>);

/// The games of a plan, in their order.
struct PickedGames<'a> {
    plan: &'a RelabelPlan,
    draw: LeafDraw,
    /// The files that were not opened yet.
    paths: std::slice::Iter<'a, PathBuf>,
    reader: Option<CorpusReader>,
    /// The first game that is asked for.
    first: u64,
    /// The number of the next game.
    next: u64,
    /// Games that were passed over: their threads are late.
    passed: BTreeMap<u64, SelfPlayGame>,
}

impl<'a> GameQueue<'a> {
    /// Begins with game number `first`.
    fn new(plan: &'a RelabelPlan, first: u64) -> GameQueue<'a> {
        let (draw, paths, reader) = (plan.draw(), plan.paths.iter(), None);
        let passed = BTreeMap::new();
        GameQueue(Mutex::new(PickedGames { plan, draw, paths, reader, first, next: 0, passed }))
    }

    /// Returns a game by its number, once.
    fn take(&self, number: u64) -> Result<SelfPlayGame, GamesError> {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while games.next <= number {
            let (at, game) = (games.next, games.read()?);
            games.next += 1;
            // Those before were judged by an earlier run.
            if at >= games.first {
                games.passed.insert(at, game);
            }
        }
        games.passed.remove(&number).ok_or_else(|| games.changed())
    }
}

impl PickedGames<'_> {
    /// Returns the error of files that are not what they were when the plan was made.
    fn changed(&self) -> GamesError {
        FileError::Changed(self.plan.paths.last().cloned().unwrap_or_default()).into()
    }

    /// Returns the next game of which a position is chosen.
    fn read(&mut self) -> Result<SelfPlayGame, GamesError> {
        loop {
            let Some(reader) = &mut self.reader else {
                let path = self.paths.next().ok_or_else(|| self.changed())?;
                self.reader = Some(CorpusReader::open(path)?);
                continue;
            };
            let Some(played) = reader.next() else {
                self.reader = None;
                continue;
            };
            let mut played = played?;
            let SelfPlayOptions { rule, size, .. } = self.plan.options;
            let found = positions(rule, size, &played.game, self.plan.choice.roots);
            let found = found.ok_or_else(|| unplayable(reader.path(), reader.games()))?;
            played.game.leaves = found.into_iter().filter(|_| self.draw.takes()).collect();
            if !played.game.leaves.is_empty() {
                return Ok(played);
            }
        }
    }
}

#[cfg(test)]
mod tests;

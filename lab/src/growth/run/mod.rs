//! The growth of a tree: who searches what, and what becomes of it.

use std::collections::BTreeSet;
use std::time::Duration;

use thiserror::Error;

use super::expand::{Expander, Expansion, FoundEntries};
use super::tree::{GrowthTree, NodeId};
use tengen_core::rules::find_winner;
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Bound, Point, Score};
use tengen_core::{prover, search};
use tengen_engine::database::{
    DatabaseError, DatabaseWriter, Evaluation, Placement, PositionDatabase, PositionEntry,
    PositionKey, ProvenResult, Stored,
};
use tengen_files::work::{JobSource, Stop, ThreadError, run_as_done};

/// The factor of nodes for a position to which only best moves lead: the value of the root
/// depends on it.
const BEST_FACTOR: u64 = 4;
/// The stack of a thread, which searches and proves.
const THREAD_STACK: usize = search::STACK_BYTES + prover::STACK_BYTES;
/// The lines that are named at the end because they would be searched next.
const LOOSE_LINES: usize = 5;

/// The settings of growth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowthOptions {
    /// The nodes of the search for each move of a position, at least 1; the prover gets as many, and a
    /// quarter for each move. A position to which only best moves lead gets four times as many. The
    /// position after each move is searched by itself with 4 to 64 times as many.
    pub nodes: u64,
    /// The number of moves that are searched of each position, at least 1.
    pub width: usize,
    /// The most that the moves to a position may be worse than the best ones, all together, in units of
    /// the evaluation.
    pub margin: u32,
    /// The additional cost of every move.
    pub ply_price: u32,
    /// Ends at this number of positions in the tree.
    pub most_positions: Option<u64>,
    /// Ends after this time.
    pub time: Option<Duration>,
    /// Ends when the root has been settled for this number of searches.
    pub settled: Option<u64>,
    /// The change of the root's value up to which it is settled, in units of the evaluation.
    pub tolerance: u32,
    /// The number of threads, at least 1, each of which searches a position.
    pub threads: usize,
    /// The size of the tables of the search and of the prover of each thread, in bytes.
    pub table_bytes: usize,
}

/// The reason why growth ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrowthEnd {
    /// The root is won, lost or drawn.
    Proven,
    /// All positions within the margin have been searched.
    Complete,
    /// The value and the best move of the root have not changed for long enough.
    Settled,
    /// There are enough positions.
    Positions,
    /// The time is over.
    Time,
    /// It was stopped.
    Stopped,
}

/// The progress of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrowthState {
    /// The number of positions in the tree.
    pub positions: u64,
    /// The number of searches of this run.
    pub searches: u64,
    /// Knowledge about the root.
    pub root: PositionEntry,
    /// The best moves, each with what is known of the position after it.
    pub line: Vec<GrowthMove>,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrowthMove {
    /// The move, on the board of the root.
    pub point: Point,
    /// The value of the position after it, for its side to move.
    pub value: Option<Score>,
    /// The proven result of that position.
    pub result: Option<ProvenResult>,
}

/// A tree that has grown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrowthSummary {
    /// The reason why it ended.
    pub end: GrowthEnd,
    /// The final state.
    pub state: GrowthState,
    /// The number of positions whose moves were searched, by this run or an earlier one.
    pub expanded: u64,
    /// The number of positions with a proven result.
    pub proven: u64,
    /// The lines to the positions that would be searched next, each with its price in units of the
    /// evaluation: where values are still loose.
    pub loose: Vec<(Vec<GrowthMove>, u32)>,
}

/// An error in growing a tree.
#[derive(Debug, Error)]
pub enum GrowthError {
    /// The file can't be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] AllocError),
    /// The system refuses a thread.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The game is over at the root.
    #[error("the game is over in this position")]
    Over,
}

/// Grows the tree of a position until a limit is reached or `stop` is set. `progress` receives the state of
/// the tree, at first and when it has changed.
///
/// Everything is in the database when this returns, and at any moment all but the searches that are
/// going on: the same call goes on from there. With one thread the tree follows from the options but the
/// time, however often it was interrupted.
///
/// # Errors
///
/// Returns an error if the file can't be read or written, if there is too little memory, or if the game
/// is over at the root.
///
/// # Panics
///
/// Panics if there is no thread, width or node, or if a search does.
pub fn grow(
    database: &PositionDatabase,
    root: &Placement,
    options: &GrowthOptions,
    stop: &Stop,
    progress: &mut dyn FnMut(&GrowthState),
) -> Result<GrowthSummary, GrowthError> {
    assert!(options.threads > 0 && options.width > 0 && options.nodes > 0, "there is work to do");
    if find_winner(root.board(), root.rule()).is_some() || root.board().empty_cells() == 0 {
        return Err(GrowthError::Over);
    }
    let ply_price = i64::from(options.ply_price);
    let enough = stop.part_within(options.time.unwrap_or(Duration::MAX));
    let tree = GrowthTree::load(&database.read()?, root.key().key, ply_price, stop)?;
    let calm = Calm::of(&tree);
    let mut growth = Growth {
        database,
        root,
        options,
        tree,
        searches: 0,
        calm,
        end: None,
        stop,
        enough: &enough,
        progress,
    };
    if stop.is_set() {
        return growth.summary(GrowthEnd::Stopped);
    }
    growth.repair()?;
    let expanders = (0..options.threads).map(|_| Expander::new(root.rule(), options.table_bytes));
    let expanders: Vec<Expander> = expanders.collect::<Result<_, _>>()?;
    growth.tell()?;
    let work = |expander: &mut Expander, (node, expansion): (SearchedNode, _), stop: &Stop| {
        (node, expander.expand(&expansion, stop))
    };
    run_as_done(expanders, THREAD_STACK, &enough, work, &mut growth)?;
    let end = growth.end.unwrap_or(GrowthEnd::Complete);
    growth.summary(end)
}

/// The number of searches since the root changed.
struct Calm {
    value: Option<Score>,
    best: Option<NodeId>,
    searches: u64,
    /// True if a position to which only best moves lead was searched since.
    was_tested: bool,
}

impl Calm {
    fn of(tree: &GrowthTree) -> Calm {
        let best = tree.principal_variation().first().copied();
        Calm { value: tree.value(GrowthTree::ROOT), best, searches: 0, was_tested: false }
    }

    /// Notes that a position was searched.
    fn note(&mut self, tree: &GrowthTree, is_best: bool, tolerance: u32) {
        let now = Calm::of(tree);
        let is_near = match (self.value, now.value) {
            (Some(a), Some(b)) => a.raw().abs_diff(b.raw()) <= tolerance,
            _ => false,
        };
        if is_near && now.best == self.best {
            self.searches += 1;
            self.was_tested |= is_best;
        } else {
            *self = now;
        }
    }
}

/// A tree that grows.
struct Growth<'a> {
    database: &'a PositionDatabase,
    root: &'a Placement,
    options: &'a GrowthOptions,
    tree: GrowthTree,
    searches: u64,
    calm: Calm,
    /// Why it ended, once it has.
    end: Option<GrowthEnd>,
    stop: &'a Stop,
    /// Set at the end, or by the time: what is still searched is not wanted any more.
    enough: &'a Stop,
    progress: &'a mut dyn FnMut(&GrowthState),
}

/// A position that is being searched.
#[derive(Clone, Copy)]
struct SearchedNode {
    id: NodeId,
    /// True if only best moves lead there.
    is_best: bool,
}

/// Hands positions out and takes what was found, until it is over.
impl JobSource<(SearchedNode, Expansion), (SearchedNode, Option<FoundEntries>)> for Growth<'_> {
    type Error = GrowthError;

    fn next(&mut self) -> Result<Option<(SearchedNode, Expansion)>, GrowthError> {
        self.end = self.end.or_else(|| self.reason_to_end());
        if self.end.is_some() {
            self.enough.request();
            return Ok(None);
        }
        let Some((path, is_best)) = self.cheapest() else { return Ok(None) };
        let id = path[path.len() - 1];
        let expansion = self.expansion(id, is_best)?;
        self.tree.set_busy(id, true);
        Ok(Some((SearchedNode { id, is_best }, expansion)))
    }

    fn take(
        &mut self,
        (node, found): (SearchedNode, Option<FoundEntries>),
    ) -> Result<(), GrowthError> {
        // A search that was broken off has found nothing, and after the end nothing is learnt.
        if let (Some(found), None) = (found, self.end) {
            self.learn(node, &found)?;
            self.tell()?;
        }
        Ok(())
    }
}

impl Growth<'_> {
    /// Propagates edits made between two runs.
    fn repair(&mut self) -> Result<(), DatabaseError> {
        let stale: BTreeSet<PositionKey> = self.tree.stale().into_iter().collect();
        if stale.is_empty() {
            return Ok(());
        }
        let judged = |key: &PositionKey| self.tree.is_key_expanded(key);
        let touched = self.database.write(|writer| writer.lift(stale, &judged))?;
        self.take_over(&touched)
    }

    /// Lets the tree take over what has changed in the database.
    fn take_over(&mut self, touched: &[Stored]) -> Result<(), DatabaseError> {
        let reader = self.database.read()?;
        for stored in touched {
            self.tree.update(&reader, &stored.key, &stored.entry)?;
        }
        Ok(())
    }

    /// Tells how far the tree is.
    fn tell(&mut self) -> Result<(), DatabaseError> {
        let state = self.state()?;
        (self.progress)(&state);
        Ok(())
    }

    /// Returns why the tree does not grow any more, if it does not.
    fn reason_to_end(&self) -> Option<GrowthEnd> {
        let options = self.options;
        if self.stop.is_set() {
            Some(GrowthEnd::Stopped)
        } else if self.tree.result(GrowthTree::ROOT).is_some() {
            Some(GrowthEnd::Proven)
        } else if options.most_positions.is_some_and(|most| self.tree.len() >= most) {
            Some(GrowthEnd::Positions)
        } else if options.settled.is_some_and(|n| self.calm.searches >= n && self.calm.was_tested) {
            Some(GrowthEnd::Settled)
        } else if self.enough.is_set() {
            Some(GrowthEnd::Time)
        } else {
            None
        }
    }

    /// Returns the way to the next position to be searched.
    fn cheapest(&self) -> Option<(Vec<NodeId>, bool)> {
        let is_near = |&price: &i64| price <= i64::from(self.options.margin);
        self.tree.price().filter(is_near).and_then(|_| self.tree.cheapest())
    }

    fn expansion(&self, id: NodeId, is_best: bool) -> Result<Expansion, DatabaseError> {
        let placement = self.tree.key(id).placement();
        let (mut lost, mut left_out) = (Vec::new(), Vec::new());
        let moves = self.database.read()?.moves(&placement)?.into_iter();
        for next in moves.filter(|next| !placement.forbids(next.point)) {
            if let Some(ProvenResult::Win(plies)) = next.entry.result {
                lost.push((next.point, plies.map(|plies| plies.saturating_add(1))));
            } else if next.entry.is_left_out() {
                left_out.push(next.point);
            }
        }
        let factor = if is_best { BEST_FACTOR } else { 1 };
        let settling = self.options.nodes;
        let nodes = settling.saturating_mul(factor);
        let width = self.options.width;
        Ok(Expansion { placement, nodes, settling, width, lost, left_out })
    }

    /// Saves what a search has found, with all that follows from it.
    fn learn(
        &mut self,
        SearchedNode { id, is_best }: SearchedNode,
        found: &FoundEntries,
    ) -> Result<(), DatabaseError> {
        let key = self.tree.key(id).clone();
        let was_expanded = self.tree.is_expanded(id);
        // From now on its moves say how good it is.
        let judged = |other: &PositionKey| *other == key || self.tree.is_key_expanded(other);
        let (touched, is_new) = self.database.write(|writer| {
            let mut changed = BTreeSet::from([key.clone()]);
            let mut entry = writer.stored(&key)?.unwrap_or_default();
            if !was_expanded
                && let Some((next, known)) = kept_value(writer, &key, &entry)?
                && !self.tree.is_key_expanded(&next)
            {
                writer.merge_stored(&next, &known)?;
                changed.insert(next);
            }
            entry.visits += 1;
            entry.is_placeholder = false;
            writer.put_stored(&key, &entry)?;
            let mut is_new = false;
            for (placement, entry) in found {
                let mapped = placement.key();
                is_new |= writer.merge_stored(&mapped.key, &mapped.stored(entry.clone()))?;
                changed.insert(mapped.key);
            }
            Ok((writer.lift(changed, &judged)?, is_new))
        })?;
        self.searches += 1;
        self.tree.set_busy(id, false);
        self.tree.set_searched(id, is_new);
        self.take_over(&touched)?;
        self.calm.note(&self.tree, is_best, self.options.tolerance);
        Ok(())
    }

    fn state(&self) -> Result<GrowthState, DatabaseError> {
        let root = self.database.get(self.root)?.unwrap_or_default();
        let line = self.moves(&self.tree.principal_variation());
        Ok(GrowthState { positions: self.tree.len(), searches: self.searches, root, line })
    }

    /// Returns the moves through positions after the root, on its board.
    fn moves(&self, ids: &[NodeId]) -> Vec<GrowthMove> {
        let mut placement = self.root.clone();
        let mut moves = Vec::new();
        for &id in ids {
            let Some(point) = placement.move_to(self.tree.key(id)) else { break };
            if placement.play(point).is_err() {
                break;
            }
            let (value, result) = (self.tree.value(id), self.tree.result(id));
            moves.push(GrowthMove { point, value, result });
        }
        moves
    }

    fn summary(mut self, end: GrowthEnd) -> Result<GrowthSummary, GrowthError> {
        let state = self.state()?;
        let (expanded, proven) = (self.tree.expanded(), self.tree.proven());
        let mut loose = Vec::new();
        while loose.len() < LOOSE_LINES
            && let Some((path, _)) = self.cheapest()
            && let Some(price) = self.tree.price()
        {
            loose.push((self.moves(&path[1..]), u32::try_from(price).unwrap_or(u32::MAX)));
            self.tree.set_busy(path[path.len() - 1], true);
        }
        Ok(GrowthSummary { end, state, expanded, proven, loose })
    }
}

/// Returns the value that a position had before its moves were searched, as one of the position after
/// its best move: so that nothing that was known deeper is lost when the moves decide.
fn kept_value(
    writer: &DatabaseWriter<'_>,
    key: &PositionKey,
    entry: &PositionEntry,
) -> Result<Option<(PositionKey, PositionEntry)>, DatabaseError> {
    let (Some(own), Some(best), None) = (entry.evaluation, entry.best, entry.result) else {
        return Ok(None);
    };
    let mut placement = key.placement();
    let goes_on = placement.board().is_empty(best) && !placement.outcome_of(best).is_over();
    if own.bound != Some(Bound::Exact) || own.depth < 1 || !goes_on {
        return Ok(None);
    }
    if placement.play(best).is_err() {
        return Ok(None);
    }
    let next = placement.key().key;
    let known = writer.stored(&next)?.unwrap_or_default();
    if known.result.is_some() || known.is_left_out() {
        return Ok(None);
    }
    let evaluation = Evaluation { score: -own.score, depth: own.depth - 1, bound: own.bound };
    let entry = PositionEntry { evaluation: Some(evaluation), ..PositionEntry::default() };
    Ok(Some((next, entry)))
}

#[cfg(test)]
mod tests;

//! The mutable state of one search thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::divisor::Divisor;
use super::history::{Histories, LastMoves};
use super::options::{Blocks, Options};
use super::params::Params;
use super::picker::{MoveList, MoveOrder, Picker};
use super::report::{Mark, Variation};
use super::stack::{Frame, MAX_PLY, PvLines};
use super::stats::{Counted, tally};
use super::{SearchControl, TranspositionTable};
use crate::eval::{Evaluator, Window};
use crate::position::Position;
use crate::rules::Rule;
use crate::sys::fault::{self, Place};
use crate::sys::stop::Stop;
use crate::types::{Key, Ply, Point, PointSet, Score};

/// The largest number of nodes between two looks at the clock. The stop flag is checked at every
/// node.
const CLOCK_INTERVAL: u64 = 128;
/// The time between two looks after which the clock is read at every node: the first touch of a
/// large page of a new table can make a single node take several milliseconds.
const SLOW: Duration = Duration::from_micros(500);

/// The state shared by the threads of one search.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) control: &'a SearchControl,
    /// The nodes searched so far, by thread; updated whenever a thread looks at the clock.
    pub(super) nodes: &'a [NodeCounter],
    /// Set when the main thread has its answer, so that the helpers stop.
    pub(super) finished: &'a Stop,
    pub(super) options: Options<'a>,
}

/// A node counter on a cache line of its own.
#[derive(Default, Debug)]
#[repr(align(128))]
pub(super) struct NodeCounter(pub(super) AtomicU64);

impl Shared<'_> {
    /// Returns the nodes searched by all threads.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.0.load(Ordering::Relaxed)).sum()
    }

    /// Returns the nodes searched by all threads but one.
    pub(super) fn others_nodes(&self, id: usize) -> u64 {
        self.total_nodes() - self.nodes[id].0.load(Ordering::Relaxed)
    }
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) point: Point,
    /// The score in the current iteration; minus infinity if the move is only known to be worse
    /// than another.
    pub(super) score: Score,
    /// The score of the last finished iteration.
    pub(super) previous: Score,
    /// True if its score, or what bounds it, is a loss in the current window of the current iteration.
    pub(super) is_lost: bool,
    pub(super) line: Vec<Point>,
    /// The last line that was searched to its end.
    pub(super) finished: Option<Variation>,
}

impl RootMove {
    pub(super) fn new(point: Point) -> RootMove {
        RootMove {
            point,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            is_lost: false,
            line: vec![point],
            finished: None,
        }
    }
}

/// One search thread.
pub(super) struct Worker<'a> {
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) evaluator: &'a mut dyn Evaluator,
    pub(super) shared: &'a Shared<'a>,
    /// The search parameters, copied here because every node needs some.
    pub(super) params: Params,
    pub(super) order: MoveOrder,
    /// The history score that changes the reduction by one ply.
    pub(super) lmr_history: Divisor,
    pub(super) histories: &'a mut Histories,
    pub(super) stack: Box<[Frame; MAX_PLY + 4]>,
    pub(super) lines: PvLines,
    pub(super) list: MoveList,
    pub(super) root_moves: Vec<RootMove>,
    /// The index of the first root move of the current line; the moves before it belong to finished
    /// lines.
    pub(super) first_root_move: usize,
    /// The paths whose last moves must not be played, if there are any.
    pub(super) paths: Option<&'a Blocks>,
    pub(super) nodes: u64,
    /// The node limit for all threads together; exact with one thread.
    max_nodes: u64,
    pub(super) seldepth: u16,
    pub(super) stopped: bool,
    /// The node count at the next look at the clock; `interval` is the number of nodes between
    /// looks.
    next_look: u64,
    interval: u64,
    looked_at: Instant,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        position: &Position,
        evaluator: &'a mut dyn Evaluator,
        shared: &'a Shared<'a>,
        histories: &'a mut Histories,
    ) -> Worker<'a> {
        evaluator.reset(position);
        let params = shared.options.params;
        Worker {
            id,
            position: position.clone(),
            evaluator,
            shared,
            params,
            order: MoveOrder::new(&params),
            lmr_history: Divisor::new(params.lmr_history),
            histories,
            stack: Box::new([Frame::EMPTY; MAX_PLY + 4]),
            lines: PvLines::new(),
            list: MoveList::default(),
            root_moves: Vec::new(),
            first_root_move: 0,
            paths: shared.options.blocks.filter(|blocks| blocks.has_paths()),
            nodes: 0,
            max_nodes: shared.control.max_nodes(),
            seldepth: 0,
            stopped: false,
            next_look: 0,
            interval: 1,
            looked_at: Instant::now(),
        }
    }

    /// Plays a move and counts a node.
    #[inline]
    pub(super) fn play(&mut self, point: Point) {
        self.nodes += 1;
        if self.id == 0 {
            fault::pass(Place::Search);
        }
        let color = self.position.to_move();
        self.position.play_unchecked(point);
        self.evaluator.push(point, color);
    }

    /// Takes back the last move.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
        self.evaluator.pop();
    }

    /// Returns the static evaluation for the side to move, as exact as it matters to a search
    /// within the window.
    #[inline]
    pub(super) fn evaluate(&mut self, window: Window) -> Score {
        tally(Counted::Evaluation);
        let gate = self.params.eval_gate;
        let wide = Window { alpha: window.alpha - gate, beta: window.beta + gate };
        self.evaluator.evaluate(&self.position, wide)
    }

    /// Returns the next move of a node: an empty cell, possibly a forbidden one.
    #[inline]
    pub(super) fn next_move(&mut self, picker: &mut Picker) -> Option<Point> {
        picker.next(&self.position, self.evaluator, &self.order, self.histories, &mut self.list)
    }

    /// Returns whether the search has to end; looks at the clock now and then.
    #[inline]
    pub(super) fn poll(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        if self.nodes >= self.max_nodes || self.shared.control.is_stopped() {
            self.stopped = true;
        } else if self.nodes >= self.next_look {
            self.look_at_clock();
        }
        self.stopped
    }

    #[cold]
    fn look_at_clock(&mut self) {
        let now = Instant::now();
        let slow = now - self.looked_at > SLOW;
        self.interval = if slow { 1 } else { (2 * self.interval).min(CLOCK_INTERVAL) };
        self.next_look = self.nodes + self.interval;
        self.looked_at = now;
        self.shared.nodes[self.id].0.store(self.nodes, Ordering::Relaxed);
        let total = self.shared.total_nodes();
        self.stopped = self.shared.control.should_stop(total) || self.shared.finished.is_set();
    }

    /// Returns the table key of a position; results found under blocked paths have keys of their
    /// own.
    #[inline]
    pub(super) fn table_key(&self, mut key: Key) -> Key {
        if let Some(paths) = self.paths {
            key.0 ^= paths.salt();
        }
        key
    }

    /// Returns the frame `ago` plies before `ply`; before the root there are two empty ones.
    #[inline]
    pub(super) fn frame(&self, ply: Ply, ago: usize) -> &Frame {
        &self.stack[usize::from(ply.0) + 2 - ago]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.stack[usize::from(ply.0) + 2]
    }

    /// Returns the last moves of both sides.
    #[inline]
    pub(super) fn last_moves(&self) -> LastMoves {
        LastMoves { theirs: self.position.last_move(0), ours: self.position.last_move(1) }
    }

    /// Returns the candidates among the empty cells.
    #[inline]
    pub(super) fn candidates(&self) -> PointSet {
        if self.shared.options.whole_board {
            *self.position.tracker().empties()
        } else {
            self.position.tracker().near()
        }
    }

    /// Reports an event at a root move, if marks are wanted.
    #[inline]
    pub(super) fn mark(&self, mark: Mark) {
        if self.id == 0
            && let Some(tell) = self.shared.options.marks
        {
            tell(mark);
        }
    }

    /// Returns the rule.
    #[inline]
    pub(super) fn rule(&self) -> Rule {
        self.position.rule()
    }
}

//! A job with its position and the knowledge of it.

use std::path::PathBuf;

use super::known_moves::KnownMoves;
use super::known_positions::KnownPositions;
use super::level::chances;
use super::{Job, Setup, Task};
use tengen_core::board::Board;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::search::{Blocks, Knowledge, Options, Params, SearchControl};
use tengen_core::types::Point;

/// A job, prepared for the advisers.
pub(super) struct AdviserQuestion<'a> {
    pub(super) job: &'a Job,
    pub(super) position: Position,
    pub(super) control: &'a SearchControl,
    /// The positions known by a database.
    pub(super) known: Option<&'a KnownPositions>,
    /// The moves known by it, where one is asked for.
    pub(super) known_moves: KnownMoves,
    /// The file of it, if it takes the findings of searches.
    pub(super) learner: Option<PathBuf>,
    pub(super) blocks: Option<Blocks>,
    pub(super) params: Params,
    pub(super) threads: usize,
    /// True if randomness is allowed; not where results must be reproducible.
    pub(super) varied: bool,
}

impl AdviserQuestion<'_> {
    /// Returns the options of a search.
    pub(super) fn options(&self) -> Options<'_> {
        let scope = &self.job.scope;
        let lines = if self.job.task == Task::Defend { usize::MAX } else { scope.lines.max(1) };
        Options {
            threads: self.threads,
            answer_at_once: false,
            lines,
            whole_board: scope.whole_board,
            merge_symmetric: scope.merge_symmetric,
            start_depth: scope.start_depth,
            blocks: self.blocks.as_ref(),
            promised: None,
            params: self.params,
            known: self.known.map(|known| known as &dyn Knowledge),
            marks: None,
        }
    }

    /// Returns what choices are left to: chance, which a seed repeats; nothing where results are always the same.
    pub(super) fn lots(&self) -> Option<SplitMix64> {
        let stones = || self.job.setup.stones.iter().map(|&(point, _)| point);
        match self.job.skill.seed {
            Some(seed) => Some(chances(seed, stones())),
            None => self.varied.then(|| SplitMix64::new(rand::random())),
        }
    }

    /// Returns the search of the position itself, with all nodes.
    pub(super) fn whole<'a>(&'a self, options: Options<'a>) -> Trial<'a> {
        Trial { position: &self.position, control: self.control, options }
    }

    /// Returns whether the optimum time of the job is over.
    pub(super) fn is_due(&self) -> bool {
        let optimum = self.control.budget().optimum;
        let is_over = |optimum| self.control.elapsed() >= optimum;
        self.control.should_stop(0) || optimum.is_some_and(is_over)
    }
}

/// One of the searches for an answer.
pub(super) struct Trial<'a> {
    pub(super) position: &'a Position,
    pub(super) control: &'a SearchControl,
    pub(super) options: Options<'a>,
}

/// Returns the moves that searches leave out: those of the job, and those that a database says to.
pub(super) fn blocks_of(job: &Job, known: &KnownMoves) -> Option<Blocks> {
    let scope = &job.scope;
    let points: Vec<Point> = scope.blocked.iter().copied().chain(known.left_out()).collect();
    let has_blocks = !points.is_empty() || !scope.blocked_paths.is_empty();
    has_blocks.then(|| Blocks::new(job.setup.size, &points, &scope.blocked_paths))
}

/// Builds the position of a set-up.
pub(crate) fn position_of(setup: &Setup) -> Position {
    let mut board = Board::new(setup.size);
    for &point in &setup.walls {
        board.place_wall(point);
    }
    let first = setup.stones.first().map(|&(_, color)| color);
    let regular = setup.stones.iter().enumerate().all(|(i, &(_, color))| {
        let flip = i % 2 == 1;
        first.is_some_and(|first| (color == first) != flip)
    });
    let last = setup.stones.last().map(|&(_, color)| color);
    // Played one by one if the order allows it, since move ordering uses the last moves.
    if regular && last.is_none_or(|last| last != setup.to_move) {
        let mut position = Position::from_board(setup.rule, board, first.unwrap_or(setup.to_move));
        for &(point, _) in &setup.stones {
            position.play_unchecked(point);
        }
        return position;
    }
    for &(point, color) in &setup.stones {
        board.place(point, color);
    }
    Position::from_board(setup.rule, board, setup.to_move)
}

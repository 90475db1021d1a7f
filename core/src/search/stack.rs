//! The search stack: the path to the current node.

use crate::patterns::PointClass;
use crate::types::{Point, Score};

/// The longest path from the root.
pub(super) const MAX_PLY: usize = 240;

/// One node of the path.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The static evaluation for the side to move.
    pub(super) eval: Score,
    /// The class of the move searched from here.
    pub(super) class: PointClass,
    /// The move excluded in a singular search.
    pub(super) excluded: Option<Point>,
    /// The killer moves: moves that caused cuts at this ply.
    pub(super) killers: [Option<Point>; 2],
    /// The number of double extensions on the path so far.
    pub(super) extended: u8,
}

impl Frame {
    pub(super) const EMPTY: Frame = Frame {
        eval: Score::ZERO,
        class: PointClass::None,
        excluded: None,
        killers: [None; 2],
        extended: 0,
    };
}

/// The best lines found from each ply on.
#[derive(Clone)]
pub(super) struct PvLines(Vec<Vec<Point>>);

impl PvLines {
    pub(super) fn new() -> PvLines {
        PvLines(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Forgets the line at `ply`.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes the line at `ply` a move followed by the line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, point: Point) {
        let (head, tail) = self.0.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(point);
        line.extend_from_slice(&tail[0]);
    }

    /// Returns the line at `ply`.
    pub(super) fn get(&self, ply: usize) -> &[Point] {
        &self.0[ply]
    }
}

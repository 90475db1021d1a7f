//! The moves that an analyst wants left out.

use super::text::BlockEntry;
use crate::engine::Scope;
use tengen_core::types::{Point, Size};

/// The most paths that are remembered: more than a board sends that blocks all moves but one.
const MAX_PATHS: usize = 4096;

/// Blocked points and paths, which outlive games: boards send `START` before every position.
#[derive(Clone, Default)]
pub(super) struct BlockedMoves {
    points: Vec<Point>,
    paths: Vec<Vec<Point>>,
}

impl BlockedMoves {
    /// Adds points.
    pub(super) fn add_points(&mut self, entries: &[BlockEntry]) {
        for point in points(entries) {
            if !self.points.contains(&point) {
                self.points.push(point);
            }
        }
    }

    /// Removes points.
    pub(super) fn remove_points(&mut self, entries: &[BlockEntry]) {
        let gone = points(entries);
        self.points.retain(|point| !gone.contains(point));
    }

    /// Adds a path from the empty board.
    pub(super) fn add_path(&mut self, entries: &[BlockEntry]) {
        let path = points(entries);
        if !path.is_empty() && !self.paths.contains(&path) && self.paths.len() < MAX_PATHS {
            self.paths.push(path);
        }
    }

    /// Removes a path.
    pub(super) fn remove_path(&mut self, entries: &[BlockEntry]) {
        let gone = points(entries);
        self.paths.retain(|path| *path != gone);
    }

    /// Removes all points.
    pub(super) fn clear_points(&mut self) {
        self.points.clear();
    }

    /// Removes all paths.
    pub(super) fn clear_paths(&mut self) {
        self.paths.clear();
    }

    /// Returns whether nothing is left out.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.paths.is_empty()
    }

    /// Makes a search leave these moves out.
    pub(super) fn apply(&self, scope: &mut Scope) {
        scope.blocked.clone_from(&self.points);
        scope.blocked_paths.clone_from(&self.paths);
    }
}

/// Returns whether all entries are cells of the largest board, and none is a pass.
pub(super) fn are_cells(entries: &[BlockEntry]) -> bool {
    points(entries).len() == entries.len()
}

/// Returns the cells of the largest board among the entries.
fn points(entries: &[BlockEntry]) -> Vec<Point> {
    entries.iter().filter_map(|entry| Size::LARGEST.point(entry.x, entry.y)).collect()
}

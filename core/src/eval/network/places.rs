//! Where the cells around a stone or a cell are.

use crate::simd::layers::MIX_ROW;
use crate::simd::lines::{NEIGHBORS, NEIGHBORS_OF_LINE, Neighbors, REACH};
use crate::types::{Dir, MAX_POINTS, STRIDE};

/// The distance from a stone to each of its [`Neighbors`], as a difference of indices; it wraps.
pub(super) const DISTANCES: Neighbors = {
    let mut distances = [0; NEIGHBORS];
    let mut i = 0;
    while i < NEIGHBORS {
        let (dx, dy) = Dir::ALL[i / NEIGHBORS_OF_LINE].delta();
        let step = dx as i16 + dy as i16 * STRIDE as i16;
        let at = (i % NEIGHBORS_OF_LINE) as i16 - REACH as i16;
        distances[i] = (step * if at < 0 { at } else { at + 1 }) as u16;
        i += 1;
    }
    distances
};

/// The length of a row on a board with a cell more on each side, so that every cell has neighbours.
pub(super) const WIDE: usize = MIX_ROW;
const _: () = assert!(WIDE == STRIDE + 2);

/// By cell, its index on such a board.
pub(super) static WIDE_INDICES: [u16; MAX_POINTS] = {
    let mut indices = [0; MAX_POINTS];
    let mut i = 0;
    while i < MAX_POINTS {
        indices[i] = ((i / STRIDE + 1) * WIDE + i % STRIDE + 1) as u16;
        i += 1;
    }
    indices
};

/// Returns the index of a cell on such a board.
#[inline]
pub(super) fn wide(cell: usize) -> usize {
    WIDE_INDICES[cell].into()
}

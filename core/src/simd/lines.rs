//! Line codes: what the cells around an empty cell hold, in one direction.
//!
//! A line is a word of two bits a cell: `00` beyond the edge or blocked, `01` white, `10` black, `11`
//! empty. Each of the two sides of a cell is the run of at most [`REACH`] cells next to it that are
//! not `00`. A side of n cells with the digits s₀ (nearest) to sₙ₋₁, 0 for empty, 1 for black and 2
//! for white, has the code (3ⁿ − 1)/2 + Σ sᵢ·3ⁿ⁻¹⁻ⁱ. The codes of both sides together, whatever their
//! order, make a row of the table of lines.

/// The number of cells of the longest side.
pub const REACH: usize = 4;
/// The number of codes of a side.
pub const SIDE_CODES: usize = (3_usize.pow(REACH as u32 + 1) - 1) / 2;
/// The number of unordered pairs of codes.
pub const ROWS: usize = SIDE_CODES * (SIDE_CODES + 1) / 2;
/// The number of cells in whose lines a stone is.
pub const NEIGHBORS: usize = 4 * NEIGHBORS_OF_LINE;
/// The number of them in one direction.
pub const NEIGHBORS_OF_LINE: usize = 2 * REACH;

/// The cells before the stone in each word of [`StoneLines`].
pub const STONE_AT: usize = 2 * REACH;

/// The number of side contents.
const SIDES: usize = 1 << (2 * REACH);
/// The bits from the first cell of a window to the cell in its middle.
pub(super) const MIDDLE: usize = 2 * REACH;

/// The codes of sides by their contents.
#[repr(C, align(64))]
pub(super) struct Codes(pub(super) [u8; SIDES]);

/// The codes of the side behind a cell, whose nearest cell has the highest bits.
pub(super) static BEHIND: Codes = codes(false);
/// The codes of the side ahead of a cell, whose nearest cell has the lowest bits.
pub(super) static AHEAD: Codes = codes(true);

const fn codes(nearest_is_lowest: bool) -> Codes {
    let mut codes = [0; SIDES];
    let mut bits = 0;
    while bits < SIDES {
        let (mut len, mut digits, mut shortest) = (0, 0, 0);
        while len < REACH {
            let at = if nearest_is_lowest { len } else { REACH - 1 - len };
            let digit = match bits >> (2 * at) & 0b11 {
                0b00 => break,
                0b01 => 2,
                0b10 => 1,
                _ => 0,
            };
            digits = 3 * digits + digit;
            shortest = 3 * shortest + 1;
            len += 1;
        }
        codes[bits] = shortest + digits;
        bits += 1;
    }
    Codes(codes)
}

/// Returns the row of a pair of codes, in any order.
#[inline]
#[must_use]
pub const fn row(first: u8, second: u8) -> u16 {
    let (low, high) = if first < second { (first, second) } else { (second, first) };
    let (low, high) = (low as u16, high as u16);
    high * (high + 1) / 2 + low
}

/// Returns the row of the cell in the middle of a window: [`REACH`] cells before it, the first in the
/// lowest bits, the cell itself, and [`REACH`] cells after it.
#[inline]
#[must_use]
pub fn row_of_window(window: u64) -> u16 {
    let (behind, ahead) = (window as usize, (window >> (MIDDLE + 2)) as usize);
    row(BEHIND.0[behind % SIDES], AHEAD.0[ahead % SIDES])
}

/// Returns the code of a side with black and white exchanged.
#[must_use]
pub fn with_colors_swapped(code: u8) -> u8 {
    let mut len = 0;
    let mut shortest = 0_u8;
    while code > 3 * shortest {
        shortest = 3 * shortest + 1;
        len += 1;
    }
    let mut digits = code - shortest;
    let mut swapped = shortest;
    for place in 0..len {
        swapped += [0, 2, 1][usize::from(digits % 3)] * 3_u8.pow(place);
        digits /= 3;
    }
    swapped
}

/// The four lines through a stone, without it and with it.
///
/// In each word the cell [`STONE_AT`] cells before the stone has the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct StoneLines {
    pub(super) before: [u64; 4],
    pub(super) after: [u64; 4],
}

impl StoneLines {
    /// Returns the lines of an empty cell, `before`, and those with a stone there, which differs from
    /// the empty cell by `bits`.
    #[inline]
    #[must_use]
    pub fn new(before: [u64; 4], bits: u64) -> StoneLines {
        StoneLines { before, after: before.map(|line| line ^ bits << (2 * STONE_AT)) }
    }
}

/// The cells in whose lines a stone is: for each of the four directions first the [`REACH`] cells
/// before it, then those after it. Cells that are not empty may have any number.
pub type Neighbors = [u16; NEIGHBORS];

/// The empty ones of the [`Neighbors`] of a stone, and how the row of the line through both changes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct LineChanges {
    /// The cells; those from [`len`](LineChanges::len) on mean nothing, as in the other arrays.
    pub cells: [u16; NEIGHBORS],
    /// The rows without the stone.
    pub old_rows: [u16; NEIGHBORS],
    /// The rows with it.
    pub new_rows: [u16; NEIGHBORS],
    /// The number of changes.
    pub len: usize,
}

impl LineChanges {
    /// No changes.
    pub const NONE: LineChanges = LineChanges {
        cells: [0; NEIGHBORS],
        old_rows: [0; NEIGHBORS],
        new_rows: [0; NEIGHBORS],
        len: 0,
    };
}

/// Returns by how many cells the window of a neighbour begins after the lowest bits of a line, for the
/// neighbours of one direction.
pub(super) const fn window_starts() -> [usize; NEIGHBORS_OF_LINE] {
    let mut starts = [0; NEIGHBORS_OF_LINE];
    let mut i = 0;
    while i < NEIGHBORS_OF_LINE {
        // The stone itself lies between the two halves.
        starts[i] = if i < REACH { i } else { i + 1 };
        i += 1;
    }
    starts
}

/// The kernel of [`NetworkKernels::line_changes`](super::NetworkKernels::line_changes) in plain Rust.
pub(super) fn line_changes(lines: &StoneLines, cells: &Neighbors, changes: &mut LineChanges) {
    const STARTS: [usize; NEIGHBORS_OF_LINE] = window_starts();
    // Emptiness is unpredictable, so every cell is written, and what is
    // written for one that is not empty is overwritten by the next.
    let mut len = 0;
    let of_lines = cells.as_chunks::<NEIGHBORS_OF_LINE>().0;
    for ((before, after), cells) in lines.before.iter().zip(lines.after).zip(of_lines) {
        for (start, &cell) in STARTS.into_iter().zip(cells) {
            let (before, after) = (before >> (2 * start), after >> (2 * start));
            // Never too large: at most one more for each cell.
            let at = len % NEIGHBORS;
            changes.cells[at] = cell;
            changes.old_rows[at] = row_of_window(before);
            changes.new_rows[at] = row_of_window(after);
            len += usize::from(before >> MIDDLE & 0b11 == 0b11);
        }
    }
    changes.len = len;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_different_contents_have_different_codes() {
        for table in [&AHEAD, &BEHIND] {
            let mut codes = table.0.to_vec();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes, (0..SIDE_CODES as u8).collect::<Vec<_>>());
        }
        // Black, white, empty; then the edge.
        let bits = 0b00_11_01_10;
        assert_eq!(AHEAD.0[bits], 13 + 9 + 2 * 3);
        assert_eq!(BEHIND.0[0b10_01_11_00], AHEAD.0[bits]);
    }

    #[test]
    fn pairs_of_codes_have_rows_of_their_own_in_either_order() {
        let mut rows = Vec::new();
        for high in 0..SIDE_CODES as u8 {
            for low in 0..=high {
                assert_eq!(row(high, low), row(low, high));
                rows.push(usize::from(row(low, high)));
            }
        }
        assert_eq!(rows, (0..ROWS).collect::<Vec<_>>());
    }

    #[test]
    fn exchanging_the_colours_exchanges_the_digits() {
        for (bits, &code) in AHEAD.0.iter().enumerate() {
            let exchanged = (0..REACH).fold(0, |all, i| {
                let cell = bits >> (2 * i) & 0b11;
                all | [0b00, 0b10, 0b01, 0b11][cell] << (2 * i)
            });
            assert_eq!(with_colors_swapped(code), AHEAD.0[exchanged], "{bits:b}");
        }
    }
}

//! Line codes: what the cells around an empty cell hold, in one direction.
//!
//! Each of the two sides of a cell is the run of at most [`REACH`] cells next to it, cut by the edge
//! of the board or a wall. A side of n cells with the digits s₀ (nearest) to sₙ₋₁, 0 for empty, 1
//! for black and 2 for white, has the code (3ⁿ − 1)/2 + Σ sᵢ·3ⁿ⁻¹⁻ⁱ. The codes of both sides
//! together, whatever their order, make a row of the table of lines.

use crate::board::lines::PADDING;
use crate::types::{Color, Dir, STRIDE};

/// The number of cells of the longest side.
pub const REACH: usize = 4;
/// The number of codes of a side.
pub const SIDE_CODES: usize = (3_usize.pow(REACH as u32 + 1) - 1) / 2;
/// The number of unordered pairs of codes.
pub const ROWS: usize = SIDE_CODES * (SIDE_CODES + 1) / 2;

/// The powers of 3.
const POWERS: [u8; REACH + 1] = [1, 3, 9, 27, 81];

/// The number of side contents: two bits per cell, as on the board.
const SIDES: usize = 1 << (2 * REACH);

/// The distance between the indices of neighbouring cells in each direction.
pub(super) const STEPS: [isize; 4] = {
    let mut steps = [0; 4];
    let mut i = 0;
    while i < steps.len() {
        let (dx, dy) = Dir::ALL[i].delta();
        steps[i] = dx as isize + dy as isize * STRIDE as isize;
        i += 1;
    }
    steps
};

/// A side of a cell: the number of its cells and its code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Side {
    pub(super) len: u8,
    pub(super) code: u8,
}

/// The sides by their contents, the nearest cell in the lowest bits: those ahead of a cell.
static AHEAD: [Side; SIDES] = sides(true);
/// The same with the nearest cell in the highest bits: those behind a cell.
static BEHIND: [Side; SIDES] = sides(false);

const fn sides(nearest_is_lowest: bool) -> [Side; SIDES] {
    let mut sides = [Side { len: 0, code: 0 }; SIDES];
    let mut bits = 0;
    while bits < SIDES {
        let (mut len, mut digits, mut shortest) = (0, 0, 0);
        while len < REACH {
            let at = if nearest_is_lowest { len } else { REACH - 1 - len };
            // The two bits of a cell; see `board::lines`.
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
        sides[bits] = Side { len: len as u8, code: (shortest + digits) as u8 };
        bits += 1;
    }
    sides
}

/// Returns the sides behind and ahead of a cell, from a line word of the board and the position of
/// the cell on it.
#[inline]
pub(super) fn sides_of((line, pos): (u64, usize)) -> [Side; 2] {
    let behind = line >> (2 * (pos + PADDING - REACH));
    let ahead = line >> (2 * (pos + PADDING + 1));
    [BEHIND[behind as usize % SIDES], AHEAD[ahead as usize % SIDES]]
}

/// By the number of cells on one side of a stone and the distance (less one) of a cell on the other
/// side: the place value of the stone in the code of that cell's side.
///
/// The side runs from the cell to the stone and beyond, so its length follows from both.
static PLACE_VALUES: [[u8; REACH]; REACH + 1] = {
    let mut values = [[0; REACH]; REACH + 1];
    let mut beyond = 0;
    while beyond <= REACH {
        let mut distance = 1;
        while distance <= REACH {
            let len = if beyond + distance < REACH { beyond + distance } else { REACH };
            values[beyond][distance - 1] = POWERS[len - distance];
            distance += 1;
        }
        beyond += 1;
    }
    values
};

/// Returns by how much a stone changes the codes of the cells 1 to [`REACH`] away from it, whose
/// sides extend `beyond` cells past the stone, as far as they reach.
#[inline]
pub(super) fn differences(color: Color, beyond: u8) -> [u8; REACH] {
    let digit = match color {
        Color::Black => 1,
        Color::White => 2,
    };
    PLACE_VALUES[usize::from(beyond)].map(|value| digit * value)
}

/// Returns the row of a pair of codes, in any order.
#[inline]
#[must_use]
pub const fn row(first: u8, second: u8) -> u16 {
    let (low, high) = if first < second { (first, second) } else { (second, first) };
    let (low, high) = (low as u16, high as u16);
    high * (high + 1) / 2 + low
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
    for power in &POWERS[..len] {
        swapped += [0, 2, 1][usize::from(digits % 3)] * power;
        digits /= 3;
    }
    swapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_different_contents_have_different_codes() {
        for table in [&AHEAD, &BEHIND] {
            let mut codes: Vec<u8> = table.iter().map(|side| side.code).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes, (0..SIDE_CODES as u8).collect::<Vec<_>>());
        }
        // Black, white, empty; then the edge.
        let bits = 0b00_11_01_10;
        assert_eq!(AHEAD[bits], Side { len: 3, code: 13 + 9 + 2 * 3 });
        assert_eq!(BEHIND[0b10_01_11_00], AHEAD[bits]);
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
        for (bits, side) in AHEAD.iter().enumerate() {
            let exchanged = (0..REACH).fold(0, |all, i| {
                let cell = bits >> (2 * i) & 0b11;
                all | [0b00, 0b10, 0b01, 0b11][cell] << (2 * i)
            });
            assert_eq!(with_colors_swapped(side.code), AHEAD[exchanged].code, "{bits:b}");
        }
    }
}

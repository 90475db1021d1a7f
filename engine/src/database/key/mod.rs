//! Keys: a position up to the symmetries of the board, as bytes that sort by ply.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | the rule, as its number in `INFO rule` |
//! | 2 | width, height |
//! | 2 | the number of stones, high byte first |
//! | 1 | the turn: 0 if colours have alternated since black's first stone, else 1 (black) or 2 (white) |
//! | 2 | the number of black stones, high byte first; only if the turn is not 0 |
//! | … | the cells of the black stones in order, then those of the white ones |
//!
//! A cell is `y · width + x`: one byte on boards of up to 256 cells, two, high byte first, on larger
//! ones. Of all images of a position under the symmetries of its board the one with the smallest bytes
//! is its key. All positions of one rule, size and number of stones are neighbours.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use super::{Placement, PositionEntry};
use tengen_core::board::{Board, Symmetry};
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Color, MAX_POINTS, Point, Size};

/// The bytes that all keys of one rule, size and number of stones begin with.
const PREFIX_BYTES: usize = 5;
/// The largest board whose cells are one byte each.
const BYTE_CELLS: usize = 256;
/// The number of words of a set of cells.
const WORDS: usize = MAX_POINTS.div_ceil(64);

/// The turn where colours have alternated.
const ALTERNATING: u8 = 0;

/// The key of a position: the same for all its images under the symmetries of the board.
///
/// Keys of one rule, size and number of stones are neighbours in their order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(Box<[u8]>);

/// The fault of bytes that are not key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {offset} of the key: {expected} was expected")]
pub struct KeyError {
    /// The place in the key, in bytes from its beginning.
    pub offset: usize,
    /// The thing that should be there.
    pub expected: &'static str,
}

/// The rule, the size and the number of stones that neighbouring keys have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyGroup {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The number of stones.
    pub stones: usize,
}

impl KeyGroup {
    /// Returns the bytes that the keys of the group begin with.
    #[must_use]
    pub fn prefix(self) -> [u8; PREFIX_BYTES] {
        let [high, low] = (self.stones as u16).to_be_bytes();
        [rule_byte(self.rule), self.size.width(), self.size.height(), high, low]
    }

    /// Returns the bytes that sort behind all keys of the group, and before those with more stones.
    #[must_use]
    pub fn end(self) -> [u8; PREFIX_BYTES] {
        KeyGroup { stones: self.stones + 1, ..self }.prefix()
    }
}

fn rule_byte(rule: Rule) -> u8 {
    // The sums of INFO rule are below 16.
    rule.mask() as u8
}

const fn cell_bytes(size: Size) -> usize {
    if size.area() <= BYTE_CELLS { 1 } else { 2 }
}

/// Returns the number of a cell, row by row from 0.
pub(super) fn cell_number(size: Size, point: Point) -> usize {
    usize::from(point.y()) * usize::from(size.width()) + usize::from(point.x())
}

/// Returns the cell of a number, or `None` if the board has fewer.
pub(super) fn numbered_cell(size: Size, number: usize) -> Option<Point> {
    let width = usize::from(size.width());
    size.point((number % width) as i64, (number / width) as i64)
}

impl PositionKey {
    /// Returns the bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads the bytes of a key. Whether they are the smallest among their images is not looked at:
    /// [`PositionKey::is_canonical`] does that.
    ///
    /// # Errors
    ///
    /// Returns the first place at which the bytes are none of a position.
    pub fn from_bytes(bytes: &[u8]) -> Result<PositionKey, KeyError> {
        parse(bytes)?;
        Ok(PositionKey(bytes.into()))
    }

    /// Returns the rule, the size and the number of stones.
    #[must_use]
    pub fn group(&self) -> KeyGroup {
        parsed(&self.0).group
    }

    /// Returns the size of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.group().size
    }

    /// Returns the position, in the image that the key is made of.
    #[must_use]
    pub fn placement(&self) -> Placement {
        let Parsed { group, to_move, black } = parsed(&self.0);
        let cells = cells(&self.0, group.size);
        let mut board = Board::new(group.size);
        for (i, cell) in cells.enumerate() {
            let color = if i < black { Color::Black } else { Color::White };
            if let Some(point) = numbered_cell(group.size, cell) {
                board.place(point, color);
            }
        }
        Placement::checked(group.rule, board, to_move)
    }

    /// Returns an entry as one to be merged into what is `known`, both in the frame of this key: a text that
    /// meets another one stands on a free cell that is the same by the symmetry of the position, if there
    /// is one.
    pub(super) fn beside<'e>(
        &self,
        known: &PositionEntry,
        entry: &'e PositionEntry,
    ) -> Cow<'e, PositionEntry> {
        let is_free = |(at, text): &(&Point, &String)| {
            known.board_texts.get(at).is_none_or(|other| other == *text)
        };
        if entry.board_texts.iter().all(|text| is_free(&text)) {
            return Cow::Borrowed(entry);
        }
        let mapped = self.placement().key();
        let has = |at: Point, text: &str| known.board_texts.get(&at).is_some_and(|own| own == text);
        let texts = entry.board_texts.iter();
        let new = texts.filter(|&(&at, text)| !mapped.same_cells(at).any(|same| has(same, text)));
        let (free, met): (Vec<_>, Vec<_>) = new.partition(is_free);
        let mut board_texts: BTreeMap<Point, String> =
            free.into_iter().map(|(&at, text)| (at, text.clone())).collect();
        for (&at, text) in met {
            let has_none =
                |at: &Point| !known.board_texts.contains_key(at) && !board_texts.contains_key(at);
            if let Some(place) = mapped.same_cells(at).filter(has_none).min() {
                board_texts.insert(place, text.clone());
            }
        }
        Cow::Owned(PositionEntry { board_texts, ..entry.clone() })
    }

    /// Returns whether the bytes are the smallest among the images of the position, as those of
    /// every key are that was made from a position.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.placement().key().key == *self
    }
}

impl fmt::Debug for PositionKey {
    /// Writes the bytes in hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The header of a key, before its cells.
struct Parsed {
    group: KeyGroup,
    to_move: Color,
    /// The number of black stones.
    black: usize,
}

/// Takes apart the bytes of a key that has been made or read.
fn parsed(bytes: &[u8]) -> Parsed {
    parse(bytes).expect("a key was checked when it was made")
}

/// Returns the place of the first cell of a key.
fn cells_start(bytes: &[u8]) -> usize {
    if bytes[PREFIX_BYTES] == ALTERNATING { PREFIX_BYTES + 1 } else { PREFIX_BYTES + 3 }
}

/// Returns the numbers of the cells of a key.
fn cells(bytes: &[u8], size: Size) -> impl Iterator<Item = usize> {
    let width = cell_bytes(size);
    let cell = |cell: &[u8]| cell.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
    bytes[cells_start(bytes)..].chunks_exact(width).map(cell)
}

fn parse(bytes: &[u8]) -> Result<Parsed, KeyError> {
    let fault = |offset, expected| Err(KeyError { offset, expected });
    let at = |offset: usize| bytes.get(offset).copied();
    let Some(rule) = at(0).and_then(|byte| Rule::ALL.into_iter().find(|&r| rule_byte(r) == byte))
    else {
        return fault(0, "a rule");
    };
    let edges = at(1).zip(at(2));
    let size = edges.and_then(|(w, h)| Size::new(w.into(), h.into()).ok());
    let Some(size) = size else { return fault(1, "the size of a board") };
    let number = |offset| {
        let bytes = [at(offset)?, at(offset + 1)?];
        Some(usize::from(u16::from_be_bytes(bytes))).filter(|&number| number <= size.area())
    };
    let Some(stones) = number(3) else { return fault(3, "a number of stones") };
    let (to_move, black) = match at(PREFIX_BYTES) {
        Some(ALTERNATING) => (Color::to_move_after(stones), stones.div_ceil(2)),
        Some(turn @ (1 | 2)) => {
            let to_move = if turn == 1 { Color::Black } else { Color::White };
            let black = number(PREFIX_BYTES + 1).filter(|&black| black <= stones);
            let Some(black) = black else {
                return fault(PREFIX_BYTES + 1, "a number of black stones");
            };
            if turn_byte(to_move, stones, black) == ALTERNATING {
                return fault(PREFIX_BYTES, "the turn of alternating colours");
            }
            (to_move, black)
        }
        _ => return fault(PREFIX_BYTES, "a turn"),
    };
    let (start, width) = (cells_start(bytes), cell_bytes(size));
    if bytes.len() != start + stones * width {
        return fault(bytes.len(), "as many cells as there are stones");
    }
    let mut seen = [0_u64; WORDS];
    let mut last = None;
    for (i, cell) in cells(bytes, size).enumerate() {
        let is_in_order = i == black || last.is_none_or(|last| last < cell);
        if cell >= size.area() || !is_in_order || seen[cell / 64] >> (cell % 64) & 1 == 1 {
            return fault(start + i * width, "the next cell of a stone");
        }
        seen[cell / 64] |= 1 << (cell % 64);
        last = Some(cell);
    }
    Ok(Parsed { group: KeyGroup { rule, size, stones }, to_move, black })
}

/// Returns the byte of the side to move.
fn turn_byte(to_move: Color, stones: usize, black: usize) -> u8 {
    if black == stones.div_ceil(2) && to_move == Color::to_move_after(stones) {
        ALTERNATING
    } else {
        to_move.index() as u8 + 1
    }
}

/// A key, and the ways from the board that it was made from to the frame of the key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MappedKey {
    /// The key.
    pub key: PositionKey,
    /// The symmetries that lead to the image of the key, in the order of [`Symmetry::ALL`]: several if
    /// the position is symmetric to itself, and at least one.
    ways: Vec<Symmetry>,
}

impl MappedKey {
    /// Returns the first way from the board to the frame of the key.
    fn way(&self) -> Symmetry {
        self.ways[0]
    }

    /// Returns the entry of the board as it is stored.
    ///
    /// Cells that are the same by the symmetry of the position become the first of them, so that it does
    /// not matter from which side somebody looks at it, unless that has another text.
    ///
    /// # Panics
    ///
    /// Panics if a cell of the entry is not on the board.
    #[must_use]
    pub fn stored(&self, mut entry: PositionEntry) -> PositionEntry {
        let size = self.key.size();
        let first = |point| {
            let images = self.ways.iter().map(|way| way.map(size, point));
            images.min().unwrap_or(point)
        };
        entry.best = entry.best.map(first);
        entry.board_texts = joined_texts(&self.ways, size, &entry.board_texts);
        entry.marks = entry.marks.iter().map(|&(point, mark)| (first(point), mark)).collect();
        entry
    }

    /// Returns a stored entry as one of the board.
    ///
    /// # Panics
    ///
    /// Panics if a cell of the entry is not on the board.
    #[must_use]
    pub fn seen(&self, entry: PositionEntry) -> PositionEntry {
        entry.mapped(self.way().inverse(), self.key.size())
    }

    /// Returns the cells of the board that are the same as `point` by the symmetry of the position.
    ///
    /// # Panics
    ///
    /// Panics if the point is not on the board.
    pub fn same_cells(&self, point: Point) -> impl Iterator<Item = Point> {
        let size = self.key.size();
        let image = self.way().map(size, point);
        self.ways.iter().map(move |way| way.inverse().map(size, image))
    }
}

/// Returns texts on the cells of a board as those of an image of it, to which all of some ways lead, at
/// least one: where cells are the same by them, the first has their text, and those with another one keep
/// it.
pub(super) fn joined_texts(
    ways: &[Symmetry],
    size: Size,
    texts: &BTreeMap<Point, String>,
) -> BTreeMap<Point, String> {
    let way = ways[0];
    // Once all stand where they would stay, in the order of the cells, none moves to the place of another.
    let texts: BTreeMap<Point, &String> =
        texts.iter().map(|(&point, text)| (way.map(size, point), text)).collect();
    let mut joined: BTreeMap<Point, String> = BTreeMap::new();
    for (at, text) in texts {
        let point = way.inverse().map(size, at);
        let first = ways.iter().map(|way| way.map(size, point)).min().unwrap_or(at);
        let is_free = joined.get(&first).is_none_or(|other| other == text);
        joined.insert(if is_free { first } else { at }, text.clone());
    }
    joined
}

/// A set of cells by their numbers.
type CellBits = [u64; WORDS];

/// All images of a position, from which keys of it and of the positions after one more move are made.
#[derive(Clone)]
pub(super) struct Images {
    rule: Rule,
    size: Size,
    to_move: Color,
    counts: ByColor<usize>,
    images: Vec<Image>,
}

#[derive(Clone)]
struct Image {
    symmetry: Symmetry,
    stones: ByColor<CellBits>,
}

impl Images {
    /// Returns the images of the stones of a board.
    pub(super) fn new(rule: Rule, size: Size, to_move: Color) -> Images {
        let image = |symmetry| Image { symmetry, stones: ByColor([[0; WORDS]; 2]) };
        let images = Symmetry::of_size(size).map(image).collect();
        Images { rule, size, to_move, counts: ByColor::default(), images }
    }

    /// Adds a stone, or takes it away, and leaves the turn as it is.
    pub(super) fn toggle(&mut self, point: Point, color: Color, is_there: bool) {
        let size = self.size;
        for image in &mut self.images {
            let cell = cell_number(size, image.symmetry.map(size, point));
            image.stones[color][cell / 64] ^= 1 << (cell % 64);
        }
        let count = &mut self.counts[color];
        *count = if is_there { *count + 1 } else { *count - 1 };
    }

    /// Returns the key of the position.
    pub(super) fn key(&self) -> MappedKey {
        let mut smallest = &self.images[0];
        let mut ways = vec![smallest.symmetry];
        for image in &self.images[1..] {
            match image.compare(smallest) {
                Ordering::Greater => {}
                Ordering::Equal => ways.push(image.symmetry),
                Ordering::Less => {
                    smallest = image;
                    ways.clear();
                    ways.push(image.symmetry);
                }
            }
        }
        MappedKey { key: self.encode(smallest), ways }
    }

    /// Returns the key of the position after a move of the side to move.
    pub(super) fn key_after(&mut self, point: Point) -> MappedKey {
        let color = self.to_move;
        self.toggle(point, color, true);
        self.to_move = !color;
        let key = self.key();
        self.to_move = color;
        self.toggle(point, color, false);
        key
    }

    /// Returns the key of the position before the move of a stone of the other side.
    pub(super) fn key_before(&mut self, point: Point) -> MappedKey {
        let to_move = self.to_move;
        self.toggle(point, !to_move, false);
        self.to_move = !to_move;
        let key = self.key();
        self.to_move = to_move;
        self.toggle(point, !to_move, true);
        key
    }

    fn encode(&self, image: &Image) -> PositionKey {
        let black = self.counts[Color::Black];
        let stones = black + self.counts[Color::White];
        let turn = turn_byte(self.to_move, stones, black);
        let is_wide = cell_bytes(self.size) == 2;
        let mut bytes = Vec::with_capacity(PREFIX_BYTES + 3 + stones * cell_bytes(self.size));
        let group = KeyGroup { rule: self.rule, size: self.size, stones };
        bytes.extend_from_slice(&group.prefix());
        bytes.push(turn);
        if turn != ALTERNATING {
            bytes.extend_from_slice(&(black as u16).to_be_bytes());
        }
        for color in Color::ALL {
            for (i, &word) in image.stones[color].iter().enumerate() {
                let mut bits = word;
                while bits != 0 {
                    let cell = (i * 64) as u16 + bits.trailing_zeros() as u16;
                    if is_wide {
                        bytes.push((cell >> 8) as u8);
                    }
                    bytes.push(cell as u8);
                    bits &= bits - 1;
                }
            }
        }
        PositionKey(bytes.into())
    }
}

impl Image {
    /// Compares the cells as keys do. Both images have the same numbers of stones, so at the first
    /// cell that only one of them has, that one is smaller.
    fn compare(&self, other: &Image) -> Ordering {
        for color in Color::ALL {
            for (&own, &its) in self.stones[color].iter().zip(&other.stones[color]) {
                let differing = own ^ its;
                if differing != 0 {
                    let first = differing & differing.wrapping_neg();
                    return if own & first != 0 { Ordering::Less } else { Ordering::Greater };
                }
            }
        }
        Ordering::Equal
    }
}

#[cfg(test)]
mod tests;

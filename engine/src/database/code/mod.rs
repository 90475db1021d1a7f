//! Entries as bytes.
//!
//! An entry is a number whose bits name the fields, and then these fields in the order of their
//! bits. What is absent takes no bytes. Numbers are written in groups of seven bits, the lowest first,
//! each but the last with its high bit set; signed ones with their sign in the lowest bit. Texts are
//! their length in bytes and UTF-8; cells are `y · width + x` in the frame of the key.
//!
//! | bit | field | what |
//! | --: | --- | --- |
//! | 0 | result | `4 · distance + kind`: 0 win, 1 loss, 2 draw; the distance is 0 if unknown, else one more |
//! | 1 | evaluation | the score, signed; `4 · depth + bound`, signed: 0 unknown, 1 upper, 2 lower, 3 exact |
//! | 2 | best | a cell |
//! | 3 | visits | a number |
//! | 4 | label | a text |
//! | 5 | text | a text |
//! | 6 | games | three numbers: black won, white won, draws |
//! | 7 | marked | nothing |
//! | 8 | board texts | how many, and a cell and a text for each, by cell |
//! | 9 | marks | how many, and a cell and a form for each, by cell and form |
//! | 10 | placeholder | nothing |

use thiserror::Error;

use super::entry::{CellMark, EntryLabel, Evaluation, GameCounts, PositionEntry, ProvenResult};
use super::key::{cell_number, numbered_cell};
use tengen_core::types::{Bound, Point, Score, Size};

/// The fields, as the numbers of their bits.
mod field {
    pub(super) const RESULT: u32 = 0;
    pub(super) const EVALUATION: u32 = 1;
    pub(super) const BEST: u32 = 2;
    pub(super) const VISITS: u32 = 3;
    pub(super) const LABEL: u32 = 4;
    pub(super) const TEXT: u32 = 5;
    pub(super) const GAMES: u32 = 6;
    pub(super) const MARKED: u32 = 7;
    pub(super) const BOARD_TEXTS: u32 = 8;
    pub(super) const MARKS: u32 = 9;
    pub(super) const PLACEHOLDER: u32 = 10;
    /// The number of fields.
    pub(super) const COUNT: u32 = 11;
}

/// The fault of bytes that are not entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {offset} of the entry: {expected} was expected")]
pub struct EntryError {
    /// The place in the entry, in bytes from its beginning.
    pub offset: usize,
    /// The thing that should be there.
    pub expected: &'static str,
}

fn has(entry: &PositionEntry, number: u32) -> bool {
    match number {
        field::RESULT => entry.result.is_some(),
        field::EVALUATION => entry.evaluation.is_some(),
        field::BEST => entry.best.is_some(),
        field::VISITS => entry.visits > 0,
        field::LABEL => entry.label.is_some(),
        field::TEXT => !entry.text.is_empty(),
        field::GAMES => entry.games != GameCounts::default(),
        field::MARKED => entry.is_marked,
        field::BOARD_TEXTS => !entry.board_texts.is_empty(),
        field::MARKS => !entry.marks.is_empty(),
        _ => entry.is_placeholder,
    }
}

/// Returns the bytes of an entry whose cells are on a board of size `size`.
pub(super) fn encode(entry: &PositionEntry, size: Size) -> Vec<u8> {
    let mut out = Vec::new();
    let fields = (0..field::COUNT).filter(|&number| has(entry, number));
    put(&mut out, fields.fold(0, |bits, number| bits | 1 << number));
    if let Some(result) = entry.result {
        let kind = match result {
            ProvenResult::Win(_) => 0,
            ProvenResult::Loss(_) => 1,
            ProvenResult::Draw => 2,
        };
        put(&mut out, result.distance().map_or(0, |plies| u64::from(plies) + 1) << 2 | kind);
    }
    if let Some(evaluation) = entry.evaluation {
        put_signed(&mut out, evaluation.score.raw().into());
        let bound = evaluation.bound.map_or(0, |bound| bound as i64);
        put_signed(&mut out, i64::from(evaluation.depth) << 2 | bound);
    }
    if let Some(best) = entry.best {
        put_cell(&mut out, size, best);
    }
    if entry.visits > 0 {
        put(&mut out, entry.visits);
    }
    if let Some(label) = &entry.label {
        put_text(&mut out, label.as_str());
    }
    if !entry.text.is_empty() {
        put_text(&mut out, &entry.text);
    }
    if has(entry, field::GAMES) {
        let GameCounts { black, white, draws } = entry.games;
        [black, white, draws].into_iter().for_each(|count| put(&mut out, count));
    }
    if !entry.board_texts.is_empty() {
        put(&mut out, entry.board_texts.len() as u64);
        for (&at, text) in &entry.board_texts {
            put_cell(&mut out, size, at);
            put_text(&mut out, text);
        }
    }
    if !entry.marks.is_empty() {
        put(&mut out, entry.marks.len() as u64);
        for &(at, mark) in &entry.marks {
            put_cell(&mut out, size, at);
            out.push(mark as u8);
        }
    }
    out
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, (number << 1 ^ number >> 63) as u64);
}

fn put_cell(out: &mut Vec<u8>, size: Size, point: Point) {
    put(out, cell_number(size, point) as u64);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads an entry of a position on a board of size `size`: the inverse of [`encode`].
///
/// # Errors
///
/// Returns the first place at which the bytes are none of an entry.
pub(super) fn decode(bytes: &[u8], size: Size) -> Result<PositionEntry, EntryError> {
    let mut from = Decoder { bytes, at: 0, size };
    let fields = from.number("the fields of an entry")?;
    if fields >> field::COUNT != 0 {
        return Err(EntryError { offset: 0, expected: "fields that this version knows" });
    }
    let has = |number: u32| fields >> number & 1 == 1;
    let mut entry = PositionEntry::default();
    if has(field::RESULT) {
        entry.result = Some(from.result()?);
    }
    if has(field::EVALUATION) {
        entry.evaluation = Some(from.evaluation()?);
    }
    if has(field::BEST) {
        entry.best = Some(from.cell()?);
    }
    if has(field::VISITS) {
        entry.visits = from.number("a number of visits")?;
    }
    if has(field::LABEL) {
        let at = from.at;
        let label = EntryLabel::new(from.text()?);
        entry.label = Some(label.map_err(|_| EntryError { offset: at, expected: "a label" })?);
    }
    if has(field::TEXT) {
        from.text()?.clone_into(&mut entry.text);
    }
    if has(field::GAMES) {
        let mut count = || from.number("a number of games");
        entry.games = GameCounts { black: count()?, white: count()?, draws: count()? };
    }
    entry.is_marked = has(field::MARKED);
    entry.is_placeholder = has(field::PLACEHOLDER);
    if has(field::BOARD_TEXTS) {
        for _ in 0..from.count()? {
            let at = from.cell()?;
            entry.board_texts.insert(at, from.text()?.to_owned());
        }
    }
    if has(field::MARKS) {
        for _ in 0..from.count()? {
            let at = from.cell()?;
            entry.marks.insert((at, from.mark()?));
        }
    }
    if from.at == bytes.len() { Ok(entry) } else { Err(from.fault("the end")) }
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    size: Size,
}

impl<'a> Decoder<'a> {
    fn fault(&self, expected: &'static str) -> EntryError {
        EntryError { offset: self.at, expected }
    }

    fn number(&mut self, expected: &'static str) -> Result<u64, EntryError> {
        let fault = self.fault(expected);
        let mut number = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let &byte = self.bytes.get(self.at).ok_or(fault)?;
            self.at += 1;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                return Err(fault);
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(fault)
    }

    fn signed(&mut self, expected: &'static str) -> Result<i64, EntryError> {
        let number = self.number(expected)?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn result(&mut self) -> Result<ProvenResult, EntryError> {
        let fault = self.fault("a proven result");
        let number = self.number("a proven result")?;
        let distance = match number >> 2 {
            0 => None,
            plies => Some(u16::try_from(plies - 1).map_err(|_| fault)?),
        };
        match (number & 3, distance) {
            (0, distance) => Ok(ProvenResult::Win(distance)),
            (1, distance) => Ok(ProvenResult::Loss(distance)),
            (2, None) => Ok(ProvenResult::Draw),
            _ => Err(fault),
        }
    }

    fn evaluation(&mut self) -> Result<Evaluation, EntryError> {
        let fault = self.fault("a score");
        let most = i64::from(Score::INFINITE.raw());
        let score = self.signed("a score")?;
        if !(-most..=most).contains(&score) {
            return Err(fault);
        }
        let fault = self.fault("a depth and a bound");
        let packed = self.signed("a depth and a bound")?;
        let depth = i16::try_from(packed >> 2).map_err(|_| fault)?;
        let bound = match packed & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        };
        Ok(Evaluation { score: Score::from_raw(score as i32), depth, bound })
    }

    fn cell(&mut self) -> Result<Point, EntryError> {
        let fault = self.fault("a cell");
        let number = usize::try_from(self.number("a cell")?).map_err(|_| fault)?;
        numbered_cell(self.size, number).ok_or(fault)
    }

    fn text(&mut self) -> Result<&'a str, EntryError> {
        let fault = self.fault("a text");
        let len = usize::try_from(self.number("a text")?).map_err(|_| fault)?;
        let rest = &self.bytes[self.at..];
        let text = rest.get(..len).and_then(|text| std::str::from_utf8(text).ok()).ok_or(fault)?;
        self.at += len;
        Ok(text)
    }

    /// Reads how many things follow, each of which takes two bytes at least.
    fn count(&mut self) -> Result<u64, EntryError> {
        let fault = self.fault("how many there are");
        let count = self.number("how many there are")?;
        if count > (self.bytes.len() - self.at) as u64 { Err(fault) } else { Ok(count) }
    }

    fn mark(&mut self) -> Result<CellMark, EntryError> {
        let fault = self.fault("the form of a mark");
        let &byte = self.bytes.get(self.at).ok_or(fault)?;
        self.at += 1;
        CellMark::ALL.into_iter().find(|&mark| mark as u8 == byte).ok_or(fault)
    }
}

#[cfg(test)]
pub(super) mod tests;

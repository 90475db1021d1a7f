//! Reading files of samples.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{
    BLACK_TO_MOVE, HEADER_BYTES, HELD_OUT, MAGIC, NO_RESULT, TELLS_CHOICE, TELLS_VALUE, cell_bytes,
    sample_bytes,
};
use tengen_core::board::Board;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Point, Score, Size};
use tengen_files::resume::FileError;

/// The reason why samples could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SampleFileError {
    /// The file failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file begins with something else.
    #[error("{}: it is not a file of samples", .0.display())]
    Foreign(PathBuf),
    /// The file has another length than its number of samples takes.
    #[error("{}: it is not as long as its {samples} samples", .path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The number of samples that its header tells.
        samples: u64,
    },
    /// A sample is none of the rule's and board's.
    #[error("{}: sample {number} is damaged", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the sample, counted from 1.
        number: u64,
    },
}

/// A sample, as it was read.
#[derive(Debug)]
pub(in crate::tuning) struct SampleRecord {
    /// The position, without the moves that led to it.
    pub(in crate::tuning) position: Position,
    /// The candidates with their orders, row by row.
    pub(in crate::tuning) candidates: Vec<(Point, u8)>,
    /// The score of the search for the side to move.
    pub(in crate::tuning) score: i16,
    /// The score of the tables for the side to move.
    pub(in crate::tuning) tables: Score,
    /// The place of the best move among the candidates, if it is a choice to learn from.
    pub(in crate::tuning) choice: Option<usize>,
    /// The result for the side to move in half points, unless it is a leaf.
    pub(in crate::tuning) halves: Option<u8>,
    /// Whether the value is to be learnt from.
    pub(in crate::tuning) tells_value: bool,
}

/// An open file of samples, of which any part can be read.
#[derive(Clone, Debug)]
pub struct SampleReader {
    path: PathBuf,
    rule: Rule,
    size: Size,
    samples: u64,
}

impl SampleReader {
    /// Looks at the header and the length of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or is not one of samples.
    pub fn open(path: &Path) -> Result<SampleReader, SampleFileError> {
        let failed = |error| FileError::io("read", path, error);
        let metadata = path.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(FileError::NotAFile(path.to_owned()).into());
        }
        let mut header = Vec::with_capacity(HEADER_BYTES);
        let file = File::open(path).map_err(failed)?;
        file.take(HEADER_BYTES as u64).read_to_end(&mut header).map_err(failed)?;
        let (rule, size, samples) =
            decode_header(&header).ok_or_else(|| SampleFileError::Foreign(path.to_owned()))?;
        let bytes = (sample_bytes(size) as u64).checked_mul(samples);
        if bytes.is_none_or(|bytes| metadata.len().checked_sub(HEADER_BYTES as u64) != Some(bytes))
        {
            return Err(SampleFileError::Length { path: path.to_owned(), samples });
        }
        Ok(SampleReader { path: path.to_owned(), rule, size, samples })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the rule of the positions.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the size of their boards.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of samples.
    #[must_use]
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Reads at most `count` samples from number `first` on, counted from 0, or only those among them
    /// that are held out. Samples that tell nothing are left out.
    pub(in crate::tuning) fn read(
        &self,
        first: u64,
        count: u64,
        only_held_out: bool,
    ) -> Result<Vec<SampleRecord>, SampleFileError> {
        let each = sample_bytes(self.size);
        let count = count.min(self.samples.saturating_sub(first)) as usize;
        let mut bytes = vec![0; count * each];
        let mut read = || -> io::Result<()> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(HEADER_BYTES as u64 + first * each as u64))?;
            file.read_exact(&mut bytes)
        };
        read().map_err(|error| FileError::io("read", &self.path, error))?;
        let is_wanted = |(_, bytes): &(u64, &[u8])| {
            let flags = bytes[each - 1];
            flags & (TELLS_VALUE | TELLS_CHOICE) != 0 && (flags & HELD_OUT != 0 || !only_held_out)
        };
        let numbered = (first + 1..).zip(bytes.chunks_exact(each)).filter(is_wanted);
        let records = numbered.map(|(number, bytes)| {
            let damaged = || SampleFileError::Damaged { path: self.path.clone(), number };
            decode(self.rule, self.size, bytes).ok_or_else(damaged)
        });
        records.collect()
    }
}

/// Reads a header: the rule, the size of the boards and the number of samples.
fn decode_header(bytes: &[u8]) -> Option<(Rule, Size, u64)> {
    if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC {
        return None;
    }
    let rule = *Rule::ALL.get(usize::from(bytes[8]))?;
    let size = Size::new(bytes[9].into(), bytes[10].into()).ok()?;
    let each = u32::from_le_bytes(bytes[12..16].try_into().ok()?);
    let samples = u64::from_le_bytes(bytes[16..24].try_into().ok()?);
    (each as usize == sample_bytes(size)).then_some((rule, size, samples))
}

/// Reads a sample; returns `None` if it can't be one.
fn decode(rule: Rule, size: Size, bytes: &[u8]) -> Option<SampleRecord> {
    let (cells, rest) = bytes.split_at(cell_bytes(size));
    let (orders, tail) = rest.split_at(size.area());
    let &[score_low, score_high, tables_low, tables_high, low, high, points, flags] =
        tail.first_chunk()?;
    let mut board = Board::new(size);
    for (i, point) in size.points().enumerate() {
        match cells[i / 4] >> (2 * (i % 4)) & 3 {
            0 => {}
            1 => board.place(point, Color::Black),
            2 => board.place(point, Color::White),
            _ => return None,
        }
    }
    let candidates: Vec<(Point, u8)> =
        size.points().zip(orders.iter().copied()).filter(|&(_, order)| order > 0).collect();
    if !candidates.iter().all(|&(point, _)| board.is_empty(point)) || points > NO_RESULT {
        return None;
    }
    let best = size.points().nth(u16::from_le_bytes([low, high]).into());
    let choice = candidates.iter().position(|&(point, _)| Some(point) == best);
    let tells_choice = flags & TELLS_CHOICE != 0;
    if tells_choice && choice.is_none() {
        return None;
    }
    let to_move = if flags & BLACK_TO_MOVE != 0 { Color::Black } else { Color::White };
    Some(SampleRecord {
        position: Position::from_board(rule, board, to_move),
        candidates,
        score: i16::from_le_bytes([score_low, score_high]),
        tables: Score::eval(i16::from_le_bytes([tables_low, tables_high]).into()),
        choice: choice.filter(|_| tells_choice),
        halves: (points != NO_RESULT).then_some(points),
        tells_value: flags & TELLS_VALUE != 0,
    })
}

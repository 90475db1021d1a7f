//! The formats, and the way to each of them.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::decoder::TextDecoder;
use super::source::{SourceText, TextStart, decode};
use super::warning::Warnings;
use super::{
    CodePage, LibGame, LibTree, Record, RecordError, WriteError, json, offset, pgn, pos, psq,
    renlib, sgf,
};
use crate::rules::Rule;
use crate::types::Size;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Piskvork's own: one game a file, with the time of each move.
    Psq,
    /// Smart Game Format FF\[4\], GM\[4\].
    Sgf,
    /// One game a line as a row of cells such as `h8i9h9`, rows counted from the top.
    Pos,
    /// One game a line as distances from the cell in the middle: `0,0, 1,1, 0,1`.
    Offset,
    /// A library of RenLib: a tree of moves on a board of 15 by 15, with texts and marks.
    Lib,
    /// The PGN that c-gomoku-cli writes for rating tools: results without moves.
    Pgn,
    /// One JSON object a line; holds everything.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::Psq,
        Format::Sgf,
        Format::Pos,
        Format::Offset,
        Format::Lib,
        Format::Pgn,
        Format::Json,
    ];

    /// Returns the name: `psq`, `sgf`, `pos`, `offset`, `lib`, `pgn` or `json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Pos => "pos",
            Format::Offset => "offset",
            Format::Lib => "lib",
            Format::Pgn => "pgn",
            Format::Json => "json",
        }
    }

    /// Returns the format that the extension of a file stands for: a name of a format, `jsonl` or
    /// `ndjson`.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "jsonl" | "ndjson" => Some(Format::Json),
            name => name.parse().ok(),
        }
    }

    /// Returns the only format whose files can begin like this one.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Option<Format> {
        if renlib::begins(bytes) {
            return Some(Format::Lib);
        }
        // The beginning is enough.
        let text = decode(&bytes[..bytes.len().min(1024)]);
        let text = text.trim_start();
        let mut chars = text.chars();
        match (chars.next()?, chars.next()) {
            _ if text.starts_with(psq::TITLE) => Some(Format::Psq),
            ('(', _) => Some(Format::Sgf),
            ('[', _) => Some(Format::Pgn),
            ('{', _) => Some(Format::Json),
            ('a'..='z' | 'A'..='Z', Some('0'..='9')) => Some(Format::Pos),
            ('-' | '0'..='9', _) => Some(Format::Offset),
            _ => None,
        }
    }

    /// Returns whether a file of this format can hold more than one game.
    #[must_use]
    pub const fn holds_many(self) -> bool {
        !matches!(self, Format::Psq | Format::Lib)
    }

    /// Returns whether the format can hold a game in which stones were set up, with or without them.
    pub(super) const fn holds_set_up(self) -> bool {
        matches!(self, Format::Sgf | Format::Pgn | Format::Json)
    }

    /// Returns whether the format can tell who won.
    const fn holds_results(self) -> bool {
        matches!(self, Format::Sgf | Format::Pgn | Format::Json)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the formats are {}", Format::ALL.map(Format::name).join(", "))]
pub struct FormatNameError;

impl FromStr for Format {
    type Err = FormatNameError;

    /// Reads a name as [`Format::name`] gives it.
    fn from_str(name: &str) -> Result<Format, FormatNameError> {
        let named = |format: &Format| format.name() == name;
        Format::ALL.into_iter().find(named).ok_or(FormatNameError)
    }
}

/// Facts about games whose file does not give them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The size of the board.
    pub size: Option<Size>,
    /// The rule.
    pub rule: Option<Rule>,
    /// The encoding of the texts of a library; without one the likely one counts.
    pub page: Option<CodePage>,
}

/// The sizes to try where none is known, the usual ones first.
const USUAL_EDGES: [i64; 3] = [15, 20, 22];

/// Reads all games of a file.
///
/// `known` says what the file does not. Without a size there, rows of cells are on the smallest
/// of the boards of 15, 20 and 22 cells that holds all of them. With a rule there, the result is
/// found out by playing the moves where the format cannot tell it.
///
/// # Errors
///
/// Returns the first place at which the file is not of the format, without a file name.
pub fn read(bytes: &[u8], format: Format, known: Known) -> Result<Vec<Record>, RecordError> {
    let mut records = match format {
        Format::Lib => return Ok(vec![read_library(bytes, known)?.record]),
        _ => read_text(bytes, format, known)?,
    };
    for record in &mut records {
        record.rule = record.rule.or(known.rule);
        if !format.holds_results() && record.result.is_none() {
            record.judge();
        }
    }
    Ok(records)
}

/// Reads a library of RenLib as [`read`] does, and tells what a record cannot hold of it.
///
/// # Errors
///
/// Returns the first place at which the file is no library, without a file name.
pub fn read_library(bytes: &[u8], known: Known) -> Result<LibGame, RecordError> {
    let mut game = LibTree::read(bytes)?.to_record(known.page);
    game.record.rule = known.rule;
    game.record.judge();
    Ok(game)
}

fn read_text(bytes: &[u8], format: Format, known: Known) -> Result<Vec<Record>, RecordError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut decoder = TextDecoder::new(known.page);
    let text = decoder.decode(bytes, None, TextStart::FILE, &mut Warnings::default())?;
    let source = SourceText::new(&text);
    let size = known.size.unwrap_or(Size::DEFAULT);
    match format {
        Format::Psq => Ok(vec![psq::read(source)?]),
        Format::Sgf => sgf::read(source, size, &mut Warnings::default()),
        Format::Pos => sized(known, |size| pos::read(source, size)),
        Format::Offset => sized(known, |size| offset::read(source, size)),
        Format::Lib => Err(source.error(0, "a text")),
        Format::Pgn => pgn::read(source, size),
        Format::Json => json::read(source),
    }
}

/// Reads with the size that is known or else with the first that does.
fn sized(
    known: Known,
    read: impl Fn(Size) -> Result<Vec<Record>, RecordError>,
) -> Result<Vec<Record>, RecordError> {
    if let Some(size) = known.size {
        return read(size);
    }
    let mut read_any = read(Size::DEFAULT);
    for size in USUAL_EDGES.into_iter().skip(1).filter_map(|edge| Size::square(edge).ok()) {
        if read_any.is_err() {
            read_any = read(size);
        }
    }
    read_any
}

/// Writes a game as a text that ends with a line end; texts of formats that hold many games can be
/// put one after the other.
///
/// `number` is the number of the game among them, counted from 1. What the format cannot hold is
/// left out.
///
/// # Errors
///
/// Returns an error if nothing could be made of the text again: the record is no game, or it is
/// one that the format has no way to write. Formats that are no text are an error, too.
pub fn write(record: &Record, format: Format, number: usize) -> Result<String, WriteError> {
    record.check()?;
    let record = &*plain(record, format)?;
    let by_order = matches!(format, Format::Psq | Format::Pos | Format::Offset);
    if by_order && !record.alternates() {
        return Err(WriteError::Colors(format));
    }
    if matches!(format, Format::Pos | Format::Offset) && record.moves.is_empty() {
        return Err(WriteError::Empty(format));
    }
    Ok(match format {
        Format::Psq => psq::write(record),
        Format::Sgf => sgf::write(record),
        Format::Pos => pos::write(record),
        Format::Offset => offset::write(record),
        Format::Lib => return Err(WriteError::Binary(format)),
        Format::Pgn => pgn::write(record, number),
        Format::Json => json::write(record),
    })
}

/// Returns a record that a format can hold as far as the stones are concerned that were set up: where
/// it knows nothing but moves, those at the beginning become moves.
pub(super) fn plain(record: &Record, format: Format) -> Result<Cow<'_, Record>, WriteError> {
    let has_none = record.start.cells.is_empty() && !record.changes_position();
    if format.holds_set_up() || has_none {
        return Ok(Cow::Borrowed(record));
    }
    record.with_stones_as_moves().map(Cow::Owned).ok_or(WriteError::SetUp(format))
}

/// Writes a game as a file of any format, the text of [`write()`] or bytes.
///
/// Texts of a library are of the encoding `page`; [`LibTree::of_record`] says of which without one.
///
/// # Errors
///
/// Returns the errors of [`write()`] and [`LibTree::of_record`].
pub fn write_file(
    record: &Record,
    format: Format,
    number: usize,
    page: Option<CodePage>,
) -> Result<Vec<u8>, WriteError> {
    match format {
        Format::Lib => Ok(LibTree::of_record(record, page)?.to_bytes()),
        _ => write(record, format, number).map(String::into_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_their_format() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(Format::of_path(Path::new(&format!("a.b.{format}"))), Some(format));
        }
        assert_eq!(Format::of_path(Path::new("x/GAME.PSQ")), Some(Format::Psq));
        assert_eq!(Format::of_path(Path::new("games.jsonl")), Some(Format::Json));
        for path in ["openings.txt", "psq", ".sgf", ""] {
            assert_eq!(Format::of_path(Path::new(path)), None, "{path}");
        }
        assert_eq!(
            "xml".parse::<Format>().unwrap_err().to_string(),
            "the formats are psq, sgf, pos, offset, lib, pgn, json"
        );
    }

    #[test]
    fn the_beginning_of_a_text_shows_its_format() {
        let cases: [(&[u8], Option<Format>); 12] = [
            (b"Piskvorky 15x15, 11:11, 0\r\n", Some(Format::Psq)),
            (b"\xef\xbb\xbf (;FF[4]", Some(Format::Sgf)),
            (b"\n\nd3e5f6d7\n", Some(Format::Pos)),
            (b"8,-3, 6,-4\n", Some(Format::Offset)),
            (b"-8,-3, 6,-4\n", Some(Format::Offset)),
            (b"[Event \"1\"]", Some(Format::Pgn)),
            (b"{\"tengen\":1}", Some(Format::Json)),
            (b"\xffRenLib\xff\x03\x04", Some(Format::Lib)),
            (b"\xffRenLib", None),
            (b"", None),
            (b"hello", None),
            (b"\xff\xfe", None),
        ];
        for (bytes, format) in cases {
            assert_eq!(Format::detect(bytes), format, "{bytes:?}");
        }
    }

    #[test]
    fn rows_of_cells_are_on_the_smallest_usual_board() {
        let size = |text: &str, format| {
            let records = read(text.as_bytes(), format, Known::default()).unwrap();
            records[0].size.width()
        };
        assert_eq!(size("h8\no15\n", Format::Pos), 15);
        assert_eq!(size("h8\np15\n", Format::Pos), 20);
        assert_eq!(size("h8\nu1\n", Format::Pos), 22);
        assert_eq!(size("7,7", Format::Offset), 15);
        assert_eq!(size("8,-8", Format::Offset), 20);
        let error = read(b"h8\na23\n", Format::Pos, Known::default()).unwrap_err();
        assert_eq!(crate::records::source::text_place(&error), (2, 1));
    }
}

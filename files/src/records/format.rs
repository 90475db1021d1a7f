//! The formats, and the way to each of them.

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;
use std::{fmt, io};

use encoding_rs::Encoding;
use thiserror::Error;

use super::{
    CodePage, GameStream, LibError, LibTree, ReadError, ReadGame, Record, RecordError, WriteError,
    fitting_size, json, offset, pgn, pos, psq, rec, renlib, sgf, xy,
};
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// A format of game records.
///
/// ```
/// use std::path::Path;
/// use tengen_core::types::Size;
/// use tengen_files::records::{Format, Known, Record, read, write_file};
///
/// assert_eq!(Format::of_path(Path::new("games.jsonl")), Some(Format::Json));
/// assert_eq!(Format::detect(b"(;FF[4]GM[4];B[hh])"), Some(Format::Sgf));
/// // PGN is written without moves, and the database of RenjuNet is only read.
/// let size = Size::square(15)?;
/// let moves = [7, 8].map(|x| size.point(x, 7).unwrap());
/// for format in Format::ALL.into_iter().filter(|it| !matches!(it, Format::Pgn | Format::Rif)) {
///     let known = Known { size: Some(size), ..Known::default() };
///     let bytes = write_file(&Record::of_points(size, &moves), format, 1, known.page)?;
///     let games = read(&bytes, format, known)?;
///     assert_eq!(games[0].points().collect::<Vec<_>>(), moves, "{format}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// A cell a line as the protocol writes it, `7,7`, and an empty line after each game.
    Xy,
    /// Piskvork's and Gomotur's older one: names, and moves with columns and rows counted from 0.
    Rec,
    /// The database of RenjuNet: XML with tables of players, tournaments, openings and rules. It can
    /// only be read.
    Rif,
    /// A library of RenLib: a tree of moves on a board of 15 by 15, with texts and marks.
    Lib,
    /// PGN, with moves as sites write it, or without as c-gomoku-cli does for rating tools; it is
    /// written without moves.
    Pgn,
    /// One JSON object a line; holds everything.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Psq,
        Format::Sgf,
        Format::Pos,
        Format::Offset,
        Format::Xy,
        Format::Rec,
        Format::Rif,
        Format::Lib,
        Format::Pgn,
        Format::Json,
    ];

    /// Returns the name: `psq`, `sgf`, `pos`, `offset`, `xy`, `rec`, `rif`, `lib`, `pgn` or `json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Pos => "pos",
            Format::Offset => "offset",
            Format::Xy => "xy",
            Format::Rec => "rec",
            Format::Rif => "rif",
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
        let text = beginning(&bytes[..bytes.len().min(BEGINNING)]);
        let filled = text.trim_start();
        let digits = filled.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut chars = filled.chars();
        match (chars.next()?, chars.next()) {
            _ if filled.starts_with(psq::TITLE) => Some(Format::Psq),
            ('(', _) => Some(Format::Sgf),
            ('[', _) => Some(Format::Pgn),
            ('{', _) => Some(Format::Json),
            ('<', _) => Some(Format::Rif),
            _ if rec::is_likely(&text) => Some(Format::Rec),
            ('a'..='z' | 'A'..='Z', Some('0'..='9')) => Some(Format::Pos),
            ('0'..='9', _) if digits.starts_with(['.', ')']) => Some(Format::Pos),
            ('0'..='9', _) if xy::is_likely(filled) => Some(Format::Xy),
            ('-' | '0'..='9', _) => Some(Format::Offset),
            // There may be the head of a letter before a game.
            _ if text.contains("(;") => Some(Format::Sgf),
            _ => None,
        }
    }

    /// Returns whether a file of this format can hold more than one game.
    #[must_use]
    pub const fn holds_many(self) -> bool {
        !matches!(self, Format::Psq | Format::Rec | Format::Lib)
    }

    /// Returns whether a game has the size of its board, or can be put on one that holds it. Rows of
    /// cells are opening files as a rule, and all of a file are on one board: see [`fitting_size`].
    #[must_use]
    pub const fn tells_size(self) -> bool {
        !matches!(self, Format::Pos | Format::Offset)
    }

    /// Returns whether the format can hold a game in which stones were set up, with or without them.
    pub(super) const fn holds_set_up(self) -> bool {
        matches!(self, Format::Sgf | Format::Pgn | Format::Json)
    }

    /// Returns whether the format can tell who won.
    pub(super) const fn holds_results(self) -> bool {
        matches!(self, Format::Sgf | Format::Rif | Format::Pgn | Format::Json)
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
    /// The encoding of texts; without one what the file says counts, or else the likely one.
    pub page: Option<CodePage>,
}

/// The bytes that tell a format.
const BEGINNING: usize = 1024;

/// Returns the beginning of a file as a text. Anything it can't decide does not matter here.
fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    match Encoding::for_bom(bytes) {
        Some((page, length)) => page.decode_without_bom_handling(&bytes[length..]).0,
        None => String::from_utf8_lossy(bytes),
    }
}

/// Returns the sizes to try where none is known, from the smallest to the largest.
pub(super) fn usual_sizes() -> [Size; 3] {
    // Any of these is a size.
    [15, 20, 22].map(|edge| Size::square(edge).unwrap_or(Size::DEFAULT))
}

/// Reads on the board of a size that is known, or else on the first of the usual ones on which it can
/// be read.
pub(super) fn on_fitting<T>(
    known: Option<Size>,
    read: impl Fn(Size) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let sizes = usual_sizes();
    let (first, others) = known.map_or((sizes[0], &sizes[1..]), |size| (size, &[]));
    others.iter().fold(read(first), |result, &size| result.or_else(|_| read(size)))
}

/// Reads all games of a file, which is in memory; [`GameStream`] holds one at a time, and tells what was
/// odd.
///
/// `known` says what the file does not. Without a size there, rows of cells are on the smallest
/// of the boards of 15, 20 and 22 cells that holds all of them. With a rule there, the result is
/// found out by playing the moves where the file does not tell it.
///
/// # Errors
///
/// Returns the first place at which the file is not of the format, without a file name.
///
/// ```
/// use tengen_core::types::Color;
/// use tengen_files::records::{Format, GameResult, Known, read};
///
/// let games = read(b"(;FF[4]GM[4]SZ[15]PB[Ann]RE[W+R];B[hh];W[ii])", Format::Sgf, Known::default())?;
/// assert_eq!(games[0].players[Color::Black], "Ann");
/// assert_eq!(games[0].result, Some(GameResult::Win(Color::White)));
/// let games = read(b"[White \"Bob\"]\n\n1. h8 i9 2. h9 *\n", Format::Pgn, Known::default())?;
/// assert_eq!((games[0].points().count(), games[0].players[Color::White].as_str()), (3, "Bob"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(bytes: &[u8], format: Format, mut known: Known) -> Result<Vec<Record>, RecordError> {
    let failed = |error: io::Error| LibError::Io(error).into();
    if !format.tells_size() && known.size.is_none() {
        known.size = Some(fitting_size(bytes, format).map_err(failed)?);
    }
    let games = GameStream::new(bytes, format, known).map_err(failed)?;
    let record = |game: Result<ReadGame, ReadError>| match game {
        Ok(game) => Ok(game.record),
        Err(ReadError::Record(error)) => Err(error),
        Err(ReadError::Io(error)) => Err(failed(error)),
    };
    games.map(record).collect()
}

/// Writes a game as a text that ends with a line end; texts of formats that hold many games can be
/// put one after the other.
///
/// `number` is the number of the game among them, counted from 1. What the format cannot hold is
/// left out.
///
/// # Errors
///
/// Returns an error if nothing could be made of the text again: the record is not a game, or it is
/// one that the format has no way to write. Formats that are not text are an error, too.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::types::Size;
/// use tengen_files::records::{Format, Record, write};
///
/// let size = Size::square(15)?;
/// let record = Record::of_points(size, &parse_moves("h8i9h9", size)?);
/// assert_eq!(write(&record, Format::Pos, 1)?, "h8i9h9\n");
/// assert_eq!(write(&record, Format::Xy, 1)?, "7,7\n8,8\n7,8\n\n");
/// assert_eq!(write(&record, Format::Offset, 1)?, "0,0, 1,1, 0,1\n");
/// assert!(write(&record, Format::Rif, 1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(record: &Record, format: Format, number: usize) -> Result<String, WriteError> {
    record.check()?;
    let record = &*plain(record, format)?;
    let by_order =
        matches!(format, Format::Psq | Format::Rec | Format::Pos | Format::Offset | Format::Xy);
    if by_order && !record.alternates() {
        return Err(WriteError::Colors(format));
    }
    if matches!(format, Format::Pos | Format::Offset | Format::Xy) && record.moves.is_empty() {
        return Err(WriteError::Empty(format));
    }
    Ok(match format {
        Format::Psq => psq::write(record),
        Format::Sgf => sgf::write(record),
        Format::Pos => pos::write(record),
        Format::Offset => offset::write(record),
        Format::Xy => xy::write(record),
        Format::Rec => rec::write(record),
        Format::Rif => return Err(WriteError::OnlyRead(format)),
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

/// Returns the edge from which people count the rows of a game.
///
/// Printed renju counts from the bottom. Rows of cells (pos) are text that people read, and count
/// from the top: what was read so is not printed otherwise.
#[must_use]
pub fn usual_origin(rule: Option<Rule>, format: Option<Format>) -> Origin {
    match (rule, format) {
        (Some(Rule::Renju), Some(Format::Pos)) => Origin::Top,
        (Some(Rule::Renju), _) => Origin::Bottom,
        _ => Origin::Top,
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
            "the formats are psq, sgf, pos, offset, xy, rec, rif, lib, pgn, json"
        );
    }

    #[test]
    fn the_beginning_of_a_text_shows_its_format() {
        let cases: [(&[u8], Option<Format>); 22] = [
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
            (b"\xff\xfe(\0;\0", Some(Format::Sgf)),
            (b"\xfe\xff\0h\x008", Some(Format::Pos)),
            (b"From: a\nSubject: b\n\n(;GM[4]", Some(Format::Sgf)),
            (b"1. h8 i9 2. h10", Some(Format::Pos)),
            (b"1) h8", Some(Format::Pos)),
            (b"7,7\n8,8\n", Some(Format::Xy)),
            (b"7,7\n", Some(Format::Offset)),
            (b"one\ntwo\n7,7,0\n", Some(Format::Rec)),
            (b"a1\nb2\n7,7,0\n", Some(Format::Rec)),
            (b"<?xml version=\"1.0\"?><database>", Some(Format::Rif)),
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

//! The games of a file, one at a time.

mod input;
mod split;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;

use super::decoder::TextDecoder;
use super::format::usual_sizes;
use super::rif::RifReader;
use super::source::{LastPlace, SourceText};
use super::warning::Warnings;
use super::{
    Format, Known, LibError, LibTree, Record, RecordError, RecordPlace, RecordWarning, json,
    offset, pgn, pos, psq, rec, sgf, xy,
};
pub(super) use input::TextInput;
use tengen_core::types::Size;

/// A character that ends texts of DOS.
const END_OF_DOS: u8 = 0x1a;

/// A game of a file, with what was odd about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The game.
    pub record: Record,
    /// Warnings: skipped input, and guesses at what was meant.
    pub warnings: Vec<RecordWarning>,
}

/// The reason why a game, or all from it on, can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source of the bytes fails; there are no more games.
    #[error("cannot read the games")]
    Io(#[from] io::Error),
    /// The file is not of the format there; the error has no name of a file.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A reader of the games of a file, one at a time and in bounded memory: that of the largest game.
///
/// After a game that can't be read come those after it, unless nobody can tell where they begin.
///
/// ```
/// use tengen_files::records::{Format, GameStream, Known};
///
/// let file = "h8i9\nh8h8\nh8j9\n";
/// let games = GameStream::new(file.as_bytes(), Format::Pos, Known::default())?;
/// let read: Vec<bool> = games.map(|game| game.is_ok()).collect();
/// // The one in the middle has a cell twice.
/// assert_eq!(read, [true, false, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameStream<'a> {
    source: GameSource<'a>,
    known: Known,
    warnings: Warnings,
    is_at_end: bool,
}

#[derive(Debug)]
enum GameSource<'a> {
    Text(Box<TextGames<'a>>),
    Rif(Box<RifReader<'a>>),
}

/// The games of a file that is not XML.
#[derive(Debug)]
struct TextGames<'a> {
    input: TextInput<'a>,
    format: Format,
    known: Known,
    decoder: TextDecoder,
    /// True if something has been read.
    has_begun: bool,
    /// Games that were read with the one before them, where only their letters told them apart.
    more: VecDeque<Result<Record, RecordError>>,
}

impl<'a> GameStream<'a> {
    /// Opens a file. `known` says what the file does not; without a size, rows of cells are on a board
    /// of 15 by 15, see [`fitting_size`].
    ///
    /// # Errors
    ///
    /// Returns an error if the source can't be read.
    pub fn new(source: impl Read + 'a, format: Format, known: Known) -> io::Result<GameStream<'a>> {
        let (input, is_marked) = match format {
            Format::Lib => (TextInput::of_bytes(source), false),
            _ => TextInput::new(source)?,
        };
        let source = if format == Format::Rif {
            let size = known.size.unwrap_or(Size::DEFAULT);
            GameSource::Rif(Box::new(RifReader::new(input, is_marked, known.page, size)?))
        } else {
            let decoder = TextDecoder::new(known.page, is_marked);
            let (has_begun, more) = (false, VecDeque::new());
            let games = TextGames { input, format, known, decoder, has_begun, more };
            GameSource::Text(Box::new(games))
        };
        Ok(GameStream { source, known, warnings: Warnings::default(), is_at_end: false })
    }

    /// Returns the number of bytes that were taken from the source.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        match &self.source {
            GameSource::Text(games) => games.input.bytes_read(),
            GameSource::Rif(games) => games.bytes_read(),
        }
    }

    /// Reads the next game; `None` is the end.
    fn game(&mut self) -> Result<Option<Record>, ReadError> {
        let (record, input, holds_results) = match &mut self.source {
            GameSource::Text(games) => {
                let record = games.game(&mut self.warnings);
                (record, &mut games.input, games.format.holds_results())
            }
            GameSource::Rif(games) => (games.game(&mut self.warnings), games.input(), true),
        };
        if input.take_meaningless() > 0 {
            let text = "bytes that mean nothing in the encoding of the file became other letters";
            self.warnings.add(input.start().place(), text);
        }
        let Some(mut record) = record? else { return Ok(None) };
        record.rule = record.rule.or(self.known.rule);
        if record.result.is_none() && (!holds_results || self.known.rule.is_some()) {
            record.judge();
        }
        Ok(Some(record))
    }
}

impl Iterator for GameStream<'_> {
    type Item = Result<ReadGame, ReadError>;

    fn next(&mut self) -> Option<Result<ReadGame, ReadError>> {
        if self.is_at_end {
            return None;
        }
        let game = self.game();
        let warnings = self.warnings.take();
        self.is_at_end = matches!(game, Ok(None) | Err(ReadError::Io(_)));
        Some(game.transpose()?.map(|record| ReadGame { record, warnings }))
    }
}

impl TextGames<'_> {
    /// Reads the next game; `None` is the end.
    fn game(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        match self.format {
            Format::Sgf => self.sgf(is_first, warnings),
            Format::Pgn | Format::Xy => self.paragraph(warnings),
            Format::Pos | Format::Offset | Format::Json => self.line(warnings),
            // One game a file.
            _ if !is_first => Ok(None),
            Format::Lib => self.library(warnings),
            Format::Psq | Format::Rec | Format::Rif => self.file(warnings),
        }
    }

    fn size(&self) -> Size {
        self.known.size.unwrap_or(Size::DEFAULT)
    }

    /// Is done with the next bytes, and returns what `read` makes of their text.
    fn unit<T>(
        &mut self,
        length: usize,
        declared: Option<&str>,
        warnings: &mut Warnings,
        read: impl FnOnce(SourceText<'_>, &mut Warnings) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let start = self.input.start();
        let bytes = &self.input.held()[..length];
        let result = self.decoder.decode(bytes, declared, start, warnings).and_then(|text| {
            let last = LastPlace::new((0, start));
            read(SourceText::within(&text, start).with_last(&last), warnings)
        });
        self.input.advance(length);
        result
    }

    /// Reads the next game of SGF, with what stands before it, and after it if it is the last one.
    fn sgf(
        &mut self,
        is_first: bool,
        warnings: &mut Warnings,
    ) -> Result<Option<Record>, ReadError> {
        if let Some(game) = self.more.pop_front() {
            return Ok(Some(game?));
        }
        let size = self.size();
        let (before, is_game) = split::find_game(&mut self.input, 0, is_first)?;
        let mut length = before;
        let mut declared = None;
        if is_game {
            declared = split::declared(&mut self.input, before)?;
            length = split::end(&mut self.input, before, None)?;
            let game = &self.input.held()[before..length];
            declared = declared.or_else(|| split::declared_in(game));
            if let Some(page) = self.decoder.page_with_halves(game, declared.as_deref()) {
                let end = split::end(&mut self.input, before, Some(page))?;
                // Where letters have brackets, only the end that the encoding finds tells whether it is the right one.
                if end != length && self.decoder.is_read_in(page, &self.input.held()[before..end]) {
                    length = end;
                }
            }
            let (next, goes_on) = split::find_game(&mut self.input, length, false)?;
            // Input before another game is reported with that game.
            if !goes_on {
                length = next;
            }
        }
        let games = self.unit(length, declared.as_deref(), warnings, |source, warnings| {
            Ok(sgf::read(source, size, is_first, warnings))
        })?;
        self.more = games.into();
        Ok(self.more.pop_front().transpose()?)
    }

    /// Passes over bytes, with a warning unless they are blank.
    fn pass_over(&mut self, length: usize, place: &str, warnings: &mut Warnings) {
        let start = self.input.start();
        let bytes = &self.input.held()[..length];
        if let Some(at) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) {
            let what = match bytes[at..].trim_ascii() {
                [END_OF_DOS, ..] => "Ctrl-Z",
                _ => "text",
            };
            let place_of = start.place_in_bytes(bytes, at);
            warnings.add(place_of, format!("{what} {place} is passed over"));
        }
        self.input.advance(length);
    }

    /// Returns the length of the next line, unless it is blank, and is done with blank ones before it.
    fn filled_line(&mut self, warnings: &mut Warnings) -> io::Result<Option<usize>> {
        loop {
            let length = self.input.line(0)?;
            if length == 0 {
                return Ok(None);
            }
            let line = self.input.held()[..length].trim_ascii();
            let is_end = line.iter().all(|&byte| byte == END_OF_DOS);
            if !is_end {
                return Ok(Some(length));
            }
            self.pass_over(length, "at the end", warnings);
        }
    }

    /// Reads the next line that is a game.
    fn line(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        let (format, size) = (self.format, self.size());
        while let Some(length) = self.filled_line(warnings)? {
            let read = |text: SourceText<'_>, warnings: &mut Warnings| match format {
                Format::Pos => pos::read(text, size, warnings).map(Some),
                Format::Offset => offset::read(text, size).map(Some),
                _ => json::read(text),
            };
            // JSON is UTF-8.
            let declared = (format == Format::Json).then_some("utf-8");
            let record = self.unit(length, declared, warnings, read);
            // The warnings of what follows the last game belong to it.
            self.filled_line(warnings)?;
            if let Some(record) = record? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Reads the next lines that are a game together.
    fn paragraph(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        if self.filled_line(warnings)?.is_none() {
            return Ok(None);
        }
        let (format, known) = (self.format, self.known);
        let mut end = pgn::GameBoundary::default();
        let mut length = 0;
        loop {
            let line = self.input.line(length)?;
            let text = &self.input.held()[length..length + line];
            let is_next = match format {
                Format::Pgn => end.is_next(text),
                _ => text.trim_ascii().is_empty(),
            };
            if line == 0 || is_next {
                break;
            }
            length += line;
        }
        let read = |text: SourceText<'_>, warnings: &mut Warnings| match format {
            Format::Pgn => pgn::read(text, known, warnings),
            _ => xy::read(text, known.size),
        };
        let record = self.unit(length, None, warnings, read);
        self.filled_line(warnings)?;
        Ok(Some(record?))
    }

    /// Reads the only game of a file.
    fn file(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        let length = self.input.all()?;
        let (format, known) = (self.format, self.known);
        let read = |text: SourceText<'_>, warnings: &mut Warnings| match format {
            Format::Psq => psq::read(text, warnings),
            _ => rec::read(text, known.size, warnings),
        };
        Ok(Some(self.unit(length, None, warnings, read)?))
    }

    /// Reads a library, which is one game.
    fn library(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        let tree = LibTree::read(&mut self.input).map_err(ReadError::of_library)?;
        let game = tree.to_record(self.known.page);
        let left_out = game.left_out.names().join(", ");
        if !left_out.is_empty() {
            let text = format!("left out, as no game has it: {left_out}");
            warnings.add(RecordPlace::Byte(0), text);
        }
        Ok(Some(game.record))
    }
}

impl ReadError {
    fn of_library(error: LibError) -> ReadError {
        match error {
            LibError::Io(error) => ReadError::Io(error),
            error @ LibError::Expected { .. } => ReadError::Record(error.into()),
        }
    }

    /// Returns the error with the name of the file.
    #[must_use]
    pub fn in_file(self, path: &Path) -> ReadError {
        match self {
            ReadError::Record(error) => ReadError::Record(error.in_file(path)),
            error @ ReadError::Io(_) => error,
        }
    }
}

/// Returns the smallest of the usual boards that holds all games of a file whose format has no size:
/// rows of cells ([`Format::Pos`], [`Format::Offset`]).
///
/// # Errors
///
/// Returns an error if the source can't be read.
pub fn fitting_size(source: impl Read, format: Format) -> io::Result<Size> {
    let parse = |line: &str, size: Size| match format {
        Format::Offset => offset::read(SourceText::new(line), size).is_ok(),
        _ => pos::read(SourceText::new(line), size, &mut Warnings::default()).is_ok(),
    };
    let (mut input, _) = TextInput::new(source)?;
    let mut size = Size::DEFAULT;
    loop {
        let length = input.line(0)?;
        if length == 0 {
            return Ok(size);
        }
        let line = String::from_utf8_lossy(&input.held()[..length]);
        if !line.trim().is_empty() && !parse(&line, size) {
            let fits = |other: &Size| other.area() > size.area() && parse(&line, *other);
            // A line that is wrong on every board is not the fault of the size.
            size = usual_sizes().into_iter().find(fits).unwrap_or(size);
        }
        input.advance(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::CodePage;

    /// Returns the moves and the comment of each game of SGF, or the error about it, and all warnings.
    fn games(file: &[u8]) -> (Vec<String>, Vec<String>) {
        let mut warnings = Vec::new();
        let stream = GameStream::new(file, Format::Sgf, Known::default()).unwrap();
        let games = stream.map(|game| {
            let Ok(game) = game else { return "an error".to_owned() };
            warnings.extend(game.warnings.iter().map(ToString::to_string));
            let moves: String = game.record.points().map(|point| point.to_string()).collect();
            let comments = game.record.moves.iter().map(|m| m.comment());
            format!("{moves} {}", comments.collect::<String>())
        });
        (games.collect(), warnings)
    }

    #[test]
    fn no_game_is_lost_to_the_letters_of_the_one_before_it() {
        let gbk: CodePage = "gbk".parse().unwrap();
        let game = |page: &str, n: &str| format!("(;CA[{page}]SZ[15];B[hh];W[ii]C[{n}])\n");
        for words in ["你", "你好", "好 你好", "a你"] {
            let text = game("GBK", words).repeat(4);
            let expected = vec![format!("h8i9 {words}"); 4];
            assert_eq!(games(&gbk.encode(&text).unwrap()), (expected, vec![]), "{words}");
        }
        // Saved again by a program that left the name of the encoding as it was.
        for words in ["你", "好 你好", "a你"] {
            let (read, warnings) = games(game("GBK", words).repeat(4).as_bytes());
            assert_eq!(read, vec![format!("h8i9 {words}"); 4]);
            let warning = "this is not gbk: read as utf-8";
            assert!(warnings.len() == 4 && warnings[3].ends_with(warning), "{warnings:?}");
        }
        // Letters that end in what would be a backslash, before a game in another encoding.
        let page: CodePage = "shift_jis".parse().unwrap();
        let both = [page.encode(&game("Shift_JIS", "表")).unwrap(), game("UTF-8", "你好").into()];
        let expected = ["表", "你好"].map(|words| format!("h8i9 {words}"));
        assert_eq!(games(&both.concat()), (expected.to_vec(), vec![]));
        // The next one declares another encoding.
        let (read, warnings) = games(b"(;B[ii]C[\xc3\xa9])\n(;CA[latin1];B[hh]C[\xe9])");
        assert_eq!((read, warnings), (vec!["i9 é".to_owned(), "h8 é".to_owned()], vec![]));
    }

    #[test]
    fn no_game_is_lost_to_a_character_too_many() {
        for odd in [";", ")", "]", "\u{1a}", "x;", ";;"] {
            let (read, warnings) = games(format!("(;B[hh]){odd}(;B[ii]){odd}(;B[jj])").as_bytes());
            assert_eq!(read, ["h8 ", "i9 ", "j10 "], "{odd}");
            assert_eq!(warnings.len(), 2, "{odd}: {warnings:?}");
        }
        // The bracket keeps the first game from ending before that of the second one.
        let (read, warnings) = games(b"(;B[hh](;W[ii])[)(;FF[4];B[jj])(;B[kk])");
        assert_eq!(read, ["h8i9 ", "j10 ", "k11 "]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let (read, _) = games(b"(;B[hh](;W[ii])[)(;FF[4];B[zz])(;B[kk])");
        assert_eq!(read, ["h8i9 ", "an error", "k11 "]);
    }
}

//! Files of openings that games begin with, and the sets that the program carries.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use tengen_core::rules::{Game, Outcome, PlayError, Rule, Violation};
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{Format, GameStream, Known, ReadError, Record, RecordError};

/// The most openings that are taken from a file.
pub(crate) const MAX_OPENINGS: usize = 1_000_000;

/// The bytes that tell a format.
const BEGINNING: u64 = 1024;

/// An error that makes a file of openings unusable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file has more than [`MAX_OPENINGS`].
    #[error("there are more than {MAX_OPENINGS} openings in {}", .0.display())]
    TooMany(PathBuf),
    /// The file has no openings at all.
    #[error("there are no openings in {}", .0.display())]
    Empty(PathBuf),
    /// Neither the name nor the beginning of the file shows its format.
    #[error("cannot tell the format of {}", .0.display())]
    UnknownFormat(PathBuf),
    /// Files of this format have no moves.
    #[error("{}: there are no moves in {format}", .path.display())]
    NoMoves {
        /// The file.
        path: PathBuf,
        /// The format.
        format: Format,
    },
    /// The file is not of its format, or an opening is not on the board; the error names the file.
    #[error("{0}")]
    Record(RecordError),
    /// An opening of the file is none.
    #[error("{}: game {game}: {fault}", .path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// The number of the game, counted from 1.
        game: usize,
        /// The fault.
        fault: MatchOpeningFault,
    },
}

/// A fault of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum MatchOpeningFault {
    /// It is on another board.
    #[error("the opening is on a {found} board, the match on {wanted}")]
    Size {
        /// Its board.
        found: Size,
        /// The board of the match.
        wanted: Size,
    },
    /// A player moves twice in a row, or white first.
    #[error("the colours do not alternate, black first")]
    Colors,
    /// A move is none.
    #[error("{0}")]
    Move(PlayError),
    /// The game is over: this player has won.
    #[error("{0} has won already")]
    Won(Color),
    /// The game is over: neither side can win.
    #[error("nobody can win any more")]
    Draw,
    /// The game is over: black has played there, which renju forbids.
    #[error("black has played the forbidden {0} ({1})")]
    Forbidden(Point, Violation),
}

/// The sets that the program carries, made by `tengen openings --number 24 --seed 1 --rule RULE
/// --size SIZE`.
const BUILTIN: [(Rule, i64, &str); 6] = [
    (Rule::Freestyle, 15, include_str!("freestyle-15.txt")),
    (Rule::Freestyle, 20, include_str!("freestyle-20.txt")),
    (Rule::Standard, 15, include_str!("standard-15.txt")),
    (Rule::Renju, 15, include_str!("renju-15.txt")),
    (Rule::Caro, 15, include_str!("caro-15.txt")),
    (Rule::CaroExact, 15, include_str!("caro-exact-15.txt")),
];

/// Returns the balanced openings that the program carries for a board and a rule, if it does.
#[must_use]
pub(crate) fn builtin(size: Size, rule: Rule) -> Option<Vec<Vec<Point>>> {
    let fits = |&(known, edge, _): &(Rule, i64, &str)| {
        known == rule && Size::square(edge).is_ok_and(|known| known == size)
    };
    let (_, _, text) = BUILTIN.into_iter().find(fits)?;
    // A test reads all of them.
    parse(Path::new("builtin"), text.as_bytes(), size, rule, Format::Pos).ok()
}

/// Reads the openings of a file. Without a format, the name or the beginning of the file decides.
///
/// Of a game whose record gives the length of its opening only that part is taken. The same opening
/// may come more than once.
///
/// # Errors
///
/// Returns the first opening that cannot be used: one on a board of another size, one that is no
/// game, and one after which the game is over. A file without openings is an error too.
pub(crate) fn load(
    path: &Path,
    size: Size,
    rule: Rule,
    format: Option<Format>,
) -> Result<Vec<Vec<Point>>, OpeningError> {
    let io = |error| OpeningError::Io { path: path.to_owned(), error };
    let mut file = File::open(path).map_err(io)?;
    let mut beginning = Vec::new();
    file.by_ref().take(BEGINNING).read_to_end(&mut beginning).map_err(io)?;
    let format = format.or_else(|| Format::of_path(path)).or_else(|| Format::detect(&beginning));
    let format = format.ok_or_else(|| OpeningError::UnknownFormat(path.to_owned()))?;
    parse(path, Cursor::new(beginning).chain(file), size, rule, format)
}

fn parse(
    path: &Path,
    source: impl Read,
    size: Size,
    rule: Rule,
    format: Format,
) -> Result<Vec<Vec<Point>>, OpeningError> {
    let io = |error| OpeningError::Io { path: path.to_owned(), error };
    // The rule stays unknown: the results of the games would be found out for nothing.
    let known = Known { size: Some(size), ..Known::default() };
    let mut openings = Vec::new();
    for (number, game) in (1..).zip(GameStream::new(source, format, known).map_err(io)?) {
        let record = match game {
            Ok(game) => game.record,
            Err(ReadError::Record(error)) => {
                return Err(OpeningError::Record(error.in_file(path)));
            }
            Err(ReadError::Io(error)) => return Err(io(error)),
        };
        if format == Format::Pgn && record.moves.is_empty() {
            return Err(OpeningError::NoMoves { path: path.to_owned(), format });
        }
        add(&mut openings, &record, path, number, size, rule)?;
    }
    if openings.is_empty() { Err(OpeningError::Empty(path.to_owned())) } else { Ok(openings) }
}

/// Returns the opening of a game, or all of its moves if the record does not say.
fn of_record(record: &Record, size: Size) -> Result<Vec<Point>, MatchOpeningFault> {
    if record.size != size {
        return Err(MatchOpeningFault::Size { found: record.size, wanted: size });
    }
    // An opening is a row of moves, even where it is written as stones that are set up.
    let mut record = record.with_stones_as_moves().ok_or(MatchOpeningFault::Colors)?;
    if record.opening > 0 {
        record.moves.truncate(record.opening);
    }
    if !record.alternates() {
        return Err(MatchOpeningFault::Colors);
    }
    Ok(record.points().collect())
}

fn add(
    openings: &mut Vec<Vec<Point>>,
    record: &Record,
    path: &Path,
    number: usize,
    size: Size,
    rule: Rule,
) -> Result<(), OpeningError> {
    if openings.len() == MAX_OPENINGS {
        return Err(OpeningError::TooMany(path.to_owned()));
    }
    let stones =
        of_record(record, size).and_then(|stones| check(&stones, size, rule).map(|()| stones));
    openings.push(stones.map_err(|fault| OpeningError::Bad {
        path: path.to_owned(),
        game: number,
        fault,
    })?);
    Ok(())
}

/// Checks that a game can begin with these stones.
///
/// # Errors
///
/// Returns what is wrong: a move that is none, or that the game is over after the last one.
pub(crate) fn check(stones: &[Point], size: Size, rule: Rule) -> Result<(), MatchOpeningFault> {
    let game = Game::from_moves(size, rule, stones).map_err(MatchOpeningFault::Move)?;
    match game.outcome() {
        Outcome::Ongoing => Ok(()),
        Outcome::Won(run) => Err(MatchOpeningFault::Won(run.color)),
        Outcome::Draw => Err(MatchOpeningFault::Draw),
        Outcome::Forbidden(point, violation) => Err(MatchOpeningFault::Forbidden(point, violation)),
    }
}

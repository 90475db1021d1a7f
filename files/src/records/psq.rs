//! Piskvork's `.psq`: a line about the board, a line for each move, names, and a result code.
//!
//! Moves are column, row, both counted from 1, and milliseconds; 0 stands for an unknown time. The
//! names are in the order of the seats, and the title shows which seat moved first. Who won is not
//! stored.

use super::source::{SourceLine, SourceText, one_line};
use super::warning::Warnings;
use super::{Move, Reason, Record, RecordError};
use tengen_core::types::{ByColor, Color, PointSet, Size};

/// The first word of every file.
pub(super) const TITLE: &str = "Piskvorky";

/// The codes of the last line.
mod code {
    pub(super) const NORMAL: i64 = 0;
    pub(super) const UNKNOWN: i64 = -1;
    pub(super) const ENGINE_ERROR: i64 = -2;
    pub(super) const INVALID_MOVE: i64 = 7;
    pub(super) const TIMEOUT: i64 = 15;
}

/// Reads the one game of a file.
pub(super) fn read(source: SourceText<'_>, warnings: &mut Warnings) -> Result<Record, RecordError> {
    let Some(title) = source.lines().next() else {
        return Err(source.error(0, "`Piskvorky WxH, L1:L2, S`"));
    };
    let (size, second_moved_first) = parse_title(source, title, warnings)?;
    let mut record = Record::new(size);
    let lines = GameLines { source, base: 1, skipped: 1 };
    let moves = lines.moves(&mut record, warnings)?;
    parse_end(source, 1 + moves, second_moved_first, &mut record, warnings);
    Ok(record)
}

/// Reads `Piskvorky 15x15, 11:11, 0`: the size, and whether the second seat moved first.
fn parse_title(
    source: SourceText<'_>,
    line: SourceLine<'_>,
    warnings: &mut Warnings,
) -> Result<(Size, bool), RecordError> {
    let expected = |at: usize, what: &str| source.error(line.start + at, what);
    let rest = line.text.strip_prefix(TITLE).ok_or_else(|| expected(0, "`Piskvorky`"))?;
    let mut at = TITLE.len();
    let mut fields = rest.split(',').map(|field| {
        let start = at + field.len() - field.trim_start().len();
        at += field.len() + 1;
        (start, field.trim())
    });
    let (start, text) = fields.next().unwrap_or_default();
    let edges = text.split_once(['x', 'X']).and_then(|(width, height)| {
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    });
    let (width, height) = edges.ok_or_else(|| expected(start, "a size such as 15x15"))?;
    let size = Size::new(width, height).map_err(|error| expected(start, &error.to_string()))?;
    let (start, text) = fields.next().unwrap_or((line.text.len(), ""));
    let is_limit = |text: &str| text.trim().parse::<u32>().is_ok();
    let mut warn = |at: usize, what| warnings.add(source.place(line.start + at), what);
    if !text.split_once(':').is_some_and(|(first, second)| is_limit(first) && is_limit(second)) {
        warn(start, "two levels such as 11:11 are missing");
    }
    match fields.next().unwrap_or((line.text.len(), "")) {
        (_, "0") => Ok((size, false)),
        (_, "1") => Ok((size, true)),
        (start, _) => {
            warn(start, "0 or 1 is missing, the seat that moved first: taken for 0");
            Ok((size, false))
        }
    }
}

/// A line `x,y` or `x,y,t`, with blanks around the numbers.
struct MoveLine<'a> {
    x: i64,
    y: i64,
    /// The field in the place of the time.
    time: Option<&'a str>,
}

impl<'a> MoveLine<'a> {
    /// Reads a line; `None` if it is anything else.
    fn parse(line: &'a str) -> Option<MoveLine<'a>> {
        let mut fields = line.split(',').map(str::trim);
        let is_number =
            |field: &&str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
        let mut next = || fields.next().filter(is_number);
        // A number beyond any board is a cell that the board does not have, not the end of the moves.
        let x = next()?.parse().unwrap_or(i64::MAX);
        let y = next()?.parse().unwrap_or(i64::MAX);
        let time = fields.next();
        let is_time = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        (time.is_none_or(is_time) && fields.next().is_none()).then_some(MoveLine { x, y, time })
    }
}

/// The lines of a game after those at its beginning.
#[derive(Clone, Copy)]
pub(super) struct GameLines<'a> {
    pub(super) source: SourceText<'a>,
    /// The number of the first column and row.
    pub(super) base: i64,
    /// The number of lines before the first move.
    pub(super) skipped: usize,
}

impl GameLines<'_> {
    /// Reads moves up to the first line that is none, and returns the number of lines that were read.
    pub(super) fn moves(
        self,
        record: &mut Record,
        warnings: &mut Warnings,
    ) -> Result<usize, RecordError> {
        let GameLines { source, base, skipped } = self;
        let size = record.size;
        let mut seen = PointSet::EMPTY;
        let mut lines = source.lines().skip(skipped).peekable();
        let mut count = 0;
        while let Some(line) = lines.next() {
            let place = || source.place(line.indented());
            let Some(MoveLine { x, y, time }) = MoveLine::parse(line.text) else {
                // Names are not followed by moves.
                let goes_on = |next: &SourceLine<'_>| {
                    MoveLine::parse(next.text).is_some_and(|next| next.time.is_some())
                };
                if !lines.peek().is_some_and(goes_on) {
                    break;
                }
                if !line.is_blank() {
                    warnings.add(place(), "not a move, skipped");
                }
                count += 1;
                continue;
            };
            count += 1;
            let point =
                size.point(x.saturating_sub(base), y.saturating_sub(base)).ok_or_else(|| {
                    source.error(line.indented(), format!("a cell of a {size} board"))
                })?;
            if !seen.insert(point) {
                return Err(source.error(line.indented(), "an empty cell"));
            }
            let m = Move::new(point, Color::to_move_after(record.moves.len()));
            let known = time.map_or(Ok(0), str::parse::<u64>);
            if known.is_err() {
                let time = time.unwrap_or_default();
                warnings.add(place(), format!("{time} is not a time in whole milliseconds"));
            }
            record.moves.push(m.with_time(known.ok().filter(|&time| time > 0)));
        }
        Ok(count)
    }
}

/// Reads what follows the moves: names or not, the code, and lines of other programs.
fn parse_end(
    source: SourceText<'_>,
    skipped: usize,
    second_moved_first: bool,
    record: &mut Record,
    warnings: &mut Warnings,
) {
    let is_code = |line: &SourceLine<'_>| parse_code(line.text).is_some();
    let mut lines = Vec::with_capacity(3);
    // Blank lines count only before others.
    let mut filled = 0;
    for (i, line) in source.lines().skip(skipped).enumerate() {
        if lines.len() < 3 {
            lines.push(line);
        }
        if !line.is_blank() {
            filled = i + 1;
        }
    }
    lines.truncate(filled);
    let code = match &lines[..] {
        [code] | [code, _] if is_code(code) => Some(*code),
        [code] => Some(*code),
        [first, second, rest @ ..] => {
            let mut names = [first.text.trim().to_owned(), second.text.trim().to_owned()];
            if second_moved_first {
                names.swap(0, 1);
            }
            record.players = ByColor(names);
            rest.first().copied()
        }
        [] => None,
    };
    set_code(source, code, record, warnings);
}

/// Reads a result code.
fn parse_code(line: &str) -> Option<i64> {
    line.trim().parse().ok()
}

/// Notes the reason that a result code stands for.
pub(super) fn set_code(
    source: SourceText<'_>,
    line: Option<SourceLine<'_>>,
    record: &mut Record,
    warnings: &mut Warnings,
) {
    let Some(line) = line else {
        let end = source.place(source.text.len());
        return warnings.add(end, "the file has no result code: the game is not finished");
    };
    let Some(number) = parse_code(line.text) else {
        let place = source.place(line.indented());
        return warnings.add(place, "this is neither a move nor a result code, and is passed over");
    };
    record.reason = match number {
        code::NORMAL => Some(Reason::Rules),
        code::TIMEOUT => Some(Reason::Time),
        code::INVALID_MOVE => Some(Reason::Illegal),
        code::UNKNOWN => None,
        _ => Some(Reason::Crash),
    };
}

/// Writes a game. Black has the first seat, and the levels, which no record has, are those of
/// engines that think as long as they like.
pub(super) fn write(record: &Record) -> String {
    let mut text = format!("{TITLE} {}, 11:11, 0\n", record.size);
    for (m, point) in record.moves.iter().zip(record.points()) {
        let (x, y) = (point.x() + 1, point.y() + 1);
        text.push_str(&format!("{x},{y},{}\n", m.time().unwrap_or(0)));
    }
    let [black, white] = record.players.0.each_ref().map(|name| safe_name(name));
    if !black.is_empty() || !white.is_empty() {
        text.push_str(&format!("{black}\n{white}\n"));
    }
    text.push_str(&format!("{}\n", code_of(record)));
    text
}

/// Returns the result code of a game.
pub(super) fn code_of(record: &Record) -> i64 {
    match record.reason {
        None => code::UNKNOWN,
        Some(Reason::Time) => code::TIMEOUT,
        Some(Reason::Illegal) => code::INVALID_MOVE,
        Some(Reason::Crash) => code::ENGINE_ERROR,
        Some(_) => code::NORMAL,
    }
}

/// Returns a name that no reader takes for a move.
pub(super) fn safe_name(name: &str) -> String {
    let name = one_line(name).trim().to_owned();
    if MoveLine::parse(&name).is_some() { name.replace(',', ";") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::Point;

    fn parse(text: &str) -> Result<Record, RecordError> {
        read(SourceText::new(text), &mut Warnings::default())
    }

    /// Returns a game and the warnings about it.
    fn warned(text: &str) -> (Record, Vec<String>) {
        let mut warnings = Warnings::default();
        let record = read(SourceText::new(text), &mut warnings).unwrap();
        (record, warnings.take().iter().map(ToString::to_string).collect())
    }

    const GAME: &str = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,9,812\n10,6,1530\n\
                        pbrain-one.exe\npbrain-two.exe\n0\n";

    #[test]
    fn a_game_is_read_and_written_back_byte_by_byte() {
        let record = parse(GAME).unwrap();
        let points: Vec<String> = record.points().map(|p: Point| p.to_string()).collect();
        assert_eq!(points, ["h8", "i7", "g9", "j6"]);
        let times: Vec<Option<u64>> = record.moves.iter().map(crate::records::Move::time).collect();
        assert_eq!(times, [None, None, Some(812), Some(1530)]);
        assert_eq!(record.players.0, ["pbrain-one.exe", "pbrain-two.exe"]);
        assert_eq!(record.reason, Some(Reason::Rules));
        assert_eq!(write(&record), GAME);
        assert_eq!(parse(&GAME.replace('\n', "\r\n")), Ok(record));
    }

    #[test]
    fn the_second_name_is_black_if_its_seat_moved_first() {
        let record = parse(&GAME.replace("11, 0", "11, 1")).unwrap();
        assert_eq!(record.players.0, ["pbrain-two.exe", "pbrain-one.exe"]);
    }

    #[test]
    fn moves_end_where_a_line_is_none() {
        let text = "Piskvorky 20x15, 0:5, 0\n8,8\n 9 , 7 , 3\nRAPFI25.zip\nJAX25.zip\n-1\n\
                    0,Freestyle15_1\n";
        let record = parse(text).unwrap();
        assert_eq!((record.moves.len(), record.size.width()), (2, 20));
        assert_eq!(record.players.0, ["RAPFI25.zip", "JAX25.zip"]);
        assert_eq!(record.reason, None);
        let bare = parse("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n\n").unwrap();
        assert_eq!((bare.moves.len(), bare.players), (1, ByColor::default()));
    }

    #[test]
    fn codes_tell_why_a_game_ended() {
        for (code, reason) in [
            ("15", Some(Reason::Time)),
            ("7", Some(Reason::Illegal)),
            ("-2", Some(Reason::Crash)),
            ("3", Some(Reason::Crash)),
            ("-1", None),
        ] {
            let text = format!("Piskvorky 15x15, 1:1, 0\n8,8,0\na\nb\n{code}\n");
            assert_eq!(parse(&text).unwrap().reason, reason, "{code}");
        }
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        let title = "Piskvorky 15x15, 1:1, 0\n";
        for (text, place, expected) in [
            ("".to_owned(), (1, 1), "`Piskvorky WxH, L1:L2, S`"),
            ("Piskvork".to_owned(), (1, 1), "`Piskvorky`"),
            ("Piskvorky 15, 1:1, 0".to_owned(), (1, 11), "a size such as 15x15"),
            (format!("{title}8,8,0\n16,1,0\n0\n"), (3, 1), "a cell of a 15x15 board"),
            (format!("{title}8,8,0\n0,1,0\n0\n"), (3, 1), "a cell of a 15x15 board"),
            (format!("{title}8,8,0\n 8,8,0\n0\n"), (3, 2), "an empty cell"),
        ] {
            let error = parse(&text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
        assert!(parse("Piskvorky 4x15, 1:1, 0").unwrap_err().expected.contains("edges from 5"));
    }

    #[test]
    fn what_is_odd_is_told_with_its_place() {
        let (record, warnings) =
            warned(include_str!("../../../tests/data/faults/13-unfinished.psq"));
        assert_eq!(record.moves.len(), 2);
        let unfinished = "the file has no result code: the game is not finished";
        assert_eq!(warnings, [format!("4:1: warning: {unfinished}")]);
        let (record, warnings) =
            warned(include_str!("../../../tests/data/faults/26-odd-move-line.psq"));
        assert_eq!((record.moves.len(), record.players.clone()), (3, ByColor::default()));
        assert!(record.moves.iter().all(|m| m.time().is_none()));
        assert_eq!(
            warnings,
            [
                "3:1: warning: -5 is not a time in whole milliseconds",
                "4:1: warning: 1.5 is not a time in whole milliseconds"
            ]
        );
        let title = "Piskvorky 15x15, 1:1, 0\n";
        for (text, moves, warning) in [
            (
                "Piskvorky 15x15, 1, 0\n-1".to_owned(),
                0,
                "1:18: warning: two levels such as 11:11 are missing",
            ),
            (
                "Piskvorky 15x15, 1:1, 2\n-1".to_owned(),
                0,
                "1:23: warning: 0 or 1 is missing, the seat that moved first: taken for 0",
            ),
            (
                format!("{title}8,8,0\n9,"),
                1,
                "3:1: warning: this is neither a move nor a result code, and is passed over",
            ),
            (
                format!("{title}8,8,0\nwhat?\n9,9,5\na\nb\n0\n"),
                2,
                "3:1: warning: not a move, skipped",
            ),
            (
                format!("{title}8,8,0\na\nb\n"),
                1,
                "5:1: warning: the file has no result code: the game is not finished",
            ),
        ] {
            let (record, warnings) = warned(&text);
            assert_eq!(
                (record.moves.len(), &warnings[..]),
                (moves, &[warning.to_owned()][..]),
                "{text}"
            );
        }
    }

    #[test]
    fn names_that_look_like_moves_stay_names() {
        let mut record = parse(GAME).unwrap();
        record.players = ByColor(["1,2".to_owned(), "a\nb".to_owned()]);
        let again = parse(&write(&record)).unwrap();
        assert_eq!(again.moves, record.moves);
        assert_eq!(again.players.0, ["1;2", "a b"]);
    }
}

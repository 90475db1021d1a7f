//! Piskvork's `.psq`: a line about the board, a line for each move, names, and a result code.
//!
//! Moves are column, row, both counted from 1, and milliseconds; 0 stands for an unknown time. The
//! names are in the order of the seats, and the title tells which seat moved first. Who won is not
//! stored.

use super::source::{SourceLine, SourceText, one_line};
use super::{Reason, Record, RecordError};
use crate::types::{ByColor, Color, PointSet, Size};

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
pub(super) fn read(source: SourceText<'_>) -> Result<Record, RecordError> {
    let lines: Vec<SourceLine<'_>> = source.lines().collect();
    let &[title, ref lines @ ..] = &lines[..] else {
        return Err(source.error(0, "`Piskvorky WxH, L1:L2, S`"));
    };
    let (size, second_moved_first) = parse_title(source, title)?;
    let mut record = Record::new(size);
    let moves = lines.iter().take_while(|line| numbers(line.text).is_some()).count();
    let mut seen = PointSet::EMPTY;
    for line in &lines[..moves] {
        let Some((x, y, time)) = numbers(line.text) else { break };
        let point = size
            .point(x.saturating_sub(1), y.saturating_sub(1))
            .ok_or_else(|| source.error(line.indented(), format!("a cell of a {size} board")))?;
        if !seen.insert(point) {
            return Err(source.error(line.indented(), "an empty cell"));
        }
        let m = super::Move::new(point, Color::to_move_after(record.moves.len()));
        record.moves.push(m.with_time((time > 0).then_some(time)));
    }
    parse_end(source, &lines[moves..], second_moved_first, &mut record)?;
    Ok(record)
}

/// Reads `Piskvorky 15x15, 11:11, 0`: the size, and whether the second seat moved first.
fn parse_title(source: SourceText<'_>, line: SourceLine<'_>) -> Result<(Size, bool), RecordError> {
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
    if !text.split_once(':').is_some_and(|(first, second)| is_limit(first) && is_limit(second)) {
        return Err(expected(start, "two levels such as 11:11"));
    }
    match fields.next().unwrap_or((line.text.len(), "")) {
        (_, "0") => Ok((size, false)),
        (_, "1") => Ok((size, true)),
        (start, _) => Err(expected(start, "0 or 1, the seat that moved first")),
    }
}

/// Reads `x,y` or `x,y,t`, with blanks around the numbers; `None` if the line is anything else.
fn numbers(line: &str) -> Option<(i64, i64, u64)> {
    let mut fields = line.split(',').map(str::trim);
    let is_number = |field: &&str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    let mut next = || fields.next().filter(is_number);
    // A number beyond any board is a cell that the board does not have, not the end of the moves.
    let x = next()?.parse().unwrap_or(i64::MAX);
    let y = next()?.parse().unwrap_or(i64::MAX);
    match fields.next() {
        None => Some((x, y, 0)),
        Some(time) if is_number(&time) && fields.next().is_none() => {
            Some((x, y, time.parse().unwrap_or(u64::MAX)))
        }
        Some(_) => None,
    }
}

/// Reads what follows the moves: names or not, the code, and lines of other programs.
fn parse_end(
    source: SourceText<'_>,
    lines: &[SourceLine<'_>],
    second_moved_first: bool,
    record: &mut Record,
) -> Result<(), RecordError> {
    let is_code = |line: &SourceLine<'_>| line.text.trim().parse::<i64>().ok();
    let filled = lines.iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1);
    let code = match &lines[..filled] {
        [code] => Some(code),
        [code, _] if is_code(code).is_some() => Some(code),
        [first, second, rest @ ..] => {
            let mut names = [first.text.trim().to_owned(), second.text.trim().to_owned()];
            if second_moved_first {
                names.swap(0, 1);
            }
            record.players = ByColor(names);
            rest.first()
        }
        [] => None,
    };
    let Some(code) = code else { return Err(source.error(source.text.len(), "a result code")) };
    let number = is_code(code)
        .ok_or_else(|| source.error(code.indented(), "a move such as 8,8,0, or a result code"))?;
    record.reason = match number {
        code::NORMAL => Some(Reason::Rules),
        code::TIMEOUT => Some(Reason::Time),
        code::INVALID_MOVE => Some(Reason::Illegal),
        code::UNKNOWN => None,
        _ => Some(Reason::Crash),
    };
    Ok(())
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
    let code = match record.reason {
        None => code::UNKNOWN,
        Some(Reason::Time) => code::TIMEOUT,
        Some(Reason::Illegal) => code::INVALID_MOVE,
        Some(Reason::Crash) => code::ENGINE_ERROR,
        Some(_) => code::NORMAL,
    };
    text.push_str(&format!("{code}\n"));
    text
}

/// Returns a name that no reader takes for a move.
fn safe_name(name: &str) -> String {
    let name = one_line(name).trim().to_owned();
    if numbers(&name).is_some() { name.replace(',', ";") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    fn parse(text: &str) -> Result<Record, RecordError> {
        read(SourceText::new(text))
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
            ("Piskvorky 15x15, 1, 0".to_owned(), (1, 18), "two levels such as 11:11"),
            ("Piskvorky 15x15, 1:1, 2".to_owned(), (1, 23), "0 or 1, the seat that moved first"),
            (format!("{title}8,8,0\n16,1,0\n0\n"), (3, 1), "a cell of a 15x15 board"),
            (format!("{title}8,8,0\n0,1,0\n0\n"), (3, 1), "a cell of a 15x15 board"),
            (format!("{title}8,8,0\n 8,8,0\n0\n"), (3, 2), "an empty cell"),
            (format!("{title}8,8,0\n9,"), (3, 1), "a move such as 8,8,0, or a result code"),
            (format!("{title}8,8,0\na\nb\n"), (5, 1), "a result code"),
        ] {
            let error = parse(&text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
        assert!(parse("Piskvorky 4x15, 1:1, 0").unwrap_err().expected.contains("edges from 5"));
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

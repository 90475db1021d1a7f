//! The PGN of c-gomoku-cli: tags and a result without moves, for rating tools.
//!
//! The results are those of chess, where white moves first: `1-0` says that white won. The event is
//! the number of the game in the file.

use super::ending::{reason_of, sentence};
use super::source::{SourceLine, SourceText, one_line};
use super::{GameResult, Record, RecordError};
use crate::types::{Color, Size};

/// Results by their token.
const RESULTS: [(&str, Option<GameResult>); 4] = [
    ("1-0", Some(GameResult::Win(Color::White))),
    ("0-1", Some(GameResult::Win(Color::Black))),
    ("1/2-1/2", Some(GameResult::Draw)),
    ("*", None),
];

/// The marks for an unknown text, and for an unknown date.
const UNKNOWN: &str = "?";
const NO_DATE: &str = "????.??.??";

/// Reads the games of a file.
pub(super) fn read(source: SourceText<'_>, size: Size) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    // The game whose tags are being read.
    let mut open: Option<Record> = None;
    for line in source.lines().filter(|line| !line.is_blank()) {
        if line.text.trim_start().starts_with('[') {
            let record = open.get_or_insert_with(|| Record::new(size));
            let (name, value) = parse_tag(source, line)?;
            set_tag(record, name, &value);
            continue;
        }
        let token = line.text.trim();
        let result = RESULTS.iter().find(|(text, _)| *text == token);
        match (open.take(), result) {
            (Some(mut record), Some(&(_, result))) => {
                record.result = result;
                records.push(record);
            }
            (None, _) => return Err(source.error(line.indented(), "a tag such as [Round \"1\"]")),
            (_, None) => {
                return Err(source.error(line.indented(), "one of 1-0, 0-1, 1/2-1/2 and *"));
            }
        }
    }
    if open.is_some() {
        return Err(source.error(source.text.len(), "one of 1-0, 0-1, 1/2-1/2 and *"));
    }
    Ok(records)
}

/// Reads `[Name "value"]`.
fn parse_tag<'a>(
    source: SourceText<'_>,
    line: SourceLine<'a>,
) -> Result<(&'a str, String), RecordError> {
    let text = line.text.trim();
    let expected = |at: usize, what: &str| source.error(line.indented() + at, what);
    let letters = text[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    if letters == 0 {
        return Err(expected(1, "the name of a tag"));
    }
    let name = &text[1..=letters];
    let rest = text[1 + letters..].trim_start();
    let mut at = text.len() - rest.len();
    let Some(rest) = rest.strip_prefix('"') else {
        return Err(expected(at, "a value in quotes"));
    };
    at += 1;
    let mut value = String::new();
    let mut chars = rest.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => {
                at += i + 1;
                let closed = text[at..].trim() == "]";
                return if closed { Ok((name, value)) } else { Err(expected(at, "]")) };
            }
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    Err(expected(text.len(), "the quote that ends the value"))
}

fn set_tag(record: &mut Record, name: &str, value: &str) {
    let known = if value == UNKNOWN || value == NO_DATE { "" } else { value };
    match name {
        "Date" => record.date = iso_date(known),
        "Round" => record.round = known.to_owned(),
        "Black" => record.players[Color::Black] = known.to_owned(),
        "White" => record.players[Color::White] = known.to_owned(),
        "Termination" => record.reason = reason_of(known),
        _ => {}
    }
}

/// Replaces the dots of a date such as `2025.04.30 18:00:00`; another text stays as it is.
pub(super) fn iso_date(text: &str) -> String {
    with_separator(text, '.', "-").unwrap_or_else(|| text.to_owned())
}

/// Replaces what divides year, month and day at the beginning of a text, if they are there.
fn with_separator(text: &str, old: char, new: &str) -> Option<String> {
    let (date, rest) = text.split_at_checked(10)?;
    let is_old = |i: usize| i == 4 || i == 7;
    let fits = |(i, c): (usize, char)| if is_old(i) { c == old } else { c.is_ascii_digit() };
    let whole = rest.is_empty() || rest.starts_with([' ', 'T']);
    (whole && date.char_indices().all(fits)).then(|| date.replace(old, new) + rest)
}

/// Writes a game, the one with this number in its file.
pub(super) fn write(record: &Record, number: usize) -> String {
    let token = RESULTS.iter().find(|(_, result)| *result == record.result).map_or("*", |r| r.0);
    let or = |text: &str, unknown: &str| {
        let text = if text.is_empty() { unknown } else { text };
        one_line(text).replace('\\', "\\\\").replace('"', "\\\"")
    };
    let date = with_separator(&record.date, '-', ".").unwrap_or_else(|| record.date.clone());
    let reason = sentence(record.result, record.reason.as_ref());
    let tags = [
        ("Event", number.to_string()),
        ("Date", or(&date, NO_DATE)),
        ("Round", or(&record.round, UNKNOWN)),
        ("Black", or(&record.players[Color::Black], UNKNOWN)),
        ("White", or(&record.players[Color::White], UNKNOWN)),
        ("Result", token.to_owned()),
        ("Termination", or(&reason, UNKNOWN)),
        ("PlyCount", (record.moves.len() - record.opening).to_string()),
    ];
    let mut text: String =
        tags.into_iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    text.push_str(&format!("{token}\n\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Reason;

    const GAMES: &str = "[Event \"1\"]\n[Date \"2025.04.30 18:00:00\"]\n[Round \"1.1\"]\n\
                         [Black \"a \\\"b\\\"\"]\n[White \"c\"]\n[Result \"0-1\"]\n\
                         [Termination \"Black win by five connection\"]\n[PlyCount \"0\"]\n\
                         0-1\n\n\
                         [Event \"2\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Black \"?\"]\n\
                         [White \"?\"]\n[Result \"*\"]\n[Termination \"Unterminated\"]\n\
                         [PlyCount \"0\"]\n*\n\n";

    #[test]
    fn games_are_read_and_written_back_byte_by_byte() {
        let records = read(SourceText::new(GAMES), Size::DEFAULT).unwrap();
        assert_eq!(records[0].result, Some(GameResult::Win(Color::Black)));
        assert_eq!(records[0].reason, Some(Reason::Five));
        assert_eq!(records[0].date, "2025-04-30 18:00:00");
        assert_eq!(records[0].players.0, ["a \"b\"", "c"]);
        assert_eq!(records[1], Record::new(Size::DEFAULT));
        let written: String = (1..).zip(&records).map(|(i, r)| write(r, i)).collect();
        assert_eq!(written, GAMES);
        let windows = read(SourceText::new(&GAMES.replace('\n', "\r\n")), Size::DEFAULT);
        assert_eq!(windows, Ok(records));
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("1-0\n", (1, 1), "a tag such as [Round \"1\"]"),
            ("[Round \"1\"]\n 2-0\n", (2, 2), "one of 1-0, 0-1, 1/2-1/2 and *"),
            ("[Round \"1\"]\n", (2, 1), "one of 1-0, 0-1, 1/2-1/2 and *"),
            ("[ \"1\"]\n", (1, 2), "the name of a tag"),
            ("[Round 1]\n", (1, 8), "a value in quotes"),
            ("[Round \"é", (1, 10), "the quote that ends the value"),
            ("[Round \"1\" x]", (1, 11), "]"),
        ] {
            let error = read(SourceText::new(text), Size::DEFAULT).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }

    #[test]
    fn only_dates_lose_their_dots() {
        assert_eq!(iso_date("2025.04.30"), "2025-04-30");
        for text in ["2025.04", "1.2.3", "", "2025.04.301", "v123.45.67", "été.2025.04"] {
            assert_eq!(iso_date(text), text);
        }
    }
}

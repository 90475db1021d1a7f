//! PGN: tags, then moves or none, then a result. c-gomoku-cli writes results without moves for rating
//! tools, and so do we; sites such as PlayOK write moves, with rows from the bottom.
//!
//! The results are those of chess, where white moves first: `1-0` says that white won. The event of
//! c-gomoku-cli is the number of the game in the file.

use super::ending::{reason_of, sentence};
use super::format::on_fitting;
use super::source::{SourceLine, SourceText, one_line};
use super::warning::Warnings;
use super::{GameResult, Known, Move, Note, Record, RecordError};
use tengen_core::notation::{CoordError, Origin, parse_cell};
use tengen_core::rules::{Game, Outcome, Rule};
use tengen_core::types::{Color, PointSet, Size};

/// Results by their token.
const RESULTS: [(&str, Option<GameResult>); 4] = [
    ("1-0", Some(GameResult::Win(Color::White))),
    ("0-1", Some(GameResult::Win(Color::Black))),
    ("1/2-1/2", Some(GameResult::Draw)),
    ("*", None),
];

/// The expectation where there is none of them.
const RESULT: &str = "one of 1-0, 0-1, 1/2-1/2 and *";

/// The marks for an unknown text, and for an unknown date.
const UNKNOWN: &str = "?";
const NO_DATE: &str = "????.??.??";

/// The tags that are kept as properties of SGF with the same meaning.
const KEPT: [(&str, &str); 5] = [
    ("Site", "PC"),
    ("TimeControl", "TM"),
    ("BlackElo", "BR"),
    ("WhiteElo", "WR"),
    ("Annotator", "AN"),
];

/// The rule by which a result is corrected if the rule is not known: what wins a game by it wins by all.
const STRICTEST: Rule = Rule::CaroExact;

/// The choices of a side that some openings ask for.
const CHOICES: [&str; 2] = ["black", "white"];

/// The state that decides whether the next line begins another game.
#[derive(Debug, Default)]
pub(super) struct GameBoundary {
    /// True if there was a line after the tags.
    has_moves: bool,
    /// True if there was the tag that games begin with.
    has_event: bool,
    is_comment: bool,
}

impl GameBoundary {
    /// Looks at the next line, and returns whether it belongs to another game.
    pub(super) fn is_next(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii();
        let is_tag = !self.is_comment && line.starts_with(b"[");
        let is_event = is_tag && line.starts_with(b"[Event ");
        if is_tag && self.has_moves || is_event && self.has_event {
            return true;
        }
        self.has_moves |= !is_tag && !line.is_empty();
        self.has_event |= is_event;
        if !is_tag {
            self.is_comment = ends_in_comment(line, self.is_comment);
        }
        false
    }
}

/// Returns whether a line of moves ends within braces, as [`MoveText`] has it; `inside` is true if it
/// begins there.
fn ends_in_comment(line: &[u8], mut inside: bool) -> bool {
    for &byte in line {
        match byte {
            b'}' => inside = false,
            // The rest of the line is a comment of its own.
            b';' if !inside => return false,
            b'{' => inside = true,
            _ => {}
        }
    }
    inside
}

/// Reads a game. Without a size in its tags or known otherwise, its board is the smallest of the usual
/// ones that holds it.
pub(super) fn read(
    source: SourceText<'_>,
    known: Known,
    warnings: &mut Warnings,
) -> Result<Record, RecordError> {
    let mut record = Record::new(known.size.unwrap_or(Size::DEFAULT));
    let mut size = None;
    let mut moves_at = source.text.len();
    let mut has_tags = false;
    for line in source.lines().filter(|line| !line.is_blank()) {
        if !line.text.trim_start().starts_with('[') {
            moves_at = line.indented();
            break;
        }
        let (name, value) = parse_tag(source, line)?;
        set_tag(&mut record, name, &value);
        if name == "GameType" {
            let edge = value.split(',').nth(1).and_then(|edge| edge.trim().parse().ok());
            size = edge.and_then(|edge| Size::square(edge).ok());
        }
        has_tags = true;
    }
    // A time without a date tells nothing.
    if record.date.starts_with(' ') {
        record.date.clear();
    }
    if !has_tags {
        return Err(source.error(moves_at, "a tag such as [Round \"1\"]"));
    }
    let (mut record, odd) = on_fitting(known.size.or(size), |size| {
        let record = Record { size, ..record.clone() };
        let mut moves = MoveText { source, size, record, seen: PointSet::EMPTY };
        let mut odd = Warnings::default();
        moves.read(moves_at, &mut odd)?;
        Ok((moves.record, odd))
    })?;
    warnings.extend(odd);
    believe_five(source, &mut record, known.rule.unwrap_or(STRICTEST), warnings);
    Ok(record)
}

/// The reader of what follows the tags.
struct MoveText<'a> {
    source: SourceText<'a>,
    size: Size,
    record: Record,
    seen: PointSet,
}

impl MoveText<'_> {
    fn read(&mut self, start: usize, warnings: &mut Warnings) -> Result<(), RecordError> {
        let text = self.source.text;
        let mut at = start;
        let mut result = None;
        let mut depth = 0_usize;
        while at < text.len() {
            let rest = &text[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            if trimmed.is_empty() {
                break;
            }
            // A comment ends with its brace, or with the line.
            let end = match trimmed.as_bytes()[0] {
                b'{' => Some(trimmed.find('}').map_or(trimmed.len(), |end| end + 1)),
                b';' => Some(trimmed.find('\n').unwrap_or(trimmed.len())),
                _ => None,
            };
            if let Some(end) = end {
                if depth == 0 {
                    self.comment(trimmed[1..end].trim_end_matches('}').trim());
                }
                at += end;
                continue;
            }
            let is_end = |c: char| c.is_whitespace() || "{;()".contains(c);
            let first = trimmed.chars().next().map_or(1, char::len_utf8);
            let end = trimmed[first..].find(is_end).map_or(trimmed.len(), |end| end + first);
            match &trimmed[..first] {
                "(" => {
                    if depth == 0 {
                        warnings.add(self.source.place(at), "a variation is passed over");
                    }
                    depth += 1;
                    at += 1;
                    continue;
                }
                ")" => {
                    depth = depth.saturating_sub(1);
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let token = &trimmed[..end];
            if depth == 0 {
                match RESULTS.iter().find(|(text, _)| *text == token) {
                    Some(&(_, found)) => {
                        result = Some(found);
                        at += end;
                        break;
                    }
                    None => self.token(at, token)?,
                }
            }
            at += end;
        }
        let rest = &text[at..];
        if !rest.trim().is_empty() {
            let place = at + rest.len() - rest.trim_start().len();
            return Err(self.source.error(place, "the end of the game after its result"));
        }
        if result.is_none() {
            warnings.add(self.source.place(at), "the game has no result at its end");
        }
        self.record.result = result.flatten().or(self.record.result);
        Ok(())
    }

    /// Reads the number of a move, a move, or what is said of one.
    fn token(&mut self, at: usize, token: &str) -> Result<(), RecordError> {
        let digits = token.bytes().take_while(u8::is_ascii_digit).count();
        let after = token[digits..].trim_start_matches('.');
        let is_number = digits > 0 && (after.len() < token.len() - digits || after.is_empty());
        let cell = if is_number { after } else { token };
        let at = at + token.len() - cell.len();
        if cell.is_empty() || cell.starts_with('$') {
            return Ok(());
        }
        if CHOICES.contains(&cell) {
            self.comment(&format!("chose {cell}"));
            return Ok(());
        }
        let expected = if self.record.moves.is_empty() && !is_number {
            RESULT.to_owned()
        } else {
            format!("a move such as h8, or {RESULT}")
        };
        let point = parse_cell(cell, self.size).map_err(|error| match error {
            CoordError::Syntax => self.source.error(at, expected),
            CoordError::OffBoard => {
                self.source.error(at, format!("a cell of a {} board", self.size))
            }
        })?;
        let point = Origin::Bottom.turn(point, self.size);
        if !self.seen.insert(point) {
            return Err(self.source.error(at, "an empty cell"));
        }
        let color = Color::to_move_after(self.record.moves.len());
        self.record.moves.push(Move::new(point, color));
        Ok(())
    }

    fn comment(&mut self, words: &str) {
        let record = &mut self.record;
        let text = record.moves.last_mut().map_or(&mut record.comment, Move::comment_mut);
        if !text.is_empty() && !words.is_empty() {
            text.push('\n');
        }
        text.push_str(words);
    }
}

/// Corrects a result against which the moves speak: some programs write it the other way round.
fn believe_five(source: SourceText<'_>, record: &mut Record, rule: Rule, warnings: &mut Warnings) {
    let points: Vec<_> = record.points().collect();
    let game = Game::from_moves(record.size, rule, &points);
    let (Ok(Outcome::Won(run)), Some(GameResult::Win(winner))) =
        (game.map(|game| game.outcome()), record.result)
    else {
        return;
    };
    if run.color != winner {
        let text =
            format!("the result says that {winner} won, but {} has five in a row", run.color);
        warnings.add(source.place(source.text.trim_end().len()), text);
        record.result = Some(GameResult::Win(run.color));
    }
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
    let known = if value == UNKNOWN || value == NO_DATE || value == "-" { "" } else { value };
    match name {
        // c-gomoku-cli has the number of the game there.
        "Event" if known.parse::<u64>().is_err() => record.event = known.to_owned(),
        "Date" => record.date = iso_date(known) + &record.date,
        // After the date, which may follow.
        "Time" if known.starts_with(|c: char| c.is_ascii_digit()) => {
            record.date.push_str(&format!(" {known}"));
        }
        "Round" => record.round = known.to_owned(),
        "Black" => record.players[Color::Black] = known.to_owned(),
        "White" => record.players[Color::White] = known.to_owned(),
        "Termination" => record.reason = reason_of(known),
        "Result" => {
            let result = RESULTS.iter().find(|(text, _)| *text == known);
            record.result = result.and_then(|(_, result)| *result);
        }
        _ => {
            let kept = KEPT.iter().find(|(tag, _)| *tag == name && !known.is_empty());
            record.notes.extend(kept.map(|(_, property)| Note::new(property, &[known])));
        }
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
    use crate::records::{Format, Reason};

    const GAMES: &str = "[Event \"1\"]\n[Date \"2025.04.30 18:00:00\"]\n[Round \"1.1\"]\n\
                         [Black \"a \\\"b\\\"\"]\n[White \"c\"]\n[Result \"0-1\"]\n\
                         [Termination \"Black win by five connection\"]\n[PlyCount \"0\"]\n\
                         0-1\n\n\
                         [Event \"2\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Black \"?\"]\n\
                         [White \"?\"]\n[Result \"*\"]\n[Termination \"Unterminated\"]\n\
                         [PlyCount \"0\"]\n*\n\n";

    fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
        crate::records::read(text.as_bytes(), Format::Pgn, Known::default())
    }

    #[test]
    fn games_are_read_and_written_back_byte_by_byte() {
        let records = parse(GAMES).unwrap();
        assert_eq!(records[0].result, Some(GameResult::Win(Color::Black)));
        assert_eq!(records[0].reason, Some(Reason::Five));
        assert_eq!(records[0].date, "2025-04-30 18:00:00");
        assert_eq!(records[0].players.0, ["a \"b\"", "c"]);
        assert_eq!(records[1], Record::new(Size::DEFAULT));
        let written: String = (1..).zip(&records).map(|(i, r)| write(r, i)).collect();
        assert_eq!(written, GAMES);
        assert_eq!(parse(&GAMES.replace('\n', "\r\n")), Ok(records));
    }

    #[test]
    fn games_with_moves_are_read() {
        let playok = include_str!("../../../tests/data/faults/15-playok.pgn");
        let record = parse(playok).unwrap().remove(0);
        let cells: Vec<String> =
            record.points().map(|p| Origin::Bottom.turn(p, record.size).to_string()).collect();
        assert_eq!(cells, ["f3", "g3", "h3", "h5", "i5", "g6", "f6", "f7", "i4"]);
        assert_eq!(record.moves[2].comment(), "chose black");
        assert_eq!((record.date.as_str(), record.size.width()), ("2020-01-01 10:00:00", 15));
        assert_eq!(record.players.0, ["a", "b"]);
        assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
        let noted: Vec<(String, String)> = record
            .notes
            .iter()
            .map(|note| (note.name().to_owned(), note.texts().collect()))
            .collect();
        let noted: Vec<(&str, &str)> = noted.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(noted, [("PC", "PlayOK"), ("TM", "60"), ("BR", "1500"), ("WR", "1500")]);
        let other = "[Black \"a\"]\n{first}\n1.h8 $1 i9 {said [\n[of it} (2. a1 {not {said} (b1)) 2... t20; end\n*\n";
        let record = parse(&other.repeat(2)).unwrap().remove(1);
        assert_eq!((record.moves.len(), record.size.width()), (3, 20));
        assert_eq!(
            (record.comment.as_str(), record.moves[1].comment()),
            ("first", "said [\n[of it")
        );
    }

    #[test]
    fn a_five_is_believed_more_than_a_result() {
        let text = "[Black \"a\"]\n\n1. a1 a2 2. b1 b2 3. c1 c2 4. d1 d2 5. e1 1-0\n";
        let mut warnings = Warnings::default();
        let record = read(SourceText::new(text), Known::default(), &mut warnings).unwrap();
        assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
        let warning = "3:46: warning: the result says that white won, but black has five in a row";
        assert_eq!(warnings.take()[0].to_string(), warning);
    }

    #[test]
    fn a_run_that_does_not_win_by_the_rule_is_no_reason_to_correct_a_result() {
        let [black, white] = [Color::Black, Color::White].map(GameResult::Win);
        let all = [
            None,
            Some(Rule::Freestyle),
            Some(Rule::Standard),
            Some(Rule::Renju),
            Some(Rule::Caro),
            Some(Rule::CaroExact),
        ];
        let results = |moves: &str| {
            let text = format!("[White \"b\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n");
            all.map(|rule| {
                let known = Known { rule, ..Known::default() };
                let games = crate::records::read(text.as_bytes(), Format::Pgn, known).unwrap();
                games[0].result.unwrap()
            })
        };
        let six = results("1. a1 a3 2. b1 b3 3. c1 c3 4. e1 e3 5. f1 h8 6. d1");
        assert_eq!(six, [white, black, white, white, black, white]);
        let enclosed = results("1. b1 a1 2. c1 g1 3. d1 d3 4. e1 e3 5. f1");
        assert_eq!(enclosed, [white, black, black, black, white, white]);
        let five = results("1. b1 b3 2. c1 c3 3. d1 d3 4. e1 e3 5. f1");
        assert_eq!(five, [black; 6]);
    }

    #[test]
    fn a_brace_in_a_comment_to_the_end_of_the_line_opens_none() {
        let text = "[Black \"a\"]\n1. h8 i9 ; see {\n*\n\n[Black \"b\"]\n1. h8 {a ; b\n[c} ; } {\n*\n\n\
                    [Black \"c\"]\n1. h8;{\n*\n\n[Black \"d\"]\n*\n";
        let records = parse(text).unwrap();
        let names: Vec<&str> = records.iter().map(|r| &*r.players[Color::Black]).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(records[0].moves[1].comment(), "see {");
        assert_eq!(records[1].moves[0].comment(), "a ; b\n[c\n} {");
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        for (text, place, expected) in [
            ("1-0\n", (1, 1), "a tag such as [Round \"1\"]"),
            ("[Round \"1\"]\n 2-0\n", (2, 2), RESULT),
            (
                "[Round \"1\"]\n1. h8 x\n",
                (2, 7),
                "a move such as h8, or one of 1-0, 0-1, 1/2-1/2 and *",
            ),
            ("[Round \"1\"]\n1. h8 z1\n", (2, 7), "a cell of a 22x22 board"),
            ("[GameType \"61,15\"]\n1. h8 p1\n", (2, 7), "a cell of a 15x15 board"),
            ("[Round \"1\"]\n1. h8 h8\n", (2, 7), "an empty cell"),
            ("[Round \"1\"]\n1-0 h8\n", (2, 5), "the end of the game after its result"),
            ("[ \"1\"]\n", (1, 2), "the name of a tag"),
            ("[Round 1]\n", (1, 8), "a value in quotes"),
            ("[Round \"é", (1, 10), "the quote that ends the value"),
            ("[Round \"1\" x]", (1, 11), "]"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
        let mut warnings = Warnings::default();
        read(SourceText::new("[Round \"1\"]\n"), Known::default(), &mut warnings).unwrap();
        assert_eq!(
            warnings.take()[0].to_string(),
            "2:1: warning: the game has no result at its end"
        );
    }

    #[test]
    fn a_time_belongs_to_a_date() {
        for (tags, date) in [
            ("[Date \"2020.01.01\"]\n[Time \"10:00:00\"]", "2020-01-01 10:00:00"),
            ("[Time \"10:00:00\"]\n[Date \"2020.01.01\"]", "2020-01-01 10:00:00"),
            ("[Date \"2020.01.01\"]\n[Time \"??:??:??\"]", "2020-01-01"),
            ("[Date \"????.??.??\"]\n[Time \"10:00:00\"]", ""),
        ] {
            assert_eq!(parse(&format!("{tags}\n\n*\n")).unwrap()[0].date, date, "{tags}");
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

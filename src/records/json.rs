//! tengen's own format: one JSON object a line. It holds everything that a record does.
//!
//! | field | content |
//! | --- | --- |
//! | `tengen` | the version of the format, 1; always the first |
//! | `size` | `[width, height]` |
//! | `rule` | a name as in `--rule` |
//! | `black`, `white` | the names of the players |
//! | `event`, `round`, `date`, `comment` | text |
//! | `result` | `black`, `white` or `draw` |
//! | `reason` | a name such as `five`, `forbidden-33` or `time`, or other words |
//! | `notes` | what is noted of the empty board, as properties of SGF |
//! | `opening` | how many of the first moves were given to the players |
//! | `moves` | a row of cells such as `h8i9h9` |
//! | `colors` | `b` or `w` for each move; only where black and white do not alternate |
//! | `times` | milliseconds for each move, or null |
//! | `scores` | the mover's own score for each move, or null |
//! | `depths` | how deep the mover searched for each move, in plies, or null |
//! | `nodes` | how many nodes the mover visited for each move, or null |
//! | `comments` | text for each move |
//! | `sgf` | for each move its notes as properties of SGF, and after them its variations |
//!
//! All but `tengen`, `size` and `moves` may be left out, and are if there is nothing to say. Fields
//! that are not named here are ignored. So is a line whose first field is `tengen_match`: the head
//! of a journal, whose games follow.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::pos::parse_cells;
use super::sgf::{read_beside, write_beside, write_notes};
use super::source::{SourceLine, SourceText};
use super::{GameResult, Move, Reason, Record, RecordError, brief};
use crate::notation::Moves;
use crate::rules::Rule;
use crate::types::{ByColor, Color, Point, PointSet, Size};

/// The version of the format.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u64")]
struct RecordVersion(u64);

const VERSION: RecordVersion = RecordVersion(1);

impl TryFrom<u64> for RecordVersion {
    type Error = &'static str;

    fn try_from(version: u64) -> Result<RecordVersion, &'static str> {
        if version == VERSION.0 { Ok(VERSION) } else { Err("version 1 of the format") }
    }
}

/// The edges of a board as `[width, height]`.
#[derive(Deserialize)]
#[serde(try_from = "(i64, i64)")]
pub(crate) struct Edges(pub(crate) Size);

impl TryFrom<(i64, i64)> for Edges {
    type Error = String;

    fn try_from((width, height): (i64, i64)) -> Result<Edges, String> {
        Size::new(width, height).map(Edges).map_err(|error| error.to_string())
    }
}

/// A rule by its name.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct RuleName(pub(crate) Rule);

impl TryFrom<String> for RuleName {
    type Error = String;

    fn try_from(name: String) -> Result<RuleName, String> {
        name.parse().map(RuleName).map_err(|error: crate::rules::RuleNameError| error.to_string())
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Black,
    White,
    Draw,
}

#[derive(Deserialize)]
struct Read<'a> {
    #[serde(rename = "tengen")]
    _version: RecordVersion,
    size: Edges,
    rule: Option<RuleName>,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    round: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    notes: String,
    result: Option<Winner>,
    reason: Option<String>,
    #[serde(default)]
    opening: usize,
    #[serde(borrow)]
    moves: &'a RawValue,
    colors: Option<String>,
    times: Option<Vec<Option<u64>>>,
    scores: Option<Vec<Option<i32>>>,
    depths: Option<Vec<Option<u32>>>,
    nodes: Option<Vec<Option<u64>>>,
    comments: Option<Vec<String>>,
    sgf: Option<Vec<String>>,
}

/// Reads the games of a file.
pub(super) fn read(source: SourceText<'_>) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    for line in source.lines().filter(|line| !line.is_blank()) {
        if is_head(line.text) {
            let _: IgnoredAny = parse(source, line, "the head of a journal")?;
        } else {
            records.push(record(source, line, parse(source, line, "a game")?)?);
        }
    }
    Ok(records)
}

/// Returns whether a line is the head of a journal.
fn is_head(text: &str) -> bool {
    let first = text.trim_start().strip_prefix('{').map(str::trim_start);
    first.is_some_and(|first| first.starts_with("\"tengen_match\""))
}

/// Reads the JSON of a line, which is `what`.
fn parse<'a, T: Deserialize<'a>>(
    source: SourceText<'_>,
    line: SourceLine<'a>,
    what: &str,
) -> Result<T, RecordError> {
    serde_json::from_str(line.text).map_err(|error| {
        // Columns of the parser are bytes, and 0 stands for the end of the line.
        let at = error.column().checked_sub(1).unwrap_or(line.text.len());
        let message = error.to_string();
        let expected = brief(message.split(" at line ").next().unwrap_or_default());
        source.error(line.start + at, format!("{what} as JSON ({expected})"))
    })
}

/// Makes a record of the fields of a line.
fn record(
    source: SourceText<'_>,
    line: SourceLine<'_>,
    fields: Read<'_>,
) -> Result<Record, RecordError> {
    let Edges(size) = fields.size;
    let raw = fields.moves.get();
    // The value is a part of the line: its distance from the beginning is its column.
    let start = line.start + (raw.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    let cells = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    let cells = cells.ok_or_else(|| source.error(start, "a row of cells such as \"h8i9h9\""))?;
    let points = parse_cells(source, start + 1, cells, size)?;
    let count = points.len();
    let per_move = |name: &str, len: Option<usize>| match len {
        Some(len) if len != count => {
            Err(source.error(start, format!("as many moves as there are {name}")))
        }
        _ => Ok(()),
    };
    per_move("colors", fields.colors.as_ref().map(String::len))?;
    per_move("times", fields.times.as_ref().map(Vec::len))?;
    per_move("scores", fields.scores.as_ref().map(Vec::len))?;
    per_move("depths", fields.depths.as_ref().map(Vec::len))?;
    per_move("nodes", fields.nodes.as_ref().map(Vec::len))?;
    per_move("comments", fields.comments.as_ref().map(Vec::len))?;
    per_move("sgf", fields.sgf.as_ref().map(Vec::len))?;
    if fields.opening > count {
        return Err(source.error(start, "as many moves as the opening has"));
    }

    let mut record = Record::of_points(size, &points);
    for (m, letter) in record.moves.iter_mut().zip(fields.colors.iter().flat_map(|c| c.chars())) {
        m.color = match letter {
            'b' => Color::Black,
            'w' => Color::White,
            _ => return Err(source.error(line.start, "no other colors than b and w")),
        };
    }
    for (m, time) in record.moves.iter_mut().zip(fields.times.into_iter().flatten()) {
        m.time = time;
    }
    for (m, score) in record.moves.iter_mut().zip(fields.scores.into_iter().flatten()) {
        m.score = score;
    }
    for (m, depth) in record.moves.iter_mut().zip(fields.depths.into_iter().flatten()) {
        m.depth = depth;
    }
    for (m, nodes) in record.moves.iter_mut().zip(fields.nodes.into_iter().flatten()) {
        m.nodes = nodes;
    }
    for (m, comment) in record.moves.iter_mut().zip(fields.comments.into_iter().flatten()) {
        m.comment = comment;
    }
    let mut seen = PointSet::EMPTY;
    for (m, text) in record.moves.iter_mut().zip(fields.sgf.into_iter().flatten()) {
        let beside = read_beside(&text, size, seen);
        (m.notes, m.variations) =
            beside.ok_or_else(|| source.error(line.start, "properties and variations as sgf"))?;
        seen.insert(m.point);
    }
    let (notes, lines) = read_beside(&fields.notes, size, PointSet::EMPTY).unzip();
    record.notes = notes
        .filter(|_| lines.is_none_or(|lines| lines.is_empty()))
        .ok_or_else(|| source.error(line.start, "notes as properties of sgf"))?;
    record.rule = fields.rule.map(|RuleName(rule)| rule);
    record.players = ByColor([fields.black, fields.white]);
    record.event = fields.event;
    record.round = fields.round;
    record.date = fields.date;
    record.comment = fields.comment;
    record.opening = fields.opening;
    record.result = fields.result.map(|winner| match winner {
        Winner::Black => GameResult::Win(Color::Black),
        Winner::White => GameResult::Win(Color::White),
        Winner::Draw => GameResult::Draw,
    });
    record.reason = fields.reason.map(|name| Reason::from_name(&name));
    Ok(record)
}

#[derive(Serialize)]
struct Written<'a> {
    tengen: RecordVersion,
    size: (u8, u8),
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    black: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    white: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    event: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    round: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    date: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    notes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Winner>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    opening: usize,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    colors: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Vec<Option<u64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depths: Option<Vec<Option<u32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Option<u64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sgf: Option<Vec<String>>,
}

/// Writes a game.
pub(super) fn write(record: &Record) -> String {
    let points: Vec<Point> = record.points().collect();
    let moves = &record.moves;
    let letter = |m: &Move| if m.color == Color::Black { 'b' } else { 'w' };
    let any = |says: fn(&Move) -> bool| moves.iter().any(says);
    let written = Written {
        tengen: VERSION,
        size: (record.size.width(), record.size.height()),
        rule: record.rule.map(Rule::name),
        black: &record.players[Color::Black],
        white: &record.players[Color::White],
        event: &record.event,
        round: &record.round,
        date: &record.date,
        comment: &record.comment,
        notes: write_notes(&record.notes),
        result: record.result.map(|result| match result {
            GameResult::Win(Color::Black) => Winner::Black,
            GameResult::Win(Color::White) => Winner::White,
            GameResult::Draw => Winner::Draw,
        }),
        reason: record.reason.as_ref().map(Reason::name),
        opening: record.opening,
        moves: Moves(&points).to_string(),
        colors: (!record.alternates()).then(|| moves.iter().map(letter).collect()),
        times: any(|m| m.time.is_some()).then(|| moves.iter().map(|m| m.time).collect()),
        scores: any(|m| m.score.is_some()).then(|| moves.iter().map(|m| m.score).collect()),
        depths: any(|m| m.depth.is_some()).then(|| moves.iter().map(|m| m.depth).collect()),
        nodes: any(|m| m.nodes.is_some()).then(|| moves.iter().map(|m| m.nodes).collect()),
        comments: any(|m| !m.comment.is_empty())
            .then(|| moves.iter().map(|m| m.comment.as_str()).collect()),
        sgf: any(|m| !m.notes.is_empty() || !m.variations.is_empty())
            .then(|| moves.iter().map(write_beside).collect()),
    };
    // Nothing of this can fail to be JSON: no map, no number that is none.
    let line = serde_json::to_string(&written).unwrap_or_default();
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
        read(SourceText::new(text))
    }

    #[test]
    fn heads_of_journals_are_no_games() {
        let head = " { \"tengen_match\": 1, \"event\": {\"x\": [\"\\u00e9\"]}}\n";
        assert_eq!(parse(head), Ok(vec![]));
        assert_eq!(parse(&[head, LINE, head, LINE].concat()).unwrap().len(), 2);
        let late = "{\"event\":\"\",\"tengen_match\":1}\n";
        assert_eq!(parse(late).unwrap_err().expected, "a game as JSON (missing field `tengen`)");
        let error = parse("\n{\"tengen_match\":1,]").unwrap_err();
        assert_eq!(crate::records::source::text_place(&error), (2, 19));
        assert!(error.expected.starts_with("the head of a journal as JSON ("), "{error}");
    }

    const LINE: &str = "{\"tengen\":1,\"size\":[15,15],\"rule\":\"renju\",\"black\":\"a\",\
                        \"result\":\"white\",\"reason\":\"forbidden-33\",\"opening\":1,\
                        \"moves\":\"h8i9h9\",\"times\":[null,12,7],\"scores\":[null,-30,null],\
                        \"depths\":[null,9,null],\"nodes\":[null,1234,7],\
                        \"comments\":[\"\",\"x\\ny\",\"\"]}\n";

    #[test]
    fn a_line_is_read_and_written_back_byte_by_byte() {
        let records = parse(LINE).unwrap();
        assert_eq!(write(&records[0]), LINE);
        assert_eq!(records[0].moves[1].comment, "x\ny");
        assert_eq!(records[0].moves[1].score, Some(-30));
        assert_eq!((records[0].moves[1].depth, records[0].moves[1].nodes), (Some(9), Some(1234)));
        let repeated = LINE.replace("\"times\"", "\"colors\":\"bbw\",\"times\"");
        let two = parse(&format!("{repeated}\r\n{LINE}")).unwrap();
        assert_eq!(two[0].moves[1].color, Color::Black);
        assert_eq!(write(&two[0]), repeated);
        assert_eq!(two[1], records[0]);
    }

    #[test]
    fn notes_and_variations_are_kept() {
        let sgf = "\"sgf\":[\"\",\"LB[aa:x][bb:\\\\]]\\n(;W[cc]C[no](;B[dd])\\n(;B[ee]))\",\"\"]}";
        let line = LINE.replace("\"\"]}", &format!("\"\"],{sgf}"));
        let records = parse(&line).unwrap();
        let m = &records[0].moves[1];
        assert_eq!((m.notes.len(), m.variations.len(), m.variations[0].len()), (1, 1, 2));
        assert_eq!(m.variations[0][1].variations.len(), 1);
        let again = parse(&write(&records[0])).unwrap();
        assert_eq!(again, records);
        for bad in ["(", "TE", "(;W[cc]", "x"] {
            let line = LINE.replace("\"\"]}", &format!("\"\"],\"sgf\":[\"\",{bad:?},\"\"]}}"));
            let error = parse(&line).unwrap_err();
            assert_eq!(error.expected, "properties and variations as sgf", "{bad}");
        }
    }

    #[test]
    fn unknown_fields_are_ignored_and_most_may_be_missing() {
        let text = "{\"x\":{\"y\":[1]},\"moves\":\"\",\"size\":[20,15],\"tengen\":1}";
        assert_eq!(parse(text), Ok(vec![Record::new(Size::new(20, 15).unwrap())]));
    }

    #[test]
    fn errors_tell_what_was_expected_and_where() {
        let moves = LINE.find("\"h8i9h9\"").unwrap() + 1;
        let size = LINE.find("[15,15]").unwrap() + 1;
        for (old, new, column, expected) in [
            ("h8i9h9", "h8i9h8", moves + 5, "an empty cell"),
            ("h8i9h9", "h8p1h9", moves + 3, "a cell of a 15x15 board"),
            ("\"h8i9h9\"", "7", moves, "a row of cells such as \"h8i9h9\""),
            ("12,7]", "12]", moves, "as many moves as there are times"),
            ("\"opening\":1", "\"opening\":4", moves, "as many moves as the opening has"),
            ("\"tengen\":1", "\"tengen\":2", 11, "a game as JSON (version 1 of the format)"),
            (
                "[15,15]",
                "[15,4]",
                size + 5,
                "a game as JSON (board edges from 5 to 22 are supported, such as 15 or 20)",
            ),
        ] {
            let error = parse(&format!("\n{}", LINE.replace(old, new))).unwrap_err();
            assert_eq!(error.expected, expected);
            assert_eq!(crate::records::source::text_place(&error), (2, column), "{expected}");
        }
        let error = parse(&LINE.replace("\"white\"", "\"\\u001b[2J\"")).unwrap_err();
        assert!(error.expected.contains("unknown variant `\u{fffd}[2J`"), "{error}");
        let error =
            parse(&LINE.replace("\"white\"", &format!("{:?}", "é".repeat(500)))).unwrap_err();
        assert!(
            error.expected.ends_with("éé…)") && error.expected.chars().count() < 150,
            "{error}"
        );
        let error = parse("{\"tengen\":1,").unwrap_err();
        assert_eq!(crate::records::source::text_place(&error).0, 1);
        assert!(error.expected.starts_with("a game as JSON"), "{error}");
    }
}

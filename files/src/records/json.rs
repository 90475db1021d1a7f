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
//! | `notes` | what else is said of the game and its first position, as properties of SGF |
//! | `setup` | the stones that the game begins with: `black` and `white`, rows of cells, and `to_move`, `black` or `white` |
//! | `opening` | how many of the first moves were given to the players |
//! | `moves` | a row of cells such as `h8i9h9`; `--` is a pass, and `++` a change of the position |
//! | `changes` | for each `++` an object as in `setup`, also with `empty`, the cells that lose their stones |
//! | `colors` | `b` or `w` for each move (where the position is changed: whose turn it is not then); only where the players do not move by turns, or not black first and `setup` does not say so |
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

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::moves::MOST_MOVES;
use super::sgf::{read_beside, write_beside};
use super::source::{SourceLine, SourceText};
use super::{
    Arrangement, GameResult, Move, MoveKind, MoverSearch, Reason, Record, RecordError, brief,
};
use crate::resume::without_sum;
use tengen_core::notation::{CoordError, Moves, parse_cell, parse_moves};
use tengen_core::rules::{Game, Rule};
use tengen_core::types::{ByColor, Color, Point, PointSet, Size};

/// The text of a pass among the moves.
const PASS: &str = "--";
/// The text of a change of the position among the moves.
const CHANGE: &str = "++";

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
pub struct Edges(pub Size);

impl TryFrom<(i64, i64)> for Edges {
    type Error = String;

    fn try_from((width, height): (i64, i64)) -> Result<Edges, String> {
        Size::new(width, height).map(Edges).map_err(|error| error.to_string())
    }
}

/// A rule by its name.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct RuleName(pub Rule);

impl TryFrom<String> for RuleName {
    type Error = String;

    fn try_from(name: String) -> Result<RuleName, String> {
        name.parse()
            .map(RuleName)
            .map_err(|error: tengen_core::rules::RuleNameError| error.to_string())
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Black,
    White,
    Draw,
}

/// Stones that are set up or taken away, as rows of cells, and the side to move.
#[derive(Default, Serialize, Deserialize)]
pub struct Setting {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    black: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    white: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    empty: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to_move: Option<Side>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
}

impl Setting {
    fn of(set_up: &Arrangement) -> Setting {
        let cells = |stone| {
            let all = set_up.cells.iter().filter(|(_, other)| *other == stone);
            Moves(&all.map(|&(point, _)| point).collect::<Vec<_>>()).to_string()
        };
        Setting {
            black: cells(Some(Color::Black)),
            white: cells(Some(Color::White)),
            empty: cells(None),
            to_move: set_up.to_move.map(|color| match color {
                Color::Black => Side::Black,
                Color::White => Side::White,
            }),
        }
    }

    /// Returns the stones that a game begins with, and the side to move then; nothing if black begins on
    /// an empty board.
    pub fn of_game(game: &Game) -> Option<Setting> {
        let start = Record::of_game(game).start;
        (!start.is_empty()).then(|| Setting::of(&start))
    }

    /// Returns what this says of a board; `None` if it has no such cells, or one of them twice.
    pub fn arrangement(&self, size: Size) -> Option<Arrangement> {
        let parts = [
            (&self.black, Some(Color::Black)),
            (&self.white, Some(Color::White)),
            (&self.empty, None),
        ];
        let mut cells: Vec<(Point, Option<Color>)> = Vec::new();
        for (text, stone) in parts {
            cells.extend(parse_moves(text, size).ok()?.into_iter().map(|point| (point, stone)));
        }
        let mut seen = PointSet::EMPTY;
        let to_move = self.to_move.map(|side| match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        });
        let is_once = cells.iter().all(|&(point, _)| seen.insert(point));
        is_once.then_some(Arrangement { cells, to_move })
    }
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
    setup: Setting,
    #[serde(default)]
    opening: usize,
    #[serde(borrow)]
    moves: &'a RawValue,
    #[serde(default)]
    changes: OfMoves<Setting>,
    colors: Option<String>,
    times: Option<OfMoves<Option<u64>>>,
    scores: Option<OfMoves<Option<i32>>>,
    depths: Option<OfMoves<Option<u32>>>,
    nodes: Option<OfMoves<Option<u64>>>,
    comments: Option<OfMoves<String>>,
    sgf: Option<OfMoves<String>>,
}

/// A list of what belongs to moves, which is no longer than a game may be.
struct OfMoves<T>(Vec<T>);

impl<T> OfMoves<T> {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T> Default for OfMoves<T> {
    fn default() -> OfMoves<T> {
        OfMoves(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OfMoves<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OfMoves<T>, D::Error> {
        struct ListVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
            type Value = OfMoves<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST_MOVES} values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OfMoves<T>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    if values.len() == MOST_MOVES {
                        return Err(A::Error::invalid_length(MOST_MOVES + 1, &self));
                    }
                    values.push(value);
                }
                Ok(OfMoves(values))
            }
        }

        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

/// Reads a line; the head of a journal is not a game.
pub(super) fn read(source: SourceText<'_>) -> Result<Option<Record>, RecordError> {
    let line = SourceLine { start: 0, text: source.text.trim_end_matches(['\r', '\n']) };
    if is_head(line.text) {
        let _: IgnoredAny = parse(source, line, "the head of a journal")?;
        return Ok(None);
    }
    record(source, line, parse(source, line, "a game")?).map(Some)
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
    // Those of a journal have one.
    if without_sum(line.text).is_err() {
        return Err(source.error(line.start, "a line whose checksum fits"));
    }
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
    let mut record = Record::new(size);
    let here = |what: &str| source.error(line.start, what);
    record.start =
        fields.setup.arrangement(size).ok_or_else(|| here("cells of the board, each once"))?;
    let parts = split_moves(source, start + 1, cells, size)?;
    let count = parts.len();
    let per_move = |name: &str, len: Option<usize>| match len {
        Some(len) if len != count => {
            Err(source.error(start, format!("as many moves as there are {name}")))
        }
        _ => Ok(()),
    };
    per_move("colors", fields.colors.as_ref().map(String::len))?;
    per_move("times", fields.times.as_ref().map(OfMoves::len))?;
    per_move("scores", fields.scores.as_ref().map(OfMoves::len))?;
    per_move("depths", fields.depths.as_ref().map(OfMoves::len))?;
    per_move("nodes", fields.nodes.as_ref().map(OfMoves::len))?;
    per_move("comments", fields.comments.as_ref().map(OfMoves::len))?;
    per_move("sgf", fields.sgf.as_ref().map(OfMoves::len))?;
    if fields.opening > count {
        return Err(source.error(start, "as many moves as the opening has"));
    }

    let colors = fields.colors.as_deref().map(str::as_bytes);
    let mut changes = fields.changes.0.iter();
    let mut color = record.start.to_move.unwrap_or(Color::Black);
    for (i, &(_, part)) in parts.iter().enumerate() {
        match colors.map(|colors| colors[i]) {
            Some(b'b') => color = Color::Black,
            Some(b'w') => color = Color::White,
            Some(_) => return Err(here("no other colors than b and w")),
            None => {}
        }
        let mut m = match part {
            Part::Cell(point) => Move::new(point, color),
            Part::Pass => Move::pass(color),
            Part::Change => {
                let set_up = changes.next().and_then(|change| change.arrangement(size));
                let set_up =
                    set_up.ok_or_else(|| here("a change of cells of the board for each ++"))?;
                Move::set_up(set_up, !color)
            }
        };
        m.set_search(MoverSearch {
            time: fields.times.as_ref().and_then(|times| times.0[i]),
            score: fields.scores.as_ref().and_then(|scores| scores.0[i]),
            depth: fields.depths.as_ref().and_then(|depths| depths.0[i]),
            nodes: fields.nodes.as_ref().and_then(|nodes| nodes.0[i]),
        });
        color = !m.color;
        record.moves.push(m);
    }
    for (m, comment) in record.moves.iter_mut().zip(fields.comments.unwrap_or_default().0) {
        m.set_comment(comment);
    }
    let occupied = |at| source.error(at, "an empty cell");
    let mut board = record.start.board(size).map_err(|_| occupied(start))?;
    let mut beside = fields.sgf.iter().flat_map(|texts| &texts.0);
    let mut to_move = record.to_move_after(0);
    for (m, &(at, _)) in record.moves.iter_mut().zip(&parts) {
        if let Some(text) = beside.next().filter(|text| !text.is_empty()) {
            let beside = read_beside(text, &board, to_move);
            let (notes, variations) =
                beside.ok_or_else(|| here("properties and variations as sgf"))?;
            m.set_notes(notes);
            m.set_variations(variations);
        }
        m.apply(&mut board).map_err(|_| occupied(at))?;
        to_move = !m.color;
    }
    let beside = read_beside(&fields.notes, &board, to_move);
    record.notes = beside
        .filter(|(_, lines)| lines.is_empty())
        .map(|(notes, _)| notes)
        .ok_or_else(|| here("notes as properties of sgf"))?;
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

/// A part of a row of moves.
#[derive(Clone, Copy)]
enum Part {
    Cell(Point),
    Pass,
    Change,
}

/// Reads a row of moves, each with its place; the row begins at `start`.
fn split_moves(
    source: SourceText<'_>,
    start: usize,
    text: &str,
    size: Size,
) -> Result<Vec<(usize, Part)>, RecordError> {
    let mut at = 0;
    let mut parts = Vec::new();
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let part = if rest.starts_with(PASS) {
            (Part::Pass, PASS.len())
        } else if rest.starts_with(CHANGE) {
            (Part::Change, CHANGE.len())
        } else {
            let digits = rest[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
            let len = first.len_utf8() + digits;
            let point = parse_cell(&rest[..len], size).map_err(|error| match error {
                CoordError::Syntax => source.error(start + at, "a cell such as h8"),
                CoordError::OffBoard => {
                    source.error(start + at, format!("a cell of a {size} board"))
                }
            })?;
            (Part::Cell(point), len)
        };
        if parts.len() == MOST_MOVES {
            return Err(source.error(start + at, format!("at most {MOST_MOVES} moves")));
        }
        parts.push((start + at, part.0));
        at += part.1;
    }
    Ok(parts)
}

#[derive(Serialize)]
struct RecordObject<'a> {
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
    #[serde(skip_serializing_if = "str::is_empty")]
    notes: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Setting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Winner>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    opening: usize,
    moves: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Setting>,
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
    let moves = &record.moves;
    let row = moves.iter().map(|m| match m.kind {
        MoveKind::Stone(point) => point.to_string(),
        MoveKind::Pass => PASS.to_owned(),
        MoveKind::SetUp => CHANGE.to_owned(),
    });
    let changes = moves.iter().filter_map(|m| match m.kind {
        MoveKind::SetUp => Some(Setting::of(m.arrangement())),
        MoveKind::Stone(_) | MoveKind::Pass => None,
    });
    let first = record.start.to_move.unwrap_or(Color::Black);
    let by_turns = |(i, m): (usize, &Move)| m.color == if i % 2 == 0 { first } else { !first };
    let alternates = moves.iter().enumerate().all(by_turns);
    let letter = |m: &Move| if m.color == Color::Black { 'b' } else { 'w' };
    let any = |says: fn(&Move) -> bool| moves.iter().any(says);
    let written = RecordObject {
        tengen: VERSION,
        size: (record.size.width(), record.size.height()),
        rule: record.rule.map(Rule::name),
        black: &record.players[Color::Black],
        white: &record.players[Color::White],
        event: &record.event,
        round: &record.round,
        date: &record.date,
        comment: &record.comment,
        notes: record.notes.as_properties(),
        setup: (!record.start.is_empty()).then(|| Setting::of(&record.start)),
        result: record.result.map(|result| match result {
            GameResult::Win(Color::Black) => Winner::Black,
            GameResult::Win(Color::White) => Winner::White,
            GameResult::Draw => Winner::Draw,
        }),
        reason: record.reason.as_ref().map(Reason::name),
        opening: record.opening,
        moves: row.collect(),
        changes: changes.collect(),
        colors: (!alternates).then(|| moves.iter().map(letter).collect()),
        times: any(|m| m.time().is_some()).then(|| moves.iter().map(Move::time).collect()),
        scores: any(|m| m.score().is_some()).then(|| moves.iter().map(Move::score).collect()),
        depths: any(|m| m.depth().is_some()).then(|| moves.iter().map(Move::depth).collect()),
        nodes: any(|m| m.nodes().is_some()).then(|| moves.iter().map(Move::nodes).collect()),
        comments: any(|m| !m.comment().is_empty())
            .then(|| moves.iter().map(Move::comment).collect()),
        sgf: any(|m| !m.notes().is_empty() || !m.variations().is_empty())
            .then(|| moves.iter().map(write_beside).collect()),
    };
    // Nothing of this can fail to be JSON: no map, no number that is none.
    let line = serde_json::to_string(&written).unwrap_or_default();
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known};

    fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
        crate::records::read(text.as_bytes(), Format::Json, Known::default())
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
        assert_eq!(records[0].moves[1].comment(), "x\ny");
        assert_eq!(records[0].moves[1].score(), Some(-30));
        assert_eq!(
            (records[0].moves[1].depth(), records[0].moves[1].nodes()),
            (Some(9), Some(1234))
        );
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
        assert_eq!(
            (m.notes().iter().count(), m.variations().len(), m.variations()[0].len()),
            (1, 1, 2)
        );
        assert_eq!(m.variations()[0][1].variations().len(), 1);
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
    fn lists_of_moves_have_an_end() {
        let passes = LINE.replace("h8i9h9", &PASS.repeat(2_001));
        assert_eq!(parse(&passes).unwrap_err().expected, "at most 2000 moves");
        let times = LINE.replace("null,12,7", &vec!["7"; 2_001].join(","));
        let error = parse(&times).unwrap_err();
        assert!(error.expected.contains("a list of at most 2000 values"), "{error}");
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

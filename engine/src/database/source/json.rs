//! Positions as lines of JSON, which hold all that a database does.
//!
//! `docs/reference/database.md` describes the fields.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::lines::SourceLines;
use super::{Fact, FactSource, SourceError};
use crate::database::{CellMark, EntryLabel, Evaluation, GameCounts, Placement, PositionEntry};
use tengen_core::board::Board;
use tengen_core::notation::{Moves, Stones, parse_cell};
use tengen_core::types::{Bound, ByColor, Color, Point, Score, Size};
use tengen_files::records::{BYTE_ORDER_MARK, Edges, RuleName};

/// The version of the format.
const VERSION: u64 = 1;

#[derive(Deserialize)]
struct ReadLine {
    tengen_db: u64,
    rule: RuleName,
    size: Edges,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    turn: Option<SideName>,
    result: Option<String>,
    score: Option<i32>,
    #[serde(default)]
    depth: i16,
    bound: Option<BoundName>,
    best: Option<String>,
    #[serde(default)]
    visits: u64,
    #[serde(default)]
    games: (u64, u64, u64),
    label: Option<String>,
    #[serde(default)]
    marked: bool,
    #[serde(default)]
    placeholder: bool,
    #[serde(default)]
    text: String,
    #[serde(default)]
    board_texts: BTreeMap<String, String>,
    #[serde(default)]
    marks: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideName {
    Black,
    White,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BoundName {
    Upper,
    Lower,
    Exact,
}

#[derive(Serialize)]
struct WrittenLine<'a> {
    tengen_db: u64,
    rule: &'static str,
    size: (u8, u8),
    black: String,
    white: String,
    turn: SideName,
    #[serde(flatten)]
    entry: WrittenEntry<'a>,
}

#[derive(Serialize)]
struct WrittenEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<BoundName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<(u64, u64, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    marked: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    placeholder: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    board_texts: BTreeMap<String, &'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    marks: BTreeMap<String, String>,
}

impl<'a> WrittenEntry<'a> {
    fn new(entry: &'a PositionEntry) -> WrittenEntry<'a> {
        let GameCounts { black, white, draws } = entry.games;
        let mut marks: BTreeMap<String, String> = BTreeMap::new();
        for (at, mark) in &entry.marks {
            let names = marks.entry(at.to_string()).or_default();
            names.push_str(if names.is_empty() { "" } else { " " });
            names.push_str(mark.name());
        }
        WrittenEntry {
            result: entry.result.map(|result| result.to_string()),
            score: entry.evaluation.map(|evaluation| evaluation.score.raw()),
            depth: entry.evaluation.map(|evaluation| evaluation.depth),
            bound: entry.evaluation.and_then(|evaluation| evaluation.bound).map(
                |bound| match bound {
                    Bound::Upper => BoundName::Upper,
                    Bound::Lower => BoundName::Lower,
                    Bound::Exact => BoundName::Exact,
                },
            ),
            best: entry.best.map(|best| best.to_string()),
            visits: (entry.visits > 0).then_some(entry.visits),
            games: (entry.games.total() > 0).then_some((black, white, draws)),
            label: entry.label.as_ref().map(EntryLabel::as_str),
            marked: entry.is_marked,
            placeholder: entry.is_placeholder,
            text: &entry.text,
            board_texts: entry.board_texts.iter().map(|(at, t)| (at.to_string(), &**t)).collect(),
            marks,
        }
    }
}

/// Returns a position and its entry as one line of JSON without its end; cells count from the top.
#[must_use]
pub fn to_json(placement: &Placement, entry: &PositionEntry) -> String {
    let stones = Stones::of_board(placement.board());
    let line = WrittenLine {
        tengen_db: VERSION,
        rule: placement.rule().name(),
        size: placement.size().into(),
        black: Moves(&stones.0[Color::Black]).to_string(),
        white: Moves(&stones.0[Color::White]).to_string(),
        turn: match placement.to_move() {
            Color::Black => SideName::Black,
            Color::White => SideName::White,
        },
        entry: WrittenEntry::new(entry),
    };
    // Nothing of this can fail to be JSON: the keys of all maps are text, and no number is none.
    serde_json::to_string(&line).unwrap_or_default()
}

/// Returns whether a text can only be lines of positions.
#[must_use]
pub fn is_json(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start));
    let first = text.trim_start().strip_prefix('{').map(str::trim_start);
    first.is_some_and(|first| first.starts_with("\"tengen_db\""))
}

impl ReadLine {
    fn fact(self) -> Result<Fact, String> {
        if self.tengen_db != VERSION {
            return Err(format!("version {} of the format is not known", self.tengen_db));
        }
        let (&RuleName(rule), &Edges(size)) = (&self.rule, &self.size);
        let text = format!("{}/{}", self.black, self.white);
        let stones = Stones::parse(&text, size).map_err(|error| error.to_string())?;
        let board: Board = stones.board(size).ok_or("the stones do not fit the board")?;
        let ByColor([black, white]) = &stones.0;
        let usual = Color::to_move_after(black.len() + white.len());
        let to_move = match self.turn {
            Some(SideName::Black) => Color::Black,
            Some(SideName::White) => Color::White,
            None => usual,
        };
        let placement = Placement::new(rule, board, to_move).map_err(|error| error.to_string())?;
        let entry = self.entry(size)?;
        let about = entry.best.iter().chain(entry.board_texts.keys());
        if let Some(cell) = about.copied().find(|&cell| !placement.board().is_empty(cell)) {
            return Err(format!("{cell} is not empty"));
        }
        Ok(Fact { placement, entry, is_new_game: false })
    }

    fn entry(self, size: Size) -> Result<PositionEntry, String> {
        let cell = |text: &str| -> Result<Point, String> {
            parse_cell(text, size).map_err(|error| format!("{text:?} is {error}"))
        };
        let bound = self.bound.map(|bound| match bound {
            BoundName::Upper => Bound::Upper,
            BoundName::Lower => Bound::Lower,
            BoundName::Exact => Bound::Exact,
        });
        if let Some(score) = self.score.filter(|&score| Score::from_raw(score).raw() != score) {
            return Err(format!("the score {score} is out of range"));
        }
        let evaluation = self.score.map(|score| Evaluation {
            score: Score::from_raw(score),
            depth: self.depth,
            bound,
        });
        let result = self.result.map(|text| text.parse()).transpose();
        let label = self.label.map(|text| EntryLabel::new(&text)).transpose();
        let mut marks = std::collections::BTreeSet::new();
        for (at, names) in &self.marks {
            for name in names.split(' ') {
                let mark = CellMark::ALL.into_iter().find(|mark| mark.name() == name);
                marks.insert((cell(at)?, mark.ok_or_else(|| format!("{name:?} is not a mark"))?));
            }
        }
        let texts = self.board_texts.into_iter();
        let texts = texts.filter(|(_, text)| !text.is_empty());
        Ok(PositionEntry {
            result: result.map_err(|error: super::super::ResultSyntaxError| error.to_string())?,
            evaluation,
            best: self.best.as_deref().map(cell).transpose()?,
            visits: self.visits,
            games: GameCounts { black: self.games.0, white: self.games.1, draws: self.games.2 },
            label: label.map_err(|error| error.to_string())?,
            is_marked: self.marked,
            is_placeholder: self.placeholder,
            text: self.text,
            board_texts: texts
                .map(|(at, text)| Ok((cell(&at)?, text)))
                .collect::<Result<_, String>>()?,
            marks,
        })
    }
}

/// The positions of a text of lines, which is read as it goes.
#[derive(Debug)]
pub struct JsonFacts<R> {
    lines: SourceLines<R>,
}

impl<R: BufRead> JsonFacts<R> {
    /// Returns the positions of a text; errors name it `path`.
    pub fn new(path: &Path, input: R) -> JsonFacts<R> {
        JsonFacts { lines: SourceLines::new(path, input) }
    }
}

impl<R: BufRead> FactSource for JsonFacts<R> {
    fn next_fact(&mut self) -> Result<Option<Fact>, SourceError> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        let parsed: Result<ReadLine, _> = serde_json::from_slice(line);
        let parsed = parsed.map_err(|error| {
            let message = error.to_string();
            let said = message.split(" at line ").next().unwrap_or_default();
            self.lines.fault(format!("column {}: {said}", error.column()))
        })?;
        parsed.fact().map(Some).map_err(|fault| self.lines.fault(fault))
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::code::tests::random_entry;
    use crate::database::store::tests::placement;
    use tengen_core::rng::SplitMix64;
    use tengen_core::rules::Rule;

    fn read(text: &str) -> Result<Option<Fact>, SourceError> {
        JsonFacts::new(Path::new("x.jsonl"), text.as_bytes()).next_fact()
    }

    #[test]
    fn every_position_is_read_as_it_was_written() {
        let mut rng = SplitMix64::new(1);
        let size = Size::new(9, 15).unwrap();
        for moves in ["", "a1", "a1b2i15"] {
            for turn in 0..2 {
                let placement = placement(Rule::Caro, size, moves);
                let placement = if turn == 0 { placement } else { placement.passed() };
                for _ in 0..100 {
                    let mut entry = random_entry(&mut rng, size);
                    let is_empty = |cell: &Point| placement.board().is_empty(*cell);
                    entry.board_texts.retain(|cell, text| is_empty(cell) && !text.is_empty());
                    entry.best = entry.best.filter(is_empty);
                    let fact = read(&to_json(&placement, &entry)).unwrap().unwrap();
                    assert_eq!((fact.placement, fact.entry), (placement.clone(), entry));
                }
            }
        }
    }

    #[test]
    fn what_is_not_known_is_not_written() {
        let line =
            to_json(&placement(Rule::Renju, Size::DEFAULT, "h8i9"), &PositionEntry::default());
        let expected = "{\"tengen_db\":1,\"rule\":\"renju\",\"size\":[15,15],\"black\":\"h8\",\
                        \"white\":\"i9\",\"turn\":\"black\"}";
        assert_eq!(line, expected);
        assert!(is_json(line.as_bytes()) && is_json(b" { \"tengen_db\" : 1"));
        let marked = format!("\u{feff}{line}");
        assert!(is_json(marked.as_bytes()) && read(&marked).unwrap().is_some());
        assert!(!is_json(b"{\"tengen\":1") && !is_json(b"") && !is_json(b"\xff"));
    }

    #[test]
    fn lines_that_are_wrong_are_named() {
        let fact = "\n{\"tengen_db\":1,\"rule\":\"renju\",\"size\":[15,15],\"black\":\"h8\"";
        assert!(read(&format!("{fact}}}")).unwrap().is_some());
        for (rest, fault) in [
            ("", "x.jsonl:2: column "),
            (",\"white\":\"h8\"}", "x.jsonl:2: h8 occurs twice"),
            (",\"best\":\"p1\"}", "x.jsonl:2: \"p1\" is not on the board"),
            (",\"result\":\"won\"}", "x.jsonl:2: results are "),
            (",\"marks\":{\"a1\":\"dot\"}}", "x.jsonl:2: \"dot\" is not a mark"),
            (",\"label\":\"\"}", "x.jsonl:2: a label has "),
            (",\"best\":\"h8\"}", "x.jsonl:2: h8 is not empty"),
            (",\"board_texts\":{\"h8\":\"A\"}}", "x.jsonl:2: h8 is not empty"),
            (",\"score\":99999}", "x.jsonl:2: the score 99999 is out of range"),
        ] {
            let error = read(&format!("{fact}{rest}")).unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
        let newer = read("{\"tengen_db\":2,\"rule\":\"renju\",\"size\":[15,15]}").unwrap_err();
        assert_eq!(newer.to_string(), "x.jsonl:1: version 2 of the format is not known");
    }
}

//! From the properties of nodes to a record.

use super::info::{parse_result, parse_rule};
use super::lexer::{Lexer, Property, Token, Value};
use super::lines::{MOST_NESTED, OpenLines, append};
use super::remarks::GameRemarks;
use crate::records::ending::reason_of;
use crate::records::moves::MOST_MOVES;
use crate::records::notes::meant;
use crate::records::pgn::iso_date;
use crate::records::source::{SourceText, one_line};
use crate::records::warning::Warnings;
use crate::records::{Arrangement, GameResult, Move, MoveKind, Notes, Reason, Record, RecordError};
use tengen_core::types::{Cell, Color, Point, PointSet, Size};

/// The most stones that one pair of corners may stand for. Stones of one colour never fill a larger
/// rectangle in a game of five, and a few bytes must not become a board full of stones.
const MOST_IN_RECTANGLE: usize = 9;

/// The number of position changes allowed in any game, and the bytes that allow one more. A change is much
/// larger in memory than the few bytes that the shortest one takes.
const MOST_CHANGES: usize = 256;
const BYTES_PER_CHANGE: usize = 16;

/// The properties that are no notes: moves, stones, comments, and what a record has fields for.
const NO_NOTES: [&str; 20] = [
    "B", "W", "AB", "AW", "AE", "PL", "C", "FF", "GM", "SZ", "CA", "AP", "PB", "PW", "EV", "RO",
    "DT", "RU", "RE", "TE",
];

/// The properties that say something of the game, wherever they stand.
const OF_GAME: [&str; 18] = [
    "AN", "BR", "BT", "CP", "GC", "GN", "HA", "KM", "ON", "OT", "PC", "SO", "ST", "TM", "US", "WR",
    "WT", "RU",
];

/// Reads the games of a text up to the first that can't be read; `usual` is the size of a board whose size
/// is not given, and `is_first` says that the file begins with the text.
pub(in crate::records) fn read(
    source: SourceText<'_>,
    usual: Size,
    is_first: bool,
    warnings: &mut Warnings,
) -> Vec<Result<Record, RecordError>> {
    let mut lexer = Lexer::new(source, warnings);
    let mut records: Vec<Result<Record, RecordError>> = Vec::new();
    while records.last().is_none_or(Result::is_ok) {
        match lexer.next_game(is_first && records.is_empty()) {
            Ok(true) => records.push(GameReader::new(&mut lexer, usual).read()),
            Ok(false) => break,
            Err(error) => records.push(Err(error)),
        }
    }
    records
}

/// Reads the moves of a text of nodes and variations without their game, on a board of this size with
/// these stones, of which a side is to move.
pub(super) fn read_lines(
    text: &str,
    start: &tengen_core::board::Board,
    to_move: Color,
) -> Option<Vec<Move>> {
    let mut warnings = Warnings::default();
    let mut lexer = Lexer::new(SourceText::new(text), &mut warnings);
    let mut reader = GameReader::new(&mut lexer, start.size());
    reader.lines = OpenLines::on_board(start.clone(), to_move);
    reader.is_part = true;
    reader.walk().ok()?;
    let (moves, _) = reader.lines.finish();
    warnings.take().is_empty().then_some(moves)
}

/// Reads properties alone; `None` if the text is anything else.
pub(super) fn read_notes(text: &str) -> Option<Notes> {
    let mut warnings = Warnings::default();
    let mut lexer = Lexer::new(SourceText::new(text), &mut warnings);
    let (mut marks, mut junk) = (String::new(), None);
    while let Some((_, property)) = lexer.next_property(&mut junk) {
        push_raw(&mut marks, &property.name(), &property);
    }
    let is_whole = lexer.token() == Token::End;
    (is_whole && warnings.take().is_empty()).then(|| Notes::of_properties(marks))
}

/// Reads a cell of a board; `None` is a pass.
fn read_cell(
    source: SourceText<'_>,
    size: Size,
    at: usize,
    text: &str,
) -> Result<Option<Point>, RecordError> {
    let text = text.trim();
    let no_cell_of_its_own = size.width() <= 19 && size.height() <= 19;
    if text.is_empty() || no_cell_of_its_own && text.eq_ignore_ascii_case("tt") {
        return Ok(None);
    }
    let &[x, y] = text.as_bytes() else {
        return Err(source.error(at, "a cell such as hh"));
    };
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(i64::from(letter - b'a')),
        b'A'..=b'Z' => Some(i64::from(letter - b'A') + 26),
        _ => None,
    };
    let (Some(x), Some(y)) = (number(x), number(y)) else {
        return Err(source.error(at, "a cell such as hh"));
    };
    let point = size.point(x, y);
    let off_board = || source.error(at, format!("a cell of a {size} board"));
    point.ok_or_else(off_board).map(Some)
}

/// Reads `15` or `20:15`.
fn parse_size(source: SourceText<'_>, value: Value<'_>) -> Result<Size, RecordError> {
    let (width, height) = value.raw.split_once(':').unwrap_or((value.raw, value.raw));
    let edges = width.trim().parse().ok().zip(height.trim().parse().ok());
    let (width, height) =
        edges.ok_or_else(|| source.error(value.at, "a size such as 15 or 20:15"))?;
    Size::new(width, height).map_err(|error| source.error(value.at, error.to_string()))
}

/// The subjects of a node's properties, except moves.
#[derive(Debug, Default)]
struct NodeParts {
    comment: String,
    marks: String,
    set_up: Arrangement,
}

struct GameReader<'a, 'r, 'w> {
    source: SourceText<'a>,
    lexer: &'r mut Lexer<'a, 'w>,
    usual: Size,
    record: Record,
    /// Properties of the game and its first position.
    marks: String,
    lines: OpenLines,
    /// True if the first node has been read.
    has_begun: bool,
    /// True if this is no whole game but a part of one.
    is_part: bool,
    /// What the remarks say of the game.
    remarks: GameRemarks,
    /// The number of cells that were set up in all.
    cells: usize,
    /// The number of times that the position was changed.
    changes: usize,
}

impl<'a, 'r, 'w> GameReader<'a, 'r, 'w> {
    fn new(lexer: &'r mut Lexer<'a, 'w>, usual: Size) -> GameReader<'a, 'r, 'w> {
        GameReader {
            source: lexer.source,
            lexer,
            usual,
            record: Record::new(usual),
            marks: String::new(),
            lines: OpenLines::new(usual),
            has_begun: false,
            is_part: false,
            remarks: GameRemarks::default(),
            cells: 0,
            changes: 0,
        }
    }

    fn read(mut self) -> Result<Record, RecordError> {
        self.walk()?;
        let GameReader { mut record, lines, mut marks, remarks, .. } = self;
        let (moves, (words, more_marks)) = lines.finish();
        append(&mut record.comment, &words);
        marks.push_str(&more_marks);
        record.moves = moves;
        record.notes = Notes::of_properties(marks);
        remarks.write(&mut record);
        record.begin_with_first_stones();
        Ok(record)
    }

    /// Reads from one parenthesis to the one that closes it. There is no recursion, as nothing limits
    /// how deep parentheses are within each other.
    fn walk(&mut self) -> Result<(), RecordError> {
        let mut properties = Vec::new();
        if !self.is_part && self.lexer.node_follows() {
            // The parenthesis before it is missing.
            self.lines.open();
        }
        loop {
            let at = self.lexer.at();
            match self.lexer.token() {
                Token::Open if self.has_begun && !self.is_part && self.lexer.game_follows() => {
                    self.lexer.warn(at, "the ) before this game is missing");
                    self.lexer.step_back();
                    return Ok(());
                }
                Token::Open => {
                    let is_beside = self.lines.is_beside();
                    self.lines.open();
                    if is_beside && !self.lines.begin_variation() {
                        let text = format!("variations {MOST_NESTED} deep are passed over");
                        self.lexer.warn(at, text);
                        self.pass_over(&mut properties);
                        continue;
                    }
                    self.lexer.begin_node()?;
                    self.node(&mut properties)?;
                }
                Token::Node => {
                    if self.lines.is_beside() {
                        self.lexer.warn(at, "a move after variations: read as one of them");
                        if !self.lines.begin_variation() {
                            self.pass_over(&mut properties);
                            continue;
                        }
                    }
                    self.node(&mut properties)?;
                }
                Token::Close if self.lines.depth() == 0 => return Err(self.lexer.error("no )")),
                Token::Close => {
                    self.lines.close();
                    if self.lines.depth() == 0 && !self.is_part {
                        return Ok(());
                    }
                }
                Token::End if self.is_part && self.lines.depth() == 0 => return Ok(()),
                Token::End => {
                    self.lexer.warn(at, "a ) at the end of the game is missing");
                    return Ok(());
                }
            }
        }
    }

    /// Goes past the end of the parenthesis that was opened last.
    fn pass_over(&mut self, properties: &mut Vec<Property<'a>>) {
        let mut depth = 1;
        while depth > 0 {
            match self.lexer.token() {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Node => {}
                Token::End => return,
            }
            if depth > 0 {
                self.lexer.properties(properties);
            }
        }
        self.lines.close();
    }

    fn node(&mut self, properties: &mut Vec<Property<'a>>) -> Result<(), RecordError> {
        self.lexer.properties(properties);
        if !self.has_begun && !self.is_part {
            self.begin(properties)?;
        }
        self.has_begun = true;
        match self.play_node(properties) {
            Err(error) if self.lines.is_game() => Err(error),
            Err(error) => {
                let text = format!("expected {}: the variation ends here", error.expected);
                self.lexer.warn_at(error.place, text);
                self.pass_over(properties);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Reads what has to be known before the first move.
    fn begin(&mut self, properties: &[Property<'a>]) -> Result<(), RecordError> {
        let find = |name: &str| properties.iter().find(|p| p.name() == name).map(Property::first);
        match find("GM").map(|game| (game, game.raw.trim())) {
            None | Some((_, "4")) => {}
            Some((game, "1" | "")) => {
                self.lexer.warn(game.at, "GM[1] stands for Go: read as gomoku, which is GM[4]");
            }
            Some((game, _)) => return Err(self.source.error(game.at, "4, the number of gomoku")),
        }
        let is_version = |text: &str| ["1", "2", "3", "4"].contains(&text.trim());
        if let Some(version) = find("FF").filter(|version| !is_version(version.raw)) {
            self.lexer.warn(version.at, "this version of the format is not known: read as FF[4]");
        }
        let size = find("SZ").map_or(Ok(self.usual), |value| parse_size(self.source, value))?;
        self.record.size = size;
        self.lines.set_size(size);
        Ok(())
    }

    fn play_node(&mut self, properties: &[Property<'a>]) -> Result<(), RecordError> {
        let mut parts = NodeParts::default();
        let has_move = properties.iter().any(|p| matches!(&*p.name(), "B" | "W"));
        for property in properties {
            self.read_property(property, has_move, &mut parts)?;
        }
        if has_move {
            // Whose move it is follows from the move.
            parts.set_up.to_move = None;
        }
        let NodeParts { comment, marks, set_up } = parts;
        // The comment belongs to the last move.
        let mut last = None;
        if !set_up.is_empty() {
            self.changes += 1;
            let at = properties.first().map_or(0, |property| property.first().at);
            if self.changes > MOST_CHANGES + at / BYTES_PER_CHANGE {
                return Err(self.source.error(at, "fewer changes of the position"));
            }
            last = Some((0, Move::set_up(set_up, self.lines.to_move())));
        }
        for property in properties {
            let color = match &*property.name() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            for value in property.values() {
                let Some(m) = self.read_move(value, color)? else { continue };
                if let Some((at, before)) = last.replace((value.at, m)) {
                    self.play(at, before)?;
                }
            }
        }
        let Some((at, mut last)) = last else {
            self.say(&comment, &marks);
            return Ok(());
        };
        if last.kind == MoveKind::SetUp {
            last.set_comment(comment);
        } else {
            let is_game = self.lines.is_game() && !self.is_part;
            self.remarks.read(&mut last, &comment, is_game.then(|| self.lines.count()));
        }
        last.set_notes(Notes::of_properties(marks));
        self.play(at, last)
    }

    /// Reads anything but a move.
    fn read_property(
        &mut self,
        property: &Property<'a>,
        has_move: bool,
        parts: &mut NodeParts,
    ) -> Result<(), RecordError> {
        let is_game = self.lines.is_game() && !self.is_part;
        let name = property.name();
        match &*name {
            "B" | "W" => {}
            "AB" => self.set_up(property, Some(Color::Black), parts)?,
            "AW" => self.set_up(property, Some(Color::White), parts)?,
            "AE" => self.set_up(property, None, parts)?,
            "PL" => {
                parts.set_up.to_move = match property.first().raw.trim().chars().next() {
                    Some('B' | 'b' | '1') => Some(Color::Black),
                    Some('W' | 'w' | '2') => Some(Color::White),
                    _ => {
                        self.lexer.warn(property.first().at, "neither B nor W: passed over");
                        None
                    }
                };
            }
            "C" => {
                property.values().for_each(|value| append(&mut parts.comment, &meant(value.raw)))
            }
            "TE" if !is_reason(property) || !is_game => push_raw(&mut parts.marks, &name, property),
            name if NO_NOTES.contains(&name) && is_game => self.set_info(name, property),
            "FF" | "GM" | "SZ" | "CA" | "AP" => {}
            name if is_game && (OF_GAME.contains(&name) || !has_move && self.is_at_start()) => {
                push_raw(&mut self.marks, name, property);
            }
            name => push_raw(&mut parts.marks, name, property),
        }
        Ok(())
    }

    /// Returns whether what is said is about the game and its first position.
    fn is_at_start(&self) -> bool {
        self.lines.is_empty() && self.lines.depth() <= 1
    }

    /// Reads a move; nothing if the value is a word that is none.
    fn read_move(&mut self, value: Value<'a>, color: Color) -> Result<Option<Move>, RecordError> {
        let word = value.raw.trim();
        if self.lines.is_game() && word.to_ascii_lowercase().starts_with("resign") {
            self.lexer.warn(value.at, format!("read as a resignation of {color}"));
            let resigned = (GameResult::Win(!color), Reason::Resignation);
            if self.record.result.is_none() {
                (self.record.result, self.record.reason) = (Some(resigned.0), Some(resigned.1));
            }
            return Ok(None);
        }
        if word.eq_ignore_ascii_case("pass") {
            self.lexer.warn(value.at, "read as a pass");
            return Ok(Some(Move::pass(color)));
        }
        let point = read_cell(self.source, self.lines.size(), value.at, value.raw)?;
        Ok(Some(point.map_or(Move::pass(color), |point| Move::new(point, color))))
    }

    fn play(&mut self, at: usize, m: Move) -> Result<(), RecordError> {
        if self.lines.count() >= MOST_MOVES {
            return Err(self.source.error(at, format!("at most {MOST_MOVES} moves in a line")));
        }
        let is_first = self.lines.is_empty() && m.kind != MoveKind::SetUp;
        if is_first && !self.is_part {
            self.lines.first = m.color;
        }
        self.lines.play(m).map_err(|_| self.source.error(at, "an empty cell"))
    }

    /// Adds cells and rectangles of cells such as `aa:cc`.
    fn set_up(
        &mut self,
        property: &Property<'a>,
        stone: Option<Color>,
        parts: &mut NodeParts,
    ) -> Result<(), RecordError> {
        let (source, size) = (self.source, self.lines.size());
        let cells = &mut parts.set_up.cells;
        let mut seen: PointSet = cells.iter().map(|&(point, _)| point).collect();
        for Value { at, raw } in property.values() {
            let (first, last) = raw.split_once(':').unwrap_or((raw, raw));
            let corner = |text| {
                let cell = read_cell(source, size, at, text)?;
                cell.ok_or_else(|| source.error(at, "a cell such as hh"))
            };
            let (first, last): (Point, Point) = (corner(first)?, corner(last)?);
            let row =
                |y: u8| (first.x()..=last.x()).filter_map(move |x| size.point(x.into(), y.into()));
            let all: Vec<Point> = (first.y()..=last.y()).flat_map(row).collect();
            if all.is_empty() {
                return Err(source.error(at, "cells, from one corner to the other"));
            }
            if stone.is_some() && all.len() > MOST_IN_RECTANGLE {
                let most =
                    format!("at most {MOST_IN_RECTANGLE} cells from one corner to the other");
                return Err(source.error(at, most));
            }
            for point in all {
                let is_stone = matches!(self.lines.cell(point), Cell::Stone(_));
                // Where nothing is, nothing is taken away.
                if stone.is_none() && !is_stone {
                    continue;
                }
                if !seen.insert(point) {
                    return Err(source.error(at, "a cell that is named once"));
                }
                cells.push((point, stone));
                self.cells += 1;
            }
            // A few bytes must not become many cells, however often a board is cleared.
            if self.cells > size.area() + at {
                return Err(source.error(at, "fewer cells"));
            }
        }
        Ok(())
    }

    /// Keeps what a node without a move says.
    fn say(&mut self, words: &str, marks: &str) {
        if let Some((words, marks)) = self.lines.say(words, marks) {
            append(&mut self.record.comment, words);
            self.marks.push_str(marks);
        }
    }

    fn set_info(&mut self, name: &str, property: &Property<'a>) {
        let value = property.first();
        let text = one_line(&meant(value.raw));
        if property.values().nth(1).is_some() {
            self.lexer.warn(value.at, format!("{name} has one value: the first one counts"));
        }
        let record = &mut self.record;
        let field = match name {
            "PB" => &mut record.players[Color::Black],
            "PW" => &mut record.players[Color::White],
            "EV" => &mut record.event,
            "RO" => &mut record.round,
            "DT" => &mut record.date,
            "RU" => return self.set_rule(value, &text, property),
            "RE" => {
                let (result, reason) = parse_result(text.trim());
                record.result = result;
                record.reason = record.reason.take().or(reason);
                return;
            }
            "TE" => {
                record.reason = reason_of(&text).or(record.reason.take());
                return;
            }
            _ => return,
        };
        let text = if name == "DT" { iso_date(&text) } else { text };
        let old = std::mem::replace(field, text);
        if !old.is_empty() && old != *field {
            self.lexer.warn(value.at, format!("{name} is there twice: the last one counts"));
        }
    }

    fn set_rule(&mut self, value: Value<'a>, text: &str, property: &Property<'a>) {
        let text = text.trim();
        self.record.rule = parse_rule(text);
        if text.is_empty() {
            return;
        }
        if self.record.rule.is_none() {
            self.lexer.warn(value.at, format!("the rule `{text}` is not known"));
        }
        // The words come back when the game is written.
        if self.record.rule.is_none_or(|rule| rule.mask().to_string() != text) {
            push_raw(&mut self.marks, "RU", property);
        }
    }
}

/// Returns whether TE is the reason of an end, as in files of c-gomoku-cli, and no mark of a good move.
fn is_reason(property: &Property<'_>) -> bool {
    !matches!(property.first().raw.trim(), "" | "1" | "2")
}

/// Adds a property as it stands.
fn push_raw(marks: &mut String, name: &str, property: &Property<'_>) {
    marks.push_str(name);
    for value in property.values() {
        marks.push('[');
        marks.push_str(value.raw);
        // A value that was cut off may end with half an escape.
        let halves = value.raw.bytes().rev().take_while(|&b| b == b'\\').count();
        if halves % 2 == 1 {
            marks.push('\\');
        }
        marks.push(']');
    }
}

//! Smart Game Format FF\[4\] with GM\[4\], gomoku and renju.
//!
//! A cell is two letters, column and row, rows from the top. The rule is a Gomocup number in RU.
//! Of variations the first is the game. Set-up stones are read as an opening, black and white by
//! turns as far as there are enough of both. Properties of moves that are not known are kept as
//! notes, and variations as far as they consist of moves on empty cells.

mod parse;
mod remarks;
mod variations;

use super::ending::{reason_of, sentence};
use super::pgn::iso_date;
use super::source::{SourceText, one_line};
use super::{GameResult, Move, Reason, Record, RecordError};
use crate::rules::Rule;
use crate::types::{ByColor, Color, Point, PointSet, Size};
use parse::{Property, SgfNode, SgfTree, Value};
use remarks::Remarks;
pub(super) use variations::{read_beside, write_beside, write_notes};

/// The most stones that one pair of corners may stand for. Stones of one colour never fill a larger
/// rectangle in a game of five, and a few bytes must not become a board full of moves.
const MOST_IN_RECTANGLE: usize = 9;

/// Reads the games of a file; `usual` is the size of a board whose size is not given.
pub(super) fn read(source: SourceText<'_>, usual: Size) -> Result<Vec<Record>, RecordError> {
    let games = parse::parse(source)?;
    games.iter().map(|tree| read_game(source, tree, usual)).collect()
}

fn read_game(
    source: SourceText<'_>,
    tree: &SgfTree<'_>,
    usual: Size,
) -> Result<Record, RecordError> {
    let root = tree.nodes.first().map_or(&[][..], Vec::as_slice);
    let value = |name: &str| root.iter().find(|p| p.name == name).and_then(|p| p.values.first());
    if let Some(game) = value("GM").filter(|game| game.text.trim() != "4") {
        return Err(source.error(game.at, "4, the number of gomoku"));
    }
    let is_version = |text: &str| ["1", "2", "3", "4"].contains(&text.trim());
    if let Some(version) = value("FF").filter(|version| !is_version(&version.text)) {
        return Err(source.error(version.at, "a version of the format from 1 to 4"));
    }
    let size = value("SZ").map_or(Ok(usual), |value| parse_size(source, value))?;
    let mut game =
        GameReader { source, record: Record::new(size), seen: PointSet::EMPTY, opening: true };
    // Other ways to go on from here, which are variations of the next move.
    let mut others: Vec<usize> = Vec::new();
    let mut next = (!tree.nodes.is_empty()).then_some(0);
    while let Some(number) = next {
        let (seen, count) = (game.seen, game.record.moves.len());
        game.read_node(&tree.nodes[number])?;
        if let Some(m) = game.record.moves.get_mut(count) {
            let read = |other: usize| variations::read(source, tree, other, size, seen);
            let lines: Vec<Vec<Move>> =
                others.drain(..).map(read).filter(|line| !line.is_empty()).collect();
            // Nothing could have been played instead of stones that were set up.
            if variations::has_move(&tree.nodes[number]) {
                m.variations = lines;
            }
        }
        let followers = &tree.followers[number];
        others.extend(followers.iter().skip(1));
        next = followers.first().copied();
    }
    Ok(game.record)
}

/// Reads `15` or `20:15`.
fn parse_size(source: SourceText<'_>, value: &Value<'_>) -> Result<Size, RecordError> {
    let (width, height) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
    let edges = width.trim().parse().ok().zip(height.trim().parse().ok());
    let (width, height) =
        edges.ok_or_else(|| source.error(value.at, "a size such as 15 or 20:15"))?;
    Size::new(width, height).map_err(|error| source.error(value.at, error.to_string()))
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

struct GameReader<'a> {
    source: SourceText<'a>,
    record: Record,
    seen: PointSet,
    /// Whether all moves so far were given to the players.
    opening: bool,
}

impl GameReader<'_> {
    fn read_node(&mut self, node: &SgfNode<'_>) -> Result<(), RecordError> {
        let mut stones = ByColor([Vec::new(), Vec::new()]);
        let mut moves = Vec::new();
        let mut comment = "";
        let is_move = variations::has_move(node);
        for property in node {
            let first = property.values.first().map_or("", |value| &*value.text);
            match &*property.name {
                "B" => moves.extend(property.values.iter().map(|value| (Color::Black, value))),
                "W" => moves.extend(property.values.iter().map(|value| (Color::White, value))),
                "AB" => self.add_cells(property, &mut stones[Color::Black])?,
                "AW" => self.add_cells(property, &mut stones[Color::White])?,
                "AE" => {
                    let at = property.values.first().map_or(0, |value| value.at);
                    return Err(self.source.error(at, "no stone to be taken away"));
                }
                "C" => comment = first,
                _ if is_move && variations::is_note(property) => {}
                name => self.set_info(name, first),
            }
        }
        self.set_up(&stones)?;
        let mut played = false;
        for (color, value) in moves {
            // A pass shows in the colours.
            if let Some(point) = self.cell(value.at, &value.text)? {
                self.place(point, color, value.at)?;
                played = true;
            }
        }
        self.comment_on(played, comment);
        if !is_move && self.record.moves.is_empty() {
            self.record
                .notes
                .extend(variations::notes(node).into_iter().filter(|n| n.name != "TE"));
        }
        if let Some(last) = self.record.moves.last_mut().filter(|_| played) {
            last.notes = variations::notes(node);
        }
        Ok(())
    }

    /// Reads a cell; `None` is a pass.
    fn cell(&self, at: usize, text: &str) -> Result<Option<Point>, RecordError> {
        read_cell(self.source, self.record.size, at, text)
    }

    /// Adds cells and rectangles of cells such as `aa:cc`.
    fn add_cells(
        &self,
        property: &Property<'_>,
        cells: &mut Vec<(usize, Point)>,
    ) -> Result<(), RecordError> {
        for Value { at, text, .. } in &property.values {
            let (first, last) = text.split_once(':').unwrap_or((text, text));
            let [first, last] = [self.cell(*at, first)?, self.cell(*at, last)?];
            let (Some(first), Some(last)) = (first, last) else {
                return Err(self.source.error(*at, "a cell such as hh"));
            };
            let inside = |p: &Point| {
                (first.x()..=last.x()).contains(&p.x()) && (first.y()..=last.y()).contains(&p.y())
            };
            let count = cells.len();
            let found = self.record.size.points().filter(inside).map(|p| (*at, p));
            cells.extend(found.take(MOST_IN_RECTANGLE + 1));
            if cells.len() - count > MOST_IN_RECTANGLE {
                let most =
                    format!("at most {MOST_IN_RECTANGLE} cells from one corner to the other");
                return Err(self.source.error(*at, most));
            }
            // More cells than the board has are not empty, and the list must not grow with them.
            if cells.len() == count || cells.len() > self.record.size.area() {
                return Err(self.source.error(*at, "empty cells, from one corner to the other"));
            }
        }
        Ok(())
    }

    fn place(&mut self, point: Point, color: Color, at: usize) -> Result<(), RecordError> {
        if !self.seen.insert(point) {
            return Err(self.source.error(at, "an empty cell"));
        }
        self.record.moves.push(Move::new(point, color));
        Ok(())
    }

    /// Places the stones of an opening whose order is not given.
    fn set_up(&mut self, stones: &ByColor<Vec<(usize, Point)>>) -> Result<(), RecordError> {
        let most = stones.0[0].len().max(stones.0[1].len());
        for i in 0..most {
            for color in Color::ALL {
                if let Some(&(at, point)) = stones[color].get(i) {
                    self.place(point, color, at)?;
                }
            }
        }
        if self.opening {
            self.record.opening = self.record.moves.len();
        }
        Ok(())
    }

    /// Keeps a comment: on the move of the node, or on what came before it.
    fn comment_on(&mut self, played: bool, comment: &str) {
        let (remarks, words) = Remarks::split(comment);
        let count = self.record.moves.len();
        match self.record.moves.last_mut() {
            Some(last) if played => {
                last.time = remarks.time;
                last.score = remarks.score;
                last.depth = remarks.depth;
                last.nodes = remarks.nodes;
                last.comment = words.to_owned();
                if let Some(kind) = remarks.forbidden {
                    self.record.reason = Some(Reason::Forbidden(kind));
                }
                self.opening &= remarks.opening;
                if self.opening {
                    self.record.opening = count;
                }
            }
            // Given stones are no moves that something could be said about.
            Some(last) if count > self.record.opening => append(&mut last.comment, comment),
            _ => append(&mut self.record.comment, comment),
        }
    }

    fn set_info(&mut self, name: &str, value: &str) {
        let record = &mut self.record;
        let text = || one_line(value);
        match name {
            "PB" => record.players[Color::Black] = text(),
            "PW" => record.players[Color::White] = text(),
            "EV" => record.event = text(),
            "RO" => record.round = text(),
            "DT" => record.date = iso_date(&text()),
            "RU" => record.rule = parse_rule(value.trim()),
            "RE" => {
                let (result, reason) = parse_result(value.trim());
                record.result = result;
                record.reason = record.reason.take().or(reason);
            }
            "TE" => record.reason = reason_of(&text()).or(record.reason.take()),
            _ => {}
        }
    }
}

/// Adds a line to a text.
fn append(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// Reads a Gomocup number or a name; others are rules of other games or in other words.
fn parse_rule(text: &str) -> Option<Rule> {
    let by_number = || Rule::from_mask(text.parse().ok()?).map(|(rule, _)| rule);
    text.parse().ok().or_else(by_number)
}

/// Reads the value of RE.
fn parse_result(text: &str) -> (Option<GameResult>, Option<Reason>) {
    let Some((winner, how)) = text.split_once('+') else {
        return match text.to_ascii_lowercase().as_str() {
            "0" | "d" | "draw" => (Some(GameResult::Draw), None),
            "" | "?" => (None, None),
            _ => (None, Some(Reason::from_name(text))),
        };
    };
    let result = match winner {
        "B" | "b" => GameResult::Win(Color::Black),
        "W" | "w" => GameResult::Win(Color::White),
        _ => return (None, Some(Reason::from_name(text))),
    };
    let reason = match how.to_ascii_lowercase().as_str() {
        "draw" => return (Some(GameResult::Draw), None),
        "r" | "resign" => Some(Reason::Resignation),
        "t" | "time" => Some(Reason::Time),
        "f" | "forfeit" => Some(Reason::Forfeit),
        // A margin means nothing in a game of five.
        number if number.parse::<f64>().is_ok() => None,
        _ => reason_of(how),
    };
    (Some(result), reason)
}

/// Writes a game.
pub(super) fn write(record: &Record) -> String {
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]", env!("CARGO_PKG_VERSION"));
    let Record { size, reason, .. } = record;
    let square = size.width() == size.height();
    let edges = format!("{}:{}", size.width(), size.height());
    push(&mut text, "SZ", if square { size.width().to_string() } else { edges });
    push(&mut text, "RU", record.rule.map_or(String::new(), |rule| rule.mask().to_string()));
    push(&mut text, "EV", one_line(&record.event));
    push(&mut text, "RO", one_line(&record.round));
    push(&mut text, "DT", one_line(&record.date));
    push(&mut text, "PB", one_line(&record.players[Color::Black]));
    push(&mut text, "PW", one_line(&record.players[Color::White]));
    let (result, fatal) = (record.result, fatal(record));
    push(&mut text, "RE", result_text(result, reason.as_ref()));
    if fatal.is_none() && !tells(result, reason.as_ref()) {
        push(&mut text, "TE", one_line(&sentence(result, reason.as_ref())));
    }
    push(&mut text, "C", &record.comment);
    variations::push_notes(&mut text, &record.notes);
    let remarks = |i: usize, m: &Move| Remarks {
        opening: i < record.opening,
        forbidden: fatal.filter(|_| i + 1 == record.moves.len()),
        ..Remarks::on(m)
    };
    variations::push_game(&mut text, &record.moves, &remarks);
    text.push_str(if record.moves.is_empty() { ")\n" } else { "\n)\n" });
    text
}

/// Adds a property if there is something to say.
fn push(text: &mut String, name: &str, value: impl AsRef<str>) {
    let value = value.as_ref();
    if !value.is_empty() {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        text.push_str(&format!("{name}[{value}]"));
    }
}

/// Returns why the last move lost, if that is why the game ended.
fn fatal(record: &Record) -> Option<crate::rules::Violation> {
    match record.reason {
        Some(Reason::Forbidden(kind)) if !record.moves.is_empty() => Some(kind),
        _ => None,
    }
}

fn result_text(result: Option<GameResult>, reason: Option<&Reason>) -> String {
    let winner = match result {
        Some(GameResult::Win(Color::Black)) => "B+",
        Some(GameResult::Win(Color::White)) => "W+",
        Some(GameResult::Draw) => return "0".to_owned(),
        None => return reason.map_or(String::new(), |_| "?".to_owned()),
    };
    let how = match reason {
        Some(Reason::Resignation) => "R",
        Some(Reason::Time) => "T",
        Some(Reason::Forfeit | Reason::Illegal | Reason::Crash | Reason::Forbidden(_)) => "F",
        _ => "",
    };
    format!("{winner}{how}")
}

/// Returns whether RE alone tells the reason.
fn tells(result: Option<GameResult>, reason: Option<&Reason>) -> bool {
    parse_result(&result_text(result, reason)).1.as_ref() == reason
}

#[cfg(test)]
mod tests;

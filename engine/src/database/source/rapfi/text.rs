//! The text of a database: a line for each position, values with commas between them.

use std::cmp::Reverse;
use std::io::BufRead;
use std::path::Path;

use super::RULES;
use super::remarks::{join_remarks, split_remarks};
use crate::database::key::joined_texts;
use crate::database::source::lines::SourceLines;
use crate::database::source::{Fact, FactSource, SourceError};
use crate::database::{BoardFacts, Placement, PositionEntry};
use tengen_core::board::{Board, Symmetry};
use tengen_core::notation::{Moves, Stones};
use tengen_core::types::{ByColor, Color, Point, Size};
use tengen_files::records::BYTE_ORDER_MARK;

/// The first line.
pub const TEXT_HEADER: &str = "index,key,label,value,depth,bound,text";

/// The letters of the rules in the order of their numbers.
const RULE_LETTERS: [&str; 3] = ["f", "s", "r"];
/// The bounds in the order of their numbers.
const BOUNDS: [&str; 4] = ["none", "upper", "lower", "exact"];
/// The labels that have words.
const WORDS: [(&str, i32); 2] = [("null", 0), ("none", -1)];

/// Returns whether a file that begins like this is the text of a database.
#[must_use]
pub fn is_rapfi_text(start: &[u8]) -> bool {
    start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start).starts_with(TEXT_HEADER.as_bytes())
}

/// Returns a position and its entry as a line without its end, or `None` if the format has no letter for
/// the rule. Of what is known it holds the result, the value, a label of one letter, the comment and the
/// texts on cells.
#[must_use]
pub fn to_rapfi_text(index: u64, placement: &Placement, entry: &PositionEntry) -> Option<String> {
    let rule = RULES.iter().position(|&rule| rule == placement.rule())?;
    let rule = RULE_LETTERS[rule];
    let size = placement.size();
    let (stones, ways) = frame(placement);
    let board_texts = joined_texts(&ways, size, &entry.board_texts);
    let (width, height) = (size.width(), size.height());
    let ByColor([black, white]) = &stones.0;
    let turn = if placement.to_move() == Color::Black { "b" } else { "w" };
    let key = format!("{rule}-{width}-{height}-{}-{}-{turn}", Moves(black), Moves(white));
    let BoardFacts { label, value, depth, bound, .. } = BoardFacts::of(entry);
    let label = match WORDS.iter().find(|(_, number)| *number == label) {
        Some((word, _)) => format!("({word})"),
        None => match u8::try_from(label).ok().filter(u8::is_ascii_graphic) {
            Some(letter) => char::from(letter).to_string(),
            None => format!("({label})"),
        },
    };
    let bound = BOUNDS[usize::from(bound)];
    let text = escape(&join_remarks(&board_texts, &entry.text));
    Some(format!("{index},{key},{label},{value},{depth},{bound},\"{text}\""))
}

/// Returns the stones as Rapfi's keys have them, and the ways that lead there from the board.
///
/// Rapfi takes the image whose stones, black first and sorted by column, are the smallest.
fn frame(placement: &Placement) -> (Stones, Vec<Symmetry>) {
    let size = placement.size();
    let stones = Stones::of_board(placement.board());
    let image = |way: Symmetry| {
        Stones(ByColor::from_fn(|color| {
            let mut cells: Vec<Point> =
                stones.0[color].iter().map(|&at| way.map(size, at)).collect();
            cells.sort_unstable_by_key(|at| (at.x(), at.y()));
            cells
        }))
    };
    let bytes = |stones: &Stones| -> Vec<(u8, u8)> {
        let ByColor([black, white]) = &stones.0;
        black.iter().chain(white).map(|at| (at.x(), at.y())).collect()
    };
    let images: Vec<(Symmetry, Stones)> =
        Symmetry::of_size(size).map(|way| (way, image(way))).collect();
    let smallest = images.iter().max_by_key(|(_, image)| Reverse(bytes(image)));
    // The board itself is always one of them.
    let smallest = smallest.map_or_else(|| stones.clone(), |(_, image)| image.clone());
    let ways = images.iter().filter(|(_, image)| *image == smallest).map(|&(way, _)| way);
    let ways = ways.collect();
    (smallest, ways)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\u{8}' => escaped.push_str("\\b"),
            '\0' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '"' => return Err("a quote inside of the text has no backslash".to_owned()),
            '\\' => match letters.next() {
                Some(same @ ('"' | '\\')) => same,
                Some('n') => '\n',
                Some('b') => '\u{8}',
                _ => return Err("\\\", \\\\, \\n and \\b are all that a backslash begins".to_owned()),
            },
            other => other,
        });
    }
    Ok(plain)
}

/// The positions of a text, which is read as it goes.
#[derive(Debug)]
pub struct TextFacts<R> {
    lines: SourceLines<R>,
}

impl<R: BufRead> TextFacts<R> {
    /// Returns the positions of a text; errors name it `path`.
    pub fn new(path: &Path, input: R) -> TextFacts<R> {
        TextFacts { lines: SourceLines::new(path, input) }
    }
}

impl<R: BufRead> FactSource for TextFacts<R> {
    fn next_fact(&mut self) -> Result<Option<Fact>, SourceError> {
        loop {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            let is_header = is_rapfi_text(line);
            let parsed = match std::str::from_utf8(line) {
                _ if is_header => Ok(None),
                Ok(line) => parse(line.trim_end_matches(['\n', '\r'])).map(Some),
                Err(_) => Err("the line is not UTF-8".to_owned()),
            };
            if is_header != (self.lines.number() == 1) {
                return Err(self.lines.fault(format!("the first line is {TEXT_HEADER}")));
            }
            if let Some(fact) = parsed.map_err(|fault| self.lines.fault(fault))? {
                return Ok(Some(fact));
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }
}

fn parse(line: &str) -> Result<Fact, String> {
    let part = |text, name: &str| -> Result<(_, _), String> {
        str::split_once(text, ',').ok_or_else(|| format!("there is no {name}"))
    };
    let (index, rest) = part(line, "index")?;
    if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("the index is not a number".to_owned());
    }
    let (key, rest) = part(rest, "key")?;
    let placement = placement(key)?;
    let (label, rest) = label(rest)?;
    let (value, rest) = part(rest, "value")?;
    let (depth, rest) = part(rest, "depth")?;
    let (bound, text) = part(rest, "bound")?;
    let value: i16 = value.parse().map_err(|_| format!("{value:?} is not a value"))?;
    let depth: i16 = depth.parse().map_err(|_| format!("{depth:?} is not a depth"))?;
    let bound = BOUNDS.iter().position(|&name| name == bound);
    let bound = bound.ok_or("a bound is none, upper, lower or exact")? as u8;
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = unescape(text.ok_or("the text is not in quotes")?)?;
    let facts = BoardFacts { label, value: value.into(), depth, bound, shown: String::new() };
    let mut entry = facts.entry();
    (entry.board_texts, entry.text) = split_remarks(&text, placement.size());
    Ok(Fact { placement, entry, is_new_game: false })
}

/// Reads a label, which may be a comma, and returns what follows after it.
fn label(text: &str) -> Result<(i32, &str), String> {
    let fault = || "a label is one letter, (null), (none) or a number in brackets".to_owned();
    let bracketed = text.strip_prefix('(').and_then(|text| text.split_once("),"));
    // It may be the letter ( as well.
    let is_word =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if let Some((word, rest)) = bracketed.filter(|(word, _)| is_word(word)) {
        let named = WORDS.iter().find(|(name, _)| *name == word).map(|&(_, number)| number);
        let number = || word.parse::<i8>().ok().map(i32::from);
        return named.or_else(number).map(|number| (number, rest)).ok_or_else(fault);
    }
    let (letter, rest) = text.split_at_checked(1).ok_or_else(fault)?;
    let rest = rest.strip_prefix(',').ok_or_else(fault)?;
    let letter = letter.bytes().next().filter(u8::is_ascii_graphic);
    letter.map(|letter| (letter.into(), rest)).ok_or_else(fault)
}

/// Reads a key such as `f-15-15-h8-g8-b`.
fn placement(key: &str) -> Result<Placement, String> {
    let fault = || format!("{key:?} is not a key such as f-15-15-h8-g8-b");
    let parts: Vec<&str> = key.split('-').collect();
    let &[rule, width, height, black, white, turn] = parts.as_slice() else { return Err(fault()) };
    let rule = RULE_LETTERS.iter().position(|&letter| letter == rule).ok_or_else(fault)?;
    let (width, height) = width.parse().ok().zip(height.parse().ok()).ok_or_else(fault)?;
    let size = Size::new(width, height).map_err(|error| error.to_string())?;
    let stones = Stones::parse(&format!("{black}/{white}"), size);
    let board: Option<Board> = stones.map_err(|error| error.to_string())?.board(size);
    let to_move = match turn {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err(fault()),
    };
    let board = board.ok_or_else(fault)?;
    Placement::new(RULES[rule], board, to_move).map_err(|error| error.to_string())
}

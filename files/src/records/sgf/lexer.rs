//! The syntax of SGF: parentheses, nodes and properties, and what stands where none should.

use std::borrow::Cow;

use crate::records::notes::value_end;
use crate::records::source::SourceText;
use crate::records::warning::Warnings;
use crate::records::{RecordError, RecordPlace};

/// The most warnings whose places are found out, as each takes time: nobody sees more.
const MOST_PLACES: usize = 100;

/// The most properties of a node. The format has a hundred, and programs a few of their own.
const MOST_PROPERTIES: usize = 1_000;

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// The name as it is written.
    pub(super) written: &'a str,
    /// The values with their brackets, and blanks between them. The last bracket may be missing at the
    /// end of the text.
    values: &'a str,
    /// The place of the values.
    at: usize,
}

/// A value as it stands between its brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    /// The place of its first character.
    pub(super) at: usize,
    pub(super) raw: &'a str,
}

impl<'a> Property<'a> {
    /// Returns the name without the small letters of older versions, as in `Black`; one without
    /// capitals was meant to have them.
    pub(super) fn name(&self) -> Cow<'a, str> {
        let name = self.written;
        if !name.bytes().any(|b| b.is_ascii_lowercase()) {
            name.into()
        } else if name.bytes().any(|b| b.is_ascii_uppercase()) {
            name.chars().filter(|c| !c.is_ascii_lowercase()).collect::<String>().into()
        } else {
            name.to_ascii_uppercase().into()
        }
    }

    /// Returns the values.
    pub(super) fn values(&self) -> impl Iterator<Item = Value<'a>> {
        let (text, start) = (self.values, self.at);
        let mut at = 0;
        std::iter::from_fn(move || {
            at += text[at..].find('[')? + 1;
            let raw = &text[at..];
            let raw = &raw[..value_end(raw).unwrap_or(raw.len())];
            let value = Value { at: start + at, raw };
            at = (at + raw.len() + 1).min(text.len());
            Some(value)
        })
    }

    /// Returns the first value.
    pub(super) fn first(&self) -> Value<'a> {
        self.values().next().unwrap_or(Value { at: self.at, raw: "" })
    }
}

/// The next token of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Open,
    Close,
    Node,
    End,
}

/// A reader of tokens. What can be passed over is, with a warning.
#[derive(Debug)]
pub(super) struct Lexer<'a, 'w> {
    pub(super) source: SourceText<'a>,
    at: usize,
    warnings: &'w mut Warnings,
    warned: usize,
    last_place: RecordPlace,
}

impl<'a, 'w> Lexer<'a, 'w> {
    pub(super) fn new(source: SourceText<'a>, warnings: &'w mut Warnings) -> Lexer<'a, 'w> {
        let last_place = RecordPlace::Text { line: 1, column: 1 };
        Lexer { source, at: 0, warnings, warned: 0, last_place }
    }

    pub(super) fn error(&self, expected: &str) -> RecordError {
        self.source.error(self.at, expected)
    }

    /// Says what is odd at a place.
    pub(super) fn warn(&mut self, at: usize, text: impl AsRef<str>) {
        self.warned += 1;
        if self.warned <= MOST_PLACES {
            self.last_place = self.source.place(at);
        }
        self.warnings.add(self.last_place, text);
    }

    /// Says what is odd at a place that was found out.
    pub(super) fn warn_at(&mut self, place: RecordPlace, text: impl AsRef<str>) {
        self.warnings.add(place, text);
    }

    /// Returns the place of what comes next.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.source.text.as_bytes().get(self.at).copied()
    }

    /// Goes to the next byte that is not blank and returns it.
    fn next_filled(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.peek()
    }

    /// Goes to the parenthesis at the beginning of the next game, over whatever is before it; returns
    /// whether there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing but other text has been read.
    pub(super) fn next_game(&mut self, is_first: bool) -> Result<bool, RecordError> {
        let start = self.at + self.skipped_blanks();
        let rest = &self.source.text[start..];
        let begins_with_node = is_first && rest.starts_with(';');
        let found = if begins_with_node { Some(0) } else { game_start(rest) };
        let junk = &rest[..found.unwrap_or(rest.len())];
        let is_junk = |c: char| !c.is_whitespace() && !c.is_control();
        match found {
            None if is_first && !rest.is_empty() => {
                self.at = start;
                return Err(self.error("(; at the beginning of a game"));
            }
            _ if begins_with_node => self.warn(start, "the ( before the game is missing"),
            _ if junk.trim().is_empty() => {}
            _ if is_first => self.warn(start, "text before the game is passed over"),
            // Editors of another time ended a file so.
            None if !junk.contains(is_junk) => {
                self.warn(start, "a control character at the end is passed over");
            }
            _ if junk.chars().all(|c| c == ')' || c.is_whitespace()) => {
                self.warn(start, "a ) too many is passed over");
            }
            _ => self.warn(start, "text after the game is passed over"),
        }
        self.at = start + junk.len();
        Ok(found.is_some())
    }

    fn skipped_blanks(&self) -> usize {
        let rest = &self.source.text[self.at..];
        rest.len() - rest.trim_start().len()
    }

    /// Goes on to the next token and past it.
    pub(super) fn token(&mut self) -> Token {
        let mut junk = None;
        let token = loop {
            let token = match self.next_filled() {
                Some(b'(') => Token::Open,
                Some(b')') => Token::Close,
                Some(b';') => Token::Node,
                None => Token::End,
                Some(_) => {
                    junk.get_or_insert(self.at);
                    self.at += 1;
                    continue;
                }
            };
            break token;
        };
        if let Some(at) = junk {
            self.warn(at, "not a part of a game, skipped");
        }
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    /// Returns whether a node comes next; its semicolon may be missing.
    pub(super) fn node_follows(&mut self) -> bool {
        self.next_filled() == Some(b';')
    }

    /// Goes past the semicolon of a node, which may be missing before a property.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none of both.
    pub(super) fn begin_node(&mut self) -> Result<(), RecordError> {
        match self.next_filled() {
            Some(b';') => self.at += 1,
            Some(c) if c.is_ascii_alphanumeric() => {
                self.warn(self.at, "the ; before the node is missing");
            }
            _ => return Err(self.error("; at the beginning of a node")),
        }
        Ok(())
    }

    /// Returns whether the node that comes next begins a game: where the parenthesis of the one before
    /// is missing.
    pub(super) fn game_follows(&self) -> bool {
        begins_game(&self.source.text[self.at.saturating_sub(1)..])
    }

    /// Goes back to the parenthesis that was read last.
    pub(super) const fn step_back(&mut self) {
        self.at -= 1;
    }

    /// Reads the properties of a node up to the next token, but no more than [`MOST_PROPERTIES`].
    pub(super) fn properties(&mut self, properties: &mut Vec<Property<'a>>) {
        properties.clear();
        let mut junk = None;
        while let Some((at, property)) = self.next_property(&mut junk) {
            if properties.len() < MOST_PROPERTIES {
                properties.push(property);
            } else {
                self.warn(at, "more properties than a node can have: passed over");
            }
        }
    }

    /// Reads the next property of a node, with its place. `junk` is the end of what was passed over last.
    pub(super) fn next_property(
        &mut self,
        junk: &mut Option<usize>,
    ) -> Option<(usize, Property<'a>)> {
        while let Some(c) = self.next_filled() {
            let start = self.at;
            match c {
                b'(' | b')' | b';' => break,
                c if c.is_ascii_alphanumeric() => match self.property() {
                    Some(property) => return Some((start, property)),
                    None => self.warn_of_junk(start, junk),
                },
                _ => {
                    let letter = self.source.text[start..].chars().next();
                    self.at += letter.map_or(1, char::len_utf8);
                    self.warn_of_junk(start, junk);
                }
            }
        }
        None
    }

    /// Warns once of each row of what is not a property. It begins at `start`, and `junk` is the end of the
    /// last one.
    fn warn_of_junk(&mut self, start: usize, junk: &mut Option<usize>) {
        let is_blank = |text: &str| text.trim().is_empty();
        if junk.is_none_or(|end| !is_blank(&self.source.text[end..start])) {
            self.warn(start, "not a property, skipped");
        }
        *junk = Some(self.at);
    }

    /// Reads a property; `None`, and goes past the name, if it has no value.
    fn property(&mut self) -> Option<Property<'a>> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let written = &self.source.text[start..self.at];
        let at = self.at;
        let mut end = at;
        while self.next_filled() == Some(b'[') {
            let rest = &self.source.text[self.at + 1..];
            match value_end(rest) {
                Some(len) => self.at += 1 + len + 1,
                None => {
                    self.warn(self.at, "the ] of this value is missing");
                    self.at = self.source.text.len();
                }
            }
            end = self.at;
        }
        let values = &self.source.text[at..end];
        (!values.is_empty()).then_some(Property { written, values, at })
    }
}

/// Returns where the first game of a text begins.
fn game_start(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('(')?;
        let inside = text[at + 1..].trim_start();
        // The semicolon is forgotten by hand.
        if inside.starts_with(';') || begins_game(&text[at..]) {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns whether a text begins with a parenthesis, perhaps a semicolon, and a property that stands
/// only at the beginning of a game.
fn begins_game(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('(') else { return false };
    let inside = inside.trim_start();
    let inside = inside.strip_prefix(';').unwrap_or(inside).trim_start();
    ["FF", "GM", "SZ", "CA", "AP"].iter().any(|name| {
        inside.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('['))
    })
}

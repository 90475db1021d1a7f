//! The syntax of SGF: trees of nodes made of properties.

use std::borrow::Cow;

use crate::records::RecordError;
use crate::records::source::SourceText;

/// A value without its brackets and escapes.
pub(super) struct Value<'a> {
    /// The place of its first character.
    pub(super) at: usize,
    pub(super) text: Cow<'a, str>,
    /// What stands between the brackets.
    pub(super) raw: &'a str,
}

/// A property: a name and at least one value.
pub(super) struct Property<'a> {
    /// The name in capital letters.
    pub(super) name: Cow<'a, str>,
    pub(super) values: Vec<Value<'a>>,
}

/// The properties of one move or of the beginning.
pub(super) type SgfNode<'a> = Vec<Property<'a>>;

/// A game: nodes, and what follows each of them.
pub(super) struct SgfTree<'a> {
    /// The nodes in the order of the file; the first one is the beginning of the game.
    pub(super) nodes: Vec<SgfNode<'a>>,
    /// The numbers of the nodes that follow each node; the first one belongs to the main line.
    pub(super) followers: Vec<Vec<usize>>,
}

/// Reads a collection of games.
pub(super) fn parse(source: SourceText<'_>) -> Result<Vec<SgfTree<'_>>, RecordError> {
    let mut reader = SgfParser { source, at: 0 };
    let mut games = Vec::new();
    while let Some(c) = reader.next_filled() {
        if c != b'(' {
            return Err(reader.error("( at the beginning of a game"));
        }
        games.push(reader.game()?);
    }
    Ok(games)
}

struct SgfParser<'a> {
    source: SourceText<'a>,
    at: usize,
}

impl<'a> SgfParser<'a> {
    fn error(&self, expected: &str) -> RecordError {
        self.source.error(self.at, expected)
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

    /// Reads from one parenthesis to the one that closes it. There is no recursion, as nothing
    /// limits the depth of variations.
    fn game(&mut self) -> Result<SgfTree<'a>, RecordError> {
        let mut tree = SgfTree { nodes: Vec::new(), followers: Vec::new() };
        // The node before, and the one before each parenthesis that is open.
        let mut last = None;
        let mut open = Vec::new();
        let mut after_variation = false;
        loop {
            match self.next_filled() {
                Some(b'(') => {
                    open.push(last);
                    self.at += 1;
                    after_variation = false;
                    if self.next_filled() != Some(b';') {
                        return Err(self.error("; at the beginning of a node"));
                    }
                }
                Some(b';') if !after_variation => {
                    self.at += 1;
                    let number = tree.nodes.len();
                    tree.nodes.push(self.node()?);
                    tree.followers.push(Vec::new());
                    if let Some(before) = last {
                        let followers: &mut Vec<usize> = &mut tree.followers[before];
                        followers.push(number);
                    }
                    last = Some(number);
                }
                Some(b')') => {
                    // Something is open, or the loop would have ended.
                    last = open.pop().flatten();
                    self.at += 1;
                    after_variation = true;
                    if open.is_empty() {
                        return Ok(tree);
                    }
                }
                _ if after_variation => return Err(self.error("( or )")),
                _ => return Err(self.error("a property, ;, ( or )")),
            }
        }
    }

    fn node(&mut self) -> Result<SgfNode<'a>, RecordError> {
        let mut node = SgfNode::new();
        while self.next_filled().is_some_and(|c| c.is_ascii_alphanumeric()) {
            let start = self.at;
            while self.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
                self.at += 1;
            }
            let name = capitals(&self.source.text[start..self.at]);
            let mut values = Vec::new();
            while self.next_filled() == Some(b'[') {
                self.at += 1;
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.error("[ at the beginning of a value"));
            }
            // There may be millions, most of them with one value.
            values.shrink_to_fit();
            node.push(Property { name, values });
        }
        node.shrink_to_fit();
        Ok(node)
    }

    /// Reads up to the bracket that ends a value.
    fn value(&mut self) -> Result<Value<'a>, RecordError> {
        let start = self.at;
        let rest = &self.source.text[start..];
        // Most values have nothing that means something else.
        if let Some(end) = rest.find([']', '\\', '\r']).filter(|&end| rest[end..].starts_with(']'))
        {
            self.at = start + end + 1;
            return Ok(Value { at: start, text: rest[..end].into(), raw: &rest[..end] });
        }
        let mut text = String::new();
        let mut chars = rest.char_indices().peekable();
        while let Some((i, mut c)) = chars.next() {
            if c == ']' {
                self.at = start + i + 1;
                return Ok(Value { at: start, text: text.into(), raw: &rest[..i] });
            }
            let escaped = c == '\\';
            if escaped {
                match chars.next() {
                    Some((_, next)) => c = next,
                    None => break,
                }
            }
            if c == '\r' {
                chars.next_if(|&(_, next)| next == '\n');
                c = '\n';
            }
            // An escaped line break is none.
            if !(escaped && c == '\n') {
                text.push(c);
            }
        }
        self.at = self.source.text.len();
        Err(self.error("] at the end of a value"))
    }
}

/// Returns a name without the small letters of older versions, as in `Black`; one without capitals
/// was meant to have them.
fn capitals(name: &str) -> Cow<'_, str> {
    if !name.bytes().any(|b| b.is_ascii_lowercase()) {
        name.into()
    } else if name.bytes().any(|b| b.is_ascii_uppercase()) {
        name.chars().filter(|c| !c.is_ascii_lowercase()).collect::<String>().into()
    } else {
        name.to_ascii_uppercase().into()
    }
}

//! The nodes of a certificate, read without recursion.

use std::collections::HashMap;
use std::ops::Range;

use super::read::error;
use crate::records::RecordError;
use tengen_core::notation::{CoordError, parse_cell};
use tengen_core::prover::Attack;
use tengen_core::types::{Point, PointSet, Size};

/// The expectation where there is no cell.
const CELL: &str = "a cell such as \"h8\"";

/// A node as it is written, with the numbers of others.
struct TreeNode {
    play: Point,
    otherwise: Option<usize>,
    /// The place of its replies among those of all nodes.
    replies: Range<usize>,
}

/// A reader of a part of a text which is known to be JSON.
pub(super) struct TreeReader<'a> {
    text: &'a str,
    at: usize,
    size: Size,
    nodes: Vec<TreeNode>,
    replies: Vec<(Point, usize)>,
    /// The numbers of the nodes that were referred to but are still to come, and how many moves of
    /// the attacker lead to each, its own included.
    awaited: HashMap<usize, usize>,
}

impl<'a> TreeReader<'a> {
    /// Returns a reader of the part of a text that begins at `at`.
    pub(super) fn new(text: &'a str, at: usize, size: Size) -> TreeReader<'a> {
        TreeReader {
            text,
            at,
            size,
            nodes: Vec::new(),
            replies: Vec::new(),
            awaited: HashMap::from([(0, 1)]),
        }
    }

    /// Reads the list of nodes.
    pub(super) fn read(mut self) -> Result<Attack, RecordError> {
        self.expect(b'[', "a list of nodes")?;
        loop {
            self.node()?;
            if !self.take(b',') {
                break;
            }
        }
        if let Some(missing) = self.awaited.keys().min() {
            return Err(self.expected(format!("node {missing}, to which another refers")));
        }
        self.expect(b']', "the next node")?;
        let end = self.at;
        self.build().ok_or_else(|| error(self.text, end, "a tree"))
    }

    /// Reads `["h8"]` or `["h8",1]` or `["h8",1,"i9",2]` and so on.
    fn node(&mut self) -> Result<(), RecordError> {
        self.skip_blanks();
        let Some(depth) = self.awaited.remove(&self.nodes.len()) else {
            return Err(self.expected("no node to which no earlier one refers"));
        };
        // The attacker and the defender need a cell each for every move.
        if 2 * depth > self.size.area() + 1 {
            return Err(self.expected("a line of play that fits on the board"));
        }
        self.expect(b'[', "a node such as [\"h8\",1]")?;
        let play = self.cell()?;
        let first = self.replies.len();
        let otherwise = if self.take(b',') { Some(self.number(depth)?) } else { None };
        let mut seen = PointSet::EMPTY;
        while self.take(b',') {
            self.skip_blanks();
            let start = self.at;
            let reply = self.cell()?;
            if !seen.insert(reply) {
                return Err(error(self.text, start, "a reply that was not named before"));
            }
            self.expect(b',', "the number of a node")?;
            let next = self.number(depth)?;
            self.replies.push((reply, next));
        }
        self.expect(b']', "the end of the node")?;
        self.nodes.push(TreeNode { play, otherwise, replies: first..self.replies.len() });
        Ok(())
    }

    /// Reads the number of a later node to which no other refers.
    fn number(&mut self, depth: usize) -> Result<usize, RecordError> {
        self.skip_blanks();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest()[..digits].parse::<usize>().ok();
        let is_new =
            |number: &usize| *number > self.nodes.len() && !self.awaited.contains_key(number);
        let Some(number) = number.filter(is_new) else {
            return Err(self.expected("the number of a later node to which no other refers"));
        };
        self.awaited.insert(number, depth + 1);
        self.at += digits;
        Ok(number)
    }

    fn cell(&mut self) -> Result<Point, RecordError> {
        self.expect(b'"', CELL)?;
        let Some(len) = self.rest().find('"') else { return Err(self.expected(CELL)) };
        let point = parse_cell(&self.rest()[..len], self.size).map_err(|coord| match coord {
            CoordError::Syntax => error(self.text, self.at - 1, CELL),
            CoordError::OffBoard => {
                error(self.text, self.at - 1, format!("a cell of a {} board", self.size))
            }
        })?;
        self.at += len + 1;
        Ok(point)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Steps over the next character if it is this one.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_next = self.rest().as_bytes().first() == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<(), RecordError> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn expected(&self, expected: impl Into<String>) -> RecordError {
        error(self.text, self.at, expected)
    }

    /// Puts the nodes together, the last one first: nodes refer to later ones.
    fn build(&self) -> Option<Attack> {
        let mut built: Vec<Option<Attack>> = self.nodes.iter().map(|_| None).collect();
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let mut replies = Vec::with_capacity(node.replies.len());
            for &(reply, next) in &self.replies[node.replies.clone()] {
                replies.push((reply, built[next].take()?));
            }
            let otherwise = match node.otherwise {
                None => None,
                Some(next) => Some(Box::new(built[next].take()?)),
            };
            built[number] = Some(Attack { play: node.play, replies, otherwise });
        }
        built.first_mut()?.take()
    }
}

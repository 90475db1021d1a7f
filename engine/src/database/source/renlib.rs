//! Libraries of RenLib: trees of moves with comments, marks and texts on the board.

use std::io::Read;
use std::path::PathBuf;

use super::{Fact, FactSource, SourceError};
use crate::database::{Placement, PositionEntry};
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_files::records::{CodePage, LibLosses, LibNode, LibReader, LibStep};

/// The change of the position by a node on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PathStep {
    Nothing,
    Pass,
    Move(Point),
    /// It can't be played, or is below one that can't.
    Impossible,
}

/// The positions of a library, in the order of the file.
///
/// Every position is known by being there; its comment and its mark are its own, the text on the board
/// stands in the position before. Moves onto stones are left out with all that follows.
#[derive(Debug)]
pub struct LibFacts<R> {
    path: PathBuf,
    reader: LibReader<R>,
    page: CodePage,
    /// The position where the way is, or where it left the board.
    placement: Placement,
    /// The way from the first node. A file of passes is as deep as it is long: what is kept for each node
    /// has to be small.
    way: Vec<PathStep>,
    /// The other fact of the last node.
    waiting: Option<Fact>,
    is_first: bool,
    left_out: LibLosses,
}

impl<R: Read> LibFacts<R> {
    /// Returns the positions of a library under a rule. Texts are of the encoding `page`; `path` is named
    /// in errors.
    ///
    /// # Errors
    ///
    /// Returns an error if this is not a library.
    pub fn new(
        path: PathBuf,
        source: R,
        page: CodePage,
        rule: Rule,
    ) -> Result<LibFacts<R>, SourceError> {
        let reader = match LibReader::new(source) {
            Ok(reader) => reader,
            Err(error) => return Err(SourceError::Library { path, error }),
        };
        let placement = Placement::empty(rule, Size::DEFAULT);
        Ok(LibFacts {
            path,
            reader,
            page,
            placement,
            way: Vec::new(),
            waiting: None,
            is_first: true,
            left_out: LibLosses::default(),
        })
    }

    /// Goes to a node, and returns its facts.
    fn enter(&mut self, node: &LibNode<'_>) -> Option<Fact> {
        let is_root = std::mem::take(&mut self.is_first) && node.cell().is_none();
        let was_known = self.way.last() != Some(&PathStep::Impossible);
        let before = was_known.then(|| self.placement.clone());
        let turn = match node.cell() {
            _ if !was_known => PathStep::Impossible,
            _ if is_root || !node.is_move() => PathStep::Nothing,
            None => {
                self.placement.pass();
                PathStep::Pass
            }
            Some(cell) if self.placement.play(cell).is_ok() => PathStep::Move(cell),
            Some(_) => {
                self.left_out.add(LibLosses::ON_STONES);
                PathStep::Impossible
            }
        };
        self.way.push(turn);
        let after = (turn != PathStep::Impossible).then(|| self.placement.clone());
        let board_text = node.board_text(self.page);
        let comment = node.comment(self.page);
        for text in [&board_text, &comment.line, &comment.text] {
            self.left_out.check_letters(text);
        }
        let on_board = match (before, node.cell()) {
            (Some(placement), Some(cell))
                if !board_text.is_empty() && placement.board().is_empty(cell) =>
            {
                let mut entry = PositionEntry::default();
                entry.board_texts.insert(cell, board_text);
                Some(Fact { placement, entry, is_new_game: false })
            }
            _ => None,
        };
        let end = if comment.line.is_empty() || comment.text.is_empty() { "" } else { "\n" };
        let entry = PositionEntry {
            text: comment.line + end + &comment.text,
            is_marked: node.is_marked(),
            ..PositionEntry::default()
        };
        // The empty board is stored only if there is a remark on it.
        let is_told = !entry.is_empty() || !is_root && node.is_move();
        let own = after.filter(|_| is_told);
        let own = own.map(|placement| Fact { placement, entry, is_new_game: false });
        match (own, on_board) {
            (None, other) => other,
            (own, other) => {
                self.waiting = other;
                own
            }
        }
    }
}

impl<R> LibFacts<R> {
    /// Goes back from the last node.
    fn leave(&mut self) {
        match self.way.pop() {
            Some(PathStep::Move(cell)) => self.placement.take_back(cell),
            Some(PathStep::Pass) => self.placement.pass(),
            Some(PathStep::Nothing | PathStep::Impossible) | None => {}
        }
    }
}

impl<R: Read> FactSource for LibFacts<R> {
    fn next_fact(&mut self) -> Result<Option<Fact>, SourceError> {
        if let Some(fact) = self.waiting.take() {
            return Ok(Some(fact));
        }
        loop {
            match self.reader.next() {
                None => {
                    if self.reader.awaited() > 0 {
                        self.left_out.add(LibLosses::CUT_OFF);
                    }
                    return Ok(None);
                }
                Some(Ok(LibStep::Leave)) => self.leave(),
                Some(Ok(LibStep::Enter(node))) => {
                    if let Some(fact) = self.enter(&node) {
                        return Ok(Some(fact));
                    }
                }
                Some(Err(error)) => {
                    return Err(SourceError::Library { path: self.path.clone(), error });
                }
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        self.reader.offset()
    }

    fn left_out(&self) -> &[&'static str] {
        self.left_out.names()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::notation::parse_moves;

    /// The head of a library, and its root.
    const HEAD: &[u8] = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00";

    /// Returns the numbers of stones and entries of the facts; all was read but what is named.
    fn facts(nodes: &[u8], left_out: &[&str]) -> Vec<(usize, PositionEntry)> {
        let file = [HEAD, nodes].concat();
        let source = LibFacts::new(PathBuf::new(), &file[..], CodePage::UTF_8, Rule::Renju);
        let mut source = source.unwrap();
        let mut facts = Vec::new();
        while let Some(fact) = source.next_fact().unwrap() {
            assert!(!fact.is_new_game && fact.placement.rule() == Rule::Renju);
            facts.push((fact.placement.stones(), fact.entry));
        }
        assert_eq!(source.bytes_read(), file.len() as u64);
        assert_eq!(source.left_out(), left_out);
        facts
    }

    #[test]
    fn positions_have_their_comments_and_marks_and_those_before_the_texts_on_cells() {
        // h8 with a comment of a line and another, below it i9 with a mark and a text on the board,
        // and beside that h9, a move onto h8 with a child, and a pass with h10.
        let nodes =
            b"\x78\x08one\x08two\0\x89\xd1\0\x01A\0\x88\xc0\x78\x80\x00\x40\x00\x00\x98\x40";
        let facts = facts(nodes, &["moves on stones, and what follows them"]);
        assert_eq!(facts[0].0, 1);
        assert_eq!(facts[0].1.text, "one\ntwo");
        assert_eq!((facts[1].0, facts[1].1.is_marked), (2, true));
        assert_eq!(facts[2].0, 1, "the text on the board is in the position before");
        let i9 = parse_moves("i9", Size::DEFAULT).unwrap()[0];
        assert_eq!(facts[2].1.board_texts[&i9], "A");
        let stones: Vec<usize> = facts[3..].iter().map(|fact| fact.0).collect();
        assert_eq!(stones, [2, 1, 2], "h9, the pass, and h10 after it");
    }

    #[test]
    fn what_a_library_loses_is_named() {
        let names = [
            "bytes that are not letters of the encoding",
            "what the file announces and does not have (it may be cut off)",
        ];
        // Two letters of which one is none; h9 with a sibling that is not there.
        assert_eq!(facts(b"\x78\x08a\xff\0\0\x88\xc0", &names).len(), 2);
    }

    #[test]
    fn a_library_that_is_cut_off_tells_what_it_has_and_then_the_place() {
        let file = [HEAD, b"\x78\x08one"].concat();
        let path = PathBuf::from("a.lib");
        let source = LibFacts::new(path, &file[..], CodePage::UTF_8, Rule::Freestyle);
        let error = source.unwrap().next_fact().unwrap_err().to_string();
        assert!(error.starts_with("a.lib: "), "{error}");
        let foreign = LibFacts::new("b".into(), &b"foo"[..], CodePage::UTF_8, Rule::Freestyle);
        assert!(foreign.unwrap_err().to_string().starts_with("b: "));
    }
}

//! From libraries to records.

use super::{CodePage, LibLosses, LibNode, LibRemark, LibTree};
use crate::records::{Move, Note, Record};
use tengen_core::types::{Color, PointSet, Size};

/// The comment that RenLib gives to every pass.
pub(super) const PASS: &str = "Pass";

/// A library as a game: first children are its moves, and all others variations.
///
/// The line of a comment becomes the name of a node (N), its other lines the comment; a mark stands
/// on the cell of the move (MA); where RenLib opens the library is a hotspot (HO); texts on the
/// board are labels (LB) of the move before. A pass shows in the colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibGame {
    /// The game, without rule and result.
    pub record: Record,
    /// What a record cannot hold of the library.
    pub left_out: LibLosses,
}

impl LibTree {
    /// Returns the library as a game. Without an encoding of texts the likely one counts.
    #[must_use]
    pub fn to_record(&self, page: Option<CodePage>) -> LibGame {
        let page = page.unwrap_or_else(|| self.likely_page());
        let mut reader = LibraryWalk { tree: self, page, left_out: LibLosses::default() };
        let mut record = Record::new(Size::DEFAULT);
        let first = self.root().map_or(0, |root| {
            let node = self.node(root);
            let remark = reader.remark(&node);
            record.notes.extend(named(remark.line));
            record.comment = remark.text;
            record.notes.extend(node.is_start().then(|| Note::new("HO", &["1"])));
            if node.is_marked() || node.has_board_text() || !node.is_move() {
                reader.left_out.add("marks of the empty board");
            }
            root + 1
        });
        // Whatever stands beside a root is there before the first move, too.
        let begins = LibPosition { to_move: Color::Black, stones: PointSet::EMPTY };
        let (moves, labels) = reader.moves_after(first, self.len(), begins);
        record.notes.extend(labels);
        record.moves = reader.line(moves, begins.stones);
        if self.awaited() > 0 {
            reader.left_out.add(LibLosses::CUT_OFF);
        }
        LibGame { record, left_out: reader.left_out }
    }
}

/// A position on the way.
#[derive(Clone, Copy)]
struct LibPosition {
    to_move: Color,
    stones: PointSet,
}

/// A move that is possible in a position: the number of its node, and the player.
type NextMove = (u32, Color);

/// Children that are still to be looked at.
struct Siblings {
    /// The number of the next of them.
    next: u32,
    /// The number after the last of them and all below.
    end: u32,
    /// The number of moves found before them.
    found: u32,
}

impl Siblings {
    /// Returns siblings by numbers of nodes. A library has less than 2^32 of them.
    const fn new(next: usize, end: usize, found: usize) -> Siblings {
        Siblings { next: next as u32, end: end as u32, found: found as u32 }
    }
}

struct LibraryWalk<'a> {
    tree: &'a LibTree,
    page: CodePage,
    left_out: LibLosses,
}

impl LibraryWalk<'_> {
    /// Returns a line that begins with the first of some moves, which has the others as variations.
    ///
    /// Lines are no deeper within each other than the board has cells: all but the first begin
    /// after a move of the one that they belong to.
    fn line(&mut self, mut next: Vec<NextMove>, mut stones: PointSet) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(&(number, color)) = next.first() {
            let number = number as usize;
            let node = self.tree.node(number);
            // Only nodes with a cell are moves.
            let Some(point) = node.cell() else { break };
            let other = |&other: &NextMove| self.line(vec![other], stones);
            let variations = next[1..].iter().map(other).collect();
            let LibRemark { line: name, text: comment } = self.remark(&node);
            stones.insert(point);
            let after = LibPosition { to_move: !color, stones };
            let end = self.tree.end(number);
            let (followers, labels) = self.moves_after(number + 1, end, after);
            let mark = node.is_marked().then(|| Note::of_cells("MA", &[point]));
            let start = node.is_start().then(|| Note::new("HO", &["1"]));
            let notes = named(name).into_iter().chain(mark).chain(start).chain(labels).collect();
            let mut m = Move::new(point, color);
            m.set_comment(comment);
            m.set_notes(notes);
            m.set_variations(variations);
            line.push(m);
            next = followers;
        }
        // Most lines are short, and there may be millions.
        line.shrink_to_fit();
        line
    }

    /// Returns the moves among the siblings from one number up to another, in their order, and the
    /// texts on the board. Moves after a pass are possible as well, for the other player.
    fn moves_after(
        &mut self,
        next: usize,
        end: usize,
        position: LibPosition,
    ) -> (Vec<NextMove>, Option<Note>) {
        let mut moves: Vec<NextMove> = Vec::new();
        let mut labels = Vec::new();
        // A row of passes is as deep as it is long.
        let mut open = vec![Siblings::new(next, end, 0)];
        while let Some(Siblings { next, end, found }) = open.last_mut() {
            if next == end {
                if *found as usize == moves.len() && open.len() > 1 {
                    self.left_out.add("passes that no move follows");
                }
                open.pop();
                continue;
            }
            let number = *next as usize;
            *next = self.tree.end(number) as u32;
            let passes = open.len() - 1;
            let node = self.tree.node(number);
            let cell = node.cell();
            if let Some(cell) = cell.filter(|_| node.has_board_text()) {
                if passes == 0 {
                    let text = node.board_text(self.page);
                    self.left_out.check_letters(&text);
                    labels.push((cell, text));
                } else {
                    self.left_out.add("texts on the board after a pass");
                }
            }
            match cell {
                Some(_) if !node.is_move() => self.pass_over(number, &node),
                Some(cell) if position.stones.contains(cell) => {
                    self.left_out.add(LibLosses::ON_STONES);
                }
                Some(_) => {
                    let color = position.to_move;
                    moves.push((number as u32, if passes % 2 == 0 { color } else { !color }));
                }
                None => {
                    self.pass(&node, passes + 1);
                    open.push(Siblings::new(number + 1, self.tree.end(number), moves.len()));
                }
            }
        }
        // Most nodes have one child, and some a million.
        moves.shrink_to_fit();
        // The order in the file follows from the order of the moves.
        labels.sort_unstable();
        let labels = (!labels.is_empty()).then(|| Note::of_labels(&labels));
        (moves, labels)
    }

    /// Notices what is lost of a text on the board.
    fn pass_over(&mut self, number: usize, node: &LibNode<'_>) {
        if !self.remark(node).is_empty() || node.is_marked() || node.is_start() {
            self.left_out.add("what is said of cells without a stone");
        }
        if self.tree.end(number) > number + 1 {
            self.left_out.add("moves after cells without a stone");
        }
    }

    /// Notices what is lost of a pass.
    fn pass(&mut self, node: &LibNode<'_>, passes: usize) {
        if passes > 1 {
            self.left_out.add("several passes in a row");
        }
        let remark = self.remark(node);
        let is_usual = remark.line.is_empty() && ["", PASS].contains(&remark.text.as_str());
        if !is_usual || node.is_marked() || node.is_start() || node.has_board_text() {
            self.left_out.add("what is said of passes");
        }
    }

    /// Returns what is said of a node.
    fn remark(&mut self, node: &LibNode<'_>) -> LibRemark {
        if node.has_unknown_flags() {
            self.left_out.add("flags without a meaning");
        }
        let remark = node.comment(self.page);
        self.left_out.check_letters(&remark.line);
        self.left_out.check_letters(&remark.text);
        remark
    }
}

fn named(line: String) -> Option<Note> {
    (!line.is_empty()).then(|| Note::new("N", &[&line]))
}

//! A node of a library, as the file has it.

use std::borrow::Cow;

use super::{CodePage, EDGE, LibRemark};
use tengen_core::types::{Point, Size};

pub(super) const SIBLING: u8 = 0x80;
pub(super) const LEAF: u8 = 0x40;
pub(super) const OLD_COMMENT: u8 = 0x20;
pub(super) const MARK: u8 = 0x10;
pub(super) const COMMENT: u8 = 0x08;
pub(super) const START: u8 = 0x04;
pub(super) const NO_MOVE: u8 = 0x02;
pub(super) const EXTENDED: u8 = 0x01;

/// The flag of a text on the board, in the second byte of the extension.
pub(super) const BOARD_TEXT: u8 = 0x01;

/// The byte between the line of a comment and its other lines.
pub(super) const LINE_END: u8 = 0x08;

/// The bit of the last letter of an old comment.
pub(super) const LAST_LETTER: u8 = 0x80;

/// A node: a move, a pass, a text on the board, or the root.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LibNode<'a> {
    /// 0, or a cell of the board.
    pub(super) position: u8,
    pub(super) flags: u8,
    /// Nothing unless the flags have [`EXTENDED`].
    pub(super) extension: [u8; 2],
    /// The comment and the text on the board with all that ends and fills them up.
    pub(super) texts: Cow<'a, [u8]>,
}

impl LibNode<'static> {
    /// Returns a node without texts and marks; none is a pass, or the root.
    #[must_use]
    pub fn new(cell: Option<Point>) -> LibNode<'static> {
        let position = cell.map_or(0, |cell| 16 * cell.y() + cell.x() + 1);
        LibNode { position, flags: 0, extension: [0; 2], texts: Cow::Borrowed(&[]) }
    }

    /// Gives the node a comment and a text on the board; `None`, and nothing changes, if the encoding
    /// lacks letters of them.
    #[must_use]
    pub fn set_remarks(
        &mut self,
        comment: &LibRemark,
        board_text: &str,
        page: CodePage,
    ) -> Option<()> {
        let (comment, board_text) = comment.to_bytes(page).zip(page.encode(board_text))?;
        self.set_texts(&comment, &board_text);
        Some(())
    }

    /// Gives the node a comment and a text on the board as bytes. NUL ends a text, and byte 8
    /// divides the first line of a comment from the others.
    pub(super) fn set_texts(&mut self, comment: &[u8], board_text: &[u8]) {
        let mut texts = Vec::new();
        for (text, flags, flag) in
            [(comment, &mut self.flags, COMMENT), (board_text, &mut self.extension[1], BOARD_TEXT)]
        {
            let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
            if !text.is_empty() {
                *flags |= flag;
                texts.extend(text);
                texts.extend(&[0; 2][..2 - text.len() % 2]);
            }
        }
        if self.extension != [0; 2] {
            self.flags |= EXTENDED;
        }
        self.texts = texts.into();
    }
}

impl LibNode<'_> {
    /// Returns whether a byte is 0 or a cell of the board.
    pub(super) const fn is_position(byte: u8) -> bool {
        byte == 0 || byte & 0x0f != 0 && byte >> 4 < EDGE
    }

    /// Returns the cell; none is a pass, or the root if it comes first.
    #[must_use]
    pub fn cell(&self) -> Option<Point> {
        let number = self.position.checked_sub(1)?;
        Size::DEFAULT.point(i64::from(number % 16), i64::from(number / 16))
    }

    /// Returns the flags, those included that say how the file goes on; the module says what each
    /// bit means.
    #[must_use]
    pub const fn flags(&self) -> u8 {
        self.flags
    }

    /// Returns whether the node is a move or a pass, and not only a place for a text.
    #[must_use]
    pub const fn is_move(&self) -> bool {
        self.flags & NO_MOVE == 0
    }

    /// Returns whether the node is marked.
    #[must_use]
    pub const fn is_marked(&self) -> bool {
        self.flags & MARK != 0
    }

    /// Returns whether RenLib opens the library at this node.
    #[must_use]
    pub const fn is_start(&self) -> bool {
        self.flags & START != 0
    }

    /// Returns whether there are flags without a meaning.
    #[must_use]
    pub fn has_unknown_flags(&self) -> bool {
        self.extension[0] != 0 || self.extension[1] & !BOARD_TEXT != 0
    }

    /// Returns the comment.
    #[must_use]
    pub fn comment(&self, page: CodePage) -> LibRemark {
        if self.flags & OLD_COMMENT != 0 {
            LibRemark::of_old(&self.texts[..self.comment_len()])
        } else {
            LibRemark::of_new(self.raw_texts()[0], page)
        }
    }

    /// Returns the text that stands on the board, on the cell of the node while the moves before it
    /// are shown; empty if there is none.
    #[must_use]
    pub fn board_text(&self, page: CodePage) -> String {
        page.decode(self.raw_texts()[1])
    }

    /// Returns the bytes of the comment, unless it is an old one, and of the text on the board.
    pub(super) fn raw_texts(&self) -> [&[u8]; 2] {
        let (comment, board_text) = self.texts.split_at(self.comment_len());
        let comment = if self.flags & OLD_COMMENT != 0 { &[] } else { comment };
        [until_nul(comment), until_nul(board_text)]
    }

    pub(super) const fn has_board_text(&self) -> bool {
        self.flags & EXTENDED != 0 && self.extension[1] & BOARD_TEXT != 0
    }

    /// Returns how many of the bytes of the texts are the comment.
    fn comment_len(&self) -> usize {
        let ends = |pair: &[u8]| match self.flags & OLD_COMMENT {
            0 => pair.contains(&0),
            _ => pair.iter().any(|letter| letter & LAST_LETTER != 0),
        };
        if self.flags & (OLD_COMMENT | COMMENT) == 0 {
            return 0;
        }
        let pairs = self.texts.chunks(2).position(ends).map_or(usize::MAX, |last| last + 1);
        self.texts.len().min(pairs.saturating_mul(2))
    }

    /// Adds the bytes of the node to a file.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.position, self.flags]);
        if self.flags & EXTENDED != 0 {
            bytes.extend(self.extension);
        }
        bytes.extend(&*self.texts);
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

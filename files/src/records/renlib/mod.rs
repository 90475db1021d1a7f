//! Libraries of RenLib (`.lib`): trees of moves on a board of 15 by 15, with texts and marks.
//!
//! A file is a head of twenty bytes, which the oldest files lack, and the nodes of the tree, each
//! before its children and these before its next sibling. A node is two bytes, the cell and
//! [flags](LibNode::flags), and what the flags announce:
//!
//! | bits | meaning |
//! | --: | --- |
//! | `80` | a sibling follows after the children |
//! | `40` | there are no children |
//! | `20` | an old comment: seven bits a letter, the last one has the eighth set |
//! | `10` | a mark |
//! | `08` | a comment: the line, then byte 8 and the text of more lines, then NUL |
//! | `04` | RenLib opens the library here |
//! | `02` | no move, but a place for a text on the board |
//! | `01` | two bytes of more flags follow; bit 1 of the second is a text on the board, then NUL |
//!
//! Texts end on an even offset. The cell is `16 · y + x + 1` with rows from the top; 0 is the root
//! if it comes first, which files that begin with the centre may lack, and a pass anywhere else.
//! The owner of a stone follows from its depth, to which passes count.
//!
//! A library is written back bit by bit, fillers and flags without a meaning included. As in
//! RenLib, an odd byte at the end is not a node, and a file may end before all siblings that it
//! announces: RenLib itself writes such files when it saves a branch.

mod build;
mod error;
mod head;
mod letters;
mod lost;
mod node;
mod of_record;
mod reader;
mod remark;
mod to_record;
mod tree;

use super::CodePage;
pub use build::LibBuilder;

pub use error::LibError;
pub use head::LibHead;
pub use lost::LibLosses;
pub use node::LibNode;
pub use reader::{LibReader, LibStep};
pub use remark::LibRemark;
pub use to_record::LibGame;
pub use tree::LibTree;

/// Returns whether a file begins as libraries do, but for the oldest.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&head::MAGIC)
}

/// The width and height of the board.
const EDGE: u8 = 15;

#[cfg(test)]
mod tests;

//! A library in memory.

use std::borrow::Cow;
use std::io::Read;

use super::{CodePage, LibBuilder, LibError, LibHead, LibNode, LibReader, LibStep, letters};

/// A library as a tree.
///
/// Nodes have numbers from 0 in the order of the file, each smaller than those of its children, and
/// these smaller than those of its next sibling. A node takes twelve bytes besides its texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibTree {
    pub(super) head: LibHead,
    pub(super) nodes: Vec<StoredNode>,
    /// The texts of all nodes, in their order.
    pub(super) texts: Vec<u8>,
    /// An odd byte at the end of the file.
    pub(super) tail: Option<u8>,
    /// The number of siblings that are announced and absent.
    pub(super) awaited: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StoredNode {
    pub(super) position: u8,
    pub(super) flags: u8,
    pub(super) extension: [u8; 2],
    /// Where the texts end; they begin where those of the node before end.
    pub(super) texts_end: u32,
    /// The number of the node after those below this one.
    pub(super) end: u32,
}

impl LibTree {
    /// Reads a library.
    ///
    /// # Errors
    ///
    /// Returns the first place at which it is none, and an error if it has 2³² nodes or bytes of
    /// text.
    pub fn read(source: impl Read) -> Result<LibTree, LibError> {
        let mut reader = LibReader::new(source)?;
        let mut builder = LibBuilder::new(reader.head());
        while let Some(step) = reader.next() {
            match step? {
                LibStep::Enter(node) => {
                    let full = LibError::Expected {
                        at: reader.offset(),
                        expected: "a library of less than 4 GiB",
                    };
                    builder.push(&node).ok_or(full)?;
                }
                LibStep::Leave => builder.leave(),
            }
        }
        let (awaited, tail) = (reader.awaited(), reader.tail());
        Ok(LibTree { awaited, tail, ..builder.into_tree() })
    }

    /// Returns the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(24 + 2 * self.nodes.len() + self.texts.len());
        self.head.write(&mut bytes);
        (0..self.len()).for_each(|number| self.node(number).write(&mut bytes));
        bytes.extend(self.tail);
        bytes
    }

    /// Returns the head.
    #[must_use]
    pub const fn head(&self) -> LibHead {
        self.head
    }

    /// Returns the likely encoding of the texts, as [`CodePage::of_library`] does.
    #[must_use]
    pub fn likely_page(&self) -> CodePage {
        let is_utf_8 = (0..self.len()).all(|number| letters::is_utf_8(&self.node(number)));
        if is_utf_8 { CodePage::UTF_8 } else { CodePage::WESTERN }
    }

    /// Returns the number of nodes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an empty library has a root all the same")]
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of siblings that the file announces and does not have: it was cut off, or
    /// RenLib saved a branch.
    #[must_use]
    pub const fn awaited(&self) -> usize {
        self.awaited
    }

    /// Returns the node with a number.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[must_use]
    pub fn node(&self, number: usize) -> LibNode<'_> {
        let StoredNode { position, flags, extension, texts_end, .. } = self.nodes[number];
        let start = number.checked_sub(1).map_or(0, |before| self.nodes[before].texts_end);
        let texts = Cow::Borrowed(&self.texts[start as usize..texts_end as usize]);
        LibNode { position, flags, extension, texts }
    }

    /// Returns the number of the root, if the file has one: the first node, if it has no cell.
    #[must_use]
    pub fn root(&self) -> Option<usize> {
        self.nodes.first().filter(|node| node.position == 0).map(|_| 0)
    }

    /// Returns the number after those of a node and all below it.
    pub(super) fn end(&self, number: usize) -> usize {
        self.nodes[number].end as usize
    }

    /// Returns the numbers of the children of a node; of none, those of the nodes without a parent.
    ///
    /// # Panics
    ///
    /// Panics if there is no such node.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let (first, end) = match parent {
            Some(number) => (number + 1, self.end(number)),
            None => (0, self.len()),
        };
        let first = (first < end).then_some(first);
        std::iter::successors(first, move |&number| {
            let next = self.end(number);
            (next < end).then_some(next)
        })
    }
}

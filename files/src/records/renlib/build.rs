//! Making libraries.

use super::node::{LEAF, SIBLING};
use super::tree::StoredNode;
use super::{LibHead, LibNode, LibTree};

/// A library that is being made, from the first node to the last.
#[derive(Debug)]
pub struct LibBuilder {
    tree: LibTree,
    /// The numbers of the nodes that were entered and not left.
    path: Vec<u32>,
    /// The last node that was left: the next one is its sibling if it is not left before.
    left: Option<u32>,
}

impl LibBuilder {
    /// Returns a library without nodes.
    #[must_use]
    pub const fn new(head: LibHead) -> LibBuilder {
        let tree = LibTree { head, nodes: Vec::new(), texts: Vec::new(), tail: None, awaited: 0 };
        LibBuilder { tree, path: Vec::new(), left: None }
    }

    /// Adds a child of the node that was entered last and not left. Its flags about children and
    /// siblings follow from what comes later. `None` if there is no place for it: 2³² nodes or
    /// bytes of texts are too many.
    #[must_use]
    pub fn enter(&mut self, node: &LibNode<'_>) -> Option<()> {
        // RenLib does not set the flag of the first node.
        let leaf = if self.tree.nodes.is_empty() { 0 } else { LEAF };
        if let Some(parent) = self.path.last().filter(|&&parent| parent > 0) {
            self.tree.nodes[*parent as usize].flags &= !LEAF;
        }
        if let Some(before) = self.left {
            self.tree.nodes[before as usize].flags |= SIBLING;
        }
        let flags = node.flags & !(SIBLING | LEAF) | leaf;
        self.push(&LibNode { flags, texts: (&*node.texts).into(), ..*node })
    }

    /// Adds a child with the flags that it has.
    pub(super) fn push(&mut self, node: &LibNode<'_>) -> Option<()> {
        let number = u32::try_from(self.tree.nodes.len()).ok().filter(|&n| n < u32::MAX)?;
        let texts_end = u32::try_from(self.tree.texts.len() + node.texts.len()).ok()?;
        self.tree.texts.extend(&*node.texts);
        let LibNode { position, flags, extension, .. } = *node;
        let node = StoredNode { position, flags, extension, texts_end, end: number + 1 };
        if self.tree.nodes.len() == self.tree.nodes.capacity() {
            // Twice as many would be most of what a reader needs.
            self.tree.nodes.reserve_exact((self.tree.nodes.len() / 2).max(64));
        }
        self.tree.nodes.push(node);
        self.path.push(number);
        self.left = None;
        Some(())
    }

    /// Goes back to the parent of the node that was entered last and not left.
    pub fn leave(&mut self) {
        if let Some(number) = self.path.pop() {
            // The count from when it was added fits.
            self.tree.nodes[number as usize].end = self.tree.nodes.len() as u32;
            self.left = Some(number);
        }
    }

    /// Returns the library.
    #[must_use]
    pub fn into_tree(mut self) -> LibTree {
        while !self.path.is_empty() {
            self.leave();
        }
        self.tree.nodes.shrink_to_fit();
        self.tree.texts.shrink_to_fit();
        self.tree
    }
}

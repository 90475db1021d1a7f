//! The positions of a session.

use tengen_core::types::Point;

/// A position that a session had or has; see [`PlaySession::reached`](super::PlaySession::reached). It is another
/// one in another game and after any change of what is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachedPosition {
    /// The number of changes before it that were no moves.
    pub(super) root: u64,
    pub(super) moves: Vec<Point>,
}

impl ReachedPosition {
    /// Returns the moves of the game until this position.
    #[must_use]
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// Returns the moves from this position to another one; `None` if they do not lead there.
    #[must_use]
    pub fn moves_to<'a>(&self, later: &'a ReachedPosition) -> Option<&'a [Point]> {
        let rest = later.moves.strip_prefix(&self.moves[..])?;
        (self.root == later.root).then_some(rest)
    }

    /// Returns the moves of a line from this position that are left in a later one; none if the game went another
    /// way.
    #[must_use]
    pub fn rest_of<'a>(&self, line: &'a [Point], later: &ReachedPosition) -> &'a [Point] {
        self.moves_to(later).and_then(|played| line.strip_prefix(played)).unwrap_or(&[])
    }
}

//! The vocabulary: small copyable types with no knowledge of the game.
//!
//! Depends on the standard library only. Everything here is a newtype or an enum
//! whose invariant is kept by its constructor, so that code above never meets a bare integer
//! where a point, a colour or a score is meant.

mod bound;
mod color;
mod depth;
mod dir;
mod key;
mod point;
mod score;
mod set;
mod size;

pub use bound::Bound;
pub use color::{ByColor, Cell, Color};
pub use depth::{Depth, Ply};
pub use dir::{ByDir, Dir};
pub use key::Key;
pub use point::{Point, STRIDE};
pub use score::{Score, ScoreKind};
pub use set::{PointSet, PointSetIter};
pub use size::{Size, SizeError};

/// The shortest board edge on which a game can be won.
pub const MIN_EDGE: u8 = 5;
/// The longest board edge supported.
pub const MAX_EDGE: u8 = 22;
/// The number of cell indices, on-board or not, that a [`Point`] can take.
pub const MAX_POINTS: usize = MAX_EDGE as usize * MAX_EDGE as usize;

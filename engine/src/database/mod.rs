//! A database of positions: values, proven results, best moves, texts.
//!
//! Positions are known by their stones and the side to move, up to the symmetries of the
//! board, for each rule and size; answers have cells of the board that was asked for. All is in one
//! file ([`redb`] on blocks with checksums), written in transactions: the file is consistent at every
//! moment, and whatever was reported as saved survives a crash. `docs/reference/database.md` says more.

mod blocks;
mod code;
mod entry;
mod error;
mod guard;
mod key;
mod lift;
mod lookup;
mod merge;
mod placement;
mod propagate;
mod reader;
mod remove;
pub mod source;
mod store;
mod tree;
mod union;
mod writer;
mod yixin;

pub use code::EntryError;
pub use entry::{
    CellMark, EntryLabel, Evaluation, GameCounts, LabelError, PositionEntry, ProvenResult,
    ResultSyntaxError,
};
pub use error::DatabaseError;
pub use key::{KeyError, KeyGroup, MappedKey, PositionKey};
pub use placement::{Placement, PlacementError};
pub use propagate::{Propagated, PropagationOptions};
pub use reader::{DatabaseReader, KnownMove, Stored};
pub use remove::{Removal, ResultFilter, ResultFilterError};
pub use store::{Access, DEFAULT_CACHE, PositionDatabase};
pub use tree::{KnownTree, TreeError, TreeOptions};
pub use union::MergedPositions;
pub use writer::DatabaseWriter;
pub use yixin::{BoardEdit, BoardFacts, set_board_label};

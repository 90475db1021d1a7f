//! Text in and out for points, moves and stones.
//!
//! Cells are written as a letter for the column and a number for the row counted from 1
//! at the top ([`Point`](crate::types::Point) displays itself so), or as the protocol's `x,y`; an
//! [`Origin`] turns rows that people count from the bottom. Everything that reads takes a size and
//! gives only points that are on it. A [`Diagram`] is a board as text.

mod coord;
mod diagram;
mod moves;
mod origin;

pub use coord::{CoordError, Xy, parse_cell, parse_xy};
pub use diagram::{BoardGlyphs, Diagram};
pub use moves::{Moves, MovesError, Stones, parse_moves};
pub use origin::{Origin, OriginNameError};

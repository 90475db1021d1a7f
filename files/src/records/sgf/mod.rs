//! Smart Game Format FF\[4\] with GM\[4\], gomoku and renju.
//!
//! A cell is two letters, column and row, rows from the top; a move without a cell is a pass. The rule
//! is a Gomocup number in RU, or the words that people write. Of variations the first is the game.
//! Stones that are set up before the first move are those that the game begins with; whatever is set
//! up later is a part of its line. Properties that are not known are kept as notes.
//!
//! Errors outside of moves are skipped with a warning; a variation ends with one before a
//! move that can't be played, and only in the game itself that is an error. Text goes by in one pass and
//! one line of [`OpenLines`](lines::OpenLines) at a time, in memory of a few times its size.

mod info;
mod lexer;
mod lines;
mod read;
mod remarks;
mod write;

pub(super) use info::parse_rule;
pub(super) use read::read;
pub(super) use write::{read_beside, write, write_beside};

#[cfg(test)]
mod tests;

//! Files of training games.
//!
//! A corpus is a header that holds the [`SelfPlayOptions`](super::SelfPlayOptions) of its games,
//! and the games in the order of their numbers. Numbers have their low byte first; a cell is a
//! number `y * 22 + x` ([`Point::index`](tengen_core::types::Point::index)).
//!
//! | bytes | of the header |
//! | --: | --- |
//! | 8 | `tengames` |
//! | 2 | version of the format, [`VERSION`] |
//! | 2 | [`PROCEDURE`](super::selfplay::PROCEDURE) that made the games |
//! | 1 | rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 exact caro |
//! | 1, 1 | width and height of the board |
//! | 1, 1 | smallest and largest number of stones of an opening |
//! | 1, 1 | `spread` and `reach` of an opening |
//! | 1 | first moves with variety |
//! | 2, 2 | window of an opening, and margin of variety, in the engine's units |
//! | 2 | stones of the longest game |
//! | 1 | leaves of the search for a move |
//! | 1 | zero |
//! | 4 | CRC-32 of the weights that the search used, 0 for the hand-tuned ones |
//! | 8 | seed |
//! | 8 | nodes of a search |
//! | 8 | nodes of the search that judges a leaf |
//! | 4 | CRC-32 of the network that corrected the evaluation, 0 for none |
//! | 2, 1 | largest score and number of moves of an adjudicated draw, 0 moves for no such draws |
//! | 1 | zero |
//! | 2 | least number of stones of an adjudicated draw |
//! | 1 | 1 if the leaves were judged again, + 2 if positions of the games are among them |
//! | 1 | zero |
//! | 4 | CRC-32 of the files of those games |
//! | 4, 4 | CRC-32 of the weights and the network of the search that judged them, 0 as above |
//! | 8, 8 | number of leaves, the largest one for all of them, and seed of their choice |
//! | 4 | zeros |
//! | 4 | CRC-32 of the bytes before |
//!
//! Of version 2, made by procedure 2, all between the network's checksum and the last one is missing; such
//! files are read and continued as they were begun.
//!
//! | bytes | of a game |
//! | --: | --- |
//! | 1 | number of stones of the opening |
//! | 1 | result (0 black, 1 white, 2 draw) + 4 × ending (0 by the rule, 1 proven, 2 by length, 3 adjudicated) |
//! | 2 | number of searched moves |
//! | 4 | bytes of all leaves |
//! | 2 each | cells of the opening |
//! | 2 + 2 each | cell and score (signed, for the side that moved) of the searched moves |
//! | see below | leaves, in the order of the moves before them |
//! | 4 | CRC-32 of the bytes before, from the number of stones on |
//!
//! | bytes | of a leaf |
//! | --: | --- |
//! | 2 | searched moves before the search that evaluated it, fewer than the game has |
//! | 1 | number of moves from there to the leaf, from 1 to 64 |
//! | 2 each | their cells, different ones that are empty there |
//! | 2 + 2 | cell of the best move, empty after those, and score (signed, for the side to move) |
//!
//! Games are added by single writes and brought to the disk every [`SYNC_BYTES`]. An interrupted run
//! leaves the first part of a game at the end, or zeros where the system had not written yet, at most
//! so many bytes and one game before the end: readers stop before it, and the next run plays those
//! games again. Anything else that is broken is damage, and an error with its place.

mod format;
mod reader;
mod store;

pub use format::{HeaderFault, MAGIC, VERSION, encode_game, encode_header};
pub use reader::CorpusReader;
pub use store::{CorpusStore, SYNC_BYTES};

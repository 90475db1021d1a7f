//! Games that were played.

use std::time::Duration;

use super::{EndKind, Fixture};
use crate::stats::PlayerResult;
use tengen_core::types::Color;
use tengen_files::records::{self, Record};

/// A finished game: the unit of journals and summaries.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame {
    /// The game in the schedule.
    pub fixture: Fixture,
    /// The seat that had black in the end: another than 0 only after a swap2 opening.
    pub black_seat: usize,
    /// The moves with times, scores, depths and nodes; names, result and the nearest reason. A
    /// forbidden move is among the moves, another illegal one is not.
    pub record: Record,
    /// The exact reason for its end.
    pub end: EndKind,
    /// A sentence about the end, as in `A answered after 1203 ms of 1000`.
    pub detail: String,
    /// The resources that each seat used.
    pub usage: [Usage; 2],
}

impl PlayedGame {
    /// Returns who sat in a seat, 0 or 1, by its place among the contestants.
    #[must_use]
    pub const fn player(&self, seat: usize) -> usize {
        self.fixture.seats[seat]
    }

    /// Returns the colour that a seat had in the end.
    #[must_use]
    pub const fn color(&self, seat: usize) -> Color {
        if seat == self.black_seat { Color::Black } else { Color::White }
    }

    /// Returns how the game ended for a seat; `None` only if the record has no result.
    #[must_use]
    pub fn result(&self, seat: usize) -> Option<PlayerResult> {
        self.record.result.map(|result| match result {
            records::GameResult::Draw => PlayerResult::Draw,
            records::GameResult::Win(color) if color == self.color(seat) => PlayerResult::Win,
            records::GameResult::Win(_) => PlayerResult::Loss,
        })
    }
}

/// The resources that a player used in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The most memory it was seen to use, in bytes.
    pub memory: Option<u64>,
    /// The time of all its answers, those that made the opening or came too late included.
    pub time: Duration,
    /// The longest time of one answer.
    pub slowest: Duration,
    /// The number of its moves, those of the opening not counted.
    pub moves: u32,
}

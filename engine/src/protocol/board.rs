//! The board of a session: the game, its clock, and the moves that an analyst wants left out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::blocked::BlockedMoves;
use super::clock::{MatchClock, UsedTime};
use super::game::SessionGame;
use super::info::Coordinates;
use super::reply::{Labels, Reply};
use tengen_core::rules::Rule;
use tengen_core::types::{Point, PointSet, Size};

/// The position, the time used, and the blocked moves.
#[derive(Clone)]
pub(super) struct SessionBoard {
    game: Option<SessionGame>,
    clock: MatchClock,
    /// Shared with the copies that are kept in case of a panic: there may be thousands of paths.
    blocked: Arc<BlockedMoves>,
}

impl SessionBoard {
    /// Returns the board of a process that was created at `started`, before any game.
    pub(super) fn new(started: Instant) -> SessionBoard {
        let (clock, blocked) = (MatchClock::new(started), Arc::default());
        SessionBoard { game: None, clock, blocked }
    }

    /// Begins a game on an empty board.
    pub(super) fn start(&mut self, size: Size) {
        self.game = Some(SessionGame::new(size));
        self.clock.restart();
    }

    /// Returns the game, if there is one.
    pub(super) fn game(&self) -> Option<&SessionGame> {
        self.game.as_ref()
    }

    /// Returns the game, if there is one.
    pub(super) fn game_mut(&mut self) -> Option<&mut SessionGame> {
        self.game.as_mut()
    }

    /// Replaces the position; the time used stays.
    pub(super) fn set_game(&mut self, game: SessionGame) {
        self.game = Some(game);
    }

    /// Returns the size of the board, if there is one.
    pub(super) fn size(&self) -> Option<Size> {
        self.game.as_ref().map(SessionGame::size)
    }

    /// Returns the spelling of cells of this board.
    pub(super) fn labels(&self, coordinates: Coordinates) -> Labels {
        Labels { coordinates, size: self.size().unwrap_or(Size::DEFAULT) }
    }

    /// Makes the moves of an answer, which can be played.
    pub(super) fn play(&mut self, points: &[Point]) {
        if let Some(game) = &mut self.game {
            points.iter().for_each(|&point| game.play(point));
        }
    }

    /// Makes some move that can be played, and returns it as a reply.
    pub(super) fn play_any(&mut self, rule: Rule) -> Option<Reply> {
        let game = self.game.as_mut()?;
        let point = game.fallback(rule, PointSet::EMPTY)?;
        game.play(point);
        Some(Reply::Move(point))
    }

    /// Returns what was used of the match before a move that is asked for at `now`.
    pub(super) fn used_before(&mut self, now: Instant) -> UsedTime {
        self.clock.used_before(now)
    }

    /// Charges the match with a move.
    pub(super) fn charge(&mut self, spent: Duration) {
        self.clock.charge(spent);
    }

    /// Returns the moves to leave out.
    pub(super) fn blocked(&self) -> &BlockedMoves {
        &self.blocked
    }

    /// Returns the moves to leave out.
    pub(super) fn blocked_mut(&mut self) -> &mut BlockedMoves {
        Arc::make_mut(&mut self.blocked)
    }
}

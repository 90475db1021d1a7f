//! The moves of a position that a database or a book knows something of.

use super::known_positions::KnownPositions;
use super::{Job, Task};
use crate::database::{KnownMove, ProvenResult};
use tengen_core::position::Position;
use tengen_core::search::UNKNOWN_LENGTH;
use tengen_core::types::{Ply, Point, Score};

/// The known moves of a position that its rule allows.
pub(super) struct KnownMoves(Vec<KnownMove>);

impl KnownMoves {
    /// Returns the moves of a position that a database knows, if a move is asked for.
    pub(super) fn of(
        job: &Job,
        known: Option<&KnownPositions>,
        position: &mut Position,
    ) -> KnownMoves {
        let known = known.filter(|_| job.task == Task::Move);
        let moves = known.map(|known| known.moves(position.board(), position.to_move()));
        KnownMoves::legal(moves.unwrap_or_default(), position)
    }

    /// Returns those of these moves that the rule allows.
    pub(super) fn legal(mut moves: Vec<KnownMove>, position: &mut Position) -> KnownMoves {
        let to_move = position.to_move();
        moves.retain(|known| !position.is_forbidden(known.point, to_move));
        KnownMoves(moves)
    }

    /// Returns the moves.
    pub(super) fn all(&self) -> &[KnownMove] {
        &self.0
    }

    /// Returns the move labelled to be played at once, if there is one.
    pub(super) fn marked(&self) -> Option<&KnownMove> {
        self.0.iter().find(|known| known.entry.is_played_at_once())
    }

    /// Returns the shortest win that is known, and its score.
    pub(super) fn win(&self) -> Option<(Point, Score)> {
        let win = |known: &KnownMove| match known.entry.result {
            Some(ProvenResult::Loss(plies)) => {
                let plies = plies.map_or(UNKNOWN_LENGTH, |plies| plies.saturating_add(1));
                Some((known.point, plies.min(UNKNOWN_LENGTH)))
            }
            _ => None,
        };
        let wins = self.0.iter().filter_map(win);
        wins.min_by_key(|&(_, plies)| plies).map(|(at, plies)| (at, Score::win_in(Ply(plies))))
    }

    /// Returns the moves labelled to be left out.
    pub(super) fn left_out(&self) -> impl Iterator<Item = Point> {
        self.0.iter().filter(|known| known.entry.is_left_out()).map(|known| known.point)
    }
}

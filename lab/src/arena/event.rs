//! Events of a running match.

use std::time::{Duration, Instant};

use super::player::{GameTranscript, PlayerOddity, SearchInfo};
use super::{Fixture, PlayedGame, Unfinished};
use tengen_core::types::Point;

/// Something that happened in a match.
#[derive(Clone, Copy, Debug)]
pub enum MatchEvent<'a> {
    /// A game begins, or one that was broken off goes on; these stones are on the board.
    Begun {
        /// The game.
        fixture: &'a Fixture,
        /// The stones, colours alternating, black first.
        moves: &'a [Point],
        /// All that is needed to set the game up again.
        so_far: &'a Unfinished,
    },
    /// A player is asked for a move.
    Asked {
        /// The game.
        fixture: &'a Fixture,
        /// The seat that is asked.
        seat: usize,
        /// The time of the question.
        since: Instant,
        /// The time that each seat has left for the game, where that is limited.
        left: [Option<Duration>; 2],
    },
    /// A player has moved, or has answered while the opening is made: then there may be more than
    /// one new stone, or none.
    Moved {
        /// The game.
        fixture: &'a Fixture,
        /// The seat that moved.
        seat: usize,
        /// All stones with the new one.
        moves: &'a [Point],
        /// The time that the player took.
        elapsed: Duration,
        /// The search information of the player.
        info: SearchInfo,
        /// All that is needed to set the game up again.
        so_far: &'a Unfinished,
    },
    /// A player did something that is borne here and not everywhere. Of each kind and contestant
    /// only the first is reported.
    Borne {
        /// The contestant, by its place among all.
        contestant: usize,
        /// The event.
        oddity: &'a PlayerOddity,
    },
    /// The system runs no program for a contestant, by its place among all, for some reason. The game is broken off, and
    /// lost by nobody.
    Unable(usize, &'a str),
    /// The conversations of a game that is over, sent before
    /// it is decided whether the game counts, and only if one of them is a process.
    Transcribed {
        /// The game.
        game: &'a PlayedGame,
        /// The conversation with each player.
        transcripts: &'a [GameTranscript; 2],
    },
    /// A game is over.
    Finished(&'a PlayedGame),
    /// A game is broken off.
    Abandoned(&'a Fixture),
}

/// Observes a match. The events of different games come from different threads.
pub trait Observer: Sync {
    /// Tells what happened.
    fn notice(&self, event: MatchEvent<'_>);

    /// Is called once by each thread that plays games, with its number, before its first game. Threads and
    /// processes of players are started by these threads and inherit what they set for themselves.
    fn enter(&self, _worker: usize) {}
}

/// No observer.
impl Observer for () {
    fn notice(&self, _event: MatchEvent<'_>) {}
}

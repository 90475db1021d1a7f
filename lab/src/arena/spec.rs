//! The description of a match, before it is played.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::EngineCommand;
use crate::stats::SprtOptions;
use tengen_core::eval::EvaluatorKind;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};

/// A contestant of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// The name, different from all others in the match and not empty.
    pub name: String,
    /// The program or evaluator.
    pub kind: ContestantKind,
    /// The directory in which a process is started; `None` is one of its own, which is removed.
    pub dir: Option<PathBuf>,
    /// The limits of its time, search and memory.
    pub allowance: Allowance,
    /// Further values sent as `INFO key value`, in this order.
    pub options: Vec<(String, String)>,
    /// True if a process is started anew for every game.
    pub restart: bool,
}

/// The program or evaluator that plays for a contestant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContestantKind {
    /// A program that speaks the protocol.
    Process(EngineCommand),
    /// The search of this program with an evaluator, in this process.
    Evaluator(EvaluatorKind),
    /// The player that looks no move ahead ([`greedy`](tengen_core::eval::baselines::greedy)), in this
    /// process.
    Greedy,
}

/// The limits of a player in each game. They are sent to it, and what can be measured is enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The time for the moves of a game.
    pub game: Option<GameTime>,
    /// The time for one move.
    pub turn: Option<Duration>,
    /// The delay beyond the time allowed with which an answer is not late.
    pub margin: Duration,
    /// The nodes for one move (`INFO max_node`); sent but not measured.
    pub nodes: Option<u64>,
    /// The depth of a search, in plies (`INFO max_depth`); sent but not measured.
    pub depth: Option<u32>,
    /// The number of threads (`INFO thread_num`); sent but not measured.
    pub threads: Option<u32>,
    /// The memory, in bytes (`INFO max_memory`).
    pub memory: Option<u64>,
}

/// The time for the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// The number of moves, at least 1, after which [`GameTime::time`] is added again; `None` if it is for all
    /// moves. What is left stays, and moves of an opening don't count.
    pub period: Option<u32>,
    /// The time that the clock starts with.
    pub time: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

/// A match: with the same specification it is the same games.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchSpec {
    /// The name of the match, for the records.
    pub event: String,
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The contestants, at least two.
    pub contestants: Vec<Contestant>,
    /// The pairing of the contestants.
    pub pairing: Pairing,
    /// The number of encounters of every two contestants: pairs of games, or single games of
    /// [`Pairing::BestOf`].
    pub rounds: u64,
    /// The openings; if there are none, games start from the empty board.
    pub openings: Vec<Vec<Point>>,
    /// The order in which the openings are used.
    pub order: OpeningOrder,
    /// The place in this order, from 0, of the opening of the first round; after the last opening comes the
    /// first.
    pub first_opening: usize,
    /// True if openings are turned and mirrored, so that the same one comes up in its eight forms
    /// before it is repeated.
    pub symmetries: bool,
    /// True if the players make the opening themselves by swap2; there are no others then.
    pub swap2: bool,
    /// The silence after which a player without a time limit counts as
    /// hung; `None` is for ever.
    pub silence: Option<Duration>,
    /// The conditions under which a game ends before the rules end it.
    pub adjudication: Adjudication,
    /// The test that ends a match between two.
    pub sprt: Option<SprtOptions>,
}

impl MatchSpec {
    /// The limit of silence of a match that asks for no other.
    pub const SILENCE: Duration = Duration::from_secs(60);
}

/// The pairing of the contestants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Round robin: pairs of games from one opening with colours swapped. With
    /// two contestants this is a match.
    RoundRobin,
    /// The first contestant meets each of the others.
    Gauntlet,
    /// Two contestants play single games until one has more than half of the points of all rounds.
    #[serde(serialize_with = "Vec::serialize", deserialize_with = "Vec::deserialize")]
    BestOf {
        /// The contestant, 0 or 1, that moves first in each game; begun again at its end.
        first: Vec<usize>,
    },
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningOrder {
    /// As in the file.
    Sequential,
    /// In an order that follows from this seed.
    Shuffled(u64),
}

/// The conditions under which a game ends before the rules end it. Nothing is set by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A game is drawn after this many moves, those of the opening included.
    pub draw_after: Option<u32>,
    /// A game is drawn when both players have thought so for a while.
    pub draw: Option<DrawRule>,
    /// A game is lost when its loser and its winner have both thought so for a while.
    pub resign: Option<ResignRule>,
}

/// A game is drawn once both players have reported scores near 0 for a number of moves each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// The farthest from 0 that counts as near.
    pub score: i32,
    /// The number of moves of each player, at least 1.
    pub moves: u32,
    /// The least number of moves on the board.
    pub from: u32,
}

/// A game is lost once its loser has reported scores that low for a number of moves in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// The score, positive: the loser reports at most its negative.
    pub score: i32,
    /// The number of moves, at least 1.
    pub moves: u32,
    /// True if the winner must have reported at least the score for as many moves.
    pub both: bool,
}

/// A part of a match: the pairs whose number, divided by `count`, leaves `index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, below `count`.
    pub index: u64,
    /// The number of parts, at least 1.
    pub count: u64,
}

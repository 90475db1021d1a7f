//! The results of a match in numbers.

mod lengths;
mod parts;

use serde::Serialize;

use super::{EndKind, MatchInfo, Pairing, PlayedGame, PlayerInfo, Tally};
use crate::stats::{self, CrossTable, RatingOptions, Ratings};
use tengen_core::types::Color;

pub use lengths::{LengthBin, Lengths};
pub use parts::{EndCount, HeadToHead, Interval, PairCounts, Results, Test};

/// Everything that tables and reports say of a match. As JSON it is an object of these fields:
/// what is unknown is `null`, and so is what has no finite value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The name of the match.
    pub event: String,
    /// The name of the rule.
    pub rule: String,
    /// The columns and rows of the board.
    pub size: [u8; 2],
    /// The pairing: `round-robin`, `gauntlet` or `best-of`.
    pub pairing: &'static str,
    /// The other settings: names and values.
    pub settings: Vec<(String, String)>,
    /// The number of games that were played.
    pub games: u64,
    /// The number of games that the match has when nothing ends it before.
    pub scheduled: u64,
    /// The number of games whose pair is not complete.
    pub unpaired: usize,
    /// The players in the order in which they were given.
    pub players: Vec<PlayerSummary>,
    /// The places of the players in `players`, the best first.
    pub ranking: Vec<usize>,
    /// For each player the results against each opponent, `null` against itself.
    pub crosstable: Vec<Vec<Option<Results>>>,
    /// The statistics of two players who play only each other, seen by the first.
    pub duel: Option<HeadToHead>,
    /// The parameters of the rating model; `null` if there are two players or no ratings.
    pub rating_model: Option<RatingModel>,
    /// All games, seen by black.
    pub black: Results,
    /// The ends of games in the order of [`EndKind::ALL`], without those that never happened.
    pub ends: Vec<EndCount>,
    /// The lengths of the games.
    pub lengths: Lengths,
    /// The time that all players thought, in milliseconds.
    pub thinking_ms: u64,
    /// The dates on which the first game and the last one began, as their records have them.
    pub dates: Option<[String; 2]>,
}

/// The results of one player of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    /// The name.
    pub name: String,
    /// The command line, or the name of an evaluator.
    pub command: String,
    /// Its limits and the other options it was sent.
    pub options: String,
    /// All its games.
    pub all: Results,
    /// Its games with black.
    pub black: Results,
    /// Its games with white.
    pub white: Results,
    /// The ends of the games that it won.
    pub won_by: Vec<EndCount>,
    /// The ends of the games that it lost.
    pub lost_by: Vec<EndCount>,
    /// The ends of the games that it drew.
    pub drawn_by: Vec<EndCount>,
    /// The number of games that it lost by a fault.
    pub faults: u64,
    /// Its rating among many.
    pub rating: Option<PlayerRating>,
    /// The number of its moves.
    pub moves: u64,
    /// The time of all its moves, in milliseconds.
    pub time_ms: u64,
    /// The average time of a move, in milliseconds.
    pub mean_move_ms: Option<f64>,
    /// The longest time of a move, in milliseconds.
    pub slowest_move_ms: u64,
    /// The most memory that was seen in use, in bytes.
    pub peak_memory: Option<u64>,
    /// The average depth that it reported, in plies.
    pub mean_depth: Option<f64>,
    /// The average number of nodes of a move that it reported.
    pub mean_nodes: Option<f64>,
    /// The nodes per second of the moves for which it reported them. Where the time of these moves alone is not
    /// known exactly, each has half a millisecond more than its record.
    pub nodes_per_second: Option<f64>,
}

/// The rating of a player among many.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerRating {
    /// The most likely rating; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// The probability that it is stronger than the next one of the ranking.
    pub los_next: Option<f64>,
}

/// The parameters that all ratings share.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingModel {
    /// The advantage of black, in Elo.
    pub first_move: Interval,
    /// The advantage in Elo at which a player wins half of the games.
    pub draw_elo: Interval,
}

impl Summary {
    /// Sums up the games of a match.
    ///
    /// The order of the games matters only for the verdict of a sequential test, see [`Tally`].
    ///
    /// # Panics
    ///
    /// Panics if the players of a game are not two of the match.
    #[must_use]
    pub fn new(info: &MatchInfo, games: &[PlayedGame]) -> Summary {
        let mut tally = Tally::new(info);
        games.iter().for_each(|game| tally.add(game));
        let table = tally.crosstable();
        let ratings = if info.players.len() > 2 { rate(table) } else { None };
        let mut players: Vec<PlayerSummary> = info.players.iter().map(PlayerSummary::new).collect();
        let mut usage = vec![SearchSums::default(); players.len()];
        for game in games {
            for seat in 0..2 {
                let player = game.player(seat);
                players[player].add(game, seat);
                usage[player].add(game, seat);
            }
        }
        for (player, told) in players.iter_mut().zip(&usage) {
            told.write(player);
        }
        let ranking = rank(&mut players, ratings.as_ref());
        let ends = EndCount::of(games.iter().map(|game| game.end));
        let dates = games.iter().map(|game| &game.record.date).filter(|date| !date.is_empty());
        Summary {
            event: info.event.clone(),
            rule: info.rule.name().to_owned(),
            size: [info.size.width(), info.size.height()],
            pairing: match info.pairing {
                Pairing::RoundRobin => "round-robin",
                Pairing::Gauntlet => "gauntlet",
                Pairing::BestOf { .. } => "best-of",
            },
            settings: info.settings.clone(),
            games: tally.games(),
            scheduled: scheduled(info),
            unpaired: tally.unpaired(),
            ranking,
            crosstable: crosstable(table),
            duel: (players.len() == 2).then(|| HeadToHead::new(&tally)),
            rating_model: ratings.map(|ratings| RatingModel {
                first_move: ratings.first_move.into(),
                draw_elo: ratings.draw_elo.into(),
            }),
            black: table.first_mover().into(),
            ends,
            lengths: Lengths::of(games.iter().map(|game| game.record.moves.len()).collect()),
            thinking_ms: players.iter().map(|player| player.time_ms).sum(),
            dates: dates.clone().min().zip(dates.max()).map(|(a, b)| [a.clone(), b.clone()]),
            players,
        }
    }
}

impl PlayerSummary {
    fn new(info: &PlayerInfo) -> PlayerSummary {
        let PlayerInfo { name, command, options } = info.clone();
        PlayerSummary { name, command, options, ..PlayerSummary::default() }
    }

    /// Counts the result of a game.
    fn add(&mut self, game: &PlayedGame, seat: usize) {
        let Some(result) = game.result(seat) else { return };
        self.all.add(result);
        match game.color(seat) {
            Color::Black => self.black.add(result),
            Color::White => self.white.add(result),
        }
        let kinds = match result {
            stats::PlayerResult::Win => &mut self.won_by,
            stats::PlayerResult::Draw => &mut self.drawn_by,
            stats::PlayerResult::Loss => &mut self.lost_by,
        };
        EndCount::count(kinds, game.end);
        if result == stats::PlayerResult::Loss && game.end.is_fault() {
            self.faults += 1;
        }
    }
}

/// Sums of what one player used and reported.
#[derive(Clone, Default)]
struct SearchSums {
    moves: u64,
    time_us: u128,
    slowest_ms: u64,
    memory: Option<u64>,
    /// The sum of all depths and their number.
    depths: (u64, u64),
    /// The sum of all nodes and their number.
    nodes: (u128, u64),
    /// The nodes, and the nanoseconds, of all moves of which both are known.
    speed: (u128, u128),
}

/// The nanoseconds of a millisecond: records have the times of moves in whole ones, rounded down.
const MILLISECOND: u128 = 1_000_000;

impl SearchSums {
    fn add(&mut self, game: &PlayedGame, seat: usize) {
        let usage = &game.usage[seat];
        self.moves += u64::from(usage.moves);
        self.time_us += usage.time.as_micros();
        let slowest = u64::try_from(usage.slowest.as_millis()).unwrap_or(u64::MAX);
        self.slowest_ms = self.slowest_ms.max(slowest);
        self.memory = self.memory.max(usage.memory);
        let color = game.color(seat);
        let (mut timed, mut time) = (0, 0);
        let own = game.record.moves.iter().skip(game.record.opening);
        for m in own.filter(|m| m.color == color) {
            if let Some(depth) = m.depth() {
                self.depths.0 += u64::from(depth);
                self.depths.1 += 1;
            }
            if let Some(nodes) = m.nodes() {
                self.nodes.0 += u128::from(nodes);
                self.nodes.1 += 1;
                if let Some(whole) = m.time() {
                    self.speed.0 += u128::from(nodes);
                    timed += 1;
                    time += u128::from(whole) * MILLISECOND + MILLISECOND / 2;
                }
            }
        }
        let is_all = timed == usage.moves && is_of_moves(game, seat);
        self.speed.1 += if is_all { usage.time.as_nanos() } else { time };
    }

    fn write(&self, player: &mut PlayerSummary) {
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        player.moves = self.moves;
        player.time_ms = u64::try_from(self.time_us / 1000).unwrap_or(u64::MAX);
        player.mean_move_ms = mean(self.time_us as f64 / 1000.0, self.moves as f64);
        player.slowest_move_ms = self.slowest_ms;
        player.peak_memory = self.memory;
        player.mean_depth = mean(self.depths.0 as f64, self.depths.1 as f64);
        player.mean_nodes = mean(self.nodes.0 as f64, self.nodes.1 as f64);
        player.nodes_per_second = mean(self.speed.0 as f64 * 1e9, self.speed.1 as f64);
    }
}

/// Returns whether all the time of a player went into moves of the game: none into an opening, or into an
/// answer that was no move.
fn is_of_moves(game: &PlayedGame, seat: usize) -> bool {
    let mut opening = game.record.moves.iter().take(game.record.opening);
    let made_opening = opening.any(|m| m.time().is_some());
    let failed = game.end.is_fault() && game.result(seat) == Some(stats::PlayerResult::Loss);
    !made_opening && !failed
}

/// Returns the ratings with the mean 0, if there are games and a maximum is found.
fn rate(table: &CrossTable) -> Option<Ratings> {
    if table.first_mover().is_empty() {
        return None;
    }
    stats::rate(table, &RatingOptions::default()).ok()
}

/// Writes the ratings to the players and returns the places of the players, the best first: by
/// rating if there are ratings, by score otherwise.
fn rank(players: &mut [PlayerSummary], ratings: Option<&Ratings>) -> Vec<usize> {
    let worth = |player: usize| match ratings {
        Some(ratings) => ratings.players[player].elo,
        None => players[player].all.score.unwrap_or(0.0),
    };
    let mut ranking: Vec<usize> = (0..players.len()).collect();
    // The sort is stable: equals stay in the order in which they were given.
    ranking.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
    if let Some(ratings) = ratings {
        for (place, &player) in ranking.iter().enumerate() {
            let rating = ratings.players[player];
            let next = ranking.get(place + 1);
            players[player].rating = Some(PlayerRating {
                elo: rating.elo,
                error: rating.error,
                los_next: next.and_then(|&next| ratings.los(player, next)),
            });
        }
    }
    ranking
}

fn crosstable(table: &CrossTable) -> Vec<Vec<Option<Results>>> {
    let cell = |i, j| (i != j).then(|| table.between(i, j).into());
    (0..table.players()).map(|i| (0..table.players()).map(|j| cell(i, j)).collect()).collect()
}

/// Returns how many games a match has.
fn scheduled(info: &MatchInfo) -> u64 {
    let players = info.players.len() as u64;
    let games = match info.pairing {
        Pairing::RoundRobin => players * players.saturating_sub(1),
        Pairing::Gauntlet => 2 * players.saturating_sub(1),
        Pairing::BestOf { .. } => 1,
    };
    info.rounds.saturating_mul(games)
}

#[cfg(test)]
mod tests;

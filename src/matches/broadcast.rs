//! A running match as JSON, for pages that show it.

use std::time::Instant;

use serde::Serialize;

use super::lines::sentence;
use super::live::LiveGame;
use super::screen::{clock, said};
use tengen_core::notation::Origin;
use tengen_core::types::Color;
use tengen_files::page::point_letters;
use tengen_files::printable::{printable, printable_json};
use tengen_lab::arena::MatchSpec;

/// What pages are told of a match.
#[derive(Serialize)]
pub(super) struct Broadcast<'a> {
    /// The name of the match.
    event: &'a str,
    rule: &'static str,
    /// The columns and rows of the board.
    size: [usize; 2],
    /// True if rows count from the bottom.
    from_bottom: bool,
    /// The standing in a few lines for people.
    pub standing: &'a [String],
    /// What is to be said besides, such as that the match is paused.
    pub notice: &'a str,
    /// True once no more games will come.
    pub over: bool,
    games: Vec<GameOnAir>,
    /// What became of the last games, the newest first.
    pub last: Vec<&'a str>,
}

/// A running game, or one that has just ended.
#[derive(Serialize)]
struct GameOnAir {
    /// The number of the game, from 1.
    number: u64,
    /// The round, from 1.
    round: u64,
    /// The moves, two letters each: column and row from the top, from `a`.
    moves: String,
    /// The winning line, in the same letters.
    line: String,
    /// Black and white.
    players: [PlayerOnAir; 2],
    /// A sentence about its end.
    end: Option<String>,
}

#[derive(Serialize)]
struct PlayerOnAir {
    name: String,
    clock: String,
    thinks: bool,
    /// What it said of its last move.
    said: String,
}

impl<'a> Broadcast<'a> {
    /// Returns what pages are told at `now`, without the standing.
    pub(super) fn new<'g>(
        spec: &'a MatchSpec,
        origin: Origin,
        games: impl Iterator<Item = &'g LiveGame>,
        now: Instant,
    ) -> Broadcast<'a> {
        let on_air = |game: &LiveGame| {
            let player = |color| {
                let seat = game.seat_of(color);
                let contestant = &spec.contestants[game.fixture.seats[seat]];
                let used = game.thinks_since(seat, now);
                PlayerOnAir {
                    name: printable(&contestant.name).into_owned(),
                    clock: clock(&contestant.allowance, game.left[seat], used),
                    thinks: used.is_some(),
                    said: game.infos[seat]
                        .map_or_else(String::new, |(info, time)| said(&info, time)),
                }
            };
            let ended = game.ended.as_ref().map(|(_, played)| played);
            let run = ended.and_then(|played| played.record.winning_run(spec.rule));
            GameOnAir {
                number: game.fixture.game + 1,
                round: game.fixture.round + 1,
                moves: point_letters(game.moves.iter().copied()),
                line: run.map_or_else(String::new, |run| point_letters(run.points())),
                players: Color::ALL.map(player),
                end: ended.map(|played| printable(&sentence(played, origin)).into_owned()),
            }
        };
        Broadcast {
            event: &spec.event,
            rule: spec.rule.name(),
            size: [spec.size.width(), spec.size.height()].map(usize::from),
            from_bottom: origin == Origin::Bottom,
            standing: &[],
            notice: "",
            over: false,
            games: games.map(on_air).collect(),
            last: Vec::new(),
        }
    }

    /// Returns it as JSON.
    pub(super) fn json(&self) -> String {
        printable_json(&serde_json::to_string(self).unwrap_or_default()).into_owned()
    }
}

//! A running match as JSON, for pages that show it.

use std::time::Instant;

use serde::Serialize;

use super::lines::sentence;
use super::live::LiveGame;
use super::screen::{clock, said};
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::rules::find_winner;
use tengen_core::types::{Color, Point};
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
            GameOnAir {
                number: game.fixture.game + 1,
                round: game.fixture.round + 1,
                moves: letters(game.moves.iter().copied()),
                line: ended.map_or_else(String::new, |_| winning_line(spec, game)),
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

/// Returns points in letters.
fn letters(points: impl Iterator<Item = Point>) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    points.flat_map(|point| [letter(point.x()), letter(point.y())]).collect()
}

/// Returns the line that has won a game, in letters.
fn winning_line(spec: &MatchSpec, game: &LiveGame) -> String {
    let mut board = Board::new(spec.size);
    for (number, &point) in game.moves.iter().enumerate() {
        board.place(point, Color::to_move_after(number));
    }
    find_winner(&board, spec.rule).map_or_else(String::new, |run| letters(run.points()))
}

//! What is printed of each finished game.

use serde::Serialize;

use super::standing::number;
use crate::arena::PlayedGame;
use crate::records::GameResult;
use crate::types::Color;

/// Returns the line of a game for people, as in
/// `Game 3: rapfi (X) - tengen (O) 1-0, 43 moves: rapfi made 5 in a row from f8 to j8`.
///
/// `points` are those of a match between two, this game included.
pub(super) fn game_line(game: &PlayedGame, points: Option<&[f64]>) -> String {
    let players = &game.record.players;
    let result = match game.record.result {
        Some(GameResult::Win(Color::Black)) => "1-0",
        Some(GameResult::Win(Color::White)) => "0-1",
        Some(GameResult::Draw) => "½-½",
        None => "?",
    };
    let count = game.record.moves.len();
    let moves = if count == 1 { "move" } else { "moves" };
    let standing = match points {
        Some([a, b]) => format!(" [{} - {}]", number(*a), number(*b)),
        _ => String::new(),
    };
    format!(
        "Game {}: {} (X) - {} (O) {result}, {count} {moves}: {}{standing}",
        game.fixture.game + 1,
        players[Color::Black],
        players[Color::White],
        game.detail,
    )
}

/// A game as programs read it.
#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    pair: u64,
    round: u64,
    black: &'a str,
    white: &'a str,
    /// Who won: `black`, `white` or `draw`.
    result: Option<&'static str>,
    end: &'static str,
    detail: &'a str,
    moves: usize,
    /// The time that both players thought.
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [f64]>,
}

/// Returns the line of a game for programs: an object.
pub(super) fn game_json(game: &PlayedGame, points: Option<&[f64]>) -> String {
    let players = &game.record.players;
    let seconds: f64 = game.usage.iter().map(|usage| usage.time.as_secs_f64()).sum();
    let object = GameObject {
        game: game.fixture.game + 1,
        pair: game.fixture.pair + 1,
        round: game.fixture.round + 1,
        black: &players[Color::Black],
        white: &players[Color::White],
        result: game.record.result.map(|result| match result {
            GameResult::Win(Color::Black) => "black",
            GameResult::Win(Color::White) => "white",
            GameResult::Draw => "draw",
        }),
        end: game.end.name(),
        detail: &game.detail,
        moves: game.record.moves.len(),
        seconds: (seconds * 1000.0).round() / 1000.0,
        points,
    };
    // Nothing in it can fail to be written.
    serde_json::to_string(&object).unwrap_or_default()
}

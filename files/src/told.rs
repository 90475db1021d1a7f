//! Cells, players, positions and results in words for people.

use tengen_core::notation::Origin;
use tengen_core::rules::Game;
use tengen_core::types::{Color, Point, Size};

use crate::printable::printable;
use crate::records::{GameResult, Move, MoveKind, Record};
use crate::words::counted;

/// Returns the cell of a move, or what it is if it has none.
#[must_use]
pub fn move_name(m: &Move, size: Size, origin: Origin) -> String {
    match &m.kind {
        MoveKind::Stone(point) => origin.turn(*point, size).to_string(),
        MoveKind::Pass => "pass".to_owned(),
        MoveKind::SetUp => "set-up".to_owned(),
    }
}

/// Returns cells with blanks between them.
#[must_use]
pub fn cells(points: &[Point], size: Size, origin: Origin) -> String {
    let cell = |&point| origin.turn(point, size).to_string();
    points.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// Returns the players and their stones, as in `one (X) - two (O)`.
#[must_use]
pub fn players(record: &Record) -> String {
    let name = |color: Color, unknown: &'static str| match record.players[color].as_str() {
        "" => unknown.into(),
        name => printable(name),
    };
    format!("{} (X) - {} (O)", name(Color::Black, "Black"), name(Color::White, "White"))
}

/// Returns the result and its reason, as in `black won (five)`.
#[must_use]
pub fn result(record: &Record) -> String {
    let result = match record.result {
        Some(GameResult::Win(winner)) => format!("{winner} won"),
        Some(GameResult::Draw) => "draw".to_owned(),
        None => "not known".to_owned(),
    };
    match &record.reason {
        Some(reason) => format!("{result} ({})", printable(reason.name())),
        None => result,
    }
}

/// Returns the rule, the board and who is to move when, as in `renju 15x15, black to move after 36
/// moves`, and the edge from which rows count if it is not the usual one.
#[must_use]
pub fn position(game: &Game, origin: Origin) -> String {
    let size = game.board().size();
    let (after, rows) = (after(game), rows_from(origin));
    format!("{} {size}, {} to move after {after}{rows}", game.rule(), game.to_move())
}

/// Returns what a position came about by, as in `36 moves` or `4 stones and 1 move`.
#[must_use]
pub fn after(game: &Game) -> String {
    let moves = counted(game.moves().len() as u64, "move");
    let all = Color::ALL.map(|color| game.board().stones(color)).iter().sum::<usize>();
    match all - game.moves().len() {
        0 => moves,
        given if game.moves().is_empty() => counted(given as u64, "stone"),
        given => format!("{} and {moves}", counted(given as u64, "stone")),
    }
}

/// Returns what a heading adds about the rows, if they are counted from the bottom.
#[must_use]
pub const fn rows_from(origin: Origin) -> &'static str {
    match origin {
        Origin::Top => "",
        Origin::Bottom => ", rows from the bottom",
    }
}

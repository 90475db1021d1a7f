//! Cells, names, positions and results for people, and what is said aside.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use tengen_core::notation::Origin;
use tengen_core::rules::Game;
use tengen_core::types::{Color, Point, Size};
pub(crate) use tengen_files::printable::printable_path;
use tengen_files::printable::{printable, printable_lines};
pub(crate) use tengen_files::records::usual_origin;
use tengen_files::records::{GameResult, Move, MoveKind, Record};
use tengen_files::words::counted;

/// Returns the cell of a move, or what it is if it has none.
pub(crate) fn move_name(m: &Move, size: Size, origin: Origin) -> String {
    match &m.kind {
        MoveKind::Stone(point) => origin.turn(*point, size).to_string(),
        MoveKind::Pass => "pass".to_owned(),
        MoveKind::SetUp => "set-up".to_owned(),
    }
}

/// Returns cells with blanks between them.
pub(crate) fn cells(points: &[Point], size: Size, origin: Origin) -> String {
    let cell = |&point| origin.turn(point, size).to_string();
    points.iter().map(cell).collect::<Vec<_>>().join(" ")
}

/// Returns the players and their stones, as in `one (X) - two (O)`.
pub(crate) fn players(record: &Record) -> String {
    let name = |color: Color, unknown: &'static str| match record.players[color].as_str() {
        "" => unknown.into(),
        name => printable(name),
    };
    format!("{} (X) - {} (O)", name(Color::Black, "Black"), name(Color::White, "White"))
}

/// Returns the result and its reason, as in `black won (five)`.
pub(crate) fn result(record: &Record) -> String {
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

/// Says on standard error what is not a part of the results. All that is said there goes this way: it may
/// quote files, engines and people.
pub(crate) fn note(text: impl Display) {
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "{}", printable_lines(&text.to_string()));
}

/// Says what is wrong with the command line, or gives the help that was asked for, and returns the exit code.
/// The argument may be the name of an untrusted file.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if printable_lines(&text) == text {
        // With the colours of a terminal. There is nobody left to tell if this fails.
        let _ = error.print();
    } else {
        note(text.trim_end());
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Says on standard error, in one line, what went wrong.
pub(crate) fn note_error(error: &anyhow::Error) {
    note(printable(&format!("Error: {error:#}")));
}

/// Returns the rule, the board and who is to move when, as in `renju 15x15, black to move after 36
/// moves`, and the edge from which rows count if it is not the usual one.
pub(crate) fn position(game: &Game, origin: Origin) -> String {
    let size = game.board().size();
    let (after, rows) = (after(game), rows_from(origin));
    format!("{} {size}, {} to move after {after}{rows}", game.rule(), game.to_move())
}

/// Returns what a position came about by, as in `36 moves` or `4 stones and 1 move`.
pub(crate) fn after(game: &Game) -> String {
    let moves = counted(game.moves().len() as u64, "move");
    let all = Color::ALL.map(|color| game.board().stones(color)).iter().sum::<usize>();
    match all - game.moves().len() {
        0 => moves,
        given if game.moves().is_empty() => counted(given as u64, "stone"),
        given => format!("{} and {moves}", counted(given as u64, "stone")),
    }
}

/// Returns what a heading adds about the rows, if they are counted from the bottom.
pub(crate) const fn rows_from(origin: Origin) -> &'static str {
    match origin {
        Origin::Top => "",
        Origin::Bottom => ", rows from the bottom",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_command_the_terminal() {
        assert_eq!(printable_path(std::path::Path::new("a\u{1b}[2J.pos")), "a\u{fffd}[2J.pos");
    }
}

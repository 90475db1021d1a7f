//! `tengen show`.

pub(crate) mod args;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use self::args::ShowArgs;
use crate::common::files::{GameFile, STREAM, check_apart, write_whole};
use crate::common::words::{move_name, players, result, usual_origin};
use tengen_core::notation::{BoardGlyphs, Diagram, Origin};
use tengen_files::printable::printable;
use tengen_files::records::{Format, Move, Notes, Record, SvgOptions, read_typed, svg};
use tengen_files::words::counted;

/// The number of moves on a line.
const MOVES_PER_LINE: usize = 10;

/// Draws a game of a file or typed moves: in the terminal, or as a picture.
pub(super) fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    check_apart(&args.svg, &args.file)?;
    let ShownGame { record, count, format } = shown(args)?;
    let moves = args.after.unwrap_or(record.moves.len());
    if moves > record.moves.len() {
        let all = counted(record.moves.len() as u64, "move");
        bail!("there is no move {moves}: game {} has {all}", args.game);
    }
    let origin = args.origin.unwrap_or_else(|| usual_origin(record.rule, format));
    let text = match &args.svg {
        Some(_) => {
            let options = SvgOptions { moves, origin, ..SvgOptions::default() };
            svg(&record, &options).context("cannot draw the game")?
        }
        None => {
            let board = record.board_after(moves).context("cannot draw the game")?;
            let mut text = heading(&record, args.game, count);
            let last = record.moves[..moves].last().and_then(Move::point);
            let diagram = Diagram { board: &board, last, origin, glyphs: BoardGlyphs::Letters };
            let _ = write!(text, "{diagram}");
            text.push_str(&move_list(&record, moves, origin));
            // Elsewhere everybody sees whose turn it is.
            if !record.alternates() {
                let _ = writeln!(text, "To move: {}", record.to_move_after(moves));
            }
            let _ = writeln!(text, "Result: {}", result(&record));
            text
        }
    };
    match &args.svg {
        Some(path) if path != Path::new(STREAM) => write_whole(path, &text)?,
        _ => io::stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A game, how many there are, and the format of its file.
struct ShownGame {
    record: Record,
    count: usize,
    format: Option<Format>,
}

/// Reads the game of the options.
fn shown(args: &ShowArgs) -> anyhow::Result<ShownGame> {
    let Some(path) = &args.file else {
        let moves = args.moves.as_deref().unwrap_or_default();
        let origin = args.origin.unwrap_or_else(|| usual_origin(args.source.rule, None));
        let (size, points) = read_typed(moves, args.source.size, origin).context("--moves")?;
        let mut record = Record::of_points(size, &points);
        record.rule = args.source.rule;
        record.judge();
        return Ok(ShownGame { record, count: 1, format: None });
    };
    let file = GameFile::open(path, &args.source, args.origin.unwrap_or_default())?;
    let format = Some(file.format());
    let (record, count) = file.nth(args.game)?;
    Ok(ShownGame { record, count, format })
}

fn heading(record: &Record, number: usize, count: usize) -> String {
    let mut text = format!("Game {number} of {count}: {}, {}", players(record), record.size);
    if let Some(rule) = record.rule {
        let _ = write!(text, ", {rule}");
    }
    let parts = [&record.event, &record.round, &record.date];
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        let _ = write!(text, ", {}", printable(part));
    }
    text.push('\n');
    for line in titles(&record.notes) {
        let _ = writeln!(text, "{}", printable(&line));
    }
    for line in record.comment.lines() {
        let _ = writeln!(text, "{}", printable(line));
    }
    let set_up = record.start.cells.len() as u64;
    if set_up > 0 {
        let _ = writeln!(text, "{} set up", counted(set_up, "stone"));
    }
    text.push('\n');
    text
}

/// Returns the names that notes give to a position, as RenLib does with comments of one line.
fn titles(notes: &Notes) -> impl Iterator<Item = String> {
    notes.get("N").into_iter().flat_map(|note| note.texts().collect::<Vec<_>>())
}

/// Lists all moves, and adds what is known of the last one shown.
fn move_list(record: &Record, shown: usize, origin: Origin) -> String {
    let cell = |m: &Move| move_name(m, record.size, origin);
    let mut text = String::new();
    for (i, m) in record.moves.iter().enumerate() {
        text.push_str(if i % MOVES_PER_LINE == 0 { "\n" } else { " " });
        let _ = write!(text, "{:3}. {:<3}", i + 1, cell(m));
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut text = lines.join("\n");
    text.push('\n');
    let Some(m) = record.moves[..shown].last() else { return text };
    let mut parts = Vec::new();
    if shown <= record.opening {
        parts.push("of the opening".to_owned());
    }
    parts.extend(m.time().map(|time| format!("{time} ms")));
    parts.extend(m.score().map(|score| format!("score {score}")));
    parts.extend(m.depth().map(|depth| format!("depth {depth}")));
    parts.extend(m.nodes().map(|nodes| format!("{nodes} nodes")));
    parts.extend(titles(m.notes()).map(|title| printable(&title).into_owned()));
    parts.extend(m.comment().lines().map(|line| printable(line).into_owned()));
    if !parts.is_empty() {
        let _ = writeln!(text, "Move {shown}, {} {}: {}", m.color, cell(m), parts.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::{Color, Size};

    #[test]
    fn names_cannot_command_the_terminal() {
        let mut record = Record::new(Size::DEFAULT);
        record.players[Color::Black] = "a\u{1b}[2J".to_owned();
        assert!(
            heading(&record, 1, 1).starts_with("Game 1 of 1: a\u{fffd}[2J (X) - White (O), 15x15")
        );
    }
}

//! Reviews for people.

use std::fmt::Write as _;

use super::games::LoadedGame;
use crate::common::words::{cells, printable_path, rows_from};
use crate::common::words::{players, result};
use tengen_core::types::{Color, Point};
use tengen_files::words::counted;
use tengen_people::explain::Remark;
use tengen_people::review::{GameReview, MoveClass, MoveReview};

/// The most columns of a picture of the chances.
const COLUMNS: usize = 72;

/// Returns the summary of a game, one of `count`; `ascii` leaves out what a plain terminal lacks.
pub(super) fn summary(
    game: usize,
    count: usize,
    loaded: &LoadedGame,
    review: &GameReview,
    ascii: bool,
) -> String {
    let mut text = heading(game, count, loaded);
    let task = &loaded.task;
    let (count, end) = (loaded.record.moves.len(), task.earlier() + task.moves().len());
    for (from, to) in [(1, task.earlier() + review.skipped), (end + 1, count)] {
        let _ = match to {
            _ if from > to => Ok(()),
            _ if from == to => writeln!(text, "Move {from} was not reviewed"),
            _ => writeln!(text, "Moves {from} to {to} were not reviewed"),
        };
    }
    if review.moves.is_empty() {
        text.push_str("No move to review\n");
        return text;
    }
    let _ = writeln!(text, "\nBlack's chances  {}", picture(&review.black, ascii));
    text.push_str(&table(loaded, review, ascii));
    text.push('\n');
    for color in Color::ALL {
        let accuracy = review.accuracy[color]
            .map_or_else(|| "no choice".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let name = if color == Color::Black { "Black" } else { "White" };
        let _ = writeln!(text, "{name:<15}  {accuracy}{}", faults(review, color));
    }
    let named = |m: &MoveReview| format!("move {}, {} {}", m.ply, m.color, cell(loaded, m.point));
    if let Some(m) = review.turning_point.map(|i| &review.moves[i]) {
        let _ = writeln!(text, "Turning point    {}", named(m));
    }
    if let Some(lost) = review.lost {
        let by = lost.after.checked_sub(review.skipped + 1).map(|i| &review.moves[i]);
        let by = match by {
            Some(m) => format!("by {}", named(m)),
            None if review.skipped > 0 => "before the first move reviewed".to_owned(),
            None => "before the first move".to_owned(),
        };
        let _ = writeln!(text, "Lost for good    {} {by}", lost.loser);
    }
    text
}

/// Returns who played what, and with what result.
fn heading(game: usize, count: usize, loaded: &LoadedGame) -> String {
    let (record, file) = (&loaded.record, printable_path(&loaded.file));
    let mut text = format!(
        "Game {game} of {count}: {}, {}, {}{}\n{file}",
        players(record),
        record.size,
        loaded.task.rule(),
        rows_from(loaded.origin)
    );
    if loaded.count > 1 {
        let _ = write!(text, ", game {}", loaded.number);
    }
    let moves = counted(record.moves.len() as u64, "move");
    let _ = writeln!(text, "; {moves}, result: {}", result(record));
    text
}

/// Returns the name of a cell for people.
fn cell(loaded: &LoadedGame, point: Point) -> String {
    cells(&[point], loaded.task.size(), loaded.origin)
}

/// Draws shares from 0 to 1, from left to right; of many, the means of neighbours.
fn picture(shares: &[f64], ascii: bool) -> String {
    let steps = if ascii { "_.,-=+*#" } else { "▁▂▃▄▅▆▇█" };
    let steps: Vec<char> = steps.chars().collect();
    let columns = shares.len().min(COLUMNS);
    let column = |i: usize| {
        let part = &shares[i * shares.len() / columns..(i + 1) * shares.len() / columns];
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        steps[((mean * steps.len() as f64) as usize).min(steps.len() - 1)]
    };
    (0..columns).map(column).collect()
}

/// Returns a table of the moves to which there was a better one, or says that there are none.
fn table(loaded: &LoadedGame, review: &GameReview, ascii: bool) -> String {
    let told: Vec<&MoveReview> = review.moves.iter().filter(|m| m.has_better()).collect();
    if told.is_empty() {
        return "No inaccuracy, mistake or blunder\n".to_owned();
    }
    let arrow = if ascii { "->" } else { "→" };
    let mut text = "\nmove         class          chances      better  why\n".to_owned();
    for m in told {
        let stone = if m.color == Color::Black { 'X' } else { 'O' };
        let better = cell(loaded, m.best());
        let percent = |points: f64| format!("{:.0}", 100.0 * points);
        let line = format!(
            "{:>4} {stone} {:<4}  {:<10}  {:>3} {arrow} {:>3} %  {:<6}  {}",
            m.ply,
            cell(loaded, m.point),
            m.class.words(),
            percent(m.before.points()),
            percent(m.after.points()),
            better,
            why(m, loaded)
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns what is wrong with a move; and if that is only where the opponent goes, what the better
/// move does.
fn why(m: &MoveReview, loaded: &LoadedGame) -> String {
    let wrong = || m.remarks.iter().filter(|remark| remark.is_fault());
    let text = words(wrong(), loaded);
    let is_vague = wrong().all(|said| matches!(said, Remark::Lets(..) | Remark::Cedes(..)));
    if !is_vague || m.better.is_empty() {
        return text;
    }
    format!("{text}; {} {}", cell(loaded, m.best()), words(m.better.iter(), loaded))
}

/// Returns remarks with commas between them.
fn words<'a>(remarks: impl Iterator<Item = &'a Remark>, loaded: &LoadedGame) -> String {
    let seen = |remark: &Remark| remark.seen_from(loaded.origin, loaded.task.size()).to_string();
    remarks.map(seen).collect::<Vec<_>>().join(", ")
}

/// Returns how many moves of a side were what kind of fault, after a comma each.
fn faults(review: &GameReview, color: Color) -> String {
    let mut text = String::new();
    for class in MoveClass::ALL.into_iter().filter(|class| class.is_fault()) {
        match review.count(color, class) {
            0 => {}
            number => {
                let _ = write!(text, ", {}", counted(number as u64, class.words()));
            }
        }
    }
    text
}

//! Reviews for people.

use std::fmt::Write as _;

use super::games::LoadedGame;
use crate::common::reviews::{Paint, ReviewWords};
use crate::common::words::{players, printable_path, result, rows_from};
use tengen_files::words::counted;
use tengen_people::review::GameReview;

/// Returns the summary of a game, one of `count`; `ascii` leaves out what a plain terminal lacks, `paint`
/// colours the rest.
pub(super) fn summary(
    game: usize,
    count: usize,
    loaded: &LoadedGame,
    review: &GameReview,
    ascii: bool,
    paint: Paint,
) -> String {
    let mut text = heading(game, count, loaded, paint);
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
    let words = ReviewWords { size: task.size(), origin: loaded.origin, ascii, paint };
    text.push('\n');
    text.push_str(&words.findings(review));
    text
}

/// Returns who played what, and with what result.
fn heading(game: usize, count: usize, loaded: &LoadedGame, paint: Paint) -> String {
    let (record, file) = (&loaded.record, printable_path(&loaded.file));
    let mut text = format!(
        "Game {game} of {count}: {}, {}, {}",
        players(record),
        record.size,
        loaded.task.rule()
    );
    if let Some(opening) = loaded.task.opening() {
        let _ = write!(text, ", {opening}");
    }
    text.push_str(rows_from(loaded.origin));
    let mut text = paint.strong(&text);
    let _ = write!(text, "\n{file}");
    if loaded.count > 1 {
        let _ = write!(text, ", game {}", loaded.number);
    }
    let moves = counted(record.moves.len() as u64, "move");
    let _ = writeln!(text, "; {moves}, result: {}", result(record));
    text
}

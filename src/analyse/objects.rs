//! Reviews for programs.

use serde::Serialize;

use super::games::LoadedGame;
use tengen_files::printable::printable_json;
use tengen_people::review::{GameReview, MoveObject};

/// The object about a move. Cells count from the top.
#[derive(Serialize)]
struct ReviewedMoveObject<'a> {
    game: usize,
    file: &'a str,
    number: usize,
    #[serde(flatten)]
    review: MoveObject,
}

/// Returns a line for each move of a game, whose number over all files is given.
pub(super) fn lines(game: usize, loaded: &LoadedGame, review: &GameReview) -> String {
    let file = loaded.file.display().to_string();
    let lines = review.moves.iter().map(|m| {
        let number = loaded.number;
        let object = ReviewedMoveObject { game, file: &file, number, review: m.into() };
        // Texts, numbers and lists of them always have a form.
        printable_json(&serde_json::to_string(&object).unwrap_or_default()).into_owned() + "\n"
    });
    lines.collect()
}

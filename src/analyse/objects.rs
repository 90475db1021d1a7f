//! Reviews for programs.

use serde::Serialize;

use super::games::LoadedGame;
use tengen_core::eval::WinDrawLoss;
use tengen_core::notation::Moves;
use tengen_files::printable::printable_json;
use tengen_people::explain::{Remark, WinMeans};
use tengen_people::review::{GameReview, MoveReview, Proven};

/// The object about a move. Cells count from the top.
#[derive(Serialize)]
struct ReviewedMoveObject<'a> {
    game: usize,
    file: &'a str,
    number: usize,
    ply: usize,
    color: String,
    #[serde(rename = "move")]
    cell: String,
    best: String,
    line: String,
    win_before: f64,
    win_after: f64,
    wdl_before: [f64; 3],
    wdl_after: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_before: Option<ProvenObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_after: Option<ProvenObject>,
    class: &'static str,
    why: Vec<String>,
    better: Vec<String>,
}

/// The object about a proof.
#[derive(Serialize)]
struct ProvenObject {
    winner: String,
    plies: u16,
    by: &'static str,
}

/// Returns a line for each move of a game, whose number over all files is given.
pub(super) fn lines(game: usize, loaded: &LoadedGame, review: &GameReview) -> String {
    let file = loaded.file.display().to_string();
    let lines = review.moves.iter().map(|m| {
        let object = ReviewedMoveObject { game, file: &file, number: loaded.number, ..of_move(m) };
        // Texts, numbers and lists of them always have a form.
        printable_json(&serde_json::to_string(&object).unwrap_or_default()).into_owned() + "\n"
    });
    lines.collect()
}

/// Returns what there is to say of a move without its game.
fn of_move(m: &MoveReview) -> ReviewedMoveObject<'static> {
    ReviewedMoveObject {
        game: 0,
        file: "",
        number: 0,
        ply: m.ply,
        color: m.color.to_string(),
        cell: m.point.to_string(),
        best: m.best().to_string(),
        line: Moves(&m.line).to_string(),
        win_before: points(m.before),
        win_after: points(m.after),
        wdl_before: [m.before.win, m.before.draw, m.before.loss],
        wdl_after: [m.after.win, m.after.draw, m.after.loss],
        proven_before: m.proven_before.map(proven),
        proven_after: m.proven_after.map(proven),
        class: m.class.name(),
        why: words(&m.remarks),
        better: words(&m.better),
    }
}

fn words(remarks: &[Remark]) -> Vec<String> {
    remarks.iter().map(Remark::to_string).collect()
}

/// Returns the expected points. The chances have four digits, so the half of a draw is one more.
fn points(chances: WinDrawLoss) -> f64 {
    (chances.points() * 1e5).round() / 1e5
}

fn proven(proven: Proven) -> ProvenObject {
    let by = match proven.means {
        WinMeans::Fours => "fours",
        WinMeans::Threats => "threats",
        WinMeans::Any => "any",
    };
    ProvenObject { winner: proven.winner.to_string(), plies: proven.plies, by }
}

//! The review of a move for programs.

use serde::Serialize;

use super::assess::Proven;
use super::game::MoveReview;
use crate::explain::{Remark, WinMeans};
use tengen_core::eval::WinDrawLoss;
use tengen_core::notation::Moves;

/// The review of a move, to be written as JSON. Rows of cells count from the top.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct MoveObject {
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
#[derive(Clone, PartialEq, Serialize, Debug)]
struct ProvenObject {
    winner: String,
    plies: u16,
    by: &'static str,
}

impl From<&MoveReview> for MoveObject {
    fn from(m: &MoveReview) -> MoveObject {
        MoveObject {
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

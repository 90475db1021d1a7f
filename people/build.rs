//! Packs the page of a review, which the program carries.

#[path = "../files/packing.rs"]
mod packing;

use std::io;

/// The page, its style and its scripts: what a game holds, the chart, what is told of moves, lines and
/// proofs, finding better moves, and the page as a whole.
const REPORT: [&str; 8] =
    ["page.html", "page.css", "game.js", "chart.js", "told.js", "lines.js", "find.js", "page.js"];

fn main() -> io::Result<()> {
    packing::pack("report", &packing::read("src/review/report", &REPORT)?)
}

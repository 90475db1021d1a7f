//! Packs the page of a review, which the program carries, as `tengen_files::packed` unpacks it.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The page, its style and its scripts: what a game holds, the chart, what is told of moves, lines and
/// proofs, finding better moves, and the page as a whole.
const REPORT: [&str; 8] =
    ["page.html", "page.css", "game.js", "chart.js", "told.js", "lines.js", "find.js", "page.js"];

fn main() -> io::Result<()> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for name in REPORT {
        let path = Path::new("src/review/report").join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        packed.write_all(&fs::read(path)?)?;
        packed.write_all(&[0])?;
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("report"), packed.finish()?)
}

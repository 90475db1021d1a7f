//! Packs what the program carries: the transcripts of `protocol-tests`, and the page of a match.

#[path = "../files/packing.rs"]
mod packing;

use std::{fs, io};

/// The page, its style and its scripts: helpers, the summary, the replay of games.
const REPORT: [&str; 5] = ["page.html", "page.css", "draw.js", "page.js", "replay.js"];

fn main() -> io::Result<()> {
    let dir = "../protocol-tests";
    println!("cargo::rerun-if-changed={dir}");
    let entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    let names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
    names.sort();
    let texts = packing::read(dir, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let named = names.into_iter().zip(texts).flat_map(|(name, text)| [name, text]);
    packing::pack("transcripts", &named.collect::<Vec<_>>())?;
    packing::pack("report", &packing::read("src/arena/report", &REPORT)?)
}

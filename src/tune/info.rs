//! `tengen tune info`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::Context;

use crate::common::words::printable_path;
use crate::tune::args::InfoArgs;
use tengen_core::eval::classical::Provenance;
use tengen_core::eval::classical::file::MAGIC;
use tengen_engine::options::load_weights;
use tengen_files::printable::printable;
use tengen_lab::tuning::corpus::CorpusReader;
use tengen_lab::tuning::{CorpusCounts, Ending, TrainingResult};

/// Tells what files are.
pub(super) fn run(args: &InfoArgs) -> anyhow::Result<()> {
    args.files.iter().try_for_each(|path| describe(path))
}

/// Tells what a file is.
pub(super) fn describe(path: &Path) -> anyhow::Result<()> {
    let text = if is_weights(path)? { weights_text(path)? } else { corpus_text(path)? };
    io::stdout().lock().write_all(text.as_bytes()).context("cannot write the description")
}

/// Returns whether a file begins as weights do.
fn is_weights(path: &Path) -> anyhow::Result<bool> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(start == MAGIC)
}

/// Returns the description of a file of weights.
fn weights_text(path: &Path) -> anyhow::Result<String> {
    let weights = load_weights(path)?;
    let Provenance { seed, corpus_crc, games, positions } = weights.provenance;
    let lines = [
        format!("{}: weights", path.display()),
        format!("rule       {}", weights.rule()),
        match games {
            0 => "made       by hand".to_owned(),
            _ => format!(
                "made       of {games} games, {positions} positions, seed {seed}, CRC-32 {corpus_crc:08x}"
            ),
        },
        format!("win scale  {} units", weights.win_scale()),
        // Of the bytes before it: that of the whole file is the same for all files.
        format!("CRC-32     {:08x}", weights.crc()),
    ];
    Ok(lines.map(|line| line + "\n").concat())
}

/// Returns the description of a corpus.
fn corpus_text(path: &Path) -> anyhow::Result<String> {
    let mut reader = CorpusReader::open(path)?;
    let mut counts = CorpusCounts::default();
    for game in &mut reader {
        counts.add(&game?);
    }
    counted_text(path, &reader, &counts).context("cannot write the description")
}

/// Returns the description of a corpus that was read to its end.
fn counted_text(
    path: &Path,
    reader: &CorpusReader,
    counts: &CorpusCounts,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let options = reader.options();
    let games = counts.games;
    let [black, white, draws] = TrainingResult::ALL.map(|result| counts.of_result(result));
    let [rule, proven, length, adjudicated] = Ending::ALL.map(|ending| counts.of_ending(ending));
    let mean = counts.moves as f64 / games.max(1) as f64;
    writeln!(text, "{}: training games", printable_path(path))?;
    writeln!(text, "rule       {} on {}", options.rule, options.size)?;
    writeln!(text, "games      {games} (black {black}, white {white}, draws {draws})")?;
    writeln!(
        text,
        "ended      {rule} by the rule, {proven} proven, {length} by length, {adjudicated} adjudicated"
    )?;
    write!(text, "moves      {}", counts.moves)?;
    if let (Some(shortest), Some(longest)) = (counts.shortest, counts.longest) {
        write!(text, " ({shortest} to {longest} a game, mean {mean:.1})")?;
    }
    writeln!(text, " after {} stones of openings", counts.opening_stones)?;
    writeln!(text, "leaves     {} of their searches", counts.leaves)?;
    let made_with: Vec<String> = options
        .fields()
        .iter()
        // These have a line of their own.
        .filter(|(name, _)| !["rule", "size"].contains(name))
        .map(|(name, value)| printable(&format!("{name} {value}")).into_owned())
        .collect();
    writeln!(text, "made with  {}", made_with.join(", "))?;
    writeln!(text, "CRC-32     {:08x} of {} bytes", reader.crc(), reader.offset())?;
    if reader.torn() > 0 {
        writeln!(text, "torn       {} bytes of an interrupted run at the end", reader.torn())?;
    }
    Ok(text)
}

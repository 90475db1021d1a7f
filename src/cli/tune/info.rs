//! `tengen tune info`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context;

use crate::cli::args::tuning::InfoArgs;
use crate::tuning::corpus::CorpusReader;
use crate::tuning::{Counts, Ending, GameResult};

/// Tells what files are.
pub(super) fn run(args: &InfoArgs) -> anyhow::Result<()> {
    args.files.iter().try_for_each(|path| describe(path))
}

/// Tells what a corpus is.
pub(super) fn describe(path: &Path) -> anyhow::Result<()> {
    let mut reader = CorpusReader::open(path)?;
    let mut counts = Counts::default();
    for game in &mut reader {
        counts.add(&game?);
    }
    let text = corpus_text(path, &reader, &counts).context("cannot write the description")?;
    io::stdout().lock().write_all(text.as_bytes()).context("cannot write the description")
}

/// Returns the description of a corpus that was read to its end.
fn corpus_text(
    path: &Path,
    reader: &CorpusReader,
    counts: &Counts,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let options = reader.options();
    let games = counts.games;
    let [black, white, draws] = GameResult::ALL.map(|result| counts.of_result(result));
    let [rule, proven, length] = Ending::ALL.map(|ending| counts.of_ending(ending));
    let mean = counts.moves as f64 / games.max(1) as f64;
    writeln!(text, "{}: training games", path.display())?;
    writeln!(text, "rule       {} on {}", options.rule, options.size)?;
    writeln!(text, "games      {games} (black {black}, white {white}, draws {draws})")?;
    writeln!(text, "ended      {rule} by the rule, {proven} proven, {length} by length")?;
    write!(text, "moves      {}", counts.moves)?;
    if let (Some(shortest), Some(longest)) = (counts.shortest, counts.longest) {
        write!(text, " ({shortest} to {longest} a game, mean {mean:.1})")?;
    }
    writeln!(text, " after {} stones of openings", counts.opening_stones)?;
    let made_with: Vec<String> = options
        .fields()
        .iter()
        // These have a line of their own.
        .filter(|(name, _)| !["rule", "size"].contains(name))
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    writeln!(text, "made with  {}", made_with.join(", "))?;
    writeln!(text, "CRC-32     {:08x} of {} bytes", reader.crc(), reader.offset())?;
    if reader.torn() > 0 {
        writeln!(text, "torn       {} bytes of an interrupted run at the end", reader.torn())?;
    }
    Ok(text)
}

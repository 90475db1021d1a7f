//! `--weights`: numbers of the evaluation and of move ordering instead of those that the program
//! comes with.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::patterns::weights::file::MAX_FILE_BYTES;
use crate::patterns::{PatternTables, Weights};
use crate::rules::Rule;

/// Makes the process use these files, each for its rule. To be called before anything looks at a
/// position.
pub(super) fn install(paths: &[PathBuf]) -> anyhow::Result<()> {
    for path in paths {
        PatternTables::install(&load(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?;
    }
    Ok(())
}

/// Reads a file of weights.
pub(super) fn load(path: &Path) -> anyhow::Result<Weights> {
    let mut bytes = Vec::new();
    // A byte more than any weights have is enough to see that the file holds something else.
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))
}

/// The name of the numbers set by hand on the command line.
pub(super) const PRIOR: &str = "prior";

/// Returns the weights of a rule that the command line asks for: those of a file, those set by hand,
/// or without a word those that the program comes with.
pub(super) fn choose(rule: Rule, asked: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = asked else { return Ok(Weights::shipped(rule)) };
    if path == Path::new(PRIOR) {
        return Ok(Weights::prior(rule));
    }
    let weights = load(path)?;
    if weights.rule() != rule {
        bail!("the weights of {} are for {}, not for {rule}", path.display(), weights.rule());
    }
    Ok(weights)
}

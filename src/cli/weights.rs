//! `--weights`: weights of the evaluation and of move ordering instead of those that the program
//! comes with.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::eval::Evaluators;
use crate::eval::classical::Weights;
use crate::eval::classical::file::MAX_FILE_BYTES;
use crate::rules::Rule;

/// Returns the evaluators of the program with the weights of these files, each for its rule.
pub(super) fn evaluators(paths: &[PathBuf]) -> anyhow::Result<Evaluators> {
    let mut evaluators = Evaluators::shipped();
    let mut rules: Vec<Rule> = Vec::new();
    for path in paths {
        let weights = load(path)?;
        if rules.contains(&weights.rule()) {
            bail!("{} are the second weights for {}", path.display(), weights.rule());
        }
        rules.push(weights.rule());
        evaluators.set_weights(&weights);
    }
    Ok(evaluators)
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

/// The name of the hand-tuned weights on the command line.
pub(super) const HAND_TUNED: &str = "hand-tuned";

/// Returns the weights of a rule that the command line asks for: those of a file, the hand-tuned
/// ones, or without a word those that the program comes with.
pub(super) fn choose(rule: Rule, asked: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = asked else { return Ok(Weights::shipped(rule)) };
    if path == Path::new(HAND_TUNED) {
        return Ok(Weights::hand_tuned(rule));
    }
    let weights = load(path)?;
    if weights.rule() != rule {
        bail!("the weights of {} are for {}, not for {rule}", path.display(), weights.rule());
    }
    Ok(weights)
}

//! `--weights` and `--network`: weights of the evaluation and of move ordering instead of those that
//! the program comes with, and networks that correct the evaluation.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::eval::Evaluators;
use crate::eval::classical::Weights;
use crate::eval::classical::file::MAX_FILE_BYTES;
use crate::eval::network::{self, Network};
use crate::rules::Rule;

/// Returns the evaluators of the program with the weights and the networks of these files, each for
/// its rule.
pub(super) fn evaluators(weights: &[PathBuf], networks: &[PathBuf]) -> anyhow::Result<Evaluators> {
    let mut evaluators = Evaluators::shipped();
    let mut rules: Vec<Rule> = Vec::new();
    for path in weights {
        let weights = load(path)?;
        if rules.contains(&weights.rule()) {
            bail!("{} are the second weights for {}", path.display(), weights.rule());
        }
        rules.push(weights.rule());
        evaluators.set_weights(&weights);
    }
    rules.clear();
    for path in networks {
        match use_network(&mut evaluators, path)? {
            None if networks.len() > 1 => {
                bail!("--network {WITHOUT_NETWORK} stands alone: no rule has a network then");
            }
            None => {}
            Some(rule) if rules.contains(&rule) => {
                bail!("{} is the second network for {rule}", path.display());
            }
            Some(rule) => rules.push(rule),
        }
    }
    Ok(evaluators)
}

/// Returns the evaluators of the program, for a rule with the network of a file, or with none if it
/// is called so.
pub(super) fn evaluators_for(rule: Rule, network: Option<&Path>) -> anyhow::Result<Evaluators> {
    let mut evaluators = Evaluators::shipped();
    if let Some(path) = network
        && let Some(found) = use_network(&mut evaluators, path)?
        && found != rule
    {
        bail!("the network of {} is for {found}, not for {rule}", path.display());
    }
    Ok(evaluators)
}

/// Has evaluators use the network of a file, and returns its rule; or none, if the file is called
/// so.
fn use_network(evaluators: &mut Evaluators, path: &Path) -> anyhow::Result<Option<Rule>> {
    if path == Path::new(WITHOUT_NETWORK) {
        evaluators.drop_networks();
        return Ok(None);
    }
    let network = load_network(path)?;
    let rule = network.rule();
    evaluators.set_network(Arc::new(network));
    Ok(Some(rule))
}

/// Reads a file of weights.
pub(super) fn load(path: &Path) -> anyhow::Result<Weights> {
    let bytes = read(path, MAX_FILE_BYTES)?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))
}

/// Reads a file of a network.
fn load_network(path: &Path) -> anyhow::Result<Network> {
    let bytes = read(path, network::file::MAX_FILE_BYTES)?;
    Network::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))
}

/// Reads a file, up to a byte more than it can have: enough to see that it holds something else.
fn read(path: &Path, most: usize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes)
}

/// The name of no network on the command line.
const WITHOUT_NETWORK: &str = "none";

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

//! The weights and the network that a command works with.

use std::path::Path;

use anyhow::bail;

use tengen_core::eval::Evaluators;
use tengen_core::eval::classical::Weights;
use tengen_core::rules::Rule;
use tengen_engine::options::{load_weights, use_network};

/// Returns the evaluators of the program, for a rule with the network of a file, or with none if it
/// is called so.
pub(crate) fn evaluators_for(rule: Rule, network: Option<&Path>) -> anyhow::Result<Evaluators> {
    let mut evaluators = Evaluators::shipped();
    if let Some(path) = network
        && let Some(found) = use_network(&mut evaluators, path)?
        && found != rule
    {
        bail!("the network of {} is for {found}, not for {rule}", path.display());
    }
    Ok(evaluators)
}

/// The name of the hand-tuned weights on the command line.
pub(crate) const HAND_TUNED: &str = "hand-tuned";

/// Returns the weights of a rule that the command line asks for: those of a file, the hand-tuned
/// ones, or without a word those that the program comes with.
pub(crate) fn choose(rule: Rule, asked: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = asked else { return Ok(Weights::shipped(rule)) };
    if path == Path::new(HAND_TUNED) {
        return Ok(Weights::hand_tuned(rule));
    }
    let weights = load_weights(path)?;
    if weights.rule() != rule {
        bail!("the weights of {} are for {}, not for {rule}", path.display(), weights.rule());
    }
    Ok(weights)
}

//! `--weights` and `--network`: weights of the evaluation and of move ordering instead of those that
//! the engine comes with, and networks that correct the evaluation.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::eval::Evaluators;
use tengen_core::eval::classical::Weights;
use tengen_core::eval::classical::file::{MAX_FILE_BYTES, WeightsError};
use tengen_core::eval::network::{self, Network};
use tengen_core::rules::Rule;

/// The name of no network on the command line.
pub const WITHOUT_NETWORK: &str = "none";

/// An error in the files of an evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationFileError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: io::Error,
    },
    /// A file holds no weights.
    #[error("cannot use {}: {error}", .path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: WeightsError,
    },
    /// A file holds no network.
    #[error("cannot use {}: {error}", .path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: network::file::NetworkError,
    },
    /// There are weights for the rule already.
    #[error("{} are the second weights for {rule}", .path.display())]
    SecondWeights {
        /// The file.
        path: PathBuf,
        /// The rule.
        rule: Rule,
    },
    /// There is a network for the rule already.
    #[error("{} is the second network for {rule}", .path.display())]
    SecondNetwork {
        /// The file.
        path: PathBuf,
        /// The rule.
        rule: Rule,
    },
    /// There are networks beside [`WITHOUT_NETWORK`].
    #[error("--network {WITHOUT_NETWORK} stands alone: no rule has a network then")]
    NotAlone,
}

/// Returns the evaluators of the engine with the weights and the networks of these files, each for
/// its rule.
///
/// # Errors
///
/// Returns the first fault of a file.
pub fn evaluators_of_files(
    weights: &[PathBuf],
    networks: &[PathBuf],
) -> Result<Evaluators, EvaluationFileError> {
    let mut evaluators = Evaluators::shipped();
    let mut rules: Vec<Rule> = Vec::new();
    for path in weights {
        let weights = load_weights(path)?;
        if rules.contains(&weights.rule()) {
            let (path, rule) = (path.clone(), weights.rule());
            return Err(EvaluationFileError::SecondWeights { path, rule });
        }
        rules.push(weights.rule());
        evaluators.set_weights(&weights);
    }
    rules.clear();
    for path in networks {
        match use_network(&mut evaluators, path)? {
            None if networks.len() > 1 => return Err(EvaluationFileError::NotAlone),
            None => {}
            Some(rule) if rules.contains(&rule) => {
                return Err(EvaluationFileError::SecondNetwork { path: path.clone(), rule });
            }
            Some(rule) => rules.push(rule),
        }
    }
    Ok(evaluators)
}

/// Has evaluators use the network of a file, and returns its rule; or none, if the file is called
/// [`WITHOUT_NETWORK`].
///
/// # Errors
///
/// Returns why the file is no use.
pub fn use_network(
    evaluators: &mut Evaluators,
    path: &Path,
) -> Result<Option<Rule>, EvaluationFileError> {
    if path == Path::new(WITHOUT_NETWORK) {
        evaluators.drop_networks();
        return Ok(None);
    }
    let bytes = read(path, network::file::MAX_FILE_BYTES)?;
    let network = Network::from_bytes(&bytes)
        .map_err(|error| EvaluationFileError::Network { path: path.to_owned(), error })?;
    let rule = network.rule();
    evaluators.set_network(Arc::new(network));
    Ok(Some(rule))
}

/// Reads a file of weights.
///
/// # Errors
///
/// Returns why the file is no use.
pub fn load_weights(path: &Path) -> Result<Weights, EvaluationFileError> {
    let bytes = read(path, MAX_FILE_BYTES)?;
    Weights::from_bytes(&bytes)
        .map_err(|error| EvaluationFileError::Weights { path: path.to_owned(), error })
}

/// Reads a file, up to a byte more than it can have: enough to see that it holds something else.
fn read(path: &Path, most: usize) -> Result<Vec<u8>, EvaluationFileError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| EvaluationFileError::Read { path: path.to_owned(), error })?;
    Ok(bytes)
}

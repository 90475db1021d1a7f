//! What a network, in the engine's integers, gets of samples: its losses, beside those of the tables.
//!
//! The definitions are those of the trainer's reports (`scripts/train`), with the integers of the engine
//! in place of floats and of orders in steps.

mod sums;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::GamesError;
use super::fit::FitTarget;
use super::samples::{SampleFileError, SampleReader, SampleRecord};
use sums::{ChunkLosses, LossSums, ValueOutcome};
use tengen_core::eval::network::{Network, NetworkReader};
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove};
use tengen_core::rules::Rule;
use tengen_core::types::{PointSet, Score, Size};
use tengen_files::work::{
    Delivery, NumberedWork, Progress, Stop, ThreadError, USUAL_STACK, run_in_order,
};

pub use sums::{LossFigures, SampleLosses};

/// The samples that a thread looks at before it hands its sums on.
const CHUNK: u64 = 512;
/// The chunks for each thread that may wait for their turn.
const AHEAD: u64 = 4;

/// What losses are measured of, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossOptions {
    /// The scores of searches, in units, whose difference multiplies the odds of winning by e: what
    /// the targets are made with, and the values of the tables. `None` stands for the win scale of
    /// the built-in network.
    pub scale: Option<f64>,
    /// The share of the score of the search in the target; the rest is the result of the game, where
    /// there is one.
    pub score_share: f64,
    /// Leaves out what a trainer learns from.
    pub only_held_out: bool,
    /// The number of threads; no figure depends on it.
    pub threads: usize,
}

impl Default for LossOptions {
    fn default() -> LossOptions {
        LossOptions { scale: None, score_share: 0.5, only_held_out: false, threads: 1 }
    }
}

/// The reason why losses could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum LossError {
    /// A file of samples is no use.
    #[error(transparent)]
    Samples(#[from] SampleFileError),
    /// There are no files.
    #[error("there are no files of samples")]
    NoFiles,
    /// The samples are of another rule than those of the first file.
    #[error(transparent)]
    OtherRule(#[from] GamesError),
    /// There is no network to measure.
    #[error("losses are those of a network, and there is none")]
    NoNetwork,
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The losses of a network on the samples of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct FileLosses {
    /// The file.
    pub path: PathBuf,
    /// The size of its boards.
    pub size: Size,
    /// Its losses.
    pub losses: SampleLosses,
}

/// The losses of a network on the samples of files.
#[derive(Clone, PartialEq, Debug)]
pub struct LossReport {
    /// The rule of all files.
    pub rule: Rule,
    /// The checksum of the network.
    pub network: u32,
    /// The scale of the targets and of the tables' values, in units.
    pub scale: f64,
    /// The losses of each file.
    pub files: Vec<FileLosses>,
    /// The losses on all samples together.
    pub total: SampleLosses,
}

/// Measures the losses of the evaluators' network on files of samples of one rule. `progress` receives
/// the number of samples looked at.
///
/// # Errors
///
/// Returns an error if there is no file or no network, a file can't be read or is damaged, the files
/// are of different rules, or the system refuses a thread.
pub fn measure_losses(
    paths: &[PathBuf],
    evaluators: &Evaluators,
    options: &LossOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<LossReport, LossError> {
    let readers: Vec<SampleReader> =
        paths.iter().map(|path| SampleReader::open(path)).collect::<Result<_, _>>()?;
    let rule = readers.first().ok_or(LossError::NoFiles)?.rule();
    if let Some(other) = readers.iter().find(|reader| reader.rule() != rule) {
        let (path, wanted) = (other.path().to_owned(), rule);
        return Err(GamesError::OtherRule { path, rule: other.rule(), wanted }.into());
    }
    let network = evaluators.network(rule).ok_or(LossError::NoNetwork)?;
    let usual_scale = || f64::from(Network::shipped(rule).win_scale());
    let scale = options.scale.unwrap_or_else(usual_scale);
    let scales = [network.win_scale().into(), scale];
    let target = FitTarget { score_share: options.score_share, win_scale: scale };
    let mut total = LossSums::default();
    let mut done = 0;
    let mut files = Vec::new();
    for reader in &readers {
        let meter = || Meter::new(Arc::clone(&network), evaluators, target);
        let meters = (0..options.threads.max(1)).map(|_| meter()).collect();
        let mut told = |samples| {
            done += samples;
            progress(Progress { done, by_this_run: done });
        };
        let sums = sums_of(reader, meters, options.only_held_out, &mut told)?;
        total.add(&sums);
        let path: &Path = reader.path();
        files.push(FileLosses {
            path: path.to_owned(),
            size: reader.size(),
            losses: sums.losses(scales),
        });
    }
    Ok(LossReport { rule, network: network.crc(), scale, files, total: total.losses(scales) })
}

/// Adds up the losses on a file, with a thread for each meter.
fn sums_of(
    reader: &SampleReader,
    meters: Vec<Meter>,
    only_held_out: bool,
    told: &mut dyn FnMut(u64),
) -> Result<LossSums, LossError> {
    let work = |meter: &mut Meter, chunk: u64, _: u32, _: &Stop| {
        let mut losses = ChunkLosses::default();
        for record in reader.read(chunk * CHUNK, CHUNK, only_held_out)? {
            meter.measure(&record, &mut losses);
        }
        Ok(losses)
    };
    let mut sums = LossSums::default();
    let mut deliver = |chunk: u64, found: Result<ChunkLosses, SampleFileError>| {
        sums.take(&found?);
        told(CHUNK.min(reader.samples() - chunk * CHUNK));
        Ok::<_, LossError>(Delivery::Taken)
    };
    let numbers = NumberedWork {
        range: 0..reader.samples().div_ceil(CHUNK),
        ahead: AHEAD * meters.len() as u64,
        stack_bytes: USUAL_STACK,
    };
    run_in_order(numbers, meters, BTreeMap::new(), &Stop::new(), work, &mut deliver)?;
    Ok(sums)
}

/// Says what a network and the tables say of a sample.
struct Meter {
    network: Arc<Network>,
    reader: NetworkReader,
    tables: Box<dyn Evaluator>,
    target: FitTarget,
    moves: Vec<OrderedMove>,
}

impl Meter {
    fn new(network: Arc<Network>, evaluators: &Evaluators, target: FitTarget) -> Meter {
        let tables = evaluators.make(EvaluatorKind::Patterns, network.rule());
        let reader = NetworkReader::new(Arc::clone(&network));
        Meter { network, reader, tables, target, moves: Vec::new() }
    }

    /// Adds the losses of a sample.
    fn measure(&mut self, record: &SampleRecord, losses: &mut ChunkLosses) {
        let (score, orders) = self.judge(record);
        if record.tells_value {
            let target = self.target.chance(record.score, record.halves);
            losses.values.push(ValueOutcome { network: score, tables: record.tables, target });
        }
        if let Some(choice) = record.choice {
            losses.policy.add(&orders, self.network.order_scale(), &record.candidates, choice);
        }
    }

    /// Returns the engine's score of a sample, and its orders of the candidates.
    fn judge(&mut self, record: &SampleRecord) -> (Score, Vec<i32>) {
        let position = &record.position;
        let integers = self.reader.read(position);
        // The tables' score depends on the last move, which only the file knows.
        let score = self.network.score(record.tables, integers.value);
        if record.choice.is_none() {
            return (score, Vec::new());
        }
        let candidates: PointSet = record.candidates.iter().map(|&(point, _)| point).collect();
        self.moves.clear();
        self.tables.reset(position);
        self.tables.order(position, candidates, &mut self.moves);
        // All three are row by row.
        let empties = position.size().points().filter(|&point| position.board().is_empty(point));
        let mut policies = empties.zip(integers.policies);
        let orders = self.moves.iter().map(|m| {
            let policy = policies.find(|&(point, _)| point == m.point);
            m.order + policy.map_or(0, |(_, policy)| self.network.order(policy))
        });
        (score, orders.collect())
    }
}

#[cfg(test)]
mod tests;

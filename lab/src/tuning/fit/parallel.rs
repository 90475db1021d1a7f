//! Sums over all samples that do not depend on the number of threads.

use crate::tuning::features::Block;
use tengen_files::work::run_parts;

/// The most shards, each a number of blocks in a row whose samples are summed up one after the
/// other. A fixed number, so that the order of all additions is the same for any number of threads.
const SHARDS: usize = 128;

/// A loss with its gradient.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::tuning) struct Sum {
    /// The sum of the losses.
    pub(in crate::tuning) loss: f64,
    /// The gradient of the sum.
    pub(in crate::tuning) gradient: Vec<f64>,
    /// The number of samples.
    pub(in crate::tuning) count: u64,
}

impl Sum {
    /// Returns the sum of nothing.
    fn zero(dimension: usize) -> Sum {
        Sum { loss: 0.0, gradient: vec![0.0; dimension], count: 0 }
    }

    fn add(&mut self, other: &Sum) {
        self.loss += other.loss;
        self.count += other.count;
        for (a, b) in self.gradient.iter_mut().zip(&other.gradient) {
            *a += b;
        }
    }

    /// Returns the loss of an average sample, 0 if there is none.
    pub(in crate::tuning) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.loss / self.count as f64 }
    }
}

/// Lets `add` add each block to a sum with a gradient of `dimension` entries, and adds up the sums.
pub(in crate::tuning) fn sum(
    blocks: &[Block],
    threads: usize,
    dimension: usize,
    add: impl Fn(&Block, &mut Sum) + Sync,
) -> Sum {
    let shards = blocks.len().min(SHARDS);
    let parts = run_parts(shards, threads, |shard| {
        let mut sum = Sum::zero(dimension);
        let range = blocks.len() * shard / shards..blocks.len() * (shard + 1) / shards;
        for block in &blocks[range] {
            add(block, &mut sum);
        }
        sum
    });
    let mut total = Sum::zero(dimension);
    for part in &parts {
        total.add(part);
    }
    total
}

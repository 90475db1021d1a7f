//! The arguments of `tengen bench`.

use clap::Args;

use crate::common::options::{EvaluationArgs, parse_rule};
use tengen_core::rules::Rule;
use tengen_lab::bench::DEFAULT_DEPTH;

/// The arguments of `tengen bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Searches with this number of threads.
    ///
    /// With more than one there is no signature.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub(crate) threads: u16,

    /// Uses only this rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,

    /// Searches to this depth, in plies.
    ///
    /// Or to five million nodes a position.
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = DEFAULT_DEPTH as u8,
        value_parser = clap::value_parser!(u8).range(1..=60)
    )]
    pub(crate) depth: u8,

    /// Compares the nodes per second with and without the network.
    ///
    /// In positions of whole games, instead of everything else. It prints a block of Markdown to paste,
    /// with the processor's kernels and the signatures, and without names of files.
    #[arg(long, conflicts_with = "depth")]
    pub(crate) compare: bool,

    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// The evaluation and the parameters.
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

//! The arguments of `tengen bench`.

use std::path::PathBuf;

use clap::Args;

use crate::common::options::parse_rule;
use tengen_core::rules::Rule;
use tengen_core::search::params::Assignment;
use tengen_lab::bench::DEFAULT_DEPTH;

/// The arguments of `tengen bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Searches with this many threads; with more than one there is no signature.
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

    /// Searches to this depth, in plies, or to five million nodes a position.
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = DEFAULT_DEPTH as u8,
        value_parser = clap::value_parser!(u8).range(1..=60)
    )]
    pub(crate) depth: u8,

    /// Evaluates with the weights of this file, and no network, instead of those that the program
    /// comes with; may be repeated, once for each rule.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Vec<PathBuf>,

    /// Corrects the evaluation by the network of this file instead of the one that the program
    /// comes with, or by none if it is called none; may be repeated, once for each rule.
    #[arg(long = "network", value_name = "FILE")]
    pub(crate) networks: Vec<PathBuf>,

    /// Compares the nodes per second with and without the network instead, in positions of whole
    /// games.
    #[arg(long, conflicts_with = "depth")]
    pub(crate) compare: bool,

    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Gives a parameter of the search another value; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) params: Vec<Assignment>,
}

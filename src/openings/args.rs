//! The arguments of `tengen openings`.

use std::path::PathBuf;

use clap::Args;

use crate::common::options::{parse_rule, parse_size};
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_lab::openings::{Balancing, OpeningFormat, StoneCount};

/// The arguments of `tengen openings`.
#[derive(Args, Debug)]
pub(crate) struct OpeningsArgs {
    /// Makes this number of openings.
    #[arg(
        short,
        long,
        value_name = "NUMBER",
        default_value = "100",
        value_parser = clap::value_parser!(u64).range(1..=100_000_000)
    )]
    pub(crate) number: u64,

    /// The rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = parse_rule)]
    pub(crate) rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub(crate) size: Size,

    /// Writes openings as rows of cells such as h8i9h9 (pos), or as distances from the cell in the
    /// middle (offset).
    #[arg(long, value_name = "FORMAT", default_value = "pos")]
    pub(crate) format: OpeningFormat,

    /// Writes to this file, and keeps the state for resuming in a file next to it, with
    /// .state added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Makes this number of openings at the same time [default: one for each core].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Seeds the random stones.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) seed: u64,

    /// The number of random stones, such as 4 or 3-6 [default: by rule and size].
    #[arg(long, value_name = "NUMBERS")]
    pub(crate) stones: Option<StoneCount>,

    /// The edge of the box in which the random stones stand, in cells [default: by rule and size].
    #[arg(long = "box", value_name = "CELLS")]
    pub(crate) area: Option<u8>,

    /// The least distance of the box from the edge of the board, in cells [default: 2].
    #[arg(long, value_name = "CELLS")]
    pub(crate) margin: Option<u8>,

    /// The number of balancing stones: 1, 2, or 1-2 for two where no single one will do.
    #[arg(long, value_name = "NUMBERS", default_value = "1-2")]
    pub(crate) balance: Balancing,

    /// The largest distance of the score of an opening from 0, in the units of the evaluation
    /// [default: 50].
    #[arg(long, value_name = "UNITS")]
    pub(crate) window: Option<i32>,

    /// Searches this number of nodes for one balancing stone, six times as many for two
    /// [default: 50000].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) nodes: Option<u64>,

    /// Searches this number of nodes for the final score [default: 500000].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) check_nodes: Option<u64>,

    /// The size of the transposition table of each thread, in mebibytes. Other sizes may give other
    /// openings.
    #[arg(long, value_name = "MIB", default_value = "16")]
    pub(crate) hash: u32,
}

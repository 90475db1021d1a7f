//! The arguments of `tengen openings`.

use std::path::PathBuf;

use clap::Args;

use crate::common::options::{BoardArgs, RunArgs};
use tengen_lab::openings::{Balancing, GameNodes, OpeningFormat, StoneCount};

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

    /// The rule and the board.
    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// The format: pos or offset.
    ///
    /// Rows of cells such as h8i9h9 (pos), or distances from the cell in the middle (offset).
    #[arg(long, value_name = "FORMAT", default_value = "pos")]
    pub(crate) format: OpeningFormat,

    /// Writes to this file, or resumes it.
    ///
    /// What is needed to go on is kept in a file next to it, with .state added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Seeds the random stones.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) seed: u64,

    /// The number of random stones, such as 4 or 3-6 [default: by rule and size].
    #[arg(long, value_name = "NUMBERS")]
    pub(crate) stones: Option<StoneCount>,

    /// The edge of the box of the random stones, in cells.
    ///
    /// The default is by rule and size.
    #[arg(long = "box", value_name = "CELLS", hide_short_help = true)]
    pub(crate) area: Option<u8>,

    /// The least distance of the box from the edge of the board, in cells [default: 2].
    #[arg(long, value_name = "CELLS", hide_short_help = true)]
    pub(crate) margin: Option<u8>,

    /// The number of balancing stones: 1, 2 or 1-2.
    ///
    /// 1-2 is two where no single one will do.
    #[arg(long, value_name = "NUMBERS", default_value = "1-2", hide_short_help = true)]
    pub(crate) balance: Balancing,

    /// The largest distance of a score from 0 [default: 50].
    ///
    /// In the units of the evaluation.
    #[arg(long, value_name = "UNITS")]
    pub(crate) window: Option<i32>,

    /// Keeps what both colours win about as often: games at each strength.
    ///
    /// The engine plays this number of games against itself from each candidate, at each of two strengths, and ends
    /// early with those that cannot be kept. At the end it reports how candidates fared. Ten games tell what a colour
    /// wins nearly always from what is even; they take minutes for an opening.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) by_games: Option<u8>,

    /// The two strengths of the games, in nodes a move [default: 3000,12000].
    ///
    /// The smaller one first: what it rejects is not played with the larger one.
    #[arg(long, value_name = "A,B", requires = "by_games")]
    pub(crate) game_nodes: Option<GameNodes>,

    /// The share of games of a strength that each colour has to win, in per cent [default: 30].
    #[arg(long, value_name = "PERCENT", requires = "by_games", hide_short_help = true)]
    pub(crate) color_share: Option<u8>,

    /// Searches this number of nodes for a balancing stone [default: 50000].
    ///
    /// Six times as many for two.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) nodes: Option<u64>,

    /// Searches this number of nodes for the final score [default: 500000].
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) check_nodes: Option<u64>,

    /// The transposition table of each thread, in mebibytes.
    ///
    /// Other sizes may give other openings.
    #[arg(long, value_name = "MIB", default_value = "16", hide_short_help = true)]
    pub(crate) hash: u32,
}

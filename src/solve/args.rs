//! The arguments of `tengen solve` and `tengen verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args};

use crate::common::options::{RecordSource, parse_time};
use tengen_core::notation::Origin;

/// The explanations after the options of `tengen solve`.
pub(crate) const AFTER_SOLVE: &str = "\
Examples:
  tengen solve --moves \"h8 a1 i8 a3 j8 a5\"
  tengen solve --moves \"h8 a1 i8 a3 j8 a5\" --svg win.svg
  tengen solve game.sgf --after 20 --verify --certificate win.json

Cells come out as they went in. In renju they count from the bottom row, as printed games do, under other rules from \
the top row; --origin says otherwise. Files, certificates and --json always count from the top, and so do --moves \
with --json.

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

For one position the verdict is printed with the main line; for several there is a line each (number, verdict, \
plies, first move, time) and a summary. With --json there is an object on a line for each position instead.

Ctrl-C ends the searches and checks that run and begins no more; what is known is printed. A second time ends the \
program.

The exit code is 0 if the verdict on each position is known, 1 after an error, 2 if the options make no sense, and 3 \
if a verdict is missing: a search met a limit or was ended by Ctrl-C.";

/// The arguments of `tengen solve`.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER_SOLVE,
    group(ArgGroup::new("positions").args(["moves", "files"]).required(true).multiple(true))
)]
pub(crate) struct SolveArgs {
    /// The way to read the files.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// Takes the position after this number of moves [default: all].
    #[arg(long, aliases = ["move", "ply"], value_name = "NUMBER")]
    pub(crate) after: Option<usize>,

    /// Takes the position after these moves, such as "h8 i9 h9".
    ///
    /// Also h8i9h9, "1.h8 2.i9 3.h9" or an address of Gomocalc. May be repeated.
    #[arg(long, value_name = "CELLS", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) moves: Vec<String>,

    /// The edge from which rows count: top or bottom.
    ///
    /// In --moves, in rows of cells (pos) and in what is printed. The default is bottom in renju,
    /// otherwise top, and always top with --json and for rows of cells.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,

    /// Looks only for wins by continuous fours (VCF).
    #[arg(long, visible_alias = "vcf")]
    pub(crate) fours: bool,

    /// Ends a search after this number of nodes [default: no limit].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// Ends a search after this time; 0 is no limit.
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = parse_time)]
    pub(crate) time: Duration,

    /// The memory of each thread, in mebibytes.
    #[arg(
        long,
        value_name = "MIB",
        default_value = "64",
        hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..=65_536)
    )]
    pub(crate) hash: u32,

    /// Writes the proof of a win to this file; - is standard output.
    ///
    /// tengen verify checks it. The proofs of several positions go to files with the numbers of the
    /// positions added to the name.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Draws the win as a picture to this file; - is standard output.
    ///
    /// The moves have numbers. The pictures of several positions go to files with the numbers of the
    /// positions added to the name.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) svg: Option<PathBuf>,

    /// Checks every proof by the plain rules before it is printed.
    ///
    /// As tengen verify does.
    #[arg(long)]
    pub(crate) verify: bool,

    /// Searches this number of positions at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub(crate) threads: u16,

    /// Prints a JSON object for each position instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Shows no progress, and of several positions only a summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Files of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

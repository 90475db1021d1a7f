//! What can be typed after `tengen solve` and `tengen verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::RecordSource;
use super::matches::parse_time;

/// The explanations after the options of `tengen solve`.
pub(super) const AFTER_SOLVE: &str = "\
TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

For one position the verdict is told with the main line; for several there is a line each (number,
verdict, plies, first move, time) and a summary. With --json there is an object on a line for each
position instead.

Ctrl-C ends the searches that run and begins no more; what is known is told. A second time ends the
program.

The exit code is 0 if the verdict on each position is known, 1 after an error, 2 if the options make
no sense, and 3 if a verdict is missing: a search met a limit or was ended by Ctrl-C.";

/// The explanations after the options of `tengen verify`.
pub(super) const AFTER_VERIFY: &str = "\
The exit code is 0 if everything is proved, 1 if it is not or after an error, and 2 if the options
make no sense.";

/// The arguments of `tengen solve`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_SOLVE)]
pub struct SolveArgs {
    /// How to read the files.
    #[command(flatten)]
    pub source: RecordSource,

    /// Takes the position after this move of each game, counted from 1; 0 is the empty board
    /// [default: the last].
    #[arg(long, value_name = "NUMBER")]
    pub after: Option<usize>,

    /// Takes the position after these moves, such as h8i9h9. Can be repeated.
    #[arg(long, value_name = "CELLS", value_parser = NonEmptyStringValueParser::new())]
    pub moves: Vec<String>,

    /// Looks only for wins in which every move makes a four.
    #[arg(long)]
    pub fours: bool,

    /// Ends the search of a position after so many nodes [default: no limit].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Ends the search of a position after this time; 0 is no limit.
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = parse_time)]
    pub time: Duration,

    /// The memory for what was found out, in mebibytes, for each thread.
    #[arg(
        long,
        value_name = "MIB",
        default_value = "64",
        value_parser = clap::value_parser!(u32).range(1..=65_536)
    )]
    pub hash: u32,

    /// Writes the proof of a win to this file, for tengen verify; - is standard output. Those of
    /// several positions go to files with the numbers of the positions added to the name.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Checks the proof of every win by the plain rules, as tengen verify does, before it is told.
    #[arg(long)]
    pub verify: bool,

    /// Searches so many positions at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,

    /// Prints a JSON object for each position instead of text.
    #[arg(long)]
    pub json: bool,

    /// Shows no progress, and of several positions only the summary.
    #[arg(short, long)]
    pub quiet: bool,

    /// Files of games; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "moves")]
    pub files: Vec<PathBuf>,
}

/// The arguments of `tengen verify`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_VERIFY)]
pub struct VerifyArgs {
    /// Prints a JSON object for each certificate instead of text.
    #[arg(long)]
    pub json: bool,

    /// Shows no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Certificates; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

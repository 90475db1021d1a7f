//! The arguments of `tengen verify`.

use std::path::PathBuf;

use clap::Args;

use tengen_core::notation::Origin;

/// The explanations after the options of `tengen verify`.
pub(crate) const AFTER_VERIFY: &str = "\
The exit code is 0 if everything is proved, 1 if it is not or after an error, and 2 if the options make no sense.";

/// The arguments of `tengen verify`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_VERIFY)]
pub(crate) struct VerifyArgs {
    /// Prints a JSON object for each certificate instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Looks at this number of positions at most, 0 for any number.
    ///
    /// Of each certificate. The default follows from its size: far more than one made by tengen
    /// solve takes.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) positions: Option<u64>,

    /// The edge from which rows of printed cells count.
    ///
    /// top or bottom; the default is bottom in renju, otherwise top.
    #[arg(long, value_name = "EDGE")]
    pub(crate) origin: Option<Origin>,

    /// Certificates; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

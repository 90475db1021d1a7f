//! The arguments of `tengen convert`.

use std::path::PathBuf;

use clap::Args;

use crate::common::options::RecordSource;
use tengen_core::notation::Origin;
use tengen_files::records;

/// The arguments of `tengen convert`.
#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The way to read the input.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// The format of the output [default: by the extension of --output].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<records::Format>,

    /// Writes to this file; - is standard output.
    ///
    /// Several games in a format that holds one a file go to files with numbers added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The edge from which rows of cells (pos) in the input count.
    ///
    /// top or bottom. Other programs, such as Yixin-Board, count them from the bottom.
    #[arg(long, value_name = "EDGE", default_value = "top", hide_short_help = true)]
    pub(crate) origin: Origin,

    /// The edge from which rows of cells (pos) in the output count.
    #[arg(long, value_name = "EDGE", default_value = "top", hide_short_help = true)]
    pub(crate) output_origin: Origin,

    /// Files of games; - is standard input.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
}

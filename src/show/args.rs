//! The arguments of `tengen show`.

use std::path::PathBuf;

use clap::Args;

use crate::common::options::RecordSource;
use tengen_core::notation::Origin;

/// The arguments of `tengen show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The way to read the file.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// Shows this game of the file, counted from 1.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) game: usize,

    /// Shows the board after this move, counted from 1; 0 is the empty board [default: the last].
    #[arg(long = "move", value_name = "NUMBER")]
    pub(crate) moves: Option<usize>,

    /// The edge from which rows count, on the board, in the list of moves, and in rows of cells
    /// (pos) that are read: top or bottom [default: bottom in renju, as it is printed; otherwise
    /// top, and always top for rows of cells, so that cells come out as they went in].
    #[arg(long, value_name = "EDGE")]
    pub(crate) origin: Option<Origin>,

    /// Draws the board as a picture to this file instead; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// A file of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

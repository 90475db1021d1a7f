//! The arguments of `tengen show`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args};

use crate::common::options::RecordSource;
use tengen_core::notation::Origin;

/// The arguments of `tengen show`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("shown").args(["moves", "file"]).required(true).multiple(true)))]
pub(crate) struct ShowArgs {
    /// The way to read the file.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// Shows this game of the file, counted from 1.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) game: usize,

    /// Shows the board after this number of moves [default: all].
    #[arg(long, aliases = ["move", "ply"], value_name = "NUMBER")]
    pub(crate) after: Option<usize>,

    /// Shows the position after these moves, such as "h8 i9 h9".
    ///
    /// Also h8i9h9 or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with_all = ["file", "game"]
    )]
    pub(crate) moves: Option<String>,

    /// The edge from which rows count: top or bottom.
    ///
    /// On the board, in moves, and in rows of cells (pos) that are read. The default is bottom in
    /// renju, as it is printed, otherwise top, and always top for rows of cells, so that cells come
    /// out as they went in.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,

    /// Draws a picture to this file instead; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// A file of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

//! The arguments of `tengen analyse --position`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

/// The options of the analysis of one position.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// Analyses one position until you end it: the best moves with their chances, deeper and
    /// deeper, on the whole screen. Where standard output is no terminal, or with --json, they are
    /// printed whenever they are known a ply deeper.
    #[arg(long, conflicts_with_all = ["book", "journal", "html", "sgf"])]
    pub position: bool,

    /// Analyses the position after these moves, such as h8i9h9, "h8 i9 h9" or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        requires = "position",
        conflicts_with = "files"
    )]
    pub moves: Option<String>,

    /// Analyses a position of the game of this number in FILE [default: 1].
    #[arg(long, value_name = "NUMBER", requires = "position", requires = "files")]
    pub game: Option<usize>,

    /// Begins with the position after this number of moves [default: all].
    #[arg(long, value_name = "MOVES", requires = "position")]
    pub ply: Option<usize>,

    /// Compares this number of moves [default: 5].
    #[arg(
        short = 'n',
        long,
        value_name = "NUMBER",
        requires = "position",
        value_parser = clap::value_parser!(u8).range(1..=30)
    )]
    pub lines: Option<u8>,

    /// Ends the analysis of a position at this depth, in plies.
    #[arg(
        long,
        value_name = "PLIES",
        requires = "position",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub depth: Option<u32>,
}

//! The arguments of `tengen db`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use crate::common::options::{RecordSource, RunArgs, parse_rule, parse_size, parse_time};
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_engine::database::{EntryLabel, ProvenResult, ResultFilter};
use tengen_files::records::CodePage;

/// The arguments of `tengen db`.
#[derive(Args, Debug)]
pub(crate) struct DbArgs {
    /// The action.
    #[command(subcommand)]
    pub(crate) command: DbCommand,
}

/// The actions on a database.
#[derive(Subcommand, Debug)]
pub(crate) enum DbCommand {
    /// Counts the positions of a database by rule, size and number of stones.
    Info(DbInfoArgs),

    /// Shows the entries of a position and of its known moves.
    Query(DbQueryArgs),

    /// Edits the entry of a position. Fields that are not named stay.
    Put(Box<DbPutArgs>),

    /// Removes a position, or what follows from it.
    Delete(DbDeleteArgs),

    /// Reads game records and exported positions into a database, which is created if it does not exist.
    ///
    /// Every position of a game counts a visit and the result; comments, marks, letters and variations
    /// are kept. Reading the same games again counts them again.
    Import(DbImportArgs),

    /// Writes positions: all as lines of JSON or as Rapfi does, or a tree of moves as SGF or for RenLib.
    Export(DbExportArgs),

    /// Merges other databases: the best knowledge wins, texts are joined.
    Merge(DbMergeArgs),

    /// Propagates proven results to earlier positions, from the last moves to the first.
    ///
    /// A position is won if a move leads to one that the other side loses; it is lost or drawn only if
    /// all legal moves are known to lead nowhere better.
    Propagate(DbPropagateArgs),

    /// Grows the tree of a position by searches of its best moves: a book builder.
    ///
    /// The next position to be searched is always the one to which the least bad moves lead. All that is
    /// found is in the database at once: the same command resumes where it was interrupted.
    Grow(Box<DbGrowArgs>),

    /// Reads everything and reports damage. The exit status is 1 if there is any.
    Check(DbCheckArgs),

    /// Compacts the file.
    Compact(DbCompactArgs),
}

/// A position.
#[derive(Args, Debug)]
pub(crate) struct PositionOption {
    /// Rule: freestyle, standard, renju, caro or caro-exact.
    ///
    /// Or its number in the protocol: 0, 1, 4, 8 or 9.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = parse_rule)]
    pub(crate) rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    ///
    /// The default is the smallest of 15, 20 and 22 that holds all moves.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Size>,

    /// The position after these moves, such as "h8 i9 h9" [default: none].
    ///
    /// Also h8i9h9 or "1.h8 2.i9 3.h9".
    #[arg(long, value_name = "CELLS", default_value = "", hide_default_value = true)]
    pub(crate) moves: String,

    /// The edge from which rows count: top or bottom.
    ///
    /// The default is bottom in renju, as it is printed, otherwise top, and always top with --json.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,
}

/// The arguments of `tengen db info`.
#[derive(Args, Debug)]
pub(crate) struct DbInfoArgs {
    /// Prints one JSON object instead of a table.
    #[arg(long)]
    pub(crate) json: bool,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db query`.
#[derive(Args, Debug)]
pub(crate) struct DbQueryArgs {
    /// The position.
    #[command(flatten)]
    pub(crate) position: PositionOption,

    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The relation of a value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum BoundOption {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// It is the true value.
    Exact,
}

/// The arguments of `tengen db put`.
#[derive(Args, Debug)]
pub(crate) struct DbPutArgs {
    /// The position.
    #[command(flatten)]
    pub(crate) position: PositionOption,

    /// The value for the side to move, in units of the evaluation.
    #[arg(
        long,
        value_name = "UNITS",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(-30_000..=30_000)
    )]
    pub(crate) value: Option<i32>,

    /// The depth in plies at which the value was found.
    ///
    /// The default is that of the value before, or 0.
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true)]
    pub(crate) depth: Option<i16>,

    /// The relation of the value to the true one.
    #[arg(long, value_name = "BOUND")]
    pub(crate) bound: Option<BoundOption>,

    /// The proven result for the side to move; none to forget it.
    ///
    /// win, win:7 (in 7 plies), loss:8 or draw.
    #[arg(long, value_name = "RESULT", value_parser = parse_forgettable::<ProvenResult>)]
    pub(crate) result: Option<Forgettable<ProvenResult>>,

    /// The best move; none to forget it.
    #[arg(long, value_name = "CELL")]
    pub(crate) best: Option<String>,

    /// A label of a few letters for the position; none to forget it.
    #[arg(long, value_name = "LABEL", value_parser = parse_forgettable::<EntryLabel>)]
    pub(crate) label: Option<Forgettable<EntryLabel>>,

    /// A text in the place of the one that is there.
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,

    /// A text on a cell, such as h9=A; h9= removes it. May be repeated.
    #[arg(long = "board-text", value_name = "CELL=TEXT")]
    pub(crate) board_texts: Vec<String>,

    /// A database, created if it does not exist.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Something to note, or to forget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Forgettable<T> {
    /// The edits.
    Noted(T),
    /// The fields to clear.
    Forgotten,
}

impl<T> Forgettable<T> {
    /// Returns the edits.
    pub(crate) fn into_option(self) -> Option<T> {
        match self {
            Forgettable::Noted(value) => Some(value),
            Forgettable::Forgotten => None,
        }
    }
}

fn parse_forgettable<T: std::str::FromStr>(text: &str) -> Result<Forgettable<T>, String>
where
    T::Err: std::fmt::Display,
{
    if text == "none" {
        return Ok(Forgettable::Forgotten);
    }
    text.parse().map(Forgettable::Noted).map_err(|error: T::Err| error.to_string())
}

/// The arguments of `tengen db delete`.
#[derive(Args, Debug)]
#[command(mut_arg("moves", |moves| {
    moves
        .required(true)
        .default_value(None::<&str>)
        .help("The position after these moves, such as \"h8 i9 h9\"; \"\" is the empty board")
}))]
pub(crate) struct DbDeleteArgs {
    /// The position.
    #[command(flatten)]
    pub(crate) position: PositionOption,

    /// Removes all that follows from the position as well.
    ///
    /// But for what another position leads to.
    #[arg(long)]
    pub(crate) recursive: bool,

    /// Removes instead the positions one move later that the filter chooses.
    ///
    /// With all that follows: w, l, wl, wld, nonwl, nonwld, wlnostep or wlinstep:N, by the result for
    /// the side that makes the move. With --recursive it looks below those that stay as well.
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Option<ResultFilter>,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db import`.
#[derive(Args, Debug)]
pub(crate) struct DbImportArgs {
    /// The way to read game records.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// The edge from which rows of cells (pos) count: top or bottom.
    #[arg(long, value_name = "EDGE", default_value = "top", hide_short_help = true)]
    pub(crate) origin: Origin,

    /// Keeps the scores that the players of a game gave its positions.
    #[arg(long)]
    pub(crate) scores: bool,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// A database, created if it does not exist.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Games, exported positions, or databases of Rapfi and Yixin; - is standard input.
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
}

/// A format to export to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExportFormat {
    /// All positions, one a line; holds everything.
    Json,
    /// A tree of moves after a position.
    Sgf,
    /// The same as a library of RenLib, on 15×15; it can't hold results and values.
    Lib,
    /// All positions of freestyle, standard and renju as Rapfi writes them: a line each with result or
    /// label, value and texts.
    Csv,
}

/// The arguments of `tengen db export`.
#[derive(Args, Debug)]
pub(crate) struct DbExportArgs {
    /// The position that the tree begins with.
    #[command(flatten)]
    pub(crate) position: PositionOption,

    /// The format.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,

    /// Ends the tree this number of moves after the position.
    ///
    /// The default is where nothing more is known.
    #[arg(long, value_name = "MOVES")]
    pub(crate) depth: Option<usize>,

    /// Ends the tree at this number of positions.
    #[arg(long, value_name = "NUMBER", default_value = "100000")]
    pub(crate) limit: usize,

    /// The encoding of texts in a library of RenLib, such as gbk.
    ///
    /// The default is windows-1252, or UTF-8 where that lacks letters.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) encoding: Option<CodePage>,

    /// Writes to this file; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db merge`.
#[derive(Args, Debug)]
pub(crate) struct DbMergeArgs {
    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The database to merge into, created if it does not exist.
    #[arg(value_name = "INTO")]
    pub(crate) into: PathBuf,

    /// The databases to merge.
    #[arg(value_name = "FROM", required = true)]
    pub(crate) from: Vec<PathBuf>,
}

/// The arguments of `tengen db propagate`.
#[derive(Args, Debug)]
pub(crate) struct DbPropagateArgs {
    /// Propagates values too.
    ///
    /// A position takes that of its best known move where it says more.
    #[arg(long)]
    pub(crate) values: bool,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db grow`.
#[derive(Args, Debug)]
pub(crate) struct DbGrowArgs {
    /// The position that the tree begins with.
    #[command(flatten)]
    pub(crate) position: PositionOption,

    /// Ends after this time, such as 90, 30m or 8h [default: no limit].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) time: Option<Duration>,

    /// Ends at this number of positions in the tree [default: no limit].
    ///
    /// Those of earlier runs included.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) positions: Option<u64>,

    /// Ends when this number of searches in a row changed nothing.
    ///
    /// The best move of the first position has stayed and its value has not left --tolerance, though
    /// at least one went on at the end of the best line; 0 is no limit. Every run counts anew.
    #[arg(long, value_name = "NUMBER", default_value = "500")]
    pub(crate) settled: u64,

    /// The change of a value that counts as none for --settled.
    ///
    /// In units of the evaluation.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "UNITS",
        default_value = "20",
        value_parser = clap::value_parser!(u32).range(..=30_000)
    )]
    pub(crate) tolerance: u32,

    /// The nodes of the search for each move.
    ///
    /// Four times as many where only best moves lead. The position after each move gets up to 64 times
    /// this number, until its value settles.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "20000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) nodes: u64,

    /// The number of moves that are searched of each position.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "5",
        value_parser = clap::value_parser!(u16).range(1..=484)
    )]
    pub(crate) width: u16,

    /// Searches no position to which moves lose more than this.
    ///
    /// Against the best ones, all together and with --ply-price, in units of the evaluation.
    #[arg(
        long,
        value_name = "UNITS",
        default_value = "400",
        value_parser = clap::value_parser!(u32).range(..=1_000_000)
    )]
    pub(crate) margin: u32,

    /// The cost of each move, out of the margin, even if it is the best.
    ///
    /// The less it is, the deeper are the best lines and the fewer are others.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "UNITS",
        default_value = "20",
        value_parser = clap::value_parser!(u32).range(..=1_000_000)
    )]
    pub(crate) ply_price: u32,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The memory of each thread, in mebibytes.
    ///
    /// The search and the prover have that much each.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "MIB",
        default_value = "32",
        value_parser = clap::value_parser!(u32).range(1..=65_536)
    )]
    pub(crate) hash: u32,

    /// Prints the summary as a JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// A database, created if it does not exist.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db check`.
#[derive(Args, Debug)]
pub(crate) struct DbCheckArgs {
    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// The arguments of `tengen db compact`.
#[derive(Args, Debug)]
pub(crate) struct DbCompactArgs {
    /// A database.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

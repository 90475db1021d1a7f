//! The arguments of `tengen analyse`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args};

use crate::common::options::{LookArgs, RecordSource, RunArgs, parse_time};
use tengen_core::notation::Origin;

/// The explanations after the options.
const AFTER_HELP: &str = "\
Examples:
  tengen analyse game.psq
  tengen analyse *.sgf --rule renju --nodes 100000 --journal review.jsonl
  tengen analyse match.jsonl --json > moves.jsonl
  tengen analyse --last                             the last game of tengen play
  tengen analyse --position game.psq --after 20
  tengen analyse game.psq --html game.html --sgf game.sgf

Chances are expected points of the player who moves: 100 % is a won game, and a draw is a half. A move is an \
inaccuracy if it loses 5 % or more against the best move, a mistake from 10 % and a blunder from 15 %; it is a \
blunder too if it gives the opponent a proven win that another move does not. Where a better move seems to be worth \
that much, the position after it is searched as well, so that both moves are judged by what comes after them. Two \
kinds of moves are not faults:
  - a position is lost already if the opponent has a proven win, below 5 %, or below 10 % if the
    move leads to a proven loss;
  - a move that leaves a proven win is good if it wins too: by a longer proof, or with 90 % or
    more. With less it is a missed win.
A move is forced if all other moves lose at once. Every fault has a reason: a threat that was left or missed, what \
the opponent wins or makes now, or how it goes on.

The accuracy of a side is 100 % if its moves lose nothing; a move is 80 % if it loses 5 %, 64 % for 10 % and 32 % \
for 25 %. It is taken half from the mean of the moves, in which those count more that were made when the chances \
moved, and half from their harmonic mean, to which single bad moves matter, as lichess does. Moves of the opening, \
forced ones, and those of a position that was lost already do not count. Where a game was lost for good, all later \
positions are proven to be lost.

With --json there is an object on a line for each move: game (counted over all files), file, number (of the game in \
it), ply, color, move, best, line, win_before and win_after (expected points from 0 to 1), wdl_before and wdl_after \
(chances to win, draw and lose), proven_before and proven_after (the winner of a proven win, the plies to it, and \
whether it is by fours, threats or anything), class (book, forced, lost, best, good, inaccuracy, mistake, \
missed_win, blunder), why, a list of remarks on the move, of a fault what is wrong with it first, and better, one of \
remarks on the best move if this one was a fault. Cells count from the top there.

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

Ctrl-C ends the review; what is known of the games that run, their last moves, is printed. A second time ends the \
program.

The exit code is 0 if all games are reviewed, 1 after an error, 2 if the options make no sense, and 130 if Ctrl-C \
ended the review before.";

/// The arguments of `tengen analyse`.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER_HELP,
    group(ArgGroup::new("games").args(["moves", "last", "position", "files"]).required(true).multiple(true))
)]
pub(crate) struct AnalyseArgs {
    /// The way to read the files.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// Takes these moves instead of a file, such as "h8 i9 h9".
    ///
    /// Also h8i9h9 or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with = "files"
    )]
    pub(crate) moves: Option<String>,

    /// Takes the last game of tengen play.
    #[arg(long, conflicts_with_all = ["files", "moves"])]
    pub(crate) last: bool,

    /// The analysis of one position.
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Searches this number of nodes for each position [default: 20000].
    ///
    /// Other moves get half as many more, proofs a quarter, the proof of a win that the search has found as
    /// many again, and the position after a better move all of this once more. The review is the same on every
    /// machine then. With --position there is no limit by default.
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000)
    )]
    pub(crate) nodes: Option<u64>,

    /// Takes this time for each position instead.
    ///
    /// The position after a better move takes it once more.
    #[arg(long, value_name = "TIME", value_parser = parse_some_time, conflicts_with = "nodes")]
    pub(crate) time: Option<Duration>,

    /// Does not judge this number of first moves of each game.
    ///
    /// The default is those that the file calls the opening.
    #[arg(long, value_name = "MOVES", hide_short_help = true)]
    pub(crate) book: Option<usize>,

    /// The threads and the progress: games that are reviewed at the same time, or the threads of the
    /// search with --position.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The memory of each thread, in mebibytes [default: 16].
    ///
    /// The search and the prover have that much each. With --position it is the memory of the search
    /// with all threads, by default 256.
    #[arg(
        long,
        value_name = "MIB",
        value_parser = clap::value_parser!(u32).range(1..=16_384),
        hide_short_help = true
    )]
    pub(crate) hash: Option<u32>,

    /// Keeps finished games in this file, to resume after an interruption.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// The edge from which rows count: top or bottom.
    ///
    /// In text, and in rows of cells (pos) that are read. The default is bottom in renju, otherwise
    /// top, and always top for rows of cells.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,

    /// Writes the review as a page for any browser.
    ///
    /// One page for all games: replay, chances, better moves and lines, proofs to play against, and
    /// the mistakes as exercises.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Opens the page in the browser.
    #[cfg(feature = "web")]
    #[arg(long, requires = "html")]
    pub(crate) open: bool,

    /// Writes the games with comments, marks and variations.
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,

    /// Prints JSON objects instead of text: one for each move, or each depth of a position.
    #[arg(long)]
    pub(crate) json: bool,

    /// The look of what is drawn.
    #[command(flatten)]
    pub(crate) look: LookArgs,

    /// Files of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl AnalyseArgs {
    /// Returns the edge from which the rows of typed cells count, if not from the usual one: with `--json` from the top,
    /// as in what is printed.
    pub(super) fn typed_origin(&self) -> Option<Origin> {
        self.origin.or_else(|| self.json.then_some(Origin::Top))
    }
}

/// The options of the analysis of one position.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Analyses one position, deeper and deeper, until you end it.
    ///
    /// The best moves with their chances are on the whole screen. Where standard output is not a
    /// terminal, or with --json, they are printed whenever they are known a ply deeper.
    #[arg(long, conflicts_with_all = ["book", "journal", "html", "sgf"])]
    pub(crate) position: bool,

    /// With --position: in the game of this number in FILE [default: 1].
    #[arg(long, value_name = "NUMBER", requires = "position", requires = "files")]
    pub(crate) game: Option<usize>,

    /// With --position: after this number of moves [default: all].
    #[arg(long, aliases = ["ply", "move"], value_name = "NUMBER", requires = "position")]
    pub(crate) after: Option<usize>,

    /// With --position: compares this number of moves [default: 5].
    #[arg(
        short = 'n',
        long,
        value_name = "NUMBER",
        requires = "position",
        value_parser = clap::value_parser!(u8).range(1..=30)
    )]
    pub(crate) lines: Option<u8>,

    /// With --position: ends at this depth, in plies.
    #[arg(
        long,
        value_name = "PLIES",
        requires = "position",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) depth: Option<u32>,
}

/// Parses a time above 0.
fn parse_some_time(text: &str) -> Result<Duration, String> {
    match parse_time(text)? {
        Duration::ZERO => Err("the time must be above 0".to_owned()),
        time => Ok(time),
    }
}

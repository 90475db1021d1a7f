//! The arguments of `tengen analyse`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::common::options::{LookArgs, PositionArgs, RecordSource, parse_time};
use tengen_core::notation::Origin;

/// The explanations after the options.
const AFTER_HELP: &str = "\
Examples:
  tengen analyse game.psq
  tengen analyse *.sgf --rule renju --nodes 100000 --journal review.jsonl
  tengen analyse match.jsonl --json > moves.jsonl
  tengen analyse --position game.psq --ply 20
  tengen analyse game.psq --html game.html --sgf game.sgf

Chances are expected points of the player who moves: 100 % is a won game, and a draw is a half. A move
is an inaccuracy if it loses 5 % or more against the best move, a mistake from 10 % and a blunder from
15 %; it is a blunder too if it gives the opponent a proven win that another move does not. Where a
better move seems to be worth that much, the position after it is searched as well, so that both moves
are judged by what comes after them. Two kinds of moves are not faults:
  - a position is lost already if the opponent has a proven win, from less than 5 %, and from less
    than 10 % to a proven loss;
  - a move that leaves a proven win is good if it wins too: by a longer proof, or with 90 % or more.
    With less it is a missed win.
A move is forced if all other moves lose at once. Every fault has a reason: a threat that was left or
missed, what the opponent wins or makes now, or how it goes on.

The accuracy of a side is 100 % if its moves lose nothing; a move is 80 % if it loses 5 %, 64 % for
10 % and 32 % for 25 %. It is taken half from the mean of the moves, in which those count more that
were made when the chances moved, and half from their harmonic mean, to which single bad moves matter,
as lichess does. Moves of the opening, forced ones, and those of a position that was lost already do not
count. Where a game was lost for good, all later positions are proven to be lost.

With --json there is an object on a line for each move: game (counted over all files), file, number
(of the game in it), ply, color, move, best, line, win_before and win_after (expected points from 0 to
1), wdl_before and wdl_after (chances to win, draw and lose), proven_before and proven_after (the
winner of a proven win, the plies to it, and whether it is by fours, threats or anything), class
(book, forced, lost, best, good, inaccuracy, mistake, missed_win, blunder), why, a list of remarks on
the move, of a fault what is wrong with it first, and better, one of remarks on the best move if this
one was a fault. Cells count from the top there.

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

Ctrl-C ends the review; what is known of the games that run, their last moves, is printed. A second
time ends the program.

The exit code is 0 if all games are reviewed, 1 after an error, 2 if the options make no sense, and
130 if Ctrl-C ended the review before.";

/// The arguments of `tengen analyse`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct AnalyseArgs {
    /// The way to read the files.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// The analysis of one position.
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Searches this number of nodes for the best move of each position, a half more for other moves,
    /// and looks at a quarter more of positions for proofs; to show a win that the search has found,
    /// at as many again. The position after a better move takes the same once more. The review is the same on every machine then [default: 20000, and without
    /// an end for --position].
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000)
    )]
    pub(crate) nodes: Option<u64>,

    /// Takes this time for each position instead, and for that after a better move.
    #[arg(long, value_name = "TIME", value_parser = parse_some_time, conflicts_with = "nodes")]
    pub(crate) time: Option<Duration>,

    /// Does not judge the first moves of each game, this number of them [default: those that the
    /// file calls the opening].
    #[arg(long, value_name = "MOVES")]
    pub(crate) book: Option<usize>,

    /// Reviews this number of games at the same time [default: one for each core]. The review is
    /// the same for any number. With --position, searches with this number of threads.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// The memory of the search and that of the prover, in mebibytes, for each thread [default: 16];
    /// for --position that of the search with all threads [default: 256].
    #[arg(
        long,
        value_name = "MIB",
        value_parser = clap::value_parser!(u32).range(1..=16_384)
    )]
    pub(crate) hash: Option<u32>,

    /// Keeps finished games in this file; the same command resumes from there.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// The edge from which rows count in text and in rows of cells (pos) that are read: top or
    /// bottom [default: bottom in renju, otherwise top, and always top for rows of cells].
    #[arg(long, value_name = "EDGE")]
    pub(crate) origin: Option<Origin>,

    /// Writes the review as a page to be opened in a browser, for all games together: replay, chances,
    /// better moves and lines, proofs to play against, and the mistakes as exercises.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Writes the games with the review as comments, marks and variations, for other programs.
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,

    /// Prints a JSON object for each move instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// The look of what is drawn.
    #[command(flatten)]
    pub(crate) look: LookArgs,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Files of games; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "position")]
    pub(crate) files: Vec<PathBuf>,
}

/// Parses a time above 0.
fn parse_some_time(text: &str) -> Result<Duration, String> {
    match parse_time(text)? {
        Duration::ZERO => Err("the time must be above 0".to_owned()),
        time => Ok(time),
    }
}

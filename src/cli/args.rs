//! The command line as text: what can be typed, no logic. The doc comments are the help.

pub mod matches;
pub mod searching;
pub mod solving;
pub mod tuning;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use matches::{MATCH_USAGE, MatchArgs};
use solving::{SolveArgs, VerifyArgs};
use tuning::TuneArgs;

use crate::bench::DEFAULT_DEPTH;
use crate::openings::{Balancing, Format, StoneCount};
use crate::protocol::Coordinates;
use crate::records;
use crate::rules::Rule;
use crate::search::Params;
use crate::search::params::{Assignment, ParamError};
use crate::types::Size;

/// A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol.
///
/// Without a command, tengen speaks the protocol on standard input and output, as game managers
/// expect it; unknown options are ignored then.
#[derive(Parser, Debug)]
#[command(name = "tengen", version, max_term_width = 100)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What tengen can do besides speaking the protocol.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Checks that an engine keeps to the protocol, with transcripts of conversations.
    ///
    /// Prints a line for each transcript and exits with 1 if one of them failed.
    Conformance(ConformanceArgs),

    /// Measures speed: moves played and taken back, and searches of fixed positions.
    ///
    /// With one thread the sum of the nodes searched is the same on every machine: the signature
    /// of the search. It changes only if the search or the evaluation does.
    Bench(BenchArgs),

    /// Makes balanced openings for matches.
    ///
    /// Each is made of random stones close together and of one or two stones found by search that
    /// even the chances out. Openings are the same for the same options, whatever the number of
    /// threads, and no two are equal under the symmetries of the board. With --output, the same
    /// command again goes on where it was interrupted, or makes the file longer.
    Openings(OpeningsArgs),

    /// Converts game records between formats.
    ///
    /// The formats are psq (Piskvork), sgf, pos (rows of cells), offset (distances from the
    /// middle), pgn (results for rating tools) and json (one object a line, holds everything). They
    /// are told by the extensions of the files. What the output cannot hold is named on standard
    /// error.
    Convert(ConvertArgs),

    /// Shows a game of a file: the board, the moves and the result.
    Show(ShowArgs),

    /// Plays matches between engines: two or many of them, programs or evaluators of our own.
    ///
    /// Prints a line for each finished game and a table at the end. With --journal no finished game
    /// is lost, whatever happens, and the same command again goes on with the match.
    #[command(override_usage = MATCH_USAGE)]
    Match(Box<MatchArgs>),

    /// Looks for forced wins, and proves them.
    ///
    /// A forced win is one by threats that leave no choice: fours, threes, and moves that threaten to
    /// win by fours. The side to move after the last move of each game is asked for. Positions come
    /// from files of all formats that hold moves, or from --moves. Without a rule in the file or on
    /// the command line, it is freestyle.
    Solve(SolveArgs),

    /// Checks certificates of forced wins by the plain rules of the game alone.
    ///
    /// Every legal reply to every move is tried. What is not proved is told with the moves that lead
    /// there.
    Verify(VerifyArgs),

    /// Makes the numbers of the evaluation and of the search: plays games against itself and fits
    /// the numbers to them.
    Tune(TuneArgs),
}

/// The arguments of `tengen conformance`.
#[derive(clap::Args, Debug)]
pub struct ConformanceArgs {
    /// The engine: a program and its arguments; quotes protect blanks.
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,

    /// Multiplies every deadline; above 1 for slow or busy machines.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = parse_factor)]
    pub slack: f64,

    /// Plays this many transcripts at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..=64)
    )]
    pub jobs: u16,

    /// Transcripts, or directories of them.
    #[arg(value_name = "PATH", default_value = "protocol-tests")]
    pub paths: Vec<PathBuf>,
}

/// The arguments of `tengen bench`.
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Searches with this many threads; with more than one there is no signature.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,

    /// Uses only this rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE")]
    pub rule: Option<Rule>,

    /// Searches to this depth, in plies, or to five million nodes a position.
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = DEFAULT_DEPTH as u8,
        value_parser = clap::value_parser!(u8).range(1..=60)
    )]
    pub depth: u8,

    /// Evaluates with the weights of this file instead of those that the program comes with; may
    /// be repeated, once for each rule.
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,

    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Gives a parameter of the search another value; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<Assignment>,
}

/// The arguments of `tengen openings`.
#[derive(clap::Args, Debug)]
pub struct OpeningsArgs {
    /// Makes so many openings.
    #[arg(
        short,
        long,
        value_name = "NUMBER",
        default_value = "100",
        value_parser = clap::value_parser!(u64).range(1..=100_000_000)
    )]
    pub number: u64,

    /// The rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE", default_value = "freestyle")]
    pub rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Writes openings as rows of cells such as h8i9h9 (pos), or as distances from the cell in the
    /// middle (offset).
    #[arg(long, value_name = "FORMAT", default_value = "pos")]
    pub format: Format,

    /// Writes to this file, and keeps what is needed to go on with it in a file next to it, with
    /// .state added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Makes openings at the same time with this many threads.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,

    /// Shows no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Makes other openings.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub seed: u64,

    /// The number of random stones, such as 4 or 3-6 [default: by rule and size].
    #[arg(long, value_name = "NUMBERS")]
    pub stones: Option<StoneCount>,

    /// The edge of the box in which the random stones stand, in cells [default: by rule and size].
    #[arg(long = "box", value_name = "CELLS")]
    pub area: Option<u8>,

    /// The least distance of the box from the edge of the board, in cells [default: 2].
    #[arg(long, value_name = "CELLS")]
    pub margin: Option<u8>,

    /// The number of balancing stones: 1, 2, or 1-2 for two where no single one will
    /// do.
    #[arg(long, value_name = "NUMBERS", default_value = "1-2")]
    pub balance: Balancing,

    /// How far from 0 the score of an opening may be, in the units of the evaluation
    /// [default: 50].
    #[arg(long, value_name = "UNITS")]
    pub window: Option<i32>,

    /// Searches so many nodes for one balancing stone, six times as many for two [default: 50000].
    #[arg(long, value_name = "NUMBER")]
    pub nodes: Option<u64>,

    /// Searches so many nodes for the final score [default: 500000].
    #[arg(long, value_name = "NUMBER")]
    pub check_nodes: Option<u64>,

    /// The size of the transposition table of each thread, in mebibytes. Other sizes may give other
    /// openings.
    #[arg(long, value_name = "MIB", default_value = "16")]
    pub hash: u32,
}

/// How to read game records.
#[derive(clap::Args, Debug)]
pub struct RecordSource {
    /// The format of the input [default: by extension, or else by how it begins].
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<records::Format>,

    /// The size of the board, such as 15 or 20x15, where the input does not tell it [default: the
    /// smallest of 15, 20 and 22 that holds all moves].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub size: Option<Size>,

    /// The rule, where the input does not tell it: freestyle, standard, renju, caro or caro-exact.
    /// With it, the result is found out by playing the moves.
    #[arg(long, value_name = "RULE")]
    pub rule: Option<Rule>,
}

/// The arguments of `tengen convert`.
#[derive(clap::Args, Debug)]
pub struct ConvertArgs {
    /// How to read the input.
    #[command(flatten)]
    pub source: RecordSource,

    /// The format of the output [default: by the extension of --output].
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<records::Format>,

    /// Writes to this file; - is standard output. Several games in a format that holds one a file
    /// go to files with numbers added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Files of games; - is standard input.
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
}

/// The arguments of `tengen show`.
#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// How to read the file.
    #[command(flatten)]
    pub source: RecordSource,

    /// Shows this game of the file, counted from 1.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub game: usize,

    /// Shows the board after this move, counted from 1; 0 is the empty board [default: the last].
    #[arg(long = "move", value_name = "NUMBER")]
    pub moves: Option<usize>,

    /// Draws the board as a picture to this file instead; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// A file of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Returns whether a program with this path is the engine, whatever its arguments: game managers expect
/// a file whose name begins with `pbrain`, so a copy of the tool or a link to it can serve as one.
#[must_use]
pub fn names_engine(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default().as_encoded_bytes();
    name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"pbrain"))
}

/// Returns whether a first argument asks for the tool and not for the protocol.
///
/// Managers start engines with options of their own, such as `--force-utf8`; only a word without
/// a dash can be a command.
#[must_use]
pub fn asks_for_tool(first: Option<&OsStr>) -> bool {
    let Some(first) = first else { return false };
    let is_option = first.as_encoded_bytes().starts_with(b"-");
    !is_option || ["-h", "--help", "-V", "--version"].iter().any(|option| first == *option)
}

/// Returns what `--coordinates xy` or `yx` among the arguments says of the numbers of a cell. In the
/// protocol this, `--param` and `--weights` are the only options; all others are for somebody else.
#[must_use]
pub fn coordinates(args: impl Iterator<Item = OsString>) -> Option<Coordinates> {
    let mut args = args.skip_while(|arg| arg != "--coordinates").skip(1);
    args.next()?.to_str().and_then(Coordinates::parse)
}

/// Returns the parameters of the search that `--param NAME=VALUE` among the arguments asks for, in the
/// protocol; it may be repeated. All other options are for somebody else.
///
/// # Errors
///
/// Returns what is wrong with one of them: an engine that plays on with other numbers than it was
/// given would spoil the match that was to try them.
pub fn params(args: impl Iterator<Item = OsString>) -> Result<Params, ParamError> {
    let mut params = Params::DEFAULT;
    for value in values(args, "--param") {
        params.assign(value.to_string_lossy().parse()?);
    }
    Ok(params)
}

/// Returns the files that `--weights FILE` among the arguments asks for, in the protocol; it may be
/// repeated. All other options are for somebody else.
#[must_use]
pub fn weights(args: impl Iterator<Item = OsString>) -> Vec<PathBuf> {
    values(args, "--weights").into_iter().map(PathBuf::from).collect()
}

/// Returns the values of an option among the arguments, given as the next argument or after `=`. A
/// value that is missing is empty.
fn values(args: impl Iterator<Item = OsString>, option: &str) -> Vec<OsString> {
    let mut args = args.skip(1);
    let mut values = Vec::new();
    while let Some(arg) = args.next() {
        let Some(rest) = arg.to_str().and_then(|text| text.strip_prefix(option)) else { continue };
        if rest.is_empty() {
            values.push(args.next().unwrap_or_default());
        } else if let Some(value) = rest.strip_prefix('=') {
            values.push(value.into());
        }
    }
    values
}

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (0.1..=1000.0).contains(&factor) => Ok(factor),
        _ => Err("it is not a number from 0.1 to 1000".to_owned()),
    }
}

fn parse_size(text: &str) -> Result<Size, String> {
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse::<u8>().ok().filter(|_| digits).map(i64::from);
        number.ok_or_else(|| "it is not a size such as 15 or 20x15".to_owned())
    };
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    Size::new(number(width)?, number(height)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_name_of_the_file_can_make_it_the_engine() {
        let names = |program: &str| names_engine(OsStr::new(program));
        assert!(names("pbrain-tengen") && names("/a/PBRAIN-tengen64.exe") && names("../pbrain"));
        assert!(!names("tengen") && !names("pbrain/tengen") && !names("pbr") && !names(""));
    }

    #[test]
    fn foreign_options_start_the_protocol() {
        let asks = |first: &str| asks_for_tool(Some(OsStr::new(first)));
        assert!(!asks_for_tool(None) && !asks("--force-utf8") && !asks("-x"));
        assert!(asks("conformance") && asks("--help") && asks("-V") && asks("help"));
    }

    #[test]
    fn the_option_of_the_protocol_is_found_among_others() {
        let told = |line: &str| coordinates(line.split(' ').map(OsString::from));
        assert_eq!(told("pbrain --force-utf8 --coordinates yx"), Some(Coordinates::RowColumn));
        assert_eq!(told("pbrain --coordinates XY --more"), Some(Coordinates::ColumnRow));
        for line in ["pbrain", "pbrain --coordinates", "pbrain --coordinates zz", "pbrain yx"] {
            assert_eq!(told(line), None, "{line}");
        }
    }

    #[test]
    fn the_files_of_weights_are_found_among_others() {
        let found = |line: &str| weights(line.split(' ').map(OsString::from));
        let both = ["a", "b"].map(PathBuf::from);
        assert_eq!(found("pbrain --weights a --coordinates yx --weights=b --x"), both);
        assert_eq!(found("pbrain --weights"), [PathBuf::new()]);
        for line in ["pbrain", "pbrain weights a", "pbrain --weight a", "--weights a"] {
            assert!(found(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn parameters_of_the_protocol_are_found_among_other_options() {
        let told = |line: &str| params(line.split(' ').map(OsString::from));
        assert_eq!(told("pbrain --force-utf8 -x --params"), Ok(Params::DEFAULT));
        let line = "pbrain --param aspiration=30 --force-utf8 --param=razor_base=7";
        let changed: Vec<_> = told(line).unwrap().changed().map(|a| a.to_string()).collect();
        assert_eq!(changed, ["razor_base=7", "aspiration=30"]);
        for line in ["pbrain --param", "pbrain --param x=1", "pbrain --param=aspiration=0"] {
            assert!(told(line).is_err(), "{line}");
        }
    }

    #[test]
    fn slack_is_a_sensible_number() {
        assert_eq!(parse_factor("2.5"), Ok(2.5));
        for text in ["0", "-1", "NaN", "inf", "fast", ""] {
            assert!(parse_factor(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_one_edge_or_two() {
        assert_eq!(parse_size("15"), Ok(Size::square(15).unwrap()));
        assert_eq!(parse_size("20x15"), Ok(Size::new(20, 15).unwrap()));
        for text in ["", "x", "15x", "x15", "4", "23", "15x23", "15x15x15", "-15", "+15", "15 "] {
            assert!(parse_size(text).is_err(), "{text:?}");
        }
    }
}

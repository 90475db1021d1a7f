//! The command line as text: what can be typed, no logic. The doc comments are the help.

pub mod analysing;
pub mod databases;
pub mod exploring;
pub mod looking;
pub mod matches;
pub mod playing;
pub mod searching;
pub mod solving;
pub mod tuning;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use analysing::AnalyseArgs;
use databases::DbArgs;
use matches::{MATCH_USAGE, MatchArgs};
use playing::PlayArgs;
use solving::{SolveArgs, VerifyArgs};
use tuning::TuneArgs;

use crate::bench::DEFAULT_DEPTH;
use crate::conformance::Manager;
use crate::engine::{Level, LevelError, Skill};
use crate::notation::Origin;
use crate::openings::{Balancing, OpeningFormat, StoneCount};
use crate::protocol::Coordinates;
use crate::records;
use crate::rules::{Rule, RuleNameError};
use crate::search::Params;
use crate::search::params::{Assignment, ParamError};
use crate::types::Size;

/// The examples after the help of the program.
const EXAMPLES: &str = "\
Examples:
  tengen solve --moves \"h8 a1 i8 a3 j8 a5\"     is there a forced win, and how?
  tengen play --line                            a game against the engine, by typed cells
  tengen show game.psq                          the board and the moves of a game
  tengen analyse game.psq                       which moves were mistakes?
  tengen convert game.psq -o game.sgf
  tengen match --engine builtin=patterns --engine builtin=shapes
  tengen help solve                             all options of a command

Without a command, tengen waits for a game manager: START 15, then BEGIN or TURN 7,7, then END.";

/// A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol.
///
/// Without a command, tengen speaks the protocol on standard input and output, as game managers
/// expect it; their own options are ignored then.
#[derive(Parser, Debug)]
#[command(
    name = "tengen",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
)]
pub struct Args {
    /// Options of the protocol.
    #[command(flatten)]
    pub protocol: ProtocolArgs,

    /// The command.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The options that count where the protocol is spoken.
#[derive(clap::Args, Clone, Default, PartialEq, Debug)]
pub struct ProtocolArgs {
    /// Names cells in messages by column and row from the top (xy), or as Yixin-Board does (yx)
    /// [default: as the manager seems to].
    #[arg(long, value_name = "xy|yx", value_parser = parse_coordinates)]
    pub coordinates: Option<Coordinates>,

    /// Plays at a level from 1, a beginner's, to 10, full strength. INFO strength can only lower it.
    /// Analysis is always at full strength.
    #[arg(long, value_name = "LEVEL", default_value = "10")]
    pub level: Level,

    /// Takes the chances of the levels below 10 from this number, so that equal games are played
    /// equally [default: from the system].
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Gives a parameter of the search another value; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<Assignment>,

    /// Evaluates with the weights of this file, and no network, instead of those that the program
    /// comes with; may be repeated, once for each rule.
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,

    /// Corrects the evaluation by the network of this file instead of the one that the program
    /// comes with, or by none if it is called none; may be repeated, once for each rule.
    #[arg(long = "network", value_name = "FILE")]
    pub networks: Vec<PathBuf>,

    /// Uses this database of positions, which is made if it is not there: searches read it and write
    /// down what they find, and Yixin-Board can query and edit it.
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,

    /// Opens games from this book, a database of positions that is only read: where it knows enough,
    /// its moves are played without a search. Managers can name another one with INFO book.
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
}

/// Why the options of the protocol cannot be used.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProtocolArgError {
    /// A parameter of the search.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The level.
    #[error("--level")]
    Level(#[from] LevelError),
    /// The seed.
    #[error("--seed: it is not a number from 0 to 18446744073709551615")]
    Seed,
}

impl ProtocolArgs {
    /// Returns the options among the arguments of a process. Managers start engines with options
    /// of their own, such as `--force-utf8`, so all others are for somebody else.
    ///
    /// # Errors
    ///
    /// Returns the fault of a number: an engine that plays on with other numbers than it was given
    /// would spoil the match that was to try them.
    pub fn among(args: impl Iterator<Item = OsString>) -> Result<ProtocolArgs, ProtocolArgError> {
        let args: Vec<OsString> = args.collect();
        let coordinates = values(&args, "--coordinates");
        let params = values(&args, "--param");
        let number = |name| values(&args, name).first().map(|n| n.to_string_lossy().into_owned());
        let paths = |name| values(&args, name).into_iter().map(PathBuf::from).collect();
        Ok(ProtocolArgs {
            coordinates: coordinates
                .first()
                .and_then(|text| text.to_str())
                .and_then(Coordinates::parse),
            level: number("--level").map_or(Ok(Level::FULL), |level| level.parse())?,
            seed: number("--seed")
                .map(|seed| seed.parse().map_err(|_| ProtocolArgError::Seed))
                .transpose()?,
            params: params
                .iter()
                .map(|value| value.to_string_lossy().parse())
                .collect::<Result<_, _>>()?,
            weights: paths("--weights"),
            networks: paths("--network"),
            database: paths("--database").pop(),
            book: paths("--book").pop(),
        })
    }

    /// Returns how well to play.
    #[must_use]
    pub const fn skill(&self) -> Skill {
        Skill { level: self.level, seed: self.seed }
    }

    /// Returns the parameters of the search.
    #[must_use]
    pub fn search_params(&self) -> Params {
        self.params.iter().copied().collect()
    }
}

/// The commands of tengen: all that it does besides speaking the protocol.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Checks that an engine keeps to the protocol, with transcripts of conversations.
    ///
    /// Each is a must, a should or an extension for some managers. Prints a line for each failure, and
    /// at the end what they mean to the managers. Exits with 1 if a must failed.
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
    /// middle), pgn (results for rating tools) and json (one object a line, holds everything). The
    /// extensions of the files tell which. What the output cannot hold is named on standard error.
    Convert(ConvertArgs),

    /// Shows a game of a file: the board, the moves and the result.
    Show(ShowArgs),

    /// Plays a game with you, or between two people, or two engines.
    ///
    /// On the whole terminal, or by typed text: --line. Any rule, size and clock; moves can be
    /// taken back, positions set up, games of every format loaded and saved.
    Play(Box<PlayArgs>),

    /// Reviews whole games: which moves were mistakes, and where the game was lost.
    ///
    /// Tells the chances before and after each move, the better move and why, proven wins with their
    /// length, the accuracy of both sides, the turning point, and the move after which the game is
    /// proven to be lost. Files of all formats that hold moves are read. Without a rule in the file
    /// or on the command line, it is freestyle.
    Analyse(Box<AnalyseArgs>),

    /// Plays matches between engines: two or many of them, programs or evaluators of our own.
    ///
    /// Prints a line for each finished game and a table at the end. With --journal no finished game
    /// is lost, whatever happens, and the same command again goes on with the match.
    #[command(override_usage = MATCH_USAGE)]
    Match(Box<MatchArgs>),

    /// Looks for forced wins (VCF and VCT), and proves them.
    ///
    /// A forced win is one by threats that leave no choice: continuous fours (VCF), or fours,
    /// threes and moves that threaten to win by fours (VCT). The attacker is the side to move after
    /// the last move of each game. Positions come from files of all formats that hold moves, or
    /// from --moves. Without a rule in the file or on the command line, it is freestyle.
    Solve(SolveArgs),

    /// Checks certificates of forced wins by the plain rules of the game alone.
    ///
    /// Tries every legal reply to every move. Where the proof has a gap, the moves that lead there
    /// are printed.
    Verify(VerifyArgs),

    /// Makes the weights of the evaluation and the parameters of the search: plays games against
    /// itself and fits the weights to them.
    Tune(TuneArgs),

    /// Keeps a database of positions: values, proven results, best moves and texts.
    ///
    /// Positions are known by their stones, up to the symmetries of the board, for each rule and size.
    /// Whatever is reported is saved, even if the program is killed.
    Db(DbArgs),
}

/// The arguments of `tengen conformance`.
#[derive(clap::Args, Debug)]
pub struct ConformanceArgs {
    /// The engine: a program and its arguments; quotes protect blanks.
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,

    /// Plays what a manager needs: gomocup, piskvork, yixin-board, qpiskvork, c-gomoku-cli,
    /// gomocalc, pygomo, judge-local or cute; or all transcripts, those about nobody's needs
    /// included: all [default: gomocup, and all of the transcripts that are named].
    #[arg(long, value_name = "PROFILE", value_parser = parse_profile)]
    pub profile: Option<ProfileArg>,

    /// Makes the exit code 1 also if something failed that is no must, or was warned of, and makes
    /// warnings failures.
    #[arg(long)]
    pub strict: bool,

    /// Shows what passed, and of failures the whole conversation.
    #[arg(short, long)]
    pub verbose: bool,

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

    /// Transcripts, or directories of them [default: those that the program carries].
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// The manager whose needs are played, or everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileArg(pub Option<Manager>);

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
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub rule: Option<Rule>,

    /// Searches to this depth, in plies, or to five million nodes a position.
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = DEFAULT_DEPTH as u8,
        value_parser = clap::value_parser!(u8).range(1..=60)
    )]
    pub depth: u8,

    /// Evaluates with the weights of this file, and no network, instead of those that the program
    /// comes with; may be repeated, once for each rule.
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,

    /// Corrects the evaluation by the network of this file instead of the one that the program
    /// comes with, or by none if it is called none; may be repeated, once for each rule.
    #[arg(long = "network", value_name = "FILE")]
    pub networks: Vec<PathBuf>,

    /// Compares the nodes per second with and without the network instead, in positions of whole
    /// games.
    #[arg(long, conflicts_with = "depth")]
    pub compare: bool,

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
    /// Makes this number of openings.
    #[arg(
        short,
        long,
        value_name = "NUMBER",
        default_value = "100",
        value_parser = clap::value_parser!(u64).range(1..=100_000_000)
    )]
    pub number: u64,

    /// The rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = parse_rule)]
    pub rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Writes openings as rows of cells such as h8i9h9 (pos), or as distances from the cell in the
    /// middle (offset).
    #[arg(long, value_name = "FORMAT", default_value = "pos")]
    pub format: OpeningFormat,

    /// Writes to this file, and keeps what is needed to go on with it in a file next to it, with
    /// .state added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Makes this number of openings at the same time [default: one for each core].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

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

    /// The number of balancing stones: 1, 2, or 1-2 for two where no single one will do.
    #[arg(long, value_name = "NUMBERS", default_value = "1-2")]
    pub balance: Balancing,

    /// The largest distance of the score of an opening from 0, in the units of the evaluation
    /// [default: 50].
    #[arg(long, value_name = "UNITS")]
    pub window: Option<i32>,

    /// Searches this number of nodes for one balancing stone, six times as many for two
    /// [default: 50000].
    #[arg(long, value_name = "NUMBER")]
    pub nodes: Option<u64>,

    /// Searches this number of nodes for the final score [default: 500000].
    #[arg(long, value_name = "NUMBER")]
    pub check_nodes: Option<u64>,

    /// The size of the transposition table of each thread, in mebibytes. Other sizes may give other
    /// openings.
    #[arg(long, value_name = "MIB", default_value = "16")]
    pub hash: u32,
}

/// The way to read game records.
#[derive(clap::Args, Debug)]
pub struct RecordSource {
    /// The format of the input [default: by extension, or else by how it begins].
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<records::Format>,

    /// The size of the board, such as 15 or 20x15, where the input does not tell it [default: the
    /// smallest of 15, 20 and 22 that holds all moves].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub size: Option<Size>,

    /// The rule, where the input does not tell it: freestyle (0), standard (1), renju (4 or 2),
    /// caro (8) or caro-exact (9). With it, the result is found out by playing the moves.
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub rule: Option<Rule>,

    /// The encoding of texts, such as utf-8, gbk, big5, shift_jis, euc-kr or windows-1251; RenLib
    /// libraries (lib) are written in it, too [default: as the file says, or else utf-8 if it is that,
    /// or else the likely one].
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<records::CodePage>,

    /// Refuses games about which there would be a warning.
    #[arg(long)]
    pub strict: bool,
}

/// The arguments of `tengen convert`.
#[derive(clap::Args, Debug)]
pub struct ConvertArgs {
    /// The way to read the input.
    #[command(flatten)]
    pub source: RecordSource,

    /// The format of the output [default: by the extension of --output].
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<records::Format>,

    /// Writes to this file; - is standard output. Several games in a format that holds one a file
    /// go to files with numbers added to the name.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The edge from which rows of cells (pos) in the input count: top or bottom. Other programs,
    /// such as Yixin-Board, count them from the bottom.
    #[arg(long, value_name = "EDGE", default_value = "top")]
    pub origin: Origin,

    /// The edge from which rows of cells (pos) in the output count: top or bottom.
    #[arg(long, value_name = "EDGE", default_value = "top")]
    pub output_origin: Origin,

    /// Files of games; - is standard input.
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
}

/// The arguments of `tengen show`.
#[derive(clap::Args, Debug)]
pub struct ShowArgs {
    /// The way to read the file.
    #[command(flatten)]
    pub source: RecordSource,

    /// Shows this game of the file, counted from 1.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub game: usize,

    /// Shows the board after this move, counted from 1; 0 is the empty board [default: the last].
    #[arg(long = "move", value_name = "NUMBER")]
    pub moves: Option<usize>,

    /// The edge from which rows count, on the board, in the list of moves, and in rows of cells
    /// (pos) that are read: top or bottom [default: bottom in renju, as it is printed; otherwise
    /// top, and always top for rows of cells, so that cells come out as they went in].
    #[arg(long, value_name = "EDGE")]
    pub origin: Option<Origin>,

    /// Draws the board as a picture to this file instead; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// A file of games; - is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Returns whether a program with this path is the engine, whatever its arguments: game managers
/// expect a file whose name begins with `pbrain`, so a copy of the tool or a link to it can serve
/// as one.
#[must_use]
pub fn names_engine(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default().as_encoded_bytes();
    name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"pbrain"))
}

/// Returns the values of an option among the arguments, given as the next argument or after `=`. A
/// value that is missing is empty.
fn values(args: &[OsString], option: &str) -> Vec<OsString> {
    let mut args = args.iter().skip(1);
    let mut values = Vec::new();
    while let Some(arg) = args.next() {
        let Some(rest) = arg.to_str().and_then(|text| text.strip_prefix(option)) else { continue };
        if rest.is_empty() {
            values.push(args.next().cloned().unwrap_or_default());
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

fn parse_profile(text: &str) -> Result<ProfileArg, String> {
    if text == "all" {
        return Ok(ProfileArg(None));
    }
    let manager = text.parse::<Manager>();
    manager.map(|manager| ProfileArg(Some(manager))).map_err(|error| format!("{error}, and all"))
}

fn parse_coordinates(text: &str) -> Result<Coordinates, String> {
    Coordinates::parse(text).ok_or_else(|| "it is neither xy nor yx".to_owned())
}

/// The number by which Yixin-Board and Rapfi mean renju.
const YIXIN_RENJU: &str = "2";

/// Reads a rule by its name or by its number in the protocol.
pub(in crate::cli) fn parse_rule(text: &str) -> Result<Rule, String> {
    let numbered = |rule: &Rule| rule.mask().to_string() == text;
    if text == YIXIN_RENJU {
        return Ok(Rule::Renju);
    }
    if let Some(rule) = Rule::ALL.into_iter().find(numbered) {
        return Ok(rule);
    }
    text.parse().map_err(|error: RuleNameError| {
        let numbers = Rule::ALL.map(|rule| rule.mask().to_string()).join(", ");
        format!("{error}, or the protocol's {numbers}")
    })
}

/// Reads a size such as `15` or `20x15`.
pub(in crate::cli) fn parse_size(text: &str) -> Result<Size, String> {
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

    fn among(line: &str) -> Result<ProtocolArgs, ProtocolArgError> {
        ProtocolArgs::among(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_coordinates_of_the_protocol_are_found_among_other_options() {
        let coordinates = |line: &str| among(line).unwrap().coordinates;
        let yx = "pbrain --force-utf8 --coordinates yx";
        assert_eq!(coordinates(yx), Some(Coordinates::RowColumn));
        assert_eq!(coordinates("pbrain --coordinates=yx"), Some(Coordinates::RowColumn));
        assert_eq!(coordinates("pbrain --coordinates XY --more"), Some(Coordinates::ColumnRow));
        for line in ["pbrain", "pbrain --coordinates", "pbrain --coordinates zz", "pbrain yx"] {
            assert_eq!(coordinates(line), None, "{line}");
        }
    }

    #[test]
    fn the_level_and_the_seed_are_found_among_others() {
        let skill = |line: &str| among(line).map(|args| args.skill());
        assert_eq!(skill("pbrain --levels 3"), Ok(Skill::default()));
        let level = Level::new(3).unwrap();
        assert_eq!(skill("pbrain --level 3"), Ok(Skill::of(level)));
        let line = "pbrain --x --seed=7 --level=3";
        assert_eq!(skill(line), Ok(Skill { level, seed: Some(7) }));
        for line in ["pbrain --level", "pbrain --level 0", "pbrain --level=11"] {
            assert_eq!(skill(line), Err(ProtocolArgError::Level(LevelError)), "{line}");
        }
        for line in ["pbrain --seed", "pbrain --seed -1", "pbrain --seed=x"] {
            assert_eq!(skill(line), Err(ProtocolArgError::Seed), "{line}");
        }
    }

    #[test]
    fn the_files_of_weights_and_networks_are_found_among_others() {
        let found = |line: &str| among(line).unwrap().weights;
        let both = ["a", "b"].map(PathBuf::from);
        assert_eq!(found("pbrain --weights a --coordinates yx --weights=b --x"), both);
        assert_eq!(found("pbrain --weights"), [PathBuf::new()]);
        for line in ["pbrain", "pbrain weights a", "pbrain --weight a", "--weights a"] {
            assert!(found(line).is_empty(), "{line}");
        }
        let args = among("pbrain --network a --weights c --network=b").unwrap();
        assert_eq!(args.networks, both);
        assert_eq!(args.weights, [PathBuf::from("c")]);
    }

    #[test]
    fn parameters_of_the_protocol_are_found_among_other_options() {
        let params = |line: &str| among(line).map(|args| args.search_params());
        assert_eq!(params("pbrain --force-utf8 -x --params"), Ok(Params::DEFAULT));
        let line = "pbrain --param aspiration=30 --force-utf8 --param=razor_base=7";
        let changed: Vec<_> = params(line).unwrap().changed().map(|a| a.to_string()).collect();
        assert_eq!(changed, ["razor_base=7", "aspiration=30"]);
        for line in ["pbrain --param", "pbrain --param x=1", "pbrain --param=aspiration=0"] {
            assert!(params(line).is_err(), "{line}");
        }
    }

    #[test]
    fn rules_have_names_and_the_numbers_of_the_protocol() {
        for (text, rule) in [
            ("renju", Rule::Renju),
            ("Standard", Rule::Standard),
            ("0", Rule::Freestyle),
            ("1", Rule::Standard),
            ("2", Rule::Renju),
            ("4", Rule::Renju),
            ("8", Rule::Caro),
            ("9", Rule::CaroExact),
        ] {
            assert_eq!(parse_rule(text), Ok(rule), "{text}");
        }
        for text in ["", "3", "5", "6", "10", "-1", "04", "gomoku"] {
            assert!(parse_rule(text).is_err(), "{text}");
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

//! The command line as text: what can be typed, no logic. The doc comments are the help.

use std::path::PathBuf;

use clap::{Args as _, Parser, Subcommand};

use crate::analyse::args::AnalyseArgs;
use crate::bench::args::BenchArgs;
use crate::common::options::EvaluationArgs;
use crate::conformance::args::ConformanceArgs;
use crate::convert::args::ConvertArgs;
use crate::db::args::DbArgs;
use crate::matches::args::{MATCH_USAGE, MatchArgs};
use crate::openings::args::OpeningsArgs;
use crate::play::args::PlayArgs;
use crate::show::args::ShowArgs;
use crate::solve::args::SolveArgs;
use crate::tune::args::TuneArgs;
use crate::verify::args::VerifyArgs;
#[cfg(feature = "web")]
use crate::web::args::WebArgs;
use tengen_engine::engine::{Level, Skill};
use tengen_engine::options::EngineOptions;
use tengen_engine::protocol::Coordinates;

/// The examples after the help of the program.
const EXAMPLES: &str = "\
Examples:
  tengen solve --moves \"h8 a1 i8 a3 j8 a5\"     is there a forced win, and how?
  tengen play --line                            a game against the engine, by typed cells
  tengen game.psq                               the board and moves of a game (tengen show)
  tengen analyse game.psq                       which moves were mistakes?
  tengen convert game.psq -o game.sgf
  tengen match --engine builtin=patterns --engine builtin=shapes --each depth=4
  tengen help solve                             all options of a command

Without a command, tengen waits for a game manager: START 15, then BEGIN or TURN 7,7, then END.";

/// What the engine does under the name that managers expect.
const ENGINE: &str = "\
Speaks the Gomocup/Piskvork protocol on standard input and output. Game managers such as Piskvork start it; their own \
options are ignored.

tengen(1) is the same engine with commands for people.";

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
pub(crate) struct Args {
    /// Options of the protocol.
    #[command(flatten)]
    pub(crate) protocol: ProtocolArgs,

    /// The command.
    #[command(subcommand)]
    pub(crate) command: Option<ToolCommand>,
}

/// The options that count where the protocol is spoken.
#[derive(clap::Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct ProtocolArgs {
    /// Plays at a level from 1, a beginner's, to 10, full strength.
    ///
    /// INFO strength can only lower it. Analysis is always at full strength.
    #[arg(long, value_name = "LEVEL", default_value = "10")]
    pub(crate) level: Level,

    /// Uses this database of positions, created if it does not exist.
    ///
    /// Searches read it and write down what they find, and Yixin-Board can query and edit it.
    #[arg(long, value_name = "FILE")]
    pub(crate) database: Option<PathBuf>,

    /// Opens games from this book, a database that is only read.
    ///
    /// Where it knows enough, its moves are played without a search. Managers can name another one
    /// with INFO book.
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,

    /// Names cells in messages by column and row (xy), or as Yixin-Board (yx).
    ///
    /// Rows count from the top. The default is as the manager seems to.
    #[arg(long, value_name = "xy|yx", value_parser = parse_coordinates, hide_short_help = true)]
    pub(crate) coordinates: Option<Coordinates>,

    /// Seeds the randomness of levels 1 to 9, books and openings.
    ///
    /// Equal games are played equally then. The default is from the system.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    /// The evaluation and the parameters.
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

impl From<ProtocolArgs> for EngineOptions {
    fn from(args: ProtocolArgs) -> EngineOptions {
        EngineOptions {
            coordinates: args.coordinates,
            skill: Skill { level: args.level, seed: args.seed },
            params: args.evaluation.params,
            weights: args.evaluation.weights,
            networks: args.evaluation.networks,
            database: args.database,
            book: args.book,
        }
    }
}

/// The commands of tengen: all that it does besides speaking the protocol.
#[derive(Subcommand, Debug)]
pub(crate) enum ToolCommand {
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
    /// even the chances out. With --by-games, games of the engine against itself choose among them.
    /// Openings are the same for the same options, whatever the number of
    /// threads, and no two are equal under the symmetries of the board. With --output, the same
    /// command again goes on where it was interrupted, or makes the file longer.
    Openings(OpeningsArgs),

    /// Converts game records between formats.
    ///
    /// The formats are psq and rec (Piskvork), sgf, lib (RenLib), pos (rows of cells), offset (distances
    /// from the middle), xy, pgn (results for rating tools), rif (is only read) and json (one object a
    /// line, holds everything). The extensions of the files tell which. What the output cannot hold is named on standard error.
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
    /// is lost, whatever happens, and the same command resumes the match.
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

    /// Makes the weights of the evaluation and the parameters of the search.
    ///
    /// Plays games against itself and fits the weights to them.
    Tune(TuneArgs),

    /// Keeps a database of positions: values, proven results, best moves and texts.
    ///
    /// Positions are known by their stones, up to the symmetries of the board, for each rule and size.
    /// Whatever is reported is saved, even if the program is killed.
    Db(DbArgs),

    /// Opens a board in the browser: play, analyse and review, with this engine and others.
    ///
    /// Serves a page on this machine until Ctrl-C. Nobody else can use it: the address has a secret, and other
    /// sites and other machines are refused. With --listen others on the network can, by a code.
    #[cfg(feature = "web")]
    Web(WebArgs),
}

/// Returns the command line of the engine under the name that managers expect, which reads its options itself.
pub(crate) fn engine_command() -> clap::Command {
    ProtocolArgs::augment_args(clap::Command::new("pbrain-tengen"))
        .about("A Gomoku and Renju engine for game managers")
        .long_about(ENGINE)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
}

fn parse_coordinates(text: &str) -> Result<Coordinates, String> {
    Coordinates::parse(text).ok_or_else(|| "it is neither xy nor yx".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_options_of_the_engine_are_those_that_it_finds_itself() {
        #[derive(clap::Parser)]
        struct Only {
            #[command(flatten)]
            options: ProtocolArgs,
        }
        let command = Only::command();
        let names = command.get_arguments().filter_map(clap::Arg::get_long);
        let names: BTreeSet<String> = names.map(|name| format!("--{name}")).collect();
        assert_eq!(names, EngineOptions::NAMES.map(str::to_owned).into());
        let given =
            ["tengen", "--level", "3", "--seed=7", "--book", "b", "--param", "aspiration=30"];
        let parsed = Only::try_parse_from(given).expect("all are options").options;
        let found = EngineOptions::among(given.into_iter().map(OsString::from));
        assert_eq!(found, Ok(EngineOptions::from(parsed)));
    }
}

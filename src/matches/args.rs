//! The arguments of `tengen match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum};

use crate::common::options::{BoardArgs, LookArgs, parse_time, word_lists, words_option};
use tengen_core::eval::EvaluatorKind;
use tengen_core::notation::Origin;
use tengen_files::records;

/// The explanations after the options, where `EVALUATORS` stands for the names of the evaluators.
const AFTER_HELP: &str = "\
WORDS of --engine and --each:
  cmd=COMMAND          the program and its arguments; quotes protect blanks, and arguments that
                       name existing files are meant from the current directory
  builtin=NAME         instead: a search in this program with one of the evaluators
                       EVALUATORS; or greedy, which looks no move ahead
  level=N              plays at a level from 1 to 10 (docs/guide/levels.md): this program, or the
                       one that cmd= names, which is sent INFO strength
  name=NAME            the name in tables and records [default: of the program]
  dir=DIR              where it is started [default: an empty directory that is removed]
  tc=[MOVES/]TIME[+INCREMENT]
                       the time for all moves of a game, or for each MOVES moves of it, and what
                       each move adds to it
  turn=TIME            the time for a move
  nodes=N depth=N      the limits of a search; sent to the engine but not enforced
  margin=TIME          how much later an answer may come [default: 100ms]
  threads=N            sent to the engine
  memory=MIB           sent, and enforced where the system allows
  restart=on           starts the program anew for each game [default: off]
  KEY=VALUE            anything else is sent as INFO KEY VALUE; so is info:KEY=VALUE whatever KEY is

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

Ctrl-C or the key q ends the match after the running games; a second time breaks them off, as SIGTERM does at once; \
once more ends the program. SIGUSR1 or the key p pauses the match and goes on with it.

With --json there is an object on each line: of each game when it is finished (game, pair, round, black, white, \
result, end, detail, moves, seconds and, of a match between two, the points so far), and in the end the summary.

The exit code is 0 if the match is complete or decided, 1 after an error, 2 if the options make no sense, and 130 if \
the match was ended with games missing.";

/// Returns the explanations after the options.
fn after_help() -> String {
    AFTER_HELP.replace("EVALUATORS", &EvaluatorKind::names())
}

/// The ways to use `tengen match`.
pub(crate) const MATCH_USAGE: &str = "\
tengen match [OPTIONS] --engine WORD... --engine WORD... [--each WORD...]
       tengen match merge --output FILE JOURNAL...
       tengen match report [OPTIONS] JOURNAL...";

/// The arguments of `tengen match`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = after_help(), subcommand_help_heading = "Journals")]
pub(crate) struct MatchArgs {
    /// The command to carry out instead of playing.
    #[command(subcommand)]
    pub(crate) command: Option<MatchCommand>,

    /// The engines that play.
    #[command(flatten)]
    pub(crate) engines: EngineArgs,

    /// Enters every program of this directory, or the engines of this file.
    ///
    /// All executable files, in the order of their names; or a list in JSON with the words of each
    /// engine: [{"cmd": "./rapfi", "tc": "60+0.5", "threads": 2}, {"builtin": "network", "turn": 5}].
    #[arg(long = "engines", value_name = "PATH", hide_short_help = true)]
    pub(crate) engines_at: Option<PathBuf>,

    /// The rule and the board.
    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Plays this many rounds of two games between any two [default: 1].
    ///
    /// In each, every two engines play one opening twice, with the colours swapped. With --sprt the
    /// default is 100000.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) rounds: Option<u64>,

    /// Plays the first engine against each of the others only.
    #[arg(long)]
    pub(crate) gauntlet: bool,

    /// Plays up to this number of single games, until one engine has won.
    ///
    /// Of two engines, until one has more than half of the points.
    #[arg(
        long,
        value_name = "GAMES",
        value_parser = clap::value_parser!(u64).range(1..=100_000),
        conflicts_with_all = ["rounds", "gauntlet", "sprt", "shard"]
    )]
    pub(crate) best_of: Option<u64>,

    /// The engine that moves first in each game of --best-of [default: AB].
    ///
    /// A or B for each game, such as ABBAABB; begun again at its end.
    #[arg(long, value_name = "LETTERS", requires = "best_of", hide_short_help = true)]
    pub(crate) first: Option<String>,

    /// Begins the games with the openings of this file, or with builtin ones.
    ///
    /// One after the other; without it the board is empty. The format is pos, offset, sgf, psq or
    /// json. builtin stands for some balanced openings that the program carries for each rule (15x15,
    /// and freestyle on 20x20).
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,

    /// The format of the openings [default: by extension, or by content].
    #[arg(long, value_name = "FORMAT", requires = "openings", hide_short_help = true)]
    pub(crate) openings_format: Option<records::Format>,

    /// Begins with the opening of this number, from 1, in the order of --order.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "openings",
        hide_short_help = true
    )]
    pub(crate) openings_start: u32,

    /// The order of the openings: that of the file, or one that follows from --seed.
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "sequential",
        requires = "openings",
        hide_short_help = true
    )]
    pub(crate) order: OrderArg,

    /// Seeds the random order [default: 0].
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    /// Turns and mirrors the openings each time the file is used again.
    #[arg(long, requires = "openings", hide_short_help = true)]
    pub(crate) symmetries: bool,

    /// Lets the engines make the openings themselves by swap2.
    #[arg(long, conflicts_with_all = ["openings", "order", "symmetries"], hide_short_help = true)]
    pub(crate) swap2: bool,

    /// Plays this number of games at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub(crate) concurrency: u16,

    /// Binds the engines of each game to CPUs of their own (Linux).
    ///
    /// To as many as threads= says, or one; on different cores first, and only of those that this
    /// process may use (taskset).
    #[arg(long, hide_short_help = true)]
    pub(crate) affinity: bool,

    /// Counts an engine as hung when it writes no line for this long.
    ///
    /// Where it has no limit of time for its move. It loses the game; 0 waits for ever.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60",
        value_parser = parse_time,
        hide_short_help = true
    )]
    pub(crate) silence: Duration,

    /// Draws a game after this number of moves.
    ///
    /// Those of the opening included.
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = clap::value_parser!(u32).range(1..=484),
        hide_short_help = true
    )]
    pub(crate) draw_after: Option<u32>,

    /// Draws a game by the scores of both: SCORE,MOVES[,FROM].
    ///
    /// When both have reported scores within SCORE of 0 for MOVES moves each, but not before there are
    /// FROM moves.
    #[arg(long, value_name = "NUMBERS", hide_short_help = true)]
    pub(crate) draw: Option<String>,

    /// Ends a game by the scores of its loser: SCORE,MOVES[,both].
    ///
    /// When it has reported -SCORE or less for MOVES moves, and with both its winner SCORE or more.
    #[arg(long, value_name = "NUMBERS", hide_short_help = true)]
    pub(crate) resign: Option<String>,

    /// Ends the match when a test is decided: elo0=ELO elo1=ELO.
    ///
    /// Between these two strengths. Further words are alpha=0.05, beta=0.05 and
    /// model=logistic|normalized.
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) sprt: Vec<String>,

    /// Keeps finished games in this file, to resume after an interruption.
    ///
    /// The same command again goes on, and with more rounds makes the match longer.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// Adds what was written to and by the engines to this file.
    ///
    /// Of every game, with times; or to a file for each game if it is a directory. Without it, games
    /// that ended with a fault are kept beside the journal, in a file with .faults.log added to its
    /// name.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Plays only part I of N of the match, I from 1.
    ///
    /// `tengen match merge` joins the journals.
    #[arg(
        long,
        value_name = "I/N",
        requires = "journal",
        conflicts_with = "sprt",
        hide_short_help = true
    )]
    pub(crate) shard: Option<String>,

    /// The files to write at the end.
    #[command(flatten)]
    pub(crate) outputs: OutputArgs,

    /// Prints JSON lines instead of text; with --quiet only the summary.
    #[arg(long)]
    pub(crate) json: bool,

    /// Shows no progress and no single games.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Prints a line with the standing after every so many games.
    ///
    /// Points, Elo and what is left. The default is 10 where standard output is no terminal, without
    /// --quiet; 0 is never.
    #[arg(
        long,
        value_name = "GAMES",
        conflicts_with_all = ["json", "watch"],
        hide_short_help = true
    )]
    pub(crate) status_every: Option<u64>,

    /// Draws a running game with its clocks in the terminal.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) watch: bool,

    /// Shows the running games and the standing in the browser.
    ///
    /// On a page of this machine, which nobody else can open.
    #[cfg(feature = "web")]
    #[arg(long, hide_short_help = true)]
    pub(crate) watch_web: bool,

    /// The look of what --watch draws.
    #[command(flatten)]
    pub(crate) look: LookArgs,

    /// The edge from which rows count: top or bottom.
    ///
    /// With --watch and in lines of games. The default is bottom in renju, otherwise top. The report
    /// counts by this default, files from the top.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,

    /// Waits for this time after each move, for people who watch.
    ///
    /// No clock runs then.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "0",
        value_parser = parse_time,
        hide_short_help = true
    )]
    pub(crate) slow: Duration,

    /// The name of the match in records and reports.
    #[arg(long, value_name = "NAME", default_value = "tengen match", hide_short_help = true)]
    pub(crate) event: String,
}

/// The engines, each with its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EngineArgs {
    /// The words of each `--engine`.
    pub(crate) engines: Vec<Vec<String>>,
    /// The words of `--each`.
    pub(crate) each: Vec<String>,
}

// The derived form would forget which word belongs to which engine.
impl Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(words_option(
                "engine",
                "An engine: words such as cmd=./rapfi tc=60+0.5, which --help explains",
            ))
            .arg(words_option("each", "Words for all engines; those of --engine win"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        Ok(EngineArgs {
            engines: word_lists(matches, "engine"),
            each: word_lists(matches, "each").concat(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A command on journals.
#[derive(Subcommand, Debug)]
pub(crate) enum MatchCommand {
    /// Joins the journals of one match, such as those of its shards.
    Merge(MergeArgs),
    /// Reports on a match from its journals, without playing.
    Report(ReportArgs),
}

/// The arguments of `tengen match merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// Writes the joined journal to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The journals.
    #[arg(value_name = "JOURNAL", required = true)]
    pub(crate) journals: Vec<PathBuf>,
}

/// The arguments of `tengen match report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// The journals of one match.
    #[arg(value_name = "JOURNAL", required = true)]
    pub(crate) journals: Vec<PathBuf>,

    /// The files to write.
    #[command(flatten)]
    pub(crate) outputs: OutputArgs,

    /// Prints one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Files that are written when a match ends, whatever ends it, and those of games also while it runs.
#[derive(Args, Debug, Default)]
pub(crate) struct OutputArgs {
    /// Writes the games to this file in SGF.
    ///
    /// While a match is played each is added when it ends; at the end they are in their order.
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,

    /// Writes each game to a psq file of its own in this directory.
    ///
    /// Of a match that is played when it ends. A name that ends with .psq gets the numbers of the games added.
    #[arg(long, value_name = "DIR")]
    pub(crate) psq: Option<PathBuf>,

    /// Writes the results to this file, for rating tools.
    ///
    /// While a match is played as well, as those of --sgf.
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Writes a report with tables, graphs and all games as a page.
    ///
    /// It can be opened in any browser. It is written at the end.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OrderArg {
    /// As in the file.
    Sequential,
    /// Another one, which follows from the seed.
    Random,
}

/// Returns the command alone, without the others of the tool.
pub(super) fn command() -> Command {
    let command = Command::new("match").bin_name("tengen match").override_usage(MATCH_USAGE);
    MatchArgs::augment_args(command)
}

//! The arguments of `tengen match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum};

use super::{parse_rule, parse_size};
use crate::records;
use crate::rules::Rule;
use crate::types::Size;

/// The explanations after the options.
const AFTER_HELP: &str = "\
WORDS of --engine and --each:
  cmd=COMMAND          the program and its arguments; quotes protect blanks, and arguments that
                       name existing files are meant from the current directory
  builtin=NAME         instead: network, patterns, shapes or tuples search here, greedy looks no
                       move ahead
  level=N              plays at a level from 1 to 10 (docs/levels.md): this program, or the one
                       that cmd= names, which is told INFO strength
  name=NAME            the name in tables and records [default: of the program]
  dir=DIR              where it is started [default: an empty directory that is removed]
  tc=GAME[+INCREMENT]  the time for all moves of a game, and what each move adds to it
  turn=TIME            the time for a move
  nodes=N depth=N      the limits of a search; told to the engine but not measured
  margin=TIME          how much later an answer may come [default: 100ms]
  threads=N            told to the engine
  memory=MIB           told and measured, where the system tells it
  restart=on           starts the program anew for each game [default: off]
  KEY=VALUE            anything else is sent as INFO KEY VALUE; so is info:KEY=VALUE whatever KEY is

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.

Ctrl-C or the key q ends the match after the running games; a second time breaks them off, as
SIGTERM does at once; once more ends the program. SIGUSR1 or the key p pauses the match and goes on with it.

With --json there is an object on each line: of each game when it is finished (game, round, black,
white, result, end, detail, moves, seconds and, of a match between two, the points so far), and
in the end the summary.

The exit code is 0 if the match is complete or decided, 1 after an error, 2 if the options make no
sense, and 130 if the match was ended with games missing.";

/// The ways to use `tengen match`.
pub(super) const MATCH_USAGE: &str = "\
tengen match [OPTIONS] --engine WORD... --engine WORD... [--each WORD...]
       tengen match merge --output FILE JOURNAL...
       tengen match report [OPTIONS] JOURNAL...";

/// The arguments of `tengen match`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = AFTER_HELP, subcommand_help_heading = "Journals")]
pub struct MatchArgs {
    /// The command to carry out instead of playing.
    #[command(subcommand)]
    pub command: Option<MatchCommand>,

    /// The engines that play.
    #[command(flatten)]
    pub engines: EngineWords,

    /// Lets every executable file of this directory take part, in the order of their names.
    #[arg(long = "engines", value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// The rule: freestyle, standard, renju, caro or caro-exact; or its number: 0, 1, 4, 8 or 9.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = parse_rule)]
    pub rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Lets everybody meet each opponent this number of times, each time in two games from one
    /// opening with the colors changed [default: 1, with --sprt 100000].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub rounds: Option<u64>,

    /// Lets the first engine meet each of the others, and nobody else.
    #[arg(long)]
    pub gauntlet: bool,

    /// Plays up to this number of single games, until one of two engines has more than half of the
    /// points.
    #[arg(
        long,
        value_name = "GAMES",
        value_parser = clap::value_parser!(u64).range(1..=100_000),
        conflicts_with_all = ["rounds", "gauntlet", "sprt", "shard"]
    )]
    pub best_of: Option<u64>,

    /// The engine that moves first in each game of --best-of, A or B, such as ABBAABB; begun again
    /// at its end [default: AB].
    #[arg(long, value_name = "LETTERS", requires = "best_of")]
    pub first: Option<String>,

    /// Begins the games with the openings of this file, one after the other; without it the board
    /// is empty. The format is pos, offset, sgf, psq or json. The word builtin stands for some
    /// balanced openings that the program carries for each rule (15x15, and freestyle on 20x20).
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,

    /// The format of the openings [default: by extension, or else by how the file begins].
    #[arg(long, value_name = "FORMAT", requires = "openings")]
    pub openings_format: Option<records::Format>,

    /// Uses the openings in the order of the file or in another one that follows from --seed.
    #[arg(long, value_name = "ORDER", default_value = "sequential", requires = "openings")]
    pub order: OrderArg,

    /// Makes another random order [default: 0].
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Turns and mirrors the openings each time the file is used again.
    #[arg(long, requires = "openings")]
    pub symmetries: bool,

    /// Lets the engines make the openings themselves by swap2.
    #[arg(long, conflicts_with_all = ["openings", "order", "symmetries"])]
    pub swap2: bool,

    /// Plays this number of games at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub concurrency: u16,

    /// Counts an engine as hung, which loses the game, when it has no limit of time for its move
    /// and writes no line for this long; 0 waits for ever.
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_time)]
    pub silence: Duration,

    /// Draws a game after this number of moves, those of the opening included.
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=484))]
    pub draw_after: Option<u32>,

    /// Draws a game when both have reported scores within SCORE of 0 for MOVES moves each, but not
    /// before there are FROM moves: SCORE,MOVES or SCORE,MOVES,FROM.
    #[arg(long, value_name = "NUMBERS")]
    pub draw: Option<String>,

    /// Ends a game when its loser has reported -SCORE or less for MOVES moves, and with `,both` its
    /// winner SCORE or more: SCORE,MOVES or SCORE,MOVES,both.
    #[arg(long, value_name = "NUMBERS")]
    pub resign: Option<String>,

    /// Ends the match when it is decided between two strengths: elo0=ELO elo1=ELO [alpha=0.05]
    /// [beta=0.05] [model=logistic|normalized].
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub sprt: Vec<String>,

    /// Appends each finished game to this file. The same command again goes on where it was
    /// interrupted, and with more rounds makes the match longer.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Adds what was written to and by the engines in every game, with times, to this file; or to a
    /// file for each game if it is a directory. Without it, games that ended with a fault are kept
    /// beside the journal, in a file with .faults.log added to its name.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// Plays only part I of N of the match, I from 1; `tengen match merge` joins the journals.
    #[arg(long, value_name = "I/N", requires = "journal", conflicts_with = "sprt")]
    pub shard: Option<String>,

    /// The files to write at the end.
    #[command(flatten)]
    pub outputs: OutputArgs,

    /// Prints JSON lines instead of text; with --quiet only the summary.
    #[arg(long)]
    pub json: bool,

    /// Shows no progress and no single games.
    #[arg(short, long)]
    pub quiet: bool,

    /// Draws a running game with its clocks in the terminal.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub watch: bool,

    /// Waits for this time after each move, for people who watch; no clock runs then.
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = parse_time)]
    pub slow: Duration,

    /// The name of the match in records and reports.
    #[arg(long, value_name = "NAME", default_value = "tengen match")]
    pub event: String,
}

/// The engines, each with its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineWords {
    /// The words of each `--engine`.
    pub engines: Vec<Vec<String>>,
    /// The words of `--each`.
    pub each: Vec<String>,
}

// The derived form would forget which word belongs to which engine.
impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            clap::Arg::new(name)
                .long(name)
                .value_name("WORD")
                .num_args(1..)
                .action(clap::ArgAction::Append)
                .help(help)
        };
        command
            .arg(words(
                "engine",
                "An engine: words such as cmd=./rapfi tc=60+0.5, which --help explains",
            ))
            .arg(words("each", "Words for all engines; those of --engine win"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineWords::augment_args(command)
    }
}

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineWords, clap::Error> {
        let occurrences = |name: &str| -> Vec<Vec<String>> {
            let all = matches.get_occurrences::<String>(name);
            all.map_or_else(Vec::new, |all| all.map(|words| words.cloned().collect()).collect())
        };
        Ok(EngineWords { engines: occurrences("engine"), each: occurrences("each").concat() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A command on journals.
#[derive(Subcommand, Debug)]
pub enum MatchCommand {
    /// Joins the journals of one match, such as those of its shards.
    Merge(MergeArgs),
    /// Reports on a match from its journals, without playing.
    Report(ReportArgs),
}

/// The arguments of `tengen match merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Writes the joined journal to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// The journals.
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,
}

/// The arguments of `tengen match report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The journals of one match.
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,

    /// The files to write.
    #[command(flatten)]
    pub outputs: OutputArgs,

    /// Prints one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Files that are written when a match ends, whatever ends it.
#[derive(Args, Debug, Default)]
pub struct OutputArgs {
    /// Writes the games to this file in the Smart Game Format.
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,

    /// Writes each game to a psq file of its own in this directory; a name that ends with .psq gets
    /// the numbers of the games added.
    #[arg(long, value_name = "DIR")]
    pub psq: Option<PathBuf>,

    /// Writes the results to this file, for rating tools.
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,

    /// Writes a report with tables, graphs and all games to look at to this file, a page for any
    /// browser.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderArg {
    /// As in the file.
    Sequential,
    /// Another one, which follows from the seed.
    Random,
}

/// The longest time that can be typed.
const LONGEST: Duration = Duration::from_secs(1000 * 3600);

/// Reads a time such as `60`, `0.5`, `500ms`, `4m` or `1h`, exact to a millisecond.
pub(in crate::cli) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3600e3)];
    let with_unit = |&(unit, length): &(&str, f64)| Some((text.strip_suffix(unit)?, length));
    let (number, unit) = units.iter().find_map(with_unit).unwrap_or((text, 1e3));
    let is_plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let millis = number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * unit);
    let Some(millis) = millis else {
        return Err("it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned());
    };
    if millis > LONGEST.as_secs_f64() * 1e3 {
        return Err("the longest time is 1000h".to_owned());
    }
    Ok(Duration::from_millis(millis.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_unless_they_have_a_unit() {
        let millis = |text: &str| parse_time(text).map(|time| time.as_millis());
        for (text, expected) in [
            ("60", 60_000),
            ("0.5", 500),
            (".25", 250),
            ("500ms", 500),
            ("2s", 2000),
            ("4m", 240_000),
            ("1.5h", 5_400_000),
            ("0", 0),
            ("0.1", 100),
            ("1000h", 3_600_000_000),
        ] {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "ms", "-1", "+1", "1e3", "1 s", "1d", "inf", "NaN", "1.2.3", "."] {
            let error = "it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned();
            assert_eq!(parse_time(text), Err(error), "{text:?}");
        }
        assert_eq!(parse_time("1001h"), Err("the longest time is 1000h".to_owned()));
    }
}
